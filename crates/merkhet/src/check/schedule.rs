//! Who runs next: the stages of a check, as data. This is decided here and nowhere else.
//!
//! A stage is run if its condition fits what came of the stages before it, the first one always. So the list below reads
//! from top to bottom: run, look at what came out, go on or stop.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use merkhet_analysis::reduce::{Kind, Reduction};
use merkhet_explore::{StopReason, Strategy};
use merkhet_heuristics::{HeuristicSpec, atg, hamming};
use merkhet_lattices::Update;
use merkhet_network::tuning::Tunable;
use merkhet_network::{Formula, Network, Query, QueryKind};

use super::lattice::{self, Choice};
use super::not;
use crate::config::{Config, Order, TraceKind};
use crate::failure::Failure;
use crate::report::Report;
use crate::tuning;
use crate::why::{Explicit, Remark, Why};

/// What does the work of a stage.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Engine {
    /// Zones by discrete state, until the goal is found.
    Zones,
    /// One such search in each thread, with an abstraction of its own; the first that decides ends the others. Smaus and
    /// Hoffmann (section 5.4) propose it, since no way to choose predicates is good everywhere.
    Portfolio,
    /// Everything once more, for the certificate of a proof.
    Certificate,
    /// Random walks on concrete states.
    Walks,
    /// Lattice elements that are covered or joined.
    Elements(Elements),
    /// A goal that only joins reach is looked for without joins.
    Confirm(Elements),
    /// Maximal runs, of a limited number of transitions where a depth is given.
    Runs(Option<usize>),
    /// Ranges of values.
    Values,
}

/// How lattice elements are covered or joined.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Elements {
    pub update: Update,
    /// If something stands against a proof that it is right, its "no" is for this reason no verdict.
    pub assumed: Option<Why>,
    /// Whether larger elements can do what smaller ones can is tested along the way.
    pub test: bool,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Engine::Zones => "zones",
            Engine::Portfolio => "portfolio",
            Engine::Certificate => "certificate",
            Engine::Walks => "walks",
            Engine::Elements(_) => "lattice elements",
            Engine::Confirm(_) => "lattice elements without joins",
            Engine::Runs(_) => "maximal runs",
            Engine::Values => "values",
        })
    }
}

/// The network that a stage searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subject {
    Whole,
    Reduced,
}

/// The states that a stage may expand, beside the limits of the query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Budget {
    /// Everything that the query has left.
    Rest,
    /// This number of states.
    States(u64),
    /// This number of states together with all stages before.
    Together(u64),
    /// A multiple of the states of the stages before, and a number more.
    Times(u64, u64),
}

/// When a stage is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// At the beginning.
    First,
    /// The query is not decided.
    Undecided,
    /// Only joins reach the goal.
    Inconclusive,
    /// What was found may not be there: zones of stopwatches are over-approximated.
    MayHold,
    /// An evaluation failed in this network.
    Fault(Subject),
    /// An evaluation failed in any of the networks.
    AnyFault,
    /// The query is not decided, or an evaluation failed.
    Open,
    /// The query is decided, but the certificate for it is missing.
    Uncertified,
}

/// The order of expansion, with the names that the report gives.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Guide {
    pub strategy: Strategy,
    pub search: String,
    pub heuristic: Option<HeuristicSpec>,
}

/// Searches that start anew after some states, each time with twice as many.
///
/// Where a search loses its way depends on chance: on the order of states with the same estimate, or on the predicates of
/// an abstraction. Starting anew is cheap next to going on in the wrong place (Kupferschmid et al. 2006, section 7). The
/// last run is as long as it needs to be, so that nothing is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Restart {
    /// The runs before this one.
    pub round: u32,
    /// The states of this one.
    pub states: u64,
}

/// A part of the work.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Stage {
    /// What it is for.
    pub name: &'static str,
    pub engine: Engine,
    pub subject: Subject,
    pub guide: Guide,
    pub threads: usize,
    /// Others look beside it.
    pub company: bool,
    pub budget: Budget,
    pub restart: Option<Restart>,
    pub when: When,
}

/// What is known so far.
pub(crate) enum Standing {
    /// Nothing was run.
    Nothing,
    /// A report, decided or not.
    Report(Box<Report>),
    /// An evaluation failed.
    Fault(Failure, Subject),
}

/// The stages that are to be run.
#[derive(Default)]
pub(crate) struct Schedule {
    waiting: VecDeque<Stage>,
    /// The network that is searched in place of the whole one, with what is said of it.
    pub reduction: Option<Reduction>,
    /// Why nothing was left out, where that was asked for.
    pub not_reduced: Option<String>,
    /// Why lattice elements are explored explicitly, where there is something to say.
    pub explicit: Option<Explicit>,
}

impl When {
    fn fits(self, standing: &Standing) -> bool {
        match (self, standing) {
            (When::First, Standing::Nothing) => true,
            (When::Undecided | When::Open, Standing::Report(report)) => report.answer.is_unknown(),
            (When::Inconclusive, Standing::Report(report)) => matches!(
                report.answer,
                crate::report::Answer::Unknown(Why::Inconclusive { hint: true, .. })
            ),
            (When::MayHold, Standing::Report(report)) => {
                matches!(report.answer, crate::report::Answer::Unknown(Why::MayHold))
            }
            (When::Uncertified, Standing::Report(report)) => {
                let missing =
                    |remark: &Remark| matches!(remark, Remark::NoCertificate | Remark::NoBoxes(_));
                report.remarks.iter().any(missing)
            }
            (When::Fault(one), Standing::Fault(_, other)) => one == *other,
            (When::AnyFault | When::Open, Standing::Fault(..)) => true,
            _ => false,
        }
    }
}

impl Schedule {
    /// The stages for a query. `kept`: the search is written down, which one search only can be.
    pub fn of(
        network: &Network,
        query: &Query,
        config: &Config,
        kept: bool,
    ) -> Result<Schedule, Failure> {
        let mut schedule = Schedule::default();
        if !kept {
            (schedule.reduction, schedule.not_reduced) = reduction(network, query, config);
        }
        schedule.fill(network, query, config, kept)?;
        Ok(schedule)
    }

    /// The stages without any reduction, for those who only want to know what they are.
    pub fn planned(network: &Network, query: &Query, config: &Config) -> Result<Schedule, Failure> {
        let mut schedule = Schedule::default();
        schedule.fill(network, query, config, false)?;
        Ok(schedule)
    }

    /// The stages that wait.
    pub fn stages(&self) -> impl Iterator<Item = &Stage> {
        self.waiting.iter()
    }

    fn fill(
        &mut self,
        network: &Network,
        query: &Query,
        config: &Config,
        kept: bool,
    ) -> Result<(), Failure> {
        match &query.kind {
            QueryKind::Possibly(goal) => {
                self.reachability(network, query, Some(goal), config, kept)?;
            }
            QueryKind::Invariantly(formula) => {
                self.reachability(network, query, Some(&not(formula)), config, kept)?;
            }
            QueryKind::Explore => self.reachability(network, query, None, config, kept)?,
            QueryKind::PotentiallyAlways(_) | QueryKind::Eventually(_) | QueryKind::LeadsTo(..) => {
                self.runs(config);
            }
            QueryKind::Bounds { .. } => {
                let stage = self.main(Guide::named(Strategy::BreadthFirst, "bfs"));
                self.push(Stage {
                    engine: Engine::Values,
                    ..stage
                });
            }
        }
        Ok(())
    }

    /// The stage to run now, if there is one.
    pub fn next(&mut self, standing: &Standing) -> Option<Stage> {
        while let Some(stage) = self.waiting.pop_front() {
            if stage.when.fits(standing) {
                return Some(stage);
            }
        }
        None
    }

    /// Puts the next run of a search that starts anew in front, if this one has ended by its number of states.
    pub fn restart(&mut self, stage: &Stage, why: &Why) {
        let (Some(restart), Why::Limit(StopReason::States)) = (stage.restart, why) else {
            return;
        };
        let states = restart.states.saturating_mul(2);
        self.waiting.push_front(Stage {
            budget: Budget::States(states),
            restart: Some(Restart {
                round: restart.round + 1,
                states,
            }),
            when: When::Undecided,
            ..stage.clone()
        });
    }

    /// Nothing else is run.
    pub fn end(&mut self) {
        self.waiting.clear();
    }

    fn push(&mut self, stage: Stage) {
        self.waiting.push_back(stage);
    }

    /// The stage that most queries have only.
    fn main(&self, guide: Guide) -> Stage {
        Stage {
            name: "search",
            engine: Engine::Zones,
            subject: match self.reduction {
                Some(_) => Subject::Reduced,
                None => Subject::Whole,
            },
            guide,
            threads: 1,
            company: false,
            budget: Budget::Rest,
            restart: None,
            when: When::First,
        }
    }

    fn reachability(
        &mut self,
        network: &Network,
        query: &Query,
        goal: Option<&Formula>,
        config: &Config,
        kept: bool,
    ) -> Result<(), Failure> {
        let threads = config.threads.max(1);
        if kept {
            let order = match (config.order(), &config.heuristic) {
                // Its queues are not written down; breadth first is what it amounts to without them.
                (Order::Auto, None) => Order::Fixed(Strategy::BreadthFirst),
                (order, _) => order,
            };
            let guide = Guide::new(config, order, 1, goal);
            if guide.restart(config).is_some() {
                return Err(not_restarted());
            }
            let stage = self.main(guide);
            self.push(stage);
            self.certificate(config, goal);
            return Ok(());
        }
        let searched = self
            .reduction
            .as_ref()
            .map_or(network, |reduction| &reduction.network);
        match lattice::choose(searched, goal, config, config.lattice)? {
            Choice::Lattice(elements) => {
                self.elements(elements, goal, config);
                return Ok(());
            }
            Choice::Explicit(why) => self.explicit = why,
        }
        let automatic = is_automatic(query, config);
        let guided = automatic && config.permits_guidance(1);
        let few = |states: u64| config.limits.states.is_some_and(|limit| limit <= states);
        // Several threads search breadth first: estimates and preferred transitions belong to one order, which they would
        // not keep. But what estimates find they find early (docs/auto.md), so that one thread follows them for a while.
        let alone = config.tuning.count(&tuning::ALONE) as u64;
        let alone = (threads > 1 && guided && !few(alone)).then_some(alone);
        if guided && (threads == 1 || alone.is_some()) {
            self.automatic(goal, config, alone);
        }
        if threads == 1 && guided {
            self.walks(config, goal);
            return Ok(());
        }
        let guide = Guide::new(config, config.order(), threads, goal);
        let restart = guide.restart(config);
        if restart.is_some() && threads > 1 {
            return Err(not_restarted());
        }
        // With saved databases there is one abstraction, for all threads to share.
        let varies = |spec: &HeuristicSpec| spec.variation(0).is_some();
        let portfolio = guide.heuristic.as_ref().is_some_and(varies)
            && threads > 1
            && config.databases_in.is_none();
        let stage = self.main(guide);
        self.push(Stage {
            engine: match portfolio {
                true => Engine::Portfolio,
                false => Engine::Zones,
            },
            threads,
            company: automatic && threads > 1,
            budget: restart.map_or(Budget::Rest, |restart| Budget::States(restart.states)),
            restart,
            when: match alone {
                Some(_) => When::Open,
                None => When::First,
            },
            ..stage
        });
        self.certificate(config, goal);
        Ok(())
    }

    /// The automatic search with one thread, for a number of states altogether where several threads come after it.
    fn automatic(&mut self, goal: Option<&Formula>, config: &Config, together: Option<u64>) {
        let guide = Guide::new(config, Order::Auto, 1, goal);
        let budget = together.map_or(Budget::Rest, Budget::Together);
        let stage = Stage {
            budget,
            company: true,
            ..self.main(guide)
        };
        // What a reduction removes becomes free choice, of which the abstract solution knows less than of the moves that
        // were removed: errors that preferred transitions lead to at once in the whole network can take many states in
        // the reduced one, while a proof needs the reduced one.
        let look = config.tuning.count(&tuning::FIRST_LOOK) as u64;
        let looks = self.reduction.is_some() && config.reduce.is_none();
        if looks {
            self.push(Stage {
                name: "first look",
                subject: Subject::Whole,
                // It is for what estimates find at once.
                company: false,
                budget: Budget::Together(look),
                ..stage.clone()
            });
        }
        self.push(Stage {
            when: match looks {
                true => When::Undecided,
                false => When::First,
            },
            ..stage.clone()
        });
        // The automatic search goes deep, to where counters overflow that nobody would count so far; breadth first may
        // decide the query before it gets to such a fault. Only greedy search puts transitions off.
        if config.prune.is_none() {
            let after = Stage {
                name: "after a fault",
                guide: Guide::new(config, Order::Fixed(Strategy::BreadthFirst), 1, goal),
                company: false,
                ..stage
            };
            if self.reduction.is_some() {
                self.push(Stage {
                    when: When::Fault(Subject::Reduced),
                    ..after.clone()
                });
            }
            self.push(Stage {
                subject: Subject::Whole,
                when: When::AnyFault,
                ..after
            });
        }
    }

    /// Walks are exact where zones only say "may hold": the run that they find is the proof.
    fn walks(&mut self, config: &Config, goal: Option<&Formula>) {
        let stage = self.main(Guide::named(Strategy::DepthFirst, "walk"));
        if goal.is_some() && config.trace != TraceKind::Fastest {
            self.push(Stage {
                name: "walks",
                engine: Engine::Walks,
                budget: Budget::States(config.tuning.count(&tuning::WALKS) as u64),
                when: When::MayHold,
                ..stage
            });
        }
    }

    /// Lattice elements that are covered or joined.
    fn elements(&mut self, elements: Elements, goal: Option<&Formula>, config: &Config) {
        let guide = lattice::guide(config, goal, elements.update);
        let stage = self.main(guide);
        self.push(Stage {
            engine: Engine::Elements(elements.clone()),
            ..stage.clone()
        });
        self.push(Stage {
            name: "confirm",
            engine: Engine::Confirm(elements),
            guide: Guide::named(Strategy::DepthFirst, "dfs"),
            budget: times(config, &tuning::CONFIRM_FACTOR, &tuning::CONFIRM_PLUS),
            when: When::Inconclusive,
            ..stage
        });
        // Nobody asked for covering: explicit exploration has a certificate of its own.
        if config.certificate && goal.is_some() && config.lattice.is_none() {
            let stage = self.main(Guide::new(config, config.order(), 1, goal));
            self.push(Stage {
                name: "explicit",
                when: When::Uncertified,
                ..stage
            });
            self.certificate(config, goal);
        }
    }

    /// Everything once more where the search does not leave what makes a certificate.
    fn certificate(&mut self, config: &Config, goal: Option<&Formula>) {
        if !config.certificate || goal.is_none() {
            return;
        }
        let stage = self.main(Guide::named(Strategy::LargestFirst, "largest"));
        self.push(Stage {
            name: "certificate",
            engine: Engine::Certificate,
            budget: times(config, &tuning::PROOF_FACTOR, &tuning::PROOF_PLUS),
            when: When::Uncertified,
            ..stage
        });
    }

    /// Maximal runs depth first. Where that meets a fault of the model, a run closer to the start is looked for, first
    /// very close, then further: it is one whatever goes wrong elsewhere.
    fn runs(&mut self, config: &Config) {
        let stage = Stage {
            engine: Engine::Runs(None),
            ..self.main(Guide::named(Strategy::DepthFirst, "dfs"))
        };
        self.push(stage.clone());
        for deepest in [16, 64, 256, 1024, 4096] {
            self.push(Stage {
                name: "shallow",
                engine: Engine::Runs(Some(deepest)),
                budget: Budget::States(config.tuning.count(&tuning::SHALLOW) as u64),
                when: When::AnyFault,
                ..stage.clone()
            });
        }
    }
}

fn not_restarted() -> Failure {
    Failure::NotPermitted("restarts go with one thread and without --checkpoint".into())
}

fn times(config: &Config, factor: &Tunable, plus: &Tunable) -> Budget {
    let count = |tunable| config.tuning.count(tunable) as u64;
    Budget::Times(count(factor), count(plus))
}

/// Whether the search for an answer is the program's own choice.
fn is_automatic(query: &Query, config: &Config) -> bool {
    let reachability = matches!(
        query.kind,
        QueryKind::Possibly(_) | QueryKind::Invariantly(_)
    );
    reachability
        && config.order() == Order::Auto
        && config.heuristic.is_none()
        && config.lattice.is_none()
}

/// What was asked for; where the search is not named, safe abstractions are made if nothing stands against them.
pub(crate) fn reductions(config: &Config) -> &[Kind] {
    let automatic =
        config.order() == Order::Auto && !config.certificate && config.trace != TraceKind::Shortest;
    match &config.reduce {
        Some(kinds) => kinds,
        None if automatic => &[Kind::Safe],
        None => &[],
    }
}

/// The smaller network to search, or why there is none where one was asked for.
fn reduction(
    network: &Network,
    query: &Query,
    config: &Config,
) -> (Option<Reduction>, Option<String>) {
    let kinds = reductions(config);
    // Without a word from the user, models with lattices are covered as they are.
    if kinds.is_empty() || !network.lattice_variables.is_empty() && config.reduce.is_none() {
        return (None, None);
    }
    let remark = match Reduction::tuned(network, query, kinds, &config.tuning) {
        Ok(reduction) if !reduction.is_trivial() => return (Some(reduction), None),
        Ok(_) => "nothing can be removed".to_string(),
        Err(reason) => format!("not reduced: {reason}"),
    };
    // What nobody asked for needs no remark.
    (None, config.reduce.is_some().then_some(remark))
}

impl fmt::Display for Guide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.heuristic {
            Some(heuristic) => write!(f, "{} with {heuristic}", self.search),
            None => f.write_str(&self.search),
        }
    }
}

impl Guide {
    /// An order without a heuristic.
    pub fn named(strategy: Strategy, name: &str) -> Guide {
        Guide {
            strategy,
            search: name.into(),
            heuristic: None,
        }
    }

    /// Whether a search starts anew: as was asked for, or as its heuristic wants.
    fn restart(&self, config: &Config) -> Option<Restart> {
        let spec = self.heuristic.as_ref()?;
        let states = config.restarts.or_else(|| spec.restart())?;
        Some(Restart {
            round: 0,
            states: states.max(1),
        })
    }

    /// What an order amounts to with a number of threads; without a goal there is nothing to be guided to.
    pub fn new(config: &Config, order: Order, threads: usize, goal: Option<&Formula>) -> Guide {
        let guided = config.heuristic.clone().filter(|_| goal.is_some());
        let greedy = |heuristic: Option<HeuristicSpec>| Guide {
            heuristic,
            ..Guide::named(Strategy::Greedy(config.tie_break()), "greedy")
        };
        let upper = || Some(HeuristicSpec::of(&atg::UPPER));
        let strategy = match order {
            // Walks are made before anybody makes a schedule.
            Order::Auto | Order::Walk(_) => {
                return match guided {
                    Some(_) if config.trace == TraceKind::Shortest => Guide {
                        heuristic: guided,
                        ..Guide::named(Strategy::AStar, "astar")
                    },
                    Some(_) => greedy(guided),
                    None if goal.is_none() => Guide::named(Strategy::LargestFirst, "largest"),
                    // Only greedy search puts transitions off.
                    None if config.prune.is_some() => greedy(upper()),
                    None if config.permits_guidance(threads) => Guide {
                        heuristic: upper(),
                        ..Guide::named(Strategy::Auto(config.tie.unwrap_or_default()), "auto")
                    },
                    None => Guide::named(Strategy::BreadthFirst, "bfs"),
                };
            }
            Order::Fixed(strategy) => strategy,
        };
        let heuristic = match strategy {
            _ if goal.is_none() => None,
            Strategy::Greedy(_) | Strategy::Preferred(_) | Strategy::Auto(_) => {
                guided.or_else(upper)
            }
            Strategy::Novelty(_) => guided.or_else(|| Some(HeuristicSpec::of(&hamming::ENTRY))),
            Strategy::AStar | Strategy::WeightedAStar { .. } => {
                guided.or_else(|| Some(HeuristicSpec::of(&atg::LOWER)))
            }
            _ => None,
        };
        // A stage may have another order than the one that was asked for.
        let search = match order == config.order() {
            true => config.search.unwrap_or_default().to_string(),
            false => "bfs".to_string(),
        };
        Guide {
            strategy,
            search,
            heuristic,
        }
    }
}

/// A stage that was run.
#[derive(Clone, PartialEq, Debug)]
pub struct Ran {
    /// What it was for.
    pub stage: &'static str,
    /// What did the work.
    pub engine: String,
    /// The order of expansion and the heuristic.
    pub guide: String,
    /// The threads.
    pub threads: usize,
    /// The states that it might expand; `None` for any number.
    pub budget: Option<u64>,
    /// The states that it expanded.
    pub explored: u64,
    /// Why it ended, in words.
    pub ended: String,
    /// The time that it took.
    pub time: Duration,
}
