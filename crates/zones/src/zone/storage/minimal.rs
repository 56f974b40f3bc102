//! The minimal constraint form: few constraints whose closure is the zone, for storage and for printing.
//!
//! K. G. Larsen, F. Larsson, P. Pettersson, W. Yi: Efficient verification of real-time systems: compact data structure
//! and state-space reduction, RTSS 1997. Clocks at a fixed distance from each other form a class; a class keeps one
//! cycle through its members, and between classes only the constraints of their first members that no third one
//! implies. We also leave out `x ≥ 0`, from which [`restore`] starts.
//!
//! The packed form is a bit map of the entries kept ([`map_words`] words), followed by their bounds in order.

use crate::bound::{Bound, INFINITY, LE_ZERO, add};
use crate::zone::rows::RowSet;
use crate::zone::{close, init_universal, kernel};

/// How many words the bit map of a packed zone of dimension `n` takes.
pub const fn map_words(n: usize) -> usize {
    (n * n).div_ceil(32)
}

/// Whether clocks `i` and `j` have a fixed distance.
pub(crate) fn same_class(zone: &[Bound], n: usize, i: usize, j: usize) -> bool {
    let (there, back) = (zone[i * n + j], zone[j * n + i]);
    there != INFINITY && add(there, back) == LE_ZERO
}

/// The first clock at a fixed distance from `i`, if that is not `i` itself.
pub(crate) fn first_of_class(zone: &[Bound], n: usize, i: usize) -> Option<usize> {
    (0..i).find(|&j| same_class(zone, n, i, j))
}

fn is_first_of_class(zone: &[Bound], n: usize, i: usize) -> bool {
    first_of_class(zone, n, i).is_none()
}

/// Whether the minimal form of the closed zone leaves out the entry `(i, j)`. O(n²) at worst.
pub fn is_redundant(zone: &[Bound], n: usize, i: usize, j: usize) -> bool {
    let bound = zone[i * n + j];
    if i == j || bound == INFINITY || (i == 0 && bound == LE_ZERO) {
        return true;
    }
    if same_class(zone, n, i, j) {
        // The cycle goes through the members in ascending order and from the last back to the first.
        return if i < j {
            (i + 1..j).any(|k| same_class(zone, n, i, k))
        } else {
            (0..j).chain(i + 1..n).any(|k| same_class(zone, n, i, k))
        };
    }
    if !is_first_of_class(zone, n, i) || !is_first_of_class(zone, n, j) {
        return true;
    }
    // `x ≥ 0` of any member of a class is free, and the class's cycle carries it to the first.
    if i == 0 && (j + 1..n).any(|k| zone[k] == LE_ZERO && same_class(zone, n, k, j)) {
        return true;
    }
    (0..n).any(|k| {
        k != i
            && k != j
            && add(zone[i * n + k], zone[k * n + j]) <= bound
            && is_first_of_class(zone, n, k)
    })
}

/// Calls `visit` with the position `i * n + j` and the bound of each constraint of the minimal form, in order.
pub fn for_each(zone: &[Bound], n: usize, mut visit: impl FnMut(usize, Bound)) {
    assert_eq!(zone.len(), n * n);
    if n > RowSet::CAPACITY {
        let positions =
            (0..n * n).filter(|position| !is_redundant(zone, n, position / n, position % n));
        return positions.for_each(|position| visit(position, zone[position]));
    }
    let classes = Classes::of(zone, n);
    for i in 0..n {
        for j in classes.kept_columns(zone, n, i) {
            visit(i * n + j, zone[i * n + j]);
        }
    }
}

/// The classes of clocks at a fixed distance, for zones that the row sets hold.
pub(crate) struct Classes {
    /// The first member of each class.
    firsts: RowSet,
    /// For each clock, the next member of its class; for the last one, the first. Itself if it is alone.
    next: [u8; RowSet::CAPACITY],
}

impl Classes {
    /// The classes of a closed zone.
    pub(crate) fn of(zone: &[Bound], n: usize) -> Self {
        let mut classes = Classes {
            firsts: RowSet::default(),
            next: [0; RowSet::CAPACITY],
        };
        for i in 0..n {
            let Some(first) = classes
                .firsts
                .into_iter()
                .find(|&first| same_class(zone, n, i, first))
            else {
                classes.firsts.insert(i);
                classes.next[i] = i as u8;
                continue;
            };
            let mut last = first;
            while usize::from(classes.next[last]) != first {
                last = classes.next[last].into();
            }
            classes.next[last] = i as u8;
            classes.next[i] = first as u8;
        }
        classes
    }

    /// The columns of row `i` that the minimal form keeps.
    pub(crate) fn kept_columns(&self, zone: &[Bound], n: usize, i: usize) -> RowSet {
        let mut kept = RowSet::default();
        if self.firsts.contains(i) {
            let implied = kernel::implied_columns(zone, n, i, self.firsts);
            for j in self
                .firsts
                .without(implied)
                .filter(|&j| j != i && zone[i * n + j] != INFINITY)
            {
                if i != 0 || !self.has_zero(zone, j) {
                    kept.insert(j);
                }
            }
        }
        let next = usize::from(self.next[i]);
        if next != i && (i != 0 || zone[next] != LE_ZERO) {
            kept.insert(next);
        }
        kept
    }

    /// Whether `x ≥ 0`, which is free, is all that is known of a lower bound in the class of `first`.
    fn has_zero(&self, zone: &[Bound], first: usize) -> bool {
        let mut member = first;
        loop {
            if zone[member] == LE_ZERO {
                return true;
            }
            member = self.next[member].into();
            if member == first {
                return false;
            }
        }
    }
}

/// Appends the packed minimal form of a closed zone; returns how many words it took.
pub fn pack(zone: &[Bound], n: usize, packed: &mut Vec<i32>) -> usize {
    let start = packed.len();
    packed.resize(start + map_words(n), 0);
    for_each(zone, n, |position, bound| {
        packed[start + position / 32] |= 1 << (position % 32);
        packed.push(bound);
    });
    packed.len() - start
}

/// Writes the zone of a packed minimal form, closed.
pub fn restore(packed: &[i32], n: usize, zone: &mut [Bound]) {
    init_universal(zone, n);
    constraints(packed, n).for_each(|(position, bound)| zone[position] = bound);
    close(zone, n);
}

/// The positions `i * n + j` and bounds of a packed minimal form.
pub fn constraints(packed: &[i32], n: usize) -> impl Iterator<Item = (usize, Bound)> + '_ {
    let (map, bounds) = packed.split_at(map_words(n));
    let positions = map.iter().enumerate().flat_map(|(word, &bits)| {
        let mut bits = bits as u32;
        std::iter::from_fn(move || {
            let bit = bits.trailing_zeros() as usize;
            let found = bits != 0;
            bits &= bits.wrapping_sub(1);
            found.then_some(word * 32 + bit)
        })
    });
    positions.zip(bounds.iter().copied())
}
