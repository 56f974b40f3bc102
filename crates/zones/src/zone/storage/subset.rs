//! Some rows and columns of a zone: a smaller zone of the clocks that matter, and the way back.
//!
//! The clocks that are left out are *free*: their rows are infinite, and their columns equal the first. So the smaller
//! zone says everything.

use crate::bound::Bound;
use crate::zone::kernel;
use crate::zone::storage::narrow::Narrow;

/// Rows of zones of one dimension, row 0 always among them.
#[derive(Clone, Debug)]
pub struct Subset {
    /// The chosen rows, ascending, as [`choose`] takes them.
    rows: Box<[u16]>,
    /// How many they are.
    len: usize,
    /// By row, where it is among the chosen ones; the free ones have [`Subset::FREE`].
    positions: Box<[u16]>,
    /// For vectors of up to 16 lanes: by column, where its entry comes from in a row of the smaller zone.
    pub(crate) sources: [i32; 16],
}

impl Subset {
    /// In place of a position: the row is not chosen.
    pub(crate) const FREE: u16 = u16::MAX;

    /// Room behind the zones that [`Subset::gather`] writes, in entries, which it may overwrite.
    pub const PADDING: usize = 16;

    /// The chosen ones of `n` rows, and row 0.
    pub fn new(n: usize, chosen: impl Fn(usize) -> bool) -> Subset {
        let mut rows: Vec<u16> = (0..n as u16)
            .filter(|row| *row == 0 || chosen(usize::from(*row)))
            .collect();
        let len = rows.len();
        let mut positions = vec![Subset::FREE; n];
        for (position, row) in rows.iter().enumerate() {
            positions[usize::from(*row)] = position as u16;
        }
        pad(&mut rows, len);
        let mut sources = [0; 16];
        for (lane, position) in sources.iter_mut().zip(&positions) {
            *lane = match *position {
                Subset::FREE => 0,
                position => i32::from(position),
            };
        }
        Subset {
            rows: rows.into(),
            len,
            positions: positions.into(),
            sources,
        }
    }

    /// The chosen rows.
    #[inline]
    pub fn rows(&self) -> &[u16] {
        &self.rows[..self.len]
    }

    /// By row, where it is among the chosen ones, or [`Subset::FREE`].
    #[inline]
    pub(crate) fn positions(&self) -> &[u16] {
        &self.positions
    }

    /// The number of rows that are not chosen.
    #[inline]
    pub fn free(&self) -> usize {
        self.positions.len() - self.len
    }

    /// Where a row is among the chosen ones.
    pub fn position(&self, row: usize) -> Option<usize> {
        let position = self.positions[row];
        (position != Subset::FREE).then_some(position.into())
    }

    /// Copies the chosen rows and columns of a zone to the beginning of `part`, which has [`Subset::PADDING`] entries more
    /// than they are.
    #[inline]
    pub fn gather(&self, zone: &[Bound], part: &mut [Bound]) {
        let n = self.positions.len();
        if self.free() == 0 {
            return part[..n * n].copy_from_slice(zone);
        }
        choose(zone, n, &self.rows, self.len, part);
    }

    /// The whole zone of a smaller one.
    #[inline]
    pub fn spread<T: Narrow>(&self, part: &[T], zone: &mut [Bound]) {
        let (n, k) = (self.positions.len(), self.len);
        assert!(zone.len() == n * n && part.len() == k * k);
        if self.free() == 0 {
            return kernel::unpack(part, zone);
        }
        kernel::spread(self, part, zone);
    }
}

/// Most rows of a zone that is taken a row at a time; lists of rows are padded to that length.
pub const LANES: usize = 16;

/// Pads a list whose last `k` entries are rows as [`choose`] wants it.
pub fn pad(rows: &mut Vec<u16>, k: usize) {
    rows.resize(rows.len() + LANES.saturating_sub(k), 0);
}

/// Writes the zone of dimension `k` whose entry `(i, j)` is the entry `(rows[i], rows[j])` of a zone of dimension `n`, to the
/// beginning of `part`, which has [`Subset::PADDING`] entries more. `rows` is padded with [`pad`].
///
/// A clock that is left out is forgotten; one whose row is 0 is set to zero; several with the same row have the same
/// value. The result is closed if the zone is.
#[inline]
pub fn choose(zone: &[Bound], n: usize, rows: &[u16], k: usize, part: &mut [Bound]) {
    assert!(zone.len() == n * n && part.len() >= k * k + Subset::PADDING);
    assert!(rows.len() >= k.max(LANES));
    kernel::choose(zone, n, rows, k, part);
}
