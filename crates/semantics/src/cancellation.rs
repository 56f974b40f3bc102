//! Cancellation by a deadline or by the caller's flag, which are polled every few milliseconds, whatever a piece of work costs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Polling interval for cancellation. A piece of work takes from nanoseconds to seconds (a zone of 2,000 clocks has 16 MB),
/// so the number of pieces between two polls follows from how long the last ones took.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Pieces until the next poll.
    left: u32,
    /// Pieces between the last poll and the next.
    interval: u32,
    last: Instant,
}

/// Most pieces of work between two polls, and the times between which two polls should lie.
const MOST: u32 = 1024;
const SOON: Duration = Duration::from_millis(2);
const LATE: Duration = Duration::from_millis(20);

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            left: 1,
            interval: 1,
            last: Instant::now(),
        }
    }
}

impl Pace {
    /// To be called before each piece of work: true if it is time to poll.
    #[inline]
    pub fn due(&mut self) -> bool {
        self.left -= 1;
        if self.left > 0 {
            return false;
        }
        self.adapt();
        true
    }

    #[cold]
    fn adapt(&mut self) {
        let now = Instant::now();
        let since = now.saturating_duration_since(self.last);
        self.last = now;
        if since < SOON {
            self.interval = (self.interval * 2).min(MOST);
        } else if since > LATE {
            // One expensive piece is seldom alone.
            self.interval = (self.interval / 16).max(1);
        }
        self.left = self.interval;
    }
}

/// When to stop in the middle of something.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cancellation<'a> {
    /// The time after which to stop.
    pub deadline: Option<Instant>,
    /// The flag that asks to stop.
    pub cancel: Option<&'a AtomicBool>,
    pace: Pace,
}

impl<'a> Cancellation<'a> {
    /// Ends at the time or with the flag, whichever comes first.
    pub fn until(deadline: Option<Instant>, cancel: Option<&'a AtomicBool>) -> Cancellation<'a> {
        Cancellation {
            deadline,
            cancel,
            pace: Pace::default(),
        }
    }

    /// To be called before each piece of work: whether to stop.
    #[inline]
    pub fn is_due(&mut self) -> bool {
        self.pace.due() && self.poll()
    }

    #[cold]
    fn poll(&self) -> bool {
        self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cancellation, Pace};
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    #[test]
    fn cheap_work_is_seldom_interrupted_and_expensive_work_often() {
        let mut pace = Pace::default();
        let polls = (0..100_000).filter(|_| pace.due()).count();
        assert!(polls < 50_000, "{polls} polls");
        let mut calls = 0;
        while !pace.due() {
            calls += 1;
        }
        assert!(calls <= 1024);
        // From now on each piece takes long: soon the clock is read before each.
        for _ in 0..4 {
            std::thread::sleep(Duration::from_millis(25));
            while !pace.due() {}
        }
        std::thread::sleep(Duration::from_millis(25));
        assert!(pace.due());
    }

    #[test]
    fn work_is_cancelled_by_the_time_or_the_flag() {
        let over = |mut cancellation: Cancellation<'_>| (0..5000).any(|_| cancellation.is_due());
        let flag = AtomicBool::new(true);
        assert!(over(Cancellation::until(Some(Instant::now()), None)));
        assert!(over(Cancellation::until(None, Some(&flag))));
        let later = Instant::now() + Duration::from_secs(3600);
        flag.store(false, std::sync::atomic::Ordering::Relaxed);
        assert!(!over(Cancellation::until(Some(later), Some(&flag))));
    }
}
