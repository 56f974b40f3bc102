//! Synchronisation vectors: those of two strong participants become channels, the others stay vectors.
//!
//! A *port* is a process with an event. A vector of two ports is a channel on which the first sends and the second
//! receives: a sender's update is run first, as the first participant's is. Several vectors may share one channel as
//! long as exactly the pairs of the vectors can meet on it:
//!
//! - all vectors that hang together, if each of the sending ports has a vector with each of the receiving ports (of
//!   another process: no process meets itself), and no port is on both sides;
//! - otherwise the vectors of all senders that have the same receivers.
//!
//! A port on several channels gets a copy of each of its edges for each.

use super::{Lower, Lowering};
use merkhet_network::{Channel, ChannelId, ChannelKind, Participant, ProcessId, SyncVector};
use merkhet_syntax::Diagnostic;
use merkhet_tck::tree::Synchronisation;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A process and an event.
pub(super) type Port = (usize, usize);

/// One way in which the edges of a port take part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Send(ChannelId),
    Receive(ChannelId),
    /// As participant of the vectors that name it.
    Vector,
}

/// What a port does.
#[derive(Clone, Default, Debug)]
pub(super) struct PortRoles {
    /// None: its edges go alone.
    pub(super) roles: Vec<Role>,
    /// Whether some vector names it as a weak participant.
    pub(super) weak: bool,
}

/// What every port does.
#[derive(Default)]
pub(super) struct Roles {
    ports: FxHashMap<Port, PortRoles>,
    nothing: PortRoles,
}

impl Roles {
    pub(super) fn port(&self, process: usize, event: usize) -> &PortRoles {
        self.ports.get(&(process, event)).unwrap_or(&self.nothing)
    }

    fn add(&mut self, port: Port, role: Role) {
        let roles = &mut self.ports.entry(port).or_default().roles;
        if !roles.contains(&role) {
            roles.push(role);
        }
    }
}

impl Lowering<'_> {
    /// Turns all vectors into channels and vectors of the network.
    pub(super) fn synchronise(&mut self) -> Roles {
        let mut roles = Roles::default();
        let mut pairs = Vec::new();
        let mut seen = FxHashSet::default();
        let system = self.system;
        for synchronisation in &system.synchronisations {
            let Ok(participants) = self.participants(synchronisation) else {
                continue;
            };
            let mut key: Vec<(Port, bool)> = participants
                .iter()
                .map(|p| ((p.process.index(), p.event.index()), p.weak))
                .collect();
            let ports: Vec<Port> = key.iter().map(|(port, _)| *port).collect();
            key.sort_unstable();
            if !seen.insert(key) {
                let message = "this synchronisation is declared twice";
                self.report(Diagnostic::error(
                    "declared-twice",
                    message,
                    synchronisation.span,
                ));
                continue;
            }
            match (ports.as_slice(), participants.iter().any(|p| p.weak)) {
                ([_], _) => {
                    let message = "a synchronisation of one process has no effect";
                    let span = synchronisation.span;
                    self.report(Diagnostic::warning("lonely-synchronisation", message, span));
                }
                (&[first, second], false) => pairs.push((first, second)),
                _ => {
                    for (port, participant) in ports.iter().zip(&participants) {
                        roles.add(*port, Role::Vector);
                        roles.ports.entry(*port).or_default().weak |= participant.weak;
                    }
                    self.network.vectors.push(SyncVector { participants });
                }
            }
        }
        for (senders, receivers) in group(&pairs) {
            let channel = self.channel(&pairs, &senders, &receivers);
            for port in senders {
                roles.add(port, Role::Send(channel));
            }
            for port in receivers {
                roles.add(port, Role::Receive(channel));
            }
        }
        roles
    }

    fn participants(&mut self, synchronisation: &Synchronisation) -> Lower<Vec<Participant>> {
        let mut participants: Vec<Participant> = Vec::new();
        let mut processes = FxHashSet::default();
        for participant in &synchronisation.participants {
            let process = self.process(&participant.process)?;
            let event = self.event(&participant.event)?;
            if !processes.insert(process) {
                let message = format!(
                    "`{}` occurs twice in this synchronisation",
                    participant.process.text
                );
                return self.fail("declared-twice", message, participant.process.span);
            }
            participants.push(Participant {
                process: ProcessId::from(process),
                event: event.into(),
                weak: participant.weak,
            });
        }
        Ok(participants)
    }

    /// A new channel, named by its events.
    fn channel(
        &mut self,
        pairs: &[(Port, Port)],
        senders: &[Port],
        receivers: &[Port],
    ) -> ChannelId {
        let event = |port: Port| self.network.events[port.1].as_str();
        let process = |port: Port| self.network.processes[port.0].name.as_str();
        let all: FxHashSet<usize> = senders.iter().chain(receivers).map(|port| port.1).collect();
        let (first, second) = (senders[0], receivers[0]);
        let short = match all.len() {
            1 => event(first).to_owned(),
            _ => format!("{}/{}", event(first), event(second)),
        };
        let taken = self.network.channels.iter().any(|c| c.name == short);
        // Some pair of the first sender is in no other group, so that the long name is the channel's own.
        let partner = pairs
            .iter()
            .find(|pair| pair.0 == first && receivers.contains(&pair.1))
            .map_or(second, |pair| pair.1);
        let name = match taken {
            false => short,
            true => format!(
                "{}@{}:{}@{}",
                process(first),
                event(first),
                process(partner),
                event(partner)
            ),
        };
        let id = ChannelId::from(self.network.channels.len());
        self.network.channels.push(Channel {
            name,
            kind: ChannelKind::Binary,
            urgent: false,
            priority: self.network.default_priority,
        });
        id
    }
}

/// Senders and receivers of each channel.
fn group(pairs: &[(Port, Port)]) -> Vec<(Vec<Port>, Vec<Port>)> {
    let mut groups = Vec::new();
    for component in components(pairs) {
        let mut receivers_of: BTreeMap<Port, Vec<Port>> = BTreeMap::new();
        for &(sender, receiver) in &component {
            receivers_of.entry(sender).or_default().push(receiver);
        }
        for receivers in receivers_of.values_mut() {
            receivers.sort_unstable();
        }
        if let Some(whole) = complete(&receivers_of) {
            groups.push(whole);
            continue;
        }
        let mut senders_of: BTreeMap<Vec<Port>, Vec<Port>> = BTreeMap::new();
        for (sender, receivers) in receivers_of {
            senders_of.entry(receivers).or_default().push(sender);
        }
        groups.extend(senders_of.into_iter().map(|(r, s)| (s, r)));
    }
    groups
}

/// The two sides, if every sender has a vector with every receiver of another process and no port is on both sides.
fn complete(receivers_of: &BTreeMap<Port, Vec<Port>>) -> Option<(Vec<Port>, Vec<Port>)> {
    let mut receivers: Vec<Port> = receivers_of.values().flatten().copied().collect();
    receivers.sort_unstable();
    receivers.dedup();
    let meets_all = |(sender, met): (&Port, &Vec<Port>)| {
        let others = receivers.iter().filter(|receiver| receiver.0 != sender.0);
        others.eq(met.iter())
    };
    let apart = receivers
        .iter()
        .all(|port| !receivers_of.contains_key(port));
    (apart && receivers_of.iter().all(meets_all))
        .then(|| (receivers_of.keys().copied().collect(), receivers.clone()))
}

/// The pairs that hang together by a common port, in the order of their first pair.
fn components(pairs: &[(Port, Port)]) -> Vec<Vec<(Port, Port)>> {
    let mut pairs_of: FxHashMap<Port, Vec<usize>> = FxHashMap::default();
    for (index, &(first, second)) in pairs.iter().enumerate() {
        pairs_of.entry(first).or_default().push(index);
        pairs_of.entry(second).or_default().push(index);
    }
    let mut visited = vec![false; pairs.len()];
    let mut components = Vec::new();
    for start in 0..pairs.len() {
        if visited[start] {
            continue;
        }
        visited[start] = true;
        let mut component = Vec::new();
        let mut open = vec![start];
        while let Some(index) = open.pop() {
            component.push(pairs[index]);
            for port in [pairs[index].0, pairs[index].1] {
                // Each port's pairs are looked at once.
                for next in pairs_of.remove(&port).unwrap_or_default() {
                    if !visited[next] {
                        visited[next] = true;
                        open.push(next);
                    }
                }
            }
        }
        components.push(component);
    }
    components
}
