//! What each option of a check means something to. An option that has no effect on any of the queries is refused: whoever
//! gives it believes that it does something.

use merkhet_explore::{Strategy, TieBreak};
use merkhet_lattices::Update;
use merkhet_network::{Network, Query, QueryKind};

use crate::check::schedule::{Engine, Schedule, Stage};
use crate::config::{Config, TraceKind};
use crate::search::SearchSpec;

/// An option of a check.
#[derive(Clone, Copy)]
pub struct OptionSpec {
    /// As on the command line.
    pub name: &'static str,
    /// What it means something to, in words.
    pub is_for: &'static str,
    /// Whether it means something to decision diagrams.
    pub diagrams: bool,
    given: fn(&Config) -> bool,
    matters: Matters,
}

/// Whether an option means something to a stage.
type Test = fn(&Situation<'_>) -> bool;

/// What an option means something to.
#[derive(Clone, Copy)]
enum Matters {
    /// Everything.
    Always,
    /// Stages such as this one.
    Stage(Test),
}

/// A stage that an option may mean something to.
struct Situation<'s> {
    network: &'s Network,
    query: &'s Query,
    config: &'s Config,
    stage: &'s Stage,
}

impl Situation<'_> {
    /// Whether zones are searched by discrete state, not only for a moment.
    fn zones(&self) -> bool {
        matches!(self.stage.engine, Engine::Zones | Engine::Portfolio) && !self.stage.glance
    }

    fn shortens(&self) -> bool {
        self.stage.engine == Engine::Shorten
    }

    fn elements(&self) -> bool {
        matches!(self.stage.engine, Engine::Elements(_))
    }

    /// Whether the update of lattice elements decides how values are measured.
    fn values(&self) -> bool {
        self.stage.engine == Engine::Values
    }

    fn has_goal(&self) -> bool {
        !matches!(self.query.kind, QueryKind::Explore)
    }

    fn has_lattices(&self) -> bool {
        !self.network.lattice_variables.is_empty()
    }

    fn guided(&self) -> bool {
        let heuristic = self.stage.guide.heuristic.as_ref();
        heuristic.is_some_and(|spec| !spec.is_blind()) && !self.stage.glance
    }

    fn greedy(&self) -> bool {
        matches!(self.stage.guide.strategy, Strategy::Greedy(_))
    }

    /// Whether ties are broken as was asked for.
    fn ties(&self) -> bool {
        match self.stage.guide.strategy {
            _ if self.stage.glance => false,
            Strategy::Greedy(tie) | Strategy::Preferred(tie) | Strategy::Auto(tie) => {
                self.config.tie == Some(tie)
            }
            _ => false,
        }
    }

    /// Whether random choices are made on the way.
    fn chooses(&self) -> bool {
        match (&self.stage.engine, self.stage.guide.strategy) {
            (Engine::Walks | Engine::Shorten, _) => true,
            (Engine::Runs(_) | Engine::Values | Engine::Certificate, _) => false,
            // The automatic search goes deep in random order, and walks beside its store.
            (_, Strategy::RandomDepthFirst | Strategy::Auto(_)) => true,
            (_, Strategy::Greedy(tie) | Strategy::Preferred(tie)) => tie == TieBreak::Random,
            _ => false,
        }
    }

    fn joins(&self) -> bool {
        matches!(self.config.lattice, Some(Update::Join | Update::Cegar))
    }
}

const EXPLICIT: &str =
    "E<>, A[] and exploration by zones (--lattice simple where there are lattice variables)";

/// The options that a configuration holds.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "--search",
        is_for: "E<>, A[] and exploration; liveness and values are searched in their own ways, and `largest` needs zones",
        diagrams: true,
        // `auto` leaves the choice to the program, whatever it is.
        given: |config| !matches!(config.search, None | Some(SearchSpec::Auto)),
        matters: Matters::Stage(|at| {
            let largest = at.config.search == Some(SearchSpec::LargestFirst);
            at.zones() || at.elements() && !largest
        }),
    },
    OptionSpec {
        name: "--heuristic",
        is_for: "searches for a goal that follow one: auto, greedy, preferred, novelty, astar and wastar:W",
        diagrams: false,
        given: |config| (config.heuristic.as_ref()).is_some_and(|spec| !spec.is_blind()),
        matters: Matters::Stage(|at| at.guided()),
    },
    OptionSpec {
        name: "--pdb-in",
        is_for: "searches that follow --heuristic pa",
        diagrams: false,
        given: |config| config.databases_in.is_some(),
        matters: Matters::Stage(|at| at.guided()),
    },
    OptionSpec {
        name: "--pdb-out",
        is_for: "searches that follow --heuristic pa",
        diagrams: false,
        given: |config| config.databases_out,
        matters: Matters::Stage(|at| at.guided() && at.zones()),
    },
    OptionSpec {
        name: "--tie",
        is_for: "searches that follow estimates and leave ties open: auto, greedy and preferred",
        diagrams: false,
        given: |config| config.tie.is_some(),
        matters: Matters::Stage(|at| at.ties()),
    },
    OptionSpec {
        name: "--heuristic-cache",
        is_for: "searches by zones that follow a heuristic",
        diagrams: false,
        given: |config| config.heuristic_cache.is_some(),
        matters: Matters::Stage(|at| at.guided() && at.stage.engine == Engine::Zones),
    },
    OptionSpec {
        name: "--restarts",
        is_for: "rdfs, greedy and preferred search",
        diagrams: false,
        given: |config| config.restarts.is_some(),
        matters: Matters::Stage(|at| at.stage.restart.is_some()),
    },
    OptionSpec {
        name: "--seed",
        is_for: "the random choices of auto, rdfs and walk, of --tie random and --restarts, and of shorter traces",
        diagrams: false,
        given: |config| config.seed != 0,
        matters: Matters::Stage(|at| at.chooses()),
    },
    OptionSpec {
        name: "--threads",
        is_for: "E<>, A[] and exploration, without --checkpoint, which takes one thread",
        diagrams: false,
        given: |config| config.threads > 1,
        matters: Matters::Stage(|at| at.stage.threads > 1),
    },
    OptionSpec {
        name: "--extrapolation",
        is_for: "E<>, A[] and exploration",
        diagrams: false,
        given: |config| config.extrapolation.is_some(),
        matters: Matters::Stage(|at| at.zones() || at.elements()),
    },
    OptionSpec {
        name: "--inclusion",
        is_for: EXPLICIT,
        diagrams: false,
        given: |config| config.inclusion.is_some(),
        matters: Matters::Stage(|at| at.zones()),
    },
    OptionSpec {
        name: "--bitstate",
        is_for: EXPLICIT,
        diagrams: false,
        given: |config| config.bitstate,
        matters: Matters::Stage(|at| at.zones()),
    },
    OptionSpec {
        name: "--prune",
        is_for: "greedy search by zones",
        diagrams: false,
        given: |config| config.prune.is_some(),
        matters: Matters::Stage(|at| at.greedy() && at.zones()),
    },
    OptionSpec {
        name: "--reduce",
        is_for: "E<> and A[]: reductions keep neither infinite runs nor values",
        diagrams: false,
        given: |config| (config.reduce.as_ref()).is_some_and(|kinds| !kinds.is_empty()),
        matters: Matters::Stage(|at| at.has_goal() && (at.zones() || at.elements())),
    },
    OptionSpec {
        name: "--keep-dead-variables",
        is_for: "E<> and A[] by zones, liveness and values",
        diagrams: false,
        given: |config| config.keep_dead,
        matters: Matters::Stage(|at| {
            let runs = matches!(at.stage.engine, Engine::Runs(_));
            at.zones() && at.has_goal() || runs || at.values()
        }),
    },
    OptionSpec {
        name: "--symmetry",
        is_for: "E<> and A[] by zones",
        diagrams: false,
        given: |config| config.symmetry.is_some(),
        matters: Matters::Stage(|at| at.has_goal() && at.zones()),
    },
    OptionSpec {
        name: "--trace shortest, fastest",
        is_for: "E<> and A[]",
        diagrams: true,
        given: |config| matches!(config.trace, TraceKind::Shortest | TraceKind::Fastest),
        matters: Matters::Stage(|at| at.has_goal() && at.zones()),
    },
    OptionSpec {
        name: "--trace short",
        is_for: "E<> and A[] by states",
        diagrams: false,
        given: |config| config.trace == TraceKind::Short,
        matters: Matters::Stage(|at| at.has_goal() && at.shortens()),
    },
    OptionSpec {
        name: "--certificate",
        is_for: "everything that asks for something: not for exploration; of SMV models INVARSPEC, AG p, G p, EF p and !EF p",
        diagrams: true,
        given: |config| config.certificate,
        matters: Matters::Stage(|at| {
            let searched = at.has_goal() && (at.zones() || at.elements());
            searched || at.values() || at.stage.engine == Engine::Runs(None)
        }),
    },
    OptionSpec {
        name: "--lattice",
        is_for: "E<>, A[], exploration and values; `simple` for models with lattice variables",
        diagrams: false,
        given: |config| config.lattice.is_some(),
        matters: Matters::Stage(|at| {
            let simple = at.config.lattice == Some(Update::Simple);
            let searched = at.zones() || at.elements() || at.values();
            searched && (at.has_lattices() || !simple)
        }),
    },
    OptionSpec {
        name: "--joining",
        is_for: "--lattice join and --lattice cegar",
        diagrams: false,
        given: Config::joins_by_strategy,
        matters: Matters::Stage(|at| at.joins() && (at.elements() || at.values())),
    },
    OptionSpec {
        name: "--check-monotone",
        is_for: "E<>, A[], exploration and values of models with lattice variables",
        diagrams: false,
        given: |config| config.check_monotone,
        matters: Matters::Stage(|at| {
            let compared = at.has_lattices() || at.config.lattice.is_some();
            compared && (at.elements() || at.values())
        }),
    },
    OptionSpec {
        name: "--assume-monotone",
        is_for: "--lattice cover, join and cegar",
        diagrams: false,
        given: |config| config.assume_monotone,
        matters: Matters::Stage(|at| {
            let asked = !matches!(at.config.lattice, None | Some(Update::Simple));
            asked && (at.elements() || at.values())
        }),
    },
    OptionSpec {
        name: "--max-states",
        is_for: "searches through states",
        diagrams: false,
        given: |config| config.limits.states.is_some(),
        matters: Matters::Always,
    },
];

/// The options that are given and mean nothing to any of these queries of a network. `checkpointed`: the search is written
/// down.
pub fn without_effect<'q>(
    network: &Network,
    queries: impl IntoIterator<Item = &'q Query>,
    config: &Config,
    checkpointed: bool,
) -> Vec<&'static OptionSpec> {
    let given = OPTIONS.iter().filter(|spec| (spec.given)(config));
    let mut idle: Vec<(&'static OptionSpec, Test)> = given
        .filter_map(|spec| match spec.matters {
            Matters::Always => None,
            Matters::Stage(matters) => Some((spec, matters)),
        })
        .collect();
    let mut queries = queries.into_iter().peekable();
    if queries.peek().is_none() {
        return Vec::new();
    }
    for query in queries {
        // What cannot be decided so at all says so itself.
        let Ok(schedule) = Schedule::planned(network, query, config, checkpointed) else {
            return Vec::new();
        };
        for stage in schedule.stages() {
            let at = Situation {
                network,
                query,
                config,
                stage,
            };
            idle.retain(|(_, matters)| !matters(&at));
        }
    }
    idle.into_iter().map(|(spec, _)| spec).collect()
}

impl Config {
    /// The first option that means nothing to decision diagrams, of those that are given.
    pub fn meaningless_to_diagrams(&self) -> Option<&'static str> {
        let fastest = self.trace == TraceKind::Fastest;
        let given = OPTIONS.iter().filter(|spec| (spec.given)(self));
        // Its searches have names of their own.
        let search = self.search.is_some().then_some("--search");
        let first = given.filter(|spec| !spec.diagrams).map(|spec| spec.name);
        search.or_else(|| first.chain(fastest.then_some("--trace fastest")).next())
    }
}
