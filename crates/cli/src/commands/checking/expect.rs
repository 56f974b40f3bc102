//! Verdicts next to those that a model's file records.

use merkhet::ModelQuery;

use crate::exit::Exit;
use crate::output;
use crate::view::quantity::plural;
use crate::view::{ResultView, Verdict};

/// The verdict that a model's author expects, or else the one that UPPAAL recorded last.
pub(super) fn recorded(query: &ModelQuery) -> Option<Verdict> {
    let verdict = |word: &str| match word {
        "success" => Some(Verdict::Satisfied),
        "failure" => Some(Verdict::Violated),
        _ => None,
    };
    let outcomes = query.expectation.iter().chain(&query.result);
    let words = outcomes.filter_map(|outcome| outcome.outcome.as_deref());
    words.filter_map(verdict).next()
}

/// Says where a verdict differs from the recorded one; the exit code of that.
pub(super) fn compare(results: &[ResultView], one_of_many: bool) -> Exit {
    let mut exit = Exit::Satisfied;
    let mut compared = 0;
    for (index, result) in results.iter().enumerate() {
        let Some(expected) = result.expected else {
            continue;
        };
        compared += 1;
        if result.verdict == expected {
            continue;
        }
        output::message(&format!(
            "query {}: {} is expected, and it is {}: {}",
            index + 1,
            expected.word(),
            result.verdict.word(),
            result.query
        ));
        exit = match (result.verdict, exit) {
            (Verdict::Unknown, Exit::Satisfied) => Exit::Undecided,
            (Verdict::Unknown, exit) => exit,
            _ => Exit::Violated,
        };
    }
    if one_of_many {
        return exit;
    }
    if compared == 0 {
        output::error("--expect: the file records no verdict for any of these queries");
        return Exit::BadInput;
    }
    let left = results.len() - compared;
    let others = match left {
        0 => String::new(),
        left => format!("; {} without one", plural(left as u64, "query", "queries")),
    };
    output::message(&format!(
        "{} compared{others}",
        plural(compared as u64, "recorded verdict", "recorded verdicts")
    ));
    exit
}
