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
        let keys = [set, relation, changed];
        if let Some(result) = self.cache.get(Operation::Image, keys) {
            return Ok(result);
        }
        self.tick()?;
        let (set0, set1) = self.split(set, level);
        let (relation0, relation1) = self.split(relation, level);
        let result = if self.level(changed) > level {
            let high = self.image(set1, relation1, changed)?;
            let low = self.image(set0, relation0, changed)?;
            self.make(level, low, high)?
        } else {
            let rest = self.node(changed).high;
            if self.paired[level as usize] {
                let (to00, to01) = self.split(relation0, level + 1);
                let (to10, to11) = self.split(relation1, level + 1);
                let high = self.image_union([(set0, to01), (set1, to11)], rest)?;
                let low = self.image_union([(set0, to00), (set1, to10)], rest)?;
                self.make(level, low, high)?
            } else {
                self.image_union([(set0, relation0), (set1, relation1)], rest)?
            }
        };
        self.cache.put(Operation::Image, keys, result);
        Ok(result)
    }

    fn image_union(&mut self, parts: [(Edge, Edge); 2], changed: Edge) -> Result<Edge, Stop> {
        let one = self.image(parts[0].0, parts[0].1, changed)?;
        if one == TRUE {
            return Ok(TRUE);
        }
        let other = self.image(parts[1].0, parts[1].1, changed)?;
        self.or(one, other)
    }

    /// The states before a step into the set; parameters as for `image`.
    pub(super) fn preimage(
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
        let keys = [set, relation, changed];
        if let Some(result) = self.cache.get(Operation::Preimage, keys) {
            return Ok(result);
        }
        self.tick()?;
        let (set0, set1) = self.split(set, level);
        let (relation0, relation1) = self.split(relation, level);
        let result = if self.level(changed) > level {
            let high = self.preimage(set1, relation1, changed)?;
            let low = self.preimage(set0, relation0, changed)?;
            self.make(level, low, high)?
        } else {
            let rest = self.node(changed).high;
            if self.paired[level as usize] {
                let (to00, to01) = self.split(relation0, level + 1);
                let (to10, to11) = self.split(relation1, level + 1);
                let high = self.preimage_union([(set0, to10), (set1, to11)], rest)?;
                let low = self.preimage_union([(set0, to00), (set1, to01)], rest)?;
                self.make(level, low, high)?
            } else {
                self.preimage_union([(set0, relation0), (set1, relation1)], rest)?
            }
        };
        self.cache.put(Operation::Preimage, keys, result);
        Ok(result)
    }

    fn preimage_union(&mut self, parts: [(Edge, Edge); 2], changed: Edge) -> Result<Edge, Stop> {
        let one = self.preimage(parts[0].0, parts[0].1, changed)?;
        if one == TRUE {
            return Ok(TRUE);
        }
        let other = self.preimage(parts[1].0, parts[1].1, changed)?;
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
