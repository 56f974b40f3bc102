//! Linear time by a tableau (Clarke, Grumberg, Hamaguchi: "Another look at LTL model checking",
//! 1994; with past operators as Lichtenstein, Pnueli, Zuck, 1985).
//!
//! Each `X`, `U`, `Y` and `S` gets a Boolean variable that guesses (future) or remembers (past)
//! the truth of a subformula; transition constraints check the guesses, fairness conditions see to
//! it that what is promised by `U` comes. The formula fails if a fair path starts in an initial
//! state in which its negation is guessed.

use crate::limits::Stop;
use crate::system::{
    Domain, ExpressionId, Formula, Ltl, Role, Specification, SpecificationKind, System, Variable,
    VariableId,
};

/// The system with a tableau for the negation of one of its linear-time specifications, and the
/// condition on initial states from which the negation holds.
pub(crate) fn with_tableau(system: &System, index: usize) -> Result<(System, ExpressionId), Stop> {
    let mut extended = system.clone();
    let Formula::Ltl(formula) = &system.specifications[index].formula else {
        return Err(Stop::Unsupported("not a linear-time formula".into()));
    };
    let mut tableau = Tableau {
        system: &mut extended,
        relation: Vec::new(),
    };
    let satisfied = tableau.satisfied(formula);
    tableau.strong_fairness();
    let relation = tableau.relation;
    for event in &mut extended.events {
        event.relation.extend(&relation);
    }
    let violation = extended.expressions.not(satisfied);
    extended.specifications = vec![Specification {
        text: String::new(),
        name: None,
        kind: SpecificationKind::Ltl,
        formula: Formula::Invariant(violation),
    }];
    Ok((extended, violation))
}

/// The system with a variable that is true as long as all steps so far have satisfied a condition, and that variable.
pub(crate) fn with_monitor(system: &System, condition: ExpressionId) -> (System, ExpressionId) {
    let mut extended = system.clone();
    let id = VariableId(extended.variables.len() as u32);
    let variable = Variable {
        name: "_monitor_".into(),
        domain: Domain::Boolean,
        role: Role::State,
    };
    let expressions = &mut extended.expressions;
    let (now, after) = (
        expressions.variable(id, &variable, false),
        expressions.variable(id, &variable, true),
    );
    let tie = expressions.equal(after, condition);
    extended.variables.push(variable);
    extended.initial.push(now);
    for event in &mut extended.events {
        event.relation.push(tie);
    }
    extended.specifications = Vec::new();
    (extended, now)
}

struct Tableau<'a> {
    system: &'a mut System,
    /// What the guesses must satisfy at each transition.
    relation: Vec<ExpressionId>,
}

impl Tableau<'_> {
    /// The condition on states (with guesses) that a formula holds from here on.
    fn satisfied(&mut self, formula: &Ltl) -> ExpressionId {
        match formula {
            Ltl::Atom(id) if self.system.speaks_of_steps(*id) => {
                // A condition on the step that follows is guessed before it.
                let guess = self.fresh();
                let now = self.value(guess, false);
                let tie = self.system.expressions.equal(now, *id);
                self.relation.push(tie);
                now
            }
            Ltl::Atom(id) => *id,
            Ltl::Not(a) => {
                let a = self.satisfied(a);
                self.system.expressions.not(a)
            }
            Ltl::And(parts) => {
                let parts: Vec<ExpressionId> =
                    parts.iter().map(|part| self.satisfied(part)).collect();
                self.system.expressions.and(parts)
            }
            Ltl::Or(parts) => {
                let parts: Vec<ExpressionId> =
                    parts.iter().map(|part| self.satisfied(part)).collect();
                self.system.expressions.or(parts)
            }
            Ltl::Next(a) => {
                let a = self.satisfied(a);
                let guess = self.fresh();
                let now = self.value(guess, false);
                self.link(now, a);
                now
            }
            Ltl::Until(a, b) => {
                let (a, b) = (self.satisfied(a), self.satisfied(b));
                let guess = self.fresh();
                let now = self.value(guess, false);
                let waiting = self.system.expressions.and([a, now]);
                let until = self.system.expressions.or([b, waiting]);
                self.link(now, until);
                let not_until = self.system.expressions.not(until);
                let fair = self.system.expressions.or([not_until, b]);
                self.system.justice.push(fair);
                until
            }
            Ltl::Yesterday(a) => {
                let a = self.satisfied(a);
                let memory = self.fresh();
                self.remember(memory, a);
                self.value(memory, false)
            }
            Ltl::Since(a, b) => {
                let (a, b) = (self.satisfied(a), self.satisfied(b));
                let memory = self.fresh();
                let now = self.value(memory, false);
                let going_on = self.system.expressions.and([a, now]);
                let since = self.system.expressions.or([b, going_on]);
                self.remember(memory, since);
                since
            }
        }
    }

    /// Where the premise of strong fairness holds infinitely often, so must the conclusion. A guess that holds from some
    /// moment on says that the premise does not hold any more.
    fn strong_fairness(&mut self) {
        for (premise, conclusion) in self.system.compassion.clone() {
            let guess = self.fresh();
            let (now, after) = (self.value(guess, false), self.value(guess, true));
            let expressions = &mut self.system.expressions;
            let absent = expressions.not(premise);
            self.relation.push(expressions.implies(now, absent));
            self.relation.push(expressions.implies(now, after));
            self.system.justice.push(expressions.or([now, conclusion]));
        }
    }

    fn fresh(&mut self) -> VariableId {
        let id = VariableId(self.system.variables.len() as u32);
        self.system.variables.push(Variable {
            name: format!("_tableau_{}", id.0),
            domain: Domain::Boolean,
            role: Role::State,
        });
        id
    }

    fn value(&mut self, id: VariableId, next: bool) -> ExpressionId {
        let variable = &self.system.variables[id.index()];
        self.system.expressions.variable(id, variable, next)
    }

    /// Ties a guess now to a condition after the transition. Conditions mention no inputs.
    fn link(&mut self, guess: ExpressionId, condition: ExpressionId) {
        let after = self.system.prime(condition);
        let tie = self.system.expressions.equal(guess, after);
        self.relation.push(tie);
    }

    /// A variable that is false at the start and then the condition of the state before.
    fn remember(&mut self, memory: VariableId, condition: ExpressionId) {
        let now = self.value(memory, false);
        let empty = self.system.expressions.not(now);
        self.system.initial.push(empty);
        let after = self.value(memory, true);
        let tie = self.system.expressions.equal(after, condition);
        self.relation.push(tie);
    }
}
