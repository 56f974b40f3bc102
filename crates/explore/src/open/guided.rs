//! Three queues by estimate, two of them for transitions that the heuristic thinks well of, and behind them a blind one
//! that never runs dry.
//!
//! The queues take turns; each time the smallest estimate falls, the preferred ones get many turns in a row (Richter and
//! Helmert: Preferred Operators and Deferred Evaluation in Satisficing Planning, ICAPS 2009). One of them holds what a
//! first step of the abstract solution leads to. The other one holds what any step of it leads to: a transition that has
//! no part in the abstract solution leaves that solution as it is, so that it does not help (it is useless in the sense
//! of Wehrle, Kupferschmid, Podelski: Useless Actions Are Useful, ICAPS 2008). The first is better where little else can
//! be done, the second where processes must keep up with each other because time passes for all of them.
//!
//! All queues hold the states of one store, and a state is expanded once, whichever queue it comes from: nothing is done
//! twice.
//!
//! The automatic search must not make proofs slow. Its [`Governor`] lets estimates use up a small free budget, more as
//! long as they fall, then a small share of the work only; in between, states are expanded without estimates: those with
//! large zones first, which is how proofs are found fastest, and depth first, which finds what lies deep, as long as that
//! does not make the proof longer. Where it would, [`crate::search::Looks`] go deep in stores of their own.

use merkhet_network::tuning::Tuning;

use crate::heuristic::{Estimate, Preference};
use crate::open::deep::Deep;
use crate::open::governor::{Governor, Turn};
use crate::open::waiting::Waiting;
use crate::open::{OpenList, TieBreak};
use crate::store::StateId;
use crate::tuning::{BOOST, SLACK};

/// Where an expanded state was taken from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Queue {
    /// The smallest estimate.
    Estimate,
    /// The smallest estimate among the states that a step of the abstract solution leads to.
    Planned,
    /// The smallest estimate among the states that a first step of the abstract solution leads to.
    First,
    /// The largest zone, without an estimate.
    Blind,
    /// Depth first, without an estimate.
    Deep,
    /// Depth first in a store of its own.
    Look,
    /// Breadth first, in a store of its own.
    Levels,
    /// Ties in an order that this seed decides.
    Shuffled(u64),
    /// A search beside this one, of this name.
    Side(&'static str),
}

/// The queues by estimate, in the order of [`Guided::queues`].
const QUEUES: [Queue; 3] = [Queue::Estimate, Queue::Planned, Queue::First];

/// What a turn of each queue counts: the two extremes get three turns for one of the queue between them. Found by trial
/// on the papers' instances; any weights solve them.
const WEIGHTS: [i64; 3] = [1, 3, 1];

/// The open list.
pub(crate) struct Guided {
    queues: [OpenList; QUEUES.len()],
    /// The queue with the fewest turns is next.
    turns: [i64; QUEUES.len()],
    best: Option<u32>,
    blind: OpenList,
    deep: Deep,
    waiting: Waiting,
    governor: Option<Governor>,
    last: Queue,
    /// The estimate by which the state that was taken last was taken.
    inherited: u32,
    /// The turns that the preferred queues get when the smallest estimate falls.
    boost: i64,
    /// States expanded from other queues that may stay on the stack.
    slack: usize,
}

impl Guided {
    /// `governor`: for the automatic search; without it every state is estimated.
    pub fn new(
        tie_break: TieBreak,
        seed: u64,
        governor: Option<Governor>,
        tuning: &Tuning,
    ) -> Guided {
        Guided {
            queues: [0, 1, 2].map(|number| OpenList::buckets(tie_break, seed.wrapping_add(number))),
            turns: [0; QUEUES.len()],
            best: None,
            blind: OpenList::heap(),
            deep: Deep::default(),
            waiting: Waiting::default(),
            governor,
            last: Queue::Estimate,
            inherited: 0,
            boost: tuning.get(&BOOST),
            slack: tuning.count(&SLACK),
        }
    }

    /// Whether states that are found now are to be estimated.
    pub fn wants_estimates(&self) -> bool {
        self.governor
            .as_ref()
            .is_none_or(|governor| governor.turn() == Turn::Guided)
    }

    /// Adds a state with an estimate.
    pub fn push(&mut self, state: StateId, key: (u64, u32), estimate: u32, preference: Preference) {
        if self.best.is_none_or(|best| estimate < best) {
            self.best = Some(estimate);
            // The queues that hold this state get turns. Where one that is preferred by none is nearer than those that
            // are, the abstract solution asks for small steps, such as `v + 1`, and estimates see large ones.
            let boost = self.boost;
            let boosted = match preference {
                Preference::None => 0..1,
                _ => 1..QUEUES.len(),
            };
            self.turns[boosted]
                .iter_mut()
                .for_each(|turns| *turns -= boost);
        }
        let levels = match preference {
            Preference::None => 1,
            Preference::Planned => 2,
            Preference::First => 3,
        };
        for queue in &mut self.queues[..levels] {
            queue.push(state, (u64::from(estimate), 0));
        }
        if self.governor.is_some() {
            self.push_unguided(state, key);
        }
        self.waiting.insert(state);
    }

    /// Adds a state without an estimate.
    pub fn push_blind(&mut self, state: StateId, key: (u64, u32)) {
        match self.governor {
            Some(_) => self.push_unguided(state, key),
            None => self.queues[0].push(state, key),
        }
        self.waiting.insert(state);
    }

    fn push_unguided(&mut self, state: StateId, key: (u64, u32)) {
        self.blind.push(state, key);
        if self.governor.as_ref().is_some_and(Governor::goes_deep) {
            self.deep.push(state, self.last == Queue::Deep);
        }
    }

    /// A state that is to be estimated was found. Where estimates cost too much, it gets the one of the state that it was
    /// found from.
    pub fn found(&mut self, work: u64) -> Option<u32> {
        let governor = self.governor.as_mut()?;
        governor.found(work);
        (!governor.affords()).then_some(self.inherited)
    }

    /// Whether the state that was taken is to be looked at for preferred transitions.
    pub fn affords(&self) -> bool {
        self.governor.as_ref().is_none_or(Governor::affords)
    }

    /// All successors of one state have been added.
    pub fn end_batch(&mut self) {
        self.deep.end_batch();
    }

    /// Larger states have subsumed `states` states in all.
    pub fn subsumed(&mut self, states: usize) {
        if let Some(governor) = &mut self.governor {
            governor.subsumed(states as u64);
            if !governor.goes_deep() && self.deep.len() > 0 {
                self.deep = Deep::default();
            }
        }
    }

    /// Who decides whose turn it is, in the automatic search.
    pub fn governor(&mut self) -> Option<&mut Governor> {
        self.governor.as_mut()
    }

    /// Who decides whose turn it is, to be asked only.
    pub fn decides(&self) -> Option<&Governor> {
        self.governor.as_ref()
    }

    /// The states that wait, with keys for [`Guided::push_blind`].
    pub fn entries(&self) -> Vec<((u64, u32), StateId)> {
        let all = match self.governor {
            Some(_) => &self.blind,
            None => &self.queues[0],
        };
        let mut entries = all.entries();
        entries.retain(|(_, state)| self.waiting.contains(*state));
        entries
    }

    /// Whether this is the automatic search, which has a blind queue beside the guided ones.
    pub fn is_automatic(&self) -> bool {
        self.governor.is_some()
    }

    /// An estimate was made; `size` measures what it costs.
    pub fn estimated(&mut self, size: usize, estimate: Estimate) {
        if let Some(governor) = &mut self.governor {
            governor.estimated(size, estimate);
        }
    }

    /// The state that was taken was looked at for preferred transitions; `size` measures what that costs.
    pub fn prepared(&mut self, size: usize) {
        if let Some(governor) = &mut self.governor {
            governor.worked(size);
        }
    }

    /// The expansion of the state that was taken has cost so much work.
    pub fn charge(&mut self, work: u64) {
        if let Some(governor) = &mut self.governor {
            governor.charge(work);
        }
    }

    /// Forgets all states.
    pub fn clear(&mut self) {
        self.queues.iter_mut().for_each(OpenList::clear);
        self.blind.clear();
        self.deep = Deep::default();
        self.waiting = Waiting::default();
    }

    /// Takes the next state.
    pub fn pop(&mut self) -> Option<StateId> {
        let state = loop {
            let state = self.candidate()?;
            if self.waiting.remove(state) {
                break state;
            }
        };
        if let Some(governor) = &mut self.governor {
            governor.expanded();
        }
        let most = 2 * self.waiting.len() + self.slack;
        if self.deep.len() > most {
            self.deep.retain(|state| self.waiting.contains(state));
        }
        if self.blind.len() > most {
            self.blind.retain(|state| self.waiting.contains(state));
        }
        Some(state)
    }

    fn candidate(&mut self) -> Option<StateId> {
        let turn = self.governor.as_ref().map_or(Turn::Guided, Governor::turn);
        if turn == Turn::Guided {
            let filled = (0..QUEUES.len()).filter(|at| self.queues[*at].len() > 0);
            if let Some(at) = filled.min_by_key(|at| (self.turns[*at], QUEUES.len() - at)) {
                self.turns[at] += WEIGHTS[at];
                self.last = QUEUES[at];
                let key = self.queues[at].smallest_key().unwrap_or(0);
                self.inherited = u32::try_from(key).unwrap_or(u32::MAX);
                return self.queues[at].pop();
            }
        }
        if turn == Turn::Deep
            && let Some(state) = self.deep.pop()
        {
            self.last = Queue::Deep;
            return Some(state);
        }
        self.last = Queue::Blind;
        self.blind.pop()
    }

    /// The queue of the state that was taken last.
    pub fn last(&self) -> Queue {
        self.last
    }

    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    pub fn bytes(&self) -> usize {
        self.queues.iter().map(OpenList::bytes).sum::<usize>()
            + self.blind.bytes()
            + self.deep.len() * size_of::<StateId>()
            + self.waiting.bytes()
    }
}

#[cfg(test)]
mod tests {
    use merkhet_network::tuning::Tuning;

    use super::{Guided, Queue};
    use crate::heuristic::{Estimate, Preference};
    use crate::open::TieBreak;
    use crate::open::governor::Governor;
    use crate::store::StateId;

    fn guided(tie: TieBreak, seed: u64, governor: impl FnOnce(&Tuning) -> Governor) -> Guided {
        let tuning = Tuning::default();
        Guided::new(tie, seed, Some(governor(&tuning)), &tuning)
    }

    fn state(number: usize) -> StateId {
        StateId(number as u32)
    }

    #[test]
    fn a_state_comes_once_and_preferred_ones_first() {
        let mut open = guided(TieBreak::Fifo, 0, Governor::new);
        open.push(state(0), (0, 0), 9, Preference::None);
        open.push(state(1), (1, 0), 8, Preference::First);
        open.push(state(2), (1, 0), 8, Preference::None);
        assert_eq!(open.len(), 3);
        assert_eq!(open.pop(), Some(state(1)));
        assert_eq!(open.last(), Queue::First);
        assert_eq!(open.pop(), Some(state(2)));
        assert_eq!(open.last(), Queue::Estimate);
        assert_eq!(open.pop(), Some(state(0)));
        assert_eq!((open.pop(), open.len()), (None, 0));
    }

    #[test]
    fn estimates_come_first_where_no_preferred_state_is_as_near() {
        let mut open = guided(TieBreak::Fifo, 0, Governor::new);
        open.push(state(0), (0, 0), 9, Preference::None);
        open.push(state(1), (1, 0), 8, Preference::First);
        open.push(state(2), (1, 0), 3, Preference::None);
        assert_eq!(open.pop(), Some(state(2)));
        assert_eq!(open.last(), Queue::Estimate);
        assert_eq!(open.pop(), Some(state(1)));
    }

    #[test]
    fn a_goal_that_looks_reached_at_once_is_searched_blindly() {
        let mut open = guided(TieBreak::Fifo, 0, |_| Governor::deep());
        open.estimated(10, Estimate::Finite(0));
        open.push(state(0), (5, 0), 0, Preference::None);
        assert!(!open.wants_estimates());
        open.push_blind(state(1), (1, 0));
        open.push_blind(state(2), (2, 0));
        for number in 0..3 {
            assert_eq!(open.pop(), Some(state(number)));
            assert_eq!(open.last(), Queue::Deep);
        }
        assert_eq!(open.pop(), None);
    }

    #[test]
    fn a_goal_that_looks_out_of_reach_is_searched_blindly() {
        let mut open = guided(TieBreak::Fifo, 0, Governor::new);
        open.estimated(10, Estimate::DeadEnd);
        assert!(!open.wants_estimates());
    }

    #[test]
    fn depth_first_goes_on_where_it_was() {
        let mut open = guided(TieBreak::Fifo, 0, |_| Governor::deep());
        open.estimated(10, Estimate::Finite(0));
        open.push(state(0), (0, 0), 0, Preference::None);
        open.end_batch();
        assert_eq!(open.pop(), Some(state(0)));
        // Its successors come in their order, each with all that follows.
        for number in [1, 2] {
            open.push_blind(state(number), (0, 0));
        }
        open.end_batch();
        assert_eq!(open.pop(), Some(state(1)));
        open.push_blind(state(3), (0, 0));
        open.end_batch();
        // What another search finds meanwhile comes later.
        let last = std::mem::replace(&mut open.last, Queue::Blind);
        open.push_blind(state(4), (0, 0));
        open.end_batch();
        open.last = last;
        let rest: Vec<_> = std::iter::from_fn(|| open.pop()).collect();
        assert_eq!(rest, [state(3), state(2), state(4)]);
    }

    #[test]
    fn the_stack_does_not_keep_what_others_have_expanded() {
        let mut open = guided(TieBreak::Fifo, 0, Governor::new);
        let states = 3 * crate::tuning::SLACK.default as usize;
        for number in 0..states {
            open.push(state(number), (0, 0), 5, Preference::None);
        }
        for _ in 0..states {
            assert!(open.pop().is_some());
        }
        assert!(open.deep.len() <= crate::tuning::SLACK.default as usize);
    }

    /// Whatever the order of turns, every state comes exactly once: no proof misses one.
    #[test]
    fn every_state_comes_exactly_once() {
        for seed in 0..200u64 {
            let mut random = crate::open::Random::new(seed);
            let mut open = guided(TieBreak::Random, seed, |_| Governor::fickle());
            let (mut found, mut expanded, mut queues) = (0, Vec::new(), Vec::new());
            while found < 3000 || open.len() > 0 {
                for _ in 0..random.below(4) {
                    if found == 3000 {
                        break;
                    }
                    let key = (random.below(5) as u64, 0);
                    if open.wants_estimates() {
                        let estimate = 9 + random.below(3) as u32;
                        // It never falls: otherwise all of it would be guided.
                        open.estimated(20, Estimate::Finite(9));
                        let preferences =
                            [Preference::None, Preference::Planned, Preference::First];
                        open.push(state(found), key, estimate, preferences[random.below(3)]);
                    } else {
                        open.push_blind(state(found), key);
                    }
                    found += 1;
                }
                open.end_batch();
                if let Some(next) = open.pop() {
                    expanded.push(next.0 as usize);
                    queues.push(open.last());
                    open.charge(1500);
                }
            }
            assert_eq!(open.pop(), None);
            expanded.sort_unstable();
            assert_eq!(expanded, (0..3000).collect::<Vec<_>>(), "seed {seed}");
            for queue in [Queue::Estimate, Queue::Deep, Queue::Blind] {
                assert!(queues.contains(&queue), "seed {seed} {queue:?}");
            }
        }
    }
}
