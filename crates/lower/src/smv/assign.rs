//! Assignments, constraints, fairness and processes: the events of the system.

use super::circular::{Reads, cycle};
use super::{Lower, Lowering};
use merkhet_finite::{
    Assignment, AssignmentTime, Domain, Event, ExpressionId, Kind, Node, Role, VariableId,
};
use merkhet_smv::tree::*;
use merkhet_syntax::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What is assigned where, to find variables that are assigned twice.
#[derive(Default)]
struct Assigned {
    /// By variable and kind; `next` also by process.
    places: FxHashMap<(VariableId, AssignKind, usize), Span>,
    /// The next-state constraints of each process.
    relations: Vec<Vec<(VariableId, ExpressionId)>>,
    trans: Vec<ExpressionId>,
    /// What assignments read, to find those that go in circles.
    reads: Vec<Reads>,
}

impl<'t> Lowering<'t> {
    pub(super) fn constraints(&mut self) {
        let mut assigned = Assigned::default();
        assigned
            .relations
            .resize_with(self.processes.len(), Vec::new);
        for scope in 0..self.instances.len() {
            for item in self.instances[scope].items.clone() {
                // Errors have been reported; the other lines are checked all the same.
                let _ = self.item(scope, item, &mut assigned);
            }
        }
        if let Some(circular) = cycle(&assigned.reads) {
            let name = &self.system.variable(circular.variable).name;
            let message =
                format!("`{name}` is defined by itself, perhaps by way of other variables");
            let _: Lower<()> = self.fail("circular-assignment", message, circular.span);
        }
        self.build_events(&assigned);
    }

    fn item(&mut self, scope: usize, item: &'t Item, assigned: &mut Assigned) -> Lower<()> {
        match item {
            Item::Assign {
                kind,
                target,
                value,
            } => self.assignment(scope, *kind, target, value, assigned),
            Item::Constraint { kind, value } => {
                let id = self.condition(scope, value)?;
                self.check_times(id, *kind == ConstraintKind::Trans, value.span)?;
                match kind {
                    ConstraintKind::Init => self.system.initial.push(id),
                    ConstraintKind::Invar => self.system.invariants.push(id),
                    ConstraintKind::Trans => assigned.trans.push(id),
                }
                Ok(())
            }
            Item::Justice(condition) => {
                let id = self.condition(scope, condition)?;
                if !self.system.support(&[id]).next.is_empty() {
                    return self.fail("misplaced-next", "`next` in fairness", condition.span);
                }
                if !self.system.justice.contains(&id) {
                    self.system.justice.push(id);
                }
                Ok(())
            }
            Item::Compassion(premise, conclusion) => {
                let mut ids = [None; 2];
                for (id, condition) in ids.iter_mut().zip([premise, conclusion]) {
                    let lowered = self.condition(scope, condition)?;
                    if !self.system.support(&[lowered]).next.is_empty() {
                        return self.fail("misplaced-next", "`next` in fairness", condition.span);
                    }
                    *id = Some(lowered);
                }
                if let [Some(premise), Some(conclusion)] = ids
                    && !self.system.compassion.contains(&(premise, conclusion))
                {
                    self.system.compassion.push((premise, conclusion));
                }
                Ok(())
            }
            Item::Variable { .. }
            | Item::Define { .. }
            | Item::Constants(_)
            | Item::Specification(_)
            | Item::Unread(_)
            | Item::Ignored
            | Item::Isa(_) => Ok(()),
        }
    }

    /// `INIT`, `INVAR`, `init(x) :=` and `x :=` speak of one state, without inputs.
    fn check_times(&mut self, id: ExpressionId, transition: bool, span: Span) -> Lower<()> {
        if transition {
            return Ok(());
        }
        let support = self.system.support(&[id]);
        if !support.next.is_empty() {
            return self.fail("misplaced-next", "`next` is only for transitions", span);
        }
        let input = support
            .current
            .iter()
            .find(|v| self.system.variable(**v).role == Role::Input);
        if let Some(&input) = input {
            let name = &self.system.variable(input).name;
            let message = format!("the input `{name}` is only for transitions");
            return self.fail("misplaced-input", message, span);
        }
        Ok(())
    }

    fn assignment(
        &mut self,
        scope: usize,
        kind: AssignKind,
        target: &'t Expression,
        value: &'t Expression,
        assigned: &mut Assigned,
    ) -> Lower<()> {
        let variable = self.resolve_variable(scope, target)?;
        match self.system.variable(variable).role {
            Role::Input => {
                return self.fail("assigned-input", "inputs are not assigned", target.span);
            }
            Role::Frozen if kind == AssignKind::Next => {
                return self.fail(
                    "assigned-frozen",
                    "frozen variables never change",
                    target.span,
                );
            }
            _ => {}
        }
        let process = self.instances[scope].process;
        self.check_assigned_once(variable, kind, process, target.span, assigned)?;
        let id = self.expression(scope, value)?;
        let id = self.fit(variable, id, value.span)?;
        self.check_times(id, kind == AssignKind::Next, value.span)?;
        let support = self.system.support(&[id]);
        let reads = match kind {
            AssignKind::Next => support.next,
            _ => support.current,
        };
        assigned.reads.push(Reads {
            kind,
            process,
            variable,
            reads: reads.into_iter().collect(),
            span: target.span,
        });
        let left = self.variable(variable, kind == AssignKind::Next);
        let constraint = if self.system.expressions.type_of(id).set {
            self.system.expressions.relation(Node::In(left, id))
        } else {
            self.system.expressions.equal(left, id)
        };
        let time = match kind {
            AssignKind::Init => AssignmentTime::Initial,
            AssignKind::Current => AssignmentTime::Always,
            // Events are numbered as processes, see `build_events`.
            AssignKind::Next => AssignmentTime::Next(process),
        };
        self.system.assignments.push(Assignment {
            variable,
            value: id,
            constraint,
            time,
            place: Some(self.place(value.span)),
        });
        match kind {
            AssignKind::Init => self.system.initial.push(constraint),
            AssignKind::Current => self.system.invariants.push(constraint),
            AssignKind::Next => {
                if let Some(relation) = assigned.relations.get_mut(process) {
                    relation.push((variable, constraint));
                }
            }
        }
        Ok(())
    }

    /// A variable has one assignment of each kind (`next`: for each process), and either
    /// `x :=` or the other two.
    fn check_assigned_once(
        &mut self,
        variable: VariableId,
        kind: AssignKind,
        process: usize,
        span: Span,
        assigned: &mut Assigned,
    ) -> Lower<()> {
        let by = |kind| if kind == AssignKind::Next { process } else { 0 };
        let rivals: &[AssignKind] = match kind {
            AssignKind::Current => &[AssignKind::Current, AssignKind::Init, AssignKind::Next],
            AssignKind::Init => &[AssignKind::Init, AssignKind::Current],
            AssignKind::Next => &[AssignKind::Next, AssignKind::Current],
        };
        for &rival in rivals {
            if let Some(&other) = assigned.places.get(&(variable, rival, by(rival))) {
                let name = &self.system.variable(variable).name;
                let message = format!("`{name}` is assigned twice");
                let diagnostic = Diagnostic::error("assigned-twice", message, span)
                    .with_label(other, "also assigned here");
                self.report(diagnostic);
                return Err(super::Broken);
            }
        }
        assigned.places.insert((variable, kind, by(kind)), span);
        Ok(())
    }

    /// Checks that a value has the type of the variable.
    fn fit(
        &mut self,
        variable: VariableId,
        value: ExpressionId,
        span: Span,
    ) -> Lower<ExpressionId> {
        let kind = match self.system.variable(variable).domain {
            Domain::Boolean => Kind::Boolean,
            Domain::Values(_) => Kind::Scalar,
            Domain::Word { signed, width } => Kind::Word { signed, width },
        };
        let value = if kind == Kind::Boolean {
            self.coerce_to_boolean(value)
        } else {
            value
        };
        if self.kind(value) != kind {
            let name = &self.system.variable(variable).name;
            let message = format!("the value does not have the type of `{name}`");
            return self.fail("type-mismatch", message, span);
        }
        Ok(value)
    }

    /// One event per process: its assignments, all `TRANS` constraints, and what stays unchanged
    /// because only other processes assign it. Without processes there is one event.
    fn build_events(&mut self, assigned: &Assigned) {
        let all: BTreeSet<VariableId> = assigned
            .relations
            .iter()
            .flatten()
            .map(|&(variable, _)| variable)
            .collect();
        let frozen = self
            .system
            .variable_ids()
            .filter(|&id| self.system.variable(id).role == Role::Frozen);
        let frozen: Vec<VariableId> = frozen.collect();
        for (process, relation) in assigned.relations.iter().enumerate() {
            let own: BTreeSet<VariableId> =
                relation.iter().map(|&(variable, _)| variable).collect();
            let mut unchanged: Vec<VariableId> = all.difference(&own).copied().collect();
            unchanged.extend(&frozen);
            let path = &self.instances[self.processes[process]].path;
            let name = if path.is_empty() {
                "main".to_owned()
            } else {
                path.clone()
            };
            let mut constraints: Vec<ExpressionId> = relation.iter().map(|&(_, id)| id).collect();
            constraints.extend(&assigned.trans);
            self.system.events.push(Event {
                name,
                choice: self.selector.map(|selector| (selector, process as u64)),
                relation: constraints,
                unchanged,
            });
        }
    }
}
