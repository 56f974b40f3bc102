//! Value sets that only grow: bits for small ranges, ordered lists with open ends for large ones (section 4).

use merkhet_network::BinaryOp;

use super::compile::compare;

/// A layer number that stands for "not in the set".
pub(super) const NEVER: u16 = u16::MAX;

/// What brought a value or location: an edge, by its number; an effect that depends on values, by [`by_effect`]; or
/// nothing, because it was there from the start.
pub(super) const INITIAL: u32 = u32::MAX;

/// The mark of effects among causes.
const EFFECT: u32 = 1 << 31;

/// The cause of what an effect brings.
pub(super) fn by_effect(effect: u32) -> u32 {
    effect | EFFECT
}

/// The effect of a cause that is one.
pub(super) fn effect_of(cause: u32) -> Option<u32> {
    (cause & EFFECT != 0 && cause != INITIAL).then_some(cause & !EFFECT)
}

/// Since when a value is in a set, and by what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub layer: u16,
    pub cause: u32,
}

impl Entry {
    pub const ABSENT: Entry = Entry {
        layer: NEVER,
        cause: INITIAL,
    };
}

/// The set of a cell with a large range: listed values, and from some value on everything up or down to the bound of
/// the range. Additions of the layer under construction carry its number and are skipped by readers of earlier layers.
#[derive(Clone, Debug, Default)]
pub(super) struct Wide {
    pub listed: Vec<(i32, Entry)>,
    pub up: Option<(i32, Entry)>,
    pub down: Option<(i32, Entry)>,
}

impl Wide {
    pub fn reset(&mut self, value: i32) {
        self.listed.clear();
        self.listed.push((
            value,
            Entry {
                layer: 0,
                cause: INITIAL,
            },
        ));
        self.up = None;
        self.down = None;
    }

    /// The entry of a value, if it is in the set.
    pub fn entry(&self, value: i32) -> Option<Entry> {
        if let Ok(at) = self
            .listed
            .binary_search_by_key(&value, |(listed, _)| *listed)
        {
            return Some(self.listed[at].1);
        }
        let up = self
            .up
            .filter(|(from, _)| value >= *from)
            .map(|(_, entry)| entry);
        let down = self
            .down
            .filter(|(from, _)| value <= *from)
            .map(|(_, entry)| entry);
        match (up, down) {
            (Some(a), Some(b)) => Some(if a.layer <= b.layer { a } else { b }),
            (a, b) => a.or(b),
        }
    }

    /// Adds a value; true if it is new.
    pub fn insert(&mut self, value: i32, entry: Entry) -> bool {
        if self.entry(value).is_some() {
            return false;
        }
        match self
            .listed
            .binary_search_by_key(&value, |(listed, _)| *listed)
        {
            Ok(_) => false,
            Err(at) => {
                self.listed.insert(at, (value, entry));
                true
            }
        }
    }

    /// Adds everything from `from` upward; true if that is new.
    pub fn open_up(&mut self, from: i32, entry: Entry) -> bool {
        // An open end that starts lower later replaces the earlier one: the earlier values lose their lower layer,
        // which only concerns the choice of supporters, never membership.
        match self.up {
            Some((known, _)) if known <= from => false,
            _ => {
                self.up = Some((from, entry));
                true
            }
        }
    }

    /// Adds everything from `from` downward; true if that is new.
    pub fn open_down(&mut self, from: i32, entry: Entry) -> bool {
        match self.down {
            Some((known, _)) if known >= from => false,
            _ => {
                self.down = Some((from, entry));
                true
            }
        }
    }

    /// Whether some value that was there before layer `before` compares so, given the declared range.
    pub fn satisfies(&self, before: u16, range: (i32, i32), op: BinaryOp, value: i32) -> bool {
        let Some((low, high)) = self.extremes(before, range.0, range.1) else {
            return false;
        };
        match op {
            BinaryOp::Less | BinaryOp::LessEqual => compare(op, low.into(), value.into()),
            BinaryOp::Greater | BinaryOp::GreaterEqual => compare(op, high.into(), value.into()),
            BinaryOp::Equal => {
                (range.0..=range.1).contains(&value)
                    && self.entry(value).is_some_and(|entry| entry.layer < before)
            }
            BinaryOp::NotEqual => low != high || low != value,
            _ => true,
        }
    }

    /// The smallest and largest value that was there before layer `before`, given the declared range.
    pub fn extremes(&self, before: u16, low: i32, high: i32) -> Option<(i32, i32)> {
        let mut range: Option<(i32, i32)> = None;
        let mut include = |from: i32, to: i32| {
            range = Some(range.map_or((from, to), |(a, b)| (a.min(from), b.max(to))));
        };
        for (value, entry) in &self.listed {
            if entry.layer < before {
                include(*value, *value);
            }
        }
        if let Some((from, entry)) = self.up
            && entry.layer < before
        {
            include(from, high);
        }
        if let Some((from, entry)) = self.down
            && entry.layer < before
        {
            include(low, from);
        }
        range
    }
}
