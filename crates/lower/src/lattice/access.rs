//! Using elements of lattices: methods, operators, and the one field that stands for the whole.

use crate::data::object::Object;
use crate::data::types::Type;
use crate::data::value::Value;
use crate::naming::scope::Env;
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported};
use merkhet_syntax::tree::{BinaryOp, Expr, Name};
use merkhet_syntax::{Diagnostic, Span, nearest_name};

impl Lowerer<'_> {
    /// The lattice that a type is of.
    pub fn lattice_of(&self, ty: &Type) -> Option<u32> {
        match ty {
            Type::Struct(structure) => structure.lattice.as_ref().map(|(id, _)| *id),
            _ => None,
        }
    }

    /// The only field of an element of a lattice with one field, as which it may be used.
    pub fn only_field(&self, object: &Object) -> Option<Object> {
        let Type::Struct(structure) = &object.ty else {
            return None;
        };
        match (&structure.lattice, &structure.fields[..]) {
            (Some(_), [field]) => object.clone().field(&field.name),
            _ => None,
        }
    }

    /// An element of a lattice with one field of one cell as that field; anything else as it is.
    pub fn as_number(&self, value: Value) -> Value {
        match value {
            Value::Object(object) if !object.ty.is_cell() => match self.only_field(&object) {
                Some(field) if field.ty.is_cell() => Value::Object(field),
                _ => Value::Object(object),
            },
            other => other,
        }
    }

    /// `object.method(arguments)`, where the object is an element of a lattice.
    pub fn method(
        &mut self,
        env: &mut Env,
        object: Object,
        method: &Name,
        arguments: &[Expr],
        span: Span,
    ) -> Lower<Value> {
        let id = self.lattice_of(&object.ty).ok_or(Reported)?;
        let lattice = self.tables.lattices.get(id as usize).ok_or(Reported)?;
        if let Some(function) = lattice.method(&method.text) {
            return self.call_method(env, object, function, arguments, span);
        }
        let names: Vec<String> = lattice.methods.iter().map(|(n, _)| n.clone()).collect();
        let message = format!("`{}` has no method `{}`", lattice.name, method.text);
        let near = nearest_name(&method.text, names.iter().map(String::as_str));
        self.say(Diagnostic::error("unknown-name", message, method.span).with_suggestion(near));
        Err(Reported)
    }

    /// Whether an expression is a variable that holds an element of a lattice.
    fn is_element(&mut self, env: &mut Env, expr: &Expr, lattice: u32) -> bool {
        let outer = self.report.begin();
        let value = self.expression(env, expr);
        self.report.end(outer);
        matches!(value, Ok(Value::Object(object)) if self.lattice_of(&object.ty) == Some(lattice))
    }

    /// `element op value` by the method that stands for the operator, if there is one.
    pub fn operator(
        &mut self,
        env: &mut Env,
        op: Option<BinaryOp>,
        object: &Object,
        operand: &Expr,
        span: Span,
    ) -> Option<Lower<Value>> {
        let name = match op {
            None => "assign",
            Some(BinaryOp::Add) => "add",
            Some(BinaryOp::Subtract) => "subtract",
            Some(BinaryOp::Less) => "lt",
            Some(BinaryOp::LessEqual) => "le",
            Some(BinaryOp::Equal) => "eq",
            Some(BinaryOp::NotEqual) => "ne",
            Some(BinaryOp::GreaterEqual) => "ge",
            Some(BinaryOp::Greater) => "gt",
            Some(_) => return None,
        };
        let id = self.lattice_of(&object.ty)?;
        // Another element of the lattice as operand has methods of its own.
        let name = match name {
            "add" if self.is_element(env, operand, id) => "plus",
            "subtract" if self.is_element(env, operand, id) => "minus",
            name => name,
        };
        let function = self.tables.lattices.get(id as usize)?.method(name)?;
        let operand = std::slice::from_ref(operand);
        Some(self.call_method(env, object.clone(), function, operand, span))
    }
}
