//! What lowering makes of SMV text.

use super::lower_smv;
use merkhet_finite::System;
use merkhet_smv::read_smv;

fn lower(text: &str) -> Result<System, Vec<&'static str>> {
    let (program, diagnostics) = read_smv(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let lowered = lower_smv(&program);
    let own = lowered.queries.iter().flat_map(|query| &query.diagnostics);
    let codes: Vec<&str> = lowered
        .diagnostics
        .iter()
        .chain(own)
        .map(|d| d.code)
        .collect();
    match (lowered.system, codes.is_empty()) {
        (Some(system), true) => Ok(system),
        _ => Err(codes),
    }
}

/// The text lowers to a system with these variables.
fn check(text: &str, names: &[&str]) -> System {
    let system = lower(text).unwrap_or_else(|codes| panic!("{codes:?}"));
    let found: Vec<&str> = system.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(found, names);
    system
}

/// The text is refused with these diagnostics.
fn check_errors(text: &str, codes: &[&str]) {
    assert_eq!(lower(text).err().as_deref(), Some(codes), "{text}");
}

#[test]
fn instances_arrays_and_parameters() {
    let system = check(
        "MODULE main VAR c : cell(b[2], self); b : array 1..2 of array 0..0 of boolean; \
         MODULE cell(x, top) VAR v : 0..3; DEFINE y := x[0] & top.c.v = 1; \
         ASSIGN next(v) := case y : 2; TRUE : v; esac; SPEC AG y",
        &["c.v", "b[1][0]", "b[2][0]"],
    );
    assert_eq!(system.events.len(), 1);
    assert_eq!(system.specifications[0].text, "AG y IN c");
}

#[test]
fn definitions_may_land_in_other_instances() {
    check(
        "MODULE main VAR l : left; r : right(l); INVAR l.ack MODULE left VAR a : boolean; \
         INVAR ack MODULE right(other) DEFINE other.ack := other.a;",
        &["l.a"],
    );
}

#[test]
fn processes_interleave() {
    let system = check(
        "MODULE main VAR x : boolean; p : process m(x); q : process m(y); y : boolean; \
         MODULE m(z) VAR own : boolean; ASSIGN next(z) := !z; FAIRNESS running",
        &["x", "p.own", "q.own", "y", "_process_selector_"],
    );
    assert_eq!(system.events.len(), 3);
    let unchanged: Vec<Vec<&str>> = system
        .events
        .iter()
        .map(|event| {
            event
                .unchanged
                .iter()
                .map(|&id| system.variable(id).name.as_str())
                .collect()
        })
        .collect();
    // Variables that nobody assigns stay free.
    assert_eq!(unchanged, [vec!["x", "y"], vec!["y"], vec!["x"]]);
    assert_eq!(system.justice.len(), 2);
}

#[test]
fn inheritance_takes_over_sections() {
    check(
        "MODULE base VAR s : {on, off}; DEFINE is := s = on; \
         MODULE main ISA base VAR t : boolean; INVAR is = t",
        &["s", "t"],
    );
}

#[test]
fn refusals() {
    let main =
        |body: &str| format!("MODULE main VAR x : 0..3; b : boolean; IVAR i : boolean; {body}");
    for (body, code) in [
        ("INVAR y", "unknown-name"),
        ("INVAR x", "not-boolean"),
        ("INVAR b + 1 = 2", "type-mismatch"),
        ("INVAR next(b)", "misplaced-next"),
        ("TRANS next(i)", "next-of-input"),
        ("TRANS next(next(b))", "nested-next"),
        ("INVAR i", "misplaced-input"),
        ("ASSIGN next(x) := b;", "type-mismatch"),
        ("ASSIGN x := 1; next(x) := 2;", "assigned-twice"),
        ("ASSIGN i := TRUE;", "assigned-input"),
        ("ASSIGN b := !b;", "circular-assignment"),
        (
            "VAR c : boolean; ASSIGN next(b) := !next(c); next(c) := next(b);",
            "circular-assignment",
        ),
        (
            "VAR c : boolean; ASSIGN init(b) := c; c := b;",
            "circular-assignment",
        ),
        ("DEFINE d := e; e := d; INVAR d", "endless-definition"),
        ("VAR y : 3..1;", "bad-range"),
        ("VAR y : nothing;", "unknown-module"),
        ("COMPASSION (next(b), b)", "misplaced-next"),
        ("COMPASSION (b, b) SPEC AG b", "unsupported"),
        ("SPEC AG i", "misplaced-input"),
        ("SPEC G b", "wrong-logic"),
        ("LTLSPEC AG b", "wrong-logic"),
        ("INVAR {b, TRUE}", "misplaced-set"),
        ("VAR b : boolean;", "declared-twice"),
        ("VAR m : main;", "endless-instances"),
    ] {
        check_errors(&main(body), &[code]);
    }
    check_errors("MODULE other", &["unknown-module"]);
}

/// Reading the state before is no circle, nor is a chain.
#[test]
fn assignments_that_end_are_no_circles() {
    for body in [
        "ASSIGN next(b) := !b;",
        "VAR c : boolean; ASSIGN c := b; next(b) := !c;",
        "VAR c : boolean; d : boolean; ASSIGN d := c; c := b;",
    ] {
        let text = format!("MODULE main VAR b : boolean; {body}");
        assert_eq!(lower(&text).err(), None, "{text}");
    }
}

#[test]
fn long_chains_of_definitions_do_not_overflow() {
    let mut text = "MODULE main VAR b : boolean; DEFINE d0 := b;".to_owned();
    for number in 1..60_000 {
        text += &format!(" d{number} := !d{} & b;", number - 1);
    }
    check_errors(&format!("{text} INVAR d59999"), &["nested-too-deep"]);
    lower(&format!("{text} INVAR d1000")).unwrap();
}

#[test]
fn all_shared_models_are_lowered_without_complaint() {
    let Some(models) = merkhet_testing::shared("smv/models") else {
        return;
    };
    for folder in std::fs::read_dir(models).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "smv") {
                continue;
            }
            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            let (program, _) = read_smv(&text);
            let lowered = lower_smv(&program);
            let bad = lowered.queries.iter().flat_map(|query| &query.diagnostics);
            let bad: Vec<_> = lowered.diagnostics.iter().chain(bad).collect();
            assert!(
                lowered.system.is_some() && bad.is_empty(),
                "{}: {bad:#?}",
                path.display()
            );
        }
    }
}
