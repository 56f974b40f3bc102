//! A lattice with values for its dimensions: its layout and its methods.

use super::LatticeInstance;
use crate::data::types::Type;
use crate::naming::scope::{Env, Purpose, ScopeId, Symbol};
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported};
use merkhet_network::Direction;
use merkhet_syntax::Span;
use merkhet_syntax::tree;
use std::sync::Arc;

/// The most instances of lattices with different dimensions.
const MAX_INSTANCES: usize = 10_000;

impl Lowerer<'_> {
    /// The type of the elements of a lattice with these dimensions.
    pub fn lattice_instance(
        &mut self,
        declaration: u32,
        dimensions: Vec<i32>,
        span: Span,
    ) -> Lower<Type> {
        let key = (declaration, dimensions);
        if let Some(known) = self.tables.lattice_index.get(&key) {
            return match known {
                Some(id) => Ok(self.tables.lattices[*id as usize].ty.clone()),
                None => Err(Reported),
            };
        }
        if self.tables.lattices_begun.contains(&declaration) {
            return self.error("lattice", "a lattice cannot contain itself", span);
        }
        if self.tables.lattice_index.len() >= MAX_INSTANCES {
            return self.error("too-large", "too many lattices", span);
        }
        let made = self.new_instance(declaration, &key.1, span);
        let id = made.as_ref().ok().map(|(id, _)| *id);
        self.tables.lattice_index.insert(key, id);
        made.map(|(_, ty)| ty)
    }

    fn new_instance(
        &mut self,
        declaration: u32,
        dimensions: &[i32],
        span: Span,
    ) -> Lower<(u32, Type)> {
        let declared = self.tables.lattice_declarations.get(declaration as usize);
        let declared = declared.ok_or(Reported)?.clone();
        let tree = declared.tree.clone();
        let mut name = tree.name.text.clone();
        for (dimension, value) in tree.dimensions.iter().zip(dimensions) {
            if *value < 1 {
                let message = format!("the dimension `{}` must be at least 1", dimension.text);
                return self.error("array-size", message, span);
            }
            name.push_str(&format!("[{value}]"));
        }
        let name: Arc<str> = name.into();
        let scope = self.tables.new_scope(Some(declared.scope));
        for (dimension, value) in tree.dimensions.iter().zip(dimensions) {
            let ty = Type::Int {
                low: *value,
                high: *value,
            };
            let symbol = Symbol::Constant(*value, ty);
            self.declare(scope, &dimension.text, symbol, dimension.span);
        }
        let mut env = Env::new(scope, Purpose::Declaration);
        self.tables.lattices_begun.push(declaration);
        let outer = self.report.begin();
        let fields = self.fields(&mut env, &tree.fields, tree.span);
        let messages = self.report.end(outer);
        self.tables.lattices_begun.pop();
        let Ok(fields) = fields else {
            if declared.library {
                // What is wrong with fields of the library is their dimension.
                let message = format!("a lattice `{name}` is too large");
                return self.error("too-large", message, span);
            }
            self.report.extend(messages);
            return Err(Reported);
        };
        self.report.extend(messages);
        if fields.is_empty() {
            return self.error(
                "lattice",
                "a lattice has at least one field",
                tree.name.span,
            );
        }
        let id = self.tables.lattices.len() as u32;
        let ty = Type::lattice(fields, id, name.clone());
        if ty.counts().clocks + ty.counts().channels > 0 {
            let message = "clocks and channels cannot be fields of a lattice";
            return self.error("lattice", message, tree.name.span);
        }
        self.tables.lattices.push(LatticeInstance {
            declaration,
            name,
            ty: ty.clone(),
            methods: Vec::new(),
        });
        self.declare(
            scope,
            &tree.name.text,
            Symbol::Type(ty.clone()),
            tree.name.span,
        );
        self.methods(id, scope, &tree, &ty);
        self.check_operations(id, &tree, &ty, declared.native.is_some())?;
        Ok((id, ty))
    }

    fn methods(&mut self, id: u32, scope: ScopeId, tree: &tree::Lattice, ty: &Type) {
        for function in &tree.functions {
            let function = Arc::new(function.clone());
            let index = self.tables.functions.len() as u32;
            self.declare_method(scope, &tree.name.text, &function, ty.clone());
            let name = function.name.text.clone();
            self.tables.lattices[id as usize]
                .methods
                .push((name, index));
        }
    }

    /// Sees to it that there are an order and a join, of the right form.
    fn check_operations(
        &mut self,
        id: u32,
        tree: &tree::Lattice,
        ty: &Type,
        native: bool,
    ) -> Lower<()> {
        let name = &tree.name.text;
        let instance = &self.tables.lattices[id as usize];
        let (leq, join) = (instance.method("leq"), instance.method("join"));
        for (method, result) in [(leq, Type::Bool), (join, Type::Void)] {
            let Some(method) = method else { continue };
            let function = &self.tables.functions[method as usize];
            if function.unusable.is_some() {
                return Err(Reported);
            }
            let fits = matches!(&function.parameters[..], [_, other]
                if other.ty == *ty && other.reference && other.constant)
                && (function.result == result
                    || result == Type::Bool && function.result.is_integral());
            if !fits {
                let (span, what) = (function.tree.name.span, function.tree.name.text.clone());
                let message = match what.as_str() {
                    "leq" => format!("this must be `bool leq(const {name} &o)`"),
                    _ => format!("this must be `void join(const {name} &o)`"),
                };
                return self.error("lattice", message, span);
            }
        }
        let derived = leq.is_none() && join.is_none() && self.is_product(ty);
        if native || derived || leq.is_some() && join.is_some() {
            return Ok(());
        }
        let missing = match (leq, join) {
            (None, Some(_)) => format!("`bool leq(const {name} &o)`"),
            (Some(_), None) => format!("`void join(const {name} &o)`"),
            _ => format!("`bool leq(const {name} &o)` and `void join(const {name} &o)`"),
        };
        let message = format!("the lattice `{name}` lacks {missing}");
        self.error("lattice", message, tree.name.span)
    }

    /// Whether all fields are elements of lattices: then the whole is ordered and joined field by field.
    fn is_product(&self, ty: &Type) -> bool {
        match ty {
            Type::Struct(structure) => structure.fields.iter().all(|field| is_lattice(&field.ty)),
            _ => false,
        }
    }

    /// The order of each cell of a type, where it goes cell by cell.
    pub(super) fn cell_directions(&self, ty: &Type, into: &mut Vec<Direction>) -> Option<()> {
        match ty {
            Type::Array(array) => {
                let start = into.len();
                self.cell_directions(&array.element, into)?;
                let size = into.len() - start;
                for _ in 1..array.length {
                    into.extend_from_within(start..start + size);
                }
                into.truncate(start + size * array.length as usize);
                Some(())
            }
            Type::Struct(structure) => {
                let (id, _) = structure.lattice.as_ref()?;
                let instance = self.tables.lattices.get(*id as usize)?;
                let declared = &self.tables.lattice_declarations[instance.declaration as usize];
                if declared.native.is_some() {
                    return None;
                }
                for field in &structure.fields {
                    if declared.library {
                        let lattice = &declared.tree.name.text;
                        let direction = super::library::directions(lattice, &field.name)?;
                        into.extend((0..field.ty.cells()).map(|_| direction));
                    } else if instance.method("leq").is_none() {
                        self.cell_directions(&field.ty, into)?;
                    } else {
                        return None;
                    }
                }
                Some(())
            }
            _ => None,
        }
    }
}

fn is_lattice(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_lattice(&array.element),
        Type::Struct(structure) => structure.lattice.is_some(),
        _ => false,
    }
}
