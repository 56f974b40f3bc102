//! Tests on random networks, with the oracles of `merkhet-testing` as the other opinion.

mod builder;
mod certificates;
mod liveness;
mod local_bounds;
mod named_certificates;
mod named_traces;
mod runs;
mod zones;

use merkhet_network::{Formula, Query, QueryKind, SiteId};

/// How many seeds to try: more in a long run.
fn seeds(usual: u64) -> u64 {
    let factor = std::env::var("MERKHET_SEEDS_FACTOR");
    usual * factor.ok().and_then(|f| f.parse().ok()).unwrap_or(1)
}

fn query(kind: QueryKind) -> Query {
    Query {
        text: String::new(),
        comment: String::new(),
        kind,
        site: SiteId::NONE,
    }
}

fn truth() -> Formula {
    Formula::And(Vec::new())
}
