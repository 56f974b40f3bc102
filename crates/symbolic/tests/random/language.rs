//! What the language says of steps: inputs and `next` in specifications, strong fairness, intervals of steps; arrays by
//! their elements. Verdicts are those of NuSMV 2.5.4, where it reads the text.

use super::model::{Random, condition, model, system};
use merkhet_symbolic::check::{Options, Verdict, check_system};
use std::fmt::Write;

/// The verdicts of all specifications; those that fail on paths have a trace.
fn check(text: &str, expected: &[bool]) {
    let results = check_system(&system(text), &Options::default());
    for result in &results {
        let known = matches!(result.verdict, Verdict::Holds | Verdict::Fails);
        assert!(known, "{:?} {}\n{text}", result.verdict, result.text);
        let fails = result.verdict == Verdict::Fails;
        assert!(
            !fails || result.trace.is_some(),
            "{:?} {}",
            result.notes,
            result.text
        );
    }
    let verdicts = results
        .iter()
        .map(|result| result.verdict == Verdict::Holds);
    assert_eq!(verdicts.collect::<Vec<_>>(), expected, "{text}");
}

const INPUT: &str = "MODULE main\nIVAR i : boolean;\nVAR x : boolean;\n\
                     ASSIGN init(x) := FALSE; next(x) := i;\n";

#[test]
fn linear_time_speaks_of_inputs_and_of_values_after_the_step() {
    let text = "LTLSPEC G (i -> X x)\nLTLSPEC G (x <-> Y i)\nLTLSPEC G F i\nLTLSPEC G (next(x) <-> i)\n\
                LTLSPEC G !i\nLTLSPEC F i -> F x\nLTLSPEC G next(x)\n";
    check(
        &format!("{INPUT}{text}"),
        &[true, true, false, true, false, true, false],
    );
}

#[test]
fn invariants_speak_of_steps() {
    let text =
        "INVARSPEC i -> next(x)\nINVARSPEC next(x) = i\nINVARSPEC x -> next(x)\nINVARSPEC !i\n";
    check(&format!("{INPUT}{text}"), &[true, true, false, false]);
}

#[test]
fn a_state_without_a_step_violates_no_condition_on_steps() {
    let text = "MODULE main\nVAR x : boolean;\nINIT !x\nTRANS x\nINVARSPEC next(x)\nINVARSPEC next(x) & x\n";
    check(text, &[true, true]);
}

#[test]
fn linear_time_speaks_of_who_runs() {
    let text = "MODULE inc(x, y)\nASSIGN next(x) := !y;\nMODULE main\n\
                VAR a : boolean; b : boolean; p : process inc(a,b); q : process inc(b,a);\n\
                ASSIGN init(a) := FALSE; init(b) := FALSE;\n\
                LTLSPEC G F p.running -> F (a | b)\nLTLSPEC F (a | b)\nLTLSPEC G (p.running -> X a)\n";
    check(text, &[true, false, false]);
}

#[test]
fn strong_fairness_counts_in_linear_time() {
    let text = "MODULE main\nVAR x : boolean; y : boolean;\nCOMPASSION (x, y)\n\
                LTLSPEC G F x -> G F y\nLTLSPEC G F y\nLTLSPEC F G !x | G F y\nLTLSPEC G x\nINVARSPEC !x\n";
    check(text, &[true, false, true, false, false]);
    // One that counts on inputs.
    let text = "MODULE main\nIVAR i : boolean;\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := i;\n\
                COMPASSION (TRUE, i)\nLTLSPEC G F x\nLTLSPEC F G x\n";
    check(text, &[true, false]);
}

#[test]
fn intervals_of_steps_in_linear_time() {
    let text = "MODULE main\nVAR n : 0..5;\nASSIGN init(n) := 0; next(n) := n < 5 ? n + 1 : 5;\n\
                LTLSPEC F [2, 4] n = 3\nLTLSPEC F [0, 2] n = 3\nLTLSPEC G [1, 3] n < 4\nLTLSPEC G [0, 4] n < 4\n\
                LTLSPEC G (n = 4 -> O [1, 2] n = 2)\nLTLSPEC G (n = 4 -> O [0, 1] n = 2)\n\
                LTLSPEC G (n = 3 -> H [1, 2] n < 3)\nLTLSPEC H [0, 3] n = 0\n";
    check(text, &[true, false, true, false, true, false, true, true]);
}

#[test]
fn arrays_are_defined_by_their_elements() {
    let text = "MODULE main\nDEFINE tbl := [3, 1, 2, 0]; mat := [[1, 2], [3, 4]];\nVAR i : 0..3; j : 0..1;\n\
                ASSIGN init(i) := 0; next(i) := tbl[i];\n\
                INVARSPEC i != 1 & i != 2\nINVARSPEC mat[1][0] = 3\nINVARSPEC mat[0][j] <= 2\nINVARSPEC i = 0\n\
                PRED i = 0;\nMIRROR i;\nINVARSPEC TRUE\n";
    check(text, &[true, true, true, false, true]);
}

#[test]
fn wide_ranges_are_decided() {
    let text = "MODULE main\nVAR n : 0..200000; b : boolean;\nASSIGN init(n) := 0; next(n) := n < 100000 ? n + 1 : n;\n\
                INVARSPEC n != 3\n";
    check(text, &[false]);
}

/// Strong fairness says the same as a formula.
#[test]
fn strong_fairness_is_a_premise() {
    for seed in 0..super::seeds(40) {
        let (text, mut random) = model(seed);
        let [p, q] = [condition(&mut random, 1), condition(&mut random, 1)];
        let compassion = format!("COMPASSION ({p}, {q})\n");
        let premise = format!("((G F ({p})) -> G F ({q}))");
        let mut strong = format!("{text}{compassion}");
        let mut weak = text.clone();
        for _ in 0..3 {
            let formula = formula(&mut random, 2);
            let _ = writeln!(strong, "LTLSPEC {formula}");
            let _ = writeln!(weak, "LTLSPEC {premise} -> ({formula})");
        }
        let verdicts = |text: &str| -> Vec<Verdict> {
            let results = check_system(&system(text), &Options::default());
            results.into_iter().map(|result| result.verdict).collect()
        };
        assert_eq!(verdicts(&strong), verdicts(&weak), "{strong}");
    }
}

/// A formula of linear time.
fn formula(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return condition(random, 1);
    }
    let a = formula(random, depth - 1);
    match random.below(7) {
        0 => format!("!({a})"),
        1 => format!("(({a}) & ({}))", formula(random, depth - 1)),
        2 => format!("(({a}) U ({}))", formula(random, depth - 1)),
        3 => format!("X ({a})"),
        4 => format!("F ({a})"),
        5 => format!("O ({a})"),
        _ => format!("G ({a})"),
    }
}
