//! The symbolic state space, one step at a time: for simulation, drawings, and traces in other programs' forms.

use std::ops::{ControlFlow, Deref};

use merkhet_explore::store::Steps;
use merkhet_explore::{
    Blind, Budget, Config as SearchConfig, Limits as SearchLimits, Passed, Plain, Search, StateId,
    Status, StopReason, SymbolicTrace, Watch,
};
use merkhet_network::{
    Address, LocationId, Network, ProcessId, Query, QueryKind, Region, SiteId, Transition,
};
use merkhet_replay::Replayed;
use merkhet_semantics::{
    EdgeIndex, Explorer, Extrapolation, FaultKind, Options, State, Successor, System,
};
use merkhet_zones::bound::{INFINITY, constant, is_strict};
use merkhet_zones::zone::minimal;

use crate::check::evidence::{self, Evidence};
use crate::config::Limits;
use crate::failure::Failure;
use crate::memory::for_states;

/// A network compiled for walking through its symbolic states. `N` holds the network: a reference, or what owns it.
pub struct Exploration<N> {
    network: N,
    system: System,
    exact: bool,
    limits: Limits,
}

/// A part of the symbolic state space.
pub struct StateGraph {
    /// The states in the order in which breadth first finds them.
    pub states: Vec<SymbolicState>,
    /// The number of initial states, which come first.
    pub initial: usize,
    /// Source, transition, target.
    pub edges: Vec<(usize, Transition, usize)>,
    /// Why something is missing, if it is.
    pub missing: Option<Missing>,
}

/// Why a graph is not the whole one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// It has as many states as were asked for, and there are more.
    States,
    /// It has more transitions than were looked at.
    Transitions,
    /// The time was over.
    Time,
    /// The memory was used up.
    Memory,
    /// The caller wanted no more.
    Cancelled,
}

/// The successors of a state.
pub struct Successors {
    /// Each with the edges taken, in the engine's order.
    pub all: Vec<(Transition, SymbolicState)>,
    /// There are more, which were not computed.
    pub more: bool,
}

/// Most bytes of a state's successors that are kept.
const SUCCESSORS: usize = 1 << 26;

/// Transitions that are looked at for a graph: this number, and as many times the states. Broadcasts may have 2^31 of them from one
/// state; nobody draws more.
const TRANSITIONS: usize = 100_000;
const TRANSITIONS_FOR_EACH: usize = 100;

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
    pub(crate) fn of(state: State<'_>, processes: usize, dimension: usize) -> SymbolicState {
        SymbolicState {
            memory: state.memory.to_vec(),
            zone: state.zone.to_vec(),
            processes,
            dimension,
        }
    }

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
        // Two bounds of 0 on a difference say that the clocks are equal.
        let zero = |first: usize, second: usize| {
            (constraints.iter()).any(|one| {
                (one.first, one.second) == (first, second)
                    && one.bound.constant == 0
                    && !one.bound.strict
            })
        };
        let mut lines = Vec::with_capacity(constraints.len());
        for one in &constraints {
            let (first, second) = (one.first, one.second);
            let equal = zero(first, second) && zero(second, first);
            match (first, second) {
                // No clock is below 0.
                (clock, 0) if one.bound.constant == 0 && !one.bound.strict => {
                    lines.push(format!("{} == 0", name(clock)));
                }
                (0, _) if one.bound.constant == 0 && !one.bound.strict => {}
                (x, y) if equal => {
                    if x < y {
                        lines.push(format!("{} == {}", name(x), name(y)));
                    }
                }
                _ => lines.push(line(one)),
            }
        }
        lines
    }
}

fn zone_bound(entry: i32) -> ZoneBound {
    ZoneBound {
        constant: constant(entry),
        strict: is_strict(entry),
    }
}

impl<N: Deref<Target = Network>> Exploration<N> {
    /// Zones are kept as they are: there may be infinitely many.
    pub fn exact(network: N) -> Result<Exploration<N>, Failure> {
        Exploration::new(network, true)
    }

    /// Zones are enlarged by the largest constants, so that there are finitely many.
    pub fn finite(network: N) -> Result<Exploration<N>, Failure> {
        Exploration::new(network, false)
    }

    fn new(network: N, exact: bool) -> Result<Exploration<N>, Failure> {
        let options = Options {
            extrapolation: if exact {
                Extrapolation::None
            } else {
                Extrapolation::M
            },
            ..Options::default()
        };
        let system = System::new(&network, &options).map_err(Failure::too_large)?;
        Ok(Exploration {
            network,
            system,
            exact,
            limits: Limits::default(),
        })
    }

    /// Explores within limits. The number of states is no limit here: [`Exploration::graph`] is asked for one.
    pub fn within(self, limits: Limits) -> Exploration<N> {
        Exploration { limits, ..self }
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

    /// The successors of a state, at most `most`.
    pub fn successors(&self, state: &SymbolicState, most: usize) -> Result<Successors, Failure> {
        let bytes = size_of_val(&*state.memory) + size_of_val(&*state.zone);
        let most = most.min(SUCCESSORS / bytes.max(1)).max(1);
        let mut found = Successors {
            all: Vec::new(),
            more: false,
        };
        let from = State {
            memory: &state.memory,
            zone: &state.zone,
        };
        let watch = Watch::new(self.limits());
        let mut explorer = self.explorer().cancelled_by(watch.cancellation());
        let outcome = explorer.successors(from, &mut |successor: Successor<'_>| {
            found.more = found.all.len() >= most;
            if found.more {
                return ControlFlow::Break(());
            }
            let transition = self.system.transition(successor.edges);
            found.all.push((transition, self.keep(successor.state)));
            ControlFlow::Continue(())
        });
        match outcome {
            Ok(_) => Ok(found),
            Err(fault) if fault.kind == FaultKind::Ended => {
                found.more = true;
                Ok(found)
            }
            Err(fault) => Err(self.failure(&fault)),
        }
    }

    /// The states, breadth first, up to `most`, with the transitions between them.
    pub fn graph(&self, most: usize) -> Result<StateGraph, Failure> {
        let watch = Watch::new(self.limits());
        let explorer = self.explorer().cancelled_by(watch.cancellation());
        let drawn = Drawn {
            edges: Vec::new(),
            bytes: 0,
            missing: None,
            left: most
                .saturating_mul(TRANSITIONS_FOR_EACH)
                .saturating_add(TRANSITIONS),
        };
        let states = Plain::telling(&self.system, drawn).at_most(most);
        let (config, mut guide) = (SearchConfig::default(), Blind);
        let mut search = Search::of(&self.system, explorer, states, watch, &config, &mut guide);
        let status = search.advance(Budget::UNLIMITED, &mut |_| {});
        if let Some((fault, _)) = search.fault() {
            return Err(self.failure(fault));
        }
        let mut found = search.into_passed();
        let missing = match status {
            Status::Limit(StopReason::Memory) => Some(Missing::Memory),
            Status::Limit(StopReason::Cancelled) => Some(Missing::Cancelled),
            Status::Limit(_) => Some(Missing::Time),
            _ => found.steps.missing,
        };
        let n = self.system.dimension();
        let (mut memory, mut zone) = (vec![0; self.system.cells().len()], vec![0; n * n]);
        let (mut states, mut initial) = (Vec::with_capacity(found.inserted()), 0);
        for id in (0..found.inserted() as u32).map(StateId) {
            found.load(id, &mut memory, &mut zone);
            states.push(self.keep(State {
                memory: &memory,
                zone: &zone,
            }));
            initial += usize::from(found.depth(id) == 0);
        }
        let edges = found.steps.edges.into_iter();
        let edges = edges.map(|(from, edges, to)| {
            let transition = self.system.transition(&edges);
            (from as usize, transition, to as usize)
        });
        Ok(StateGraph {
            states,
            initial,
            edges: edges.collect(),
            missing,
        })
    }

    fn limits(&self) -> SearchLimits<'_> {
        let memory = self.limits.memory.map(for_states);
        SearchLimits {
            timeout: self.limits.timeout,
            memory: memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX)),
            states: None,
            cancel: Some(&self.limits.cancel),
        }
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
        match evidence::concrete(&self.network, &everything, &self.system, &path)? {
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
        SymbolicState::of(state, self.network.processes.len(), self.system.dimension())
    }

    fn failure(&self, fault: &merkhet_semantics::Fault) -> Failure {
        Failure::of(&self.network, fault)
    }
}

fn reversed<T>(mut items: Vec<T>) -> Vec<T> {
    items.reverse();
    items
}

/// What a transition takes, beside its edges.
const EDGE: usize = size_of::<(u32, Box<[EdgeIndex]>, u32)>() + 16;

/// The transitions of a graph that grows.
struct Drawn {
    edges: Vec<(u32, Box<[EdgeIndex]>, u32)>,
    /// The memory of the edges.
    bytes: usize,
    missing: Option<Missing>,
    /// Transitions that are still looked at.
    left: usize,
}

impl Steps for Drawn {
    fn step(
        &mut self,
        from: Option<StateId>,
        successor: &Successor<'_>,
        to: Option<StateId>,
    ) -> bool {
        if self.left == 0 {
            self.missing.get_or_insert(Missing::Transitions);
            return false;
        }
        self.left -= 1;
        match (from, to) {
            // Transitions between the states that are there may still come.
            (_, None) => self.missing = Some(Missing::States),
            (None, _) => {}
            (Some(from), Some(to)) => {
                let edges: Box<[EdgeIndex]> = successor.edges.into();
                self.bytes += size_of_val(&*edges) + EDGE;
                self.edges.push((from.0, edges, to.0));
            }
        }
        true
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}
