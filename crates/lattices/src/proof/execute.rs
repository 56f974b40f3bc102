//! Statements in two runs at once.
//!
//! Where a condition depends on elements the runs may part: then every cell and the result have to compare well across
//! the two ways too ([`Value::either`]). A statement that may end a function early is read together with all that
//! follows it.

use merkhet_network::footprint::Footprints;
use merkhet_network::interval::Interval;
use merkhet_network::{Address, BinaryOp, ClockPlace, Expr, Place, Region, Stmt};

use super::evaluate::{MOST_UNROLLED, Reader, binary, clamped, extreme, same_place};
use super::state::Memory;
use super::value::{Polarity, Value};

/// What is run after a statement.
#[derive(Clone, Copy)]
enum Rest<'a> {
    Nothing,
    Statements(&'a [Stmt], &'a Rest<'a>),
    /// The iterations of a loop from the given one on.
    Loop {
        variable: Address,
        next: i64,
        last: i64,
        body: &'a [Stmt],
        rest: &'a Rest<'a>,
    },
}

impl Reader<'_> {
    /// Runs the body of a function; gives its result.
    pub fn body(&mut self, memory: &mut Memory, statements: &[Stmt]) -> Value {
        self.run(memory, statements, &Rest::Nothing)
    }

    /// Runs statements for their effect.
    pub fn statements(&mut self, memory: &mut Memory, statements: &[Stmt]) {
        self.body(memory, statements);
    }

    fn run(&mut self, memory: &mut Memory, statements: &[Stmt], rest: &Rest<'_>) -> Value {
        self.depth += 1;
        let value = self.run_deeper(memory, statements, rest);
        self.depth -= 1;
        value
    }

    fn run_deeper(&mut self, memory: &mut Memory, statements: &[Stmt], rest: &Rest<'_>) -> Value {
        for (at, statement) in statements.iter().enumerate() {
            if !self.step() || memory.dead {
                return Value::unknown();
            }
            let after = Rest::Statements(&statements[at + 1..], rest);
            match statement {
                Stmt::Return(Some(value)) => return self.expr(memory, value),
                Stmt::Return(None) => return Value::constant(0),
                Stmt::ReturnCopy(place, cells) => {
                    if let Some(Some((result, _))) = self.results.last().copied() {
                        self.copy(memory, &Place::cell(result), place, *cells);
                    }
                    return Value::constant(0);
                }
                _ if !ends_early(statement) => self.execute(memory, statement),
                Stmt::If {
                    condition,
                    then,
                    otherwise,
                } => return self.fork(memory, condition, [then, otherwise], &after),
                Stmt::For {
                    variable,
                    low,
                    high,
                    body,
                    ..
                } => {
                    let rest = Rest::Loop {
                        variable: *variable,
                        next: (*low).into(),
                        last: (*high).into(),
                        body,
                        rest: &after,
                    };
                    return self.resume(memory, &rest);
                }
                _ => {
                    self.lost = true;
                    return Value::unknown();
                }
            }
        }
        self.resume(memory, rest)
    }

    fn resume(&mut self, memory: &mut Memory, rest: &Rest<'_>) -> Value {
        match *rest {
            Rest::Nothing => Value::constant(0),
            Rest::Statements(statements, rest) => self.run(memory, statements, rest),
            Rest::Loop {
                next, last, rest, ..
            } if next > last => self.resume(memory, rest),
            Rest::Loop {
                variable,
                next,
                last,
                body,
                rest,
            } => {
                memory.set(variable, Value::constant(next as i32));
                let rest = Rest::Loop {
                    variable,
                    next: next + 1,
                    last,
                    body,
                    rest,
                };
                self.run(memory, body, &rest)
            }
        }
    }

    /// Both ways of a condition to the end of the function.
    fn fork(
        &mut self,
        memory: &mut Memory,
        condition: &Expr,
        ways: [&[Stmt]; 2],
        after: &Rest<'_>,
    ) -> Value {
        let test = self.pure(memory, condition).truth();
        if let Some(truth) = test.interval.truth() {
            return self.run(memory, ways[usize::from(!truth)], after);
        }
        let (mut one, mut other) = (memory.clone(), memory.clone());
        self.assume(&mut one, condition, true);
        self.assume(&mut other, condition, false);
        let resets = self.resets;
        let a = self.run(&mut one, ways[0], after);
        let b = self.run(&mut other, ways[1], after);
        self.clocks |= self.resets != resets && test.polarity != Polarity::Fixed;
        let value = match (one.dead, other.dead) {
            (true, _) => b,
            (_, true) => a,
            _ => Value::either(test.polarity, a, b),
        };
        *memory = self.merge(test.polarity, one, other);
        value
    }

    /// Runs a statement that does not end its function.
    fn execute(&mut self, memory: &mut Memory, statement: &Stmt) {
        match statement {
            Stmt::Assign {
                target,
                value,
                low,
                high,
                ..
            } => {
                let value = self.expr(memory, value);
                self.write(memory, target, clamped(value, *low, *high));
            }
            Stmt::Copy {
                target,
                source,
                cells,
            } => self.copy(memory, target, source, *cells),
            Stmt::Reset { clock, value, .. } => {
                let value = self.expr(memory, value);
                self.reset(memory, clock, value);
            }
            // A larger zone gives a larger zone.
            Stmt::CopyClock { .. } => self.resets += 1,
            Stmt::Evaluate(expr) => {
                self.expr(memory, expr);
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => self.branch(memory, condition, then, otherwise),
            Stmt::For {
                variable,
                low,
                high,
                body,
                ..
            } => {
                let (low, high) = (i64::from(*low), i64::from(*high));
                if high - low < MOST_UNROLLED {
                    for k in low..=high {
                        memory.set(*variable, Value::constant(k as i32));
                        self.statements(memory, body);
                    }
                } else {
                    let all = Interval::new(low, high);
                    let variable = Some((*variable, Value::new(Polarity::Fixed, all)));
                    self.repeat(memory, None, body, variable);
                }
            }
            Stmt::While {
                condition, body, ..
            } => self.repeat(memory, Some(condition), body, None),
            Stmt::Return(_) | Stmt::ReturnCopy(..) => self.lost = true,
        }
    }

    fn branch(&mut self, memory: &mut Memory, condition: &Expr, then: &[Stmt], otherwise: &[Stmt]) {
        if let Some((target, value)) = keeps_extreme(condition, then, otherwise) {
            let Stmt::Assign {
                value: new,
                low,
                high,
                ..
            } = &then[0]
            else {
                return;
            };
            let new = clamped(self.expr(memory, new), *low, *high);
            let old = self.read(memory, target);
            self.write(memory, target, binary(value, new, old));
            return;
        }
        let test = self.pure(memory, condition).truth();
        match test.interval.truth() {
            Some(true) => return self.statements(memory, then),
            Some(false) => return self.statements(memory, otherwise),
            None => {}
        }
        let resets = self.resets;
        let (mut one, mut other) = (memory.clone(), memory.clone());
        self.assume(&mut one, condition, true);
        self.assume(&mut other, condition, false);
        self.statements(&mut one, then);
        self.statements(&mut other, otherwise);
        self.clocks |= self.resets != resets && test.polarity != Polarity::Fixed;
        *memory = self.merge(test.polarity, one, other);
    }

    /// A loop whose iterations are not read one by one: what holds before each of them.
    fn repeat(
        &mut self,
        memory: &mut Memory,
        condition: Option<&Expr>,
        body: &[Stmt],
        variable: Option<(Address, Value)>,
    ) {
        let mut footprint = Footprints::new(self.network).stmts(body);
        if let Some(condition) = condition {
            footprint.extend(&Footprints::new(self.network).expr(condition));
        }
        let written: Vec<Address> = footprint.writes.iter().collect();
        let at_start = Reader::new(self.network, self.relations);
        for &cell in &written {
            // Within its declared range after any number of iterations.
            let range = match cell.region {
                Region::Local => Value::unknown().interval,
                _ => at_start.load(&Memory::default(), cell).interval,
            };
            let polarity = self.load(memory, cell).polarity;
            self.renew(memory, cell, polarity, range);
        }
        loop {
            let mut after = memory.clone();
            if let Some((cell, value)) = variable {
                let id = self.fresh();
                after.set(cell, value.named(id));
            }
            if let Some(condition) = condition {
                // What the last test does would be missing after the loop.
                let test = self.pure(&mut after, condition).truth();
                // The runs would not take the same number of turns.
                self.lost |= test.polarity != Polarity::Fixed;
            }
            self.statements(&mut after, body);
            let mut changed = false;
            for &cell in &written {
                let (before, now) = (self.load(memory, cell), self.load(&after, cell));
                let polarity = before.polarity.and(now.polarity);
                if polarity != before.polarity {
                    changed = true;
                    self.renew(memory, cell, polarity, before.interval);
                }
            }
            if !changed || !self.step() {
                return;
            }
        }
    }

    fn renew(&mut self, memory: &mut Memory, cell: Address, polarity: Polarity, range: Interval) {
        let id = self.fresh();
        let value = Value {
            polarity,
            interval: range,
            origin: None,
        };
        memory.set(cell, value.named(id));
    }

    fn copy(&mut self, memory: &mut Memory, target: &Place, source: &Place, cells: u32) {
        let values: Vec<Value> = (0..cells)
            .map(|k| self.read(memory, &source.plus(k)))
            .collect();
        self.write_all(memory, target, values);
    }

    fn reset(&mut self, memory: &mut Memory, clock: &ClockPlace, value: Value) {
        self.resets += 1;
        self.clocks |= value.polarity != Polarity::Fixed;
        for index in &clock.indices {
            let index = self.pure(memory, &index.value);
            self.clocks |= index.polarity != Polarity::Fixed;
        }
    }
}

/// `if (v > x) x = v;` and its kin: the target keeps the larger (or smaller) one of the two.
fn keeps_extreme<'a>(
    condition: &Expr,
    then: &'a [Stmt],
    otherwise: &[Stmt],
) -> Option<(&'a Place, BinaryOp)> {
    let ([Stmt::Assign { target, value, .. }], []) = (then, otherwise) else {
        return None;
    };
    let old = Expr::Load(target.clone());
    let op = extreme(condition, value, &old)?;
    // The condition is about the target itself, whose indices have no effects.
    let Expr::Binary(_, left, right, _) = condition else {
        return None;
    };
    let about = |expr: &Expr| matches!(expr, Expr::Load(place) if same_place(place, target));
    (about(left) || about(right)).then_some((target, op))
}

fn ends_early(statement: &Stmt) -> bool {
    let any = |statements: &[Stmt]| statements.iter().any(ends_early);
    match statement {
        Stmt::Return(_) | Stmt::ReturnCopy(..) => true,
        Stmt::If {
            then, otherwise, ..
        } => any(then) || any(otherwise),
        Stmt::While { body, .. } | Stmt::For { body, .. } => any(body),
        _ => false,
    }
}
