//! What goes wrong when an expression or a statement is evaluated.

use std::fmt;

use merkhet_network::{Network, SiteId};

/// Why an evaluation has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// A result does not fit into 32 bits.
    Overflow,
    /// A division or remainder by 0.
    DivisionByZero,
    /// A negative exponent.
    NegativeExponent,
    /// A shift by a negative count or by more than 31.
    ShiftCount,
    /// An array index outside the array.
    Index,
    /// A value outside the range of its type.
    Range,
    /// A clock is set to a negative value.
    NegativeClock,
    /// A clock bound or value beyond [`merkhet_network::MAX_CLOCK_CONSTANT`].
    ClockConstant,
    /// The rate of a clock is neither 0 nor 1.
    Rate,
    /// Too many steps: an endless loop, or too deep a nesting of calls.
    Endless,
    /// The value depends on what a `meta` variable held before; only certificates meet this.
    UnknownMeta,
    /// The network refers to something that it does not have.
    Malformed,
}

/// A failed evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Why.
    pub kind: FaultKind,
    /// Where, if known.
    pub site: SiteId,
}

impl Fault {
    pub(crate) const fn at(kind: FaultKind, site: SiteId) -> Fault {
        Fault { kind, site }
    }

    pub(crate) const fn new(kind: FaultKind) -> Fault {
        Fault::at(kind, SiteId::NONE)
    }

    /// The fault in words, with its place if the network knows it.
    pub fn describe(&self, network: &Network) -> String {
        match network.site(self.site) {
            Some(site) => format!(
                "{self} at {}:{}:{} ({})",
                site.file, site.line, site.column, site.context
            ),
            None => self.to_string(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self.kind {
            FaultKind::Overflow => "arithmetic overflow",
            FaultKind::DivisionByZero => "division by zero",
            FaultKind::NegativeExponent => "negative exponent",
            FaultKind::ShiftCount => "shift count outside 0..31",
            FaultKind::Index => "array index out of range",
            FaultKind::Range => "value out of range",
            FaultKind::NegativeClock => "negative clock value",
            FaultKind::ClockConstant => "clock constant too large",
            FaultKind::Rate => "clock rate neither 0 nor 1",
            FaultKind::Endless => "evaluation does not end",
            FaultKind::UnknownMeta => "depends on the former value of a meta variable",
            FaultKind::Malformed => "malformed network",
        })
    }
}

/// Why an update has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The verification ends with an error here.
    Fault(Fault),
    /// The transition does not exist ([`merkhet_network::OutOfRange::Disable`]).
    Disabled,
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}
