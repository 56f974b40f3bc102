//! How a walk chooses.

use crate::random::Random;
use crate::time::{Moment, NEVER, Window};

/// How a walk chooses its next transition, as section 3 of the paper names the ways.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Policy {
    /// A moment at which something is possible, uniformly, then one of the transitions possible at it.
    Sem,
    /// One of the transitions that are possible now or after a delay, uniformly, then its delay.
    #[default]
    Ret,
    /// As `Ret`, among those whose edge was taken least often in this walk.
    Rlc,
    /// As `Ret`, among those whose edge was taken least often in all walks.
    RlcA,
}

impl Policy {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Policy); 4] = [
        ("sem", Policy::Sem),
        ("ret", Policy::Ret),
        ("rlc", Policy::Rlc),
        ("rlca", Policy::RlcA),
    ];

    /// Whether it counts how often edges are taken.
    pub(crate) fn counts(self) -> bool {
        matches!(self, Policy::Rlc | Policy::RlcA)
    }
}

/// With which probability a delay is the shortest or the longest possible one; else it is any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delays {
    lowest: u64,
    highest: u64,
    /// What is left is for any delay. Only such walks wait where nothing bounds how long: the longest delay is
    /// then one after which every constant is exceeded. (The paper does not say what it does there. Where every walk waits
    /// so, goals that ask for little time are hardly ever met; where none does, some deadlocks never are.)
    any: u64,
}

/// The weights of the walks of one sequence, in percent, as the paper has them.
pub(crate) const SEQUENCE: [Delays; 11] = {
    const fn weights(lowest: u64, highest: u64) -> Delays {
        let any = 100 - lowest - highest;
        Delays {
            lowest,
            highest,
            any,
        }
    }
    [
        weights(60, 40),
        weights(70, 30),
        weights(80, 20),
        weights(90, 10),
        weights(100, 0),
        weights(0, 100),
        weights(10, 90),
        weights(20, 80),
        weights(30, 70),
        weights(40, 60),
        weights(40, 40),
    ]
};

impl Delays {
    /// A tick of a window that holds some. Where it has no end, it ends after `longest_delay`.
    pub fn choose(self, window: Window, longest_delay: Moment, random: &mut Random) -> Moment {
        let ticks = bounded(window, longest_delay).ticks();
        if ticks.low >= ticks.high {
            return ticks.low;
        }
        let place = random.below(100);
        if place < self.lowest {
            ticks.low
        } else if place < self.lowest + self.highest {
            if window.high >= NEVER && self.any == 0 {
                return ticks.low;
            }
            ticks.high
        } else {
            any(ticks, random)
        }
    }
}

/// Any tick of a window that begins and ends with one.
fn any(ticks: Window, random: &mut Random) -> Moment {
    let count = ((ticks.high - ticks.low) / 2 + 1) as u64;
    ticks.low + 2 * random.below(count) as Moment
}

/// The window, ended where it has no end of its own.
pub(crate) fn bounded(window: Window, longest_delay: Moment) -> Window {
    Window {
        low: window.low,
        high: match window.high >= NEVER {
            true => window.low.saturating_add(longest_delay).min(NEVER),
            false => window.high,
        },
    }
}
