//! Figures about decision diagrams.

use merkhet::symbolic::check::Statistics;
use merkhet::symbolic::guided::{Combination, GuidedReport};
use serde::{Deserialize, Serialize};

use crate::progress::ProgressView;
use crate::view::quantity::{count, plural};

/// Figures about the diagrams of one query.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DiagramsView {
    /// Variables of the model that matter for the query.
    pub variables: usize,
    /// Boolean variables of the diagrams: bits of states, of states after a step, and of inputs.
    pub bits: u32,
    /// Nodes in use at the end.
    pub nodes: usize,
    /// Most nodes that were in use at one time.
    pub peak_nodes: usize,
    /// All nodes that were ever allocated.
    pub allocated_nodes: u64,
    /// Garbage collections.
    pub collections: u32,
    /// Results that the cache of operations can hold.
    pub cache_entries: usize,
    /// How often a result was looked for in the cache.
    pub cache_lookups: u64,
    /// How often it was found there.
    pub cache_hits: u64,
    /// How often a better order of variables was looked for.
    #[serde(default)]
    pub reorderings: u32,
    /// The number of reachable states, where all were computed.
    pub reachable_states: Option<f64>,
    /// What the guided search did.
    pub guided: Option<GuidedView>,
    /// What the search by clauses did, where it decided.
    #[serde(default)]
    pub unrolled: Option<UnrolledView>,
}

/// What a search by clauses did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnrolledView {
    /// The number of steps from the initial states that are known to be good.
    pub depth: usize,
    /// The number of states in a row before a bad one that were looked at.
    pub induction: usize,
    /// Contradictions that the solver met.
    pub conflicts: u64,
}

/// What a guided search did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GuidedView {
    /// The pattern databases.
    pub databases: Vec<DatabaseView>,
    /// `maximum` or `sum` of their estimates.
    pub combination: std::borrow::Cow<'static, str>,
    /// The abstraction alone proved the invariant.
    pub proved_by_abstraction: bool,
    /// Sets of states that were expanded.
    pub expanded_sets: usize,
    /// Steps of the shortest violation.
    pub depth: Option<usize>,
    /// Time for the databases, in seconds.
    pub construction_s: f64,
    /// Time for the search, in seconds.
    pub search_s: f64,
    /// Nodes allocated for the databases.
    pub construction_nodes: u64,
    /// Nodes allocated for the search.
    pub search_nodes: u64,
}

/// A pattern database.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DatabaseView {
    /// Names of the variables that it keeps.
    pub kept: Vec<String>,
    /// The greatest distance in it.
    pub depth: usize,
    /// Whether the search backwards came to its end.
    pub complete: bool,
    /// Nodes of its diagrams.
    pub nodes: usize,
    /// The estimate for the initial states.
    pub initial_estimate: Option<usize>,
}

impl DiagramsView {
    /// The view of statistics.
    pub fn new(statistics: &Statistics) -> DiagramsView {
        let diagrams = &statistics.diagrams;
        DiagramsView {
            variables: statistics.variables,
            bits: diagrams.bits,
            nodes: diagrams.nodes,
            peak_nodes: diagrams.peak_nodes,
            allocated_nodes: diagrams.total_nodes,
            collections: diagrams.collections,
            cache_entries: diagrams.cache_entries,
            cache_lookups: diagrams.cache_lookups,
            cache_hits: diagrams.cache_hits,
            reorderings: diagrams.reorderings,
            reachable_states: statistics.reachable_states,
            guided: statistics.guided.as_ref().map(guided),
            unrolled: statistics.unrolled.map(|report| UnrolledView {
                depth: report.depth,
                induction: report.induction,
                conflicts: report.conflicts,
            }),
        }
    }

    /// What is known of diagrams in the middle of whose making the program is ended.
    pub fn overrun(progress: &ProgressView) -> DiagramsView {
        DiagramsView {
            nodes: progress.nodes as usize,
            allocated_nodes: progress.allocated_nodes,
            ..DiagramsView::default()
        }
    }

    /// The most important figures in a line.
    pub fn line(&self) -> String {
        let mut parts = match self.variables {
            0 => vec![format!("{} nodes", count(self.nodes as u64))],
            variables => vec![
                plural(variables as u64, "variable", "variables"),
                format!("{} nodes at most", count(self.peak_nodes as u64)),
            ],
        };
        parts.push(format!("{} allocated", count(self.allocated_nodes)));
        if let Some(unrolled) = &self.unrolled {
            if self.allocated_nodes == 0 {
                parts.truncate(1); // there were no diagrams
            }
            parts.push(format!(
                "{} unrolled",
                plural(unrolled.depth as u64, "step", "steps")
            ));
            let before = plural(unrolled.induction as u64, "state", "states");
            parts.push(format!("induction over {before}"));
            parts.push(format!("{} conflicts", count(unrolled.conflicts)));
        }
        if self.reorderings > 0 {
            let times = plural(u64::from(self.reorderings), "time", "times");
            parts.push(format!("reordered {times}"));
        }
        parts.extend(self.reachable_states.map(|states| {
            if states < 1e15 {
                format!("{} reachable states", count(states as u64))
            } else {
                format!("{states:.2e} reachable states")
            }
        }));
        if let Some(guided) = &self.guided {
            for database in &guided.databases {
                let estimate = database
                    .initial_estimate
                    .map_or("no way".into(), |h| format!("h = {h}"));
                let kept = plural(database.kept.len() as u64, "variable", "variables");
                parts.push(format!("database of {kept} ({estimate})"));
            }
        }
        parts.join(", ")
    }
}

fn guided(report: &GuidedReport) -> GuidedView {
    GuidedView {
        databases: report
            .databases
            .iter()
            .map(|database| DatabaseView {
                kept: database.kept.clone(),
                depth: database.depth,
                complete: database.complete,
                nodes: database.nodes,
                initial_estimate: database.initial_estimate,
            })
            .collect(),
        combination: match report.combination {
            Combination::Maximum => "maximum",
            Combination::Sum => "sum",
        }
        .into(),
        proved_by_abstraction: report.proved_by_abstraction,
        expanded_sets: report.expanded_sets,
        depth: report.depth,
        construction_s: report.construction.as_secs_f64(),
        search_s: report.search.as_secs_f64(),
        construction_nodes: report.construction_nodes,
        search_nodes: report.search_nodes,
    }
}
