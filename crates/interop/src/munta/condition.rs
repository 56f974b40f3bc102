//! Conditions on variables and locations: comparisons of one variable with a number, joined by and, or and not.

use merkhet_network::interval::Interval;
use merkhet_network::visit::{Bounds, Footprints};
use merkhet_network::{Address, BinaryOp, Expr, Region, UnaryOp, unrolled};

use super::{Exporter, refuse};
use crate::convert::NotConvertible;

/// Where a condition holds.
#[derive(Clone, Debug)]
pub(super) enum Truth {
    Always,
    Never,
    /// Where this holds, which is in brackets where it must be.
    Where(String),
}

impl Truth {
    fn of(holds: bool) -> Truth {
        match holds {
            true => Truth::Always,
            false => Truth::Never,
        }
    }

    /// All of them, or any.
    pub fn joined(parts: Vec<Truth>, all: bool) -> Truth {
        let mut texts = Vec::new();
        for part in parts {
            match (part, all) {
                (Truth::Never, true) => return Truth::Never,
                (Truth::Always, false) => return Truth::Always,
                (Truth::Where(text), _) => texts.push(text),
                _ => {}
            }
        }
        match &texts[..] {
            [] => Truth::of(all),
            [single] => Truth::Where(single.clone()),
            _ => {
                let sign = if all { " && " } else { " || " };
                Truth::Where(format!("({})", texts.join(sign)))
            }
        }
    }
}

/// Assignments of values to the variables of a condition that are tried one by one.
const MOST: i64 = 4_096;
/// Instances of a quantifier.
const INSTANCES: usize = 256;

/// One value for each cell that an expression reads.
type Case = Vec<(Address, i32)>;

type Locations<'l> = Option<&'l [Vec<Option<u32>>]>;

impl Exporter<'_> {
    pub(super) fn data_guard(&self, expr: &Expr) -> Result<Truth, NotConvertible> {
        self.condition(expr, true, None)
    }

    /// A condition or its negation. Locations can be spoken of in formulas only; variables there that no edge mentions keep
    /// their first value.
    pub(super) fn condition(
        &self,
        expr: &Expr,
        positive: bool,
        locations: Locations<'_>,
    ) -> Result<Truth, NotConvertible> {
        let parts = |parts: &[Expr], all: bool| {
            let parts = parts
                .iter()
                .map(|part| self.condition(part, positive, locations));
            Ok(Truth::joined(
                parts.collect::<Result<Vec<_>, _>>()?,
                all == positive,
            ))
        };
        match expr {
            Expr::And(items) => parts(items, true),
            Expr::Or(items) => parts(items, false),
            Expr::Unary(UnaryOp::Not, inner, _) => self.condition(inner, !positive, locations),
            Expr::At(process, location) => {
                let Some(numbers) = locations else {
                    return refuse("guards about locations cannot be said");
                };
                if numbers[process.index()][location.index()].is_none() {
                    return Ok(Truth::of(!positive));
                }
                let process = process.index();
                let name = &self.names.locations[process][location.index()];
                let at = format!("{}.{name}", self.names.processes[process]);
                Ok(Truth::Where(match positive {
                    true => at,
                    false => format!("!({at})"),
                }))
            }
            Expr::Quantified { .. } => match unrolled(self.network, expr, INSTANCES) {
                Some(plain) => self.condition(&plain, positive, locations),
                None => self.by_cases(expr, positive, locations),
            },
            Expr::Checked { value, .. } => self.condition(value, positive, locations),
            Expr::Binary(op, left, right, _) if op.opposite().is_some() => {
                match (self.linear(left), self.linear(right)) {
                    (Some((Some(cell), plus)), Some((None, value))) => {
                        self.comparison(*op, cell, value - plus, positive, locations)
                    }
                    (Some((None, value)), Some((Some(cell), plus))) => {
                        self.comparison(op.mirrored(), cell, value - plus, positive, locations)
                    }
                    _ => self.by_cases(expr, positive, locations),
                }
            }
            _ => match self.linear(expr) {
                Some((None, value)) => Ok(Truth::of((value != 0) == positive)),
                Some((Some(cell), plus)) => {
                    self.comparison(BinaryOp::NotEqual, cell, -plus, positive, locations)
                }
                None => self.by_cases(expr, positive, locations),
            },
        }
    }

    /// The value, where it is the same in every state.
    pub(super) fn constant(&self, expr: &Expr) -> Option<i64> {
        let value = Bounds::new(self.network).of(expr);
        value.as_point().map(i64::from)
    }

    /// A cell, if there is one, and a number that is added.
    fn linear(&self, expr: &Expr) -> Option<(Option<usize>, i64)> {
        if let Some(value) = self.constant(expr) {
            return Some((None, value));
        }
        match expr {
            Expr::Load(place) => {
                let cell = place.fixed().filter(|cell| cell.region == Region::State)?;
                Some((Some(cell.offset as usize), 0))
            }
            Expr::Checked { value, .. } => self.linear(value),
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right, _) => {
                let ((left, a), (right, b)) = (self.linear(left)?, self.linear(right)?);
                match (op, left, right) {
                    (BinaryOp::Add, Some(cell), None) | (BinaryOp::Add, None, Some(cell)) => {
                        Some((Some(cell), a + b))
                    }
                    (BinaryOp::Subtract, Some(cell), None) => Some((Some(cell), a - b)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn comparison(
        &self,
        op: BinaryOp,
        cell: usize,
        value: i64,
        positive: bool,
        locations: Locations<'_>,
    ) -> Result<Truth, NotConvertible> {
        let op = match positive {
            true => op,
            false => op.opposite().unwrap_or(op),
        };
        let initial = i64::from(self.network.state_cells[cell].initial);
        if locations.is_some() && !self.cells.borrow().contains(&cell) {
            return Ok(Truth::of(op.compares(initial, value)));
        }
        self.cells.borrow_mut().insert(cell);
        let (name, value) = (&self.names.cells[cell], value - initial);
        let sign = match op {
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Equal => "==",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Greater => ">",
            _ => {
                return Ok(Truth::Where(format!(
                    "({name} < {value} || {name} > {value})"
                )));
            }
        };
        Ok(Truth::Where(format!("{name} {sign} {value}")))
    }

    /// A condition of any form: the values of its variables for which it holds, one after the other.
    fn by_cases(
        &self,
        expr: &Expr,
        positive: bool,
        locations: Locations<'_>,
    ) -> Result<Truth, NotConvertible> {
        let mut cases = Vec::new();
        for (values, interval) in self.cases(expr, MOST)? {
            let Some(truth) = interval.truth() else {
                return refuse("a condition on variables is too involved");
            };
            if truth == positive {
                let equal = |&(cell, value): &(Address, i32)| {
                    let cell = cell.offset as usize;
                    self.comparison(BinaryOp::Equal, cell, value.into(), true, locations)
                };
                let all: Result<Vec<_>, _> = values.iter().map(equal).collect();
                cases.push(Truth::joined(all?, true));
            }
        }
        Ok(Truth::joined(cases, false))
    }

    /// The value of an expression for all values of what it reads.
    pub(super) fn cases(
        &self,
        expr: &Expr,
        most: i64,
    ) -> Result<Vec<(Case, Interval)>, NotConvertible> {
        let mut footprints = Footprints::new(self.network);
        let footprint = footprints.expr(expr);
        if footprint.has_effects() {
            return refuse("expressions with effects cannot be said");
        }
        let read: Vec<Address> = (footprint.reads.iter())
            .filter(|cell| !matches!(cell.region, Region::Constant | Region::Local))
            .collect();
        let mut cases: Vec<Vec<(Address, i32)>> = vec![Vec::new()];
        for cell in read {
            if cell.region != Region::State {
                return refuse("meta variables cannot be said");
            }
            let known = &self.network.state_cells[cell.offset as usize];
            let values = i64::from(known.high) - i64::from(known.low) + 1;
            if values.saturating_mul(cases.len() as i64) > most {
                return refuse("an expression reads too many values to write its cases");
            }
            cases = (known.low..=known.high)
                .flat_map(|value| {
                    let with = |case: &Vec<(Address, i32)>| [&case[..], &[(cell, value)]].concat();
                    cases.iter().map(with).collect::<Vec<_>>()
                })
                .collect();
        }
        let measured = cases.into_iter().map(|case| {
            let mut bounds = Bounds::new(self.network);
            for (cell, value) in &case {
                bounds.assume(*cell, Interval::point(*value));
            }
            let value = bounds.of(expr);
            (case, value)
        });
        Ok(measured.collect())
    }
}
