//! Initial values, known when the model is loaded.

use crate::data::memory::{cell_ranges, convert, then};
use crate::data::object::{Object, Root};
use crate::data::types::{StructType, Type};
use crate::data::value::Value;
use crate::fold;
use crate::naming::scope::Env;
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported};
use merkhet_network::Expr as NetExpr;
use merkhet_syntax::Span;
use merkhet_syntax::tree::{Expr, Initialiser, InitialiserItem};

/// The value of a cell without initial value: 0, or else what is nearest to it in the range.
pub fn default_value(low: i32, high: i32) -> i32 {
    0.clamp(low, high)
}

impl Lowerer<'_> {
    /// The cells of a variable of a type, from its initialiser or by default.
    pub fn initial_values(
        &mut self,
        env: &mut Env,
        ty: &Type,
        initialiser: Option<&Initialiser>,
        into: &mut Vec<i32>,
    ) -> Lower<()> {
        match initialiser {
            None => {
                let mut ranges = Vec::new();
                cell_ranges(ty, &mut ranges);
                into.extend(ranges.iter().map(|&(low, high)| default_value(low, high)));
                Ok(())
            }
            Some(Initialiser::Expr(expr)) => self.initial_expression(env, ty, expr, into),
            Some(Initialiser::List(items, span)) => match ty {
                Type::Array(array) => {
                    self.check_count(array.length as usize, items.len(), *span)?;
                    let mut result = Ok(());
                    for item in items {
                        self.no_field_name(item)?;
                        let one = self.initial_values(env, &array.element, Some(&item.value), into);
                        result = result.and(one);
                    }
                    result
                }
                Type::Struct(structure)
                    if only_array(structure).is_some()
                        && !matches!(&items[..], [only] if matches!(only.value, Initialiser::List(..))) =>
                {
                    let only = only_array(structure).ok_or(Reported)?;
                    self.initial_values(env, only, initialiser, into)
                }
                Type::Struct(structure) => {
                    for (position, field) in structure.fields.iter().enumerate() {
                        let item = self.item_for(structure, position, items, *span)?;
                        self.initial_values(env, &field.ty, Some(&item.value), into)?;
                    }
                    Ok(())
                }
                _ => self.error(
                    "initialiser",
                    format!("a list cannot initialise a value of type `{ty}`"),
                    *span,
                ),
            },
        }
    }

    fn initial_expression(
        &mut self,
        env: &mut Env,
        ty: &Type,
        expr: &Expr,
        into: &mut Vec<i32>,
    ) -> Lower<()> {
        let value = self.expression(env, expr)?;
        if ty.is_cell() {
            let (value, from) = self.as_data(value, expr.span)?;
            if !ty.accepts(&from) {
                return self.error(
                    "type",
                    format!("a value of type `{ty}` is expected, not `{from}`"),
                    expr.span,
                );
            }
            let value = self.constant_value(&convert(value, &from, ty), expr.span)?;
            let (low, high) = ty.range().ok_or(Reported)?;
            if !(low..=high).contains(&value) {
                return self.error(
                    "out-of-range",
                    format!("the initial value {value} is outside the range [{low},{high}]"),
                    expr.span,
                );
            }
            into.push(value);
            return Ok(());
        }
        match value {
            Value::Object(object) if ty.accepts(&object.ty) => {
                self.object_values(&object, expr.span, into)
            }
            Value::Unsupported(what, span) => self.unsupported(what, span),
            _ => {
                if let Type::Struct(structure) = ty
                    && let (Some(_), [field]) = (&structure.lattice, &structure.fields[..])
                    && field.ty.is_cell()
                {
                    return self.initial_expression(env, &field.ty, expr, into);
                }
                self.error(
                    "type",
                    format!("an initial value of type `{ty}` is expected"),
                    expr.span,
                )
            }
        }
    }

    /// The cells of a constant object.
    pub fn object_values(&mut self, object: &Object, span: Span, into: &mut Vec<i32>) -> Lower<()> {
        let cells = object.ty.cells();
        if let (Root::Constant { id, offset }, true) = (object.root, object.indices.is_empty()) {
            let constant = self.tables.constants.get(id as usize).ok_or(Reported)?;
            let range = offset as usize..(offset + cells) as usize;
            into.extend(constant.values.get(range).ok_or(Reported)?);
            return Ok(());
        }
        self.unroll(cells as u64, span)?;
        for offset in 0..cells {
            let mut place = self.place(object, span)?;
            place.base = place.base.plus(offset);
            let value = then(object.before.clone(), NetExpr::Load(place));
            into.push(self.constant_value(&value, span)?);
        }
        Ok(())
    }

    /// Refuses a list with another number of values than the array has elements.
    pub(super) fn check_count(&mut self, length: usize, items: usize, span: Span) -> Lower<()> {
        if length == items {
            return Ok(());
        }
        self.error(
            "initialiser",
            format!("{length} value(s) are expected here, not {items}"),
            span,
        )
    }

    /// Refuses a field name in the list of an array.
    pub(super) fn no_field_name(&mut self, item: &InitialiserItem) -> Lower<()> {
        match &item.field {
            Some(name) => self.error("initialiser", "elements of arrays have no names", name.span),
            None => Ok(()),
        }
    }

    /// The item for the field at a position: named, or else in order.
    pub(super) fn item_for<'i>(
        &mut self,
        structure: &StructType,
        position: usize,
        items: &'i [InitialiserItem],
        span: Span,
    ) -> Lower<&'i InitialiserItem> {
        self.check_count(structure.fields.len(), items.len(), span)?;
        let field = structure.fields.get(position).ok_or(Reported)?;
        let is_named = |item: &&InitialiserItem| {
            (item.field.as_ref()).is_some_and(|name| name.text == field.name)
        };
        if let Some(item) = items.iter().find(is_named) {
            return Ok(item);
        }
        match items.get(position) {
            Some(item) if item.field.is_none() => Ok(item),
            _ => self.error(
                "initialiser",
                format!("no value is given for the field `{}`", field.name),
                span,
            ),
        }
    }

    /// An expression whose value is known when the model is loaded.
    pub fn constant(&mut self, env: &mut Env, expr: &Expr) -> Lower<i32> {
        let value = self.integer(env, expr)?;
        self.constant_value(
            &fold::sum(value, NetExpr::Const(0), merkhet_network::SiteId::NONE),
            expr.span,
        )
    }
}

/// The type of the only field of a lattice, where it is an array: a list of values is one for that.
fn only_array(structure: &StructType) -> Option<&Type> {
    match (&structure.lattice, &structure.fields[..]) {
        (Some(_), [field]) if matches!(field.ty, Type::Array(_)) => Some(&field.ty),
        _ => None,
    }
}
