//! Reading values off states and zones: of integers, and of clocks up to a horizon.

use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::{self as search, Blind, Inclusion, Store, Strategy, Verdict};
use merkhet_network::{
    BinaryOp, ClockConstraint, ClockId, Expr, Formula, MAX_CLOCK_CONSTANT, Query, QueryKind, SiteId,
};
use merkhet_semantics::{Explorer, Extrapolation, Fault, GoalId, Options, State, System};
use merkhet_zones::bound::Bound as Entry;

use super::super::Task;
use super::super::reach::{figures, limits};
use super::difference::Stop;
use super::ends::Range;
use crate::config::Config;
use crate::failure::Failure;
use crate::report::{Answer, Bound, Figures};
use crate::tuning;
use crate::why::Why;

/// What is read off states and zones; differences are not.
#[derive(Clone, Copy)]
pub(super) enum Reading<'m> {
    Data(&'m Expr),
    Clock(ClockId),
}

impl Reading<'_> {
    pub fn clock(self) -> Option<ClockId> {
        match self {
            Reading::Clock(clock) => Some(clock),
            Reading::Data(_) => None,
        }
    }
}

/// How many symbolic states may be looked at to find out whether a clock grows without end, after some searches for its
/// value, each twice as far, given what the last of them took. There is no covering among these states, so that they may be
/// many more than the search keeps; as it measures further, more of them may be looked at: otherwise it would measure for
/// ever.
pub(super) fn states_for_growth(config: &Config, figures: &Figures, rounds: u32) -> u64 {
    let first = config.tuning.count(&tuning::GROWTH_STATES) as u64;
    let states = figures.stored.saturating_mul(8);
    states
        .max(figures.explored.saturating_mul(2))
        .saturating_add(first << rounds.min(config.tuning.count(&tuning::GROWTH_DOUBLINGS) as u32))
}

impl Task<'_> {
    /// Reads off states and zones, with horizons that are doubled until the ends that are asked for are known.
    pub(super) fn read(
        &mut self,
        ends: Ends,
        predicate: &Formula,
        readings: &[Reading<'_>],
        start: Instant,
        figures: &mut Figures,
    ) -> Result<Vec<Range>, Stop> {
        let tuning = &self.config.tuning;
        let first = tuning.get(&tuning::HORIZON) as i32;
        let between = tuning.get(&tuning::GROWTH_ROUNDS) as u32;
        let mut horizon = first.max(self.largest_constant());
        let mut infinite = vec![None; readings.len()];
        for rounds in 0.. {
            let mut round = self.measure(predicate, readings, horizon, start)?;
            *figures = round.figures;
            if let Some(why) = round.stopped {
                return Err(Stop::Why(why));
            }
            if round.over_approximate {
                self.confirm_ends(ends, predicate, readings, &round.ranges, start)?;
                return Ok(round.ranges);
            }
            if ends.high {
                let states = states_for_growth(self.config, &round.figures, rounds);
                let most = rounds.is_multiple_of(between).then_some(states);
                self.find_infinite(predicate, readings, &mut round, &mut infinite, most, start)?;
            }
            let open = round.ranges.iter().zip(readings).any(|(range, reading)| {
                reading.clock().is_some()
                    && (ends.high && range.beyond || ends.low && range.starts_beyond(horizon))
            });
            if !open {
                return Ok(round.ranges);
            }
            if horizon > MAX_CLOCK_CONSTANT / 4 {
                break;
            }
            horizon *= 2;
        }
        Err(Stop::Why(Why::ClockBeyond(horizon)))
    }

    /// Confirms the ends that were found among over-approximated states: by runs that reach them.
    fn confirm_ends(
        &mut self,
        ends: Ends,
        predicate: &Formula,
        readings: &[Reading<'_>],
        ranges: &[Range],
        start: Instant,
    ) -> Result<(), Stop> {
        for (reading, range) in readings.iter().zip(ranges) {
            let Reading::Data(expr) = reading else {
                return Err(Stop::Why(Why::OverApproximate));
            };
            let low = range.low.filter(|_| ends.low);
            let high = range.high.filter(|_| ends.high);
            for end in [low, high].into_iter().flatten() {
                let Bound::Reached(value) = end else {
                    continue;
                };
                let value = i32::try_from(value).unwrap_or_default();
                let there = Expr::binary(BinaryOp::Equal, (*expr).clone(), Expr::Const(value));
                let goal = Formula::And(vec![predicate.clone(), Formula::Data(there)]);
                let query = Query {
                    text: String::new(),
                    comment: String::new(),
                    kind: QueryKind::Possibly(goal.clone()),
                    site: SiteId::NONE,
                };
                let (stage, limits) = (self.part(Some(&goal)), self.limits_after(start, 0));
                let report = self
                    .about(&query, &stage, &limits)
                    .reach(Some(&goal), true)?;
                if report.answer != Answer::Satisfied {
                    return Err(Stop::Why(Why::UnconfirmedValue(value)));
                }
            }
        }
        Ok(())
    }

    /// Looks for the clocks beyond the horizon that grow without end, among a number of states, or takes those that are known.
    fn find_infinite(
        &mut self,
        predicate: &Formula,
        readings: &[Reading<'_>],
        round: &mut Round,
        infinite: &mut [Option<bool>],
        most: Option<u64>,
        start: Instant,
    ) -> Result<(), Failure> {
        for ((range, reading), infinite) in (round.ranges.iter_mut().zip(readings)).zip(infinite) {
            let Some(clock) = reading.clock() else {
                continue;
            };
            if let (true, None, Some(most)) = (range.beyond, &infinite, most) {
                *infinite = self.is_unbounded(predicate, clock, None, most, start)?;
            }
            if *infinite == Some(true) {
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
        let mut limits = limits(self.limits, 1);
        limits.timeout = limits.timeout.map(|limit| limit.saturating_sub(spent));
        let config = search::Config {
            strategy: Strategy::LargestFirst,
            inclusion: Inclusion::Zone,
            goal: None,
            seed: self.config.seed,
            bitstate: None,
            limits,
            tuning: Some(&self.config.tuning),
        };
        let outcome = search::search(&system, &config, &mut Blind, self.observe);
        let outcome = outcome.map_err(|failure| self.fault(&system, &failure))?;
        let mut round = Round {
            ranges: vec![Range::default(); readings.len()],
            figures: figures(&outcome.statistics, start),
            stopped: None,
            over_approximate: false,
        };
        if let Verdict::Unknown(reason) = outcome.verdict {
            round.stopped = Some(reason.into());
            return Ok(round);
        }
        round.over_approximate = system.over_approximate();
        if round.over_approximate && readings.iter().any(|reading| reading.clock().is_some()) {
            round.stopped = Some(Why::OverApproximate);
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
    stopped: Option<Why>,
    over_approximate: bool,
}

/// Which ends of the ranges are asked for.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub low: bool,
    pub high: bool,
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
