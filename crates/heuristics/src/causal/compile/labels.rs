//! The transitions of a network: the edges that are taken together.

use merkhet_network::{ChannelId, ChannelKind, Edge, EdgeId, Expr, Network, ProcessId, Stmt, Sync};

/// An edge that takes part in a transition.
#[derive(Clone, Copy, Debug)]
pub(in crate::causal) struct Taken<'n> {
    pub process: ProcessId,
    pub id: EdgeId,
    pub edge: &'n Edge,
}

/// A transition.
#[derive(Clone, Debug)]
pub(in crate::causal) struct Label<'n> {
    /// Who moves.
    pub edges: Vec<Taken<'n>>,
    /// What is asked of the data, in conjunction.
    pub guards: Vec<&'n Expr>,
    /// What is done, in order.
    pub statements: Vec<&'n Stmt>,
}

impl<'n> Label<'n> {
    fn new(network: &'n Network, edges: Vec<Taken<'n>>) -> Label<'n> {
        let mut guards = Vec::new();
        for taken in &edges {
            if let Some(data) = &taken.edge.guard.data {
                conjuncts(data, &mut guards);
            }
        }
        let own = edges.iter().flat_map(|taken| &taken.edge.update);
        let statements = network
            .before_update
            .iter()
            .chain(own)
            .chain(&network.after_update)
            .collect();
        Label {
            edges,
            guards,
            statements,
        }
    }
}

pub(in crate::causal) fn conjuncts<'n>(expr: &'n Expr, into: &mut Vec<&'n Expr>) {
    match expr {
        Expr::And(parts) => parts.iter().for_each(|part| conjuncts(part, into)),
        Expr::Const(value) if *value != 0 => {}
        other => into.push(other),
    }
}

/// All transitions. A broadcast counts once alone and once with each receiver. More than `most` are not told apart: edges
/// then count without their partners.
pub(in crate::causal) fn labels(network: &Network, most: usize) -> Vec<Label<'_>> {
    let mut edges: Vec<Taken<'_>> = Vec::new();
    for process in network.process_ids() {
        let own = network.process(process).edges.iter().enumerate();
        edges.extend(own.map(|(id, edge)| Taken {
            process,
            id: EdgeId::from(id),
            edge,
        }));
    }
    let mut sets: Vec<Vec<Taken<'_>>> = Vec::new();
    for taken in &edges {
        let alone = match taken.edge.sync {
            Sync::Internal => true,
            Sync::Send(channel) => network.channels[channel.index()].kind == ChannelKind::Broadcast,
            Sync::Receive(_) | Sync::Event(_) => false,
        };
        if alone {
            sets.push(vec![*taken]);
        }
    }
    for channel in (0..network.channels.len()).map(ChannelId::from) {
        let with = |sync: Sync| edges.iter().filter(move |taken| taken.edge.sync == sync);
        for sender in with(Sync::Send(channel)) {
            for receiver in
                with(Sync::Receive(channel)).filter(|other| other.process != sender.process)
            {
                sets.push(vec![*sender, *receiver]);
                if sets.len() > most {
                    return alone(network, edges);
                }
            }
        }
    }
    if !vectors(network, &edges, &mut sets, most) {
        return alone(network, edges);
    }
    let labels = sets.into_iter();
    labels.map(|edges| Label::new(network, edges)).collect()
}

fn alone<'n>(network: &'n Network, edges: Vec<Taken<'n>>) -> Vec<Label<'n>> {
    edges
        .into_iter()
        .map(|edge| Label::new(network, vec![edge]))
        .collect()
}

/// The ways to take the synchronisation vectors; weak participants are left out unless nobody else is there. False if
/// there are too many.
fn vectors<'n>(
    network: &'n Network,
    edges: &[Taken<'n>],
    sets: &mut Vec<Vec<Taken<'n>>>,
    most: usize,
) -> bool {
    for vector in &network.vectors {
        let only_weak = vector.participants.iter().all(|part| part.weak);
        let mut ways: Vec<Vec<Taken<'n>>> = vec![Vec::new()];
        for part in vector
            .participants
            .iter()
            .filter(|part| only_weak || !part.weak)
        {
            let matching: Vec<_> = edges
                .iter()
                .filter(|taken| {
                    taken.process == part.process && taken.edge.sync == Sync::Event(part.event)
                })
                .collect();
            if only_weak {
                sets.extend(matching.iter().map(|edge| vec![**edge]));
                continue;
            }
            if ways.len() * matching.len() + sets.len() > most {
                return false;
            }
            ways = ways
                .iter()
                .flat_map(|way| {
                    let extend = move |edge: &&Taken<'n>| {
                        let mut way = way.clone();
                        way.push(**edge);
                        way
                    };
                    matching.iter().map(extend)
                })
                .collect();
        }
        sets.extend(ways.into_iter().filter(|way| !way.is_empty()));
    }
    sets.len() <= most
}
