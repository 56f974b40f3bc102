//! Branching time under fairness against an explicit evaluation, linear time where it says the same
//! as branching time, and the paths that show verdicts.

use super::explicit::Graph;
use super::model::{Random, condition, model, system};
use merkhet_symbolic::bdd::Reordering;
use merkhet_symbolic::check::{Options, SpecResult, Turns, Verdict, check_system};
use merkhet_symbolic::system::{Ctl, Formula};
use std::fmt::Write;

/// A formula of branching time.
fn formula(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(6) == 0 {
        return condition(random, 1);
    }
    let first = formula(random, depth - 1);
    let low = random.below(3);
    let range = format!("{low}..{}", low + random.below(3));
    match random.below(12) {
        0 => format!("!({first})"),
        1 => format!("({first} & {})", formula(random, depth - 1)),
        2 => format!("({first} -> {})", formula(random, depth - 1)),
        3 => format!("E [{first} U {}]", formula(random, depth - 1)),
        4 => format!("A [{first} U {}]", formula(random, depth - 1)),
        5 => {
            let operator = random.pick(&["EBF", "ABF", "EBG", "ABG"]);
            format!("{operator} {range} ({first})")
        }
        6 => {
            let quantifier = random.pick(&["A", "E"]);
            let second = formula(random, depth - 1);
            format!("{quantifier} [{first} BU {range} {second}]")
        }
        _ => {
            let operator = random.pick(&["EX", "AX", "EF", "AF", "EG", "AG"]);
            format!("{operator} ({first})")
        }
    }
}

/// Formulas of linear time, each with one of branching time that says the same.
fn linear(random: &mut Random) -> [(String, String); 5] {
    let [p, q] = [condition(random, 1), condition(random, 1)];
    [
        (format!("G F ({p})"), format!("AG AF ({p})")),
        (
            format!("G (({p}) -> F ({q}))"),
            format!("AG (({p}) -> AF ({q}))"),
        ),
        (format!("({p}) U ({q})"), format!("A [({p}) U ({q})]")),
        (format!("X X ({p})"), format!("AX AX ({p})")),
        (format!("G ({p})"), format!("AG ({p})")),
    ]
}

/// Formulas that one path shows, to be violated and to be satisfied.
fn shown_by_a_path(formula: &Ctl, verdict: &Verdict) -> bool {
    let atom = |a: &Ctl| matches!(a, Ctl::Atom(_));
    match (formula, verdict) {
        (Ctl::Ag(None, a) | Ctl::Af(None, a) | Ctl::Ax(a), Verdict::Fails) => atom(a),
        (Ctl::Ef(None, a) | Ctl::Eg(None, a) | Ctl::Ex(a), Verdict::Holds) => atom(a),
        (Ctl::Au(None, a, b), Verdict::Fails) | (Ctl::Eu(None, a, b), Verdict::Holds) => {
            atom(a) && atom(b)
        }
        _ => false,
    }
}

fn agrees(result: &SpecResult, expected: bool, text: &str) {
    let verdict = if expected {
        Verdict::Holds
    } else {
        Verdict::Fails
    };
    assert_eq!(
        result.verdict, verdict,
        "{} {:?}\n{text}",
        result.text, result.notes
    );
}

/// How many paths were shown where one path can show the verdict.
fn check(seed: u64) -> usize {
    let (mut text, mut random) = model(seed);
    for _ in 0..random.below(3) {
        let _ = writeln!(text, "JUSTICE {}", condition(&mut random, 1));
    }
    if text.contains("process") && random.below(2) == 0 {
        text += "FAIRNESS q0.running\n";
    }
    for depth in [1, 1, 1, 2, 2, 3] {
        let _ = writeln!(text, "CTLSPEC {}", formula(&mut random, depth));
    }
    let _ = writeln!(text, "CTLSPEC !EF ({})", condition(&mut random, 1));
    for (line, tree) in linear(&mut random) {
        let _ = writeln!(text, "LTLSPEC {line}\nCTLSPEC {tree}");
    }
    let system = system(&text);
    let graph = Graph::new(&system);
    let vacuous = !graph.starts_fairly();
    // Linear time is about endless paths only; branching time is if there is fairness.
    let comparable = !system.justice.is_empty() || graph.is_total();
    let mut shown = 0;
    for whole_system in [false, true] {
        let options = Options {
            whole_system,
            reorder: match whole_system {
                true => Reordering::At(40),
                false => Reordering::InUse(20),
            },
            turns: Turns {
                first: if whole_system { 4 } else { Turns::USUAL.first },
                ..Turns::USUAL
            },
            ..Options::default()
        };
        let results = check_system(&system, &options);
        for (at, specification) in system.specifications.iter().enumerate() {
            let (result, formula) = match &specification.formula {
                Formula::Ctl(formula) => (&results[at], formula),
                // The formula that says the same comes next.
                Formula::Ltl(_) => match &system.specifications[at + 1].formula {
                    Formula::Ctl(formula) => (&results[at], formula),
                    other => panic!("{other:?}"),
                },
                other => panic!("{other:?}"),
            };
            let expected = graph.satisfies(formula);
            let linear = matches!(specification.formula, Formula::Ltl(_));
            if linear && !comparable {
                continue;
            }
            agrees(result, expected, &text);
            if vacuous {
                continue; // nothing to show
            }
            if linear && !expected || !linear && shown_by_a_path(formula, &result.verdict) {
                let notes = &result.notes;
                assert!(result.trace.is_some(), "{} {notes:?}\n{text}", result.text);
                let part = notes.iter().any(|note| note.contains("only a part"));
                assert!(!part, "{} {notes:?}\n{text}", result.text);
                shown += 1;
            }
        }
    }
    shown
}

#[test]
fn branching_and_linear_time_agree_with_an_explicit_evaluation() {
    let seeds = super::seeds(40);
    let shown: usize = (0..seeds).map(check).sum();
    assert!(shown as u64 > seeds, "only {shown} verdicts were shown");
}

/// `m` counts on whatever `c` does: the way to the fairness condition must keep `c` all along.
#[test]
fn a_path_does_not_leave_its_set_on_the_way_to_fairness() {
    let text = "MODULE main\nVAR c : boolean; m : 0..3;\n\
                ASSIGN init(m) := 1; next(m) := (m + 1) mod 4; next(c) := {TRUE, FALSE};\n\
                JUSTICE m = 0\nCTLSPEC AF !c\nCTLSPEC AF c\n\
                CTLSPEC E [!c U !c & m = 3]\nCTLSPEC E [c U c & m = 3]\n";
    let results = check_system(&system(text), &Options::default());
    let verdicts: Vec<&Verdict> = results.iter().map(|result| &result.verdict).collect();
    use Verdict::{Fails, Holds};
    // Of the existential ones only the initial states with the right `c` satisfy each.
    assert_eq!(verdicts, [&Fails, &Fails, &Fails, &Fails]);
    assert!(results[..2].iter().all(|result| result.trace.is_some()));
    let text = text.replace("init(m) := 1;", "init(m) := 1; init(c) := TRUE;");
    let results = check_system(&system(&text), &Options::default());
    let verdicts: Vec<&Verdict> = results.iter().map(|result| &result.verdict).collect();
    assert_eq!(verdicts, [&Fails, &Holds, &Fails, &Holds]);
    assert!(results[0].trace.is_some() && results[3].trace.is_some());
}

fn verdicts(text: &str) -> Vec<bool> {
    let results = check_system(&system(text), &Options::default());
    (results.iter())
        .map(|result| result.verdict == Verdict::Holds)
        .collect()
}

/// As in NuSMV: only the initial state with `a` has a fair path.
#[test]
fn initial_states_without_a_fair_path_do_not_count() {
    let text = "MODULE main\nVAR a : boolean; b : boolean;\nASSIGN next(a) := a;\nFAIRNESS a\n\
                CTLSPEC EG TRUE\nCTLSPEC EX TRUE\nCTLSPEC EF a\nCTLSPEC a\nCTLSPEC b\n";
    assert_eq!(verdicts(text), [true, true, true, true, false]);
}

#[test]
fn a_signed_word_that_becomes_shorter_keeps_its_sign() {
    let text = "MODULE main\nVAR s : signed word[4];\n\
                CTLSPEC AG (resize(s, 3) = signed(word1(s < 0sd4_0) :: s[1:0]))\n\
                CTLSPEC AG (resize(s, 3) = signed(s[2:0]))\nCTLSPEC AG (resize(s, 6) = extend(s, 2))\n";
    assert_eq!(verdicts(text), [true, false, true]);
}

/// `INVAR m = 3` is the same expression as `init(m) := 3`, and no part of that assignment.
#[test]
fn a_constraint_that_reads_like_an_assignment_is_not_dropped() {
    let text = "MODULE main\nVAR c : boolean; m : 0..3;\n\
                ASSIGN init(c) := FALSE; init(m) := 3; next(c) := FALSE; next(m) := m > 0 ? m - 1 : 3;\n\
                INVAR m = 3\nCTLSPEC AG AF c\nCTLSPEC EX TRUE\nINVARSPEC m = 3\n";
    assert_eq!(verdicts(text), [true, false, true]);
    let text = "MODULE p(x)\nASSIGN next(x) := 1;\nMODULE main\nVAR x : 0..1; y : boolean; q : process p(x);\n\
                ASSIGN init(x) := 1; init(y) := FALSE;\nTRANS next(x) = 1\nCTLSPEC AG x = 1\nCTLSPEC EF y\n";
    assert_eq!(verdicts(text), [true, true]);
}
