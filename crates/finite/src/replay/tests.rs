//! What traces show.

use super::{Judgement, judge, shows};
use crate::trace::Trace;
use crate::{
    Ctl, Domain, Event, ExpressionId, Formula, Ltl, Role, System, Value, Variable, VariableId,
};

/// A counter from 0 to 3 that starts anew, and the condition that it is 0, 1, 2, 3.
fn counter() -> (System, Vec<ExpressionId>) {
    let mut system = System::default();
    system.variables.push(Variable {
        name: "n".into(),
        domain: Domain::Values((0..4).map(Value::Integer).collect()),
        role: Role::State,
    });
    let id = VariableId(0);
    let variable = system.variables[0].clone();
    let now = system.expressions.variable(id, &variable, false);
    let next = system.expressions.variable(id, &variable, true);
    let mut conditions = Vec::new();
    let mut steps = Vec::new();
    for value in 0..4 {
        let constant = system.expressions.constant(Value::Integer(value));
        let after = system.expressions.constant(Value::Integer((value + 1) % 4));
        let is = system.expressions.equal(now, constant);
        let becomes = system.expressions.equal(next, after);
        steps.push(system.expressions.and([is, becomes]));
        conditions.push(is);
    }
    let relation = vec![system.expressions.or(steps)];
    system.initial.push(conditions[0]);
    system.events.push(Event {
        relation,
        ..Event::default()
    });
    (system, conditions)
}

fn path(values: &[i64], loop_start: Option<usize>) -> Trace {
    let states = values
        .iter()
        .map(|value| vec![Value::Integer(*value)])
        .collect();
    Trace { states, loop_start }
}

#[test]
fn paths_are_judged() {
    let (system, is) = counter();
    let check = |values: &[i64], loop_start, good: bool| {
        let verdict = judge(&system, &path(values, loop_start), Judgement::Path);
        assert_eq!(verdict.is_ok(), good, "{values:?}: {verdict:?}");
    };
    check(&[0, 1, 2], None, true);
    check(&[0, 1, 2, 3, 0], Some(0), true);
    check(&[1, 2], None, false);
    check(&[0, 2], None, false);
    check(&[0, 1, 2], Some(0), false);
    check(&[0, 4], None, false);
    check(&[], None, false);
    assert!(judge(&system, &path(&[0, 1], None), Judgement::Violates(is[0])).is_ok());
    assert!(judge(&system, &path(&[0, 1], None), Judgement::Violates(is[1])).is_err());
}

#[test]
fn branching_formulas_have_three_values_on_a_path() {
    let (system, is) = counter();
    let atom = |value: usize| Box::new(Ctl::Atom(is[value]));
    let not = |formula: Ctl| Box::new(Ctl::Not(Box::new(formula)));
    let check = |formula: Ctl, values: &[i64], loop_start, expected: Option<bool>| {
        let shown = shows(
            &system,
            &path(values, loop_start),
            &Formula::Ctl(formula.clone()),
        );
        assert_eq!(shown, Ok(expected), "{formula:?} on {values:?}");
    };
    check(Ctl::Ef(None, atom(2)), &[0, 1, 2], None, Some(true));
    check(Ctl::Ef(None, atom(3)), &[0, 1, 2], None, None);
    check(Ctl::Ag(None, atom(0)), &[0, 1], None, Some(false));
    check(Ctl::Ag(None, atom(0)), &[0], None, None);
    check(Ctl::Ex(atom(1)), &[0, 1], None, Some(true));
    check(Ctl::Ax(atom(2)), &[0, 1], None, Some(false));
    check(Ctl::Eu(None, atom(0), atom(1)), &[0, 1], None, Some(true));
    check(Ctl::Eu(None, atom(0), atom(2)), &[0, 1, 2], None, None);
    check(Ctl::Au(None, atom(0), atom(2)), &[0, 1], None, Some(false));
    check(Ctl::Eg(None, not(Ctl::Atom(is[3]))), &[0, 1, 2], None, None);
    let round = [0, 1, 2, 3, 0];
    check(
        Ctl::Eg(None, Box::new(Ctl::Ef(None, atom(3)))),
        &round,
        Some(0),
        Some(true),
    );
    check(Ctl::Af(None, atom(3)), &round, Some(0), None);
    check(
        Ctl::Af(
            None,
            Box::new(Ctl::And(vec![Ctl::Atom(is[0]), Ctl::Atom(is[1])])),
        ),
        &round,
        Some(0),
        Some(false),
    );
}

#[test]
fn linear_formulas_have_one_value_on_an_endless_path() {
    let (system, is) = counter();
    let atom = |value: usize| Box::new(Ltl::Atom(is[value]));
    let not = |formula: Box<Ltl>| Box::new(Ltl::Not(formula));
    let truth = || Box::new(Ltl::And(Vec::new()));
    let check = |formula: Ltl, expected: bool| {
        let trace = path(&[0, 1, 2, 3, 0], Some(0));
        let shown = shows(&system, &trace, &Formula::Ltl(formula.clone()));
        assert_eq!(shown, Ok(Some(expected)), "{formula:?}");
    };
    check(Ltl::Next(atom(1)), true);
    check(Ltl::Until(truth(), atom(3)), true);
    check(Ltl::Until(not(atom(2)), atom(3)), false);
    // Always, some day 0: not (true U not (true U 0)).
    check(
        *not(Box::new(Ltl::Until(
            truth(),
            not(Box::new(Ltl::Until(truth(), atom(0)))),
        ))),
        true,
    );
    // Some day 0 with 3 just before: only in the second round.
    let again = Ltl::And(vec![*atom(0), Ltl::Yesterday(atom(3))]);
    check(Ltl::Until(truth(), Box::new(again)), true);
    check(Ltl::Yesterday(atom(3)), false);
    // Some day 0, and since a 2 no 1.
    let since = Ltl::And(vec![*atom(0), Ltl::Since(not(atom(1)), atom(2))]);
    check(Ltl::Until(truth(), Box::new(since)), true);
}
