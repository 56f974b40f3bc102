//! Which values are to satisfy a condition of an abstract solution: those that appear first.

use merkhet_network::BinaryOp;

use crate::atg::layers::Layers;
use crate::atg::model::{CellModel, Condition, Dimension, Model, Span};
use crate::atg::solution::Extraction;

impl Extraction {
    /// Makes the values that satisfy a condition targets; it holds in the layer.
    pub(in crate::atg) fn want_condition(
        &mut self,
        model: &Model,
        layers: &mut Layers,
        condition: u32,
        layer: u16,
    ) {
        match &model.conditions[condition as usize] {
            Condition::Mask { cell, mask } => {
                let first = model.cells[*cell as usize].atoms;
                let there = bits(layers.sets[*cell as usize] & mask);
                let earliest = there.min_by_key(|bit| layers.layer[(first + bit) as usize]);
                if let Some(bit) = earliest {
                    self.want_atom(layers, first + bit);
                }
            }
            Condition::Facts(facts) => {
                let facts = facts.iter().copied();
                if let Some(fact) = facts.min_by_key(|fact| layers.layer[*fact as usize]) {
                    self.want_atom(layers, fact);
                }
            }
            Condition::Pair { left, right, table } => {
                if let Some((first, second)) = earliest_pair(model, layers, *left, *right, *table) {
                    self.want_atom(layers, first);
                    self.want_atom(layers, second);
                }
            }
            Condition::Compare { cell, op, value } => {
                let compiled = &model.cells[*cell as usize];
                if let Some(choice) = earliest_compared(compiled, layers, *op, *value) {
                    self.want_value(model, layers, *cell, choice);
                }
            }
            Condition::Code { code, dimensions } => {
                let holds = |value| value != 0;
                if layers.some_combination(model, *code, *dimensions, layer + 1, holds) {
                    self.want_combination(model, layers, *dimensions);
                }
            }
        }
    }

    /// Makes the values at which the last enumeration stopped targets; nothing if there were too many to look at.
    pub(in crate::atg) fn want_combination(
        &mut self,
        model: &Model,
        layers: &Layers,
        dimensions: Span,
    ) {
        if !layers.enumerator.complete {
            return;
        }
        for dimension in &model.dimensions[dimensions.0 as usize..dimensions.1 as usize] {
            let value = layers.enumerator.stopped_at(model, *dimension);
            match *dimension {
                Dimension::Cell(cell) => self.want_value(model, layers, cell, value),
                Dimension::Process(process) => {
                    self.want_atom(layers, model.first_fact[process as usize] + value as u32)
                }
            }
        }
    }
}

/// The atoms of the pair in the table whose later one appeared first.
fn earliest_pair(
    model: &Model,
    layers: &Layers,
    left: u32,
    right: u32,
    table: u32,
) -> Option<(u32, u32)> {
    let atoms = |cell: u32| model.cells[cell as usize].atoms;
    let mut best: Option<((u16, u16), u32, u32)> = None;
    for a in bits(layers.sets[left as usize]) {
        let partners = model.pairs[(table + a) as usize] & layers.sets[right as usize];
        for b in bits(partners) {
            let (first, second) = (atoms(left) + a, atoms(right) + b);
            let (x, y) = (layers.layer[first as usize], layers.layer[second as usize]);
            let rank = (x.max(y), x.min(y));
            if best.is_none_or(|(known, ..)| rank < known) {
                best = Some((rank, first, second));
            }
        }
    }
    best.map(|(_, first, second)| (first, second))
}

/// The value of a wide cell that compares so and appeared first; of an open end the one nearest to the bound.
fn earliest_compared(cell: &CellModel, layers: &Layers, op: BinaryOp, value: i32) -> Option<i32> {
    let wide = &layers.wides[cell.wide as usize];
    let listed = wide
        .listed
        .iter()
        .filter(|(candidate, _)| op.compares((*candidate).into(), value.into()))
        .min_by_key(|(_, entry)| entry.layer)
        .map(|(value, entry)| (entry.layer, *value));
    let nearest = match op {
        BinaryOp::Less => value.saturating_sub(1),
        BinaryOp::Greater => value.saturating_add(1),
        BinaryOp::NotEqual => value.saturating_add(1).min(cell.high),
        _ => value,
    };
    let open = wide.entry(nearest).map(|entry| (entry.layer, nearest));
    [listed, open]
        .into_iter()
        .flatten()
        .min()
        .map(|(_, value)| value)
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
