//! What a walk looks for: where, in a stay at one discrete state, a formula holds.

use merkhet_network::code::{CodeId, Fault};
use merkhet_network::{Expr, Formula};

use crate::model::{Atom, Compiler};
use crate::state::State;
use crate::time::{Moment, Window, subtract};

/// A formula in negation normal form.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    Data(CodeId),
    /// The constraint, or its negation.
    Clock(Atom, bool),
    /// `deadlock`, or its negation.
    Deadlock(bool),
    All(Vec<Goal>),
    Any(Vec<Goal>),
}

/// Whether the formula, or its negation, asks for no strict bound.
pub(crate) fn is_closed(formula: &Formula, positive: bool) -> bool {
    match formula {
        Formula::Data(_) | Formula::Deadlock => true,
        Formula::Clock(constraint) => constraint.strict != positive,
        Formula::Not(inner) => is_closed(inner, !positive),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().all(|part| is_closed(part, positive))
        }
    }
}

/// Compiles a formula. Conjunctions are flattened, so that one conjunct that fails can be watched.
pub(crate) fn compile(compiler: &mut Compiler<'_>, formula: &Formula) -> Goal {
    normal(compiler, formula, true)
}

fn normal(compiler: &mut Compiler<'_>, formula: &Formula, positive: bool) -> Goal {
    let list = |compiler: &mut Compiler<'_>, parts: &[Formula]| -> Vec<Goal> {
        let parts = parts.iter().map(|part| normal(compiler, part, positive));
        parts.collect()
    };
    match formula {
        Formula::Data(expr) => data(compiler, expr, positive),
        Formula::Clock(constraint) => Goal::Clock(compiler.atom(constraint), positive),
        Formula::Deadlock => Goal::Deadlock(positive),
        Formula::Not(inner) => normal(compiler, inner, !positive),
        Formula::And(parts) if positive => all(list(compiler, parts)),
        Formula::Or(parts) if !positive => all(list(compiler, parts)),
        Formula::And(parts) | Formula::Or(parts) => Goal::Any(list(compiler, parts)),
    }
}

/// A conjunction whose conjuncts are none.
fn all(parts: Vec<Goal>) -> Goal {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Goal::All(parts) => flat.extend(parts),
            other => flat.push(other),
        }
    }
    Goal::All(flat)
}

fn data(compiler: &mut Compiler<'_>, expr: &Expr, positive: bool) -> Goal {
    match (expr, positive) {
        (Expr::And(parts), true) | (Expr::Or(parts), false) => {
            let parts = parts.iter().map(|part| data(compiler, part, positive));
            all(parts.collect())
        }
        (expr, true) => Goal::Data(compiler.data(expr)),
        (expr, false) => Goal::Data(compiler.data(&expr.clone().negated())),
    }
}

impl State<'_> {
    /// The first moment, now or while time passes, at which the model's goal holds.
    pub(crate) fn reached(&mut self) -> Result<Option<Moment>, Fault> {
        let Some(goal) = &self.model.goal else {
            return Ok(None);
        };
        let possible = match self.may_hold(goal) {
            Ok(possible) => possible,
            Err(_) => {
                // A conjunct was asked that those before it guard.
                self.watched = 0;
                self.may_hold(goal)?
            }
        };
        if !possible {
            return Ok(None);
        }
        let ahead = self.ahead()?;
        let windows = self.windows_of(goal, vec![ahead])?;
        let ticks = windows.into_iter().map(Window::ticks);
        Ok(ticks
            .filter(|ticks| !ticks.is_empty())
            .map(|ticks| ticks.low)
            .next())
    }

    /// Whether the goal may hold now or while time passes, as far as data tell. Parts that constrain clocks count as true.
    pub(crate) fn may_hold(&mut self, goal: &Goal) -> Result<bool, Fault> {
        match goal {
            Goal::Data(code) => self.holds(*code),
            Goal::Clock(..) | Goal::Deadlock(_) => Ok(true),
            Goal::All(parts) => {
                // The conjunct that failed last is likely to fail again.
                let watched = self.watched.min(parts.len());
                for index in (watched..parts.len()).chain(0..watched) {
                    if !self.may_hold_within(&parts[index])? {
                        self.watched = index;
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Goal::Any(_) => self.may_hold_within(goal),
        }
    }

    fn may_hold_within(&mut self, goal: &Goal) -> Result<bool, Fault> {
        match goal {
            Goal::Data(code) => self.holds(*code),
            Goal::Clock(..) | Goal::Deadlock(_) => Ok(true),
            Goal::All(parts) => {
                for part in parts {
                    if !self.may_hold_within(part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Goal::Any(parts) => {
                for part in parts {
                    if self.may_hold_within(part)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// The windows, disjoint and in order, within the given ones in which the goal holds. As the judge reads formulas: a part
    /// of a conjunction counts only where those before it hold, a part of a disjunction only where those before it do not.
    pub(crate) fn windows_of(
        &mut self,
        goal: &Goal,
        within: Vec<Window>,
    ) -> Result<Vec<Window>, Fault> {
        if within.is_empty() {
            return Ok(within);
        }
        let cut = |windows: Vec<Window>, by: Window| -> Vec<Window> {
            let parts = windows.into_iter().map(|window| window.and(by));
            parts.filter(|window| !window.is_empty()).collect()
        };
        match goal {
            Goal::Data(code) => Ok(if self.holds(*code)? {
                within
            } else {
                Vec::new()
            }),
            Goal::Clock(atom, positive) => {
                let window = self.atom(atom)?;
                if *positive {
                    return Ok(cut(within, window));
                }
                let mut rest = within;
                subtract(&mut rest, window);
                Ok(rest)
            }
            Goal::Deadlock(positive) => {
                let alive = self.alive_until()?;
                let mut rest = Vec::new();
                for window in within {
                    let part = match positive {
                        true => Window {
                            low: window.low.max(alive + 1),
                            ..window
                        },
                        false => Window {
                            high: window.high.min(alive),
                            ..window
                        },
                    };
                    if !part.is_empty() {
                        rest.push(part);
                    }
                }
                Ok(rest)
            }
            Goal::All(parts) => {
                let mut left = within;
                for part in parts {
                    left = self.windows_of(part, left)?;
                }
                Ok(left)
            }
            Goal::Any(parts) => {
                let mut found: Vec<Window> = Vec::new();
                let mut left = within;
                for part in parts {
                    let here = self.windows_of(part, left.clone())?;
                    for window in &here {
                        subtract(&mut left, *window);
                    }
                    found.extend(here);
                }
                found.sort_by_key(|window| window.low);
                Ok(found)
            }
        }
    }
}
