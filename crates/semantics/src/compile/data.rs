//! Conditions, values and updates on data: the simple ones as they are, the others as code.

use merkhet_network::code::{Layout, ProgramBuilder};
use merkhet_network::{BinaryOp, Expr, MAX_CLOCK_CONSTANT, Place, Region, Stmt, UnaryOp};

use crate::data::{Comparison, Test, Update, Value};

/// A condition; absent means true.
pub(crate) fn condition(builder: &mut ProgramBuilder<'_>, expr: Option<&Expr>) -> Test {
    match expr {
        None => Test::True,
        Some(expr) => test(builder, expr),
    }
}

/// A condition.
pub(crate) fn test(builder: &mut ProgramBuilder<'_>, expr: &Expr) -> Test {
    if let Some(value) = expr.as_const() {
        return if value != 0 { Test::True } else { Test::False };
    }
    let mut found = Vec::new();
    if comparisons(builder.layout(), expr, &mut found) {
        return match found[..] {
            [] => Test::True,
            [one] => Test::One(one),
            _ => Test::All(found.into()),
        };
    }
    Test::Code(builder.expression(expr))
}

/// Whether the expression is a conjunction of comparisons of cells with numbers; if so, these.
fn comparisons(layout: &Layout, expr: &Expr, found: &mut Vec<Comparison>) -> bool {
    match expr {
        Expr::And(parts) => parts.iter().all(|part| comparisons(layout, part, found)),
        other => match comparison(layout, other) {
            Some(comparison) => {
                found.push(comparison);
                true
            }
            None => false,
        },
    }
}

fn comparison(layout: &Layout, expr: &Expr) -> Option<Comparison> {
    use BinaryOp::*;
    let make = |slot, op, value| Some(Comparison { slot, op, value });
    match expr {
        Expr::At(process, location) => {
            make(layout.location(*process) as u32, Equal, location.0 as i32)
        }
        Expr::Load(place) => make(slot(layout, place)?, NotEqual, 0),
        Expr::Unary(UnaryOp::Not, inner, _) => {
            let inner = comparison(layout, inner)?;
            let op = match inner.op {
                Equal => NotEqual,
                NotEqual => Equal,
                Less => GreaterEqual,
                LessEqual => Greater,
                Greater => LessEqual,
                GreaterEqual => Less,
                _ => return None,
            };
            make(inner.slot, op, inner.value)
        }
        Expr::Binary(op, left, right, _) => {
            let (place, value, op) = match (&**left, &**right) {
                (Expr::Load(place), Expr::Const(value)) => (place, *value, *op),
                (Expr::Const(value), Expr::Load(place)) => (place, *value, op.mirrored()),
                _ => return None,
            };
            let compares = matches!(
                op,
                Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual
            );
            compares.then_some(())?;
            make(slot(layout, place)?, op, value)
        }
        _ => None,
    }
}

/// The slot of a cell that is known and lives between evaluations.
fn slot(layout: &Layout, place: &Place) -> Option<u32> {
    let cell = place.fixed()?;
    (cell.region != Region::Local).then(|| layout.address(cell) as u32)
}

/// A value.
pub(crate) fn value(builder: &mut ProgramBuilder<'_>, expr: &Expr) -> Value {
    if let Some(value) = expr.as_const() {
        return Value::Const(value);
    }
    if let Expr::Load(place) = expr
        && let Some(slot) = slot(builder.layout(), place)
    {
        return Value::Cell(slot);
    }
    Value::Code(builder.expression(expr))
}

/// An update.
pub(crate) fn update(builder: &mut ProgramBuilder<'_>, statements: &[Stmt]) -> Update {
    match simple(builder.layout(), statements) {
        Some(update) => update,
        None => Update::Code(builder.statements(statements)),
    }
}

/// The update, if it only assigns numbers that are in range to known cells and clocks.
fn simple(layout: &Layout, statements: &[Stmt]) -> Option<Update> {
    let mut cells = Vec::new();
    let mut clocks = Vec::new();
    for statement in statements {
        match statement {
            Stmt::Assign {
                target,
                value: Expr::Const(value),
                low,
                high,
                ..
            } if (low..=high).contains(&value) => {
                cells.push((slot(layout, target)?, *value));
            }
            Stmt::Reset {
                clock,
                value: Expr::Const(value),
                ..
            } if clock.indices.is_empty() && (0..=MAX_CLOCK_CONSTANT).contains(value) => {
                clocks.push((clock.base, *value));
            }
            _ => return None,
        }
    }
    Some(Update::Simple {
        cells: cells.into(),
        clocks: clocks.into(),
    })
}
