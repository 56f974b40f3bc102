//! Who is next in the automatic search: estimates, depth first, or the largest zones first.
//!
//! It counts work, not time, so that a run can be repeated.

use merkhet_network::tuning::Tuning;

use crate::heuristic::Estimate;
use crate::tuning::{
    BLIND_SHARE, BUDGET, DEAREST, DEEP_TRIAL, ESTIMATE, ESTIMATE_EDGE, FALL, FOLLOWED, LOSS,
    MANY_FALLS, ROUND, ROUND_SHARE,
};

/// From where the next state is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// By estimate.
    Guided,
    /// Depth first, without estimates.
    Deep,
    /// The largest zones first, without estimates.
    Largest,
}

/// Says when estimates are worth their cost, and which of the blind searches goes on in between.
///
/// At first estimates may use up a small budget. As long as the smallest estimate keeps falling they are worth it: each
/// time it falls they get more. After that they get a small share of the work only, in rounds that grow.
///
/// In between, the largest zones first and depth first take turns, in rounds that grow with what has been done: neither
/// knows better. Each state is expanded once, so that this costs nothing, unless larger zones turn up for states that have
/// been expanded. Where that happens, going deep makes a proof longer: it gets no turns (any more), and
/// [`crate::search::Looks`] go deep instead. A first look of theirs says so before anything has been done, or the first round of the
/// largest zones: that one comes first because the look has just been where depth first would begin.
pub(crate) struct Governor {
    guided: bool,
    /// What this round of estimates may still use up.
    left: i64,
    /// What this round has used up.
    spent: i64,
    /// Blind work until the next round.
    blind: i64,
    /// The expansions by estimate that are certain, however much estimates cost.
    certain: u64,
    /// What estimates may cost in all: more with each successor that is found by estimate.
    affordable: i64,
    /// What they have cost.
    estimates: i64,
    /// Whether the state that was taken last was taken by estimate.
    followed: bool,
    best: Option<u32>,
    /// How often the smallest estimate has fallen.
    falls: i64,
    /// The blind search whose round it is, and the expansions that are left of it.
    turn: Turn,
    round: u64,
    /// The expansions without estimates so far.
    blindly: u64,
    /// States are subsumed by larger ones: the order matters.
    wasteful: bool,
    /// A scout has looked whether depth first makes mistakes.
    tried: bool,
    numbers: Numbers,
}

/// The numbers that it goes by ([`crate::tuning`]).
struct Numbers {
    fall: i64,
    many_falls: i64,
    followed: u64,
    dearest: i64,
    estimate: i64,
    estimate_edge: i64,
    blind_share: i64,
    round: u64,
    round_share: u64,
    deep_trial: u64,
    loss: u64,
}

impl Numbers {
    fn new(tuning: &Tuning) -> Numbers {
        let count = |tunable| tuning.count(tunable) as u64;
        Numbers {
            fall: tuning.get(&FALL),
            many_falls: tuning.get(&MANY_FALLS),
            followed: count(&FOLLOWED),
            dearest: tuning.get(&DEAREST),
            estimate: tuning.get(&ESTIMATE),
            estimate_edge: tuning.get(&ESTIMATE_EDGE),
            blind_share: tuning.get(&BLIND_SHARE),
            round: count(&ROUND),
            round_share: count(&ROUND_SHARE),
            deep_trial: count(&DEEP_TRIAL),
            loss: count(&LOSS),
        }
    }
}

impl Governor {
    pub fn new(tuning: &Tuning) -> Governor {
        let numbers = Numbers::new(tuning);
        Governor {
            guided: true,
            left: tuning.get(&BUDGET),
            spent: 0,
            blind: 0,
            certain: numbers.followed,
            affordable: tuning.get(&BUDGET),
            estimates: 0,
            followed: true,
            best: None,
            falls: 0,
            turn: Turn::Largest,
            // Enough to tell whether the order matters.
            round: numbers.deep_trial,
            blindly: 0,
            wasteful: false,
            tried: false,
            numbers,
        }
    }

    /// A governor that changes its mind all the time.
    #[cfg(test)]
    pub fn fickle() -> Governor {
        Governor {
            left: 3000,
            certain: 0,
            round: 3,
            ..Governor::new(&Tuning::default())
        }
    }

    /// One whose depth-first search has the first turn.
    #[cfg(test)]
    pub fn deep() -> Governor {
        Governor {
            turn: Turn::Deep,
            ..Governor::new(&Tuning::default())
        }
    }

    /// From where the next state is to be taken.
    pub fn turn(&self) -> Turn {
        match self.guided {
            true => Turn::Guided,
            false => self.turn,
        }
    }

    /// Whether depth first still gets turns.
    pub fn goes_deep(&self) -> bool {
        !self.wasteful
    }

    /// An estimate was made; `size` measures what it costs.
    pub fn estimated(&mut self, size: usize, estimate: Estimate) {
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
                self.certain = self.numbers.followed;
                let falls = self.falls.min(self.numbers.many_falls) * self.falls;
                self.left = self.left.max(self.numbers.fall.saturating_mul(falls));
            }
            _ => {}
        }
        self.worked(size);
    }

    /// An estimate, or the like, was made.
    pub fn worked(&mut self, size: usize) {
        let Numbers {
            estimate,
            estimate_edge,
            ..
        } = self.numbers;
        let cost = estimate.saturating_add(estimate_edge.saturating_mul(size as i64));
        self.left -= cost;
        self.spent += cost;
        self.estimates += cost;
        if self.left < 0 && self.certain == 0 && self.guided {
            self.guided = false;
            self.blind = self.spent.saturating_mul(self.numbers.blind_share);
            self.left = self.spent.saturating_mul(2);
            self.spent = 0;
        }
    }

    /// Larger states have subsumed `states` states in all.
    pub fn subsumed(&mut self, states: u64) {
        let Numbers {
            deep_trial, loss, ..
        } = self.numbers;
        if self.blindly >= deep_trial && states * loss > self.blindly && !self.wasteful {
            self.is_wasteful();
        }
    }

    fn is_wasteful(&mut self) {
        self.wasteful = true;
        if self.turn == Turn::Deep {
            self.next_round();
        }
    }

    /// Whether a scout is to look if depth first makes mistakes: it is about to get its first turn.
    pub fn wants_trial(&self) -> bool {
        !self.guided && !self.tried
    }

    /// Takes in how many of the states that a scout expanded in the depth were subsumed.
    pub fn deep_look(&mut self, subsumed: u64, expanded: u64) {
        self.tried = true;
        if subsumed * self.numbers.loss > expanded && !self.wasteful {
            self.is_wasteful();
        }
    }

    /// A state is about to be expanded.
    pub fn expanded(&mut self) {
        self.followed = self.guided;
        if self.guided {
            self.certain = self.certain.saturating_sub(1);
            return;
        }
        self.blindly += 1;
        self.round = self.round.saturating_sub(1);
        if self.round == 0 {
            self.next_round();
        }
    }

    /// A successor that is to be estimated was found, at the cost of so much work.
    pub fn found(&mut self, work: u64) {
        let work = i64::try_from(work).unwrap_or(i64::MAX);
        let more = work.saturating_mul(self.numbers.dearest);
        self.affordable = self.affordable.saturating_add(more);
    }

    /// Whether another estimate would not make them dearer than they may be.
    pub fn affords(&self) -> bool {
        self.estimates <= self.affordable
    }

    /// The expansion of that state has cost so much work.
    pub fn charge(&mut self, work: u64) {
        if self.followed {
            return;
        }
        let work = i64::try_from(work).unwrap_or(i64::MAX);
        self.blind = self.blind.saturating_sub(work);
        self.guided = self.blind <= 0;
    }

    /// Whether estimates have used up what they get for now, though there was something to follow.
    pub fn has_given_up(&self) -> bool {
        !self.guided && self.best.is_some()
    }

    /// Another search has done so much blind work.
    pub fn waited(&mut self, work: u64) {
        if !self.guided {
            let work = i64::try_from(work).unwrap_or(i64::MAX);
            self.blind = self.blind.saturating_sub(work);
            self.guided = self.blind <= 0;
        }
    }

    /// Estimates are made elsewhere, if at all.
    pub fn follows_nothing(&mut self) {
        (self.guided, self.blind) = (false, i64::MAX);
    }

    fn next_round(&mut self) {
        self.turn = match self.turn {
            Turn::Largest if !self.wasteful => Turn::Deep,
            _ => Turn::Largest,
        };
        let Numbers {
            round, round_share, ..
        } = self.numbers;
        self.round = round.max(self.blindly / round_share);
    }
}

#[cfg(test)]
mod tests {
    use merkhet_network::tuning::Tuning;

    use super::{BLIND_SHARE, BUDGET, DEEP_TRIAL, ESTIMATE, ESTIMATE_EDGE, Governor, ROUND, Turn};
    use crate::heuristic::Estimate;

    /// What an expansion costs here, and an estimate with a hundred abstract edges.
    const EXPANSION: i64 = 1500;
    const ONE: i64 = ESTIMATE.default + 100 * ESTIMATE_EDGE.default;

    fn governor() -> Governor {
        Governor::new(&Tuning::default())
    }

    /// Estimates of a hundred abstract edges each, as long as they are wanted, next to expansions; what they cost.
    fn spend(expansions: i64, estimate: impl Fn(i64) -> u32) -> i64 {
        let mut governor = governor();
        let mut estimates = 0;
        for at in 0..expansions {
            if governor.turn() == Turn::Guided {
                governor.estimated(100, Estimate::Finite(estimate(at)));
                estimates += 1;
            }
            governor.expanded();
            governor.charge(EXPANSION as u64);
        }
        estimates * ONE
    }

    #[test]
    fn estimates_get_a_share_only() {
        let expansions = 2_000_000;
        let spent = spend(expansions, |_| 5);
        let share = 2 * expansions * EXPANSION / BLIND_SHARE.default;
        assert!(spent < BUDGET.default + ONE + share, "{spent}");
        assert!(spent > 2 * BUDGET.default, "it comes back to them");
    }

    #[test]
    fn estimates_that_fall_get_more() {
        let falling = |at: i64| 50 - (at / 200).min(40) as u32;
        let expansions = 100_000;
        let (level, fallen) = (spend(expansions, |_| 5), spend(expansions, falling));
        assert!(fallen > 4 * level, "{fallen} {level}");
    }

    /// The share of expansions depth first, by the number of expansions in which one state is subsumed.
    fn deep_share(loses_one_of: u64) -> f64 {
        let mut governor = governor();
        governor.estimated(1, Estimate::DeadEnd);
        let mut deep = 0;
        let expansions = 1_000_000;
        for at in 0..expansions {
            deep += u64::from(governor.turn() == Turn::Deep);
            governor.subsumed(at / loses_one_of);
            governor.expanded();
        }
        deep as f64 / expansions as f64
    }

    #[test]
    fn the_blind_searches_share_the_work_unless_depth_first_makes_it_more() {
        let share = deep_share(1_000_000_000);
        assert!((0.3..0.7).contains(&share), "{share}");
        let share = deep_share(5);
        assert!(share <= (DEEP_TRIAL.default + 1) as f64 / 1e6, "{share}");
    }

    #[test]
    fn the_blind_searches_go_on_for_a_while_each() {
        let mut governor = governor();
        governor.estimated(1, Estimate::DeadEnd);
        for (turn, round) in [
            (Turn::Largest, DEEP_TRIAL.default),
            (Turn::Deep, ROUND.default),
            (Turn::Largest, ROUND.default),
        ] {
            for _ in 0..round {
                assert_eq!(governor.turn(), turn);
                governor.expanded();
            }
        }
    }

    #[test]
    fn a_first_look_tells_whether_to_go_deep() {
        for (subsumed, turn) in [(0, Turn::Deep), (3, Turn::Deep), (100, Turn::Largest)] {
            let mut governor = Governor::deep();
            assert!(!governor.wants_trial(), "estimates come first");
            governor.estimated(1, Estimate::DeadEnd);
            assert!(governor.wants_trial());
            governor.deep_look(subsumed, 256);
            assert_eq!(governor.turn(), turn, "{subsumed}");
            assert_eq!(governor.goes_deep(), turn == Turn::Deep, "{subsumed}");
            assert!(!governor.wants_trial(), "{subsumed}");
        }
    }
}
