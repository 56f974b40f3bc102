//! Rules of time and synchronisation by which a larger element may allow less.
//!
//! Where a guard that reads lattice variables decides who must take part in a broadcast, what is put off by priorities or
//! whether time is stopped by an urgent channel, more enabled transitions may mean less behaviour. An invariant that
//! larger elements violate does the same, and so does a rate that changes with them. Covering is not used there unless the user asks for it.

use merkhet_network::{ChannelKind, Edge, Network, Sync};

use crate::polarity::{Polarity, of_expr};

/// Why larger elements may allow less in a network, if that is so; guards and updates themselves are not judged.
pub fn obstacle(network: &Network) -> Option<String> {
    if network.lattice_variables.is_empty() {
        return None;
    }
    for process in &network.processes {
        for location in &process.locations {
            let data = location.invariant.data.as_ref();
            let kept = data.is_none_or(|data| {
                matches!(of_expr(network, data), Polarity::Fixed | Polarity::Rises)
            });
            let bounds = location.invariant.clocks.iter();
            let fixed = bounds.clone().all(|constraint| {
                let condition = constraint.condition.iter();
                (condition.chain([&constraint.bound]))
                    .all(|e| of_expr(network, e) == Polarity::Fixed)
            });
            let rates = (location.invariant.rates.iter())
                .all(|rate| of_expr(network, &rate.value) == Polarity::Fixed);
            if !rates {
                let (process, location) = (&process.name, &location.name);
                return Some(format!(
                    "larger elements change how fast clocks run in {process}.{location}"
                ));
            }
            // An edge that enters a location competes by priority only where the invariant permits it.
            if data.is_some_and(|data| of_expr(network, data) != Polarity::Fixed)
                && network.has_priorities()
            {
                let (process, location) = (&process.name, &location.name);
                return Some(format!(
                    "with priorities, larger elements may let edges into {process}.{location} put off others"
                ));
            }
            if !kept || !fixed {
                let (process, location) = (&process.name, &location.name);
                return Some(format!(
                    "the invariant of {process}.{location} may exclude larger elements"
                ));
            }
        }
        for edge in &process.edges {
            let what = match edge.sync {
                Sync::Receive(id)
                    if network.channels[id.index()].kind == ChannelKind::Broadcast =>
                {
                    "receives a broadcast"
                }
                Sync::Receive(id) | Sync::Send(id) if network.channels[id.index()].urgent => {
                    "synchronises over an urgent channel"
                }
                _ if network.has_priorities() => "competes by priority",
                _ => continue,
            };
            if reads_lattices(network, edge) {
                let name = &process.name;
                return Some(format!(
                    "an edge of {name} that {what} has a guard on lattice variables"
                ));
            }
        }
    }
    None
}

fn reads_lattices(network: &Network, edge: &Edge) -> bool {
    let data = edge.guard.data.iter();
    let clocks = (edge.guard.clocks.iter())
        .flat_map(|constraint| constraint.condition.iter().chain([&constraint.bound]));
    data.chain(clocks)
        .any(|expr| of_expr(network, expr) != Polarity::Fixed)
}
