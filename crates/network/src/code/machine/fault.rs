//! What can go wrong at run time.

use std::fmt;

use crate::constraint::MAX_CLOCK_CONSTANT;
use crate::ids::SiteId;
use crate::network::Network;

/// Why an evaluation has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultKind {
    /// A value outside the range of the variable, parameter or result that it goes to.
    OutOfRange {
        /// The value.
        value: i32,
        /// Smallest allowed.
        low: i32,
        /// Largest allowed.
        high: i32,
    },
    /// An array index that is negative or too large.
    IndexOutOfRange {
        /// The index.
        index: i32,
        /// The number of elements.
        length: u32,
    },
    /// A division or remainder by 0.
    DivisionByZero,
    /// A shift by a negative number of bits, or by more than 31.
    NegativeShift {
        /// The number of bits.
        count: i32,
    },
    /// The quotient of the smallest integer and -1, which does not fit in 32 bits.
    Overflow,
    /// A clock set to a negative value.
    NegativeClock {
        /// The value.
        value: i32,
    },
    /// A clock set to a value beyond [`MAX_CLOCK_CONSTANT`].
    ClockTooLarge {
        /// The value.
        value: i32,
    },
    /// A power with a negative exponent.
    NegativeExponent {
        /// The exponent.
        exponent: i32,
    },
    /// The evaluation took more steps than it was given.
    StepLimit,
    /// No fault of the model: time was over, or the caller said so, in the middle of something.
    Ended,
}

impl FaultKind {
    /// Whether the model is all right, as far as is known, and only a limit was reached.
    pub fn is_limit(&self) -> bool {
        matches!(self, FaultKind::StepLimit | FaultKind::Ended)
    }
}

/// A fault and where it happened.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// Where, if it is known.
    pub site: SiteId,
}

impl Fault {
    /// The fault in a sentence, with its source position where the network knows it.
    pub fn describe(&self, network: &Network) -> String {
        match network.site(self.site) {
            None => self.to_string(),
            Some(site) => {
                let place = format!("{}:{}:{}", site.file, site.line, site.column);
                let context = match site.context.as_str() {
                    "" => String::new(),
                    context => format!(" ({context})"),
                };
                let text = match site.text.as_str() {
                    "" => String::new(),
                    text => format!(": `{text}`"),
                };
                format!("{place}{context}: {self}{text}")
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::OutOfRange { value, low, high } => {
                write!(f, "the value {value} is outside the range [{low},{high}]")
            }
            FaultKind::IndexOutOfRange { index, length } => {
                write!(
                    f,
                    "the index {index} is outside an array of {length} elements"
                )
            }
            FaultKind::DivisionByZero => f.write_str("division by zero"),
            FaultKind::NegativeShift { count } => {
                write!(
                    f,
                    "a shift by {count} bits; the number must be within [0,31]"
                )
            }
            FaultKind::Overflow => f.write_str("the quotient does not fit in 32 bits"),
            FaultKind::NegativeClock { value } => {
                write!(f, "a clock is set to the negative value {value}")
            }
            FaultKind::ClockTooLarge { value } => {
                write!(
                    f,
                    "a clock is set to {value}, which is beyond {MAX_CLOCK_CONSTANT}"
                )
            }
            FaultKind::NegativeExponent { exponent } => {
                write!(f, "the exponent {exponent} is negative")
            }
            FaultKind::StepLimit => {
                f.write_str("the evaluation did not end within the allowed number of steps")
            }
            FaultKind::Ended => f.write_str("there was no more time"),
        }
    }
}
