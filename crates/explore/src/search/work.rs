//! What an expansion costs, counted in what it touches and not by the clock, so that a run can be repeated.

use merkhet_semantics::System;

/// The cost of expansions in one system, in nanoseconds of a machine of 2024, about.
///
/// Zones are matrices: copying, closing and comparing one goes with the square of the clocks. Measured breadth first: 90 ns a
/// successor of a process with one variable, 170 to 190 of puzzles and arbiter trees without clocks, 340 of C9, 810 with
/// 31 clocks, 8,400 with 200.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    successor: u64,
}

/// What taking a state and looking at its edges costs, whatever comes of it.
const EXPANSION: u64 = 300;

impl Work {
    pub fn new(system: &System) -> Work {
        let rows = system.dimension() as u64;
        let cells = system.cells().len() as u64;
        Work {
            successor: 100 + rows * rows / 6 + 12 * rows + 2 * cells,
        }
    }

    /// Of some expansions that had so many successors together.
    pub fn of(self, expansions: u64, successors: u64) -> u64 {
        let successors = self.successor.saturating_mul(successors);
        EXPANSION
            .saturating_mul(expansions)
            .saturating_add(successors)
    }
}

#[cfg(test)]
mod tests {
    use super::Work;

    #[test]
    fn successors_make_an_expansion_dear() {
        let work = Work { successor: 200 };
        assert_eq!(work.of(1, 0), super::EXPANSION);
        assert_eq!(work.of(3, 20_000), 3 * super::EXPANSION + 4_000_000);
    }
}
