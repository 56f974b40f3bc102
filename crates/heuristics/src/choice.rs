//! A heuristic with its options chosen: from a name to estimates for one search.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use merkhet_explore::{Heuristic, HeuristicFacts};
use merkhet_network::tuning::Tuning;
use merkhet_network::{Formula, Network};
use merkhet_semantics::{State, System};

use crate::Goal;
use crate::contexts::ByContext;
use crate::explanation::Explained;
use crate::pa::{Databases, Stop, StoreError};
use crate::useless::{ByTransition, Whole};

/// What the estimates are about.
#[derive(Clone, Copy)]
pub struct Problem<'t> {
    /// The network.
    pub network: &'t Network,
    /// What is to be reached.
    pub goal: &'t Formula,
    /// The tunables that were set.
    pub tuning: &'t Tuning,
}

impl Problem<'_> {
    /// The goal in disjunctive form, without its clocks.
    pub fn disjunctive_goal(&self) -> Goal {
        Goal::of(self.network, self.goal)
    }
}

/// A heuristic's options.
pub trait Choice: Comparable {
    /// What is known of the heuristic with these options.
    fn facts(&self) -> HeuristicFacts;

    /// Does what takes time, once, however many threads search.
    fn prepare(
        &self,
        problem: &Problem<'_>,
        preparation: &Preparation<'_>,
    ) -> Result<Made, PrepareError>;

    /// A search that expands more states than this starts anew with another choice.
    fn restart(&self) -> Option<u64> {
        None
    }

    /// The choice after a number of restarts, with its name, where another one may see more.
    fn variation(&self, _restarts: u32) -> Option<(String, Arc<dyn Choice>)> {
        None
    }
}

/// What makes choices comparable, though their types are not known.
pub trait Comparable: fmt::Debug + Send + Sync + Any {
    /// Whether the other choice is the same.
    fn is_same(&self, other: &dyn Choice) -> bool;

    /// Feeds all options to the hasher.
    fn hash_into(&self, hasher: &mut dyn Hasher);

    /// With its own type.
    fn as_any(&self) -> &dyn Any;
}

impl<T: Eq + Hash + fmt::Debug + Send + Sync + Any> Comparable for T {
    fn is_same(&self, other: &dyn Choice) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Makes the heuristic for each search from what was prepared.
pub trait Make: Send + Sync {
    /// The heuristic for one search. `cache` is the number of entries of a table of values in front of it, where that is
    /// worth it; 0 for none.
    fn make(&self, problem: &Problem<'_>, system: &System, cache: usize) -> Box<dyn Heuristic>;

    /// What the heuristic sees in a state.
    fn explain(&self, problem: &Problem<'_>, state: State<'_>) -> Explained;

    /// The heuristic for one search that puts off useless transitions.
    fn without_useless(&self, problem: &Problem<'_>, system: &System) -> Box<dyn Heuristic> {
        Box::new(ByTransition::new(Whole(self.make(problem, system, 0))))
    }
}

/// What a preparation yields.
pub struct Made {
    /// Makes the heuristic for each search.
    pub make: Box<dyn Make>,
    /// The pattern databases, where there are some.
    pub databases: Option<Databases>,
}

impl Made {
    /// Nothing was to be prepared.
    pub fn at_once(make: impl Make + 'static) -> Made {
        Made {
            make: Box::new(make),
            databases: None,
        }
    }
}

/// Which transitions are put off; the states that they lead to are still expanded in the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prune {
    /// Transitions that do not bring the goal nearer.
    Useless,
    /// Transitions that have little to do with the one before: the further they are from it, the later, up to a number of
    /// levels.
    Context(u32),
}

/// What a preparation may use, and what is asked of it.
#[derive(Clone, Default)]
pub struct Preparation<'p> {
    /// When it has to end.
    pub stop: Stop<'p>,
    /// Which transitions are put off.
    pub prune: Option<Prune>,
    /// Saved pattern databases that are to be used instead of making some.
    pub databases_in: Option<&'p str>,
    /// Whether the databases are wanted as text.
    pub keep_text: bool,
    /// The tunables that were set.
    pub tuning: Tuning,
}

/// Why a heuristic could not be prepared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrepareError {
    /// The saved databases are not of this model and goal, or damaged.
    Store(StoreError),
}

impl fmt::Display for PrepareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PrepareError::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PrepareError {}

/// A heuristic, prepared for a goal: what takes time is done once, however many threads search.
pub struct Prepared<'t> {
    network: &'t Network,
    goal: &'t Formula,
    make: Box<dyn Make>,
    tuning: Tuning,
    /// Which transitions are put off.
    prune: Option<Prune>,
    /// What making the pattern databases took, and what came of it.
    pub databases: Option<Databases>,
}

impl<'t> Prepared<'t> {
    pub(crate) fn new(
        network: &'t Network,
        goal: &'t Formula,
        made: Made,
        preparation: &Preparation<'_>,
    ) -> Prepared<'t> {
        Prepared {
            network,
            goal,
            make: made.make,
            tuning: preparation.tuning.clone(),
            prune: preparation.prune,
            databases: made.databases,
        }
    }

    fn problem(&self) -> Problem<'_> {
        Problem {
            network: self.network,
            goal: self.goal,
            tuning: &self.tuning,
        }
    }

    /// What the heuristic sees in a state.
    pub fn explain(&self, state: State<'_>) -> Explained {
        self.make.explain(&self.problem(), state)
    }

    /// The heuristic for one search. `cache` is the number of entries of the table in front of one that is worth it; 0 for
    /// none.
    pub fn make(&self, system: &System, cache: usize) -> Box<dyn Heuristic> {
        let problem = &self.problem();
        match self.prune {
            None => self.make.make(problem, system, cache),
            Some(Prune::Useless) => self.make.without_useless(problem, system),
            Some(Prune::Context(levels)) => {
                let inner = self.make.make(problem, system, cache);
                Box::new(ByContext::new(problem.network, system, inner, levels))
            }
        }
    }
}
