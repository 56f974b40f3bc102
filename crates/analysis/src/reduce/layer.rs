//! One removal, as far as carrying a run back needs to know it.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use merkhet_network::{EdgeId, LocationId, Network, ProcessId, Step, Trace, Transition};

/// An edge that changes nothing but the removed part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Move {
    /// Whose edge it is, and which.
    pub process: ProcessId,
    pub edge: EdgeId,
    /// Where that process must be.
    pub location: LocationId,
    /// The value (or the location's number) of the removed part before and after.
    pub from: i32,
    pub to: i32,
}

/// An edge of the smaller network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    /// The edge of the larger network that it comes from.
    pub edge: EdgeId,
    /// What the removed part must be when it is taken.
    pub need: Option<i32>,
}

/// The way from the smaller network back to the larger one.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// For each process, for each edge of the smaller network.
    pub origins: Vec<Vec<Origin>>,
    /// The edges that move the removed part alone.
    pub moves: Vec<Move>,
    /// The removed part at the start.
    pub initial: i32,
    /// In the larger network: where each process starts, and where each of its edges leads.
    pub start: Vec<LocationId>,
    pub targets: Vec<Vec<LocationId>>,
}

/// A run that does not fit the reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotLifted {
    /// It takes an edge that the smaller network does not have.
    UnknownEdge,
    /// The removed part cannot get where an edge needs it.
    NoWay,
}

impl fmt::Display for NotLifted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotLifted::UnknownEdge => {
                "the run takes an edge that the reduced network does not have"
            }
            NotLifted::NoWay => "a removed part cannot get where the run needs it",
        })
    }
}

impl std::error::Error for NotLifted {}

impl Layer {
    /// A layer over a network whose edges are kept as `origins` say.
    pub fn new(larger: &Network, origins: Vec<Vec<Origin>>) -> Layer {
        let targets = |process: &merkhet_network::Process| {
            process.edges.iter().map(|edge| edge.target).collect()
        };
        Layer {
            origins,
            moves: Vec::new(),
            initial: 0,
            start: larger
                .processes
                .iter()
                .map(|process| process.initial)
                .collect(),
            targets: larger.processes.iter().map(targets).collect(),
        }
    }

    /// Carries a run back: before each step that needs the removed part elsewhere, the part is moved there, which
    /// takes no time and changes nothing else (section 4.1, the construction by induction over the trace).
    pub fn lift(&self, trace: &Trace) -> Result<Trace, NotLifted> {
        let mut locations = self.start.clone();
        let mut part = self.initial;
        let mut steps = Vec::with_capacity(trace.steps.len());
        for step in &trace.steps {
            let mut edges = Vec::with_capacity(step.transition.edges.len());
            let mut need = None;
            for (process, edge) in &step.transition.edges {
                let origin = self
                    .origins
                    .get(process.index())
                    .and_then(|edges| edges.get(edge.index()))
                    .ok_or(NotLifted::UnknownEdge)?;
                need = need.or(origin.need);
                edges.push((*process, origin.edge));
            }
            let mut delay = step.delay;
            if let Some(wanted) = need.filter(|wanted| *wanted != part) {
                for taken in self.way(&locations, part, wanted)? {
                    let transition = Transition {
                        edges: vec![(taken.process, taken.edge)],
                    };
                    steps.push(Step { delay, transition });
                    delay = 0;
                    self.follow(&mut locations, taken.process, taken.edge)?;
                }
                part = wanted;
            }
            for (process, edge) in &edges {
                self.follow(&mut locations, *process, *edge)?;
            }
            let transition = Transition { edges };
            steps.push(Step { delay, transition });
        }
        Ok(Trace {
            steps,
            ..trace.clone()
        })
    }

    fn follow(
        &self,
        locations: &mut [LocationId],
        process: ProcessId,
        edge: EdgeId,
    ) -> Result<(), NotLifted> {
        let targets = self.targets.get(process.index());
        let target = targets.and_then(|edges| edges.get(edge.index()));
        locations[process.index()] = *target.ok_or(NotLifted::UnknownEdge)?;
        Ok(())
    }

    /// A shortest way of the removed part, with the other processes where they are. The process whose edges move it
    /// stays where it is, unless it is itself the removed part: then its location is the value.
    fn way(&self, locations: &[LocationId], from: i32, to: i32) -> Result<Vec<Move>, NotLifted> {
        let mut reached: HashMap<i32, Option<Move>> = HashMap::from([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            if at == to {
                break;
            }
            for next in self.moves.iter().filter(|next| next.from == at) {
                let target = self.targets[next.process.index()][next.edge.index()];
                let here = locations[next.process.index()];
                if (target != next.location || here == next.location)
                    && !reached.contains_key(&next.to)
                {
                    reached.insert(next.to, Some(*next));
                    queue.push_back(next.to);
                }
            }
        }
        let mut way = Vec::new();
        let mut at = to;
        while let Some(taken) = reached.get(&at).ok_or(NotLifted::NoWay)? {
            way.push(*taken);
            at = taken.from;
        }
        way.reverse();
        Ok(way)
    }
}
