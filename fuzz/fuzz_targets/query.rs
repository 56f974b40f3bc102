//! Any bytes as a file of queries, and as a single query of a small model.
#![no_main]

use libfuzzer_sys::fuzz_target;
use merkhet_lower::{lower_model, lower_query};
use merkhet_syntax::{FileId, SourceMap, read_model, read_queries, read_query};

/// Enough names of each kind for queries to mean something.
const MODEL: &str =
    "int i, a[3]; bool b; clock x; typedef int[0,2] id; int f(int v) { return v + i; }
    process P(const id n) { int k; clock y; state A, B; init A; trans A -> B { guard x > n; }; }
    system P;";

fuzz_target!(|bytes: &[u8]| {
    let (queries, _) = read_queries(bytes);
    for query in &queries {
        assert!(query.span.start <= query.span.end);
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (query, _) = read_query(text);
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, "model.xta", MODEL.as_bytes());
    let (model, _) = read_model("model.xta", MODEL.as_bytes());
    let (lowered, _) = lower_model(&model, &sources);
    let mut lowered = lowered.expect("the model above loads");
    let _ = lower_query(&mut lowered, &query, &sources);
});
