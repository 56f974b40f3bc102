//! Small random networks.

use merkhet_network::{
    Address, Argument, BinaryOp, Cell, Channel, ChannelId, ChannelKind, Clock, ClockConstraint,
    ClockId, ClockPlace, Edge, EventId, Expr, Function, FunctionId, Guard, Index, Invariant, Local,
    Location, LocationId, LocationKind, Network, Participant, Place, Process, ProcessId,
    Quantifier, Query, Rate, Region, Shape, SiteId, Stmt, Sync, SyncVector, Variable, VariableId,
};

use crate::random::Random;
use crate::random::profile::Profile;
use crate::random::queries::random_queries;

/// A random network with queries; the same seed and profile give the same.
pub fn generate(seed: u64, profile: &Profile) -> (Network, Vec<Query>) {
    let mut maker = Maker {
        random: Random::new(seed),
        profile,
        network: Network::default(),
        driven: usize::MAX,
    };
    maker.declare();
    maker.synchronisation();
    let processes = 1 + maker.random.below(profile.processes);
    for process in 0..processes {
        maker.process(process);
    }
    if profile.independent {
        maker.independent();
    }
    maker.vectors();
    if maker.random.chance(6) {
        let statement = maker.assignment();
        maker.network.after_update.extend(statement);
    }
    if maker.random.chance(4) {
        let statement = maker.assignment();
        maker.network.before_update.extend(statement);
    }
    let Maker {
        mut random,
        network,
        ..
    } = maker;
    let queries = random_queries(&network, profile, &mut random);
    (network, queries)
}

pub(crate) struct Maker<'p> {
    pub(crate) random: Random,
    profile: &'p Profile,
    pub(crate) network: Network,
    /// The variables from this one on are changed by drivers only.
    pub(crate) driven: usize,
}

/// The cell of quantified variables and of the function's parameter and result.
const LOCALS: [Address; 3] = [local(0), local(1), local(2)];

const fn local(offset: u32) -> Address {
    Address {
        region: Region::Local,
        offset,
    }
}

impl Maker<'_> {
    fn declare(&mut self) {
        for clock in 0..self.random.below(self.profile.clocks + 1) {
            self.network.clocks.push(Clock {
                name: format!("x{clock}"),
                owner: None,
            });
        }
        for variable in 0..self.random.below(self.profile.variables + 1) {
            self.variable(variable);
        }
        if self.profile.independent {
            self.driven = self.network.variables.len();
            for _ in 0..self.random.below(3) {
                self.variable(self.network.variables.len());
            }
        }
        self.network.local_cells = LOCALS.len() as u32;
        // Without their ranges, a bound that calls the function would seem to have any value.
        let ranges = [("i", 0, 1), ("n", -1, 3), ("result", 0, 2)];
        for (base, (name, low, high)) in LOCALS.into_iter().zip(ranges) {
            let (name, shape) = (name.into(), Shape::Int { low, high });
            self.network.locals.push(Local { name, shape, base });
        }
        let load = || Expr::load(LOCALS[1]);
        self.network.functions.push(Function {
            name: "next".into(),
            parameters: vec![(LOCALS[1], 1)],
            result: Some((LOCALS[2], 1)),
            body: vec![
                Stmt::If {
                    condition: Expr::binary(BinaryOp::Greater, load(), Expr::Const(1)),
                    then: vec![Stmt::Return(Some(Expr::Const(0)))],
                    otherwise: vec![],
                },
                Stmt::Return(Some(Expr::Checked {
                    value: Box::new(Expr::binary(BinaryOp::Add, load(), Expr::Const(1))),
                    low: 0,
                    high: 2,
                    site: SiteId::NONE,
                })),
            ],
        });
    }

    fn variable(&mut self, index: usize) {
        let low = if self.random.chance(25) { -1 } else { 0 };
        let high = low + self.random.between(1, 3);
        let element = Shape::Int { low, high };
        let shape = if self.random.chance(25) {
            Shape::Array {
                length: 2,
                element: Box::new(element),
            }
        } else {
            element
        };
        let base = Address {
            region: Region::State,
            offset: self.network.state_cells.len() as u32,
        };
        for _ in 0..shape.cells() {
            let initial = self.random.between(low, high);
            self.network.state_cells.push(Cell {
                low,
                high,
                initial,
                variable: VariableId::from(index),
            });
        }
        self.network.variables.push(Variable {
            name: format!("v{index}"),
            owner: None,
            shape,
            base,
        });
    }

    fn synchronisation(&mut self) {
        for channel in 0..self.random.below(4) {
            let kind = if self.random.chance(40) {
                ChannelKind::Broadcast
            } else {
                ChannelKind::Binary
            };
            let priority = if self.profile.priorities {
                self.random.between(-1, 1)
            } else {
                0
            };
            self.network.channels.push(Channel {
                name: format!("c{channel}"),
                kind,
                urgent: self.random.chance(25),
                priority,
            });
        }
        if self.profile.vectors {
            let events = self.random.below(3);
            self.network.events = (0..events).map(|event| format!("e{event}")).collect();
        }
    }

    fn vectors(&mut self) {
        for event in 0..self.network.events.len() {
            let mut participants = Vec::new();
            for process in self.network.process_ids() {
                if self.random.chance(70) {
                    participants.push(Participant {
                        process,
                        event: EventId::from(event),
                        weak: self.random.chance(35),
                    });
                }
            }
            if !participants.is_empty() {
                self.network.vectors.push(SyncVector { participants });
            }
        }
    }

    fn process(&mut self, index: usize) {
        let locations = 2 + self.random.below(self.profile.locations - 1);
        let priority = if self.profile.priorities {
            self.random.between(0, 1)
        } else {
            0
        };
        let mut process = Process {
            name: format!("P{index}"),
            template: format!("P{index}"),
            locations: Vec::new(),
            initial: LocationId(0),
            edges: Vec::new(),
            priority,
        };
        for location in 0..locations {
            process.locations.push(self.location(location));
        }
        for source in 0..locations {
            for _ in 0..self.random.below(self.profile.edges + 1) {
                let target = self.random.below(locations);
                let edge = self.edge(source, target, process.edges.len());
                process.edges.push(edge);
            }
        }
        self.network.processes.push(process);
    }

    fn location(&mut self, index: usize) -> Location {
        let kind = match self.random.below(100) {
            0..12 => LocationKind::Urgent,
            12..24 => LocationKind::Committed,
            _ => LocationKind::Normal,
        };
        Location {
            name: format!("L{index}"),
            named: true,
            kind,
            invariant: self.invariant(index == 0),
            labels: Vec::new(),
            position: None,
            site: SiteId::NONE,
        }
    }

    /// An invariant; at the start it holds for clocks at 0 and whatever the variables are.
    fn invariant(&mut self, at_start: bool) -> Invariant {
        let mut invariant = Invariant::default();
        if let Some(clock) = self.clock()
            && self.random.chance(40)
        {
            let least = at_start as i32;
            let strict = self.strict();
            let bound = if at_start || self.random.chance(75) {
                Expr::Const(self.random.between(least, self.profile.constant))
            } else {
                self.number()
            };
            let right = self.other_clock(clock);
            invariant.clocks.push(ClockConstraint {
                condition: self.condition(),
                left: Some(clock),
                right,
                strict,
                bound,
                site: SiteId::NONE,
            });
        }
        if !at_start && self.random.chance(8) {
            invariant.data = self.truth();
        }
        if self.profile.stopwatches
            && let Some(clock) = self.clock()
            && self.random.chance(20)
        {
            invariant.rates.push(Rate {
                clock,
                value: Expr::Const(self.random.between(0, 1)),
                site: SiteId::NONE,
            });
        }
        invariant
    }

    fn strict(&mut self) -> bool {
        !self.profile.closed_only && self.random.chance(40)
    }

    fn clock(&mut self) -> Option<ClockId> {
        let clocks: Vec<ClockId> = self.network.clock_ids().collect();
        self.random.pick(&clocks).copied()
    }

    /// Another clock for a difference, in some cases.
    fn other_clock(&mut self, clock: ClockId) -> Option<ClockId> {
        if !self.profile.diagonals || !self.random.chance(35) {
            return None;
        }
        self.clock().filter(|other| *other != clock)
    }

    /// A condition under which a constraint counts, in some cases.
    fn condition(&mut self) -> Option<Expr> {
        if self.random.chance(12) {
            self.truth()
        } else {
            None
        }
    }

    pub(crate) fn edge(&mut self, source: usize, target: usize, origin: usize) -> Edge {
        let sync = self.sync();
        let (mut clocks_allowed, mut broadcast_receiver) = (true, false);
        if let Sync::Send(channel) | Sync::Receive(channel) = sync {
            let channel = &self.network.channels[channel.index()];
            let receives = matches!(sync, Sync::Receive(_));
            broadcast_receiver = receives && channel.kind == ChannelKind::Broadcast;
            clocks_allowed = !channel.urgent || self.profile.urgent_clock_guards;
        }
        if broadcast_receiver || matches!(sync, Sync::Event(_)) {
            clocks_allowed &= self.profile.broadcast_clock_guards;
        }
        let mut guard = Guard::default();
        if self.random.chance(30) {
            guard.data = self.truth();
        }
        if clocks_allowed {
            for _ in 0..self.random.below(3) {
                guard.clocks.extend(self.constraint());
            }
        }
        Edge {
            source: LocationId::from(source),
            target: LocationId::from(target),
            guard,
            sync,
            update: self.update(),
            select: Vec::new(),
            origin: origin as u32,
            site: SiteId::NONE,
        }
    }

    fn sync(&mut self) -> Sync {
        let channels = self.network.channels.len();
        let events = self.network.events.len();
        if events > 0 && self.random.chance(25) {
            return Sync::Event(EventId::from(self.random.below(events)));
        }
        if channels == 0 || self.random.chance(40) {
            return Sync::Internal;
        }
        let channel = ChannelId::from(self.random.below(channels));
        if self.random.chance(45) {
            Sync::Send(channel)
        } else {
            Sync::Receive(channel)
        }
    }

    fn constraint(&mut self) -> Option<ClockConstraint> {
        let clock = self.clock()?;
        let other = self.other_clock(clock);
        let strict = self.strict();
        let least = if other.is_some() {
            -self.profile.constant
        } else {
            0
        };
        let mut bound = if self.random.chance(85) {
            Expr::Const(self.random.between(least, self.profile.constant))
        } else {
            self.number()
        };
        let (mut left, mut right) = (Some(clock), other);
        if other.is_none() && self.random.chance(50) {
            // A lower bound: 0 − x ≺ −c.
            (left, right) = (None, Some(clock));
            bound = match bound {
                Expr::Const(value) => Expr::Const(-value),
                other => Expr::binary(BinaryOp::Subtract, Expr::Const(0), other),
            };
        }
        Some(ClockConstraint {
            condition: self.condition(),
            left,
            right,
            strict,
            bound,
            site: SiteId::NONE,
        })
    }

    fn update(&mut self) -> Vec<Stmt> {
        let mut update = Vec::new();
        if self.random.chance(50) {
            update.extend(self.assignment());
        }
        for _ in 0..self.random.below(3) {
            update.extend(self.reset());
        }
        if self.random.chance(10)
            && let (Some(condition), Some(then)) = (self.truth(), self.assignment())
        {
            update.push(Stmt::If {
                condition,
                then: vec![then],
                otherwise: vec![],
            });
        }
        update
    }

    fn reset(&mut self) -> Option<Stmt> {
        let clock = self.clock()?;
        let value = if self.random.chance(85) {
            Expr::Const(0)
        } else {
            Expr::Const(self.random.between(1, 2))
        };
        let clock = ClockPlace {
            base: clock,
            indices: Vec::new(),
        };
        let site = SiteId::NONE;
        Some(Stmt::Reset { clock, value, site })
    }

    /// An assignment; unless faults are wanted, its value is wrapped into the range.
    fn assignment(&mut self) -> Option<Stmt> {
        let stray = self.profile.independent && self.random.chance(4);
        let most = if stray { usize::MAX } else { self.driven };
        let (target, low, high) = self.place_among(most)?;
        let value = match self.random.below(4) {
            0 => Expr::Const(self.random.between(low, high)),
            1 => Expr::Conditional(
                Box::new(Expr::binary(
                    BinaryOp::Less,
                    Expr::Load(target.clone()),
                    Expr::Const(high),
                )),
                Box::new(Expr::binary(
                    BinaryOp::Add,
                    Expr::Load(target.clone()),
                    Expr::Const(1),
                )),
                Box::new(Expr::Const(low)),
            ),
            2 if self.profile.faults => self.number(),
            _ => {
                let number = self.number();
                let capped = Expr::binary(BinaryOp::Minimum, number, Expr::Const(high));
                Expr::binary(BinaryOp::Maximum, capped, Expr::Const(low))
            }
        };
        Some(Stmt::Assign {
            target,
            value,
            low,
            high,
            site: SiteId::NONE,
        })
    }

    /// A variable's cell, of an array with an index that is always within it, and its range.
    fn place(&mut self) -> Option<(Place, i32, i32)> {
        self.place_among(usize::MAX)
    }

    /// As `place`, of one of the first variables only.
    fn place_among(&mut self, most: usize) -> Option<(Place, i32, i32)> {
        let count = self.network.variables.len().min(most);
        if count == 0 {
            return None;
        }
        let index = self.random.below(count);
        let variable = self.network.variables.get(index)?.clone();
        match &variable.shape {
            Shape::Array { length, element } => {
                let (low, high) = element.range()?;
                let value = if self.random.chance(50) {
                    Expr::Const(self.random.between(0, *length as i32 - 1))
                } else {
                    let cell = self.random.below(self.network.state_cells.len());
                    let load = Expr::load(Address {
                        region: Region::State,
                        offset: cell as u32,
                    });
                    Expr::binary(BinaryOp::Equal, load, Expr::Const(1))
                };
                let index = Index {
                    value,
                    stride: 1,
                    length: *length,
                    site: SiteId::NONE,
                };
                let place = Place {
                    base: variable.base,
                    indices: vec![index],
                };
                Some((place, low, high))
            }
            shape => {
                let (low, high) = shape.range()?;
                Some((Place::cell(variable.base), low, high))
            }
        }
    }

    /// A small number that depends on the variables.
    fn number(&mut self) -> Expr {
        let Some((place, ..)) = self.place() else {
            return Expr::Const(self.random.between(0, 2));
        };
        let load = Expr::Load(place);
        match self.random.below(5) {
            0 => Expr::binary(BinaryOp::Add, load, Expr::Const(self.random.between(-1, 1))),
            1 => Expr::Call {
                function: FunctionId(0),
                arguments: vec![Argument::Value(load)],
                site: SiteId::NONE,
            },
            2 => Expr::Quantified {
                quantifier: Quantifier::Sum,
                variable: LOCALS[0],
                low: 0,
                high: 1,
                body: Box::new(Expr::binary(
                    BinaryOp::Multiply,
                    Expr::load(LOCALS[0]),
                    load,
                )),
                site: SiteId::NONE,
            },
            _ => load,
        }
    }

    /// A condition on data, if there are data.
    fn truth(&mut self) -> Option<Expr> {
        if self.network.variables.is_empty() {
            return None;
        }
        const OPERATORS: [BinaryOp; 5] = [
            BinaryOp::Less,
            BinaryOp::LessEqual,
            BinaryOp::Equal,
            BinaryOp::NotEqual,
            BinaryOp::GreaterEqual,
        ];
        let operator = OPERATORS[self.random.below(OPERATORS.len())];
        let number = self.number();
        let constant = Expr::Const(self.random.between(0, 2));
        let comparison = Expr::binary(operator, number, constant);
        Some(match self.random.below(8) {
            0 => Expr::Or(vec![comparison, self.truth()?]),
            1 => Expr::And(vec![comparison, self.truth()?]),
            2 => comparison.negated(),
            _ => comparison,
        })
    }
}

/// Used by queries: a process and one of its locations.
pub(crate) fn random_location(network: &Network, random: &mut Random) -> (ProcessId, LocationId) {
    let process = random.below(network.processes.len());
    let location = random.below(network.processes[process].locations.len());
    (ProcessId::from(process), LocationId::from(location))
}
