//! What a preparation may use up: time, and decisions about integers.

use std::cell::Cell;

use merkhet_network::tuning::Tuning;

use super::Stop;
use crate::tuning::{DECISIONS, NODES};

/// Counts down. When nothing is left, decisions stay open, which over-approximates, and databases are cut off.
#[derive(Debug)]
pub struct Budget<'s> {
    stop: Stop<'s>,
    /// The cases that decisions may still try.
    left: Cell<u64>,
    /// The cases that one decision may try.
    pub nodes: u32,
    over: Cell<bool>,
}

impl<'s> Budget<'s> {
    /// Until a preparation is to stop, or until its decisions have tried too many cases.
    pub fn new(stop: Stop<'s>, tuning: &Tuning) -> Budget<'s> {
        Budget {
            stop,
            left: Cell::new(tuning.count(&DECISIONS) as u64),
            nodes: tuning.count(&NODES) as u32,
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
