//! One line on standard error that tells how a search is going, where a person is watching.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use merkhet::symbolic::limits::Progress as DiagramProgress;

use crate::view::processes::{ProcessView, Travelled};
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
    /// Nodes of decision diagrams in use.
    pub nodes: u64,
    /// Nodes of decision diagrams that were ever allocated.
    pub allocated_nodes: u64,
}

impl From<&DiagramProgress> for ProgressView {
    fn from(progress: &DiagramProgress) -> ProgressView {
        let read = |value: &AtomicU64| value.load(Ordering::Relaxed);
        ProgressView {
            depth: read(&progress.depth),
            nodes: read(&progress.nodes),
            allocated_nodes: read(&progress.allocated),
            ..ProgressView::default()
        }
    }
}

impl From<&merkhet::Progress> for ProgressView {
    fn from(progress: &merkhet::Progress) -> ProgressView {
        ProgressView {
            explored: progress.explored,
            stored: progress.stored,
            waiting: progress.waiting,
            depth: progress.depth.into(),
            memory_bytes: progress.memory,
            best_estimate: progress.best_estimate.map(u64::from),
            ..ProgressView::default()
        }
    }
}

/// How progress is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ProgressForm {
    /// As a line where standard error is a terminal
    Auto,
    /// As lines of JSON: `time_s`, `explored`, `stored`, `waiting`, `depth`, `memory_bytes`, `best_estimate`, `nodes`, and `processes` where there are several
    Json,
    /// Not at all
    None,
}

/// A line of progress for programs.
#[derive(serde::Serialize)]
struct ProgressJson<'p> {
    time_s: f64,
    explored: u64,
    stored: u64,
    waiting: u64,
    depth: u64,
    memory_bytes: u64,
    best_estimate: Option<u64>,
    nodes: u64,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    processes: &'p [ProcessView],
}

/// The line; it is drawn at most a few times a second, and only where somebody looks.
pub struct ProgressLine {
    started: Instant,
    drawn: Option<Instant>,
    form: ProgressForm,
    /// How far each process is, where there are several.
    pub processes: Vec<ProcessView>,
}

/// The least time between two drawings.
const PAUSE: Duration = Duration::from_millis(200);

impl ProgressLine {
    /// A line for a search that starts now.
    pub fn start(form: ProgressForm) -> ProgressLine {
        let nobody = form == ProgressForm::Auto && !std::io::stderr().is_terminal();
        ProgressLine {
            started: Instant::now(),
            drawn: None,
            form: if nobody { ProgressForm::None } else { form },
            processes: Vec::new(),
        }
    }

    /// Draws the line anew, unless it was drawn just now.
    pub fn update(&mut self, progress: ProgressView) {
        let last = self.drawn.unwrap_or(self.started);
        if self.form == ProgressForm::None || last.elapsed() < PAUSE {
            return;
        }
        let time = self.started.elapsed();
        self.drawn = Some(Instant::now());
        let text = match self.form {
            ProgressForm::Json => json(&progress, time, &self.processes) + "\n",
            _ => format!(
                "\r\x1b[2K{}{}",
                describe(&progress, time),
                travelled(&self.processes)
            ),
        };
        let mut stream = std::io::stderr().lock();
        let _ = write!(stream, "{text}").and_then(|()| stream.flush());
    }

    /// Removes the line, so that the report can take its place.
    pub fn clear(&mut self) {
        if self.drawn.take().is_some() && self.form == ProgressForm::Auto {
            let mut stream = std::io::stderr().lock();
            let _ = write!(stream, "\r\x1b[2K").and_then(|()| stream.flush());
        }
    }
}

/// What is to be said of several processes besides.
fn travelled(processes: &[ProcessView]) -> String {
    match processes {
        [] => String::new(),
        all => format!("; {}", Travelled::of(all).words()),
    }
}

fn json(progress: &ProgressView, time: Duration, processes: &[ProcessView]) -> String {
    // Diagrams do not count bytes; the process's own figure serves.
    let memory_bytes = match progress.memory_bytes {
        0 => merkhet::resident_memory(),
        bytes => bytes,
    };
    let line = ProgressJson {
        time_s: time.as_secs_f64(),
        explored: progress.explored,
        stored: progress.stored,
        waiting: progress.waiting,
        depth: progress.depth,
        memory_bytes,
        best_estimate: progress.best_estimate,
        nodes: progress.nodes,
        processes,
    };
    serde_json::to_string(&line).unwrap_or_default()
}

fn describe(progress: &ProgressView, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if progress.allocated_nodes > 0 {
        return format!(
            "{} nodes, {} allocated, depth {}, {}, {seconds:.0} s",
            count(progress.nodes),
            count(progress.allocated_nodes),
            count(progress.depth),
            bytes(merkhet::peak_memory()),
        );
    }
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
            ..ProgressView::default()
        };
        assert_eq!(
            describe(&progress, Duration::from_secs(10)),
            "1,234,567 states, 123,456/s, 4,321 waiting, depth 57, 300.0 MiB, 10 s, best estimate 12"
        );
    }
}
