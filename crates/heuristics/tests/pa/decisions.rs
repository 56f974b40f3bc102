//! Decisions over integers against enumeration, and over clocks against the definition.

use merkhet_heuristics::pa::decide::{Problem, Satisfiable, Truth};
use merkhet_heuristics::pa::linear::Linear;
use merkhet_heuristics::pa::predicate::{Condition, Literal, Predicate, of_comparison};
use merkhet_heuristics::pa::slots::Slots;
use merkhet_network::{BinaryOp, Network};
use merkhet_testing::Random;

pub const OPERATORS: [BinaryOp; 6] = [
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::GreaterEqual,
    BinaryOp::Greater,
];

/// Slots with the given ranges: variables of a network without processes.
pub fn slots(ranges: &[(i32, i32)]) -> Slots {
    let mut network = Network::default();
    for (low, high) in ranges {
        network.state_cells.push(merkhet_network::Cell {
            low: *low,
            high: *high,
            initial: *low,
            variable: merkhet_network::VariableId(0),
        });
    }
    Slots::of(&network)
}

/// A random comparison of a linear form with 0.
pub fn comparison(random: &mut Random, slots: usize, largest: i32) -> (BinaryOp, Linear) {
    let mut form = Linear::number(random.between(-largest, largest).into());
    for _ in 0..1 + random.below(3) {
        let slot = Linear::slot(random.below(slots) as u32);
        let by = [1, -1, 1, -1, 2, -2, 3][random.below(7)];
        form = form.plus(&slot, by).expect("small");
    }
    let op = OPERATORS[random.below(6)];
    (op, form)
}

fn value(form: &Linear, values: &[i64]) -> i64 {
    let terms = form.terms.iter();
    form.constant
        + terms
            .map(|(slot, by)| by * values[*slot as usize])
            .sum::<i64>()
}

fn holds(literal: &Literal, slots: &Slots, values: &[i64]) -> bool {
    let truth = match &literal.predicate {
        Predicate::Values { slot, mask } => {
            mask >> (values[*slot as usize] - slots.range(*slot).0) & 1 == 1
        }
        Predicate::AtMost(form) => value(form, values) <= 0,
        Predicate::Zero(form) => value(form, values) == 0,
        Predicate::Clock { .. } => true,
    };
    truth == literal.positive
}

fn valuations(slots: &Slots) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for slot in 0..slots.len() as u32 {
        let (low, high) = slots.range(slot);
        all = (all.iter())
            .flat_map(|values| {
                (low..=high).map(move |value| {
                    let mut values: Vec<i64> = values.clone();
                    values.push(value);
                    values
                })
            })
            .collect();
    }
    all
}

#[test]
fn normal_forms_mean_what_was_compared() {
    let mut random = Random::new(5);
    let slots = slots(&[(-3, 4), (0, 1), (0, 100)]);
    let all = valuations(&slots);
    for _ in 0..400 {
        let (op, form) = comparison(&mut random, 3, 9);
        let condition = of_comparison(&slots, op, &form);
        for values in &all {
            let expected = op.compares(value(&form, values), 0);
            let got = match &condition {
                Condition::Always => true,
                Condition::Never => false,
                Condition::Literal(literal) => holds(literal, &slots, values),
            };
            assert_eq!(
                got, expected,
                "{form:?} {op:?} 0 at {values:?}: {condition:?}"
            );
        }
    }
}

#[test]
fn decisions_over_small_ranges_are_those_of_enumeration() {
    let mut random = Random::new(11);
    let slots = slots(&[(-2, 4), (0, 1), (0, 6), (-1, 3)]);
    let all = valuations(&slots);
    for round in 0..1500 {
        let mut problem = Problem::new(&slots);
        let mut literals = Vec::new();
        for _ in 0..1 + random.below(4) {
            let (op, form) = comparison(&mut random, 4, 7);
            if let Condition::Literal(literal) = of_comparison(&slots, op, &form) {
                problem.add(&literal);
                literals.push(literal);
            }
        }
        let solutions: Vec<&Vec<i64>> = (all.iter())
            .filter(|values| literals.iter().all(|l| holds(l, &slots, values)))
            .collect();
        let satisfiable = problem.satisfiable();
        let expected = match solutions.is_empty() {
            true => Satisfiable::No,
            false => Satisfiable::Yes,
        };
        assert_eq!(satisfiable, expected, "round {round}: {literals:?}");
        let (op, form) = comparison(&mut random, 4, 7);
        let Condition::Literal(literal) = of_comparison(&slots, op, &form) else {
            continue;
        };
        if solutions.is_empty() {
            continue;
        }
        let positive = Literal {
            predicate: literal.predicate.clone(),
            positive: true,
        };
        let count = (solutions.iter())
            .filter(|values| holds(&positive, &slots, values))
            .count();
        let expected = match count {
            0 => Truth::False,
            count if count == solutions.len() => Truth::True,
            _ => Truth::Open,
        };
        let got = problem.decide(&literal.predicate);
        assert_eq!(got, expected, "round {round}: {literals:?} and {literal:?}");
    }
}

#[test]
fn large_ranges_need_no_enumeration() {
    let slots = slots(&[(-32768, 32767); 4]);
    let form = |terms: &[(u32, i64)], constant: i64| Linear {
        terms: terms.to_vec(),
        constant,
    };
    // i <= j − 1, j <= k − 1, k <= i + 1: a circle. And the same with room for a solution.
    for (room, expected) in [(1, Satisfiable::No), (2, Satisfiable::Yes)] {
        let mut problem = Problem::new(&slots);
        let atoms = [
            form(&[(0, 1), (1, -1)], 1),
            form(&[(1, 1), (2, -1)], 1),
            form(&[(0, -1), (2, 1)], -room),
        ];
        for atom in atoms {
            match of_comparison(&slots, BinaryOp::LessEqual, &atom) {
                Condition::Literal(literal) => problem.add(&literal),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(problem.satisfiable(), expected, "room {room}");
    }
    // i + j <= 3 and 2·i + 2·j >= 9, the second with other coefficients than the first.
    let mut problem = Problem::new(&slots);
    for (op, atom) in [
        (BinaryOp::LessEqual, form(&[(0, 1), (1, 1)], -3)),
        (BinaryOp::GreaterEqual, form(&[(0, 2), (1, 2), (2, 1)], -9)),
        (BinaryOp::LessEqual, form(&[(2, 1)], 0)),
    ] {
        match of_comparison(&slots, op, &atom) {
            Condition::Literal(literal) => problem.add(&literal),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(problem.satisfiable(), Satisfiable::No);
}
