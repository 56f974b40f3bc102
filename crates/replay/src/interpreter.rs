//! A plain interpreter that walks the trees of expressions and statements.
//!
//! It is written for being obviously right, not for speed, and shares nothing with the code that the engine runs.

use std::borrow::Cow;
use std::mem::replace;

use merkhet_network::{
    Address, Argument, BinaryOp, ClockId, Expr, Index, LocationId, MAX_CLOCK_CONSTANT, Network,
    OutOfRange, Place, Quantifier, Region, SiteId, Stmt, UnaryOp,
};

use crate::fault::{Fault, FaultKind, Stop};

/// Evaluation steps after which a loop counts as endless.
const STEP_LIMIT: u64 = 50_000_000;
/// Calls within calls; functions do not recurse, so this is never met by a well-formed network.
const CALL_DEPTH_LIMIT: u32 = 500;

/// What an update does to a clock: its value afterwards, over the values before the transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockValue {
    /// The clock whose value before the transition counts; `None` for the constant 0.
    pub source: Option<ClockId>,
    /// What is added.
    pub offset: i64,
}

/// Something of a state that an evaluation looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Read {
    /// A cell of the state, by its offset.
    State(u32),
    /// A `meta` cell, by its offset.
    Meta(u32),
    /// Where a process is.
    Location(u32),
}

/// What a transition wrote.
pub(crate) struct Kept {
    pub cells: Vec<(Address, Option<i32>)>,
    pub clocks: Vec<(usize, ClockValue)>,
}

/// The memory of evaluations: each begins with what the last one left only if that was kept.
pub(crate) struct Interpreter<'n> {
    network: &'n Network,
    pub locations: Cow<'n, [LocationId]>,
    /// The cells of the state.
    pub state: Vec<i32>,
    /// The `meta` cells; `None` where the value is not known.
    pub meta: Vec<Option<i32>>,
    /// What has been done to each clock so far.
    pub clocks: Vec<ClockValue>,
    local: Vec<i32>,
    steps: u64,
    depth: u32,
    /// What was written since the beginning of the evaluation, with what stood there before.
    written: Vec<(Address, Option<i32>)>,
    /// The clocks that were set since then.
    set: Vec<usize>,
    /// What was looked at since then.
    reads: Vec<Read>,
    /// The lengths at which the two lists above are rid of repetitions: loops must not make them long.
    most: (usize, usize),
}

/// The least length at which a list is rid of repetitions.
const REPETITIONS: usize = 64;

enum Flow {
    Next,
    Return,
}

impl<'n> Interpreter<'n> {
    pub(crate) fn new(
        network: &'n Network,
        locations: impl Into<Cow<'n, [LocationId]>>,
        state: &[i32],
        meta: &[Option<i32>],
    ) -> Self {
        Interpreter {
            network,
            locations: locations.into(),
            state: state.to_vec(),
            meta: meta.to_vec(),
            clocks: network
                .clock_ids()
                .map(|clock| unchanged(clock.index()))
                .collect(),
            local: vec![0; network.local_cells as usize],
            steps: 0,
            depth: 0,
            written: Vec::new(),
            set: Vec::new(),
            reads: Vec::new(),
            most: (REPETITIONS, REPETITIONS),
        }
    }

    /// What the evaluation looked at, each thing once.
    pub(crate) fn reads(&mut self) -> &[Read] {
        self.reads.sort_unstable();
        self.reads.dedup();
        &self.reads
    }

    fn note_read(&mut self, read: Read) {
        self.reads.push(read);
        if self.reads.len() > self.most.1 {
            self.reads.sort_unstable();
            self.reads.dedup();
            self.most.1 = REPETITIONS.max(2 * self.reads.len());
        }
    }

    fn note_set(&mut self, clock: usize) {
        self.set.push(clock);
        if self.set.len() > REPETITIONS.max(2 * self.clocks.len()) {
            self.set.sort_unstable();
            self.set.dedup();
        }
    }

    fn note_written(&mut self, address: Address, before: Option<i32>) {
        self.written.push((address, before));
        if self.written.len() > self.most.0 {
            first_of_each(&mut self.written);
            self.most.0 = REPETITIONS.max(2 * self.written.len());
        }
    }

    /// Begins an evaluation: what was written and not kept is undone.
    pub(crate) fn begin(&mut self) {
        (self.steps, self.depth) = (0, 0);
        self.reads.clear();
        while let Some((address, before)) = self.written.pop() {
            self.restore(address, before);
        }
        while let Some(clock) = self.set.pop() {
            self.clocks[clock] = unchanged(clock);
        }
    }

    /// Keeps what was written to the state: the cells, each once, with what stood there before, and what was done to clocks;
    /// both in ascending order.
    pub(crate) fn keep(&mut self) -> Kept {
        first_of_each(&mut self.written);
        let mut cells = std::mem::take(&mut self.written);
        cells.retain(|(address, before)| match address.region {
            Region::Local => {
                self.restore(*address, *before);
                false
            }
            _ => true,
        });
        let mut set = std::mem::take(&mut self.set);
        set.sort_unstable();
        set.dedup();
        let mut take = |clock: usize| (clock, replace(&mut self.clocks[clock], unchanged(clock)));
        Kept {
            clocks: set.into_iter().map(&mut take).collect(),
            cells,
        }
    }

    fn restore(&mut self, address: Address, before: Option<i32>) {
        let offset = address.offset as usize;
        match (address.region, before) {
            (Region::Meta, before) => self.meta[offset] = before,
            (Region::State, Some(before)) => self.state[offset] = before,
            (Region::Local, Some(before)) => self.local[offset] = before,
            (Region::State | Region::Local | Region::Constant, _) => {}
        }
    }

    fn step(&mut self, site: SiteId) -> Result<(), Fault> {
        self.steps += 1;
        if self.steps > STEP_LIMIT {
            return Err(Fault::at(FaultKind::Endless, site));
        }
        Ok(())
    }

    fn load(&mut self, address: Address) -> Result<i32, Fault> {
        let offset = address.offset as usize;
        let malformed = Fault::new(FaultKind::Malformed);
        match address.region {
            Region::State => {
                self.note_read(Read::State(address.offset));
                self.state.get(offset).copied().ok_or(malformed)
            }
            Region::Meta => {
                self.note_read(Read::Meta(address.offset));
                self.meta
                    .get(offset)
                    .ok_or(malformed)?
                    .ok_or(Fault::new(FaultKind::UnknownMeta))
            }
            Region::Constant => self
                .network
                .constant_cells
                .get(offset)
                .map(|cell| cell.initial)
                .ok_or(malformed),
            Region::Local => self.local.get(offset).copied().ok_or(malformed),
        }
    }

    fn store(&mut self, address: Address, value: i32) -> Result<(), Fault> {
        let offset = address.offset as usize;
        let before = match address.region {
            Region::State => self
                .state
                .get_mut(offset)
                .map(|cell| Some(replace(cell, value))),
            Region::Local => self
                .local
                .get_mut(offset)
                .map(|cell| Some(replace(cell, value))),
            Region::Meta => self.meta.get_mut(offset).map(|cell| cell.replace(value)),
            Region::Constant => None,
        };
        let before = before.ok_or(Fault::new(FaultKind::Malformed))?;
        self.note_written(address, before);
        Ok(())
    }

    fn displacement(&mut self, indices: &[Index]) -> Result<u32, Stop> {
        let mut sum = 0u32;
        for index in indices {
            let value = self.value(&index.value)?;
            if value < 0 || value as u32 >= index.length {
                return Err(Fault::at(FaultKind::Index, index.site).into());
            }
            sum = (value as u32)
                .checked_mul(index.stride)
                .and_then(|by| sum.checked_add(by))
                .ok_or(Fault::at(FaultKind::Malformed, index.site))?;
        }
        Ok(sum)
    }

    fn address(&mut self, place: &Place) -> Result<Address, Stop> {
        let by = self.displacement(&place.indices)?;
        let offset = place.base.offset.checked_add(by);
        Ok(Address {
            region: place.base.region,
            offset: offset.ok_or(Fault::new(FaultKind::Malformed))?,
        })
    }

    fn read_cells(&mut self, from: Address, cells: u32) -> Result<Vec<i32>, Fault> {
        (0..cells)
            .map(|by| {
                let offset = from.offset.checked_add(by);
                self.load(Address {
                    region: from.region,
                    offset: offset.ok_or(Fault::new(FaultKind::Malformed))?,
                })
            })
            .collect()
    }

    fn write_cells(&mut self, to: Address, values: &[i32]) -> Result<(), Fault> {
        for (by, &value) in values.iter().enumerate() {
            let offset = to.offset.checked_add(by as u32);
            self.store(
                Address {
                    region: to.region,
                    offset: offset.ok_or(Fault::new(FaultKind::Malformed))?,
                },
                value,
            )?;
        }
        Ok(())
    }

    /// Whether the expression is not 0.
    pub(crate) fn truth(&mut self, expression: &Expr) -> Result<bool, Stop> {
        Ok(self.value(expression)? != 0)
    }

    /// The expression's value.
    pub(crate) fn value(&mut self, expression: &Expr) -> Result<i32, Stop> {
        match expression {
            Expr::Const(value) => Ok(*value),
            Expr::Load(place) => {
                let address = self.address(place)?;
                Ok(self.load(address)?)
            }
            Expr::At(process, location) => {
                self.note_read(Read::Location(process.0));
                let at = self.locations.get(process.index());
                Ok((*at.ok_or(Fault::new(FaultKind::Malformed))? == *location) as i32)
            }
            Expr::Unary(op, operand, _) => {
                let operand = self.value(operand)?;
                Ok(unary(*op, operand))
            }
            Expr::Binary(op, left, right, site) => {
                let left = self.value(left)?;
                let right = self.value(right)?;
                Ok(binary(*op, left, right).map_err(|kind| Fault::at(kind, *site))?)
            }
            Expr::And(parts) => {
                for part in parts {
                    if !self.truth(part)? {
                        return Ok(0);
                    }
                }
                Ok(1)
            }
            Expr::Or(parts) => {
                for part in parts {
                    if self.truth(part)? {
                        return Ok(1);
                    }
                }
                Ok(0)
            }
            Expr::Conditional(condition, then, otherwise) => {
                if self.truth(condition)? {
                    self.value(then)
                } else {
                    self.value(otherwise)
                }
            }
            Expr::Quantified {
                quantifier,
                variable,
                low,
                high,
                body,
                site,
            } => self.quantified(*quantifier, *variable, (*low, *high), body, *site),
            Expr::Call {
                function,
                arguments,
                site,
            } => self.call(function.index(), arguments, *site),
            Expr::Checked {
                value,
                low,
                high,
                site,
            } => {
                let value = self.value(value)?;
                if value < *low || value > *high {
                    return Err(Fault::at(FaultKind::Range, *site).into());
                }
                Ok(value)
            }
            Expr::Then(statements, value) => {
                self.block(statements)?;
                self.value(value)
            }
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        variable: Address,
        (low, high): (i32, i32),
        body: &Expr,
        site: SiteId,
    ) -> Result<i32, Stop> {
        let mut sum = 0i32;
        for value in low..=high {
            self.step(site)?;
            self.store(variable, value)?;
            let result = self.value(body)?;
            match quantifier {
                Quantifier::Forall if result == 0 => return Ok(0),
                Quantifier::Exists if result != 0 => return Ok(1),
                Quantifier::Sum => {
                    sum = sum.wrapping_add(result);
                }
                _ => {}
            }
        }
        Ok(match quantifier {
            Quantifier::Forall => 1,
            Quantifier::Exists => 0,
            Quantifier::Sum => sum,
        })
    }

    fn call(&mut self, function: usize, arguments: &[Argument], site: SiteId) -> Result<i32, Stop> {
        self.step(site)?;
        let network = self.network;
        let malformed = Fault::at(FaultKind::Malformed, site);
        let function = network.functions.get(function).ok_or(malformed)?;
        if function.parameters.len() != arguments.len() {
            return Err(malformed.into());
        }
        if self.depth >= CALL_DEPTH_LIMIT {
            return Err(Fault::at(FaultKind::Endless, site).into());
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(match argument {
                Argument::Value(value) => vec![self.value(value)?],
                Argument::Copy(place, cells) => {
                    let from = self.address(place)?;
                    self.read_cells(from, *cells)?
                }
            });
        }
        for (&(address, cells), value) in function.parameters.iter().zip(&values) {
            if cells as usize != value.len() {
                return Err(malformed.into());
            }
            self.write_cells(address, value)?;
        }
        // A function that ends without `return` gives 0.
        if let Some((address, cells)) = function.result {
            self.write_cells(address, &vec![0; cells as usize])?;
        }
        self.depth += 1;
        self.statements(&function.body, function.result)?;
        self.depth -= 1;
        match function.result {
            Some((address, _)) => Ok(self.load(address)?),
            None => Ok(0),
        }
    }

    /// Runs statements outside a function.
    pub(crate) fn block(&mut self, statements: &[Stmt]) -> Result<(), Stop> {
        self.statements(statements, None)?;
        Ok(())
    }

    fn statements(
        &mut self,
        statements: &[Stmt],
        result: Option<(Address, u32)>,
    ) -> Result<Flow, Stop> {
        for statement in statements {
            if let Flow::Return = self.statement(statement, result)? {
                return Ok(Flow::Return);
            }
        }
        Ok(Flow::Next)
    }

    fn statement(
        &mut self,
        statement: &Stmt,
        result: Option<(Address, u32)>,
    ) -> Result<Flow, Stop> {
        match statement {
            Stmt::Assign {
                target,
                value,
                low,
                high,
                site,
            } => {
                let value = self.value(value)?;
                let target = self.address(target)?;
                if value < *low || value > *high {
                    return Err(match self.network.out_of_range {
                        OutOfRange::Fault => Fault::at(FaultKind::Range, *site).into(),
                        OutOfRange::Disable => Stop::Disabled,
                    });
                }
                self.store(target, value)?;
            }
            Stmt::Copy {
                target,
                source,
                cells,
            } => {
                let source = self.address(source)?;
                let values = self.read_cells(source, *cells)?;
                let target = self.address(target)?;
                self.write_cells(target, &values)?;
            }
            Stmt::Reset { clock, value, site } => {
                let value = self.value(value)?;
                let by = self.displacement(&clock.indices)? as usize;
                let index = clock.base.index() + by;
                self.reset(index, value, *site)?;
            }
            Stmt::CopyClock {
                target,
                source,
                offset,
            } => self.copy_clock(*target, *source, *offset)?,
            Stmt::Evaluate(expression) => {
                self.value(expression)?;
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let branch = if self.truth(condition)? {
                    then
                } else {
                    otherwise
                };
                return self.statements(branch, result);
            }
            Stmt::While {
                condition,
                body,
                test_first,
                site,
            } => {
                if *test_first && !self.truth(condition)? {
                    return Ok(Flow::Next);
                }
                loop {
                    self.step(*site)?;
                    if let Flow::Return = self.statements(body, result)? {
                        return Ok(Flow::Return);
                    }
                    if !self.truth(condition)? {
                        return Ok(Flow::Next);
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
                    self.store(*variable, value)?;
                    if let Flow::Return = self.statements(body, result)? {
                        return Ok(Flow::Return);
                    }
                }
            }
            Stmt::Return(value) => {
                if let Some(value) = value {
                    let value = self.value(value)?;
                    let (address, _) = result.ok_or(Fault::new(FaultKind::Malformed))?;
                    self.store(address, value)?;
                }
                return Ok(Flow::Return);
            }
            Stmt::ReturnCopy(source, cells) => {
                let source = self.address(source)?;
                let values = self.read_cells(source, *cells)?;
                let (address, _) = result.ok_or(Fault::new(FaultKind::Malformed))?;
                self.write_cells(address, &values)?;
                return Ok(Flow::Return);
            }
        }
        Ok(Flow::Next)
    }

    fn reset(&mut self, index: usize, value: i32, site: SiteId) -> Result<(), Fault> {
        if value < 0 {
            return Err(Fault::at(FaultKind::NegativeClock, site));
        }
        if value > MAX_CLOCK_CONSTANT {
            return Err(Fault::at(FaultKind::ClockConstant, site));
        }
        let clock = self.clocks.get_mut(index);
        *clock.ok_or(Fault::at(FaultKind::Malformed, site))? = ClockValue {
            source: None,
            offset: i64::from(value),
        };
        self.note_set(index);
        Ok(())
    }

    fn copy_clock(&mut self, target: ClockId, source: ClockId, offset: i32) -> Result<(), Fault> {
        let malformed = Fault::new(FaultKind::Malformed);
        let read = *self.clocks.get(source.index()).ok_or(malformed)?;
        // A negative offset could make a clock negative for some valuations only: not allowed at all.
        if offset < 0 {
            return Err(Fault::new(FaultKind::NegativeClock));
        }
        let sum = read.offset + i64::from(offset);
        if sum > i64::from(MAX_CLOCK_CONSTANT) {
            return Err(Fault::new(FaultKind::ClockConstant));
        }
        *self.clocks.get_mut(target.index()).ok_or(malformed)? = ClockValue {
            source: read.source,
            offset: sum,
        };
        self.note_set(target.index());
        Ok(())
    }
}

/// Leaves the first entry of each cell, in the order of the cells.
fn first_of_each(written: &mut Vec<(Address, Option<i32>)>) {
    // The sort is stable.
    written.sort_by_key(|(address, _)| (address.region, address.offset));
    written.dedup_by_key(|(address, _)| *address);
}

/// A clock that keeps its value.
fn unchanged(clock: usize) -> ClockValue {
    ClockValue {
        source: Some(ClockId::from(clock)),
        offset: 0,
    }
}

/// Arithmetic is modulo 2^32.
fn unary(op: UnaryOp, operand: i32) -> i32 {
    match op {
        UnaryOp::Negate => operand.wrapping_neg(),
        UnaryOp::Not => (operand == 0) as i32,
        UnaryOp::BitNot => !operand,
        UnaryOp::Abs => operand.wrapping_abs(),
    }
}

pub(crate) fn binary(op: BinaryOp, left: i32, right: i32) -> Result<i32, FaultKind> {
    let value = match op {
        BinaryOp::Add => Some(left.wrapping_add(right)),
        BinaryOp::Subtract => Some(left.wrapping_sub(right)),
        BinaryOp::Multiply => Some(left.wrapping_mul(right)),
        BinaryOp::Divide | BinaryOp::Remainder if right == 0 => {
            return Err(FaultKind::DivisionByZero);
        }
        BinaryOp::Divide => left.checked_div(right),
        BinaryOp::Remainder if right == -1 => Some(0),
        BinaryOp::Remainder => left.checked_rem(right),
        BinaryOp::Power if right < 0 => return Err(FaultKind::NegativeExponent),
        BinaryOp::Power => Some(left.wrapping_pow(right as u32)),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight if !(0..=31).contains(&right) => {
            return Err(FaultKind::ShiftCount);
        }
        BinaryOp::ShiftLeft => Some(left << right),
        BinaryOp::ShiftRight => Some(left >> right),
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::Minimum => Some(left.min(right)),
        BinaryOp::Maximum => Some(left.max(right)),
        BinaryOp::Less => Some((left < right) as i32),
        BinaryOp::LessEqual => Some((left <= right) as i32),
        BinaryOp::Equal => Some((left == right) as i32),
        BinaryOp::NotEqual => Some((left != right) as i32),
        BinaryOp::GreaterEqual => Some((left >= right) as i32),
        BinaryOp::Greater => Some((left > right) as i32),
    };
    value.ok_or(FaultKind::Overflow)
}
