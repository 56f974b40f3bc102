//! What the cells of the local region belong to: parameters, results, locals, loop variables.

use std::collections::BTreeMap;

use crate::expression::{Expr, Place, Stmt};
use crate::memory::{Address, Local, Region, Shape};
use crate::network::Network;
use crate::visit::{Visitor, walk_expr, walk_stmt, walk_stmts};

/// A local variable of some kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    pub base: u32,
    pub shape: Shape,
    pub name: String,
}

/// The objects of the local region, by their first cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objects {
    pub all: Vec<Object>,
}

const WIDE: Shape = Shape::Int {
    low: i32::MIN,
    high: i32::MAX,
};

impl Objects {
    /// From what the network says of them; the rest is guessed from the way it is used.
    pub fn of(network: &Network) -> Objects {
        let mut found: BTreeMap<u32, Object> = BTreeMap::new();
        for local in &network.locals {
            add(
                &mut found,
                local.base.offset,
                local.shape.clone(),
                local.name.clone(),
            );
        }
        let ranges = ranges(network);
        for (id, function) in network.functions.iter().enumerate() {
            for (position, (base, cells)) in function.parameters.iter().enumerate() {
                add(
                    &mut found,
                    base.offset,
                    block(&ranges, base.offset, *cells),
                    format!("p{id}_{position}"),
                );
            }
            if let Some((base, cells)) = function.result {
                add(
                    &mut found,
                    base.offset,
                    block(&ranges, base.offset, cells),
                    format!("result{id}"),
                );
            }
        }
        for cell in 0..network.local_cells {
            if covering(&found, cell).is_none() {
                add(
                    &mut found,
                    cell,
                    block(&ranges, cell, 1),
                    format!("local{cell}"),
                );
            }
        }
        Objects {
            all: found.into_values().collect(),
        }
    }

    /// The objects as a network lists them.
    pub fn locals(&self) -> Vec<Local> {
        let local = |object: &Object| Local {
            name: object.name.clone(),
            shape: object.shape.clone(),
            base: Address {
                region: Region::Local,
                offset: object.base,
            },
        };
        self.all.iter().map(local).collect()
    }

    /// The object that a cell belongs to.
    pub fn find(&self, cell: u32) -> Option<usize> {
        let after = self.all.partition_point(|object| object.base <= cell);
        let index = after.checked_sub(1)?;
        let object = &self.all[index];
        (cell < object.base + object.shape.cells()).then_some(index)
    }
}

fn covering(found: &BTreeMap<u32, Object>, cell: u32) -> Option<&Object> {
    let (_, object) = found.range(..=cell).next_back()?;
    (cell < object.base + object.shape.cells()).then_some(object)
}

fn add(found: &mut BTreeMap<u32, Object>, base: u32, shape: Shape, name: String) {
    let cells = shape.cells();
    let free = cells > 0
        && covering(found, base).is_none()
        && found.range(base..base + cells).next().is_none();
    if free {
        found.insert(base, Object { base, shape, name });
    }
}

fn block(ranges: &BTreeMap<u32, (i32, i32)>, base: u32, cells: u32) -> Shape {
    let element = match ranges.get(&base) {
        Some(&(low, high)) => Shape::Int { low, high },
        None => WIDE,
    };
    match cells {
        1 => element,
        length => Shape::Array {
            length,
            element: Box::new(element),
        },
    }
}

/// For each local cell that is assigned to: the range of the assignments, where they agree.
fn ranges(network: &Network) -> BTreeMap<u32, (i32, i32)> {
    struct Search(BTreeMap<u32, (i32, i32)>);
    impl Search {
        fn note(&mut self, cell: Address, range: (i32, i32)) {
            if cell.region == Region::Local {
                let known = self.0.entry(cell.offset).or_insert(range);
                *known = (known.0.min(range.0), known.1.max(range.1));
            }
        }
    }
    impl Visitor for Search {
        fn stmt(&mut self, stmt: &Stmt) {
            match stmt {
                Stmt::Assign {
                    target, low, high, ..
                } => self.note(target.base, (*low, *high)),
                Stmt::For {
                    variable,
                    low,
                    high,
                    ..
                } => self.note(*variable, (*low, *high)),
                _ => {}
            }
            walk_stmt(self, stmt);
        }

        fn expr(&mut self, expr: &Expr) {
            if let Expr::Quantified {
                variable,
                low,
                high,
                ..
            } = expr
            {
                self.note(*variable, (*low, *high));
            }
            walk_expr(self, expr);
        }

        fn write(&mut self, place: &Place, cells: u32) {
            // Cells that are copied to have no range of their own.
            for more in 0..if cells > 1 { cells } else { 0 } {
                self.note(place.base.plus(more), (i32::MIN, i32::MAX));
            }
            crate::visit::walk_indices(self, &place.indices);
        }
    }
    let mut search = Search(BTreeMap::new());
    for_each_code(network, &mut search);
    // Arguments and results are no assignments: nothing is known of them.
    for function in &network.functions {
        for (base, cells) in function.parameters.iter().chain(&function.result) {
            (0..*cells).for_each(|more| search.note(base.plus(more), (i32::MIN, i32::MAX)));
        }
    }
    search.0
}

/// Visits all code of a network: edges, invariants, updates, functions.
pub(crate) fn for_each_code<V: Visitor>(network: &Network, visitor: &mut V) {
    for process in &network.processes {
        for location in &process.locations {
            let invariant = &location.invariant;
            invariant.data.iter().for_each(|expr| visitor.expr(expr));
            for constraint in &invariant.clocks {
                constraint
                    .condition
                    .iter()
                    .for_each(|expr| visitor.expr(expr));
                visitor.expr(&constraint.bound);
            }
            invariant
                .rates
                .iter()
                .for_each(|rate| visitor.expr(&rate.value));
        }
        for edge in &process.edges {
            edge.guard.data.iter().for_each(|expr| visitor.expr(expr));
            for constraint in &edge.guard.clocks {
                constraint
                    .condition
                    .iter()
                    .for_each(|expr| visitor.expr(expr));
                visitor.expr(&constraint.bound);
            }
            walk_stmts(visitor, &edge.update);
        }
    }
    walk_stmts(visitor, &network.before_update);
    walk_stmts(visitor, &network.after_update);
    for function in &network.functions {
        walk_stmts(visitor, &function.body);
    }
}
