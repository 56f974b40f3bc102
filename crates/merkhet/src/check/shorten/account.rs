//! What shortening may spend.

use std::sync::atomic::Ordering;
use std::time::Instant;

use merkhet_walks::Purse;

use crate::config::Limits;
use crate::memory::resident_bytes;

/// What is left of the work and of the limits.
pub(super) struct Account<'a> {
    pub limits: &'a Limits,
    pub start: Instant,
    /// For the present turn, counted as purses are.
    pub turn: u64,
    pub spent: u64,
    /// Steps after which it is over if nothing has come of them, as a multiple of those at the last success.
    pub most: u64,
    pub patience: Option<u64>,
}

impl Account<'_> {
    fn stops(&self) -> bool {
        let limits = self.limits;
        limits.cancel.load(Ordering::Relaxed)
            || limits
                .timeout
                .is_some_and(|limit| self.start.elapsed() >= limit)
            || limits.memory.is_some_and(|limit| resident_bytes() >= limit)
    }

    /// What is left for a turn.
    pub fn left(&self) -> u64 {
        self.most.saturating_sub(self.spent).min(self.turn)
    }

    /// Lends a purse.
    pub fn spend<T>(&mut self, spend: impl FnOnce(&mut Purse<'_>) -> T) -> T {
        let before = self.left();
        let mut stopped = false;
        let account = &*self;
        let mut stop = || {
            stopped |= account.stops();
            stopped
        };
        let mut purse = Purse {
            left: before,
            stop: &mut stop,
        };
        let result = spend(&mut purse);
        let left = purse.left;
        self.spent += before - left;
        if stopped {
            self.most = self.spent;
        }
        result
    }

    /// A shorter run was found: more may be.
    pub fn succeed(&mut self) {
        if let Some(patience) = self.patience {
            self.most = self.most.max(self.spent.saturating_mul(patience));
        }
    }
}
