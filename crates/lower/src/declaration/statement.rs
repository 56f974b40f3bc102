//! Statements of functions.

use crate::data::object::Object;
use crate::data::types::Type;
use crate::data::value::Value;
use crate::fold;
use crate::naming::scope::{Env, Symbol};
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported};
use merkhet_network::{Expr as NetExpr, Stmt};
use merkhet_syntax::Span;
use merkhet_syntax::tree::{Block, Expr, Name, Statement, StatementKind, TypeSpec};

/// `else if` ladders up to this length are nested; longer ones test a flag, to keep the tree flat.
const NESTED_BRANCHES: usize = 32;

impl Lowerer<'_> {
    /// A block: its variables are gone after it.
    pub(super) fn block(&mut self, env: &mut Env, block: &Block, out: &mut Vec<Stmt>) -> Lower<()> {
        let depth = env.locals.len();
        let mut result = Ok(());
        for declaration in &block.declarations {
            result = result.and(self.local_declaration(env, declaration, out));
        }
        for statement in &block.statements {
            result = result.and(self.statement(env, statement, out));
        }
        env.locals.truncate(depth);
        result
    }

    fn statement(
        &mut self,
        env: &mut Env,
        statement: &Statement,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Empty => Ok(()),
            StatementKind::Expr(expr) => self.effect(env, expr, out),
            StatementKind::Block(block) => self.block(env, block, out),
            StatementKind::If {
                branches,
                otherwise,
            } => self.branches(env, branches, otherwise.as_deref(), span, out),
            StatementKind::For {
                start,
                condition,
                step,
                body,
            } => {
                if let Some(start) = start {
                    self.effect(env, start, out)?;
                }
                let condition = match condition {
                    Some(condition) => self.integer(env, condition),
                    None => Ok(NetExpr::TRUE),
                };
                let mut inner = Vec::new();
                let result = self.statement(env, body, &mut inner);
                if let Some(step) = step {
                    self.effect(env, step, &mut inner)?;
                }
                result?;
                let site = self.site(span);
                out.push(Stmt::While {
                    condition: condition?,
                    body: inner,
                    test_first: true,
                    site,
                });
                Ok(())
            }
            StatementKind::Iteration {
                variable,
                range,
                body,
            } => self.iteration(env, variable, range, body, span, out),
            StatementKind::While { condition, body } => {
                self.while_loop(env, condition, body, true, span, out)
            }
            StatementKind::DoWhile { body, condition } => {
                self.while_loop(env, condition, body, false, span, out)
            }
            StatementKind::Return(value) => self.return_value(env, value.as_ref(), span, out),
            StatementKind::Assert(condition) => {
                let value = self.integer(env, condition)?;
                let site = self.site(span);
                out.push(Stmt::Evaluate(fold::checked(
                    fold::boolean(value),
                    1,
                    1,
                    site,
                )));
                Ok(())
            }
            StatementKind::Break => self.unsupported("`break`", span),
            StatementKind::Continue => self.unsupported("`continue`", span),
            StatementKind::Broken => Err(Reported),
        }
    }

    fn branches(
        &mut self,
        env: &mut Env,
        branches: &[(Expr, Statement)],
        otherwise: Option<&Statement>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        let mut lowered = Vec::new();
        let mut result = Ok(());
        for (condition, then) in branches {
            let condition = self.integer(env, condition);
            let mut body = Vec::new();
            result = result.and(self.statement(env, then, &mut body));
            match condition {
                Ok(condition) => lowered.push((condition, body)),
                Err(error) => result = Err(error),
            }
        }
        let mut last = Vec::new();
        if let Some(otherwise) = otherwise {
            result = result.and(self.statement(env, otherwise, &mut last));
        }
        result?;
        if lowered.len() > NESTED_BRANCHES {
            return self.long_ladder(lowered, last, span, out);
        }
        for (condition, then) in lowered.into_iter().rev() {
            last = vec![Stmt::If {
                condition,
                then,
                otherwise: last,
            }];
        }
        out.append(&mut last);
        Ok(())
    }

    /// A long `else if` ladder: each branch runs only if none before it has.
    fn long_ladder(
        &mut self,
        branches: Vec<(NetExpr, Vec<Stmt>)>,
        otherwise: Vec<Stmt>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        let cell = self.local_cells("", &Type::Bool, span)?;
        let done = Object::in_memory(Type::Bool, cell, true);
        let open = NetExpr::load(cell).negated();
        out.push(self.store(&done, NetExpr::FALSE, span)?);
        for (condition, mut then) in branches {
            then.insert(0, self.store(&done, NetExpr::TRUE, span)?);
            out.push(Stmt::If {
                condition: fold::and([open.clone(), condition]),
                then,
                otherwise: Vec::new(),
            });
        }
        out.push(Stmt::If {
            condition: open,
            then: otherwise,
            otherwise: Vec::new(),
        });
        Ok(())
    }

    fn while_loop(
        &mut self,
        env: &mut Env,
        condition: &Expr,
        body: &Statement,
        test_first: bool,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        let condition = self.integer(env, condition);
        let mut inner = Vec::new();
        self.statement(env, body, &mut inner)?;
        let site = self.site(span);
        out.push(Stmt::While {
            condition: condition?,
            body: inner,
            test_first,
            site,
        });
        Ok(())
    }

    fn iteration(
        &mut self,
        env: &mut Env,
        variable: &Name,
        range: &TypeSpec,
        body: &Statement,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        let (ty, low, high) = self.loop_range(env, range)?;
        let cell = self.local_cells(&variable.text, &ty, variable.span)?;
        let object = Object::in_memory(ty, cell, false);
        let depth = env.locals.len();
        env.locals
            .push((variable.text.clone(), Symbol::Object(object)));
        let mut inner = Vec::new();
        let result = self.statement(env, body, &mut inner);
        env.locals.truncate(depth);
        result?;
        let site = self.site(span);
        out.push(Stmt::For {
            variable: cell,
            low,
            high,
            body: inner,
            site,
        });
        Ok(())
    }

    fn return_value(
        &mut self,
        env: &mut Env,
        value: Option<&Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        let result = env.result.clone();
        let Some(expr) = value else {
            if result != Type::Void {
                return self.error(
                    "type",
                    format!("a value of type `{result}` is expected"),
                    span,
                );
            }
            out.push(Stmt::Return(None));
            return Ok(());
        };
        if result == Type::Void {
            return self.error("type", "a `void` function returns no value", expr.span);
        }
        let value = self.expression(env, expr)?;
        if result.is_cell() {
            let (value, from) = self.as_data(value, expr.span)?;
            let value = self.fitted(value, &from, &result, expr.span)?;
            out.push(Stmt::Return(Some(value)));
            return Ok(());
        }
        match value {
            Value::Object(mut object) if result.accepts(&object.ty) => {
                if !result.contains(&object.ty) {
                    let copy = self.temporary(result.clone(), span)?;
                    out.extend(self.copy(&copy, &object, span)?);
                    object = copy;
                }
                out.append(&mut object.before);
                let place = self.place(&object, span)?;
                out.push(Stmt::ReturnCopy(place, result.cells()));
                Ok(())
            }
            Value::Unsupported(what, span) => self.unsupported(what, span),
            _ => self.error(
                "type",
                format!("a value of type `{result}` is expected"),
                expr.span,
            ),
        }
    }
}
