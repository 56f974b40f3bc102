//! One transition of a trace, checked rule by rule against the state in which it is taken.

use merkhet_network::{ChannelId, ChannelKind, EdgeId, ProcessId, Sync, SyncVector, Transition};

use crate::fault::{Fault, Stop};
use crate::moves::{after, moves, priority, ready};
use crate::rules::{Rules, all_hold};
use crate::traces::outlook::{Point, guarded};

/// Takes a transition from a state without delay: the state afterwards, or why it cannot be taken.
pub(crate) fn take(
    rules: Rules<'_>,
    point: &Point,
    scale: i64,
    transition: &Transition,
) -> Result<Point, String> {
    let check = Check {
        rules,
        point,
        scale: i128::from(scale),
        edges: &transition.edges,
    };
    check.well_formed()?;
    check.participants()?;
    check.guards()?;
    check.committed()?;
    check.priorities()?;
    check.execute()
}

struct Check<'a> {
    rules: Rules<'a>,
    point: &'a Point,
    scale: i128,
    edges: &'a [(ProcessId, EdgeId)],
}

impl Check<'_> {
    fn name(&self, (process, edge): (ProcessId, EdgeId)) -> String {
        let network = self.rules.network;
        let owner = network.process(process);
        let taken = &owner.edges[edge.index()];
        format!(
            "edge {} of {} ({} -> {})",
            edge.0,
            owner.name,
            owner.locations[taken.source.index()].name,
            owner.locations[taken.target.index()].name
        )
    }

    fn fault(&self, fault: Fault) -> String {
        format!(
            "an evaluation fails: {}",
            fault.describe(self.rules.network)
        )
    }

    /// The edges exist, start where their processes are, and no process moves twice.
    fn well_formed(&self) -> Result<(), String> {
        if self.edges.is_empty() {
            return Err("a transition without edges".into());
        }
        for (position, &(process, edge)) in self.edges.iter().enumerate() {
            let owner = self.rules.network.processes.get(process.index());
            let Some(found) = owner.and_then(|owner| owner.edges.get(edge.index())) else {
                return Err(format!("no edge {} of process {}", edge.0, process.0));
            };
            if found.source != self.point.discrete.locations[process.index()] {
                return Err(format!(
                    "{} does not start at its process's location",
                    self.name((process, edge))
                ));
            }
            if self.edges[..position]
                .iter()
                .any(|other| other.0 == process)
            {
                return Err(format!(
                    "{} moves twice",
                    self.rules.network.process(process).name
                ));
            }
        }
        Ok(())
    }

    fn sync(&self, position: usize) -> Sync {
        let (process, edge) = self.edges[position];
        self.rules.network.edge(process, edge).sync
    }

    /// The right edges come together, in the right order, and nobody who must join is missing.
    fn participants(&self) -> Result<(), String> {
        match self.sync(0) {
            Sync::Internal if self.edges.len() == 1 => Ok(()),
            Sync::Internal => Err("an edge without synchronisation does not go alone".into()),
            Sync::Receive(_) => Err("the first edge of a transition receives".into()),
            Sync::Send(channel) => self.channel(channel),
            Sync::Event(_) => self.vector(),
        }
    }

    fn channel(&self, id: ChannelId) -> Result<(), String> {
        let channel = &self.rules.network.channels[id.index()];
        if (1..self.edges.len()).any(|position| self.sync(position) != Sync::Receive(id)) {
            return Err(format!("an edge does not receive on {}", channel.name));
        }
        match channel.kind {
            ChannelKind::Binary if self.edges.len() == 2 => Ok(()),
            ChannelKind::Binary => Err(format!("{} needs exactly one receiver", channel.name)),
            ChannelKind::Broadcast => {
                if !self.edges[1..].is_sorted_by_key(|edge| edge.0) {
                    return Err("broadcast receivers are not in the order of the system".into());
                }
                for process in self.rules.network.process_ids() {
                    self.must_not_be_able(process, Sync::Receive(id))?;
                }
                Ok(())
            }
        }
    }

    /// A process that does not take part has no enabled edge with this synchronisation.
    fn must_not_be_able(&self, process: ProcessId, sync: Sync) -> Result<(), String> {
        if self.edges.iter().any(|edge| edge.0 == process) {
            return Ok(());
        }
        let state = &self.point.discrete;
        let owner = self.rules.network.process(process);
        for (index, edge) in owner.edges.iter().enumerate() {
            if edge.source != state.locations[process.index()] || edge.sync != sync {
                continue;
            }
            let guard = self.rules.guard(state, process, EdgeId::from(index));
            if let Some(atoms) = guard.map_err(|fault| self.fault(fault))?
                && all_hold(&atoms, &self.point.values, self.scale)
            {
                return Err(format!(
                    "{} could take part and does not",
                    self.name((process, EdgeId::from(index)))
                ));
            }
        }
        Ok(())
    }

    fn vector(&self) -> Result<(), String> {
        let mut reason = "no synchronisation vector has these edges".to_string();
        for vector in &self.rules.network.vectors {
            match self.matches(vector) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(found) => reason = found,
            }
        }
        Err(reason)
    }

    fn matches(&self, vector: &SyncVector) -> Result<bool, String> {
        let mut position = 0;
        for participant in &vector.participants {
            let taken = self.edges.get(position).is_some_and(|edge| {
                edge.0 == participant.process
                    && self.sync(position) == Sync::Event(participant.event)
            });
            if taken {
                position += 1;
            } else if !participant.weak {
                return Ok(false);
            }
        }
        if position != self.edges.len() {
            return Ok(false);
        }
        for participant in &vector.participants {
            let (process, sync) = (participant.process, Sync::Event(participant.event));
            let absent = !self.edges.iter().any(|edge| edge.0 == process);
            if absent && self.rules.offers(&self.point.discrete, process, sync) {
                let name = &self.rules.network.process(process).name;
                return Err(format!(
                    "{name} has an edge with the event and does not take part"
                ));
            }
        }
        Ok(true)
    }

    fn guards(&self) -> Result<(), String> {
        for &(process, edge) in self.edges {
            let guard = self.rules.guard(&self.point.discrete, process, edge);
            let Some(atoms) = guard.map_err(|fault| self.fault(fault))? else {
                return Err(format!(
                    "the guard of {} does not hold (data)",
                    self.name((process, edge))
                ));
            };
            if !all_hold(&atoms, &self.point.values, self.scale) {
                return Err(format!(
                    "the guard of {} does not hold (clocks)",
                    self.name((process, edge))
                ));
            }
        }
        Ok(())
    }

    fn committed(&self) -> Result<(), String> {
        let state = &self.point.discrete;
        if self.rules.any_committed(state)
            && !(self.edges.iter()).any(|&(process, _)| self.rules.committed(state, process))
        {
            return Err("a process is committed and none that is committed moves".into());
        }
        Ok(())
    }

    /// There is no transition of higher priority: none whose guards hold, and its target's invariants afterwards.
    fn priorities(&self) -> Result<(), String> {
        let network = self.rules.network;
        if !network.has_priorities() {
            return Ok(());
        }
        let channel = match self.sync(0) {
            Sync::Send(channel) => network.channels[channel.index()].priority,
            _ => network.default_priority,
        };
        let own = priority(self.rules, self.edges.iter().map(|edge| edge.0), channel);
        let state = &self.point.discrete;
        let fault = |fault| self.fault(fault);
        let ready = ready(self.rules, state).map_err(fault)?;
        for other in moves(self.rules, state, &ready).map_err(fault)? {
            if other.priority > own
                && guarded(&other, &self.point.values, self.scale)
                && let Some(next) = after(self.rules, state, &other.edges).map_err(fault)?
                && all_hold(&next.entry, &self.point.values, self.scale)
            {
                return Err(format!(
                    "{} is enabled and has a higher priority",
                    self.name(other.edges[0])
                ));
            }
        }
        Ok(())
    }

    fn execute(&self) -> Result<Point, String> {
        let (discrete, clocks) = match self.rules.apply(&self.point.discrete, self.edges) {
            Ok(next) => next,
            Err(Stop::Fault(fault)) => return Err(self.fault(fault)),
            Err(Stop::Disabled) => return Err("an assignment leaves its range".into()),
        };
        let mut values = vec![0];
        for clock in clocks {
            let from = clock
                .source
                .map_or(0, |id| self.point.values[id.index() + 1]);
            values.push(from + i128::from(clock.offset) * self.scale);
        }
        let invariant = self.rules.invariant(&discrete);
        match invariant.map_err(|fault| self.fault(fault))? {
            None => Err("an invariant does not hold after the transition (data)".into()),
            Some(atoms) if !all_hold(&atoms, &values, self.scale) => {
                Err("an invariant does not hold after the transition (clocks)".into())
            }
            Some(_) => Ok(Point { discrete, values }),
        }
    }
}
