//! Leaving out transitions, and with them all that is not possible without them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::follow::Rest;
use super::{Purse, Shortener, TAKEN};

impl Shortener<'_> {
    /// Leaves out all transitions that a process leads, then all of an edge.
    pub(super) fn leave_out_kinds(&mut self, purse: &mut Purse<'_>) {
        let model = self.model;
        for by_edge in [false, true] {
            let kind = |edges: &[u32]| match by_edge {
                true => edges[0],
                false => model.edges[edges[0] as usize].process,
            };
            let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
            for index in 0..self.best.len() {
                *counts.entry(kind(self.best.step(index).0)).or_default() += 1;
            }
            let mut kinds: Vec<(u32, usize)> = counts.into_iter().collect();
            kinds.sort_by_key(|(_, count)| Reverse(*count));
            purse.part(2, |purse| {
                self.here.become_copy(&self.start);
                for (number, _) in kinds {
                    let rest = Rest {
                        from: 0,
                        next: 0,
                        earlier: 0,
                        strict: false,
                    };
                    self.attempt(rest, &|edges| kind(edges) == number, purse);
                    if purse.left == 0 {
                        return;
                    }
                }
            });
        }
    }

    /// Leaves out parts of halving size, down to single transitions. Says whether all was tried.
    pub(super) fn leave_out_parts(&mut self, purse: &mut Purse<'_>) -> bool {
        let mut size = self.best.len() / 2;
        while size > 0 {
            let before = self.best.len();
            if !self.leave_out_of_size(size, purse) {
                return false;
            }
            // What was left out makes more superfluous.
            let worthwhile = self.best.len() + before / 16 < before;
            size = match worthwhile {
                true => size.min(self.best.len() / 2),
                false => size / 2,
            };
        }
        true
    }

    fn leave_out_of_size(&mut self, size: usize, purse: &mut Purse<'_>) -> bool {
        self.here.become_copy(&self.start);
        let mut from = 0;
        while from < self.best.len() {
            while self.leave_out_part(from, size, purse) {}
            for _ in 0..size.min(self.best.len() - from) {
                if !self.pay(purse, TAKEN) || !self.advance(from) {
                    return false;
                }
                from += 1;
            }
        }
        true
    }

    fn leave_out_part(&mut self, from: usize, size: usize, purse: &mut Purse<'_>) -> bool {
        let next = (from + size).min(self.best.len());
        if next == from {
            return false;
        }
        let passed = self.best.before(next) - self.best.before(from);
        let rest = |earlier| Rest {
            from,
            next,
            earlier,
            strict: false,
        };
        self.attempt(rest(0), &|_| false, purse)
            || passed > 0 && self.attempt(rest(passed), &|_| false, purse)
    }
}
