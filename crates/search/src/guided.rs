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
//! The automatic search must not make proofs slow. Its [`Governor`] lets estimates use up a small free allowance, more as
//! long as they fall, then a small share of the work only; in between, states with large zones are expanded first, without
//! estimates, which is how proofs are found fastest. It counts work, not time, so that a run can be repeated.

use crate::heuristic::{Estimate, Preference};
use crate::open::{OpenList, TieBreak};
use crate::store::StateId;

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
}

/// The queues by estimate, in the order of [`Guided::queues`].
const QUEUES: [Queue; 3] = [Queue::Estimate, Queue::Planned, Queue::First];

/// What a turn of each queue counts: the two extremes get three turns for one of the queue between them. Found by trial
/// on the papers' instances; any weights solve them.
const WEIGHTS: [i64; 3] = [1, 3, 1];

/// The turns that the preferred queues get when the smallest estimate falls (as in Fast Downward).
const BOOST: i64 = 1000;

/// The open list.
pub(crate) struct Guided {
    queues: [OpenList; QUEUES.len()],
    /// The queue with the fewest turns is next.
    turns: [i64; QUEUES.len()],
    best: Option<u32>,
    blind: OpenList,
    closed: Vec<u64>,
    governor: Option<Governor>,
    last: Queue,
    waiting: usize,
}

impl Guided {
    /// `governor`: for the automatic search; without it every state is estimated.
    pub fn new(tie_break: TieBreak, seed: u64, governor: Option<Governor>) -> Guided {
        Guided {
            queues: QUEUES
                .map(|queue| OpenList::buckets(tie_break, seed.wrapping_add(queue as u64))),
            turns: [0; QUEUES.len()],
            best: None,
            blind: OpenList::heap(),
            closed: Vec::new(),
            governor,
            last: Queue::Estimate,
            waiting: 0,
        }
    }

    /// Whether states that are found now are to be estimated.
    pub fn wants_estimates(&self) -> bool {
        self.governor
            .as_ref()
            .is_none_or(|governor| governor.guided)
    }

    /// Adds a state with an estimate.
    pub fn push(&mut self, state: StateId, key: (u64, u32), estimate: u32, preference: Preference) {
        if self.best.is_none_or(|best| estimate < best) {
            self.best = Some(estimate);
            self.turns[1..].iter_mut().for_each(|turns| *turns -= BOOST);
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
            self.blind.push(state, key);
        }
        self.waiting += 1;
    }

    /// Adds a state without an estimate.
    pub fn push_blind(&mut self, state: StateId, key: (u64, u32)) {
        match self.governor {
            Some(_) => self.blind.push(state, key),
            None => self.queues[0].push(state, key),
        }
        self.waiting += 1;
    }

    /// The states that wait, with keys for [`Guided::push_blind`].
    pub fn entries(&self) -> Vec<((u64, u32), StateId)> {
        let all = match self.governor {
            Some(_) => &self.blind,
            None => &self.queues[0],
        };
        let mut entries = all.entries();
        entries.retain(|(_, state)| !self.is_closed(*state));
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

    /// Takes the next state.
    pub fn pop(&mut self) -> Option<StateId> {
        let state = loop {
            let state = self.candidate()?;
            if !self.is_closed(state) {
                break state;
            }
        };
        self.close(state);
        self.waiting -= 1;
        if let Some(governor) = &mut self.governor {
            governor.expanded();
        }
        Some(state)
    }

    fn candidate(&mut self) -> Option<StateId> {
        if self.wants_estimates() {
            let filled = (0..QUEUES.len()).filter(|at| self.queues[*at].len() > 0);
            if let Some(at) = filled.min_by_key(|at| (self.turns[*at], QUEUES.len() - at)) {
                self.turns[at] += WEIGHTS[at];
                self.last = QUEUES[at];
                return self.queues[at].pop();
            }
        }
        self.last = Queue::Blind;
        self.blind.pop()
    }

    fn is_closed(&self, state: StateId) -> bool {
        let at = state.0 as usize;
        self.closed
            .get(at / 64)
            .is_some_and(|word| word & (1 << (at % 64)) != 0)
    }

    fn close(&mut self, state: StateId) {
        let at = state.0 as usize;
        if self.closed.len() <= at / 64 {
            self.closed.resize(at / 64 + 1, 0);
        }
        self.closed[at / 64] |= 1 << (at % 64);
    }

    /// The queue of the state that was taken last.
    pub fn last(&self) -> Queue {
        self.last
    }

    pub fn len(&self) -> usize {
        self.waiting
    }

    pub fn bytes(&self) -> usize {
        self.queues.iter().map(OpenList::bytes).sum::<usize>()
            + self.blind.bytes()
            + self.closed.len() * size_of::<u64>()
    }
}

/// Says when estimates are worth their cost.
///
/// At first they may use up a small allowance. As long as the smallest estimate keeps falling they are worth it: each
/// time it falls they get more. After that they get a small share of the work only, in rounds that grow.
pub(crate) struct Governor {
    guided: bool,
    /// What this round of estimates may still use up.
    left: i64,
    /// What this round has used up.
    spent: i64,
    /// Blind work until the next round.
    blind: i64,
    best: Option<u32>,
    /// How often the smallest estimate has fallen.
    falls: i64,
}

/// The allowance at first, in nanoseconds of a machine of 2020 as far as the constants below are true.
const ALLOWANCE: i64 = 2_000_000;
/// What estimates may use up after the smallest one has fallen for the n-th time is n times this. A long way down is worth
/// more patience than a short one. Half of it is too little for the largest of the papers' instances.
const FALL: i64 = 1_500_000;
/// What an expansion takes.
const EXPANSION: i64 = 1_500;
/// What an estimate takes: this, and so much for each abstract edge.
const ESTIMATE: i64 = 100;
const ESTIMATE_EDGE: i64 = 12;
/// Blind work for each unit of estimates, beyond the allowance.
const BLIND_SHARE: i64 = 19;

impl Governor {
    pub fn new() -> Governor {
        Governor {
            guided: true,
            left: ALLOWANCE,
            spent: 0,
            blind: 0,
            best: None,
            falls: 0,
        }
    }

    fn estimated(&mut self, size: usize, estimate: Estimate) {
        match (self.best, estimate) {
            // At the start: no way to the goal is seen; or it looks reached, so that the estimate does not see what is
            // missing, such as a deadlock. There is nothing to follow.
            (None, Estimate::DeadEnd | Estimate::Finite(0)) => {
                self.guided = false;
                self.blind = i64::MAX;
                return;
            }
            (None, Estimate::Finite(estimate)) => self.best = Some(estimate),
            (Some(best), Estimate::Finite(estimate)) if estimate < best => {
                self.best = Some(estimate);
                self.falls += 1;
                self.left = self.left.max(FALL.saturating_mul(self.falls));
            }
            _ => {}
        }
        self.worked(size);
    }

    /// An estimate, or the like, was made.
    fn worked(&mut self, size: usize) {
        let cost = ESTIMATE + ESTIMATE_EDGE * size as i64;
        self.left -= cost;
        self.spent += cost;
        if self.left < 0 && self.guided {
            self.guided = false;
            self.blind = self.spent.saturating_mul(BLIND_SHARE);
            self.left = self.spent.saturating_mul(2);
            self.spent = 0;
        }
    }

    fn expanded(&mut self) {
        if self.guided {
            return;
        }
        self.blind = self.blind.saturating_sub(EXPANSION);
        self.guided = self.blind <= 0;
    }
}

#[cfg(test)]
mod tests {
    use super::{ALLOWANCE, Governor, Guided, Queue};
    use crate::heuristic::{Estimate, Preference};
    use crate::open::TieBreak;
    use crate::store::StateId;

    fn state(number: usize) -> StateId {
        StateId(number as u32)
    }

    #[test]
    fn a_state_comes_once_and_preferred_ones_first() {
        let mut open = Guided::new(TieBreak::Fifo, 0, Some(Governor::new()));
        open.push(state(0), (0, 0), 9, Preference::None);
        open.push(state(1), (1, 0), 8, Preference::First);
        open.push(state(2), (1, 0), 3, Preference::None);
        assert_eq!(open.len(), 3);
        assert_eq!(open.pop(), Some(state(1)));
        assert_eq!(open.last(), Queue::First);
        assert_eq!(open.pop(), Some(state(2)));
        assert_eq!(open.last(), Queue::Estimate);
        assert_eq!(open.pop(), Some(state(0)));
        assert_eq!((open.pop(), open.len()), (None, 0));
    }

    #[test]
    fn a_goal_that_looks_reached_at_once_is_searched_blindly() {
        let mut open = Guided::new(TieBreak::Fifo, 0, Some(Governor::new()));
        open.estimated(10, Estimate::Finite(0));
        open.push(state(0), (5, 0), 0, Preference::None);
        assert!(!open.wants_estimates());
        open.push_blind(state(1), (1, 0));
        open.push_blind(state(2), (2, 0));
        let order: Vec<_> = std::iter::from_fn(|| open.pop()).collect();
        assert_eq!(order, [state(0), state(2), state(1)]);
        assert_eq!(open.last(), Queue::Blind);
    }

    #[test]
    fn a_goal_that_looks_out_of_reach_is_searched_blindly() {
        let mut open = Guided::new(TieBreak::Fifo, 0, Some(Governor::new()));
        open.estimated(10, Estimate::DeadEnd);
        assert!(!open.wants_estimates());
    }

    /// Estimates of a hundred abstract edges each, as long as they are wanted, next to expansions; what they cost.
    fn spend(expansions: i64, estimate: impl Fn(i64) -> u32) -> i64 {
        let mut governor = Governor::new();
        let mut estimates = 0;
        for at in 0..expansions {
            if governor.guided {
                governor.estimated(100, Estimate::Finite(estimate(at)));
                estimates += 1;
            }
            governor.expanded();
        }
        estimates * 1300
    }

    #[test]
    fn estimates_get_a_share_only() {
        let expansions = 2_000_000;
        let spent = spend(expansions, |_| 5);
        assert!(spent < ALLOWANCE + 1300 + expansions * 1500 / 10, "{spent}");
        assert!(spent > 2 * ALLOWANCE, "it comes back to them");
    }

    #[test]
    fn estimates_that_fall_get_more() {
        let falling = |at: i64| 50 - (at / 1000).min(40) as u32;
        let expansions = 100_000;
        let (level, fallen) = (spend(expansions, |_| 5), spend(expansions, falling));
        assert!(fallen > 4 * level, "{fallen} {level}");
    }
}
