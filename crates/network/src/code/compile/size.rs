//! How much code trees become, roughly: decides what is inlined and unrolled.

use crate::code::compile::builder::ProgramBuilder;
use crate::expression::{Argument, ClockPlace, Expr, Place, Stmt};
use crate::ids::FunctionId;
use crate::visit::{Visitor, walk_expr, walk_indices, walk_stmt, walk_stmts};

impl ProgramBuilder<'_> {
    pub(crate) fn size_of_expr(&mut self, expr: &Expr) -> usize {
        let mut counter = Counter {
            builder: self,
            size: 0,
        };
        counter.expr(expr);
        counter.size
    }

    pub(crate) fn size_of_stmts(&mut self, statements: &[Stmt]) -> usize {
        let mut counter = Counter {
            builder: self,
            size: 0,
        };
        walk_stmts(&mut counter, statements);
        counter.size
    }

    /// The size of a function's body.
    pub(crate) fn size_of_function(&mut self, id: FunctionId) -> usize {
        match self.sizes.get(id.index()) {
            None => usize::MAX,
            Some(Some(size)) => *size,
            Some(None) => {
                self.sizes[id.index()] = Some(usize::MAX);
                let size = self.size_of_stmts(&self.network.functions[id.index()].body);
                self.sizes[id.index()] = Some(size);
                size
            }
        }
    }

    /// A recursive function, which no network has, is inlined no deeper than once.
    pub(crate) fn is_inlined(&mut self, id: FunctionId) -> bool {
        !self.inlining.contains(&id) && self.size_of_function(id) <= self.most_inlined
    }
}

struct Counter<'a, 'n> {
    builder: &'a mut ProgramBuilder<'n>,
    size: usize,
}

impl Counter<'_, '_> {
    fn add(&mut self, nodes: usize) {
        self.size = self.size.saturating_add(nodes);
    }

    fn add_loop(&mut self, low: i32, high: i32, body: usize) {
        let size = self.builder.unrolled_size(low, high, body);
        self.add(size.unwrap_or(body.saturating_add(2)));
    }
}

impl Visitor for Counter<'_, '_> {
    fn expr(&mut self, expr: &Expr) {
        self.add(1);
        match expr {
            Expr::Quantified {
                low, high, body, ..
            } => {
                let body = self.builder.size_of_expr(body);
                self.add_loop(*low, *high, body);
            }
            Expr::Call { arguments, .. } => {
                let copied = arguments
                    .iter()
                    .filter(|argument| matches!(argument, Argument::Copy(..)));
                self.add(copied.count());
                walk_expr(self, expr);
            }
            _ => walk_expr(self, expr),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.add(1);
        match stmt {
            Stmt::For {
                low, high, body, ..
            } => {
                let body = self.builder.size_of_stmts(body);
                self.add_loop(*low, *high, body);
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn read(&mut self, place: &Place, _: u32) {
        walk_indices(self, &place.indices);
    }

    fn reset(&mut self, clock: &ClockPlace) {
        walk_indices(self, &clock.indices);
    }

    fn call(&mut self, function: FunctionId) {
        let size = self.builder.size_of_function(function);
        self.add(if size <= self.builder.most_inlined {
            size
        } else {
            1
        });
    }
}
