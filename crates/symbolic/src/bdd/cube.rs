//! Sets of variables, single valuations, sizes and counts.

use super::store::{Edge, FALSE, Store, TRUE};
use super::{Bdd, Bit, Diagrams};
use crate::limits::Stop;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

impl Diagrams {
    /// The set of variables as a conjunction, as quantification takes it.
    pub fn cube(&self, bits: impl IntoIterator<Item = Bit>) -> Result<Bdd, Stop> {
        self.literals_cube(bits.into_iter().map(|bit| (bit, true)))
    }

    /// The conjunction of literals.
    pub fn literals_cube(
        &self,
        literals: impl IntoIterator<Item = (Bit, bool)>,
    ) -> Result<Bdd, Stop> {
        let literals: Vec<(Bit, bool)> = literals.into_iter().collect();
        self.run(|store| {
            let by_level = |&(bit, positive)| (store.order.level_of(bit), positive);
            let mut sorted: Vec<(u32, bool)> = literals.iter().map(by_level).collect();
            sorted.sort_unstable();
            sorted.dedup();
            let mut cube = TRUE;
            for &(level, positive) in sorted.iter().rev() {
                let (low, high) = if positive {
                    (FALSE, cube)
                } else {
                    (cube, FALSE)
                };
                cube = store.make(level, low, high)?;
            }
            Ok(cube)
        })
    }

    /// One valuation that makes the function true; variables that do not matter are false.
    pub fn pick(&self, a: &Bdd) -> Option<Vec<bool>> {
        let store = self.store.borrow();
        let mut edge = a.edge;
        let mut valuation = vec![false; self.bits as usize];
        while edge > FALSE {
            let level = store.level(edge);
            let (low, high) = store.split(edge, level);
            let go_high = low == FALSE;
            valuation[store.order.bit_at(level) as usize] = go_high;
            edge = if go_high { high } else { low };
        }
        (edge == TRUE).then_some(valuation)
    }

    /// The variables that the function depends on, in ascending order.
    pub fn support(&self, a: &Bdd) -> Vec<Bit> {
        let store = self.store.borrow();
        let mut bits = BTreeSet::new();
        for_each_node(&store, a.edge, |level| {
            bits.insert(store.order.bit_at(level));
        });
        bits.into_iter().collect()
    }

    /// The number of nodes of a diagram.
    pub fn size(&self, a: &Bdd) -> usize {
        let mut count = 0;
        for_each_node(&self.store.borrow(), a.edge, |_| count += 1);
        count
    }

    /// How many valuations of `bits` variables make the function true; the function must not
    /// depend on others. Exact up to 2^53, infinite above 10^308.
    pub fn count(&self, a: &Bdd, bits: u32) -> f64 {
        let store = self.store.borrow();
        let mut known = FxHashMap::default();
        share(&store, a.edge, &mut known) * 2f64.powi(bits as i32)
    }

    /// The truth of a function under a valuation of all variables.
    pub fn evaluate(&self, a: &Bdd, value: impl Fn(Bit) -> bool) -> bool {
        let store = self.store.borrow();
        let mut edge = a.edge;
        while edge > FALSE {
            let level = store.level(edge);
            let (low, high) = store.split(edge, level);
            edge = if value(store.order.bit_at(level)) {
                high
            } else {
                low
            };
        }
        edge == TRUE
    }
}

fn for_each_node(store: &Store, edge: Edge, mut visit: impl FnMut(Bit)) {
    let mut seen = FxHashSet::default();
    let mut stack = vec![edge];
    while let Some(edge) = stack.pop() {
        if edge > FALSE && seen.insert(edge >> 1) {
            let node = store.node(edge);
            visit(node.level);
            stack.extend([node.low, node.high]);
        }
    }
}

/// The share of all valuations that make the function true. Both signs of a node are computed
/// by themselves: a difference to 1 would lose all digits of small shares.
fn share(store: &Store, edge: Edge, known: &mut FxHashMap<Edge, f64>) -> f64 {
    if edge <= FALSE {
        return if edge == TRUE { 1.0 } else { 0.0 };
    }
    if let Some(&value) = known.get(&edge) {
        return value;
    }
    let (low, high) = store.split(edge, store.level(edge));
    let value = (share(store, low, known) + share(store, high, known)) / 2.0;
    known.insert(edge, value);
    value
}
