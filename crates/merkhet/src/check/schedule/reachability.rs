//! The stages for `E<>`, `A[]` and exploration.

use merkhet_explore::Strategy;
use merkhet_heuristics::HeuristicSpec;
use merkhet_network::tuning::Tunable;
use merkhet_network::{Formula, Network, Query, QueryKind};

use super::{Budget, Elements, Engine, Guide, Schedule, Stage, Subject, When};
use crate::check::lattice::{self, Choice};
use crate::config::{Config, Order, TraceKind};
use crate::failure::Failure;
use crate::tuning;

impl Schedule {
    pub(super) fn reachability(
        &mut self,
        network: &Network,
        query: &Query,
        goal: Option<&Formula>,
        config: &Config,
        checkpointed: bool,
    ) -> Result<(), Failure> {
        let threads = config.threads.max(1);
        if checkpointed {
            let guide = Guide::written_down(config, goal);
            if guide.restart(config).is_some() {
                return Err(not_restarted());
            }
            let mut stage = self.main(guide);
            match lattice::choose(network, goal, config, config.lattice)? {
                // One search is written down, not two that take turns.
                Choice::Lattice(elements) => {
                    stage.engine = Engine::Elements(Elements {
                        turns: false,
                        ..elements
                    });
                }
                Choice::Explicit(why) => self.explicit = why,
            }
            let explicit = stage.engine == Engine::Zones;
            self.push(stage);
            if explicit {
                self.certificate(config, goal);
            }
            return Ok(());
        }
        let searched = self
            .reduction
            .as_ref()
            .map_or(network, |reduction| &reduction.network);
        match lattice::choose(searched, goal, config, config.lattice)? {
            Choice::Lattice(elements) => {
                return self.elements(elements, goal, config);
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

    /// What the program's own choice of searches has found is made shorter for a while. A search that was named shows the run
    /// that it finds, unless a short one was asked for.
    pub(super) fn shorten(&mut self, query: &Query, config: &Config, checkpointed: bool) {
        let wanted = match config.trace {
            TraceKind::Short => true,
            TraceKind::Some => !checkpointed && is_automatic(query, config),
            TraceKind::None | TraceKind::Shortest | TraceKind::Fastest => false,
        };
        if wanted {
            let stage = self.main(Guide::named(Strategy::DepthFirst, "none"));
            self.push(Stage {
                name: "shorten",
                engine: Engine::Shorten,
                subject: Subject::Whole,
                when: When::Shown,
                ..stage
            });
        }
    }

    /// Lattice elements that are covered or joined.
    fn elements(
        &mut self,
        elements: Elements,
        goal: Option<&Formula>,
        config: &Config,
    ) -> Result<(), Failure> {
        let threads = config.threads.max(1);
        let guide = lattice::guide(config, goal, elements.update);
        let restart = guide.restart(config);
        if restart.is_some() && threads > 1 {
            return Err(not_restarted());
        }
        let stage = Stage {
            engine: Engine::Elements(elements.clone()),
            ..self.main(guide)
        };
        let looks = elements.turns && config.permits_guidance(1);
        if looks {
            // Estimates may lead to an error long before breadth first comes there, whatever elements allow.
            let count = |tunable| Budget::States(config.tuning.count(tunable) as u64);
            self.push(Stage {
                name: "first look",
                budget: count(&tuning::LATTICE_LOOK),
                ..stage.clone()
            });
            let guide = Guide::new(config, Order::Auto, 1, goal);
            self.push(Stage {
                name: "guided look",
                budget: count(&tuning::GUIDED_LOOK),
                when: When::Undecided,
                glance: true,
                ..self.main(guide)
            });
        }
        self.push(Stage {
            threads,
            budget: restart.map_or(Budget::Rest, |restart| Budget::States(restart.states)),
            restart,
            when: match looks {
                true => When::Open,
                false => When::First,
            },
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
        Ok(())
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
