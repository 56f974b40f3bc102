//! From compiled conditions, effects and edges to the model that the graph is built over: conditions as tables, joined
//! edges, and who has to be told of what.

use std::collections::{BTreeMap, HashMap, HashSet};

use merkhet_network::Network;
use merkhet_network::code::{Layout, Machine, Program};

use crate::atg::clocks::{self, ClockCompiler, Clocks, Horizon, TimeModel, TimedEdge, Timing};
use crate::atg::merge::{Draft, merge};
use crate::atg::model::{
    Action, CellModel, Condition, DENSE, Dimension, EdgeModel, EdgeRef, Effect, GoalModel, Lists,
    Model, Partner, Span, Vectors,
};
use crate::atg::relevance::relevant;
use crate::atg::tabulate::Tabulator;
use crate::tuning::GRAPH_GROUP;
use merkhet_network::tuning::Tuning;

/// An edge as compiled.
pub(in crate::atg) struct RawEdge {
    pub origin: EdgeRef,
    pub process: u32,
    pub source: u32,
    pub target: u32,
    pub partner: Partner,
    pub conditions: (u32, u32),
    pub effects: (u32, u32),
    pub timing: Timing,
}

/// A way to meet the goal as compiled: its conditions.
pub(in crate::atg) type RawGoal = (u32, u32);

/// Everything as compiled.
pub(in crate::atg) struct Raw<'n> {
    pub network: &'n Network,
    /// By goal, the values that clocks must have grown to.
    pub goal_waits: Vec<Vec<(u32, i32)>>,
    pub program: Program,
    pub layout: Layout,
    pub processes: usize,
    pub channels: usize,
    pub vectors: Vectors,
    pub cells: Vec<CellModel>,
    pub atoms: usize,
    pub wides: usize,
    pub first_fact: Vec<u32>,
    pub conditions: Vec<Condition>,
    pub dimensions: Vec<Dimension>,
    pub effects: Vec<Effect>,
    pub edges: Vec<RawEdge>,
    pub goals: Vec<RawGoal>,
    /// Which conditions each edge, then each goal needs.
    pub needed: Vec<u32>,
}

impl Raw<'_> {
    /// The finished model; `joined`: edges that say the same become one.
    pub fn assemble(
        mut self,
        joined: bool,
        clocks: Option<ClockCompiler<'_>>,
        tuning: &Tuning,
    ) -> (Model, Option<Clocks>) {
        let pairs = self.tabulate();
        let mut drafts = self.drafts();
        let clocks = clocks.map(|clocks| {
            let inputs = clocks::inputs(self.network, &drafts, &self.cells, &self.first_fact);
            let horizons = Horizon::all(&clocks.facts, &inputs, tuning);
            Clocks::new(self.network, clocks.cells, horizons)
        });
        if joined {
            let full = |cell: u32| all_values(&self.cells[cell as usize]);
            drafts = merge(drafts, tuning.count(&GRAPH_GROUP), &full);
        }
        let drafts = relevant(&self, drafts);
        let mut parts = Parts::default();
        let mut conditions = Conditions::new(std::mem::take(&mut self.conditions));
        for draft in drafts {
            let first = self.first_fact[draft.process as usize];
            parts.timed.push(TimedEdge {
                process: draft.process,
                source: draft.source - first,
                target: draft.target - first,
                timing: draft.timing.clone(),
            });
            parts.edge(draft, &self.cells, &mut conditions);
        }
        for goal in &self.goals {
            let goal = &self.needed[goal.0 as usize..goal.1 as usize];
            parts.goal(goal, &mut conditions);
        }
        let watching = self.watching(&parts, &conditions.list);
        let reading = self.reading(&parts.effects);
        let slots = self.cells.len() + self.processes;
        let mut observed = vec![false; slots];
        for (slot, _) in watching.slots.iter().chain(&reading) {
            observed[*slot as usize] = true;
        }
        let locations = |process: u32| {
            let first = &self.first_fact[process as usize..];
            first[1] - first[0]
        };
        let time = TimeModel::new(&parts.timed, &self.goal_waits, locations);
        let model = Model {
            time,
            variables: self.network.state_cells.len(),
            direct: Lists::of(self.atoms, &watching.direct),
            satisfying: Lists::of(self.atoms, &watching.satisfying),
            users: Lists::of(conditions.list.len(), &watching.users),
            watching: Lists::of(slots, &watching.slots),
            reading: Lists::of(slots, &reading),
            observed,
            origins: Lists::of(parts.edges.len(), &parts.origins),
            network_edges: parts.network_edges,
            constant: watching.constant,
            slot_of: self.slots(),
            processes: self.processes,
            first_fact: self.first_fact,
            atoms: self.atoms,
            cells: self.cells,
            wides: self.wides,
            conditions: conditions.list,
            effects: parts.effects,
            needs: parts.needs,
            edges: parts.edges,
            goals: parts.goals,
            needed: parts.needed,
            adds: parts.adds,
            ends: 2 * self.channels,
            vectors: self.vectors,
            dimensions: self.dimensions,
            pairs,
            program: self.program,
            layout: self.layout,
        };
        (model, clocks)
    }

    /// By atom, its slot.
    fn slots(&self) -> Vec<u32> {
        let mut slots = vec![0; self.atoms];
        for process in 0..self.processes {
            let range = self.first_fact[process] as usize..self.first_fact[process + 1] as usize;
            slots[range].fill((self.cells.len() + process) as u32);
        }
        let cells = self.cells.iter().enumerate();
        for (number, cell) in cells.filter(|(_, cell)| cell.wide == DENSE) {
            let size = (cell.high - cell.low) as usize + 1;
            slots[cell.atoms as usize..][..size].fill(number as u32);
        }
        slots
    }

    /// Turns conditions into tables where that is possible.
    fn tabulate(&mut self) -> Vec<u64> {
        let mut tabulator = Tabulator {
            program: &self.program,
            layout: &self.layout,
            machine: Machine::new(&self.program),
            cells: &self.cells,
            dimensions: &self.dimensions,
            pairs: Vec::new(),
        };
        tabulator.machine.fuel = Tabulator::FUEL;
        for condition in &mut self.conditions {
            if let Some(table) = tabulator.tabulate(condition) {
                *condition = table;
            }
        }
        tabulator.pairs
    }

    fn drafts(&self) -> Vec<Draft> {
        // Of resets only those count that change what the process itself waits for.
        let waiting: HashSet<(u32, u32)> = (self.edges.iter())
            .flat_map(|edge| {
                edge.timing
                    .waits
                    .iter()
                    .map(|(clock, _)| (edge.process, *clock))
            })
            .collect();
        let draft = |edge: &RawEdge| {
            let mut masks: BTreeMap<u32, u64> = BTreeMap::new();
            let mut others = Vec::new();
            for at in edge.conditions.0..edge.conditions.1 {
                let number = self.needed[at as usize];
                match &self.conditions[number as usize] {
                    // A cell has one value when the guard is tested: several conditions on it are one.
                    Condition::Mask { cell, mask } => {
                        let all = all_values(&self.cells[*cell as usize]);
                        *masks.entry(*cell).or_insert(all) &= mask;
                    }
                    _ => others.push(number),
                }
            }
            masks.retain(|cell, mask| *mask != all_values(&self.cells[*cell as usize]));
            others.sort_unstable();
            others.dedup();
            Draft {
                origins: vec![edge.origin],
                process: edge.process,
                source: edge.source,
                target: edge.target,
                partner: edge.partner,
                masks,
                others,
                effects: self.effects[edge.effects.0 as usize..edge.effects.1 as usize].to_vec(),
                timing: Timing {
                    waits: edge.timing.waits.clone(),
                    resets: (edge.timing.resets.iter())
                        .filter(|(clock, _)| waiting.contains(&(edge.process, *clock)))
                        .copied()
                        .collect(),
                },
            }
        };
        self.edges.iter().map(draft).collect()
    }

    /// Who has to be told of what.
    fn watching(&self, parts: &Parts, conditions: &[Condition]) -> Watching {
        let mut watching = Watching::default();
        for (number, edge) in parts.edges.iter().enumerate() {
            watching.direct.push((edge.source, number as u32));
        }
        let users = parts.users();
        for &(condition, user) in &users {
            match self.only_atom(&conditions[condition as usize]) {
                Some(atom) => watching.direct.push((atom, user)),
                None => watching.users.push((condition, user)),
            }
        }
        for (number, condition) in conditions.iter().enumerate() {
            if self.only_atom(condition).is_none() {
                self.watch(number as u32, condition, &mut watching);
            }
        }
        watching
    }

    /// The atom that alone satisfies a condition.
    fn only_atom(&self, condition: &Condition) -> Option<u32> {
        match condition {
            Condition::Mask { cell, mask } if mask.is_power_of_two() => {
                Some(self.cells[*cell as usize].atoms + mask.trailing_zeros())
            }
            Condition::Facts(facts) => match facts[..] {
                [only] => Some(only),
                _ => None,
            },
            _ => None,
        }
    }

    fn watch(&self, number: u32, condition: &Condition, watching: &mut Watching) {
        match condition {
            Condition::Mask { cell, mask } => {
                let first = self.cells[*cell as usize].atoms;
                let bits = (0..u64::BITS).filter(|bit| mask & (1 << bit) != 0);
                let satisfying = bits.map(|bit| (first + bit, number));
                watching.satisfying.extend(satisfying);
            }
            Condition::Facts(facts) => {
                let satisfying = facts.iter().map(|fact| (*fact, number));
                watching.satisfying.extend(satisfying);
            }
            Condition::Compare { cell, .. } => watching.slots.push((*cell, number)),
            Condition::Pair { left, right, .. } => {
                watching.slots.extend([(*left, number), (*right, number)]);
            }
            Condition::Code { dimensions, .. } if dimensions.0 == dimensions.1 => {
                watching.constant.push(number);
            }
            Condition::Code { dimensions, .. } => {
                let slots = self.slots_of(*dimensions).map(|slot| (slot, number));
                watching.slots.extend(slots);
            }
        }
    }

    fn slots_of(&self, dimensions: Span) -> impl Iterator<Item = u32> + '_ {
        let range = dimensions.0 as usize..dimensions.1 as usize;
        let dimensions = self.dimensions[range].iter();
        dimensions.map(|dimension| Model::slot(self.cells.len(), *dimension))
    }

    /// The slots that effects read.
    fn reading(&self, effects: &[Effect]) -> Vec<(u32, u32)> {
        let mut reading = Vec::new();
        for (number, effect) in effects.iter().enumerate() {
            let number = number as u32;
            match &effect.action {
                Action::Copy { from, .. } => reading.push((*from, number)),
                Action::Increase | Action::Decrease => reading.push((effect.cell, number)),
                Action::Code { dimensions, .. } => {
                    let slots = self.slots_of(*dimensions).map(|slot| (slot, number));
                    reading.extend(slots);
                }
                Action::Set(_) | Action::Any => {}
            }
        }
        reading
    }
}

/// The mask of all values of a dense cell.
fn all_values(cell: &CellModel) -> u64 {
    debug_assert_eq!(cell.wide, DENSE);
    let size = (i64::from(cell.high) - i64::from(cell.low) + 1) as u32;
    u64::MAX >> (u64::BITS - size)
}

/// Who has to be told of new values and locations: the lists of the model of the same names, as pairs.
#[derive(Default)]
struct Watching {
    direct: Vec<(u32, u32)>,
    satisfying: Vec<(u32, u32)>,
    users: Vec<(u32, u32)>,
    slots: Vec<(u32, u32)>,
    constant: Vec<u32>,
}

/// The conditions that are needed, each mask once.
struct Conditions {
    compiled: Vec<Condition>,
    list: Vec<Condition>,
    kept: HashMap<u32, u32>,
    masks: HashMap<(u32, u64), u32>,
}

impl Conditions {
    fn new(compiled: Vec<Condition>) -> Conditions {
        Conditions {
            compiled,
            list: Vec::new(),
            kept: HashMap::new(),
            masks: HashMap::new(),
        }
    }

    /// The new number of a condition as compiled.
    fn keep(&mut self, number: u32) -> u32 {
        let condition = &self.compiled[number as usize];
        if let Condition::Mask { cell, mask } = condition {
            return self.mask(*cell, *mask);
        }
        *self.kept.entry(number).or_insert_with(|| {
            self.list.push(condition.clone());
            self.list.len() as u32 - 1
        })
    }

    fn mask(&mut self, cell: u32, mask: u64) -> u32 {
        *self.masks.entry((cell, mask)).or_insert_with(|| {
            self.list.push(Condition::Mask { cell, mask });
            self.list.len() as u32 - 1
        })
    }
}

/// The numbered edges, effects and goals.
#[derive(Default)]
struct Parts {
    edges: Vec<EdgeModel>,
    effects: Vec<Effect>,
    adds: Vec<u32>,
    goals: Vec<GoalModel>,
    needs: Vec<u16>,
    needed: Vec<u32>,
    origins: Vec<(u32, u32)>,
    network_edges: Vec<EdgeRef>,
    timed: Vec<TimedEdge>,
}

impl Parts {
    fn edge(&mut self, draft: Draft, cells: &[CellModel], conditions: &mut Conditions) {
        let number = self.edges.len() as u32;
        let first_condition = self.needed.len() as u32;
        let (first_add, first_effect) = (self.adds.len() as u32, self.effects.len() as u32);
        for (cell, mask) in &draft.masks {
            self.needed.push(conditions.mask(*cell, *mask));
        }
        for condition in &draft.others {
            self.needed.push(conditions.keep(*condition));
        }
        self.adds.push(draft.target);
        for effect in draft.effects {
            let cell = &cells[effect.cell as usize];
            match effect.action {
                // Outside the range there is nothing to bring.
                Action::Set(value) if cell.wide == DENSE => {
                    if (cell.low..=cell.high).contains(&value) {
                        self.adds.push(cell.atoms + (value - cell.low) as u32);
                    }
                }
                _ => self.effects.push(Effect {
                    edge: number,
                    ..effect
                }),
            }
        }
        for origin in draft.origins {
            self.origins.push((number, self.network_edges.len() as u32));
            self.network_edges.push(origin);
        }
        let last = self.needed.len() as u32;
        let needs = (last - first_condition) as u16 + 1;
        self.needs.push(needs);
        self.edges.push(EdgeModel {
            process: draft.process,
            source: draft.source,
            partner: draft.partner,
            conditions: (first_condition, last),
            adds: (first_add, self.adds.len() as u32),
            effects: (first_effect, self.effects.len() as u32),
        });
    }

    fn goal(&mut self, needed: &[u32], conditions: &mut Conditions) {
        let first = self.needed.len() as u32;
        let kept = needed.iter().map(|condition| conditions.keep(*condition));
        self.needed.extend(kept);
        let needs = needed.len() as u16;
        self.needs.push(needs);
        self.goals.push(GoalModel {
            needs,
            conditions: (first, self.needed.len() as u32),
        });
    }

    /// Who needs each condition: edges, with goals numbered after them.
    fn users(&self) -> Vec<(u32, u32)> {
        let edges = self.edges.iter().map(|edge| edge.conditions);
        let goals = self.goals.iter().map(|goal| goal.conditions);
        let mut users = Vec::new();
        for (number, range) in edges.chain(goals).enumerate() {
            let needed = &self.needed[range.0 as usize..range.1 as usize];
            users.extend(needed.iter().map(|condition| (*condition, number as u32)));
        }
        users
    }
}
