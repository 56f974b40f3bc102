//! Which clocks matter at a discrete state: only their rows and columns are stored.
//!
//! A clock without bounds at a state's locations is not compared with anything before it is set again. Extrapolation has
//! freed it: its row is infinite, and its column equals column 0. So the rest of the zone says everything, in a half or
//! a quarter of the memory in models where each process has a clock that it needs now and then.

use std::ops::Deref;

use hashbrown::HashTable;
use merkhet_lattice::bound::NO_BOUND;
use merkhet_lattice::zone::subset::Subset;

use crate::key::hash;

/// The rows that are stored.
pub(super) struct Shape {
    mask: u64,
    rows: Subset,
}

impl Deref for Shape {
    type Target = Subset;

    fn deref(&self) -> &Subset {
        &self.rows
    }
}

impl Shape {
    fn new(mask: u64, n: usize) -> Shape {
        Shape {
            mask,
            rows: Subset::new(n, |row| row >= 64 || mask >> row & 1 != 0),
        }
    }

    /// The rows that are stored, as bits.
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// The number of rows that are stored.
    #[inline]
    pub fn dimension(&self) -> usize {
        self.rows.rows().len()
    }

    /// The elements of an array by row that belong to stored rows.
    pub fn gather_rows(&self, all: &[i32], stored: &mut [i32]) {
        for (stored, row) in stored.iter_mut().zip(self.rows.rows()) {
            *stored = all[usize::from(*row)];
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
        self.all.len() * (size_of::<Shape>() + 2 * self.n * size_of::<u16>())
    }
}
