//! Expressions of a simple shape: comparisons of a cell with a number, and sums of the two.

use merkhet_network::{BinaryOp, Expr, Place, Region, UnaryOp};

/// `cell ⋈ number` in either order; a bare cell is `cell != 0`.
pub(in crate::atg) fn comparison(expr: &Expr) -> Option<(u32, BinaryOp, i32)> {
    match expr {
        Expr::Load(place) => state_cell(place).map(|cell| (cell, BinaryOp::NotEqual, 0)),
        Expr::Unary(UnaryOp::Not, inner, _) => match &**inner {
            Expr::Load(place) => state_cell(place).map(|cell| (cell, BinaryOp::Equal, 0)),
            Expr::Binary(op, left, right, _) => comparison_of(*op, left, right)
                .and_then(|(cell, op, value)| Some((cell, op.opposite()?, value))),
            _ => None,
        },
        Expr::Binary(op, left, right, _) => comparison_of(*op, left, right),
        _ => None,
    }
}

fn comparison_of(op: BinaryOp, left: &Expr, right: &Expr) -> Option<(u32, BinaryOp, i32)> {
    // Nothing else has an opposite.
    op.opposite()?;
    match (left, right) {
        (Expr::Load(place), Expr::Const(value)) => Some((state_cell(place)?, op, *value)),
        (Expr::Const(value), Expr::Load(place)) => {
            Some((state_cell(place)?, op.mirrored(), *value))
        }
        _ => None,
    }
}

fn state_cell(place: &Place) -> Option<u32> {
    place
        .fixed()
        .filter(|address| address.region == Region::State)
        .map(|address| address.offset)
}

/// `cell + number` or `cell - number`.
pub(in crate::atg) fn cell_plus_constant(expr: &Expr) -> Option<(u32, i32)> {
    match expr {
        Expr::Load(place) => Some((state_cell(place)?, 0)),
        Expr::Binary(BinaryOp::Add, left, right, _) => match (&**left, &**right) {
            (Expr::Load(place), Expr::Const(value)) | (Expr::Const(value), Expr::Load(place)) => {
                Some((state_cell(place)?, *value))
            }
            _ => None,
        },
        Expr::Binary(BinaryOp::Subtract, left, right, _) => match (&**left, &**right) {
            (Expr::Load(place), Expr::Const(value)) => {
                Some((state_cell(place)?, value.checked_neg()?))
            }
            _ => None,
        },
        _ => None,
    }
}
