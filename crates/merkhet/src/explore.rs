//! The symbolic state space, one step at a time: for simulation, drawings, and traces in other programs' forms.

use std::ops::ControlFlow;

use merkhet_explore::SymbolicTrace;
use merkhet_network::{
    Address, LocationId, Network, ProcessId, Query, QueryKind, Region, SiteId, Transition,
};
use merkhet_replay::Replayed;
use merkhet_semantics::{Explorer, Extrapolation, Options, State, Successor, System};
use merkhet_zones::bound::{INFINITY, constant, is_strict};
use merkhet_zones::zone::minimal;

use crate::check::evidence::{self, Evidence};
use crate::failure::Failure;

/// A network compiled for walking through its symbolic states.
pub struct Exploration<'n> {
    network: &'n Network,
    system: System,
    exact: bool,
}

/// A symbolic state: locations, variables and a closed zone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SymbolicState {
    memory: Vec<i32>,
    zone: Vec<i32>,
    processes: usize,
    dimension: usize,
}

/// A bound on the difference of two clocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ZoneBound {
    /// The constant.
    pub constant: i32,
    /// `<` rather than `<=`.
    pub strict: bool,
}

/// `first - second < constant` or `<=`. Number 0 is the constant zero, number `i + 1` the network's clock `i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ZoneConstraint {
    /// The first clock.
    pub first: usize,
    /// The second clock.
    pub second: usize,
    /// The bound.
    pub bound: ZoneBound,
}

impl SymbolicState {
    /// Where a process is.
    pub fn location(&self, process: ProcessId) -> LocationId {
        LocationId(self.memory[process.index()] as u32)
    }

    /// The values of the state variables' cells and then of the meta variables' cells.
    pub fn values(&self) -> &[i32] {
        &self.memory[self.processes..]
    }

    /// The number of clocks and one.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The bound on the difference of two clocks; `None` if there is none.
    pub fn bound(&self, first: usize, second: usize) -> Option<ZoneBound> {
        let entry = self.zone[first * self.dimension + second];
        (entry != INFINITY).then(|| zone_bound(entry))
    }

    /// Few constraints that describe the zone; `x >= 0` is left out.
    pub fn constraints(&self) -> Vec<ZoneConstraint> {
        let mut constraints = Vec::new();
        minimal::for_each(&self.zone, self.dimension, |position, entry| {
            constraints.push(ZoneConstraint {
                first: position / self.dimension,
                second: position % self.dimension,
                bound: zone_bound(entry),
            });
        });
        constraints
    }

    /// The constraints in words, such as `x <= 3` or `x - y < 2`.
    pub fn describe_zone(&self, network: &Network) -> Vec<String> {
        let name = |clock: usize| network.clocks[clock - 1].name.as_str();
        let constraints = self.constraints();
        let line = |constraint: &ZoneConstraint| {
            let ZoneConstraint {
                first,
                second,
                bound,
            } = *constraint;
            let less = if bound.strict { "<" } else { "<=" };
            let more = if bound.strict { ">" } else { ">=" };
            match (first, second) {
                (0, clock) => format!("{} {more} {}", name(clock), -i64::from(bound.constant)),
                (clock, 0) => format!("{} {less} {}", name(clock), bound.constant),
                (x, y) => format!("{} - {} {less} {}", name(x), name(y), bound.constant),
            }
        };
        constraints.iter().map(line).collect()
    }
}

fn zone_bound(entry: i32) -> ZoneBound {
    ZoneBound {
        constant: constant(entry),
        strict: is_strict(entry),
    }
}

impl<'n> Exploration<'n> {
    /// Zones are kept as they are: there may be infinitely many.
    pub fn exact(network: &'n Network) -> Result<Exploration<'n>, Failure> {
        Exploration::new(network, true)
    }

    /// Zones are enlarged by the largest constants, so that there are finitely many.
    pub fn finite(network: &'n Network) -> Result<Exploration<'n>, Failure> {
        Exploration::new(network, false)
    }

    fn new(network: &'n Network, exact: bool) -> Result<Exploration<'n>, Failure> {
        let options = Options {
            extrapolation: if exact {
                Extrapolation::None
            } else {
                Extrapolation::M
            },
            ..Options::default()
        };
        let system = System::new(network, &options).map_err(Failure::too_large)?;
        Ok(Exploration {
            network,
            system,
            exact,
        })
    }

    /// Names of the values in [`SymbolicState::values`], in order.
    pub fn value_names(&self) -> Vec<String> {
        let cells = |region: Region| {
            (0..self.network.cells(region).len() as u32)
                .map(move |offset| self.network.cell_name(Address { region, offset }))
        };
        cells(Region::State).chain(cells(Region::Meta)).collect()
    }

    /// The initial states: one, unless urgency splits its zone.
    pub fn initial(&self) -> Result<Vec<SymbolicState>, Failure> {
        let mut found = Vec::new();
        let outcome = self.explorer().initial(&mut |successor: Successor<'_>| {
            found.push(self.keep(successor.state));
            ControlFlow::Continue(())
        });
        let _ = outcome.map_err(|fault| self.failure(&fault))?;
        Ok(found)
    }

    /// The successors in the engine's order, each with the edges taken.
    pub fn successors(
        &self,
        state: &SymbolicState,
    ) -> Result<Vec<(Transition, SymbolicState)>, Failure> {
        let mut found = Vec::new();
        let from = State {
            memory: &state.memory,
            zone: &state.zone,
        };
        let outcome = self
            .explorer()
            .successors(from, &mut |successor: Successor<'_>| {
                let transition = self.system.transition(successor.edges);
                found.push((transition, self.keep(successor.state)));
                ControlFlow::Continue(())
            });
        let _ = outcome.map_err(|fault| self.failure(&fault))?;
        Ok(found)
    }

    /// The symbolic states along a run, the initial one first; `None` if the transitions cannot be followed.
    pub fn along(&self, run: &[Transition]) -> Result<Option<Vec<SymbolicState>>, Failure> {
        // Where zones split, the first part may be a dead end: the waiting ones are tried in turn.
        let mut levels: Vec<Vec<SymbolicState>> = vec![reversed(self.initial()?)];
        while let Some(level) = levels.last() {
            let Some(state) = level.last() else {
                levels.pop();
                if let Some(above) = levels.last_mut() {
                    above.pop();
                }
                continue;
            };
            let depth = levels.len() - 1;
            let Some(transition) = run.get(depth) else {
                return Ok(Some(
                    levels
                        .into_iter()
                        .filter_map(|mut level| level.pop())
                        .collect(),
                ));
            };
            let next = self.follow(state, transition)?;
            levels.push(reversed(next));
        }
        Ok(None)
    }

    /// A run with exact times that takes these transitions, accepted by the judge.
    pub fn concrete(&self, run: &[Transition]) -> Result<Replayed, Failure> {
        let index = |&(process, edge): &(_, _)| self.system.edge_index(process, edge);
        let path = SymbolicTrace {
            transitions: run
                .iter()
                .map(|one| one.edges.iter().map(index).collect())
                .collect(),
            goal: None,
        };
        let everything = Query {
            text: String::new(),
            comment: String::new(),
            kind: QueryKind::Explore,
            site: SiteId::NONE,
        };
        match evidence::concrete(self.network, &everything, &self.system, &path)? {
            Evidence::Accepted(run) => Ok(*run),
            Evidence::Unconfirmed(why) => Err(Failure::Undecidable(why.to_string())),
        }
    }

    fn follow(
        &self,
        state: &SymbolicState,
        transition: &Transition,
    ) -> Result<Vec<SymbolicState>, Failure> {
        let edges: Vec<_> = transition
            .edges
            .iter()
            .map(|&(process, edge)| self.system.edge_index(process, edge))
            .collect();
        let from = State {
            memory: &state.memory,
            zone: &state.zone,
        };
        let mut found = Vec::new();
        let outcome = self
            .explorer()
            .follow(from, &edges, &mut |successor: Successor<'_>| {
                found.push(self.keep(successor.state));
                ControlFlow::Continue(())
            });
        let _ = outcome.map_err(|fault| self.failure(&fault))?;
        Ok(found)
    }

    fn explorer(&self) -> Explorer<'_> {
        if self.exact {
            Explorer::exact(&self.system)
        } else {
            Explorer::new(&self.system)
        }
    }

    fn keep(&self, state: State<'_>) -> SymbolicState {
        SymbolicState {
            memory: state.memory.to_vec(),
            zone: state.zone.to_vec(),
            processes: self.network.processes.len(),
            dimension: self.system.dimension(),
        }
    }

    fn failure(&self, fault: &merkhet_semantics::Fault) -> Failure {
        Failure::of(self.network, fault)
    }
}

fn reversed<T>(mut items: Vec<T>) -> Vec<T> {
    items.reverse();
    items
}
