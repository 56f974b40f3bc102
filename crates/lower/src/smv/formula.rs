//! Specifications: branching and linear time, in the context of an instance.

use super::instance::PROCESS_SELECTOR;
use super::{Lower, Lowering, SmvQuery};
use crate::UNSUPPORTED;
use merkhet_finite::{self as system, Ctl, Formula, Ltl, Role};
use merkhet_smv::tree::*;
use merkhet_syntax::Span;

/// Bounded operators are unfolded step by step.
const MAX_STEPS: u32 = 1_000_000;

/// In linear time each step is a variable of the tableau, and a level of the formula.
const MAX_LINEAR_STEPS: u32 = 200;

impl<'t> Lowering<'t> {
    /// The specifications of the text.
    pub(super) fn specifications(&mut self) -> Vec<SmvQuery> {
        let mut queries = Vec::new();
        for scope in 0..self.instances.len() {
            for item in self.instances[scope].items.clone() {
                match item {
                    Item::Specification(specification) => {
                        queries.push(self.query(scope, specification));
                    }
                    // Each instance has it, but there is nothing more to say.
                    Item::Unread(unread) if self.first_of(scope, item) => queries.push(SmvQuery {
                        specification: None,
                        text: unread.text.clone(),
                        name: None,
                        span: unread.span,
                        diagnostics: unread.diagnostics.clone(),
                    }),
                    _ => {}
                }
            }
        }
        queries
    }

    /// Whether no instance before this one has the same line.
    fn first_of(&self, scope: usize, item: &'t Item) -> bool {
        let before = self.instances[..scope].iter();
        !before
            .flat_map(|instance| &instance.items)
            .any(|other| std::ptr::eq(*other, item))
    }

    /// A specification with its own messages.
    pub(super) fn query(&mut self, scope: usize, specification: &'t Specification) -> SmvQuery {
        let others = std::mem::take(&mut self.diagnostics);
        let lowered = self.specification(scope, specification);
        let diagnostics = std::mem::replace(&mut self.diagnostics, others);
        let mut query = SmvQuery::broken(specification, diagnostics);
        if let Ok(lowered) = lowered {
            query.text.clone_from(&lowered.text);
            query.specification = Some(self.system.specifications.len());
            self.system.specifications.push(lowered);
        }
        query
    }

    fn specification(
        &mut self,
        scope: usize,
        specification: &'t Specification,
    ) -> Lower<system::Specification> {
        let scope = match &specification.context {
            Some(context) => self.resolve_instance(scope, context)?,
            None => scope,
        };
        let formula = &specification.formula;
        let branching = matches!(
            specification.kind,
            SpecificationKind::Ctl | SpecificationKind::Compute
        );
        if branching && !self.system.compassion.is_empty() {
            let message =
                "COMPASSION is for LTLSPEC; branching time knows FAIRNESS and JUSTICE only";
            return self.fail(UNSUPPORTED, message, formula.span);
        }
        let lowered = match specification.kind {
            SpecificationKind::Ctl => Formula::Ctl(self.ctl(scope, formula)?),
            SpecificationKind::Invariant => {
                let id = self.condition(scope, formula)?;
                self.check_atom(id, specification.kind, formula.span)?;
                Formula::Invariant(id)
            }
            SpecificationKind::Ltl => Formula::Ltl(self.ltl(scope, formula)?),
            SpecificationKind::Compute => self.path_length(scope, formula)?,
        };
        let kind = match specification.kind {
            SpecificationKind::Invariant => system::SpecificationKind::Invariant,
            SpecificationKind::Ltl => system::SpecificationKind::Ltl,
            SpecificationKind::Compute => system::SpecificationKind::Compute,
            _ => system::SpecificationKind::Ctl,
        };
        let mut text = text(formula);
        let path = &self.instances[scope].path;
        if !path.is_empty() {
            text = format!("{text} IN {path}");
        }
        Ok(system::Specification {
            text,
            name: specification.name.as_ref().map(|name| name.text.clone()),
            kind,
            formula: lowered,
        })
    }

    /// Conditions inside formulas of branching time speak of one state, without inputs. Those on paths may speak of the step
    /// that follows: by an invariant, of all reachable ones.
    fn check_atom(
        &mut self,
        id: merkhet_finite::ExpressionId,
        kind: SpecificationKind,
        span: Span,
    ) -> Lower<()> {
        if matches!(kind, SpecificationKind::Ltl | SpecificationKind::Invariant) {
            return Ok(());
        }
        let support = self.system.support(&[id]);
        if !support.next.is_empty() {
            let message = "`next` in a formula of branching time";
            return self.fail("misplaced-next", message, span);
        }
        let input = support
            .current
            .iter()
            .find(|v| self.system.variable(**v).role == Role::Input);
        if let Some(&input) = input {
            let message = match self.system.variable(input).name.as_str() {
                PROCESS_SELECTOR => {
                    "`running` tells which process takes the step: it is no part of the state"
                        .into()
                }
                name => format!("the input `{name}` is no part of the state"),
            };
            return self.fail("misplaced-input", message, span);
        }
        Ok(())
    }

    fn ctl(&mut self, scope: usize, formula: &'t Expression) -> Lower<Ctl> {
        use ExpressionKind::*;
        if !is_temporal(formula) {
            let id = self.condition(scope, formula)?;
            self.check_atom(id, SpecificationKind::Ctl, formula.span)?;
            return Ok(Ctl::Atom(id));
        }
        match &formula.kind {
            Unary(UnaryOperator::Not, a) => Ok(Ctl::Not(self.boxed(scope, a)?)),
            Chain(operator, parts) => {
                let mut lowered = Vec::new();
                for part in parts {
                    lowered.push(self.ctl(scope, part)?);
                }
                Ok(match operator {
                    ChainOperator::And => Ctl::And(lowered),
                    ChainOperator::Or => Ctl::Or(lowered),
                })
            }
            Binary(operator, a, b) => {
                let (a_ctl, b_ctl) = (self.ctl(scope, a)?, self.ctl(scope, b)?);
                match connective(*operator, a_ctl, b_ctl, Ctl::Not, Ctl::And, Ctl::Or) {
                    Some(formula) => Ok(formula),
                    None => self.fail_logic("branching", formula.span),
                }
            }
            Temporal(operator, a) => {
                let a = self.boxed(scope, a)?;
                Ok(match operator {
                    TemporalOperator::Ex => Ctl::Ex(a),
                    TemporalOperator::Ax => Ctl::Ax(a),
                    TemporalOperator::Ef => Ctl::Ef(None, a),
                    TemporalOperator::Af => Ctl::Af(None, a),
                    TemporalOperator::Eg => Ctl::Eg(None, a),
                    TemporalOperator::Ag => Ctl::Ag(None, a),
                    _ => return self.fail_logic("branching", formula.span),
                })
            }
            Until(operator, a, b) => {
                let (a, b) = (self.boxed(scope, a)?, self.boxed(scope, b)?);
                match operator {
                    UntilOperator::ExistsUntil => Ok(Ctl::Eu(None, a, b)),
                    UntilOperator::ForAllUntil => Ok(Ctl::Au(None, a, b)),
                    _ => self.fail_logic("branching", formula.span),
                }
            }
            Bounded(operator, interval, a) => {
                let interval = Some(self.interval(*interval, formula.span)?);
                let a = self.boxed(scope, a)?;
                Ok(match operator {
                    BoundedOperator::Ebf => Ctl::Ef(interval, a),
                    BoundedOperator::Abf => Ctl::Af(interval, a),
                    BoundedOperator::Ebg => Ctl::Eg(interval, a),
                    BoundedOperator::Abg => Ctl::Ag(interval, a),
                })
            }
            BoundedUntil(exists, interval, a, b) => {
                let interval = Some(self.interval(*interval, formula.span)?);
                let (a, b) = (self.boxed(scope, a)?, self.boxed(scope, b)?);
                Ok(if *exists {
                    Ctl::Eu(interval, a, b)
                } else {
                    Ctl::Au(interval, a, b)
                })
            }
            _ => self.fail_logic("branching", formula.span),
        }
    }

    fn boxed(&mut self, scope: usize, formula: &'t Expression) -> Lower<Box<Ctl>> {
        self.ctl(scope, formula).map(Box::new)
    }

    fn interval(&mut self, interval: Interval, span: Span) -> Lower<(u32, u32)> {
        if interval.low > interval.high || interval.high > MAX_STEPS {
            return self.fail(
                "bad-range",
                "the interval of steps is empty or too long",
                span,
            );
        }
        Ok((interval.low, interval.high))
    }

    fn fail_logic<T>(&mut self, logic: &str, span: Span) -> Lower<T> {
        let message = format!("this is no formula of {logic} time");
        self.fail("wrong-logic", message, span)
    }

    fn ltl(&mut self, scope: usize, formula: &'t Expression) -> Lower<Ltl> {
        use ExpressionKind::*;
        if !is_temporal(formula) {
            let id = self.condition(scope, formula)?;
            self.check_atom(id, SpecificationKind::Ltl, formula.span)?;
            return Ok(Ltl::Atom(id));
        }
        match &formula.kind {
            Unary(UnaryOperator::Not, a) => Ok(negated(self.ltl(scope, a)?)),
            Chain(operator, parts) => {
                let mut lowered = Vec::new();
                for part in parts {
                    lowered.push(self.ltl(scope, part)?);
                }
                Ok(match operator {
                    ChainOperator::And => Ltl::And(lowered),
                    ChainOperator::Or => Ltl::Or(lowered),
                })
            }
            Binary(operator, a, b) => {
                let (a_ltl, b_ltl) = (self.ltl(scope, a)?, self.ltl(scope, b)?);
                match connective(*operator, a_ltl, b_ltl, Ltl::Not, Ltl::And, Ltl::Or) {
                    Some(formula) => Ok(formula),
                    None => self.fail_logic("linear", formula.span),
                }
            }
            Temporal(operator, a) => {
                let a = self.ltl(scope, a)?;
                let always = Box::new(Ltl::Atom(self.system.expressions.boolean(true)));
                Ok(match operator {
                    TemporalOperator::X => Ltl::Next(Box::new(a)),
                    TemporalOperator::F => Ltl::Until(always, Box::new(a)),
                    TemporalOperator::G => negated(Ltl::Until(always, Box::new(negated(a)))),
                    TemporalOperator::Y => Ltl::Yesterday(Box::new(a)),
                    TemporalOperator::Z => negated(Ltl::Yesterday(Box::new(negated(a)))),
                    TemporalOperator::O => Ltl::Since(always, Box::new(a)),
                    TemporalOperator::H => negated(Ltl::Since(always, Box::new(negated(a)))),
                    _ => return self.fail_logic("linear", formula.span),
                })
            }
            Within(operator, interval, a) => {
                let (low, high) = self.interval(*interval, formula.span)?;
                if high > MAX_LINEAR_STEPS {
                    let message = format!("more than {MAX_LINEAR_STEPS} steps in linear time");
                    return self.fail(UNSUPPORTED, message, formula.span);
                }
                let a = self.ltl(scope, a)?;
                let (always, past) = match operator {
                    TemporalOperator::F => (false, false),
                    TemporalOperator::G => (true, false),
                    TemporalOperator::O => (false, true),
                    TemporalOperator::H => (true, true),
                    _ => return self.fail_logic("linear", formula.span),
                };
                let inner = if always { negated(a) } else { a };
                let some = within(inner, low, high, past);
                Ok(if always { negated(some) } else { some })
            }
            Until(operator, a, b) => {
                let (a, b) = (self.ltl(scope, a)?, self.ltl(scope, b)?);
                let (not_a, not_b) = (Box::new(negated(a.clone())), Box::new(negated(b.clone())));
                match operator {
                    UntilOperator::Until => Ok(Ltl::Until(Box::new(a), Box::new(b))),
                    UntilOperator::Since => Ok(Ltl::Since(Box::new(a), Box::new(b))),
                    UntilOperator::Releases => Ok(negated(Ltl::Until(not_a, not_b))),
                    UntilOperator::Triggered => Ok(negated(Ltl::Since(not_a, not_b))),
                    _ => self.fail_logic("linear", formula.span),
                }
            }
            _ => self.fail_logic("linear", formula.span),
        }
    }

    fn path_length(&mut self, scope: usize, formula: &'t Expression) -> Lower<Formula> {
        let ExpressionKind::PathLength(longest, from, to) = &formula.kind else {
            let message = "`MIN [p, q]` or `MAX [p, q]` is needed here";
            return self.fail("wrong-logic", message, formula.span);
        };
        let ends = [self.condition(scope, from)?, self.condition(scope, to)?];
        for (id, part) in ends.into_iter().zip([from, to]) {
            self.check_atom(id, SpecificationKind::Compute, part.span)?;
        }
        Ok(Formula::PathLength {
            longest: *longest,
            from: ends[0],
            to: ends[1],
        })
    }
}

/// After (or before) a number of steps in an interval.
fn within(formula: Ltl, low: u32, high: u32, past: bool) -> Ltl {
    let step = |inner: Ltl| match past {
        true => Ltl::Yesterday(Box::new(inner)),
        false => Ltl::Next(Box::new(inner)),
    };
    let mut whole = formula.clone();
    for _ in low..high {
        whole = Ltl::Or(vec![formula.clone(), step(whole)]);
    }
    (0..low).fold(whole, |inner, _| step(inner))
}

fn negated(formula: Ltl) -> Ltl {
    match formula {
        Ltl::Not(inner) => *inner,
        _ => Ltl::Not(Box::new(formula)),
    }
}

/// A Boolean connective between two formulas of either logic.
fn connective<F: Clone>(
    operator: BinaryOperator,
    a: F,
    b: F,
    not: fn(Box<F>) -> F,
    and: fn(Vec<F>) -> F,
    or: fn(Vec<F>) -> F,
) -> Option<F> {
    let (not_a, not_b) = (not(Box::new(a.clone())), not(Box::new(b.clone())));
    match operator {
        BinaryOperator::Implies => Some(or(vec![not_a, b])),
        BinaryOperator::Iff | BinaryOperator::Xnor | BinaryOperator::Equal => {
            Some(or(vec![and(vec![a, b]), and(vec![not_a, not_b])]))
        }
        BinaryOperator::Xor | BinaryOperator::NotEqual => {
            Some(or(vec![and(vec![a, not_b]), and(vec![not_a, b])]))
        }
        _ => None,
    }
}

fn is_temporal(formula: &Expression) -> bool {
    use ExpressionKind::*;
    match &formula.kind {
        Temporal(..) | Within(..) | Until(..) | Bounded(..) | BoundedUntil(..) | PathLength(..) => {
            true
        }
        kind => {
            let mut found = false;
            kind.for_each_part(&mut |part| found = found || is_temporal(part));
            found
        }
    }
}

/// A formula as it is printed, without brackets around the whole.
pub(super) fn text(formula: &Expression) -> String {
    strip_brackets(&formula.to_string()).to_owned()
}

/// The printed form without brackets around the whole.
fn strip_brackets(text: &str) -> &str {
    let Some(inner) = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'))
    else {
        return text;
    };
    let mut depth = 0i32;
    for character in inner.chars() {
        depth += i32::from(character == '(') - i32::from(character == ')');
        if depth < 0 {
            return text; // the first bracket closes before the end
        }
    }
    inner
}
