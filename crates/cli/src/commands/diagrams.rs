//! `merkhet check --engine bdd` on networks of automata.

use std::sync::Arc;

use merkhet::network::{Network, Query};
use merkhet::smv::SmvOptions;
use merkhet::{Config, ModelQuery};

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::output;
use crate::view::trace::TraceSource;
use crate::view::{DiagramsView, ResultView, results};

use super::smv::check::{options, watched};

/// What the arguments ask for; an option that means nothing here is refused.
pub fn prepare(args: &CheckArgs, config: &Config) -> Result<SmvOptions, String> {
    let options = options(args, Arc::clone(&config.limits.cancel))?;
    if args.order.is_some() {
        return Err("--order is for SMV models".into());
    }
    Ok(options)
}

/// Decides one query: what the report says of it, and the exit code if it could not be checked.
pub fn decide(
    network: &Network,
    query: &ModelQuery,
    asked: &Query,
    options: &SmvOptions,
    source: &TraceSource<'_>,
) -> (ResultView, Option<Exit>) {
    let outcome = watched(1, |progress| {
        merkhet::diagrams::check(network, asked, options, progress)
    });
    match outcome {
        Ok((report, statistics)) => {
            let mut view = results::view(query, &report, source);
            view.diagrams = Some(DiagramsView::new(&statistics));
            (view, None)
        }
        Err(failure) => {
            let message = failure.to_string();
            output::error(&message);
            let exit = Exit::of(&failure);
            (
                results::failed(query, &failure, &message, Some(source)),
                Some(exit),
            )
        }
    }
}
