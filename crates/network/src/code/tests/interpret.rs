//! A tree interpreter written for nothing but clarity: the machine's oracle.

use crate::code::{ClockUpdate, Fault, FaultKind};
use crate::*;

/// Memory by region, clock updates, and a bound on loop iterations and calls.
#[derive(Clone)]
pub struct Interpreter<'n> {
    pub network: &'n Network,
    pub locations: Vec<i32>,
    pub state: Vec<i32>,
    pub meta: Vec<i32>,
    pub local: Vec<i32>,
    pub clock_updates: Vec<ClockUpdate>,
    pub steps: u64,
}

enum Flow {
    Next,
    Return,
}

type Outcome<T> = Result<T, Fault>;

fn fault<T>(kind: FaultKind, site: SiteId) -> Outcome<T> {
    Err(Fault { kind, site })
}

/// The number modulo 2^32, as a signed number.
fn wrapped(value: i128) -> i32 {
    let modulus = 1i128 << 32;
    let rest = value.rem_euclid(modulus);
    let signed = if rest >= modulus / 2 {
        rest - modulus
    } else {
        rest
    };
    signed.try_into().expect("a signed number of 32 bits")
}

impl Interpreter<'_> {
    fn cell(&mut self, at: Address) -> i32 {
        match at.region {
            Region::State => self.state[at.offset as usize],
            Region::Meta => self.meta[at.offset as usize],
            Region::Local => self.local[at.offset as usize],
            Region::Constant => self.network.constant_cells[at.offset as usize].initial,
        }
    }

    fn set(&mut self, at: Address, value: i32) {
        match at.region {
            Region::State => self.state[at.offset as usize] = value,
            Region::Meta => self.meta[at.offset as usize] = value,
            Region::Local => self.local[at.offset as usize] = value,
            Region::Constant => unreachable!("constants are not written"),
        }
    }

    fn offset(&mut self, indices: &[Index]) -> Outcome<u32> {
        let mut offset = 0;
        for index in indices {
            let value = self.expr(&index.value)?;
            if value < 0 || value >= index.length as i32 {
                let length = index.length;
                return fault(
                    FaultKind::IndexOutOfRange {
                        index: value,
                        length,
                    },
                    index.site,
                );
            }
            offset += value as u32 * index.stride;
        }
        Ok(offset)
    }

    fn place(&mut self, place: &Place) -> Outcome<Address> {
        Ok(place.base.plus(self.offset(&place.indices)?))
    }

    fn step(&mut self, site: SiteId) -> Outcome<()> {
        match self.steps {
            0 => fault(FaultKind::StepLimit, site),
            _ => {
                self.steps -= 1;
                Ok(())
            }
        }
    }

    pub fn expr(&mut self, expr: &Expr) -> Outcome<i32> {
        Ok(match expr {
            Expr::Const(value) => *value,
            Expr::Load(place) => {
                let at = self.place(place)?;
                self.cell(at)
            }
            Expr::At(process, location) => {
                (self.locations[process.index()] == location.0 as i32) as i32
            }
            Expr::Unary(op, operand, _) => {
                let a = self.expr(operand)? as i128;
                match op {
                    UnaryOp::Negate => wrapped(-a),
                    UnaryOp::Not => (a == 0) as i32,
                    UnaryOp::BitNot => wrapped(-1 - a),
                    UnaryOp::Abs => wrapped(a.abs()),
                }
            }
            Expr::Binary(op, left, right, site) => {
                let a = self.expr(left)?;
                let b = self.expr(right)?;
                binary(*op, a, b, *site)?
            }
            Expr::And(items) => {
                for item in items {
                    if self.expr(item)? == 0 {
                        return Ok(0);
                    }
                }
                1
            }
            Expr::Or(items) => {
                for item in items {
                    if self.expr(item)? != 0 {
                        return Ok(1);
                    }
                }
                0
            }
            Expr::Conditional(condition, then, otherwise) => match self.expr(condition)? {
                0 => self.expr(otherwise)?,
                _ => self.expr(then)?,
            },
            Expr::Quantified {
                quantifier,
                variable,
                low,
                high,
                body,
                site,
            } => {
                let mut total = 0i32;
                for value in *low..=*high {
                    self.step(*site)?;
                    self.set(*variable, value);
                    let item = self.expr(body)?;
                    match quantifier {
                        Quantifier::Forall if item == 0 => return Ok(0),
                        Quantifier::Exists if item != 0 => return Ok(1),
                        Quantifier::Sum => total = wrapped(total as i128 + item as i128),
                        _ => {}
                    }
                }
                match quantifier {
                    Quantifier::Forall => 1,
                    Quantifier::Exists => 0,
                    Quantifier::Sum => total,
                }
            }
            Expr::Call {
                function,
                arguments,
                site,
            } => {
                self.step(*site)?;
                self.call(*function, arguments)?
            }
            Expr::Checked {
                value,
                low,
                high,
                site,
            } => {
                let value = self.expr(value)?;
                in_range(value, *low, *high, *site)?
            }
            Expr::Then(statements, value) => {
                self.stmts(statements, None)?;
                self.expr(value)?
            }
        })
    }

    fn call(&mut self, id: FunctionId, arguments: &[Argument]) -> Outcome<i32> {
        let function = &self.network.functions[id.index()];
        let mut values = Vec::new();
        for argument in arguments {
            values.push(match argument {
                Argument::Value(expr) => vec![self.expr(expr)?],
                Argument::Copy(place, cells) => {
                    let first = self.place(place)?;
                    (0..*cells)
                        .map(|more| self.cell(first.plus(more)))
                        .collect()
                }
            });
        }
        for ((first, _), values) in function.parameters.iter().zip(values) {
            for (more, value) in values.into_iter().enumerate() {
                self.set(first.plus(more as u32), value);
            }
        }
        if let Some((first, cells)) = function.result {
            (0..cells).for_each(|more| self.set(first.plus(more), 0));
        }
        self.stmts(&function.body, function.result)?;
        Ok(function.result.map_or(0, |(first, _)| self.cell(first)))
    }

    pub fn stmts(&mut self, statements: &[Stmt], result: Option<(Address, u32)>) -> Outcome<()> {
        self.block(statements, result).map(|_| ())
    }

    fn block(&mut self, statements: &[Stmt], result: Option<(Address, u32)>) -> Outcome<Flow> {
        for statement in statements {
            if let Flow::Return = self.stmt(statement, result)? {
                return Ok(Flow::Return);
            }
        }
        Ok(Flow::Next)
    }

    fn copy(&mut self, to: Address, from: Address, cells: u32) {
        let values: Vec<i32> = (0..cells).map(|more| self.cell(from.plus(more))).collect();
        for (more, value) in values.into_iter().enumerate() {
            self.set(to.plus(more as u32), value);
        }
    }

    fn stmt(&mut self, statement: &Stmt, result: Option<(Address, u32)>) -> Outcome<Flow> {
        match statement {
            Stmt::Assign {
                target,
                value,
                low,
                high,
                site,
            } => {
                let value = self.expr(value)?;
                let at = self.place(target)?;
                let value = in_range(value, *low, *high, *site)?;
                self.set(at, value);
            }
            Stmt::Copy {
                target,
                source,
                cells,
            } => {
                let from = self.place(source)?;
                let to = self.place(target)?;
                self.copy(to, from, *cells);
            }
            Stmt::Reset { clock, value, site } => {
                let value = self.expr(value)?;
                let clock = ClockId(clock.base.0 + self.offset(&clock.indices)?);
                if value < 0 {
                    return fault(FaultKind::NegativeClock { value }, *site);
                }
                if value > MAX_CLOCK_CONSTANT {
                    return fault(FaultKind::ClockTooLarge { value }, *site);
                }
                self.clock_updates.push(ClockUpdate::Set { clock, value });
            }
            Stmt::CopyClock {
                target,
                source,
                offset,
            } => self.clock_updates.push(ClockUpdate::Copy {
                target: *target,
                source: *source,
                offset: *offset,
            }),
            Stmt::Evaluate(expr) => {
                self.expr(expr)?;
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let branch = if self.expr(condition)? != 0 {
                    then
                } else {
                    otherwise
                };
                return self.block(branch, result);
            }
            Stmt::While {
                condition,
                body,
                test_first,
                site,
            } => {
                let mut first = !test_first;
                loop {
                    if !first && self.expr(condition)? == 0 {
                        break;
                    }
                    first = false;
                    self.step(*site)?;
                    if let Flow::Return = self.block(body, result)? {
                        return Ok(Flow::Return);
                    }
                }
            }
            Stmt::For {
                variable,
                low,
                high,
                body,
                site,
            } => {
                for value in *low..=*high {
                    self.step(*site)?;
                    self.set(*variable, value);
                    if let Flow::Return = self.block(body, result)? {
                        return Ok(Flow::Return);
                    }
                }
            }
            Stmt::Return(value) => {
                if let Some(value) = value {
                    let value = self.expr(value)?;
                    if let Some((first, _)) = result {
                        self.set(first, value);
                    }
                }
                return Ok(Flow::Return);
            }
            Stmt::ReturnCopy(place, cells) => {
                let from = self.place(place)?;
                if let Some((first, _)) = result {
                    self.copy(first, from, *cells);
                }
                return Ok(Flow::Return);
            }
        }
        Ok(Flow::Next)
    }
}

fn in_range(value: i32, low: i32, high: i32, site: SiteId) -> Outcome<i32> {
    match value {
        value if value < low || value > high => {
            fault(FaultKind::OutOfRange { value, low, high }, site)
        }
        value => Ok(value),
    }
}

fn binary(op: BinaryOp, a: i32, b: i32, site: SiteId) -> Outcome<i32> {
    use BinaryOp::*;
    let (wide_a, wide_b) = (a as i128, b as i128);
    match op {
        Divide | Remainder if b == 0 => fault(FaultKind::DivisionByZero, site),
        Power if b < 0 => fault(FaultKind::NegativeExponent { exponent: b }, site),
        ShiftLeft | ShiftRight if !(0..=31).contains(&b) => {
            fault(FaultKind::NegativeShift { count: b }, site)
        }
        Add => Ok(wrapped(wide_a + wide_b)),
        Subtract => Ok(wrapped(wide_a - wide_b)),
        Multiply => Ok(wrapped(wide_a * wide_b)),
        Divide => i32::try_from(wide_a / wide_b).or_else(|_| fault(FaultKind::Overflow, site)),
        Remainder => Ok(wrapped(wide_a % wide_b)),
        Power => {
            // a^b = (a²)^(b/2) · a^(b%2), modulo 2^32 at each step.
            let (mut product, mut square, mut rest) = (1, a, b);
            while rest > 0 {
                if rest % 2 == 1 {
                    product = wrapped(product as i128 * square as i128);
                }
                square = wrapped(square as i128 * square as i128);
                rest /= 2;
            }
            Ok(product)
        }
        ShiftLeft => Ok(wrapped(wide_a << b)),
        ShiftRight => Ok(wrapped(wide_a >> b)),
        BitAnd => Ok(a & b),
        BitOr => Ok(a | b),
        BitXor => Ok(a ^ b),
        Minimum => Ok(a.min(b)),
        Maximum => Ok(a.max(b)),
        Less => Ok((a < b) as i32),
        LessEqual => Ok((a <= b) as i32),
        Equal => Ok((a == b) as i32),
        NotEqual => Ok((a != b) as i32),
        GreaterEqual => Ok((a >= b) as i32),
        Greater => Ok((a > b) as i32),
    }
}
