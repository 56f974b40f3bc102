//! Copies of an edge in which a variable is a number.

use merkhet_network::code::evaluate_constant;
use merkhet_network::footprint::Footprints;
use merkhet_network::visit::{Rewriter, rewrite_expr};
use merkhet_network::{Address, ClockConstraint, Edge, Expr, Network};

/// What became of an edge.
pub(super) enum Substituted {
    /// The variable is still read: by a function, or through an index.
    StillRead,
    /// The edge cannot be taken with this value.
    Never,
    /// The copy.
    Edge(Box<Edge>),
}

/// The edge for one value of the variable.
pub(super) fn edge<'n>(
    network: &'n Network,
    prints: &mut Footprints<'n>,
    edge: &Edge,
    cell: Address,
    value: i32,
) -> Substituted {
    let mut copy = edge.clone();
    let mut rewriter = Constant { cell, value };
    if let Some(data) = &mut copy.guard.data {
        rewriter.expr(data);
    }
    for constraint in &mut copy.guard.clocks {
        rewriter.expr(&mut constraint.bound);
        if let Some(condition) = &mut constraint.condition {
            rewriter.expr(condition);
        }
    }
    for statement in &mut copy.update {
        rewriter.stmt(statement);
    }
    if still_read(prints, &copy, cell) {
        return Substituted::StillRead;
    }
    let mut folder = Folder { network, prints };
    if let Some(data) = copy.guard.data.take() {
        match folder.guard(data) {
            Expr::Const(0) => return Substituted::Never,
            Expr::Const(_) => {}
            data => copy.guard.data = Some(data),
        }
    }
    copy.guard
        .clocks
        .retain_mut(|constraint| folder.constraint(constraint));
    Substituted::Edge(Box::new(copy))
}

fn still_read(prints: &mut Footprints<'_>, edge: &Edge, cell: Address) -> bool {
    let mut found = prints.stmts(&edge.update);
    for expr in edge.guard.data.iter().chain(
        edge.guard
            .clocks
            .iter()
            .flat_map(|constraint| constraint.condition.iter().chain([&constraint.bound])),
    ) {
        found.extend(&prints.expr(expr));
    }
    found.reads.contains(cell)
}

struct Constant {
    cell: Address,
    value: i32,
}

impl Rewriter for Constant {
    fn expr(&mut self, expr: &mut Expr) {
        if let Expr::Load(place) = expr
            && place.fixed() == Some(self.cell)
        {
            *expr = Expr::Const(self.value);
            return;
        }
        rewrite_expr(self, expr);
    }
}

/// Folds what has become constant. What would fail stays as it is, to fail where it did.
struct Folder<'a, 'n> {
    network: &'n Network,
    prints: &'a mut Footprints<'n>,
}

impl Folder<'_, '_> {
    fn guard(&mut self, expr: Expr) -> Expr {
        let Expr::And(parts) = expr else {
            return self.fold(expr);
        };
        let mut kept = Vec::new();
        for part in parts {
            match self.guard(part) {
                Expr::Const(0) => {
                    kept.push(Expr::FALSE);
                    break; // what follows is not evaluated
                }
                Expr::Const(_) => {}
                part => kept.push(part),
            }
        }
        match kept.len() {
            0 => Expr::TRUE,
            1 if kept[0] == Expr::FALSE => Expr::FALSE,
            _ => Expr::And(kept),
        }
    }

    fn fold(&mut self, expr: Expr) -> Expr {
        if matches!(expr, Expr::Const(_)) || !self.is_constant(&expr) {
            return expr;
        }
        match evaluate_constant(self.network, &expr, FUEL) {
            Ok(value) => Expr::Const(value),
            Err(_) => expr,
        }
    }

    fn is_constant(&mut self, expr: &Expr) -> bool {
        let found = self.prints.expr(expr);
        let simple = found.functions.is_empty() && found.locations.is_empty();
        simple && found.reads.is_empty() && found.writes.is_empty()
    }

    /// Folds a constraint; false if it never counts.
    fn constraint(&mut self, constraint: &mut ClockConstraint) -> bool {
        let bound = std::mem::replace(&mut constraint.bound, Expr::TRUE);
        constraint.bound = self.fold(bound);
        match constraint
            .condition
            .take()
            .map(|condition| self.fold(condition))
        {
            Some(Expr::Const(0)) => return false,
            Some(Expr::Const(_)) | None => {}
            condition => constraint.condition = condition,
        }
        true
    }
}

/// Steps for folding a constant.
const FUEL: u64 = 10_000;
