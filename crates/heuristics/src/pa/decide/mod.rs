//! Decisions over bounded integers: can these literals hold together?
//!
//! Three steps, each of which can only cut away what is impossible. Differences of two variables are closed like a
//! difference bound matrix, so that large ranges need no enumeration. Other linear forms are propagated over intervals
//! (sets of values where there are at most 64). Where several variables have large ranges, equations are solved over the
//! integers, and variables of inequalities eliminated in pairs (Fourier and Motzkin). Then the smallest value of a variable is tried, or left out; after closure that hardly ever needs
//! to be taken back. A budget bounds the work: an answer is "no" only where it was proved.

pub mod clocks;

use merkhet_network::tuning::Tuning;

use crate::pa::Budget;
use crate::pa::budget::Effort;
use crate::pa::linear::Linear;
use crate::pa::predicate::{Literal, Predicate};
use crate::pa::slots::Slots;

mod eliminate;
mod equalities;
mod propagate;

use propagate::{Left, System};

/// Whether there is a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Satisfiable {
    /// There is one.
    Yes,
    /// There is none.
    No,
    /// It was not found out; treated as yes, which is sound here.
    Unknown,
}

/// What is known of a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Truth {
    /// It holds in every solution.
    True,
    /// It holds in none.
    False,
    /// Neither, or it was not found out.
    Open,
}

/// The relation of a form to 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    AtMost,
    Equal,
    Different,
}

/// A set of literals, as a problem to be solved.
#[derive(Clone, Debug)]
pub struct Problem<'s> {
    slots: &'s Slots,
    /// The slots, in ascending order, with the values that they can have.
    variables: Vec<(u32, Domain)>,
    atoms: Vec<(Linear, Relation)>,
    impossible: bool,
    budget: Option<&'s Budget<'s>>,
}

/// The values of a variable: an interval, and a set where that is small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Domain {
    pub low: i64,
    pub high: i64,
    /// Bit k: `base + k` is possible.
    pub mask: Option<u64>,
    pub base: i64,
}

impl<'s> Problem<'s> {
    /// Nothing is asked.
    pub fn new(slots: &'s Slots) -> Self {
        Problem {
            slots,
            variables: Vec::new(),
            atoms: Vec::new(),
            impossible: false,
            budget: None,
        }
    }

    /// Decides only while something is left of a budget.
    #[must_use]
    pub fn within(self, budget: Option<&'s Budget<'s>>) -> Self {
        Problem { budget, ..self }
    }

    fn variable(&mut self, slot: u32) -> usize {
        match self
            .variables
            .binary_search_by_key(&slot, |(slot, _)| *slot)
        {
            Ok(at) => at,
            Err(at) => {
                let (low, high) = self.slots.range(slot);
                let mask = self.slots.is_dense(slot).then(|| self.slots.full(slot));
                let domain = Domain {
                    low,
                    high,
                    mask,
                    base: low,
                };
                self.variables.insert(at, (slot, domain));
                at
            }
        }
    }

    /// Restricts a dense slot to a set of values.
    pub fn restrict(&mut self, slot: u32, mask: u64) {
        let at = self.variable(slot);
        let domain = &mut self.variables[at].1;
        domain.mask = domain.mask.map(|known| known & mask);
        self.impossible |= !domain.tighten();
    }

    /// Adds a literal; clocks are not for this place and ask for nothing.
    pub fn add(&mut self, literal: &Literal) {
        if let Some((slot, mask)) = literal.mask(self.slots) {
            self.restrict(slot, mask);
            return;
        }
        let (form, relation) = match (&literal.predicate, literal.positive) {
            (Predicate::AtMost(form), true) => (form.clone(), Relation::AtMost),
            (Predicate::AtMost(form), false) => {
                // Not t <= 0 is t >= 1, that is 1 − t <= 0.
                let Some(turned) = Linear::number(1).plus(form, -1) else {
                    return;
                };
                (turned, Relation::AtMost)
            }
            (Predicate::Zero(form), true) => (form.clone(), Relation::Equal),
            (Predicate::Zero(form), false) => (form.clone(), Relation::Different),
            _ => return,
        };
        for (slot, _) in &form.terms {
            self.variable(*slot);
        }
        self.atoms.push((form, relation));
    }

    /// Whether there are values that satisfy everything.
    pub fn satisfiable(&self) -> Satisfiable {
        if self.impossible {
            return Satisfiable::No;
        }
        if self.budget.is_some_and(Budget::is_over) {
            return Satisfiable::Unknown;
        }
        let index = |slot: &u32| {
            let found = self.variables.binary_search_by_key(slot, |(slot, _)| *slot);
            found.unwrap_or(0)
        };
        let atoms = self.atoms.iter().map(|(form, relation)| {
            let terms = form.terms.iter().map(|(slot, by)| (index(slot), *by));
            propagate::Atom {
                terms: terms.collect(),
                constant: form.constant,
                relation: *relation,
            }
        });
        let domains = self.variables.iter().map(|(_, domain)| *domain).collect();
        let usual = || Effort::of(&Tuning::default());
        let effort = (self.budget).map_or_else(usual, |budget| budget.effort);
        let mut left = Left {
            nodes: effort.nodes,
            effort,
        };
        let answer = System {
            domains,
            atoms: atoms.collect(),
        }
        .solve(&mut left);
        if let Some(budget) = self.budget {
            budget.spend(effort.nodes - left.nodes);
        }
        answer
    }

    /// What the problem, which must have a solution, says of a predicate.
    pub fn decide(&self, predicate: &Predicate) -> Truth {
        let with = |positive: bool| {
            let mut problem = self.clone();
            problem.add(&Literal {
                predicate: predicate.clone(),
                positive,
            });
            problem.satisfiable()
        };
        match predicate {
            Predicate::Clock { .. } => Truth::Open,
            _ if with(false) == Satisfiable::No => Truth::True,
            _ if with(true) == Satisfiable::No => Truth::False,
            _ => Truth::Open,
        }
    }
}

impl Domain {
    /// Makes interval and set agree; false if nothing is left.
    pub fn tighten(&mut self) -> bool {
        if let Some(mask) = self.mask {
            let mut left = mask;
            let (base, last) = (self.base, self.base + 63);
            if self.low > base {
                left &= u64::MAX
                    .checked_shl((self.low - base).min(64) as u32)
                    .unwrap_or(0);
            }
            if self.high < last {
                let keep = (self.high - base + 1).clamp(0, 64) as u32;
                left &= u64::MAX.checked_shr(64 - keep).unwrap_or(0);
            }
            self.mask = Some(left);
            if left == 0 {
                return false;
            }
            self.low = base + i64::from(left.trailing_zeros());
            self.high = base + 63 - i64::from(left.leading_zeros());
        }
        self.low <= self.high
    }

    /// Takes a value out where that is possible; false if nothing is left.
    pub fn remove(&mut self, value: i64) -> bool {
        if let Some(mask) = &mut self.mask
            && (0..64).contains(&(value - self.base))
        {
            *mask &= !(1 << (value - self.base));
        }
        if self.low == value {
            self.low += 1;
        }
        if self.high == value {
            self.high -= 1;
        }
        self.tighten()
    }

    pub fn contains(&self, value: i64) -> bool {
        let inside = (self.low..=self.high).contains(&value);
        inside
            && self
                .mask
                .is_none_or(|mask| mask >> (value - self.base) & 1 == 1)
    }
}
