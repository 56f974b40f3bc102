//! Parts of random networks that change on their own: drivers of variables, and processes that go round.

use merkhet_network::{
    Address, BinaryOp, Edge, Expr, Guard, Invariant, Location, LocationId, LocationKind, Place,
    Process, SiteId, Stmt, Sync,
};

use crate::random::generate::Maker;

impl Maker<'_> {
    /// A driver for most of the variables that are meant to have one, and perhaps a process that goes round.
    pub(crate) fn independent(&mut self) {
        for variable in self.driven..self.network.variables.len() {
            if self.random.chance(90) {
                self.driver(variable);
            }
        }
        if self.random.chance(60) {
            self.roamer();
        }
    }

    fn empty_process(&mut self, locations: usize) -> Process {
        let name = format!("P{}", self.network.processes.len());
        let location = |index| Location {
            name: format!("L{index}"),
            named: true,
            kind: LocationKind::Normal,
            invariant: Invariant::default(),
            labels: Vec::new(),
            position: None,
            site: SiteId::NONE,
        };
        Process {
            name: name.clone(),
            template: name,
            locations: (0..locations).map(location).collect(),
            initial: LocationId(0),
            edges: Vec::new(),
            priority: 0,
        }
    }

    /// Loops that change a variable, sometimes only with a condition on it, sometimes from one location only.
    fn driver(&mut self, variable: usize) {
        let locations = if self.random.chance(85) { 1 } else { 2 };
        let mut process = self.empty_process(locations);
        let variable = self.network.variables[variable].clone();
        for cell in 0..variable.shape.cells() {
            let target = variable.base.plus(cell);
            let Some((low, high)) = variable.shape.cell_range(cell) else {
                continue;
            };
            for location in 0..locations {
                for value in low..=high {
                    if self.random.chance(92) {
                        let edge = self.drive(target, low, high, value, location);
                        process.edges.push(edge);
                    }
                }
            }
        }
        if locations == 2 {
            for (source, target) in [(0, 1), (1, 0)] {
                let edge = self.edge(source, target, process.edges.len());
                process.edges.push(edge);
            }
        }
        self.network.processes.push(process);
    }

    fn drive(&mut self, target: Address, low: i32, high: i32, value: i32, at: usize) -> Edge {
        let load = Expr::load(target);
        let (data, value) = match self.random.below(3) {
            0 => (None, Expr::Const(value)),
            1 => (
                Some(Expr::binary(BinaryOp::NotEqual, load, Expr::Const(value))),
                Expr::Const(value),
            ),
            _ => (
                Some(Expr::binary(
                    BinaryOp::Less,
                    load.clone(),
                    Expr::Const(high),
                )),
                Expr::binary(BinaryOp::Add, load, Expr::Const(1)),
            ),
        };
        let mut edge = self.free(at, at);
        edge.guard.data = data;
        edge.update = vec![Stmt::Assign {
            target: Place::cell(target),
            value,
            low,
            high,
            site: SiteId::NONE,
        }];
        edge
    }

    fn free(&mut self, source: usize, target: usize) -> Edge {
        Edge {
            source: LocationId::from(source),
            target: LocationId::from(target),
            guard: Guard::default(),
            sync: Sync::Internal,
            update: Vec::new(),
            select: Vec::new(),
            origin: 0,
            site: SiteId::NONE,
        }
    }

    /// A process that goes round freely, with loops of any kind at its locations.
    fn roamer(&mut self) {
        let locations = 2 + self.random.below(2);
        let mut process = self.empty_process(locations);
        for location in 0..locations {
            if self.random.chance(93) {
                let edge = self.free(location, (location + 1) % locations);
                process.edges.push(edge);
            }
            for _ in 0..self.random.below(3) {
                let edge = self.edge(location, location, process.edges.len());
                process.edges.push(edge);
            }
        }
        if self.random.chance(10) {
            process.locations[1].kind = LocationKind::Urgent;
        }
        self.network.processes.push(process);
    }
}
