//! Ranges of values: `sup`, `inf` and `bounds`.
//!
//! Integer expressions are read off every reachable discrete state. A clock is measured in zones that keep its value
//! exactly up to a horizon K: K is entered into the clock bounds as if the model compared the clock with it. Ends of the
//! range that lie below K are exact. If a state lets time pass for ever, or a cycle of states lets the clock grow
//! (`unbounded`), the supremum is infinite. Otherwise the horizon is doubled, until the ends that are asked for lie
//! below it. Differences of clocks are asked for one bound after the other (`difference`).

mod difference;
mod ends;

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_lattice::bound::Bound as Entry;
use merkhet_network::{
    ClockConstraint, ClockId, Expr, Extremum, Formula, MAX_CLOCK_CONSTANT, Measure, SiteId,
};
use merkhet_search::{self as search, Blind, Inclusion, Store, Strategy, Verdict};
use merkhet_semantics::{Explorer, Extrapolation, Fault, GoalId, Options, State, System};

use self::difference::{Questions, Stop};
use self::ends::Range;
use super::Task;
use super::reach::{figures, limits, stopped};
use crate::report::{Answer, Bound, Failure, Figures, Report, Value};

/// The first horizon is at least this.
const FIRST_HORIZON: i32 = 64;

const OVER_APPROXIMATE: &str =
    "stopwatches are over-approximated: the values would only be bounds on the true ones";

/// What is read off states and zones; differences are not.
#[derive(Clone, Copy)]
enum Reading<'m> {
    Data(&'m Expr),
    Clock(ClockId),
}

impl Reading<'_> {
    fn clock(self) -> Option<ClockId> {
        match self {
            Reading::Clock(clock) => Some(clock),
            Reading::Data(_) => None,
        }
    }
}

/// How a measure is found.
enum Way<'m> {
    /// By a reading, possibly negated.
    Read(Reading<'m>, bool),
    /// By questions about `left − right`.
    Ask(ClockId, ClockId),
}

fn way(measure: &Measure) -> Way<'_> {
    match measure {
        Measure::Data(expr) => Way::Read(Reading::Data(expr), false),
        Measure::Clock { left, right } => match (left, right) {
            (Some(left), Some(right)) if left != right => Way::Ask(*left, *right),
            (Some(clock), None) => Way::Read(Reading::Clock(*clock), false),
            (None, Some(clock)) => Way::Read(Reading::Clock(*clock), true),
            _ => Way::Read(Reading::Data(&Expr::Const(0)), false),
        },
    }
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
        let ranges = self.ranges(extremum, predicate, measures, start, &mut report.figures);
        match ranges {
            Ok(ranges) => {
                report.answer = Answer::Satisfied;
                report.values = values(extremum, measures, &ranges);
                let empty = |range: &Range| range.low.is_none() && range.high.is_none();
                if ranges.iter().all(empty) {
                    report.reason = Some("no reachable state satisfies the condition".into());
                }
            }
            Err(Stop::Reason(reason)) => report.reason = Some(reason),
            Err(Stop::Failure(failure)) => return Err(failure),
        }
        Ok(report)
    }

    /// The ranges of all measures, each by its way; at least in the ends that are asked for.
    fn ranges(
        &mut self,
        extremum: Extremum,
        predicate: &Formula,
        measures: &[(Measure, String)],
        start: Instant,
        figures: &mut Figures,
    ) -> Result<Vec<Range>, Stop> {
        let ways: Vec<Way<'_>> = measures.iter().map(|(measure, _)| way(measure)).collect();
        let mut readings = Vec::new();
        let mut ends = Ends {
            low: extremum != Extremum::Supremum,
            high: extremum != Extremum::Infimum,
        };
        for way in &ways {
            if let Way::Read(reading, negated) = way {
                readings.push(*reading);
                ends = Ends {
                    low: ends.low || *negated && ends.high,
                    high: ends.high || *negated && ends.low,
                };
            }
        }
        let mut read = Vec::new();
        if !readings.is_empty() {
            read = self.read(ends, predicate, &readings, start, figures)?;
        }
        let mut read = read.into_iter();
        let mut ranges = Vec::with_capacity(ways.len());
        for way in ways {
            ranges.push(match way {
                Way::Read(_, negated) => {
                    let range: Range = read.next().unwrap_or_default();
                    if negated { range.negated() } else { range }
                }
                Way::Ask(left, right) => {
                    let mut questions = Questions {
                        predicate,
                        start,
                        figures,
                    };
                    questions.range(self, extremum, left, right)?
                }
            });
        }
        Ok(ranges)
    }

    /// Reads off states and zones, with horizons that are doubled until the ends that are asked for are known.
    fn read(
        &mut self,
        ends: Ends,
        predicate: &Formula,
        readings: &[Reading<'_>],
        start: Instant,
        figures: &mut Figures,
    ) -> Result<Vec<Range>, Stop> {
        let mut horizon = FIRST_HORIZON.max(self.largest_constant());
        let mut infinite = vec![false; readings.len()];
        loop {
            let mut round = self.measure(predicate, readings, horizon, start)?;
            *figures = round.figures;
            if let Some(reason) = round.stopped {
                return Err(Stop::Reason(reason));
            }
            if ends.high {
                self.find_infinite(predicate, readings, &mut round, &mut infinite, start)?;
            }
            let open = round.ranges.iter().zip(readings).any(|(range, reading)| {
                reading.clock().is_some()
                    && (ends.high && range.beyond || ends.low && range.starts_beyond(horizon))
            });
            if !open {
                return Ok(round.ranges);
            }
            if horizon > MAX_CLOCK_CONSTANT / 4 {
                return Err(Stop::Reason(format!(
                    "a clock comes beyond {horizon}, and no state lets it grow without end"
                )));
            }
            horizon *= 2;
        }
    }

    /// Looks for the clocks beyond the horizon that grow without end.
    fn find_infinite(
        &mut self,
        predicate: &Formula,
        readings: &[Reading<'_>],
        round: &mut Round,
        infinite: &mut [bool],
        start: Instant,
    ) -> Result<(), Failure> {
        let most = round
            .figures
            .stored
            .saturating_mul(8)
            .saturating_add(10_000);
        for ((range, reading), infinite) in (round.ranges.iter_mut().zip(readings)).zip(infinite) {
            let Some(clock) = reading.clock() else {
                continue;
            };
            if range.beyond && !*infinite {
                *infinite = self.is_unbounded(predicate, clock, None, most, start)? == Some(true);
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
        readings: &[Reading<'_>],
        horizon: i32,
        start: Instant,
    ) -> Result<Round, Failure> {
        let clocks = readings.iter().filter_map(|reading| reading.clock());
        let horizons: Vec<Formula> = clocks
            .flat_map(|clock| horizon_of(clock, horizon))
            .collect();
        let formulas: Vec<&Formula> = std::iter::once(predicate).chain(&horizons).collect();
        let expressions: Vec<&Expr> = readings
            .iter()
            .filter_map(|reading| match reading {
                Reading::Data(expr) => Some(*expr),
                Reading::Clock(_) => None,
            })
            .collect();
        // Integers are read off the discrete states that can be reached with the condition: coarse zones tell which.
        let of_data = expressions.len() == readings.len();
        let demand = Demand {
            formulas: &formulas,
            symmetric: !of_data,
            exact: &[],
        };
        let options = Options {
            extrapolation: match of_data {
                true => Extrapolation::LuPlus,
                false => Extrapolation::M,
            },
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
            ranges: vec![Range::default(); readings.len()],
            figures: figures(&outcome.statistics, start),
            stopped: None,
        };
        if let Verdict::Unknown(reason) = outcome.verdict {
            round.stopped = Some(stopped(reason).to_string());
            return Ok(round);
        }
        if system.over_approximate() {
            round.stopped = Some(OVER_APPROXIMATE.to_string());
            return Ok(round);
        }
        let read = read_off(
            &system,
            &outcome.store,
            readings,
            horizon,
            &mut round.ranges,
        );
        read.map_err(|fault| Failure::of(self.network, &fault))?;
        Ok(round)
    }
}

struct Round {
    ranges: Vec<Range>,
    figures: Figures,
    stopped: Option<String>,
}

/// Which ends of the ranges are asked for.
#[derive(Clone, Copy)]
struct Ends {
    low: bool,
    high: bool,
}

/// The formulas that make the analysis keep a clock's values up to the horizon.
fn horizon_of(clock: ClockId, horizon: i32) -> [Formula; 2] {
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
    [
        constraint(Some(clock), None, horizon),
        constraint(None, Some(clock), -horizon),
    ]
}

fn read_off(
    system: &System,
    store: &Store,
    readings: &[Reading<'_>],
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
        for (reading, range) in readings.iter().zip(&mut *ranges) {
            match reading {
                Reading::Data(_) => {
                    let value = i64::from(explorer.value(state, expression)?);
                    expression += 1;
                    range.include(Some(Bound::Reached(value)), Some(Bound::Reached(value)));
                }
                Reading::Clock(clock) => {
                    for part in &parts {
                        let divergent = || explorer_divergent(system, &memory, part);
                        range.include_clock(part, n, clock.index() + 1, horizon, divergent)?;
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
