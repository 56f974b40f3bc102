//! From the zone of the clocks that matter at a source to that of those which matter at a target, in one choice of rows.
//!
//! A clock without bounds at a state's locations is free there ([`System::keeps`]): its row of the zone says nothing. To work
//! without such rows gives what working with them and leaving them out at the end gives. A closed zone without some rows is
//! the projection of the whole one, and guards and invariants, which bound the clocks that they ask, do not ask free ones.
//! ExtraLU+ raises an entry by what itself and the lower bounds of its two clocks say; it makes the row of a clock without
//! bounds infinite, so that no path leads through it when the zone is closed again.
//!
//! After a transition, the row of a clock that was set to zero equals row 0, that of a clock which was copied equals the other's,
//! that of any other clock is what it was: so the target's zone is a choice of the source's rows, some of them chosen more than
//! once. A clock that is set to another constant is set to zero first. A clock that matters at the target, but neither at the
//! source nor is set, does not exist where bounds are propagated; if it did, the transition would not be translated.

use merkhet_network::code::ClockUpdate;
use merkhet_zones::zone::Constraint;
use merkhet_zones::zone::subset;

use crate::successors::fire::Firing;
use crate::system::System;

/// In place of a position: the row is not kept.
pub(crate) const NOT_KEPT: u16 = u16::MAX;

/// Translates the transitions of one discrete state; holds the one that was translated last.
pub(crate) struct Translation {
    /// By row of the whole zones, its position among the source's rows.
    source: Vec<u16>,
    /// By row of the whole zones, the row whose value the clock has after the updates so far.
    origins: Vec<u16>,
    /// An update that is not a choice of rows was met.
    impossible: bool,
    /// The number of the source's rows.
    pub from: usize,
    pub guard: Vec<Constraint>,
    pub sets: Vec<(u16, i32)>,
    pub rows: Vec<u16>,
}

impl Translation {
    /// For transitions from a discrete state. The bounds in `firing` are overwritten.
    pub fn new(system: &System, memory: &[i32], firing: &mut Firing) -> Translation {
        system.bounds_at(memory, &mut firing.lower, &mut firing.upper);
        let mut source = vec![NOT_KEPT; system.dimension];
        Translation {
            from: positions(system, &firing.lower, &firing.upper, &mut source),
            source,
            origins: Vec::new(),
            impossible: false,
            guard: Vec::new(),
            sets: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// By row of the whole zones, its position among the source's rows.
    pub fn positions(&self) -> &[u16] {
        &self.source
    }

    /// Begins with a transition.
    pub fn begin(&mut self) {
        self.origins.clear();
        self.origins.extend(0..self.source.len() as u16);
        self.sets.clear();
        self.impossible = false;
    }

    /// Follows an update. A set clock's row is that of the whole zones for now.
    pub fn update(&mut self, update: ClockUpdate) {
        let row = |clock: usize| clock as u16 + 1;
        match update {
            ClockUpdate::Set { clock, value } => {
                let clock = row(clock.index());
                self.sets.retain(|(set, _)| *set != clock);
                self.origins[usize::from(clock)] = 0;
                if value != 0 {
                    self.sets.push((clock, value));
                }
            }
            ClockUpdate::Copy {
                target,
                source,
                offset,
            } => {
                let (target, source) = (row(target.index()), row(source.index()));
                self.impossible |= offset != 0 || self.sets.iter().any(|(set, _)| *set == source);
                self.sets.retain(|(set, _)| *set != target);
                self.origins[usize::from(target)] = self.origins[usize::from(source)];
            }
        }
    }

    /// Translates the rest, with the positions of the target's rows; says whether that is possible.
    pub fn translate(&mut self, target: &[u16], guard: &[Constraint]) -> bool {
        self.rows.clear();
        for (position, origin) in target.iter().zip(&self.origins) {
            if *position != NOT_KEPT {
                self.rows.push(self.source[usize::from(*origin)]);
            }
        }
        let possible = !self.impossible && self.rows.iter().all(|row| *row != NOT_KEPT);
        let to = self.rows.len();
        subset::pad(&mut self.rows, to);
        self.sets.retain_mut(|(row, _)| place(target, row));
        self.guard.clear();
        translate(&self.source, guard, &mut self.guard) && possible
    }
}

/// Numbers the rows that are kept under the bounds; returns how many they are.
pub(crate) fn positions(
    system: &System,
    lower: &[i32],
    upper: &[i32],
    positions: &mut [u16],
) -> usize {
    let mut kept = 0;
    for (row, position) in positions.iter_mut().enumerate() {
        *position = NOT_KEPT;
        if system.keeps(row, lower, upper) {
            *position = kept;
            kept += 1;
        }
    }
    kept.into()
}

/// Replaces a row of the whole zones by its position; says whether it has one.
fn place(positions: &[u16], row: &mut u16) -> bool {
    *row = positions[usize::from(*row)];
    *row != NOT_KEPT
}

/// Appends the constraints by position; says whether all their rows are kept.
pub(crate) fn translate(
    positions: &[u16],
    all: &[Constraint],
    translated: &mut Vec<Constraint>,
) -> bool {
    let start = translated.len();
    translated.extend_from_slice(all);
    translated[start..]
        .iter_mut()
        .all(|c| place(positions, &mut c.left) && place(positions, &mut c.right))
}
