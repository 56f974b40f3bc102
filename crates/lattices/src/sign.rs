//! A few words for each configuration that often show at once that it does not cover another one.
//!
//! What is larger in an order by cells has no smaller cell, so it lacks no bit that the smaller one has where a bit says that
//! one of its cells is above the least value, and none of its sums over cells is smaller. Elements whose order is code of the
//! model say nothing here. Zones have sums of their own ([`merkhet_explore::store::Signer`]).

use merkhet_explore::store::{Signature, Signer, Size};
use merkhet_network::Direction;
use merkhet_semantics::{CellRange, State, System};

use crate::order::Orders;

/// What is known of a configuration before its cells are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sign {
    bits: u64,
    sums: u64,
    zone: Signature,
}

/// Four lanes of 15 bits in a word, whose highest bits are 0.
const HIGHEST: u64 = 0x8000_8000_8000_8000;
const LANES: usize = 4;

impl Sign {
    /// Whether a configuration with this sign may cover one with the other.
    #[inline]
    pub fn may_cover(self, small: Sign) -> bool {
        let no_smaller = |large: u64, small: u64| ((large | HIGHEST) - small) & HIGHEST == HIGHEST;
        small.bits & !self.bits == 0
            && no_smaller(self.sums, small.sums)
            && no_smaller(self.zone, small.zone)
    }
}

/// A cell that is compared with others as a number.
struct Cell {
    index: usize,
    /// Its least element.
    least: i32,
    falls: bool,
    bit: u32,
    lane: usize,
}

/// Computes signs.
pub(crate) struct Signs {
    cells: Vec<Cell>,
    /// So many low bits of the sums are left out.
    shift: u32,
    zones: Option<Signer>,
    dimension: usize,
}

impl Signs {
    pub fn new(system: &System, orders: &Orders<'_>) -> Signs {
        let ranges = system.cells();
        let ordered = orders.cells();
        let ordered = ordered.map(|(index, direction)| (index, direction, ranges[index]));
        let dimension = system.dimension();
        Signs {
            zones: (dimension > 1).then(|| Signer::new(dimension, system.largest_bound())),
            dimension,
            ..Signs::over(&ordered.collect::<Vec<_>>())
        }
    }

    /// For these cells, without clocks.
    fn over(ordered: &[(usize, Direction, CellRange)]) -> Signs {
        let count = ordered.len().max(1);
        let widths = ordered
            .iter()
            .map(|(.., range)| u64::from(range.high.abs_diff(range.low)));
        let largest: u64 = widths.sum();
        let cell =
            |(number, (index, direction, range)): (usize, &(usize, Direction, CellRange))| {
                let falls = *direction == Direction::Down;
                Cell {
                    index: *index,
                    least: if falls { range.high } else { range.low },
                    falls,
                    bit: match count <= 64 {
                        true => number as u32,
                        false => (number * 64 / count) as u32,
                    },
                    lane: number * LANES / count,
                }
            };
        Signs {
            cells: ordered.iter().enumerate().map(cell).collect(),
            shift: (u64::BITS - largest.leading_zeros()).saturating_sub(15),
            zones: None,
            dimension: 1,
        }
    }

    /// The sign of a configuration, and how large it is.
    pub fn of(&self, state: State<'_>) -> (Sign, Size) {
        let (mut bits, mut sums) = (0, [0u64; LANES]);
        for cell in &self.cells {
            let value = state.memory[cell.index];
            let above = match cell.falls {
                true => i64::from(cell.least) - i64::from(value),
                false => i64::from(value) - i64::from(cell.least),
            };
            bits |= u64::from(above > 0) << cell.bit;
            sums[cell.lane] += above.max(0) as u64;
        }
        let all: u64 = sums.iter().sum();
        let lane = |(lane, sum): (usize, &u64)| (sum >> self.shift) << (16 * lane);
        let sums = sums.iter().enumerate().map(lane).sum();
        let (zone, lower) = match &self.zones {
            Some(signer) => {
                let (zone, size) = signer.sign(state.zone, self.dimension, 0);
                (zone, size.lower)
            }
            None => (0, 0),
        };
        let size = Size {
            free: all.min(i32::MAX as u64) as u32,
            lower,
        };
        (Sign { bits, sums, zone }, size)
    }
}

#[cfg(test)]
mod tests {
    use merkhet_network::Direction;
    use merkhet_semantics::{CellRange, State};

    use super::Signs;

    /// Random elements of few and of many cells: what covers is never ruled out, and most of what does not is.
    #[test]
    fn what_covers_is_never_ruled_out() {
        let mut state = 7u64;
        let mut random = |limit: u64| {
            state = (state.wrapping_mul(6_364_136_223_846_793_005)).wrapping_add(1);
            (state >> 33) % limit
        };
        for (cells, high) in [(1, 5), (6, 1), (40, 1), (9, 100_000), (300, 3)] {
            let ordered: Vec<_> = (0..cells)
                .map(|index| {
                    let falls = random(2) == 0;
                    let direction = if falls {
                        Direction::Down
                    } else {
                        Direction::Up
                    };
                    (index, direction, CellRange { low: -2, high })
                })
                .collect();
            let signs = Signs::over(&ordered);
            let (mut covering, mut ruled_out) = (0, 0);
            for _ in 0..2000 {
                let mut small: Vec<i32> = (0..cells)
                    .map(|_| random(high as u64 + 3) as i32 - 2)
                    .collect();
                let mut large = small.clone();
                // Half of them are larger, the others change anywhere.
                let grows = random(2) == 0;
                for (index, direction, range) in &ordered {
                    let up = *direction == Direction::Up;
                    large[*index] = match (random(4), up) {
                        (0, true) if grows => range.high,
                        (0, false) if grows => range.low,
                        (0, _) if !grows => random(high as u64 + 3) as i32 - 2,
                        _ => large[*index],
                    };
                }
                if random(2) == 0 && !grows {
                    std::mem::swap(&mut small, &mut large);
                }
                let covers = ordered.iter().all(|(index, direction, _)| match direction {
                    Direction::Up => small[*index] <= large[*index],
                    Direction::Down => small[*index] >= large[*index],
                });
                let sign = |memory: &[i32]| signs.of(State { memory, zone: &[] });
                let ((small, low), (large, high)) = (sign(&small), sign(&large));
                assert!(!covers || large.may_cover(small), "{cells} cells");
                assert!(!covers || low.free <= high.free, "{cells} cells");
                covering += usize::from(covers);
                ruled_out += usize::from(!large.may_cover(small));
            }
            assert!(covering > 500, "{cells} cells: {covering}");
            assert!(
                ruled_out * 2 > 2000 - covering,
                "{cells} cells: {ruled_out}"
            );
        }
    }
}
