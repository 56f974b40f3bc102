//! Cartesian regression: the one abstract predecessor of a vector under a transition (section 3 of the paper).
//!
//! Effects are functions of the state before, so a primed predicate of the successor is its weakest precondition, an
//! unprimed condition. Each case of a transition is compiled against the predicates once:
//! * a predicate value that the case cannot lead to is one bit of `never`, which refuses most pairs at once;
//! * predicates on slots that the case neither reads nor writes keep their value: `keep`;
//! * slots with few values are decided by sets of values (`SlotStep`);
//! * what relates several slots goes to [`crate::pa::decide`], with the answers remembered (`GeneralStep`);
//! * clocks go to [`crate::pa::clocks`].

pub(in crate::pa) mod arithmetic;
pub(in crate::pa) mod assume;
pub mod cases;
pub(in crate::pa) mod compile;
pub mod evaluate;
pub(in crate::pa) mod run;
pub mod world;

use rustc_hash::FxHashMap;

use crate::pa::Budget;
use crate::pa::cases::{Case, Cases};
use crate::pa::clocks::{self, ClockRegression};
use crate::pa::compile::{Compiled, GeneralStep, SlotStep};
use crate::pa::decide::{Problem, Satisfiable, Truth};
use crate::pa::predicate::{self, Condition, Predicate};
use crate::pa::slots::Slots;
use crate::pa::vector;
use crate::pa::world::ClockBound;

/// A compiled case's number within its abstraction.
pub type CaseNumber = u32;

/// Regression for one set of predicates.
pub struct Regression<'c> {
    slots: &'c Slots,
    /// The predicates, clocks last.
    pub predicates: Vec<Predicate>,
    compiled: Vec<Compiled>,
    /// The transitions of [`Cases`] that a compiled case came from.
    origins: Vec<Vec<u32>>,
    goals: Vec<Compiled>,
    clocks: ClockRegression,
    generals: Vec<GeneralStep>,
    known_generals: FxHashMap<GeneralStep, u32>,
    answers: vector::Answers,
    /// True bits of predicates that say that a process is where time does not pass.
    urgent: Vec<u64>,
    budget: Option<&'c Budget<'c>>,
}

/// The weakest precondition of a predicate; `None` if it depends on an unknown value or has no normal form.
pub fn weakest_precondition(
    slots: &Slots,
    case: &Case,
    predicate: &Predicate,
) -> Option<Condition> {
    let same = || {
        Some(Condition::Literal(predicate::Literal {
            predicate: predicate.clone(),
            positive: true,
        }))
    };
    if let Predicate::Clock { left, right, bound } = *predicate {
        let bound = ClockBound { left, right, bound };
        return clocks::before(&case.clock_effects, bound);
    }
    let read = predicate.slots();
    if !case.effects.iter().any(|(slot, _)| read.contains(slot)) {
        return same();
    }
    compile::precondition(slots, case, predicate)
}

impl<'c> Regression<'c> {
    /// Compiles the cases against the predicates, which must be distinct.
    pub fn new(
        slots: &'c Slots,
        cases: &'c Cases,
        urgent_at: impl Fn(&Predicate) -> bool,
        mut predicates: Vec<Predicate>,
    ) -> Self {
        predicates.sort_by_key(Predicate::is_clock);
        let half = vector::words(predicates.len());
        let mut urgent = vec![0; half];
        for (number, predicate) in predicates.iter().enumerate() {
            if urgent_at(predicate) {
                urgent[number / 64] |= 1 << (number % 64);
            }
        }
        let mut regression = Regression {
            slots,
            clocks: ClockRegression::new(&predicates),
            predicates,
            compiled: Vec::new(),
            origins: Vec::new(),
            goals: Vec::new(),
            generals: Vec::new(),
            known_generals: FxHashMap::default(),
            answers: vector::Answers::default(),
            urgent,
            budget: None,
        };
        regression.compile(cases);
        regression
    }

    /// Decides only while something is left of a budget.
    #[must_use]
    pub fn within(self, budget: &'c Budget<'c>) -> Self {
        Regression {
            budget: Some(budget),
            ..self
        }
    }

    /// Whether nothing is left of the budget.
    pub fn is_over(&self) -> bool {
        self.budget.is_some_and(Budget::is_over)
    }

    fn compile(&mut self, cases: &Cases) {
        let mut known: FxHashMap<Compiled, usize> = FxHashMap::default();
        let nothing = vec![0; 2 * self.half()];
        let mut scratch = nothing.clone();
        for (number, case) in cases.transitions.iter().enumerate() {
            let Some(mut compiled) = self.compile_case(case) else {
                continue;
            };
            scratch.fill(0);
            if !self.clocks.regress(compiled.clock, &nothing, &mut scratch) {
                continue; // guard or invariants cannot be met
            }
            let idle = self.clocks.is_empty() || self.clocks.is_idle(compiled.clock);
            if idle && compiled.slots.is_empty() && compiled.general.is_empty() {
                continue; // its predecessors are subsumed by their successors
            }
            if self.clocks.is_empty() {
                (compiled.clock, compiled.instant) = (0, 0);
            }
            let next = self.compiled.len();
            let at = *known.entry(compiled).or_insert_with_key(|compiled| {
                self.compiled.push(compiled.clone());
                self.origins.push(Vec::new());
                next
            });
            self.origins[at].push(number as u32);
        }
        for case in &cases.goals {
            if let Some(compiled) = self.compile_case(case) {
                self.goals.push(compiled);
            }
        }
    }

    fn compile_case(&mut self, case: &Case) -> Option<Compiled> {
        let (mut compiled, general) = compile::compile(self.slots, case, &self.predicates)?;
        for step in general {
            let next = self.generals.len() as u32;
            let number = *self.known_generals.entry(step.clone()).or_insert(next);
            if number == next {
                self.generals.push(step);
            }
            compiled.general.push(number);
        }
        compiled.clock = self.clocks.class(case, true);
        compiled.instant = self.clocks.class(case, false);
        Some(compiled)
    }

    /// The words of the true bits.
    pub fn half(&self) -> usize {
        vector::words(self.predicates.len())
    }

    /// The number of compiled cases.
    pub fn cases(&self) -> usize {
        self.compiled.len()
    }

    /// The transitions of [`Cases`] behind each compiled case; there is at least one.
    pub fn origins(&self) -> &[Vec<u32>] {
        &self.origins
    }

    /// The abstract error states, one for each way to meet the goal.
    pub fn error_states(&mut self) -> Vec<Box<[u64]>> {
        let nothing = vec![0; 2 * self.half()];
        let goals = std::mem::take(&mut self.goals);
        let mut found: Vec<Box<[u64]>> = Vec::new();
        for goal in &goals {
            let mut vector = nothing.clone();
            if self.apply(goal, &nothing, &mut vector) {
                found.push(vector.into());
            }
        }
        self.goals = goals;
        found.sort();
        found.dedup();
        found
    }

    /// Computes the predecessor of `vector` under a case; false if there is none.
    pub fn predecessor(&mut self, case: CaseNumber, vector: &[u64], into: &mut [u64]) -> bool {
        let compiled = std::mem::take(&mut self.compiled[case as usize]);
        let found = self.apply(&compiled, vector, into);
        self.compiled[case as usize] = compiled;
        found
    }

    fn apply(&mut self, case: &Compiled, vector: &[u64], into: &mut [u64]) -> bool {
        if (case.never.iter().zip(vector)).any(|(never, word)| never & word != 0) {
            return false;
        }
        let half = vector.len() / 2;
        for (at, word) in into.iter_mut().enumerate() {
            *word = vector[at] & case.keep[at % half];
        }
        for step in &case.slots {
            if !step.apply(vector, into) {
                return false;
            }
        }
        for step in &case.general {
            if !self.apply_general(*step, vector, into) {
                return false;
            }
        }
        if self.clocks.is_empty() {
            return true;
        }
        let stands = (self.urgent.iter().zip(vector)).any(|(urgent, word)| urgent & word != 0);
        let class = if stands { case.instant } else { case.clock };
        self.clocks.regress(class, vector, into)
    }

    fn apply_general(&mut self, number: u32, vector: &[u64], into: &mut [u64]) -> bool {
        let mut answers = std::mem::take(&mut self.answers);
        let step = &self.generals[number as usize];
        let found = answers.add(number, &step.relevant, vector, into, |bits| {
            self.decide(step, bits)
        });
        self.answers = answers;
        found
    }

    fn decide(&self, step: &GeneralStep, vector: &[u64]) -> Option<Box<[u64]>> {
        let mut problem = Problem::new(self.slots).within(self.budget);
        for (slot, mask) in &step.masks {
            problem.restrict(*slot, *mask);
        }
        for literal in &step.literals {
            problem.add(literal);
        }
        for input in &step.inputs {
            match vector::get(vector, input.predicate as usize) {
                Truth::True => problem.add(&input.literal),
                Truth::False => problem.add(&input.literal.clone().negated()),
                Truth::Open => {}
            }
        }
        if problem.satisfiable() == Satisfiable::No {
            return None;
        }
        let mut answer = vec![0; vector.len()];
        for output in &step.outputs {
            let truth = problem.decide(&self.predicates[*output as usize]);
            vector::set(&mut answer, *output as usize, truth);
        }
        Some(answer.into())
    }
}

impl SlotStep {
    fn apply(&self, vector: &[u64], into: &mut [u64]) -> bool {
        let half = vector.len() / 2;
        let mut values = self.base;
        for input in &self.inputs {
            let (word, bit) = (input.predicate as usize / 64, input.predicate % 64);
            if vector[word] >> bit & 1 == 1 {
                values &= input.if_true;
            } else if vector[half + word] >> bit & 1 == 1 {
                values &= input.if_false;
            }
        }
        if values == 0 {
            return false;
        }
        for (predicate, mask) in &self.outputs {
            let (word, bit) = (*predicate as usize / 64, predicate % 64);
            if values & !mask == 0 {
                into[word] |= 1 << bit;
            } else if values & mask == 0 {
                into[half + word] |= 1 << bit;
            }
        }
        true
    }
}
