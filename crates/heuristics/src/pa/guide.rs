//! Pattern databases as the search sees them.

use merkhet_explore::{
    Estimate, Estimates, Guides, Heuristic, HeuristicFacts, Preference, Unranked,
};
use merkhet_network::{EdgeId, ProcessId};
use merkhet_semantics::{EdgeIndex, State, System};

use super::options::facts;
use super::{Combine, PredicateAbstraction};
use crate::as_estimate;
use crate::choice::{Make, Problem};
use crate::explanation::{Explained, MAXIMUM, Part, SUM, finite};
use crate::preferences::Preferences;

/// Pattern databases for one search.
struct ByAbstraction {
    abstraction: PredicateAbstraction,
    preferences: Preferences,
}

impl Make for PredicateAbstraction {
    /// The databases remember values by themselves: no table is put in front of them.
    fn make(&self, problem: &Problem<'_>, system: &System, _cache: usize) -> Box<dyn Heuristic> {
        Box::new(ByAbstraction {
            abstraction: self.clone(),
            preferences: Preferences::new(problem.network, system),
        })
    }

    /// The distances in the databases.
    fn explain(&self, _: &Problem<'_>, state: State<'_>) -> Explained {
        let mut own = self.clone();
        let value = own.estimate(state.memory, state.zone);
        let distances = own.distances(state.memory, state.zone);
        let part = |(at, distance): (usize, u32)| Part {
            what: format!("database {}", at + 1),
            value: finite(distance),
            counts: match self.combine {
                Combine::Maximum => distance == value,
                Combine::Sum => distance > 0,
            },
        };
        Explained {
            rule: match self.combine {
                Combine::Maximum => MAXIMUM,
                Combine::Sum => SUM,
            },
            parts: distances.into_iter().enumerate().map(part).collect(),
            ..Explained::default()
        }
    }
}

impl Estimates for ByAbstraction {
    fn facts(&self) -> HeuristicFacts {
        facts(self.abstraction.combine)
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        as_estimate(self.abstraction.estimate(state.memory, state.zone))
    }

    fn size(&self) -> usize {
        1
    }
}

impl Guides for ByAbstraction {
    fn prepare(&mut self, state: State<'_>) {
        let preferences = &mut self.preferences;
        preferences.clear();
        let see = |first: bool, edges: &[(ProcessId, EdgeId)]| {
            for (process, edge) in edges {
                preferences.mark(first, *process, *edge);
            }
        };
        self.abstraction.ways(state.memory, state.zone, see);
    }

    fn preference(&self, edges: &[EdgeIndex]) -> Preference {
        self.preferences.of(edges)
    }

    fn preparation(&self) -> usize {
        1
    }
}

impl Unranked for ByAbstraction {}
