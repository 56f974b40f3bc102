//! Copies by way of a scratch variable that nothing else touches.

use std::collections::HashMap;

use crate::expression::{Expr, Place, Stmt};
use crate::memory::Region;
use crate::network::Network;
use crate::print::objects::{Objects, for_each_code};
use crate::visit::{Rewriter, Visitor, rewrite_expr, rewrite_stmt, walk_indices};

/// `a = b, c = a` is `c = b` if nothing else reads or writes `a`.
pub(super) fn shorten(network: &mut Network) {
    let objects = Objects::of(network);
    let mut count = Count {
        objects: &objects,
        uses: HashMap::new(),
    };
    for_each_code(network, &mut count);
    for function in &network.functions {
        for (base, _) in function.parameters.iter().chain(&function.result) {
            if let Some(object) = objects.find(base.offset) {
                *count.uses.entry(object).or_insert(0) += 2;
            }
        }
    }
    let mut shortener = Shortener {
        objects: &objects,
        uses: &count.uses,
    };
    for process in &mut network.processes {
        for location in &mut process.locations {
            location
                .invariant
                .data
                .iter_mut()
                .for_each(|expr| shortener.expr(expr));
        }
        for edge in &mut process.edges {
            edge.guard
                .data
                .iter_mut()
                .for_each(|expr| shortener.expr(expr));
            shortener.list(&mut edge.update);
        }
    }
    shortener.list(&mut network.before_update);
    shortener.list(&mut network.after_update);
    for function in &mut network.functions {
        shortener.list(&mut function.body);
    }
}

struct Count<'o> {
    objects: &'o Objects,
    uses: HashMap<usize, u32>,
}

impl Count<'_> {
    fn note(&mut self, place: &Place) {
        if place.base.region == Region::Local
            && let Some(object) = self.objects.find(place.base.offset)
        {
            *self.uses.entry(object).or_insert(0) += 1;
        }
    }
}

impl Visitor for Count<'_> {
    fn read(&mut self, place: &Place, _: u32) {
        self.note(place);
        walk_indices(self, &place.indices);
    }

    fn write(&mut self, place: &Place, _: u32) {
        self.note(place);
        walk_indices(self, &place.indices);
    }
}

struct Shortener<'o> {
    objects: &'o Objects,
    uses: &'o HashMap<usize, u32>,
}

impl Shortener<'_> {
    fn list(&mut self, statements: &mut Vec<Stmt>) {
        let mut at = 0;
        while at + 1 < statements.len() {
            if let Some(direct) = self.direct(&statements[at], &statements[at + 1]) {
                statements[at] = direct;
                statements.remove(at + 1);
            } else {
                at += 1;
            }
        }
        for statement in statements {
            self.stmt(statement);
        }
    }

    fn direct(&self, first: &Stmt, second: &Stmt) -> Option<Stmt> {
        let (
            Stmt::Copy {
                target: scratch,
                source,
                cells,
            },
            Stmt::Copy {
                target,
                source: again,
                cells: as_many,
            },
        ) = (first, second)
        else {
            return None;
        };
        let cell = scratch
            .fixed()
            .filter(|cell| cell.region == Region::Local)?;
        let object = self.objects.find(cell.offset)?;
        // A source with indices would be evaluated after the target's were.
        let fits = scratch == again && cells == as_many && source.indices.is_empty();
        (fits && self.uses.get(&object) == Some(&2)).then(|| Stmt::Copy {
            target: target.clone(),
            source: source.clone(),
            cells: *cells,
        })
    }
}

impl Rewriter for Shortener<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        if let Expr::Then(statements, value) = expr {
            self.list(statements);
            return self.expr(value);
        }
        rewrite_expr(self, expr);
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                self.expr(condition);
                self.list(then);
                self.list(otherwise);
            }
            Stmt::While {
                condition, body, ..
            } => {
                self.expr(condition);
                self.list(body);
            }
            Stmt::For { body, .. } => self.list(body),
            other => rewrite_stmt(self, other),
        }
    }
}
