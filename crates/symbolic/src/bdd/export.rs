//! Diagrams as plain tables, for those who know nothing of this store.

use super::store::{Edge, FALSE, TRUE};
use super::{Bdd, Bit, Diagrams};
use rustc_hash::FxHashMap;

/// A table of decisions without complement edges. A link is 0 for false, 1 for true, otherwise the number of an earlier
/// row plus 2.
pub type Table = Vec<(Bit, u32, u32)>;

impl Diagrams {
    /// The rows of a function and the link to its root; `None` if there are too many for numbers of 32 bits.
    pub fn table(&self, a: &Bdd) -> Option<(Table, u32)> {
        let store = self.store.borrow();
        let mut links: FxHashMap<Edge, u32> = FxHashMap::from_iter([(FALSE, 0), (TRUE, 1)]);
        let mut table = Table::new();
        let mut stack = vec![a.edge];
        while let Some(&edge) = stack.last() {
            if links.contains_key(&edge) {
                stack.pop();
                continue;
            }
            let level = store.level(edge);
            let (low, high) = store.split(edge, level);
            match (links.get(&low), links.get(&high)) {
                (Some(&low), Some(&high)) => {
                    table.push((store.order.bit_at(level), low, high));
                    links.insert(edge, u32::try_from(table.len() + 1).ok()?);
                    stack.pop();
                }
                (low_known, high_known) => {
                    stack.extend(low_known.is_none().then_some(low));
                    stack.extend(high_known.is_none().then_some(high));
                }
            }
        }
        let root = *links.get(&a.edge)?;
        Some((table, root))
    }
}
