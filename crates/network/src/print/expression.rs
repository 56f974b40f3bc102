//! Expressions and places in UPPAAL's syntax.

use super::Writer;
use crate::expression::{Argument, BinaryOp, ClockPlace, Expr, Index, Place, Quantifier, UnaryOp};
use crate::ids::{ClockId, FunctionId};
use crate::memory::{Region, Shape};

/// How tightly operators bind, from loose to tight.
pub(crate) mod level {
    pub const ANY: u8 = 0;
    pub const ASSIGN: u8 = 1;
    pub const CONDITIONAL: u8 = 2;
    pub const OR: u8 = 3;
    pub const AND: u8 = 4;
    pub const UNARY: u8 = 15;
    pub const ATOM: u8 = 17;
}

fn binary(op: BinaryOp) -> (&'static str, u8) {
    use BinaryOp::*;
    match op {
        BitOr => ("|", 5),
        BitXor => ("^", 6),
        BitAnd => ("&", 7),
        Equal => ("==", 8),
        NotEqual => ("!=", 8),
        Less => ("<", 9),
        LessEqual => ("<=", 9),
        GreaterEqual => (">=", 9),
        Greater => (">", 9),
        Minimum => ("<?", 10),
        Maximum => (">?", 10),
        ShiftLeft => ("<<", 11),
        ShiftRight => (">>", 11),
        Add => ("+", 12),
        Subtract => ("-", 12),
        Multiply => ("*", 13),
        Divide => ("/", 13),
        Remainder => ("%", 13),
        Power => ("**", 14),
    }
}

impl Writer<'_> {
    /// An expression, in parentheses if it binds looser than asked for.
    pub fn expr(&self, expr: &Expr, least: u8) -> String {
        let (text, own) = self.expr_with_level(expr);
        match own < least {
            true => format!("({text})"),
            false => text,
        }
    }

    fn expr_with_level(&self, expr: &Expr) -> (String, u8) {
        match expr {
            Expr::Const(value) if *value < 0 => (value.to_string(), level::UNARY),
            Expr::Const(value) => (value.to_string(), level::ATOM),
            Expr::Load(place) => (self.place(place), level::ATOM),
            Expr::At(process, location) => {
                let process = self.network.process(*process);
                let location = &process.locations[location.index()];
                self.complain(|| "a test of a process's location".into());
                (format!("{}.{}", process.name, location.name), level::ATOM)
            }
            Expr::Unary(UnaryOp::Abs, operand, _) => (
                format!("abs({})", self.expr(operand, level::ASSIGN)),
                level::ATOM,
            ),
            Expr::Unary(op, operand, _) => {
                let sign = match op {
                    UnaryOp::Negate => "-",
                    UnaryOp::Not => "!",
                    _ => "~",
                };
                // Two signs side by side could be read as one operator.
                (
                    format!("{sign}{}", self.expr(operand, level::UNARY + 1)),
                    level::UNARY,
                )
            }
            Expr::Binary(op, left, right, _) => {
                let (sign, own) = binary(*op);
                let left = self.expr(left, own + u8::from(*op == BinaryOp::Power));
                (format!("{left} {sign} {}", self.expr(right, own + 1)), own)
            }
            Expr::And(items) => (self.joined(items, " && ", "true", level::AND), level::AND),
            Expr::Or(items) => (self.joined(items, " || ", "false", level::OR), level::OR),
            Expr::Conditional(condition, then, otherwise) => (
                format!(
                    "{} ? {} : {}",
                    self.expr(condition, level::CONDITIONAL + 1),
                    self.expr(then, level::CONDITIONAL + 1),
                    self.expr(otherwise, level::CONDITIONAL + 1)
                ),
                level::CONDITIONAL,
            ),
            Expr::Quantified {
                quantifier,
                variable,
                low,
                high,
                body,
                ..
            } => {
                let word = match quantifier {
                    Quantifier::Forall => "forall",
                    Quantifier::Exists => "exists",
                    Quantifier::Sum => "sum",
                };
                let variable = self.local_name(variable.offset);
                let body = self.expr(body, level::ASSIGN);
                (
                    format!("{word} ({variable} : int[{low},{high}]) {body}"),
                    level::ANY,
                )
            }
            Expr::Call {
                function,
                arguments,
                ..
            } => (self.call(*function, arguments), level::ATOM),
            Expr::Checked {
                value, low, high, ..
            } => {
                self.complain(|| "a check of a range inside an expression".into());
                (
                    format!("check({}, {low}, {high})", self.expr(value, level::ASSIGN)),
                    level::ATOM,
                )
            }
            Expr::Then(statements, value) => {
                self.complain(|| "statements inside an expression".into());
                let mut parts: Vec<String> = statements
                    .iter()
                    .map(|statement| self.effect(statement))
                    .collect();
                parts.push(self.expr(value, level::ASSIGN));
                (format!("({})", parts.join(", ")), level::ATOM)
            }
        }
    }

    fn joined(&self, items: &[Expr], sign: &str, empty: &str, own: u8) -> String {
        if items.is_empty() {
            return empty.into();
        }
        let parts: Vec<String> = items.iter().map(|item| self.expr(item, own + 1)).collect();
        parts.join(sign)
    }

    fn call(&self, function: FunctionId, arguments: &[Argument]) -> String {
        let mut written = Vec::new();
        let parameters = &self.network.functions[function.index()].parameters;
        for (argument, (parameter, _)) in arguments.iter().zip(parameters) {
            let object = self
                .objects
                .find(parameter.offset)
                .map(|index| &self.objects.all[index]);
            written.push(match argument {
                Argument::Value(Expr::Checked {
                    value, low, high, ..
                }) if object.and_then(|object| object.shape.range()) == Some((*low, *high)) => {
                    self.expr(value, level::ASSIGN)
                }
                Argument::Value(value) => self.expr(value, level::ASSIGN),
                Argument::Copy(place, cells) => {
                    let parts = self.parts(place, *cells);
                    let wanted = object.map(|object| &object.shape);
                    let fitting = parts
                        .iter()
                        .find(|(_, shape)| wanted.is_none_or(|wanted| alike(shape, wanted)));
                    match fitting {
                        Some((text, _)) => text.clone(),
                        None => self.no_path(place),
                    }
                }
            });
        }
        for object in &self.references[function.index()] {
            written.push(self.objects.all[*object].name.clone());
        }
        format!(
            "{}({})",
            self.names.functions[function.index()],
            written.join(", ")
        )
    }

    /// The name of the local variable that a cell belongs to.
    pub fn local_name(&self, cell: u32) -> String {
        match self.objects.find(cell) {
            Some(index) => self.objects.all[index].name.clone(),
            None => format!("local{cell}"),
        }
    }

    /// One cell: a variable with its indices and fields.
    pub fn place(&self, place: &Place) -> String {
        let parts = self.parts(place, 1);
        match parts.last() {
            Some((text, shape)) if shape.range().is_some() => text.clone(),
            _ => self.no_path(place),
        }
    }

    fn no_path(&self, place: &Place) -> String {
        self.complain(|| {
            format!(
                "an access to part of `{}` that its type does not name",
                self.root(place).0
            )
        });
        let indices: Vec<String> = place
            .indices
            .iter()
            .map(|index| {
                format!(
                    "[{} * {}]",
                    self.expr(&index.value, level::ANY),
                    index.stride
                )
            })
            .collect();
        format!("{}{}", self.root(place).0, indices.concat())
    }

    /// Name, layout and first cell of what a place is a part of.
    fn root(&self, place: &Place) -> (String, Option<(&Shape, u32)>) {
        if place.base.region == Region::Local {
            return match self.objects.find(place.base.offset) {
                Some(index) => {
                    let object = &self.objects.all[index];
                    (object.name.clone(), Some((&object.shape, object.base)))
                }
                None => (format!("local{}", place.base.offset), None),
            };
        }
        let cell = self
            .network
            .cells(place.base.region)
            .get(place.base.offset as usize);
        let Some(variable) =
            cell.and_then(|cell| self.network.variables.get(cell.variable.index()))
        else {
            return ("?".into(), None);
        };
        let index = cell.map_or(0, |cell| cell.variable.index());
        (
            self.names.variables[index].clone(),
            Some((&variable.shape, variable.base.offset)),
        )
    }

    /// The ways to write a number of cells from a place on, with the layout of each, from the outside in.
    pub fn parts(&self, place: &Place, cells: u32) -> Vec<(String, Shape)> {
        let (mut text, Some((root, base))) = self.root(place) else {
            return Vec::new();
        };
        let mut shape = root;
        let mut offset = place.base.offset - base;
        let mut indices: &[Index] = &place.indices;
        let mut found = Vec::new();
        loop {
            if indices.is_empty() && offset == 0 && shape.cells() == cells {
                found.push((text.clone(), shape.clone()));
            }
            match shape {
                Shape::Array { length, element } => {
                    let size = element.cells().max(1);
                    match indices {
                        [index, rest @ ..]
                            if index.stride == size && index.length == *length && offset < size =>
                        {
                            text += &format!("[{}]", self.expr(&index.value, level::ANY));
                            indices = rest;
                        }
                        _ => text += &format!("[{}]", offset / size),
                    }
                    offset %= size;
                    shape = element;
                }
                Shape::Struct { fields } => {
                    let mut next = None;
                    for (name, field) in fields {
                        let size = field.cells();
                        if offset < size {
                            next = Some((name, field));
                            break;
                        }
                        offset -= size;
                    }
                    let Some((name, field)) = next else {
                        return found;
                    };
                    text += &format!(".{name}");
                    shape = field;
                }
                _ => return found,
            }
        }
    }

    /// A clock.
    pub fn clock(&self, clock: ClockId) -> String {
        self.clock_place(&ClockPlace {
            base: clock,
            indices: Vec::new(),
        })
    }

    /// A clock that may be indexed.
    pub fn clock_place(&self, clock: &ClockPlace) -> String {
        let base = clock.base.0;
        let array = (self.names.clock_arrays.iter())
            .find(|array| (array.first..array.first + array.count).contains(&base));
        let Some(array) = array else {
            let name = self.names.clocks[clock.base.index()].clone();
            if clock.indices.is_empty() {
                return name;
            }
            let indices: Vec<String> = clock
                .indices
                .iter()
                .map(|index| format!("[{}]", self.expr(&index.value, level::ANY)))
                .collect();
            self.complain(|| format!("an index of the clock `{name}`"));
            return format!("{name}{}", indices.concat());
        };
        let mut text = array.name.clone();
        let mut offset = base - array.first;
        let mut indices: &[Index] = &clock.indices;
        for (stride, length) in &array.dimensions {
            match indices {
                [index, rest @ ..]
                    if index.stride == *stride && index.length == *length && offset < *stride =>
                {
                    text += &format!("[{}]", self.expr(&index.value, level::ANY));
                    indices = rest;
                }
                _ => text += &format!("[{}]", offset / stride),
            }
            offset %= stride;
        }
        if !indices.is_empty() {
            self.complain(|| format!("an index of the clock `{}`", array.name));
        }
        text
    }
}

/// Whether two layouts are the same up to ranges.
pub(crate) fn alike(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (
            Shape::Array { length, element },
            Shape::Array {
                length: other_length,
                element: other,
            },
        ) => length == other_length && alike(element, other),
        (Shape::Struct { fields }, Shape::Struct { fields: others }) => {
            fields.len() == others.len()
                && fields
                    .iter()
                    .zip(others)
                    .all(|((name, field), (other_name, other))| {
                        name == other_name && alike(field, other)
                    })
        }
        (Shape::Array { .. } | Shape::Struct { .. }, _)
        | (_, Shape::Array { .. } | Shape::Struct { .. }) => false,
        _ => true,
    }
}
