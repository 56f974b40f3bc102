//! What is shown of each location and edge.

use merkhet_network::print::Labels;
use merkhet_network::visit::{Visitor, walk_expr, walk_stmts};
use merkhet_network::{
    Address, ChannelKind, ClockConstraint, Edge, Expr, Location, OutOfRange, Process, Region,
    SiteId, Stmt, Sync,
};

use super::evaluate::Reader;
use super::state::Memory;
use super::value::{Polarity, Value};
use super::{Obstacle, Prover};

impl Prover<'_> {
    /// All of a network.
    pub(super) fn network(&mut self) -> Result<(), Obstacle> {
        let network = self.network;
        let without_site = |what: &str| Obstacle {
            what: what.into(),
            site: SiteId::NONE,
        };
        if network.out_of_range == OutOfRange::Disable {
            let what = "assignments outside their range are left out, with all of their transition";
            return Err(without_site(what));
        }
        if !network.vectors.is_empty() {
            return Err(without_site("synchronisations of many processes"));
        }
        let around = [&network.before_update, &network.after_update];
        for statements in around {
            if !self.keeps_order(None, statements) && !self.exhaust().step(None, statements, false)
            {
                return Err(without_site("what is run around every update"));
            }
        }
        for process in &network.processes {
            for location in &process.locations {
                self.location(process, location)?;
            }
            for edge in &process.edges {
                self.edge(process, edge)?;
            }
        }
        Ok(())
    }

    /// Point 3.
    fn location(&mut self, process: &Process, location: &Location) -> Result<(), Obstacle> {
        let invariant = &location.invariant;
        let at = |what: String, site: SiteId| Obstacle {
            what: format!("{what} of {}.{}", process.name, location.name),
            site: if site == SiteId::NONE {
                location.site
            } else {
                site
            },
        };
        for rate in &invariant.rates {
            if self.value(&rate.value) != Polarity::Fixed {
                return Err(at("a rate".into(), rate.site));
            }
        }
        for constraint in &invariant.clocks {
            // Where an edge of high priority leads decides whether others come after it, too.
            let kept = match self.network.has_priorities() {
                true => self.is_fixed(constraint),
                false => self.permits_more(constraint),
            };
            if !kept {
                return Err(at("a bound in the invariant".into(), constraint.site));
            }
        }
        let Some(data) = &invariant.data else {
            return Ok(());
        };
        // Where an edge leads decides whether it competes by priority, or stops time.
        let network = self.network;
        let competes =
            network.has_priorities() || network.channels.iter().any(|channel| channel.urgent);
        let kept = match self.condition(data) {
            Polarity::Fixed => true,
            Polarity::Rises => !competes,
            _ => false,
        };
        match kept {
            true => Ok(()),
            false => {
                let text = Labels::new(network).expr(data);
                let site = site_of(data).unwrap_or(SiteId::NONE);
                Err(at(format!("the invariant `{text}`"), site))
            }
        }
    }

    /// Whether a constraint on clocks permits larger elements at least as much.
    fn permits_more(&mut self, constraint: &ClockConstraint) -> bool {
        let rarer = (constraint.condition.as_ref())
            .is_none_or(|condition| self.condition(condition).flipped().is_kept());
        rarer && self.value(&constraint.bound).is_kept()
    }

    /// Whether a constraint on clocks does not depend on elements.
    pub(super) fn is_fixed(&mut self, constraint: &ClockConstraint) -> bool {
        let condition = constraint.condition.iter();
        (condition.chain([&constraint.bound])).all(|expr| self.value(expr) == Polarity::Fixed)
    }

    fn edge(&mut self, process: &Process, edge: &Edge) -> Result<(), Obstacle> {
        let at = |what: String, site: Option<SiteId>| Obstacle {
            what: format!("{what} of {}", name(process, edge)),
            site: site
                .filter(|site| *site != SiteId::NONE)
                .unwrap_or(edge.site),
        };
        if let Some(rule) = self.decides_for_others(edge)
            && let Some(guard) = self.reads_elements(edge)
        {
            return Err(at(format!("the guard `{guard}`, which {rule},"), None));
        }
        for constraint in &edge.guard.clocks {
            if !self.permits_more(constraint) {
                return Err(at(
                    "a clock's bound in the guard".into(),
                    Some(constraint.site),
                ));
            }
        }
        let mut lost = Vec::new();
        if let Some(guard) = &edge.guard.data {
            self.not_kept(guard, &mut lost);
        }
        // Where the guard fails for the larger element, point 5 takes over.
        let guard = first_reader(self.network, edge);
        let updated = self.keeps_order(guard, &edge.update);
        if updated && lost.is_empty() {
            return Ok(());
        }
        // What runs around every update would be left out with the edge.
        let bare = self.network.before_update.is_empty() && self.network.after_update.is_empty();
        let loops = edge.sync == Sync::Internal && edge.source == edge.target && bare;
        if updated
            && loops
            && lost
                .iter()
                .all(|part| self.changes_nothing_without(part, edge))
        {
            return Ok(());
        }
        // The guard restricts what the update begins with only where both are read in one state: a receiver's update runs
        // after the sender's, and any update after what runs around it.
        let tried = match (&edge.guard.data, first_reader(self.network, edge)) {
            (Some(_), None) => lost.is_empty() && self.exhaust().step(None, &edge.update, false),
            (guard, _) => (self.exhaust()).step(guard.as_ref(), &edge.update, loops),
        };
        if tried {
            return Ok(());
        }
        let labels = Labels::new(self.network);
        Err(match lost.first() {
            Some(part) => at(format!("the guard `{}`", labels.expr(part)), site_of(part)),
            None => {
                let site = site_in(&edge.update);
                at(format!("the update `{}`", labels.update(edge)), site)
            }
        })
    }

    /// Point 4: why others depend on whether an edge is enabled.
    fn decides_for_others(&self, edge: &Edge) -> Option<&'static str> {
        let channel = |id: merkhet_network::ChannelId| &self.network.channels[id.index()];
        match edge.sync {
            Sync::Receive(id) if channel(id).kind == ChannelKind::Broadcast => {
                Some("decides who receives a broadcast")
            }
            Sync::Receive(id) | Sync::Send(id) if channel(id).urgent => {
                Some("decides whether an urgent channel stops time")
            }
            _ if self.network.has_priorities() => Some("decides which priority comes first"),
            _ => None,
        }
    }

    /// The part of a guard that depends on elements.
    fn reads_elements(&mut self, edge: &Edge) -> Option<String> {
        let data = edge.guard.data.iter();
        let clocks = (edge.guard.clocks.iter())
            .flat_map(|constraint| constraint.condition.iter().chain([&constraint.bound]));
        let all: Vec<&Expr> = data.chain(clocks).collect();
        let found = all.into_iter().find(|expr| {
            self.condition(expr) != Polarity::Fixed || self.value(expr) != Polarity::Fixed
        });
        found.map(|expr| Labels::new(self.network).expr(expr))
    }

    /// The parts of a conjunction that larger elements may lose.
    fn not_kept<'e>(&mut self, guard: &'e Expr, lost: &mut Vec<&'e Expr>) {
        match guard {
            Expr::And(parts) => parts.iter().for_each(|part| self.not_kept(part, lost)),
            _ if self.condition(guard).is_kept() => {}
            _ => lost.push(guard),
        }
    }

    /// Point 2, by reading the update in two runs at once.
    fn keeps_order(&self, guard: Option<&Expr>, update: &[Stmt]) -> bool {
        let mut reader = Reader::new(self.network, self.relations);
        let mut memory = Memory::default();
        if let Some(guard) = guard {
            reader.assume(&mut memory, guard, true);
        }
        reader.statements(&mut memory, update);
        if memory.dead && !reader.lost {
            return true;
        }
        !reader.lost && !reader.clocks && self.ordered(&memory, |_, value| value.polarity)
    }

    /// Point 5: where this part of the guard fails for the larger element, what the update makes of the smaller one is
    /// below it. The larger one is not updated, so that no evaluation of it need end well.
    fn changes_nothing_without(&self, part: &Expr, edge: &Edge) -> bool {
        let mut reader = Reader::new(self.network, self.relations);
        let (mut small, mut large) = (Memory::default(), Memory::default());
        if let Some(guard) = &edge.guard.data {
            reader.assume(&mut small, guard, true);
        }
        reader.statements(&mut small, &edge.update);
        reader.assume(&mut large, part, false);
        if reader.lost || reader.resets > 0 {
            return false;
        }
        let start = |cell| reader.load(&large, cell);
        small.dead || large.dead || self.ordered(&small, |cell, value| value.against(start(cell)))
    }

    /// Whether all cells of the state compare as they must.
    fn ordered(&self, memory: &Memory, compared: impl Fn(Address, Value) -> Polarity) -> bool {
        memory.cells().all(|(cell, value)| {
            let offset = cell.offset as usize;
            let found = compared(cell, value);
            match (cell.region, self.relations.opaque(offset)) {
                (Region::State, None) => found.implies(self.relations.of(offset)),
                // An element that is compared as a whole: its cells are all the same, or nobody wrote them.
                (Region::State, Some(variable)) => {
                    let whole = &self.network.lattice_variables[variable];
                    let mut cells = self.network.lattice_cells(whole);
                    cells.all(|offset| {
                        let cell = Address {
                            region: Region::State,
                            offset: offset as u32,
                        };
                        (memory.get(cell)).is_some_and(|v| compared(cell, v) == Polarity::Fixed)
                    })
                }
                _ => true,
            }
        })
    }
}

/// The guard, if the state in which it is read is the one that the update begins with.
fn first_reader<'e>(network: &merkhet_network::Network, edge: &'e Edge) -> Option<&'e Expr> {
    let first = matches!(edge.sync, Sync::Internal | Sync::Send(_));
    (edge.guard.data.as_ref()).filter(|_| first && network.before_update.is_empty())
}

fn name(process: &Process, edge: &Edge) -> String {
    let location = |id: merkhet_network::LocationId| {
        (process.locations.get(id.index())).map_or("?", |location| location.name.as_str())
    };
    let (source, target) = (location(edge.source), location(edge.target));
    format!("{}: {source} → {target}", process.name)
}

/// Where an expression stands, as far as it says.
pub(super) fn site_of(expr: &Expr) -> Option<SiteId> {
    let mut finder = Finder(None);
    finder.expr(expr);
    finder.0
}

fn site_in(statements: &[Stmt]) -> Option<SiteId> {
    let mut finder = Finder(None);
    walk_stmts(&mut finder, statements);
    finder.0
}

struct Finder(Option<SiteId>);

impl Visitor for Finder {
    fn expr(&mut self, expr: &Expr) {
        let site = match expr {
            Expr::Unary(_, _, site)
            | Expr::Binary(_, _, _, site)
            | Expr::Quantified { site, .. }
            | Expr::Call { site, .. }
            | Expr::Checked { site, .. } => *site,
            _ => SiteId::NONE,
        };
        if site != SiteId::NONE {
            self.0.get_or_insert(site);
        }
        walk_expr(self, expr);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let Stmt::Assign { site, .. } | Stmt::Reset { site, .. } = stmt
            && *site != SiteId::NONE
        {
            self.0.get_or_insert(*site);
        }
        merkhet_network::visit::walk_stmt(self, stmt);
    }
}
