//! One transition of a trace, checked rule by rule against the state in which it is taken.

use std::collections::HashMap;

use merkhet_network::{
    ChannelId, ChannelKind, EdgeId, LocationKind, Network, ProcessId, Sync, SyncVector, Transition,
};

use crate::fault::Fault;
use crate::moves::{after, moves, priority, ready};
use crate::rules::{Atom, all_hold, conjunction};
use crate::traces::outlook::guarded;
use crate::traces::present::{Done, Impossible, Present};

/// The edges that may join a transition, by what they join, and by process in the order of the network.
pub(crate) struct Joining {
    by_sync: HashMap<Sync, Vec<(ProcessId, EdgeId)>>,
}

impl Joining {
    /// All edges that receive or carry an event.
    pub(crate) fn new(network: &Network) -> Joining {
        let mut by_sync: HashMap<Sync, Vec<_>> = HashMap::new();
        for (process, owner) in network.process_ids().zip(&network.processes) {
            for (index, edge) in owner.edges.iter().enumerate() {
                if let Sync::Receive(_) | Sync::Event(_) = edge.sync {
                    let edges = by_sync.entry(edge.sync).or_default();
                    edges.push((process, EdgeId::from(index)));
                }
            }
        }
        Joining { by_sync }
    }

    fn edges(&self, sync: Sync) -> &[(ProcessId, EdgeId)] {
        self.by_sync.get(&sync).map_or(&[], |edges| edges)
    }
}

/// Takes a transition without delay, or says why it cannot be taken.
pub(crate) fn take(
    present: &mut Present<'_>,
    joining: &Joining,
    transition: &Transition,
) -> Result<Done, String> {
    let mut check = Check {
        network: present.network(),
        present,
        joining,
        edges: &transition.edges,
    };
    check.well_formed()?;
    check.participants()?;
    check.guards()?;
    check.committed()?;
    check.priorities()?;
    check.execute()
}

struct Check<'a, 'n> {
    network: &'n Network,
    present: &'a mut Present<'n>,
    joining: &'a Joining,
    edges: &'a [(ProcessId, EdgeId)],
}

impl Check<'_, '_> {
    fn name(&self, (process, edge): (ProcessId, EdgeId)) -> String {
        let owner = self.network.process(process);
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
        format!("an evaluation fails: {}", fault.describe(self.network))
    }

    /// The edges exist, start where their processes are, and no process moves twice.
    fn well_formed(&self) -> Result<(), String> {
        if self.edges.is_empty() {
            return Err("a transition without edges".into());
        }
        for (position, &(process, edge)) in self.edges.iter().enumerate() {
            let owner = self.network.processes.get(process.index());
            let Some(found) = owner.and_then(|owner| owner.edges.get(edge.index())) else {
                return Err(format!("no edge {} of process {}", edge.0, process.0));
            };
            if found.source != self.present.location(process) {
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
                    self.network.process(process).name
                ));
            }
        }
        Ok(())
    }

    fn sync(&self, position: usize) -> Sync {
        let (process, edge) = self.edges[position];
        self.network.edge(process, edge).sync
    }

    /// The right edges come together, in the right order, and nobody who must join is missing.
    fn participants(&mut self) -> Result<(), String> {
        match self.sync(0) {
            Sync::Internal if self.edges.len() == 1 => Ok(()),
            Sync::Internal => Err("an edge without synchronisation does not go alone".into()),
            Sync::Receive(_) => Err("the first edge of a transition receives".into()),
            Sync::Send(channel) => self.channel(channel),
            Sync::Event(_) => self.vector(),
        }
    }

    fn channel(&mut self, id: ChannelId) -> Result<(), String> {
        let channel = &self.network.channels[id.index()];
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
                self.nobody_else_joins(Sync::Receive(id))
            }
        }
    }

    /// The clock constraints of an edge's guard, or `None` where its condition on data does not hold.
    fn guard(&mut self, (process, edge): (ProcessId, EdgeId)) -> Result<Option<Vec<Atom>>, Fault> {
        let guard = &self.network.edge(process, edge).guard;
        conjunction(
            self.present.evaluation(),
            guard.data.as_ref(),
            &guard.clocks,
        )
    }

    /// No process that does not take part has an enabled edge with this synchronisation.
    fn nobody_else_joins(&mut self, sync: Sync) -> Result<(), String> {
        for &(process, edge) in self.joining.edges(sync) {
            let here = self.network.edge(process, edge).source == self.present.location(process);
            if !here || self.takes_part(process) {
                continue;
            }
            let guard = self.guard((process, edge));
            if let Some(atoms) = guard.map_err(|fault| self.fault(fault))?
                && atoms.iter().all(|atom| self.present.holds(atom))
            {
                let name = self.name((process, edge));
                return Err(format!("{name} could take part and does not"));
            }
        }
        Ok(())
    }

    fn takes_part(&self, process: ProcessId) -> bool {
        self.edges.iter().any(|edge| edge.0 == process)
    }

    /// Whether an edge with this event leaves the process's location, whatever its guard says.
    fn offers(&self, process: ProcessId, event: Sync) -> bool {
        let all = self.joining.edges(event);
        let first = all.partition_point(|edge| edge.0 < process);
        (all[first..].iter())
            .take_while(|edge| edge.0 == process)
            .any(|edge| self.network.edge(edge.0, edge.1).source == self.present.location(process))
    }

    fn vector(&mut self) -> Result<(), String> {
        let mut reason = "no synchronisation vector has these edges".to_string();
        for vector in &self.network.vectors {
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
            if !self.takes_part(process) && self.offers(process, sync) {
                let name = &self.network.process(process).name;
                return Err(format!(
                    "{name} has an edge with the event and does not take part"
                ));
            }
        }
        Ok(true)
    }

    fn guards(&mut self) -> Result<(), String> {
        for &edge in self.edges {
            let guard = self.guard(edge);
            let Some(atoms) = guard.map_err(|fault| self.fault(fault))? else {
                let name = self.name(edge);
                return Err(format!("the guard of {name} does not hold (data)"));
            };
            if !atoms.iter().all(|atom| self.present.holds(atom)) {
                let name = self.name(edge);
                return Err(format!("the guard of {name} does not hold (clocks)"));
            }
        }
        Ok(())
    }

    fn committed(&self) -> Result<(), String> {
        let is_committed = |process: ProcessId| {
            let at = self.present.location(process);
            self.network.location(process, at).kind == LocationKind::Committed
        };
        let moves = self.edges.iter().any(|edge| is_committed(edge.0));
        if self.present.any_committed() && !moves {
            return Err("a process is committed and none that is committed moves".into());
        }
        Ok(())
    }

    /// There is no transition of higher priority: none whose guards hold, and its target's invariants afterwards.
    fn priorities(&mut self) -> Result<(), String> {
        let network = self.network;
        if !network.has_priorities() {
            return Ok(());
        }
        let channel = match self.sync(0) {
            Sync::Send(channel) => network.channels[channel.index()].priority,
            _ => network.default_priority,
        };
        let rules = self.present.rules;
        let own = priority(rules, self.edges.iter().map(|edge| edge.0), channel);
        let point = self.present.point();
        let (state, scale) = (&point.discrete, self.present.scale());
        let fault = |fault| self.fault(fault);
        let ready = ready(rules, state).map_err(fault)?;
        for other in moves(rules, state, &ready).map_err(fault)? {
            if other.priority > own
                && guarded(&other, &point.values, scale)
                && let Some(next) = after(rules, state, &other.edges).map_err(fault)?
                && all_hold(&next.entry, &point.values, scale)
            {
                return Err(format!(
                    "{} is enabled and has a higher priority",
                    self.name(other.edges[0])
                ));
            }
        }
        Ok(())
    }

    fn execute(&mut self) -> Result<Done, String> {
        let done = self.present.execute(self.edges);
        done.map_err(|impossible| match impossible {
            Impossible::Fault(fault) => self.fault(fault),
            Impossible::Disabled => "an assignment leaves its range".into(),
            Impossible::Data => "an invariant does not hold after the transition (data)".into(),
            Impossible::Clocks => "an invariant does not hold after the transition (clocks)".into(),
        })
    }
}
