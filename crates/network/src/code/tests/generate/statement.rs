//! Random statements.

use super::{CLOCKS, Generator, Known};
use crate::*;

impl Generator {
    pub(super) fn assign_to(&mut self, known: &Known, indices: Vec<Index>, value: Expr) -> Stmt {
        Stmt::Assign {
            target: Place {
                base: known.base,
                indices,
            },
            value,
            low: known.low,
            high: known.high,
            site: self.site(),
        }
    }

    /// One or two statements without `return`, for use inside expressions.
    pub(super) fn simple_stmts(&mut self, depth: usize) -> Vec<Stmt> {
        let outer = self.in_function.take();
        let statements = (0..=self.random.below(2))
            .map(|_| self.stmt(depth.min(1)))
            .collect();
        self.in_function = outer;
        statements
    }

    /// A few random statements.
    pub fn stmts(&mut self, depth: usize) -> Vec<Stmt> {
        (0..self.random.below(4))
            .map(|_| self.stmt(depth))
            .collect()
    }

    fn assignment(&mut self, depth: usize) -> Stmt {
        let known = self.pick(true);
        let indices = self.indices(&known.indices, depth);
        let site = self.site();
        let value = match self.random.below(6) {
            0 => Expr::Const(self.random.within(0, 3)),
            1..=3 => {
                // The counting form, with a small step.
                let op = if self.random.one_in(2) {
                    BinaryOp::Add
                } else {
                    BinaryOp::Subtract
                };
                let place = Place {
                    base: known.base,
                    indices: indices.clone(),
                };
                let step = if self.random.one_in(2) {
                    Expr::Const(self.number())
                } else {
                    self.expr(1)
                };
                Expr::Binary(op, Box::new(Expr::Load(place)), Box::new(step), site)
            }
            _ => self.expr(depth),
        };
        self.assign_to(&known, indices, value)
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        if depth == 0 {
            return self.assignment(1);
        }
        let site = self.site();
        match self.random.below(16) {
            0 => Stmt::Evaluate(self.expr(depth)),
            1 if self.callable > 0 => Stmt::Evaluate(self.call(depth)),
            2..=3 => Stmt::If {
                condition: self.expr(depth),
                then: self.stmts(depth - 1),
                otherwise: self.stmts(depth - 1),
            },
            4 => self.while_statement(depth, site),
            5..=6 => {
                let variable = self.local(1);
                let (low, high) = self.loop_range();
                self.scope.push(Self::single(variable, false));
                let body = self.stmts(depth - 1);
                self.scope.pop();
                Stmt::For {
                    variable,
                    low,
                    high,
                    body,
                    site,
                }
            }
            7 => {
                let indices = match self.random.below(3) {
                    0 => Vec::new(),
                    1 => self.indices(&[(1, CLOCKS)], depth),
                    _ => self.indices(&[(3, 2), (1, 3)], depth),
                };
                Stmt::Reset {
                    clock: ClockPlace {
                        base: ClockId(0),
                        indices,
                    },
                    value: if self.random.one_in(2) {
                        Expr::Const(0)
                    } else {
                        self.expr(depth)
                    },
                    site,
                }
            }
            8 if self.random.one_in(3) => Stmt::CopyClock {
                target: ClockId(self.random.below(6) as u32),
                source: ClockId(self.random.below(6) as u32),
                offset: self.random.within(-3, 3),
            },
            9 => self.copy_statement(),
            10 => match self.in_function {
                Some(result) => self.return_statement(result),
                None => self.assignment(depth),
            },
            _ => self.assignment(depth),
        }
    }

    /// Copies between the two halves of one array of structures, or within a row, sometimes overlapping.
    fn copy_statement(&mut self) -> Stmt {
        // The state's array of 6 cells in 0..=7: any run of 3 to any place.
        let base = Address {
            region: Region::State,
            offset: 4,
        };
        let mut place = || Place {
            base,
            indices: self.indices(&[(1, 4)], 1),
        };
        Stmt::Copy {
            source: place(),
            target: place(),
            cells: 3,
        }
    }

    /// A loop that counts a fresh local down, and now and then one that does not end.
    fn while_statement(&mut self, depth: usize, site: SiteId) -> Stmt {
        let counter = self.local(1);
        let known = Self::single(counter, false);
        let start = Expr::Const(self.random.within(0, 5));
        let set = self.assign_to(&known, Vec::new(), start);
        let mut body = self.stmts(depth - 1);
        if !self.random.one_in(40) {
            let less = Expr::binary(BinaryOp::Subtract, Expr::load(counter), Expr::Const(1));
            body.push(self.assign_to(&known, Vec::new(), less));
        }
        let repeat = Stmt::While {
            condition: Expr::binary(BinaryOp::Greater, Expr::load(counter), Expr::Const(0)),
            body,
            test_first: self.random.one_in(2),
            site,
        };
        Stmt::If {
            condition: Expr::TRUE,
            then: vec![set, repeat],
            otherwise: Vec::new(),
        }
    }
}
