//! Which clocks matter at a discrete state: only their rows and columns are stored.
//!
//! A clock without bounds at a state's locations is not compared with anything before it is set again. Extrapolation has
//! freed it: its row is infinite, and its column equals column 0. So the rest of the zone says everything, in a half or
//! a quarter of the memory in models where each process has a clock that it needs now and then.

use hashbrown::HashTable;
use merkhet_lattice::bound::{Bound, INFINITY, LE_ZERO, NO_BOUND};
use merkhet_lattice::zone::narrow::{self, Narrow};

use crate::key::hash;

/// The rows that are stored.
pub(super) struct Shape {
    mask: u64,
    /// Row 0 and those of clocks that matter, ascending.
    rows: Box<[u16]>,
    /// The other rows.
    free: Box<[u16]>,
    /// By entry of the stored zone, its place in the whole one; empty if all rows are stored.
    places: Box<[u32]>,
}

impl Shape {
    fn new(mask: u64, n: usize) -> Shape {
        let stored = |row: &u16| *row >= 64 || mask >> row & 1 != 0;
        let (rows, free): (Vec<u16>, Vec<u16>) = (0..n as u16).partition(stored);
        let place = |i: u16, j: u16| u32::from(i) * n as u32 + u32::from(j);
        let places = match free.is_empty() {
            true => Box::default(),
            false => (rows.iter())
                .flat_map(|i| rows.iter().map(|j| place(*i, *j)))
                .collect(),
        };
        Shape {
            mask,
            rows: rows.into(),
            free: free.into(),
            places,
        }
    }

    /// The rows that are stored, as bits.
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// The number of rows that are stored.
    #[inline]
    pub fn dimension(&self) -> usize {
        self.rows.len()
    }

    /// The number of rows that are not stored.
    pub fn free(&self) -> usize {
        self.free.len()
    }

    /// Where a row is among the stored ones.
    pub fn position(&self, row: usize) -> Option<usize> {
        self.rows
            .iter()
            .position(|stored| usize::from(*stored) == row)
    }

    /// The entries of a whole zone that are stored.
    #[inline]
    pub fn gather(&self, zone: &[Bound], stored: &mut [Bound]) {
        if self.places.is_empty() {
            return stored.copy_from_slice(zone);
        }
        for (stored, place) in stored.iter_mut().zip(&self.places) {
            *stored = zone[*place as usize];
        }
    }

    /// The elements of an array by row that belong to stored rows.
    pub fn gather_rows(&self, all: &[i32], stored: &mut [i32]) {
        for (stored, row) in stored.iter_mut().zip(&self.rows) {
            *stored = all[usize::from(*row)];
        }
    }

    /// The whole zone, if not all of its rows are stored.
    pub fn scatter<T: Narrow>(&self, stored: &[T], zone: &mut [Bound]) {
        let n = self.rows.len() + self.free.len();
        for row in &self.free {
            let row = usize::from(*row);
            zone[row * n..][..n].fill(INFINITY);
            zone[row * n + row] = LE_ZERO;
        }
        // Small zones are unpacked at once: one entry after the other would take most of the time of an expansion.
        let mut unpacked = [0; 256];
        if let Some(unpacked) = unpacked.get_mut(..stored.len()) {
            narrow::unpack(stored, unpacked);
            self.scatter_rows(unpacked, zone, |entry| entry);
        } else {
            self.scatter_rows(stored, zone, Narrow::widen);
        }
    }

    /// Puts the stored rows into the whole zone, and the columns that equal the first.
    #[inline]
    fn scatter_rows<T: Copy>(&self, stored: &[T], zone: &mut [Bound], widen: impl Fn(T) -> Bound) {
        let (k, n) = (self.rows.len(), self.rows.len() + self.free.len());
        for (row, stored) in self.rows.iter().zip(stored.chunks_exact(k)) {
            let row = &mut zone[usize::from(*row) * n..][..n];
            for (column, entry) in self.rows.iter().zip(stored) {
                row[usize::from(*column)] = widen(*entry);
            }
            for column in &self.free {
                row[usize::from(*column)] = row[0];
            }
        }
    }
}

/// The shapes of a store's zones. Number 0 has all rows.
pub(super) struct Shapes {
    n: usize,
    all: Vec<Shape>,
    numbers: HashTable<u32>,
    enabled: bool,
    /// The one asked for last.
    recent: u32,
}

impl Shapes {
    /// `enabled`: clocks without bounds are free in every zone.
    pub fn new(n: usize, enabled: bool) -> Shapes {
        Shapes {
            n,
            all: vec![Shape::new(u64::MAX, n)],
            numbers: HashTable::new(),
            enabled: enabled && n <= 64,
            recent: 0,
        }
    }

    /// The shape of a number.
    #[inline]
    pub fn get(&self, number: u32) -> &Shape {
        &self.all[number as usize]
    }

    /// The number of the shape of zones under these bounds.
    pub fn number(&mut self, lower: &[i32], upper: &[i32]) -> u32 {
        if !self.enabled {
            return 0;
        }
        let mut mask = 1u64;
        for row in 1..self.n {
            let bounded = lower[row] != NO_BOUND || upper[row] != NO_BOUND;
            mask |= u64::from(bounded) << row;
        }
        self.with_mask(mask)
    }

    /// The number of the shape with these rows.
    #[inline]
    pub fn with_mask(&mut self, mask: u64) -> u32 {
        if self.all[self.recent as usize].mask == mask {
            return self.recent;
        }
        self.recent = self.find(mask);
        self.recent
    }

    fn find(&mut self, mask: u64) -> u32 {
        if !self.enabled {
            return 0;
        }
        let key = hash(&[mask]);
        let all = &mut self.all;
        let found = self.numbers.find(key, |id| all[*id as usize].mask == mask);
        match found {
            Some(number) => *number,
            None => {
                let number = all.len() as u32;
                all.push(Shape::new(mask, self.n));
                let rehash = |id: &u32| hash(&[all[*id as usize].mask]);
                self.numbers.insert_unique(key, number, rehash);
                number
            }
        }
    }

    pub fn bytes(&self) -> usize {
        let places = self.n * self.n * size_of::<u32>();
        self.all.len() * (size_of::<Shape>() + places / 2)
    }
}
