//! What to try next when a query was not decided. Only what the query at hand can use is offered.

use merkhet::{SearchSpec, StopReason};

use crate::view::{Question, ResultView, Verdict};
use crate::writing::Saved;

/// What the user has given already.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    /// The checkpoint, and whether it is there.
    pub checkpoint: Saved,
    /// Several threads.
    pub threads: bool,
}

/// The kinds of searches that advice differs for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Everything is visited: there is no goal to be guided to.
    Explore,
    /// Reachability without a heuristic.
    Blind,
    /// Reachability with one.
    Guided,
    /// Lattice elements are covered or joined.
    Lattice,
    /// Maximal runs: depth first, whatever is asked for.
    Liveness,
    /// Ranges of values: everything must be seen.
    Range,
    /// Decision diagrams.
    Diagrams,
    /// Random walks.
    Walks,
}

impl Kind {
    fn of(result: &ResultView) -> Kind {
        match (result.question, &result.diagrams) {
            (_, Some(_)) => Kind::Diagrams,
            _ if matches!(result.search.parse(), Ok(SearchSpec::Walk(_))) => Kind::Walks,
            (Question::Explore, _) => Kind::Explore,
            (Question::Liveness, _) => Kind::Liveness,
            (Question::Range, _) => Kind::Range,
            (Question::Reachability, _) if result.joins.is_some() => Kind::Lattice,
            (Question::Reachability, _) if result.heuristic.is_some() => Kind::Guided,
            (Question::Reachability, _) => Kind::Blind,
        }
    }
}

/// With a checkpoint, nothing has to be explored twice.
const RESUME: &str = ", and --resume to go on from the checkpoint";

/// What to try after a time limit.
fn time(kind: Kind, given: Given) -> String {
    let resume = match (given.checkpoint, given.threads) {
        (Saved::There, _) => RESUME,
        (Saved::Missing, _) | (_, true) => "",
        _ => ", or --checkpoint FILE to go on later with --resume",
    };
    match kind {
        Kind::Explore => format!("give a longer --timeout{resume}"),
        Kind::Blind => format!(
            "errors are often found sooner by guided search (--search greedy --heuristic hu); for a proof give a longer \
             --timeout{resume}"
        ),
        Kind::Guided => format!(
            "another guide may see more (--search greedy --heuristic pa, --reduce safe,coi); for a proof --search largest \
             often needs the fewest states, with a longer --timeout{resume}"
        ),
        Kind::Lattice => {
            "give a longer --timeout; joining (--lattice join, --lattice cegar) sees fewer states than covering, and \
             --joining all joins the most"
                .into()
        }
        Kind::Liveness | Kind::Range => "give a longer --timeout".into(),
        Kind::Walks => {
            "give a longer --timeout, or another --seed; walks prove nothing: for a proof leave --search out".into()
        }
        Kind::Diagrams => "give a longer --timeout; another order of the variables (--order FILE, --reorder) may make the \
                           diagrams smaller"
            .into(),
    }
}

/// What to try after a memory limit.
fn memory(kind: Kind) -> &'static str {
    match kind {
        Kind::Explore => "give a larger --memory-limit",
        Kind::Blind => {
            "--inclusion alu stores fewer zones, --search greedy --heuristic hu often finds errors with fewer states; \
             --bitstate needs little memory but can only find, not prove"
        }
        Kind::Guided => {
            "--reduce safe,coi leaves parts of the model out, --inclusion alu stores fewer zones, --search largest often \
             needs the fewest states for a proof; --bitstate needs little memory but can only find, not prove"
        }
        Kind::Lattice => {
            "give a larger --memory-limit; joining (--lattice join, --lattice cegar) sees fewer states than covering, and \
             --joining all joins the most"
        }
        Kind::Liveness | Kind::Range | Kind::Walks => "give a larger --memory-limit",
        Kind::Diagrams => {
            "give a larger --memory-limit; another order of the variables (--order FILE, --reorder) may make the diagrams \
             smaller"
        }
    }
}

fn states(kind: Kind, given: Given) -> String {
    let resume = match given.checkpoint {
        Saved::There => RESUME,
        _ => "",
    };
    let larger = format!("give a larger --max-states{resume}");
    match kind {
        Kind::Blind => {
            format!("{larger}, or --search greedy --heuristic hu to look where the goal is near")
        }
        Kind::Guided => {
            format!("{larger}, or try another heuristic (`merkhet heuristics` lists them)")
        }
        _ => larger,
    }
}

fn interrupted(kind: Kind, given: Given) -> &'static str {
    match (given.checkpoint, kind) {
        (Saved::There, _) => {
            "the figures are those until then; the same command with --resume goes on from the checkpoint"
        }
        (Saved::NotAsked, Kind::Explore | Kind::Blind | Kind::Guided) if !given.threads => {
            "the figures are those until then; --checkpoint FILE keeps the work of long runs"
        }
        _ => "the figures are those until then",
    }
}

/// A line for the end of the report, if a limit was hit.
pub fn last_line(results: &[ResultView], given: Given) -> Option<String> {
    let advice = results
        .iter()
        .filter(|result| result.verdict == Verdict::Unknown)
        .find_map(|result| {
            let kind = Kind::of(result);
            Some(match result.limit? {
                StopReason::Timeout => time(kind, given),
                StopReason::Memory => match given.checkpoint {
                    Saved::There => {
                        format!("{}; --resume goes on from the checkpoint", memory(kind))
                    }
                    _ => memory(kind).into(),
                },
                StopReason::States => states(kind, given),
                StopReason::Cancelled => interrupted(kind, given).into(),
                StopReason::Incomplete => return None,
            })
        });
    advice.map(|advice| format!("try next: {advice}\n"))
}

#[cfg(test)]
mod tests {
    use super::{Given, Saved, last_line};
    use crate::view::Question::{self, Explore, Liveness, Reachability};
    use crate::view::{ResultView, Verdict, samples};
    use merkhet::StopReason::{self, Cancelled, Memory, States, Timeout};

    fn result(question: Question, limit: StopReason) -> ResultView {
        let mut result = samples::report().results[2].clone();
        (result.question, result.limit) = (question, Some(limit));
        (result.heuristic, result.joins, result.diagrams) = (None, None, None);
        result
    }

    fn check(result: &ResultView, given: Given, has: &[&str], lacks: &[&str]) {
        let line = last_line(std::slice::from_ref(result), given).unwrap_or_default();
        for word in has {
            assert!(line.contains(word), "{word} is missing: {line}");
        }
        for word in lacks {
            assert!(!line.contains(word), "{word} does not belong here: {line}");
        }
    }

    #[test]
    fn limits_get_advice_and_verdicts_do_not() {
        let none = Given::default();
        let mut blind = result(Reachability, Timeout);
        check(
            &blind,
            none,
            &["--timeout", "--heuristic hu", "--checkpoint"],
            &[],
        );
        blind.heuristic = Some("hu".into());
        check(
            &blind,
            none,
            &["--heuristic pa", "--checkpoint"],
            &["--heuristic hu"],
        );
        blind.verdict = Verdict::Satisfied;
        assert_eq!(last_line(&[blind], none), None);
    }

    #[test]
    fn what_the_search_does_not_have_is_not_offered() {
        let none = Given::default();
        let mut joined = result(Reachability, Timeout);
        joined.joins = Some(3);
        check(
            &joined,
            none,
            &["--timeout", "--joining"],
            &["--checkpoint", "--bitstate"],
        );
        joined.limit = Some(Memory);
        check(
            &joined,
            none,
            &["--memory-limit"],
            &["--bitstate", "--inclusion"],
        );
        let explored = result(Explore, States);
        check(&explored, none, &["--max-states"], &["--heuristic"]);
        let live = result(Liveness, Timeout);
        check(
            &live,
            none,
            &["--timeout"],
            &["--checkpoint", "--heuristic"],
        );
        let threads = Given {
            threads: true,
            ..none
        };
        let plain = result(Reachability, Cancelled);
        check(&plain, threads, &["figures"], &["--checkpoint"]);
        let kept = Given {
            checkpoint: Saved::There,
            ..none
        };
        check(&plain, kept, &["--resume"], &["--checkpoint"]);
        check(
            &result(Reachability, Timeout),
            kept,
            &["--resume"],
            &["--checkpoint"],
        );
        for limit in [States, Memory] {
            check(&result(Reachability, limit), kept, &["--resume"], &[]);
            check(&result(Reachability, limit), none, &[], &["--resume"]);
        }
        let lost = Given {
            checkpoint: Saved::Missing,
            ..none
        };
        for limit in [Timeout, Memory, States] {
            let stopped = result(Reachability, limit);
            check(&stopped, lost, &[], &["--resume", "--checkpoint"]);
        }
        check(&plain, lost, &["figures"], &["--resume", "--checkpoint"]);
    }
}
