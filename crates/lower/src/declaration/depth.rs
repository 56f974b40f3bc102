//! How deep the calls of a function are nested. Functions call only those declared before them, so this is known
//! at their declaration; a bound on it keeps every later walk along calls within the stack.

use crate::naming::scope::{Env, Symbol};
use crate::run::lowerer::Lowerer;
use merkhet_syntax::tree::{
    Block, Declaration, Expr, ExprKind, Initialiser, Statement, StatementKind,
};

impl Lowerer<'_> {
    /// One more than the depth of the functions that a body calls.
    pub(super) fn call_depth(&self, env: &Env, body: &Block) -> u32 {
        let mut depth = 0;
        block(body, &mut |name, is_method| {
            if is_method {
                let longest = self.tables.method_depths.get(name);
                depth = depth.max(longest.copied().unwrap_or(0));
            } else if let Some(Symbol::Function(id)) = self.resolve(env, name)
                && let Some(callee) = self.tables.functions.get(id as usize)
            {
                depth = depth.max(callee.depth);
            }
        });
        depth + 1
    }
}

fn block<'t>(content: &'t Block, called: &mut impl FnMut(&'t str, bool)) {
    for declaration in &content.declarations {
        if let Declaration::Variables(variables) = declaration {
            for declarator in &variables.declarators {
                if let Some(value) = &declarator.initialiser {
                    initialiser(value, called);
                }
            }
        }
    }
    for inner in &content.statements {
        statement(inner, called);
    }
}

fn initialiser<'t>(value: &'t Initialiser, called: &mut impl FnMut(&'t str, bool)) {
    match value {
        Initialiser::Expr(expr) => expression(expr, called),
        Initialiser::List(items, _) => {
            for item in items {
                initialiser(&item.value, called);
            }
        }
    }
}

fn expression<'t>(expr: &'t Expr, called: &mut impl FnMut(&'t str, bool)) {
    if let ExprKind::Call { function, .. } = &expr.kind {
        match &function.kind {
            ExprKind::Name(name) => called(name, false),
            ExprKind::Field { field, .. } => called(&field.text, true),
            _ => {}
        }
    }
    expr.kind.for_each_child(|child| expression(child, called));
}

fn statement<'t>(content: &'t Statement, called: &mut impl FnMut(&'t str, bool)) {
    match &content.kind {
        StatementKind::Expr(expr) | StatementKind::Assert(expr) => expression(expr, called),
        StatementKind::Return(Some(value)) => expression(value, called),
        StatementKind::Block(inner) => block(inner, called),
        StatementKind::If {
            branches,
            otherwise,
        } => {
            for (condition, then) in branches {
                expression(condition, called);
                statement(then, called);
            }
            if let Some(otherwise) = otherwise {
                statement(otherwise, called);
            }
        }
        StatementKind::For {
            start,
            condition,
            step,
            body,
        } => {
            for part in [start, condition, step].into_iter().flatten() {
                expression(part, called);
            }
            statement(body, called);
        }
        StatementKind::Iteration { body, .. } => statement(body, called),
        StatementKind::While { condition, body } | StatementKind::DoWhile { body, condition } => {
            expression(condition, called);
            statement(body, called);
        }
        StatementKind::Return(None)
        | StatementKind::Empty
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Broken => {}
    }
}
