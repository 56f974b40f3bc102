//! What the heuristics of the list promise, tested: a new entry is tested as soon as it stands in the list.

mod list;
mod optimal;
mod states;
mod unmet;

use merkhet_heuristics::entry::{Entry, Values};
use merkhet_heuristics::{ALL, HeuristicSpec, Preparation, Prepared};
use merkhet_network::{Formula, Network, Query, QueryKind};

/// The list, and one more.
fn entries() -> Vec<&'static Entry> {
    ALL.iter().copied().chain([&unmet::ENTRY]).collect()
}

/// Every heuristic: with its variants, and of each option the words or the smallest number.
fn all() -> Vec<HeuristicSpec> {
    let entries = entries();
    let mut names = Vec::new();
    for entry in &entries {
        let variants =
            (entry.variants.iter()).map(|variant| format!("{}:{}", entry.name, variant.name));
        for name in [entry.name.to_string()].into_iter().chain(variants) {
            for option in entry.options {
                match option.values {
                    Values::Number(low, _) => names.push(format!("{name}({}={low})", option.name)),
                    Values::Words(words) => {
                        names.extend(
                            (words.iter()).map(|word| format!("{name}({}={word})", option.name)),
                        );
                    }
                }
            }
            names.push(name);
        }
    }
    // Not every option goes with every variant.
    let read = names.iter().map(|name| HeuristicSpec::read(&entries, name));
    read.flatten().collect()
}

/// Heuristics that take a moment, and in turns one that makes databases first.
fn some(all: &[HeuristicSpec], turn: usize) -> Vec<&HeuristicSpec> {
    let (slow, quick): (Vec<_>, Vec<_>) = all.iter().partition(|spec| spec.entry().databases);
    let slow = slow[turn % slow.len()];
    quick.into_iter().chain([slow]).collect()
}

fn prepared<'t>(spec: &HeuristicSpec, network: &'t Network, goal: &'t Formula) -> Prepared<'t> {
    let prepared = spec.prepare(network, goal, &Preparation::default());
    prepared.expect("nothing was saved that could be damaged")
}

/// `MERKHET_NETWORKS` and such, as elsewhere.
fn setting(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// What the query looks for.
fn goal(query: &Query) -> Option<Formula> {
    match &query.kind {
        QueryKind::Possibly(p) => Some(p.clone()),
        QueryKind::Invariantly(p) => Some(Formula::Not(Box::new(p.clone()))),
        _ => None,
    }
}
