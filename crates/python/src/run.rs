//! Runs and paths that the judge has accepted, step by step: nothing is copied whole.

use std::sync::{Arc, Mutex};

use merkhet::finite::System;
use merkhet::finite::trace::Trace as FinitePath;
use merkhet::network::{Address, Ending, Network, Region};
use merkhet::replay::{ConcreteState, Replayed};
use merkhet::{EdgeText, Model};
use merkhet_interop::draw::{self, Moved, Moves};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use rustc_hash::FxHashMap;

/// Names of processes, of each one's locations, of variables and of clocks.
pub type Lists = (Vec<String>, Vec<Vec<String>>, Vec<String>, Vec<String>);

/// The template's edge that an edge is a copy of, and the values of its select variables.
type Origin = (u32, Vec<(String, i32)>);

/// The names that the states and steps of a model are told by, made once.
#[derive(Default)]
pub struct Names {
    pub processes: Vec<String>,
    /// The locations of each process.
    pub locations: Vec<Vec<String>>,
    /// The cells of the state, then the `meta` ones.
    pub cells: Vec<String>,
    pub clocks: Vec<String>,
    /// The labels of the edges of each template, as their author wrote them.
    edges: FxHashMap<(String, u32), EdgeText>,
    /// For each process its template, and for each of its edges the template's edge and the values of select variables.
    origins: Vec<(String, Vec<Origin>)>,
}

impl Names {
    pub fn new(model: &Model, network: &Network) -> Names {
        let cells = |region| {
            (0..network.cells(region).len() as u32)
                .map(move |offset| network.cell_name(Address { region, offset }))
        };
        let mut edges = FxHashMap::default();
        let mut origins = Vec::new();
        for process in &network.processes {
            let template = &process.template;
            let of = |edge: &merkhet::network::Edge| (edge.origin, edge.select.clone());
            origins.push((template.clone(), process.edges.iter().map(of).collect()));
            for edge in &process.edges {
                let key = (template.clone(), edge.origin);
                if !edges.contains_key(&key)
                    && let Some(text) = model.edge_text(template, edge.origin)
                {
                    edges.insert(key, text);
                }
            }
        }
        let name = |process: &merkhet::network::Process| process.name.clone();
        let places = |process: &merkhet::network::Process| {
            (process.locations.iter().map(|one| one.name.clone())).collect()
        };
        Names {
            processes: network.processes.iter().map(name).collect(),
            locations: network.processes.iter().map(places).collect(),
            cells: cells(Region::State).chain(cells(Region::Meta)).collect(),
            clocks: network.clocks.iter().map(|one| one.name.clone()).collect(),
            edges,
            origins,
        }
    }

    /// The names of processes, of each one's locations, of variables and of clocks.
    pub fn lists(&self) -> Lists {
        (
            self.processes.clone(),
            self.locations.clone(),
            self.cells.clone(),
            self.clocks.clone(),
        )
    }

    /// What an edge of a process says: guard, update, select values, and its number in the template.
    pub fn edge(&self, process: usize, edge: usize) -> EdgeWords {
        let Some((template, edges)) = self.origins.get(process) else {
            return EdgeWords::default();
        };
        let Some((origin, select)) = edges.get(edge) else {
            return EdgeWords::default();
        };
        let text = self.edges.get(&(template.clone(), *origin));
        let EdgeText { guard, update, .. } = text.cloned().unwrap_or_default();
        EdgeWords {
            guard,
            update,
            select: select.clone(),
            origin: *origin,
        }
    }
}

/// What an edge says.
#[derive(Default)]
pub struct EdgeWords {
    pub guard: Option<String>,
    pub update: Option<String>,
    pub select: Vec<(String, i32)>,
    pub origin: u32,
}

/// A move of one process, as Python sees it.
#[derive(IntoPyObject)]
pub struct Move {
    pub process: String,
    pub source: String,
    pub target: String,
    pub guard: Option<String>,
    pub update: Option<String>,
    pub select: Vec<(String, i32)>,
    pub edge: u32,
    pub origin: u32,
}

/// A step, as Python sees it; times in units of 1/scale.
#[derive(IntoPyObject)]
struct Step {
    time: i128,
    delay: i128,
    moves: Vec<Move>,
    sync: Option<String>,
    changes: Vec<(String, i32, i32)>,
}

/// A state, as Python sees it.
type StateParts = (Vec<u32>, Vec<i32>, Vec<i128>);

/// A run of a network with exact times.
#[pyclass(frozen, module = "merkhet._merkhet")]
pub struct Run {
    pub run: Arc<Replayed>,
    pub names: Arc<Names>,
    walk: Mutex<Walk>,
}

/// Where a walk along the run is, and states that it came by: each state is found from one nearby.
struct Walk {
    at: usize,
    state: ConcreteState,
    kept: Vec<ConcreteState>,
}

/// Every so manieth state that a walk comes by is kept.
const KEPT: usize = 4096;

impl Run {
    pub fn new(run: Arc<Replayed>, names: Arc<Names>) -> Run {
        let walk = Mutex::new(Walk {
            at: 0,
            state: run.initial.clone(),
            kept: vec![run.initial.clone()],
        });
        Run { run, names, walk }
    }

    fn moves(&self, from: usize, to: usize) -> Moves {
        let run = &self.run;
        let to = to.min(run.steps.len());
        let step = |step: &merkhet::replay::ReplayedStep| Moved {
            time: ratio(step.time + step.delay, run.scale),
            moves: (step.edges.iter())
                .map(|taken| {
                    let (source, target) = (taken.source.clone(), taken.target.clone());
                    (taken.process_name.clone(), source, target)
                })
                .collect(),
            sync: step.sync.clone(),
            changes: (step.changes.iter())
                .map(|change| format!("{} = {}", change.name, change.new))
                .collect(),
        };
        let later = run.last_delay != 0 && to == run.steps.len();
        Moves {
            steps: run.steps[from.min(to)..to].iter().map(step).collect(),
            until: later.then(|| ratio(run.end_time + run.last_delay, run.scale)),
        }
    }
}

/// A time as an integer or a fraction in lowest terms.
fn ratio(units: i128, scale: i64) -> String {
    let scale = i128::from(scale.max(1));
    let (mut a, mut b) = (units.abs(), scale);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let divisor = a.max(1);
    match scale / divisor {
        1 => (units / divisor).to_string(),
        below => format!("{}/{below}", units / divisor),
    }
}

#[pymethods]
impl Run {
    fn __len__(&self) -> usize {
        self.run.steps.len()
    }

    /// The number of units of a time unit of the model.
    #[getter]
    fn scale(&self) -> i64 {
        self.run.scale
    }

    /// The time after the last delay.
    #[getter]
    fn duration(&self) -> i128 {
        self.run.end_time + self.run.last_delay
    }

    #[getter]
    fn last_delay(&self) -> i128 {
        self.run.last_delay
    }

    /// How it goes on, with the step from which on it repeats.
    #[getter]
    fn ending(&self) -> (&'static str, Option<usize>) {
        match self.run.ending {
            Ending::State => ("state", None),
            Ending::Loop(from) => ("loop", Some(from)),
            Ending::Deadlock => ("deadlock", None),
            Ending::Diverges => ("diverges", None),
        }
    }

    /// The names of processes, of each one's locations, of variables and of clocks.
    fn names(&self) -> Lists {
        self.names.lists()
    }

    /// Some of the steps as a message-sequence chart (`sequence`) or over time (`gantt`).
    fn svg(&self, kind: &str, title: &str, from: usize, to: usize) -> String {
        let moves = self.moves(from, to);
        match kind {
            "gantt" => draw::gantt(title, &moves),
            _ => draw::sequence(title, &moves),
        }
    }

    fn step(&self, index: usize) -> PyResult<Step> {
        let step = self.run.steps.get(index);
        let step = step.ok_or_else(|| PyIndexError::new_err("no such step"))?;
        let moved = |taken: &merkhet::replay::TakenEdge| {
            let (process, edge) = (taken.process.index(), taken.edge.index());
            let words = self.names.edge(process, edge);
            Move {
                process: taken.process_name.clone(),
                source: taken.source.clone(),
                target: taken.target.clone(),
                guard: words.guard,
                update: words.update,
                select: words.select,
                edge: taken.edge.0,
                origin: words.origin,
            }
        };
        Ok(Step {
            time: step.time + step.delay,
            delay: step.delay,
            moves: step.edges.iter().map(moved).collect(),
            sync: step.sync.clone(),
            changes: (step.changes.iter())
                .map(|change| (change.name.clone(), change.old, change.new))
                .collect(),
        })
    }

    /// The state after a number of steps; one more than there are steps is the state after the last delay.
    fn state(&self, index: usize) -> PyResult<StateParts> {
        let steps = &self.run.steps;
        if index == steps.len() + 1 {
            return Ok(parts(&self.run.last));
        }
        if index > steps.len() {
            return Err(PyIndexError::new_err("no such state"));
        }
        let mut walk = match self.walk.lock() {
            Ok(walk) => walk,
            Err(poisoned) => poisoned.into_inner(),
        };
        let near = (index / KEPT).min(walk.kept.len() - 1);
        if walk.at > index || near * KEPT > walk.at {
            walk.at = near * KEPT;
            walk.state = walk.kept[near].clone();
        }
        while walk.at < index {
            let step = &steps[walk.at];
            Replayed::advance(&mut walk.state, step);
            walk.at += 1;
            if walk.at == walk.kept.len() * KEPT {
                let state = walk.state.clone();
                walk.kept.push(state);
            }
        }
        Ok(parts(&walk.state))
    }
}

fn parts(state: &ConcreteState) -> StateParts {
    let locations = state.locations.iter().map(|one| one.0).collect();
    let cells = state.cells.iter().chain(&state.meta).copied().collect();
    (locations, cells, state.clocks.clone())
}

/// A path of a finite system.
#[pyclass(frozen, module = "merkhet._merkhet")]
pub struct Path {
    system: Arc<System>,
    path: FinitePath,
}

impl Path {
    pub fn new(system: Arc<System>, path: FinitePath) -> Path {
        Path { system, path }
    }
}

#[pymethods]
impl Path {
    /// The number of states.
    fn __len__(&self) -> usize {
        self.path.states.len()
    }

    /// The state that the last one is again, if the path goes on for ever.
    #[getter]
    fn loop_start(&self) -> Option<usize> {
        self.path.loop_start
    }

    /// Names and values; inputs are left out of the last state.
    fn state(&self, index: usize) -> PyResult<Vec<(String, String)>> {
        let last = self.path.states.len().saturating_sub(1);
        let state = self.path.states.get(index);
        let state = state.ok_or_else(|| PyIndexError::new_err("no such state"))?;
        let one = FinitePath {
            // The rule for inputs looks at what is last.
            states: match index < last {
                true => vec![state.clone(), state.clone()],
                false => vec![state.clone()],
            },
            loop_start: None,
        };
        let mut named = one.named(&self.system);
        Ok(named.swap_remove(0))
    }
}
