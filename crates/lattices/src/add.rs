//! Adding a configuration to those that were seen: algorithms 2, 3 and 4, and lines 24 to 28 of algorithm 5.
//!
//! Where the paper replaces (s, ℓ′) by (s, ℓ′ ⊔ ℓ), the configuration grows in place: what was derived from the smaller
//! element stays an abstracted path (definition 4) from the larger one.

use merkhet_semantics::{State, Successor};
use merkhet_zones::zone;

use crate::laws::{antisymmetric, upper_bound};
use crate::run::{Frontier, Problem};
use crate::store::{Arrival, NodeId};
use crate::update::{Joining, Update};

impl Frontier<'_, '_> {
    /// Adds a configuration; gives the one in which the goal holds, if it does.
    pub fn add(
        &mut self,
        successor: &Successor<'_>,
        parent: Option<NodeId>,
        depth: u32,
    ) -> Result<Option<NodeId>, Problem> {
        self.statistics.generated += 1;
        let state = successor.state;
        let key = self.store.key(state.memory);
        let keep = self.options.update == Update::Cegar;
        let arrival = || Arrival {
            parent,
            edges: successor.edges.into(),
        };
        self.observe(state.memory)?;
        if self.options.check_monotone {
            self.compare_with_all(key, state)?;
        }
        if let Some(by) = self.covering(key, state)? {
            if keep {
                self.store.arrive(by, arrival());
            }
            return Ok(None);
        }
        if self.options.update.joins()
            && let Some(grown) = self.join(key, state)?
        {
            if keep {
                self.store.arrive(grown, arrival());
            }
            let waits = std::mem::replace(&mut self.store.nodes[grown.index()].waiting, true);
            self.drop_covered(key, grown, keep)?;
            return match waits {
                // It is on the open list; but the goal may hold there now.
                true => self.goal_holds(grown),
                false => self.enqueue(grown),
            };
        }
        let node = self.store.add(key, state, arrival(), depth);
        if self.options.update != Update::Simple {
            self.drop_covered(key, node, keep)?;
        }
        self.enqueue(node)
    }

    fn goal_holds(&mut self, node: NodeId) -> Result<Option<NodeId>, Problem> {
        let Some(goal) = self.options.goal else {
            return Ok(None);
        };
        let holds = self.tester.satisfies(goal, self.store.state(node), None)?;
        Ok(holds.then_some(node))
    }

    /// A configuration of the discrete state that makes the new one superfluous.
    fn covering(&mut self, key: u32, state: State<'_>) -> Result<Option<NodeId>, Problem> {
        for &member in &self.store.members[key as usize] {
            let seen = self.store.state(member);
            if !zone::includes(seen.zone, state.zone) {
                continue;
            }
            let covers = match self.options.update {
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
    fn join(&mut self, key: u32, state: State<'_>) -> Result<Option<NodeId>, Problem> {
        if self.refinement.forbids(key) {
            return Ok(None);
        }
        let members = self.store.members[key as usize].clone();
        for member in members {
            let seen = self.store.state(member);
            let permitted = match self.options.joining {
                Joining::All => true,
                Joining::SameZone => seen.zone == state.zone,
                Joining::Model if self.orders.uses_strategies => {
                    self.orders.joinable(seen.memory, state.memory)?
                }
                Joining::Model => true,
            };
            if permitted && self.grow(member, state)? {
                return Ok(Some(member));
            }
        }
        Ok(None)
    }

    /// Makes a configuration the join of itself and another one, unless what was learnt forbids it.
    fn grow(&mut self, member: NodeId, state: State<'_>) -> Result<bool, Problem> {
        let (mut memory, mut hull) = self.take_buffers();
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
            let permitted = self.permits(member, state, joined)?;
            if permitted && self.options.check_monotone {
                self.compare_with_join(member, state, joined)?;
            }
            Ok(permitted)
        });
        if let Ok(true) = result {
            self.store.replace(member, &memory, &hull);
            self.store.nodes[member.index()].joins += 1;
            self.count_join();
        }
        self.return_buffers(memory, hull);
        result
    }

    /// Every join of a lattice that came with the model is tested to be an upper bound.
    fn check_joined(
        &mut self,
        member: NodeId,
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
    fn drop_covered(&mut self, key: u32, by: NodeId, keep: bool) -> Result<(), Problem> {
        if self.store.members[key as usize].len() < 2 {
            return Ok(());
        }
        let mut covered = Vec::new();
        let large = self.store.state(by);
        for &member in &self.store.members[key as usize] {
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
