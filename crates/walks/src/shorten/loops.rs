//! Loops: the run comes to where it has been.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::follow::Rest;
use super::{Purse, Shortener, TAKEN};

/// How alike two states must be for the run to be cut between them. Clocks may differ: whether the rest can be followed is
/// found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Alike {
    /// Locations and variables are.
    Memories,
    /// Locations are.
    Places,
}

/// Later states, of those that are alike, to which the run is cut: the last, and some between.
const TRIES: usize = 4;

/// The states of a run from one on, in groups of those that are alike.
struct Groups {
    from: usize,
    /// By state: its group and its place there.
    of: Vec<(u32, u32)>,
    members: Vec<Vec<u32>>,
}

impl Groups {
    /// The later states that are like one, the furthest first, and few of them.
    fn later(&self, state: usize) -> impl Iterator<Item = usize> {
        let (group, place) = self.of[state - self.from];
        let later = &self.members[group as usize][place as usize + 1..];
        (0..TRIES)
            .map(|halving| later.len() >> halving)
            .take_while(|left| *left > 0)
            .map(|left| later[left - 1] as usize)
    }
}

impl Shortener<'_> {
    /// Cuts the run where it comes to a state that is like an earlier one.
    pub(super) fn cut_loops(&mut self, purse: &mut Purse<'_>) {
        for alike in [Alike::Memories, Alike::Places] {
            purse.part(2, |purse| self.cut_alike(alike, purse));
        }
    }

    fn cut_alike(&mut self, alike: Alike, purse: &mut Purse<'_>) {
        let mut from = 0;
        self.here.become_copy(&self.start);
        'again: loop {
            let Some(groups) = self.groups(from, alike, purse) else {
                return;
            };
            while from < self.best.len() {
                for next in groups.later(from) {
                    if self.cut(from, next, purse) {
                        continue 'again;
                    }
                }
                if !self.pay(purse, TAKEN) || !self.advance(from) {
                    return;
                }
                from += 1;
            }
            return;
        }
    }

    /// Goes on from the present state with a later transition.
    fn cut(&mut self, from: usize, next: usize, purse: &mut Purse<'_>) -> bool {
        let passed = self.best.before(next) - self.best.before(from);
        let rest = |earlier| Rest {
            from,
            next,
            earlier,
            strict: true,
        };
        self.attempt(rest(passed), &|_| false, purse)
            || passed > 0 && self.attempt(rest(0), &|_| false, purse)
    }

    /// The states of the run from the present one on, by what makes them alike.
    fn groups(&mut self, from: usize, alike: Alike, purse: &mut Purse<'_>) -> Option<Groups> {
        let length = self.best.len();
        if !self.pay(purse, self.copying + (length - from) as u64 * TAKEN) {
            return None;
        }
        self.trial.become_copy(&self.here);
        let mut known: HashMap<u64, u32> = HashMap::new();
        let mut groups = Groups {
            from,
            of: Vec::with_capacity(length + 1 - from),
            members: Vec::new(),
        };
        for index in from..=length {
            let fresh = groups.members.len() as u32;
            let group = *known.entry(self.key(alike)).or_insert(fresh);
            if group == fresh {
                groups.members.push(Vec::new());
            }
            let members = &mut groups.members[group as usize];
            groups.of.push((group, members.len() as u32));
            members.push(index as u32);
            if index < length && !self.advance(index) {
                return None;
            }
        }
        self.here.become_copy(&self.trial);
        Some(groups)
    }

    fn key(&self, alike: Alike) -> u64 {
        let mut hasher = DefaultHasher::new();
        let memory = &self.here.machine.memory;
        match alike {
            Alike::Places => memory[..self.model.processes].hash(&mut hasher),
            Alike::Memories => memory[..self.model.cells].hash(&mut hasher),
        }
        hasher.finish()
    }
}
