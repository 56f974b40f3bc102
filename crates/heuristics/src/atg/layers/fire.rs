//! What enabled edges bring to the next layer.

use crate::atg::layers::Layers;
use crate::atg::model::{Action, DENSE, Model};
use crate::atg::values::{Entry, by_effect};

impl Layers {
    /// Fires the edges that became ready, and the effects of earlier ones that read something new.
    pub(in crate::atg) fn fire(&mut self, model: &Model) {
        let edges = std::mem::take(&mut self.to_fire);
        self.touched += edges.len() + self.to_evaluate.len();
        for &edge in &edges {
            self.fired[edge as usize] = true;
            self.timer.fire(&model.time, edge, &self.fired);
            let compiled = &model.edges[edge as usize];
            let adds = &model.adds[compiled.adds.0 as usize..compiled.adds.1 as usize];
            self.touched += adds.len() + (compiled.effects.1 - compiled.effects.0) as usize;
            self.add_all(adds, edge);
            for effect in compiled.effects.0..compiled.effects.1 {
                self.apply_or_put_off(model, effect);
            }
        }
        self.to_fire = edges;
        self.to_fire.clear();
        if !self.to_evaluate.is_empty() {
            let effects = std::mem::take(&mut self.to_evaluate);
            for &effect in &effects {
                self.apply_or_put_off(model, effect);
            }
            self.to_evaluate = effects;
            self.to_evaluate.clear();
        }
        if !self.late.is_empty() {
            self.fire_late(model);
        }
    }

    fn apply_or_put_off(&mut self, model: &Model, effect: u32) {
        if model.effects[effect as usize].late {
            self.late.push(effect);
        } else {
            self.apply(model, effect, self.depth);
        }
    }

    /// Effects that read what their own transition wrote see the layer in the making, until nothing more comes of it.
    fn fire_late(&mut self, model: &Model) {
        let late = std::mem::take(&mut self.late);
        loop {
            let mut changed = false;
            for &effect in &late {
                changed |= self.apply(model, effect, self.depth + 1);
            }
            if !changed {
                break;
            }
        }
        self.late = late;
        self.late.clear();
    }

    /// Adds what the effect yields from values that were there before layer `before`; true if something is new.
    fn apply(&mut self, model: &Model, effect: u32, before: u16) -> bool {
        let compiled = &model.effects[effect as usize];
        let (cell, cause) = (compiled.cell, by_effect(effect));
        if self.enumerator.is_tired() {
            return self.any(model, cell, cause);
        }
        match &compiled.action {
            Action::Set(value) => self.insert(model, cell, *value, cause),
            Action::Copy { from, offset } => self.copy(model, cell, *from, *offset, cause, before),
            Action::Increase => self.open(model, cell, true, cause, before),
            Action::Decrease => self.open(model, cell, false, cause, before),
            Action::Any => self.any(model, cell, cause),
            Action::Code { code, dimensions } => {
                let mut values = std::mem::take(&mut self.values);
                values.clear();
                let too_many = self.some_combination(model, *code, *dimensions, before, |value| {
                    values.push(value);
                    false
                });
                let new = match too_many {
                    true => self.any(model, cell, cause),
                    false => values.iter().fold(false, |new, value| {
                        self.insert(model, cell, *value, cause) | new
                    }),
                };
                self.values = values;
                new
            }
        }
    }

    fn insert(&mut self, model: &Model, cell: u32, value: i32, cause: u32) -> bool {
        if let Some(atom) = model.atom(cell, value) {
            return self.add(atom, cause);
        }
        let compiled = &model.cells[cell as usize];
        if compiled.wide == DENSE || value < compiled.low || value > compiled.high {
            return false;
        }
        let layer = self.depth;
        let wide = &mut self.wides[compiled.wide as usize];
        let new = wide.insert(value, Entry { layer, cause });
        if new {
            // What stands behind it in the list is moved.
            let moved = wide.listed.len() / 16;
            self.enumerator.work(moved);
            self.mark(model, cell);
        }
        new
    }

    fn copy(
        &mut self,
        model: &Model,
        cell: u32,
        from: u32,
        offset: i32,
        cause: u32,
        before: u16,
    ) -> bool {
        let source = &model.cells[from as usize];
        let mut new = false;
        if source.wide == DENSE {
            let mut bits = self.dense_values(model, from, before);
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                if let Some(value) = (source.low + bit as i32).checked_add(offset) {
                    new |= self.insert(model, cell, value, cause);
                }
            }
            return new;
        }
        let wide = source.wide as usize;
        // Each value is looked for in the other list.
        (self.enumerator).work(8 * self.wides[wide].listed.len());
        for at in 0..self.wides[wide].listed.len() {
            let Some(&(value, entry)) = self.wides[wide].listed.get(at) else {
                break;
            };
            if entry.layer < before
                && let Some(value) = value.checked_add(offset)
            {
                new |= self.insert(model, cell, value, cause);
            }
        }
        let source = &self.wides[wide];
        let moved = |start: i32| start.saturating_add(offset);
        let (up, down) = (source.up(before).map(moved), source.down(before).map(moved));
        if let Some(start) = up {
            new |= self.open_from(model, cell, true, start, cause);
        }
        if let Some(start) = down {
            new |= self.open_from(model, cell, false, start, cause);
        }
        new
    }

    /// The values of a dense cell that were there before the layer, which is the next one or the one after it.
    fn dense_values(&self, model: &Model, cell: u32, before: u16) -> u64 {
        match before > self.depth {
            true => self.values_before(&model.cells[cell as usize], before),
            false => self.sets[cell as usize],
        }
    }

    /// The shortcut of figure 1: everything above the smallest (below the largest) value.
    fn open(&mut self, model: &Model, cell: u32, up: bool, cause: u32, before: u16) -> bool {
        let compiled = &model.cells[cell as usize];
        let (low, high) = (compiled.low, compiled.high);
        let extremes = if compiled.wide == DENSE {
            let bits = self.dense_values(model, cell, before);
            (bits != 0).then(|| {
                (
                    low + bits.trailing_zeros() as i32,
                    low + 63 - bits.leading_zeros() as i32,
                )
            })
        } else {
            self.wides[compiled.wide as usize].extremes(before, low, high)
        };
        match extremes {
            Some((low, _)) if up => self.open_from(model, cell, true, low.saturating_add(1), cause),
            Some((_, high)) => self.open_from(model, cell, false, high.saturating_sub(1), cause),
            None => false,
        }
    }

    fn open_from(&mut self, model: &Model, cell: u32, up: bool, from: i32, cause: u32) -> bool {
        let compiled = &model.cells[cell as usize];
        let (low, high, wide) = (compiled.low, compiled.high, compiled.wide);
        if wide == DENSE {
            let range = match up {
                true => from.max(low)..=high,
                false => low..=from.min(high),
            };
            return range.fold(false, |new, value| {
                self.insert(model, cell, value, cause) | new
            });
        }
        let layer = self.depth;
        let entry = Entry { layer, cause };
        let new = match up {
            true => from <= high && self.wides[wide as usize].open_up(from.max(low), entry),
            false => from >= low && self.wides[wide as usize].open_down(from.min(high), entry),
        };
        if new {
            self.mark(model, cell);
        }
        new
    }

    fn any(&mut self, model: &Model, cell: u32, cause: u32) -> bool {
        let low = model.cells[cell as usize].low;
        self.open_from(model, cell, true, low, cause)
    }
}
