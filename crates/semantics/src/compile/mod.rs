//! From a network to a [`System`].

pub(crate) mod forget;
pub(crate) mod memo;
pub(crate) mod spots;

mod clocks;
mod data;
mod edges;
mod formula;

use std::fmt;

use merkhet_analysis::bounds::{BoundsRow, NO_BOUND, UNBOUNDED};
use merkhet_analysis::{ClockBounds, LiveCells, Symmetry};
use merkhet_network::code::ProgramBuilder;
use merkhet_network::{ChannelKind, LocationKind, Network, Stmt, Sync};
use merkhet_zones::bound;

use crate::Options;
use crate::compile::forget::Forgetting;
use crate::compile::memo::Planner;
use crate::compile::spots::Spots;
use crate::data::Test;
use crate::options::Scope;
use crate::symmetry::Families;
use crate::system::{
    BoundsCode, CellRange, ChannelCode, EdgeCode, Facts, LocationCode, ParticipantCode, System,
};

/// Why a network cannot be explored.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CompileError {
    /// More clocks than rows of a zone can be numbered.
    TooManyClocks(usize),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::TooManyClocks(clocks) => {
                write!(
                    f,
                    "{clocks} clocks are more than the {MAX_CLOCKS} that can be explored"
                )
            }
        }
    }
}

impl std::error::Error for CompileError {}

/// Rows of zones are numbered in 16 bits; a zone of that many clocks would take 16 GiB.
const MAX_CLOCKS: usize = u16::MAX as usize - 1;

/// Compiles a network with its bounds.
pub(crate) fn system(
    network: &Network,
    options: &Options<'_>,
    bounds: &ClockBounds,
) -> Result<System, CompileError> {
    if network.clocks.len() > MAX_CLOCKS {
        return Err(CompileError::TooManyClocks(network.clocks.len()));
    }
    let tuning = options.tuning();
    let memo_limits = memo::Limits::new(&tuning);
    let mut builder = ProgramBuilder::tuned(network, &tuning);
    let locations = locations(network, &mut builder, options.scope, bounds);
    let mut first_edge = vec![0];
    let mut all_edges: Vec<EdgeCode> = Vec::new();
    let (mut planner, mut plans) = (Planner::new(network, memo_limits), Vec::new());
    for (index, process) in network.processes.iter().enumerate() {
        for edge in &process.edges {
            let mut code = edges::edge(&mut builder, index, edge);
            if let (Test::Code(id), Some(guard)) = (&code.data, &edge.guard.data)
                && let Some(plan) = planner.plan(builder.layout(), guard)
            {
                code.data = Test::Remembered(*id, plans.len() as u32);
                plans.push(plan);
            }
            all_edges.push(code);
        }
        first_edge.push(all_edges.len() as u32);
    }
    let everywhere: Vec<BoundsCode> = match options.scope {
        Scope::Local => bounds.everywhere().iter().map(encoded).collect(),
        Scope::Global => bounds
            .global(network.clocks.len())
            .iter()
            .map(encoded)
            .collect(),
    };
    let goals = (options.demand.formulas.iter())
        .map(|formula| formula::goal(&mut builder, formula))
        .collect();
    let expressions = (options.expressions.iter())
        .map(|expression| data::value(&mut builder, expression))
        .collect();
    let block = |builder: &mut ProgramBuilder<'_>, statements: &[Stmt]| {
        (!statements.is_empty()).then(|| builder.statements(statements))
    };
    let before_update = block(&mut builder, &network.before_update);
    let after_update = block(&mut builder, &network.after_update);
    let layout = builder.layout().clone();
    let program = builder.finish();
    let initial = program.initial_memory()[..layout.meta.end].to_vec();
    let facts = facts(network, &locations);
    let forgetting = match options.forget_dead {
        true => {
            let formulas = options.demand.formulas;
            let live = LiveCells::new(network, formulas, options.expressions, &tuning);
            Forgetting::new(&live, &layout, &initial)
        }
        false => Forgetting::default(),
    };
    let mut system = System {
        dimension: network.dimension(),
        key_cells: layout.state.end,
        layout,
        initial,
        program,
        ranges: ranges(network),
        locations,
        spots: Spots::default(),
        edges: all_edges,
        plans,
        memo_limits,
        most_moves: tuning.count(&crate::tuning::TRANSITIONS),
        first_edge,
        channels: channels(network),
        vectors: vectors(network),
        before_update,
        after_update,
        out_of_range: network.out_of_range,
        default_priority: network.default_priority,
        process_priorities: network.processes.iter().map(|p| p.priority).collect(),
        everywhere_by_row: BoundsCode::by_row(&everywhere, network.clocks.len() + 1),
        everywhere,
        differences: bounds.differences().clone(),
        extrapolation: options.extrapolation,
        goals,
        expressions,
        facts,
        forgetting,
        families: None,
        symmetry: Symmetry::default(),
    };
    edges::sort_by_location(network, &mut system);
    system.spots = Spots::new(&system.locations, &system.vectors);
    if options.symmetry {
        permute(network, options, &mut system);
    }
    Ok(system)
}

/// Finds what can be permuted. Where clocks are compared with each other or stand still, zones are split or over-approximated:
/// nothing is permuted there.
fn permute(network: &Network, options: &Options<'_>, system: &mut System) {
    if !system.permits_simulation() || system.facts.has_stopwatches {
        return;
    }
    let found = Symmetry::find(network, options.demand.formulas, options.expressions);
    let families = Families::new(&found, &system.layout);
    system.families = families.filter(|families| families.fit_bounds(system));
    system.symmetry = found;
    // A dead cell that held the id of a member would tell it from the others.
    if let Some(families) = &system.families {
        let ranges = &system.ranges;
        (system.forgetting)
            .change(|slot, value| families.no_id(slot, value, ranges[slot as usize]));
    }
}

fn locations(
    network: &Network,
    builder: &mut ProgramBuilder<'_>,
    scope: Scope,
    bounds: &ClockBounds,
) -> Vec<Vec<LocationCode>> {
    let mut processes = Vec::with_capacity(network.processes.len());
    for (process_id, process) in network.process_ids().zip(&network.processes) {
        let mut codes = Vec::with_capacity(process.locations.len());
        for (index, location) in process.locations.iter().enumerate() {
            let invariant = &location.invariant;
            let upper_only = |c: &merkhet_network::ClockConstraint| c.is_upper();
            let rows = match scope {
                Scope::Local => bounds.at(process_id, index.into()),
                Scope::Global => &[],
            };
            codes.push(LocationCode {
                kind: location.kind,
                data: data::condition(builder, invariant.data.as_ref()),
                clocks: clocks::part(builder, &invariant.clocks),
                ask_at_entry: !invariant.clocks.iter().all(upper_only),
                rates: (invariant.rates.iter())
                    .map(|rate| {
                        let row = rate.clock.0 as u16 + 1;
                        (row, data::value(builder, &rate.value), rate.site)
                    })
                    .collect(),
                bounds: rows.iter().map(encoded).collect(),
                starts: Vec::new(),
                receives: Vec::new(),
                events: Vec::new(),
                sends_urgently: false,
            });
        }
        processes.push(codes);
    }
    processes
}

/// Bounds in the zones' encoding.
fn encoded(row: &BoundsRow) -> BoundsCode {
    let encode = |value: i32| match value {
        NO_BOUND => bound::NO_BOUND,
        UNBOUNDED => bound::MAX_CONSTANT,
        value => value,
    };
    BoundsCode {
        row: row.clock.0 + 1,
        lower: encode(row.lower),
        upper: encode(row.upper),
    }
}

fn ranges(network: &Network) -> Vec<CellRange> {
    let locations = network.processes.iter().map(|process| CellRange {
        low: 0,
        high: process.locations.len().saturating_sub(1) as i32,
    });
    let cells = network.state_cells.iter().chain(&network.meta_cells);
    locations
        .chain(cells.map(|cell| CellRange {
            low: cell.low.min(cell.initial),
            high: cell.high.max(cell.initial),
        }))
        .collect()
}

fn channels(network: &Network) -> Vec<ChannelCode> {
    let mut channels: Vec<ChannelCode> = (network.channels.iter())
        .map(|channel| ChannelCode {
            broadcast: channel.kind == ChannelKind::Broadcast,
            urgent: channel.urgent,
            priority: channel.priority,
            receivers: Vec::new(),
        })
        .collect();
    for (index, process) in network.processes.iter().enumerate() {
        for edge in &process.edges {
            if let Sync::Receive(channel) = edge.sync {
                let receivers = &mut channels[channel.index()].receivers;
                if receivers.last() != Some(&(index as u32)) {
                    receivers.push(index as u32);
                }
            }
        }
    }
    channels
}

fn vectors(network: &Network) -> Vec<Vec<ParticipantCode>> {
    let participant = |p: &merkhet_network::Participant| ParticipantCode {
        process: p.process.0,
        event: p.event.0,
        weak: p.weak,
    };
    (network.vectors.iter())
        .map(|vector| vector.participants.iter().map(participant).collect())
        .collect()
}

fn facts(network: &Network, locations: &[Vec<LocationCode>]) -> Facts {
    let all = || locations.iter().flatten();
    Facts {
        has_committed: all().any(|l| l.kind == LocationKind::Committed),
        has_urgent_channels: network.channels.iter().any(|c| c.urgent),
        has_urgent_clock_guards: (network.processes.iter().flat_map(|p| &p.edges)).any(|edge| {
            let urgent = match edge.sync {
                Sync::Send(channel) | Sync::Receive(channel) => {
                    network.channels[channel.index()].urgent
                }
                Sync::Internal | Sync::Event(_) => false,
            };
            urgent && !edge.guard.clocks.is_empty()
        }),
        has_priorities: network.has_priorities(),
        has_stopwatches: all().any(|l| {
            (l.rates.iter()).any(|(_, value, _)| !matches!(value, crate::data::Value::Const(1)))
        }),
    }
}
