//! Small networks written by hand, and one way to check them.
#![allow(dead_code)]

use merkhet_network::*;

pub mod check;

/// Builds a network piece by piece.
#[derive(Default)]
pub struct Model {
    pub network: Network,
}

/// `left − right ≺ bound` in short.
pub fn constraint(
    left: Option<ClockId>,
    right: Option<ClockId>,
    strict: bool,
    bound: i32,
) -> ClockConstraint {
    ClockConstraint {
        condition: None,
        left,
        right,
        strict,
        bound: Expr::Const(bound),
        site: SiteId::NONE,
    }
}

pub fn at_most(clock: ClockId, bound: i32) -> ClockConstraint {
    constraint(Some(clock), None, false, bound)
}

pub fn below(clock: ClockId, bound: i32) -> ClockConstraint {
    constraint(Some(clock), None, true, bound)
}

pub fn at_least(clock: ClockId, bound: i32) -> ClockConstraint {
    constraint(None, Some(clock), false, -bound)
}

pub fn above(clock: ClockId, bound: i32) -> ClockConstraint {
    constraint(None, Some(clock), true, -bound)
}

pub fn reset(clock: ClockId, value: i32) -> Stmt {
    Stmt::Reset {
        clock: ClockPlace {
            base: clock,
            indices: Vec::new(),
        },
        value: Expr::Const(value),
        site: SiteId::NONE,
    }
}

pub fn equals(cell: Address, value: i32) -> Expr {
    Expr::binary(BinaryOp::Equal, Expr::load(cell), Expr::Const(value))
}

impl Model {
    pub fn clock(&mut self, name: &str) -> ClockId {
        self.network.clocks.push(Clock {
            name: name.into(),
            owner: None,
        });
        ClockId::from(self.network.clocks.len() - 1)
    }

    pub fn int(&mut self, name: &str, low: i32, high: i32, initial: i32) -> Address {
        let offset = self.network.state_cells.len() as u32;
        let base = Address {
            region: Region::State,
            offset,
        };
        let variable = VariableId::from(self.network.variables.len());
        self.network.variables.push(Variable {
            name: name.into(),
            owner: None,
            shape: Shape::Int { low, high },
            base,
        });
        self.network.state_cells.push(Cell {
            low,
            high,
            initial,
            variable,
        });
        base
    }

    pub fn meta(&mut self, name: &str, low: i32, high: i32, initial: i32) -> Address {
        let offset = self.network.meta_cells.len() as u32;
        let base = Address {
            region: Region::Meta,
            offset,
        };
        let variable = VariableId::from(self.network.variables.len());
        self.network.variables.push(Variable {
            name: name.into(),
            owner: None,
            shape: Shape::Int { low, high },
            base,
        });
        self.network.meta_cells.push(Cell {
            low,
            high,
            initial,
            variable,
        });
        base
    }

    pub fn channel(&mut self, name: &str, kind: ChannelKind, urgent: bool) -> ChannelId {
        let priority = self.network.default_priority;
        self.network.channels.push(Channel {
            name: name.into(),
            kind,
            urgent,
            priority,
        });
        ChannelId::from(self.network.channels.len() - 1)
    }

    pub fn assign(&self, cell: Address, value: Expr) -> Stmt {
        let Cell { low, high, .. } = self.network.cells(cell.region)[cell.offset as usize];
        Stmt::Assign {
            target: Place::cell(cell),
            value,
            low,
            high,
            site: SiteId::NONE,
        }
    }

    /// A process with a number of normal locations, the first being the initial one.
    pub fn process(&mut self, name: &str, locations: usize) -> ProcessId {
        let location = |index| Location {
            name: format!("l{index}"),
            named: true,
            kind: LocationKind::Normal,
            invariant: Invariant::default(),
            labels: Vec::new(),
            position: None,
            site: SiteId::NONE,
        };
        self.network.processes.push(Process {
            name: name.into(),
            template: name.into(),
            locations: (0..locations).map(location).collect(),
            initial: LocationId(0),
            edges: Vec::new(),
            priority: 0,
        });
        ProcessId::from(self.network.processes.len() - 1)
    }

    pub fn location(&mut self, process: ProcessId, location: u32) -> &mut Location {
        &mut self.network.processes[process.index()].locations[location as usize]
    }

    /// An internal edge without guard and update; the caller adds what it wants.
    pub fn edge(&mut self, process: ProcessId, source: u32, target: u32) -> &mut Edge {
        let edges = &mut self.network.processes[process.index()].edges;
        edges.push(Edge {
            source: LocationId(source),
            target: LocationId(target),
            guard: Guard::default(),
            sync: Sync::Internal,
            update: Vec::new(),
            select: Vec::new(),
            origin: edges.len() as u32,
            site: SiteId::NONE,
        });
        edges.last_mut().unwrap()
    }
}

pub fn at(process: ProcessId, location: u32) -> Formula {
    Formula::Data(Expr::At(process, LocationId(location)))
}

/// Fischer's protocol; the delay before the critical section is above `wait`, that of a request at most `request`.
pub fn fischer(processes: u32, request: i32, wait: i32) -> (Network, Formula) {
    let mut model = Model::default();
    let id = model.int("id", 0, processes as i32, 0);
    for pid in 1..=processes as i32 {
        let clock = model.clock(&format!("x{pid}"));
        let process = model.process(&format!("P({pid})"), 4);
        model
            .location(process, 1)
            .invariant
            .clocks
            .push(at_most(clock, request));
        let edge = model.edge(process, 0, 1);
        edge.guard.data = Some(equals(id, 0));
        edge.update = vec![reset(clock, 0)];
        let take = model.assign(id, Expr::Const(pid));
        let edge = model.edge(process, 1, 2);
        edge.update = vec![reset(clock, 0), take];
        let edge = model.edge(process, 2, 1);
        edge.guard.data = Some(equals(id, 0));
        edge.update = vec![reset(clock, 0)];
        let edge = model.edge(process, 2, 3);
        edge.guard.data = Some(equals(id, pid));
        edge.guard.clocks.push(above(clock, wait));
        let leave = model.assign(id, Expr::Const(0));
        model.edge(process, 3, 0).update = vec![leave];
    }
    let mut pairs = Vec::new();
    for one in 0..processes {
        for other in 0..one {
            pairs.push(Formula::And(vec![
                at(ProcessId(one), 3),
                at(ProcessId(other), 3),
            ]));
        }
    }
    (model.network, Formula::Or(pairs))
}
