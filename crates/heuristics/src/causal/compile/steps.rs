//! The steps of each part: its values before and after a transition, and what the transition needs of the other parts.

use std::collections::{BTreeMap, BTreeSet};

use merkhet_network::code::CodeId;

use crate::causal::model::VertexModel;
use crate::causal::read::ReadLabel;
use crate::causal::trial::Trial;
use crate::tuning::{CAUSAL_COMBINATIONS, CAUSAL_EVALUATIONS};
use merkhet_network::tuning::Tuning;

/// What a step needs of another part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::causal) enum Demand {
    Set(u16),
    Pairs(Vec<(u16, u16)>),
}

pub(in crate::causal) type Demands = Vec<(u32, Demand)>;

/// The steps of a part: value before, value after, what is needed of others; with the numbers of the transitions that
/// make them.
pub(in crate::causal) type Steps = BTreeMap<(u16, u16, Demands), Vec<u32>>;

/// Makes the steps, transition by transition.
pub(in crate::causal) struct Maker<'a> {
    trial: Trial,
    vertices: &'a [VertexModel],
    processes: u32,
    /// The total order; without one, every part may be needed.
    rank: Option<&'a [u32]>,
    /// For each part: its steps.
    pub steps: Vec<Steps>,
    /// The number of the transition that is being looked at.
    present: u32,
    /// Parts whose steps could not all be found.
    pub unknown: BTreeSet<u32>,
    evaluations: u64,
    /// Evaluations in all; parts that would need more are not looked at.
    most_evaluations: u64,
    /// Combinations of values that conditions and effects are tried for.
    most_combinations: usize,
}

/// Values of some cells.
type Assignment = BTreeMap<u32, i32>;

impl<'a> Maker<'a> {
    pub fn new(
        trial: Trial,
        vertices: &'a [VertexModel],
        processes: u32,
        rank: Option<&'a [u32]>,
        tuning: &Tuning,
    ) -> Maker<'a> {
        Maker {
            trial,
            vertices,
            processes,
            rank,
            steps: vec![Steps::new(); vertices.len()],
            most_evaluations: tuning.count(&CAUSAL_EVALUATIONS) as u64,
            most_combinations: tuning.count(&CAUSAL_COMBINATIONS),
            present: 0,
            unknown: BTreeSet::new(),
            evaluations: 0,
        }
    }

    pub fn label(&mut self, number: u32, label: &ReadLabel) {
        self.present = number;
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
            if self.evaluations > self.most_evaluations {
                self.unknown.insert(vertex);
                return;
            }
            let Some(demands) = self.demands(label, masks, vertex, &assignment) else {
                continue;
            };
            match (moved, own, effect) {
                (Some((source, target)), ..) if self.permitted(label, &assignment) => {
                    self.step(vertex, (source, target, demands));
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
                self.step(self.processes + cell, (*before, to, demands.clone()));
            }
        }
    }

    fn step(&mut self, vertex: u32, step: (u16, u16, Demands)) {
        let labels = self.steps[vertex as usize].entry(step).or_default();
        if labels.last() != Some(&self.present) {
            labels.push(self.present);
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
            if all.len() * values.len() > self.most_combinations {
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
        let before = |other: u32| {
            rank.map_or(other != vertex, |rank| {
                rank[other as usize] < rank[vertex as usize]
            })
        };
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
