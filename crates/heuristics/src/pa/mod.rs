//! Pattern databases of predicate abstractions that are found by abstraction refinement.
//!
//! Smaus, Hoffmann: Relaxation refinement: a new method to generate heuristic functions (MoChArt 2008). An abstraction is
//! a set of predicates over locations, integers and clocks; an abstract state is a vector of true, unknown and false.
//! Before the search, the abstract state space is computed backwards from the error; during it, a state's distance is
//! looked up. The predicates come from guards and invariants along abstract paths to the error.
//!
//! Everything over-approximates: the largest value of several databases is admissible, and a state that no vector of a
//! complete database is compatible with cannot reach the goal.
//!
//! * `predicates`: variables, linear forms, predicates, T/U/F vectors;
//! * `regress`: transitions as conditions and effects in terms of the state before, and the Cartesian predecessor of a vector;
//! * `decide`: does this imply that? for integers and for clocks;
//! * `database`: layers, two indices for subsumption, the value of a search state, files;
//! * `choose`: where predicates come from, and which stay;
//! * `options`, `guide`: names, and what the search asks.

mod budget;
pub mod choose;
pub mod database;
pub mod decide;
mod guide;
mod measure;
pub mod options;
pub mod predicates;
pub mod regress;

pub use choose::{refine, strategy, timing};
use choose::{syntax, worth};
pub use database::{lookup, slices, store};
pub use decide::clocks;
pub use predicates::{linear, predicate, slots, vector};
use regress::compile;
pub use regress::{cases, evaluate, world};

use std::sync::Arc;
use std::time::Duration;

use merkhet_network::tuning::Tuning;
use merkhet_network::{EdgeId, Formula, Network, ProcessId};
use merkhet_zones::bound::Bound;

pub use budget::Budget;
pub use database::Stop;
pub use options::{Combine, ENTRY, Method, Options};
pub use store::StoreError;

use crate::{combine_max, combine_sum};
use lookup::Lookup;
use strategy::Builder;

/// What a database is, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The predicates, each with whether it stands in the text of the system.
    pub predicates: Vec<(String, bool)>,
    /// The number of abstract states of each layer.
    pub layers: Vec<usize>,
    /// Whether all abstract states were found.
    pub complete: bool,
    /// The memory that it takes.
    pub bytes: usize,
}

/// What came of making pattern databases.
#[derive(Clone, Debug)]
pub struct Databases {
    /// The processor time that making them took.
    pub time: Duration,
    /// The memory that they take.
    pub bytes: u64,
    /// Their predicates and layers.
    pub list: Vec<Summary>,
    /// All of them as text, if that was asked for.
    pub text: Option<String>,
}

/// The estimate of a family of pattern databases.
#[derive(Clone)]
pub struct PredicateAbstraction {
    databases: Vec<Lookup>,
    summaries: Vec<Summary>,
    combine: Combine,
    dimension: usize,
    /// The edges of each transition that vectors lead along.
    edges: Arc<[Transition]>,
}

/// The edges of a transition.
pub type Transition = Box<[(ProcessId, EdgeId)]>;

impl PredicateAbstraction {
    /// Computes the databases for a goal.
    pub fn new(network: &Network, goal: &Formula, options: Options, stop: Stop<'_>) -> Self {
        Self::tuned(network, goal, options, stop, &Tuning::default())
    }

    /// Computes the databases for a goal, with tunables that were set.
    pub fn tuned(
        network: &Network,
        goal: &Formula,
        options: Options,
        stop: Stop<'_>,
        tuning: &Tuning,
    ) -> Self {
        let mut builder = Builder::new(network, goal, options, stop, tuning);
        let databases = builder.databases();
        Self::of(network, &builder, databases, options)
    }

    /// Uses saved databases, if they are of this network and goal.
    pub fn saved(
        network: &Network,
        goal: &Formula,
        options: Options,
        text: &str,
    ) -> Result<Self, StoreError> {
        let tuning = Tuning::default();
        let builder = Builder::new(network, goal, options, Stop::default(), &tuning);
        let fingerprint = store::fingerprint(network, goal);
        let found = store::read(text, &fingerprint, network, builder.slots())?;
        let databases = found
            .into_iter()
            .map(|database| Lookup::new(builder.slots(), database))
            .collect();
        Ok(Self::of(network, &builder, databases, options))
    }

    fn of(
        network: &Network,
        builder: &Builder<'_>,
        mut databases: Vec<Lookup>,
        options: Options,
    ) -> Self {
        // What the databases leave of the memory is for values that are remembered.
        let taken: usize = databases.iter().map(Lookup::bytes).sum();
        let left = (options.memory << 20).saturating_sub(taken) / databases.len().max(1);
        (databases.iter_mut()).for_each(|lookup| lookup.remember_at_most(left));
        let summary = |lookup: &Lookup| {
            let predicates = lookup.database.predicates.iter().map(|predicate| {
                let text = predicate.text(network, builder.slots());
                (text, builder.is_in_text(predicate))
            });
            Summary {
                predicates: predicates.collect(),
                layers: lookup.database.layer_sizes().collect(),
                complete: lookup.database.is_complete(),
                bytes: lookup.bytes(),
            }
        };
        PredicateAbstraction {
            summaries: databases.iter().map(summary).collect(),
            databases,
            combine: options.combine,
            dimension: network.dimension(),
            edges: builder.transitions(),
        }
    }

    /// The databases as text, to be saved.
    pub fn to_text(&self, network: &Network, goal: &Formula) -> String {
        let databases = self.databases.iter().map(|lookup| &lookup.database);
        store::write(&store::fingerprint(network, goal), databases)
    }

    /// The estimate for a state: its locations and variables, and its zone.
    pub fn estimate(&mut self, memory: &[i32], zone: &[Bound]) -> u32 {
        let n = zone.len().isqrt().max(self.dimension);
        let mut value = 0;
        for database in &mut self.databases {
            let distance = database.distance(memory, zone, n);
            value = match self.combine {
                Combine::Maximum => combine_max(value, distance),
                Combine::Sum => combine_sum(value, distance),
            };
        }
        value
    }

    /// The distances of a state in each of the databases.
    pub fn distances(&mut self, memory: &[i32], zone: &[Bound]) -> Vec<u32> {
        let n = zone.len().isqrt().max(self.dimension);
        let databases = self.databases.iter_mut();
        let distance = |database: &mut Lookup| database.distance(memory, zone, n);
        databases.map(distance).collect()
    }

    /// The ways to the goal that the databases see from a state: calls `see` for each transition of each, with whether it
    /// can be the first step. Vectors do not tell all transitions apart; those alike are seen one after the other.
    pub fn ways(
        &mut self,
        memory: &[i32],
        zone: &[Bound],
        mut see: impl FnMut(bool, &[(ProcessId, EdgeId)]),
    ) {
        let n = zone.len().isqrt().max(self.dimension);
        for lookup in &mut self.databases {
            let Some(nearest) = lookup.nearest(memory, zone, n) else {
                continue;
            };
            for (step, transitions) in lookup.database.way(nearest).enumerate() {
                for transition in transitions {
                    if let Some(edges) = self.edges.get(*transition as usize) {
                        see(step == 0, edges);
                    }
                }
            }
        }
    }

    /// The databases.
    pub fn databases(&self) -> &[Lookup] {
        &self.databases
    }

    /// What the databases are, for people.
    pub fn summaries(&self) -> &[Summary] {
        &self.summaries
    }

    /// The memory of the databases, in bytes, without values that are remembered.
    pub fn bytes(&self) -> usize {
        self.databases.iter().map(Lookup::bytes).sum()
    }
}
