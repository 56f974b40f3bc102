//! An abstract solution, read off the layers backwards (appendix A.2, figure 5).
//!
//! Targets are locations and values at the layer where they first appear. From the last layer down, each target's
//! first supporter is taken and its source, guard and partners become targets below. Taking an increment from c′ to c
//! counts c − c′ times.

pub(in crate::atg) mod choose;

use merkhet_network::tuning::Tuning;

use crate::DEAD_END;
use crate::atg::layers::{FILLED_AT_ONCE, Layers};
use crate::atg::model::{Action, DENSE, EdgeRef, Model};
use crate::atg::values::{INITIAL, NEVER, effect_of};
use crate::tuning::WANTED;

/// The buffers of the extraction and its result.
pub(in crate::atg) struct Extraction {
    /// By layer, the atoms and the values of wide cells that are wanted there.
    atoms: Vec<Vec<u32>>,
    values: Vec<Vec<(u32, i32)>>,
    wanted: Vec<bool>,
    selected: Vec<bool>,
    chosen: Vec<Chosen>,
    partners: Vec<u32>,
    /// Most values of wide cells that are asked for in one layer: the solution is a guess there anyway, and each is looked
    /// for among those before it.
    most_wanted: usize,
}

/// A transition that was taken.
#[derive(Clone, Copy, Debug)]
pub(in crate::atg) struct Chosen {
    pub layer: u16,
    pub times: u32,
    pub edge: u32,
    /// A range of the partners.
    partners: (u32, u32),
}

/// A step of an abstract solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The layer that it leads to: what it needs is in the layers below.
    pub layer: u16,
    /// How often it is taken: more than once for increments.
    pub times: u32,
    /// Its edge, or one of several edges that do the same as far as the abstraction sees.
    pub edge: EdgeRef,
    /// The edges that it synchronises with.
    pub partners: Vec<EdgeRef>,
}

impl Extraction {
    pub fn new(model: &Model) -> Extraction {
        Extraction {
            atoms: Vec::new(),
            values: Vec::new(),
            wanted: vec![false; model.atoms],
            selected: vec![false; model.edges.len()],
            chosen: Vec::new(),
            partners: Vec::new(),
            most_wanted: WANTED.default as usize,
        }
    }

    pub fn tune(&mut self, tuning: &Tuning) {
        self.most_wanted = tuning.count(&WANTED);
    }

    /// A measure of what the last extraction did cost.
    pub fn touched(&self) -> usize {
        let tables = (self.wanted.len() + self.selected.len()) / FILLED_AT_ONCE;
        tables + self.atoms.len() + 4 * self.chosen.len() + self.partners.len()
    }

    /// The transitions that were taken, the last first.
    pub fn chosen(&self) -> impl Iterator<Item = &Chosen> {
        self.chosen.iter()
    }

    /// The edges that go with it.
    pub fn partners(&self, chosen: &Chosen) -> std::slice::Iter<'_, u32> {
        self.partners[chosen.partners.0 as usize..chosen.partners.1 as usize].iter()
    }

    /// The length of an abstract solution in layers that were built; `lower` is what building them gave.
    pub fn extract(&mut self, model: &Model, layers: &mut Layers, lower: u32) -> u32 {
        self.chosen.clear();
        self.partners.clear();
        let Some(goal) = layers.met.filter(|_| lower != DEAD_END) else {
            return lower;
        };
        self.prepare(layers.depth as usize + 1);
        let conditions = model.goals[goal as usize].conditions;
        for at in conditions.0..conditions.1 {
            self.want_condition(model, layers, model.needed[at as usize], layers.depth);
        }
        let mut length = 0u32;
        for layer in (1..=layers.depth).rev() {
            length = length.saturating_add(self.support(model, layers, layer));
        }
        length.max(lower)
    }

    fn prepare(&mut self, layers: usize) {
        if self.atoms.len() < layers {
            self.atoms.resize(layers, Vec::new());
            self.values.resize(layers, Vec::new());
        }
        // Nothing of an earlier state may stay: a value must not depend on what was looked at before.
        self.atoms.iter_mut().for_each(Vec::clear);
        self.values.iter_mut().for_each(Vec::clear);
        self.wanted.fill(false);
        self.selected.fill(false);
    }

    /// Takes transitions for the targets of a layer; their number.
    fn support(&mut self, model: &Model, layers: &mut Layers, layer: u16) -> u32 {
        let mut length = 0u32;
        // Late effects may add targets at this very layer.
        let (mut atom, mut value) = (0, 0);
        loop {
            let taken = if let Some(&next) = self.atoms[layer as usize].get(atom) {
                atom += 1;
                self.support_atom(model, layers, next, layer)
            } else if let Some(&(cell, next)) = self.values[layer as usize].get(value) {
                value += 1;
                let cause = layers.entry(model, cell, next).cause;
                self.support_value(model, layers, cell, next, cause, layer)
            } else {
                break;
            };
            length = length.saturating_add(taken);
        }
        self.atoms[layer as usize].clear();
        self.values[layer as usize].clear();
        length
    }

    fn support_atom(&mut self, model: &Model, layers: &mut Layers, atom: u32, layer: u16) -> u32 {
        let cause = layers.cause[atom as usize];
        if effect_of(cause).is_none() {
            return self.select(model, layers, cause, layer, 1);
        }
        let cell = model.slot_of[atom as usize];
        let compiled = &model.cells[cell as usize];
        let value = compiled.low + (atom - compiled.atoms) as i32;
        self.support_value(model, layers, cell, value, cause, layer)
    }

    fn support_value(
        &mut self,
        model: &Model,
        layers: &mut Layers,
        cell: u32,
        value: i32,
        cause: u32,
        layer: u16,
    ) -> u32 {
        let Some(effect) = effect_of(cause) else {
            return self.select(model, layers, cause, layer, 1);
        };
        let effect = &model.effects[effect as usize];
        let mut times = 1;
        match &effect.action {
            Action::Set(_) | Action::Any => {}
            Action::Copy { from, offset } => {
                self.want_value(model, layers, *from, value.saturating_sub(*offset));
            }
            Action::Increase | Action::Decrease => {
                let up = matches!(effect.action, Action::Increase);
                let start = nearest_before(model, layers, cell, value, layer, up);
                times = value.abs_diff(start).max(1);
                self.want_value(model, layers, cell, start);
            }
            Action::Code { code, dimensions } => {
                let before = layer + u16::from(effect.late);
                let is_it = |result| result == value;
                if layers.some_combination(model, *code, *dimensions, before, is_it) {
                    self.want_combination(model, layers, *dimensions);
                }
            }
        }
        self.select(model, layers, effect.edge, layer, times)
    }

    /// Takes a transition a number of times; how many transitions this adds.
    fn select(
        &mut self,
        model: &Model,
        layers: &mut Layers,
        edge: u32,
        layer: u16,
        times: u32,
    ) -> u32 {
        if edge == INITIAL {
            return 0;
        }
        if self.selected[edge as usize] {
            return times - 1;
        }
        let first = self.partners.len() as u32;
        layers.meeting.partners(model, edge, &mut self.partners);
        let partners = (first, self.partners.len() as u32);
        self.chosen.push(Chosen {
            layer,
            times,
            edge,
            partners,
        });
        self.want_edge(model, layers, edge, layer);
        for at in partners.0..partners.1 {
            self.want_edge(model, layers, self.partners[at as usize], layer);
        }
        times
    }

    fn want_edge(&mut self, model: &Model, layers: &mut Layers, edge: u32, layer: u16) {
        self.selected[edge as usize] = true;
        let compiled = &model.edges[edge as usize];
        self.want_atom(layers, compiled.source);
        for at in compiled.conditions.0..compiled.conditions.1 {
            self.want_condition(model, layers, model.needed[at as usize], layer - 1);
        }
    }

    /// Makes an atom a target at its layer.
    pub(in crate::atg) fn want_atom(&mut self, layers: &Layers, atom: u32) {
        let layer = layers.layer[atom as usize];
        if layer != 0 && layer != NEVER && !self.wanted[atom as usize] {
            self.wanted[atom as usize] = true;
            self.atoms[layer as usize].push(atom);
        }
    }

    /// Makes a value a target at its layer.
    pub(in crate::atg) fn want_value(
        &mut self,
        model: &Model,
        layers: &Layers,
        cell: u32,
        value: i32,
    ) {
        if let Some(atom) = model.atom(cell, value) {
            return self.want_atom(layers, atom);
        }
        if model.cells[cell as usize].wide == DENSE {
            return;
        }
        let layer = layers.entry(model, cell, value).layer as usize;
        if !(1..=layers.depth as usize).contains(&layer) {
            return;
        }
        let wanted = &mut self.values[layer];
        if wanted.len() < self.most_wanted && !wanted.contains(&(cell, value)) {
            wanted.push((cell, value));
        }
    }
}

/// The value below (above) `value` and nearest to it that was there before the layer.
fn nearest_before(
    model: &Model,
    layers: &Layers,
    cell: u32,
    value: i32,
    layer: u16,
    below: bool,
) -> i32 {
    let compiled = &model.cells[cell as usize];
    if compiled.wide == DENSE {
        let before = |other: &i32| layers.entry(model, cell, *other).layer < layer;
        let nearest = match below {
            true => (compiled.low..value).rev().find(before),
            false => (value + 1..=compiled.high).find(before),
        };
        return nearest.unwrap_or(value);
    }
    let wide = &layers.wides[compiled.wide as usize];
    let listed = wide
        .listed
        .iter()
        .filter(|(_, entry)| entry.layer < layer)
        .map(|(other, _)| *other);
    let nearest = match below {
        true => listed.filter(|other| *other < value).max(),
        false => listed.filter(|other| *other > value).min(),
    };
    nearest.unwrap_or(value)
}
