//! Shorter runs to the goal of a run that is known.
//!
//! A run that was found far from the start holds much that its end does not need: loops, processes that have no part in it,
//! transitions that only others needed that are not needed either. Such parts are left out, and the rest is followed once
//! more: strictly, or leaving out what is not possible any more (action elimination: Nakhost and Müller, "Action elimination
//! and plan neighborhood graph search", ICAPS 2010), in parts of halving size, as in delta debugging (Zeller and Hildebrandt,
//! "Simplifying and isolating failure-inducing input", 2002). A transition keeps its moment, or its distance to the one
//! before, if it can, and else comes as near to that as it can. Then walks begin at states of the run and end where they
//! would be no shorter (section 5 of the paper on walks, RET-S).
//!
//! What comes out is a run like any other, for the judge to look at.

mod anew;
mod follow;
mod leave_out;
mod loops;

use merkhet_network::Trace;

use crate::model::Model;
use crate::random::Random;
use crate::run::Run;
use crate::state::{Choices, State};
use crate::time::Moment;
use crate::walker::INSTRUCTIONS;

/// What shortening may spend, counted in looks at transitions; one that is taken costs as much as [`TAKEN`] looks.
pub struct Purse<'a> {
    /// Looks that are left.
    pub left: u64,
    /// Asked now and then: whether to end at once.
    pub stop: &'a mut dyn FnMut() -> bool,
}

/// What a step of a walk costs, in looks at transitions that turn out not to be possible.
pub const TAKEN: u64 = 8;
/// The cost between two questions whether to end.
const STRIDE: u64 = 1 << 14;

impl Purse<'_> {
    /// Pays; says whether there was enough.
    fn pay(&mut self, cost: u64) -> bool {
        let before = self.left;
        self.left = before.saturating_sub(cost);
        if before / STRIDE != self.left / STRIDE && (self.stop)() {
            self.left = 0;
        }
        self.left > 0
    }

    /// A part of what is left, to be spent on one way of shortening.
    fn part<T>(&mut self, share: u64, spend: impl FnOnce(&mut Purse<'_>) -> T) -> T {
        let part = self.left / share;
        let mut purse = Purse {
            left: part,
            stop: &mut *self.stop,
        };
        let result = spend(&mut purse);
        let rest = purse.left;
        self.left -= part - rest;
        result
    }
}

/// A run that becomes shorter.
pub struct Shortener<'m> {
    model: &'m Model,
    start: State<'m>,
    /// The state on the run at which something is tried.
    here: State<'m>,
    /// The state at the end of what is tried.
    trial: State<'m>,
    best: Run,
    /// The moment at which the goal holds.
    until: Moment,
    /// The steps from `here` to `trial`.
    tried: Run,
    choices: Choices,
    edges: Vec<u32>,
    wanted: Vec<u32>,
    random: Random,
    /// What copying a state costs.
    copying: u64,
    /// The instructions of evaluations that are paid for.
    paid: u64,
}

impl<'m> Shortener<'m> {
    /// Takes a run over. `None` if it cannot be followed to the goal in this model, as where its ticks are too coarse.
    pub fn new(model: &'m Model, trace: &Trace, seed: u64) -> Option<Shortener<'m>> {
        let start = State::initial(model).ok()?;
        let run = Run::of(model, trace)?;
        let cells = start.machine.memory.len() + 2 * model.edges.len() + 8 * model.channels.len();
        let mut shortener = Shortener {
            model,
            here: start.clone(),
            trial: start.clone(),
            start,
            until: run.end(),
            best: run,
            tried: Run::default(),
            choices: Choices::default(),
            edges: Vec::new(),
            wanted: Vec::new(),
            random: Random::new(seed),
            copying: 1 + cells as u64 / 128,
            paid: 0,
        };
        shortener.reproduce().then_some(shortener)
    }

    /// The number of transitions.
    pub fn length(&self) -> usize {
        self.best.len()
    }

    /// The shortest run so far.
    pub fn trace(&self) -> Trace {
        self.best.trace(self.model, self.until)
    }

    /// Pays for so much, and for the evaluations since the last payment; says whether there was enough.
    fn pay(&mut self, purse: &mut Purse<'_>, cost: u64) -> bool {
        let effort = self.here.effort + self.trial.effort;
        let due = (effort - self.paid) / INSTRUCTIONS;
        self.paid += due * INSTRUCTIONS;
        purse.pay(cost + due)
    }

    /// Leaves out what is not needed. Says whether all was tried; else the purse is empty.
    pub fn leave_out(&mut self, purse: &mut Purse<'_>) -> bool {
        loop {
            let before = self.best.len();
            purse.part(3, |purse| self.cut_loops(purse));
            purse.part(3, |purse| self.leave_out_kinds(purse));
            let complete = self.leave_out_parts(purse);
            if self.best.len() == before || purse.left == 0 {
                return complete;
            }
        }
    }
}
