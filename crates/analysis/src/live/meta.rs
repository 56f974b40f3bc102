//! `meta` variables whose values outlast a transition.
//!
//! States that differ in `meta` variables only count as equal. That is right for what a transition writes before it
//! reads it; a variable that is read while it still has the value from before makes such states different, and a
//! search that takes them for one may miss what follows.

use std::collections::HashMap;

use merkhet_network::{
    ChannelId, Formula, Measure, Network, Query, QueryKind, Region, Sync, VariableId,
};

use super::flow::{Cells, Flow, Flows};
use super::{formula_reads, guard_reads, invariant_reads};

/// The variables in [`Region::Meta`] that a guard or an invariant reads, or a transition before it has written them.
///
/// The code of a transition runs in this order: `before_update`, the sender's (or the only) update, those of the
/// receivers, `after_update`.
pub fn lasting_meta(network: &Network) -> Vec<VariableId> {
    if network.meta_cells.is_empty() {
        return Vec::new();
    }
    let mut flows = Flows::new(network, Region::Meta);
    let Flow { exposed, definite } = flows.update(&network.before_update);
    let (mut found, before) = (exposed, definite);
    let mut receivers: Vec<(ChannelId, Cells)> = Vec::new();
    // What every sender of a channel writes, and what the first update of every transition does.
    let mut sent: HashMap<ChannelId, Cells> = HashMap::new();
    let mut first: Option<Cells> = None;
    for process in &network.processes {
        for location in &process.locations {
            invariant_reads(location, &mut flows, &mut found);
        }
        for edge in &process.edges {
            guard_reads(edge, &mut flows, &mut found);
            let Flow { exposed, definite } = flows.update(&edge.update);
            if let Sync::Receive(channel) = edge.sync {
                receivers.push((channel, exposed));
                continue;
            }
            found.extend(exposed.difference(&before));
            if let Sync::Send(channel) = edge.sync {
                let all = sent.entry(channel).or_insert_with(|| definite.clone());
                all.retain(|cell| definite.contains(cell));
            }
            let all = first.get_or_insert_with(|| definite.clone());
            all.retain(|cell| definite.contains(cell));
        }
    }
    for (channel, exposed) in receivers {
        // Without a sender the edge is never taken.
        if let Some(sent) = sent.get(&channel) {
            found.extend(
                exposed
                    .difference(&before)
                    .filter(|cell| !sent.contains(cell)),
            );
        }
    }
    let first = first.unwrap_or_default();
    let after = flows.update(&network.after_update).exposed;
    found.extend(
        after
            .difference(&before)
            .filter(|cell| !first.contains(cell)),
    );
    variables(network, &found)
}

/// The variables in [`Region::Meta`] that a query reads.
pub fn reads_meta(network: &Network, query: &Query) -> Vec<VariableId> {
    if network.meta_cells.is_empty() {
        return Vec::new();
    }
    let mut flows = Flows::new(network, Region::Meta);
    let mut found = Cells::new();
    let mut formula = |formula: &Formula| formula_reads(formula, &mut flows, &mut found);
    match &query.kind {
        QueryKind::Possibly(p)
        | QueryKind::Invariantly(p)
        | QueryKind::PotentiallyAlways(p)
        | QueryKind::Eventually(p) => formula(p),
        QueryKind::LeadsTo(p, q) => {
            formula(p);
            formula(q);
        }
        QueryKind::Bounds {
            predicate,
            measures,
            ..
        } => {
            formula(predicate);
            for (measure, _) in measures {
                if let Measure::Data(expr) = measure {
                    found.append(&mut flows.reads(expr));
                }
            }
        }
        QueryKind::Explore => {}
    }
    variables(network, &found)
}

fn variables(network: &Network, cells: &Cells) -> Vec<VariableId> {
    let of = |cell: &u32| network.meta_cells[*cell as usize].variable;
    let mut found: Vec<VariableId> = cells.iter().map(of).collect();
    found.sort_unstable();
    found.dedup();
    found
}
