//! The transition rules for one explicit state, given a way to ask about clocks.

use merkhet_network::{
    ChannelKind, ClockConstraint, ClockId, Edge, EdgeId, Expr, Formula, Guard, LocationId,
    LocationKind, Network, ProcessId, Sync,
};

use crate::oracle::evaluate::{ClockEffect, Memory, Stop};

/// Why an oracle gives no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// An evaluation fails in some reachable state.
    Fault,
    /// More states than the limit.
    TooLarge,
    /// The network or the query has something that the oracle cannot handle.
    Unsupported(&'static str),
}

/// Locations and variables.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Discrete {
    /// The location of each process.
    pub locations: Vec<LocationId>,
    /// The cells of the state.
    pub cells: Vec<i32>,
}

/// Clock values, in some representation.
pub(crate) trait Clocks: Clone {
    /// Whether `left − right ≺ bound`.
    fn satisfies(
        &self,
        left: Option<ClockId>,
        right: Option<ClockId>,
        strict: bool,
        bound: i32,
    ) -> bool;
    /// Sets a clock.
    fn set(&mut self, clock: ClockId, value: i32);
    /// Sets a clock to another one plus a constant.
    fn copy(&mut self, target: ClockId, source: ClockId, offset: i32);
}

/// Edges taken together.
pub(crate) type Edges = Vec<(ProcessId, EdgeId)>;

/// One explicit state, under its network's rules.
#[derive(Clone)]
pub(crate) struct State<'n, C> {
    pub network: &'n Network,
    pub discrete: Discrete,
    pub clocks: C,
}

impl<'n, C: Clocks> State<'n, C> {
    pub(crate) fn initial(network: &'n Network, clocks: C) -> Self {
        let locations = network.processes.iter().map(|process| process.initial);
        let cells = network.state_cells.iter().map(|cell| cell.initial);
        State {
            network,
            discrete: Discrete {
                locations: locations.collect(),
                cells: cells.collect(),
            },
            clocks,
        }
    }

    fn memory(&self) -> Memory<'_> {
        let Discrete { locations, cells } = &self.discrete;
        Memory::new(self.network, locations, cells)
    }

    pub(crate) fn number(&self, expr: &Expr) -> Result<i32, Obstacle> {
        Ok(self.memory().number(expr)?)
    }

    fn data(&self, expr: Option<&Expr>) -> Result<bool, Obstacle> {
        match expr {
            Some(expr) => Ok(self.memory().holds(expr)?),
            None => Ok(true),
        }
    }

    /// The bound of a constraint that counts here.
    pub(crate) fn bound(&self, constraint: &ClockConstraint) -> Result<Option<i32>, Obstacle> {
        if !self.data(constraint.condition.as_ref())? {
            return Ok(None);
        }
        self.number(&constraint.bound).map(Some)
    }

    fn clock(&self, constraint: &ClockConstraint) -> Result<bool, Obstacle> {
        let Some(bound) = self.bound(constraint)? else {
            return Ok(true);
        };
        let ClockConstraint { left, right, .. } = *constraint;
        Ok(self.clocks.satisfies(left, right, constraint.strict, bound))
    }

    fn constraints(&self, list: &[ClockConstraint]) -> Result<bool, Obstacle> {
        for constraint in list {
            if !self.clock(constraint)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn guard(&self, guard: &Guard) -> Result<bool, Obstacle> {
        Ok(self.data(guard.data.as_ref())? && self.constraints(&guard.clocks)?)
    }

    /// Whether all invariants hold.
    pub(crate) fn invariant(&self) -> Result<bool, Obstacle> {
        for (process, at) in self.discrete.locations.iter().enumerate() {
            let location = &self.network.processes[process].locations[at.index()];
            let invariant = &location.invariant;
            if !self.data(invariant.data.as_ref())? || !self.constraints(&invariant.clocks)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn kinds(&self) -> impl Iterator<Item = LocationKind> {
        let locations = self.discrete.locations.iter().enumerate();
        locations.map(|(process, at)| self.network.processes[process].locations[at.index()].kind)
    }

    fn committed(&self, process: ProcessId) -> bool {
        self.kinds().nth(process.index()) == Some(LocationKind::Committed)
    }

    /// Whether an urgent or committed location stops time.
    pub(crate) fn frozen(&self) -> bool {
        self.kinds().any(|kind| kind != LocationKind::Normal)
    }

    /// The enabled edges of a process with a synchronisation.
    fn enabled(&self, process: ProcessId, sync: Sync) -> Result<Edges, Obstacle> {
        let mut enabled = Vec::new();
        let here = |edge: &Edge| edge.source == self.discrete.locations[process.index()];
        for (index, edge) in self.network.process(process).edges.iter().enumerate() {
            if edge.sync == sync && here(edge) && self.guard(&edge.guard)? {
                enabled.push((process, EdgeId::from(index)));
            }
        }
        Ok(enabled)
    }

    /// Whether an edge with this synchronisation leaves the process's location, whatever its guard says.
    fn offers(&self, process: ProcessId, sync: Sync) -> bool {
        let here = self.discrete.locations[process.index()];
        let edges = &self.network.process(process).edges;
        edges
            .iter()
            .any(|edge| edge.sync == sync && edge.source == here)
    }

    /// Whether a synchronisation over an urgent channel is possible.
    pub(crate) fn hurried(&self) -> Result<bool, Obstacle> {
        for (id, channel) in self.network.channels.iter().enumerate() {
            if !channel.urgent {
                continue;
            }
            let id = id.into();
            for sender in self.network.process_ids() {
                if self.enabled(sender, Sync::Send(id))?.is_empty() {
                    continue;
                }
                if channel.kind == ChannelKind::Broadcast {
                    return Ok(true);
                }
                for receiver in self.network.process_ids() {
                    if receiver != sender && !self.enabled(receiver, Sync::Receive(id))?.is_empty()
                    {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Every way to take edges together that guards and committed locations allow, with its priority.
    #[allow(clippy::type_complexity)]
    fn combinations(&self) -> Result<Vec<(Edges, (i32, i32))>, Obstacle> {
        let network = self.network;
        let mut all: Vec<(Edges, i32)> = Vec::new();
        for process in network.process_ids() {
            for edge in self.enabled(process, Sync::Internal)? {
                all.push((vec![edge], network.default_priority));
            }
        }
        for (id, channel) in network.channels.iter().enumerate() {
            for sender in network.process_ids() {
                let senders = self.enabled(sender, Sync::Send(id.into()))?;
                if senders.is_empty() {
                    continue;
                }
                let mut receivers = Vec::new();
                for process in network.process_ids().filter(|other| *other != sender) {
                    receivers.push(self.enabled(process, Sync::Receive(id.into()))?);
                }
                let groups = match channel.kind {
                    ChannelKind::Broadcast => product(&receivers),
                    ChannelKind::Binary => receivers.concat().iter().map(|r| vec![*r]).collect(),
                };
                for first in senders {
                    for group in &groups {
                        all.push(([&[first], &group[..]].concat(), channel.priority));
                    }
                }
            }
        }
        for vector in &network.vectors {
            let mut choices = Vec::new();
            let mut complete = true;
            for participant in &vector.participants {
                let options = self.enabled(participant.process, Sync::Event(participant.event))?;
                // A weak participant stays away only where its location has no such edge at all.
                let absent = !self.offers(participant.process, Sync::Event(participant.event));
                complete &= !options.is_empty() || (participant.weak && absent);
                choices.push(options);
            }
            if complete {
                let groups = product(&choices).into_iter().filter(|g| !g.is_empty());
                all.extend(groups.map(|group| (group, network.default_priority)));
            }
        }
        let committed = network.process_ids().any(|process| self.committed(process));
        let process_priority = |edges: &Edges| {
            let priorities = edges.iter().map(|edge| network.process(edge.0).priority);
            priorities.max().unwrap_or(0)
        };
        Ok(all
            .into_iter()
            .filter(|(edges, _)| !committed || edges.iter().any(|e| self.committed(e.0)))
            .map(|(edges, channel)| {
                let priority = (channel, process_priority(&edges));
                (edges, priority)
            })
            .collect())
    }

    /// All transitions with the states that they lead to: those of the highest priority at which there are some.
    pub(crate) fn successors(&self) -> Result<Vec<(Edges, State<'n, C>)>, Obstacle> {
        let combinations = self.combinations()?;
        let mut priorities: Vec<_> = combinations.iter().map(|(_, priority)| *priority).collect();
        priorities.sort();
        priorities.dedup();
        let mut all = Vec::new();
        while let Some(highest) = priorities.pop()
            && all.is_empty()
        {
            for (edges, _) in combinations.iter().filter(|(_, p)| *p == highest) {
                if let Some(next) = self.take(edges)? {
                    all.push((edges.clone(), next));
                }
            }
        }
        Ok(all)
    }

    fn take(&self, edges: &Edges) -> Result<Option<State<'n, C>>, Obstacle> {
        let mut memory = self.memory();
        let mut parts: Vec<&[_]> = vec![&self.network.before_update];
        parts.extend(
            edges
                .iter()
                .map(|&(p, e)| &self.network.edge(p, e).update[..]),
        );
        parts.push(&self.network.after_update);
        for part in parts {
            match memory.run(part, None) {
                Ok(_) => {}
                Err(Stop::Disabled) => return Ok(None),
                Err(Stop::Fault) => return Err(Obstacle::Fault),
            }
        }
        let (cells, effects) = (memory.cells, memory.effects);
        let mut next = self.clone();
        next.discrete.cells = cells;
        for effect in effects {
            match effect {
                ClockEffect::Set(clock, value) => next.clocks.set(clock, value),
                ClockEffect::Copy(to, from, offset) => next.clocks.copy(to, from, offset),
            }
        }
        for &(process, edge) in edges {
            next.discrete.locations[process.index()] = self.network.edge(process, edge).target;
        }
        Ok(next.invariant()?.then_some(next))
    }

    /// The truth of a formula, given whether the state is a deadlock.
    pub(crate) fn formula(&self, formula: &Formula, deadlock: bool) -> Result<bool, Obstacle> {
        Ok(match formula {
            Formula::Data(expr) => self.data(Some(expr))?,
            Formula::Clock(constraint) => self.clock(constraint)?,
            Formula::Deadlock => deadlock,
            Formula::Not(inner) => !self.formula(inner, deadlock)?,
            Formula::And(parts) => {
                for part in parts {
                    if !self.formula(part, deadlock)? {
                        return Ok(false);
                    }
                }
                true
            }
            Formula::Or(parts) => {
                for part in parts {
                    if self.formula(part, deadlock)? {
                        return Ok(true);
                    }
                }
                false
            }
        })
    }
}

/// One of each, skipping those without any.
fn product(choices: &[Edges]) -> Vec<Edges> {
    let mut all = vec![Vec::new()];
    for options in choices.iter().filter(|options| !options.is_empty()) {
        all = all
            .iter()
            .flat_map(|chosen: &Edges| {
                options
                    .iter()
                    .map(move |option| [&chosen[..], &[*option]].concat())
            })
            .collect();
    }
    all
}

/// Refuses what neither oracle can handle.
pub(crate) fn check_supported(network: &Network) -> Result<(), Obstacle> {
    if !network.meta_cells.is_empty() {
        return Err(Obstacle::Unsupported("meta variables"));
    }
    let mut locations = network.processes.iter().flat_map(|p| &p.locations);
    if locations.any(|location| !location.invariant.rates.is_empty()) {
        return Err(Obstacle::Unsupported("stopwatches"));
    }
    Ok(())
}
