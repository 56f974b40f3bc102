//! How far the values of clocks matter: lower and upper bounds by location.
//!
//! The static guard analysis of Behrmann, Bouyer, Fleury and Larsen ("Static Guard Analysis in Timed Automata
//! Verification", TACAS 2003), with the distinction of lower (L) and upper (U) bounds of Behrmann, Bouyer, Larsen and
//! Pelánek ("Lower and Upper Bounds in Zone-Based Abstractions of Timed Automata", STTT 2006). Each process contributes
//! bounds at each of its locations; those of a location vector are their pointwise maximum. That is sound for the
//! network: an edge that moves one process leaves the others' contributions as they are, and each process's own
//! contribution does not fall along an edge that does not reset the clock.
//!
//! Some constraints are also used negatively: a guard on an urgent channel forbids delay where it holds, a broadcast
//! receiver whose guard holds must join, a transition of high priority puts off others. The simulation behind L and U
//! keeps the truth of a constraint in one direction only, so these count as lower *and* upper bounds.

mod differences;
mod effects;
mod propagate;
mod seeds;

pub use differences::{Difference, Differences, endless_difference};

use merkhet_network::{ClockId, Formula, LocationId, Network, ProcessId};

/// The clock is never compared: its value does not matter.
pub const NO_BOUND: i32 = i32::MIN;
/// Every value of the clock matters: it must never be abstracted.
pub const UNBOUNDED: i32 = i32::MAX;

/// What a query asks of the bounds, beyond the network itself.
#[derive(Clone, Copy, Default, Debug)]
pub struct Demand<'a> {
    /// Formulas whose truth at a state must be kept (searched for in this polarity).
    pub formulas: &'a [&'a Formula],
    /// Keep the truth of each constraint in both directions (M instead of L and U). Deadlock and liveness need it; a
    /// formula that mentions `deadlock` turns it on by itself.
    pub symmetric: bool,
    /// Clocks whose exact value matters everywhere (`sup`, least time). The search may then not terminate.
    pub exact: &'a [ClockId],
}

/// The bounds that one process contributes for one clock at one location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundsRow {
    /// The clock.
    pub clock: ClockId,
    /// The largest constant that it is compared with from below (`x > c`, `x ≥ c`), or [`NO_BOUND`].
    pub lower: i32,
    /// The largest constant that it is compared with from above (`x < c`, `x ≤ c`), or [`NO_BOUND`].
    pub upper: i32,
}

/// Lower and upper bounds of clocks by location.
#[derive(Clone, Debug)]
pub struct ClockBounds {
    /// By process and location: the clocks that matter there.
    rows: Vec<Vec<Vec<BoundsRow>>>,
    /// By clock: bounds that hold at every location vector.
    everywhere: Vec<BoundsRow>,
    differences: Differences,
}

impl ClockBounds {
    /// Analyses a network for a query.
    pub fn new(network: &Network, demand: &Demand<'_>) -> ClockBounds {
        let symmetric = demand.symmetric || demand.formulas.iter().any(|f| mentions_deadlock(f));
        let mut seeds = seeds::collect(network, demand, symmetric);
        let differences = differences::collect(network, demand, &mut seeds.everywhere);
        effects::close_under_copies(network, &mut seeds);
        let rows = propagate::backwards(network, &mut seeds);
        let everywhere = seeds.everywhere.rows();
        ClockBounds {
            rows,
            everywhere,
            differences,
        }
    }

    /// What a process at a location contributes; clocks that are not listed do not matter to it.
    pub fn at(&self, process: ProcessId, location: LocationId) -> &[BoundsRow] {
        &self.rows[process.index()][location.index()]
    }

    /// What counts at every location vector (query constants, clocks in differences), for the clocks that have some.
    pub fn everywhere(&self) -> &[BoundsRow] {
        &self.everywhere
    }

    /// The differences of clocks that the network or the query compares.
    pub fn differences(&self) -> &Differences {
        &self.differences
    }

    /// The bounds of a location vector, by clock, written into the caller's buffers.
    pub fn of_vector(&self, locations: &[LocationId], lower: &mut [i32], upper: &mut [i32]) {
        lower.fill(NO_BOUND);
        upper.fill(NO_BOUND);
        let own = self
            .rows
            .iter()
            .zip(locations)
            .flat_map(|(rows, location)| &rows[location.index()]);
        for row in own.chain(&self.everywhere) {
            let clock = row.clock.index();
            lower[clock] = lower[clock].max(row.lower);
            upper[clock] = upper[clock].max(row.upper);
        }
    }

    /// The largest bounds over all locations, by clock: the coarser, global form of the analysis.
    pub fn global(&self, clocks: usize) -> Vec<BoundsRow> {
        let mut table = Table::new(clocks);
        for row in self.rows.iter().flatten().flatten().chain(&self.everywhere) {
            table.add(row.clock, row.lower, row.upper);
        }
        table.rows()
    }
}

/// Whether `deadlock` occurs in a formula.
pub fn mentions_deadlock(formula: &Formula) -> bool {
    match formula {
        Formula::Deadlock => true,
        Formula::Data(_) | Formula::Clock(_) => false,
        Formula::Not(inner) => mentions_deadlock(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(mentions_deadlock),
    }
}

/// Lower and upper bounds, one pair for each clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Table {
    pub lower: Vec<i32>,
    pub upper: Vec<i32>,
}

impl Table {
    pub fn new(clocks: usize) -> Table {
        Table {
            lower: vec![NO_BOUND; clocks],
            upper: vec![NO_BOUND; clocks],
        }
    }

    /// Raises the bounds of a clock; says whether that changed anything.
    pub fn add(&mut self, clock: ClockId, lower: i32, upper: i32) -> bool {
        let (l, u) = (
            &mut self.lower[clock.index()],
            &mut self.upper[clock.index()],
        );
        let changed = lower > *l || upper > *u;
        *l = (*l).max(lower);
        *u = (*u).max(upper);
        changed
    }

    /// The clocks that have a bound.
    pub fn rows(&self) -> Vec<BoundsRow> {
        (self.lower.iter().zip(&self.upper).enumerate())
            .filter(|(_, (lower, upper))| **lower != NO_BOUND || **upper != NO_BOUND)
            .map(|(clock, (lower, upper))| BoundsRow {
                clock: ClockId::from(clock),
                lower: *lower,
                upper: *upper,
            })
            .collect()
    }
}
