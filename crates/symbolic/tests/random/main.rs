//! Random finite systems: what the diagrams say against an explicit search by the judge's
//! interpreter.
//!
//! `MERKHET_RANDOM=N` checks N systems instead of the ordinary few.

mod branching;
mod compute;
mod explicit;
mod invariants;
mod language;
mod model;

/// How many systems a test checks.
fn seeds(ordinary: u64) -> u64 {
    let wanted = std::env::var("MERKHET_RANDOM").ok();
    wanted
        .and_then(|text| text.parse().ok())
        .unwrap_or(ordinary)
}
