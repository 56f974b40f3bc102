//! Symbolic states and transitions in words, for simulation and drawings.

use merkhet::explore::{Exploration, SymbolicState};
use merkhet::network::{Network, Sync, Transition};

/// `press: Person Walking -> Walking, Lamp Off -> Lit`.
pub fn transition(network: &Network, transition: &Transition) -> String {
    let moves: Vec<String> = transition
        .edges
        .iter()
        .map(|&(process, edge)| {
            let edge = network.edge(process, edge);
            let place = |at| &network.location(process, at).name;
            let name = &network.process(process).name;
            format!("{name} {} -> {}", place(edge.source), place(edge.target))
        })
        .collect();
    let channel = transition.edges.iter().find_map(|&(process, edge)| {
        match network.edge(process, edge).sync {
            Sync::Send(channel) => Some(&network.channels[channel.index()].name),
            _ => None,
        }
    });
    let channel = channel.map(|name| format!("{name}: ")).unwrap_or_default();
    channel + &moves.join(", ")
}

/// The locations, as `Lamp.Off`.
pub fn locations(network: &Network, state: &SymbolicState) -> Vec<String> {
    let place = |process| {
        let location = &network.location(process, state.location(process)).name;
        format!("{}.{location}", network.process(process).name)
    };
    network.process_ids().map(place).collect()
}

/// The variables, as `turn = 1`.
pub fn values(exploration: &Exploration<&Network>, state: &SymbolicState) -> Vec<String> {
    let names = exploration.value_names();
    let values = names.iter().zip(state.values());
    values
        .map(|(name, value)| format!("{name} = {value}"))
        .collect()
}
