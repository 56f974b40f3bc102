//! Which names a template assigns to: a value parameter among them is a variable, the others are constants.

use merkhet_syntax::tree::{Declaration, Expr, ExprKind, Template};
use std::collections::HashSet;

/// Names that occur as target of an assignment or as (part of) an argument of a function.
pub fn assigned_names(template: &Template) -> HashSet<&str> {
    let mut names = HashSet::new();
    for declaration in &template.declarations {
        if let Declaration::Function(function) = declaration {
            let body = &function.body;
            body.for_each_expr(&mut |expr| expression(expr, &mut names));
        }
    }
    for update in template
        .edges
        .iter()
        .filter_map(|edge| edge.update.as_ref())
    {
        update
            .value
            .iter()
            .for_each(|expr| expression(expr, &mut names));
    }
    names
}

fn root(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Index { array: inner, .. } | ExprKind::Field { object: inner, .. } => root(inner),
        ExprKind::Assign { target: inner, .. } | ExprKind::Increment { target: inner, .. } => {
            root(inner)
        }
        _ => None,
    }
}

fn expression<'t>(expr: &'t Expr, names: &mut HashSet<&'t str>) {
    if let ExprKind::Assign { .. } | ExprKind::Increment { .. } = &expr.kind {
        names.extend(root(expr));
    }
    expr.kind.for_each_child(|child| expression(child, names));
}
