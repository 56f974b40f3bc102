//! Small networks by hand.

use merkhet_network::{
    Address, Cell, Channel, ChannelId, ChannelKind, Clock, ClockConstraint, ClockId, ClockPlace,
    Edge, EdgeId, Ending, Expr, Formula, Guard, Invariant, Location, LocationId, LocationKind,
    Network, Place, Process, ProcessId, Region, Shape, SiteId, Step, Stmt, Sync, Trace, Transition,
    Variable, VariableId,
};

/// A network with clocks x0, x1, … and no processes yet.
pub fn network(clocks: usize) -> Network {
    Network {
        clocks: (0..clocks)
            .map(|clock| Clock {
                name: format!("x{clock}"),
                owner: None,
            })
            .collect(),
        ..Network::default()
    }
}

pub fn channel(network: &mut Network, kind: ChannelKind, urgent: bool) -> ChannelId {
    network.channels.push(Channel {
        name: format!("c{}", network.channels.len()),
        kind,
        urgent,
        priority: 0,
    });
    ChannelId::from(network.channels.len() - 1)
}

/// A variable with values 0..=9, at first 0.
pub fn variable(network: &mut Network) -> Address {
    let base = Address {
        region: Region::State,
        offset: network.state_cells.len() as u32,
    };
    let variable = VariableId::from(network.variables.len());
    network.state_cells.push(Cell {
        low: 0,
        high: 9,
        initial: 0,
        variable,
    });
    network.variables.push(Variable {
        name: format!("v{}", variable.0),
        owner: None,
        shape: Shape::Int { low: 0, high: 9 },
        base,
    });
    base
}

pub fn assign(target: Address, value: Expr) -> Stmt {
    Stmt::Assign {
        target: Place::cell(target),
        value,
        low: 0,
        high: 9,
        site: SiteId::NONE,
    }
}

pub fn reset(clock: u32) -> Stmt {
    Stmt::Reset {
        clock: ClockPlace {
            base: ClockId(clock),
            indices: Vec::new(),
        },
        value: Expr::Const(0),
        site: SiteId::NONE,
    }
}

fn constraint(left: Option<u32>, right: Option<u32>, strict: bool, bound: i32) -> ClockConstraint {
    ClockConstraint {
        condition: None,
        left: left.map(ClockId),
        right: right.map(ClockId),
        strict,
        bound: Expr::Const(bound),
        site: SiteId::NONE,
    }
}

pub fn at_most(clock: u32, value: i32) -> ClockConstraint {
    constraint(Some(clock), None, false, value)
}

pub fn at_least(clock: u32, value: i32) -> ClockConstraint {
    constraint(None, Some(clock), false, -value)
}

pub fn above(clock: u32, value: i32) -> ClockConstraint {
    constraint(None, Some(clock), true, -value)
}

/// A process with normal locations, each with the constraints of its invariant.
pub fn process(network: &mut Network, invariants: Vec<Vec<ClockConstraint>>) -> usize {
    let index = network.processes.len();
    let locations = invariants
        .into_iter()
        .enumerate()
        .map(|(at, clocks)| Location {
            name: format!("L{at}"),
            named: true,
            kind: LocationKind::Normal,
            invariant: Invariant {
                clocks,
                ..Invariant::default()
            },
            labels: Vec::new(),
            position: None,
            site: SiteId::NONE,
        });
    network.processes.push(Process {
        name: format!("P{index}"),
        template: format!("P{index}"),
        locations: locations.collect(),
        initial: LocationId(0),
        edges: Vec::new(),
        priority: 0,
    });
    index
}

pub fn edge(
    network: &mut Network,
    process: usize,
    (source, target): (u32, u32),
    clocks: Vec<ClockConstraint>,
    sync: Sync,
    update: Vec<Stmt>,
) {
    let edges = &mut network.processes[process].edges;
    edges.push(Edge {
        source: LocationId(source),
        target: LocationId(target),
        guard: Guard { data: None, clocks },
        sync,
        update,
        select: Vec::new(),
        origin: edges.len() as u32,
        site: SiteId::NONE,
    });
}

/// The process is at the location.
pub fn at(process: u32, location: u32) -> Formula {
    Formula::Data(Expr::At(ProcessId(process), LocationId(location)))
}

/// A trace of (delay, edges as (process, edge)) with whole time units.
pub fn trace(steps: &[(i64, &[(u32, u32)])], last_delay: i64, ending: Ending) -> Trace {
    let edges = |list: &[(u32, u32)]| {
        let pairs = list.iter().map(|&(p, e)| (ProcessId(p), EdgeId(e)));
        pairs.collect()
    };
    Trace {
        scale: 1,
        steps: (steps.iter())
            .map(|&(delay, list)| Step {
                delay,
                transition: Transition { edges: edges(list) },
            })
            .collect(),
        last_delay,
        ending,
    }
}
