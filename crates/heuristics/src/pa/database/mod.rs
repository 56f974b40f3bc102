//! A pattern database: the abstract state space, layer by layer backwards from the abstract error states.

pub mod lookup;
pub mod slices;
pub mod store;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rustc_hash::FxHashSet;

use crate::pa::predicate::Predicate;
use crate::pa::regress::Regression;
use crate::pa::slices::Slices;
use crate::pa::vector;

/// How large a database may become. Where it is cut off, states beyond count as one layer further: still admissible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Abstract states.
    pub states: usize,
    /// Memory, in bytes.
    pub bytes: usize,
}

/// A pattern database.
#[derive(Clone, Debug, Default)]
pub struct Database {
    /// What its vectors speak of.
    pub predicates: Vec<Predicate>,
    /// Words of a vector.
    width: usize,
    /// The vectors one after the other, nearest first.
    vectors: Vec<u64>,
    /// Where each layer begins; its number is the distance.
    layers: Vec<usize>,
    /// For each vector its successor on the way to the error, and the case in between; the error states have none.
    parents: Vec<(u32, u32)>,
    /// For each case its transitions: those that the predicates do not tell apart.
    cases: Vec<Vec<u32>>,
    /// All predecessors were computed: what is compatible with no vector cannot reach the goal.
    complete: bool,
    /// Layers up to this one are complete.
    horizon: u32,
    index: Slices,
}

/// What a database is besides its vectors, for saving it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Where each layer begins, and the number of vectors.
    pub layers: Vec<usize>,
    /// Whether all abstract states were found.
    pub complete: bool,
    /// Layers up to this one are complete.
    pub horizon: u32,
    /// For each vector its successor on the way to the error, and the case in between.
    pub parents: Vec<(u32, u32)>,
    /// For each case its transitions.
    pub cases: Vec<Vec<u32>>,
}

/// What ends the making of databases early.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop<'s> {
    /// A point in time.
    pub deadline: Option<Instant>,
    /// A flag that is raised.
    pub cancel: Option<&'s AtomicBool>,
}

impl Stop<'_> {
    /// Whether it is time.
    pub fn now(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
            || self
                .cancel
                .is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

/// When a database is finished before all is found.
struct Bounds<'b> {
    limits: Limits,
    wanted: Option<&'b [u64]>,
}

impl Bounds<'_> {
    /// Whether the vector is the one that was looked for; if so, nothing more is needed.
    fn met(&mut self, vector: &[u64]) -> bool {
        let met = (self.wanted).is_some_and(|wanted| {
            vector
                .iter()
                .zip(wanted)
                .all(|(word, open)| word & !open == 0)
        });
        if met {
            self.limits.states = 0;
        }
        met
    }
}

/// What error states have for a parent.
pub const NO_PARENT: u32 = u32::MAX;

impl Database {
    /// No vectors yet.
    pub fn empty(predicates: Vec<Predicate>) -> Database {
        Database {
            predicates,
            ..Database::default()
        }
    }

    /// Computes the layers.
    pub fn build(regression: &mut Regression<'_>, limits: Limits) -> Database {
        Database::build_until(regression, limits, None)
    }

    /// Computes the layers; only until a vector is a subset of `wanted`, where that is given.
    pub fn build_until(
        regression: &mut Regression<'_>,
        limits: Limits,
        wanted: Option<&[u64]>,
    ) -> Database {
        let width = 2 * regression.half();
        let mut database = Database {
            predicates: regression.predicates.clone(),
            width,
            vectors: Vec::new(),
            layers: vec![0],
            parents: Vec::new(),
            cases: regression.origins().to_vec(),
            complete: true,
            horizon: 0,
            index: Slices::new(width),
        };
        let mut bounds = Bounds { limits, wanted };
        let mut seen = FxHashSet::default();
        for error in regression.error_states() {
            database.add(&error, (NO_PARENT, NO_PARENT));
            bounds.met(&error);
            seen.insert(error);
        }
        let mut first = 0;
        while first < database.len() {
            let last = database.len();
            database.layers.push(last);
            if !database.next_layer(regression, first..last, &mut seen, &mut bounds) {
                database.complete = false;
                break;
            }
            database.horizon += 1;
            first = last;
        }
        if database.layers.last() != Some(&database.len()) {
            database.layers.push(database.len());
        }
        database.vectors.shrink_to_fit();
        database.parents.shrink_to_fit();
        database
    }

    /// Computes the predecessors of a layer; false if a limit was met.
    fn next_layer(
        &mut self,
        regression: &mut Regression<'_>,
        layer: std::ops::Range<usize>,
        seen: &mut FxHashSet<Box<[u64]>>,
        bounds: &mut Bounds<'_>,
    ) -> bool {
        let mut vector = vec![0; self.width];
        let mut earlier = vec![0; self.width];
        for at in layer {
            if bounds.limits.states == 0 || at % 16 == 0 && regression.is_over() {
                return false;
            }
            vector.copy_from_slice(self.vector(at));
            for case in 0..regression.cases() as u32 {
                if !regression.predecessor(case, &vector, &mut earlier)
                    || seen.contains(&earlier[..])
                {
                    continue;
                }
                seen.insert(earlier.as_slice().into());
                if self.index.contains_subset(&earlier) {
                    continue;
                }
                let limits = bounds.limits;
                if self.len() >= limits.states || self.bytes() >= limits.bytes {
                    return false;
                }
                self.add(&earlier, (at as u32, case));
                if bounds.met(&earlier) {
                    return false;
                }
            }
        }
        true
    }

    fn add(&mut self, vector: &[u64], parent: (u32, u32)) {
        self.vectors.extend_from_slice(vector);
        self.parents.push(parent);
        self.index.push(vector);
    }

    /// What it is besides its vectors.
    pub fn parts(&self) -> Parts {
        Parts {
            layers: self.layers.clone(),
            complete: self.complete,
            horizon: self.horizon,
            parents: self.parents.clone(),
            cases: self.cases.clone(),
        }
    }

    /// A database from saved parts; `None` if they do not fit together.
    pub fn from_parts(predicates: Vec<Predicate>, vectors: Vec<u64>, parts: Parts) -> Option<Self> {
        let width = 2 * vector::words(predicates.len());
        let count = vectors.len() / width;
        let ascending = parts.layers.windows(2).all(|pair| pair[0] <= pair[1]);
        let layered = parts.layers.first() == Some(&0) && parts.layers.last() == Some(&count);
        // Ways lead from each vector to an earlier one.
        let leads = |(at, (parent, case)): (usize, &(u32, u32))| {
            let last = (*parent, *case) == (NO_PARENT, NO_PARENT);
            last || (*parent as usize) < at && (*case as usize) < parts.cases.len()
        };
        let ways = parts.parents.len() == count
            && parts.parents.iter().enumerate().all(leads)
            && parts.cases.iter().all(|case| !case.is_empty());
        if !ascending || !layered || !ways || vectors.len() != count * width {
            return None;
        }
        let mut index = Slices::new(width);
        vectors
            .chunks_exact(width)
            .for_each(|vector| index.push(vector));
        Some(Database {
            predicates,
            width,
            vectors,
            layers: parts.layers,
            parents: parts.parents,
            cases: parts.cases,
            complete: parts.complete,
            horizon: parts.horizon,
            index,
        })
    }

    /// A vector by number.
    pub fn vector(&self, at: usize) -> &[u64] {
        &self.vectors[at * self.width..(at + 1) * self.width]
    }

    /// The number of abstract states.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether there are none: the goal is impossible.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The number of layers, the error states' own included.
    pub fn layers(&self) -> usize {
        self.layers.len() - 1
    }

    /// The sizes of the layers.
    pub fn layer_sizes(&self) -> impl Iterator<Item = usize> + '_ {
        self.layers.windows(2).map(|pair| pair[1] - pair[0])
    }

    /// Numbers of the vectors of a layer.
    pub fn layer(&self, distance: usize) -> std::ops::Range<usize> {
        match self.layers.get(distance..distance + 2) {
            Some([first, last]) => *first..*last,
            _ => 0..0,
        }
    }

    /// Whether all abstract states were found.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether it says nothing: its error state is every state.
    pub fn is_trivial(&self) -> bool {
        self.layers() == 1 && self.complete && self.vector_count_without_literals() > 0
    }

    fn vector_count_without_literals(&self) -> usize {
        let empty = |at: &usize| self.vector(*at).iter().all(|word| *word == 0);
        self.layer(0).filter(empty).count()
    }

    /// Whether a predicate is true or false in some vector.
    pub fn mentions(&self, predicate: usize) -> bool {
        let half = self.width / 2;
        let (word, bit) = (predicate / 64, predicate % 64);
        (0..self.len()).any(|at| {
            let vector = self.vector(at);
            (vector[word] | vector[half + word]) >> bit & 1 == 1
        })
    }

    /// The way from a vector to an error state, step by step: each is the transitions that make it.
    pub fn way(&self, from: usize) -> impl Iterator<Item = &[u32]> {
        let mut at = from;
        std::iter::from_fn(move || {
            let (parent, case) = self.parents.get(at).copied()?;
            at = parent as usize;
            self.cases.get(case as usize).map(Vec::as_slice)
        })
    }

    /// The transitions on the way from a vector to an error state, the first of each step.
    pub fn path(&self, from: usize) -> Vec<usize> {
        (self.way(from).filter_map(<[u32]>::first))
            .map(|transition| *transition as usize)
            .collect()
    }

    /// The distance of a search state: the least of the vectors that its literals do not contradict.
    ///
    /// `allowed` holds the literals that the state affirms or leaves open.
    pub fn distance(&mut self, allowed: &[u64]) -> u32 {
        let nearest = self.nearest(allowed);
        self.distance_of(nearest)
    }

    /// The distance of a search state whose nearest vector is this one.
    pub fn distance_of(&self, nearest: Option<usize>) -> u32 {
        let beyond = match self.complete {
            true => crate::DEAD_END,
            false => self.horizon + 1,
        };
        nearest.map_or(beyond, |at| {
            let layer = self.layers.partition_point(|first| *first <= at) as u32 - 1;
            layer.min(beyond)
        })
    }

    /// The number of the first vector that is a subset of `allowed`: none is nearer.
    pub fn nearest(&mut self, allowed: &[u64]) -> Option<usize> {
        self.index.first_subset(allowed)
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.vectors.len() * 8 + self.parents.len() * 8 + self.index.bytes()
    }
}
