//! What the server is, and what can be chosen.

use merkhet::{ALL_SEARCHES, HEURISTICS};
use merkhet_interop::generate;

use crate::Shared;
use crate::protocol::{Choice, Hello};

/// The greeting.
pub fn hello(shared: &Shared) -> Hello {
    let choice = |name: &str, help: &str| Choice {
        name: name.into(),
        help: help.into(),
    };
    Hello {
        version: shared.options.version.clone(),
        folder: shared.folder.root().display().to_string(),
        model: shared.folder.first().map(str::to_owned),
        searches: (ALL_SEARCHES.iter())
            .map(|search| choice(search.name, search.summary))
            .collect(),
        heuristics: (HEURISTICS.iter())
            .map(|heuristic| choice(heuristic.name, heuristic.summary))
            .collect(),
        families: generate::ALL
            .iter()
            .map(|family| family.name.to_owned())
            .collect(),
    }
}
