//! How long work may take: time and the caller's flag are looked at every few milliseconds, whatever a piece of work costs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Says when it is time to look at the clock. A piece of work takes from nanoseconds to seconds (a zone of 2,000 clocks has
/// 16 MB), so the number of pieces between two looks follows from how long the last ones took.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Pieces until the next look.
    left: u32,
    /// Pieces between the last look and the next.
    interval: u32,
    last: Instant,
}

/// Looks are not nearer to each other than so many pieces of work need to be, nor much further apart in time.
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
    /// To be called before each piece of work: true if it is time to look.
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

/// When to give up in the middle of something.
#[derive(Clone, Copy, Debug, Default)]
pub struct Patience<'a> {
    /// The time after which to.
    pub deadline: Option<Instant>,
    /// The flag that says so.
    pub cancel: Option<&'a AtomicBool>,
    pace: Pace,
}

impl<'a> Patience<'a> {
    /// Ends at the time or with the flag, whichever comes first.
    pub fn until(deadline: Option<Instant>, cancel: Option<&'a AtomicBool>) -> Patience<'a> {
        Patience {
            deadline,
            cancel,
            pace: Pace::default(),
        }
    }

    /// To be called before each piece of work: whether to give up.
    #[inline]
    pub fn is_over(&mut self) -> bool {
        self.pace.due() && self.look()
    }

    #[cold]
    fn look(&self) -> bool {
        self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

#[cfg(test)]
mod tests {
    use super::{Pace, Patience};
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    #[test]
    fn cheap_work_is_seldom_interrupted_and_expensive_work_often() {
        let mut pace = Pace::default();
        let looks = (0..100_000).filter(|_| pace.due()).count();
        assert!(looks < 50_000, "{looks} looks");
        let mut calls = 0;
        while !pace.due() {
            calls += 1;
        }
        assert!(calls <= 1024);
        // From now on each piece takes long: soon the clock is looked at before each.
        for _ in 0..4 {
            std::thread::sleep(Duration::from_millis(25));
            while !pace.due() {}
        }
        std::thread::sleep(Duration::from_millis(25));
        assert!(pace.due());
    }

    #[test]
    fn patience_ends_with_the_time_or_the_flag() {
        let over = |mut patience: Patience<'_>| (0..5000).any(|_| patience.is_over());
        let flag = AtomicBool::new(true);
        assert!(over(Patience::until(Some(Instant::now()), None)));
        assert!(over(Patience::until(None, Some(&flag))));
        let later = Instant::now() + Duration::from_secs(3600);
        flag.store(false, std::sync::atomic::Ordering::Relaxed);
        assert!(!over(Patience::until(Some(later), Some(&flag))));
    }
}
