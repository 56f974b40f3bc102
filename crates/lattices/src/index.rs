//! An index over the elements of one discrete state: which may be above an element, and which below it.
//!
//! Elements have signatures, sets of facts that larger elements keep (`Orders::signature`). Asked for supersets and
//! subsets of a set, the index is a set-trie whose levels are chosen as it grows: a leaf that is full is split by the
//! fact that divides it best. A fact that is asked for leads down one way only, and each split knows the facts that all
//! of its elements have and those that any of them has.

use std::ops::ControlFlow;

use merkhet_explore::StateId;

/// Facts in a signature.
pub(crate) const FACTS: usize = 64 * WORDS;

const WORDS: usize = 4;

/// A leaf is looked at for a split when it has this many entries, and each time that it has twice as many.
const LEAF: usize = 32;

/// A set of facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Signature([u64; WORDS]);

impl Signature {
    /// Adds a fact.
    pub fn set(&mut self, fact: usize) {
        self.0[fact / 64] |= 1 << (fact % 64);
    }

    fn has(&self, fact: usize) -> bool {
        self.0[fact / 64] >> (fact % 64) & 1 != 0
    }

    /// Whether another set has all of these facts.
    pub fn within(&self, other: &Signature) -> bool {
        let mut missing = 0;
        for (mine, other) in self.0.iter().zip(&other.0) {
            missing |= mine & !other;
        }
        missing == 0
    }

    fn and(&mut self, other: &Signature) {
        (self.0.iter_mut().zip(&other.0)).for_each(|(a, b)| *a &= b);
    }

    fn or(&mut self, other: &Signature) {
        (self.0.iter_mut().zip(&other.0)).for_each(|(a, b)| *a |= b);
    }
}

#[derive(Clone, Copy)]
struct Entry {
    signature: Signature,
    id: StateId,
}

/// The elements of a discrete state.
pub(crate) struct Index(Tree);

enum Tree {
    Leaf(Vec<Entry>),
    Split(Box<Split>),
}

struct Split {
    fact: usize,
    /// Facts that all entries have, and that any has; more and fewer than that once entries were removed.
    all: Signature,
    any: Signature,
    with: Tree,
    without: Tree,
}

/// What is done with an entry.
type Visit<'v, B> = &'v mut dyn FnMut(StateId) -> ControlFlow<B>;

impl Default for Index {
    fn default() -> Index {
        Index(Tree::Leaf(Vec::new()))
    }
}

impl Index {
    /// Adds an element.
    pub fn insert(&mut self, id: StateId, signature: Signature) {
        self.0.insert(Entry { signature, id });
    }

    /// Removes an element that has this signature.
    pub fn remove(&mut self, id: StateId, signature: &Signature) {
        let mut tree = &mut self.0;
        loop {
            match tree {
                Tree::Leaf(entries) => {
                    if let Some(at) = entries.iter().position(|entry| entry.id == id) {
                        entries.swap_remove(at);
                    }
                    return;
                }
                Tree::Split(split) => {
                    tree = match signature.has(split.fact) {
                        true => &mut split.with,
                        false => &mut split.without,
                    };
                }
            }
        }
    }

    /// Hands on the elements that may be above one with this signature, until told to stop.
    pub fn above<B>(&self, signature: &Signature, visit: Visit<'_, B>) -> ControlFlow<B> {
        self.0.above(signature, visit)
    }

    /// Hands on the elements that may be below one with this signature, until told to stop.
    pub fn below<B>(&self, signature: &Signature, visit: Visit<'_, B>) -> ControlFlow<B> {
        self.0.below(signature, visit)
    }

    /// The memory of an element in it, in bytes, about.
    pub const ENTRY: usize = size_of::<Entry>() * 3 / 2;
}

impl Tree {
    fn insert(&mut self, entry: Entry) {
        let mut tree = self;
        while let Tree::Split(split) = tree {
            split.all.and(&entry.signature);
            split.any.or(&entry.signature);
            tree = match entry.signature.has(split.fact) {
                true => &mut split.with,
                false => &mut split.without,
            };
        }
        let Tree::Leaf(entries) = tree else { return };
        entries.push(entry);
        if entries.len() >= LEAF
            && entries.len().is_power_of_two()
            && let Some(fact) = dividing(entries)
        {
            *tree = Tree::Split(Box::new(Split::new(fact, std::mem::take(entries))));
        }
    }

    fn above<B>(&self, signature: &Signature, visit: Visit<'_, B>) -> ControlFlow<B> {
        match self {
            Tree::Leaf(entries) => {
                for entry in entries {
                    if signature.within(&entry.signature) {
                        visit(entry.id)?;
                    }
                }
            }
            Tree::Split(split) if signature.within(&split.any) => {
                split.with.above(signature, visit)?;
                if !signature.has(split.fact) {
                    split.without.above(signature, visit)?;
                }
            }
            Tree::Split(_) => {}
        }
        ControlFlow::Continue(())
    }

    fn below<B>(&self, signature: &Signature, visit: Visit<'_, B>) -> ControlFlow<B> {
        match self {
            Tree::Leaf(entries) => {
                for entry in entries {
                    if entry.signature.within(signature) {
                        visit(entry.id)?;
                    }
                }
            }
            Tree::Split(split) if split.all.within(signature) => {
                if signature.has(split.fact) {
                    split.with.below(signature, visit)?;
                }
                split.without.below(signature, visit)?;
            }
            Tree::Split(_) => {}
        }
        ControlFlow::Continue(())
    }
}

impl Split {
    fn new(fact: usize, entries: Vec<Entry>) -> Split {
        let (mut all, mut any) = (Signature([!0; WORDS]), Signature::default());
        for entry in &entries {
            all.and(&entry.signature);
            any.or(&entry.signature);
        }
        let (with, without) = (entries.into_iter()).partition(|entry| entry.signature.has(fact));
        Split {
            fact,
            all,
            any,
            with: Tree::Leaf(with),
            without: Tree::Leaf(without),
        }
    }
}

/// The fact that divides entries most evenly, if any divides them.
fn dividing(entries: &[Entry]) -> Option<usize> {
    let smaller = |fact: &usize| {
        let with = (entries.iter().filter(|entry| entry.signature.has(*fact))).count();
        with.min(entries.len() - with)
    };
    // The first of the best ones.
    let best = (0..FACTS).rev().max_by_key(smaller)?;
    (smaller(&best) > 0).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thousand sets of few facts, with and without half of them: the index finds what a look at each of them finds.
    #[test]
    fn what_may_be_above_or_below_is_found() {
        let mut random = 1u64;
        let mut next = |limit: u64| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) % limit
        };
        let mut index = Index::default();
        let mut known: Vec<(StateId, Signature)> = Vec::new();
        for number in 0..1000 {
            let mut signature = Signature::default();
            for _ in 0..next(9) {
                signature.set([0, 3, 63, 64, 70, 129, 200, 255, 5, 6, 7, 8][next(12) as usize]);
            }
            index.insert(StateId(number), signature);
            known.push((StateId(number), signature));
            if known.len() > 1 && next(3) == 0 {
                let (id, signature) = known.swap_remove(next(known.len() as u64) as usize);
                index.remove(id, &signature);
            }
            let (_, asked) = known[next(known.len() as u64) as usize];
            for above in [true, false] {
                let mut found = Vec::new();
                let mut visit = |id| {
                    found.push(id);
                    ControlFlow::<()>::Continue(())
                };
                let _ = match above {
                    true => index.above(&asked, &mut visit),
                    false => index.below(&asked, &mut visit),
                };
                found.sort_unstable_by_key(|id| id.0);
                let mut expected: Vec<StateId> = (known.iter())
                    .filter(|(_, other)| match above {
                        true => asked.within(other),
                        false => other.within(&asked),
                    })
                    .map(|(id, _)| *id)
                    .collect();
                expected.sort_unstable_by_key(|id| id.0);
                assert_eq!(found, expected);
            }
        }
        assert!(matches!(index.0, Tree::Split(_)));
    }
}
