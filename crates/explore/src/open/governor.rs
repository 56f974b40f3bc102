//! Who is next in the automatic search: estimates, depth first, or the largest zones first.
//!
//! It counts work, not time, so that a run can be repeated.

use crate::heuristic::Estimate;

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
}

/// The budget at first, in nanoseconds of a machine of 2020 as far as the constants below are true.
///
/// What falls gets more at once: on the papers' instances five times as much finds nothing sooner.
const BUDGET: i64 = 1_000_000;
/// What estimates may use up after the smallest one has fallen for the n-th time is n² times this, and beyond `MANY_FALLS`
/// that many times n. A long way down is worth a larger budget than a short one: on the papers' instances estimates fall ten to twenty
/// times before the error is found, on proofs about protocols three times, and then no more.
const FALL: i64 = 150_000;
const MANY_FALLS: i64 = 10;
/// What an expansion takes.
const EXPANSION: i64 = 1_500;
/// What an estimate takes besides a share for each abstract edge.
const ESTIMATE: i64 = 100;
const ESTIMATE_EDGE: i64 = 12;
/// Blind work for each unit of estimates, beyond the budget. Estimates cost up to three times what is counted above (CSMA/CD),
/// so that this leaves them a twentieth of the time.
const BLIND_SHARE: i64 = 70;

/// The expansions of the first round: enough to tell whether the order matters.
const FIRST_ROUND: u64 = DEEP_TRIAL;
/// The expansions of the next round. Later ones have a share of what has been done.
const ROUND: u64 = 500;
const ROUND_SHARE: u64 = 4;
/// Expansions after which depth first is judged for the first time.
const DEEP_TRIAL: u64 = 128;
/// It gets no more turns where more than one state in this number of expansions is subsumed by larger ones.
const LOSS: u64 = 50;

impl Governor {
    pub fn new() -> Governor {
        Governor {
            guided: true,
            left: BUDGET,
            spent: 0,
            blind: 0,
            best: None,
            falls: 0,
            turn: Turn::Largest,
            round: FIRST_ROUND,
            blindly: 0,
            wasteful: false,
            tried: false,
        }
    }

    /// A governor that changes its mind all the time.
    #[cfg(test)]
    pub fn fickle() -> Governor {
        Governor {
            left: 3000,
            round: 3,
            ..Governor::new()
        }
    }

    /// One whose depth-first search has the first turn.
    #[cfg(test)]
    pub fn deep() -> Governor {
        Governor {
            turn: Turn::Deep,
            ..Governor::new()
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
                let falls = self.falls.min(MANY_FALLS) * self.falls;
                self.left = self.left.max(FALL.saturating_mul(falls));
            }
            _ => {}
        }
        self.worked(size);
    }

    /// An estimate, or the like, was made.
    pub fn worked(&mut self, size: usize) {
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

    /// Larger states have subsumed `states` states in all.
    pub fn subsumed(&mut self, states: u64) {
        if self.blindly >= DEEP_TRIAL && states * LOSS > self.blindly && !self.wasteful {
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
    pub fn deep_look(&mut self, given_up: u64, expanded: u64) {
        self.tried = true;
        if given_up * LOSS > expanded && !self.wasteful {
            self.is_wasteful();
        }
    }

    /// A state is about to be expanded.
    pub fn expanded(&mut self) {
        if self.guided {
            return;
        }
        self.blindly += 1;
        self.round = self.round.saturating_sub(1);
        if self.round == 0 {
            self.next_round();
        }
        self.blind = self.blind.saturating_sub(EXPANSION);
        self.guided = self.blind <= 0;
    }

    fn next_round(&mut self) {
        self.turn = match self.turn {
            Turn::Largest if !self.wasteful => Turn::Deep,
            _ => Turn::Largest,
        };
        self.round = ROUND.max(self.blindly / ROUND_SHARE);
    }
}

#[cfg(test)]
mod tests {
    use super::{BLIND_SHARE, BUDGET, DEEP_TRIAL, EXPANSION, FIRST_ROUND, Governor, ROUND, Turn};
    use crate::heuristic::Estimate;

    /// Estimates of a hundred abstract edges each, as long as they are wanted, next to expansions; what they cost.
    fn spend(expansions: i64, estimate: impl Fn(i64) -> u32) -> i64 {
        let mut governor = Governor::new();
        let mut estimates = 0;
        for at in 0..expansions {
            if governor.turn() == Turn::Guided {
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
        let share = 2 * expansions * EXPANSION / BLIND_SHARE;
        assert!(spent < BUDGET + 1300 + share, "{spent}");
        assert!(spent > 2 * BUDGET, "it comes back to them");
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
        let mut governor = Governor::new();
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
        assert!(share <= (DEEP_TRIAL + 1) as f64 / 1e6, "{share}");
    }

    #[test]
    fn the_blind_searches_go_on_for_a_while_each() {
        let mut governor = Governor::new();
        governor.estimated(1, Estimate::DeadEnd);
        for (turn, round) in [
            (Turn::Largest, FIRST_ROUND),
            (Turn::Deep, ROUND),
            (Turn::Largest, ROUND),
        ] {
            for _ in 0..round {
                assert_eq!(governor.turn(), turn);
                governor.expanded();
            }
        }
    }

    #[test]
    fn a_first_look_tells_whether_to_go_deep() {
        for (given_up, turn) in [(0, Turn::Deep), (3, Turn::Deep), (100, Turn::Largest)] {
            let mut governor = Governor::deep();
            assert!(!governor.wants_trial(), "estimates come first");
            governor.estimated(1, Estimate::DeadEnd);
            assert!(governor.wants_trial());
            governor.deep_look(given_up, 256);
            assert_eq!(governor.turn(), turn, "{given_up}");
            assert_eq!(governor.goes_deep(), turn == Turn::Deep, "{given_up}");
            assert!(!governor.wants_trial(), "{given_up}");
        }
    }
}
