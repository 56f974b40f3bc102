//! One random network, checked in every way against the oracles: what the ordinary tests do a few times, and the
//! example `random_networks` (`cargo xtask random`) as often as is wanted.

mod configurations;
pub mod evidence;

use std::collections::BTreeSet;
use std::ops::AddAssign;

use merkhet::network::{Address, BinaryOp, Expr, Formula, Network, Query, QueryKind, Region};
use merkhet::replay::Certificate;
use merkhet::{Answer, Bound, Config, Report, TraceKind, check, replay};
use merkhet_analysis::invariant::is_always;
use merkhet_testing::{
    self as testing, DigitalGraph, Discrete, End, Obstacle, Profile, RegionGraph,
};

pub use configurations::Extent;
use configurations::{base, by_default, certifying, configurations};

/// The oracle's largest graph.
const LIMIT: usize = 20_000;

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Networks seen.
    pub networks: u64,
    /// Networks whose region graph is too large, or that the oracles do not know.
    pub undecided: u64,
    /// Networks in which an evaluation fails.
    pub faulty: u64,
    /// Queries that the region graph decides.
    pub queries: u64,
    /// Queries that digital clocks decide as well.
    pub digital: u64,
    /// Answers of the engine that were compared.
    pub answers: u64,
    /// Traces that the judge accepted.
    pub traces: u64,
    /// Certificates that were accepted.
    pub certificates: u64,
    /// Damaged traces and certificates that were rejected.
    pub rejected: u64,
}

impl Tally {
    /// The figures in the order of the fields.
    pub fn figures(&self) -> [u64; 9] {
        [
            self.networks,
            self.undecided,
            self.faulty,
            self.queries,
            self.digital,
            self.answers,
            self.traces,
            self.certificates,
            self.rejected,
        ]
    }

    /// The opposite of [`Tally::figures`].
    pub fn from_figures(figures: [u64; 9]) -> Tally {
        let [
            networks,
            undecided,
            faulty,
            queries,
            digital,
            answers,
            traces,
            certificates,
            rejected,
        ] = figures;
        Tally {
            networks,
            undecided,
            faulty,
            queries,
            digital,
            answers,
            traces,
            certificates,
            rejected,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        let (mut sum, more) = (self.figures(), other.figures());
        for (figure, more) in sum.iter_mut().zip(more) {
            *figure += more;
        }
        *self = Tally::from_figures(sum);
    }
}

/// Checks the network of a seed; says what is wrong.
pub fn check_network(profile: &Profile, seed: u64, extent: Extent) -> Result<Tally, String> {
    let (network, queries) = testing::generate(seed, profile);
    check_queries(&network, &queries, profile.closed_only, seed, extent)
}

/// Checks queries on a network; `closed`: it has only bounds that digital clocks know. Says what is wrong.
pub fn check_queries(
    network: &Network,
    queries: &[Query],
    closed: bool,
    seed: u64,
    extent: Extent,
) -> Result<Tally, String> {
    let mut case = Case {
        network,
        seed,
        extent,
        reachable: BTreeSet::new(),
        material: Vec::new(),
        tally: Tally {
            networks: 1,
            ..Tally::default()
        },
    };
    let graph = match RegionGraph::build(network, queries, LIMIT) {
        Ok(graph) => graph,
        Err(Obstacle::Fault) => {
            case.tally.faulty = 1;
            case.faulty(queries)?;
            return Ok(case.tally);
        }
        Err(_) => {
            case.tally.undecided = 1;
            return Ok(case.tally);
        }
    };
    case.reachable = graph.discrete_states();
    case.explored()?;
    case.projected()?;
    case.material()?;
    if closed {
        case.digital(queries, &graph)?;
    }
    for query in queries {
        match graph.answer(query, LIMIT) {
            Ok(expected) => case.decided(&graph, query, &expected)?,
            Err(Obstacle::Fault) => case.faulty(std::slice::from_ref(query))?,
            Err(_) => {}
        }
    }
    Ok(case.tally)
}

struct Case<'n> {
    network: &'n Network,
    seed: u64,
    extent: Extent,
    /// The discrete states that can be reached.
    reachable: BTreeSet<Discrete>,
    /// Certificates of right answers, as material for forgeries.
    material: Vec<Certificate>,
    tally: Tally,
}

/// The formula whose states a reachability query looks for.
fn goal(query: &Query) -> Option<merkhet::network::Formula> {
    match &query.kind {
        QueryKind::Possibly(formula) => Some(formula.clone()),
        QueryKind::Invariantly(formula) => {
            Some(merkhet::network::Formula::Not(Box::new(formula.clone())))
        }
        _ => None,
    }
}

/// Whether something holds in a state.
type Holds<'a> = &'a dyn Fn(&Discrete) -> bool;

impl Case<'_> {
    /// A query about a network in which an evaluation fails: the engine may find a goal before, but proves nothing about all
    /// states. `A<>` and `E[]` are about the part of the runs in which a formula is kept: where the checker, too, meets no
    /// fault there, that is proved.
    fn faulty(&mut self, queries: &[Query]) -> Result<(), String> {
        for query in queries {
            let Ok(report) = check(self.network, query, &certifying(), &mut |_| {}) else {
                continue;
            };
            let Some(certificate) = &report.certificate else {
                continue;
            };
            let of_a_part = matches!(
                query.kind,
                QueryKind::PotentiallyAlways(_) | QueryKind::Eventually(_)
            );
            match replay::certify(self.network, query, certificate) {
                Ok(()) if of_a_part => self.tally.certificates += 1,
                Ok(()) => {
                    return Err(format!("{:?}: a proof in spite of a fault", query.kind));
                }
                Err(refusal) => {
                    return Err(format!("{:?}: {refusal}", query.kind));
                }
            }
        }
        Ok(())
    }

    /// Full exploration finds the discrete states that the oracle finds.
    fn explored(&mut self) -> Result<(), String> {
        let query = Query {
            text: String::new(),
            comment: String::new(),
            kind: QueryKind::Explore,
            site: merkhet::network::SiteId::NONE,
        };
        let report = check(self.network, &query, &base(), &mut |_| {})
            .map_err(|failure| format!("full exploration: {failure:?}"))?;
        let (ours, expected) = (report.figures.discrete, self.reachable.len() as u64);
        if ours != expected {
            return Err(format!("{ours} discrete states instead of {expected}"));
        }
        Ok(())
    }

    /// What is said to hold of one or two variables whatever the rest of the network does, holds in all states.
    fn projected(&mut self) -> Result<(), String> {
        let load = |cell: usize| {
            let (region, offset) = (Region::State, cell as u32);
            Expr::load(Address { region, offset })
        };
        let compared = |op, cell, value| Expr::binary(op, load(cell), Expr::Const(value));
        let cells = self.network.state_cells.len().min(6);
        for cell in 0..cells {
            let declared = &self.network.state_cells[cell];
            for value in declared.low.max(-4)..=declared.high.min(8) {
                let other = (cell + 1) % cells;
                let holds: [(Expr, Holds<'_>); 3] = [
                    (compared(BinaryOp::LessEqual, cell, value), &|state| {
                        state.cells[cell] <= value
                    }),
                    (compared(BinaryOp::NotEqual, cell, value), &|state| {
                        state.cells[cell] != value
                    }),
                    (
                        Expr::Or(vec![
                            compared(BinaryOp::NotEqual, cell, value),
                            compared(BinaryOp::Greater, other, value),
                        ]),
                        &|state| state.cells[cell] != value || state.cells[other] > value,
                    ),
                ];
                for (expr, holds) in holds {
                    let formula = Formula::Data(expr);
                    if is_always(
                        self.network,
                        &formula,
                        true,
                        100_000,
                        &merkhet_network::Tuning::default(),
                    ) {
                        self.tally.answers += 1;
                        if !self.reachable.iter().all(holds) {
                            return Err(format!("said to hold always: {formula:?}"));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The second oracle agrees with the first, so that neither is trusted alone.
    fn digital(&mut self, queries: &[Query], graph: &RegionGraph<'_>) -> Result<(), String> {
        let Ok(digital) = DigitalGraph::build(self.network, 12, LIMIT * 4) else {
            return Ok(());
        };
        if digital.discrete_states() != self.reachable {
            return Err("the oracles reach different discrete states".into());
        }
        for query in queries {
            let (Ok(Some(verdict)), Ok(answer)) =
                (digital.verdict(query), graph.answer(query, LIMIT))
            else {
                continue;
            };
            if answer != testing::Answer::Verdict(verdict) {
                return Err(format!("the oracles disagree on {:?}", query.kind));
            }
            self.tally.digital += 1;
        }
        Ok(())
    }

    /// A query whose answer is known.
    fn decided(
        &mut self,
        graph: &RegionGraph<'_>,
        query: &Query,
        expected: &testing::Answer,
    ) -> Result<(), String> {
        self.tally.queries += 1;
        let Some(goal) = goal(query) else {
            // There is one search for these; what is left out of states and network may differ.
            for config in [certifying(), base(), by_default()] {
                self.compare(query, &config, expected, None)?;
            }
            return self.forged(query, expected);
        };
        let shortest = graph
            .distance(&goal)
            .map_err(|obstacle| format!("{obstacle:?}"))?;
        let turn = self.seed as usize + self.tally.queries as usize;
        for config in configurations(self.extent, turn) {
            self.compare(query, &config, expected, shortest)?;
        }
        Ok(())
    }

    /// Proofs about all states and about runs that never leave the initial state's formula.
    fn material(&mut self) -> Result<(), String> {
        let always = || Formula::Data(Expr::Const(1));
        let never = || Formula::Data(Expr::Const(0));
        for kind in [
            QueryKind::Invariantly(always()),
            QueryKind::LeadsTo(never(), always()),
            QueryKind::Eventually(always()),
        ] {
            let query = Query {
                text: String::new(),
                comment: String::new(),
                kind,
                site: merkhet::network::SiteId::NONE,
            };
            let report = check(self.network, &query, &certifying(), &mut |_| {})
                .map_err(|failure| format!("{:?}: {failure:?}", query.kind))?;
            self.material.extend(report.certificate);
        }
        Ok(())
    }

    /// No ranking of anything proves that there is no run where there is one.
    fn forged(&mut self, query: &Query, expected: &testing::Answer) -> Result<(), String> {
        let run = match &query.kind {
            QueryKind::PotentiallyAlways(_) => true,
            QueryKind::Eventually(_) | QueryKind::LeadsTo(..) => false,
            _ => return Ok(()),
        };
        if *expected == testing::Answer::Verdict(run) {
            let forged = evidence::forged_rankings(self.network, query, &self.material, self.seed);
            self.tally.rejected += forged?;
        }
        Ok(())
    }

    fn compare(
        &mut self,
        query: &Query,
        config: &Config,
        expected: &testing::Answer,
        shortest: Option<u32>,
    ) -> Result<(), String> {
        let describe = |what: String| format!("{what}\nquery {:?}\n{config:?}", query.kind);
        let report = match check(self.network, query, config, &mut |_| {}) {
            Ok(report) => report,
            Err(failure) => return Err(describe(format!("{failure:?}"))),
        };
        if config.limits.states.is_some()
            && report.answer.is_unknown()
            && let Some(reason) = &report.reason()
            && let Some(remark) = reason.strip_prefix("state limit reached")
        {
            return least_length(remark, shortest).map_err(describe);
        }
        self.tally.answers += 1;
        if let Some(problem) = disagreement(&report, expected) {
            return Err(describe(problem));
        }
        self.evidence(query, config, &report, shortest)
            .map_err(describe)
    }

    fn evidence(
        &mut self,
        query: &Query,
        config: &Config,
        report: &Report,
        shortest: Option<u32>,
    ) -> Result<(), String> {
        if let Some(run) = &report.trace {
            self.tally.traces += 1;
            let length = run.steps.len() as u32;
            if config.trace == TraceKind::Shortest && Some(length) != shortest {
                return Err(format!("{length} transitions instead of {shortest:?}"));
            }
            if config.certificate {
                self.tally.rejected += evidence::damaged_traces(self.network, run, self.seed)?;
            }
        }
        let is_run = matches!(
            query.kind,
            QueryKind::PotentiallyAlways(_) | QueryKind::Eventually(_) | QueryKind::LeadsTo(..)
        );
        if is_run && config.certificate && report.trace.is_none() && report.certificate.is_none() {
            return Err("neither a run nor a certificate".into());
        }
        if let Some(certificate) = &report.certificate {
            if let Err(refusal) = replay::certify(self.network, query, certificate) {
                return Err(format!("the certificate is refused: {refusal}"));
            }
            self.tally.certificates += 1;
            self.tally.rejected +=
                evidence::damaged_rankings(self.network, query, certificate, self.seed)?;
            self.tally.rejected += evidence::forged_ends(self.network, query, certificate)?;
            if goal(query).is_none() {
                self.material.push(certificate.clone());
                return Ok(());
            }
            self.tally.rejected += evidence::damaged_certificates(
                self.network,
                query,
                certificate,
                &self.reachable,
                self.seed,
            )?;
        }
        Ok(())
    }
}

/// Optimal searches say at a limit how long a trace is at least: no trace is shorter.
fn least_length(remark: &str, shortest: Option<u32>) -> Result<(), String> {
    let mut numbers = remark.split(' ').filter_map(|word| word.parse().ok());
    let least: u32 = numbers.next().unwrap_or(0);
    match shortest {
        Some(shortest) if shortest < least => Err(format!(
            "a trace has {shortest} transitions, and at the limit it said{remark}"
        )),
        _ => Ok(()),
    }
}

/// In what a report differs from the oracle's answer.
fn disagreement(report: &Report, expected: &testing::Answer) -> Option<String> {
    match expected {
        testing::Answer::Verdict(holds) => {
            let answer = match holds {
                true => Answer::Satisfied,
                false => Answer::Violated,
            };
            (report.answer != answer).then(|| {
                let reason = report.reason().unwrap_or("no reason".into());
                format!("{:?} ({reason}) instead of {answer:?}", report.answer)
            })
        }
        testing::Answer::Explored(states) => {
            let discrete = report.figures.discrete;
            (discrete != *states as u64)
                .then(|| format!("{discrete} discrete states instead of {states}"))
        }
        testing::Answer::Ranges(ranges) => {
            if report.values.len() != ranges.len() {
                return Some(format!("{} ranges: {:?}", ranges.len(), report.reason()));
            }
            let end = |end: End| match end {
                End::Closed(value) => Bound::Reached(value.into()),
                End::Open(value) => Bound::NotReached(value.into()),
                End::Infinite => Bound::Infinite,
            };
            report.values.iter().zip(ranges).find_map(|(value, range)| {
                let low = range.map(|range| end(range.low));
                let high = range.map(|range| end(range.high));
                let wrong = (value.infimum.is_some() && value.infimum != low)
                    || (value.supremum.is_some() && value.supremum != high);
                wrong.then(|| format!("{value:?} instead of {low:?} to {high:?}"))
            })
        }
    }
}
