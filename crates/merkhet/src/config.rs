//! How a query is to be checked.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

use crate::diagrams::DiagramOptions;
use crate::joining::JoiningRule;
use crate::search::{SearchSpec, WalkSpec};
use merkhet_analysis::reduce::Kind as ReductionKind;
use merkhet_explore::{Inclusion, Strategy, TieBreak};
use merkhet_heuristics::{ALL, HeuristicSpec, MOST_LEVELS, Prune};
use merkhet_lattices::{Joining, Update};
use merkhet_network::tuning::Tuning;
use merkhet_semantics::Extrapolation;

/// A name that an option takes, with what it means: one list for help, manual and error messages.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// The name.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// What is guaranteed.
    pub facts: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
}

/// Which trace is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TraceKind {
    /// None.
    None,
    /// Any; one that the program's own choice of searches has found is made shorter for a while.
    #[default]
    Some,
    /// Any, made shorter as long as the limits permit.
    Short,
    /// One with the fewest transitions.
    Shortest,
    /// One that takes the least time.
    Fastest,
}

/// What is being done for a query. The search looks at the limits by itself; the other phases are short except for huge
/// networks, and whoever must not wait for them can say in which one the time was over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The model is read.
    Reading,
    /// The network is analysed, reduced and compiled.
    Preparing,
    /// The heuristic is prepared.
    Heuristic,
    /// States are searched.
    Searching,
    /// Sets of states are computed as decision diagrams.
    Diagrams,
    /// A run is made concrete and judged, or a certificate made.
    Evidence,
    /// The run that shows the answer is made shorter.
    Shortening,
    /// Further runs are looked for, beside the one that shows the answer.
    Traces,
    /// A certificate is checked before it is written.
    Checking,
    /// A file is written that may be a pipe.
    Writing,
    /// The search has ended; what is left is to report.
    Ending,
}

impl Phase {
    const ALL: [Phase; 11] = [
        Phase::Reading,
        Phase::Preparing,
        Phase::Heuristic,
        Phase::Searching,
        Phase::Diagrams,
        Phase::Evidence,
        Phase::Shortening,
        Phase::Traces,
        Phase::Checking,
        Phase::Writing,
        Phase::Ending,
    ];

    /// What it does, after the word "while".
    pub fn words(self) -> &'static str {
        match self {
            Phase::Reading => "reading the model",
            Phase::Preparing => "preparing the network",
            Phase::Heuristic => "preparing the heuristic",
            Phase::Searching => "computing the successors of a state",
            Phase::Diagrams => "computing with decision diagrams",
            Phase::Evidence => "making the evidence",
            Phase::Shortening => "shortening the trace",
            Phase::Traces => "looking for further traces",
            Phase::Checking => "checking the certificate",
            Phase::Writing => "writing a file",
            Phase::Ending => "ending the search",
        }
    }
}

/// The phase of a query, to be written by one thread and read by others.
#[derive(Clone, Debug, Default)]
pub struct PhaseCell(Arc<AtomicU8>);

impl PhaseCell {
    /// Begins a phase.
    pub fn enter(&self, phase: Phase) {
        self.0.store(phase as u8, Ordering::Relaxed);
    }

    /// The present one.
    pub fn get(&self) -> Phase {
        let number = usize::from(self.0.load(Ordering::Relaxed));
        Phase::ALL.get(number).copied().unwrap_or(Phase::Reading)
    }
}

/// What a query may use up.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Time.
    pub timeout: Option<Duration>,
    /// Memory of the whole process, in bytes.
    pub memory: Option<u64>,
    /// States.
    pub states: Option<u64>,
    /// Ends the search when it becomes true.
    pub cancel: Arc<AtomicBool>,
    /// What is being done at the moment, for those who watch from outside.
    pub phase: PhaseCell,
}

/// How a query is to be checked. [`Config::validate`] says whether its parts go together.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The order of expansion; `None` is the program's own choice.
    pub search: Option<SearchSpec>,
    /// The heuristic; `None` leaves it to the search.
    pub heuristic: Option<HeuristicSpec>,
    /// The number of entries of the table of heuristic values; `None` chooses, 0 is none.
    pub heuristic_cache: Option<usize>,
    /// Which of several states with the same estimate comes first.
    pub tie: Option<TieBreak>,
    /// Start anew after this many states, then after twice as many, and so on, each time with another seed.
    pub restarts: Option<u64>,
    /// The trace.
    pub trace: TraceKind,
    /// `None` chooses what fits the query.
    pub extrapolation: Option<Extrapolation>,
    /// `None` chooses what fits the query.
    pub inclusion: Option<Inclusion>,
    /// Remember only hashes of states.
    pub bitstate: bool,
    /// Limits.
    pub limits: Limits,
    /// For random choices.
    pub seed: u64,
    /// Threads for reachability (`E<>`, `A[]`) and full exploration; 0 means 1. Other queries use one.
    pub threads: usize,
    /// Whether to keep the proof of a "no".
    pub certificate: bool,
    /// How lattice elements are covered or joined; `None` covers where that is proved to be exact.
    pub lattice: Option<Update>,
    /// Which lattice elements may be joined.
    pub joining: Joining,
    /// What else has to permit a join.
    pub joining_rules: Vec<JoiningRule>,
    /// Cover and join as asked for where the model is not proved to be monotone; then "not found" is no verdict.
    pub assume_monotone: bool,
    /// Test the monotonicity property of a model with lattices along the search.
    pub check_monotone: bool,
    /// Which transitions greedy search puts off.
    pub prune: Option<Prune>,
    /// What to leave out of the network first; `None` leaves it to the search.
    pub reduce: Option<Vec<ReductionKind>>,
    /// Tell states apart that differ in variables only whose values are not read any more.
    pub keep_dead: bool,
    /// One state for all that differ by a permutation of interchangeable processes, wherever that is sound; `None` is no.
    pub symmetry: Option<bool>,
    /// Saved pattern databases that are to be used instead of making some.
    pub databases_in: Option<Arc<str>>,
    /// Whether the report is to hold the pattern databases, to be saved.
    pub databases_out: bool,
    /// Numbers that were measured, where they are to be others.
    pub tuning: Tuning,
    /// Decide by decision diagrams, and how; `None` does so for finite systems only.
    pub diagrams: Option<DiagramOptions>,
}

/// A name that is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    /// `search` or `heuristic`.
    pub option: &'static str,
    /// What was given.
    pub given: String,
    /// What could have been given.
    pub known: Vec<&'static str>,
    /// What is wrong with it beyond being unknown.
    pub remark: Option<Cow<'static, str>>,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.remark {
            Some(remark) if self.given.is_empty() => write!(f, "{}: {remark}", self.option),
            Some(remark) => write!(f, "{} '{}': {remark}", self.option, self.given),
            None => write!(
                f,
                "unknown {} '{}'; known are {}",
                self.option,
                self.given,
                self.known.join(", ")
            ),
        }
    }
}

impl std::error::Error for ConfigError {}

/// The order of expansion that was asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Order {
    Auto,
    Fixed(Strategy),
    /// No order: walks.
    Walk(WalkSpec),
}

impl Config {
    /// Whether variables that are not read any more get a fixed value. A certificate speaks of the states as they are.
    pub(crate) fn forgets_dead(&self) -> bool {
        !self.keep_dead && !self.certificate
    }

    /// Whether states are given by representatives under permutations where a goal is looked for.
    pub(crate) fn permutes(&self) -> bool {
        self.symmetry.unwrap_or(false)
    }

    /// The configuration with what is left of the time after some of it was spent.
    pub fn after(&self, spent: Duration) -> Config {
        let mut rest = self.clone();
        rest.limits.timeout = (self.limits.timeout).map(|limit| limit.saturating_sub(spent));
        rest
    }

    /// Checks the names.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let order = self.order();
        let saved = self.databases_in.is_some() || self.databases_out;
        let makes_some = |spec: &HeuristicSpec| spec.entry().databases;
        if saved && !self.heuristic.as_ref().is_some_and(makes_some) {
            return Err(ConfigError {
                option: "heuristic",
                given: (self.heuristic.as_ref()).map_or("none".into(), HeuristicSpec::to_string),
                known: Vec::new(),
                remark: Some(
                    "only pa makes pattern databases that can be saved; add --heuristic pa".into(),
                ),
            });
        }
        if self.symmetry == Some(true) && (self.certificate || self.bitstate) {
            return Err(ConfigError {
                option: "symmetry",
                given: "full".into(),
                known: Vec::new(),
                remark: Some(
                    "certificates speak of the states as they are, and --bitstate proves nothing; leave --symmetry out"
                        .into(),
                ),
            });
        }
        if self.certificate && self.bitstate {
            return Err(ConfigError {
                option: "certificate",
                given: String::new(),
                known: Vec::new(),
                remark: Some("--bitstate proves nothing; leave one of them out".into()),
            });
        }
        if let (Order::Walk(_), Some(option)) = (order, self.useless_for_walks()) {
            return Err(ConfigError {
                option,
                given: String::new(),
                known: Vec::new(),
                remark: Some(
                    "walks have no use for it: they store nothing and prove nothing".into(),
                ),
            });
        }
        let blind = self.search.is_some_and(SearchSpec::is_blind);
        let refuse = |option, given: &str, remark: &'static str| {
            let given = given.to_string();
            Err(ConfigError {
                option,
                given,
                known: Vec::new(),
                remark: Some(remark.into()),
            })
        };
        if self.threads > 1 && self.trace == TraceKind::Shortest {
            return refuse(
                "threads",
                &self.threads.to_string(),
                "shortest traces are found with one thread only",
            );
        }
        if self.threads > 1 && matches!(order, Order::Fixed(Strategy::Preferred(_))) {
            return refuse(
                "threads",
                &self.threads.to_string(),
                "preferred transitions are followed with one thread only; use greedy",
            );
        }
        if let (true, Some(heuristic)) = (blind, &self.heuristic)
            && !heuristic.is_blind()
        {
            return refuse(
                "heuristic",
                &heuristic.to_string(),
                "this search follows no heuristic; use greedy, preferred, novelty, astar or wastar:W",
            );
        }
        if let (Some(SearchSpec::Auto), Some(heuristic)) = (self.search, &self.heuristic) {
            return refuse(
                "heuristic",
                &heuristic.to_string(),
                "auto follows hu, and more; name a search that follows one heuristic: greedy, preferred, novelty, astar or wastar:W",
            );
        }
        let puts_off = match order {
            // Who names it wants its queues, which put nothing off; who names no search gets greedy.
            Order::Auto => self.search.is_none(),
            order => matches!(order, Order::Fixed(Strategy::Greedy(_))),
        };
        if self.prune.is_some() && !puts_off {
            let name = match self.prune {
                Some(Prune::Context(_)) => "context",
                _ => "useless",
            };
            return refuse(
                "prune",
                name,
                "only greedy search puts transitions off; use --search greedy",
            );
        }
        let follows = self.permits_guidance(self.threads) || self.heuristic.is_some();
        if self.prune.is_some() && order == Order::Auto && !follows {
            return refuse(
                "prune",
                "",
                "this search is breadth first, and only greedy search puts transitions off; use --search greedy",
            );
        }
        if let Some(Prune::Context(levels)) = self.prune
            && !(1..=MOST_LEVELS).contains(&levels)
        {
            return refuse(
                "prune",
                &format!("context:{levels}"),
                "the number of levels is from 1 to 127",
            );
        }
        let anew = matches!(
            order,
            Order::Fixed(Strategy::Greedy(_) | Strategy::Preferred(_) | Strategy::RandomDepthFirst)
        ) || (order == Order::Auto && self.heuristic.is_some());
        if let (Some(states), false) = (self.restarts, anew) {
            return refuse(
                "restarts",
                &states.to_string(),
                "only rdfs, greedy and preferred search start anew; use --search greedy",
            );
        }
        let reduces = self.reduce.as_ref().is_some_and(|kinds| !kinds.is_empty());
        if reduces && self.certificate {
            let kinds = self.reduce.iter().flatten().map(|kind| kind.name());
            return refuse(
                "reduce",
                &kinds.collect::<Vec<_>>().join(","),
                "a certificate is a proof about the whole model; use --reduce none for one",
            );
        }
        if reduces && let Some(rule) = self.joining_rules.first() {
            return refuse(
                "joining",
                rule.text(),
                "a rule is about the states of the whole model; use --reduce none for it",
            );
        }
        let keeps_length = |kinds: &Vec<ReductionKind>| !kinds.contains(&ReductionKind::Safe);
        if self.trace == TraceKind::Shortest && !self.reduce.as_ref().is_none_or(keeps_length) {
            return refuse(
                "reduce",
                "safe",
                "a run that is shortest without the removed parts need not be shortest with them; use --reduce none",
            );
        }
        let shortest = match order {
            Order::Auto | Order::Fixed(Strategy::BreadthFirst) => true,
            Order::Fixed(Strategy::AStar) => true,
            Order::Fixed(_) | Order::Walk(_) => false,
        };
        let admissible = (self.heuristic.as_ref()).is_none_or(HeuristicSpec::is_admissible);
        if self.trace == TraceKind::Shortest && !(shortest && admissible) {
            let known = ALL.iter().filter(|entry| entry.facts.admissible);
            let known: Vec<&str> = known.map(|entry| entry.name).collect();
            let remark = format!(
                "shortest traces need bfs, or astar with an admissible heuristic ({})",
                known.join(", ")
            );
            return Err(ConfigError {
                option: "search",
                given: self.search.unwrap_or_default().to_string(),
                known: Vec::new(),
                remark: Some(remark.into()),
            });
        }
        Ok(())
    }

    /// Whether anything is said of which elements may be joined.
    pub(crate) fn joins_by_strategy(&self) -> bool {
        self.joining != Joining::default() || !self.joining_rules.is_empty()
    }

    /// An option that was given and means nothing to walks. Those that only some other searches take are refused like there.
    fn useless_for_walks(&self) -> Option<&'static str> {
        let given = [
            ("heuristic-cache", self.heuristic_cache.is_some()),
            ("tie", self.tie.is_some()),
            ("trace", self.trace == TraceKind::Fastest),
            ("extrapolation", self.extrapolation.is_some()),
            ("inclusion", self.inclusion.is_some()),
            ("bitstate", self.bitstate),
            ("threads", self.threads > 1),
            ("certificate", self.certificate),
            ("lattice", self.lattice.is_some()),
            ("check-monotone", self.check_monotone),
            ("assume-monotone", self.assume_monotone),
            ("joining", self.joins_by_strategy()),
            (
                "reduce",
                self.reduce.as_ref().is_some_and(|kinds| !kinds.is_empty()),
            ),
            ("keep-dead-variables", self.keep_dead),
            ("symmetry", self.symmetry.is_some()),
        ];
        given
            .into_iter()
            .find(|(_, given)| *given)
            .map(|(option, _)| option)
    }

    /// The entries of the table of heuristic values: as in the paper, and none for A*, whose expansions see most states
    /// once only.
    pub(crate) fn cache_entries(&self) -> usize {
        let optimal = matches!(
            self.order(),
            Order::Fixed(Strategy::AStar | Strategy::WeightedAStar { .. })
        );
        match self.heuristic_cache {
            Some(entries) => entries,
            None if optimal || self.trace == TraceKind::Shortest => 0,
            None => merkhet_explore::DEFAULT_ENTRIES,
        }
    }

    /// Whether the automatic choice may follow estimates: not where breadth first is what was asked for.
    pub(crate) fn permits_guidance(&self, threads: usize) -> bool {
        self.trace != TraceKind::Shortest && !self.certificate && !self.bitstate && threads <= 1
    }

    /// Which of several states with the same estimate comes first: what was asked for, or any if runs are to differ.
    pub(crate) fn tie_break(&self) -> TieBreak {
        self.tie.unwrap_or(match self.restarts {
            Some(_) => TieBreak::Random,
            None => TieBreak::default(),
        })
    }

    pub(crate) fn order(&self) -> Order {
        let spec = self.search.unwrap_or_default();
        spec.order(self.tie_break())
    }
}
