//! The work buffers of one thread and what it can compute.

use std::ops::ControlFlow;

use merkhet_network::code::{Fault, Machine};
use merkhet_zones::bound::Bound;
use merkhet_zones::{Federation, zone};

use crate::cancellation::Cancellation;
use crate::compile::memo::Memos;
use crate::data::Evaluator;
use crate::state::{EdgeIndex, State, Successor};
use crate::successors::enumerate::{Candidate, Enumerator, Halt, Which, enumerate};
use crate::successors::fire::{Emit, Firing};
use crate::successors::priority;
use crate::successors::target::Demands;
use crate::symmetry::Representative;
use crate::system::System;

/// Computes states of a [`System`]; one for each thread.
pub struct Explorer<'s> {
    pub(crate) system: &'s System,
    pub(crate) evaluator: Evaluator<'s>,
    pub(crate) stacks: Enumerator,
    pub(crate) firing: Firing,
    /// For deadlocks: where a transition can be taken, what its target asks, and where none can. Kept for their memory.
    pub(crate) possible: Vec<Bound>,
    pub(crate) demands: Demands,
    pub(crate) left: Federation,
    /// Room for representatives, where states are given by them.
    representative: Option<Box<Representative>>,
}

impl<'s> Explorer<'s> {
    /// An explorer with fresh buffers.
    pub fn new(system: &'s System) -> Explorer<'s> {
        Explorer {
            system,
            evaluator: Evaluator {
                program: &system.program,
                machine: Machine::new(&system.program),
                plans: &system.plans,
                memos: Memos::new(&system.plans, system.memo_limits),
                cancellation: None,
            },
            stacks: Enumerator::default(),
            firing: Firing::new(system),
            possible: Vec::new(),
            demands: Demands::default(),
            left: Federation::new(system.dimension),
            representative: (system.families.as_ref())
                .map(|families| Box::new(Representative::new(system, families))),
        }
    }

    /// An explorer that leaves zones as they are, whatever the system's options say, and records the zones between
    /// two states ([`Successor::source`], [`Successor::entry`]): for making concrete runs.
    pub fn exact(system: &'s System) -> Explorer<'s> {
        let mut explorer = Explorer::plain(system);
        explorer.firing.exact = true;
        explorer
    }

    /// An explorer that knows no permutations, whatever the system's options say.
    pub fn plain(system: &'s System) -> Explorer<'s> {
        Explorer {
            representative: None,
            ..Explorer::new(system)
        }
    }

    /// An explorer that stops in the middle of something with the fault [`FaultKind::Ended`]: a broadcast to
    /// 40 receivers with guards on clocks has 2^40 parts, and few of them may ever be handed on.
    ///
    /// [`FaultKind::Ended`]: merkhet_network::code::FaultKind::Ended
    pub fn cancelled_by(mut self, cancellation: Cancellation<'s>) -> Explorer<'s> {
        self.evaluator.cancellation = Some(cancellation);
        self
    }

    /// What it works on.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// Hands on the initial states: one, or several where urgency or differences of clocks split its zone, or none if
    /// it violates an invariant. Says whether the sink ended it.
    pub fn initial(
        &mut self,
        sink: &mut (impl FnMut(Successor<'_>) -> ControlFlow<()> + ?Sized),
    ) -> Result<ControlFlow<()>, Fault> {
        let (system, mut room) = (self.system, self.representative.take());
        let flow = match (&mut room, &system.families) {
            (Some(room), Some(families)) => {
                self.begin(&mut |successor| sink(room.of(system, families, successor)))
            }
            _ => self.begin(sink),
        };
        self.representative = room;
        flow
    }

    fn begin(
        &mut self,
        sink: &mut (impl FnMut(Successor<'_>) -> ControlFlow<()> + ?Sized),
    ) -> Result<ControlFlow<()>, Fault> {
        let system = self.system;
        let cells = system.ranges.len();
        self.evaluator.machine.memory[..cells].copy_from_slice(&system.initial[..cells]);
        zone::init_zero(&mut self.firing.zone, system.dimension);
        let emit = &mut emitter(sink);
        outcome(self.firing.arrive(system, &mut self.evaluator, &[], emit))
    }

    /// Hands on what becomes of a state by the passage of time alone, from a zone of its own: for clocks that the caller
    /// changes. The zone must be closed, not empty, and permitted by the state's invariants.
    pub fn delay(
        &mut self,
        state: State<'_>,
        sink: &mut (impl FnMut(Successor<'_>) -> ControlFlow<()> + ?Sized),
    ) -> Result<ControlFlow<()>, Fault> {
        self.load(state.memory);
        self.firing.zone.copy_from_slice(state.zone);
        let emit = &mut emitter(sink);
        outcome(
            self.firing
                .arrive(self.system, &mut self.evaluator, &[], emit),
        )
    }

    /// Hands on every successor of a state, in the documented order. Says whether the sink ended it.
    pub fn successors(
        &mut self,
        state: State<'_>,
        sink: &mut (impl FnMut(Successor<'_>) -> ControlFlow<()> + ?Sized),
    ) -> Result<ControlFlow<()>, Fault> {
        let (system, mut room) = (self.system, self.representative.take());
        let flow = match (&mut room, &system.families) {
            (Some(room), Some(families)) => {
                let sink =
                    &mut |successor: Successor<'_>| sink(room.of(system, families, successor));
                self.explore(state, Which::All, sink)
            }
            _ => self.explore(state, Which::All, sink),
        };
        self.representative = room;
        flow
    }

    /// Hands on the successors of a state by one transition: none if it is not possible, several where zones split.
    pub fn follow(
        &mut self,
        state: State<'_>,
        edges: &[EdgeIndex],
        sink: &mut (impl FnMut(Successor<'_>) -> ControlFlow<()> + ?Sized),
    ) -> Result<ControlFlow<()>, Fault> {
        self.explore(state, Which::Only(edges), sink)
    }

    /// The value of one of the expressions that the system was compiled with.
    pub fn value(&mut self, state: State<'_>, expression: usize) -> Result<i32, Fault> {
        self.load(state.memory);
        self.system.expressions[expression].get(&mut self.evaluator)
    }

    fn explore(
        &mut self,
        state: State<'_>,
        which: Which<'_>,
        sink: &mut (impl FnMut(Successor<'_>) -> ControlFlow<()> + ?Sized),
    ) -> Result<ControlFlow<()>, Fault> {
        self.load(state.memory);
        let emit = &mut emitter(sink);
        if self.system.facts.has_priorities {
            return outcome(self.by_priority(state, which, emit));
        }
        let (system, firing) = (self.system, &mut self.firing);
        let visit = |evaluator: &mut Evaluator<'s>, candidate: Candidate<'_>| {
            let Candidate {
                edges, constraints, ..
            } = candidate;
            firing.fire_where(system, evaluator, state, edges, constraints, emit)
        };
        outcome(enumerate(
            &mut self.stacks,
            system,
            &mut self.evaluator,
            state,
            which,
            visit,
        ))
    }

    fn by_priority(
        &mut self,
        state: State<'_>,
        which: Which<'_>,
        emit: &mut impl Emit,
    ) -> Result<(), Halt> {
        let system = self.system;
        let transitions = priority::ranked(&mut self.stacks, system, &mut self.evaluator, state)?;
        for transition in &transitions {
            if let Which::Only(edges) = which
                && edges != transition.edges
            {
                continue;
            }
            for part in transition.possible.zones() {
                self.firing.zone.copy_from_slice(part);
                let edges = &transition.edges;
                self.firing
                    .fire(system, &mut self.evaluator, state.memory, edges, emit)?;
            }
        }
        Ok(())
    }

    /// Makes a discrete state the one that evaluations see.
    #[inline]
    pub(crate) fn load(&mut self, memory: &[i32]) {
        self.evaluator.machine.memory[..memory.len()].copy_from_slice(memory);
    }
}

fn emitter(
    sink: &mut (impl FnMut(Successor<'_>) -> ControlFlow<()> + ?Sized),
) -> impl FnMut(Successor<'_>) -> Result<(), Halt> {
    move |successor| match sink(successor) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Halt::Stopped),
    }
}

pub(crate) fn outcome(result: Result<(), Halt>) -> Result<ControlFlow<()>, Fault> {
    match result {
        Ok(()) => Ok(ControlFlow::Continue(())),
        Err(Halt::Stopped) => Ok(ControlFlow::Break(())),
        Err(Halt::Fault(fault)) => Err(fault),
    }
}
