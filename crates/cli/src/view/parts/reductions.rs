//! What a reduction removed, for people and programs.

use std::collections::BTreeMap;

use merkhet::{Reduced, Removed};
use serde::{Deserialize, Serialize};

/// What each reduction removed, by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReductionsView {
    /// By the names that `--reduce` takes.
    #[serde(flatten)]
    pub kinds: BTreeMap<String, ReductionView>,
    /// Why nothing was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// The number of transitions of the run in the reduced network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace_length: Option<usize>,
}

/// What one reduction removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReductionView {
    /// The parts, in the order of their removal.
    pub removed: Vec<RemovedView>,
}

/// A part that was removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedView {
    /// Its name in the model.
    pub name: String,
    /// `process`, `variable` or `clock`.
    pub part: String,
    /// Why it may go.
    pub reason: String,
}

impl ReductionsView {
    /// The view of parts that were removed by these kinds of reductions.
    pub fn new(
        kinds: impl IntoIterator<Item = merkhet::ReductionKind>,
        removed: &[Removed],
    ) -> Self {
        let mut view = ReductionsView {
            kinds: BTreeMap::new(),
            remark: None,
            trace_length: None,
        };
        let names = kinds
            .into_iter()
            .chain(removed.iter().map(|removed| removed.kind));
        for kind in names {
            let nothing = ReductionView {
                removed: Vec::new(),
            };
            view.kinds.entry(kind.name().to_string()).or_insert(nothing);
        }
        for part in removed {
            if let Some(kind) = view.kinds.get_mut(part.kind.name()) {
                kind.removed.push(RemovedView {
                    name: part.name.clone(),
                    part: part.part.name().to_string(),
                    reason: part.reason.clone(),
                });
            }
        }
        view
    }

    /// The view of what a check left out.
    pub fn of(reduced: &Reduced) -> Self {
        ReductionsView {
            remark: reduced.remark.clone(),
            trace_length: reduced.trace_length,
            ..ReductionsView::new([], &reduced.removed)
        }
    }

    /// One line: how much was removed.
    pub fn line(&self) -> String {
        if let Some(remark) = &self.remark {
            return remark.clone();
        }
        let kinds: Vec<String> = self
            .kinds
            .iter()
            .map(|(kind, view)| {
                let names: Vec<&str> = view.removed.iter().map(|part| part.name.as_str()).collect();
                format!("without {} ({kind})", shortened(&names))
            })
            .collect();
        let run = match self.trace_length {
            Some(length) => format!("; run of {length} transitions carried back"),
            None => String::new(),
        };
        format!("searched {}{run}", kinds.join(", "))
    }

    /// The parts with their reasons, one for each line.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(remark) = &self.remark {
            text += &format!("// {remark}\n");
        }
        for (kind, view) in &self.kinds {
            if view.removed.is_empty() {
                text += &format!("// {kind}: nothing can be removed\n");
            }
            for part in &view.removed {
                text += &format!(
                    "// {kind}: removed {} {}: {}\n",
                    part.part, part.name, part.reason
                );
            }
        }
        text
    }
}

/// Some names, and how many more there are.
fn shortened(names: &[&str]) -> String {
    const SHOWN: usize = 6;
    match names.len() {
        0..=SHOWN => names.join(", "),
        more => format!("{} and {} more", names[..SHOWN].join(", "), more - SHOWN),
    }
}
