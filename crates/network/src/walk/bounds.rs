//! Which values an expression can have, from the declared ranges of the cells that it reads.

use std::collections::HashMap;

use crate::expression::{BinaryOp, Expr, Place, Quantifier};
use crate::interval::Interval;
use crate::memory::{Address, Region};
use crate::network::Network;

/// The smallest and the largest value that the expression can have, by interval arithmetic with declared ranges.
///
/// It is an over-approximation; an evaluation that ends in a fault counts for nothing.
pub fn bounds(network: &Network, expr: &Expr) -> (i64, i64) {
    let interval = Bounds::new(network).of(expr);
    (interval.low, interval.high)
}

/// Arrays with more elements are not looked at one by one: their elements may then have any value.
const MOST_CELLS_SCANNED: u64 = 1 << 16;

/// Interval analysis with what is known of the variables of surrounding loops.
#[derive(Clone, Debug)]
pub struct Bounds<'n> {
    network: &'n Network,
    known: Vec<(Address, Interval)>,
    /// What the declarations say of long runs of cells that were asked for.
    runs: HashMap<(Address, u32), Interval>,
}

/// Longer runs of cells are looked at once.
const LONG: u32 = 64;

impl<'n> Bounds<'n> {
    /// Nothing but the declarations is known.
    pub fn new(network: &'n Network) -> Self {
        Bounds {
            network,
            known: Vec::new(),
            runs: HashMap::new(),
        }
    }

    /// From now on, this is known of cells, and no more.
    pub fn assume_only(&mut self, known: &[(Address, Interval)]) {
        self.known.clear();
        self.known.extend_from_slice(known);
    }

    /// From now on, a cell is known to be within an interval.
    pub fn assume(&mut self, cell: Address, interval: Interval) {
        self.known.push((cell, interval));
    }

    /// The values of a fixed cell.
    pub fn of_cell(&self, cell: Address) -> Interval {
        if let Some((_, interval)) = self.known.iter().rev().find(|(known, _)| *known == cell) {
            return *interval;
        }
        match self.network.cells(cell.region).get(cell.offset as usize) {
            Some(known) if cell.region == Region::Constant => Interval::point(known.initial),
            Some(known) => Interval::new(known.low.into(), known.high.into()),
            None => self.of_local(cell),
        }
    }

    /// The values of a local cell: like any other, it is only ever assigned values of its type.
    fn of_local(&self, cell: Address) -> Interval {
        if cell.region != Region::Local {
            return Interval::FULL;
        }
        let locals = &self.network.locals;
        let after = locals.partition_point(|local| local.base.offset <= cell.offset);
        let local = after.checked_sub(1).and_then(|index| locals.get(index));
        match local.and_then(|local| local.shape.cell_range(cell.offset - local.base.offset)) {
            Some((low, high)) => Interval::new(low.into(), high.into()),
            None => Interval::FULL,
        }
    }

    /// The values of the cells that a place may mean.
    pub fn of_place(&mut self, place: &Place) -> Interval {
        if let Some(cell) = place.fixed() {
            return self.of_cell(cell);
        }
        let ranges = self.ranges_of(place, 1);
        let total: u64 = ranges.iter().map(|(_, count)| u64::from(*count)).sum();
        if total > MOST_CELLS_SCANNED {
            return Interval::FULL;
        }
        let mut hull: Option<Interval> = None;
        for (first, count) in ranges {
            let interval = self.of_run(first, count);
            hull = hull.map_or(interval, |known| {
                interval.map(|other| known.hull(other)).or(hull)
            });
            if hull == Some(Interval::FULL) {
                break;
            }
        }
        hull.unwrap_or(Interval::FULL)
    }

    /// The values of consecutive cells, unless there are none.
    fn of_run(&mut self, first: Address, count: u32) -> Option<Interval> {
        let known = self
            .known
            .iter()
            .any(|(cell, _)| cell.region == first.region);
        if count > LONG
            && !known
            && let Some(interval) = self.runs.get(&(first, count))
        {
            return Some(*interval);
        }
        let start = first.offset as usize;
        let declared = self.network.cells(first.region);
        let Some(cells) = declared
            .get(start..start + count as usize)
            .filter(|_| !known)
        else {
            let cells = (0..count).map(|more| self.of_cell(first.plus(more)));
            return cells.reduce(Interval::hull);
        };
        // Arrays may have thousands of cells, and be looked at for each process of hundreds.
        let ends = cells.iter().map(|cell| match first.region {
            Region::Constant => (cell.initial, cell.initial),
            _ => (cell.low, cell.high),
        });
        let (low, high) = ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))?;
        let interval = Interval::new(low.into(), high.into());
        if count > LONG {
            self.runs.insert((first, count), interval);
        }
        Some(interval)
    }

    /// The cells that an access to `count` cells from a place may touch, as runs: first cell and number of cells.
    pub fn ranges_of(&mut self, place: &Place, count: u32) -> Vec<(Address, u32)> {
        let mut run = count;
        let mut starts = vec![0u32];
        for index in place.indices.iter().rev() {
            let last = index.length.saturating_sub(1).min(i32::MAX as u32);
            let values = self.of(&index.value).clamped(0, last as i32);
            let (low, high) = (values.low as u32, values.high as u32);
            if starts.len() == 1 && index.stride == run {
                starts[0] += low * index.stride;
                run *= high - low + 1;
            } else {
                starts = (low..=high)
                    .flat_map(|value| starts.iter().map(move |start| start + value * index.stride))
                    .collect();
            }
        }
        starts
            .into_iter()
            .map(|start| (place.base.plus(start), run))
            .collect()
    }

    /// The values of an expression.
    pub fn of(&mut self, expr: &Expr) -> Interval {
        match expr {
            Expr::Const(value) => Interval::point(*value),
            Expr::Load(place) => self.of_place(place),
            Expr::At(..) | Expr::And(_) | Expr::Or(_) => self.of_truth(expr),
            Expr::Unary(op, operand, _) => Interval::unary(*op, self.of(operand)),
            Expr::Binary(op, left, right, _) => {
                let left = self.of(left);
                Interval::binary(*op, left, self.of(right))
            }
            Expr::Conditional(condition, then, otherwise) => match self.of(condition).truth() {
                Some(true) => self.of(then),
                Some(false) => self.of(otherwise),
                None => {
                    let then = self.of(then);
                    then.hull(self.of(otherwise))
                }
            },
            Expr::Quantified {
                quantifier: Quantifier::Sum,
                variable,
                low,
                high,
                body,
                ..
            } => {
                let count = (i64::from(*high) - i64::from(*low) + 1).max(0);
                if count == 0 {
                    return Interval::point(0);
                }
                self.assume(*variable, Interval::new((*low).into(), (*high).into()));
                let each = self.of(body);
                self.known.pop();
                // All partial sums fit where the whole does, and lie between it and 0.
                Interval::new(
                    each.low.saturating_mul(count),
                    each.high.saturating_mul(count),
                )
            }
            Expr::Quantified { .. } => Interval::BOOL,
            Expr::Call { function, .. } => match self.network.functions.get(function.index()) {
                Some(function) => match function.result {
                    // What ends without `return` gives 0.
                    Some((cell, _)) => self.of_cell(cell).hull(Interval::point(0)),
                    None => Interval::point(0),
                },
                None => Interval::FULL,
            },
            Expr::Checked {
                value, low, high, ..
            } => self.of(value).clamped(*low, *high),
            // Statements may change what the value reads, but only within the declared ranges; a loop's variable is
            // never written.
            Expr::Then(_, value) => self.of(value),
        }
    }

    fn of_truth(&mut self, expr: &Expr) -> Interval {
        let (items, absorbing) = match expr {
            Expr::And(items) => (items, false),
            Expr::Or(items) => (items, true),
            _ => return Interval::BOOL,
        };
        let mut certain = true;
        for item in items {
            match self.of(item).truth() {
                Some(truth) if truth == absorbing => return Interval::point(absorbing.into()),
                Some(_) => {}
                None => certain = false,
            }
        }
        match certain {
            true => Interval::point((!absorbing).into()),
            false => Interval::BOOL,
        }
    }
}

/// Whether an operator compares.
pub fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(
        op,
        Less | LessEqual | Equal | NotEqual | GreaterEqual | Greater
    )
}
