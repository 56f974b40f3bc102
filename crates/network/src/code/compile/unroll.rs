//! Loops over ranges: `for (i : T)`, `forall`, `exists`, `sum`. Short ones are unrolled, which turns their array accesses
//! into plain cells.

use crate::code::compile::builder::{Label, ProgramBuilder};
use crate::code::compile::value::Value;
use crate::code::machine::instruction::Instruction;
use crate::expression::{Expr, Quantifier, Stmt};
use crate::footprint::Footprint;
use crate::ids::SiteId;
use crate::interval::Interval;
use crate::memory::Address;

/// A loop variable and its range.
#[derive(Clone, Copy)]
struct Loop {
    variable: Address,
    low: i32,
    high: i32,
    site: SiteId,
}

impl Loop {
    fn count(self) -> i64 {
        (i64::from(self.high) - i64::from(self.low) + 1).max(0)
    }
}

impl ProgramBuilder<'_> {
    /// How many nodes a loop has once it is unrolled, or `None` if that is too many.
    pub(crate) fn unrolled_size(&self, low: i32, high: i32, body: usize) -> Option<usize> {
        let count = usize::try_from(i64::from(high) - i64::from(low) + 1).unwrap_or(0);
        let size = count.saturating_mul(body);
        (size <= self.most_unrolled).then_some(size)
    }

    /// Emits the body once for each value or within a loop; in a loop `end_of_body` is emitted once, before the jump back.
    fn repeat(
        &mut self,
        head: Loop,
        size: usize,
        footprint: &Footprint,
        mut body: impl FnMut(&mut Self),
    ) {
        if head.count() == 0 {
            return;
        }
        let is_changed = footprint.writes.contains(head.variable);
        let is_read_elsewhere = footprint.functions.iter().any(|function| {
            self.footprints
                .function(*function)
                .reads
                .contains(head.variable)
        });
        if !is_changed
            && !is_read_elsewhere
            && self.unrolled_size(head.low, head.high, size).is_some()
        {
            for value in head.low..=head.high {
                self.known.push((head.variable, Interval::point(value)));
                body(self);
                self.known.pop();
            }
            return;
        }
        let variable = self.slot(head.variable);
        self.emit(Instruction::Set {
            to: variable,
            value: head.low,
        });
        let top = self.label();
        self.bind(top);
        // A body that changes the variable is not well-formed; it still gets the plain meaning.
        let range = match is_changed {
            true => Interval::FULL,
            false => Interval::new(head.low.into(), head.high.into()),
        };
        self.known.push((head.variable, range));
        body(self);
        self.known.pop();
        let target = self.target(top);
        self.emit_at(
            Instruction::Next {
                variable,
                last: head.high,
                target,
            },
            head.site,
        );
    }

    /// `for (i : T)`.
    pub(crate) fn for_loop(&mut self, statement: &Stmt) {
        let Stmt::For {
            variable,
            low,
            high,
            body,
            site,
        } = statement
        else {
            return;
        };
        let head = Loop {
            variable: *variable,
            low: *low,
            high: *high,
            site: *site,
        };
        let footprint = self.footprints.stmts(body);
        let size = self.size_of_stmts(body);
        self.repeat(head, size, &footprint, |builder| builder.stmts(body));
    }

    /// `forall` and `exists`: goes to a label if the truth is `sense`.
    pub(crate) fn jump_if_quantified(&mut self, expr: &Expr, to: Label, sense: bool) {
        let Some((quantifier, head, body)) = quantified(expr) else {
            return;
        };
        let footprint = self.footprints.expr(body);
        let size = self.size_of_expr(body);
        // The truth of the body at which the loop stops.
        let decisive = quantifier == Quantifier::Exists;
        if sense == decisive {
            return self.repeat(head, size, &footprint, |builder| {
                builder.jump_if(body, to, decisive)
            });
        }
        let decided = self.label();
        self.repeat(head, size, &footprint, |builder| {
            builder.jump_if(body, decided, decisive)
        });
        self.jump(to);
        self.bind(decided);
    }

    /// `sum`.
    pub(crate) fn sum(&mut self, expr: &Expr) -> Value {
        let Some((_, head, body)) = quantified(expr) else {
            return Value::constant(0);
        };
        let footprint = self.footprints.expr(body);
        let size = self.size_of_expr(body);
        let total = self.temporaries(1);
        let mark = self.temporary;
        self.emit(Instruction::Set {
            to: total,
            value: 0,
        });
        self.repeat(head, size, &footprint, |builder| {
            let item = builder.value(body);
            let b = builder.operand(item);
            builder.emit_at(
                Instruction::Add {
                    to: total,
                    a: total,
                    b,
                },
                head.site,
            );
            builder.temporary = mark;
        });
        Value::slot(total, Interval::FULL)
    }
}

fn quantified(expr: &Expr) -> Option<(Quantifier, Loop, &Expr)> {
    match expr {
        Expr::Quantified {
            quantifier,
            variable,
            low,
            high,
            body,
            site,
        } => Some((
            *quantifier,
            Loop {
                variable: *variable,
                low: *low,
                high: *high,
                site: *site,
            },
            body,
        )),
        _ => None,
    }
}
