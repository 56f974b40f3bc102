//! Breadth first, saturation and guided searches against an explicit search: verdicts and lengths of
//! shortest traces are equal.

use super::explicit::{Graph, holds};
use super::model::{condition, model, system};
use merkhet_symbolic::bdd::Reordering;
use merkhet_symbolic::check::{Options, TraceKind, Verdict, check_system};
use merkhet_symbolic::guided::{Abstraction, Guidance, Representation};
use merkhet_symbolic::system::{Formula, System};
use std::fmt::Write;
use std::time::Duration;

/// The length of a shortest path to a violation.
fn shortest(system: &System) -> Option<usize> {
    let Formula::Invariant(good) = system.specifications[0].formula else {
        panic!("an invariant");
    };
    let graph = Graph::new(system);
    let violates = |at: usize| !holds(system, good, &graph.states[at], None);
    graph
        .layers()
        .iter()
        .position(|layer| layer.iter().any(|&at| violates(at)))
}

fn guided(abstraction: Abstraction, representation: Representation) -> Guidance {
    Guidance::On {
        abstraction,
        budget: Duration::from_secs(10),
        representation,
    }
}

/// How often the order of variables was changed.
fn check(seed: u64) -> u32 {
    let (mut text, mut random) = model(seed);
    let parts: Vec<String> = (0..3).map(|_| condition(&mut random, 1)).collect();
    let _ = writeln!(text, "INVARSPEC !({})", parts.join(" & "));
    let system = system(&text);
    let expected = shortest(&system);
    let keep = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    let lists = Abstraction::Keep(vec![keep(&["a", "n"]), keep(&["b", "n", "m"])]);
    let disjoint = Abstraction::Keep(vec![keep(&["a", "b"]), keep(&["c", "n"])]);
    let guidances = [
        Guidance::Schedule,
        Guidance::Off,
        Guidance::BreadthFirst,
        guided(Abstraction::Automatic, Representation::Layers),
        guided(Abstraction::Automatic, Representation::MultiTerminal),
        guided(lists, Representation::Layers),
        guided(disjoint, Representation::MultiTerminal),
    ];
    let mut reorderings = 0;
    for guidance in guidances {
        for whole_system in [false, true] {
            let options = Options {
                guidance: guidance.clone(),
                trace: TraceKind::Shortest,
                whole_system,
                reorder: match whole_system {
                    true => Reordering::At(40),
                    false => Reordering::InUse(20),
                },
                // Searches are stopped in the middle of nearly every step.
                first_turn: whole_system.then_some(4),
                ..Options::default()
            };
            let result = check_system(&system, &options).remove(0);
            if let Verdict::Unknown(stop) = &result.verdict {
                // A kept variable may be outside the cone.
                assert!(
                    stop.to_string().contains("to keep"),
                    "{seed}: {stop} {guidance:?}\n{text}"
                );
                continue;
            }
            reorderings += result.statistics.diagrams.reorderings;
            let found = result.trace.as_ref().map(|trace| trace.steps());
            assert_eq!(
                found, expected,
                "{seed}: {guidance:?} {:?}\n{text}",
                result.notes
            );
            assert_eq!(
                result.verdict == Verdict::Fails,
                expected.is_some(),
                "{seed}\n{text}"
            );
        }
    }
    reorderings
}

#[test]
fn guided_and_unguided_searches_agree_with_an_explicit_one() {
    let reorderings: u32 = (0..super::seeds(60)).map(check).sum();
    assert!(reorderings > 100, "only {reorderings} reorderings");
}
