//! Open lists: which waiting state comes next.

mod deep;
pub(crate) mod governor;
pub(crate) mod guided;
pub(crate) mod novelty;
mod waiting;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use crate::store::StateId;
use guided::Guided;

/// Which of several states with the same key comes first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TieBreak {
    /// The one that was found first.
    #[default]
    Fifo,
    /// The one that was found last.
    Lifo,
    /// Any, by the search's random numbers.
    Random,
    /// With greedy search, one that a step of the way which the heuristic sees leads to; of several, the one that was found
    /// first.
    Preferred,
}

/// A small generator of random numbers (SplitMix64): the seed alone decides a run.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// What decides the numbers that follow.
    fn state(&self) -> u64 {
        self.0
    }

    /// A number below `limit`, which must be positive.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}

/// The states that wait to be expanded.
pub(crate) enum OpenList {
    /// First in, first out.
    Queue(VecDeque<StateId>),
    /// Last in, first out; the successors of one state come in their order, or shuffled.
    Stack {
        states: Vec<StateId>,
        /// Where the successors of the present state begin.
        batch: usize,
        shuffle: Option<Random>,
    },
    /// Largest first part of the key first, then the one that was found first.
    Heap {
        states: BinaryHeap<(u64, Reverse<StateId>)>,
        /// A state that is not in the heap: along a path where few wait, the next one is the one that was found last.
        beside: Option<(u64, Reverse<StateId>)>,
    },
    /// Smallest key first.
    Buckets {
        buckets: BTreeMap<(u64, u32), VecDeque<StateId>>,
        tie_break: TieBreak,
        random: Random,
        len: usize,
    },
    /// By estimate, with preferred transitions and a blind queue.
    Guided(Box<Guided>),
}

impl OpenList {
    pub fn queue() -> OpenList {
        OpenList::Queue(VecDeque::new())
    }

    pub fn stack(shuffle: Option<Random>) -> OpenList {
        OpenList::Stack {
            states: Vec::new(),
            batch: 0,
            shuffle,
        }
    }

    pub fn heap() -> OpenList {
        OpenList::Heap {
            states: BinaryHeap::new(),
            beside: None,
        }
    }

    pub fn buckets(tie_break: TieBreak, seed: u64) -> OpenList {
        OpenList::Buckets {
            buckets: BTreeMap::new(),
            tie_break,
            random: Random::new(seed),
            len: 0,
        }
    }

    /// Adds a state. The key counts for heaps and buckets only: the first part decides, then the second.
    pub fn push(&mut self, state: StateId, key: (u64, u32)) {
        match self {
            OpenList::Queue(states) => states.push_back(state),
            OpenList::Stack { states, .. } => states.push(state),
            OpenList::Heap { states, beside } => {
                if let Some(other) = beside.replace((key.0, Reverse(state))) {
                    states.push(other);
                }
            }
            OpenList::Buckets { buckets, len, .. } => {
                buckets.entry(key).or_default().push_back(state);
                *len += 1;
            }
            OpenList::Guided(guided) => guided.push_blind(state, key),
        }
    }

    /// Makes a state that was taken from a stack come up again below all that will be found from it.
    pub fn return_to(&mut self, state: StateId) {
        if let OpenList::Stack { states, batch, .. } = self {
            states.push(state);
            *batch = states.len();
        }
    }

    /// All successors of one state have been added.
    pub fn end_batch(&mut self) {
        if let OpenList::Stack {
            states,
            batch,
            shuffle,
        } = self
        {
            let added = &mut states[*batch..];
            match shuffle {
                // The last is taken first: turned round they come in their own order.
                None => added.reverse(),
                Some(random) => {
                    for last in (1..added.len()).rev() {
                        added.swap(last, random.below(last + 1));
                    }
                }
            }
            *batch = states.len();
        }
        if let OpenList::Guided(guided) = self {
            guided.end_batch();
        }
    }

    /// The first part of the smallest key, for buckets.
    pub fn smallest_key(&self) -> Option<u64> {
        match self {
            OpenList::Buckets { buckets, .. } => buckets.first_key_value().map(|(key, _)| key.0),
            _ => None,
        }
    }

    /// Takes the next state.
    pub fn pop(&mut self) -> Option<StateId> {
        match self {
            OpenList::Queue(states) => states.pop_front(),
            OpenList::Heap { states, beside } => {
                let next = match states.peek() {
                    Some(first) if beside.as_ref().is_none_or(|one| one < first) => states.pop(),
                    _ => beside.take(),
                };
                next.map(|(_, Reverse(state))| state)
            }
            OpenList::Stack { states, batch, .. } => {
                let state = states.pop();
                *batch = states.len();
                state
            }
            OpenList::Buckets {
                buckets,
                tie_break,
                random,
                len,
            } => {
                let mut first = buckets.first_entry()?;
                let states = first.get_mut();
                let state = match tie_break {
                    TieBreak::Fifo | TieBreak::Preferred => states.pop_front(),
                    TieBreak::Lifo => states.pop_back(),
                    TieBreak::Random => {
                        let index = random.below(states.len());
                        states.swap_remove_back(index)
                    }
                };
                if states.is_empty() {
                    first.remove();
                }
                *len -= 1;
                state
            }
            OpenList::Guided(guided) => guided.pop(),
        }
    }

    /// Forgets all states; random numbers go on.
    pub fn clear(&mut self) {
        match self {
            OpenList::Queue(states) => states.clear(),
            OpenList::Stack { states, batch, .. } => {
                states.clear();
                *batch = 0;
            }
            OpenList::Heap { states, beside } => {
                states.clear();
                *beside = None;
            }
            OpenList::Buckets { buckets, len, .. } => {
                buckets.clear();
                *len = 0;
            }
            OpenList::Guided(guided) => guided.clear(),
        }
    }

    /// Forgets states of a heap that were expanded from elsewhere.
    pub fn retain(&mut self, keep: impl Fn(StateId) -> bool) {
        if let OpenList::Heap { states, beside } = self {
            states.retain(|(_, Reverse(state))| keep(*state));
            *beside = beside.take().filter(|(_, Reverse(state))| keep(*state));
        }
    }

    /// The states with their keys, in an order in which they can be pushed again.
    pub fn entries(&self) -> Vec<((u64, u32), StateId)> {
        let plain = |state: &StateId| ((0, 0), *state);
        match self {
            OpenList::Queue(states) => states.iter().map(plain).collect(),
            OpenList::Stack { states, .. } => states.iter().map(plain).collect(),
            OpenList::Heap { states, beside } => {
                let keyed = states.iter().chain(beside);
                keyed
                    .map(|(key, Reverse(state))| ((*key, 0), *state))
                    .collect()
            }
            OpenList::Buckets { buckets, .. } => {
                let of_one = |(key, states): (&(u64, u32), &VecDeque<StateId>)| {
                    let key = *key;
                    states
                        .iter()
                        .map(move |state| (key, *state))
                        .collect::<Vec<_>>()
                };
                buckets.iter().flat_map(of_one).collect()
            }
            OpenList::Guided(guided) => guided.entries(),
        }
    }

    /// The state of its random numbers; 0 if it has none.
    pub fn random(&self) -> u64 {
        match self {
            OpenList::Stack { shuffle, .. } => shuffle.as_ref().map_or(0, Random::state),
            OpenList::Buckets { random, .. } => random.state(),
            OpenList::Queue(_) | OpenList::Heap { .. } | OpenList::Guided(_) => 0,
        }
    }

    /// Tells that [`OpenList::entries`] have been pushed again.
    pub fn restored(&mut self, state: u64) {
        match self {
            OpenList::Stack {
                states,
                batch,
                shuffle,
            } => {
                *batch = states.len();
                if let Some(random) = shuffle {
                    *random = Random::new(state);
                }
            }
            OpenList::Buckets { random, .. } => *random = Random::new(state),
            OpenList::Queue(_) | OpenList::Heap { .. } | OpenList::Guided(_) => {}
        }
    }

    pub fn len(&self) -> usize {
        match self {
            OpenList::Queue(states) => states.len(),
            OpenList::Heap { states, beside } => states.len() + usize::from(beside.is_some()),
            OpenList::Stack { states, .. } => states.len(),
            OpenList::Buckets { len, .. } => *len,
            OpenList::Guided(guided) => guided.len(),
        }
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            OpenList::Guided(guided) => guided.bytes(),
            OpenList::Heap { .. } => self.len() * size_of::<(u64, Reverse<StateId>)>(),
            _ => self.len() * size_of::<StateId>(),
        }
    }
}
