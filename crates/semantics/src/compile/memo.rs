//! Guards that take long are remembered: their truth for the values of the cells that they read.
//!
//! Functions that walk over maps or queues are evaluated for every edge of every state, though from one state to the next
//! few of the cells change that they read. A small table for each such guard holds keys (the cells themselves: nothing
//! rests on a hash) and outcomes. A guard that is not met again often enough is no longer remembered.

use merkhet_network::code::Layout;
use merkhet_network::footprint::Footprints;
use merkhet_network::visit::{Visitor, walk_expr, walk_stmt};
use merkhet_network::{Expr, Network, Region, Stmt, Tuning};

use crate::tuning;

/// How much is remembered, and how long a table is tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    guard_cells: usize,
    cells: usize,
    places: usize,
    trial: u32,
}

impl Limits {
    pub fn new(tuning: &Tuning) -> Limits {
        Limits {
            guard_cells: tuning.count(&tuning::GUARD_CELLS),
            cells: tuning.count(&tuning::TABLE_CELLS),
            places: tuning.count(&tuning::TABLE_PLACES),
            trial: tuning.get(&tuning::TRIAL) as u32,
        }
    }
}

/// The slots that a guard reads, as ranges.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    ranges: Box<[(u32, u32)]>,
    cells: usize,
}

impl Plan {
    /// The values of the cells that the guard reads.
    #[inline]
    fn of<'m>(&self, memory: &'m [i32]) -> impl Iterator<Item = &'m [i32]> {
        let cells = |(start, end): &(u32, u32)| &memory[*start as usize..*end as usize];
        self.ranges.iter().map(cells)
    }
}

/// Decides which guards are worth it.
pub(crate) struct Planner<'n> {
    network: &'n Network,
    footprints: Footprints<'n>,
    most_cells: usize,
}

impl<'n> Planner<'n> {
    pub fn new(network: &'n Network, limits: Limits) -> Planner<'n> {
        Planner {
            network,
            footprints: Footprints::new(network),
            most_cells: limits.guard_cells,
        }
    }

    /// What to remember a guard by, if it has loops and reads few enough cells.
    pub fn plan(&mut self, layout: &Layout, guard: &Expr) -> Option<Plan> {
        let footprint = self.footprints.expr(guard);
        let mut loops = Loops(false);
        loops.expr(guard);
        for function in &footprint.functions {
            let function = self.network.functions.get(function.index())?;
            function.body.iter().for_each(|stmt| loops.stmt(stmt));
        }
        if !loops.0 || footprint.has_effects() || !footprint.clocks_read.is_empty() {
            return None;
        }
        let mut slots: Vec<u32> = footprint
            .reads
            .iter()
            .filter(|cell| matches!(cell.region, Region::State | Region::Meta))
            .take(self.most_cells + 1)
            .map(|cell| layout.address(cell) as u32)
            .collect();
        let locations = footprint.locations.iter();
        slots.extend(locations.map(|process| layout.location(*process) as u32));
        if slots.is_empty() || slots.len() > self.most_cells {
            return None;
        }
        slots.sort_unstable();
        slots.dedup();
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for slot in &slots {
            match ranges.last_mut() {
                Some((_, end)) if *end == *slot => *end += 1,
                _ => ranges.push((*slot, slot + 1)),
            }
        }
        Some(Plan {
            ranges: ranges.into(),
            cells: slots.len(),
        })
    }
}

/// Whether something is done repeatedly.
struct Loops(bool);

impl Visitor for Loops {
    fn expr(&mut self, expr: &Expr) {
        self.0 |= matches!(expr, Expr::Quantified { .. });
        walk_expr(self, expr);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.0 |= matches!(stmt, Stmt::For { .. } | Stmt::While { .. });
        walk_stmt(self, stmt);
    }
}

/// The table of one guard.
#[derive(Clone, Debug, Default)]
struct Memo {
    keys: Vec<i32>,
    /// 0 and 1; 2 where a place is free.
    outcomes: Vec<u8>,
    asked: u32,
    met: u32,
}

const FREE: u8 = 2;

/// The tables of one thread.
#[derive(Debug)]
pub(crate) struct Memos {
    memos: Vec<Memo>,
    /// Where the outcome of the guard that was looked up last goes.
    place: usize,
    /// The most cells of one table.
    share: usize,
    most_places: usize,
    trial: u32,
}

impl Memos {
    pub fn new(plans: &[Plan], limits: Limits) -> Memos {
        Memos {
            memos: vec![Memo::default(); plans.len()],
            place: 0,
            share: limits.cells / plans.len().max(1),
            most_places: limits.places,
            trial: limits.trial,
        }
    }

    /// The remembered outcome of a guard. If there is none, it may be handed to [`Memos::remember`].
    #[inline]
    pub fn look_up(&mut self, plans: &[Plan], guard: u32, memory: &[i32]) -> Option<bool> {
        let (plan, memo) = (&plans[guard as usize], &mut self.memos[guard as usize]);
        if memo.asked == self.trial && memo.met < self.trial / 4 {
            return None;
        }
        memo.asked = (memo.asked + 1).min(self.trial);
        if memo.outcomes.is_empty() {
            let fitting = (self.share / plan.cells).clamp(1, self.most_places);
            let places = 1 << fitting.ilog2();
            memo.outcomes = vec![FREE; places];
            memo.keys = vec![0; places * plan.cells];
        }
        let mut hash = [0; 2];
        for cells in plan.of(memory) {
            mix(&mut hash, cells);
        }
        let hash = hash[0] ^ hash[1].rotate_left(32);
        self.place = (hash.wrapping_mul(FACTOR) >> 40) as usize & (memo.outcomes.len() - 1);
        let mut known = &memo.keys[self.place * plan.cells..][..plan.cells];
        let same = |cells: &[i32]| {
            let (first, rest) = known.split_at(cells.len());
            known = rest;
            first == cells
        };
        if memo.outcomes[self.place] == FREE || !plan.of(memory).all(same) {
            return None;
        }
        if memo.asked < self.trial {
            memo.met += 1;
        }
        Some(memo.outcomes[self.place] == 1)
    }

    /// Remembers the outcome of the guard that was looked up last, in the same memory: guards with effects have no plan.
    #[inline]
    pub fn remember(&mut self, plans: &[Plan], guard: u32, memory: &[i32], outcome: bool) {
        let (plan, memo) = (&plans[guard as usize], &mut self.memos[guard as usize]);
        if memo.outcomes.is_empty() || (memo.asked == self.trial && memo.met < self.trial / 4) {
            return;
        }
        let mut key = &mut memo.keys[self.place * plan.cells..][..plan.cells];
        for cells in plan.of(memory) {
            let (first, rest) = key.split_at_mut(cells.len());
            first.copy_from_slice(cells);
            key = rest;
        }
        memo.outcomes[self.place] = u8::from(outcome);
    }
}

const FACTOR: u64 = 0x517c_c1b7_2722_0a95;

/// Adds cells to a hash of two lanes, four at a time: one lane would wait for each multiplication.
#[inline]
fn mix(hash: &mut [u64; 2], cells: &[i32]) {
    let pair = |low: i32, high: i32| u64::from(low as u32) | u64::from(high as u32) << 32;
    let mut add = |lane: usize, value: u64| {
        hash[lane] = (hash[lane].rotate_left(5) ^ value).wrapping_mul(FACTOR);
    };
    let (fours, rest) = cells.as_chunks::<4>();
    for four in fours {
        add(0, pair(four[0], four[1]));
        add(1, pair(four[2], four[3]));
    }
    for cell in rest {
        add(0, pair(*cell, 0));
    }
}
