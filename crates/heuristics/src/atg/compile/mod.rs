//! From the network and the goal to the abstract model.

pub(in crate::atg) mod assemble;
pub(in crate::atg) mod merge;
pub(in crate::atg) mod posts;
pub(in crate::atg) mod relevance;
pub(in crate::atg) mod shapes;
pub(in crate::atg) mod tabulate;

use merkhet_network::code::{Layout, ProgramBuilder};
use merkhet_network::footprint::{Footprint, Footprints};
use merkhet_network::{ChannelKind, EdgeId, Expr, Network, ProcessId, Region, Stmt, Sync};

use crate::atg::assemble::{Raw, RawEdge, RawGoal};
use crate::atg::clocks::{ClockCompiler, Clocks, Timing};
use crate::atg::model::{
    Action, CellModel, Condition, DENSE, Dimension, EdgeRef, Effect, Model, Partner, Span,
};
use crate::atg::posts::Posts;
use crate::atg::shapes::{cell_plus_constant, comparison};
use crate::goal::{Conjunct, Goal};
use crate::tuning::GRAPH_DIMENSIONS;
use merkhet_network::tuning::Tuning;

struct Compiler<'n> {
    network: &'n Network,
    builder: ProgramBuilder<'n>,
    footprints: Footprints<'n>,
    cells: Vec<CellModel>,
    atoms: usize,
    wides: usize,
    first_fact: Vec<u32>,
    facts: usize,
    conditions: Vec<Condition>,
    dimensions: Vec<Dimension>,
    effects: Vec<Effect>,
    edges: Vec<RawEdge>,
    needed: Vec<u32>,
    posts: Posts,
    clocks: Option<ClockCompiler<'n>>,
    /// More dimensions than this are not enumerated: the condition counts as satisfied, the effect as any value.
    most_dimensions: usize,
}

/// The model of a goal; `joined`: edges that say the same become one; `clocks`: what clocks forbid and force counts too.
pub(in crate::atg) fn compile(
    network: &Network,
    goal: &Goal,
    joined: bool,
    clocks: bool,
    tuning: &Tuning,
) -> (Model, Option<Clocks>) {
    let mut compiler = Compiler {
        network,
        builder: ProgramBuilder::new(network),
        footprints: Footprints::new(network),
        cells: Vec::new(),
        atoms: 0,
        wides: 0,
        first_fact: Vec::new(),
        facts: 0,
        conditions: Vec::new(),
        dimensions: Vec::new(),
        effects: Vec::new(),
        edges: Vec::new(),
        needed: Vec::new(),
        posts: Posts::default(),
        clocks: None,
        most_dimensions: tuning.count(&GRAPH_DIMENSIONS),
    };
    compiler.number_facts_and_cells(goal, clocks);
    compiler.edges();
    let goals: Vec<RawGoal> = goal
        .disjuncts
        .iter()
        .map(|conjunct| compiler.goal(conjunct))
        .collect();
    let goal_waits = goal.disjuncts.iter().map(|conjunct| {
        let clocks = compiler.clocks.as_ref();
        clocks.map_or(Vec::new(), |clocks| clocks.goal_waits(conjunct))
    });
    let goal_waits = goal_waits.collect();
    Raw {
        network,
        goal_waits,
        program: compiler.builder.finish(),
        layout: Layout::of(network),
        vectors: compiler.posts.vectors(network),
        channels: network.channels.len(),
        processes: network.processes.len(),
        cells: compiler.cells,
        atoms: compiler.atoms,
        wides: compiler.wides,
        first_fact: compiler.first_fact,
        conditions: compiler.conditions,
        dimensions: compiler.dimensions,
        effects: compiler.effects,
        edges: compiler.edges,
        goals,
        needed: compiler.needed,
    }
    .assemble(joined, compiler.clocks, tuning)
}

impl<'n> Compiler<'n> {
    fn number_facts_and_cells(&mut self, goal: &Goal, clocks: bool) {
        for process in &self.network.processes {
            self.first_fact.push(self.facts as u32);
            self.facts += process.locations.len();
        }
        self.first_fact.push(self.facts as u32);
        for cell in &self.network.state_cells {
            let size = i64::from(cell.high) - i64::from(cell.low) + 1;
            let dense = size <= 64;
            self.cells.push(CellModel {
                low: cell.low,
                high: cell.high,
                wide: if dense { DENSE } else { self.wides as u32 },
                atoms: 0,
            });
            if !dense {
                self.wides += 1;
            }
        }
        if clocks {
            self.clocks = Some(ClockCompiler::new(self.network, goal, &mut self.cells));
        }
        // Values are numbered after all locations.
        let mut atoms = self.facts as u32;
        for cell in self.cells.iter_mut().filter(|cell| cell.wide == DENSE) {
            cell.atoms = atoms;
            atoms += (cell.high - cell.low) as u32 + 1;
        }
        self.atoms = atoms as usize;
    }

    fn edges(&mut self) {
        let channel_writes = self.writes_by_channel();
        for process in self.network.process_ids() {
            for index in 0..self.network.process(process).edges.len() {
                self.edge(process, EdgeId::from(index), &channel_writes);
            }
        }
    }

    /// For each channel: everything that an edge may write before a receiver's update runs: the senders; of a broadcast
    /// the other receivers too, whose updates run one after the other. Then the same for all events together.
    fn writes_by_channel(&mut self) -> Vec<Footprint> {
        let channels = self.network.channels.len();
        let mut writes = vec![Footprint::default(); channels + 1];
        let network = self.network;
        for edge in network.processes.iter().flat_map(|process| &process.edges) {
            match edge.sync {
                Sync::Send(channel) => {
                    writes[channel.index()].extend(&self.footprints.stmts(&edge.update))
                }
                Sync::Receive(channel)
                    if network.channels[channel.index()].kind == ChannelKind::Broadcast =>
                {
                    writes[channel.index()].extend(&self.footprints.stmts(&edge.update))
                }
                Sync::Event(_) => writes[channels].extend(&self.footprints.stmts(&edge.update)),
                _ => {}
            }
        }
        writes
    }

    fn edge(&mut self, process: ProcessId, edge: EdgeId, channel_writes: &[Footprint]) {
        let source = self.network.edge(process, edge);
        let number = self.edges.len() as u32;
        let first_condition = self.needed.len() as u32;
        if let Some(data) = &source.guard.data {
            self.conjuncts(data);
        }
        let timing = self.edge_clocks(process, edge);
        let first_effect = self.effects.len() as u32;
        let mut before = match source.sync {
            Sync::Receive(channel) => channel_writes[channel.index()].clone(),
            Sync::Event(_) => channel_writes[self.network.channels.len()].clone(),
            _ => Footprint::default(),
        };
        before.extend(&self.footprints.stmts(&self.network.before_update));
        let (first, last) = (
            self.network.before_update.clone(),
            self.network.after_update.clone(),
        );
        self.statements(&first, number, &mut Footprint::default());
        self.statements(&source.update, number, &mut before);
        if !last.is_empty() {
            // What runs after every transition may read anything that any transition wrote.
            before.extend(&self.everything_written());
            self.statements(&last, number, &mut before);
        }
        if let Some(clocks) = &self.clocks {
            self.effects.extend(clocks.effects(number, source));
        }
        let first_fact = self.first_fact[process.index()];
        let partner = self.partner(process, source.sync);
        self.edges.push(RawEdge {
            origin: EdgeRef { process, edge },
            process: process.0,
            source: first_fact + source.source.0,
            target: first_fact + source.target.0,
            partner,
            conditions: (first_condition, self.needed.len() as u32),
            effects: (first_effect, self.effects.len() as u32),
            timing,
        });
    }

    /// Adds the conditions of an edge on clocks; what it waits for and sets.
    fn edge_clocks(&mut self, process: ProcessId, edge: EdgeId) -> Timing {
        let Some(clocks) = &self.clocks else {
            return Timing::default();
        };
        let edge = self.network.edge(process, edge);
        let (conditions, timing) = (clocks.of_edge(process, edge), clocks.timing(process, edge));
        self.need_all(conditions);
        timing
    }

    fn need_all(&mut self, conditions: Vec<Condition>) {
        for condition in conditions {
            self.needed.push(self.conditions.len() as u32);
            self.conditions.push(condition);
        }
    }

    fn partner(&mut self, process: ProcessId, sync: Sync) -> Partner {
        match sync {
            Sync::Internal => Partner::None,
            Sync::Event(event) => Partner::Post(self.posts.number(process, event)),
            Sync::Receive(channel) => Partner::End(2 * channel.0 + 1),
            Sync::Send(channel) => match self.network.channels[channel.index()].kind {
                ChannelKind::Binary => Partner::End(2 * channel.0),
                ChannelKind::Broadcast => Partner::Offer(2 * channel.0),
            },
        }
    }

    fn goal(&mut self, conjunct: &Conjunct) -> RawGoal {
        let first = self.needed.len() as u32;
        for (process, locations) in &conjunct.locations {
            let base = self.first_fact[process.index()];
            self.conditions.push(Condition::Facts(
                locations.iter().map(|location| base + location.0).collect(),
            ));
            self.needed.push(self.conditions.len() as u32 - 1);
        }
        for condition in &conjunct.data {
            self.conjuncts(condition);
        }
        if let Some(clocks) = &self.clocks {
            self.need_all(clocks.of_goal(conjunct));
        }
        (first, self.needed.len() as u32)
    }

    fn conjuncts(&mut self, expr: &Expr) {
        match expr {
            Expr::And(parts) => parts.iter().for_each(|part| self.conjuncts(part)),
            Expr::Const(value) if *value != 0 => {}
            _ => {
                if let Some(condition) = self.condition(expr) {
                    self.needed.push(condition);
                }
            }
        }
    }

    /// The number of the condition; `None` if it counts as satisfied.
    fn condition(&mut self, expr: &Expr) -> Option<u32> {
        if let Some((cell, op, value)) = comparison(expr) {
            let model = &self.cells[cell as usize];
            if model.wide != DENSE {
                self.conditions.push(Condition::Compare { cell, op, value });
                return Some(self.conditions.len() as u32 - 1);
            }
            let holds = |candidate: i64| op.compares(candidate, i64::from(value));
            let values = i64::from(model.low)..=i64::from(model.high);
            let mask = values
                .enumerate()
                .filter(|(_, v)| holds(*v))
                .fold(0u64, |mask, (bit, _)| mask | 1 << bit);
            self.conditions.push(Condition::Mask { cell, mask });
            return Some(self.conditions.len() as u32 - 1);
        }
        let footprint = self.footprints.expr(expr);
        let dimensions = self.dimensions(&footprint)?;
        let code = self.builder.expression(expr);
        self.conditions.push(Condition::Code { code, dimensions });
        Some(self.conditions.len() as u32 - 1)
    }

    /// What an expression depends on; `None` if it reads what is not tracked, or too much, or has effects.
    fn dimensions(&mut self, footprint: &Footprint) -> Option<Span> {
        if footprint.has_effects() {
            return None;
        }
        let mut dimensions = Vec::new();
        for cell in footprint.reads.iter() {
            match cell.region {
                Region::State => dimensions.push(Dimension::Cell(cell.offset)),
                Region::Meta => return None,
                Region::Constant | Region::Local => continue,
            }
            if dimensions.len() > self.most_dimensions {
                return None;
            }
        }
        dimensions.extend(
            footprint
                .locations
                .iter()
                .map(|process| Dimension::Process(process.0)),
        );
        let start = self.dimensions.len() as u32;
        (dimensions.len() <= self.most_dimensions).then(|| {
            self.dimensions.extend(dimensions);
            (start, self.dimensions.len() as u32)
        })
    }

    fn statements(&mut self, statements: &[Stmt], edge: u32, written: &mut Footprint) {
        for statement in statements {
            let footprint = self.footprints.stmts(std::slice::from_ref(statement));
            let late = written.writes.intersects(&footprint.reads);
            let simple = match statement {
                Stmt::Assign { target, value, .. } => target
                    .fixed()
                    .filter(|address| address.region == Region::State)
                    .and_then(|address| {
                        Some((address.offset, self.action(address.offset, value)?))
                    }),
                _ => None,
            };
            match simple {
                Some((cell, action)) => self.effects.push(Effect {
                    edge,
                    cell,
                    action,
                    late,
                }),
                None => {
                    // Only the target gets the constant: an index such as the one of `list[len++] = 7` writes
                    // something else to something else.
                    let action = match statement {
                        Stmt::Assign {
                            target,
                            value: Expr::Const(value),
                            ..
                        } if !self
                            .footprints
                            .expr(&Expr::Load(target.clone()))
                            .has_effects() =>
                        {
                            Action::Set(*value)
                        }
                        _ => Action::Any,
                    };
                    for cell in footprint
                        .writes
                        .iter()
                        .filter(|cell| cell.region == Region::State)
                    {
                        self.effects.push(Effect {
                            edge,
                            cell: cell.offset,
                            action: action.clone(),
                            late: false,
                        });
                    }
                }
            }
            written.extend(&footprint);
        }
    }

    fn action(&mut self, target: u32, value: &Expr) -> Option<Action> {
        if let Some(constant) = value.as_const() {
            return Some(Action::Set(constant));
        }
        if let Some((cell, offset)) = cell_plus_constant(value)
            && !self.comes_round(cell, offset)
        {
            return Some(match (cell == target, offset) {
                (true, 0) => Action::Copy {
                    from: cell,
                    offset: 0,
                },
                (true, by) if by > 0 => Action::Increase,
                (true, _) => Action::Decrease,
                (false, offset) => Action::Copy { from: cell, offset },
            });
        }
        let footprint = self.footprints.expr(value);
        let dimensions = self.dimensions(&footprint)?;
        Some(Action::Code {
            code: self.builder.expression(value),
            dimensions,
        })
    }

    /// Whether a sum may leave the 32 bits and come round at the other end, so that larger is no longer larger.
    fn comes_round(&self, cell: u32, offset: i32) -> bool {
        self.network
            .state_cells
            .get(cell as usize)
            .is_none_or(|cell| {
                cell.low.checked_add(offset).is_none() || cell.high.checked_add(offset).is_none()
            })
    }

    fn everything_written(&mut self) -> Footprint {
        let network = self.network;
        let mut all = Footprint::default();
        for edge in network.processes.iter().flat_map(|process| &process.edges) {
            all.extend(&self.footprints.stmts(&edge.update));
        }
        all
    }
}
