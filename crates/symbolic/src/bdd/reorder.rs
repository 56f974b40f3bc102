//! The order of the variables, and sifting (Rudell: "Dynamic variable ordering for ordered binary
//! decision diagrams", ICCAD 1993): each variable in turn is moved through all positions by swaps of
//! neighbouring levels, and left where the diagrams are smallest.
//!
//! A swap rewrites nodes in place, so every function keeps its edge: handles outside stay valid. The
//! two levels of a state variable (its value now and after a step) move together, because images
//! rely on their being neighbours.

use super::store::{Edge, FALSE, NONE, Store, grow, hash};

/// A variable is not moved on once the diagrams have grown by this factor.
const MOST_GROWTH: f64 = 1.2;

/// Where a better order is looked for by itself, it takes at most this part of the work since the last one; otherwise as much
/// work (and a little). A node that is moved is counted as a step of an operation: it costs about as much.
const SHARE_WHERE_PATIENT: u64 = 3;
const LEAST_WORK: u64 = 1 << 22;

/// A single operation may make this many times the nodes before a better order is due, if they are not yet known to be in
/// use.
const UNSEEN_GROWTH: usize = 4;

/// When a better order of the variables is looked for; each time again when there are twice as many nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reordering {
    /// Never.
    #[default]
    Never,
    /// When this many nodes exist.
    At(usize),
    /// When this many nodes are in use after a collection.
    InUse(usize),
}

/// Where each variable stands, and when to look for a better order.
pub(super) struct Order {
    level_of: Vec<u32>,
    bit_at: Vec<u32>,
    pub(super) reorderings: u32,
    /// A better order is due when this many nodes exist; `None` if nobody wants one.
    due_at: Option<usize>,
    /// Whether only nodes count that are still in use after a collection.
    patient: bool,
    due: bool,
    /// The work that was done when it was last looked for.
    last: u64,
}

impl Order {
    pub(super) fn new(levels: u32) -> Order {
        Order {
            level_of: (0..levels).collect(),
            bit_at: (0..levels).collect(),
            reorderings: 0,
            due_at: None,
            patient: false,
            due: false,
            last: 0,
        }
    }

    #[inline]
    pub(super) fn level_of(&self, bit: u32) -> u32 {
        self.level_of[bit as usize]
    }

    #[inline]
    pub(super) fn bit_at(&self, level: u32) -> u32 {
        self.bit_at[level as usize]
    }

    /// All variables from the top down.
    pub(super) fn bits(&self) -> &[u32] {
        &self.bit_at
    }

    /// A map from variables to variables as one from levels to levels.
    pub(super) fn by_level(&self, map: &[u32]) -> Vec<u32> {
        let bits = self.bit_at.iter();
        bits.map(|&bit| self.level_of(map[bit as usize])).collect()
    }

    pub(super) fn watch(&mut self, when: Reordering) {
        (self.due_at, self.patient) = match when {
            Reordering::Never => (None, false),
            Reordering::At(nodes) => (Some(nodes), false),
            Reordering::InUse(nodes) => (Some(nodes), true),
        };
    }

    /// Told after a collection how many nodes are in use.
    pub(super) fn collected(&mut self, live: usize) {
        if self.patient && self.due_at.is_some_and(|nodes| live >= nodes) {
            self.due = true;
        }
    }

    /// The work that looking for a better order may take, by the work since the last time.
    fn budget(&self, work: u64) -> u64 {
        let share = if self.patient { SHARE_WHERE_PATIENT } else { 1 };
        ((work - self.last) / share).max(LEAST_WORK)
    }

    pub(super) fn freeze(&mut self) {
        self.due_at = None;
        self.due = false;
    }

    /// Asked before each new node: whether there are enough for a better order to be due.
    #[inline]
    pub(super) fn becomes_due(&mut self, live: usize) -> bool {
        let growth = if self.patient { UNSEEN_GROWTH } else { 1 };
        if self.due_at.is_some_and(|nodes| live >= nodes * growth) {
            self.due = true;
        }
        self.due
    }

    pub(super) fn is_due(&self) -> bool {
        self.due
    }

    /// Whether enough nodes remain after a collection; otherwise nothing is due any more.
    fn is_worth_it(&mut self, live: usize) -> bool {
        let share = if self.patient { 1 } else { 2 };
        self.due = self.due_at.is_some_and(|nodes| live >= nodes / share);
        self.due
    }

    fn done(&mut self, live: usize, work: u64) {
        self.reorderings += 1;
        self.due = false;
        // The operation starts again and must come further than before.
        self.due_at = self.due_at.map(|nodes| (2 * nodes).max(4 * live));
        self.last = work;
    }

    fn swap(&mut self, level: usize) {
        self.bit_at.swap(level, level + 1);
        for at in [level, level + 1] {
            self.level_of[self.bit_at[at] as usize] = at as u32;
        }
    }
}

impl Store {
    /// Between operations: if there are many nodes that are still in use, a better order.
    pub(super) fn reorder_if_due(&mut self) {
        let live = self.live();
        if !self.order.becomes_due(live) {
            return;
        }
        self.collect();
        let live = self.live();
        if self.order.is_worth_it(live) {
            self.reorder();
        }
    }

    /// Collects, and sifts all variables as far as that is allowed.
    pub(super) fn reorder(&mut self) {
        self.collect();
        self.cache.clear();
        let budget = self.order.budget(self.work);
        let mut sifting = Sifting::new(self, budget);
        sifting.sift_all();
        self.work += sifting.moved;
        let (live, work) = (self.live(), self.work);
        self.order.done(live, work);
    }
}

/// Levels that move together.
#[derive(Clone, Copy)]
struct Block {
    first: usize,
    size: usize,
}

struct Sifting<'s> {
    store: &'s mut Store,
    /// How many nodes and handles refer to each node.
    counts: Vec<u32>,
    /// Nodes that were moved, and how many may be.
    moved: u64,
    budget: u64,
}

impl<'s> Sifting<'s> {
    /// All nodes of the store must be in use.
    fn new(store: &'s mut Store, budget: u64) -> Sifting<'s> {
        let mut counts = vec![0; store.nodes.len()];
        let references = store.references.0.borrow();
        for (index, &handles) in references.iter().enumerate().take(counts.len()) {
            counts[index] += u32::from(handles > 0);
        }
        drop(references);
        for edge in &store.protected {
            counts[(edge >> 1) as usize] += 1;
        }
        for node in store.nodes.iter().filter(|node| node.level != NONE) {
            counts[(node.low >> 1) as usize] += 1;
            counts[(node.high >> 1) as usize] += 1;
        }
        Sifting {
            store,
            counts,
            moved: 0,
            budget,
        }
    }

    fn is_over(&self) -> bool {
        self.moved >= self.budget || self.store.limits.check().is_err()
    }

    /// The blocks from the top down.
    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut first = 0;
        while first < self.store.paired.len() {
            let size = if self.store.paired[first] { 2 } else { 1 };
            blocks.push(Block { first, size });
            first += size;
        }
        blocks
    }

    fn nodes_of(&self, block: Block) -> usize {
        let tables = &self.store.tables[block.first..block.first + block.size];
        tables.iter().map(|table| table.count).sum()
    }

    /// Sifts the variables with most nodes first.
    fn sift_all(&mut self) {
        let mut waiting: Vec<(usize, u32)> = self
            .blocks()
            .into_iter()
            .map(|block| {
                (
                    self.nodes_of(block),
                    self.store.order.bit_at(block.first as u32),
                )
            })
            .filter(|(nodes, _)| *nodes > 0)
            .collect();
        waiting.sort_unstable_by(|a, b| b.cmp(a));
        for (_, bit) in waiting {
            if self.is_over() {
                return;
            }
            self.sift(bit);
        }
    }

    /// Moves one variable to its best place: first to the nearer end, then to the other one.
    fn sift(&mut self, bit: u32) {
        let mut blocks = self.blocks();
        let level = self.store.order.level_of(bit) as usize;
        let Some(start) = blocks.iter().position(|block| block.first == level) else {
            return;
        };
        let most = (self.store.live as f64 * MOST_GROWTH) as usize + 16;
        let mut best = (self.store.live, start);
        let mut at = start;
        let ends = if start * 2 < blocks.len() {
            [0, blocks.len() - 1]
        } else {
            [blocks.len() - 1, 0]
        };
        for end in ends {
            while at != end && self.store.live <= most && !self.is_over() {
                at = self.step(&mut blocks, at, end);
                if self.store.live < best.0 {
                    best = (self.store.live, at);
                }
            }
            while at != best.1 {
                at = self.step(&mut blocks, at, best.1);
            }
        }
    }

    /// Moves the block at a position one position towards another one; its new position.
    fn step(&mut self, blocks: &mut [Block], at: usize, towards: usize) -> usize {
        let upper = if towards > at { at } else { at - 1 };
        let (above, below) = (blocks[upper], blocks[upper + 1]);
        for moved in 0..below.size {
            for level in (0..above.size).rev() {
                self.swap(above.first + moved + level);
            }
        }
        blocks[upper] = Block {
            first: above.first,
            size: below.size,
        };
        blocks[upper + 1] = Block {
            first: above.first + below.size,
            size: above.size,
        };
        if towards > at { at + 1 } else { at - 1 }
    }

    /// Swaps the variables of a level and the one below.
    fn swap(&mut self, level: usize) {
        let upper = self.take(level);
        let lower = self.take(level + 1);
        self.moved += (upper.len() + lower.len()) as u64;
        // What stood below does not depend on the variable above.
        for &index in &lower {
            self.settle(index, level);
        }
        let is_lower = |store: &Store, edge: Edge| store.level(edge) == level as u32;
        let (both, one): (Vec<u32>, Vec<u32>) = {
            // The upper nodes still bear their old level, which is now that of the lower ones.
            for &index in &upper {
                self.store.nodes[index as usize].level = level as u32 + 1;
            }
            upper.into_iter().partition(|&index| {
                let node = self.store.nodes[index as usize];
                is_lower(self.store, node.low) || is_lower(self.store, node.high)
            })
        };
        for &index in &one {
            self.settle(index, level + 1);
        }
        for &index in &both {
            let old = self.store.nodes[index as usize];
            let (low0, low1) = self.store.split(old.low, level as u32);
            let (high0, high1) = self.store.split(old.high, level as u32);
            let low = self.make(level as u32 + 1, low0, high0);
            self.counts[(low >> 1) as usize] += 1;
            let high = self.make(level as u32 + 1, low1, high1);
            self.counts[(high >> 1) as usize] += 1;
            debug_assert!(high & 1 == 0 && low != high);
            self.store.nodes[index as usize].low = low;
            self.store.nodes[index as usize].high = high;
            self.settle(index, level);
            self.release(old.low);
            self.release(old.high);
        }
        self.store.paired.swap(level, level + 1);
        self.store.order.swap(level);
    }

    /// Empties the table of a level.
    fn take(&mut self, level: usize) -> Vec<u32> {
        let table = &mut self.store.tables[level];
        let mut taken = Vec::with_capacity(table.count);
        for bucket in &mut table.buckets {
            let mut index = std::mem::replace(bucket, NONE);
            while index != NONE {
                taken.push(index);
                index = self.store.nodes[index as usize].next;
            }
        }
        table.count = 0;
        taken
    }

    /// Puts a node into the table of a level.
    fn settle(&mut self, index: u32, level: usize) {
        let store = &mut *self.store;
        let table = &mut store.tables[level];
        if table.count >= table.buckets.len() {
            grow(table, &mut store.nodes);
        }
        let node = &mut store.nodes[index as usize];
        node.level = level as u32;
        let bucket = hash(node.low, node.high) as usize & (table.buckets.len() - 1);
        node.next = std::mem::replace(&mut table.buckets[bucket], index);
        table.count += 1;
    }

    /// As `Store::make`, without limits; counts the references of a new node.
    fn make(&mut self, level: u32, low: Edge, high: Edge) -> Edge {
        if low == high {
            return low;
        }
        let sign = high & 1;
        let (low, high) = (low ^ sign, high ^ sign);
        let index = match self.store.find(level, low, high) {
            Some(index) => index,
            None => {
                let index = self.store.place(level, low, high);
                if index as usize >= self.counts.len() {
                    self.counts.resize(index as usize + 1, 0);
                }
                self.counts[index as usize] = 0;
                self.counts[(low >> 1) as usize] += 1;
                self.counts[(high >> 1) as usize] += 1;
                index
            }
        };
        index << 1 | sign
    }

    /// One reference less; a node without any goes, and its children may follow.
    fn release(&mut self, edge: Edge) {
        let mut waiting = vec![edge];
        while let Some(edge) = waiting.pop() {
            let index = edge >> 1;
            if edge <= FALSE {
                self.counts[0] -= 1;
                continue;
            }
            self.counts[index as usize] -= 1;
            if self.counts[index as usize] == 0 {
                let node = self.store.nodes[index as usize];
                self.remove(index);
                waiting.extend([node.low, node.high]);
            }
        }
    }

    /// Takes a node out of its table and makes it free.
    fn remove(&mut self, index: u32) {
        let store = &mut *self.store;
        let node = store.nodes[index as usize];
        let table = &mut store.tables[node.level as usize];
        let bucket = hash(node.low, node.high) as usize & (table.buckets.len() - 1);
        if table.buckets[bucket] == index {
            table.buckets[bucket] = node.next;
        } else {
            let mut before = table.buckets[bucket];
            while store.nodes[before as usize].next != index {
                before = store.nodes[before as usize].next;
            }
            store.nodes[before as usize].next = node.next;
        }
        table.count -= 1;
        store.live -= 1;
        store.nodes[index as usize].level = NONE;
        store.nodes[index as usize].next = store.free;
        store.free = index;
    }
}
