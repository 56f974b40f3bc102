//! One thread first, where the search is the program's own choice and several threads are to be used.
//!
//! Several threads search breadth first: estimates and preferred transitions belong to one order, which they would not keep.
//! But what estimates find they find early (docs/auto.md), so that one thread follows them for a while before the others
//! come in.

use std::time::Instant;

use merkhet_explore::Progress;
use merkhet_network::{Network, Query};

use super::again::is_automatic;
use crate::config::Config;
use crate::failure::Failure;
use crate::report::Report;

/// The states that one thread explores: three times what the hardest of the papers' instances takes.
const STATES: u64 = 30_000;

/// How one thread is to look first, if it is.
pub(super) fn settings(query: &Query, config: &Config) -> Option<Config> {
    let mut alone = config.clone();
    alone.threads = 1;
    let few = config.limits.states.is_some_and(|states| states <= STATES);
    if config.threads <= 1 || few || !is_automatic(query, config) || !alone.permits_guidance() {
        return None;
    }
    alone.limits.states = Some(STATES);
    Some(alone)
}

/// What one thread has decided since `start`; otherwise what several decide with what is left of the limits.
pub(super) fn or_with_threads(
    network: &Network,
    query: &Query,
    config: &Config,
    observe: &mut dyn FnMut(&Progress),
    first: Result<Report, Failure>,
    start: Instant,
) -> Result<Report, Failure> {
    let explored = match &first {
        Ok(report) if report.answer.is_unknown() => report.figures.explored,
        Err(Failure::Fault {
            figures: Some(figures),
            ..
        }) => figures.explored,
        _ => return first,
    };
    let mut rest = config.after(start.elapsed());
    rest.limits.states = (config.limits.states).map(|states| states.saturating_sub(explored));
    let mut report = super::decide(network, query, &rest, observe, None)?;
    report.figures.explored += explored;
    report.figures.time = start.elapsed();
    Ok(report)
}
