//! The searches: presets of the one loop.

use merkhet_network::tuning::Tuning;
use merkhet_zones::bound::Bound;

use crate::open::governor::Governor;
use crate::open::guided::Guided;
use crate::open::{OpenList, Random, TieBreak};
use crate::store::{Covering, Size};

/// In which order states are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Strategy {
    /// Breadth first: shortest traces.
    #[default]
    BreadthFirst,
    /// Depth first, successors in their order.
    DepthFirst,
    /// Depth first, successors shuffled by the seed.
    RandomDepthFirst,
    /// Smallest estimate first.
    Greedy(TieBreak),
    /// As greedy, with a second queue for what preferred transitions lead to.
    Preferred(TieBreak),
    /// As the one before, but estimates may use up a small share of the work only: a proof takes about as long as breadth
    /// first.
    Auto(TieBreak),
    /// What shows a location or a value first, or with a width of 2 a pair of them, next to the states of the same estimate; of
    /// equally new ones, the smallest estimate.
    Novelty(u8),
    /// Smallest sum of depth and estimate first: shortest traces, if the heuristic is admissible.
    AStar,
    /// As A*, the estimate multiplied by `numerator / denominator`: traces are longer by that factor at most.
    WeightedAStar {
        /// Above the line; at least the denominator.
        numerator: u32,
        /// Below the line; not 0.
        denominator: u32,
    },
    /// Smallest lower bound of a clock (given by its row) first: with a clock that is never reset, least time. See
    /// [`crate::fastest`], which sees to it that the search ends.
    LeastTime(usize),
    /// What subsumes smaller states comes first; then the zone in which most clocks do not matter, then the one with
    /// roughly the smallest lower bounds, then the oldest: for seeing everything.
    ///
    /// A state that is expanded before a larger one with the same discrete part is found is expanded in vain, and what is
    /// found from it too. So F. Herbreteau and T.-T. Tran ("Improving Search Order for Reachability Testing in Timed Automata",
    /// FORMATS 2015) take the larger one before all that was found from the smaller one; here it comes before everything,
    /// which needs no look at what was found. Taking large zones first makes few such mistakes to begin with. Lower bounds count
    /// by their order of magnitude only: small differences are not worth leaving the order of age, in which breadth first makes
    /// no mistakes on many models. `docs/auto.md` compares this measure of size with others.
    LargestFirst,
}

impl Strategy {
    /// Whether states are tested for the goal when they are taken from the open list rather than when they are found.
    ///
    /// A* must wait, or its traces would not be shortest. The others test at once: breadth first finds shortest traces
    /// either way, since a state at depth d is found before any at depth d is expanded.
    pub fn tests_when_expanded(self) -> bool {
        matches!(self, Strategy::AStar | Strategy::WeightedAStar { .. })
    }

    /// Searches that promise shortest traces keep a shallow state that waits next to a larger but deeper one. Breadth
    /// first too: the larger one is found while shallow ones still wait. Without a goal there is no trace.
    pub(crate) fn covering(self, goal: bool) -> Covering {
        match self {
            Strategy::AStar | Strategy::WeightedAStar { .. } => Covering::NotDeeper,
            Strategy::BreadthFirst if goal => Covering::Deepening,
            _ => Covering::Always,
        }
    }

    /// Whether the first run that is found is to be the shortest, or to take the least time.
    pub(crate) fn promises_optimum(self) -> bool {
        matches!(
            self,
            Strategy::BreadthFirst
                | Strategy::AStar
                | Strategy::WeightedAStar { .. }
                | Strategy::LeastTime(_)
        )
    }

    /// What a goal at this depth costs, in the first parts of keys: for the searches that go on until none is cheaper.
    pub(crate) fn cost(self, depth: u32) -> Option<u64> {
        match self {
            Strategy::AStar => Some(depth.into()),
            Strategy::WeightedAStar { denominator, .. } => {
                Some(u64::from(denominator) * u64::from(depth))
            }
            _ => None,
        }
    }

    pub(crate) fn uses_estimates(self) -> bool {
        matches!(
            self,
            Strategy::Greedy(_)
                | Strategy::Preferred(_)
                | Strategy::Auto(_)
                | Strategy::Novelty(_)
                | Strategy::AStar
                | Strategy::WeightedAStar { .. }
        )
    }

    pub(crate) fn open_list(self, seed: u64, tuning: &Tuning) -> OpenList {
        match self {
            Strategy::BreadthFirst => OpenList::queue(),
            Strategy::DepthFirst => OpenList::stack(None),
            Strategy::RandomDepthFirst => OpenList::stack(Some(Random::new(seed))),
            Strategy::Greedy(tie_break) => OpenList::buckets(tie_break, seed),
            Strategy::LargestFirst => OpenList::heap(),
            Strategy::Preferred(tie_break) => {
                OpenList::Guided(Box::new(Guided::new(tie_break, seed, None, tuning)))
            }
            Strategy::Auto(tie_break) => {
                let governor = Some(Governor::new(tuning));
                OpenList::Guided(Box::new(Guided::new(tie_break, seed, governor, tuning)))
            }
            Strategy::Novelty(_)
            | Strategy::AStar
            | Strategy::WeightedAStar { .. }
            | Strategy::LeastTime(_) => OpenList::buckets(TieBreak::Fifo, seed),
        }
    }

    /// The key of a state in the open list.
    pub(crate) fn key(self, place: Place, zone: &[Bound]) -> (u64, u32) {
        let Place {
            depth: tie,
            estimate,
            ..
        } = place;
        let (depth, distance) = (u64::from(tie), u64::from(estimate));
        match self {
            Strategy::Greedy(_) => (distance, 0),
            Strategy::AStar => (depth + distance, estimate),
            Strategy::WeightedAStar {
                numerator,
                denominator,
            } => (
                u64::from(denominator) * depth + u64::from(numerator) * distance,
                estimate,
            ),
            Strategy::LeastTime(row) => (lower_bound(zone, row), tie),
            Strategy::LargestFirst | Strategy::Auto(_) => (place.largest(), 0),
            _ => (0, 0),
        }
    }
}

/// What decides when a new state is expanded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub depth: u32,
    pub estimate: u32,
    pub size: Size,
    /// It subsumes smaller states with the same discrete part.
    pub replaces: bool,
}

impl Place {
    /// The key of [`Strategy::LargestFirst`]: the largest one comes first.
    fn largest(self) -> u64 {
        let Size { free, lower } = self.size;
        // What has been found from smaller states goes on making others superfluous late until the larger one is expanded.
        let (first, lower) = match self.replaces {
            true => (1, lower),
            false => (0, lower.checked_ilog2().unwrap_or(0)),
        };
        first << 63 | u64::from(free) << 32 | u64::from(lower)
    }
}

/// The lower bound of a clock in a zone as a number that orders such bounds: twice the value, one more if it is strict.
pub(crate) fn lower_bound(zone: &[Bound], row: usize) -> u64 {
    lower_bound_of(zone[row])
}

/// The lower bound from the entry of row 0, which holds the negated lower bound: `≤ −c` is −2c + 1, `< −c` is −2c.
pub(crate) fn lower_bound_of(entry: Bound) -> u64 {
    (1 - i64::from(entry)).max(0) as u64
}

#[cfg(test)]
mod tests {
    use super::{Place, Strategy};
    use crate::store::Size;

    #[test]
    fn large_zones_come_first_and_what_takes_the_place_of_others_before_them() {
        let key = |replaces, free, lower| {
            let place = Place {
                depth: 3,
                estimate: 0,
                size: Size { free, lower },
                replaces,
            };
            Strategy::LargestFirst.key(place, &[]).0
        };
        // From the last to the first.
        let order = [
            key(false, 1, 0),
            key(false, 1, 600),
            key(false, 1, 1100),
            key(false, 2, 0),
            key(true, 0, 1024),
            key(true, 0, 1025),
        ];
        assert!(order.is_sorted_by(|a, b| a < b), "{order:?}");
        assert_eq!(key(false, 1, 1024), key(false, 1, 1900), "about as large");
    }
}
