//! What to try next when a query was not decided.

use super::{ResultView, Verdict};

/// Beginnings of reasons, and what helps against them.
const ADVICE: &[(&str, &str)] = &[
    (
        "time limit",
        "errors are often found sooner by guided search (--search greedy --heuristic hu); for a proof give a longer \
         --timeout, or --checkpoint FILE and go on later with --resume",
    ),
    (
        "memory limit",
        "--inclusion alu stores fewer zones, --search greedy --heuristic hu often finds errors with fewer states; \
         --bitstate needs little memory but can only find, not prove",
    ),
    (
        "state limit",
        "give a larger --max-states, or --search greedy --heuristic hu to look where the goal is near",
    ),
    (
        "interrupted",
        "the figures are those until then; --checkpoint FILE keeps the work of long runs",
    ),
];

/// A line for the end of the report, if a limit was hit.
pub fn last_line(results: &[ResultView]) -> Option<String> {
    let mut reasons = results
        .iter()
        .filter(|result| result.verdict == Verdict::Unknown)
        .filter_map(|result| result.reason.as_deref());
    let advice = reasons.find_map(|reason| {
        let known = ADVICE.iter().find(|(start, _)| reason.starts_with(start));
        known.map(|(_, advice)| *advice)
    });
    advice.map(|advice| format!("try next: {advice}\n"))
}

#[cfg(test)]
mod tests {
    use super::last_line;
    use crate::view::{Verdict, samples};

    #[test]
    fn limits_get_advice_and_verdicts_do_not() {
        let mut results = samples::report().results;
        results[2].reason = Some("time limit reached".into());
        assert!(last_line(&results).is_some_and(|line| line.contains("--timeout")));
        results[2].verdict = Verdict::Satisfied;
        assert_eq!(last_line(&results), None);
    }
}
