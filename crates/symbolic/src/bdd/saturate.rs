//! Reachability by saturation (Ciardo, Lüttgen, Siminiceanu: "Saturation: an efficient iteration
//! strategy for symbolic state-space generation", TACAS 2001): local relations are applied from
//! the bottom of the diagrams up, each node until nothing new comes, before the nodes above it are
//! looked at. Intermediate diagrams stay small where breadth first they explode.
//!
//! We apply the relation and then saturate the result, instead of both in one recursion; the cache
//! makes up for it.

use super::cache::Operation;
use super::store::{Edge, FALSE, Store, TRUE};
use crate::limits::Stop;
use std::collections::BTreeMap;

impl Groups {
    /// Groups local relations by the levels at which they stand now.
    pub(super) fn new(
        store: &Store,
        parts: impl Iterator<Item = (Edge, Edge)>,
        identity: u32,
    ) -> Groups {
        let mut by_level: BTreeMap<u32, Vec<(Edge, Edge)>> = BTreeMap::new();
        for (relation, changed) in parts {
            let level = store.level(relation).min(store.level(changed));
            if level != u32::MAX {
                by_level.entry(level).or_default().push((relation, changed));
            }
        }
        let groups = by_level
            .into_iter()
            .map(|(level, relations)| Group { level, relations });
        Groups {
            groups: groups.collect(),
            identity,
        }
    }
}

/// The local relations whose topmost level is `level`.
pub(super) struct Group {
    pub(super) level: u32,
    /// Relation and changed variables, as for `Store::image`.
    pub(super) relations: Vec<(Edge, Edge)>,
}

/// All local relations, by their topmost level, from the top down.
pub(super) struct Groups {
    pub(super) groups: Vec<Group>,
    /// Names the relations in the cache.
    pub(super) identity: u32,
}

impl Store {
    /// All states that the relations of the groups from `first` on lead to from the set.
    pub(super) fn saturate(
        &mut self,
        set: Edge,
        groups: &Groups,
        first: usize,
    ) -> Result<Edge, Stop> {
        if set <= FALSE {
            return Ok(set); // nothing, or everything
        }
        let Some(group) = groups.groups.get(first) else {
            return Ok(set);
        };
        let keys = [set, TRUE, TRUE];
        let operation = Operation::Saturate(groups.identity, first as u32);
        if let Some(result) = self.cache.get(operation, keys) {
            return Ok(result);
        }
        self.tick()?;
        let mark = self.protected.len();
        self.protected.push(set);
        self.collect_if_full();
        let level = self.level(set).min(group.level);
        let below = if level == group.level {
            first + 1
        } else {
            first
        };
        let mut result = self.saturate_halves(set, level, groups, below)?;
        if level == group.level {
            loop {
                let before = result;
                for &(relation, changed) in &group.relations {
                    self.protected.truncate(mark + 1);
                    self.protected.push(result);
                    self.collect_if_full();
                    let image = self.image(result, relation, changed)?;
                    let union = self.or(result, image)?;
                    if union != result {
                        self.protected.push(union);
                        result = self.saturate_halves(union, level, groups, below)?;
                    }
                }
                if result == before {
                    break;
                }
            }
        }
        self.protected.truncate(mark);
        self.cache.put(operation, keys, result);
        Ok(result)
    }

    fn saturate_halves(
        &mut self,
        set: Edge,
        level: u32,
        groups: &Groups,
        below: usize,
    ) -> Result<Edge, Stop> {
        let (low, high) = self.split(set, level);
        let high = self.saturate(high, groups, below)?;
        self.protected.push(high);
        let low = self.saturate(low, groups, below)?;
        self.protected.pop();
        self.make(level, low, high)
    }
}
