//! An instantiated network in TChecker's language.
//!
//! Binary channels become synchronisation vectors of two participants, broadcasts vectors with weak receivers. Each
//! location carries its process and name as a label (`P_A`), which is what goals refer to there.

use std::collections::BTreeSet;
use std::fmt::Write;

use merkhet_network::{
    ChannelId, ChannelKind, Edge, Location, LocationKind, Network, Process, ProcessId, Region, Sync,
};

use super::NotConvertible;
use super::flat_expression::Flat;

pub(super) fn refuse<T>(what: impl Into<String>) -> Result<T, NotConvertible> {
    Err(NotConvertible(format!(
        "the flat language cannot say {}",
        what.into()
    )))
}

/// The whole file.
pub(super) fn render(network: &Network, name: &str) -> Result<String, NotConvertible> {
    permitted(network)?;
    let names = Names::new(network, name);
    let flat = Flat::new(network, &names)?;
    let mut text = format!("system:{}\n\nevent:tau\n", names.system);
    for (index, channel) in network.channels.iter().enumerate() {
        let name = &names.channels[index];
        let _ = writeln!(
            text,
            "# channel {}\nevent:{name}_send\nevent:{name}_receive",
            channel.name
        );
    }
    for name in &names.clocks {
        let _ = writeln!(text, "clock:1:{name}");
    }
    text += &flat.declarations()?;
    for (index, process) in network.processes.iter().enumerate() {
        let own = &names.processes[index];
        let _ = writeln!(text, "\nprocess:{own}");
        for (place, location) in process.locations.iter().enumerate() {
            let initial = process.initial.index() == place;
            text += &flat.location(own, &names.locations[index][place], location, initial)?;
        }
        for edge in &process.edges {
            if has_partner(network, ProcessId::from(index), edge.sync) {
                text += &edge_line(&flat, &names, index, edge)?;
            }
        }
    }
    text.push('\n');
    Ok(text + &vectors(network, &names)?)
}

fn permitted(network: &Network) -> Result<(), NotConvertible> {
    if network.has_priorities() {
        return refuse("priorities");
    }
    if !network.before_update.is_empty() || !network.after_update.is_empty() {
        return refuse("before_update or after_update");
    }
    if !network.vectors.is_empty() {
        return refuse("the vectors of a model that is flat already: copy the file");
    }
    if let Some(channel) = network.channels.iter().find(|channel| channel.urgent) {
        return refuse(format!("that channel {} is urgent", channel.name));
    }
    Ok(())
}

/// Names that the flat language takes, each of them once.
pub(super) struct Names {
    pub system: String,
    pub processes: Vec<String>,
    pub locations: Vec<Vec<String>>,
    pub clocks: Vec<String>,
    pub channels: Vec<String>,
    pub variables: Vec<String>,
}

impl Names {
    fn new(network: &Network, system: &str) -> Names {
        let keywords = [
            "if", "then", "else", "end", "while", "do", "local", "nop", "tau",
        ];
        let mut taken: BTreeSet<String> = keywords.map(String::from).into();
        let mut fresh = |name: &str| unique(name, &mut taken);
        Names {
            system: fresh(system),
            processes: network
                .processes
                .iter()
                .map(|one| fresh(&one.name))
                .collect(),
            clocks: network.clocks.iter().map(|one| fresh(&one.name)).collect(),
            channels: network
                .channels
                .iter()
                .map(|one| fresh(&one.name))
                .collect(),
            variables: network
                .variables
                .iter()
                .map(|one| fresh(&one.name))
                .collect(),
            locations: network
                .processes
                .iter()
                .map(|process| {
                    let mut own = BTreeSet::new();
                    let names = process.locations.iter();
                    names.map(|one| unique(&one.name, &mut own)).collect()
                })
                .collect(),
        }
    }
}

fn unique(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    while plain.ends_with("__") {
        plain.pop();
    }
    if !plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        plain.insert(0, '_');
    }
    let mut name = plain.clone();
    let mut number = 2;
    while !taken.insert(name.clone()) {
        name = format!("{plain}_{number}");
        number += 1;
    }
    name
}

/// Who sends and who receives on a channel.
fn ends(network: &Network, channel: ChannelId) -> (Vec<ProcessId>, Vec<ProcessId>) {
    let with = |wanted: Sync| {
        let has = |process: &Process| process.edges.iter().any(|edge| edge.sync == wanted);
        let all = network.process_ids();
        all.filter(|id| has(network.process(*id))).collect()
    };
    (with(Sync::Send(channel)), with(Sync::Receive(channel)))
}

/// Edges that nobody can ever meet are left out: alone they would be free to go.
fn has_partner(network: &Network, process: ProcessId, sync: Sync) -> bool {
    match sync {
        Sync::Internal | Sync::Event(_) => true,
        Sync::Send(channel) => {
            let broadcast = network.channels[channel.index()].kind == ChannelKind::Broadcast;
            broadcast
                || ends(network, channel)
                    .1
                    .iter()
                    .any(|other| *other != process)
        }
        Sync::Receive(channel) => ends(network, channel)
            .0
            .iter()
            .any(|other| *other != process),
    }
}

fn edge_line(
    flat: &Flat<'_>,
    names: &Names,
    process: usize,
    edge: &Edge,
) -> Result<String, NotConvertible> {
    let event = match edge.sync {
        Sync::Internal => "tau".to_string(),
        Sync::Send(channel) => format!("{}_send", names.channels[channel.index()]),
        Sync::Receive(channel) => format!("{}_receive", names.channels[channel.index()]),
        Sync::Event(_) => return refuse("events of a model that is flat already"),
    };
    let place = &names.locations[process];
    let mut attributes = Vec::new();
    let guard = flat.condition(edge.guard.data.as_ref(), &edge.guard.clocks)?;
    if !guard.is_empty() {
        attributes.push(format!("provided: {guard}"));
    }
    if !edge.update.is_empty() {
        attributes.push(format!("do: {}", flat.statements(&edge.update)?));
    }
    Ok(format!(
        "edge:{}:{}:{}:{event}{{{}}}\n",
        names.processes[process],
        place[edge.source.index()],
        place[edge.target.index()],
        attributes.join(" : ")
    ))
}

fn vectors(network: &Network, names: &Names) -> Result<String, NotConvertible> {
    let mut text = String::new();
    for (index, channel) in network.channels.iter().enumerate() {
        let id = ChannelId::from(index);
        let (senders, receivers) = ends(network, id);
        let name = &names.channels[index];
        let port = |process: ProcessId, end: &str| {
            format!("{}@{name}_{end}", names.processes[process.index()])
        };
        for sender in &senders {
            let others = receivers.iter().filter(|receiver| *receiver != sender);
            match channel.kind {
                ChannelKind::Binary => {
                    for receiver in others {
                        let _ = writeln!(
                            text,
                            "sync:{}:{}",
                            port(*sender, "send"),
                            port(*receiver, "receive")
                        );
                    }
                }
                ChannelKind::Broadcast => {
                    let mut line = format!("sync:{}", port(*sender, "send"));
                    for receiver in others {
                        free_to_join(network, *receiver, id)?;
                        line += &format!(":{}?", port(*receiver, "receive"));
                    }
                    if line.contains('?') {
                        text += &line;
                        text.push('\n');
                    }
                }
            }
        }
    }
    Ok(text)
}

/// A weak participant must join wherever its location has an edge, and so its edges must have no guard: TChecker refuses
/// such a system, also where another edge of the same location is free. In UPPAAL it stays away if its guard fails.
fn free_to_join(
    network: &Network,
    process: ProcessId,
    channel: ChannelId,
) -> Result<(), NotConvertible> {
    let process = network.process(process);
    let mut receiving = (process.edges.iter()).filter(|edge| edge.sync == Sync::Receive(channel));
    let guarded = receiving.any(|edge| edge.guard.data.is_some() || !edge.guard.clocks.is_empty());
    match guarded {
        true => refuse(format!(
            "that {} receives a broadcast under a guard",
            process.name
        )),
        false => Ok(()),
    }
}

impl Flat<'_> {
    fn location(
        &self,
        process: &str,
        name: &str,
        location: &Location,
        initial: bool,
    ) -> Result<String, NotConvertible> {
        if !location.invariant.rates.is_empty() {
            return refuse("that clocks stand still");
        }
        let mut attributes = Vec::new();
        if initial {
            attributes.push("initial:".to_string());
        }
        match location.kind {
            LocationKind::Normal => {}
            LocationKind::Urgent => attributes.push("urgent:".into()),
            LocationKind::Committed => attributes.push("committed:".into()),
        }
        let invariant =
            self.condition(location.invariant.data.as_ref(), &location.invariant.clocks)?;
        if !invariant.is_empty() {
            attributes.push(format!("invariant: {invariant}"));
        }
        attributes.push(format!("labels: {process}_{name}"));
        Ok(format!(
            "location:{process}:{name}{{{}}}\n",
            attributes.join(" : ")
        ))
    }

    /// Variables, as arrays where they are indexed and as single integers elsewhere.
    fn declarations(&self) -> Result<String, NotConvertible> {
        let mut text = String::new();
        for (index, variable) in self.network.variables.iter().enumerate() {
            let base = variable.base;
            if base.region == Region::Constant {
                continue;
            }
            let cells = &self.network.cells(base.region)[base.offset as usize..]
                [..variable.shape.cells() as usize];
            let name = &self.names.variables[index];
            let Some(first) = cells.first() else { continue };
            let alike = cells.iter().all(|cell| {
                (cell.low, cell.high, cell.initial) == (first.low, first.high, first.initial)
            });
            if self.indexed[index] {
                if !alike {
                    return refuse(format!(
                        "the array {}, whose elements differ in range or initial value",
                        variable.name
                    ));
                }
                let (low, high, initial) = (first.low, first.high, first.initial);
                let _ = writeln!(text, "int:{}:{low}:{high}:{initial}:{name}", cells.len());
                continue;
            }
            for (offset, cell) in cells.iter().enumerate() {
                let name = self.cell_name(index, offset, cells.len());
                let _ = writeln!(
                    text,
                    "int:1:{}:{}:{}:{name}",
                    cell.low, cell.high, cell.initial
                );
            }
        }
        Ok(text)
    }
}
