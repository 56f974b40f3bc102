//! What a piece of code makes of a box of states: each cell of the state lies between two numbers.
//!
//! All of it errs on one side: whatever some state of the box evaluates to, or is updated to, lies within the result. An
//! evaluation that fails for a state ends its run, so that only values of evaluations that end well have to be held.

use std::collections::HashMap;

use merkhet_network::interval::Interval;
use merkhet_network::{
    Address, Argument, BinaryOp, Expr, FunctionId, LocationId, MAX_CLOCK_CONSTANT, Network, Place,
    Quantifier, Region, Stmt, UnaryOp,
};

use super::effects::Effects;
use crate::certificates::zone::Zone;
use crate::interpreter;

/// Evaluation steps for one question.
const MOST_STEPS: u64 = 5_000_000;

/// Boxes that one update may be split into.
const MOST_PARTS: usize = 64;

/// Calls within calls.
const MOST_DEPTH: u32 = 100;

/// The check is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooMuch;

pub(super) type Checked<T> = Result<T, TooMuch>;

/// A box, as changes of another one, with values of the clocks that any of its states may have.
#[derive(Clone, Debug)]
pub(super) struct Part<'b> {
    pub low: &'b [i32],
    pub high: &'b [i32],
    pub zone: Zone,
    pub changed: HashMap<Address, Interval>,
    /// The function has returned.
    returned: Option<Interval>,
}

impl<'b> Part<'b> {
    pub fn new(low: &'b [i32], high: &'b [i32], zone: Zone) -> Part<'b> {
        Part {
            low,
            high,
            zone,
            changed: HashMap::new(),
            returned: None,
        }
    }

    /// Replaces the zone by a part of it; says whether there is any.
    pub fn narrow_zone(&mut self, part: impl FnOnce(Zone) -> Option<Zone>) -> bool {
        match part(self.zone.clone()) {
            Some(zone) => {
                self.zone = zone;
                true
            }
            None => false,
        }
    }

    /// The values of a cell of the state.
    pub fn cell(&self, offset: usize) -> Option<Interval> {
        let (low, high) = (self.low.get(offset)?, self.high.get(offset)?);
        let address = Address {
            region: Region::State,
            offset: offset as u32,
        };
        let known = self.changed.get(&address).copied();
        Some(known.unwrap_or(Interval::new((*low).into(), (*high).into())))
    }
}

/// Reads code at some locations.
pub(super) struct Reader<'n> {
    pub network: &'n Network,
    pub locations: &'n [LocationId],
    effects: &'n Effects,
    steps: u64,
    depth: u32,
}

impl<'n> Reader<'n> {
    pub fn new(
        network: &'n Network,
        effects: &'n Effects,
        locations: &'n [LocationId],
    ) -> Reader<'n> {
        Reader {
            network,
            locations,
            effects,
            steps: 0,
            depth: 0,
        }
    }

    fn step(&mut self) -> Checked<()> {
        self.steps += 1;
        match self.steps > MOST_STEPS || self.depth > MOST_DEPTH {
            true => Err(TooMuch),
            false => Ok(()),
        }
    }

    /// Gives up where an expression changes something: what is asked twice here, or of some states only, must not.
    pub(super) fn without_effects(&self, expr: &Expr) -> Checked<()> {
        match self.effects.are_none(expr) {
            true => Ok(()),
            false => Err(TooMuch),
        }
    }

    fn load(&self, part: &Part<'_>, cell: Address) -> Interval {
        if let Some(known) = part.changed.get(&cell) {
            return *known;
        }
        let offset = cell.offset as usize;
        let known = match cell.region {
            Region::State => part.cell(offset),
            Region::Constant => {
                let cell = self.network.constant_cells.get(offset);
                cell.map(|cell| Interval::point(cell.initial))
            }
            // What an earlier evaluation left there.
            Region::Meta | Region::Local => None,
        };
        known.unwrap_or(Interval::FULL)
    }

    /// The cells that a place may stand for; none if its indices are always outside.
    fn cells(&mut self, part: &mut Part<'_>, place: &Place) -> Checked<Vec<Address>> {
        let mut cells = vec![place.base];
        for index in &place.indices {
            self.without_effects(&index.value)?;
            let Some(value) = self.value(part, &index.value)? else {
                return Ok(Vec::new());
            };
            let last = i64::from(index.length) - 1;
            let (low, high) = (value.low.max(0), value.high.min(last));
            let mut next = Vec::new();
            for cell in cells {
                for k in low..=high {
                    self.step()?;
                    next.push(cell.plus(k as u32 * index.stride));
                }
            }
            cells = next;
        }
        Ok(cells)
    }

    fn read(&mut self, part: &mut Part<'_>, place: &Place) -> Checked<Option<Interval>> {
        let cells = self.cells(part, place)?;
        let values = cells.into_iter().map(|cell| self.load(part, cell));
        Ok(values.reduce(Interval::hull))
    }

    /// Writes consecutive cells, whose place is found before the first of them is written; says whether that is possible.
    fn write(&mut self, part: &mut Part<'_>, place: &Place, values: &[Interval]) -> Checked<bool> {
        let starts = self.cells(part, place)?;
        let certain = starts.len() == 1;
        for (k, value) in values.iter().enumerate() {
            for cell in starts.iter().map(|start| start.plus(k as u32)) {
                let value = match certain {
                    true => *value,
                    false => value.hull(self.load(part, cell)),
                };
                part.changed.insert(cell, value);
            }
        }
        Ok(!starts.is_empty())
    }

    /// The values of an expression; none if its evaluation always fails.
    pub fn value(&mut self, part: &mut Part<'_>, expr: &Expr) -> Checked<Option<Interval>> {
        self.step()?;
        Ok(match expr {
            Expr::Const(value) => Some(Interval::point(*value)),
            Expr::At(process, location) => {
                let here = self.locations.get(process.index()) == Some(location);
                Some(Interval::point(here.into()))
            }
            Expr::Load(place) => self.read(part, place)?,
            Expr::Unary(op, operand, _) => {
                let operand = self.value(part, operand)?;
                operand.map(|operand| Interval::unary(*op, operand))
            }
            Expr::Binary(op, left, right, _) => {
                let left = self.value(part, left)?;
                let right = self.value(part, right)?;
                match left.zip(right) {
                    Some((a, b)) => binary(*op, a, b),
                    None => None,
                }
            }
            Expr::And(parts) => self.parts(part, parts, true)?,
            Expr::Or(parts) => self.parts(part, parts, false)?,
            Expr::Conditional(condition, then, otherwise) => {
                self.conditional(part, condition, then, otherwise)?
            }
            Expr::Quantified {
                quantifier,
                variable,
                low,
                high,
                body,
                ..
            } => self.quantified(part, *quantifier, *variable, (*low, *high), body)?,
            Expr::Call {
                function,
                arguments,
                ..
            } => {
                let ways = self.call(part.clone(), *function, arguments)?;
                let (merged, value) = merge(self, ways);
                if let Some(merged) = merged {
                    *part = merged;
                }
                value
            }
            Expr::Checked {
                value, low, high, ..
            } => {
                let value = self.value(part, value)?;
                value.and_then(|value| within(value, *low, *high))
            }
            Expr::Then(statements, value) => {
                let ways = self.run(vec![part.clone()], statements)?;
                match merge(self, ways).0 {
                    None => None,
                    Some(merged) => {
                        *part = merged;
                        self.value(part, value)?
                    }
                }
            }
        })
    }

    fn parts(
        &mut self,
        part: &mut Part<'_>,
        parts: &[Expr],
        and: bool,
    ) -> Checked<Option<Interval>> {
        let mut decided = true;
        for one in parts {
            let before = part.clone();
            let Some(value) = self.value(part, one)? else {
                // Those states fail here for which no earlier part has decided.
                return Ok((!decided).then(|| Interval::point((!and).into())));
            };
            if !decided {
                // Some states do not come here.
                *part = hull(self, before, part.clone());
            }
            match value.truth() {
                Some(truth) if truth != and => return Ok(Some(Interval::point((!and).into()))),
                Some(_) => {}
                None => decided = false,
            }
        }
        Ok(Some(match decided {
            true => Interval::point(and.into()),
            false => Interval::BOOL,
        }))
    }

    fn conditional(
        &mut self,
        part: &mut Part<'_>,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
    ) -> Checked<Option<Interval>> {
        let mut ends = Vec::new();
        let mut values = Vec::new();
        for (truth, branch) in [(true, then), (false, otherwise)] {
            let mut way = part.clone();
            if self.assume(&mut way, condition, truth)?
                && let Some(value) = self.value(&mut way, branch)?
            {
                ends.push(way);
                values.push(value);
            }
        }
        if let Some(merged) = merge(self, ends).0 {
            *part = merged;
        }
        Ok(values.into_iter().reduce(Interval::hull))
    }

    fn quantified(
        &mut self,
        part: &mut Part<'_>,
        quantifier: Quantifier,
        variable: Address,
        (low, high): (i32, i32),
        body: &Expr,
    ) -> Checked<Option<Interval>> {
        self.without_effects(body)?;
        let (mut least, mut most) = (0i64, 0i64);
        let mut decided = true;
        let absorbing = match quantifier {
            Quantifier::Forall => Some(false),
            Quantifier::Exists => Some(true),
            Quantifier::Sum => None,
        };
        for k in low..=high {
            part.changed.insert(variable, Interval::point(k));
            let Some(value) = self.value(part, body)? else {
                let known = absorbing.filter(|_| !decided);
                return Ok(known.map(|truth| Interval::point(truth.into())));
            };
            (least, most) = (least + value.low, most + value.high);
            match (absorbing, value.truth()) {
                (Some(absorbing), Some(truth)) if truth == absorbing => {
                    return Ok(Some(Interval::point(absorbing.into())));
                }
                (_, None) => decided = false,
                _ => {}
            }
        }
        Ok(Some(match (absorbing, decided) {
            (None, _) => Interval::new(least, most),
            (Some(absorbing), true) => Interval::point((!absorbing).into()),
            (Some(_), false) => Interval::BOOL,
        }))
    }

    fn bind(
        &mut self,
        part: &mut Part<'_>,
        id: FunctionId,
        arguments: &[Argument],
    ) -> Checked<bool> {
        let Some(function) = self.network.functions.get(id.index()) else {
            return Err(TooMuch);
        };
        let mut values = Vec::new();
        for ((first, count), argument) in function.parameters.iter().zip(arguments) {
            for k in 0..*count {
                let value = match argument {
                    Argument::Value(value) => self.value(part, value)?,
                    Argument::Copy(place, _) => self.read(part, &place.plus(k))?,
                };
                let Some(value) = value else {
                    return Ok(false);
                };
                values.push((first.plus(k), value));
            }
        }
        part.changed.extend(values);
        Ok(true)
    }

    /// All ways through a call, each with its result.
    fn call<'b>(
        &mut self,
        mut part: Part<'b>,
        id: FunctionId,
        arguments: &[Argument],
    ) -> Checked<Vec<Part<'b>>> {
        if !self.bind(&mut part, id, arguments)? {
            return Ok(Vec::new());
        }
        let function = &self.network.functions[id.index()];
        self.depth += 1;
        let outer = part.returned.take();
        debug_assert!(outer.is_none());
        let mut ways = self.run(vec![part], &function.body)?;
        self.depth -= 1;
        for way in &mut ways {
            // What ends without `return` gives 0.
            way.returned.get_or_insert(Interval::point(0));
        }
        Ok(ways)
    }

    /// All ways through statements.
    pub fn run<'b>(
        &mut self,
        mut ways: Vec<Part<'b>>,
        statements: &[Stmt],
    ) -> Checked<Vec<Part<'b>>> {
        for statement in statements {
            let mut next = Vec::new();
            for way in ways {
                match way.returned {
                    Some(_) => next.push(way),
                    None => self.statement(way, statement, &mut next)?,
                }
            }
            ways = next;
            if ways.len() > MOST_PARTS {
                let (done, open): (Vec<_>, Vec<_>) =
                    ways.into_iter().partition(|way| way.returned.is_some());
                ways = [done, open]
                    .into_iter()
                    .filter_map(|ways| collapse(self, ways))
                    .collect();
            }
        }
        Ok(ways)
    }

    fn statement<'b>(
        &mut self,
        mut way: Part<'b>,
        statement: &Stmt,
        out: &mut Vec<Part<'b>>,
    ) -> Checked<()> {
        self.step()?;
        match statement {
            Stmt::Assign {
                target,
                value,
                low,
                high,
                ..
            } => {
                let value = self.value(&mut way, value)?;
                if let Some(value) = value.and_then(|value| within(value, *low, *high))
                    && self.write(&mut way, target, &[value])?
                {
                    out.push(way);
                }
            }
            Stmt::Copy {
                target,
                source,
                cells,
            } => {
                let mut values = Vec::new();
                for k in 0..*cells {
                    let Some(value) = self.read(&mut way, &source.plus(k))? else {
                        return Ok(());
                    };
                    values.push(value);
                }
                if self.write(&mut way, target, &values)? {
                    out.push(way);
                }
            }
            Stmt::Reset { clock, value, .. } => {
                let value = self.value(&mut way, value)?;
                if let Some(value) = value.and_then(|value| within(value, 0, MAX_CLOCK_CONSTANT))
                    && let Some(row) = self.clock(&mut way, clock)?
                {
                    way.zone = way.zone.between(row, value.low, value.high);
                    out.push(way);
                }
            }
            // Flat models have no lattices.
            Stmt::CopyClock { .. } => return Err(TooMuch),
            Stmt::Evaluate(Expr::Call {
                function,
                arguments,
                ..
            }) => {
                let mut ways = self.call(way, *function, arguments)?;
                ways.iter_mut().for_each(|way| way.returned = None);
                out.extend(ways);
            }
            Stmt::Evaluate(expr) => {
                if self.value(&mut way, expr)?.is_some() {
                    out.push(way);
                }
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                for (truth, branch) in [(true, then), (false, otherwise)] {
                    let mut branching = way.clone();
                    if self.assume(&mut branching, condition, truth)? {
                        out.extend(self.run(vec![branching], branch)?);
                    }
                }
            }
            Stmt::For {
                variable,
                low,
                high,
                body,
                ..
            } => {
                let mut ways = vec![way];
                for k in *low..=*high {
                    for way in ways.iter_mut().filter(|way| way.returned.is_none()) {
                        way.changed.insert(*variable, Interval::point(k));
                    }
                    ways = self.run(ways, body)?;
                }
                out.extend(ways);
            }
            Stmt::While {
                condition,
                body,
                test_first,
                ..
            } => {
                let mut ways = match test_first {
                    true => vec![way],
                    false => self.run(vec![way], body)?,
                };
                while !ways.is_empty() {
                    let mut again = Vec::new();
                    for way in ways {
                        self.step()?;
                        if way.returned.is_some() {
                            out.push(way);
                            continue;
                        }
                        let mut end = way.clone();
                        if self.assume(&mut end, condition, false)? {
                            out.push(end);
                        }
                        let mut turn = way;
                        if self.assume(&mut turn, condition, true)? {
                            again.push(turn);
                        }
                    }
                    ways = self.run(again, body)?;
                }
            }
            Stmt::Return(value) => {
                let value = match value {
                    Some(value) => self.value(&mut way, value)?,
                    None => Some(Interval::point(0)),
                };
                if value.is_some() {
                    way.returned = value;
                    out.push(way);
                }
            }
            Stmt::ReturnCopy(..) => return Err(TooMuch),
        }
        Ok(())
    }

    /// Keeps of a box what may satisfy a condition (or not); says whether anything may.
    pub fn assume(&mut self, part: &mut Part<'_>, condition: &Expr, truth: bool) -> Checked<bool> {
        self.without_effects(condition)?;
        self.narrow_by(part, condition, truth)
    }

    fn narrow_by(&mut self, part: &mut Part<'_>, condition: &Expr, truth: bool) -> Checked<bool> {
        self.step()?;
        match condition {
            Expr::Unary(UnaryOp::Not, inner, _) => return self.narrow_by(part, inner, !truth),
            Expr::And(parts) | Expr::Or(parts) if matches!(condition, Expr::And(_)) == truth => {
                for one in parts {
                    if !self.narrow_by(part, one, truth)? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
            Expr::Call {
                function,
                arguments,
                ..
            } => {
                let body = self.network.functions.get(function.index());
                if let Some([Stmt::Return(Some(value))]) = body.map(|f| &f.body[..]) {
                    if !self.bind(part, *function, arguments)? {
                        return Ok(false);
                    }
                    self.depth += 1;
                    let feasible = self.narrow_by(part, value, truth);
                    self.depth -= 1;
                    return feasible;
                }
            }
            Expr::Binary(op, left, right, _) => {
                let (Some(a), Some(b)) = (self.value(part, left)?, self.value(part, right)?) else {
                    return Ok(false);
                };
                if Interval::compare(*op, a, b) == Some(!truth) {
                    return Ok(false);
                }
                for (side, other, mirrored) in [(left, b, false), (right, a, true)] {
                    if !self.narrow(part, side, (*op, truth, mirrored), other)? {
                        return Ok(false);
                    }
                }
            }
            _ => {}
        }
        let value = self.value(part, condition)?;
        Ok(value.is_some_and(|value| value.truth() != Some(!truth)))
    }

    /// Narrows a cell by a comparison with values of which any may be there.
    fn narrow(
        &mut self,
        part: &mut Part<'_>,
        expr: &Expr,
        (op, truth, mirrored): (BinaryOp, bool, bool),
        other: Interval,
    ) -> Checked<bool> {
        use BinaryOp::*;
        let Expr::Load(place) = expr else {
            return Ok(true);
        };
        let cells = self.cells(part, place)?;
        let [cell] = cells[..] else {
            return Ok(!cells.is_empty());
        };
        let op = match (op, mirrored) {
            (Less, true) => Greater,
            (LessEqual, true) => GreaterEqual,
            (Greater, true) => Less,
            (GreaterEqual, true) => LessEqual,
            (op, _) => op,
        };
        let op = match (op, truth) {
            (op, true) => op,
            (Less, false) => GreaterEqual,
            (LessEqual, false) => Greater,
            (Greater, false) => LessEqual,
            (GreaterEqual, false) => Less,
            (Equal, false) => NotEqual,
            (NotEqual, false) => Equal,
            _ => return Ok(true),
        };
        let Interval { mut low, mut high } = self.load(part, cell);
        match op {
            Less => high = high.min(other.high - 1),
            LessEqual => high = high.min(other.high),
            Greater => low = low.max(other.low + 1),
            GreaterEqual => low = low.max(other.low),
            Equal => (low, high) = (low.max(other.low), high.min(other.high)),
            NotEqual if other.low == other.high => {
                low += i64::from(low == other.low);
                high -= i64::from(high == other.low);
            }
            _ => {}
        }
        if low > high {
            return Ok(false);
        }
        part.changed.insert(cell, Interval::new(low, high));
        Ok(true)
    }
}

/// The values of an operator; none if it always fails. Of two numbers the value is exact.
fn binary(op: BinaryOp, a: Interval, b: Interval) -> Option<Interval> {
    match (a.as_point(), b.as_point()) {
        (Some(a), Some(b)) => interpreter::binary(op, a, b).ok().map(Interval::point),
        _ => Some(Interval::binary(op, a, b)),
    }
}

/// The values within a range; none if all are outside.
pub(super) fn within(value: Interval, low: i32, high: i32) -> Option<Interval> {
    let (low, high) = (value.low.max(low.into()), value.high.min(high.into()));
    (low <= high).then(|| Interval::new(low, high))
}

fn hull<'b>(reader: &Reader<'_>, one: Part<'b>, other: Part<'b>) -> Part<'b> {
    let mut merged = one.clone();
    merged.zone = one.zone.hull(&other.zone);
    for &cell in one.changed.keys().chain(other.changed.keys()) {
        let both = reader.load(&one, cell).hull(reader.load(&other, cell));
        merged.changed.insert(cell, both);
    }
    merged.returned = match (one.returned, other.returned) {
        (Some(a), Some(b)) => Some(a.hull(b)),
        _ => None,
    };
    merged
}

fn collapse<'b>(reader: &Reader<'_>, ways: Vec<Part<'b>>) -> Option<Part<'b>> {
    ways.into_iter()
        .reduce(|one, other| hull(reader, one, other))
}

/// All ways as one, and the values that they return.
fn merge<'b>(reader: &Reader<'_>, ways: Vec<Part<'b>>) -> (Option<Part<'b>>, Option<Interval>) {
    let merged = collapse(reader, ways);
    let value = merged.as_ref().and_then(|merged| merged.returned);
    let merged = merged.map(|merged| Part {
        returned: None,
        ..merged
    });
    (merged, value)
}
