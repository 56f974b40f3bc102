//! Predicates over locations, integers and clocks, in one normal form each.
//!
//! A predicate and its negation are the same column of an abstraction, so a [`Literal`] is a predicate with a sign.
//! Comparisons of a slot with few values become the set of those values: `i < 3`, `i <= 2` and `!(i >= 3)` are one.

use std::fmt;

use merkhet_network::{BinaryOp, ClockId, Network};
use merkhet_zones::bound::{Bound, INFINITY, LE_ZERO, constant, is_strict, negate};

use crate::pa::linear::Linear;
use crate::pa::slots::Slots;

/// A property of states.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Predicate {
    /// The slot's value is in the set (bit k: its smallest value plus k).
    Values {
        /// The slot.
        slot: u32,
        /// The set.
        mask: u64,
    },
    /// The form is at most 0. Its first coefficient is positive.
    AtMost(Linear),
    /// The form is 0. Its first coefficient is positive.
    Zero(Linear),
    /// `x_left − x_right ≺ bound`, by rows of zones, `left > right`.
    Clock {
        /// The row with the plus sign.
        left: u16,
        /// The row with the minus sign; 0 is the constant zero.
        right: u16,
        /// The bound, packed as zones pack them.
        bound: Bound,
    },
}

/// A predicate or its negation.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Literal {
    /// The predicate.
    pub predicate: Predicate,
    /// Whether it holds.
    pub positive: bool,
}

/// What a condition comes to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// It always holds.
    Always,
    /// It never holds.
    Never,
    /// It is a literal.
    Literal(Literal),
}

impl Condition {
    /// The negation.
    #[must_use]
    pub fn negated(self) -> Condition {
        match self {
            Condition::Always => Condition::Never,
            Condition::Never => Condition::Always,
            Condition::Literal(literal) => Condition::Literal(literal.negated()),
        }
    }
}

impl Literal {
    /// The negation.
    #[must_use]
    pub fn negated(mut self) -> Literal {
        self.positive = !self.positive;
        self
    }

    /// The values that it allows, if it is about one dense slot.
    pub fn mask(&self, slots: &Slots) -> Option<(u32, u64)> {
        match &self.predicate {
            Predicate::Values { slot, mask } if self.positive => Some((*slot, *mask)),
            Predicate::Values { slot, mask } => Some((*slot, slots.full(*slot) & !mask)),
            _ => None,
        }
    }
}

/// The slot's value is in the set.
pub fn of_mask(slots: &Slots, slot: u32, mask: u64) -> Condition {
    let full = slots.full(slot);
    let (mask, rest) = (mask & full, full & !mask);
    if mask == 0 {
        return Condition::Never;
    }
    if rest == 0 {
        return Condition::Always;
    }
    // The smaller set is the predicate; of two equally large ones that without the smallest value.
    let (ours, theirs) = (mask.count_ones(), rest.count_ones());
    let positive = ours < theirs || ours == theirs && mask & 1 == 0;
    let mask = if positive { mask } else { rest };
    let predicate = Predicate::Values { slot, mask };
    Condition::Literal(Literal {
        predicate,
        positive,
    })
}

/// `form ⋈ 0`.
pub fn of_comparison(slots: &Slots, op: BinaryOp, form: &Linear) -> Condition {
    let truth = |holds: bool| match holds {
        true => Condition::Always,
        false => Condition::Never,
    };
    if let Some(number) = form.as_number() {
        return truth(op.compares(number, 0));
    }
    if let [(slot, coefficient)] = form.terms[..]
        && slots.is_dense(slot)
    {
        let holds = |value: i64| op.compares(coefficient * value + form.constant, 0);
        return of_mask(slots, slot, slots.mask(slot, holds));
    }
    let less = |by: i64| at_most(slots, &shifted(form, by));
    match op {
        BinaryOp::LessEqual => less(0),
        BinaryOp::Less => less(1),
        BinaryOp::Greater => less(0).negated(),
        BinaryOp::GreaterEqual => less(1).negated(),
        BinaryOp::Equal => zero(slots, form),
        BinaryOp::NotEqual => zero(slots, form).negated(),
        _ => Condition::Always,
    }
}

fn shifted(form: &Linear, by: i64) -> Linear {
    let mut form = form.clone();
    form.constant += by;
    form
}

fn divisor(form: &Linear) -> i64 {
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.abs()
    };
    form.terms
        .iter()
        .fold(0, |d, (_, coefficient)| gcd(d, *coefficient))
        .max(1)
}

/// `form <= 0`, over integers.
fn at_most(slots: &Slots, form: &Linear) -> Condition {
    let (low, high) = form.bounds(slots);
    if high <= 0 {
        return Condition::Always;
    }
    if low > 0 {
        return Condition::Never;
    }
    let by = divisor(form);
    let mut form = form.clone();
    let positive = form.terms[0].1 > 0;
    if !positive {
        // −t <= −b is the negation of t <= b − 1, that is t − b + 1 <= 0.
        form.terms.iter_mut().for_each(|term| term.1 = -term.1);
        form.constant = 1 - form.constant;
    }
    form.terms.iter_mut().for_each(|term| term.1 /= by);
    // t·d + c <= 0 means t <= floor(−c / d).
    form.constant = -(-form.constant).div_euclid(by);
    Condition::Literal(Literal {
        predicate: Predicate::AtMost(form),
        positive,
    })
}

fn zero(slots: &Slots, form: &Linear) -> Condition {
    let (low, high) = form.bounds(slots);
    let by = divisor(form);
    if low > 0 || high < 0 || form.constant % by != 0 {
        return Condition::Never;
    }
    if low == 0 && high == 0 {
        return Condition::Always;
    }
    let by = if form.terms[0].1 < 0 { -by } else { by };
    let mut form = form.clone();
    form.terms.iter_mut().for_each(|term| term.1 /= by);
    form.constant /= by;
    Condition::Literal(Literal {
        predicate: Predicate::Zero(form),
        positive: true,
    })
}

/// `x_left − x_right ≺ bound`, by rows.
pub fn of_clocks(left: u16, right: u16, bound: Bound) -> Condition {
    if bound >= INFINITY {
        return Condition::Always;
    }
    if left == right {
        return match bound >= LE_ZERO {
            true => Condition::Always,
            false => Condition::Never,
        };
    }
    if left < right {
        return of_clocks(right, left, negate(bound)).negated();
    }
    if right == 0 && bound < LE_ZERO {
        return Condition::Never; // no clock is below zero
    }
    let predicate = Predicate::Clock { left, right, bound };
    Condition::Literal(Literal {
        predicate,
        positive: true,
    })
}

impl Predicate {
    /// The slots that it reads.
    pub fn slots(&self) -> Vec<u32> {
        match self {
            Predicate::Values { slot, .. } => vec![*slot],
            Predicate::AtMost(form) | Predicate::Zero(form) => {
                form.terms.iter().map(|(slot, _)| *slot).collect()
            }
            Predicate::Clock { .. } => Vec::new(),
        }
    }

    /// Whether it is about clocks.
    pub fn is_clock(&self) -> bool {
        matches!(self, Predicate::Clock { .. })
    }

    /// Whether it relates several slots, or one with many values.
    pub fn is_general(&self) -> bool {
        matches!(self, Predicate::AtMost(_) | Predicate::Zero(_))
    }

    /// Its text, with the names of the network.
    pub fn text(&self, network: &Network, slots: &Slots) -> String {
        Text {
            predicate: self,
            network,
            slots,
        }
        .to_string()
    }
}

struct Text<'a> {
    predicate: &'a Predicate,
    network: &'a Network,
    slots: &'a Slots,
}

impl Text<'_> {
    fn name(&self, slot: u32) -> String {
        match (self.slots.process(slot), self.slots.address(slot)) {
            (Some(process), _) => format!("loc({})", self.network.processes[process].name),
            (None, Some(address)) => self.network.cell_name(address),
            (None, None) => format!("#{slot}"),
        }
    }

    fn value(&self, slot: u32, value: i64) -> String {
        match self.slots.process(slot) {
            Some(process) => {
                let locations = &self.network.processes[process].locations;
                (locations.get(value as usize)).map_or(value.to_string(), |at| at.name.clone())
            }
            None => value.to_string(),
        }
    }

    fn values(&self, f: &mut fmt::Formatter<'_>, slot: u32, mask: u64) -> fmt::Result {
        let (name, full) = (self.name(slot), self.slots.full(slot));
        let (low, _) = self.slots.range(slot);
        let first = low + i64::from(mask.trailing_zeros());
        let last = low + 63 - i64::from(mask.leading_zeros());
        let span = self
            .slots
            .mask(slot, |value| (first..=last).contains(&value));
        if mask.count_ones() == 1 {
            write!(f, "{name} = {}", self.value(slot, first))
        } else if mask == span && mask & 1 != 0 {
            write!(f, "{name} <= {}", self.value(slot, last))
        } else if mask == span && (full & !mask) >> (last - low).min(63) == 0 {
            write!(f, "{name} >= {}", self.value(slot, first))
        } else {
            let members = (0..64).filter(|bit| mask >> bit & 1 == 1);
            let members: Vec<String> = members.map(|bit| self.value(slot, low + bit)).collect();
            write!(f, "{name} in {{{}}}", members.join(", "))
        }
    }

    /// Positive terms on the left, the others and the constant on the right: `i = j + 3`.
    fn sides(&self, form: &Linear) -> (String, String) {
        let side = |sign: i64, constant: i64| {
            let terms = form.terms.iter().filter(|term| term.1 * sign > 0);
            let mut parts: Vec<String> = terms
                .map(|(slot, by)| match by * sign {
                    1 => self.name(*slot),
                    by => format!("{by} * {}", self.name(*slot)),
                })
                .collect();
            if constant != 0 || parts.is_empty() {
                parts.push(constant.to_string());
            }
            parts.join(" + ").replace("+ -", "- ")
        };
        (side(1, 0), side(-1, -form.constant))
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.predicate {
            Predicate::Values { slot, mask } => self.values(f, *slot, *mask),
            Predicate::AtMost(form) => {
                let (left, right) = self.sides(form);
                write!(f, "{left} <= {right}")
            }
            Predicate::Zero(form) => {
                let (left, right) = self.sides(form);
                write!(f, "{left} = {right}")
            }
            Predicate::Clock { left, right, bound } => {
                let name = |row: u16| {
                    let clock = ClockId(u32::from(row) - 1);
                    self.network.clocks[clock.index()].name.as_str()
                };
                let sign = if is_strict(*bound) { "<" } else { "<=" };
                write!(f, "{}", name(*left))?;
                if *right != 0 {
                    write!(f, " - {}", name(*right))?;
                }
                write!(f, " {sign} {}", constant(*bound))
            }
        }
    }
}
