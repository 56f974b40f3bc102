//! Making a network that shows a failure smaller.

use merkhet_network::{LocationKind, Network, Participant};

/// Drops edges, constraints, updates and whole processes as long as the network still fails: by halves first, then by ever
/// smaller parts (delta debugging, Zeller and Hildebrandt 2002), until no single step can be left out.
///
/// Processes are taken away from the end only, so that the ids in queries stay right; the predicate must cope with
/// queries about processes that are gone, or be true for none of those.
pub fn minimise(network: &Network, mut fails: impl FnMut(&Network) -> bool) -> Network {
    let mut best = network.clone();
    let mut part = changes(&best).len();
    while part > 0 {
        let mut smaller = false;
        let mut start = 0;
        loop {
            let all = changes(&best);
            let end = (start + part).min(all.len());
            if start >= end {
                break;
            }
            let mut candidate = best.clone();
            // What comes later in the list is further behind in the network: taken away first it moves nothing.
            let mut changed = false;
            for change in all[start..end].iter().rev() {
                changed |= change(&mut candidate);
            }
            match changed && fails(&candidate) {
                // The list is shorter now: the next changes stand at the same place.
                true => (best, smaller) = (candidate, true),
                false => start = end,
            }
        }
        match (part, smaller) {
            (1, true) => {}
            _ => part /= 2,
        }
    }
    best
}

type Change = Box<dyn Fn(&mut Network) -> bool>;

/// All single steps towards a smaller network, the largest first.
fn changes(network: &Network) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    all.push(Box::new(|n| n.processes.len() > 1 && drop_last_process(n)));
    all.push(Box::new(|n| {
        !std::mem::take(&mut n.after_update).is_empty()
    }));
    all.push(Box::new(|n| {
        !std::mem::take(&mut n.before_update).is_empty()
    }));
    for (p, process) in network.processes.iter().enumerate() {
        all.push(Box::new(move |n| {
            !std::mem::take(&mut n.processes[p].edges).is_empty()
        }));
        for e in 0..process.edges.len() {
            all.push(Box::new(move |n| {
                n.processes[p].edges.remove(e);
                true
            }));
        }
        for (e, edge) in process.edges.iter().enumerate() {
            all.push(Box::new(move |n| {
                n.processes[p].edges[e].guard.data.take().is_some()
            }));
            for c in 0..edge.guard.clocks.len() {
                all.push(Box::new(move |n| {
                    n.processes[p].edges[e].guard.clocks.remove(c);
                    true
                }));
                all.push(Box::new(move |n| {
                    let constraint = &mut n.processes[p].edges[e].guard.clocks[c];
                    constraint.condition.take().is_some()
                }));
            }
            for u in 0..edge.update.len() {
                all.push(Box::new(move |n| {
                    n.processes[p].edges[e].update.remove(u);
                    true
                }));
            }
        }
        for (l, location) in process.locations.iter().enumerate() {
            all.push(Box::new(move |n| {
                let kind = &mut n.processes[p].locations[l].kind;
                std::mem::replace(kind, LocationKind::Normal) != LocationKind::Normal
            }));
            all.push(Box::new(move |n| {
                n.processes[p].locations[l].invariant.data.take().is_some()
            }));
            for c in 0..location.invariant.clocks.len() {
                all.push(Box::new(move |n| {
                    n.processes[p].locations[l].invariant.clocks.remove(c);
                    true
                }));
            }
            for r in 0..location.invariant.rates.len() {
                all.push(Box::new(move |n| {
                    n.processes[p].locations[l].invariant.rates.remove(r);
                    true
                }));
            }
        }
    }
    for c in 0..network.channels.len() {
        all.push(Box::new(move |n| std::mem::take(&mut n.channels[c].urgent)));
    }
    for (v, _) in network.vectors.iter().enumerate() {
        all.push(Box::new(move |n| {
            n.vectors.remove(v);
            true
        }));
    }
    all
}

fn drop_last_process(network: &mut Network) -> bool {
    network.processes.pop();
    let left = network.processes.len();
    for vector in &mut network.vectors {
        let gone = |participant: &Participant| participant.process.index() >= left;
        vector.participants.retain(|participant| !gone(participant));
    }
    true
}
