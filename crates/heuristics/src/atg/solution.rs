//! An abstract solution, read off the layers backwards (appendix A.2, figure 5).
//!
//! Targets are locations and values at the layer where they first appear. From the last layer down, each target's
//! first supporter is taken and its source, guard and partner become targets below. Taking an increment from c′ to c
//! counts c − c′ times.

use super::graph::Graph;
use super::model::{Action, CellModel, Condition, DENSE, Dimension, EdgeRef, Partner, Span};
use super::values::{Entry, INITIAL, NEVER};
use crate::DEAD_END;

const NO_EDGE: u32 = u32::MAX;

/// The buffers of the extraction and its result.
#[derive(Default)]
pub(super) struct Extraction {
    fact_targets: Vec<Vec<u32>>,
    value_targets: Vec<Vec<(u32, i32)>>,
    fact_wanted: Vec<bool>,
    wanted_facts: Vec<u32>,
    wanted_values: Vec<(u32, i32)>,
    selected: Vec<bool>,
    /// Transitions taken, the last first.
    pub chosen: Vec<Chosen>,
}

/// A transition that was taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    pub layer: u16,
    pub times: u32,
    pub edge: u32,
    /// The second edge of a synchronisation.
    pub partner: u32,
}

/// A step of an abstract solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The layer that it leads to: what it needs is in the layers below.
    pub layer: u16,
    /// How often it is taken: more than once for increments.
    pub times: u32,
    /// Its edge, or one of several edges that do the same as far as the abstraction sees.
    pub edge: EdgeRef,
    /// The edge that it synchronises with.
    pub partner: Option<EdgeRef>,
}

impl Graph {
    /// h^U: the length of an abstract solution, or [`DEAD_END`].
    pub fn upper(&mut self, memory: &[i32]) -> u32 {
        self.extraction.chosen.clear();
        let lower = self.lower(memory);
        self.upper_from(lower)
    }

    /// The same if these edges, numbered through the whole network, could not be taken.
    pub fn upper_without(&mut self, memory: &[i32], edges: impl Iterator<Item = usize>) -> u32 {
        let lower = self.lower_without(memory, edges);
        self.upper_from(lower)
    }

    fn upper_from(&mut self, lower: u32) -> u32 {
        if lower == DEAD_END {
            return DEAD_END;
        }
        let Some(goal) = self.met else { return lower };
        let mut extraction = std::mem::take(&mut self.extraction);
        let length = self.extract(goal, &mut extraction);
        self.extraction = extraction;
        length.max(lower)
    }

    fn extract(&mut self, goal: u32, work: &mut Extraction) -> u32 {
        let layers = self.layer as usize + 1;
        work.prepare(layers, self.model.facts, self.model.edges.len());
        let range = self.model.goals[goal as usize].conditions;
        for at in range.0..range.1 {
            self.make_condition_target(self.model.needed[at as usize], self.layer, work);
        }
        let mut length = 0u32;
        for layer in (1..layers).rev() {
            let facts = std::mem::take(&mut work.fact_targets[layer]);
            for fact in &facts {
                length += self.select(self.fact_edge[*fact as usize], layer as u16, 1, work);
            }
            work.fact_targets[layer] = facts;
            let mut at = 0;
            // Value targets of this layer may add others at this layer only through late effects.
            while at < work.value_targets[layer].len() {
                let (cell, value) = work.value_targets[layer][at];
                at += 1;
                length = length.saturating_add(self.support_value(cell, value, layer as u16, work));
            }
        }
        work.finish();
        length
    }

    fn support_value(&mut self, cell: u32, value: i32, layer: u16, work: &mut Extraction) -> u32 {
        let entry = self.entry(cell, value);
        if entry.effect == INITIAL {
            return 0;
        }
        let effect = &self.model.effects[entry.effect as usize];
        let edge = effect.edge;
        match &effect.action {
            Action::Set(_) | Action::Any => self.select(edge, layer, 1, work),
            Action::Copy { from, offset } => {
                let (from, wanted) = (*from, value.saturating_sub(*offset));
                self.make_value_target(from, wanted, work);
                self.select(edge, layer, 1, work)
            }
            Action::Increase | Action::Decrease => {
                let up = matches!(effect.action, Action::Increase);
                let start = self.nearest_before(cell, value, layer, up);
                let times = value.abs_diff(start).max(1);
                self.make_value_target(cell, start, work);
                self.select(edge, layer, times, work)
            }
            Action::Code { code, dimensions } => {
                let (code, dimensions, late) = (*code, *dimensions, effect.late);
                let before = if late { layer + 1 } else { layer };
                let found = self.enumerate(code, dimensions, before, |result| result == value);
                if found == super::enumerate::Enumerated::Stopped {
                    self.make_dimension_targets(dimensions, work);
                }
                self.select(edge, layer, 1, work)
            }
        }
    }

    fn make_dimension_targets(&mut self, dimensions: Span, work: &mut Extraction) {
        for at in dimensions.0..dimensions.1 {
            self.make_dimension_target(self.model.dimensions[at as usize], work);
        }
    }

    fn make_dimension_target(&mut self, dimension: Dimension, work: &mut Extraction) {
        let value = self.stopped_at(dimension);
        match dimension {
            Dimension::Cell(cell) => self.make_value_target(cell, value, work),
            Dimension::Process(process) => {
                self.make_fact_target(self.model.first_fact[process as usize] + value as u32, work)
            }
        }
    }

    /// Takes a transition so many times; the number of transitions that this adds.
    fn select(&mut self, edge: u32, layer: u16, times: u32, work: &mut Extraction) -> u32 {
        if edge == NO_EDGE {
            return 0;
        }
        if work.selected[edge as usize] {
            return times - 1;
        }
        work.selected[edge as usize] = true;
        self.make_edge_targets(edge, layer, work);
        let partner = match self.model.edges[edge as usize].partner {
            Partner::None | Partner::Offer(_) => NO_EDGE,
            _ => self.partner[edge as usize],
        };
        work.chosen.push(Chosen {
            layer,
            times,
            edge,
            partner,
        });
        if partner != NO_EDGE {
            work.selected[partner as usize] = true;
            self.make_edge_targets(partner, layer, work);
        }
        times
    }

    fn make_edge_targets(&mut self, edge: u32, layer: u16, work: &mut Extraction) {
        let model = &self.model.edges[edge as usize];
        let (source, range) = (model.source, model.conditions);
        self.make_fact_target(source, work);
        for at in range.0..range.1 {
            self.make_condition_target(self.model.needed[at as usize], layer - 1, work);
        }
    }

    /// Chooses the values that satisfy a condition and appeared first.
    fn make_condition_target(&mut self, condition: u32, layer: u16, work: &mut Extraction) {
        match &self.model.conditions[condition as usize] {
            Condition::Mask { cell, mask } => {
                let model = &self.model.cells[*cell as usize];
                let (cell, low, first) = (*cell, model.low, model.entries);
                let mut bits = self.sets[cell as usize] & mask;
                let mut best: Option<(u16, u32)> = None;
                while bits != 0 {
                    let bit = bits.trailing_zeros();
                    bits &= bits - 1;
                    let at = self.entries[(first + bit) as usize].layer;
                    if best.is_none_or(|(layer, _)| at < layer) {
                        best = Some((at, bit));
                    }
                }
                if let Some((_, bit)) = best {
                    self.make_value_target(cell, low + bit as i32, work);
                }
            }
            Condition::Pair { left, right, table } => {
                let (left, right) = (*left, *right);
                if let Some((first, second)) = self.choose_pair(left, right, *table) {
                    self.make_value_target(left, first, work);
                    self.make_value_target(right, second, work);
                }
            }
            Condition::Facts(facts) => {
                let best = facts
                    .iter()
                    .copied()
                    .min_by_key(|fact| self.fact_layer[*fact as usize]);
                if let Some(fact) = best {
                    self.make_fact_target(fact, work);
                }
            }
            Condition::Compare { cell, op, value } => {
                let (cell, op, value) = (*cell, *op, *value);
                if let Some(choice) = self.choose_compared(cell, op, value) {
                    self.make_value_target(cell, choice, work);
                }
            }
            Condition::Code { code, dimensions } => {
                let (code, dimensions) = (*code, *dimensions);
                let found = self.enumerate(code, dimensions, layer + 1, |value| value != 0);
                if found == super::enumerate::Enumerated::Stopped {
                    self.make_dimension_targets(dimensions, work);
                }
            }
        }
    }

    /// The pair of values in the table whose later one appeared first.
    fn choose_pair(&self, left: u32, right: u32, table: u32) -> Option<(i32, i32)> {
        let (first, second) = (
            &self.model.cells[left as usize],
            &self.model.cells[right as usize],
        );
        let layer =
            |model: &CellModel, bit: u32| self.entries[(model.entries + bit) as usize].layer;
        let mut best: Option<((u16, u16), i32, i32)> = None;
        for a in bits(self.sets[left as usize]) {
            let partners = self.model.pairs[(table + a) as usize] & self.sets[right as usize];
            for b in bits(partners) {
                let (x, y) = (layer(first, a), layer(second, b));
                let rank = (x.max(y), x.min(y));
                if best.is_none_or(|(known, ..)| rank < known) {
                    best = Some((rank, first.low + a as i32, second.low + b as i32));
                }
            }
        }
        best.map(|(_, a, b)| (a, b))
    }

    fn choose_compared(&self, cell: u32, op: merkhet_network::BinaryOp, value: i32) -> Option<i32> {
        use merkhet_network::BinaryOp::*;
        let model = &self.model.cells[cell as usize];
        let wide = &self.wides[model.wide as usize];
        let holds = |candidate: i32| super::compile::compare(op, candidate.into(), value.into());
        let listed = wide
            .listed
            .iter()
            .filter(|(candidate, _)| holds(*candidate));
        let best = listed
            .min_by_key(|(_, entry)| entry.layer)
            .map(|(value, entry)| (entry.layer, *value));
        let nearest = match op {
            Less => value.saturating_sub(1),
            Greater => value.saturating_add(1),
            NotEqual => value.saturating_add(1).min(model.high),
            _ => value,
        };
        let open = wide.entry(nearest).map(|entry| (entry.layer, nearest));
        [best, open]
            .into_iter()
            .flatten()
            .min()
            .map(|(_, value)| value)
    }

    fn make_fact_target(&mut self, fact: u32, work: &mut Extraction) {
        let layer = self.fact_layer[fact as usize];
        if layer == 0 || layer == NEVER || work.fact_wanted[fact as usize] {
            return;
        }
        work.fact_wanted[fact as usize] = true;
        work.wanted_facts.push(fact);
        work.fact_targets[layer as usize].push(fact);
    }

    fn make_value_target(&mut self, cell: u32, value: i32, work: &mut Extraction) {
        let layer = self.entry(cell, value).layer;
        if layer == 0 || layer == NEVER || layer as usize >= work.value_targets.len() {
            return;
        }
        if !work.value_targets[layer as usize].contains(&(cell, value)) {
            work.value_targets[layer as usize].push((cell, value));
            work.wanted_values.push((cell, value));
        }
    }

    fn entry(&self, cell: u32, value: i32) -> Entry {
        let model = &self.model.cells[cell as usize];
        if value < model.low || value > model.high {
            return Entry::ABSENT;
        }
        if model.wide == DENSE {
            self.entries[(model.entries as i32 + value - model.low) as usize]
        } else {
            self.wides[model.wide as usize]
                .entry(value)
                .unwrap_or(Entry::ABSENT)
        }
    }

    /// The value below (above) `value` and nearest to it that was there before the layer.
    fn nearest_before(&self, cell: u32, value: i32, layer: u16, below: bool) -> i32 {
        let model = &self.model.cells[cell as usize];
        if model.wide == DENSE {
            let before = |other: &i32| self.entry(cell, *other).layer < layer;
            let nearest = match below {
                true => (model.low..value).rev().find(before),
                false => (value + 1..=model.high).find(before),
            };
            return nearest.unwrap_or(value);
        }
        let wide = &self.wides[model.wide as usize];
        let listed = wide
            .listed
            .iter()
            .filter(|(_, entry)| entry.layer < layer)
            .map(|(other, _)| *other);
        let nearest = if below {
            listed.filter(|v| *v < value).max()
        } else {
            listed.filter(|v| *v > value).min()
        };
        nearest.unwrap_or(value)
    }
}

/// The positions of the bits, ascending.
fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros();
            set &= set - 1;
            bit
        })
    })
}

impl Extraction {
    fn prepare(&mut self, layers: usize, facts: usize, edges: usize) {
        if self.fact_targets.len() < layers {
            self.fact_targets.resize(layers, Vec::new());
            self.value_targets.resize(layers, Vec::new());
        }
        self.fact_wanted.resize(facts, false);
        self.selected.clear();
        self.selected.resize(edges, false);
        self.chosen.clear();
    }

    fn finish(&mut self) {
        for fact in self.wanted_facts.drain(..) {
            self.fact_wanted[fact as usize] = false;
        }
        self.wanted_values.clear();
        self.fact_targets.iter_mut().for_each(Vec::clear);
        self.value_targets.iter_mut().for_each(Vec::clear);
    }
}
