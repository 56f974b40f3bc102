//! What the reader makes of SMV text.

use super::tree::{Item, SpecificationKind};
use super::{read_smv, read_specification};

/// Formulas print fully bracketed, so the printed form shows how they were read.
fn check(formula: &str, printed: &str) {
    let specification = read_specification(SpecificationKind::Ctl, formula)
        .unwrap_or_else(|errors| panic!("{formula}: {errors:?}"));
    assert_eq!(specification.formula.to_string(), printed, "{formula}");
}

#[test]
fn precedence() {
    check("a -> b -> c", "(a -> (b -> c))");
    check("a <-> b -> c", "((a <-> b) -> c)");
    check("a & b | c & d", "((a & b) | (c & d))");
    check("a | b xor c", "((a | b) xor c)");
    check("!a = b", "(!a = b)");
    check("a = b & c != d", "((a = b) & (c != d))");
    check("x + 1 mod 4 - 2", "((x + (1 mod 4)) - 2)");
    check("x in a union b", "(x in {a, b})");
    check("x in 1 .. n + 1", "(x in (1..(n + 1)))");
    check("-x * 3", "(-x * 3)");
    check("p ? a : q ? b : c", "(p ? a : (q ? b : c))");
    check("w[3 : 0] :: v", "(w[3:0] :: v)");
}

#[test]
fn temporal_operators_take_comparisons_but_no_conjunctions() {
    check("AG x = 1 & y", "((AG (x = 1)) & y)");
    check("AG EF (p.q)", "(AG (EF p.q))");
    check("!EF a = b", "!(EF (a = b))");
    check("A [ p U q & A [ r U s ] ]", "A [p U (q & A [r U s])]");
    check("E [ (p U q) U s ]", "E [(p U q) U s]");
    check("ABF 2..5 p -> q", "((ABF 2..5 p) -> q)");
    check("E [ p BU 1..3 q ]", "E [p BU 1..3 q]");
    check("F ( X y = 8 | O y < 3)", "(F ((X (y = 8)) | (O (y < 3))))");
    check("p U q S r", "((p U q) S r)");
}

#[test]
fn chains_are_flat_across_brackets() {
    check("((a & b) & c) & (d & e)", "(a & b & c & d & e)");
    check("AG !(a in {b, c, d})", "(AG !(a in {b, c, d}))");
}

#[test]
fn names_contain_dashes_dots_and_numbers() {
    check("e-1.u.ack->reg-1", "(e-1.u.ack -> reg-1)");
    check("a[2].b#1$ = step_1", "(a[2].b#1$ = step_1)");
    check("x -1", "(x - 1)");
}

#[test]
fn word_constants() {
    check("w = 0ud8_255", "(w = 0ud8_255)");
    check("w = 0b_0101", "(w = 0ud4_5)");
    check("w = 0sh8_f0", "(w = 0sd8_240)");
    assert!(read_specification(SpecificationKind::Ctl, "w = 0ud4_16").is_err());
}

#[test]
fn a_broken_line_leaves_the_rest() {
    let text = "MODULE main VAR a : boolean; b : ; c : 0..3; ASSIGN next(c) := ); init(a) := TRUE; SPEC AG a";
    let (program, diagnostics) = read_smv(text);
    assert_eq!(diagnostics.len(), 2, "{diagnostics:?}");
    assert_eq!(program.modules[0].items.len(), 4);
    let starts: Vec<u32> = diagnostics.iter().map(|d| d.span.start).collect();
    assert_eq!(starts, [33, 63]);
}

#[test]
fn a_broken_specification_leaves_the_others() {
    let text = "MODULE main VAR a : boolean; SPEC AG ) LTLSPEC F ); PSLSPEC always a; SPEC AG a";
    let (program, diagnostics) = read_smv(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(program.modules[0].items.len(), 5);
    let unread: Vec<&str> = program.unread().map(|one| one.text.as_str()).collect();
    assert_eq!(unread, ["AG )", "F )", "always a"]);
    assert!(program.unread().all(|one| one.diagnostics.len() == 1));
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    for text in [
        "(".repeat(100_000),
        "!".repeat(100_000),
        "-".repeat(100_000),
        "a -> ".repeat(100_000),
        format!("a{}", " + a".repeat(100_000)),
        format!("a{}", "[0]".repeat(100_000)),
        "AG ".repeat(100_000),
        "case a : ".repeat(100_000),
    ] {
        let (program, diagnostics) = read_smv(&format!("MODULE main SPEC {text}"));
        assert!(program.unread().count() == 1 || !diagnostics.is_empty());
        let (_, diagnostics) = read_smv(&format!("MODULE main INIT {text}"));
        assert!(!diagnostics.is_empty());
    }
    let long = format!("MODULE main TRANS a{}", " | a & b".repeat(100_000));
    assert!(read_smv(&long).1.is_empty(), "long chains are not deep");
}

#[test]
fn sections_of_all_kinds() {
    let text = "MODULE m(x, y) ISA base CONSTANTS on, off; VAR a : array 1..3 of {1, on, -2}; \
        p : process q(a[1], !x); w : unsigned word[8]; IVAR i : boolean; FROZENVAR f : 0..7; \
        DEFINE d := a[1]; p.z := TRUE; ASSIGN init(w) := 0ud8_0; next(f) := f; i := TRUE; \
        INIT a TRANS next(a) = a; INVAR a FAIRNESS running JUSTICE a COMPASSION (a, b) \
        SPEC NAME s1 := AG a; CTLSPEC EF a IN p.q LTLSPEC G a INVARSPEC a; COMPUTE MIN [a, b] \
        /-- a comment --/ -- and another";
    let (program, diagnostics) = read_smv(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let items = &program.modules[0].items;
    assert_eq!(items.len(), 23);
    let specs = items
        .iter()
        .filter(|item| matches!(item, Item::Specification(_)))
        .count();
    assert_eq!(specs, 5);
}

#[test]
fn all_shared_models_are_read_without_complaint() {
    let Some(models) = merkhet_testing::shared("smv/models") else {
        return;
    };
    let mut count = 0;
    for folder in std::fs::read_dir(models).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "smv") {
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let (program, diagnostics) = read_smv(&String::from_utf8_lossy(&bytes));
            assert!(
                diagnostics.is_empty() && program.unread().next().is_none(),
                "{}: {diagnostics:?}",
                path.display()
            );
            assert!(
                program
                    .modules
                    .iter()
                    .any(|module| module.name.text == "main")
            );
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}
