//! What is read, written, tested and sent, over the whole network and its queries.

use crate::model::Lowered;
use merkhet_network::visit::{Visitor, walk_expr, walk_indices, walk_stmt, walk_stmts};
use merkhet_network::{
    Address, ClockConstraint, ClockId, ClockPlace, Expr, Formula, Measure, Network, Place,
    QueryKind, Region, SiteId, Stmt, Sync, VariableId,
};
use merkhet_syntax::Span;
use merkhet_syntax::tree::Model;
use std::collections::HashMap;

/// How something that is declared is used, over all its instances and elements.
#[derive(Clone, Default, Debug)]
pub struct Use {
    /// Its name in one of the instances.
    pub name: String,
    /// Read (variable), tested (clock), received from (channel).
    pub read: bool,
    /// Written (variable), reset (clock), sent over (channel).
    pub written: bool,
}

/// What lints look at.
pub struct Facts<'m> {
    /// As written.
    pub model: &'m Model,
    /// As loaded.
    pub lowered: &'m Lowered,
    /// Uses of variables, by where they are declared.
    pub variables: Vec<(Span, Use)>,
    /// Uses of clocks.
    pub clocks: Vec<(Span, Use)>,
    /// Uses of channels.
    pub channels: Vec<(Span, Use)>,
    sites: HashMap<SiteId, Span>,
}

impl<'m> Facts<'m> {
    /// Collects them.
    pub fn new(model: &'m Model, lowered: &'m Lowered) -> Facts<'m> {
        let network = &lowered.network;
        let tables = &lowered.tables;
        let mut collector = Collector::new(network);
        collector.network();
        for query in lowered
            .queries
            .iter()
            .filter_map(|query| query.query.as_ref())
        {
            collector.query(&query.kind);
        }
        let variables = (network.variables.iter().zip(&collector.variables))
            .map(|(variable, used)| (variable.name.as_str(), *used));
        let clocks = (network.clocks.iter().zip(&collector.clocks))
            .map(|(clock, used)| (clock.name.as_str(), *used));
        let channels = (network.channels.iter().zip(&collector.channels))
            .map(|(channel, used)| (channel.name.as_str(), *used));
        Facts {
            model,
            lowered,
            variables: by_span(&tables.variable_spans, variables),
            clocks: by_span(&tables.clock_spans, clocks),
            channels: by_span(&tables.channel_spans, channels),
            sites: tables
                .sites
                .iter()
                .map(|(span, site)| (*site, *span))
                .collect(),
        }
    }

    /// Where a source position stands.
    pub fn span(&self, site: SiteId) -> Option<Span> {
        self.sites.get(&site).copied()
    }
}

/// Joins the uses of all that is declared at the same place.
fn by_span<'n>(
    spans: &[Span],
    uses: impl Iterator<Item = (&'n str, (bool, bool))>,
) -> Vec<(Span, Use)> {
    let mut order: Vec<(Span, Use)> = Vec::new();
    let mut index: HashMap<Span, usize> = HashMap::new();
    for (span, (name, (read, written))) in spans.iter().zip(uses) {
        let at = *index.entry(*span).or_insert_with(|| {
            let name = name.to_string();
            order.push((
                *span,
                Use {
                    name,
                    ..Use::default()
                },
            ));
            order.len() - 1
        });
        order[at].1.read |= read;
        order[at].1.written |= written;
    }
    order
}

/// Walks over a network.
struct Collector<'n> {
    network: &'n Network,
    variables: Vec<(bool, bool)>,
    clocks: Vec<(bool, bool)>,
    channels: Vec<(bool, bool)>,
    /// The variable that is being assigned: reading it for its own new value does not count.
    assigned: Option<VariableId>,
}

impl<'n> Collector<'n> {
    fn new(network: &'n Network) -> Collector<'n> {
        Collector {
            network,
            variables: vec![(false, false); network.variables.len()],
            clocks: vec![(false, false); network.clocks.len()],
            channels: vec![(false, false); network.channels.len()],
            assigned: None,
        }
    }

    fn network(&mut self) {
        let network = self.network;
        for process in &network.processes {
            for location in &process.locations {
                let invariant = &location.invariant;
                invariant.data.iter().for_each(|data| self.expr(data));
                invariant
                    .clocks
                    .iter()
                    .for_each(|clock| self.constraint(clock));
                invariant
                    .rates
                    .iter()
                    .for_each(|rate| self.expr(&rate.value));
            }
            for edge in &process.edges {
                edge.guard.data.iter().for_each(|data| self.expr(data));
                edge.guard
                    .clocks
                    .iter()
                    .for_each(|clock| self.constraint(clock));
                walk_stmts(self, &edge.update);
                match edge.sync {
                    Sync::Send(channel) => self.mark_channel(channel.index(), true),
                    Sync::Receive(channel) => self.mark_channel(channel.index(), false),
                    _ => {}
                }
            }
        }
        walk_stmts(self, &network.before_update);
        walk_stmts(self, &network.after_update);
        for function in &network.functions {
            walk_stmts(self, &function.body);
        }
    }

    fn mark_channel(&mut self, channel: usize, sent: bool) {
        if let Some(used) = self.channels.get_mut(channel) {
            used.0 |= !sent;
            used.1 |= sent;
        }
    }

    fn constraint(&mut self, constraint: &ClockConstraint) {
        constraint
            .condition
            .iter()
            .for_each(|condition| self.expr(condition));
        self.expr(&constraint.bound);
        for clock in [constraint.left, constraint.right].into_iter().flatten() {
            self.tested(clock);
        }
    }

    fn tested(&mut self, clock: ClockId) {
        if let Some(used) = self.clocks.get_mut(clock.index()) {
            used.0 = true;
        }
    }

    fn query(&mut self, kind: &QueryKind) {
        match kind {
            QueryKind::Possibly(p)
            | QueryKind::Invariantly(p)
            | QueryKind::PotentiallyAlways(p)
            | QueryKind::Eventually(p) => self.formula(p),
            QueryKind::LeadsTo(p, q) => {
                self.formula(p);
                self.formula(q);
            }
            QueryKind::Bounds {
                predicate,
                measures,
                ..
            } => {
                self.formula(predicate);
                for (measure, _) in measures {
                    match measure {
                        Measure::Data(expr) => self.expr(expr),
                        Measure::Clock { left, right } => {
                            [*left, *right]
                                .into_iter()
                                .flatten()
                                .for_each(|c| self.tested(c));
                        }
                    }
                }
            }
            QueryKind::Explore => {}
        }
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Data(expr) => self.expr(expr),
            Formula::Clock(constraint) => self.constraint(constraint),
            Formula::Deadlock => {}
            Formula::Not(inner) => self.formula(inner),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| self.formula(part));
            }
        }
    }

    fn variable(&self, address: Address) -> Option<VariableId> {
        if address.region == Region::Local {
            return None;
        }
        let cells = self.network.cells(address.region);
        cells.get(address.offset as usize).map(|cell| cell.variable)
    }
}

impl Visitor for Collector<'_> {
    fn expr(&mut self, expr: &Expr) {
        walk_expr(self, expr);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let outer = self.assigned;
        if let Stmt::Assign { target, .. } = stmt {
            self.assigned = self.variable(target.base);
        }
        walk_stmt(self, stmt);
        self.assigned = outer;
    }

    fn read(&mut self, place: &Place, _cells: u32) {
        if let Some(variable) = self.variable(place.base)
            && self.assigned != Some(variable)
        {
            self.variables[variable.index()].0 = true;
        }
        walk_indices(self, &place.indices);
    }

    fn write(&mut self, place: &Place, _cells: u32) {
        if let Some(variable) = self.variable(place.base) {
            self.variables[variable.index()].1 = true;
        }
        walk_indices(self, &place.indices);
    }

    fn reset(&mut self, clock: &ClockPlace) {
        if let Some(used) = self.clocks.get_mut(clock.base.index()) {
            used.1 = true;
        }
        walk_indices(self, &clock.indices);
    }
}
