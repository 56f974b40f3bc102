//! Random well-formed networks, expressions and statements.

mod statement;

use super::random::Random;
use crate::*;

/// An array (or single cell, or field of structures) that can be read, and perhaps written.
#[derive(Clone)]
struct Known {
    base: Address,
    /// Stride and length of each index.
    indices: Vec<(u32, u32)>,
    low: i32,
    high: i32,
    writable: bool,
}

/// Makes a network with functions, then code over it.
pub struct Generator {
    pub random: Random,
    pub network: Network,
    scope: Vec<Known>,
    in_function: Option<Option<(Address, u32)>>,
    callable: usize,
    sites: u32,
}

const CLOCKS: u32 = 6;

impl Generator {
    pub fn new(seed: u64) -> Generator {
        let mut generator = Generator {
            random: Random(seed),
            network: Network::default(),
            scope: Vec::new(),
            in_function: None,
            callable: 0,
            sites: 0,
        };
        generator.processes();
        generator.variables();
        for _ in 0..generator.random.below(5) {
            generator.function();
        }
        generator
    }

    fn site(&mut self) -> SiteId {
        self.sites += 1;
        SiteId(self.sites)
    }

    fn processes(&mut self) {
        for name in ["P", "Q"] {
            let location = Location {
                name: "l".into(),
                named: true,
                kind: LocationKind::Normal,
                invariant: Invariant::default(),
                labels: Vec::new(),
                position: None,
                site: SiteId::NONE,
            };
            self.network.processes.push(Process {
                name: name.into(),
                template: name.into(),
                locations: vec![location.clone(), location.clone(), location],
                initial: LocationId(self.random.below(3) as u32),
                edges: Vec::new(),
                priority: 0,
            });
        }
        for _ in 0..CLOCKS {
            self.network.clocks.push(Clock {
                name: "x".into(),
                owner: None,
            });
        }
    }

    fn declare(&mut self, region: Region, fields: &[(i32, i32)], dimensions: &[u32]) {
        let fields_count = fields.len() as u32;
        let variable = VariableId::from(self.network.variables.len());
        let cells = match region {
            Region::State => &mut self.network.state_cells,
            Region::Meta => &mut self.network.meta_cells,
            _ => &mut self.network.constant_cells,
        };
        let base = Address {
            region,
            offset: cells.len() as u32,
        };
        for _ in 0..dimensions.iter().product::<u32>() {
            for &(low, high) in fields {
                let initial = match self.random.one_in(2) {
                    true => low.max(high.min(self.random.within(-3, 9))),
                    false => self.random.within(low, high),
                };
                cells.push(Cell {
                    low,
                    high,
                    initial,
                    variable,
                });
            }
        }
        let mut stride = fields_count;
        let mut indices = Vec::new();
        for length in dimensions.iter().rev() {
            indices.insert(0, (stride, *length));
            stride *= length;
        }
        let mut shape = match fields {
            [(low, high)] => Shape::Int {
                low: *low,
                high: *high,
            },
            fields => Shape::Struct {
                fields: (fields.iter().enumerate())
                    .map(|(index, &(low, high))| (format!("f{index}"), Shape::Int { low, high }))
                    .collect(),
            },
        };
        for &length in dimensions.iter().rev() {
            shape = Shape::Array {
                length,
                element: Box::new(shape),
            };
        }
        self.network.variables.push(Variable {
            name: format!("v{}", variable.0),
            owner: None,
            shape,
            base,
        });
        for (field, &(low, high)) in fields.iter().enumerate() {
            self.scope.push(Known {
                base: base.plus(field as u32),
                indices: indices.clone(),
                low,
                high,
                writable: region != Region::Constant,
            });
        }
    }

    fn variables(&mut self) {
        self.declare(Region::State, &[(0, 5)], &[]);
        self.declare(Region::State, &[(-10, 10)], &[]);
        self.declare(Region::State, &[(i32::MIN, i32::MAX)], &[]);
        self.declare(Region::State, &[(0, 1)], &[]);
        self.declare(Region::State, &[(0, 7)], &[6]);
        self.declare(Region::State, &[(-3, 3), (0, 100)], &[4]);
        self.declare(Region::State, &[(-32768, 32767)], &[3, 4]);
        self.declare(Region::Meta, &[(0, 3)], &[]);
        self.declare(Region::Meta, &[(-5, 5)], &[4]);
        self.declare(Region::Constant, &[(-100, 100)], &[5]);
        self.declare(Region::Constant, &[(0, 3), (1, 1)], &[2, 2]);
    }

    fn local(&mut self, cells: u32) -> Address {
        let offset = self.network.local_cells;
        self.network.local_cells += cells;
        Address {
            region: Region::Local,
            offset,
        }
    }

    fn single(base: Address, writable: bool) -> Known {
        Known {
            base,
            indices: Vec::new(),
            low: i32::MIN,
            high: i32::MAX,
            writable,
        }
    }

    fn function(&mut self) {
        let outer = self.scope.len();
        let mut parameters = Vec::new();
        for _ in 0..self.random.below(4) {
            let cells = if self.random.one_in(4) { 4 } else { 1 };
            let base = self.local(cells);
            parameters.push((base, cells));
            let mut known = Self::single(base, true);
            if cells > 1 {
                known.indices = vec![(1, cells)];
            }
            self.scope.push(known);
        }
        let result = match self.random.below(4) {
            0 => None,
            1 => Some((self.local(3), 3)),
            _ => Some((self.local(1), 1)),
        };
        let mut body = Vec::new();
        for _ in 0..self.random.below(3) {
            let cell = self.local(1);
            let value = self.expr(2);
            body.push(self.assign_to(&Self::single(cell, true), Vec::new(), value));
            self.scope.push(Self::single(cell, true));
        }
        self.in_function = Some(result);
        body.extend(self.stmts(3));
        if self.random.below(4) > 0 {
            body.push(self.return_statement(result));
        }
        self.in_function = None;
        self.scope.truncate(outer);
        self.network.functions.push(Function {
            name: format!("f{}", self.callable),
            parameters,
            result,
            body,
        });
        self.callable += 1;
    }

    fn return_statement(&mut self, result: Option<(Address, u32)>) -> Stmt {
        match result {
            None => Stmt::Return(None),
            Some((_, 1)) => Stmt::Return(Some(self.expr(3))),
            Some((_, cells)) => Stmt::ReturnCopy(self.block(cells), cells),
        }
    }

    /// A place from which a number of cells (at most 4) can be read.
    fn block(&mut self, cells: u32) -> Place {
        let arrays: Vec<Known> = self
            .scope
            .iter()
            .filter(|known| {
                known
                    .indices
                    .last()
                    .is_some_and(|(stride, length)| *stride == 1 && *length >= cells)
            })
            .cloned()
            .collect();
        let array = arrays[self.random.below(arrays.len())].clone();
        let mut indices = self.indices(&array.indices, 2);
        // The last dimension is read from its start.
        indices.pop();
        Place {
            base: array.base,
            indices,
        }
    }

    fn indices(&mut self, dimensions: &[(u32, u32)], depth: usize) -> Vec<Index> {
        dimensions
            .iter()
            .map(|&(stride, length)| Index {
                value: self.index(length, depth),
                stride,
                length,
                site: self.site(),
            })
            .collect()
    }

    fn index(&mut self, length: u32, depth: usize) -> Expr {
        match self.random.below(8) {
            0 => self.expr(depth),
            1..=3 => Expr::Const(self.random.within(0, length as i32 - 1)),
            _ => {
                // Mostly inside: `e % length`, and for negative `e` a fault.
                let value = self.expr(depth.min(1));
                let site = self.site();
                Expr::Binary(
                    BinaryOp::Remainder,
                    Box::new(value),
                    Box::new(Expr::Const(length as i32)),
                    site,
                )
            }
        }
    }

    fn pick(&mut self, writable: bool) -> Known {
        loop {
            // Favour what is local: parameters, locals, loop variables.
            let from = if self.random.one_in(2) {
                self.scope.len() / 2
            } else {
                0
            };
            let known = &self.scope[from + self.random.below(self.scope.len() - from)];
            if known.writable || !writable {
                return known.clone();
            }
        }
    }

    fn boxed(&mut self, depth: usize) -> Box<Expr> {
        Box::new(self.expr(depth))
    }

    fn number(&mut self) -> i32 {
        match self.random.below(12) {
            0 => i32::MIN,
            1 => i32::MAX,
            2 => self.random.within(-40, 40),
            _ => self.random.within(-2, 6),
        }
    }

    /// A random expression of bounded depth.
    pub fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.random.one_in(7) {
            return match self.random.below(5) {
                0 => Expr::Const(self.number()),
                1 => Expr::At(
                    ProcessId(self.random.below(2) as u32),
                    LocationId(self.random.below(3) as u32),
                ),
                _ => {
                    let known = self.pick(false);
                    let indices = self.indices(&known.indices, 0);
                    Expr::Load(Place {
                        base: known.base,
                        indices,
                    })
                }
            };
        }
        let site = self.site();
        match self.random.below(20) {
            0..=1 => {
                let ops = [
                    UnaryOp::Negate,
                    UnaryOp::Not,
                    UnaryOp::Not,
                    UnaryOp::BitNot,
                    UnaryOp::Abs,
                ];
                let op = ops[self.random.below(ops.len())];
                Expr::Unary(op, self.boxed(depth - 1), site)
            }
            2..=7 => {
                use BinaryOp::*;
                let ops = [
                    Add,
                    Add,
                    Subtract,
                    Subtract,
                    Multiply,
                    Divide,
                    Remainder,
                    Power,
                    BitAnd,
                    BitOr,
                    BitXor,
                    ShiftLeft,
                    ShiftRight,
                    Minimum,
                    Maximum,
                    Less,
                    LessEqual,
                    Equal,
                    NotEqual,
                    GreaterEqual,
                    Greater,
                    Less,
                    Equal,
                ];
                let op = ops[self.random.below(ops.len())];
                Expr::Binary(op, self.boxed(depth - 1), self.boxed(depth - 1), site)
            }
            8..=9 => Expr::And(
                (0..self.random.below(4))
                    .map(|_| self.expr(depth - 1))
                    .collect(),
            ),
            10..=11 => Expr::Or(
                (0..self.random.below(4))
                    .map(|_| self.expr(depth - 1))
                    .collect(),
            ),
            12 => Expr::Conditional(
                self.boxed(depth - 1),
                self.boxed(depth - 1),
                self.boxed(depth - 1),
            ),
            13..=14 => {
                let variable = self.local(1);
                self.scope.push(Self::single(variable, false));
                let body = self.boxed(depth - 1);
                self.scope.pop();
                let quantifier =
                    [Quantifier::Forall, Quantifier::Exists, Quantifier::Sum][self.random.below(3)];
                let (low, high) = self.loop_range();
                Expr::Quantified {
                    quantifier,
                    variable,
                    low,
                    high,
                    body,
                    site,
                }
            }
            15..=16 if self.callable > 0 => self.call(depth),
            17 => {
                let low = self.random.within(-4, 2);
                let high = self.random.within(2, 9);
                Expr::Checked {
                    value: self.boxed(depth - 1),
                    low,
                    high,
                    site,
                }
            }
            18 => {
                let statements = self.simple_stmts(depth - 1);
                Expr::Then(statements, self.boxed(depth - 1))
            }
            _ => {
                let known = self.pick(false);
                let indices = self.indices(&known.indices, depth - 1);
                Expr::Load(Place {
                    base: known.base,
                    indices,
                })
            }
        }
    }

    fn loop_range(&mut self) -> (i32, i32) {
        match self.random.below(12) {
            0 => (3, 1),
            1 => (i32::MAX - 2, i32::MAX),
            2 => (0, 60),
            _ => {
                let low = self.random.within(-1, 2);
                (low, low + self.random.within(0, 4))
            }
        }
    }

    fn call(&mut self, depth: usize) -> Expr {
        let id = FunctionId(self.random.below(self.callable) as u32);
        let function = &self.network.functions[id.index()];
        let (parameters, result) = (function.parameters.clone(), function.result);
        let arguments = parameters
            .iter()
            .map(|&(_, cells)| match cells {
                1 => Argument::Value(self.expr(depth - 1)),
                cells => Argument::Copy(self.block(cells), cells),
            })
            .collect();
        let call = Expr::Call {
            function: id,
            arguments,
            site: self.site(),
        };
        match result {
            Some((first, cells)) if self.random.one_in(3) || cells > 1 => {
                let cell = first.plus(self.random.below(cells as usize) as u32);
                Expr::Then(vec![Stmt::Evaluate(call)], Box::new(Expr::load(cell)))
            }
            _ => call,
        }
    }
}
