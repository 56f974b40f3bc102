//! Adding a configuration to those that were seen: algorithms 2, 3 and 4, and lines 24 to 28 of algorithm 5.
//!
//! Where the paper replaces (s, ℓ′) by (s, ℓ′ ⊔ ℓ), the configuration grows in place: what was derived from the smaller
//! element stays an abstracted path (definition 4) from the larger one.

use merkhet_explore::store::Insertion;
use merkhet_explore::{Passed, StateId};
use merkhet_semantics::{EdgeIndex, State, Successor};
use merkhet_zones::bound::Bound;
use merkhet_zones::zone;

use crate::laws::{antisymmetric, upper_bound};
use crate::run::{Configurations, Problem};
use crate::store::Arrival;
use crate::update::{Joining, Update};

impl Passed for Configurations<'_> {
    /// Configurations are large, and comparing them may take long.
    const OBSERVE: u64 = 64;

    fn offer(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Insertion {
        self.expanding = parent;
        self.add(successor, parent, depth)
            .unwrap_or_else(|problem| {
                self.problem = Some(problem);
                Insertion::Refused
            })
    }

    fn waits(&self, id: StateId) -> bool {
        let node = &self.store.nodes[id.0 as usize];
        node.alive && node.waiting
    }

    fn load(&mut self, id: StateId, memory: &mut [i32], zone: &mut [Bound]) {
        let state = self.store.state(id);
        memory.copy_from_slice(state.memory);
        zone.copy_from_slice(state.zone);
        self.loaded = Some((id, self.store.version(id)));
    }

    fn expanded(&mut self, id: StateId) {
        self.store.nodes[id.0 as usize].waiting = false;
        self.expanding = Some(id);
    }

    fn pruned(&mut self, id: StateId) {
        self.store.nodes[id.0 as usize].waiting = false;
    }

    fn depth(&self, id: StateId) -> u32 {
        self.store.nodes[id.0 as usize].depth
    }

    fn parent(&self, id: StateId) -> Option<(StateId, Vec<EdgeIndex>)> {
        let first = self.store.nodes[id.0 as usize].arrivals.first()?;
        Some((first.parent?, first.edges.to_vec()))
    }

    fn inserted(&self) -> usize {
        self.store.nodes.len()
    }

    fn live(&self) -> usize {
        self.store.alive()
    }

    fn discrete(&self) -> usize {
        self.store.discrete()
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
    }
}

impl Configurations<'_> {
    fn add(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Result<Insertion, Problem> {
        let state = successor.state;
        let key = self.store.key(state.memory);
        let keep = self.update == Update::Cegar;
        let arrival = || Arrival {
            parent,
            edges: successor.edges.into(),
        };
        self.laws.observe(&mut self.orders, state.memory)?;
        if self.check_monotone {
            self.compare_with_all(key, state)?;
        }
        let signature = self.orders.signature(state.memory);
        if let Some(by) = self.covering(key, state, signature)? {
            if keep {
                self.store.arrive(by, arrival());
            }
            return Ok(Insertion::Covered);
        }
        // The version of the parent that was expanded; it may have grown in the meantime.
        let from = match (self.loaded, parent) {
            (Some((id, version)), Some(parent)) if id == parent => version,
            _ => parent.map_or(0, |parent| self.store.version(parent)),
        };
        if self.update.joins()
            && let Some(id) = self.join(key, state, &arrival, from)?
        {
            if keep {
                self.store.arrive(id, arrival());
            }
            let waits = !self.store.wait(id);
            let signature = self.orders.signature(self.store.state(id).memory);
            self.drop_covered(key, id, keep, signature)?;
            return Ok(Insertion::Grown { id, waits });
        }
        let node = self.store.add(key, state, arrival(), depth, signature);
        self.store.nodes[node.0 as usize].from = from;
        if self.update != Update::Simple {
            self.drop_covered(key, node, keep, signature)?;
        }
        Ok(Insertion::New(node))
    }

    /// A configuration of the discrete state that makes the new one superfluous.
    fn covering(
        &mut self,
        key: u32,
        state: State<'_>,
        signature: u64,
    ) -> Result<Option<StateId>, Problem> {
        for member in self.store.comparable(key, signature, true) {
            let seen = self.store.state(member);
            if !zone::includes(seen.zone, state.zone) {
                continue;
            }
            let covers = match self.update {
                Update::Simple => (self.orders.slots.iter()).all(|slot| {
                    state.memory[slot.cells.clone()] == seen.memory[slot.cells.clone()]
                }),
                _ => self.orders.leq(state.memory, seen.memory)?,
            };
            if covers {
                antisymmetric(&mut self.orders, state.memory, seen.memory)?;
                return Ok(Some(member));
            }
        }
        Ok(None)
    }

    /// Joins the new configuration into one that was seen, if the strategy permits.
    fn join(
        &mut self,
        key: u32,
        state: State<'_>,
        arrival: &dyn Fn() -> Arrival,
        from: u32,
    ) -> Result<Option<StateId>, Problem> {
        if self.refinement.forbids(key) {
            return Ok(None);
        }
        let members = self.store.members[key as usize].clone();
        for member in members {
            let seen = self.store.state(member);
            let permitted = match self.joining {
                Joining::All => true,
                Joining::SameZone => seen.zone == state.zone,
                Joining::Model if self.orders.uses_strategies => {
                    self.orders.joinable(seen.memory, state.memory)?
                }
                Joining::Model => true,
            };
            if permitted && self.grow(member, state, arrival, from)? {
                return Ok(Some(member));
            }
        }
        Ok(None)
    }

    /// Makes a configuration the join of itself and another one, unless what was learnt forbids it.
    fn grow(
        &mut self,
        member: StateId,
        state: State<'_>,
        arrival: &dyn Fn() -> Arrival,
        from: u32,
    ) -> Result<bool, Problem> {
        let (mut memory, mut hull) = (
            std::mem::take(&mut self.joined_memory),
            std::mem::take(&mut self.joined_zone),
        );
        let seen = self.store.state(member);
        memory.copy_from_slice(seen.memory);
        hull.copy_from_slice(seen.zone);
        let joined = self.orders.join(&mut memory, state.memory);
        zone::convex_union(&mut hull, state.zone, self.system.dimension());
        let result = joined.map_err(Problem::from).and_then(|()| {
            self.check_joined(member, state, &memory)?;
            let joined = State {
                memory: &memory,
                zone: &hull,
            };
            let permitted = self.permits(member, state, joined);
            if permitted && self.check_monotone {
                self.compare_with_join(member, state, joined)?;
            }
            Ok(permitted)
        });
        if let Ok(true) = result {
            let joined = State {
                memory: &memory,
                zone: &hull,
            };
            self.store.note_growth(member, joined, arrival(), from);
            let signature = self.orders.signature(&memory);
            self.store.replace(member, &memory, &hull, signature);
            self.store.nodes[member.0 as usize].joins += 1;
            self.joins += 1;
        }
        (self.joined_memory, self.joined_zone) = (memory, hull);
        result
    }

    /// Every join of a lattice that came with the model is tested to be an upper bound.
    fn check_joined(
        &mut self,
        member: StateId,
        state: State<'_>,
        joined: &[i32],
    ) -> Result<(), Problem> {
        for index in 0..self.orders.slots.len() {
            let slot = &self.orders.slots[index];
            let (cells, lattice) = (slot.cells.clone(), slot.lattice);
            if self.orders.lattice(lattice).foreign {
                let seen = &self.store.state(member).memory[cells.clone()];
                let new = &state.memory[cells.clone()];
                upper_bound(&mut self.orders, lattice, seen, new, &joined[cells])?;
            }
        }
        Ok(())
    }

    /// Removes the configurations of a discrete state that another one of it covers.
    fn drop_covered(
        &mut self,
        key: u32,
        by: StateId,
        keep: bool,
        signature: u64,
    ) -> Result<(), Problem> {
        if self.store.members[key as usize].len() < 2 {
            return Ok(());
        }
        let mut covered = Vec::new();
        let large = self.store.state(by);
        for member in self.store.comparable(key, signature, false) {
            if member == by {
                continue;
            }
            let small = self.store.state(member);
            if zone::includes(large.zone, small.zone)
                && self.orders.leq(small.memory, large.memory)?
            {
                covered.push(member);
            }
        }
        for node in covered {
            self.store.cover(node, by, keep);
        }
        Ok(())
    }
}
