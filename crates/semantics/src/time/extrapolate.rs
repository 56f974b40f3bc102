//! Enlarging zones by the bounds at their locations.
//!
//! With differences of clocks in the model, extrapolation alone is unsound (Bouyer, FMSD 2004). The zone is then split by
//! each difference constraint first, and each enlarged part is cut back to its side of them, as Bengtsson and Yi do
//! (ICFEM 2003, algorithm 3). They use maximal constants; we may use lower and upper bounds all the same: take a
//! valuation v of the cut-back part and a v' of the part before that simulates it with respect to L and U. The two
//! agree on all difference constraints. Delay and tests keep both facts, and a reset turns a difference into a comparison of one
//! clock, which both agree on because clocks in differences have symmetric bounds everywhere (`analysis::bounds`).

use merkhet_zones::bound::{le, lt};
use merkhet_zones::zone::{self, Constraint};

use crate::successors::broadcast::negation;
use crate::successors::enumerate::Halt;
use crate::successors::fire::{Emit, Firing};
use crate::system::System;
use crate::{EdgeIndex, Extrapolation};

impl Firing {
    /// Enlarges the zone by the bounds in `self.lower` and `self.upper`.
    #[inline]
    pub fn extrapolate(&mut self, system: &System) {
        self.settle_bounds(system);
        let (zone, n) = (&mut self.zone, system.dimension);
        match system.extrapolation {
            Extrapolation::None => {}
            Extrapolation::Lu | Extrapolation::M => {
                zone::extrapolate_lu(zone, n, &self.lower, &self.upper);
            }
            Extrapolation::LuPlus | Extrapolation::MPlus => {
                zone::extrapolate_lu_plus(zone, n, &self.lower, &self.upper);
            }
        }
    }

    /// Makes the bounds maximal constants where zones are enlarged by those: ExtraM is ExtraLU with the same in both.
    pub fn settle_bounds(&mut self, system: &System) {
        if matches!(
            system.extrapolation,
            Extrapolation::M | Extrapolation::MPlus
        ) {
            for (lower, upper) in self.lower.iter_mut().zip(&mut self.upper) {
                *lower = (*lower).max(*upper);
                *upper = *lower;
            }
        }
    }

    /// Splits the zone by the differences, enlarges each part, cuts it back and hands it on.
    pub fn finish_split(
        &mut self,
        system: &System,
        memory: &[i32],
        edges: &[EdgeIndex],
        emit: &mut impl Emit,
    ) -> Result<(), Halt> {
        let (n, size) = (system.dimension, self.zone.len());
        let mut parts = std::mem::take(&mut self.parts);
        let mut spare = std::mem::take(&mut self.spare);
        parts.clear();
        parts.extend_from_slice(&self.zone);
        for difference in differences(system) {
            spare.clear();
            for part in parts.chunks_exact(size) {
                for side in [difference, negation(difference)] {
                    let start = spare.len();
                    spare.extend_from_slice(part);
                    if !zone::constrain_all(&mut spare[start..], n, &[side]) {
                        spare.truncate(start);
                    }
                }
            }
            std::mem::swap(&mut parts, &mut spare);
        }
        let mut result = Ok(());
        for part in parts.chunks_exact(size) {
            self.zone.copy_from_slice(part);
            self.extrapolate(system);
            let mut non_empty = true;
            for difference in differences(system) {
                let (left, right) = (difference.left.into(), difference.right.into());
                let inside = zone::implies(part, n, left, right, difference.bound);
                let side = if inside {
                    difference
                } else {
                    negation(difference)
                };
                non_empty &= zone::constrain_all(&mut self.zone, n, &[side]);
            }
            debug_assert!(non_empty, "the part itself is on its own side");
            result = emit.emit(self.successor(memory, edges, &self.zone));
            if result.is_err() {
                break;
            }
        }
        self.parts = parts;
        self.spare = spare;
        result
    }
}

/// The difference constraints as the zones hold them.
fn differences(system: &System) -> impl Iterator<Item = Constraint> {
    system.differences.constraints.iter().map(|difference| {
        let bound = difference.bound;
        Constraint {
            left: difference.left.0 as u16 + 1,
            right: difference.right.0 as u16 + 1,
            bound: if difference.strict {
                lt(bound)
            } else {
                le(bound)
            },
        }
    })
}
