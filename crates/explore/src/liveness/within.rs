//! The transitions of runs that keep a formula: states are cut down to it, and say how a run can end there.

use std::ops::ControlFlow;

use merkhet_network::Ending;
use merkhet_semantics::{EdgeIndex, Explorer, Fault, GoalId, State, Stay, Successor};
use merkhet_zones::Federation;
use merkhet_zones::bound::Bound;

use super::arrival::{self, Arrival};
use super::graph::Ends;
use crate::passed::Transitions;

/// A successor as an exact explorer hands it on.
struct Step {
    memory: Vec<i32>,
    delayed: Vec<Bound>,
    entry: Vec<Bound>,
    edges: Vec<EdgeIndex>,
}

impl Step {
    /// Keeps a successor, unless it is only another part of the stay of the one before.
    fn keep(steps: &mut Vec<Step>, successor: &Successor<'_>) -> ControlFlow<()> {
        let same = |before: &Step| {
            before.edges == successor.edges
                && before.entry == successor.entry
                && before.memory == successor.state.memory
        };
        if !steps.last().is_some_and(same) {
            steps.push(Step {
                memory: successor.state.memory.to_vec(),
                delayed: successor.state.zone.to_vec(),
                entry: successor.entry.to_vec(),
                edges: successor.edges.to_vec(),
            });
        }
        ControlFlow::Continue(())
    }
}

/// What takes states.
type Sink<'a> = dyn FnMut(Successor<'_>) -> ControlFlow<()> + 'a;

/// The transitions of a system, with the time that may pass while a formula holds.
pub(super) struct Within<'s> {
    exact: Explorer<'s>,
    keep: GoalId,
    ends: Ends,
    /// Where runs begin, once, instead of the initial state: a discrete part with valuations at arrival.
    pub start: Option<(Vec<i32>, Vec<Bound>)>,
    /// The transitions taken.
    pub taken: u64,
}

impl<'s> Within<'s> {
    pub fn new(exact: Explorer<'s>, keep: GoalId, ends: Ends) -> Within<'s> {
        Within {
            exact,
            keep,
            ends,
            start: None,
            taken: 0,
        }
    }

    /// Hands on where the steps arrive.
    fn arrive(&mut self, steps: &[Step], sink: &mut Sink<'_>) -> Result<ControlFlow<()>, Fault> {
        for step in steps {
            let stays = (self.exact).stays_of(&step.memory, &step.entry, &step.delayed)?;
            for stay in &stays {
                if self.stay(&step.memory, stay, &step.edges, sink)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Cuts a stay down to the formula, finds endings, abstracts.
    fn stay(
        &mut self,
        memory: &[i32],
        stay: &Stay,
        edges: &[EdgeIndex],
        sink: &mut Sink<'_>,
    ) -> Result<ControlFlow<()>, Fault> {
        let Arrival { parts, outside } = arrival::within(&mut self.exact, self.keep, memory, stay)?;
        let mut flow = ControlFlow::Continue(());
        for part in parts {
            let end = self.end(memory, stay, &part.zone, &outside)?;
            // One of the parts that abstraction makes of it is enough.
            self.ends.put(end);
            self.exact.abstracted(memory, &part.zone, &mut |zone| {
                if flow.is_continue() {
                    flow = sink(Successor {
                        edges,
                        state: State { memory, zone },
                        reduced: &[],
                        lower: &[],
                        upper: &[],
                        source: &[],
                        entry: &[],
                        origins: &[],
                        stopped: &[],
                    });
                }
            })?;
        }
        Ok(flow)
    }

    /// How a run can end in a part of a stay, and from which valuations.
    fn end(
        &mut self,
        memory: &[i32],
        stay: &Stay,
        part: &[Bound],
        outside: &Federation,
    ) -> Result<Option<(Ending, Federation)>, Fault> {
        let for_ever = self.exact.divergent(State { memory, zone: part })?;
        if !for_ever.is_empty() {
            return Ok(Some((Ending::Diverges, for_ever)));
        }
        // Several zones mean urgent guards, and then the deadlock does not depend on the state's zone.
        let zone = stay.zones.first().map_or(part, Vec::as_slice);
        let mut dead = self.exact.deadlock(State { memory, zone }, part)?;
        if !dead.is_empty() && stay.time_passes {
            // The time that still passes is a part of the run.
            let mut leaving = outside.clone();
            leaving.down();
            dead.subtract(&leaving);
        }
        Ok((!dead.is_empty()).then_some((Ending::Deadlock, dead)))
    }
}

impl<'s> Transitions<'s> for Within<'s> {
    fn initial(
        &mut self,
        sink: &mut impl FnMut(Successor<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault> {
        if let Some((memory, part)) = self.start.take() {
            for stay in &self.exact.stays(&memory, &part)? {
                if self.stay(&memory, stay, &[], sink)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            return Ok(ControlFlow::Continue(()));
        }
        let mut steps = Vec::new();
        let _ = (self.exact).initial(&mut |successor| Step::keep(&mut steps, &successor))?;
        self.arrive(&steps, sink)
    }

    fn successors(
        &mut self,
        state: State<'_>,
        sink: &mut impl FnMut(Successor<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault> {
        let mut steps = Vec::new();
        let _ =
            (self.exact).successors(state, &mut |successor| Step::keep(&mut steps, &successor))?;
        self.taken += steps.len() as u64;
        self.arrive(&steps, sink)
    }
}
