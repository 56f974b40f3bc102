//! Expressions and statements over intervals: what they may do when little is known of the state.

use std::collections::BTreeMap;

use merkhet_network::interval::Interval;
use merkhet_network::{
    Address, Argument, BinaryOp, Expr, Network, Place, Quantifier, Region, Stmt, UnaryOp,
};

/// Nothing can be said in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Inconclusive;

/// What is known of cells. The others have any value of their declared range: so a cell of the state must be taken out of
/// it, or be written, by whatever changes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Known(pub BTreeMap<Address, Interval>);

impl Known {
    /// What is known if either of two is the case.
    fn join(&mut self, other: &Known) {
        self.0.retain(|cell, interval| match other.0.get(cell) {
            Some(more) => {
                *interval = interval.hull(*more);
                true
            }
            None => false,
        });
    }
}

/// How a list of statements ends: what is known where it goes on, and where it has returned.
struct End {
    goes_on: Option<Known>,
    returned: Option<Known>,
}

/// Carries out code over intervals.
pub(super) struct Interpreter<'n> {
    network: &'n Network,
    /// Steps that may still be done.
    pub fuel: u64,
    /// Whether cells that are read are collected, and those of the state that were.
    pub collects: bool,
    pub read: Vec<Address>,
    pub locations_read: bool,
    /// The cells of the state that were written.
    pub written: Vec<Address>,
    /// Inconclusive where an evaluation may fail: for formulas, which must have a value in every state.
    pub strict: bool,
    /// By call: where its result goes, and how many assignments to local cells it has done, those of functions that it
    /// calls with references to its own cells included.
    calls: Vec<(Option<(Address, u32)>, u64)>,
}

/// Accesses to more cells at once are not looked at.
const MOST_CELLS: u64 = 1 << 12;

impl<'n> Interpreter<'n> {
    pub fn new(network: &'n Network) -> Interpreter<'n> {
        Interpreter {
            network,
            fuel: 0,
            collects: false,
            read: Vec::new(),
            locations_read: false,
            written: Vec::new(),
            strict: false,
            calls: vec![(None, 0)],
        }
    }

    /// After giving up in the middle of something.
    pub fn recover(&mut self) {
        self.calls.truncate(1);
        self.written.clear();
    }

    fn pay(&mut self) -> Result<(), Inconclusive> {
        self.spend(1)
    }

    fn spend(&mut self, steps: usize) -> Result<(), Inconclusive> {
        self.fuel = self.fuel.checked_sub(steps as u64).ok_or(Inconclusive)?;
        Ok(())
    }

    /// A copy of what is known costs what it is long.
    fn copy_of(&mut self, known: &Known) -> Result<Known, Inconclusive> {
        self.spend(known.0.len())?;
        Ok(known.clone())
    }

    /// Values that must be within a range: those outside are faults, after which there is no state.
    fn checked(&self, value: Interval, low: i32, high: i32) -> Result<Interval, Inconclusive> {
        let fits = value.low >= low.into() && value.high <= high.into();
        match self.strict && !fits {
            true => Err(Inconclusive),
            false => Ok(value.clamped(low, high)),
        }
    }

    /// The values of a cell.
    pub fn cell(&self, cell: Address, known: &Known) -> Interval {
        if let Some(interval) = known.0.get(&cell) {
            return *interval;
        }
        match self.network.cells(cell.region).get(cell.offset as usize) {
            Some(declared) if cell.region == Region::Constant => Interval::point(declared.initial),
            Some(declared) => Interval::new(
                declared.low.min(declared.initial).into(),
                declared.high.max(declared.initial).into(),
            ),
            None => Interval::FULL,
        }
    }

    /// The cells that a place may mean. An index outside is a fault, after which there is no state.
    fn places(&mut self, place: &Place, known: &mut Known) -> Result<Vec<Address>, Inconclusive> {
        let mut cells = vec![place.base];
        for index in &place.indices {
            let last = index.length.saturating_sub(1).min(i32::MAX as u32);
            let values = self.value(&index.value, known)?;
            let values = self.checked(values, 0, last as i32)?;
            let (low, high) = (values.low as u32, values.high as u32);
            if u64::from(high - low + 1) * cells.len() as u64 > MOST_CELLS {
                return Err(Inconclusive);
            }
            cells = (cells.iter())
                .flat_map(|cell| (low..=high).map(|value| cell.plus(value * index.stride)))
                .collect();
        }
        self.spend(cells.len())?;
        Ok(cells)
    }

    fn load(&mut self, cells: &[Address], known: &Known) -> Interval {
        if self.collects {
            let state = |cell: &&Address| matches!(cell.region, Region::State | Region::Meta);
            self.read.extend(cells.iter().filter(state));
        }
        let mut intervals = cells.iter().map(|cell| self.cell(*cell, known));
        let first = intervals.next().unwrap_or(Interval::FULL);
        intervals.fold(first, Interval::hull)
    }

    fn store(&mut self, cells: &[Address], value: Interval, known: &mut Known) {
        for cell in cells {
            match cell.region {
                Region::State | Region::Meta => self.written.push(*cell),
                _ => self
                    .calls
                    .last_mut()
                    .into_iter()
                    .for_each(|call| call.1 += 1),
            }
            // One of several: the others keep what they have.
            let value = match cells.len() {
                1 => value,
                _ => value.hull(self.cell(*cell, known)),
            };
            known.0.insert(*cell, value);
        }
    }

    /// The values that an expression may have; its effects are carried out.
    pub fn value(&mut self, expr: &Expr, known: &mut Known) -> Result<Interval, Inconclusive> {
        self.pay()?;
        Ok(match expr {
            Expr::Const(value) => Interval::point(*value),
            Expr::Load(place) => {
                let cells = self.places(place, known)?;
                self.load(&cells, known)
            }
            Expr::At(..) => {
                self.locations_read = true;
                Interval::BOOL
            }
            Expr::Unary(op, operand, _) => Interval::unary(*op, self.value(operand, known)?),
            Expr::Binary(op, left, right, _) => {
                let left = self.value(left, known)?;
                let right = self.value(right, known)?;
                if self.strict && may_fail(*op, right) {
                    return Err(Inconclusive);
                }
                Interval::binary(*op, left, right)
            }
            Expr::And(items) => self.junction(items, true, known)?,
            Expr::Or(items) => self.junction(items, false, known)?,
            Expr::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise, known)?
            }
            Expr::Quantified {
                quantifier,
                variable,
                low,
                high,
                body,
                ..
            } => self.quantified(*quantifier, *variable, (*low, *high), body, known)?,
            Expr::Call {
                function,
                arguments,
                ..
            } => self.call(function.index(), arguments, known)?,
            Expr::Checked {
                value, low, high, ..
            } => {
                let value = self.value(value, known)?;
                self.checked(value, *low, *high)?
            }
            Expr::Then(statements, value) => {
                let before = self.copy_of(known)?;
                let end = self.run(statements, before)?;
                // Only functions return.
                *known = end.goes_on.ok_or(Inconclusive)?;
                self.value(value, known)?
            }
        })
    }

    /// Makes use of a condition that holds.
    pub fn assume_true(&self, condition: &Expr, known: &mut Known) {
        assume(condition, true, known, self);
    }

    /// How much has been done that can be seen after a part of an expression.
    fn effects(&self) -> (usize, u64) {
        let here = self.calls.last().map_or(0, |call| call.1);
        (self.written.len(), here)
    }

    /// A conjunction, or a disjunction: each part is looked at knowing how those before have come out. Parts with effects,
    /// of which it would be unknown whether they take place, are rare.
    fn junction(
        &mut self,
        items: &[Expr],
        conjunction: bool,
        known: &Known,
    ) -> Result<Interval, Inconclusive> {
        let mut inside = self.copy_of(known)?;
        let effects = self.effects();
        let mut outcome = Interval::point(conjunction.into());
        for item in items {
            match self.value(item, &mut inside)?.truth() {
                Some(truth) if truth != conjunction => {
                    outcome = Interval::point((!conjunction).into());
                    break;
                }
                Some(_) => {}
                None => {
                    outcome = Interval::BOOL;
                    assume(item, conjunction, &mut inside, self);
                }
            }
        }
        match self.effects() == effects {
            true => Ok(outcome),
            false => Err(Inconclusive),
        }
    }

    fn conditional(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        known: &mut Known,
    ) -> Result<Interval, Inconclusive> {
        match self.value(condition, known)?.truth() {
            Some(true) => self.value(then, known),
            Some(false) => self.value(otherwise, known),
            None => {
                let mut other = self.copy_of(known)?;
                assume(condition, true, known, self);
                assume(condition, false, &mut other, self);
                let value = self.value(then, known)?;
                let value = value.hull(self.value(otherwise, &mut other)?);
                known.join(&other);
                Ok(value)
            }
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        variable: Address,
        (low, high): (i32, i32),
        body: &Expr,
        known: &mut Known,
    ) -> Result<Interval, Inconclusive> {
        let (mut sum, mut certain) = (Interval::point(0), true);
        let effects = self.effects();
        for value in low..=high {
            known.0.insert(variable, Interval::point(value));
            let each = self.value(body, known)?;
            if self.effects() != effects {
                return Err(Inconclusive);
            }
            let stops = match quantifier {
                Quantifier::Forall => Some(false),
                Quantifier::Exists => Some(true),
                Quantifier::Sum => {
                    sum = Interval::binary(BinaryOp::Add, sum, each);
                    continue;
                }
            };
            match each.truth() {
                truth @ Some(settled) if truth == stops => {
                    return Ok(Interval::point(settled.into()));
                }
                Some(_) => {}
                None => certain = false,
            }
        }
        Ok(match quantifier {
            Quantifier::Sum => sum,
            _ if !certain => Interval::BOOL,
            _ => Interval::point((quantifier == Quantifier::Forall).into()),
        })
    }

    fn call(
        &mut self,
        function: usize,
        arguments: &[Argument],
        known: &mut Known,
    ) -> Result<Interval, Inconclusive> {
        let function = self.network.functions.get(function).ok_or(Inconclusive)?;
        let mut values = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Value(expr) => values.push(self.value(expr, known)?),
                Argument::Copy(place, cells) => {
                    let first = self.places(place, known)?;
                    for more in 0..*cells {
                        let cells: Vec<Address> = first.iter().map(|c| c.plus(more)).collect();
                        values.push(self.load(&cells, known));
                    }
                }
            }
        }
        let before = self.copy_of(known)?;
        let parameters = (function.parameters.iter())
            .flat_map(|(first, cells)| (0..*cells).map(|more| first.plus(more)));
        for (parameter, value) in parameters.zip(values) {
            known.0.insert(parameter, value);
        }
        self.calls.push((function.result, 0));
        let end = self.run(&function.body, std::mem::take(known));
        self.calls.pop();
        let mut end = end?;
        let result = function.result.map(|(cell, _)| cell);
        if let (Some(goes_on), Some((cell, cells))) = (&mut end.goes_on, function.result) {
            // What ends without `return` gives 0; of a structure nothing is known.
            for more in 0..cells {
                goes_on.0.remove(&cell.plus(more));
            }
            if cells == 1 {
                goes_on.0.insert(cell, Interval::point(0));
            }
        }
        *known = joined(end.goes_on, end.returned).ok_or(Inconclusive)?;
        self.leave(function.result, &before, known);
        Ok(result.map_or(Interval::point(0), |cell| self.cell(cell, known)))
    }

    /// Forgets the cells of a function that has ended, except its result. References are cells of the caller: what has
    /// happened to them counts as done by the caller, so that junctions and quantifiers around the call see it.
    fn leave(&mut self, result: Option<(Address, u32)>, before: &Known, known: &mut Known) {
        let is_result = |cell: &Address| {
            result.is_some_and(|(first, cells)| {
                cell.region == first.region
                    && (first.offset..first.offset + cells).contains(&cell.offset)
            })
        };
        known.0.retain(|cell, _| {
            cell.region != Region::Local || before.0.contains_key(cell) || is_result(cell)
        });
        let changed = (before.0.iter()).any(|(cell, interval)| {
            cell.region == Region::Local && !is_result(cell) && known.0.get(cell) != Some(interval)
        });
        if let (true, Some(caller)) = (changed, self.calls.last_mut()) {
            caller.1 += 1;
        }
    }

    /// Carries out the update of an edge; what is known afterwards.
    pub fn update(&mut self, statements: &[Stmt], known: Known) -> Result<Known, Inconclusive> {
        let end = self.run(statements, known)?;
        joined(end.goes_on, end.returned).ok_or(Inconclusive)
    }

    fn run(&mut self, statements: &[Stmt], known: Known) -> Result<End, Inconclusive> {
        let mut end = End {
            goes_on: Some(known),
            returned: None,
        };
        for statement in statements {
            let Some(known) = end.goes_on.take() else {
                break;
            };
            let next = self.statement(statement, known)?;
            end.goes_on = next.goes_on;
            end.returned = joined(end.returned, next.returned);
        }
        Ok(end)
    }

    fn statement(&mut self, statement: &Stmt, mut known: Known) -> Result<End, Inconclusive> {
        self.pay()?;
        match statement {
            Stmt::Assign {
                target,
                value,
                low,
                high,
                ..
            } => {
                let value = self.value(value, &mut known)?;
                let value = self.checked(value, *low, *high)?;
                let cells = self.places(target, &mut known)?;
                self.store(&cells, value, &mut known);
            }
            Stmt::Copy {
                target,
                source,
                cells,
            } => self.copy(target, source, *cells, &mut known)?,
            Stmt::Reset { value, .. } => {
                self.value(value, &mut known)?;
            }
            Stmt::CopyClock { .. } => {}
            Stmt::Evaluate(expr) => {
                self.value(expr, &mut known)?;
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => return self.branch(condition, then, otherwise, known),
            Stmt::While {
                condition,
                body,
                test_first,
                ..
            } => return self.repeat(condition, body, *test_first, known),
            Stmt::For {
                variable,
                low,
                high,
                body,
                ..
            } => return self.each(*variable, (*low, *high), body, known),
            Stmt::Return(value) => {
                let result = self.calls.last().and_then(|call| call.0);
                let value = match value {
                    Some(value) => self.value(value, &mut known)?,
                    None => Interval::point(0),
                };
                if let Some((cell, _)) = result {
                    known.0.insert(cell, value);
                }
                return Ok(End {
                    goes_on: None,
                    returned: Some(known),
                });
            }
            Stmt::ReturnCopy(source, cells) => {
                let (result, _) = self
                    .calls
                    .last()
                    .and_then(|call| call.0)
                    .ok_or(Inconclusive)?;
                self.copy(&Place::cell(result), source, *cells, &mut known)?;
                return Ok(End {
                    goes_on: None,
                    returned: Some(known),
                });
            }
        }
        Ok(End {
            goes_on: Some(known),
            returned: None,
        })
    }

    fn copy(
        &mut self,
        target: &Place,
        source: &Place,
        cells: u32,
        known: &mut Known,
    ) -> Result<(), Inconclusive> {
        let from = self.places(source, known)?;
        let to = self.places(target, known)?;
        let mut values = Vec::new();
        for more in 0..cells {
            self.pay()?;
            let from: Vec<Address> = from.iter().map(|cell| cell.plus(more)).collect();
            values.push(self.load(&from, known));
        }
        for (more, value) in (0..cells).zip(values) {
            let to: Vec<Address> = to.iter().map(|cell| cell.plus(more)).collect();
            self.store(&to, value, known);
        }
        Ok(())
    }

    fn branch(
        &mut self,
        condition: &Expr,
        then: &[Stmt],
        otherwise: &[Stmt],
        mut known: Known,
    ) -> Result<End, Inconclusive> {
        match self.value(condition, &mut known)?.truth() {
            Some(true) => self.run(then, known),
            Some(false) => self.run(otherwise, known),
            None => {
                let mut other = self.copy_of(&known)?;
                assume(condition, true, &mut known, self);
                assume(condition, false, &mut other, self);
                let one = self.run(then, known)?;
                let two = self.run(otherwise, other)?;
                Ok(End {
                    goes_on: joined(one.goes_on, two.goes_on),
                    returned: joined(one.returned, two.returned),
                })
            }
        }
    }

    /// A loop as long as it is certain that it goes on.
    fn repeat(
        &mut self,
        condition: &Expr,
        body: &[Stmt],
        test_first: bool,
        known: Known,
    ) -> Result<End, Inconclusive> {
        let mut end = End {
            goes_on: Some(known),
            returned: None,
        };
        let mut tests = test_first;
        while let Some(mut known) = end.goes_on.take() {
            self.pay()?;
            if tests
                && !self
                    .value(condition, &mut known)?
                    .truth()
                    .ok_or(Inconclusive)?
            {
                end.goes_on = Some(known);
                break;
            }
            tests = true;
            let next = self.run(body, known)?;
            end.goes_on = next.goes_on;
            end.returned = joined(end.returned, next.returned);
        }
        Ok(end)
    }

    fn each(
        &mut self,
        variable: Address,
        (low, high): (i32, i32),
        body: &[Stmt],
        known: Known,
    ) -> Result<End, Inconclusive> {
        let mut end = End {
            goes_on: Some(known),
            returned: None,
        };
        for value in low..=high {
            let Some(mut known) = end.goes_on.take() else {
                break;
            };
            self.pay()?;
            known.0.insert(variable, Interval::point(value));
            let next = self.run(body, known)?;
            end.goes_on = next.goes_on;
            end.returned = joined(end.returned, next.returned);
        }
        Ok(end)
    }
}

/// Whether an operator may have no value.
fn may_fail(op: BinaryOp, right: Interval) -> bool {
    match op {
        BinaryOp::Divide | BinaryOp::Remainder => right.low <= 0 && right.high >= 0,
        BinaryOp::Power => right.low < 0,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => right.low < 0 || right.high > 31,
        _ => false,
    }
}

fn joined(one: Option<Known>, other: Option<Known>) -> Option<Known> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one.join(&other);
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

/// Makes use of the outcome of a condition: of comparisons of single cells with numbers, and of junctions of them.
fn assume(condition: &Expr, holds: bool, known: &mut Known, interpreter: &Interpreter<'_>) {
    match condition {
        Expr::And(items) if holds => {
            (items.iter()).for_each(|item| assume(item, true, known, interpreter));
        }
        Expr::Or(items) if !holds => {
            (items.iter()).for_each(|item| assume(item, false, known, interpreter));
        }
        Expr::Unary(UnaryOp::Not, inner, _) => assume(inner, !holds, known, interpreter),
        Expr::Load(place) if !holds => narrow(place, 0, 0, known, interpreter),
        Expr::Binary(op, left, right, _) => {
            let (Expr::Load(place), Expr::Const(number)) = (&**left, &**right) else {
                return;
            };
            use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
            let number = i64::from(*number);
            let (low, high) = match (op, holds) {
                (Equal, true) | (NotEqual, false) => (number, number),
                (Less, true) | (GreaterEqual, false) => (i64::MIN, number - 1),
                (LessEqual, true) | (Greater, false) => (i64::MIN, number),
                (Greater, true) | (LessEqual, false) => (number + 1, i64::MAX),
                (GreaterEqual, true) | (Less, false) => (number, i64::MAX),
                _ => return,
            };
            narrow(place, low, high, known, interpreter);
        }
        _ => {}
    }
}

fn narrow(place: &Place, low: i64, high: i64, known: &mut Known, interpreter: &Interpreter<'_>) {
    let mut place = place.clone();
    // `a[i]` with one possible `i` is as good as a fixed cell.
    for index in std::mem::take(&mut place.indices) {
        let point = match &index.value {
            Expr::Const(value) => Some(*value),
            Expr::Load(inner) => {
                (inner.fixed()).and_then(|cell| interpreter.cell(cell, known).as_point())
            }
            _ => None,
        };
        match point {
            Some(value) if (0..i64::from(index.length)).contains(&value.into()) => {
                place.base = place.base.plus(value as u32 * index.stride);
            }
            _ => return,
        }
    }
    let before = interpreter.cell(place.base, known);
    let (low, high) = (before.low.max(low), before.high.min(high));
    // An outcome that cannot be is left as it is.
    if low <= high {
        known.0.insert(place.base, Interval::new(low, high));
    }
}
