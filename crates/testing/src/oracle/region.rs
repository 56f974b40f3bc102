//! Regions by exact representatives.
//!
//! A representative keeps, for every clock, its integer part and the rank of its fractional part (0: no fraction). That
//! is a valuation up to the lengths of the gaps between fractions, which no constraint with integer constants sees. Two
//! representatives are the same region if their [`Region::signature`]s are equal.
//!
//! Without constraints on differences the signature is that of Alur and Dill (1994): the integer part up to the largest
//! constant M, whether there is a fraction, and the order of the fractions, for clocks up to M.
//!
//! With differences (Bouyer, "Untameable timed automata!", 2003, section 2, and the region sets of updatable timed
//! automata) the signature also holds, for each pair of clocks, where their difference lies among the integers: exactly
//! if both clocks are at most K = M + C, C being the largest value assigned to a clock, else up to ±M. This is a
//! bisimulation with respect to delay and assignment: delay does not change differences, and clocks up to K determine
//! the next change as in the classical construction; after x := c (c ≤ C) the difference of x to a clock y ≤ K is
//! determined by y's class, and to a clock y > K it is below c − K ≤ −M. Constraints compare with at most M.

use merkhet_network::ClockId;

use crate::oracle::discrete::Clocks;

/// The constants that the regions have to respect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Caps {
    /// M for each clock; without differences a clock above it is forgotten.
    pub single: Vec<i32>,
    /// K and M for differences, if there are constraints on them.
    pub difference: Option<(i32, i32)>,
}

impl Caps {
    pub(crate) fn cap(&self, clock: usize) -> i32 {
        match self.difference {
            Some((cap, _)) => cap.max(self.single[clock]),
            None => self.single[clock],
        }
    }
}

/// A valuation up to the lengths of fractions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Region {
    /// Integer parts.
    whole: Vec<i32>,
    /// Ranks of the fractions; 0 for none, else dense from 1.
    rank: Vec<u8>,
}

impl Region {
    /// All clocks 0.
    pub(crate) fn origin(clocks: usize) -> Region {
        Region {
            whole: vec![0; clocks],
            rank: vec![0; clocks],
        }
    }

    /// The region of a valuation, given in units of 1/scale.
    pub(crate) fn of(values: &[i64], scale: i64) -> Region {
        let mut fractions: Vec<i64> = values.iter().map(|value| value.rem_euclid(scale)).collect();
        fractions.push(0);
        fractions.sort_unstable();
        fractions.dedup();
        let rank = |value: &i64| fractions.partition_point(|f| *f < value.rem_euclid(scale)) as u8;
        Region {
            whole: values
                .iter()
                .map(|value| value.div_euclid(scale) as i32)
                .collect(),
            rank: values.iter().map(rank).collect(),
        }
    }

    /// A valuation in the region: clock values in units of 1/scale, with that scale.
    pub fn valuation(&self) -> (Vec<i64>, i64) {
        let scale = self.rank.len() as i64 + 1;
        let values = self.whole.iter().zip(&self.rank);
        let values = values.map(|(&whole, &rank)| i64::from(whole) * scale + i64::from(rank));
        (values.collect(), scale)
    }

    fn parts(&self, clock: Option<ClockId>) -> (i32, u8) {
        clock.map_or((0, 0), |c| (self.whole[c.index()], self.rank[c.index()]))
    }

    /// Twice the floor of `left − right`, plus one if it is no integer.
    pub(crate) fn difference(&self, left: Option<ClockId>, right: Option<ClockId>) -> i32 {
        let ((a, p), (b, q)) = (self.parts(left), self.parts(right));
        match p.cmp(&q) {
            std::cmp::Ordering::Equal => 2 * (a - b),
            std::cmp::Ordering::Greater => 2 * (a - b) + 1,
            std::cmp::Ordering::Less => 2 * (a - b) - 1,
        }
    }

    fn is_capped(&self, clock: usize, caps: &Caps) -> bool {
        let cap = caps.cap(clock);
        self.whole[clock] > cap || (self.whole[clock] == cap && self.rank[clock] > 0)
    }

    /// What identifies the region.
    pub(crate) fn signature(&self, caps: &Caps) -> Vec<i32> {
        let mut signature = Vec::new();
        let clocks = self.whole.len();
        let id = |clock: usize| Some(ClockId::from(clock));
        for clock in 0..clocks {
            if self.is_capped(clock, caps) {
                signature.push(-1);
            } else {
                signature.push(2 * self.whole[clock] + i32::from(self.rank[clock] > 0));
            }
        }
        for left in 0..clocks {
            for right in 0..left {
                let exact = !self.is_capped(left, caps) && !self.is_capped(right, caps);
                let difference = self.difference(id(left), id(right));
                signature.push(match caps.difference {
                    _ if exact => difference,
                    Some((_, most)) => difference.clamp(-2 * most - 1, 2 * most + 1),
                    None => 0,
                });
            }
        }
        signature
    }

    /// Whether some clock that is not forgotten has no fraction: then no time can be spent in the region.
    pub(crate) fn is_instant(&self, caps: &Caps) -> bool {
        (0..self.whole.len()).any(|clock| self.rank[clock] == 0 && !self.is_capped(clock, caps))
    }

    /// Whether all clocks are beyond their constants: time passes without any change.
    pub(crate) fn is_unbounded(&self, caps: &Caps) -> bool {
        (0..self.whole.len()).all(|clock| self.is_capped(clock, caps))
    }

    /// The next region that delay leads to; `None` if time changes nothing any more.
    pub(crate) fn later(&self, caps: &Caps) -> Option<Region> {
        if self.is_unbounded(caps) {
            return None;
        }
        // Clocks beyond their constants also cross integers; that alone makes no other region.
        let here = self.signature(caps);
        let mut next = self.clone();
        loop {
            next.tick();
            if next.signature(caps) != here {
                return Some(next);
            }
        }
    }

    /// The next change of any clock: integers get a fraction, or else the largest fractions become integers.
    fn tick(&mut self) {
        if self.rank.contains(&0) {
            self.rank.iter_mut().for_each(|rank| *rank += 1);
            return;
        }
        let largest = self.rank.iter().copied().max().unwrap_or(0);
        for (whole, rank) in self.whole.iter_mut().zip(&mut self.rank) {
            if *rank == largest {
                *whole += 1;
                *rank = 0;
            }
        }
    }

    /// Makes the ranks dense again after a clock has left its place.
    fn settle(&mut self) {
        let mut used: Vec<u8> = self.rank.iter().copied().filter(|rank| *rank > 0).collect();
        used.sort_unstable();
        used.dedup();
        for rank in self.rank.iter_mut().filter(|rank| **rank > 0) {
            *rank = 1 + used.iter().position(|u| u == rank).unwrap_or(0) as u8;
        }
    }
}

impl Clocks for Region {
    fn satisfies(
        &self,
        left: Option<ClockId>,
        right: Option<ClockId>,
        strict: bool,
        bound: i32,
    ) -> bool {
        let difference = i64::from(self.difference(left, right));
        let bound = 2 * i64::from(bound);
        difference < bound || (!strict && difference == bound)
    }

    fn set(&mut self, clock: ClockId, value: i32) {
        self.whole[clock.index()] = value;
        self.rank[clock.index()] = 0;
        self.settle();
    }

    fn copy(&mut self, target: ClockId, source: ClockId, offset: i32) {
        self.whole[target.index()] = self.whole[source.index()] + offset;
        self.rank[target.index()] = self.rank[source.index()];
        self.settle();
    }
}
