//! What a preparation may use up: time, and decisions about integers.

use std::cell::Cell;

use super::Stop;

/// Counts down. When nothing is left, decisions stay open, which over-approximates, and databases are cut off.
#[derive(Debug)]
pub struct Budget<'s> {
    stop: Stop<'s>,
    /// The cases that decisions may still try.
    left: Cell<u64>,
    over: Cell<bool>,
}

impl<'s> Budget<'s> {
    /// Until a preparation is to stop, and for at most this many cases of decisions.
    pub fn new(stop: Stop<'s>, cases: u64) -> Budget<'s> {
        Budget {
            stop,
            left: Cell::new(cases),
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
