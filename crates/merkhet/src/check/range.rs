//! Ranges of values: `sup`, `inf` and `bounds`.
//!
//! Integer expressions are read off every reachable discrete state. A clock (or a difference of clocks) is measured in
//! zones that keep its value exactly up to a horizon K: K is entered into the clock bounds as if the model compared
//! the clock with it. If all values lie below K they are exact. If a state lets time pass for ever, or a cycle of states
//! lets the clock grow (`unbounded`), the supremum is infinite. Otherwise the horizon is doubled.

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_lattice::bound::{Bound as Entry, INFINITY, constant, is_strict};
use merkhet_network::{
    ClockConstraint, ClockId, Expr, Extremum, Formula, MAX_CLOCK_CONSTANT, Measure, SiteId,
};
use merkhet_search::{self as search, Blind, Inclusion, Store, Strategy, Verdict};
use merkhet_semantics::{Explorer, Extrapolation, Fault, GoalId, Options, State, System};

use super::Task;
use super::reach::{figures, limits, stopped};
use crate::report::{Answer, Bound, Failure, Figures, Report, Value};

/// The first horizon is at least this.
const FIRST_HORIZON: i32 = 64;

/// What is known of one measure so far.
#[derive(Clone, Copy, Debug, Default)]
struct Range {
    low: Option<Bound>,
    high: Option<Bound>,
    /// Some value reached the horizon.
    beyond: bool,
}

impl Task<'_> {
    pub(super) fn range(
        &mut self,
        extremum: Extremum,
        predicate: &Formula,
        measures: &[(Measure, String)],
    ) -> Result<Report, Failure> {
        let remark = match self.lattice_range(extremum, predicate, measures)? {
            Ok(report) => return Ok(report),
            Err(remark) => remark,
        };
        let mut report = self.explicit_range(extremum, predicate, measures)?;
        report.reason = report.reason.or(remark);
        Ok(report)
    }

    fn explicit_range(
        &mut self,
        extremum: Extremum,
        predicate: &Formula,
        measures: &[(Measure, String)],
    ) -> Result<Report, Failure> {
        let start = Instant::now();
        let mut horizon = FIRST_HORIZON.max(self.largest_constant());
        let has_clocks = measures
            .iter()
            .any(|(measure, _)| matches!(measure, Measure::Clock { .. }));
        let mut report = Report {
            answer: Answer::Unknown,
            reason: None,
            values: Vec::new(),
            figures: Figures::default(),
            search: "bfs".into(),
            heuristic: None,
            found_by: None,
            trace: None,
            certificate: None,
            reduced: None,
            databases: None,
        };
        let mut infinite = vec![false; measures.len()];
        loop {
            let mut round = self.measure(predicate, measures, horizon, start)?;
            report.figures = round.figures;
            if let Some(reason) = round.stopped {
                report.reason = Some(reason);
                return Ok(report);
            }
            if extremum != Extremum::Infimum {
                self.find_infinite(predicate, measures, &mut round, &mut infinite, start)?;
            }
            let open = round
                .ranges
                .iter()
                .any(|range| range.beyond && extremum != Extremum::Infimum);
            if !has_clocks || !open {
                report.answer = Answer::Satisfied;
                report.values = values(extremum, measures, &round.ranges);
                if round.ranges.iter().all(|range| range.low.is_none()) {
                    report.reason = Some("no reachable state satisfies the condition".into());
                }
                return Ok(report);
            }
            if horizon > MAX_CLOCK_CONSTANT / 4 {
                report.reason = Some(format!(
                    "a clock exceeds {horizon}, and no state lets it grow without end"
                ));
                return Ok(report);
            }
            horizon *= 2;
        }
    }

    /// Looks for the clocks beyond the horizon that grow without end.
    fn find_infinite(
        &mut self,
        predicate: &Formula,
        measures: &[(Measure, String)],
        round: &mut Round,
        infinite: &mut [bool],
        start: Instant,
    ) -> Result<(), Failure> {
        let most = round
            .figures
            .stored
            .saturating_mul(8)
            .saturating_add(10_000);
        for ((range, (measure, _)), infinite) in
            (round.ranges.iter_mut().zip(measures)).zip(infinite)
        {
            let Measure::Clock {
                left: Some(clock),
                right: None,
            } = measure
            else {
                continue;
            };
            if range.beyond && !*infinite {
                *infinite = self.is_unbounded(predicate, *clock, most, start)? == Some(true);
            }
            if *infinite {
                range.include(None, Some(Bound::Infinite));
                range.beyond = false;
            }
        }
        Ok(())
    }

    /// The largest constant in the network's clock bounds: a horizon below it would not make the search smaller.
    fn largest_constant(&self) -> i32 {
        let constraints = self.network.processes.iter().flat_map(|process| {
            let guards = process.edges.iter().flat_map(|edge| &edge.guard.clocks);
            guards.chain(
                process
                    .locations
                    .iter()
                    .flat_map(|location| &location.invariant.clocks),
            )
        });
        let bounds = constraints.filter_map(|constraint| constraint.bound.as_const());
        bounds
            .map(|bound| bound.saturating_abs())
            .max()
            .unwrap_or(0)
            .min(MAX_CLOCK_CONSTANT / 4)
            .saturating_add(1)
    }

    fn measure(
        &mut self,
        predicate: &Formula,
        measures: &[(Measure, String)],
        horizon: i32,
        start: Instant,
    ) -> Result<Round, Failure> {
        let horizons: Vec<Formula> = measures
            .iter()
            .flat_map(|(measure, _)| horizon_of(measure, horizon))
            .collect();
        let formulas: Vec<&Formula> = std::iter::once(predicate).chain(&horizons).collect();
        let expressions: Vec<&Expr> = measures
            .iter()
            .filter_map(|(measure, _)| match measure {
                Measure::Data(expr) => Some(expr),
                Measure::Clock { .. } => None,
            })
            .collect();
        let demand = Demand {
            formulas: &formulas,
            symmetric: true,
            exact: &[],
        };
        let options = Options {
            extrapolation: Extrapolation::M,
            demand,
            expressions: &expressions,
            forget_dead: self.config.forgets_dead(),
            ..Options::default()
        };
        let system = self.system(&options)?;
        let spent = start.elapsed();
        let mut limits = limits(self.config);
        limits.timeout = limits.timeout.map(|limit| limit.saturating_sub(spent));
        let config = search::Config {
            strategy: Strategy::LargestFirst,
            inclusion: Inclusion::Zone,
            goal: None,
            seed: self.config.seed,
            bitstate: None,
            limits,
        };
        let outcome = search::search(&system, &config, &mut Blind, self.observe);
        let outcome = outcome.map_err(|failure| self.fault(&system, &failure))?;
        let mut round = Round {
            ranges: vec![Range::default(); measures.len()],
            figures: figures(&outcome.statistics, start),
            stopped: None,
        };
        if let Verdict::Unknown(reason) = outcome.verdict {
            round.stopped = Some(stopped(reason).to_string());
            return Ok(round);
        }
        if system.over_approximate() {
            let message = "stopwatches are over-approximated: the values would only be bounds on the true ones";
            round.stopped = Some(message.to_string());
            return Ok(round);
        }
        let read = read_off(
            &system,
            &outcome.store,
            measures,
            horizon,
            &mut round.ranges,
        );
        read.map_err(|fault| Failure::Fault {
            message: fault.to_string(),
            site: self.network.site(fault.site).cloned().map(Box::new),
            trace: None,
            figures: None,
        })?;
        Ok(round)
    }
}

struct Round {
    ranges: Vec<Range>,
    figures: Figures,
    stopped: Option<String>,
}

/// The formulas that make the analysis keep a clock's values up to the horizon.
fn horizon_of(measure: &Measure, horizon: i32) -> Vec<Formula> {
    let Measure::Clock { left, right } = measure else {
        return Vec::new();
    };
    let constraint = |left: Option<ClockId>, right: Option<ClockId>, bound: i32| {
        Formula::Clock(ClockConstraint {
            condition: None,
            left,
            right,
            strict: false,
            bound: Expr::Const(bound),
            site: SiteId::NONE,
        })
    };
    let clocks = [left, right].into_iter().flatten();
    clocks
        .flat_map(|clock| {
            [
                constraint(Some(*clock), None, horizon),
                constraint(None, Some(*clock), -horizon),
            ]
        })
        .collect()
}

fn read_off(
    system: &System,
    store: &Store,
    measures: &[(Measure, String)],
    horizon: i32,
    ranges: &mut [Range],
) -> Result<(), Fault> {
    let n = system.dimension();
    let mut explorer = Explorer::new(system);
    let mut memory = vec![0; system.cells().len()];
    let mut zone: Vec<Entry> = vec![0; n * n];
    for id in store.live_states() {
        store.load(id, &mut memory, &mut zone);
        let state = State {
            memory: &memory,
            zone: &zone,
        };
        let mut parts: Vec<Vec<Entry>> = Vec::new();
        explorer.where_satisfied(GoalId(0), state, &mut |part| parts.push(part.to_vec()))?;
        if parts.is_empty() {
            continue;
        }
        let mut expression = 0;
        for ((measure, _), range) in measures.iter().zip(&mut *ranges) {
            match measure {
                Measure::Data(_) => {
                    let value = i64::from(explorer.value(state, expression)?);
                    expression += 1;
                    range.include(Some(Bound::Reached(value)), Some(Bound::Reached(value)));
                }
                Measure::Clock { left, right } => {
                    let row = |clock: &Option<ClockId>| clock.map_or(0, |clock| clock.index() + 1);
                    for part in &parts {
                        let divergent = || explorer_divergent(system, &memory, part);
                        range.include_clock(part, n, row(left), row(right), horizon, divergent)?;
                    }
                }
            }
        }
    }
    Ok(())
}

fn explorer_divergent(system: &System, memory: &[i32], part: &[Entry]) -> Result<bool, Fault> {
    let found = Explorer::new(system).divergent(State { memory, zone: part })?;
    Ok(!found.is_empty())
}

impl Range {
    fn include(&mut self, low: Option<Bound>, high: Option<Bound>) {
        if let Some(low) = low {
            self.low = Some(self.low.map_or(low, |known| smaller(known, low)));
        }
        if let Some(high) = high {
            self.high = Some(self.high.map_or(high, |known| larger(known, high)));
        }
    }

    /// Adds the values of `left − right` in a zone.
    fn include_clock(
        &mut self,
        zone: &[Entry],
        n: usize,
        left: usize,
        right: usize,
        horizon: i32,
        divergent: impl Fn() -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        let upper = zone[left * n + right];
        let lower = zone[right * n + left];
        let low = if lower == INFINITY {
            Bound::Infinite
        } else if is_strict(lower) {
            Bound::NotReached(-i64::from(constant(lower)))
        } else {
            Bound::Reached(-i64::from(constant(lower)))
        };
        self.include(Some(low), None);
        if upper != INFINITY && constant(upper) <= horizon {
            let value = i64::from(constant(upper));
            let high = if is_strict(upper) {
                Bound::NotReached(value)
            } else {
                Bound::Reached(value)
            };
            self.include(None, Some(high));
        } else if right == 0 && divergent()? {
            self.include(None, Some(Bound::Infinite));
        } else if self.high != Some(Bound::Infinite) {
            self.beyond = true;
        }
        if self.high == Some(Bound::Infinite) {
            self.beyond = false;
        }
        Ok(())
    }
}

/// The order of infima: smaller first; of equal ones the reached one.
fn smaller(a: Bound, b: Bound) -> Bound {
    use Bound::*;
    match (a, b) {
        (Infinite, _) | (_, Infinite) => Infinite,
        (Reached(x) | NotReached(x), Reached(y) | NotReached(y)) if x != y => {
            if x < y {
                a
            } else {
                b
            }
        }
        (Reached(_), _) => a,
        _ => b,
    }
}

fn larger(a: Bound, b: Bound) -> Bound {
    use Bound::*;
    match (a, b) {
        (Infinite, _) | (_, Infinite) => Infinite,
        (Reached(x) | NotReached(x), Reached(y) | NotReached(y)) if x != y => {
            if x > y {
                a
            } else {
                b
            }
        }
        (Reached(_), _) => a,
        _ => b,
    }
}

fn values(extremum: Extremum, measures: &[(Measure, String)], ranges: &[Range]) -> Vec<Value> {
    let both = extremum == Extremum::Both;
    measures
        .iter()
        .zip(ranges)
        .map(|((_, text), range)| Value {
            expression: text.clone(),
            infimum: range.low.filter(|_| both || extremum == Extremum::Infimum),
            supremum: range
                .high
                .filter(|_| both || extremum == Extremum::Supremum),
        })
        .collect()
}
