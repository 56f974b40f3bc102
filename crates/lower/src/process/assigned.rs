//! Which names a template assigns to: a value parameter among them is a variable, the others are constants.

use merkhet_syntax::tree::{
    Block, Declaration, Expr, ExprKind, Initialiser, Statement, StatementKind, Template,
};
use std::collections::HashSet;

/// Names that occur as target of an assignment or as (part of) an argument of a function.
pub fn assigned_names(template: &Template) -> HashSet<&str> {
    let mut names = HashSet::new();
    for declaration in &template.declarations {
        if let Declaration::Function(function) = declaration {
            block(&function.body, &mut names);
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

fn initialiser<'t>(value: &'t Initialiser, names: &mut HashSet<&'t str>) {
    match value {
        Initialiser::Expr(expr) => expression(expr, names),
        Initialiser::List(items, _) => {
            items
                .iter()
                .for_each(|item| initialiser(&item.value, names));
        }
    }
}

fn block<'t>(content: &'t Block, names: &mut HashSet<&'t str>) {
    for declaration in &content.declarations {
        if let Declaration::Variables(variables) = declaration {
            for declarator in &variables.declarators {
                if let Some(value) = &declarator.initialiser {
                    initialiser(value, names);
                }
            }
        }
    }
    content
        .statements
        .iter()
        .for_each(|inner| statement(inner, names));
}

fn statement<'t>(content: &'t Statement, names: &mut HashSet<&'t str>) {
    match &content.kind {
        StatementKind::Expr(expr) | StatementKind::Assert(expr) => expression(expr, names),
        StatementKind::Return(value) => {
            value.iter().for_each(|expr| expression(expr, names));
        }
        StatementKind::Block(inner) => block(inner, names),
        StatementKind::If {
            branches,
            otherwise,
        } => {
            for (condition, then) in branches {
                expression(condition, names);
                statement(then, names);
            }
            otherwise.iter().for_each(|inner| statement(inner, names));
        }
        StatementKind::For {
            start,
            condition,
            step,
            body,
        } => {
            for part in [start, condition, step].into_iter().flatten() {
                expression(part, names);
            }
            statement(body, names);
        }
        StatementKind::Iteration { body, .. } => statement(body, names),
        StatementKind::While { condition, body } | StatementKind::DoWhile { body, condition } => {
            expression(condition, names);
            statement(body, names);
        }
        StatementKind::Empty
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Broken => {}
    }
}
