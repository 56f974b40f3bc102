//! Function bodies: each local variable is declared where its first assignment stands.
//!
//! A block may start anywhere among statements, so `t = e; rest` is `{ T t = e; rest }`: nothing is initialised twice.

use std::collections::{BTreeMap, BTreeSet};

use super::scopes::Scopes;
use crate::expression::{Expr, Index, Place, Stmt};
use crate::ids::{FunctionId, SiteId};
use crate::memory::{Address, Region, Shape};
use crate::print::Writer;
use crate::print::expression::{alike, level};
use crate::print::objects::Objects;
use crate::visit::{Visitor, walk_expr, walk_indices, walk_stmt, walk_stmts};

/// Writes the body of a function.
pub(super) fn body(
    writer: &Writer<'_>,
    scopes: &Scopes,
    id: FunctionId,
    depth: usize,
    out: &mut String,
) {
    let statements = &writer.network.functions[id.index()].body;
    let mut body = Body {
        writer,
        function: id,
        total: uses(&writer.objects, statements),
        open: scopes.declared[id.index()].clone(),
    };
    body.list(statements, depth, true, out);
}

struct Body<'w, 'n> {
    writer: &'w Writer<'n>,
    function: FunctionId,
    /// How often each object is used in the whole body.
    total: BTreeMap<usize, usize>,
    /// Objects that have to be declared still.
    open: BTreeSet<usize>,
}

/// How often each object is used.
fn uses(objects: &Objects, statements: &[Stmt]) -> BTreeMap<usize, usize> {
    struct Count<'o> {
        objects: &'o Objects,
        found: BTreeMap<usize, usize>,
    }
    impl Count<'_> {
        fn note(&mut self, place: &Place) {
            if place.base.region == Region::Local
                && let Some(object) = self.objects.find(place.base.offset)
            {
                *self.found.entry(object).or_insert(0) += 1;
            }
            walk_indices(self, &place.indices);
        }
    }
    impl Visitor for Count<'_> {
        fn read(&mut self, place: &Place, _: u32) {
            self.note(place);
        }

        fn write(&mut self, place: &Place, _: u32) {
            self.note(place);
        }

        fn expr(&mut self, expr: &Expr) {
            walk_expr(self, expr);
        }

        fn stmt(&mut self, stmt: &Stmt) {
            walk_stmt(self, stmt);
        }
    }
    let mut count = Count {
        objects,
        found: BTreeMap::new(),
    };
    walk_stmts(&mut count, statements);
    count.found
}

impl Body<'_, '_> {
    fn list(&mut self, statements: &[Stmt], depth: usize, at_start: bool, out: &mut String) {
        let indent = "    ".repeat(depth);
        let mut at_start = at_start;
        let mut at = 0;
        while at < statements.len() {
            let rest = &statements[at..];
            if let Some((object, declaration, taken)) = self
                .declaration(rest)
                .or_else(|| self.plain_declaration(rest))
            {
                self.open.remove(&object);
                if at_start {
                    *out += &format!("{indent}{declaration}\n");
                    at += taken;
                    continue;
                }
                *out += &format!("{indent}{{\n{indent}    {declaration}\n");
                self.list(&rest[taken..], depth + 1, true, out);
                *out += &format!("{indent}}}\n");
                return;
            }
            at_start = false;
            if let [
                Stmt::Evaluate(call),
                Stmt::Copy {
                    target,
                    source,
                    cells,
                },
                ..,
            ] = rest
                && let Some(text) = self.structure_call(call, source)
            {
                let to = self.writer.parts(target, *cells);
                let to = to
                    .first()
                    .map_or_else(|| self.writer.place(target), |(text, _)| text.clone());
                *out += &format!("{indent}{to} = {text};\n");
                at += 2;
                continue;
            }
            self.statement(&statements[at], depth, out);
            at += 1;
        }
    }

    fn statement(&mut self, statement: &Stmt, depth: usize, out: &mut String) {
        let indent = "    ".repeat(depth);
        let expr = |expr: &Expr| self.writer.expr(expr, level::ANY);
        match statement {
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                *out += &format!("{indent}if ({}) {{\n", expr(condition));
                self.list(then, depth + 1, true, out);
                if !otherwise.is_empty() {
                    *out += &format!("{indent}}} else {{\n");
                    self.list(otherwise, depth + 1, true, out);
                }
                *out += &format!("{indent}}}\n");
            }
            Stmt::While {
                condition,
                body,
                test_first: true,
                ..
            } => {
                *out += &format!("{indent}while ({}) {{\n", expr(condition));
                self.list(body, depth + 1, true, out);
                *out += &format!("{indent}}}\n");
            }
            Stmt::While {
                condition, body, ..
            } => {
                let condition = expr(condition);
                *out += &format!("{indent}do {{\n");
                self.list(body, depth + 1, true, out);
                *out += &format!("{indent}}} while ({condition});\n");
            }
            Stmt::For {
                variable,
                low,
                high,
                body,
                ..
            } => {
                let variable = self.writer.local_name(variable.offset);
                *out += &format!("{indent}for ({variable} : int[{low},{high}]) {{\n");
                self.list(body, depth + 1, true, out);
                *out += &format!("{indent}}}\n");
            }
            Stmt::ReturnCopy(place, cells) => {
                let function = &self.writer.network.functions[self.function.index()];
                let wanted = function
                    .result
                    .and_then(|(base, _)| self.writer.objects.find(base.offset));
                let wanted = wanted.map(|object| &self.writer.objects.all[object].shape);
                let parts = self.writer.parts(place, *cells);
                let fitting = parts
                    .iter()
                    .find(|(_, shape)| wanted.is_none_or(|wanted| alike(shape, wanted)));
                match fitting {
                    Some((text, _)) => *out += &format!("{indent}return {text};\n"),
                    None => self
                        .writer
                        .complain(|| "a result whose type does not fit".into()),
                }
            }
            other => self.writer.block(std::slice::from_ref(other), depth, out),
        }
    }

    /// Whether nothing outside these statements uses an object.
    fn is_all_of(&self, object: usize, statements: &[Stmt]) -> bool {
        uses(&self.writer.objects, statements).get(&object) == self.total.get(&object)
    }

    /// An object whose initialisation the statements begin with: its declaration, and how many statements that takes.
    fn declaration(&self, rest: &[Stmt]) -> Option<(usize, String, usize)> {
        let first = match rest.first()? {
            Stmt::Assign { target, .. } | Stmt::Copy { target, .. } => target.base,
            Stmt::For { .. } => first_target(rest.first()?)?,
            Stmt::Evaluate(_) => match rest.get(1)? {
                Stmt::Copy { target, .. } => target.fixed()?,
                _ => return None,
            },
            _ => return None,
        };
        let index =
            (first.region == Region::Local).then(|| self.writer.objects.find(first.offset))??;
        if !self.open.contains(&index) {
            return None;
        }
        let object = &self.writer.objects.all[index];
        let declared = self.writer.declared(&object.name, &object.shape);
        let base = Address {
            region: Region::Local,
            offset: object.base,
        };
        let (text, taken, writes) = match self.initial(rest, base, &object.shape) {
            Some((value, taken, writes)) => (format!("{declared} = {value};"), taken, writes),
            None => {
                let taken = default_length(rest, &object.shape, &Place::cell(base))?;
                (format!("{declared};"), taken, usize::MAX)
            }
        };
        // The initial value must not read the variable itself.
        let used = uses(&self.writer.objects, &rest[..taken])
            .get(&index)
            .copied();
        let is_clean = used.is_some_and(|used| used <= writes);
        (is_clean && self.is_all_of(index, rest)).then_some((index, text, taken))
    }

    /// An initialiser made of assignments to all cells in order, of a copy, of a call and the copy of its result, or of
    /// a mixture for the parts of a structure: its text, and how many statements and writes it takes.
    fn initial(
        &self,
        rest: &[Stmt],
        base: Address,
        shape: &Shape,
    ) -> Option<(String, usize, usize)> {
        let fits =
            |target: &Place, cells: u32| target.fixed() == Some(base) && cells == shape.cells();
        match rest {
            [Stmt::Assign { target, value, .. }, ..] if shape.range().is_some() => (target.fixed()
                == Some(base))
            .then(|| (self.writer.expr(value, level::ASSIGN), 1, 1)),
            _ if shape.range().is_some() => None,
            [
                Stmt::Copy {
                    target,
                    source,
                    cells,
                },
                ..,
            ] if fits(target, *cells) => {
                let parts = self.writer.parts(source, *cells);
                let (text, _) = parts.into_iter().find(|(_, other)| alike(shape, other))?;
                Some((text, 1, 1))
            }
            [
                Stmt::Evaluate(call),
                Stmt::Copy {
                    target,
                    source,
                    cells,
                },
                ..,
            ] if fits(target, *cells) => Some((self.structure_call(call, source)?, 2, 1)),
            _ => {
                let parts: Vec<&Shape> = match shape {
                    Shape::Array { length, element } => vec![&**element; *length as usize],
                    Shape::Struct { fields } => fields.iter().map(|(_, field)| field).collect(),
                    _ => return None,
                };
                let (mut items, mut taken, mut writes, mut offset) = (Vec::new(), 0, 0, 0);
                for part in parts {
                    let (text, more, written) =
                        self.initial(rest.get(taken..)?, base.plus(offset), part)?;
                    items.push(text);
                    taken += more;
                    writes += written;
                    offset += part.cells();
                }
                Some((format!("{{{}}}", items.join(", ")), taken, writes))
            }
        }
    }

    /// A call whose result is copied next.
    fn structure_call(&self, call: &Expr, source: &Place) -> Option<String> {
        let Expr::Call { function, .. } = call else {
            return None;
        };
        let (result, _) = self.writer.network.functions[function.index()].result?;
        (source.fixed() == Some(result)).then(|| self.writer.expr(call, level::ASSIGN))
    }

    /// An object that must be declared before these statements although they do not initialise it.
    fn plain_declaration(&self, rest: &[Stmt]) -> Option<(usize, String, usize)> {
        let first = std::slice::from_ref(rest.first()?);
        let used = uses(&self.writer.objects, first);
        let index = *used
            .keys()
            .find(|index| self.open.contains(index) && !self.is_inside(**index, &first[0]))?;
        let object = &self.writer.objects.all[index];
        Some((
            index,
            format!("{};", self.writer.declared(&object.name, &object.shape)),
            0,
        ))
    }

    /// Whether one of the lists inside a statement holds all uses of an object.
    fn is_inside(&self, object: usize, statement: &Stmt) -> bool {
        match statement {
            Stmt::If {
                then, otherwise, ..
            } => self.is_all_of(object, then) || self.is_all_of(object, otherwise),
            Stmt::While { body, .. } | Stmt::For { body, .. } => self.is_all_of(object, body),
            _ => false,
        }
    }
}

/// The cell that a loop of assignments begins with.
fn first_target(statement: &Stmt) -> Option<Address> {
    match statement {
        Stmt::Assign { target, .. } => Some(target.base),
        Stmt::For { body, .. } => first_target(body.first()?),
        _ => None,
    }
}

/// How many statements at the start give a variable its default value, element by element or in loops.
fn default_length(rest: &[Stmt], shape: &Shape, place: &Place) -> Option<usize> {
    match shape {
        Shape::Array { length, element } => {
            if let Some(Stmt::For {
                variable,
                low: 0,
                high,
                body,
                ..
            }) = rest.first()
                && *high + 1 == *length as i32
            {
                let mut inner = place.clone();
                inner.indices.push(Index {
                    value: Expr::load(*variable),
                    stride: element.cells(),
                    length: *length,
                    site: SiteId::NONE,
                });
                return (default_length(body, element, &inner)? == body.len()).then_some(1);
            }
            let parts = (0..*length).map(|index| (place.plus(index * element.cells()), &**element));
            default_lengths(rest, parts)
        }
        Shape::Struct { fields } => {
            let mut offset = 0;
            let mut parts = Vec::new();
            for (_, field) in fields {
                parts.push((place.plus(offset), field));
                offset += field.cells();
            }
            default_lengths(rest, parts.into_iter())
        }
        scalar => {
            let (low, high) = scalar.range()?;
            let default = 0.clamp(low, high.max(low));
            match rest.first()? {
                Stmt::Assign {
                    target,
                    value: Expr::Const(value),
                    ..
                } if target == place && *value == default => Some(1),
                _ => None,
            }
        }
    }
}

fn default_lengths<'s>(
    rest: &[Stmt],
    parts: impl Iterator<Item = (Place, &'s Shape)>,
) -> Option<usize> {
    let mut taken = 0;
    for (place, shape) in parts {
        taken += default_length(&rest[taken..], shape, &place)?;
    }
    Some(taken)
}
