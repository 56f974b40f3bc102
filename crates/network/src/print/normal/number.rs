//! Numbers by owner and by first use.

use std::collections::{HashMap, HashSet};

use crate::expression::{ClockPlace, Expr, Function, Place, Stmt};
use crate::ids::{ClockId, FunctionId, VariableId};
use crate::lattice::{LatticeType, LatticeVariable};
use crate::memory::{Address, Local, Region, Shape, Variable};
use crate::network::Network;
use crate::print::objects::{Objects, for_each_code};
use crate::visit::{
    Rewriter, Visitor, rewrite_expr, rewrite_indices, rewrite_stmt, rewrite_stmts, walk_expr,
    walk_stmt,
};

/// The network with variables and clocks ordered by owner, and constants, functions and locals by first use.
pub(super) fn renumbered(network: &Network) -> Network {
    let mut result = Network {
        processes: network.processes.clone(),
        before_update: network.before_update.clone(),
        after_update: network.after_update.clone(),
        channels: network.channels.clone(),
        default_priority: network.default_priority,
        events: network.events.clone(),
        vectors: network.vectors.clone(),
        out_of_range: network.out_of_range,
        ..Network::default()
    };
    let clocks = order_clocks(network, &mut result);
    let mut numberer = Numberer {
        network,
        objects: Objects::of(network),
        shared: shared_variables(network),
        clocks,
        variables: HashMap::new(),
        locals: HashMap::new(),
        bound: Vec::new(),
        functions: HashMap::new(),
        made: Vec::new(),
        result,
    };
    numberer.order_variables();
    numberer.lattices();
    numberer.all_code();
    let mut result = numberer.result;
    result.functions = numberer.made.into_iter().flatten().collect();
    // Nobody ever writes the name of a result.
    for (cell, _) in result
        .functions
        .iter()
        .filter_map(|function| function.result)
    {
        let unnamed = result.locals.iter_mut().find(|local| local.base == cell);
        unnamed.into_iter().for_each(|local| local.name.clear());
    }
    result
}

fn order_clocks(network: &Network, result: &mut Network) -> Vec<ClockId> {
    let mut order: Vec<usize> = (0..network.clocks.len()).collect();
    order.sort_by_key(|index| network.clocks[*index].owner);
    let mut new = vec![ClockId(0); order.len()];
    for (position, index) in order.into_iter().enumerate() {
        new[index] = ClockId::from(position);
        result.clocks.push(network.clocks[index].clone());
    }
    new
}

/// Loop variables that code outside their loop uses too: a function got them by reference.
fn shared_variables(network: &Network) -> HashSet<u32> {
    #[derive(Default)]
    struct Search {
        bound: Vec<u32>,
        binders: HashSet<u32>,
        free: HashSet<u32>,
    }
    impl Search {
        fn note(&mut self, place: &Place) {
            if place.base.region == Region::Local && !self.bound.contains(&place.base.offset) {
                self.free.insert(place.base.offset);
            }
        }
    }
    impl Visitor for Search {
        fn expr(&mut self, expr: &Expr) {
            if let Expr::Quantified { variable, body, .. } = expr {
                self.binders.insert(variable.offset);
                self.bound.push(variable.offset);
                self.expr(body);
                self.bound.pop();
            } else {
                walk_expr(self, expr);
            }
        }

        fn stmt(&mut self, stmt: &Stmt) {
            if let Stmt::For { variable, body, .. } = stmt {
                self.binders.insert(variable.offset);
                self.bound.push(variable.offset);
                crate::visit::walk_stmts(self, body);
                self.bound.pop();
            } else {
                walk_stmt(self, stmt);
            }
        }

        fn read(&mut self, place: &Place, _: u32) {
            self.note(place);
            crate::visit::walk_indices(self, &place.indices);
        }

        fn write(&mut self, place: &Place, _: u32) {
            self.note(place);
            crate::visit::walk_indices(self, &place.indices);
        }
    }
    let mut search = Search::default();
    for_each_code(network, &mut search);
    search.binders.intersection(&search.free).copied().collect()
}

struct Numberer<'n> {
    network: &'n Network,
    objects: Objects,
    shared: HashSet<u32>,
    clocks: Vec<ClockId>,
    /// New first cell of variables.
    variables: HashMap<VariableId, u32>,
    /// New first cell of local objects.
    locals: HashMap<usize, u32>,
    /// Loop variables around: old and new cell.
    bound: Vec<(u32, u32)>,
    functions: HashMap<FunctionId, FunctionId>,
    made: Vec<Option<Function>>,
    result: Network,
}

/// A scalar set is a range of integers.
fn plain(shape: &Shape) -> Shape {
    match shape {
        Shape::Scalar { .. } => {
            let (low, high) = shape.range().unwrap_or((0, 0));
            Shape::Int { low, high }
        }
        Shape::Array { length, element } => Shape::Array {
            length: *length,
            element: Box::new(plain(element)),
        },
        Shape::Struct { fields } => Shape::Struct {
            fields: fields
                .iter()
                .map(|(name, shape)| (name.clone(), plain(shape)))
                .collect(),
        },
        other => other.clone(),
    }
}

impl Numberer<'_> {
    fn order_variables(&mut self) {
        let variables = &self.network.variables;
        let mut order: Vec<usize> = (0..variables.len()).collect();
        order.retain(|index| variables[*index].base.region != Region::Constant);
        order.sort_by_key(|index| variables[*index].owner);
        for index in order {
            self.add_variable(VariableId::from(index));
        }
    }

    /// Which parts are elements of which lattices; the code of lattices is not compared.
    fn lattices(&mut self) {
        for lattice in &self.network.lattices {
            self.result.lattices.push(LatticeType {
                shape: plain(&lattice.shape),
                left: Address {
                    region: Region::Local,
                    offset: 0,
                },
                right: Address {
                    region: Region::Local,
                    offset: 0,
                },
                leq: Expr::TRUE,
                join: Vec::new(),
                joinable: lattice.joinable.as_ref().map(|_| Expr::TRUE),
                ..lattice.clone()
            });
        }
        for part in &self.network.lattice_variables {
            let old = self.network.variables[part.variable.index()].base.offset;
            let new = self.add_variable(part.variable);
            self.result.lattice_variables.push(LatticeVariable {
                name: String::new(),
                variable: self.result.state_cells[new as usize].variable,
                base: new + part.base - old,
                lattice: part.lattice,
            });
        }
        // Their order is that of the cells, and lattices are numbered by first use.
        self.result.lattice_variables.sort_by_key(|part| part.base);
        let mut order: Vec<u32> = Vec::new();
        for part in &mut self.result.lattice_variables {
            let known = order.iter().position(|lattice| *lattice == part.lattice);
            let number = known.unwrap_or_else(|| {
                order.push(part.lattice);
                order.len() - 1
            });
            part.lattice = number as u32;
        }
        let lattices = std::mem::take(&mut self.result.lattices);
        let lattices = order.iter().map(|old| lattices[*old as usize].clone());
        self.result.lattices = lattices.collect();
    }

    fn add_variable(&mut self, id: VariableId) -> u32 {
        if let Some(&offset) = self.variables.get(&id) {
            return offset;
        }
        let variable = &self.network.variables[id.index()];
        let region = variable.base.region;
        let first = variable.base.offset as usize;
        let old = &self.network.cells(region)[first..first + variable.shape.cells() as usize];
        let number = VariableId::from(self.result.variables.len());
        let cells = match region {
            Region::Meta => &mut self.result.meta_cells,
            Region::Constant => &mut self.result.constant_cells,
            _ => &mut self.result.state_cells,
        };
        let offset = cells.len() as u32;
        cells.extend(old.iter().map(|cell| crate::memory::Cell {
            variable: number,
            ..*cell
        }));
        self.result.variables.push(Variable {
            shape: plain(&variable.shape),
            base: Address { region, offset },
            ..variable.clone()
        });
        self.variables.insert(id, offset);
        offset
    }

    fn new_local(&mut self, shape: &Shape, name: &str) -> u32 {
        let offset = self.result.local_cells;
        let base = Address {
            region: Region::Local,
            offset,
        };
        self.result.local_cells += shape.cells();
        self.result.locals.push(Local {
            name: name.into(),
            shape: plain(shape),
            base,
        });
        offset
    }

    fn local(&mut self, cell: u32) -> u32 {
        if let Some((_, new)) = self.bound.iter().rev().find(|(old, _)| *old == cell) {
            return *new;
        }
        let Some(index) = self.objects.find(cell) else {
            return cell;
        };
        let object = self.objects.all[index].clone();
        let base = match self.locals.get(&index) {
            Some(base) => *base,
            None => {
                let base = self.new_local(&object.shape, &object.name);
                self.locals.insert(index, base);
                base
            }
        };
        base + (cell - object.base)
    }

    fn address(&mut self, address: Address) -> Address {
        let offset = match address.region {
            Region::Local => self.local(address.offset),
            region => match self.network.cells(region).get(address.offset as usize) {
                Some(cell) => {
                    let within =
                        address.offset - self.network.variables[cell.variable.index()].base.offset;
                    self.add_variable(cell.variable) + within
                }
                None => address.offset,
            },
        };
        Address { offset, ..address }
    }

    /// Gives a loop variable its cell for the time of its body.
    fn bind(
        &mut self,
        variable: &mut Address,
        (low, high): (i32, i32),
        body: impl FnOnce(&mut Self),
    ) {
        if self.shared.contains(&variable.offset) {
            variable.offset = self.local(variable.offset);
            return body(self);
        }
        let name = match self.objects.find(variable.offset) {
            Some(index) => self.objects.all[index].name.clone(),
            None => "i".into(),
        };
        let new = self.new_local(&Shape::Int { low, high }, &name);
        self.bound.push((variable.offset, new));
        body(self);
        self.bound.pop();
        variable.offset = new;
    }

    fn function(&mut self, id: FunctionId) -> FunctionId {
        if let Some(&new) = self.functions.get(&id) {
            return new;
        }
        let new = FunctionId::from(self.made.len());
        self.functions.insert(id, new);
        self.made.push(None);
        let mut function = self.network.functions[id.index()].clone();
        let bound = std::mem::take(&mut self.bound);
        for (base, _) in function.parameters.iter_mut().chain(&mut function.result) {
            *base = self.address(*base);
        }
        rewrite_stmts(self, &mut function.body);
        self.bound = bound;
        self.made[new.index()] = Some(function);
        new
    }

    fn all_code(&mut self) {
        let mut processes = std::mem::take(&mut self.result.processes);
        for process in &mut processes {
            for location in &mut process.locations {
                let invariant = &mut location.invariant;
                invariant.data.iter_mut().for_each(|expr| self.expr(expr));
                invariant
                    .clocks
                    .iter_mut()
                    .for_each(|constraint| self.constraint(constraint));
                for rate in &mut invariant.rates {
                    rate.clock = self.clocks[rate.clock.index()];
                    self.expr(&mut rate.value);
                }
            }
            for edge in &mut process.edges {
                edge.guard.data.iter_mut().for_each(|expr| self.expr(expr));
                edge.guard
                    .clocks
                    .iter_mut()
                    .for_each(|constraint| self.constraint(constraint));
                rewrite_stmts(self, &mut edge.update);
            }
        }
        self.result.processes = processes;
        for before in [true, false] {
            let list = |result: &mut Network| match before {
                true => std::mem::take(&mut result.before_update),
                false => std::mem::take(&mut result.after_update),
            };
            let mut statements = list(&mut self.result);
            rewrite_stmts(self, &mut statements);
            match before {
                true => self.result.before_update = statements,
                false => self.result.after_update = statements,
            }
        }
    }

    fn constraint(&mut self, constraint: &mut crate::constraint::ClockConstraint) {
        for clock in [&mut constraint.left, &mut constraint.right]
            .into_iter()
            .flatten()
        {
            *clock = self.clocks[clock.index()];
        }
        constraint
            .condition
            .iter_mut()
            .for_each(|expr| self.expr(expr));
        self.expr(&mut constraint.bound);
    }
}

impl Rewriter for Numberer<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Quantified {
                variable,
                low,
                high,
                body,
                ..
            } => self.bind(variable, (*low, *high), |this| this.expr(body)),
            Expr::Call { function, .. } => {
                let old = *function;
                rewrite_expr(self, expr);
                let new = self.function(old);
                if let Expr::Call { function, .. } = expr {
                    *function = new;
                }
            }
            _ => rewrite_expr(self, expr),
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::For {
                variable,
                low,
                high,
                body,
                ..
            } => self.bind(variable, (*low, *high), |this| rewrite_stmts(this, body)),
            Stmt::CopyClock { target, source, .. } => {
                *target = self.clocks[target.index()];
                *source = self.clocks[source.index()];
            }
            _ => rewrite_stmt(self, stmt),
        }
    }

    fn place(&mut self, place: &mut Place) {
        rewrite_indices(self, &mut place.indices);
        place.base = self.address(place.base);
    }

    fn clock_place(&mut self, clock: &mut ClockPlace) {
        rewrite_indices(self, &mut clock.indices);
        clock.base = self.clocks[clock.base.index()];
    }
}
