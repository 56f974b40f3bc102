//! Variables of functions: fixed cells, initialised each time their block is entered.

use super::default_value;
use crate::data::memory::convert;
use crate::data::object::Object;
use crate::data::types::{Type, WIDE};
use crate::data::value::Value;
use crate::naming::scope::{Env, Symbol};
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported, only_unsupported, soften};
use merkhet_network::{Expr as NetExpr, Stmt};
use merkhet_syntax::Span;
use merkhet_syntax::tree::{Declaration, Declarator, Initialiser, VariableDeclaration};

/// Arrays up to this length are initialised element by element, longer ones in a loop.
const UNROLLED_LENGTH: u32 = 4;

impl Lowerer<'_> {
    /// Declares what stands at the start of a block.
    pub(super) fn local_declaration(
        &mut self,
        env: &mut Env,
        declaration: &Declaration,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        match declaration {
            Declaration::Variables(variables) => {
                let mut result = Ok(());
                for declarator in &variables.declarators {
                    let symbol = self.local_variable(env, variables, declarator, out);
                    result = result.and(symbol.as_ref().map(|_| ()).map_err(|error| *error));
                    let symbol = symbol.unwrap_or(Symbol::Broken);
                    env.locals.push((declarator.name.text.clone(), symbol));
                }
                result
            }
            Declaration::Typedef(typedef) => {
                for declarator in &typedef.declarators {
                    let ty = self.declared_type(env, &typedef.type_spec, &declarator.dimensions)?;
                    let symbol = match ty.unsupported() {
                        Some(what) => Symbol::Unsupported(what),
                        None => Symbol::Type(ty),
                    };
                    env.locals.push((declarator.name.text.clone(), symbol));
                }
                Ok(())
            }
            Declaration::Broken(_) => Err(Reported),
            Declaration::Unsupported { what, span, .. } => self.unsupported(what, *span),
            Declaration::Function(function) => {
                self.error("type", "a function cannot be declared here", function.span)
            }
            _ => Ok(()),
        }
    }

    fn local_variable(
        &mut self,
        env: &mut Env,
        declaration: &VariableDeclaration,
        declarator: &Declarator,
        out: &mut Vec<Stmt>,
    ) -> Lower<Symbol> {
        let spec = &declaration.type_spec;
        let name = &declarator.name;
        let ty = self.declared_type(env, spec, &declarator.dimensions)?;
        if let Some(what) = ty.unsupported() {
            return Ok(Symbol::Unsupported(what));
        }
        if ty.counts().clocks + ty.counts().channels > 0 || ty == Type::Void {
            return self.error(
                "type",
                format!("a function cannot have a variable of type `{ty}`"),
                name.span,
            );
        }
        if spec.constant
            && let Some(symbol) = self.local_constant(env, &ty, declarator)
        {
            return Ok(symbol);
        }
        let base = self.local_cells(&name.text, &ty, name.span)?;
        let object = Object::in_memory(ty, base, true);
        match &declarator.initialiser {
            Some(initialiser) => self.assign_initial(env, &object, initialiser, out)?,
            None => self.assign_default(&object, name.span, out)?,
        }
        Ok(Symbol::Object(Object {
            mutable: !spec.constant,
            ..object
        }))
    }

    /// A local constant whose value is known when the model is loaded.
    fn local_constant(
        &mut self,
        env: &mut Env,
        ty: &Type,
        declarator: &Declarator,
    ) -> Option<Symbol> {
        let initialiser = declarator.initialiser.as_ref()?;
        if !is_literal(initialiser) {
            // Only folded values: calls may depend on the function's parameters.
            let Initialiser::Expr(expr) = initialiser else {
                return None;
            };
            if !ty.is_cell() {
                return None;
            }
            let outer = self.report.begin();
            let value = self.integer(env, expr);
            self.report.end(outer);
            let value = value.ok()?.as_const()?;
            let (low, high) = ty.range()?;
            return (low..=high)
                .contains(&value)
                .then(|| Symbol::Constant(value, ty.clone()));
        }
        let outer = self.report.begin();
        let mut values = Vec::new();
        let result = self.initial_values(env, ty, Some(initialiser), &mut values);
        self.report.end(outer);
        result.ok()?;
        let name = &declarator.name;
        Some(self.new_constant(name.text.clone(), None, ty.clone(), values, name.span))
    }

    /// Statements that give an object its initial value.
    fn assign_initial(
        &mut self,
        env: &mut Env,
        object: &Object,
        initialiser: &Initialiser,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        match (initialiser, object.ty.clone()) {
            (Initialiser::Expr(expr), ty) if ty.is_cell() => {
                let (value, from) = self.data(env, expr)?;
                if !ty.accepts(&from) {
                    return self.error(
                        "type",
                        format!("a value of type `{ty}` is expected, not `{from}`"),
                        expr.span,
                    );
                }
                let value = convert(value, &from, &ty);
                out.push(self.store(object, value, expr.span)?);
                Ok(())
            }
            (Initialiser::Expr(expr), ty) => match self.expression(env, expr)? {
                Value::Object(source) if ty.accepts(&source.ty) => {
                    out.extend(self.copy(object, &source, expr.span)?);
                    Ok(())
                }
                Value::Unsupported(what, span) => self.unsupported(what, span),
                _ => self.error(
                    "type",
                    format!("an initial value of type `{ty}` is expected"),
                    expr.span,
                ),
            },
            (Initialiser::List(items, span), Type::Array(array)) => {
                self.check_count(array.length as usize, items.len(), *span)?;
                let site = self.site(*span);
                for (k, item) in items.iter().enumerate() {
                    self.no_field_name(item)?;
                    let element = object.clone().nth(NetExpr::Const(k as i32), site);
                    self.assign_initial(env, &element.ok_or(Reported)?, &item.value, out)?;
                }
                Ok(())
            }
            (Initialiser::List(items, span), Type::Struct(structure)) => {
                for (position, field) in structure.fields.iter().enumerate() {
                    let item = self.item_for(&structure, position, items, *span)?;
                    let part = object.clone().field(&field.name).ok_or(Reported)?;
                    self.assign_initial(env, &part, &item.value, out)?;
                }
                Ok(())
            }
            (Initialiser::List(_, span), ty) => self.error(
                "initialiser",
                format!("a list cannot initialise a value of type `{ty}`"),
                *span,
            ),
        }
    }

    /// Statements that give an object its default value.
    pub(super) fn assign_default(
        &mut self,
        object: &Object,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        match object.ty.clone() {
            Type::Array(array) if array.length <= UNROLLED_LENGTH => {
                let site = self.site(span);
                for k in 0..array.length as i32 {
                    let element = object.clone().nth(NetExpr::Const(k), site);
                    self.assign_default(&element.ok_or(Reported)?, span, out)?;
                }
                Ok(())
            }
            Type::Array(array) => {
                let variable = self.local_cells("", &WIDE, span)?;
                let site = self.site(span);
                let element = object.clone().nth(NetExpr::load(variable), site);
                let mut body = Vec::new();
                self.assign_default(&element.ok_or(Reported)?, span, &mut body)?;
                out.push(Stmt::For {
                    variable,
                    low: 0,
                    high: array.length as i32 - 1,
                    body,
                    site,
                });
                Ok(())
            }
            Type::Struct(structure) => {
                for field in &structure.fields {
                    let part = object.clone().field(&field.name).ok_or(Reported)?;
                    self.assign_default(&part, span, out)?;
                }
                Ok(())
            }
            ty => {
                let Some((low, high)) = ty.range() else {
                    return Ok(());
                };
                let value = NetExpr::Const(default_value(low, high));
                out.push(self.store(object, value, span)?);
                Ok(())
            }
        }
    }

    /// Runs a check whose errors about unsupported things are warnings only: nothing depends on it.
    pub fn check_only(&mut self, check: impl FnOnce(&mut Self)) {
        let outer = self.report.begin();
        check(self);
        let mut messages = self.report.end(outer);
        if only_unsupported(&messages) {
            soften(&mut messages);
        }
        self.report.extend(messages);
    }
}

/// Whether an initialiser is a list of lists of expressions without names of functions in it.
fn is_literal(initialiser: &Initialiser) -> bool {
    match initialiser {
        Initialiser::Expr(_) => false,
        Initialiser::List(items, _) => items.iter().all(|item| match &item.value {
            Initialiser::Expr(expr) => has_no_call(expr),
            list => is_literal(list),
        }),
    }
}

fn has_no_call(expr: &merkhet_syntax::tree::Expr) -> bool {
    let mut fine = !matches!(expr.kind, merkhet_syntax::tree::ExprKind::Call { .. });
    expr.kind
        .for_each_child(|child| fine = fine && has_no_call(child));
    fine
}
