//! Images and preimages of local relations in one pass, without renaming (van Dijk, van de Pol:
//! "Sylvan: multi-core decision diagrams", TACAS 2015, have the same operations).
//!
//! A variable of the state has two neighbouring levels: its value now (even pairing: the upper)
//! and after the step (the lower). A relation over `changed` variables says nothing about others:
//! they keep their values, and only their upper level may occur in it.

use super::cache::Operation;
use super::store::{Edge, FALSE, Store, TRUE};
use crate::limits::Stop;

impl Store {
    /// The states after a step. `changed` is the cube of the upper levels of the changed
    /// variables and of the levels of inputs; `self.paired` tells which levels are upper ones.
    pub(super) fn image(&mut self, set: Edge, relation: Edge, changed: Edge) -> Result<Edge, Stop> {
        self.step::<true>(set, relation, changed)
    }

    /// The states before a step into the set; parameters as for `image`.
    pub(super) fn preimage(
        &mut self,
        set: Edge,
        relation: Edge,
        changed: Edge,
    ) -> Result<Edge, Stop> {
        self.step::<false>(set, relation, changed)
    }

    /// A step with the relation, or against it.
    fn step<const FORWARD: bool>(
        &mut self,
        set: Edge,
        relation: Edge,
        changed: Edge,
    ) -> Result<Edge, Stop> {
        if set == FALSE || relation == FALSE {
            return Ok(FALSE);
        }
        let level = self
            .level(set)
            .min(self.level(relation))
            .min(self.level(changed));
        if self.level(changed) == u32::MAX {
            return self.and(set, relation);
        }
        let operation = match FORWARD {
            true => Operation::Image,
            false => Operation::Preimage,
        };
        let keys = [set, relation, changed];
        if let Some(result) = self.cache.get(operation, keys) {
            return Ok(result);
        }
        self.tick()?;
        let (set0, set1) = self.split(set, level);
        let (relation0, relation1) = self.split(relation, level);
        let result = if self.level(changed) > level {
            let high = self.step::<FORWARD>(set1, relation1, changed)?;
            let low = self.step::<FORWARD>(set0, relation0, changed)?;
            self.make(level, low, high)?
        } else {
            let rest = self.node(changed).high;
            if self.paired[level as usize] {
                let (to00, to01) = self.split(relation0, level + 1);
                let (to10, to11) = self.split(relation1, level + 1);
                // By what the variable becomes, or by what it was.
                let (from_low, from_high) = match FORWARD {
                    true => ([to00, to10], [to01, to11]),
                    false => ([to00, to01], [to10, to11]),
                };
                let high = self.union::<FORWARD>([set0, set1], from_high, rest)?;
                let low = self.union::<FORWARD>([set0, set1], from_low, rest)?;
                self.make(level, low, high)?
            } else {
                self.union::<FORWARD>([set0, set1], [relation0, relation1], rest)?
            }
        };
        self.cache.put(operation, keys, result);
        Ok(result)
    }

    /// What both values of a variable come to together.
    fn union<const FORWARD: bool>(
        &mut self,
        sets: [Edge; 2],
        relations: [Edge; 2],
        changed: Edge,
    ) -> Result<Edge, Stop> {
        let one = self.step::<FORWARD>(sets[0], relations[0], changed)?;
        if one == TRUE {
            return Ok(TRUE);
        }
        let other = self.step::<FORWARD>(sets[1], relations[1], changed)?;
        self.or(one, other)
    }

    /// `a` with the variable of each level replaced by that of `map[level]`; `identity` names the
    /// map in the cache. `shift` says that the order of the variables of `a` is kept.
    pub(super) fn rename(
        &mut self,
        a: Edge,
        map: &[u32],
        identity: u32,
        shift: bool,
    ) -> Result<Edge, Stop> {
        let sign = a & 1;
        let a = a ^ sign;
        if a == TRUE {
            return Ok(a ^ sign);
        }
        let keys = [a, TRUE, TRUE];
        if let Some(result) = self.cache.get(Operation::Rename(identity), keys) {
            return Ok(result ^ sign);
        }
        self.tick()?;
        let node = *self.node(a);
        let high = self.rename(node.high, map, identity, shift)?;
        let low = self.rename(node.low, map, identity, shift)?;
        let level = map[node.level as usize];
        let result = if shift {
            self.make(level, low, high)?
        } else {
            let literal = self.make(level, FALSE, TRUE)?;
            self.ite(literal, high, low)?
        };
        self.cache.put(Operation::Rename(identity), keys, result);
        Ok(result ^ sign)
    }
}
