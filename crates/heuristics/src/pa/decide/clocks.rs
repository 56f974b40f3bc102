//! Regression of the clock predicates: exact, by difference bounds.
//!
//! From what a vector says of the clocks at some moment after a transition: back through the delay (under the invariants
//! of the target), back through the resets, and together with guard and invariants of the source. Transitions that do
//! the same to clocks share a class, and the answers are remembered by class and vector.

use merkhet_zones::bound::{Bound, INFINITY, LE_ZERO, add, negate};
use merkhet_zones::zone;
use rustc_hash::FxHashMap;

use crate::pa::cases::Case;
use crate::pa::decide::Truth;
use crate::pa::predicate::{Predicate, of_clocks};
use crate::pa::vector;
use crate::pa::world::{ClockBound, ClockSymbol, packed};

/// Zones of more clocks are not built: conditions on clocks that no predicate names are left out first.
const MOST_ROWS: usize = 40;

/// What transitions do to clocks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Class {
    before: Vec<ClockBound>,
    after: Vec<ClockBound>,
    effects: Vec<(u16, ClockSymbol)>,
    delay: bool,
}

/// A clock predicate: its number, rows and bound.
#[derive(Clone, Copy, Debug)]
struct Column {
    predicate: usize,
    bound: ClockBound,
}

/// Regression of the clock predicates of an abstraction.
#[derive(Clone)]
pub struct ClockRegression {
    columns: Vec<Column>,
    /// The bits of a vector that are about clocks.
    mask: Vec<u64>,
    classes: Vec<Class>,
    known: FxHashMap<Class, u32>,
    answers: vector::Answers,
}

impl ClockRegression {
    /// For the predicates of an abstraction.
    pub fn new(predicates: &[Predicate]) -> Self {
        let mut mask = vec![0; 2 * vector::words(predicates.len())];
        let mut columns = Vec::new();
        for (number, predicate) in predicates.iter().enumerate() {
            if let Predicate::Clock { left, right, bound } = *predicate {
                let bound = ClockBound { left, right, bound };
                columns.push(Column {
                    predicate: number,
                    bound,
                });
                vector::set(&mut mask, number, Truth::True);
                vector::set(&mut mask, number, Truth::False);
            }
        }
        ClockRegression {
            columns,
            mask,
            classes: Vec::new(),
            known: FxHashMap::default(),
            answers: vector::Answers::default(),
        }
    }

    /// Whether there is no clock predicate.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The class of a case, with or without the delay that it allows.
    pub fn class(&mut self, case: &Case, delay: bool) -> u32 {
        let class = Class {
            before: case.before.clone(),
            after: case.after.clone(),
            effects: case.clock_effects.clone(),
            delay: case.delay && delay,
        };
        let next = self.classes.len() as u32;
        let number = *self.known.entry(class.clone()).or_insert(next);
        if number == next {
            self.classes.push(class);
        }
        number
    }

    /// Whether the class does nothing to clocks at all: no condition, no reset, no delay.
    pub fn is_idle(&self, class: u32) -> bool {
        let class = &self.classes[class as usize];
        class.before.is_empty()
            && class.after.is_empty()
            && class.effects.is_empty()
            && !class.delay
    }

    /// Adds the clock bits of the predecessor of `vector` to `into`; false if there is no predecessor.
    pub fn regress(&mut self, class: u32, vector: &[u64], into: &mut [u64]) -> bool {
        let mut answers = std::mem::take(&mut self.answers);
        let found = answers.add(class, &self.mask, vector, into, |bits| {
            self.compute(class, bits)
        });
        self.answers = answers;
        found
    }

    fn compute(&self, class: u32, bits: &[u64]) -> Option<Box<[u64]>> {
        let class = &self.classes[class as usize];
        let rows = Rows::of(&self.columns, class);
        let n = rows.len();
        let mut zone = vec![0; n * n];
        zone::init_universal(&mut zone, n);
        for column in &self.columns {
            let ClockBound { left, right, bound } = column.bound;
            let holds = match vector::get(bits, column.predicate) {
                Truth::True => rows.constrain(&mut zone, left, right, bound),
                Truth::False => rows.constrain(&mut zone, right, left, negate(bound)),
                Truth::Open => true,
            };
            if !holds {
                return None;
            }
        }
        let within = |zone: &mut Vec<Bound>, bounds: &[ClockBound]| {
            bounds
                .iter()
                .all(|b| rows.constrain(zone, b.left, b.right, b.bound))
        };
        if !within(&mut zone, &class.after) {
            return None;
        }
        if class.delay {
            zone::down(&mut zone, n);
            if !within(&mut zone, &class.after) {
                return None;
            }
        }
        zone = undo(&zone, n, |row| rows.local(row), &class.effects)?;
        if !within(&mut zone, &class.before) {
            return None;
        }
        let mut answer = vec![0; bits.len()];
        for column in &self.columns {
            let ClockBound { left, right, bound } = column.bound;
            let (left, right) = (rows.local(left)?, rows.local(right)?);
            let truth = truth(&zone, n, left, right, bound);
            vector::set(&mut answer, column.predicate, truth);
        }
        Some(answer.into())
    }

    /// Adds the clock bits of a search state's zone.
    pub fn abstraction(&self, zone: &[Bound], n: usize, into: &mut [u64]) {
        for column in &self.columns {
            let ClockBound { left, right, bound } = column.bound;
            let truth = truth(zone, n, left.into(), right.into(), bound);
            vector::set(into, column.predicate, truth);
        }
    }
}

/// What a closed zone says of `x_left − x_right ≺ bound`.
pub fn truth(zone: &[Bound], n: usize, left: usize, right: usize, bound: Bound) -> Truth {
    if zone::implies(zone, n, left, right, bound) {
        Truth::True
    } else if !zone::is_consistent_with(zone, n, left, right, bound) {
        Truth::False
    } else {
        Truth::Open
    }
}

/// The predicate `x_left − x_right ≺ bound` before the effects; `None` if it depends on an unknown value.
pub fn before(
    effects: &[(u16, ClockSymbol)],
    bound: ClockBound,
) -> Option<crate::pa::predicate::Condition> {
    let value = |row: u16| match effects.iter().find(|(target, _)| *target == row) {
        Some((_, ClockSymbol::Row(row, offset))) => Some((*row, *offset)),
        Some((_, ClockSymbol::Unknown)) => None,
        None => Some((row, 0)),
    };
    let (left, right) = (value(bound.left)?, value(bound.right)?);
    let shift = packed(i64::from(right.1) - i64::from(left.1), false)?;
    Some(of_clocks(left.0, right.0, add(bound.bound, shift)))
}

/// The rows that matter, numbered from 1.
struct Rows {
    rows: Vec<u16>,
}

impl Rows {
    fn of(columns: &[Column], class: &Class) -> Rows {
        let mut rows: Vec<u16> = (columns.iter())
            .flat_map(|column| [column.bound.left, column.bound.right])
            .collect();
        rows.sort_unstable();
        rows.dedup();
        let mut more: Vec<u16> = (class.before.iter().chain(&class.after))
            .flat_map(|bound| [bound.left, bound.right])
            .chain(class.effects.iter().flat_map(|(row, symbol)| match symbol {
                ClockSymbol::Row(source, _) => [*row, *source],
                ClockSymbol::Unknown => [*row, 0],
            }))
            .filter(|row| !rows.contains(row))
            .collect();
        more.sort_unstable();
        more.dedup();
        more.truncate(MOST_ROWS.saturating_sub(rows.len()));
        rows.extend(more);
        rows.retain(|row| *row != 0);
        Rows { rows }
    }

    fn len(&self) -> usize {
        self.rows.len() + 1
    }

    fn local(&self, row: u16) -> Option<usize> {
        if row == 0 {
            return Some(0);
        }
        self.rows
            .iter()
            .position(|known| *known == row)
            .map(|at| at + 1)
    }

    /// Adds a constraint, unless one of its rows was left out; false if nothing remains.
    fn constrain(&self, zone: &mut [Bound], left: u16, right: u16, bound: Bound) -> bool {
        match (self.local(left), self.local(right)) {
            (Some(left), Some(right)) if left == right => bound >= LE_ZERO,
            (Some(left), Some(right)) => zone::constrain(zone, self.len(), left, right, bound),
            _ => true,
        }
    }
}

/// The zone before the clocks were set; `None` if it is empty. `local` gives the zone's row of a clock's row.
pub fn undo(
    zone: &[Bound],
    n: usize,
    local: impl Fn(u16) -> Option<usize>,
    effects: &[(u16, ClockSymbol)],
) -> Option<Vec<Bound>> {
    if effects.is_empty() {
        return Some(zone.to_vec());
    }
    let mut origins: Vec<Option<(usize, i32)>> = (0..n).map(|row| Some((row, 0))).collect();
    for (row, symbol) in effects {
        let Some(at) = local(*row) else {
            continue;
        };
        origins[at] = match symbol {
            ClockSymbol::Row(source, offset) => local(*source).map(|at| (at, *offset)),
            ClockSymbol::Unknown => None,
        };
    }
    let mut earlier = vec![0; n * n];
    zone::init_universal(&mut earlier, n);
    for left in 0..n {
        for right in (0..n).filter(|right| *right != left) {
            let bound = zone[left * n + right];
            let (Some((a, by)), Some((b, minus))) = (origins[left], origins[right]) else {
                continue;
            };
            let shift = packed(i64::from(minus) - i64::from(by), false);
            let bound = shift.map_or(INFINITY, |shift| add(bound, shift));
            if bound >= INFINITY {
                continue;
            }
            let possible = match a == b {
                true => bound >= LE_ZERO,
                false => zone::constrain(&mut earlier, n, a, b, bound),
            };
            if !possible {
                return None;
            }
        }
    }
    Some(earlier)
}
