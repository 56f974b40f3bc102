//! What to try next when a query was not decided.

use super::{ResultView, Verdict};

/// What helps against a reason for giving up.
struct Advice {
    /// How the reason begins.
    reason: &'static str,
    /// After a search that followed no heuristic.
    blind: &'static str,
    /// After one that did.
    guided: &'static str,
}

const ADVICE: &[Advice] = &[
    Advice {
        reason: "time limit",
        blind: "errors are often found sooner by guided search (--search greedy --heuristic hu); for a proof give a longer \
                --timeout, or --checkpoint FILE and go on later with --resume",
        guided: "another guide may see more (--search greedy --heuristic pa, --reduce safe,coi); for a proof --search largest \
                 often needs the fewest states, with a longer --timeout, or --checkpoint FILE to go on later with --resume",
    },
    Advice {
        reason: "memory limit",
        blind: "--inclusion alu stores fewer zones, --search greedy --heuristic hu often finds errors with fewer states; \
                --bitstate needs little memory but can only find, not prove",
        guided: "--reduce safe,coi leaves parts of the model out, --inclusion alu stores fewer zones, --search largest often \
                 needs the fewest states for a proof; --bitstate needs little memory but can only find, not prove",
    },
    Advice {
        reason: "state limit",
        blind: "give a larger --max-states, or --search greedy --heuristic hu to look where the goal is near",
        guided: "give a larger --max-states, or try another heuristic (`merkhet heuristics` lists them)",
    },
    Advice {
        reason: "interrupted",
        blind: "the figures are those until then; --checkpoint FILE keeps the work of long runs",
        guided: "the figures are those until then; --checkpoint FILE keeps the work of long runs",
    },
];

/// A line for the end of the report, if a limit was hit.
pub fn last_line(results: &[ResultView]) -> Option<String> {
    let advice = results
        .iter()
        .filter(|result| result.verdict == Verdict::Unknown)
        .find_map(|result| {
            let reason = result.reason.as_deref()?;
            let known = ADVICE
                .iter()
                .find(|known| reason.starts_with(known.reason))?;
            Some(match result.heuristic {
                None => known.blind,
                Some(_) => known.guided,
            })
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
        results[2].heuristic = None;
        assert!(last_line(&results).is_some_and(|line| line.contains("--heuristic hu")));
        results[2].heuristic = Some("hu".into());
        assert!(last_line(&results).is_some_and(|line| !line.contains("--heuristic hu")));
        results[2].verdict = Verdict::Satisfied;
        assert_eq!(last_line(&results), None);
    }
}
