//! Small models as text.

use merkhet_lower::{lower_model, lower_query};
use merkhet_network::{Formula, Network, QueryKind};
use merkhet_syntax::{FileId, SourceMap, read_model, read_queries_as};

/// The network of an XTA text and the goal of a query `E<> …`.
pub fn model(text: &str, query: &str) -> (Network, Formula) {
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, "model.xta", text.as_bytes());
    let (tree, diagnostics) = read_model("model.xta", text.as_bytes());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let (lowered, diagnostics) = lower_model(&tree, &sources);
    let mut lowered = lowered.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let (queries, _) = read_queries_as(FileId(16), query.as_bytes());
    let query = lower_query(&mut lowered, &queries[0], &sources).expect("the query is right");
    match query.kind {
        QueryKind::Possibly(goal) => (lowered.network, goal),
        other => panic!("{other:?}"),
    }
}
