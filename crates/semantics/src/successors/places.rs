//! The discrete states that worked-out transitions lead to: what counts on arrival, once for each of them.

use std::collections::HashMap;

use merkhet_zones::zone::Constraint;

use crate::data::Evaluator;
use crate::successors::enumerate::Halt;
use crate::successors::fire::Firing;
use crate::successors::reduced::{self, NOT_KEPT};
use crate::system::System;

/// The targets of some transitions, in flat arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    all: Vec<Place>,
    /// By the hash of their discrete parts. Of two with the same hash the second is not listed: it is worked out again when
    /// it is met again.
    numbers: HashMap<u64, u32>,
    memory: Vec<i32>,
    /// The lower bounds by row of the whole zones, then the upper bounds.
    bounds: Vec<i32>,
    /// The bounds by row that is kept, in the same way.
    kept_bounds: Vec<i32>,
    /// By row of the whole zones, its position among the rows that are kept, or [`NOT_KEPT`].
    positions: Vec<u16>,
    /// By position among the rows that are kept.
    invariants: Vec<Constraint>,
}

/// What is known of a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub entry: Entry,
    invariants: (u32, u32),
    kept_bounds: u32,
    /// The number of rows that are kept.
    pub rows: u16,
    pub time_passes: bool,
    pub ask_at_entry: bool,
}

/// Whether a target can be entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entry {
    /// If its invariants leave something of the zone.
    Possible,
    /// Its invariants do not hold, whatever the clocks say.
    Impossible,
    /// An invariant asks a clock that is not kept.
    Untranslated,
}

impl Places {
    /// The number of the discrete state at which the evaluator is.
    pub fn arrive<'s>(
        &mut self,
        system: &'s System,
        firing: &mut Firing,
        evaluator: &mut Evaluator<'s>,
    ) -> Result<u32, Halt> {
        let cells = system.ranges.len();
        let target = &evaluator.machine.memory[..cells];
        let hash = hash(target);
        if let Some(number) = self.numbers.get(&hash)
            && self.memory(*number, cells) == target
        {
            return Ok(*number);
        }
        let mut arrival = firing.collect_invariants(system, evaluator)?;
        if let Some(arrival) = &mut arrival
            && arrival.time_passes
            && system.facts.has_urgent_channels
            && firing.find_urgent(system, evaluator)?
        {
            // No clock is asked: something is urgent for all valuations.
            arrival.time_passes = false;
            arrival.ask_at_entry = true;
        }
        let target = &evaluator.machine.memory[..cells];
        system.bounds_at(target, &mut firing.lower, &mut firing.upper);
        firing.settle_bounds(system);
        let (from, start) = (self.positions.len(), self.invariants.len());
        self.positions.resize(from + system.dimension, NOT_KEPT);
        let positions = &mut self.positions[from..];
        let rows = reduced::positions(system, &firing.lower, &firing.upper, positions);
        let translated = reduced::translate(positions, &firing.invariants, &mut self.invariants);
        let place = Place {
            entry: match arrival {
                None => Entry::Impossible,
                Some(_) if !translated => Entry::Untranslated,
                Some(_) => Entry::Possible,
            },
            invariants: (start as u32, self.invariants.len() as u32),
            kept_bounds: self.kept_bounds.len() as u32,
            rows: rows as u16,
            time_passes: arrival.is_some_and(|arrival| arrival.time_passes),
            ask_at_entry: arrival.is_some_and(|arrival| arrival.ask_at_entry),
        };
        for bounds in [&firing.lower, &firing.upper] {
            self.bounds.extend_from_slice(bounds);
            let kept = bounds.iter().zip(&*positions);
            let kept = kept.filter(|(_, position)| **position != NOT_KEPT);
            self.kept_bounds.extend(kept.map(|(bound, _)| *bound));
        }
        self.memory.extend_from_slice(target);
        let number = self.all.len() as u32;
        self.all.push(place);
        self.numbers.entry(hash).or_insert(number);
        Ok(number)
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.all.clear();
        self.numbers.clear();
        self.memory.clear();
        self.bounds.clear();
        self.kept_bounds.clear();
        self.positions.clear();
        self.invariants.clear();
    }

    /// What is known of a target.
    #[inline]
    pub fn get(&self, number: u32) -> &Place {
        &self.all[number as usize]
    }

    /// Its invariants, by position among the rows that are kept.
    #[inline]
    pub fn invariants(&self, place: &Place) -> &[Constraint] {
        &self.invariants[place.invariants.0 as usize..place.invariants.1 as usize]
    }

    /// The lower and the upper bounds of the rows that are kept.
    #[inline]
    pub fn kept_bounds(&self, place: &Place) -> (&[i32], &[i32]) {
        let rows = usize::from(place.rows);
        self.kept_bounds[place.kept_bounds as usize..][..2 * rows].split_at(rows)
    }

    /// The lower and the upper bounds of all rows, of which there are `n`.
    #[inline]
    pub fn bounds(&self, number: u32, n: usize) -> (&[i32], &[i32]) {
        self.bounds[number as usize * 2 * n..][..2 * n].split_at(n)
    }

    /// By row, of which there are `n`, its position among those that are kept.
    pub fn positions(&self, number: u32, n: usize) -> &[u16] {
        &self.positions[number as usize * n..][..n]
    }

    /// Its discrete part, with the number of its cells.
    #[inline]
    pub fn memory(&self, number: u32, cells: usize) -> &[i32] {
        &self.memory[number as usize * cells..][..cells]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.all)
            + self.numbers.capacity() * (size_of::<(u64, u32)>() + 1)
            + size_of_val(&*self.memory)
            + size_of_val(&*self.bounds)
            + size_of_val(&*self.kept_bounds)
            + size_of_val(&*self.positions)
            + size_of_val(&*self.invariants)
    }
}

/// A hash of cells.
fn hash(cells: &[i32]) -> u64 {
    let step = |state: u64, cell: &i32| {
        (state.rotate_left(23) ^ u64::from(*cell as u32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    cells.iter().fold(0, step)
}
