//! Adding a configuration to those that were seen: algorithms 2, 3 and 4, and lines 24 to 28 of algorithm 5.
//!
//! Where the paper replaces (s, ℓ′) by (s, ℓ′ ⊔ ℓ), the configuration grows in place: what was derived from the smaller
//! element stays an abstracted path (definition 4) from the larger one.

use std::ops::ControlFlow;

use merkhet_explore::store::Insertion;
use merkhet_explore::{Passed, StateId};
use merkhet_semantics::{EdgeIndex, Fault, GoalId, State, Successor};
use merkhet_zones::bound::Bound;
use merkhet_zones::zone;

use crate::index::Signature;
use crate::laws::{antisymmetric, upper_bound};
use crate::order::Broken;
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
        self.work += 1;
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
        let first = &self.store.nodes[id.0 as usize].first;
        Some((first.parent?, self.store.edges(first).to_vec()))
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
    /// The version of a configuration that is expanded; it may have grown in the meantime.
    pub fn version_of(&self, parent: Option<StateId>) -> u32 {
        match (self.loaded, parent) {
            (Some((id, version)), Some(parent)) if id == parent => version,
            _ => parent.map_or(0, |parent| self.store.version(parent)),
        }
    }

    fn add(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) -> Result<Insertion, Problem> {
        let state = successor.state;
        let key = self.store.key(state.memory);
        let keep = self.update == Update::Cegar;
        self.laws.observe(&mut self.orders, state.memory)?;
        if self.check_monotone {
            self.compare_with_all(key, state)?;
        }
        let indexed = self.store.is_indexed(key);
        let signature = indexed.then(|| self.orders.signature(state.memory));
        if let Some(by) = self.covering(key, state, signature.as_ref())? {
            // Before there is any join there is nothing to take back.
            if keep && (self.joins > 0 || self.records) {
                let arrival = self.store.arrival(parent, successor.edges);
                self.store.arrive(by, arrival);
            } else {
                self.unrecorded = true;
            }
            return Ok(Insertion::Covered);
        }
        let from = match self.sent_from {
            Some(from) => from,
            None => self.version_of(parent),
        };
        let arrival = self.store.arrival(parent, successor.edges);
        if self.update.joins()
            && let Some(id) = self.join(key, state, arrival, from)?
        {
            if keep {
                self.store.arrive(id, arrival);
            }
            let waits = !self.store.wait(id);
            self.drop_covered(key, id, keep)?;
            return Ok(Insertion::Grown { id, waits });
        }
        let node = (self.store).add(key, state, arrival, depth, signature, &self.orders);
        self.store.nodes[node.0 as usize].from = from;
        if self.update != Update::Simple {
            self.drop_covered(key, node, keep)?;
        }
        Ok(Insertion::New(node))
    }

    /// A configuration of the discrete state that makes the new one superfluous.
    fn covering(
        &mut self,
        key: u32,
        state: State<'_>,
        signature: Option<&Signature>,
    ) -> Result<Option<StateId>, Problem> {
        let Configurations {
            store,
            orders,
            update,
            work,
            ..
        } = self;
        let includes = |member| zone::includes(store.state(member).zone, state.zone);
        if let Some(same) = store.equal(key, state.memory)
            && includes(same)
        {
            return Ok(Some(same));
        }
        let found = store.above(key, signature, &mut |member| {
            *work += 1;
            if !includes(member) {
                return ControlFlow::Continue(());
            }
            let seen = store.state(member).memory;
            let covers = match update {
                Update::Simple => Ok((orders.slots.iter())
                    .all(|slot| state.memory[slot.cells.clone()] == seen[slot.cells.clone()])),
                _ => orders.leq(state.memory, seen),
            };
            match covers {
                Ok(false) => ControlFlow::Continue(()),
                Ok(true) => ControlFlow::Break(Ok(member)),
                Err(broken) => ControlFlow::Break(Err(broken)),
            }
        });
        let Some(member) = found.transpose()? else {
            return Ok(None);
        };
        antisymmetric(orders, state.memory, store.state(member).memory)?;
        Ok(Some(member))
    }

    /// Joins the new configuration into one that was seen, if the strategy permits.
    fn join(
        &mut self,
        key: u32,
        state: State<'_>,
        arrival: Arrival,
        from: u32,
    ) -> Result<Option<StateId>, Problem> {
        if self.refinement.forbids(key) {
            return Ok(None);
        }
        let mut last = None;
        while let Some(member) = self.store.member(key, last) {
            last = Some(member);
            self.work += 1;
            let seen = self.store.state(member);
            let permitted = match self.joining {
                Joining::All => true,
                Joining::SameZone => seen.zone == state.zone,
                Joining::Model if self.orders.uses_strategies => {
                    self.orders.joinable(seen.memory, state.memory)?
                }
                Joining::Model => true,
            };
            if permitted
                && self.parts_permit(member, state)?
                && self.grow(member, state, arrival, from)?
            {
                return Ok(Some(member));
            }
        }
        Ok(None)
    }

    /// What the rules say of the two parts of a join.
    fn parts_permit(&mut self, member: StateId, state: State<'_>) -> Result<bool, Problem> {
        let seen = self.store.state(member);
        for variable in &self.rules.apart {
            let cells = self.orders.slots[*variable].cells.clone();
            if seen.memory[cells.clone()] != state.memory[cells] {
                return Ok(false);
            }
        }
        for rule in self.rules.alike.clone() {
            let (one, other) = (
                self.tester.value(seen, rule),
                self.tester.value(state, rule),
            );
            if one.map_err(strategy)? != other.map_err(strategy)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the rules say of the result of a join.
    fn result_permits(&mut self, joined: State<'_>) -> Result<bool, Problem> {
        for rule in self.rules.holds.clone() {
            let holds = self.tester.satisfies(GoalId(rule), joined, None);
            if !holds.map_err(strategy)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes a configuration the join of itself and another one, unless what was learnt forbids it.
    fn grow(
        &mut self,
        member: StateId,
        state: State<'_>,
        arrival: Arrival,
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
            let permitted = self.result_permits(joined)? && self.permits(member, state, joined);
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
            self.store.note_growth(member, joined, arrival, from);
            self.store.replace(member, joined, &self.orders);
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
    fn drop_covered(&mut self, key: u32, by: StateId, keep: bool) -> Result<(), Problem> {
        if self.store.living(key) < 2 {
            return Ok(());
        }
        let Configurations {
            store,
            orders,
            covered,
            work,
            ..
        } = self;
        covered.clear();
        let large = store.state(by);
        let indexed = store.is_indexed(key);
        let signature = indexed.then(|| orders.signature(large.memory));
        let failed = store.below(key, signature.as_ref(), &mut |member| {
            *work += 1;
            let small = store.state(member);
            if member == by || !zone::includes(large.zone, small.zone) {
                return ControlFlow::Continue(());
            }
            match orders.leq(small.memory, large.memory) {
                Ok(true) => covered.push(member),
                Ok(false) => {}
                Err(broken) => return ControlFlow::Break(broken),
            }
            ControlFlow::Continue(())
        });
        if let Some(broken) = failed {
            return Err(broken.into());
        }
        for at in 0..self.covered.len() {
            let node = self.covered[at];
            self.store.cover(node, by, &self.orders, keep);
        }
        Ok(())
    }
}

/// An evaluation in a joining strategy fails.
fn strategy(fault: Fault) -> Problem {
    Problem::Broken(Broken {
        message: format!("the joining strategy goes wrong: {fault}"),
        site: fault.site,
    })
}
