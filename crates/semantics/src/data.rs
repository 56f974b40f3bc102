//! Conditions, values and updates over the discrete part, with short cuts for the frequent simple ones.

use merkhet_network::code::{CodeId, Fault, FaultKind, Machine, Program};
use merkhet_network::{BinaryOp, ClockId, MAX_CLOCK_CONSTANT, SiteId};
use merkhet_zones::bound::{Bound, le, lt};
use merkhet_zones::zone::Constraint;

use crate::cancellation::Cancellation;
use crate::compile::memo::{Memos, Plan};

/// Evaluates code over the memory of one thread.
pub(crate) struct Evaluator<'s> {
    pub program: &'s Program,
    pub machine: Machine,
    pub plans: &'s [Plan],
    pub memos: Memos,
    pub cancellation: Option<Cancellation<'s>>,
}

/// A comparison of a cell with a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison {
    pub slot: u32,
    pub op: BinaryOp,
    pub value: i32,
}

impl Comparison {
    #[inline]
    fn holds(&self, memory: &[i32]) -> bool {
        let cell = memory[self.slot as usize];
        match self.op {
            BinaryOp::Equal => cell == self.value,
            BinaryOp::NotEqual => cell != self.value,
            BinaryOp::Less => cell < self.value,
            BinaryOp::LessEqual => cell <= self.value,
            BinaryOp::Greater => cell > self.value,
            _ => cell >= self.value,
        }
    }
}

/// A condition on the discrete part.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    True,
    False,
    /// One comparison.
    One(Comparison),
    /// Several comparisons, all of which must hold.
    All(Box<[Comparison]>),
    Code(CodeId),
    /// Code that takes long, and the number of its memory ([`crate::compile::memo`]).
    Remembered(CodeId, u32),
}

impl Test {
    #[inline]
    pub fn holds(&self, evaluator: &mut Evaluator<'_>) -> Result<bool, Fault> {
        match self {
            Test::True => Ok(true),
            Test::False => Ok(false),
            Test::One(comparison) => Ok(comparison.holds(&evaluator.machine.memory)),
            Test::All(comparisons) => Ok(comparisons
                .iter()
                .all(|c| c.holds(&evaluator.machine.memory))),
            Test::Code(code) => Ok(evaluator.evaluate(*code)? != 0),
            Test::Remembered(code, number) => evaluator.holds(*code, *number),
        }
    }
}

/// An integer that depends on the discrete part.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Const(i32),
    Cell(u32),
    Code(CodeId),
}

impl Value {
    #[inline]
    pub fn get(self, evaluator: &mut Evaluator<'_>) -> Result<i32, Fault> {
        match self {
            Value::Const(value) => Ok(value),
            Value::Cell(slot) => Ok(evaluator.machine.memory[slot as usize]),
            Value::Code(code) => evaluator.evaluate(code),
        }
    }
}

/// A constraint on clocks whose bound or condition depends on the discrete part.
#[derive(Clone, Debug)]
pub(crate) struct DynamicConstraint {
    pub condition: Test,
    pub left: u16,
    pub right: u16,
    pub strict: bool,
    pub bound: Value,
    pub site: SiteId,
}

impl DynamicConstraint {
    /// The constraint in the present discrete state, if its condition holds.
    pub fn get(&self, evaluator: &mut Evaluator<'_>) -> Result<Option<Constraint>, Fault> {
        if !self.condition.holds(evaluator)? {
            return Ok(None);
        }
        let value = self.bound.get(evaluator)?;
        let bound = packed(value, self.strict, self.site)?;
        Ok(Some(Constraint {
            left: self.left,
            right: self.right,
            bound,
        }))
    }
}

/// The bound of a constraint as the zones hold it.
pub(crate) fn packed(value: i32, strict: bool, site: SiteId) -> Result<Bound, Fault> {
    if !(-MAX_CLOCK_CONSTANT..=MAX_CLOCK_CONSTANT).contains(&value) {
        let kind = FaultKind::OutOfRange {
            value,
            low: -MAX_CLOCK_CONSTANT,
            high: MAX_CLOCK_CONSTANT,
        };
        return Err(Fault { kind, site });
    }
    Ok(if strict { lt(value) } else { le(value) })
}

/// The constraints on clocks of a guard or invariant: those that never change first.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClockPart {
    pub fixed: Box<[Constraint]>,
    pub dynamic: Box<[DynamicConstraint]>,
}

impl ClockPart {
    pub fn is_empty(&self) -> bool {
        self.fixed.is_empty() && self.dynamic.is_empty()
    }

    /// Appends the constraints that count in the present discrete state.
    #[inline]
    pub fn collect(
        &self,
        evaluator: &mut Evaluator<'_>,
        found: &mut Vec<Constraint>,
    ) -> Result<(), Fault> {
        found.extend_from_slice(&self.fixed);
        for constraint in &self.dynamic {
            found.extend(constraint.get(evaluator)?);
        }
        Ok(())
    }
}

/// What an edge does to data and clocks.
#[derive(Clone, Debug)]
pub(crate) enum Update {
    /// Only constants are assigned, within range.
    Simple {
        cells: Box<[(u32, i32)]>,
        clocks: Box<[(ClockId, i32)]>,
    },
    Code(CodeId),
}

impl Evaluator<'_> {
    /// To be called before each piece of work that may be one of very many.
    #[inline]
    pub fn go_on(&mut self) -> Result<(), Fault> {
        match (self.cancellation.as_mut()).is_some_and(Cancellation::is_due) {
            true => Err(Fault {
                kind: FaultKind::Ended,
                site: SiteId::NONE,
            }),
            false => Ok(()),
        }
    }

    #[inline]
    pub fn evaluate(&mut self, code: CodeId) -> Result<i32, Fault> {
        self.machine.evaluate(self.program, code)
    }

    fn holds(&mut self, code: CodeId, number: u32) -> Result<bool, Fault> {
        if let Some(known) = self.memos.look_up(self.plans, number, &self.machine.memory) {
            return Ok(known);
        }
        let outcome = self.machine.evaluate(self.program, code)? != 0;
        (self.memos).remember(self.plans, number, &self.machine.memory, outcome);
        Ok(outcome)
    }

    #[inline]
    pub fn run(&mut self, code: CodeId) -> Result<(), Fault> {
        self.machine.clock_updates.clear();
        self.machine.run(self.program, code)
    }
}
