//! How deep the calls of a function are nested. Functions call only those declared before them, so this is known
//! at their declaration; a bound on it keeps every later walk along calls within the stack.

use crate::naming::scope::{Env, Symbol};
use crate::run::lowerer::Lowerer;
use merkhet_syntax::tree::{Block, Expr, ExprKind};

impl Lowerer<'_> {
    /// One more than the depth of the functions that a body calls.
    pub(super) fn call_depth(&self, env: &Env, body: &Block) -> u32 {
        let mut depth = 0;
        let mut called = |name: &str, is_method| {
            if is_method {
                let longest = self.tables.method_depths.get(name);
                depth = depth.max(longest.copied().unwrap_or(0));
            } else if let Some(Symbol::Function(id)) = self.resolve(env, name)
                && let Some(callee) = self.tables.functions.get(id as usize)
            {
                depth = depth.max(callee.depth);
            }
        };
        body.for_each_expr(&mut |expr| expression(expr, &mut called));
        depth + 1
    }
}

fn expression(expr: &Expr, called: &mut impl FnMut(&str, bool)) {
    if let ExprKind::Call { function, .. } = &expr.kind {
        match &function.kind {
            ExprKind::Name(name) => called(name, false),
            ExprKind::Field { field, .. } => called(&field.text, true),
            _ => {}
        }
    }
    expr.kind.for_each_child(|child| expression(child, called));
}
