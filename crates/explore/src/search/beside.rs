//! Another way of looking for the goal, in turns with a search.
//!
//! What runs beside stores nothing of what the search stores; it finds the goal or shows nothing. Its turns are paid in work
//! that the search has done, counted by what it touched and not by the clock, so that a run can be repeated.

use merkhet_network::tuning::Tuning;

use crate::tuning;

/// Looks for the goal in its own way, a little at a time.
pub trait Beside {
    /// Goes on for about so much work, at least a little; true if it has found the goal, for which it keeps the evidence.
    fn advance(&mut self, work: u64) -> bool;

    /// The work that it has done, counted as that of the search: in nanoseconds of a machine of 2024, about.
    fn work(&self) -> u64;

    /// How often it has come nearer to the goal than ever before.
    fn progress(&self) -> u64;

    /// The states that it has expanded, and the memory that it takes, in bytes.
    fn figures(&self) -> (u64, usize);

    /// Its part of what the others get, next to theirs.
    fn weight(&self) -> u64;

    /// Whether it has nothing left to do.
    fn is_over(&self) -> bool;
}

/// How much of the work another way of looking gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// The work of the search before the first turn: what estimates find at once needs no company.
    pub after: u64,
    /// The expansions before the first turn, however long they take.
    pub expansions: u64,
    /// Thousandths of the search's work that the others get together where nothing waits, and a proof is about to end.
    pub least: u64,
    /// What is added to that each time that the work is twice as much as before …
    pub doubled: u64,
    /// … from this work on, up to half of the most.
    pub long: u64,
    /// Thousandths where far more states wait than were expanded: no proof is in sight.
    pub most: u64,
    /// The waiting states for each expanded one from which on they get the most.
    pub wide: u64,
    /// What one of them gets besides each time that it comes nearer to the goal, at least; a quarter of what it has done, if
    /// that is more.
    pub grant: u64,
    /// The work of one turn, at the least.
    pub turn: u64,
}

impl Share {
    /// With these numbers.
    pub fn of(tuning: &Tuning) -> Share {
        let count = |tunable| tuning.count(tunable) as u64;
        Share {
            after: count(&tuning::BESIDE_AFTER),
            expansions: count(&tuning::BESIDE_EXPANSIONS),
            least: count(&tuning::BESIDE_LEAST),
            doubled: count(&tuning::BESIDE_DOUBLED),
            long: count(&tuning::BESIDE_LONG).max(1),
            most: count(&tuning::BESIDE_MOST),
            wide: count(&tuning::BESIDE_WIDE).max(1),
            grant: count(&tuning::BESIDE_GRANT),
            turn: count(&tuning::BESIDE_TURN),
        }
    }

    /// The thousandths of the work that are due to the others. What waits says how much of a proof is left, at least: it grows
    /// with the square of the waiting states for each expanded one. Where few wait for a long time, the search has perhaps lost
    /// itself in the depth, and a long proof ends with a certainty that shrinks.
    fn rate(&self, work: u64, explored: u64, waiting: u64) -> u64 {
        const ALL: u64 = 1000;
        let wide = explored.saturating_mul(self.wide).max(1);
        let growth = (waiting.saturating_mul(ALL) / wide).min(ALL);
        let doublings = u64::from((work / self.long).max(1).ilog2());
        let least = self.least + self.doubled * doublings;
        let least = least.min(self.most / 2).max(self.least);
        let range = self.most.saturating_sub(least);
        least + range.saturating_mul(growth * growth) / (ALL * ALL)
    }
}

/// One of those who look beside a search.
struct Account<'b> {
    other: &'b mut dyn Beside,
    /// The progress that is known.
    progress: u64,
    /// What it may do beyond its share, since it made progress.
    granted: u64,
    explored: u64,
}

impl Account<'_> {
    /// Lets it go on until it has done what it may; true if it finds the goal.
    fn advance(&mut self, due: u64, most: u64, share: &Share) -> bool {
        let due = due.saturating_add(self.granted.min(most));
        let left = due.saturating_sub(self.other.work());
        if left < share.turn.max(1) || self.other.is_over() {
            return false;
        }
        let found = self.other.advance(left);
        let progress = self.other.progress();
        if progress > self.progress {
            self.progress = progress;
            self.granted = (self.granted).saturating_add(share.grant.max(self.other.work() / 4));
        }
        found
    }
}

/// Keeps the accounts of a search and of those who look beside it. Each of them gets a share of the work by its weight; one that comes
/// nearer to the goal gets more.
pub(super) struct Turns<'b> {
    accounts: Vec<Account<'b>>,
    share: Share,
    /// The work of the search at which somebody is due again.
    next: u64,
    /// The work of the search that is paid for, and what was due for it.
    paid: u64,
    due: u64,
}

impl<'b> Turns<'b> {
    pub fn new(share: Share, others: Vec<&'b mut dyn Beside>) -> Turns<'b> {
        let accounts = others.into_iter().map(|other| Account {
            other,
            progress: 0,
            granted: 0,
            explored: 0,
        });
        Turns {
            accounts: accounts.collect(),
            share,
            next: share.after,
            paid: share.after,
            due: 0,
        }
    }

    /// Gives the others what they are due, counted from the search's work, its expansions and its waiting states; whether one
    /// of them finds the goal, if somebody was due.
    #[inline]
    pub fn take(&mut self, work: u64, explored: u64, waiting: u64) -> Option<bool> {
        let due = work >= self.next && explored >= self.share.expansions;
        due.then(|| self.advance(work, explored, waiting))
    }

    #[cold]
    fn advance(&mut self, work: u64, explored: u64, waiting: u64) -> bool {
        let share = self.share;
        let unpaid = work.saturating_sub(self.paid);
        let due = unpaid.saturating_mul(share.rate(work, explored, waiting)) / 1000;
        self.due = self.due.saturating_add(due);
        self.paid = work;
        self.next = work.saturating_add(share.turn);
        let active = |account: &&Account<'_>| !account.other.is_over();
        let active = self.accounts.iter().filter(active);
        let weights: u64 = active.map(|account| account.other.weight()).sum();
        let (all, each) = (self.due, self.due / weights.max(1));
        (self.accounts.iter_mut()).any(|account| {
            let due = each.saturating_mul(account.other.weight());
            account.advance(due, all, &share)
        })
    }

    /// The states that the others have expanded since this was asked last, and the memory that they take.
    pub fn figures(&mut self) -> (u64, usize) {
        let mut figures = (0, 0);
        for account in &mut self.accounts {
            let (explored, bytes) = account.other.figures();
            figures.0 += explored - account.explored;
            figures.1 += bytes;
            account.explored = explored;
        }
        figures
    }
}

#[cfg(test)]
mod tests {
    use super::{Beside, Share, Turns};

    const SHARE: Share = Share {
        after: 100_000,
        expansions: 1,
        least: 100,
        doubled: 100,
        long: 1_000_000_000,
        most: 500,
        wide: 2,
        grant: 50_000,
        turn: 20_000,
    };

    #[test]
    fn the_share_grows_with_what_waits() {
        let waiting = [0, 500, 1000, 2000, 4000, u64::MAX];
        let rates: Vec<u64> = waiting
            .map(|waiting| SHARE.rate(1000, 1000, waiting))
            .into();
        assert_eq!(rates, [100, 125, 200, 500, 500, 500]);
        assert_eq!(SHARE.rate(0, 0, 0), 100);
        let works = [1, 2, 3, 4, 8].map(|seconds| seconds * SHARE.long);
        let rates: Vec<u64> = works.map(|work| SHARE.rate(work, 1000, 0)).into();
        assert_eq!(rates, [100, 200, 200, 250, 250]);
    }

    /// Comes nearer to the goal until it has done so much work; has work to do until the end.
    struct Looker {
        work: u64,
        nearer_until: u64,
        end: u64,
    }

    impl Beside for Looker {
        fn advance(&mut self, work: u64) -> bool {
            self.work += work;
            false
        }

        fn work(&self) -> u64 {
            self.work
        }

        fn progress(&self) -> u64 {
            self.work.min(self.nearer_until)
        }

        fn figures(&self) -> (u64, usize) {
            (self.work / 1000, 7)
        }

        fn weight(&self) -> u64 {
            1
        }

        fn is_over(&self) -> bool {
            self.work >= self.end
        }
    }

    /// What each of two does while the search does so much.
    fn works(nearer_until: u64, end: u64) -> (u64, u64) {
        let looker = |nearer_until, end| Looker {
            work: 0,
            nearer_until,
            end,
        };
        let (mut one, mut two) = (looker(nearer_until, end), looker(0, u64::MAX));
        let mut turns = Turns::new(SHARE, vec![&mut one, &mut two]);
        for work in 0..2000 {
            assert_ne!(turns.take(work * 1050, work, 4 * work), Some(true));
        }
        let (explored, bytes) = turns.figures();
        assert_eq!((turns.figures().0, bytes), (0, 14));
        assert_eq!(explored, one.work / 1000 + two.work / 1000);
        (one.work, two.work)
    }

    #[test]
    fn they_get_the_same_unless_one_comes_nearer() {
        let due = (1999 * 1050 - SHARE.after) / 4;
        let (one, two) = works(0, u64::MAX);
        assert_eq!(one, two);
        assert!(one <= due && one + 2 * SHARE.turn > due, "{one} {due}");
        let (nearer, other) = works(300_000, u64::MAX);
        assert!(nearer > other + SHARE.grant, "{nearer} {other}");
        assert!(
            nearer < 4 * other,
            "it ends where the progress does: {nearer}"
        );
    }

    #[test]
    fn what_one_leaves_the_others_get() {
        let (one, two) = works(0, 100_000);
        assert!(two > 5 * one, "{one} {two}");
    }
}
