//! Any bytes as a file of queries, and as a single query.
#![no_main]

use libfuzzer_sys::fuzz_target;
use merkhet_syntax::{read_queries, read_query};

fuzz_target!(|bytes: &[u8]| {
    let (queries, _) = read_queries(bytes);
    for query in &queries {
        assert!(query.span.start <= query.span.end);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = read_query(text);
    }
});
