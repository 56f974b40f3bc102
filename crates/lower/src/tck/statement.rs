//! The statements of edges.

use super::expression::{ClockTerm, Translator, Value, local_cell};
use super::names::Symbol;
use super::{Lower, Lowering, MAX_CELLS};
use merkhet_network::bounds::bounds;
use merkhet_network::{BinaryOp, ClockId, Expr, Local, MAX_CLOCK_CONSTANT, Place, Shape, Stmt};
use merkhet_syntax::Span;
use merkhet_tck::tree::{Expression, Name, Statement, StatementKind};

/// Most values of an offset in `x = y + e` that is no constant.
const MAX_OFFSETS: i64 = 256;

/// The most combinations of elements of clock arrays in `x[i] = y[j]`.
const MAX_CASES: usize = 1 << 14;

impl Lowering<'_> {
    /// The update of an edge; its local variables have cells of their own.
    pub(super) fn update(&mut self, statements: &[Statement], context: &str) -> Lower<Vec<Stmt>> {
        let mut locals = Vec::new();
        let mut update = Vec::new();
        let mut next = self.network.local_cells;
        let result = self.block(statements, context, &mut locals, &mut next, &mut update);
        self.network.local_cells = next;
        result.map(|()| update)
    }

    /// Statements with a scope of their own.
    fn block(
        &mut self,
        statements: &[Statement],
        context: &str,
        locals: &mut Vec<(String, Symbol)>,
        next: &mut u32,
        into: &mut Vec<Stmt>,
    ) -> Lower<()> {
        let outer = locals.len();
        let mut result = Ok(());
        for statement in statements {
            let done = self.statement(statement, context, locals, next, into);
            result = result.and(done);
        }
        locals.truncate(outer);
        result
    }

    fn statement(
        &mut self,
        statement: &Statement,
        context: &str,
        locals: &mut Vec<(String, Symbol)>,
        next: &mut u32,
        into: &mut Vec<Stmt>,
    ) -> Lower<()> {
        match &statement.kind {
            StatementKind::Nop => Ok(()),
            StatementKind::Assign { target, value } => {
                self.translate(statement.span, context, locals, |translator| {
                    translator.assignment(target, value, statement.span, into)
                })
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.condition(condition, context, locals)?;
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                let first = self.block(then, context, locals, next, &mut yes);
                let second = self.block(otherwise, context, locals, next, &mut no);
                into.push(Stmt::If {
                    condition,
                    then: yes,
                    otherwise: no,
                });
                first.and(second)
            }
            StatementKind::While { condition, body } => {
                let test = self.condition(condition, context, locals)?;
                let mut inner = Vec::new();
                self.block(body, context, locals, next, &mut inner)?;
                let site = self.site(condition.span, context);
                into.push(Stmt::While {
                    condition: test,
                    body: inner,
                    test_first: true,
                    site,
                });
                Ok(())
            }
            StatementKind::Local { name, value } => {
                let value = match value {
                    Some(value) => {
                        self.translate(value.span, context, locals, |t| t.data(value))?
                    }
                    None => Expr::Const(0),
                };
                self.declare_local(name, 1, locals, next)?;
                into.push(set_local(*next - 1, value));
                Ok(())
            }
            StatementKind::LocalArray { name, size } => {
                let length = self.translate(size.span, context, locals, |t| t.data(size))?;
                let length = length.as_const().and_then(|n| u32::try_from(n).ok());
                let Some(length) = length.filter(|&n| n > 0 && n as usize <= MAX_CELLS) else {
                    let message = format!("the size is a constant from 1 to {MAX_CELLS}");
                    return self.fail("bad-size", message, size.span);
                };
                self.declare_local(name, length, locals, next)?;
                let cells = *next - length..*next;
                into.extend(cells.map(|cell| set_local(cell, Expr::Const(0))));
                Ok(())
            }
        }
    }

    fn condition(
        &mut self,
        condition: &Expression,
        context: &str,
        locals: &mut Vec<(String, Symbol)>,
    ) -> Lower<Expr> {
        self.translate(condition.span, context, locals, |t| t.data(condition))
    }

    /// Translates something with the local variables in sight.
    fn translate<T>(
        &mut self,
        span: Span,
        context: &str,
        locals: &mut Vec<(String, Symbol)>,
        work: impl FnOnce(&mut Translator<'_>) -> Lower<T>,
    ) -> Lower<T> {
        let site = self.site(span, context);
        let mut translator = Translator::new(&self.network, &self.symbols, site);
        translator.locals = std::mem::take(locals);
        let result = work(&mut translator);
        *locals = std::mem::take(&mut translator.locals);
        let diagnostics = translator.diagnostics;
        diagnostics.into_iter().for_each(|d| self.report(d));
        result
    }

    fn declare_local(
        &mut self,
        name: &Name,
        length: u32,
        locals: &mut Vec<(String, Symbol)>,
        next: &mut u32,
    ) -> Lower<()> {
        let taken = locals.iter().any(|(local, _)| *local == name.text);
        if taken || self.symbols.contains_key(&name.text) {
            self.declared_twice(name);
            return Err(super::Broken);
        }
        if (*next + length) as usize > MAX_CELLS {
            let message = format!("more than {MAX_CELLS} cells of local variables");
            return self.fail("too-many-variables", message, name.span);
        }
        let (base, low, high) = (local_cell(*next), i32::MIN, i32::MAX);
        let symbol = Symbol::Int {
            base,
            length,
            low,
            high,
        };
        let element = Shape::Int { low, high };
        self.network.locals.push(Local {
            name: name.text.clone(),
            shape: match length {
                1 => element,
                _ => Shape::Array {
                    length,
                    element: Box::new(element),
                },
            },
            base,
        });
        locals.push((name.text.clone(), symbol));
        *next += length;
        Ok(())
    }
}

/// A local variable holds any number.
fn set_local(cell: u32, value: Expr) -> Stmt {
    Stmt::Assign {
        target: Place::cell(local_cell(cell)),
        value,
        low: i32::MIN,
        high: i32::MAX,
        site: merkhet_network::SiteId::NONE,
    }
}

impl Translator<'_> {
    fn assignment(
        &mut self,
        target: &Expression,
        value: &Expression,
        span: Span,
        into: &mut Vec<Stmt>,
    ) -> Lower<()> {
        let (place, value) = (self.value(target)?, self.value(value)?);
        match (place, value) {
            (Value::Data(Expr::Load(place)), Value::Data(value)) => {
                let (low, high) = self.range(target)?;
                into.push(Stmt::Assign {
                    target: place,
                    value,
                    low,
                    high,
                    site: self.site,
                });
                Ok(())
            }
            (Value::Clock(clock), Value::Data(value)) => {
                if let Some(constant) = value.as_const()
                    && !(0..=MAX_CLOCK_CONSTANT).contains(&constant)
                {
                    let message = format!("clocks are set to 0 to {MAX_CLOCK_CONSTANT}");
                    return self.fail("bad-clock-value", message, span);
                }
                into.push(Stmt::Reset {
                    clock: clock.place(self.site),
                    value,
                    site: self.site,
                });
                Ok(())
            }
            (Value::Clock(clock), Value::Clock(source)) => {
                self.copy(clock, source, Expr::Const(0), span, into)
            }
            (Value::Clock(clock), Value::Sum(source, offset)) => {
                self.copy(clock, source, offset, span, into)
            }
            _ => self.fail("bad-assignment", "this cannot be assigned", span),
        }
    }

    /// The range of an assigned variable.
    fn range(&mut self, target: &Expression) -> Lower<(i32, i32)> {
        use merkhet_tck::tree::ExpressionKind::{Index, Name};
        let name = match &target.kind {
            Name(name) => name,
            Index(name, _) => &name.text,
            _ => return self.fail("bad-assignment", "this cannot be assigned", target.span),
        };
        match self.symbol(name, target.span)? {
            Symbol::Int { low, high, .. } => Ok((low, high)),
            Symbol::Clock { .. } => Err(super::Broken),
        }
    }

    /// `target = source + offset`, a case for each clock and offset that they may be.
    fn copy(
        &mut self,
        target: ClockTerm,
        source: ClockTerm,
        offset: Expr,
        span: Span,
        into: &mut Vec<Stmt>,
    ) -> Lower<()> {
        let offsets = self.offsets(offset, span, into)?;
        let (targets, sources) = (target.cases(self.site), source.cases(self.site));
        if targets.len() * sources.len() * offsets.len() > MAX_CASES {
            let message = "too many combinations of elements of clock arrays";
            return self.fail("too-many-clocks", message, span);
        }
        for (target, when_target) in &targets {
            for (source, when_source) in &sources {
                for (offset, when_offset) in &offsets {
                    let conditions = [when_target, when_source, when_offset];
                    let conditions = conditions.into_iter().flatten().cloned().collect();
                    into.push(copy_if(conditions, *target, *source, *offset));
                }
            }
        }
        Ok(())
    }

    /// Each value of an offset with the condition for it. Only one of the cases applies: clocks do not change what the
    /// conditions read.
    fn offsets(
        &mut self,
        offset: Expr,
        span: Span,
        into: &mut Vec<Stmt>,
    ) -> Lower<Vec<(i32, Option<Expr>)>> {
        if let Some(value) = offset.as_const() {
            if (0..=MAX_CLOCK_CONSTANT).contains(&value) {
                return Ok(vec![(value, None)]);
            }
            let message = format!("0 to {MAX_CLOCK_CONSTANT} can be added to a clock");
            return self.fail("bad-clock-value", message, span);
        }
        let (low, high) = bounds(self.network, &offset);
        let (first, last) = (low.max(0), high.min(MAX_CLOCK_CONSTANT.into()));
        if last - first >= MAX_OFFSETS {
            let message = "what is added to a clock is a constant or has few values";
            return self.fail("bad-clock-value", message, span);
        }
        into.push(Stmt::Evaluate(Expr::Checked {
            value: Box::new(offset.clone()),
            low: 0,
            high: MAX_CLOCK_CONSTANT,
            site: self.site,
        }));
        let case = |value: i64| {
            let value = value as i32;
            let condition = Expr::binary(BinaryOp::Equal, offset.clone(), Expr::Const(value));
            (value, Some(condition))
        };
        Ok((first..=last).map(case).collect())
    }
}

fn copy_if(mut conditions: Vec<Expr>, target: ClockId, source: ClockId, offset: i32) -> Stmt {
    let copy = Stmt::CopyClock {
        target,
        source,
        offset,
    };
    let condition = match conditions.len() {
        0 => return copy,
        1 => conditions.remove(0),
        _ => Expr::And(conditions),
    };
    Stmt::If {
        condition,
        then: vec![copy],
        otherwise: Vec::new(),
    }
}
