//! A search that was made on the way to an answer.

use merkhet::Ran;
use serde::{Deserialize, Serialize};

use crate::view::quantity::{count, plural, seconds};

/// A stage of a schedule.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageView {
    /// What it was for.
    pub stage: String,
    /// What did the work.
    pub engine: String,
    /// The search and the heuristic.
    pub guide: String,
    /// The threads.
    pub threads: usize,
    /// The states that it might expand; absent for any number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// The states that it expanded.
    pub explored: u64,
    /// Why it ended.
    pub ended: String,
    /// The time that it took, in seconds.
    pub time_s: f64,
}

impl StageView {
    /// The view of a stage.
    pub fn of(ran: &Ran) -> StageView {
        StageView {
            stage: ran.stage.to_string(),
            engine: ran.engine.clone(),
            guide: ran.guide.clone(),
            threads: ran.threads,
            budget: ran.budget,
            explored: ran.explored,
            ended: ran.ended.clone(),
            time_s: ran.time.as_secs_f64(),
        }
    }

    /// In a line.
    pub fn line(&self) -> String {
        let budget = self
            .budget
            .map_or(String::new(), |states| format!(" of {}", count(states)));
        let threads = match self.threads {
            1 => String::new(),
            several => format!(", {several} threads"),
        };
        format!(
            "{}: {}, {}{threads}: {}{budget} explored in {}: {}",
            self.stage,
            self.engine,
            self.guide,
            plural(self.explored, "state", "states"),
            seconds(self.time_s),
            self.ended
        )
    }
}
