//! The transitions of a network, case by case: every way in which edges can be taken together.
//!
//! Pairs for binary channels, every set of receivers for broadcast and every choice for vectors, as long as they are
//! few; otherwise all that the others might write is forgotten. Committed locations, urgency of others and priorities
//! are ignored. All of it over-approximates.

use merkhet_network::{
    ChannelId, ChannelKind, Edge, EdgeId, Formula, LocationKind, Network, ProcessId, Stmt, Sync,
};

use crate::pa::evaluate::{Evaluator, at_location};
use crate::pa::linear::Linear;
use crate::pa::predicate::Literal;
use crate::pa::world::{ClockBound, ClockSymbol, Symbol, World};

/// A transition in one of its cases, or a way to meet the goal.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Case {
    /// The edges taken, in the order of their updates; empty for the goal.
    pub edges: Vec<(ProcessId, EdgeId)>,
    /// Values that slots must have before.
    pub masks: Vec<(u32, u64)>,
    /// Further conditions on the state before.
    pub literals: Vec<Literal>,
    /// Conditions that no guard asks for: that values fit into what they are assigned to.
    pub implicit: Vec<Literal>,
    /// Slots that change, with their values afterwards in terms of the state before.
    pub effects: Vec<(u32, Symbol)>,
    /// Clocks that change, by row.
    pub clock_effects: Vec<(u16, ClockSymbol)>,
    /// Conditions on the clocks before.
    pub before: Vec<ClockBound>,
    /// Conditions on the clocks afterwards, as long as nothing else happens.
    pub after: Vec<ClockBound>,
    /// Whether time can pass afterwards.
    pub delay: bool,
}

/// What is followed for an abstraction: all cases of all transitions.
pub struct Cases {
    /// The transitions.
    pub transitions: Vec<Case>,
    /// The ways to meet the goal.
    pub goals: Vec<Case>,
}

impl Cases {
    /// Follows every transition of the network and the goal.
    pub fn new(evaluator: &mut Evaluator<'_>, goal: &Formula) -> Cases {
        let network = evaluator.network;
        let mut maker = Maker {
            evaluator,
            network,
            found: Vec::new(),
        };
        for process in network.process_ids() {
            for at in 0..network.process(process).edges.len() {
                maker.edge(process, EdgeId::from(at));
            }
        }
        for vector in 0..network.vectors.len() {
            maker.vector(vector);
        }
        let transitions = std::mem::take(&mut maker.found);
        maker.goal(goal);
        Cases {
            transitions,
            goals: maker.found,
        }
    }
}

struct Maker<'a, 'n> {
    evaluator: &'a mut Evaluator<'n>,
    network: &'n Network,
    found: Vec<Case>,
}

type Taken = (ProcessId, EdgeId);

impl<'n> Maker<'_, 'n> {
    fn edge(&mut self, process: ProcessId, edge: EdgeId) {
        let taken = (process, edge);
        match self.network.edge(process, edge).sync {
            Sync::Internal => self.transition(&[taken], &[]),
            Sync::Receive(_) | Sync::Event(_) => {}
            Sync::Send(channel) => match self.network.channels[channel.index()].kind {
                ChannelKind::Binary => self.pairs(taken, channel),
                ChannelKind::Broadcast => self.broadcast(taken, channel),
            },
        }
    }

    /// The edges of other processes that receive from a channel, process by process.
    fn receivers(&self, sender: ProcessId, channel: ChannelId) -> Vec<Vec<Taken>> {
        let network = self.network;
        let others = network.process_ids().filter(|other| *other != sender);
        let receiving = others.map(|other| {
            let edges = network.process(other).edges.iter().enumerate();
            edges
                .filter(|(_, edge)| edge.sync == Sync::Receive(channel))
                .map(|(at, _)| (other, EdgeId::from(at)))
                .collect()
        });
        receiving
            .filter(|edges: &Vec<Taken>| !edges.is_empty())
            .collect()
    }

    fn pairs(&mut self, sender: Taken, channel: ChannelId) {
        let receivers: Vec<Taken> = self
            .receivers(sender.0, channel)
            .into_iter()
            .flatten()
            .collect();
        let senders = (self.network.processes.iter())
            .flat_map(|process| &process.edges)
            .filter(|edge| edge.sync == Sync::Send(channel))
            .count();
        if receivers.is_empty() {
            return;
        }
        if senders * receivers.len() > self.evaluator.most.pairs {
            self.transition(&[sender], &receivers);
            return;
        }
        for receiver in receivers {
            self.transition(&[sender, receiver], &[]);
        }
    }

    fn broadcast(&mut self, sender: Taken, channel: ChannelId) {
        let receivers = self.receivers(sender.0, channel);
        let most = self.evaluator.most.choices;
        let choices = receivers.iter().try_fold(1usize, |product, edges| {
            product
                .checked_mul(edges.len() + 1)
                .filter(|product| *product <= most)
        });
        if choices.is_none() {
            let all: Vec<Taken> = receivers.into_iter().flatten().collect();
            self.transition(&[sender], &all);
            return;
        }
        let optional: Vec<(Vec<Taken>, bool)> =
            receivers.into_iter().map(|edges| (edges, true)).collect();
        self.choose(&optional, &mut vec![sender]);
    }

    /// Takes one edge of each group, or none where that is allowed.
    fn choose(&mut self, groups: &[(Vec<Taken>, bool)], taken: &mut Vec<Taken>) {
        let Some(((edges, optional), rest)) = groups.split_first() else {
            if !taken.is_empty() {
                let taken = taken.clone();
                self.transition(&taken, &[]);
            }
            return;
        };
        if *optional {
            self.choose(rest, taken);
        }
        for edge in edges {
            taken.push(*edge);
            self.choose(rest, taken);
            taken.pop();
        }
    }

    fn vector(&mut self, vector: usize) {
        let network = self.network;
        let groups: Vec<(Vec<Taken>, bool)> = (network.vectors[vector].participants.iter())
            .map(|participant| {
                let edges = network.process(participant.process).edges.iter();
                let edges = edges.enumerate();
                let with_event = edges
                    .filter(|(_, edge)| edge.sync == Sync::Event(participant.event))
                    .map(|(at, _)| (participant.process, EdgeId::from(at)));
                (with_event.collect(), participant.weak)
            })
            .collect();
        let most = self.evaluator.most.pairs;
        let choices = groups.iter().try_fold(1usize, |product, (edges, weak)| {
            product
                .checked_mul(edges.len() + usize::from(*weak))
                .filter(|product| *product <= most)
        });
        match choices {
            Some(_) => self.choose(&groups, &mut Vec::new()),
            None => {
                let all: Vec<Taken> = groups.into_iter().flat_map(|(edges, _)| edges).collect();
                self.transition(&[], &all);
            }
        }
    }

    /// Edges that are taken together, and others that may be taken with them.
    fn transition(&mut self, taken: &[Taken], perhaps: &[Taken]) {
        let network = self.network;
        self.evaluator.start();
        let mut worlds = vec![World::default()];
        for (process, edge) in taken {
            let edge = network.edge(*process, *edge);
            worlds = self.leave(worlds, *process, edge);
        }
        for (process, edge) in taken {
            let target = network.edge(*process, *edge).target;
            for world in &mut worlds {
                let at = Some(Linear::number(target.0.into()));
                world.slots.insert(process.0, at);
            }
        }
        worlds = self.evaluator.run(worlds, &network.before_update);
        for (process, edge) in taken {
            worlds = self
                .evaluator
                .run(worlds, &network.edge(*process, *edge).update);
        }
        self.forget(&mut worlds, perhaps);
        worlds = self.evaluator.run(worlds, &network.after_update);
        for (process, edge) in taken {
            let edge = network.edge(*process, *edge);
            worlds = self.arrive(worlds, *process, edge);
        }
        let delay = taken.iter().all(|(process, edge)| {
            let target = network.edge(*process, *edge).target;
            network.location(*process, target).kind == LocationKind::Normal
        });
        self.keep(worlds, taken, delay);
    }

    fn forget(&mut self, worlds: &mut [World], perhaps: &[Taken]) {
        let updates = |(process, edge): &Taken| &self.network.edge(*process, *edge).update[..];
        let statements: Vec<Stmt> = perhaps.iter().flat_map(updates).cloned().collect();
        for world in worlds {
            self.evaluator.havoc_stmts(world, &statements);
            for (process, _) in perhaps {
                world.slots.insert(process.0, None);
            }
        }
    }

    /// Source location, its invariant and the guard, in the state before.
    fn leave(&mut self, worlds: Vec<World>, process: ProcessId, edge: &Edge) -> Vec<World> {
        let network = self.network;
        let invariant = &network.location(process, edge.source).invariant;
        let at = at_location(&self.evaluator.slots, process.0, edge.source.0);
        let mut left = Vec::new();
        for mut world in worlds {
            if !world.assume(&self.evaluator.slots, at.clone()) {
                continue;
            }
            let mut ways = vec![world];
            for condition in [&invariant.data, &edge.guard.data].into_iter().flatten() {
                let mut next = Vec::new();
                for way in ways {
                    next.extend(self.evaluator.assume(way, condition, true));
                }
                ways = next;
            }
            left.extend(ways);
        }
        for world in &mut left {
            for constraint in invariant.clocks.iter().chain(&edge.guard.clocks) {
                if let Some(bound) = self.evaluator.clock_bound(world, constraint) {
                    world.before.push(bound);
                }
            }
        }
        left
    }

    /// The invariant of the target location, after all updates.
    fn arrive(&mut self, worlds: Vec<World>, process: ProcessId, edge: &Edge) -> Vec<World> {
        let network = self.network;
        let invariant = &network.location(process, edge.target).invariant;
        let mut arrived = worlds;
        if let Some(condition) = &invariant.data {
            let mut next = Vec::new();
            for world in arrived {
                next.extend(self.evaluator.assume(world, condition, true));
            }
            arrived = next;
        }
        for world in &mut arrived {
            for constraint in &invariant.clocks {
                if let Some(bound) = self.evaluator.clock_bound(world, constraint) {
                    world.after.push(bound);
                }
            }
        }
        arrived
    }

    fn goal(&mut self, goal: &Formula) {
        self.evaluator.start();
        let worlds = self.evaluator.assume_formula(World::default(), goal, true);
        let mut met = Vec::new();
        for mut world in worlds {
            self.invariants_of_goal(&mut world);
            met.push(world);
        }
        self.keep(met, &[], false);
    }

    /// The clock invariants of the locations that the goal names hold there, too.
    fn invariants_of_goal(&mut self, world: &mut World) {
        for process in self.network.process_ids() {
            let at = world.before(&self.evaluator.slots, process.0).as_number();
            let Some(location) = at.and_then(|at| {
                let locations = &self.network.process(process).locations;
                locations.get(usize::try_from(at).ok()?)
            }) else {
                continue;
            };
            for constraint in &location.invariant.clocks {
                if let Some(bound) = self.evaluator.clock_bound(world, constraint) {
                    world.before.push(bound);
                }
            }
        }
    }

    fn keep(&mut self, worlds: Vec<World>, taken: &[Taken], delay: bool) {
        for mut world in worlds {
            world.before.sort_unstable();
            world.before.dedup();
            world.after.sort_unstable();
            world.after.dedup();
            let case = Case {
                edges: taken.to_vec(),
                masks: world.masks.into_iter().collect(),
                literals: world.literals,
                implicit: world.implicit,
                effects: world.slots.into_iter().collect(),
                clock_effects: world.clocks.into_iter().collect(),
                before: world.before,
                after: world.after,
                delay,
            };
            self.found.push(case);
        }
    }
}
