//! The symbolic states of a network, and runs of one's own.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use merkhet::explore::{Exploration, Missing, SymbolicState};
use merkhet::network::{
    EdgeId, Ending, Network, ProcessId, Query, QueryKind, SiteId, Step, Sync, Trace, Transition,
};
use pyo3::prelude::*;

use crate::errors::Wrong;
use crate::model::Model;
use crate::run::{Lists, Move, Names, Run};
use crate::work::unlocked;

/// A network compiled for walking through its symbolic states.
#[pyclass(frozen, module = "merkhet._merkhet")]
pub struct Space {
    space: Arc<Exploration<Arc<Network>>>,
    network: Arc<Network>,
    names: Arc<Names>,
}

/// A symbolic state.
#[pyclass(frozen, module = "merkhet._merkhet")]
pub struct Symbolic {
    pub state: SymbolicState,
    pub network: Arc<Network>,
    pub names: Arc<Names>,
}

/// A transition: the edges taken together.
#[pyclass(frozen, module = "merkhet._merkhet")]
#[derive(Clone)]
pub struct Taken {
    pub transition: Transition,
    network: Arc<Network>,
    names: Arc<Names>,
}

#[pymethods]
impl Space {
    /// `exact` keeps zones as they are; otherwise they are enlarged, so that there are finitely many.
    #[new]
    fn new(py: Python<'_>, model: &Model, exact: bool) -> PyResult<Space> {
        let network = model.network().map_err(|wrong| wrong.raise(py))?;
        let held = Arc::clone(&network);
        let space = unlocked(py, move || match exact {
            true => Exploration::exact(held),
            false => Exploration::finite(held),
        })?;
        let space = space.map_err(|failure| Wrong::of(&failure).raise(py))?;
        Ok(Space {
            space: Arc::new(space),
            network,
            names: Arc::clone(model.names()),
        })
    }

    fn initial(&self, py: Python<'_>) -> PyResult<Vec<Symbolic>> {
        let found = py.detach(|| self.space.initial());
        let found = found.map_err(|failure| Wrong::of(&failure).raise(py))?;
        Ok(found
            .into_iter()
            .map(|state| self.symbolic(state))
            .collect())
    }

    /// The successors of a state, at most a number of them, and whether there are more.
    fn successors(
        &self,
        py: Python<'_>,
        state: &Symbolic,
        most: usize,
    ) -> PyResult<(Vec<(Taken, Symbolic)>, bool)> {
        let found = py.detach(|| self.space.successors(&state.state, most));
        let found = found.map_err(|failure| Wrong::of(&failure).raise(py))?;
        let pair = |(transition, state)| (self.taken(transition), self.symbolic(state));
        Ok((found.all.into_iter().map(pair).collect(), found.more))
    }

    /// States breadth first, the number of initial ones, transitions between them, and why something is missing.
    #[allow(clippy::type_complexity)] // what Python takes apart at once
    fn graph(
        &self,
        py: Python<'_>,
        most: usize,
    ) -> PyResult<(
        Vec<Symbolic>,
        usize,
        Vec<(usize, Taken, usize)>,
        Option<&'static str>,
    )> {
        let space = Arc::clone(&self.space);
        let graph = unlocked(py, move || space.graph(most))?;
        let graph = graph.map_err(|failure| Wrong::of(&failure).raise(py))?;
        let edge = |(from, transition, to)| (from, self.taken(transition), to);
        let missing = graph.missing.map(|missing| match missing {
            Missing::States => "states",
            Missing::Transitions => "transitions",
            Missing::Time => "time",
            Missing::Memory => "memory",
            Missing::Cancelled => "cancelled",
        });
        let states = graph.states.into_iter();
        Ok((
            states.map(|state| self.symbolic(state)).collect(),
            graph.initial,
            graph.edges.into_iter().map(edge).collect(),
            missing,
        ))
    }

    /// A run with exact times along transitions, accepted by the judge.
    fn concrete(&self, py: Python<'_>, transitions: Vec<PyRef<'_, Taken>>) -> PyResult<Run> {
        let run: Vec<Transition> = transitions
            .iter()
            .map(|one| one.transition.clone())
            .collect();
        let space = Arc::clone(&self.space);
        let run = unlocked(py, move || space.concrete(&run))?;
        let run = run.map_err(|failure| Wrong::of(&failure).raise(py))?;
        Ok(Run::new(Arc::new(run), Arc::clone(&self.names)))
    }

    /// What the judge says of a run with these delays, in units of 1/scale: the run, or why it is none.
    fn judge(
        &self,
        py: Python<'_>,
        steps: Vec<(i64, PyRef<'_, Taken>)>,
        scale: i64,
        last_delay: i64,
    ) -> (Option<Run>, Option<String>) {
        let step = |(delay, taken): &(i64, PyRef<'_, Taken>)| Step {
            delay: *delay,
            transition: taken.transition.clone(),
        };
        let trace = Trace {
            scale,
            steps: steps.iter().map(step).collect(),
            last_delay,
            ending: Ending::State,
        };
        let network = &self.network;
        let everything = Query {
            text: String::new(),
            comment: String::new(),
            kind: QueryKind::Explore,
            site: SiteId::NONE,
        };
        let judged = py.detach(|| merkhet::replay::judge_trace(network, &everything, &trace));
        match judged {
            Ok(run) => {
                let run = Run::new(Arc::new(run), Arc::clone(&self.names));
                (Some(run), None)
            }
            Err(rejection) => (None, Some(rejection.reason)),
        }
    }
}

impl Space {
    fn symbolic(&self, state: SymbolicState) -> Symbolic {
        Symbolic {
            state,
            network: Arc::clone(&self.network),
            names: Arc::clone(&self.names),
        }
    }

    fn taken(&self, transition: Transition) -> Taken {
        Taken {
            transition,
            network: Arc::clone(&self.network),
            names: Arc::clone(&self.names),
        }
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[pymethods]
impl Symbolic {
    /// Where each process is, by number.
    fn places(&self) -> Vec<u32> {
        let processes = self.network.process_ids();
        processes.map(|id| self.state.location(id).0).collect()
    }

    /// The values of the variables' cells.
    fn values(&self) -> Vec<i32> {
        self.state.values().to_vec()
    }

    /// Where a process is, by number.
    fn place(&self, process: usize) -> Option<u32> {
        let known = process < self.network.processes.len();
        known.then(|| self.state.location(ProcessId(process as u32)).0)
    }

    /// The value of a cell.
    fn value(&self, cell: usize) -> Option<i32> {
        self.state.values().get(cell).copied()
    }

    /// The constraints of the zone, in words.
    fn zone(&self) -> Vec<String> {
        self.state.describe_zone(&self.network)
    }

    /// The bound on the difference of two clocks: the number, and whether it is strict. Number 0 is the constant zero.
    fn bound(&self, first: usize, second: usize) -> Option<(i32, bool)> {
        let dimension = self.state.dimension();
        if first >= dimension || second >= dimension {
            return None;
        }
        let bound = self.state.bound(first, second)?;
        Some((bound.constant, bound.strict))
    }

    /// The names of processes, of each one's locations, of variables and of clocks.
    fn names(&self) -> Lists {
        self.names.lists()
    }

    fn __eq__(&self, other: &Symbolic) -> bool {
        self.state == other.state
    }

    fn __hash__(&self) -> u64 {
        hash(&self.state)
    }
}

#[pymethods]
impl Taken {
    /// The edges with the names of what they connect.
    fn moves(&self) -> Vec<Move> {
        let of = |&(process, edge): &(ProcessId, EdgeId)| {
            let owner = self.network.process(process);
            let taken = self.network.edge(process, edge);
            let place =
                |at: merkhet::network::LocationId| self.network.location(process, at).name.clone();
            let words = self.names.edge(process.index(), edge.index());
            Move {
                process: owner.name.clone(),
                source: place(taken.source),
                target: place(taken.target),
                guard: words.guard,
                update: words.update,
                select: words.select,
                edge: edge.0,
                origin: words.origin,
            }
        };
        self.transition.edges.iter().map(of).collect()
    }

    /// The channel, if it synchronises.
    #[getter]
    fn sync(&self) -> Option<String> {
        self.transition.edges.iter().find_map(|&(process, edge)| {
            match self.network.edge(process, edge).sync {
                Sync::Send(channel) => Some(self.network.channels[channel.index()].name.clone()),
                _ => None,
            }
        })
    }

    fn __eq__(&self, other: &Taken) -> bool {
        self.transition == other.transition
    }

    fn __hash__(&self) -> u64 {
        hash(&self.transition.edges)
    }
}
