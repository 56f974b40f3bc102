//! From the transitions of a network to the small graphs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use merkhet_analysis::causal::{CausalGraph, Grain, Vertex};
use merkhet_network::code::{CodeId, ProgramBuilder};
use merkhet_network::footprint::{Footprint, Footprints};
use merkhet_network::{Expr, Network, Region, Stmt};

use super::labels::{Label, labels};
use super::model::{Model, Need, Step, VertexModel};
use super::trial::Trial;
use crate::Goal;

/// Variables with more values are not looked at.
const MOST_VALUES: i64 = 256;
/// Automata with more locations are not looked at.
const MOST_LOCATIONS: usize = 4096;
/// Conditions and effects are tried for at most so many combinations of values.
const MOST_COMBINATIONS: usize = 1024;
/// Evaluations in all; parts that would need more are not looked at.
const MOST_EVALUATIONS: u64 = 4_000_000;

/// The small graphs of a network.
pub(super) fn compile(network: &Network, goal: &Goal) -> Model {
    let mut vertices = vertices(network);
    let rank = ranks(network, goal);
    let labels = labels(network);
    let mut builder = ProgramBuilder::new(network);
    let processes = network.processes.len() as u32;
    let mut reader = Reader {
        prints: Footprints::new(network),
        builder: &mut builder,
        vertices: &vertices,
        processes,
        conditions: HashMap::new(),
        slices: HashMap::new(),
        statements: HashMap::new(),
    };
    let read: Vec<ReadLabel> = labels.iter().map(|label| reader.label(label)).collect();
    let mut maker = Maker {
        trial: Trial::new(builder.finish()),
        vertices: &vertices,
        processes,
        rank: &rank,
        steps: vec![BTreeSet::new(); vertices.len()],
        unknown: BTreeSet::new(),
        evaluations: 0,
    };
    for label in &read {
        maker.label(label);
    }
    let (steps, unknown) = (maker.steps, maker.unknown);
    for vertex in unknown {
        vertices[vertex as usize].size = 0;
    }
    finish(vertices, &rank, steps)
}

fn vertices(network: &Network) -> Vec<VertexModel> {
    let mut vertices = Vec::new();
    for (index, process) in network.processes.iter().enumerate() {
        let count = process.locations.len();
        vertices.push(VertexModel {
            slot: index as u32,
            size: if count <= MOST_LOCATIONS {
                count as u32
            } else {
                0
            },
            ..VertexModel::default()
        });
    }
    for (offset, cell) in network.state_cells.iter().enumerate() {
        let size = i64::from(cell.high) - i64::from(cell.low) + 1;
        vertices.push(VertexModel {
            slot: (network.processes.len() + offset) as u32,
            low: cell.low,
            size: if size <= MOST_VALUES { size as u32 } else { 0 },
            ..VertexModel::default()
        });
    }
    vertices
}

/// The place of each process and cell in the total order. With many cells, those of one variable share a place.
fn ranks(network: &Network, goal: &Goal) -> Vec<u32> {
    const MOST_CELLS: usize = 512;
    if network.state_cells.len() <= MOST_CELLS {
        let graph = CausalGraph::new(network, Grain::Cells);
        return graph.order_towards(&goals(network, goal, |cell| {
            network.processes.len() as u32 + cell
        }));
    }
    let graph = CausalGraph::new(network, Grain::Variables);
    let mut numbers = vec![0; network.variables.len()];
    for (number, vertex) in graph.vertices.iter().enumerate() {
        if let Vertex::Variable(variable) = vertex {
            numbers[variable.index()] = number as u32;
        }
    }
    let of_cell = |cell: u32| numbers[network.state_cells[cell as usize].variable.index()];
    let order = graph.order_towards(&goals(network, goal, of_cell));
    let mut of_variable = vec![0; network.variables.len()];
    for (vertex, rank) in graph.vertices.iter().zip(&order) {
        if let Vertex::Variable(variable) = vertex {
            of_variable[variable.index()] = *rank;
        }
    }
    let processes = order[..network.processes.len()].iter().copied();
    let cells = network.state_cells.iter();
    processes
        .chain(cells.map(|cell| of_variable[cell.variable.index()]))
        .collect()
}

/// The vertices that the goal mentions.
fn goals(network: &Network, goal: &Goal, of_cell: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut prints = Footprints::new(network);
    let mut goals = Vec::new();
    for conjunct in &goal.disjuncts {
        goals.extend(conjunct.locations.iter().map(|(process, _)| process.0));
        for expr in &conjunct.data {
            let found = prints.expr(expr);
            goals.extend(found.locations.iter().map(|process| process.0));
            let cells = found.reads.iter();
            let states = cells.filter(|cell| cell.region == Region::State);
            goals.extend(states.map(|cell| of_cell(cell.offset)));
        }
    }
    goals
}

/// A transition, with compiled code.
struct ReadLabel {
    /// Process, location before, location after.
    moves: Vec<(u32, u16, u16)>,
    /// Conditions on one cell.
    single: BTreeMap<u32, Vec<CodeId>>,
    /// Conditions on several cells.
    several: Vec<(CodeId, Vec<u32>)>,
    /// For each written cell: the statements that it depends on, and the cells that they read; `None` if those are not
    /// all looked at.
    effects: BTreeMap<u32, Option<(CodeId, Vec<u32>)>>,
}

struct Reader<'a, 'n> {
    prints: Footprints<'n>,
    builder: &'a mut ProgramBuilder<'n>,
    vertices: &'a [VertexModel],
    processes: u32,
    /// By the address of the expression: labels share their edges.
    conditions: HashMap<*const Expr, Option<(CodeId, Vec<u32>)>>,
    slices: HashMap<Vec<*const Stmt>, CodeId>,
    statements: HashMap<*const Stmt, Footprint>,
}

impl<'n> Reader<'_, 'n> {
    fn label(&mut self, label: &Label<'n>) -> ReadLabel {
        let mut read = ReadLabel {
            moves: Vec::new(),
            single: BTreeMap::new(),
            several: Vec::new(),
            effects: BTreeMap::new(),
        };
        for (process, edge) in &label.edges {
            let (source, target) = (edge.source.0 as u16, edge.target.0 as u16);
            read.moves.push((process.0, source, target));
        }
        for guard in &label.guards {
            match self.condition(guard) {
                Some((code, cells)) if cells.len() == 1 => {
                    read.single.entry(cells[0]).or_default().push(code);
                }
                Some((code, cells)) => read.several.push((code, cells)),
                None => {}
            }
        }
        let prints: Vec<Footprint> = label
            .statements
            .iter()
            .map(|statement| self.statement(statement))
            .collect();
        let mut written: BTreeSet<u32> = BTreeSet::new();
        for print in &prints {
            let cells = print.writes.iter();
            written.extend(
                cells
                    .filter(|cell| cell.region == Region::State)
                    .map(|cell| cell.offset),
            );
        }
        for cell in written {
            let effect = self.slice(label, &prints, cell);
            read.effects.insert(cell, effect);
        }
        read
    }

    fn statement(&mut self, statement: &'n Stmt) -> Footprint {
        let key: *const Stmt = statement;
        if let Some(known) = self.statements.get(&key) {
            return known.clone();
        }
        let found = self.prints.stmts(std::slice::from_ref(statement));
        self.statements.insert(key, found.clone());
        found
    }

    /// The code of a condition with the cells that it reads; `None` if it reads what is not looked at.
    fn condition(&mut self, expr: &'n Expr) -> Option<(CodeId, Vec<u32>)> {
        let key: *const Expr = expr;
        if let Some(known) = self.conditions.get(&key) {
            return known.clone();
        }
        let found = self.prints.expr(expr);
        let cells = self.tracked(&found).filter(|cells| !cells.is_empty());
        let condition = cells.map(|cells| (self.builder.expression(expr), cells));
        self.conditions.insert(key, condition.clone());
        condition
    }

    /// The state cells that code reads, if all of them are looked at and nothing else of the state is read.
    fn tracked(&self, found: &Footprint) -> Option<Vec<u32>> {
        if !found.locations.is_empty() {
            return None;
        }
        let mut cells = Vec::new();
        for cell in found.reads.iter() {
            match cell.region {
                Region::Meta => return None,
                Region::State => {
                    if cells.len() > 16 || !self.tracks(cell.offset) {
                        return None;
                    }
                    cells.push(cell.offset);
                }
                Region::Constant | Region::Local => {}
            }
        }
        Some(cells)
    }

    fn tracks(&self, cell: u32) -> bool {
        self.vertices[(self.processes + cell) as usize].tracked()
    }

    /// The statements that decide a cell's value after the transition.
    fn slice(
        &mut self,
        label: &Label<'n>,
        prints: &[Footprint],
        cell: u32,
    ) -> Option<(CodeId, Vec<u32>)> {
        let mut needed = Footprint::default();
        let target = merkhet_network::Address {
            region: Region::State,
            offset: cell,
        };
        needed.reads.insert(target, 1);
        let mut chosen: Vec<usize> = Vec::new();
        let mut found = Footprint::default();
        for (index, print) in prints.iter().enumerate().rev() {
            if print.writes.intersects(&needed.reads) {
                needed.reads.extend(&print.reads);
                found.extend(print);
                chosen.push(index);
            }
        }
        chosen.reverse();
        let cells = self.tracked(&found)?;
        let key: Vec<*const Stmt> = chosen
            .iter()
            .map(|index| label.statements[*index] as *const Stmt)
            .collect();
        let code = match self.slices.get(&key) {
            Some(code) => *code,
            None => {
                let statements: Vec<Stmt> = chosen
                    .iter()
                    .map(|index| label.statements[*index].clone())
                    .collect();
                let code = self.builder.statements(&statements);
                self.slices.insert(key, code);
                code
            }
        };
        Some((code, cells))
    }
}

/// What a step needs of another part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Demand {
    Set(u16),
    Pairs(Vec<(u16, u16)>),
}

type Demands = Vec<(u32, Demand)>;

struct Maker<'a> {
    trial: Trial,
    vertices: &'a [VertexModel],
    processes: u32,
    rank: &'a [u32],
    /// For each part: value before, value after, what is needed of others.
    steps: Vec<BTreeSet<(u16, u16, Demands)>>,
    /// Parts whose steps could not all be found.
    unknown: BTreeSet<u32>,
    evaluations: u64,
}

/// Values of some cells.
type Assignment = BTreeMap<u32, i32>;

impl Maker<'_> {
    fn label(&mut self, label: &ReadLabel) {
        let Some(masks) = self.masks(label) else {
            return; // it can never be taken
        };
        for (process, source, target) in &label.moves {
            if source != target && self.vertices[*process as usize].tracked() {
                self.change(label, &masks, *process, Some((*source, *target)));
            }
        }
        for cell in label.effects.keys() {
            let vertex = self.processes + cell;
            if self.vertices[vertex as usize].tracked() {
                self.change(label, &masks, vertex, None);
            }
        }
    }

    /// The values that the conditions on single cells allow; `None` if there is none for some cell.
    fn masks(&mut self, label: &ReadLabel) -> Option<BTreeMap<u32, Vec<u16>>> {
        let mut masks = BTreeMap::new();
        for (cell, codes) in &label.single {
            let (low, size) = self.range(*cell);
            let mut allowed = Vec::new();
            for value in 0..size {
                self.trial.reset();
                self.trial.set(*cell, low + value as i32);
                if codes.iter().all(|code| self.trial.holds(*code)) {
                    allowed.push(value as u16);
                }
            }
            if allowed.is_empty() {
                return None;
            }
            masks.insert(*cell, allowed);
        }
        Some(masks)
    }

    fn range(&self, cell: u32) -> (i32, u32) {
        let vertex = &self.vertices[(self.processes + cell) as usize];
        (vertex.low, vertex.size)
    }

    /// The steps of one part by a transition.
    fn change(
        &mut self,
        label: &ReadLabel,
        masks: &BTreeMap<u32, Vec<u16>>,
        vertex: u32,
        moved: Option<(u16, u16)>,
    ) {
        let own = vertex
            .checked_sub(self.processes)
            .filter(|_| moved.is_none());
        let effect = match own {
            Some(cell) => match label.effects.get(&cell) {
                Some(Some(effect)) => Some(effect),
                _ => {
                    self.unknown.insert(vertex);
                    return;
                }
            },
            None => None,
        };
        let read = effect.map_or(&[][..], |(_, cells)| cells);
        let several = label.several.iter().flat_map(|(_, cells)| cells);
        let all: BTreeSet<u32> = read.iter().chain(several).copied().collect();
        let least: BTreeSet<u32> = read.iter().copied().collect();
        let grounded = [all, least].into_iter().find_map(|mut cells| {
            let tests = own.is_some_and(|cell| cells.remove(&cell));
            self.assignments(masks, &cells).map(|all| (all, tests))
        });
        let Some((assignments, reads_itself)) = grounded else {
            self.unknown.insert(vertex);
            return;
        };
        for assignment in assignments {
            if self.evaluations > MOST_EVALUATIONS {
                self.unknown.insert(vertex);
                return;
            }
            let Some(demands) = self.demands(label, masks, vertex, &assignment) else {
                continue;
            };
            match (moved, own, effect) {
                (Some((source, target)), ..) if self.permitted(label, &assignment) => {
                    self.steps[vertex as usize].insert((source, target, demands));
                }
                (None, Some(cell), Some((code, _))) => {
                    self.set(
                        label,
                        masks,
                        cell,
                        *code,
                        &assignment,
                        reads_itself,
                        &demands,
                    );
                }
                _ => {}
            }
        }
    }

    #[allow(clippy::too_many_arguments)] // the parts of one step
    fn set(
        &mut self,
        label: &ReadLabel,
        masks: &BTreeMap<u32, Vec<u16>>,
        cell: u32,
        code: CodeId,
        assignment: &Assignment,
        reads_itself: bool,
        demands: &Demands,
    ) {
        let (low, size) = self.range(cell);
        let every: Vec<u16> = (0..size as u16).collect();
        let from = masks.get(&cell).unwrap_or(&every);
        let mut after = None;
        for before in from {
            if reads_itself || after.is_none() {
                let mut assignment = assignment.clone();
                assignment.insert(cell, low + i32::from(*before));
                if !self.permitted(label, &assignment) {
                    continue;
                }
                after = self.result(cell, code, &assignment);
            }
            if let Some(to) = after.filter(|to| to != before) {
                let vertex = (self.processes + cell) as usize;
                self.steps[vertex].insert((*before, to, demands.clone()));
            }
        }
    }

    /// All assignments to cells that the conditions on single cells allow; `None` if they are too many.
    fn assignments(
        &self,
        masks: &BTreeMap<u32, Vec<u16>>,
        cells: &BTreeSet<u32>,
    ) -> Option<Vec<Assignment>> {
        let mut all = vec![Assignment::new()];
        for cell in cells {
            let (low, size) = self.range(*cell);
            let every: Vec<u16> = (0..size as u16).collect();
            let values = masks.get(cell).unwrap_or(&every);
            if all.len() * values.len() > MOST_COMBINATIONS {
                return None;
            }
            all = all
                .iter()
                .flat_map(|assignment| {
                    values.iter().map(move |value| {
                        let mut assignment = assignment.clone();
                        assignment.insert(*cell, low + i32::from(*value));
                        assignment
                    })
                })
                .collect();
        }
        Some(all)
    }

    fn prepare(&mut self, assignment: &Assignment) {
        self.evaluations += 1;
        self.trial.reset();
        for (cell, value) in assignment {
            self.trial.set(*cell, *value);
        }
    }

    /// Whether the conditions on several cells allow the assignment, as far as it goes.
    fn permitted(&mut self, label: &ReadLabel, assignment: &Assignment) -> bool {
        for (code, cells) in &label.several {
            if cells.iter().all(|cell| assignment.contains_key(cell)) {
                self.prepare(assignment);
                if !self.trial.holds(*code) {
                    return false;
                }
            }
        }
        true
    }

    /// The cell's value after the statements, from 0; `None` if they fail.
    fn result(&mut self, cell: u32, code: CodeId, assignment: &Assignment) -> Option<u16> {
        self.prepare(assignment);
        let (low, size) = self.range(cell);
        let ran = self.trial.run(code);
        let value = i64::from(self.trial.get(cell)) - i64::from(low);
        (ran && (0..i64::from(size)).contains(&value)).then_some(value as u16)
    }

    /// What a transition needs of the parts before this one in the order; `None` if that cannot be had.
    fn demands(
        &mut self,
        label: &ReadLabel,
        masks: &BTreeMap<u32, Vec<u16>>,
        vertex: u32,
        assignment: &Assignment,
    ) -> Option<Demands> {
        let mut demands = Demands::new();
        let rank = self.rank;
        let before = |other: u32| rank[other as usize] < rank[vertex as usize];
        for (process, source, target) in &label.moves {
            let part = &self.vertices[*process as usize];
            if before(*process) && part.size > 1 {
                demands.push((*process, Demand::Pairs(vec![(*source, *target)])));
            }
        }
        let mut cells: BTreeSet<u32> = masks.keys().chain(assignment.keys()).copied().collect();
        cells.extend(label.effects.keys());
        for cell in cells {
            let other = self.processes + cell;
            if other == vertex || !before(other) || !self.vertices[other as usize].tracked() {
                continue;
            }
            if let Some(demand) = self.demand(label, masks, cell, assignment)? {
                demands.push((other, demand));
            }
        }
        Some(demands)
    }

    /// What is needed of a cell (`Some(None)`: nothing); `None` if no value will do.
    fn demand(
        &mut self,
        label: &ReadLabel,
        masks: &BTreeMap<u32, Vec<u16>>,
        cell: u32,
        assignment: &Assignment,
    ) -> Option<Option<Demand>> {
        let (low, size) = self.range(cell);
        let fixed = assignment.get(&cell).map(|value| (value - low) as u16);
        let allowed: Vec<u16> = match (masks.get(&cell), fixed) {
            (Some(mask), Some(value)) => mask.iter().copied().filter(|one| *one == value).collect(),
            (None, Some(value)) => vec![value],
            (Some(mask), None) => mask.clone(),
            (None, None) => (0..size as u16).collect(),
        };
        if allowed.is_empty() {
            return None;
        }
        let effect = label.effects.get(&cell).and_then(Option::as_ref);
        let effect = effect.filter(|(_, read)| {
            read.iter()
                .all(|other| *other == cell || assignment.contains_key(other))
        });
        let mut pairs = Vec::with_capacity(allowed.len());
        for value in &allowed {
            let after = match effect {
                None => Some(*value),
                Some((code, _)) => {
                    let mut assignment = assignment.clone();
                    assignment.insert(cell, low + i32::from(*value));
                    self.result(cell, *code, &assignment)
                }
            };
            pairs.extend(after.map(|after| (*value, after)));
        }
        let everything = pairs.len() == size as usize;
        if everything && pairs.iter().all(|(before, after)| before == after) {
            return Some(None);
        }
        let first = pairs.first()?.1;
        if everything && pairs.iter().all(|(_, after)| *after == first) {
            return Some(Some(Demand::Set(first)));
        }
        Some(Some(Demand::Pairs(pairs)))
    }
}

/// Puts everything into flat arrays.
fn finish(
    mut vertices: Vec<VertexModel>,
    rank: &[u32],
    steps: Vec<BTreeSet<(u16, u16, Demands)>>,
) -> Model {
    let mut model = Model::default();
    let mut known: HashMap<Vec<(u16, u16)>, (u32, u32)> = HashMap::new();
    let tracked: Vec<bool> = vertices.iter().map(VertexModel::tracked).collect();
    for (vertex, own) in steps.into_iter().enumerate() {
        if !tracked[vertex] {
            continue;
        }
        let mut predecessors: Vec<u32> = Vec::new();
        vertices[vertex].steps = vec![(0, 0); vertices[vertex].size as usize];
        let mut last: Option<u16> = None;
        for (from, to, demands) in own {
            if last != Some(from) {
                let start = model.steps.len() as u32;
                vertices[vertex].steps[from as usize] = (start, start);
                last = Some(from);
            }
            let first = model.needs.len() as u32;
            for (other, demand) in demands {
                if !tracked[other as usize] {
                    continue;
                }
                let position = predecessors.iter().position(|known| *known == other);
                let slot = position.unwrap_or_else(|| {
                    predecessors.push(other);
                    predecessors.len() - 1
                }) as u16;
                model.needs.push(match demand {
                    Demand::Set(after) => Need::Set { slot, after },
                    Demand::Pairs(pairs) => {
                        let all = &mut model.pairs;
                        let (first, last) = *known.entry(pairs).or_insert_with_key(|pairs| {
                            let first = all.len() as u32;
                            all.extend_from_slice(pairs);
                            (first, all.len() as u32)
                        });
                        Need::Pairs { slot, first, last }
                    }
                });
            }
            let needs = (first, model.needs.len() as u32);
            model.steps.push(Step { to, needs });
            vertices[vertex].steps[from as usize].1 = model.steps.len() as u32;
        }
        vertices[vertex].predecessors = predecessors;
    }
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    order.sort_by_key(|vertex| rank[*vertex]);
    for vertex in order {
        let mut ancestors: BTreeSet<u32> = BTreeSet::new();
        for predecessor in &vertices[vertex].predecessors {
            ancestors.insert(*predecessor);
            ancestors.extend(&vertices[*predecessor as usize].ancestors);
        }
        vertices[vertex].ancestors = ancestors.into_iter().collect();
    }
    model.vertices = vertices;
    model
}
