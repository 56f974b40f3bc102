//! Whether comparing zones by simulation pays: the measure is what it makes superfluous that inclusion does not.
//!
//! Simulation has to work out a core for every new zone, which takes about a tenth of an expansion. On models where
//! extrapolation leaves nothing to simulate that is lost; on others it halves the states, or leaves an eighth of them. So it is
//! on at first, and judged after some comparisons, then after twice as many, and so on: while at least a share of them gained
//! something, it stays on. While it is off, the same share of the new zones is compared by simulation all the same, with the
//! last members of their antichain only; when these gain, it is switched on again.
//!
//! To switch, signatures of all stored zones are worked out anew. That is done after so many comparisons, at the least, that it
//! makes up a bounded part of the search. Either way each state that is dropped is simulated by one that is
//! stored: switching needs no argument beyond that of simulation.

use crate::tuning::{GAIN_SAMPLE, GAIN_SHARE, GAIN_SIGNED, GAIN_TRIAL};
use merkhet_network::tuning::Tuning;

/// What the comparisons of a store have gained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gain {
    /// Zones are compared by simulation.
    on: bool,
    /// That may change.
    adaptive: bool,
    /// It is to change.
    due: bool,
    /// Comparisons since it was judged last, those that are measured, and those that gained.
    compared: u64,
    measured: u64,
    gained: u64,
    /// Comparisons until it is judged.
    window: u64,
    /// Comparisons between the last switch and the last judgement.
    since: u64,
    share: u64,
    sample: u64,
    signed: u64,
}

impl Gain {
    /// Zones are always compared by simulation, or never.
    pub fn fixed(on: bool) -> Gain {
        Gain {
            on,
            adaptive: false,
            due: false,
            compared: 0,
            measured: 0,
            gained: 0,
            window: 0,
            since: 0,
            share: 1,
            sample: 1,
            signed: 1,
        }
    }

    /// On while it pays.
    pub fn adaptive(tuning: &Tuning) -> Gain {
        let count = |tunable| tuning.count(tunable) as u64;
        Gain {
            adaptive: true,
            window: count(&GAIN_TRIAL),
            share: count(&GAIN_SHARE),
            sample: count(&GAIN_SAMPLE),
            signed: count(&GAIN_SIGNED),
            ..Gain::fixed(true)
        }
    }

    /// Whether zones are compared by simulation.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Whether it has to be known if inclusion would have done.
    #[inline]
    pub fn asks(&self) -> bool {
        self.on && self.adaptive
    }

    /// Whether it has been judged that the other way is better.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.due
    }

    /// A zone was compared by simulation, which `gained` something or not.
    #[inline]
    pub fn compared(&mut self, gained: bool, stored: usize) {
        if !self.adaptive {
            return;
        }
        self.compared += 1;
        self.gained += u64::from(gained);
        if self.compared >= self.window && !self.due {
            self.judge(self.compared, stored as u64);
        }
    }

    /// A new zone is not included in a stored one, while simulation is off: whether it is to be compared by simulation.
    #[inline]
    pub fn samples(&mut self) -> bool {
        if self.on || !self.adaptive {
            return false;
        }
        self.compared += 1;
        self.compared.is_multiple_of(self.sample)
    }

    /// What came of it.
    pub fn sampled(&mut self, gained: bool, stored: usize) {
        self.measured += 1;
        self.gained += u64::from(gained);
        if self.measured * self.sample >= self.window && !self.due {
            self.judge(self.measured, stored as u64);
        }
    }

    #[cold]
    fn judge(&mut self, measured: u64, stored: u64) {
        let pays = self.gained * self.share >= measured;
        self.since += self.compared;
        let worth = self.since >= stored / self.signed;
        self.due = pays != self.on && worth;
        if !self.due {
            self.window = self.window.saturating_mul(2);
            self.start_anew();
        }
    }

    /// Signatures of `stored` zones have been worked out anew.
    pub fn switch(&mut self, stored: usize) {
        self.on = !self.on;
        self.due = false;
        self.since = 0;
        self.window = self.window.max(stored as u64 / self.signed);
        self.start_anew();
    }

    fn start_anew(&mut self) {
        (self.compared, self.measured, self.gained) = (0, 0, 0);
    }

    /// What is written down of it.
    pub fn to_words(self) -> [u64; 6] {
        let flags = u64::from(self.on) | u64::from(self.due) << 1;
        [
            flags,
            self.compared,
            self.measured,
            self.gained,
            self.window,
            self.since,
        ]
    }

    /// Goes on from what was written down.
    pub fn restore(&mut self, words: [u64; 6]) {
        let flags;
        [
            flags,
            self.compared,
            self.measured,
            self.gained,
            self.window,
            self.since,
        ] = words;
        (self.on, self.due) = (flags & 1 != 0, flags & 2 != 0);
    }
}

#[cfg(test)]
mod tests {
    use super::Gain;
    use crate::tuning::{GAIN_SAMPLE, GAIN_SHARE, GAIN_TRIAL};
    use merkhet_network::tuning::Tuning;

    fn adaptive() -> Gain {
        Gain::adaptive(&Tuning::default())
    }

    #[test]
    fn what_gains_nothing_is_switched_off_after_the_trial() {
        let mut gain = adaptive();
        for _ in 0..GAIN_TRIAL.default {
            assert!(gain.is_on() && !gain.is_due());
            gain.compared(false, 100);
        }
        assert!(gain.is_due());
        gain.switch(0);
        assert!(!gain.is_on() && !gain.is_due());
    }

    #[test]
    fn what_gains_stays_on() {
        let mut gain = adaptive();
        for number in 0..100 * GAIN_TRIAL.default {
            gain.compared(number % (GAIN_SHARE.default - 1) == 0, 100);
            assert!(!gain.is_due());
        }
    }

    #[test]
    fn samples_that_gain_switch_it_on_once_the_stored_zones_are_worth_it() {
        let mut gain = adaptive();
        while !gain.is_due() {
            gain.compared(false, 0);
        }
        gain.switch(0);
        let (mut offered, mut sampled) = (0, 0);
        while !gain.is_due() {
            offered += 1;
            if gain.samples() {
                sampled += 1;
                gain.sampled(sampled % 2 == 0, 20_000);
            }
            assert!(offered < 20_000);
        }
        assert!(offered >= 5_000, "{offered}");
        assert_eq!(sampled, offered / GAIN_SAMPLE.default, "it costs no more");
    }

    #[test]
    fn what_is_fixed_does_not_change() {
        for on in [false, true] {
            let mut gain = Gain::fixed(on);
            for number in 0..100_000 {
                assert!(!gain.samples());
                gain.compared(on == (number % 2 == 0), 1);
            }
            assert!(!gain.is_due() && gain.is_on() == on);
        }
    }

    #[test]
    fn what_is_written_down_comes_back() {
        let mut gain = adaptive();
        for number in 0..1500 {
            gain.compared(number % 7 == 0, 100);
        }
        let mut other = adaptive();
        other.restore(gain.to_words());
        assert_eq!(gain, other);
    }
}
