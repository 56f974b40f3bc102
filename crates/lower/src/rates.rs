//! Rates other than 0 and 1, of clocks that only measure: costs, energy.
//!
//! A clock that no guard and no invariant tests decides nothing, whatever its rate is. Such rates are left out, and
//! queries may not ask for the clock.

use crate::data::object::Object;
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, UNSUPPORTED};
use merkhet_network::ClockId;
use merkhet_syntax::Span;
use rustc_hash::FxHashSet;

/// A rate that zones cannot express.
pub struct OddRate {
    /// The clocks that it may be of.
    pub clocks: Vec<u32>,
    /// What it is.
    pub what: &'static str,
    /// Where it stands.
    pub span: Span,
}

impl Lowerer<'_> {
    /// Notes a rate that zones cannot express; whether that matters is known when all edges are.
    pub fn odd_rate(&mut self, clock: &Object, what: &'static str, span: Span) -> Lower<()> {
        let strides: Vec<u32> = clock.indices.iter().map(|index| index.clocks).collect();
        let cases = self.index_cases(clock, clock.clock, &strides, span)?;
        let clocks = cases.into_iter().map(|(_, clock)| clock).collect();
        self.odd_rates.push(OddRate { clocks, what, span });
        Ok(())
    }

    /// Refuses such rates of clocks that the model tests, and keeps queries from the others.
    pub fn settle_odd_rates(&mut self) {
        let rates = std::mem::take(&mut self.odd_rates);
        if rates.is_empty() {
            return;
        }
        let tested = self.tested_clocks();
        for rate in rates {
            if rate
                .clocks
                .iter()
                .any(|clock| tested.contains(&ClockId(*clock)))
            {
                self.unsupported::<()>(rate.what, rate.span).ok();
                continue;
            }
            let what = rate.what;
            self.warn(
                UNSUPPORTED,
                format!(
                    "{what} is left out: the model does not test the clock, and queries cannot"
                ),
                rate.span,
            );
            self.tables.hybrid.extend(rate.clocks);
        }
    }

    fn tested_clocks(&self) -> FxHashSet<ClockId> {
        let mut tested = FxHashSet::default();
        for process in &self.network.processes {
            let invariants = process
                .locations
                .iter()
                .map(|location| &location.invariant.clocks);
            let guards = process.edges.iter().map(|edge| &edge.guard.clocks);
            for constraint in invariants.chain(guards).flatten() {
                tested.extend([constraint.left, constraint.right].into_iter().flatten());
            }
        }
        tested
    }
}
