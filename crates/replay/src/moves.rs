//! The transitions of one discrete state, enumerated in the plainest way.
//!
//! A move is there for a clock valuation if its guard holds, none of its exclusions does (a broadcast receiver that
//! stays behind must not be able to join), the invariants hold afterwards, and no move of higher priority is there.
//! For urgency it counts only that the guard holds and no exclusion does, not what the invariants afterwards say.

use merkhet_network::{ChannelId, ChannelKind, EdgeId, ProcessId, Sync};

use crate::fault::{Fault, FaultKind, Stop};
use crate::interpreter::ClockValue;
use crate::rules::{Atom, Discrete, Rules};

/// More ways to combine receivers of one broadcast than this are not enumerated.
const COMBINATION_LIMIT: usize = 1 << 16;

/// An edge whose condition on data holds, with its constraints on clocks.
#[derive(Clone, Debug)]
pub(crate) struct Ready {
    pub process: ProcessId,
    pub edge: EdgeId,
    pub sync: Sync,
    pub guard: Vec<Atom>,
}

/// Edges that can be taken together where the guard holds and no exclusion does.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub edges: Vec<(ProcessId, EdgeId)>,
    pub guard: Vec<Atom>,
    /// Conjunctions of which none may hold.
    pub excluded: Vec<Vec<Atom>>,
    /// The channel's, then the highest of the processes'.
    pub priority: (i32, i32),
}

/// Where a move leads.
#[derive(Clone, Debug)]
pub(crate) struct After {
    pub state: Discrete,
    pub clocks: Vec<ClockValue>,
    /// What must hold before the move for the invariants to hold after it.
    pub entry: Vec<Atom>,
}

/// The edges of a discrete state that data allow.
pub(crate) fn ready(rules: Rules<'_>, state: &Discrete) -> Result<Vec<Ready>, Fault> {
    let mut ready = Vec::new();
    for process in rules.network.process_ids() {
        for (index, edge) in rules.network.process(process).edges.iter().enumerate() {
            if edge.source != state.locations[process.index()] {
                continue;
            }
            let id = EdgeId::from(index);
            if let Some(guard) = rules.guard(state, process, id)? {
                ready.push(Ready {
                    process,
                    edge: id,
                    sync: edge.sync,
                    guard,
                });
            }
        }
    }
    Ok(ready)
}

/// All moves of a discrete state that data and committed locations allow.
pub(crate) fn moves(
    rules: Rules<'_>,
    state: &Discrete,
    ready: &[Ready],
) -> Result<Vec<Move>, Fault> {
    let mut all = Vec::new();
    for first in ready {
        match first.sync {
            Sync::Internal => all.push(combined(rules, &[first], &[], None)),
            Sync::Send(channel) => sent(rules, ready, first, channel, &mut all)?,
            Sync::Receive(_) | Sync::Event(_) => {}
        }
    }
    for vector in &rules.network.vectors {
        let mut choices = Vec::new();
        for participant in &vector.participants {
            let options = ready.iter().filter(|edge| {
                edge.process == participant.process && edge.sync == Sync::Event(participant.event)
            });
            // A weak participant stays away only where its location has no such edge, whatever the guards say.
            let sync = Sync::Event(participant.event);
            let weak = participant.weak && !rules.offers(state, participant.process, sync);
            choices.push((options.collect(), weak));
        }
        for (taken, left) in combinations(&choices)? {
            if !taken.is_empty() {
                all.push(combined(rules, &taken, &left, None));
            }
        }
    }
    if rules.any_committed(state) {
        all.retain(|m| m.edges.iter().any(|&(p, _)| rules.committed(state, p)));
    }
    Ok(all)
}

fn sent(
    rules: Rules<'_>,
    ready: &[Ready],
    sender: &Ready,
    channel: ChannelId,
    all: &mut Vec<Move>,
) -> Result<(), Fault> {
    let receivers = |process: ProcessId| {
        let sync = Sync::Receive(channel);
        let other = process != sender.process;
        ready
            .iter()
            .filter(move |edge| other && edge.process == process && edge.sync == sync)
    };
    let mut processes = rules.network.process_ids();
    match rules.network.channels[channel.index()].kind {
        ChannelKind::Binary => {
            for receiver in processes.flat_map(receivers) {
                all.push(combined(rules, &[sender, receiver], &[], Some(channel)));
            }
        }
        ChannelKind::Broadcast => {
            let choices: Vec<_> = processes
                .by_ref()
                .map(|process| (receivers(process).collect(), true))
                .collect();
            for (mut taken, left) in combinations(&choices)? {
                taken.insert(0, sender);
                all.push(combined(rules, &taken, &left, Some(channel)));
            }
        }
    }
    Ok(())
}

/// One edge for each participant, or none if it is weak and all of its edges are then left out.
type Combination<'r> = (Vec<&'r Ready>, Vec<&'r Ready>);

fn combinations<'r>(choices: &[(Vec<&'r Ready>, bool)]) -> Result<Vec<Combination<'r>>, Fault> {
    let mut all: Vec<Combination<'r>> = vec![Default::default()];
    for (options, weak) in choices {
        let mut next = Vec::new();
        for (taken, left) in all {
            for option in options {
                let mut taken = taken.clone();
                taken.push(*option);
                next.push((taken, left.clone()));
            }
            // It can stay out only where none of its edges is enabled; one without clock constraints always is.
            if *weak && !options.iter().any(|option| option.guard.is_empty()) {
                let mut left = left;
                left.extend(options);
                next.push((taken, left));
            }
        }
        if next.len() > COMBINATION_LIMIT {
            return Err(Fault::new(FaultKind::Endless));
        }
        all = next;
    }
    Ok(all)
}

fn combined(
    rules: Rules<'_>,
    taken: &[&Ready],
    left: &[&Ready],
    channel: Option<ChannelId>,
) -> Move {
    let network = rules.network;
    Move {
        edges: taken.iter().map(|edge| (edge.process, edge.edge)).collect(),
        guard: taken.iter().flat_map(|edge| edge.guard.clone()).collect(),
        excluded: left.iter().map(|edge| edge.guard.clone()).collect(),
        priority: priority(rules, taken.iter().map(|edge| edge.process), {
            channel.map_or(network.default_priority, |channel| {
                network.channels[channel.index()].priority
            })
        }),
    }
}

/// The priority of a transition: the channel's first, then the highest of its processes'.
pub(crate) fn priority(
    rules: Rules<'_>,
    processes: impl Iterator<Item = ProcessId>,
    channel: i32,
) -> (i32, i32) {
    let highest = processes.map(|process| rules.network.process(process).priority);
    (channel, highest.max().unwrap_or(0))
}

/// The conjunctions under which a synchronisation over an urgent channel is possible.
pub(crate) fn urgent(rules: Rules<'_>, ready: &[Ready]) -> Vec<Vec<Atom>> {
    let mut all = Vec::new();
    for sender in ready {
        let Sync::Send(id) = sender.sync else {
            continue;
        };
        let channel = &rules.network.channels[id.index()];
        if !channel.urgent {
            continue;
        }
        match channel.kind {
            ChannelKind::Broadcast => all.push(sender.guard.clone()),
            ChannelKind::Binary => {
                for receiver in ready {
                    if receiver.sync == Sync::Receive(id) && receiver.process != sender.process {
                        all.push([&sender.guard[..], &receiver.guard[..]].concat());
                    }
                }
            }
        }
    }
    all
}

/// Where a move leads; `None` where it leads nowhere by its data.
pub(crate) fn after(
    rules: Rules<'_>,
    state: &Discrete,
    edges: &[(ProcessId, EdgeId)],
) -> Result<Option<After>, Fault> {
    let (next, clocks) = match rules.apply(state, edges) {
        Ok(next) => next,
        Err(Stop::Disabled) => return Ok(None),
        Err(Stop::Fault(fault)) => return Err(fault),
    };
    let Some(invariant) = rules.invariant(&next)? else {
        return Ok(None);
    };
    let entry = invariant.iter().map(|atom| atom.before(&clocks)).collect();
    Ok(Some(After {
        state: next,
        clocks,
        entry,
    }))
}
