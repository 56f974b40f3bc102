//! From compiled conditions, effects and edges to the model that the graph is built over: conditions as tables, joined
//! edges, and who has to be told of what.

use std::collections::{BTreeMap, HashMap};

use merkhet_network::Network;
use merkhet_network::code::{Layout, Machine, Program};

use super::merge::{Draft, merge};
use super::model::{
    Action, CellModel, Condition, DENSE, Dimension, EdgeModel, EdgeRef, Effect, GoalModel, Lists,
    Model, Partner,
};
use super::tabulate::Tabulator;

/// The model with the code that its conditions and effects run.
pub(super) struct Compiled {
    pub model: Model,
    pub program: Program,
    pub layout: Layout,
}

/// An edge as compiled.
pub(super) struct RawEdge {
    pub origin: EdgeRef,
    pub process: u32,
    pub source: u32,
    pub target: u32,
    pub partner: Partner,
    pub conditions: (u32, u32),
    pub effects: (u32, u32),
}

/// A way to meet the goal as compiled: its conditions.
pub(super) type RawGoal = (u32, u32);

/// Everything as compiled.
pub(super) struct Raw<'n> {
    pub network: &'n Network,
    pub program: Program,
    pub layout: Layout,
    pub cells: Vec<CellModel>,
    pub entries: usize,
    pub wides: usize,
    pub first_fact: Vec<u32>,
    pub facts: usize,
    pub conditions: Vec<Condition>,
    pub dimensions: Vec<Dimension>,
    pub effects: Vec<Effect>,
    pub edges: Vec<RawEdge>,
    pub goals: Vec<RawGoal>,
    /// Which conditions each edge, then each goal needs.
    pub needed: Vec<u32>,
}

impl Raw<'_> {
    /// The finished model.
    pub fn assemble(mut self) -> Compiled {
        let pairs = self.tabulate();
        let drafts = merge(self.drafts(), &|cell| {
            all_values(&self.cells[cell as usize])
        });
        let mut parts = Parts::default();
        let mut conditions = Conditions::new(std::mem::take(&mut self.conditions));
        for draft in drafts {
            parts.edge(draft, &mut conditions);
        }
        let edges = parts.edges.len();
        for goal in &self.goals {
            let first = parts.needed.len() as u32;
            for condition in &self.needed[goal.0 as usize..goal.1 as usize] {
                parts.needed.push(conditions.keep(*condition));
            }
            let last = parts.needed.len() as u32;
            parts.goals.push(GoalModel {
                needs: (last - first) as u16,
                conditions: (first, last),
            });
        }
        let watching = self.watching(&conditions.list);
        let keys = (self.facts, conditions.list.len(), self.cells.len());
        Compiled {
            model: Model {
                processes: self.network.processes.len(),
                edges_from: Lists::of(keys.0, &parts.edges_from),
                users: Lists::of(keys.1, &parts.users()),
                watching_cell: Lists::of(keys.2, &watching.cells),
                watching_fact: Lists::of(keys.0, &watching.facts),
                reading: Lists::of(keys.2, &self.reading(&parts.effects)),
                origins: Lists::of(edges, &parts.origins),
                network_edges: parts.network_edges,
                constant_true: watching.always,
                first_fact: self.first_fact,
                facts: self.facts,
                cells: self.cells,
                entries: self.entries,
                wides: self.wides,
                conditions: conditions.list,
                effects: parts.effects,
                edges: parts.edges,
                goals: parts.goals,
                needed: parts.needed,
                channels: self.network.channels.len(),
                dimensions: self.dimensions,
                pairs,
            },
            program: self.program,
            layout: self.layout,
        }
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
            }
        };
        self.edges.iter().map(draft).collect()
    }

    fn watching(&self, conditions: &[Condition]) -> Watching {
        let mut watching = Watching::default();
        for (number, condition) in conditions.iter().enumerate() {
            let number = number as u32;
            match condition {
                Condition::Mask { cell, .. } | Condition::Compare { cell, .. } => {
                    watching.cells.push((*cell, number));
                }
                Condition::Pair { left, right, .. } => {
                    watching.cells.extend([(*left, number), (*right, number)]);
                }
                Condition::Facts(facts) => watching
                    .facts
                    .extend(facts.iter().map(|fact| (*fact, number))),
                Condition::Code { dimensions, .. } => {
                    if dimensions.0 == dimensions.1 {
                        watching.always.push(number);
                    }
                    let range = dimensions.0 as usize..dimensions.1 as usize;
                    for dimension in &self.dimensions[range] {
                        self.watch(*dimension, number, &mut watching);
                    }
                }
            }
        }
        watching
    }

    fn watch(&self, dimension: Dimension, condition: u32, watching: &mut Watching) {
        match dimension {
            Dimension::Cell(cell) => watching.cells.push((cell, condition)),
            Dimension::Process(process) => {
                let first = self.first_fact[process as usize];
                let count = self.network.processes[process as usize].locations.len() as u32;
                watching
                    .facts
                    .extend((first..first + count).map(|fact| (fact, condition)));
            }
        }
    }

    fn reading(&self, effects: &[Effect]) -> Vec<(u32, u32)> {
        let mut reading = Vec::new();
        for (number, effect) in effects.iter().enumerate() {
            let number = number as u32;
            match &effect.action {
                Action::Copy { from, .. } => reading.push((*from, number)),
                Action::Increase | Action::Decrease => reading.push((effect.cell, number)),
                Action::Code { dimensions, .. } => {
                    let range = dimensions.0 as usize..dimensions.1 as usize;
                    for dimension in &self.dimensions[range] {
                        if let Dimension::Cell(cell) = dimension {
                            reading.push((*cell, number));
                        }
                    }
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

/// Who has to be told of new values and locations.
#[derive(Default)]
struct Watching {
    cells: Vec<(u32, u32)>,
    facts: Vec<(u32, u32)>,
    always: Vec<u32>,
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
    goals: Vec<GoalModel>,
    needed: Vec<u32>,
    edges_from: Vec<(u32, u32)>,
    origins: Vec<(u32, u32)>,
    network_edges: Vec<EdgeRef>,
}

impl Parts {
    fn edge(&mut self, draft: Draft, conditions: &mut Conditions) {
        let number = self.edges.len() as u32;
        let (first_condition, first_effect) = (self.needed.len() as u32, self.effects.len() as u32);
        for (cell, mask) in &draft.masks {
            self.needed.push(conditions.mask(*cell, *mask));
        }
        for condition in &draft.others {
            self.needed.push(conditions.keep(*condition));
        }
        for effect in draft.effects {
            self.effects.push(Effect {
                edge: number,
                ..effect
            });
        }
        for origin in draft.origins {
            self.origins.push((number, self.network_edges.len() as u32));
            self.network_edges.push(origin);
        }
        self.edges_from.push((draft.source, number));
        let last = self.needed.len() as u32;
        self.edges.push(EdgeModel {
            process: draft.process,
            source: draft.source,
            target: draft.target,
            partner: draft.partner,
            needs: (last - first_condition) as u16 + 1,
            conditions: (first_condition, last),
            effects: (first_effect, self.effects.len() as u32),
        });
    }

    /// Who needs each condition: edges, with goals numbered after them.
    fn users(&self) -> Vec<(u32, u32)> {
        let ranges = self
            .edges
            .iter()
            .map(|edge| edge.conditions)
            .chain(self.goals.iter().map(|goal| goal.conditions));
        let mut users = Vec::new();
        for (number, range) in ranges.enumerate() {
            for at in range.0..range.1 {
                users.push((self.needed[at as usize], number as u32));
            }
        }
        users
    }
}
