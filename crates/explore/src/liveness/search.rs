//! The search for a maximal run, and the reachability search in front of it for `-->`.
//!
//! Both are the ordinary search. Its order is depth first, its transitions are those of runs that keep the formula
//! ([`super::within`]), and what it has seen knows the path ([`super::graph`]): a state's number comes up a second time once
//! all that was found from it has been taken, and then the state is left for good.

use merkhet_network::Ending;
use merkhet_semantics::{EdgeIndex, Explorer, Fault, FaultKind, GoalId, State, System};
use merkhet_zones::Federation;

use super::graph::{Ends, Graph};
use super::within::Within;
use crate::heuristic::Blind;
use crate::limits::{Progress, Watch};
use crate::passed::Passed;
use crate::search::{Budget, Config, Search, Status};
use crate::store::{Plain, StateId};
use crate::strategy::Strategy;
use crate::trace::SymbolicTrace;
use crate::verdict::StopReason;

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Liveness {
    /// The formula that holds all along the run. The system's bounds must be symmetric ([`merkhet_analysis::Demand`]).
    pub keep: GoalId,
    /// The run may start in any reachable state with this formula (which implies `keep`); else in the initial state.
    pub trigger: Option<GoalId>,
}

/// A maximal run that was found.
#[derive(Clone, Debug)]
pub struct MaximalRun {
    /// The transitions from the initial state on; of a lasso the loop once.
    pub transitions: Vec<Vec<EdgeIndex>>,
    /// The number of transitions after which the formula holds.
    pub holds_from: usize,
    /// How it goes on.
    pub ending: Ending,
    /// Valuations of the last state from which the ending is possible (not for a lasso): all of them. Zones are enlarged
    /// on the way, so that some of the parts they fall into may hold no valuation that a run has.
    pub last: Option<Federation>,
}

/// What came of the search.
#[derive(Clone, Debug)]
pub enum Found {
    /// A run.
    Run(Box<MaximalRun>),
    /// There is none: everything was looked at.
    None,
    /// A limit was reached.
    Stopped(StopReason),
}

/// The result with its figures.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was found.
    pub found: Found,
    /// States whose successors were computed.
    pub explored: u64,
    /// States kept.
    pub stored: u64,
    /// Transitions computed.
    pub transitions: u64,
}

/// An evaluation failed: the model is wrong at a state that can be reached.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What went wrong, and where in the model.
    pub fault: Fault,
    /// The figures until then.
    pub until_then: Outcome,
}

/// What was seen where there is no run: every state that a run could be in, with a ranking.
pub struct Proof {
    reached: Option<Plain>,
    graph: Graph,
}

impl Proof {
    /// Hands over the states that can be reached, where a run may start in any of them.
    pub fn for_each_reached(&mut self, system: &System, see: &mut dyn FnMut(State<'_>)) {
        let Some(reached) = &mut self.reached else {
            return;
        };
        let n = system.dimension();
        let (mut memory, mut zone) = (vec![0; system.cells().len()], vec![0; n * n]);
        for number in 0..reached.inserted() as u32 {
            reached.load(StateId(number), &mut memory, &mut zone);
            see(State {
                memory: &memory,
                zone: &zone,
            });
        }
    }

    /// Hands over the states with the formula: each step leads from one into earlier ones.
    pub fn for_each_ranked(&self, see: &mut dyn FnMut(State<'_>)) {
        (self.graph).for_each_closed(&mut |memory, zone| see(State { memory, zone }));
    }
}

impl Liveness {
    /// Runs the search. `observe` is called now and then.
    pub fn search(
        self,
        system: &System,
        watch: Watch<'_>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, Failure> {
        self.search_within(system, usize::MAX, watch, observe)
    }

    /// A search no deeper than `deepest` states: only a run that is found means something.
    pub fn search_within(
        self,
        system: &System,
        deepest: usize,
        watch: Watch<'_>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, Failure> {
        let (found, _) = self.run(system, deepest, watch, observe);
        found
    }

    /// As [`Liveness::search`], with what was seen where there is no run.
    pub fn prove(
        self,
        system: &System,
        watch: Watch<'_>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<(Outcome, Option<Proof>), Failure> {
        let (outcome, proof) = self.run(system, usize::MAX, watch, observe);
        let outcome = outcome?;
        let proof = matches!(outcome.found, Found::None).then_some(proof);
        Ok((outcome, proof))
    }

    fn run(
        self,
        system: &System,
        deepest: usize,
        watch: Watch<'_>,
        observe: &mut dyn FnMut(&Progress),
    ) -> (Result<Outcome, Failure>, Proof) {
        let (ends, mut guide) = (Ends::default(), Blind);
        let exact = Explorer::exact(system).cancelled_by(watch.cancellation());
        let within = Within::new(exact, self.keep, ends.clone());
        let graph = Graph::new(system, deepest, ends);
        let config = Config {
            strategy: Strategy::DepthFirst,
            ..Config::default()
        };
        let (outer, cancelled) = (watch.uncounted(), watch.cancellation());
        let mut runs = Search::of(system, within, graph, watch, &config, &mut guide);
        let (found, reached) = match self.trigger {
            None => (descend(&mut runs, &[], observe), None),
            Some(trigger) => {
                let (config, mut guide) = (Config::default(), Blind);
                let explorer = || Explorer::new(system).cancelled_by(cancelled);
                let states = Plain::including(system);
                let watch = Watch::new(outer);
                let mut front = Search::of(system, explorer(), states, watch, &config, &mut guide);
                let found = anywhere(&mut runs, &mut front, explorer(), trigger, observe);
                (found, Some(front.into_passed()))
            }
        };
        let outcome = |found| Outcome {
            found,
            explored: runs.explored(),
            stored: runs.passed().inserted() as u64,
            transitions: runs.transitions().taken,
        };
        let outcome = match found {
            Ok(found) => Ok(outcome(found)),
            Err(fault) => Err(Failure {
                fault,
                until_then: outcome(Found::None),
            }),
        };
        let graph = runs.into_passed();
        (outcome, Proof { reached, graph })
    }
}

type Runs<'s, 'c> = Search<'s, 'c, Graph, Within<'s>>;

/// Visits all reachable states, in the order in which they are met, and starts the search for a run in those with the
/// trigger. Limits are those of both searches together.
fn anywhere(
    runs: &mut Runs<'_, '_>,
    front: &mut Search<'_, '_, Plain>,
    mut tester: Explorer<'_>,
    trigger: GoalId,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Found, Fault> {
    let system = tester.system();
    let n = system.dimension();
    let (mut memory, mut zone) = (vec![0; system.cells().len()], vec![0; n * n]);
    let mut status = front.advance(Budget::expansions(0), &mut |_| {});
    let mut next = StateId(0);
    loop {
        let stored = front.passed().inserted();
        runs.passed_mut().front = (stored, front.passed().bytes());
        match (status, front.fault()) {
            (Status::Limit(reason), _) => return Ok(Found::Stopped(reason)),
            (_, Some((fault, _))) => return Err(*fault),
            _ if next.0 as usize == stored => return Ok(Found::None),
            _ => {}
        }
        if let Some(reason) = runs.must_stop() {
            return Ok(Found::Stopped(reason));
        }
        front.passed_mut().load(next, &mut memory, &mut zone);
        let state = State {
            memory: &memory,
            zone: &zone,
        };
        let mut triggered = Vec::new();
        let tested =
            tester.where_satisfied(trigger, state, &mut |part| triggered.push(part.to_vec()));
        match tested {
            Err(fault) if fault.kind == FaultKind::Ended => {
                return Ok(Found::Stopped(runs.why_ended()));
            }
            tested => tested?,
        }
        for part in triggered {
            let prefix = SymbolicTrace::to(front.passed(), next, None).transitions;
            runs.restart(true, &[]);
            runs.transitions_mut().start = Some((memory.clone(), part));
            match descend(runs, &prefix, observe)? {
                Found::None => {}
                found => return Ok(found),
            }
        }
        let before = front.statistics().generated;
        status = front.advance(Budget::STEP, &mut |_| {});
        runs.transitions_mut().taken += front.statistics().generated - before;
        runs.expanded_elsewhere(observe);
        next.0 += 1;
    }
}

/// Searches for a run from where the transitions begin. The prefix leads there.
fn descend(
    runs: &mut Runs<'_, '_>,
    prefix: &[Vec<EdgeIndex>],
    observe: &mut dyn FnMut(&Progress),
) -> Result<Found, Fault> {
    let status = runs.advance(Budget::UNLIMITED, observe);
    if let Some((fault, _)) = runs.fault() {
        return Err(*fault);
    }
    let Some(last) = runs.found() else {
        return Ok(match status {
            Status::Limit(reason) => Found::Stopped(reason),
            _ => Found::None,
        });
    };
    let mut transitions = prefix.to_vec();
    transitions.extend(SymbolicTrace::to(runs.passed(), last, None).transitions);
    let (ending, last) = runs.passed_mut().ending(last);
    Ok(Found::Run(Box::new(MaximalRun {
        transitions,
        holds_from: prefix.len(),
        ending: match ending {
            Ending::Loop(at) => Ending::Loop(at + prefix.len()),
            ending => ending,
        },
        last,
    })))
}
