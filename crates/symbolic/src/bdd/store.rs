//! Nodes, the tables that keep them unique, and garbage collection.
//!
//! An edge is the number of a node, doubled, plus one if the function is negated. The high edge of
//! a node is never negated, so every function has one representation. Node 0 is the constant.

use super::References;
use super::cache::Cache;
use super::reorder::Order;
use crate::limits::{Limits, Stop};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// A function inside the store.
pub(super) type Edge = u32;

pub(super) const TRUE: Edge = 0;
pub(super) const FALSE: Edge = 1;

/// The end of a chain, and the level of free nodes.
pub(super) const NONE: u32 = u32::MAX;

/// Bytes that a node takes at most: itself with the room for a quarter more, and its share of the tables and of the
/// reference counts, which grow by doubling.
pub(super) const BYTES_PER_NODE: usize = 20 + 8 + 8;

#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) level: u32,
    pub(super) low: Edge,
    pub(super) high: Edge,
    /// The next node in the chain of the unique table, or the next free node.
    pub(super) next: u32,
}

/// The nodes of one level, by a hash of their edges.
pub(super) struct Table {
    pub(super) buckets: Vec<u32>,
    pub(super) count: usize,
}

/// All nodes of all functions.
pub(super) struct Store {
    pub(super) nodes: Vec<Node>,
    pub(super) tables: Vec<Table>,
    pub(super) free: u32,
    /// Nodes in use, the constant included.
    pub(super) live: usize,
    max_nodes: usize,
    pub(super) cache: Cache,
    pub(super) limits: Limits,
    /// Counts down to the next look at the limits.
    steps_to_poll: u32,
    /// Recursive steps and nodes swept so far.
    pub(super) work: u64,
    /// The part of the check that is going on ends at this much work.
    pub(super) work_end: u64,
    pub(super) allocated: u64,
    pub(super) peak: usize,
    pub(super) collections: u32,
    /// Collect when this many nodes exist.
    threshold: usize,
    pub(super) references: Rc<References>,
    /// Nodes that a running operation needs.
    pub(super) protected: Vec<Edge>,
    /// Which levels are the value now of a state variable, with the next level the value after.
    pub(super) paired: Vec<bool>,
    pub(super) order: Order,
}

/// Below this many nodes nothing is collected.
const MIN_THRESHOLD: usize = 1 << 20;

/// The list of nodes grows by a quarter and by this many.
const LEAST_GROWTH: usize = 1 << 10;

/// The memory is full if less than this share of the nodes is free after a collection.
const LEAST_ROOM: usize = 16;

/// As many nodes are swept in the time of one recursive step.
const SWEPT_PER_STEP: usize = 16;

/// Recursive steps between two looks at the clock.
const POLLING_INTERVAL: u32 = 1 << 14;

impl Store {
    pub(super) fn new(paired: Vec<bool>, limits: &Limits, references: Rc<References>) -> Store {
        let levels = paired.len() as u32;
        let constant = Node {
            level: NONE,
            low: TRUE,
            high: TRUE,
            next: NONE,
        };
        let tables = (0..levels)
            .map(|_| Table {
                buckets: vec![NONE; 4],
                count: 0,
            })
            .collect();
        // A third of the memory for the cache, the rest for the nodes.
        let max_nodes = (limits.memory_bytes / 3 * 2 / BYTES_PER_NODE).clamp(1 << 10, 1 << 30);
        Store {
            nodes: vec![constant],
            tables,
            free: NONE,
            live: 1,
            max_nodes,
            cache: Cache::new(limits.memory_bytes / 3),
            limits: limits.clone(),
            steps_to_poll: POLLING_INTERVAL,
            work: 0,
            work_end: u64::MAX,
            allocated: 0,
            peak: 1,
            collections: 0,
            threshold: MIN_THRESHOLD.min(max_nodes / 2),
            references,
            protected: Vec::new(),
            paired,
            order: Order::new(levels),
        }
    }

    pub(super) fn live(&self) -> usize {
        self.live
    }

    #[inline]
    pub(super) fn node(&self, edge: Edge) -> &Node {
        &self.nodes[(edge >> 1) as usize]
    }

    /// The level of the top node; below all levels for constants.
    #[inline]
    pub(super) fn level(&self, edge: Edge) -> u32 {
        self.node(edge).level
    }

    /// Sets the moment at which operations stop.
    pub(super) fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.limits.deadline = deadline;
    }

    /// The two halves of a function by the variable of a level at or above its top.
    #[inline]
    pub(super) fn split(&self, edge: Edge, level: u32) -> (Edge, Edge) {
        let node = self.node(edge);
        if node.level != level {
            return (edge, edge);
        }
        let negated = edge & 1;
        (node.low ^ negated, node.high ^ negated)
    }

    /// Called once in each recursive step: looks at the limits now and then.
    #[inline]
    pub(super) fn tick(&mut self) -> Result<(), Stop> {
        self.work += 1;
        self.steps_to_poll -= 1;
        if self.steps_to_poll == 0 {
            self.steps_to_poll = POLLING_INTERVAL;
            // One operation (saturation) may be the whole check: the cache grows with its nodes.
            self.cache.adapt(self.live);
            let progress = &self.limits.progress;
            progress.nodes.store(self.live as u64, Ordering::Relaxed);
            progress.allocated.store(self.allocated, Ordering::Relaxed);
            self.check_limits()?;
        }
        Ok(())
    }

    /// An error if the check, or the part of it that is going on, is to end now.
    pub(super) fn check_limits(&self) -> Result<(), Stop> {
        self.limits.check()?;
        match self.work >= self.work_end {
            true => Err(Stop::Budget),
            false => Ok(()),
        }
    }

    /// The function "if the variable of `level` then `high` else `low`".
    pub(super) fn make(&mut self, level: u32, low: Edge, high: Edge) -> Result<Edge, Stop> {
        if low == high {
            return Ok(low);
        }
        if high & 1 == 1 {
            return Ok(self.unique(level, low ^ 1, high ^ 1)? ^ 1);
        }
        self.unique(level, low, high)
    }

    fn unique(&mut self, level: u32, low: Edge, high: Edge) -> Result<Edge, Stop> {
        debug_assert!(self.level(low) > level && self.level(high) > level);
        match self.find(level, low, high) {
            Some(index) => Ok(index << 1),
            None => self.insert(level, low, high),
        }
    }

    #[inline]
    pub(super) fn find(&self, level: u32, low: Edge, high: Edge) -> Option<u32> {
        let table = &self.tables[level as usize];
        let bucket = hash(low, high) as usize & (table.buckets.len() - 1);
        let mut index = table.buckets[bucket];
        while index != NONE {
            let node = &self.nodes[index as usize];
            if node.low == low && node.high == high {
                return Some(index);
            }
            index = node.next;
        }
        None
    }

    fn insert(&mut self, level: u32, low: Edge, high: Edge) -> Result<Edge, Stop> {
        if self.live >= self.max_nodes || self.order.becomes_due(self.live) {
            return Err(Stop::Memory); // whoever runs the operation makes room, or a better order
        }
        Ok(self.place(level, low, high) << 1)
    }

    /// A new node; there must be none like it.
    pub(super) fn place(&mut self, level: u32, low: Edge, high: Edge) -> u32 {
        let table = &mut self.tables[level as usize];
        if table.count >= table.buckets.len() {
            grow(table, &mut self.nodes);
        }
        let bucket = hash(low, high) as usize & (table.buckets.len() - 1);
        let node = Node {
            level,
            low,
            high,
            next: table.buckets[bucket],
        };
        let index = if self.free == NONE {
            if self.nodes.len() == self.nodes.capacity() {
                self.nodes
                    .reserve_exact(self.nodes.len() / 4 + LEAST_GROWTH);
            }
            self.nodes.push(node);
            (self.nodes.len() - 1) as u32
        } else {
            let index = self.free;
            self.free = self.nodes[index as usize].next;
            self.nodes[index as usize] = node;
            index
        };
        table.buckets[bucket] = index;
        table.count += 1;
        self.live += 1;
        self.allocated += 1;
        index
    }

    /// Collects if there is much to collect. Only where every node in use is protected.
    pub(super) fn collect_if_full(&mut self) {
        if self.live >= self.threshold && self.live < self.max_nodes {
            self.collect();
        }
    }

    /// Frees all nodes that are not below a node that a handle refers to or that is protected.
    pub(super) fn collect(&mut self) {
        self.peak = self.peak.max(self.live);
        self.collections += 1;
        self.work += (self.nodes.len() / SWEPT_PER_STEP) as u64;
        let mut marked = vec![false; self.nodes.len()];
        marked[0] = true;
        let mut stack: Vec<u32> = Vec::new();
        let references = self.references.0.borrow();
        let held = references
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0);
        let held = held.map(|(index, _)| index as u32);
        for index in held.chain(self.protected.iter().map(|edge| edge >> 1)) {
            if !marked[index as usize] {
                marked[index as usize] = true;
                stack.push(index);
            }
        }
        drop(references);
        while let Some(index) = stack.pop() {
            let node = self.nodes[index as usize];
            for child in [node.low >> 1, node.high >> 1] {
                if !marked[child as usize] {
                    marked[child as usize] = true;
                    stack.push(child);
                }
            }
        }
        self.cache.retain(|index| marked[index as usize]);
        self.sweep(&marked);
        self.order.collected(self.live);
        // Where little is free, the rest is used up first: collecting again for a few nodes would take all the time.
        let roomy = (self.live * 2).max(MIN_THRESHOLD);
        let tight = self.live + self.max_nodes.saturating_sub(self.live) / 2;
        self.threshold = match roomy <= self.max_nodes / 10 * 9 {
            true => roomy,
            false => tight,
        };
        self.steps_to_poll = 1; // this took its time: the next step looks at the clock
    }

    /// Whether so little is free after a collection that going on would be collecting only.
    pub(super) fn is_crowded(&self) -> bool {
        self.max_nodes.saturating_sub(self.live) < self.max_nodes / LEAST_ROOM
    }

    /// The memory of the nodes and of the cache.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * BYTES_PER_NODE + self.cache.bytes()
    }

    fn sweep(&mut self, marked: &[bool]) {
        for table in &mut self.tables {
            for bucket in &mut table.buckets {
                let mut kept = NONE;
                let mut index = *bucket;
                while index != NONE {
                    let next = self.nodes[index as usize].next;
                    if marked[index as usize] {
                        self.nodes[index as usize].next = kept;
                        kept = index;
                    } else {
                        self.nodes[index as usize].next = self.free;
                        self.nodes[index as usize].level = NONE;
                        self.free = index;
                        table.count -= 1;
                        self.live -= 1;
                    }
                    index = next;
                }
                *bucket = kept;
            }
        }
    }
}

#[inline]
pub(super) fn hash(low: Edge, high: Edge) -> u32 {
    let mixed = (u64::from(low) << 32 | u64::from(high)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as u32
}

pub(super) fn grow(table: &mut Table, nodes: &mut [Node]) {
    let mut buckets = vec![NONE; table.buckets.len() * 2];
    let mask = buckets.len() - 1;
    for &start in &table.buckets {
        let mut index = start;
        while index != NONE {
            let node = &mut nodes[index as usize];
            let next = node.next;
            let bucket = hash(node.low, node.high) as usize & mask;
            node.next = buckets[bucket];
            buckets[bucket] = index;
            index = next;
        }
    }
    table.buckets = buckets;
}
