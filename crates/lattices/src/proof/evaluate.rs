//! The values of expressions in two runs at once.
//!
//! A fault in the run with smaller elements ends it, and asks for nothing; a fault in the other run is met by the search,
//! which then has no verdict. So every evaluation here may be taken to end well in both.

use merkhet_network::bounds::Bounds;
use merkhet_network::interval::Interval;
use merkhet_network::{
    Address, Argument, BinaryOp, Expr, FunctionId, Network, Place, Quantifier, Region, Stmt,
    UnaryOp,
};

use super::relation::Relations;
use super::state::Memory;
use super::value::{FIRST_WRITTEN, Polarity, Value, initial_id};
use Polarity::{Fixed, Unknown};

/// Accesses to more cells than this are not looked into.
const MOST_CELLS: u64 = 1 << 17;

/// Steps for one guard, update or formula; what takes more is not proved.
const MOST_STEPS: u32 = 200_000;

/// Calls, and statements that may end a function early, are followed so deep.
const MOST_DEPTH: u32 = 200;

/// Loops with more iterations are not unrolled.
pub(super) const MOST_UNROLLED: i64 = 64;

/// Reads code with two runs in mind.
pub(crate) struct Reader<'n> {
    pub network: &'n Network,
    pub relations: &'n Relations,
    bounds: Bounds<'n>,
    next: u64,
    steps: u32,
    pub depth: u32,
    /// Something was met that is not understood: nothing is certain of what follows.
    pub lost: bool,
    /// A clock is set to a value that depends on elements, or in one run only.
    pub clocks: bool,
    /// Writes so far to what outlasts the function that is being read: variables, and locals of its callers.
    pub writes: u64,
    /// Writes so far to locals of the function that is being read.
    own_writes: u64,
    /// Clocks set so far.
    pub resets: u64,
    /// The cells for the result of each function that is being called.
    pub results: Vec<Option<(Address, u32)>>,
}

impl<'n> Reader<'n> {
    pub fn new(network: &'n Network, relations: &'n Relations) -> Reader<'n> {
        Reader {
            network,
            relations,
            bounds: Bounds::new(network),
            next: FIRST_WRITTEN,
            steps: 0,
            depth: 0,
            lost: false,
            clocks: false,
            writes: 0,
            own_writes: 0,
            resets: 0,
            results: Vec::new(),
        }
    }

    /// A name for a value that is written now.
    pub fn fresh(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// What evaluations have changed so far, in the function that is being read and beyond it.
    pub fn effects(&self) -> u64 {
        self.writes + self.own_writes + self.resets
    }

    /// The value of an expression that must have no effects: it is evaluated in some runs only, or more than once here.
    pub fn pure(&mut self, memory: &mut Memory, expr: &Expr) -> Value {
        let before = self.effects();
        let value = self.expr(memory, expr);
        self.lost |= self.effects() != before;
        value
    }

    /// Counts a step; says whether there may be more.
    pub fn step(&mut self) -> bool {
        self.steps += 1;
        self.lost |= self.steps > MOST_STEPS || self.depth > MOST_DEPTH;
        !self.lost
    }

    /// What a cell holds.
    pub fn load(&self, memory: &Memory, cell: Address) -> Value {
        memory.get(cell).unwrap_or_else(|| self.at_start(cell))
    }

    fn at_start(&self, cell: Address) -> Value {
        let polarity = match cell.region {
            Region::State => self.relations.of(cell.offset as usize),
            Region::Constant => Fixed,
            // Left over from an earlier step, which the two runs need not have in common.
            Region::Meta | Region::Local => Unknown,
        };
        Value::new(polarity, self.bounds.of_cell(cell)).named(initial_id(cell))
    }

    pub fn expr(&mut self, memory: &mut Memory, expr: &Expr) -> Value {
        if !self.step() {
            return Value::unknown();
        }
        match expr {
            Expr::Const(value) => Value::constant(*value),
            Expr::At(..) => Value::new(Fixed, Interval::BOOL),
            Expr::Load(place) => self.read(memory, place),
            Expr::Unary(op, operand, _) => {
                let operand = self.expr(memory, operand);
                unary(*op, operand)
            }
            Expr::Binary(op, left, right, _) => {
                let left = self.expr(memory, left);
                let right = self.expr(memory, right);
                binary(*op, left, right)
            }
            Expr::And(parts) => self.parts(memory, parts, true),
            Expr::Or(parts) => self.parts(memory, parts, false),
            Expr::Conditional(condition, then, otherwise) => {
                self.conditional(memory, condition, then, otherwise)
            }
            Expr::Quantified {
                quantifier,
                variable,
                low,
                high,
                body,
                ..
            } => self.quantified(memory, *quantifier, *variable, (*low, *high), body),
            Expr::Call {
                function,
                arguments,
                ..
            } => self.call(memory, *function, arguments),
            Expr::Checked {
                value, low, high, ..
            } => {
                let value = self.expr(memory, value);
                clamped(value, *low, *high)
            }
            Expr::Then(statements, value) => {
                self.statements(memory, statements);
                self.expr(memory, value)
            }
        }
    }

    /// A conjunction (or disjunction): the parts are evaluated until one decides.
    fn parts(&mut self, memory: &mut Memory, parts: &[Expr], and: bool) -> Value {
        let (mut polarity, mut decided) = (Fixed, true);
        for part in parts {
            let before = self.effects();
            let value = self.expr(memory, part).truth();
            // It is evaluated in some runs only.
            self.lost |= self.effects() != before && !decided;
            match value.interval.truth() {
                Some(truth) if truth != and => return Value::constant((!and).into()),
                Some(_) => {}
                None => decided = false,
            }
            polarity = polarity.and(value.polarity);
        }
        match decided {
            true => Value::constant(and.into()),
            false => Value::new(polarity, Interval::BOOL),
        }
    }

    fn conditional(
        &mut self,
        memory: &mut Memory,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
    ) -> Value {
        if let Some(op) = extreme(condition, then, otherwise) {
            let (a, b) = (self.expr(memory, then), self.expr(memory, otherwise));
            return binary(op, a, b);
        }
        // What it says is read off it a second time below.
        let test = self.pure(memory, condition).truth();
        match test.interval.truth() {
            Some(true) => return self.expr(memory, then),
            Some(false) => return self.expr(memory, otherwise),
            None => {}
        }
        let (mut one, mut other) = (memory.clone(), memory.clone());
        self.assume(&mut one, condition, true);
        self.assume(&mut other, condition, false);
        let resets = self.resets;
        let a = self.expr(&mut one, then);
        let b = self.expr(&mut other, otherwise);
        self.clocks |= self.resets != resets && test.polarity != Fixed;
        let value = match (one.dead, other.dead) {
            (true, _) => b,
            (_, true) => a,
            _ => Value::either(test.polarity, a, b),
        };
        *memory = self.merge(test.polarity, one, other);
        value
    }

    fn quantified(
        &mut self,
        memory: &mut Memory,
        quantifier: Quantifier,
        variable: Address,
        (low, high): (i32, i32),
        body: &Expr,
    ) -> Value {
        let count = (i64::from(high) - i64::from(low) + 1).max(0);
        let mut parts = Vec::new();
        if count > 0 {
            let all = Interval::new(low.into(), high.into());
            let id = self.fresh();
            memory.set(variable, Value::new(Fixed, all).named(id));
            let value = self.pure(memory, body);
            parts.push((value, count));
            if value.polarity == Unknown && count <= MOST_UNROLLED {
                parts.clear();
                for k in low..=high {
                    memory.set(variable, Value::constant(k));
                    parts.push((self.expr(memory, body), 1));
                }
            }
        }
        match quantifier {
            Quantifier::Sum => sum(&parts),
            _ => truths(&parts, quantifier == Quantifier::Forall),
        }
    }

    fn call(&mut self, memory: &mut Memory, id: FunctionId, arguments: &[Argument]) -> Value {
        let Some(function) = self.network.functions.get(id.index()) else {
            self.lost = true;
            return Value::unknown();
        };
        self.bind(memory, id, arguments);
        self.results.push(function.result);
        self.depth += 1;
        // What it does to its own locals is nothing to its caller.
        let own = std::mem::take(&mut self.own_writes);
        let value = self.body(memory, &function.body);
        self.own_writes = own;
        self.depth -= 1;
        self.results.pop();
        value
    }

    /// Evaluates the arguments of a call, then writes them to the parameters' cells.
    fn bind(&mut self, memory: &mut Memory, id: FunctionId, arguments: &[Argument]) {
        let parameters = &self.network.functions[id.index()].parameters;
        let mut values = Vec::new();
        for ((first, count), argument) in parameters.iter().zip(arguments) {
            match argument {
                Argument::Value(value) => values.push((*first, self.expr(memory, value))),
                Argument::Copy(place, _) => {
                    for k in 0..*count {
                        let value = self.read(memory, &place.plus(k));
                        values.push((first.plus(k), value));
                    }
                }
            }
        }
        for (cell, value) in values {
            let id = self.fresh();
            memory.set(cell, value.named(id));
        }
    }

    /// The result of a call has this truth; it has no effects.
    pub fn assume_call(
        &mut self,
        memory: &mut Memory,
        id: FunctionId,
        arguments: &[Argument],
        truth: bool,
    ) {
        let function = self.network.functions.get(id.index());
        if let Some([Stmt::Return(Some(value))]) = function.map(|function| &function.body[..])
            && self.depth < MOST_DEPTH
        {
            self.depth += 1;
            self.bind(memory, id, arguments);
            self.assume(memory, value, truth);
            self.depth -= 1;
        }
    }

    /// What a place holds.
    pub fn read(&mut self, memory: &mut Memory, place: &Place) -> Value {
        let Some((index, cells)) = self.cells(memory, place) else {
            return Value::unknown();
        };
        let mut cells = cells.into_iter();
        let Some(first) = cells.next() else {
            return Value::unknown();
        };
        let mut value = self.load(memory, first);
        let mut several = false;
        for cell in cells {
            several = true;
            value = Value::either(Fixed, value, self.load(memory, cell));
        }
        if several {
            let polarity = if index == Fixed {
                value.polarity
            } else {
                Unknown
            };
            value = Value::new(polarity, value.interval);
        }
        value
    }

    /// Writes a value to a place.
    pub fn write(&mut self, memory: &mut Memory, place: &Place, value: Value) {
        self.write_all(memory, place, vec![value]);
    }

    /// Writes values to consecutive cells, whose place is found before the first of them is written.
    pub fn write_all(&mut self, memory: &mut Memory, place: &Place, values: Vec<Value>) {
        let Some((index, starts)) = self.cells(memory, place) else {
            self.lost = true;
            return;
        };
        let one = starts.len() == 1;
        for (k, value) in values.into_iter().enumerate() {
            let cells = starts.iter().map(|start| start.plus(k as u32));
            for cell in cells {
                match cell.region == Region::Local && !self.relations.is_lent(cell) {
                    true => self.own_writes += 1,
                    false => self.writes += 1,
                }
                let new = match one {
                    true => value,
                    // Both runs write the same one of the cells, or any.
                    false => {
                        let old = self.load(memory, cell);
                        Value {
                            origin: None,
                            ..Value::either(index, value, old)
                        }
                    }
                };
                let id = self.fresh();
                memory.set(cell, new.named(id));
            }
        }
    }

    /// The cells that a place may stand for, and whether it is the same one in both runs.
    fn cells(&mut self, memory: &mut Memory, place: &Place) -> Option<(Polarity, Vec<Address>)> {
        let mut starts = vec![place.base];
        let mut polarity = Fixed;
        for index in &place.indices {
            // Copies read it once for each cell.
            let value = self.pure(memory, &index.value);
            let last = index.length.saturating_sub(1).min(i32::MAX as u32);
            let Interval { low, high } = value.interval.clamped(0, last as i32);
            if value.polarity != Fixed && low != high {
                polarity = Unknown;
            }
            if (high - low + 1) as u64 * starts.len() as u64 > MOST_CELLS {
                return None;
            }
            let stride = index.stride;
            starts = (starts.iter())
                .flat_map(|start| (low..=high).map(move |k| start.plus(k as u32 * stride)))
                .collect();
        }
        Some((polarity, starts))
    }
}

/// A value that was checked to lie within a range.
pub(super) fn clamped(value: Value, low: i32, high: i32) -> Value {
    let interval = value.interval.clamped(low, high);
    Value {
        polarity: Value::new(value.polarity, interval).polarity,
        interval,
        ..value
    }
}

fn sum(parts: &[(Value, i64)]) -> Value {
    let (mut low, mut high, mut polarity) = (0i64, 0i64, Fixed);
    let mut fits = true;
    for (value, count) in parts {
        low += value.interval.low.saturating_mul(*count);
        high += value.interval.high.saturating_mul(*count);
        polarity = polarity.and(value.polarity);
        fits &= low >= i32::MIN.into() && high <= i32::MAX.into();
    }
    match fits {
        true => Value::new(polarity, Interval::new(low, high)),
        false => wrapped(polarity),
    }
}

/// What arithmetic gives that may come round at the other end.
fn wrapped(polarity: Polarity) -> Value {
    let polarity = if polarity == Fixed { Fixed } else { Unknown };
    Value::new(polarity, Interval::FULL)
}

fn truths(parts: &[(Value, i64)], all: bool) -> Value {
    let (mut polarity, mut decided) = (Fixed, true);
    for (value, _) in parts {
        let value = value.truth();
        match value.interval.truth() {
            Some(truth) if truth != all => return Value::constant((!all).into()),
            Some(_) => {}
            None => decided = false,
        }
        polarity = polarity.and(value.polarity);
    }
    match decided {
        true => Value::constant(all.into()),
        false => Value::new(polarity, Interval::BOOL),
    }
}

fn unary(op: UnaryOp, value: Value) -> Value {
    let interval = Interval::unary(op, value.interval);
    let sign = value.interval;
    let polarity = match op {
        UnaryOp::Not => value.truth().polarity.flipped(),
        UnaryOp::BitNot => value.polarity.flipped(),
        _ if sign.low <= i32::MIN.into() => return wrapped(value.polarity),
        UnaryOp::Negate => value.polarity.flipped(),
        UnaryOp::Abs if sign.low >= 0 => value.polarity,
        UnaryOp::Abs if sign.high <= 0 => value.polarity.flipped(),
        UnaryOp::Abs if value.polarity == Fixed => Fixed,
        UnaryOp::Abs => Unknown,
    };
    Value::new(polarity, interval)
}

pub(super) fn binary(op: BinaryOp, a: Value, b: Value) -> Value {
    use BinaryOp::*;
    let (x, y) = (a.interval, b.interval);
    let interval = Interval::binary(op, x, y);
    let fixed = a.polarity.and(b.polarity) == Fixed;
    if !fits(op, x, y) {
        return match fixed {
            true => Value::new(Fixed, interval),
            false => wrapped(Unknown),
        };
    }
    let bits = x.within(0, 1) && y.within(0, 1);
    let polarity = match op {
        _ if fixed => Fixed,
        Add | Minimum | Maximum => a.polarity.and(b.polarity),
        Subtract => a.polarity.and(b.polarity.flipped()),
        Less | LessEqual => a.polarity.flipped().and(b.polarity),
        Greater | GreaterEqual => a.polarity.and(b.polarity.flipped()),
        Multiply => product(a, b),
        Divide if y.low >= 1 && x.low >= 0 => a.polarity.and(b.polarity.flipped()),
        Divide if y.low >= 1 && b.polarity == Fixed => a.polarity,
        Divide if y.high <= -1 && b.polarity == Fixed => a.polarity.flipped(),
        BitAnd | BitOr if bits => a.polarity.and(b.polarity),
        ShiftLeft | ShiftRight if b.polarity == Fixed => a.polarity,
        Equal => equality(a, b),
        NotEqual => equality(a, b).flipped(),
        _ => Unknown,
    };
    let origin = match op {
        Add if x.as_point().is_some() => b.moved(x.low, x.high),
        Add => a.moved(y.low, y.high),
        Subtract => a.moved(-y.high, -y.low),
        _ => None,
    };
    Value {
        origin,
        ..Value::new(polarity, interval)
    }
}

/// Whether the mathematical result fits into 32 bits, or the operator has no other.
fn fits(op: BinaryOp, x: Interval, y: Interval) -> bool {
    let inside = |low: i64, high: i64| low >= i32::MIN.into() && high <= i32::MAX.into();
    match op {
        BinaryOp::Add => inside(x.low + y.low, x.high + y.high),
        BinaryOp::Subtract => inside(x.low - y.high, x.high - y.low),
        BinaryOp::Multiply => [x.low, x.high]
            .into_iter()
            .all(|a| [y.low, y.high].into_iter().all(|b| inside(a * b, a * b))),
        BinaryOp::Divide => x.low > i32::MIN.into() || y.low >= 0,
        BinaryOp::ShiftLeft => {
            let most = y.clamped(0, 31).high;
            inside(x.low << most, x.high << most)
        }
        _ => true,
    }
}

fn product(a: Value, b: Value) -> Polarity {
    let by = |factor: Value, other: Polarity| match factor.interval {
        _ if factor.polarity != Fixed => Unknown,
        Interval { low: 0.., .. } => other,
        Interval { high: ..=0, .. } => other.flipped(),
        _ => Unknown,
    };
    if a.interval.low >= 0 && b.interval.low >= 0 {
        return a.polarity.and(b.polarity);
    }
    match (by(a, b.polarity), by(b, a.polarity)) {
        (Unknown, other) => other,
        (one, _) => one,
    }
}

/// At the end of a value's range, equality is an inequality.
fn equality(a: Value, b: Value) -> Polarity {
    let (value, constant) = match (a.interval.as_point(), b.interval.as_point()) {
        (None, Some(constant)) => (a, i64::from(constant)),
        (Some(constant), None) => (b, i64::from(constant)),
        _ => return Unknown,
    };
    match value.interval {
        Interval { high, .. } if constant >= high => value.polarity,
        Interval { low, .. } if constant <= low => value.polarity.flipped(),
        _ => Unknown,
    }
}

/// Whether `condition ? then : otherwise` is the larger or the smaller one of the two.
pub(super) fn extreme(condition: &Expr, then: &Expr, otherwise: &Expr) -> Option<BinaryOp> {
    use BinaryOp::*;
    let Expr::Binary(op, left, right, _) = condition else {
        return None;
    };
    let straight = alike(left, then) && alike(right, otherwise);
    let crossed = alike(left, otherwise) && alike(right, then);
    match op {
        Less | LessEqual if straight => Some(Minimum),
        Less | LessEqual if crossed => Some(Maximum),
        Greater | GreaterEqual if straight => Some(Maximum),
        Greater | GreaterEqual if crossed => Some(Minimum),
        _ => None,
    }
}

/// Whether two expressions without effects are the same wherever they stand in the source.
pub(super) fn alike(one: &Expr, other: &Expr) -> bool {
    match (one, other) {
        (Expr::Checked { value, .. }, _) => alike(value, other),
        (_, Expr::Checked { value, .. }) => alike(one, value),
        (Expr::Const(a), Expr::Const(b)) => a == b,
        (Expr::Load(a), Expr::Load(b)) => same_place(a, b),
        (Expr::Binary(p, a, b, _), Expr::Binary(q, c, d, _)) => {
            p == q && alike(a, c) && alike(b, d)
        }
        (Expr::Unary(p, a, _), Expr::Unary(q, b, _)) => p == q && alike(a, b),
        _ => false,
    }
}

pub(super) fn same_place(a: &Place, b: &Place) -> bool {
    let indices = a.indices.iter().zip(&b.indices);
    a.base == b.base
        && a.indices.len() == b.indices.len()
        && indices
            .into_iter()
            .all(|(a, b)| a.stride == b.stride && alike(&a.value, &b.value))
}
