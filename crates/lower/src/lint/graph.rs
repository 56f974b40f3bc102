//! What the graph of a template alone tells.

use super::facts::Facts;
use merkhet_network::{ChannelKind, LocationKind, Sync};
use merkhet_syntax::Diagnostic;
use merkhet_syntax::tree::{EndpointTarget, Location, Template};
use std::collections::HashSet;

/// Which locations and branch points can be reached by edges from the initial location.
fn reachable(template: &Template) -> Option<(Vec<bool>, Vec<bool>)> {
    let (initial, _) = template.initial?;
    let count = template.locations.len();
    let node = |target: &EndpointTarget| match target {
        EndpointTarget::Location(index) => Some(*index),
        EndpointTarget::Branchpoint(index) => Some(count + *index),
        EndpointTarget::Unknown(_) => None,
    };
    let mut successors = vec![Vec::new(); count + template.branchpoints.len()];
    for edge in &template.edges {
        if let (Some(from), Some(to)) = (node(&edge.source.target), node(&edge.target.target))
            && let Some(list) = successors.get_mut(from)
        {
            list.push(to);
        }
    }
    let mut reached = vec![false; successors.len()];
    let mut waiting = vec![initial];
    while let Some(at) = waiting.pop() {
        if let Some(mark) = reached.get_mut(at).filter(|mark| !**mark) {
            *mark = true;
            waiting.extend(&successors[at]);
        }
    }
    let branchpoints = reached.split_off(count);
    Some((reached, branchpoints))
}

/// Locations without a path to them.
pub fn unreachable_location(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    for template in &facts.model.templates {
        let Some((locations, _)) = reachable(template) else {
            continue;
        };
        for (location, reached) in template.locations.iter().zip(locations) {
            if !reached {
                let message = format!("no edges lead to `{}`", location.display_name());
                out.push(Diagnostic::warning(
                    "unreachable-location",
                    message,
                    name_span(location),
                ));
            }
        }
    }
}

/// Edges that leave them.
pub fn unreachable_edge(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    for template in &facts.model.templates {
        let Some((locations, branchpoints)) = reachable(template) else {
            continue;
        };
        for edge in &template.edges {
            let reached = match edge.source.target {
                EndpointTarget::Location(index) => locations.get(index),
                EndpointTarget::Branchpoint(index) => branchpoints.get(index),
                EndpointTarget::Unknown(_) => None,
            };
            if reached == Some(&false) {
                let message = "this edge starts where no edges lead to";
                out.push(Diagnostic::warning("unreachable-edge", message, edge.span));
            }
        }
    }
}

/// Committed locations that are left only by receiving over binary channels.
pub fn committed_receive(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    let network = &facts.lowered.network;
    let mut seen = HashSet::new();
    for process in &network.processes {
        for (index, location) in process.locations.iter().enumerate() {
            if location.kind != LocationKind::Committed || !seen.insert(location.site) {
                continue;
            }
            let mut edges = (process.edges.iter())
                .filter(|edge| edge.source.index() == index)
                .peekable();
            let receives = edges.peek().is_some()
                && edges.all(|edge| match edge.sync {
                    Sync::Receive(channel) => (network.channels.get(channel.index()))
                        .is_some_and(|channel| channel.kind == ChannelKind::Binary),
                    _ => false,
                });
            if let (true, Some(span)) = (receives, facts.span(location.site)) {
                let message = format!(
                    "the committed location `{}` can only be left by receiving",
                    location.name
                );
                out.push(Diagnostic::warning("committed-receive", message, span));
            }
        }
    }
}

fn name_span(location: &Location) -> merkhet_syntax::Span {
    location
        .name
        .as_ref()
        .map_or(location.span, |name| name.span)
}
