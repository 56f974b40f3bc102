//! The examples of the paper (Smaus and Hoffmann 2008).

use merkhet_heuristics::HeuristicSpec;
use merkhet_heuristics::pa::cases::{Case, Cases};
use merkhet_heuristics::pa::decide::Truth;
use merkhet_heuristics::pa::evaluate::Evaluator;
use merkhet_heuristics::pa::lookup::Lookup;
use merkhet_heuristics::pa::predicate::{self, Condition, Literal};
use merkhet_heuristics::pa::refine::{Predicates, Undo, refine_path};
use merkhet_heuristics::pa::regress::Regression;
use merkhet_heuristics::pa::vector::{self, Letters};
use merkhet_heuristics::pa::{Options, database, evaluate, linear};
use merkhet_network::{BinaryOp, Network};
use merkhet_zones::bound::{le, lt};
use merkhet_zones::zone;

use crate::support::model;

/// The path fragment of figure 2: two updates, then the guard i == j.
const FIGURE_2: &str = "
    int[-100,100] i; int[-100,100] j;
    process P() { state l0, l1, l2, l3; init l0;
      trans l0 -> l1 { assign i = i - 2; }, l1 -> l2 { assign j = j + 1; }, l2 -> l3 { guard i == j; }; }
    system P;";

/// The predicates that a path of these transitions adds.
fn refined(path: &[usize], undo: Undo) -> Vec<String> {
    let (network, goal) = model(FIGURE_2, "E<> P.l3");
    let mut evaluator = Evaluator::new(&network);
    let cases = Cases::new(&mut evaluator, &goal);
    assert_eq!(cases.transitions.len(), 3);
    let path: Vec<&Case> = path.iter().map(|at| &cases.transitions[*at]).collect();
    let mut predicates = Predicates::default();
    refine_path(
        &network,
        &evaluator.slots,
        &mut predicates,
        &path,
        undo,
        100,
    );
    (predicates.list.iter())
        .map(|predicate| predicate.text(&network, &evaluator.slots))
        .collect()
}

#[test]
fn figure_2_generates_the_predicates_of_the_paper() {
    let path = [0, 1, 2];
    assert_eq!(
        refined(&path, Undo::Alive),
        ["i = j", "i = j + 1", "i = j + 3"]
    );
    // Figure 3 undoes an assignment in all predicates that there are, also where they do not belong.
    let mut all = refined(&path, Undo::All);
    all.sort();
    assert_eq!(all, ["i = j", "i = j + 1", "i = j + 2", "i = j + 3"]);
}

#[test]
fn an_infeasible_path_adds_the_location_that_it_is_spurious_for() {
    // l0 -> l1 followed by l2 -> l3.
    for undo in [Undo::All, Undo::Alive] {
        assert_eq!(refined(&[0, 2], undo), ["i = j", "loc(P) = l2"]);
    }
}

fn literal(condition: Condition) -> Literal {
    match condition {
        Condition::Literal(literal) => literal,
        other => panic!("{other:?} is constant"),
    }
}

/// The letters of a vector, with the signs of the literals that the reader wrote.
fn letters(vector: &[u64], columns: &[predicate::Predicate], literals: &[Literal]) -> String {
    let letter = |literal: &Literal| {
        let column = columns.iter().position(|p| *p == literal.predicate);
        match (
            vector::get(vector, column.expect("present")),
            literal.positive,
        ) {
            (Truth::Open, _) => 'U',
            (Truth::True, true) | (Truth::False, false) => 'T',
            _ => 'F',
        }
    };
    literals.iter().map(letter).collect()
}

fn abstraction(network: &Network, goal: &merkhet_network::Formula, literals: &[Literal]) -> Lookup {
    let mut evaluator = Evaluator::new(network);
    let cases = Cases::new(&mut evaluator, goal);
    let predicates = literals.iter().map(|literal| literal.predicate.clone());
    let slots = evaluator.slots.clone();
    let mut regression = Regression::new(&slots, &cases, |_| false, predicates.collect());
    let limits = database::Limits {
        states: 1000,
        bytes: 1 << 20,
    };
    let database = database::Database::build(&mut regression, limits);
    Lookup::new(&slots, database)
}

#[test]
fn section_3_abstracts_a_state_to_ftf() {
    let (network, goal) = model(
        "clock x, y; process P1() { state a, b, c, d; init a; }
         process P2() { state a, b, c, d, e; init a; } system P1, P2;",
        "E<> P1.d",
    );
    let slots = Evaluator::new(&network).slots;
    // loc(1) = 3, x > 2, y = 0; clocks have rows 1 and 2.
    let literals = [
        literal(evaluate::at_location(&slots, 0, 3)),
        literal(predicate::of_clocks(0, 1, lt(-2))),
        literal(predicate::of_clocks(2, 0, le(0))),
    ];
    let mut lookup = abstraction(&network, &goal, &literals);
    // loc(1) = 2, loc(2) = 4, 2 < x < 3 and 4 < y < 5 as x = 2.3 and y = 4.7.
    let mut zone = vec![0; 9];
    zone::init_universal(&mut zone, 3);
    for (left, right, bound) in [(1, 0, lt(3)), (0, 1, lt(-2)), (2, 0, lt(5)), (0, 2, lt(-4))] {
        assert!(zone::constrain(&mut zone, 3, left, right, bound));
    }
    let columns = lookup.database.predicates.clone();
    let vector = lookup.abstraction(&[2, 4], &zone, 3).to_vec();
    assert_eq!(letters(&vector, &columns, &literals), "FTF");
}

/// Values that are remembered stay within their memory, and do not change what is found.
#[test]
fn remembered_values_are_bounded() {
    let (network, goal) = model(
        "int[0,1000] i; process P() { state s; init s; trans s -> s { guard i < 1000; assign i = i + 1; }; } system P;",
        "E<> i == 900",
    );
    let slots = Evaluator::new(&network).slots;
    let below = |bound: i64| {
        let form = linear::Linear {
            terms: vec![(1, 1)],
            constant: -bound,
        };
        literal(predicate::of_comparison(&slots, BinaryOp::LessEqual, &form))
    };
    let literals: Vec<Literal> = (1..40).map(|step| below(step * 25)).collect();
    let zone = vec![le(0)];
    let distances = |room: usize| {
        let mut lookup = abstraction(&network, &goal, &literals);
        lookup.remember_at_most(room);
        let mut most = 0;
        let mut values = Vec::new();
        for at in (0..=1000).chain(0..=1000) {
            values.push(lookup.distance(&[0, at], &zone, 1));
            most = most.max(lookup.remembered_bytes());
        }
        (values, most)
    };
    let (values, most) = distances(1 << 20);
    assert!(most > 2000, "{most}");
    for room in [0, 500, 1500] {
        let (same, most) = distances(room);
        assert_eq!(same, values);
        assert!(most <= room, "{most} of {room}");
    }
}

fn equals_one(slot: u32) -> linear::Linear {
    linear::Linear {
        terms: vec![(slot, 1)],
        constant: -1,
    }
}

fn error_states(query: &str) -> Vec<String> {
    let (network, goal) = model(
        "bool a; bool b; bool c; process P() { state s; init s; } system P;",
        query,
    );
    let mut evaluator = Evaluator::new(&network);
    let cases = Cases::new(&mut evaluator, &goal);
    let slots = evaluator.slots.clone();
    let literals: Vec<Literal> = (1..=3)
        .map(|slot| {
            literal(predicate::of_comparison(
                &slots,
                BinaryOp::Equal,
                &equals_one(slot),
            ))
        })
        .collect();
    let predicates = literals.iter().map(|literal| literal.predicate.clone());
    let mut regression = Regression::new(&slots, &cases, |_| false, predicates.collect());
    let columns = regression.predicates.clone();
    let errors = regression.error_states();
    (errors.iter())
        .map(|vector| letters(vector, &columns, &literals))
        .collect()
}

#[test]
fn the_abstract_error_state_of_related_variables_is_tuu() {
    assert_eq!(error_states("E<> a && b == c"), ["TUU"]);
}

#[test]
fn a_goal_that_says_its_ways_has_an_error_state_for_each() {
    let mut found = error_states("E<> a && (b && c || !b && !c)");
    found.sort();
    assert_eq!(found, ["TFF", "TTT"]);
}

#[test]
fn letters_print_in_the_order_of_the_predicates() {
    let mut vector = vec![0; 2];
    vector::set(&mut vector, 0, Truth::True);
    vector::set(&mut vector, 2, Truth::False);
    assert_eq!(Letters(&vector, 3).to_string(), "TUF");
}

#[test]
fn names_and_options_are_read_and_wrong_ones_explained() {
    let parse = |text: &str| {
        let spec: HeuristicSpec = text.parse().ok()?;
        spec.options::<Options>().map(Options::to_string)
    };
    let right = [
        ("pa:2abs", "pa:2abs(states=5000,layers=10,combine=max)"),
        (
            "pa:2abs(states=100,layers=20,combine=sum)",
            "pa:2abs(states=100,layers=20,combine=sum)",
        ),
        (
            "pa:paths(q=4,l=w/2)",
            "pa:paths(states=5000,layers=10,q=4,l=w/2,combine=max)",
        ),
    ];
    for (text, printed) in right {
        assert_eq!(parse(text), Some(printed.to_string()), "{text}");
    }
    assert_eq!(parse("hl"), None);
    assert_eq!(parse("pax"), None);
    let wrong = [
        ("pa:3abs", "there is no pa:3abs; known are pa, pa:syn"),
        ("pa:2abs(states=0)", "states is a number from 1"),
        ("pa:2abs(q=3)", "q is an option of pa:paths only"),
        ("pa:2abs(states=5", "the closing ')' is missing"),
        ("pa:seed(combine=min)", "combine is max or sum, not 'min'"),
        (
            "pa(size=3)",
            "there is no option 'size'; options are states=N",
        ),
        ("pa:paths(l=w/9)", "l is w/1, w/2, w/3, w/4 or w"),
    ];
    for (text, start) in wrong {
        let error = text.parse::<HeuristicSpec>().expect_err("wrong");
        let message = error.to_string();
        assert!(
            message.starts_with(&format!("heuristic '{text}': {start}")),
            "{message}"
        );
    }
}
