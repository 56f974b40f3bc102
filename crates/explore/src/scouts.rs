//! Looks into the depth next to a search for a proof, each in a small store of its own.
//!
//! Depth first finds what lies deep, but meets states with small zones first, which are given up for larger ones later:
//! in the store of a proof it makes more work than it does itself. (Extrapolation is not monotone: what small zones lead to
//! need not be covered by what larger ones lead to, so that the store does not even end up the same.) So where that happens
//! looks into the depth get a share of the expansions and of the memory, and leave the proof alone. Each look ends after
//! some states; later ones may take more. One of two goes in random order, since where depth first loses its way depends
//! on chance, and starting anew is cheap next to going on in the wrong place (Kupferschmid et al. 2006, section 7).

use merkhet_semantics::System;

use crate::governor::Governor;
use crate::guided::Queue;
use crate::heuristic::Blind;
use crate::limits::Limits;
use crate::run::{Config, Search};
use crate::strategy::Strategy;
use crate::trace::SymbolicTrace;
use crate::verdict::Verdict;

/// One expansion of so many is one of the looks: of the first ones, and later. Errors that depth first finds early are to
/// be found early, and a long proof is to lose little.
const FIRST_SHARE: u64 = 16;
const SHARE: u64 = 40;
/// So many expansions of the looks are the first ones.
const EARLY: u64 = 2000;
/// They come in so many at a time.
const SLICE: u64 = 32;
/// At most so many begin in one slice.
const LOOKS: u32 = 2;
/// The states of the look that says whether depth first makes mistakes.
const TRIAL: u64 = 256;
/// The states of the first looks, one of each sort; the next ones have each time four times as many.
const FIRST: u64 = 500;
const SORTS: u32 = 2;
/// The memory of a look is at most this part of that of the proof, or so many bytes.
const MEMORY_SHARE: usize = 10;
const SMALL: usize = 1 << 20;

/// The looks.
pub(crate) struct Scouts<'s, 'c: 's> {
    system: &'s System,
    config: Config<'c>,
    look: Option<Box<Search<'s, 'c>>>,
    /// The number of the present look, or of the next one.
    number: u32,
    /// What the search next to it has expanded since the last slice.
    credit: u64,
    /// What the looks have expanded.
    explored: u64,
    /// One look has seen everything: more would see the same.
    over: bool,
}

/// What came of a slice.
#[derive(Default)]
pub(crate) struct Slice {
    pub explored: u64,
    pub generated: u64,
    /// A run to the goal, with what found it.
    pub found: Option<(SymbolicTrace, Queue)>,
}

impl<'s, 'c: 's> Scouts<'s, 'c> {
    /// For a search with this configuration.
    pub fn new(system: &'s System, config: &Config<'c>) -> Scouts<'s, 'c> {
        Scouts {
            system,
            config: *config,
            look: None,
            number: 0,
            credit: 0,
            explored: 0,
            over: false,
        }
    }

    /// The search next to it has expanded a state; says whether a slice is due.
    pub fn is_due(&mut self, governor: &Governor) -> bool {
        if governor.goes_deep() {
            // Without clocks no state is larger than another.
            return governor.wants_trial() && self.system.dimension() > 1;
        }
        self.credit += 1;
        let share = match self.explored < EARLY {
            true => FIRST_SHARE,
            false => SHARE,
        };
        self.credit >= SLICE * (share - 1) && !self.over
    }

    /// Expands some states. `limits` is what is left for them, `bytes` what the store of the proof takes.
    pub fn slice(&mut self, governor: &mut Governor, limits: Limits<'c>, bytes: usize) -> Slice {
        self.credit = 0;
        let mut slice = Slice::default();
        let trial = governor.wants_trial();
        let most = if trial { TRIAL } else { SLICE };
        let most = limits.states.map_or(most, |left| left.min(most));
        // Looks that end at once, such as when the time is over, must not go on for ever.
        let last = self.number.saturating_add(if trial { 1 } else { LOOKS });
        while slice.explored < most && slice.found.is_none() && !self.over && self.number < last {
            let mut look = match self.look.take() {
                Some(look) => look,
                None => self.begin(limits, bytes),
            };
            let before = look.counts();
            let end = look.advance(most - slice.explored);
            let after = look.counts();
            slice.explored += after.0 - before.0;
            slice.generated += after.1 - before.1;
            if trial {
                governor.deep_look(look.given_up(), after.0);
            }
            match end {
                None => self.look = Some(look),
                Some(Ok(Verdict::Reachable(trace))) => slice.found = Some((trace, self.queue())),
                // The search next to it will see the same, and make the proof.
                Some(Ok(Verdict::Unreachable(_))) => self.over = true,
                // A fault of the model: what it is worth is for the other search to say.
                Some(Ok(Verdict::Unknown(_)) | Err(_)) => {
                    self.number = self.number.saturating_add(1);
                }
            }
        }
        self.explored += slice.explored;
        if trial && governor.goes_deep() {
            // The search next to it goes deep itself.
            self.look = None;
        }
        slice
    }

    fn begin(&self, limits: Limits<'c>, bytes: usize) -> Box<Search<'s, 'c>> {
        let memory = SMALL.max(bytes / MEMORY_SHARE);
        let config = Config {
            strategy: match self.queue() {
                Queue::Shuffled(_) => Strategy::RandomDepthFirst,
                _ => Strategy::DepthFirst,
            },
            seed: self.seed(),
            limits: Limits {
                states: Some(FIRST << (2 * (self.number / SORTS)).min(40)),
                memory: Some(limits.memory.map_or(memory, |limit| limit.min(memory))),
                ..limits
            },
            ..self.config
        };
        // It has no size: nothing is allocated, and nothing lost.
        let blind = Box::leak(Box::new(Blind));
        Box::new(Search::new(self.system, &config, blind, false))
    }

    fn seed(&self) -> u64 {
        self.config.seed.wrapping_add(u64::from(self.number))
    }

    fn queue(&self) -> Queue {
        match self.number % SORTS {
            0 => Queue::Look,
            _ => Queue::Shuffled(self.seed()),
        }
    }

    /// The memory of the present look, in bytes.
    pub fn bytes(&self) -> usize {
        self.look.as_ref().map_or(0, |look| look.bytes())
    }
}
