//! From formulas to guards, invariants and state formulas.

use crate::data::value::Form;
use crate::expression::negated_constraint;
use crate::fold;
use crate::naming::scope::{Env, Purpose};
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported};
use merkhet_network::{ClockConstraint, ClockId, Expr as NetExpr, Formula, Guard, Invariant, Rate};
use merkhet_syntax::Span;
use merkhet_syntax::tree::Expr;

/// A conjunction, sorted.
#[derive(Default)]
struct Parts {
    data: Vec<NetExpr>,
    clocks: Vec<ClockConstraint>,
    rates: Vec<Rate>,
}

impl Parts {
    fn data(&mut self) -> Option<NetExpr> {
        match fold::all(std::mem::take(&mut self.data)) {
            NetExpr::Const(value) if value != 0 => None,
            other => Some(other),
        }
    }
}

impl Lowerer<'_> {
    /// A guard.
    pub fn guard(&mut self, env: &mut Env, expr: &Expr) -> Lower<Guard> {
        let mut parts = self.conjunction(env, expr)?;
        Ok(Guard {
            data: parts.data(),
            clocks: parts.clocks,
        })
    }

    /// An invariant.
    pub fn invariant(&mut self, env: &mut Env, expr: &Expr) -> Lower<Invariant> {
        let mut parts = self.conjunction(env, expr)?;
        Ok(Invariant {
            data: parts.data(),
            clocks: parts.clocks,
            rates: parts.rates,
        })
    }

    fn conjunction(&mut self, env: &mut Env, expr: &Expr) -> Lower<Parts> {
        let value = self.expression(env, expr)?;
        let form = self.as_form(value, expr.span)?;
        let mut parts = Parts::default();
        self.collect(form, None, &mut parts, env.purpose, expr.span)?;
        Ok(parts)
    }

    /// Sorts a formula that counts only under a condition into a conjunction.
    fn collect(
        &mut self,
        form: Form,
        condition: Option<NetExpr>,
        parts: &mut Parts,
        purpose: Purpose,
        span: Span,
    ) -> Lower<()> {
        match form {
            Form::Data(expr) => parts.data.push(match condition {
                Some(condition) => fold::any([fold::not(condition), expr]),
                None => expr,
            }),
            Form::Clock(constraint) => {
                self.unroll(1, span)?;
                parts.clocks.push(ClockConstraint {
                    condition,
                    ..constraint
                });
            }
            Form::Rate {
                clock, value, site, ..
            } => {
                if purpose != Purpose::Invariant {
                    return self.error("clock", "a rate has its place in invariants only", span);
                }
                let value = match condition {
                    Some(condition) => fold::conditional(condition, value, NetExpr::Const(1)),
                    None => value,
                };
                parts.rates.push(Rate {
                    clock: ClockId(clock),
                    value,
                    site,
                });
            }
            Form::Deadlock => {
                return self.error("type", "`deadlock` has its place in queries only", span);
            }
            Form::And(all) => {
                for part in all {
                    self.collect(part, condition.clone(), parts, purpose, span)?;
                }
            }
            Form::Or(any) => return self.collect_or(any, condition, parts, purpose, span),
            Form::Select(cases) => {
                for (case, form) in cases {
                    match both(condition.clone(), case) {
                        Some(NetExpr::Const(0)) => {}
                        condition => self.collect(form, condition, parts, purpose, span)?,
                    }
                }
            }
            Form::Not(inner) => {
                let pushed = self.push_negation(*inner, span)?;
                return self.collect(pushed, condition, parts, purpose, span);
            }
        }
        Ok(())
    }

    fn collect_or(
        &mut self,
        any: Vec<Form>,
        condition: Option<NetExpr>,
        parts: &mut Parts,
        purpose: Purpose,
        span: Span,
    ) -> Lower<()> {
        let mut data = Vec::new();
        let mut timed = Vec::new();
        for part in any {
            match part {
                Form::Data(expr) => data.push(expr),
                other => timed.push(other),
            }
        }
        let Some(form) = timed.pop() else {
            let disjunction = Form::Data(fold::any(data));
            return self.collect(disjunction, condition, parts, purpose, span);
        };
        if !timed.is_empty() {
            return self.error(
                "clock-disjunction",
                format!(
                    "clock constraints cannot be alternatives of each other in {}",
                    purpose.name()
                ),
                span,
            );
        }
        match both(condition, fold::not(fold::any(data))) {
            Some(NetExpr::Const(0)) => Ok(()),
            condition => self.collect(form, condition, parts, purpose, span),
        }
    }

    /// The negation of a formula, moved to its parts.
    fn push_negation(&mut self, form: Form, span: Span) -> Lower<Form> {
        Ok(match form {
            Form::Data(expr) => Form::Data(expr.negated()),
            Form::Clock(constraint) => Form::Clock(negated_constraint(constraint)),
            Form::Not(inner) => *inner,
            Form::And(parts) => Form::Or(parts.into_iter().map(Form::negated).collect()),
            Form::Or(parts) => Form::And(parts.into_iter().map(Form::negated).collect()),
            Form::Select(cases) => {
                let negated = |(condition, form): (NetExpr, Form)| (condition, form.negated());
                Form::Select(cases.into_iter().map(negated).collect())
            }
            Form::Rate { span, .. } => {
                return self.error("clock", "a rate cannot be negated", span);
            }
            Form::Deadlock => {
                return self.error("type", "`deadlock` has its place in queries only", span);
            }
        })
    }

    /// A formula of a query.
    pub fn formula(&mut self, form: Form, span: Span) -> Lower<Formula> {
        Ok(match form {
            Form::Data(expr) => Formula::Data(expr),
            Form::Clock(constraint) => Formula::Clock(constraint),
            Form::Deadlock => Formula::Deadlock,
            Form::Not(inner) => Formula::Not(Box::new(self.formula(*inner, span)?)),
            Form::And(parts) => Formula::And(self.formulas(parts, span)?),
            Form::Or(parts) => Formula::Or(self.formulas(parts, span)?),
            Form::Select(cases) => {
                let mut any = Vec::new();
                for (condition, form) in cases {
                    if condition.as_const() != Some(0) {
                        let form = self.formula(form, span)?;
                        any.push(Formula::And(vec![Formula::Data(condition), form]));
                    }
                }
                Formula::Or(any)
            }
            Form::Rate { span, .. } => {
                return self.error("clock", "a rate has its place in invariants only", span);
            }
        })
    }

    fn formulas(&mut self, forms: Vec<Form>, span: Span) -> Lower<Vec<Formula>> {
        let lowered: Vec<_> = forms
            .into_iter()
            .map(|form| self.formula(form, span))
            .collect();
        lowered.into_iter().collect::<Result<_, Reported>>()
    }
}

/// Both conditions; `None` where both always hold.
fn both(condition: Option<NetExpr>, other: NetExpr) -> Option<NetExpr> {
    let all = match condition {
        Some(condition) => fold::all([condition, other]),
        None => fold::all([other]),
    };
    match all {
        NetExpr::Const(value) if value != 0 => None,
        all => Some(all),
    }
}
