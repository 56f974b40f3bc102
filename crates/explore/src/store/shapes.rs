//! Which clocks matter at a discrete state: only their rows and columns are stored.
//!
//! A clock without bounds at a state's locations is not compared with anything before it is set again. Extrapolation has
//! freed it: its row is infinite, and its column equals column 0. So the rest of the zone says everything, in a half or
//! a quarter of the memory in models where each process has a clock that it needs now and then.

use std::ops::Deref;

use hashbrown::HashTable;
use merkhet_zones::bound::NO_BOUND;
use merkhet_zones::zone::subset::Subset;

use crate::key::hash;

/// The rows that are stored.
pub(super) struct Shape {
    /// As many words as the rows need bits.
    mask: Box<[u64]>,
    rows: Subset,
}

impl Deref for Shape {
    type Target = Subset;

    fn deref(&self) -> &Subset {
        &self.rows
    }
}

impl Shape {
    fn new(mask: &[u64], n: usize) -> Shape {
        Shape {
            mask: mask.into(),
            rows: Subset::new(n, |row| mask[row / 64] >> (row % 64) & 1 != 0),
        }
    }

    /// The rows that are stored, as bits.
    pub fn mask(&self) -> &[u64] {
        &self.mask
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
    /// The mask of the bounds that are looked at.
    mask: Vec<u64>,
}

impl Shapes {
    /// `enabled`: clocks without bounds are free in every zone.
    pub fn new(n: usize, enabled: bool) -> Shapes {
        let every = vec![u64::MAX; n.div_ceil(64)];
        Shapes {
            n,
            all: vec![Shape::new(&every, n)],
            numbers: HashTable::new(),
            enabled,
            recent: 0,
            mask: every,
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
        let bounds = lower[..self.n].chunks(64).zip(upper[..self.n].chunks(64));
        for (word, (lower, upper)) in self.mask.iter_mut().zip(bounds) {
            *word = 0;
            for (row, (lower, upper)) in lower.iter().zip(upper).enumerate() {
                *word |= u64::from(*lower != NO_BOUND || *upper != NO_BOUND) << row;
            }
        }
        self.mask[0] |= 1;
        let mask = std::mem::take(&mut self.mask);
        let number = self.with_mask(&mask);
        self.mask = mask;
        number
    }

    /// The number of the shape with these rows.
    #[inline]
    pub fn with_mask(&mut self, mask: &[u64]) -> u32 {
        // Masks have a word or two: a call to compare them would cost more than that.
        let recent = &self.all[self.recent as usize].mask;
        if recent.iter().zip(mask).all(|(one, other)| one == other) {
            return self.recent;
        }
        self.recent = self.find(mask);
        self.recent
    }

    fn find(&mut self, mask: &[u64]) -> u32 {
        if !self.enabled {
            return 0;
        }
        let key = hash(mask);
        let all = &mut self.all;
        let found = self
            .numbers
            .find(key, |id| *all[*id as usize].mask == *mask);
        match found {
            Some(number) => *number,
            None => {
                let number = all.len() as u32;
                all.push(Shape::new(mask, self.n));
                let rehash = |id: &u32| hash(&all[*id as usize].mask);
                self.numbers.insert_unique(key, number, rehash);
                number
            }
        }
    }

    pub fn bytes(&self) -> usize {
        self.all.len() * (size_of::<Shape>() + 2 * self.n * size_of::<u16>() + self.n / 8)
    }
}
