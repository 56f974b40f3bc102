//! Bounded model checking (Biere, Cimatti, Clarke, Zhu: "Symbolic model checking without BDDs",
//! TACAS 1999) and induction over steps (Sheeran, Singh, Stålmarck: "Checking safety properties
//! using induction and a SAT-solver", FMCAD 2000).
//!
//! Two unrollings share the work. The base goes from the initial states forward: is a bad state
//! reached after k steps? The other one goes from a bad state backward: are there k states in a
//! row, all good and all different, before it? Where there are none, and the base has found no bad
//! state in fewer than k steps, no bad state can be reached.

use crate::encode::{Codes, Encoder};
use crate::gates::Gates;
use crate::{Interrupt, Stop, frame};
use batsat::Lit;
use merkhet_finite::{ExpressionId, System, Value};
use std::sync::Arc;

/// Why a condition may mean nothing.
const UNDEFINED: &str = "in some state the condition has no value: a `case` without a true condition, an index outside its \
                         array, or a division by zero";

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A shortest path to a bad state, with the inputs of its steps.
    Path(Vec<Vec<Value>>),
    /// No bad state is reachable.
    Proof(Proof),
}

/// Why no bad state is reachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// None is in the first steps, and this number of different good states in a row is not followed by a bad one.
    Induction(usize),
    /// No path has this number of steps, and none of fewer is bad.
    NoPath(usize),
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of steps from the initial states that are known to be good.
    pub depth: usize,
    /// The number of states before a bad one that were looked at.
    pub induction: usize,
    /// Contradictions that the solver met.
    pub conflicts: u64,
}

/// A search that can go on where it was stopped.
pub struct Unrolling {
    system: Arc<System>,
    bad: ExpressionId,
    base: Base,
    step: Option<Step>,
    /// The least depth of induction that suffices, once it is known.
    inductive: Option<usize>,
}

impl Unrolling {
    /// A search for states where a condition fails (`wanted` false) or holds.
    pub fn new(
        system: Arc<System>,
        bad: ExpressionId,
        interrupt: &Interrupt,
        memory: u64,
    ) -> Result<Unrolling, Stop> {
        let base = Base::new(&system, interrupt, memory / 2)?;
        let step = Step::new(&system, bad, interrupt, memory / 2)?;
        Ok(Unrolling {
            system,
            bad,
            base,
            step: Some(step),
            inductive: None,
        })
    }

    /// The work so far: the same on every machine.
    pub fn work(&self) -> u64 {
        self.base.gates.work() + self.step.as_ref().map_or(0, |step| step.gates.work())
    }

    /// Bytes that the clauses take, roughly.
    pub fn bytes(&self) -> u64 {
        self.base.gates.bytes() + self.step.as_ref().map_or(0, |step| step.gates.bytes())
    }

    /// What was done so far.
    pub fn report(&self) -> Report {
        let step = self.step.as_ref();
        Report {
            depth: self.base.clear,
            induction: self
                .inductive
                .or(step.map(|step| step.frames.len() - 1))
                .unwrap_or(0),
            conflicts: self.base.gates.conflicts() + step.map_or(0, |step| step.gates.conflicts()),
        }
    }

    /// Goes on for about so much work; `None` if that was not enough.
    pub fn advance(&mut self, work: u64) -> Result<Option<Outcome>, Stop> {
        let end = self.work().saturating_add(work);
        loop {
            let done = self.work();
            if done >= end {
                return Ok(None);
            }
            // Whoever has had less goes on; a proof that waits for the base gives it all.
            let behind = |step: &Step| step.gates.work() < self.base.gates.work();
            let outcome = match &mut self.step {
                Some(step) if self.inductive.is_none() && behind(step) => {
                    step.advance(&self.system, self.bad, end - done)
                }
                _ => self.base.advance(&self.system, self.bad, end - done),
            };
            match outcome {
                Ok(Found::Path(path)) => return Ok(Some(Outcome::Path(path))),
                Ok(Found::NoPath(steps)) => return Ok(Some(Outcome::Proof(Proof::NoPath(steps)))),
                Ok(Found::Inductive(depth)) => self.inductive = Some(depth),
                Ok(Found::Nothing) => {}
                Err(Stop::Budget) => return Ok(None),
                // The base may still find an error.
                Err(Stop::Memory) if self.step.is_some() => self.step = None,
                Err(stop) => return Err(stop),
            }
            if let Some(depth) = self.inductive
                && self.base.clear >= depth
            {
                return Ok(Some(Outcome::Proof(Proof::Induction(depth))));
            }
        }
    }
}

/// What one step forward or backward has shown.
enum Found {
    Nothing,
    Path(Vec<Vec<Value>>),
    NoPath(usize),
    Inductive(usize),
}

/// Paths from the initial states.
struct Base {
    gates: Gates,
    frames: Vec<Codes>,
    /// After fewer steps than this no state is bad.
    clear: usize,
    /// The last frame is bad.
    question: Option<Lit>,
}

impl Base {
    fn new(system: &System, interrupt: &Interrupt, memory: u64) -> Result<Base, Stop> {
        let mut gates = Gates::new(interrupt.clone(), memory);
        let first = frame::allowed(system, &mut gates)?;
        frame::hold(system, &mut gates, &first, &system.initial)?;
        Ok(Base {
            gates,
            frames: vec![first],
            clear: 0,
            question: None,
        })
    }

    fn advance(&mut self, system: &System, bad: ExpressionId, work: u64) -> Result<Found, Stop> {
        let gates = &mut self.gates;
        let question = match self.question {
            Some(question) => question,
            None => {
                if self.frames.len() == self.clear {
                    let after = frame::allowed(system, gates)?;
                    frame::step(system, gates, &self.frames[self.clear - 1], &after)?;
                    self.frames.push(after);
                }
                let codes = &self.frames[self.clear];
                let question = Encoder::new(system, gates, codes, None).condition(bad)?;
                *self.question.insert(question)
            }
        };
        if gates.satisfiable(&[question], work)? {
            let states = self.frames.iter();
            let states = states.map(|codes| frame::values(system, gates, codes));
            return Ok(Found::Path(states.collect::<Result<_, _>>()?));
        }
        self.question = None;
        gates.assert(!question);
        self.clear += 1;
        // A good path of these steps may be there and end: only none of the next length is a proof.
        Ok(match gates.is_contradictory() {
            true => Found::NoPath(self.clear),
            false => Found::Nothing,
        })
    }
}

/// Paths to a bad state.
struct Step {
    gates: Gates,
    /// The bad one first, each the state before the last one.
    frames: Vec<Codes>,
}

impl Step {
    fn new(
        system: &System,
        bad: ExpressionId,
        interrupt: &Interrupt,
        memory: u64,
    ) -> Result<Step, Stop> {
        let mut gates = Gates::new(interrupt.clone(), memory);
        let last = frame::allowed(system, &mut gates)?;
        let asked = Encoder::new(system, &mut gates, &last, None).evaluate(bad)?;
        if gates.constant_of(asked.undefined) != Some(false)
            && gates.satisfiable(&[asked.undefined], u64::MAX)?
        {
            return Err(Stop::Model(UNDEFINED.into()));
        }
        frame::hold(system, &mut gates, &last, &[bad])?;
        Ok(Step {
            gates,
            frames: vec![last],
        })
    }

    /// Asks for a path through the frames; adds one where there is a path.
    fn advance(&mut self, system: &System, bad: ExpressionId, work: u64) -> Result<Found, Stop> {
        let gates = &mut self.gates;
        if !gates.satisfiable(&[], work)? {
            return Ok(Found::Inductive(self.frames.len() - 1));
        }
        // States that are equal in this path must differ: said only where it matters.
        let states = self
            .frames
            .iter()
            .map(|codes| frame::values(system, gates, codes));
        let states: Vec<Vec<Value>> = states.collect::<Result<_, _>>()?;
        let mut repeated = false;
        for (later, state) in states.iter().enumerate() {
            for (earlier, other) in states[..later].iter().enumerate() {
                if same_state(system, state, other) {
                    let (a, b) = (&self.frames[earlier], &self.frames[later]);
                    let differ = frame::differ(system, gates, a, b);
                    gates.assert(differ);
                    repeated = true;
                }
            }
        }
        if !repeated {
            let before = frame::allowed(system, gates)?;
            let is_bad = Encoder::new(system, gates, &before, None).condition(bad)?;
            gates.assert(!is_bad);
            frame::step(system, gates, &before, &self.frames[self.frames.len() - 1])?;
            self.frames.push(before);
        }
        Ok(Found::Nothing)
    }
}

/// Frozen variables are the same all along.
fn same_state(system: &System, a: &[Value], b: &[Value]) -> bool {
    let cells = system.variables.iter().zip(a.iter().zip(b));
    let mut state = cells.filter(|(variable, _)| variable.role == merkhet_finite::Role::State);
    state.all(|(_, (a, b))| a == b)
}
