//! Evaluation of expressions and statements for the oracles: a small tree walk of its own.

use merkhet_network::{
    Address, Argument, BinaryOp, ClockId, Expr, Index, LocationId, MAX_CLOCK_CONSTANT, Network,
    OutOfRange, Place, Quantifier, Region, Stmt, UnaryOp,
};

use crate::oracle::discrete::Obstacle;

/// What a statement does to clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ClockEffect {
    Set(ClockId, i32),
    Copy(ClockId, ClockId, i32),
}

/// Why there is no value.
pub(crate) enum Stop {
    Fault,
    /// The transition does not exist.
    Disabled,
}

impl From<Stop> for Obstacle {
    fn from(_: Stop) -> Obstacle {
        Obstacle::Fault
    }
}

type Value<T> = Result<T, Stop>;

pub(crate) struct Memory<'a> {
    pub network: &'a Network,
    pub locations: &'a [LocationId],
    pub cells: Vec<i32>,
    pub locals: Vec<i32>,
    pub effects: Vec<ClockEffect>,
    pub fuel: u32,
}

impl<'a> Memory<'a> {
    pub(crate) fn new(network: &'a Network, locations: &'a [LocationId], cells: &[i32]) -> Self {
        Memory {
            network,
            locations,
            cells: cells.to_vec(),
            locals: vec![0; network.local_cells as usize],
            effects: Vec::new(),
            fuel: 1_000_000,
        }
    }

    fn burn(&mut self) -> Value<()> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Stop::Fault)?;
        Ok(())
    }

    fn slot(&mut self, address: Address) -> Value<&mut i32> {
        let offset = address.offset as usize;
        match address.region {
            Region::State => self.cells.get_mut(offset),
            Region::Local => self.locals.get_mut(offset),
            // Networks with meta variables are refused before.
            Region::Meta | Region::Constant => None,
        }
        .ok_or(Stop::Fault)
    }

    fn read(&mut self, address: Address) -> Value<i32> {
        if address.region == Region::Constant {
            let cell = self.network.constant_cells.get(address.offset as usize);
            return cell.map(|cell| cell.initial).ok_or(Stop::Fault);
        }
        self.slot(address).map(|cell| *cell)
    }

    fn offset(&mut self, indices: &[Index]) -> Value<u32> {
        let mut total = 0;
        for index in indices {
            let at = self.number(&index.value)?;
            if at < 0 || at >= index.length as i32 {
                return Err(Stop::Fault);
            }
            total += at as u32 * index.stride;
        }
        Ok(total)
    }

    fn locate(&mut self, place: &Place) -> Value<Address> {
        let by = self.offset(&place.indices)?;
        Ok(place.base.plus(by))
    }

    pub(crate) fn holds(&mut self, expr: &Expr) -> Value<bool> {
        Ok(self.number(expr)? != 0)
    }

    pub(crate) fn number(&mut self, expr: &Expr) -> Value<i32> {
        self.burn()?;
        let wide: i64 = match expr {
            Expr::Const(value) => i64::from(*value),
            Expr::Load(place) => {
                let address = self.locate(place)?;
                i64::from(self.read(address)?)
            }
            Expr::At(process, location) => i64::from(self.locations[process.index()] == *location),
            Expr::Unary(op, inner, _) => {
                let inner = i64::from(self.number(inner)?);
                match op {
                    UnaryOp::Negate => -inner,
                    UnaryOp::Not => i64::from(inner == 0),
                    UnaryOp::BitNot => !inner,
                    UnaryOp::Abs => inner.abs(),
                }
            }
            Expr::Binary(op, left, right, _) => {
                let left = i64::from(self.number(left)?);
                let right = i64::from(self.number(right)?);
                arithmetic(*op, left, right).ok_or(Stop::Fault)?
            }
            Expr::And(parts) => {
                for part in parts {
                    if !self.holds(part)? {
                        return Ok(0);
                    }
                }
                1
            }
            Expr::Or(parts) => {
                for part in parts {
                    if self.holds(part)? {
                        return Ok(1);
                    }
                }
                0
            }
            Expr::Conditional(condition, yes, no) => {
                let chosen = if self.holds(condition)? { yes } else { no };
                i64::from(self.number(chosen)?)
            }
            Expr::Quantified {
                quantifier,
                variable,
                low,
                high,
                body,
                ..
            } => {
                let mut sum = 0;
                for value in *low..=*high {
                    *self.slot(*variable)? = value;
                    let result = self.number(body)?;
                    match quantifier {
                        Quantifier::Forall if result == 0 => return Ok(0),
                        Quantifier::Exists if result != 0 => return Ok(1),
                        Quantifier::Sum => sum += i64::from(result),
                        _ => {}
                    }
                }
                match quantifier {
                    Quantifier::Forall => 1,
                    Quantifier::Exists => 0,
                    Quantifier::Sum => sum,
                }
            }
            Expr::Call {
                function,
                arguments,
                ..
            } => return self.call(function.index(), arguments),
            Expr::Checked {
                value, low, high, ..
            } => {
                let value = self.number(value)?;
                if !(*low..=*high).contains(&value) {
                    return Err(Stop::Fault);
                }
                i64::from(value)
            }
            Expr::Then(statements, value) => {
                self.run(statements, None)?;
                i64::from(self.number(value)?)
            }
        };
        // Modulo 2^32.
        Ok(wide as i32)
    }

    fn call(&mut self, function: usize, arguments: &[Argument]) -> Value<i32> {
        let network = self.network;
        let function = &network.functions[function];
        let mut values = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Value(value) => values.push(vec![self.number(value)?]),
                Argument::Copy(place, cells) => {
                    let from = self.locate(place)?;
                    values.push(self.block(from, *cells)?);
                }
            }
        }
        for ((address, _), value) in function.parameters.iter().zip(&values) {
            self.fill(*address, value)?;
        }
        if let Some((address, cells)) = function.result {
            self.fill(address, &vec![0; cells as usize])?;
        }
        self.run(&function.body, function.result)?;
        match function.result {
            Some((address, _)) => self.read(address),
            None => Ok(0),
        }
    }

    fn block(&mut self, from: Address, cells: u32) -> Value<Vec<i32>> {
        (0..cells).map(|by| self.read(from.plus(by))).collect()
    }

    fn fill(&mut self, to: Address, values: &[i32]) -> Value<()> {
        for (by, value) in values.iter().enumerate() {
            *self.slot(to.plus(by as u32))? = *value;
        }
        Ok(())
    }

    /// Runs statements; true if a `return` was met.
    pub(crate) fn run(
        &mut self,
        statements: &[Stmt],
        result: Option<(Address, u32)>,
    ) -> Value<bool> {
        for statement in statements {
            self.burn()?;
            if self.execute(statement, result)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn execute(&mut self, statement: &Stmt, result: Option<(Address, u32)>) -> Value<bool> {
        match statement {
            Stmt::Assign {
                target,
                value,
                low,
                high,
                ..
            } => {
                let value = self.number(value)?;
                let target = self.locate(target)?;
                if !(*low..=*high).contains(&value) {
                    return Err(match self.network.out_of_range {
                        OutOfRange::Fault => Stop::Fault,
                        OutOfRange::Disable => Stop::Disabled,
                    });
                }
                *self.slot(target)? = value;
            }
            Stmt::Copy {
                target,
                source,
                cells,
            } => {
                let from = self.locate(source)?;
                let values = self.block(from, *cells)?;
                let to = self.locate(target)?;
                self.fill(to, &values)?;
            }
            Stmt::Reset { clock, value, .. } => {
                let value = self.number(value)?;
                let by = self.offset(&clock.indices)?;
                if !(0..=MAX_CLOCK_CONSTANT).contains(&value) {
                    return Err(Stop::Fault);
                }
                let clock = ClockId(clock.base.0 + by);
                self.effects.push(ClockEffect::Set(clock, value));
            }
            Stmt::CopyClock {
                target,
                source,
                offset,
            } => self
                .effects
                .push(ClockEffect::Copy(*target, *source, *offset)),
            Stmt::Evaluate(expr) => {
                self.number(expr)?;
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let branch = if self.holds(condition)? {
                    then
                } else {
                    otherwise
                };
                return self.run(branch, result);
            }
            Stmt::While {
                condition,
                body,
                test_first,
                ..
            } => {
                let mut again = !*test_first || self.holds(condition)?;
                while again {
                    if self.run(body, result)? {
                        return Ok(true);
                    }
                    again = self.holds(condition)?;
                }
            }
            Stmt::For {
                variable,
                low,
                high,
                body,
                ..
            } => {
                for value in *low..=*high {
                    *self.slot(*variable)? = value;
                    if self.run(body, result)? {
                        return Ok(true);
                    }
                }
            }
            Stmt::Return(value) => {
                if let (Some(value), Some((address, _))) = (value, result) {
                    let value = self.number(value)?;
                    *self.slot(address)? = value;
                }
                return Ok(true);
            }
            Stmt::ReturnCopy(source, cells) => {
                let from = self.locate(source)?;
                let values = self.block(from, *cells)?;
                if let Some((address, _)) = result {
                    self.fill(address, &values)?;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn arithmetic(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    use BinaryOp::*;
    Some(match op {
        Add => left + right,
        Subtract => left - right,
        Multiply => left * right,
        Divide => {
            let quotient = left.checked_div(right)?;
            i64::from(i32::try_from(quotient).ok()?)
        }
        Remainder => left.checked_rem(right)?,
        Power => left.wrapping_pow(u32::try_from(right).ok()?),
        BitAnd => left & right,
        BitOr => left | right,
        BitXor => left ^ right,
        ShiftLeft | ShiftRight if !(0..=31).contains(&right) => return None,
        ShiftLeft => left << right,
        ShiftRight => left >> right,
        Minimum => left.min(right),
        Maximum => left.max(right),
        Less => i64::from(left < right),
        LessEqual => i64::from(left <= right),
        Equal => i64::from(left == right),
        NotEqual => i64::from(left != right),
        GreaterEqual => i64::from(left >= right),
        Greater => i64::from(left > right),
    })
}
