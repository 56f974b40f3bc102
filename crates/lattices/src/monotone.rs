//! Testing the monotonicity property (definition 2) on pairs of configurations of a run.
//!
//! What a smaller element can do, a larger one must be able to do, and the result must be larger again. A step of the
//! smaller one that leads to where the larger one is already (same discrete state, not more than its element) asks for
//! nothing: sending a message twice may be left out.

use std::ops::ControlFlow;

use merkhet_explore::StateId;
use merkhet_semantics::{EdgeIndex, State};
use merkhet_zones::bound::Bound;
use merkhet_zones::zone;

use crate::describe;
use crate::laws::antisymmetric;
use crate::order::Broken;
use crate::run::{Configurations, Problem};

/// A transition's edges, and the memory and zone that it leads to.
type Step = (Vec<EdgeIndex>, Vec<i32>, Vec<Bound>);

/// Pairs that are tested in one run.
const MAX_PAIRS: u64 = 100_000;

impl Configurations<'_> {
    /// Compares a new configuration with those of its discrete state, both ways.
    pub fn compare_with_all(&mut self, key: u32, state: State<'_>) -> Result<(), Problem> {
        let mut last = None;
        while let Some(member) = self.store.member(key, last) {
            last = Some(member);
            if self.pairs >= MAX_PAIRS {
                return Ok(());
            }
            let seen = self.store.state(member);
            let (memory, bounds) = (seen.memory.to_vec(), seen.zone.to_vec());
            let other = State {
                memory: &memory,
                zone: &bounds,
            };
            for (small, large) in [(state, other), (other, state)] {
                if zone::includes(large.zone, small.zone)
                    && self.orders.leq(small.memory, large.memory)?
                {
                    self.pairs += 1;
                    antisymmetric(&mut self.orders, small.memory, large.memory)?;
                    self.compare(small, large)?;
                }
            }
        }
        Ok(())
    }

    /// Compares the two configurations of a join with their join, which the search has instead of them from now on.
    pub fn compare_with_join(
        &mut self,
        member: StateId,
        state: State<'_>,
        joined: State<'_>,
    ) -> Result<(), Problem> {
        let seen = self.store.state(member);
        let (memory, bounds) = (seen.memory.to_vec(), seen.zone.to_vec());
        let seen = State {
            memory: &memory,
            zone: &bounds,
        };
        for small in [seen, state] {
            if self.pairs < MAX_PAIRS {
                self.pairs += 1;
                self.compare(small, joined)?;
            }
        }
        Ok(())
    }

    fn compare(&mut self, small: State<'_>, large: State<'_>) -> Result<(), Problem> {
        if let Some(goal) = self.goal
            && self.tester.satisfies(goal, small, None)?
            && !self.tester.satisfies(goal, large, None)?
        {
            return Err(self.not_monotone(small, large, "the goal holds").into());
        }
        // What cannot be computed here is met again when the search expands it, with the run that leads there.
        let (Ok(few), Ok(many)) = (self.all(small), self.all(large)) else {
            return Ok(());
        };
        for (edges, memory, bounds) in &few {
            let mut matched = self.below(memory, bounds, large.memory, large.zone)?;
            for (_, other, wider) in &many {
                if matched {
                    break;
                }
                matched = self.below(memory, bounds, other, wider)?;
            }
            if !matched {
                let step = format!(
                    "`{}` leads to {}",
                    self.transition(edges),
                    describe::elements(&self.orders, memory, &[])
                );
                return Err(self.not_monotone(small, large, &step).into());
            }
        }
        Ok(())
    }

    /// Whether the second configuration covers the first.
    fn below(
        &mut self,
        memory: &[i32],
        bounds: &[Bound],
        other: &[i32],
        wider: &[Bound],
    ) -> Result<bool, Problem> {
        Ok(self.store.same_discrete(memory, other)
            && zone::includes(wider, bounds)
            && self.orders.leq(memory, other)?)
    }

    fn all(&mut self, state: State<'_>) -> Result<Vec<Step>, Problem> {
        let mut all = Vec::new();
        let _ = self.tester.successors(state, &mut |successor| {
            let State { memory, zone } = successor.state;
            all.push((successor.edges.to_vec(), memory.to_vec(), zone.to_vec()));
            ControlFlow::Continue(())
        })?;
        Ok(all)
    }

    fn not_monotone(&self, small: State<'_>, large: State<'_>, what: &str) -> Broken {
        Broken {
            message: format!(
                "the model is not monotone: at ({}) with {} {what}; with the larger {} nothing matches that",
                describe::locations(self.orders.network, small.memory),
                describe::elements(&self.orders, small.memory, &[]),
                describe::elements(&self.orders, large.memory, &[])
            ),
            site: merkhet_network::SiteId::NONE,
        }
    }

    /// A transition in words: `P: a → b, Q: c → d`.
    pub fn transition(&self, edges: &[EdgeIndex]) -> String {
        let network = self.orders.network;
        let parts = edges.iter().map(|edge| {
            let (process, edge) = self.system.edge(*edge);
            let edge = network.edge(process, edge);
            format!(
                "{}: {} → {}",
                network.process(process).name,
                network.location(process, edge.source).name,
                network.location(process, edge.target).name
            )
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}
