//! Trees in normal form: folded, flat, with statements moved out of expressions.

use std::collections::HashMap;

use super::INLINE;
use crate::bounds::Bounds;
use crate::code::machine::arithmetic;
use crate::constraint::ClockConstraint;
use crate::expression::{
    Argument, BinaryOp, Expr, Function, Index, Place, Quantifier, Stmt, UnaryOp,
};
use crate::ids::{FunctionId, SiteId};
use crate::interval::Interval;
use crate::memory::Address;
use crate::network::Network;

/// The network with all its trees in normal form; numbering is untouched.
pub(super) fn simplified(network: &Network) -> Network {
    let mut simplifier = Simplifier {
        network,
        result: None,
        inlined: HashMap::new(),
    };
    let mut result = network.clone();
    for process in &mut result.processes {
        for location in &mut process.locations {
            let invariant = &mut location.invariant;
            invariant.data = simplifier.condition(invariant.data.take());
            invariant.clocks = simplifier.constraints(std::mem::take(&mut invariant.clocks));
            for rate in &mut invariant.rates {
                rate.value = simplifier.owned(&rate.value);
                rate.site = SiteId::NONE;
            }
        }
        for edge in &mut process.edges {
            edge.guard.data = simplifier.condition(edge.guard.data.take());
            edge.guard.clocks = simplifier.constraints(std::mem::take(&mut edge.guard.clocks));
            edge.update = simplifier.stmts(&edge.update);
        }
    }
    result.before_update = simplifier.stmts(&network.before_update);
    result.after_update = simplifier.stmts(&network.after_update);
    for (index, function) in network.functions.iter().enumerate() {
        result.functions[index].body = simplifier.body(function);
    }
    for id in simplifier.inlined.into_keys() {
        result.functions[id.index()].body.clear();
    }
    result
}

struct Simplifier<'n> {
    network: &'n Network,
    /// The cell for the result of the function whose body is being looked at.
    result: Option<Address>,
    /// The bodies of helper functions, in normal form.
    inlined: HashMap<FunctionId, Vec<Stmt>>,
}

/// The statements in front of an expression, and the rest.
fn split(expr: Expr) -> (Vec<Stmt>, Expr) {
    match expr {
        Expr::Then(statements, value) => (statements, *value),
        other => (Vec::new(), other),
    }
}

fn join(before: Vec<Stmt>, value: Expr) -> Expr {
    match (before.is_empty(), value) {
        (true, value) => value,
        (false, Expr::Then(more, value)) => {
            let mut all = before;
            all.extend(more);
            Expr::Then(all, value)
        }
        (false, value) => Expr::Then(before, Box::new(value)),
    }
}

fn is_truth(expr: &Expr, truth: bool) -> bool {
    expr.as_const().is_some_and(|value| (value != 0) == truth)
}

impl Simplifier<'_> {
    fn condition(&mut self, data: Option<Expr>) -> Option<Expr> {
        let data = self.expr(data?);
        let data = self.boolean(data);
        (!is_truth(&data, true)).then_some(data)
    }

    fn constraints(&mut self, constraints: Vec<ClockConstraint>) -> Vec<ClockConstraint> {
        let mut result = Vec::new();
        for mut constraint in constraints {
            constraint.condition = self.condition(constraint.condition);
            if constraint
                .condition
                .as_ref()
                .is_some_and(|condition| is_truth(condition, false))
            {
                continue;
            }
            constraint.bound = self.expr(constraint.bound);
            constraint.site = SiteId::NONE;
            result.push(constraint);
        }
        result
    }

    /// 0 or 1, as a condition counts.
    fn boolean(&self, expr: Expr) -> Expr {
        match expr {
            Expr::Const(value) => Expr::Const(i32::from(value != 0)),
            Expr::Then(before, value) => join(before, self.boolean(*value)),
            other if self.bounds(&other).within(0, 1) => other,
            other => Expr::binary(BinaryOp::NotEqual, other, Expr::Const(0)),
        }
    }

    fn body(&mut self, function: &Function) -> Vec<Stmt> {
        self.result = function
            .result
            .filter(|(_, cells)| *cells == 1)
            .map(|(cell, _)| cell);
        let body = self.stmts(&function.body);
        self.result = None;
        body
    }

    /// A value that goes to a parameter or result: what its type implies is written out unless it is certain.
    fn fitted(&self, value: Expr, to: Address) -> Expr {
        let range = Bounds::new(self.network).of_cell(to);
        let (low, high) = (range.low as i32, range.high as i32);
        match self.bounds(&value).within(low, high) {
            true => value,
            false => Expr::Checked {
                value: Box::new(value),
                low,
                high,
                site: SiteId::NONE,
            },
        }
    }

    fn bounds(&self, expr: &Expr) -> Interval {
        Bounds::new(self.network).of(expr)
    }

    fn owned(&mut self, expr: &Expr) -> Expr {
        self.expr(expr.clone())
    }

    fn boxed(&mut self, expr: &Expr) -> Box<Expr> {
        Box::new(self.owned(expr))
    }

    fn expr(&mut self, expr: Expr) -> Expr {
        match expr {
            Expr::Const(_) | Expr::At(..) => expr,
            Expr::Load(place) => {
                let (before, place) = self.place(&place, true);
                join(before, Expr::Load(place))
            }
            Expr::Unary(op, operand, _) => {
                let (before, operand) = split(self.expr(*operand));
                join(before, self.unary(op, operand))
            }
            Expr::Binary(op, left, right, _) => self.binary(op, *left, *right),
            Expr::And(items) => self.junction(items, false),
            Expr::Or(items) => self.junction(items, true),
            Expr::Conditional(condition, then, otherwise) => {
                let (before, condition) = split(self.expr(*condition));
                let value = match condition.as_const() {
                    Some(0) => self.expr(*otherwise),
                    Some(_) => self.expr(*then),
                    None => Expr::Conditional(
                        Box::new(condition),
                        self.boxed(&then),
                        self.boxed(&otherwise),
                    ),
                };
                join(before, value)
            }
            Expr::Quantified {
                quantifier,
                low,
                high,
                ..
            } if low > high => Expr::Const(i32::from(quantifier == Quantifier::Forall)),
            Expr::Quantified {
                quantifier,
                variable,
                low,
                high,
                body,
                ..
            } => Expr::Quantified {
                quantifier,
                variable,
                low,
                high,
                body: self.boxed(&body),
                site: SiteId::NONE,
            },
            Expr::Call {
                function,
                arguments,
                ..
            } => self.call(function, &arguments),
            Expr::Checked {
                value, low, high, ..
            } => {
                let (before, value) = split(self.expr(*value));
                let certain = self.bounds(&value).within(low, high);
                let value = match certain {
                    true => value,
                    false => Expr::Checked {
                        value: Box::new(value),
                        low,
                        high,
                        site: SiteId::NONE,
                    },
                };
                join(before, value)
            }
            Expr::Then(statements, value) => {
                let before = self.stmts(&statements);
                join(before, self.expr(*value))
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let (mut before, left) = split(self.expr(left));
        let mut right = self.expr(right);
        if left.as_const().is_some() {
            let (more, rest) = split(right);
            before.extend(more);
            right = rest;
        }
        let value = match (left.as_const(), right.as_const()) {
            (Some(a), Some(b)) => arithmetic::binary(op, a, b).ok().map(Expr::Const),
            (None, Some(0)) if op == BinaryOp::NotEqual && self.bounds(&left).within(0, 1) => {
                Some(left.clone())
            }
            (Some(0), None) if op == BinaryOp::Subtract => {
                Some(self.unary(UnaryOp::Negate, right.clone()))
            }
            _ => None,
        };
        join(
            before,
            value.unwrap_or_else(|| Expr::binary(op, left, right)),
        )
    }

    /// A conjunction (`absorbing` is false) or disjunction (true).
    fn junction(&mut self, items: Vec<Expr>, absorbing: bool) -> Expr {
        let mut before = Vec::new();
        let mut all = Vec::new();
        for item in items {
            let mut item = self.expr(item);
            if all.is_empty() {
                let (more, rest) = split(item);
                before.extend(more);
                item = rest;
            }
            match item {
                Expr::And(inner) if !absorbing => all.extend(inner),
                Expr::Or(inner) if absorbing => all.extend(inner),
                item if is_truth(&item, absorbing) => all.push(Expr::Const(i32::from(absorbing))),
                item if is_truth(&item, !absorbing) => {}
                item => all.push(item),
            }
            if all.last().is_some_and(|last| is_truth(last, absorbing)) {
                break;
            }
        }
        let value = match all.len() {
            0 => Expr::Const(i32::from(!absorbing)),
            1 => self.boolean(all.remove(0)),
            _ if absorbing => Expr::Or(all),
            _ => Expr::And(all),
        };
        join(before, value)
    }

    fn call(&mut self, function: FunctionId, arguments: &[Argument]) -> Expr {
        let mut before = Vec::new();
        let mut simple = true;
        let mut values = Vec::with_capacity(arguments.len());
        let parameters = self
            .network
            .functions
            .get(function.index())
            .map(|function| &function.parameters);
        for (position, argument) in arguments.iter().enumerate() {
            let parameter = parameters.and_then(|parameters| parameters.get(position));
            values.push(match argument {
                Argument::Value(value) => {
                    let mut value = self.owned(value);
                    if simple {
                        let (more, rest) = split(value);
                        before.extend(more);
                        value = rest;
                    }
                    if let Some((parameter, 1)) = parameter {
                        value = self.fitted(value, *parameter);
                    }
                    simple &= value.as_const().is_some();
                    Argument::Value(value)
                }
                Argument::Copy(place, cells) => {
                    let (more, place) = self.place(place, simple);
                    before.extend(more);
                    simple = false;
                    Argument::Copy(place, *cells)
                }
            });
        }
        if values.is_empty()
            && let Some((statements, value)) = self.inlined_call(function)
        {
            return join(statements, value);
        }
        let call = Expr::Call {
            function,
            arguments: values,
            site: SiteId::NONE,
        };
        join(before, call)
    }

    /// What a call of a helper function stands for.
    fn inlined_call(&mut self, id: FunctionId) -> Option<(Vec<Stmt>, Expr)> {
        let function = self.network.functions.get(id.index())?;
        let own_name = function.name.rsplit('.').next()?;
        if !own_name.starts_with(INLINE) {
            return None;
        }
        if !self.inlined.contains_key(&id) {
            // A function that calls itself would find its empty body here; networks have none.
            self.inlined.insert(id, Vec::new());
            let outer = self.result;
            let body = self.body(function);
            self.result = outer;
            self.inlined.insert(id, body);
        }
        let mut body = self.inlined.get(&id)?.clone();
        match function.result {
            None => Some((body, Expr::Const(0))),
            Some(_) => match body.pop() {
                Some(Stmt::Return(Some(value))) => Some((body, value)),
                _ => None,
            },
        }
    }

    /// A place with constant indices folded; statements in its first index come out where that index is evaluated first.
    fn place(&mut self, place: &Place, first: bool) -> (Vec<Stmt>, Place) {
        let mut base = place.base;
        let (before, indices) = self.indices(&place.indices, first, |by| base = base.plus(by));
        (before, Place { base, indices })
    }

    fn indices(
        &mut self,
        indices: &[Index],
        first: bool,
        mut add: impl FnMut(u32),
    ) -> (Vec<Stmt>, Vec<Index>) {
        let mut before = Vec::new();
        let mut rest = Vec::new();
        for index in indices {
            let mut value = self.owned(&index.value);
            if first && rest.is_empty() {
                let (more, inner) = split(value);
                before.extend(more);
                value = inner;
            }
            match value {
                Expr::Const(constant) if constant >= 0 && (constant as u32) < index.length => {
                    add(constant as u32 * index.stride);
                }
                value => rest.push(Index {
                    value,
                    site: SiteId::NONE,
                    ..*index
                }),
            }
        }
        (before, rest)
    }

    fn stmts(&mut self, statements: &[Stmt]) -> Vec<Stmt> {
        let mut out = Vec::with_capacity(statements.len());
        for statement in statements {
            self.stmt(statement, &mut out);
        }
        out
    }

    /// The value of an expression, what comes first having been put out.
    fn value(&mut self, expr: &Expr, out: &mut Vec<Stmt>) -> Expr {
        let (before, value) = split(self.owned(expr));
        out.extend(before);
        value
    }

    fn stmt(&mut self, statement: &Stmt, out: &mut Vec<Stmt>) {
        let site = SiteId::NONE;
        match statement {
            Stmt::Assign {
                target,
                value,
                low,
                high,
                ..
            } => {
                let value = match self.value(value, out) {
                    // The assignment checks the same.
                    Expr::Checked {
                        value,
                        low: least,
                        high: most,
                        ..
                    } if (least, most) == (*low, *high) => *value,
                    value => value,
                };
                let (before, target) = self.place(target, value.as_const().is_some());
                out.extend(before);
                out.push(Stmt::Assign {
                    target,
                    value,
                    low: *low,
                    high: *high,
                    site,
                });
            }
            Stmt::Copy {
                target,
                source,
                cells,
            } => {
                let (before, source) = self.place(source, true);
                out.extend(before);
                let (before, target) = self.place(target, source.indices.is_empty());
                out.extend(before);
                out.push(Stmt::Copy {
                    target,
                    source,
                    cells: *cells,
                });
            }
            Stmt::Reset { clock, value, .. } => {
                let value = self.value(value, out);
                let mut clock = clock.clone();
                let mut base = clock.base;
                let (before, indices) =
                    self.indices(&clock.indices, value.as_const().is_some(), |by| {
                        base.0 += by
                    });
                out.extend(before);
                clock.base = base;
                clock.indices = indices;
                out.push(Stmt::Reset { clock, value, site });
            }
            Stmt::CopyClock { .. } => out.push(statement.clone()),
            Stmt::Evaluate(expr) => {
                let value = self.value(expr, out);
                if value.as_const().is_none() {
                    out.push(Stmt::Evaluate(value));
                }
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.value(condition, out);
                match condition.as_const() {
                    Some(0) => out.extend(self.stmts(otherwise)),
                    Some(_) => out.extend(self.stmts(then)),
                    None => out.push(Stmt::If {
                        condition,
                        then: self.stmts(then),
                        otherwise: self.stmts(otherwise),
                    }),
                }
            }
            Stmt::While {
                condition,
                body,
                test_first,
                ..
            } => {
                let condition = self.owned(condition);
                if *test_first && is_truth(&condition, false) {
                    return;
                }
                out.push(Stmt::While {
                    condition,
                    body: self.stmts(body),
                    test_first: *test_first,
                    site,
                });
            }
            Stmt::For { low, high, .. } if low > high => {}
            Stmt::For {
                variable,
                low,
                high,
                body,
                ..
            } => out.push(Stmt::For {
                variable: *variable,
                low: *low,
                high: *high,
                body: self.stmts(body),
                site,
            }),
            Stmt::Return(value) => {
                let value = value.as_ref().map(|value| {
                    let value = self.value(value, out);
                    match self.result {
                        Some(result) => self.fitted(value, result),
                        None => value,
                    }
                });
                out.push(Stmt::Return(value));
            }
            Stmt::ReturnCopy(place, cells) => {
                let (before, place) = self.place(place, true);
                out.extend(before);
                out.push(Stmt::ReturnCopy(place, *cells));
            }
        }
    }

    fn unary(&self, op: UnaryOp, operand: Expr) -> Expr {
        if let Some(value) = operand.as_const()
            && let Ok(folded) = arithmetic::unary(op, value)
        {
            return Expr::Const(folded);
        }
        match (op, operand) {
            (UnaryOp::Negate, Expr::Unary(UnaryOp::Negate, inner, _)) => *inner,
            (UnaryOp::Not, Expr::Unary(UnaryOp::Not, inner, _)) => self.boolean(*inner),
            (op, operand) => Expr::Unary(op, Box::new(operand), SiteId::NONE),
        }
    }
}
