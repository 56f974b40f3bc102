//! One line on standard error that tells how a search is going, where a person is watching.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use merkhet::symbolic::limits::Progress as DiagramProgress;

use crate::view::quantity::{bytes, count};

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProgressView {
    /// States expanded so far.
    pub explored: u64,
    /// States stored at the moment.
    pub stored: u64,
    /// States that wait to be expanded.
    pub waiting: u64,
    /// Transitions on the longest path so far.
    pub depth: u64,
    /// Memory in use.
    pub memory_bytes: u64,
    /// The smallest heuristic value seen so far.
    pub best_estimate: Option<u64>,
}

impl From<&merkhet::Progress> for ProgressView {
    fn from(progress: &merkhet::Progress) -> ProgressView {
        ProgressView {
            explored: progress.expanded,
            stored: progress.stored,
            waiting: progress.waiting,
            depth: progress.depth.into(),
            memory_bytes: progress.memory,
            best_estimate: progress.best_estimate.map(u64::from),
        }
    }
}

/// The line; it is drawn at most a few times a second, and only on a terminal.
pub struct ProgressLine {
    started: Instant,
    drawn: Option<Instant>,
    enabled: bool,
}

/// The least time between two drawings.
const PAUSE: Duration = Duration::from_millis(200);

impl ProgressLine {
    /// A line for a search that starts now.
    pub fn start() -> ProgressLine {
        let enabled = std::io::stderr().is_terminal();
        ProgressLine {
            started: Instant::now(),
            drawn: None,
            enabled,
        }
    }

    /// Draws the line anew, unless it was drawn just now.
    pub fn update(&mut self, progress: ProgressView) {
        self.draw(|time| describe(&progress, time));
    }

    /// Draws the line anew for work on decision diagrams, unless it was drawn just now.
    pub fn update_diagrams(&mut self, progress: &DiagramProgress) {
        self.draw(|time| describe_diagrams(progress, time));
    }

    fn draw(&mut self, text: impl FnOnce(Duration) -> String) {
        let last = self.drawn.unwrap_or(self.started);
        if !self.enabled || last.elapsed() < PAUSE {
            return;
        }
        let text = text(self.started.elapsed());
        self.drawn = Some(Instant::now());
        let mut stream = std::io::stderr().lock();
        let _ = write!(stream, "\r\x1b[2K{text}").and_then(|()| stream.flush());
    }

    /// Removes the line, so that the report can take its place.
    pub fn clear(&mut self) {
        if self.drawn.take().is_some() {
            let mut stream = std::io::stderr().lock();
            let _ = write!(stream, "\r\x1b[2K").and_then(|()| stream.flush());
        }
    }
}

fn describe_diagrams(progress: &DiagramProgress, time: Duration) -> String {
    let read = |value: &AtomicU64| value.load(Ordering::Relaxed);
    format!(
        "specification {}: {} nodes, {} allocated, depth {}, {}, {:.0} s",
        read(&progress.specification),
        count(read(&progress.nodes)),
        count(read(&progress.allocated)),
        read(&progress.depth),
        bytes(merkhet::peak_memory()),
        time.as_secs_f64(),
    )
}

fn describe(progress: &ProgressView, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let rate = progress.explored as f64 / seconds.max(1e-3);
    let mut text = format!(
        "{} states, {}/s, {} waiting, depth {}, {}, {seconds:.0} s",
        count(progress.explored),
        count(rate as u64),
        count(progress.waiting),
        count(progress.depth),
        bytes(progress.memory_bytes),
    );
    if let Some(estimate) = progress.best_estimate {
        text.push_str(&format!(", best estimate {estimate}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{ProgressView, describe};
    use std::time::Duration;

    #[test]
    fn the_line_fits_a_terminal() {
        let progress = ProgressView {
            explored: 1_234_567,
            stored: 2_000_000,
            waiting: 4321,
            depth: 57,
            memory_bytes: 300 << 20,
            best_estimate: Some(12),
        };
        assert_eq!(
            describe(&progress, Duration::from_secs(10)),
            "1,234,567 states, 123,456/s, 4,321 waiting, depth 57, 300.0 MiB, 10 s, best estimate 12"
        );
    }
}
