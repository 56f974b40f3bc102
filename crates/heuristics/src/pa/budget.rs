//! What a preparation may use up: time, and decisions about integers.

use std::cell::Cell;

use merkhet_network::tuning::Tuning;

use super::Stop;
use crate::tuning::{DECISIONS, ELIMINATED, ELIMINATIONS, NODES, PROPAGATIONS, ROWS};

/// What one decision may do.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The cases that it may try.
    pub nodes: u32,
    /// The first of them, in which variables are eliminated.
    pub eliminations: u32,
    /// Rounds of propagation in a case.
    pub propagations: usize,
    /// The most variables of a case with eliminations.
    pub variables: usize,
    /// The most inequalities that an elimination may leave.
    pub rows: usize,
}

impl Effort {
    /// With these numbers.
    pub fn of(tuning: &Tuning) -> Effort {
        Effort {
            nodes: tuning.count(&NODES) as u32,
            eliminations: tuning.count(&ELIMINATIONS) as u32,
            propagations: tuning.count(&PROPAGATIONS),
            variables: tuning.count(&ELIMINATED),
            rows: tuning.count(&ROWS),
        }
    }
}

/// Counts down. When nothing is left, decisions stay open, which over-approximates, and databases are cut off.
#[derive(Debug)]
pub struct Budget<'s> {
    stop: Stop<'s>,
    /// The cases that decisions may still try.
    left: Cell<u64>,
    /// What one decision may do.
    pub effort: Effort,
    over: Cell<bool>,
}

impl<'s> Budget<'s> {
    /// Until a preparation is to stop, or until its decisions have tried too many cases.
    pub fn new(stop: Stop<'s>, tuning: &Tuning) -> Budget<'s> {
        Budget {
            stop,
            left: Cell::new(tuning.count(&DECISIONS) as u64),
            effort: Effort::of(tuning),
            over: Cell::new(false),
        }
    }

    /// Notes cases that a decision has tried.
    pub fn spend(&self, cases: u32) {
        self.left.set(self.left.get().saturating_sub(cases.into()));
    }

    /// Whether it is used up; looks at the clock.
    pub fn is_over(&self) -> bool {
        if !self.over.get() && (self.left.get() == 0 || self.stop.now()) {
            self.over.set(true);
        }
        self.over.get()
    }
}
