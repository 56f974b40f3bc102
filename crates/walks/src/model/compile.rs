//! From a network to a model.

use std::fmt;

use merkhet_network::code::{CodeId, ProgramBuilder};
use merkhet_network::visit::{Footprint, Footprints};
use merkhet_network::{
    Address, ChannelKind, ClockConstraint, Edge, Expr, Formula, MAX_CLOCK_CONSTANT, Network,
    OutOfRange, Place, Process, Region, Stmt, Sync, Tuning,
};

use crate::goal;
use crate::model::{
    Atom, BoundCode, ChannelCode, EdgeCode, Lists, LocationCode, Model, ParticipantCode, RateCode,
    Span, SwitchCode, SyncCode, UpdateCode, switches,
};
use crate::near;
use crate::tuning::Numbers;

/// The network has more edges, locations or constraints than can be numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the network is too large to walk in")
    }
}

impl std::error::Error for TooLarge {}

/// Ticks in a unit where some bound is strict: a chain of as many strict bounds fits between two whole numbers.
const FINE: i64 = 1_000_000;

/// The most ticks in a unit: products with constants do not overflow.
const FINEST: i64 = 1 << 24;

impl Model {
    /// Compiles a network for walks to a goal (`None`: nothing is looked for).
    pub fn new(network: &Network, goal: Option<&Formula>) -> Result<Model, TooLarge> {
        Model::with_ticks(network, goal, 1)
    }

    /// Compiles a network for walks that stop, among others, at all moments that are multiples of so small a part of a time
    /// unit: the grid of a run that is known.
    pub fn with_ticks(
        network: &Network,
        goal: Option<&Formula>,
        parts: i64,
    ) -> Result<Model, TooLarge> {
        if !(1..=FINEST).contains(&parts) {
            return Err(TooLarge);
        }
        let edges: usize = network.processes.iter().map(|p| p.edges.len()).sum();
        let locations: usize = network.processes.iter().map(|p| p.locations.len()).sum();
        if edges.max(locations) >= 1 << 30 {
            return Err(TooLarge);
        }
        let scale = match is_closed(network, goal) {
            true => parts,
            false => (FINE as u64).div_ceil(parts as u64) as i64 * parts,
        };
        let compiler = Compiler {
            network,
            builder: ProgramBuilder::new(network),
            footprints: Footprints::new(network),
            scale,
            atoms: Vec::new(),
            writes: Vec::new(),
            constant: 1,
        };
        Ok(compiler.model(goal))
    }
}

/// Whether whole numbers are all the moments that a run needs: every bound is closed, and no clock stands still. (Runs of
/// closed automata can be rounded to integer times: Henzinger, Manna, Pnueli, ICALP 1992.) Where the absence of something is
/// asked for, closed bounds become strict ones.
fn is_closed(network: &Network, goal: Option<&Formula>) -> bool {
    let closed = |constraints: &[ClockConstraint]| constraints.iter().all(|c| !c.strict);
    let timed_listener = |edge: &Edge| match edge.sync {
        Sync::Receive(channel) => {
            !edge.guard.clocks.is_empty()
                && network.channels[channel.index()].kind == ChannelKind::Broadcast
        }
        _ => false,
    };
    !network.has_priorities()
        && network.processes.iter().all(|process| {
            (process.locations.iter())
                .all(|l| closed(&l.invariant.clocks) && l.invariant.rates.is_empty())
                && (process.edges.iter())
                    .all(|edge| closed(&edge.guard.clocks) && !timed_listener(edge))
        })
        && goal.is_none_or(|goal| goal::is_closed(goal, true))
}

pub(crate) struct Compiler<'n> {
    network: &'n Network,
    pub builder: ProgramBuilder<'n>,
    footprints: Footprints<'n>,
    pub scale: i64,
    atoms: Vec<Atom>,
    writes: Vec<(u32, u32)>,
    /// The largest constant that a clock is compared with or set to.
    constant: i64,
}

impl<'n> Compiler<'n> {
    fn model(mut self, goal: Option<&Formula>) -> Model {
        let network = self.network;
        let mut parts = Parts::default();
        for process in &network.processes {
            self.process(process, &mut parts);
        }
        let layout = self.builder.layout().clone();
        let slots = layout.meta.end;
        let block = |compiler: &mut Compiler<'n>, statements: &[Stmt]| {
            (!statements.is_empty()).then(|| compiler.builder.statements(statements))
        };
        let before_update = block(&mut self, &network.before_update);
        let after_update = block(&mut self, &network.after_update);
        let start = self.writes.len() as u32;
        self.note_writes(&network.before_update);
        self.note_writes(&network.after_update);
        let shared_writes = (start, self.writes.len() as u32);
        let near = goal.map(|goal| near::compile(&mut self, goal, true));
        let goal = goal.map(|goal| goal::compile(&mut self, goal));
        let channels: Vec<ChannelCode> = channels(network);
        let vectors = (network.vectors.iter())
            .map(|vector| {
                let participants = vector.participants.iter().map(|p| ParticipantCode {
                    process: p.process.0,
                    event: p.event.0,
                    weak: p.weak,
                });
                participants.collect()
            })
            .collect();
        Model {
            program: self.builder.finish(),
            processes: network.processes.len(),
            clocks: network.clocks.len(),
            cells: layout.state.end,
            edges: parts.edges,
            locations: parts.locations,
            first_location: parts.first_location,
            process_priorities: network.processes.iter().map(|p| p.priority).collect(),
            atoms: self.atoms,
            rates: parts.rates,
            lists: parts.lists,
            has_urgent_channels: channels.iter().any(|channel| channel.urgent),
            channels,
            vectors,
            writes: self.writes,
            before_update,
            after_update,
            shared_writes,
            switches: parts.switches,
            cases: parts.cases,
            edge_readers: Lists::new(slots, parts.edge_readers),
            switch_readers: Lists::new(slots, parts.switch_readers),
            rate_readers: Lists::new(slots, parts.rate_readers),
            location_readers: Lists::new(slots, parts.location_readers),
            clock_locations: Lists::new(network.clocks.len() + 1, parts.clock_locations),
            goal,
            near,
            default_priority: network.default_priority,
            numbers: Numbers::of(&Tuning::default()),
            has_priorities: network.has_priorities(),
            disables: network.out_of_range == OutOfRange::Disable,
            scale: self.scale,
            longest_delay: (self.constant + 1) * 2 * self.scale,
        }
    }

    fn process(&mut self, process: &Process, parts: &mut Parts) {
        let number = parts.first_location.len() as u32;
        let first_edge = parts.edges.len() as u32;
        parts.first_location.push(parts.locations.len() as u32);
        let mut by_location: Vec<Outgoing> = vec![Outgoing::default(); process.locations.len()];
        for (index, edge) in process.edges.iter().enumerate() {
            let id = first_edge + index as u32;
            let code = self.edge(number, index as u32, edge);
            let impossible = matches!(&edge.guard.data, Some(guard) if guard.as_const() == Some(0));
            if !impossible {
                by_location[edge.source.index()].add(self.network, edge, id);
            }
            parts.edges.push(code);
        }
        for (index, location) in process.locations.iter().enumerate() {
            let outgoing = &mut by_location[index];
            outgoing.listens.sort_by_key(|pair| pair.0);
            outgoing.events.sort_by_key(|pair| pair.0);
            let switches = self.switches(process, first_edge, outgoing, parts);
            self.location(number, location, outgoing, switches, parts);
        }
    }

    fn location(
        &mut self,
        process: u32,
        location: &merkhet_network::Location,
        outgoing: &Outgoing,
        switches: Span,
        parts: &mut Parts,
    ) {
        let id = parts.locations.len() as u32;
        let invariant = &location.invariant;
        let rates_start = parts.rates.len() as u32;
        let mut footprint = Footprint::default();
        for rate in &invariant.rates {
            let read = self.footprints.expr(&rate.value);
            self.readers(&read, parts.rates.len() as u32, &mut parts.rate_readers);
            parts.rates.push(RateCode {
                location: id,
                row: rate.clock.0 + 1,
                value: self.builder.expression(&rate.value),
                site: rate.site,
            });
        }
        for expr in invariant.data.iter() {
            footprint.extend(&self.footprints.expr(expr));
        }
        for constraint in &invariant.clocks {
            for expr in constraint.condition.iter().chain([&constraint.bound]) {
                footprint.extend(&self.footprints.expr(expr));
            }
            for clock in constraint.left.iter().chain(&constraint.right) {
                parts.clock_locations.push((clock.0 + 1, id));
            }
        }
        self.readers(&footprint, id, &mut parts.location_readers);
        let code = LocationCode {
            process,
            kind: location.kind,
            data: self.condition(invariant.data.as_ref()),
            clocks: self.constraints(&invariant.clocks),
            rates: (rates_start, parts.rates.len() as u32),
            kept: append(&mut parts.lists, outgoing.kept.iter().copied()),
            switches,
            listens: append(&mut parts.lists, outgoing.listens.iter().map(|pair| pair.1)),
            events: append(&mut parts.lists, outgoing.events.iter().map(|pair| pair.1)),
        };
        parts.locations.push(code);
    }

    /// Takes the switches out of the edges that are kept one by one, and notes who reads what.
    fn switches(
        &mut self,
        process: &Process,
        first_edge: u32,
        outgoing: &mut Outgoing,
        parts: &mut Parts,
    ) -> Span {
        let edge = |id: &u32| &process.edges[(id - first_edge) as usize];
        let edges: Vec<&Edge> = outgoing.kept.iter().map(edge).collect();
        let start = parts.switches.len() as u32;
        let mut switched = vec![false; edges.len()];
        for switch in switches::switches(&edges) {
            let id = parts.switches.len() as u32;
            let footprint = self.footprints.expr(switch.expression);
            self.readers(&footprint, id, &mut parts.switch_readers);
            let cases = switch.cases.iter().map(|(value, position)| {
                switched[*position] = true;
                (*value, outgoing.kept[*position])
            });
            parts.switches.push(SwitchCode {
                location: parts.locations.len() as u32,
                value: self.builder.expression(switch.expression),
                cases: append(&mut parts.cases, cases),
            });
        }
        let mut position = 0;
        outgoing.kept.retain(|_| {
            position += 1;
            !switched[position - 1]
        });
        for id in &outgoing.kept {
            if let Some(guard) = &edge(id).guard.data {
                let footprint = self.footprints.expr(guard);
                self.readers(&footprint, *id, &mut parts.edge_readers);
            }
        }
        (start, parts.switches.len() as u32)
    }

    fn edge(&mut self, process: u32, index: u32, edge: &Edge) -> EdgeCode {
        let start = self.writes.len() as u32;
        self.note_writes(&edge.update);
        EdgeCode {
            process,
            edge: index,
            source: edge.source.0 as i32,
            target: edge.target.0 as i32,
            sync: match edge.sync {
                Sync::Internal => SyncCode::Internal,
                Sync::Send(channel) => SyncCode::Send(channel.0),
                Sync::Receive(channel) => SyncCode::Receive(channel.0),
                Sync::Event(event) => SyncCode::Event(event.0),
            },
            data: self.condition(edge.guard.data.as_ref()),
            clocks: self.constraints(&edge.guard.clocks),
            update: match &edge.update[..] {
                [] => UpdateCode::Nothing,
                update => {
                    self.note_constants(update);
                    UpdateCode::Code(self.builder.statements(update))
                }
            },
            writes: (start, self.writes.len() as u32),
        }
    }

    fn condition(&mut self, condition: Option<&Expr>) -> Option<CodeId> {
        let condition = condition.filter(|expr| expr.as_const().is_none_or(|value| value == 0));
        condition.map(|expr| self.builder.expression(expr))
    }

    pub fn network(&self) -> &'n Network {
        self.network
    }

    /// The slot of a place, where it is known and lasts.
    pub fn slot(&self, place: &Place) -> Option<u32> {
        let cell = place.fixed().filter(|cell| lasts(*cell))?;
        Some(self.builder.layout().address(cell) as u32)
    }

    pub fn data(&mut self, expr: &Expr) -> CodeId {
        self.builder.expression(expr)
    }

    fn constraints(&mut self, constraints: &[ClockConstraint]) -> Span {
        let start = self.atoms.len() as u32;
        for constraint in constraints {
            let atom = self.atom(constraint);
            self.atoms.push(atom);
        }
        (start, self.atoms.len() as u32)
    }

    pub fn atom(&mut self, constraint: &ClockConstraint) -> Atom {
        let limit = -MAX_CLOCK_CONSTANT..=MAX_CLOCK_CONSTANT;
        let bound = match constraint.bound.as_const() {
            // A bound beyond the limit is a fault once it is asked for.
            Some(value) if limit.contains(&value) => {
                self.constant = self.constant.max(i64::from(value).abs());
                BoundCode::Fixed(i64::from(value) * 2 * self.scale)
            }
            _ => {
                let (low, high) = merkhet_network::visit::bounds(self.network, &constraint.bound);
                let most = low.abs().max(high.abs()).min(MAX_CLOCK_CONSTANT.into());
                // Types without a range say nothing of the constants that are used.
                if most <= i64::from(i16::MAX) {
                    self.constant = self.constant.max(most);
                }
                BoundCode::Code(self.builder.expression(&constraint.bound))
            }
        };
        let row = |clock: Option<merkhet_network::ClockId>| clock.map_or(0, |clock| clock.0 + 1);
        Atom {
            condition: self.condition(constraint.condition.as_ref()),
            left: row(constraint.left),
            right: row(constraint.right),
            strict: constraint.strict,
            bound,
            site: constraint.site,
        }
    }

    /// Notes the cells that statements may write.
    fn note_writes(&mut self, statements: &[Stmt]) {
        if statements.is_empty() {
            return;
        }
        let footprint = self.footprints.stmts(statements);
        let layout = self.builder.layout();
        let start = self.writes.len();
        for cell in footprint.writes.iter().filter(|cell| lasts(*cell)) {
            let slot = layout.address(cell) as u32;
            match self.writes[start..].last_mut() {
                Some((first, count)) if *first + *count == slot => *count += 1,
                _ => self.writes.push((slot, 1)),
            }
        }
    }

    /// Notes what clocks are set to.
    fn note_constants(&mut self, statements: &[Stmt]) {
        for statement in statements {
            if let Stmt::Reset { value, .. } = statement
                && let Some(value) = value.as_const()
            {
                self.constant = self.constant.max(i64::from(value));
            }
        }
    }

    /// Notes who reads what.
    fn readers(&self, footprint: &Footprint, reader: u32, pairs: &mut Vec<(u32, u32)>) {
        let layout = self.builder.layout();
        for cell in footprint.reads.iter().filter(|cell| lasts(*cell)) {
            pairs.push((layout.address(cell) as u32, reader));
        }
        for process in &footprint.locations {
            pairs.push((layout.location(*process) as u32, reader));
        }
    }
}

/// Whether a cell keeps its value from one evaluation to the next, and may change.
fn lasts(cell: Address) -> bool {
    matches!(cell.region, Region::State | Region::Meta)
}

/// What is known of processes so far.
#[derive(Default)]
struct Parts {
    edges: Vec<EdgeCode>,
    locations: Vec<LocationCode>,
    first_location: Vec<u32>,
    rates: Vec<RateCode>,
    lists: Vec<u32>,
    switches: Vec<SwitchCode>,
    cases: Vec<(i32, u32)>,
    edge_readers: Vec<(u32, u32)>,
    switch_readers: Vec<(u32, u32)>,
    rate_readers: Vec<(u32, u32)>,
    location_readers: Vec<(u32, u32)>,
    clock_locations: Vec<(u32, u32)>,
}

/// The edges that leave a location.
#[derive(Clone, Default)]
struct Outgoing {
    kept: Vec<u32>,
    listens: Vec<(u32, u32)>,
    events: Vec<(u32, u32)>,
}

impl Outgoing {
    fn add(&mut self, network: &Network, edge: &Edge, id: u32) {
        match edge.sync {
            Sync::Internal | Sync::Send(_) => self.kept.push(id),
            Sync::Receive(channel) => match network.channels[channel.index()].kind {
                ChannelKind::Broadcast => self.listens.push((channel.0, id)),
                ChannelKind::Binary => self.kept.push(id),
            },
            Sync::Event(event) => self.events.push((event.0, id)),
        }
    }
}

fn channels(network: &Network) -> Vec<ChannelCode> {
    let mut listeners: Vec<Vec<u32>> = vec![Vec::new(); network.channels.len()];
    for (index, process) in network.processes.iter().enumerate() {
        for edge in &process.edges {
            if let Sync::Receive(channel) = edge.sync {
                let list = &mut listeners[channel.index()];
                if list.last() != Some(&(index as u32)) {
                    list.push(index as u32);
                }
            }
        }
    }
    (network.channels.iter().zip(listeners))
        .map(|(channel, listeners)| ChannelCode {
            broadcast: channel.kind == ChannelKind::Broadcast,
            urgent: channel.urgent,
            priority: channel.priority,
            listeners: listeners.into(),
        })
        .collect()
}

fn append<T>(all: &mut Vec<T>, more: impl Iterator<Item = T>) -> Span {
    let start = all.len() as u32;
    all.extend(more);
    (start, all.len() as u32)
}
