//! Who runs next: the stages of a check, as data. This is decided here and nowhere else.
//!
//! A stage is run if its condition fits what came of the stages before it, the first one always. So the list below reads
//! from top to bottom: run, look at what came out, go on or stop.

mod guide;
mod reachability;
mod runs;
mod stage;

use std::collections::VecDeque;

use merkhet_analysis::reduce::{Kind, Reduction};
use merkhet_explore::{StopReason, Strategy};
use merkhet_network::{Network, Query, QueryKind};

pub(crate) use guide::Guide;
pub use stage::Ran;
pub(crate) use stage::{Budget, Elements, Engine, Restart, Stage, Subject, When};

use super::{not, shorten};
use crate::config::{Config, Order, TraceKind};
use crate::failure::Failure;
use crate::report::{Answer, Report};
use crate::why::{Explicit, Remark, Why};

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
                Answer::Unknown(Why::Inconclusive { hint: true, .. })
            ),
            (When::MayHold, Standing::Report(report)) => {
                matches!(report.answer, Answer::Unknown(Why::MayHold))
            }
            (When::Uncertified, Standing::Report(report)) => {
                let missing =
                    |remark: &Remark| matches!(remark, Remark::NoCertificate | Remark::NoBoxes(_));
                report.remarks.iter().any(missing)
            }
            (When::Shown, Standing::Report(report)) => shorten::is_worthwhile(report),
            (When::Fault(one), Standing::Fault(_, other)) => one == *other,
            (When::AnyFault | When::Open, Standing::Fault(..)) => true,
            _ => false,
        }
    }
}

impl Schedule {
    /// The stages for a query. `checkpointed`: the search is written down, as only a single one can be.
    pub fn of(
        network: &Network,
        query: &Query,
        config: &Config,
        checkpointed: bool,
    ) -> Result<Schedule, Failure> {
        let mut schedule = Schedule::default();
        if !checkpointed {
            (schedule.reduction, schedule.not_reduced) = reduction(network, query, config);
        }
        schedule.fill(network, query, config, checkpointed)?;
        Ok(schedule)
    }

    /// The stages without any reduction, for those who only want to know what they are.
    pub fn planned(
        network: &Network,
        query: &Query,
        config: &Config,
        checkpointed: bool,
    ) -> Result<Schedule, Failure> {
        let mut schedule = Schedule::default();
        schedule.fill(network, query, config, checkpointed)?;
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
        checkpointed: bool,
    ) -> Result<(), Failure> {
        match &query.kind {
            QueryKind::Possibly(goal) => {
                self.reachability(network, query, Some(goal), config, checkpointed)?;
                self.shorten(query, config, checkpointed);
            }
            QueryKind::Invariantly(formula) => {
                self.reachability(network, query, Some(&not(formula)), config, checkpointed)?;
                self.shorten(query, config, checkpointed);
            }
            QueryKind::Explore => self.reachability(network, query, None, config, checkpointed)?,
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
            glance: false,
        }
    }
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
