//! Races with other programs: what to run, what came out, and the table.

mod render;
mod row;
mod sample;

pub(crate) use render::aligned;
pub use render::{markdown, number, seconds};
pub use row::{Place, Row, parse};
pub use sample::{Sample, Spread, geometric_mean, median, ratios};

/// The rows of the race, as text: [`parse`] reads them.
pub const ROWS: &str = include_str!("../../data/race.tsv");

/// What one program made of one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The program: `merkhet`, `tchecker`, `baseline 1a2b3c4`.
    pub program: String,
    /// The arguments that were used, without the model.
    pub arguments: String,
    /// What was measured, in the order of the runs.
    pub samples: Vec<Sample>,
    /// States expanded, as the program reports them.
    pub explored: Option<u64>,
    /// States stored at the end, as the program reports them.
    pub stored: Option<u64>,
    /// What it answered: `satisfied`, `violated`, `explored`.
    pub answer: Option<String>,
    /// Why it has no samples, or what is wrong with them.
    pub problem: Option<String>,
    /// Algorithms that the program refused: another version of it may be faster.
    pub refused: Vec<String>,
}

/// A row that was run; the first entry is ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Raced {
    /// The row's name.
    pub row: String,
    /// The programs.
    pub entries: Vec<Entry>,
}

impl Entry {
    /// The median CPU time in seconds.
    pub fn cpu(&self) -> Option<f64> {
        median(self.samples.iter().map(|sample| sample.cpu))
    }

    /// The median wall-clock time in seconds.
    pub fn wall(&self) -> Option<f64> {
        median(self.samples.iter().map(|sample| sample.wall))
    }

    /// The median peak memory in bytes.
    pub fn memory(&self) -> Option<f64> {
        median(self.samples.iter().map(|sample| sample.memory as f64))
    }
}

impl Raced {
    /// How many times the CPU time of ours an entry takes, run by run.
    pub fn cpu_ratio(&self, entry: &Entry) -> Option<Spread> {
        self.ratio(entry, |sample| sample.cpu)
    }

    /// How many times the wall-clock time of ours an entry takes, run by run.
    pub fn wall_ratio(&self, entry: &Entry) -> Option<Spread> {
        self.ratio(entry, |sample| sample.wall)
    }

    /// How many times the memory of ours an entry takes, run by run.
    pub fn memory_ratio(&self, entry: &Entry) -> Option<Spread> {
        self.ratio(entry, |sample| sample.memory as f64)
    }

    fn ratio(&self, entry: &Entry, of: fn(&Sample) -> f64) -> Option<Spread> {
        let ours = self.entries.first()?;
        ratios(&entry.samples, &ours.samples, of)
    }

    /// Whether some program answered differently from ours.
    pub fn disagreement(&self) -> Option<String> {
        let ours = self.entries.first()?;
        let answer = ours.answer.as_ref()?;
        let other = self
            .entries
            .iter()
            .find(|entry| entry.answer.as_ref().is_some_and(|other| other != answer))?;
        Some(format!(
            "{}: {} says {answer}, {} says {}",
            self.row,
            ours.program,
            other.program,
            other.answer.as_deref().unwrap_or("")
        ))
    }
}
