//! Smaller networks with the same answers, and the way back for traces.
//!
//! A [`Reduction`] is a chain of layers, each of which takes one part out of the network. What is left is a network of
//! its own that any search can work on; [`Reduction::lift`] carries a run of it back to the network as it was.
//!
//! * `safe`: safe abstraction (Wehrle, Helmert: The causal graph revisited for directed model checking, SPIN 2009,
//!   section 4.1): variables and processes that can always do what others ask of them;
//! * `influence`: the cone of influence: what the query does not depend on.
//!
//! Both keep which states of the remaining parts can be reached, at which times. They do not keep the number of
//! transitions, deadlocks or infinite runs, so that only `E<>` and `A[]` without `deadlock` are reduced.
//!
//! Numbers of processes, locations, cells and clocks stay as they are: what is removed keeps its place but never
//! changes, which costs a packed state no bit. Queries need no translation therefore.

mod facts;
mod faults;
mod influence;
mod layer;
mod process;
mod safe;
mod substitute;
#[cfg(test)]
mod tests;
mod variable;

use std::fmt;

use merkhet_network::{Formula, Network, Query, QueryKind, Trace, Tuning};

use crate::tuning;

use layer::Layer;
pub use layer::NotLifted;

/// The kinds of reductions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Safe abstraction.
    Safe,
    /// The cone of influence.
    Influence,
}

impl Kind {
    /// The name that users give.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Safe => "safe",
            Kind::Influence => "coi",
        }
    }
}

/// What was removed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// An automaton: it stays where it is for ever.
    Process,
    /// An integer variable, or one element of an array: it keeps its value for ever.
    Variable,
    /// A clock: nothing reads it any more.
    Clock,
}

impl Part {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Part::Process => "process",
            Part::Variable => "variable",
            Part::Clock => "clock",
        }
    }
}

/// Something that was removed, with the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Removed {
    /// By which reduction.
    pub kind: Kind,
    /// What it is.
    pub part: Part,
    /// Its name in the model.
    pub name: String,
    /// Why it may go, in a sentence.
    pub reason: String,
}

/// Why a query is checked on the whole network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotReduced {
    /// The query is about more than what can be reached.
    Query,
    /// The query mentions deadlocks.
    Deadlock,
}

impl fmt::Display for NotReduced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotReduced::Query => {
                "reductions keep what can be reached: they are for E<> and A[] only"
            }
            NotReduced::Deadlock => "reductions do not keep deadlocks",
        })
    }
}

impl std::error::Error for NotReduced {}

/// Whether parts may be removed at all. With priorities a removed part's moves may be put off by others; what runs
/// around every transition may do anything at a move.
///
/// Lattice variables do not stand against it, as long as each stays or goes as a whole: a step of the smaller network is
/// one of the larger network for some values of what was removed, and with larger elements and the same values the larger
/// network has a step to the same discrete state, so that the smaller network is monotone if the larger one is.
fn permitted(network: &Network) -> bool {
    !network.has_priorities() && network.before_update.is_empty() && network.after_update.is_empty()
}

/// A smaller network with the way back.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The network that is left.
    pub network: Network,
    /// What was removed, in this order.
    pub removed: Vec<Removed>,
    layers: Vec<Layer>,
    limits: Limits,
}

/// How much may be tried and copied.
#[derive(Clone, Copy, Debug)]
struct Limits {
    values: i64,
    copies: usize,
    combinations: u64,
}

impl Limits {
    fn new(tuning: &Tuning) -> Limits {
        Limits {
            values: tuning.get(&tuning::REDUCED_VALUES),
            copies: tuning.count(&tuning::REDUCED_COPIES),
            combinations: tuning.count(&tuning::FAULT_COMBINATIONS) as u64,
        }
    }
}

impl Reduction {
    /// Reduces a network for a query, by one kind after the other.
    pub fn new(network: &Network, query: &Query, kinds: &[Kind]) -> Result<Reduction, NotReduced> {
        Reduction::tuned(network, query, kinds, &Tuning::default())
    }

    /// Reduces a network for a query, by one kind after the other, within other limits than the usual ones.
    pub fn tuned(
        network: &Network,
        query: &Query,
        kinds: &[Kind],
        tuning: &Tuning,
    ) -> Result<Reduction, NotReduced> {
        let (QueryKind::Possibly(formula) | QueryKind::Invariantly(formula)) = &query.kind else {
            return Err(NotReduced::Query);
        };
        if crate::mentions_deadlock(formula) {
            return Err(NotReduced::Deadlock);
        }
        Ok(Reduction::within(
            Limits::new(tuning),
            network,
            formula,
            kinds,
        ))
    }

    /// Reduces a network so that the states which satisfy a formula, or its negation, can still be reached. The formula
    /// must not mention deadlocks.
    pub fn for_formula(network: &Network, formula: &Formula, kinds: &[Kind]) -> Reduction {
        let limits = Limits::new(&Tuning::default());
        Reduction::within(limits, network, formula, kinds)
    }

    fn within(limits: Limits, network: &Network, formula: &Formula, kinds: &[Kind]) -> Reduction {
        let mut reduction = Reduction {
            network: network.clone(),
            removed: Vec::new(),
            layers: Vec::new(),
            limits,
        };
        for kind in kinds.iter().filter(|_| permitted(network)) {
            match kind {
                Kind::Safe => safe::reduce(&mut reduction, formula),
                Kind::Influence => influence::reduce(&mut reduction, formula),
            }
        }
        reduction
    }

    /// Whether nothing was removed.
    pub fn is_trivial(&self) -> bool {
        self.layers.is_empty()
    }

    /// A run of the original network that shows the same as this run of the smaller one.
    pub fn lift(&self, trace: &Trace) -> Result<Trace, NotLifted> {
        let mut trace = trace.clone();
        for layer in self.layers.iter().rev() {
            trace = layer.lift(&trace)?;
        }
        Ok(trace)
    }

    fn push(&mut self, network: Network, layer: Layer, removed: impl IntoIterator<Item = Removed>) {
        self.network = network;
        self.layers.push(layer);
        self.removed.extend(removed);
    }
}
