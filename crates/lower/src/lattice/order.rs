//! The order and join of the lattices in use, over two elements in cells of their own; joining strategies.

use super::STRATEGY;
use crate::data::object::Object;
use crate::data::types::Type;
use crate::effects::function_effects;
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported};
use crate::run::tables::Tables;
use merkhet_network::visit::{Visitor, walk_expr, walk_stmts};
use merkhet_network::{
    Argument, Expr, FunctionId, LatticeType, LatticeVariable, SiteId, Stmt, VariableId,
};
use merkhet_syntax::Span;

impl Lowerer<'_> {
    /// Notes the elements of lattices in a variable of the state.
    pub fn note_lattices(&mut self, name: String, variable: VariableId, base: u32, ty: &Type) {
        match ty {
            Type::Array(array) => {
                let size = array.element.cells();
                if !holds_lattice(&array.element) {
                    return;
                }
                for k in 0..array.length {
                    let part = format!("{name}[{}]", k as i64 + array.low as i64);
                    self.note_lattices(part, variable, base + k * size, &array.element);
                }
            }
            Type::Struct(structure) => match &structure.lattice {
                Some((lattice, _)) if !self.goes_by_parts(ty) => {
                    self.network.lattice_variables.push(LatticeVariable {
                        name,
                        variable,
                        base,
                        lattice: *lattice,
                    })
                }
                _ => {
                    let mut at = base;
                    for field in &structure.fields {
                        let part = format!("{name}.{}", field.name);
                        self.note_lattices(part, variable, at, &field.ty);
                        at += field.ty.cells();
                    }
                }
            },
            _ => {}
        }
    }

    /// Whether an element is a product with a part whose order is Rust: a product is ordered and joined part by part, so
    /// that each part is an element of its own, and no code of the model has to call that order.
    fn goes_by_parts(&self, ty: &Type) -> bool {
        let Type::Struct(structure) = ty else {
            return false;
        };
        let derived = self.lattice_of(ty).is_some_and(|id| {
            let instance = &self.tables.lattices[id as usize];
            let declared = &self.tables.lattice_declarations[instance.declaration as usize];
            let own = ["leq", STRATEGY]
                .iter()
                .any(|name| instance.method(name).is_some());
            declared.native.is_none() && !own
        });
        derived
            && structure
                .fields
                .iter()
                .any(|field| self.has_native(&field.ty))
    }

    fn has_native(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(array) => self.has_native(&array.element),
            Type::Struct(structure) => {
                let own = self.lattice_of(ty).is_some_and(|id| {
                    let declaration = self.tables.lattices[id as usize].declaration as usize;
                    self.tables.lattice_declarations[declaration]
                        .native
                        .is_some()
                });
                own || structure
                    .fields
                    .iter()
                    .any(|field| self.has_native(&field.ty))
            }
            _ => false,
        }
    }

    /// Gives the network the lattices that its variables are of, and numbers these anew.
    pub fn settle_lattices(&mut self) {
        let mut numbers: Vec<(u32, u32)> = Vec::new();
        let used: Vec<u32> = (self.network.lattice_variables.iter())
            .map(|variable| variable.lattice)
            .collect();
        for (index, lattice) in used.into_iter().enumerate() {
            let known = numbers.iter().find(|(from, _)| *from == lattice);
            let number = match known {
                Some((_, number)) => *number,
                None => {
                    let Ok(made) = self.settle_lattice(lattice) else {
                        return;
                    };
                    let number = self.network.lattices.len() as u32;
                    self.network.lattices.push(made);
                    numbers.push((lattice, number));
                    number
                }
            };
            self.network.lattice_variables[index].lattice = number;
        }
        self.check_strategies();
        self.drain();
        self.check_closed();
        if !self.network.lattices.is_empty() {
            let declarations = numbers.iter().filter_map(|(lattice, _)| {
                let instance = self.tables.lattices.get(*lattice as usize)?;
                Some(instance.declaration)
            });
            let declarations: Vec<u32> = declarations.collect();
            let strategies: Vec<u32> = (0..self.tables.functions.len() as u32)
                .filter(|id| self.is_strategy(*id))
                .collect();
            self.network.lattice_source = Some(self.lattice_source(&declarations, &strategies));
        }
    }

    /// Whether a function is named like a joining strategy.
    fn is_strategy(&self, id: u32) -> bool {
        let function = &self.tables.functions[id as usize];
        function.scope == Tables::GLOBAL
            && function.tree.name.text.starts_with(STRATEGY)
            && function.unusable.is_none()
    }

    fn settle_lattice(&mut self, id: u32) -> Lower<LatticeType> {
        let instance = self.tables.lattices.get(id as usize).ok_or(Reported)?;
        let (name, ty) = (instance.name.to_string(), instance.ty.clone());
        let declared = &self.tables.lattice_declarations[instance.declaration as usize];
        let (tree, library, native) = (
            declared.tree.clone(),
            declared.library,
            declared.native.clone(),
        );
        let span = tree.name.span;
        let Type::Struct(structure) = &ty else {
            return Err(Reported);
        };
        // The fields of the first element have names of their own, as inside its methods.
        let mut left = None;
        for field in &structure.fields {
            let cells = self.local_cells(&field.name, &field.ty, span)?;
            left = left.or(Some(cells));
        }
        let left = left.ok_or(Reported)?;
        let right = self.local_cells("o", &ty, span)?;
        let element = |base, mutable| Object::in_memory(ty.clone(), base, mutable);
        let (first, second) = (element(left, false), element(right, false));
        let mut leq = Vec::new();
        let mut join = Vec::new();
        if native.is_none() {
            self.leq_of(&first, &second, span, &mut leq)?;
            self.join_of(&element(left, true), &second, span, &mut join)?;
        }
        let joinable = self.strategy_of(id, &first, &second, span)?;
        let mut directions = Vec::new();
        let cellwise = self.cell_directions(&ty, &mut directions);
        Ok(LatticeType {
            name,
            declared: tree.name.text.clone(),
            shape: ty.shape().ok_or(Reported)?,
            left,
            right,
            leq: match leq.len() {
                1 => leq.remove(0),
                _ => Expr::And(leq),
            },
            join,
            joinable,
            cellwise: cellwise.map(|()| directions.into()),
            native,
            foreign: !library,
        })
    }

    fn leq_of(&mut self, a: &Object, b: &Object, span: Span, out: &mut Vec<Expr>) -> Lower<()> {
        if let Some(call) = self.operation("leq", a, b, span)? {
            out.push(call);
            return Ok(());
        }
        for (a, b) in self.parts(a, b, span)? {
            self.leq_of(&a, &b, span, out)?;
        }
        Ok(())
    }

    fn join_of(&mut self, a: &Object, b: &Object, span: Span, out: &mut Vec<Stmt>) -> Lower<()> {
        if let Some(call) = self.operation("join", a, b, span)? {
            out.push(Stmt::Evaluate(call));
            return Ok(());
        }
        for (a, b) in self.parts(a, b, span)? {
            self.join_of(&a, &b, span, out)?;
        }
        Ok(())
    }

    /// The call of an element's own method.
    fn operation(&mut self, name: &str, a: &Object, b: &Object, span: Span) -> Lower<Option<Expr>> {
        let Some(id) = self.lattice_of(&a.ty) else {
            return Ok(None);
        };
        let instance = &self.tables.lattices[id as usize];
        let declared = &self.tables.lattice_declarations[instance.declaration as usize];
        if declared.native.is_some() {
            let message = format!(
                "`{}` is written in Rust: it can be a part only of lattices without `leq`, `join` and `joinable` of their own",
                instance.name
            );
            return self.error("lattice", message, span);
        }
        let Some(method) = instance.method(name) else {
            return Ok(None);
        };
        let declared = &self.tables.functions[method as usize];
        let (parameters, span) = (declared.parameters.clone(), declared.tree.name.span);
        let function = self.specialise(method, &parameters, &[a.clone(), b.clone()], span)?;
        let site = self.site(span);
        Ok(Some(call(function, site)))
    }

    /// The elements or fields of two objects, side by side.
    fn parts(&mut self, a: &Object, b: &Object, span: Span) -> Lower<Vec<(Object, Object)>> {
        let part = |get: &dyn Fn(Object) -> Option<Object>| {
            let (a, b) = (get(a.clone()), get(b.clone()));
            a.zip(b).ok_or(Reported)
        };
        match a.ty.clone() {
            Type::Array(array) => {
                self.unroll(array.length as u64, span)?;
                (0..array.length as i32)
                    .map(|k| part(&|object| object.nth(Expr::Const(k), SiteId::NONE)))
                    .collect()
            }
            Type::Struct(structure) => (structure.fields.iter())
                .map(|field| part(&|object| object.field(&field.name)))
                .collect(),
            _ => Err(Reported),
        }
    }

    /// The joining strategy of the model for a lattice: a method `joinable`, or a global function of that name (or one
    /// that begins so) over two of its elements.
    fn strategy_of(&mut self, id: u32, a: &Object, b: &Object, span: Span) -> Lower<Option<Expr>> {
        let own = self.tables.lattices[id as usize].method(STRATEGY);
        let global = (0..self.tables.functions.len() as u32).filter(|index| {
            let function = &self.tables.functions[*index as usize];
            self.is_strategy(*index)
                && matches!(&function.parameters[..], [first, second]
                    if [first, second].iter().all(|p| p.reference && p.constant && p.ty == a.ty))
        });
        let all: Vec<u32> = own.into_iter().chain(global).collect();
        let Some(&strategy) = all.first() else {
            return Ok(None);
        };
        if let Some(second) = all.get(1) {
            let span = self.tables.functions[*second as usize].tree.name.span;
            let name = self.tables.lattices[id as usize].name.clone();
            let message = format!("there are two joining strategies for `{name}`");
            return self.error("lattice", message, span);
        }
        let parameters = self.tables.functions[strategy as usize].parameters.clone();
        if parameters.iter().filter(|p| p.reference).count() != 2 || parameters.len() != 2 {
            let message = "a joining strategy is a function of two elements, by constant reference";
            return self.error("lattice", message, span);
        }
        let function = self.specialise(strategy, &parameters, &[a.clone(), b.clone()], span)?;
        let site = self.site(span);
        Ok(Some(call(function, site)))
    }

    /// Reports global functions that look like joining strategies of no lattice of the model.
    fn check_strategies(&mut self) {
        let strange: Vec<Span> = (self.tables.functions.iter())
            .filter(|f| f.scope == Tables::GLOBAL && f.tree.name.text == STRATEGY)
            .filter(|f| f.unusable.is_none() && f.specialisations == 0)
            .map(|f| f.tree.name.span)
            .collect();
        if self.network.lattices.is_empty() {
            return;
        }
        for span in strange {
            let message = "this joining strategy fits no lattice variable: it takes two elements of \
                           one lattice by constant reference, as in `bool joinable(const T &a, const T &b)`";
            self.warn("lattice", message, span);
        }
    }

    /// Reports orders and joins that depend on more than the two elements, and strategies with effects.
    fn check_closed(&mut self) {
        let effects = function_effects(&self.network.functions);
        let mut wrong = Vec::new();
        for lattice in &self.network.lattices {
            let mut calls = Calls::default();
            calls.expr(&lattice.leq);
            walk_stmts(&mut calls, &lattice.join);
            for (function, site) in calls.0 {
                let effects = effects.get(function.index()).copied().unwrap_or_default();
                if effects.reads || effects.writes {
                    wrong.push((
                        function,
                        site,
                        "depends on the state, not on its two elements alone",
                    ));
                }
            }
            let mut calls = Calls::default();
            lattice.joinable.iter().for_each(|test| calls.expr(test));
            for (function, site) in calls.0 {
                if effects.get(function.index()).is_some_and(|e| e.writes) {
                    wrong.push((function, site, "changes the state"));
                }
            }
        }
        for (function, site, what) in wrong {
            let name = self.network.functions[function.index()].name.clone();
            let span = self.tables.sites.iter().find(|(_, id)| **id == site);
            let span = span.map_or_else(super::super::model::nowhere, |(span, _)| *span);
            let message = format!("`{name}` {what}");
            self.error::<()>("lattice", message, span).ok();
        }
    }
}

#[derive(Default)]
struct Calls(Vec<(FunctionId, SiteId)>);

impl Visitor for Calls {
    fn expr(&mut self, expr: &Expr) {
        if let Expr::Call { function, site, .. } = expr {
            self.0.push((*function, *site));
        }
        walk_expr(self, expr);
    }
}

fn call(function: FunctionId, site: SiteId) -> Expr {
    Expr::Call {
        function,
        arguments: Vec::<Argument>::new(),
        site,
    }
}

fn holds_lattice(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => holds_lattice(&array.element),
        Type::Struct(structure) => {
            structure.lattice.is_some() || structure.fields.iter().any(|f| holds_lattice(&f.ty))
        }
        _ => false,
    }
}
