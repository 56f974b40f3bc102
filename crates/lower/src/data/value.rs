//! What an expression turns out to be: data, an object, a term or formula over clocks, a process.

use crate::data::object::Object;
use crate::data::types::Type;
use merkhet_network::{ClockConstraint, Expr, ProcessId, SiteId};
use merkhet_syntax::Span;

/// The meaning of an expression.
#[derive(Clone, Debug)]
pub enum Value {
    /// One integer, Boolean or scalar.
    Data(Expr, Type),
    /// A variable, clock, channel, array or structure.
    Object(Object),
    /// A sum with clocks in it.
    Clock(ClockTerm),
    /// The rate of a clock.
    Rate(Object),
    /// A Boolean combination with clock constraints, rates or `deadlock` in it.
    Formula(Form),
    /// The name of a template or instance.
    Instance(u32),
    /// A process; several, each with its condition, where the arguments are known at run time only.
    Process(Vec<(Expr, ProcessId)>),
    /// The call of a function without result.
    Nothing(Expr),
    /// The rate of a clock outside the symbolic language.
    HybridRate(&'static str, Span),
    /// A quantity outside the symbolic language whose use can be left out where it decides nothing.
    Unsupported(&'static str, Span),
}

/// `plus − minus + offset`.
#[derive(Clone, Debug)]
pub struct ClockTerm {
    /// The clock with the plus sign.
    pub plus: Option<Object>,
    /// The clock with the minus sign.
    pub minus: Option<Object>,
    /// The rest.
    pub offset: Expr,
}

/// A Boolean combination of data and clock constraints.
#[derive(Clone, Debug)]
pub enum Form {
    /// Only data and locations.
    Data(Expr),
    /// A constraint on clocks, without condition.
    Clock(ClockConstraint),
    /// `clock' == value`.
    Rate {
        /// The clock.
        clock: u32,
        /// Its rate.
        value: Expr,
        /// Where it stands.
        site: SiteId,
        /// Where it stands.
        span: Span,
    },
    /// `deadlock`.
    Deadlock,
    /// Negation.
    Not(Box<Form>),
    /// Conjunction.
    And(Vec<Form>),
    /// Disjunction.
    Or(Vec<Form>),
    /// The formula of the one condition that holds; exactly one does.
    Select(Vec<(Expr, Form)>),
}

impl Form {
    /// Conjunction, flattened and folded.
    pub fn and(parts: impl IntoIterator<Item = Form>) -> Form {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Form::And(inner) => all.extend(inner),
                Form::Data(Expr::Const(value)) if value != 0 => {}
                other => all.push(other),
            }
        }
        match all.len() {
            0 => Form::Data(Expr::TRUE),
            1 => all.remove(0),
            _ => Form::And(all),
        }
    }

    /// Disjunction, flattened and folded.
    pub fn or(parts: impl IntoIterator<Item = Form>) -> Form {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Form::Or(inner) => all.extend(inner),
                Form::Data(Expr::Const(0)) => {}
                other => all.push(other),
            }
        }
        match all.len() {
            0 => Form::Data(Expr::FALSE),
            1 => all.remove(0),
            _ => Form::Or(all),
        }
    }

    /// Negation.
    #[must_use]
    pub fn negated(self) -> Form {
        match self {
            Form::Data(expr) => Form::Data(expr.negated()),
            Form::Not(inner) => *inner,
            other => Form::Not(Box::new(other)),
        }
    }

    /// The data, if there is nothing else in it.
    pub fn as_data(&self) -> Option<&Expr> {
        match self {
            Form::Data(expr) => Some(expr),
            _ => None,
        }
    }
}
