//! The ways of shortening a run, in turns.

use std::rc::Rc;

use merkhet_analysis::Demand;
use merkhet_explore::{Allowance, concretise, nearby};
use merkhet_network::{Formula, Network, Query, Trace};
use merkhet_replay::{Replayed, judge_trace};
use merkhet_semantics::{Extrapolation, GoalId, Options, System};
use merkhet_walks::{Model, Purse, Shortener, TAKEN};

use super::account::Account;
use super::{SUCCESSORS, weight};
use crate::config::Config;
use crate::tuning;

/// A run with what makes it shorter.
pub(super) struct Search<'a> {
    network: &'a Network,
    query: &'a Query,
    goal: &'a Formula,
    config: &'a Config,
    pub best: Option<Box<Replayed>>,
    trace: Trace,
    pub refused: Option<String>,
    /// No shorter run exists.
    pub complete: bool,
    /// Zones can be searched, and did not fail so far.
    zones: bool,
    /// What was compiled for the turns before, as long as the run keeps its ticks.
    model: Option<(i64, Rc<Model>)>,
    system: Option<Rc<System>>,
}

impl<'a> Search<'a> {
    /// A run that nothing was tried on.
    pub fn new(
        network: &'a Network,
        query: &'a Query,
        goal: &'a Formula,
        config: &'a Config,
        trace: Trace,
    ) -> Search<'a> {
        Search {
            network,
            query,
            goal,
            config,
            best: None,
            trace,
            refused: None,
            complete: false,
            zones: true,
            model: None,
            system: None,
        }
    }
}

impl Search<'_> {
    /// Takes turns until nothing is left; each round without success gives the next one twice as much. Where no way goes, as
    /// with stopwatches whose run has moments that are none of the walks' ticks, it ends at once.
    pub fn run(&mut self, account: &mut Account<'_>) {
        account.turn =
            (account.most / self.config.tuning.count(&tuning::SHORTEN_ROUNDS) as u64).max(1);
        while account.left() > 0 && self.refused.is_none() && !self.complete {
            let (before, spent) = (self.length(), account.spent);
            self.leave_out(account);
            self.near(account);
            if self.length() == before && !self.complete {
                self.walk(account);
            }
            match self.length() < before {
                true => account.succeed(),
                false if account.spent == spent => break,
                false => account.turn = account.turn.saturating_mul(2),
            }
        }
    }

    pub fn length(&self) -> usize {
        self.trace.steps.len()
    }

    /// On concrete states: leaves out what is not needed.
    fn leave_out(&mut self, account: &mut Account<'_>) {
        self.concrete(account, |shortener, purse| {
            shortener.leave_out(purse);
        });
    }

    /// On concrete states: walks.
    fn walk(&mut self, account: &mut Account<'_>) {
        self.concrete(account, |shortener, purse| {
            shortener.walk_anew(purse);
        });
    }

    fn concrete(
        &mut self,
        account: &mut Account<'_>,
        shorten: impl FnOnce(&mut Shortener<'_>, &mut Purse<'_>),
    ) {
        if account.left() == 0 || self.refused.is_some() {
            return;
        }
        let Some(model) = self.model() else {
            return;
        };
        let seed = self.config.seed.wrapping_add(account.spent);
        let Some(mut shortener) = Shortener::new(&model, &self.trace, seed) else {
            return;
        };
        account.spend(|purse| shorten(&mut shortener, purse));
        if shortener.length() < self.length() {
            self.judge(shortener.trace());
        }
    }

    /// The network compiled for walks on the run's ticks; `None` if it is too large.
    fn model(&mut self) -> Option<Rc<Model>> {
        let scale = self.trace.scale;
        match &self.model {
            Some((known, model)) if *known == scale => Some(Rc::clone(model)),
            _ => {
                let model = Model::with_ticks(self.network, Some(self.goal), scale).ok()?;
                let model = model.tuned(&self.config.tuning);
                let (_, model) = self.model.insert((scale, Rc::new(model)));
                Some(Rc::clone(model))
            }
        }
    }

    /// The network compiled for zones; `None` if they say nothing about it.
    fn system(&mut self) -> Option<Rc<System>> {
        if self.system.is_none() {
            let formulas = [self.goal];
            let options = Options {
                extrapolation: self.config.extrapolation.unwrap_or(Extrapolation::LuPlus),
                demand: Demand {
                    formulas: &formulas,
                    ..Demand::default()
                },
                forget_dead: self.config.forgets_dead(),
                tuning: Some(&self.config.tuning),
                ..Options::default()
            };
            self.system = System::new(self.network, &options).ok().map(Rc::new);
        }
        let system = self.system.clone();
        system.filter(|system| !system.over_approximate())
    }

    /// On zones: looks for shorter ways near the run.
    fn near(&mut self, account: &mut Account<'_>) {
        if !self.zones || account.left() == 0 || self.refused.is_some() {
            return;
        }
        let found = account.spend(|purse| self.nearby(purse));
        match found {
            Some(Some(trace)) => self.judge(trace),
            Some(None) => {}
            None => self.zones = false,
        }
    }

    /// A shorter run near the best one; `None` if zones say nothing about this network.
    fn nearby(&mut self, purse: &mut Purse<'_>) -> Option<Option<Trace>> {
        let rows = self.network.clocks.len() + 1;
        let bytes = self.config.tuning.count(&tuning::SHORTEN_NEARBY);
        if rows * rows * size_of::<i32>() * self.length() > bytes {
            return None;
        }
        let system = self.system()?;
        let weight = (weight(self.network) * TAKEN).div_ceil(SUCCESSORS);
        let known = (self.trace.steps.iter())
            .map(|step| {
                let edges = step.transition.edges.iter();
                edges
                    .map(|(process, edge)| system.edge_index(*process, *edge))
                    .collect()
            })
            .collect::<Vec<_>>();
        let mut allowance = Allowance {
            successors: purse.left / weight,
            bytes,
            stop: &mut *purse.stop,
        };
        let found = nearby(&system, GoalId(0), &known, &mut allowance).ok()?;
        purse.left = purse.left.saturating_sub(found.successors * weight);
        let trace = match found.shorter {
            Some(shorter) => Some(concretise(&system, &shorter).ok()?),
            None => None,
        };
        self.complete = found.complete;
        Some(trace)
    }

    /// Takes a shorter run if the judge does.
    fn judge(&mut self, trace: Trace) {
        match judge_trace(self.network, self.query, &trace) {
            Ok(run) => {
                self.best = Some(Box::new(run));
                self.trace = trace;
            }
            Err(rejection) => self.refused = Some(rejection.to_string()),
        }
    }
}
