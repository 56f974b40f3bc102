//! Moves what UPPAAL's syntax cannot say in place into functions.

use crate::bounds::Bounds;
use crate::expression::{Argument, Expr, Function, Place, Stmt};
use crate::ids::{FunctionId, SiteId};
use crate::memory::{Address, Local, Region, Shape};
use crate::network::Network;
use crate::print::normal::INLINE;
use crate::print::objects::Objects;
use crate::visit::{
    Rewriter, Visitor, rewrite_expr, rewrite_stmt, rewrite_stmts, walk_expr, walk_indices,
    walk_stmt,
};

/// The network with helper functions. Checks that parameter and result types imply are left out.
pub(super) fn outlined(normal: &Network) -> Network {
    let mut network = normal.clone();
    let mut outliner = Outliner {
        network: normal,
        objects: Objects::of(&network),
        parameters: network
            .functions
            .iter()
            .map(|function| function.parameters.clone())
            .collect(),
        made: Vec::new(),
        first: network.functions.len(),
        locals: std::mem::take(&mut network.locals),
        local_cells: network.local_cells,
        result: None,
    };
    let mut processes = std::mem::take(&mut network.processes);
    for process in &mut processes {
        for location in &mut process.locations {
            let invariant = &mut location.invariant;
            invariant
                .data
                .iter_mut()
                .for_each(|expr| outliner.expr(expr));
            for constraint in &mut invariant.clocks {
                constraint
                    .condition
                    .iter_mut()
                    .for_each(|expr| outliner.expr(expr));
                outliner.expr(&mut constraint.bound);
            }
            invariant
                .rates
                .iter_mut()
                .for_each(|rate| outliner.expr(&mut rate.value));
        }
        for edge in &mut process.edges {
            edge.guard
                .data
                .iter_mut()
                .for_each(|expr| outliner.expr(expr));
            for constraint in &mut edge.guard.clocks {
                constraint
                    .condition
                    .iter_mut()
                    .for_each(|expr| outliner.expr(expr));
                outliner.expr(&mut constraint.bound);
            }
            outliner.update(&mut edge.update);
        }
    }
    network.processes = processes;
    outliner.update(&mut network.before_update);
    outliner.update(&mut network.after_update);
    for function in &mut network.functions {
        outliner.function(function);
    }
    // Helper functions may need further ones.
    let mut done = 0;
    while done < outliner.made.len() {
        let mut function = outliner.made[done].clone();
        outliner.function(&mut function);
        outliner.made[done] = function;
        done += 1;
    }
    network.functions.append(&mut outliner.made);
    network.locals = outliner.locals;
    network.local_cells = outliner.local_cells;
    network
}

struct Outliner<'n> {
    network: &'n Network,
    objects: Objects,
    parameters: Vec<Vec<(Address, u32)>>,
    made: Vec<Function>,
    /// The number of functions of the network itself.
    first: usize,
    locals: Vec<Local>,
    local_cells: u32,
    /// The range of the result of the function whose body is being looked at.
    result: Option<(i32, i32)>,
}

impl Outliner<'_> {
    fn range_of(&self, cell: Address) -> Option<(i32, i32)> {
        match self.objects.find(cell.offset) {
            Some(index) => self.objects.all[index].shape.range(),
            None => self
                .locals
                .iter()
                .find(|local| local.base == cell)
                .and_then(|local| local.shape.range()),
        }
    }

    fn function(&mut self, function: &mut Function) {
        self.result = match function.result {
            Some((cell, 1)) => self.range_of(cell),
            _ => None,
        };
        rewrite_stmts(self, &mut function.body);
        self.result = None;
    }

    /// A function for statements and perhaps a value.
    fn helper(&mut self, mut body: Vec<Stmt>, value: Option<(Expr, Shape)>) -> Expr {
        let number = self.made.len();
        let result = value.map(|(value, shape)| {
            let cell = Address {
                region: Region::Local,
                offset: self.local_cells,
            };
            self.local_cells += 1;
            self.locals.push(Local {
                name: format!("{INLINE}result{number}"),
                shape,
                base: cell,
            });
            body.push(Stmt::Return(Some(value)));
            (cell, 1)
        });
        self.made.push(Function {
            name: format!("{INLINE}{number}"),
            parameters: Vec::new(),
            result,
            body,
        });
        Expr::Call {
            function: FunctionId::from(self.first + number),
            arguments: Vec::new(),
            site: SiteId::NONE,
        }
    }

    fn update(&mut self, statements: &mut Vec<Stmt>) {
        if needs_function(statements) {
            let call = self.helper(std::mem::take(statements), None);
            statements.push(Stmt::Evaluate(call));
        } else {
            rewrite_stmts(self, statements);
        }
    }

    fn is_boolean_cell(&self, cell: Address) -> bool {
        let shape = match cell.region {
            Region::Local => self.objects.find(cell.offset).and_then(|index| {
                let object = &self.objects.all[index];
                object.shape.scalar_at(cell.offset - object.base)
            }),
            region => {
                let known = self.network.cells(region).get(cell.offset as usize);
                known.and_then(|known| {
                    let variable = &self.network.variables[known.variable.index()];
                    variable.shape.scalar_at(cell.offset - variable.base.offset)
                })
            }
        };
        shape == Some(&Shape::Bool)
    }

    /// Whether a value is of Boolean type where it is read back.
    fn is_bool(&self, expr: &Expr) -> bool {
        expr.as_const().is_none() && expr.is_boolean()
    }
}

impl Rewriter for Outliner<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Then(statements, value) => {
                let shape = match self.is_bool(value) {
                    true => Shape::Bool,
                    false => Shape::Int {
                        low: i32::MIN,
                        high: i32::MAX,
                    },
                };
                let body = std::mem::take(statements);
                let value = std::mem::replace(&mut **value, Expr::FALSE);
                *expr = self.helper(body, Some((value, shape)));
            }
            Expr::Checked {
                value, low, high, ..
            } => {
                let shape = Shape::Int {
                    low: *low,
                    high: *high,
                };
                let value = std::mem::replace(&mut **value, Expr::FALSE);
                *expr = self.helper(Vec::new(), Some((value, shape)));
            }
            Expr::Call {
                function,
                arguments,
                ..
            } => {
                let parameters = self
                    .parameters
                    .get(function.index())
                    .cloned()
                    .unwrap_or_default();
                for (argument, (parameter, _)) in arguments.iter_mut().zip(parameters) {
                    if let Argument::Value(checked) = argument {
                        let range = self.range_of(parameter);
                        strip(checked, range);
                    }
                }
                rewrite_expr(self, expr);
            }
            _ => rewrite_expr(self, expr),
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Return(Some(value)) => strip(value, self.result),
            // An integer that is assigned to a Boolean is read as a condition; the check says that it is none.
            Stmt::Assign {
                target,
                value,
                low: 0,
                high: 1,
                ..
            } if self.is_boolean_cell(target.base)
                && !Bounds::new(self.network).of(value).within(0, 1) =>
            {
                let inner = std::mem::replace(value, Expr::FALSE);
                *value = Expr::Checked {
                    value: Box::new(inner),
                    low: 0,
                    high: 1,
                    site: SiteId::NONE,
                };
            }
            _ => {}
        }
        rewrite_stmt(self, stmt);
    }
}

/// Leaves out a check that a parameter's or result's type implies.
fn strip(expr: &mut Expr, range: Option<(i32, i32)>) {
    if let Expr::Checked {
        value, low, high, ..
    } = expr
        && range == Some((*low, *high))
    {
        *expr = std::mem::replace(&mut **value, Expr::FALSE);
    }
}

/// Whether statements cannot be an update: control flow, or local variables.
fn needs_function(statements: &[Stmt]) -> bool {
    #[derive(Default)]
    struct Search {
        found: bool,
        bound: Vec<u32>,
    }
    impl Search {
        fn note(&mut self, place: &Place) {
            let address = place.base;
            self.found |= address.region == Region::Local && !self.bound.contains(&address.offset);
            walk_indices(self, &place.indices);
        }
    }
    impl Visitor for Search {
        fn expr(&mut self, expr: &Expr) {
            if let Expr::Quantified { variable, body, .. } = expr {
                self.bound.push(variable.offset);
                self.expr(body);
                self.bound.pop();
            } else {
                walk_expr(self, expr);
            }
        }

        fn stmt(&mut self, stmt: &Stmt) {
            let plain = matches!(
                stmt,
                Stmt::Assign { .. }
                    | Stmt::Copy { .. }
                    | Stmt::Reset { .. }
                    | Stmt::Evaluate(_)
                    | Stmt::CopyClock { .. }
            );
            self.found |= !plain;
            walk_stmt(self, stmt);
        }

        fn read(&mut self, place: &Place, _: u32) {
            self.note(place);
        }

        fn write(&mut self, place: &Place, _: u32) {
            self.note(place);
        }
    }
    let mut search = Search::default();
    crate::visit::walk_stmts(&mut search, statements);
    search.found
}
