//! The processor time that a preparation takes.

use std::time::{Duration, Instant};

/// The processor time of this thread from now on; that of the clock where the system does not tell.
pub struct Measure {
    start: Instant,
    clock: Option<Duration>,
}

impl Measure {
    /// Starts to measure.
    pub fn start() -> Measure {
        Measure {
            start: Instant::now(),
            clock: thread_time(),
        }
    }

    /// The time since then.
    pub fn worked(&self) -> Duration {
        let both = self.clock.zip(thread_time());
        let worked = both.map(|(from, to)| to.saturating_sub(from));
        worked.unwrap_or(self.start.elapsed())
    }
}

/// The processor time that this thread has had so far; `None` where the system does not tell.
fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
