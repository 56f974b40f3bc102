//! How a network is to be explored.

use merkhet_analysis::Demand;
use merkhet_network::{Expr, Tuning};

/// How zones are enlarged so that there are finitely many.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Extrapolation {
    /// Not at all. The exploration may be infinite, unless states are compared by simulation.
    None,
    /// By the largest constant that a clock is compared with.
    M,
    /// As M, and clocks above it lose their differences.
    MPlus,
    /// By the largest constants that a clock is compared with from below and from above.
    Lu,
    /// As LU, and clocks above them lose their differences.
    #[default]
    LuPlus,
}

/// Whether bounds of clocks are those of the current locations or the largest of the whole network.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scope {
    /// By location.
    #[default]
    Local,
    /// One bound for every location.
    Global,
}

/// What to compile besides the network, and how precisely to explore.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// How zones are enlarged.
    pub extrapolation: Extrapolation,
    /// Where bounds of clocks hold.
    pub scope: Scope,
    /// The formulas that are asked for (compiled as goals, in this order), and how precise zones must be.
    pub demand: Demand<'a>,
    /// Expressions over the discrete part whose values are asked for (compiled in this order).
    pub expressions: &'a [&'a Expr],
    /// Give variables that are not read any more a fixed value ([`merkhet_analysis::live`]), so that states that differ
    /// only there become one. Runs stay runs; the states are not those of the network cell by cell.
    pub forget_dead: bool,
    /// Give one state for all that differ by a permutation of interchangeable processes ([`merkhet_analysis::symmetry`]), where
    /// formulas and zones permit it. What is found is then reached up to a permutation; [`crate::Explorer::plain`] knows none.
    pub symmetry: bool,
    /// Values other than the defaults for [`crate::tuning`] and what it is built on.
    pub tuning: Option<&'a Tuning>,
}

impl Options<'_> {
    pub(crate) fn tuning(&self) -> Tuning {
        self.tuning.cloned().unwrap_or_default()
    }
}
