//! Value sets that only grow: bits for small ranges, ordered lists with open ends for large ones (section 4).

use merkhet_network::BinaryOp;

/// A layer number that stands for "not in the set".
pub(in crate::atg) const NEVER: u16 = u16::MAX;

/// What brought a value or location: an edge, by its number; an effect that depends on values, by [`by_effect`]; or
/// nothing, because it was there from the start.
pub(in crate::atg) const INITIAL: u32 = u32::MAX;

/// The mark of effects among causes.
const EFFECT: u32 = 1 << 31;

/// The cause of what an effect brings.
pub(in crate::atg) fn by_effect(effect: u32) -> u32 {
    effect | EFFECT
}

/// The effect of a cause that is one.
pub(in crate::atg) fn effect_of(cause: u32) -> Option<u32> {
    (cause & EFFECT != 0 && cause != INITIAL).then_some(cause & !EFFECT)
}

/// Since when a value is in a set, and by what.
#[derive(Clone, Copy, Debug)]
pub(in crate::atg) struct Entry {
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
///
/// An open end that reaches further comes after the ones before it and does not replace them: readers of earlier
/// layers, and the choice of supporters, still see where and since when those began. Were the latest one alone kept, the
/// values of the earlier ones would seem to begin anew with it, and h^L would exceed the distance.
#[derive(Clone, Debug, Default)]
pub(in crate::atg) struct Wide {
    pub listed: Vec<(i32, Entry)>,
    /// Starts of open ends, each further than those before it and of a later layer.
    up: Vec<(i32, Entry)>,
    down: Vec<(i32, Entry)>,
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
        self.up.clear();
        self.down.clear();
    }

    /// The entry of a value, if it is in the set.
    pub fn entry(&self, value: i32) -> Option<Entry> {
        if let Ok(at) = self
            .listed
            .binary_search_by_key(&value, |(listed, _)| *listed)
        {
            return Some(self.listed[at].1);
        }
        let up = self.up.iter().find(|(from, _)| value >= *from);
        let down = self.down.iter().find(|(from, _)| value <= *from);
        match (up, down) {
            (Some((_, a)), Some((_, b))) => Some(if a.layer <= b.layer { *a } else { *b }),
            (a, b) => a.or(b).map(|(_, entry)| *entry),
        }
    }

    /// From where on everything upward was there before layer `before`.
    pub fn up(&self, before: u16) -> Option<i32> {
        last_before(&self.up, before)
    }

    /// From where on everything downward was there before layer `before`.
    pub fn down(&self, before: u16) -> Option<i32> {
        last_before(&self.down, before)
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
        let new = self.up.last().is_none_or(|(known, _)| *known > from);
        if new {
            extend(&mut self.up, from, entry);
        }
        new
    }

    /// Adds everything from `from` downward; true if that is new.
    pub fn open_down(&mut self, from: i32, entry: Entry) -> bool {
        let new = self.down.last().is_none_or(|(known, _)| *known < from);
        if new {
            extend(&mut self.down, from, entry);
        }
        new
    }

    /// Whether some value that was there before layer `before` compares so, given the declared range.
    pub fn satisfies(&self, before: u16, range: (i32, i32), op: BinaryOp, value: i32) -> bool {
        let Some((low, high)) = self.extremes(before, range.0, range.1) else {
            return false;
        };
        match op {
            BinaryOp::Less | BinaryOp::LessEqual => op.compares(low.into(), value.into()),
            BinaryOp::Greater | BinaryOp::GreaterEqual => op.compares(high.into(), value.into()),
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
        if let Some(from) = self.up(before) {
            include(from, high);
        }
        if let Some(from) = self.down(before) {
            include(low, from);
        }
        range
    }
}

/// The furthest of the ends that were there before a layer; the later reach further.
fn last_before(ends: &[(i32, Entry)], before: u16) -> Option<i32> {
    let end = ends.iter().rev().find(|(_, entry)| entry.layer < before);
    end.map(|(from, _)| *from)
}

/// Notes an end that reaches further than all others.
fn extend(ends: &mut Vec<(i32, Entry)>, from: i32, entry: Entry) {
    // Of one layer nobody can tell two ends apart but by their cause; the furthest stands for the layer.
    match ends.last_mut() {
        Some(last) if last.1.layer == entry.layer => *last = (from, entry),
        _ => ends.push((from, entry)),
    }
}
