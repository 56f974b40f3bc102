//! Breadth first, saturation and guided searches against an explicit search: verdicts and lengths of
//! shortest traces are equal.

use super::explicit::{Graph, holds};
use super::model::{condition, model, system};
use merkhet_symbolic::bdd::Reordering;
use merkhet_symbolic::check::{
    Options, SpecResult, TraceKind, Turns, Verdict, check_system, judge_certificate,
};
use merkhet_symbolic::guided::{Abstraction, Guidance, Representation};
use merkhet_symbolic::limits::{Limits, Stop};
use merkhet_symbolic::system::{Formula, System};
use merkhet_unroll::certificate::Certificate;
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

/// The certificate is accepted; for another system or condition, or changed, it is refused where it says something wrong.
fn certified(system: &System, result: &SpecResult, text: &str) {
    let limits = Limits::default();
    let judged = |system: &System, certificate: &Certificate| {
        judge_certificate(system, 0, certificate, &limits).expect("no limit")
    };
    let certificate = result.proof.as_ref().expect("a proof");
    assert_eq!(
        judged(system, certificate),
        Ok(()),
        "{certificate:?}\n{text}"
    );
    let mut others = system.clone();
    let Formula::Invariant(good) = others.specifications[0].formula else {
        panic!("an invariant");
    };
    let bad = others.expressions.not(good);
    others.specifications[0].formula = Formula::Invariant(bad);
    // Where there is an initial state it is good: the contrary is not proved by anything, nor any condition by no state.
    let layers = Graph::new(system).layers();
    if layers.first().is_none_or(Vec::is_empty) {
        return;
    }
    assert!(judged(&others, certificate).is_err(), "{text}");
    let Certificate::Invariant(diagram) = certificate else {
        return;
    };
    let mut less = diagram.clone();
    less.root = 0;
    assert!(
        judged(system, &Certificate::Invariant(less)).is_err(),
        "{text}"
    );
    // All states satisfy few conditions; those that they do not satisfy need something else.
    let Formula::Invariant(good) = system.specifications[0].formula else {
        return;
    };
    let graph = Graph::new(system);
    let somewhere_bad = graph
        .states
        .iter()
        .any(|state| !holds(system, good, state, None));
    let mut more = diagram.clone();
    more.root = 1;
    let judgement = judged(system, &Certificate::Invariant(more));
    assert_eq!(judgement.is_err(), somewhere_bad, "{text}");
}

/// How often the order of variables was changed.
fn check(seed: u64, decided: &mut (u32, u32)) -> u32 {
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
        Guidance::Clauses,
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
                certificate: true,
                whole_system,
                reorder: match whole_system {
                    true => Reordering::At(40),
                    false => Reordering::InUse(20),
                },
                // Searches are stopped in the middle of nearly every step.
                turns: Turns {
                    first: if whole_system { 4 } else { Turns::USUAL.first },
                    ..Turns::USUAL
                },
                limits: match guidance {
                    Guidance::Clauses => Limits {
                        memory_bytes: 1 << 22,
                        ..Limits::default()
                    },
                    _ => Limits::default(),
                },
                ..Options::default()
            };
            let result = check_system(&system, &options).remove(0);
            if matches!(guidance, Guidance::Clauses) {
                decided.0 += u32::from(!matches!(result.verdict, Verdict::Unknown(_)));
                decided.1 += 1;
            }
            if let Verdict::Unknown(stop) = &result.verdict {
                // Induction may need as many steps as there are different states in a row.
                if matches!(guidance, Guidance::Clauses) && *stop == Stop::Memory {
                    continue;
                }
                // A kept variable may be outside the cone.
                assert!(
                    stop.to_string().contains("to keep"),
                    "{seed}: {stop} {guidance:?}\n{text}"
                );
                continue;
            }
            if result.verdict == Verdict::Holds {
                certified(&system, &result, &text);
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
    // How many questions clauses decide with little memory, and of how many.
    let mut decided = (0, 0);
    let seeds = 0..super::seeds(60);
    let reorderings: u32 = seeds.map(|seed| check(seed, &mut decided)).sum();
    assert!(decided.0 * 10 > decided.1 * 8, "clauses decide {decided:?}");
    assert!(reorderings > 100, "only {reorderings} reorderings");
}
