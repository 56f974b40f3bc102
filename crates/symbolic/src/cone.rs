//! Cone of influence: variables that cannot matter for a formula are left out.
//!
//! Only variables whose values come from assignments alone are ever left out: an assignment always
//! has a value, so leaving it out removes no behaviour of the others. Variables in `INIT`, `TRANS`,
//! `INVAR` and fairness constraints are always kept, because a constraint can forbid a step or a
//! state altogether. Assignments that depend on each other in a circle are constraints, too.

use crate::system::{
    Assignment, AssignmentTime, Domain, ExpressionId, Formula, Role, System, VariableId,
};
use crate::system::{Ctl, Ltl};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The variables that matter for a formula.
pub fn cone_of_influence(system: &System, formula: &Formula) -> BTreeSet<VariableId> {
    let assigned = Assigned::new(system, |_| true);
    let mut roots = atoms(formula);
    roots.extend(&system.justice);
    for (premise, conclusion) in &system.compassion {
        roots.extend([premise, conclusion]);
    }
    let others = |all: &[ExpressionId], time: AssignmentTime| -> Vec<ExpressionId> {
        let ids = all.iter().copied();
        ids.filter(|&id| !assigned.contains(time, id)).collect()
    };
    roots.extend(others(&system.initial, AssignmentTime::Initial));
    roots.extend(others(&system.invariants, AssignmentTime::Always));
    for (number, event) in system.events.iter().enumerate() {
        roots.extend(others(&event.relation, AssignmentTime::Next(number)));
    }
    let mut of_variable: Vec<Vec<&Assignment>> = vec![Vec::new(); system.variables.len()];
    for assignment in &system.assignments {
        of_variable[assignment.variable.index()].push(assignment);
    }
    let support = system.support(&roots);
    let mut cone = BTreeSet::new();
    let mut waiting: Vec<VariableId> = support.current.into_iter().chain(support.next).collect();
    let inputs = system
        .variable_ids()
        .filter(|&id| system.variable(id).role == Role::Input);
    waiting.extend(inputs);
    loop {
        close(system, &of_variable, &mut cone, waiting);
        waiting = circular(system, &of_variable, &cone);
        if waiting.is_empty() {
            return cone;
        }
    }
}

/// The constraints that assignments amount to, by the time at which they apply: equal expressions are one, so that `INVAR x = 3`
/// is the same expression as `init(x) := 3`, but no assignment.
struct Assigned {
    initial: FxHashSet<ExpressionId>,
    always: FxHashSet<ExpressionId>,
    next: FxHashSet<(usize, ExpressionId)>,
}

impl Assigned {
    fn new(system: &System, wanted: impl Fn(&Assignment) -> bool) -> Assigned {
        let mut assigned = Assigned {
            initial: FxHashSet::default(),
            always: FxHashSet::default(),
            next: FxHashSet::default(),
        };
        for assignment in system.assignments.iter().filter(|one| wanted(one)) {
            let id = assignment.constraint;
            match assignment.time {
                AssignmentTime::Initial => assigned.initial.insert(id),
                AssignmentTime::Always => assigned.always.insert(id),
                AssignmentTime::Next(event) => assigned.next.insert((event, id)),
            };
        }
        assigned
    }

    fn contains(&self, time: AssignmentTime, id: ExpressionId) -> bool {
        match time {
            AssignmentTime::Initial => self.initial.contains(&id),
            AssignmentTime::Always => self.always.contains(&id),
            AssignmentTime::Next(event) => self.next.contains(&(event, id)),
        }
    }
}

/// Adds all variables that the waiting ones depend on.
fn close(
    system: &System,
    of_variable: &[Vec<&Assignment>],
    cone: &mut BTreeSet<VariableId>,
    mut waiting: Vec<VariableId>,
) {
    while let Some(id) = waiting.pop() {
        if !cone.insert(id) {
            continue;
        }
        let values: Vec<ExpressionId> = of_variable[id.index()]
            .iter()
            .map(|assignment| assignment.value)
            .collect();
        let support = system.support(&values);
        waiting.extend(
            support
                .current
                .union(&support.next)
                .filter(|id| !cone.contains(id)),
        );
    }
}

/// Variables outside the cone whose assignments depend on each other at one moment.
fn circular(
    system: &System,
    of_variable: &[Vec<&Assignment>],
    cone: &BTreeSet<VariableId>,
) -> Vec<VariableId> {
    let outside: Vec<VariableId> = system
        .variable_ids()
        .filter(|id| !cone.contains(id))
        .collect();
    let mut needs: Vec<BTreeSet<VariableId>> = vec![BTreeSet::new(); system.variables.len()];
    for &id in &outside {
        for assignment in &of_variable[id.index()] {
            let support = system.support(&[assignment.value]);
            let same_moment = match assignment.time {
                AssignmentTime::Next(_) => support.next,
                _ => support.current,
            };
            needs[id.index()].extend(same_moment.iter().filter(|id| !cone.contains(id)));
        }
    }
    // Take away what needs nothing that is left; what remains is (or needs) a circle.
    let mut left: BTreeSet<VariableId> = outside.into_iter().collect();
    loop {
        let free: Vec<VariableId> = left
            .iter()
            .filter(|id| needs[id.index()].is_disjoint(&left))
            .copied()
            .collect();
        if free.is_empty() {
            return left.into_iter().collect();
        }
        for id in free {
            left.remove(&id);
        }
    }
}

/// The system without the variables outside the cone. Numbers stay the same; variables that are
/// left out keep one value of their domain, and take no bits.
pub fn restrict_to_cone(system: &System, cone: &BTreeSet<VariableId>) -> System {
    let mut reduced = system.clone();
    for id in system.variable_ids().filter(|id| !cone.contains(id)) {
        let first = system.variable(id).domain.value(0);
        reduced.variables[id.index()].domain = Domain::Values(first.into_iter().collect());
    }
    let dropped = Assigned::new(system, |assignment| !cone.contains(&assignment.variable));
    reduced
        .assignments
        .retain(|assignment| cone.contains(&assignment.variable));
    let dropped = &dropped;
    let kept = |time| move |id: &ExpressionId| !dropped.contains(time, *id);
    reduced.initial.retain(kept(AssignmentTime::Initial));
    reduced.invariants.retain(kept(AssignmentTime::Always));
    for (number, event) in reduced.events.iter_mut().enumerate() {
        event.relation.retain(kept(AssignmentTime::Next(number)));
        event.unchanged.retain(|id| cone.contains(id));
    }
    reduced
}

/// The conditions inside a formula.
pub(crate) fn atoms(formula: &Formula) -> Vec<ExpressionId> {
    let mut found = Vec::new();
    match formula {
        Formula::Invariant(id) => found.push(*id),
        Formula::PathLength { from, to, .. } => found.extend([*from, *to]),
        Formula::Ctl(formula) => ctl_atoms(formula, &mut found),
        Formula::Ltl(formula) => ltl_atoms(formula, &mut found),
    }
    found
}

fn ctl_atoms(formula: &Ctl, found: &mut Vec<ExpressionId>) {
    match formula {
        Ctl::Atom(id) => found.push(*id),
        Ctl::And(parts) | Ctl::Or(parts) => parts.iter().for_each(|part| ctl_atoms(part, found)),
        Ctl::Not(a) | Ctl::Ex(a) | Ctl::Ax(a) => ctl_atoms(a, found),
        Ctl::Ef(_, a) | Ctl::Eg(_, a) | Ctl::Af(_, a) | Ctl::Ag(_, a) => ctl_atoms(a, found),
        Ctl::Eu(_, a, b) | Ctl::Au(_, a, b) => {
            ctl_atoms(a, found);
            ctl_atoms(b, found);
        }
    }
}

fn ltl_atoms(formula: &Ltl, found: &mut Vec<ExpressionId>) {
    match formula {
        Ltl::Atom(id) => found.push(*id),
        Ltl::And(parts) | Ltl::Or(parts) => parts.iter().for_each(|part| ltl_atoms(part, found)),
        Ltl::Not(a) | Ltl::Next(a) | Ltl::Yesterday(a) => ltl_atoms(a, found),
        Ltl::Until(a, b) | Ltl::Since(a, b) => {
            ltl_atoms(a, found);
            ltl_atoms(b, found);
        }
    }
}
