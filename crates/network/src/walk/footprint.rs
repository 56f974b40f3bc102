//! What expressions and statements touch, through functions too: cells read and written, clocks set.

use std::collections::BTreeMap;

use crate::bounds::Bounds;
use crate::expression::{ClockPlace, Expr, Place, Stmt};
use crate::ids::{ClockId, FunctionId, ProcessId};
use crate::interval::Interval;
use crate::memory::{Address, Region};
use crate::network::Network;
use crate::visit::{Visitor, walk_expr, walk_indices, walk_stmt, walk_stmts};

/// A set of cells, kept as disjoint ranges.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CellSet {
    /// First cell of each range to the offset after its last.
    ranges: BTreeMap<Address, u32>,
}

impl CellSet {
    /// Adds `count` consecutive cells.
    pub fn insert(&mut self, first: Address, count: u32) {
        let mut start = first;
        let mut end = first.offset.saturating_add(count);
        if count == 0 {
            return;
        }
        while let Some((&other, &other_end)) = self
            .ranges
            .range(..=first_of(start.region, end))
            .next_back()
        {
            if other.region != start.region || other_end < start.offset {
                break;
            }
            self.ranges.remove(&other);
            start.offset = start.offset.min(other.offset);
            end = end.max(other_end);
        }
        self.ranges.insert(start, end);
    }

    /// Whether the cell is in it.
    pub fn contains(&self, cell: Address) -> bool {
        self.ranges
            .range(..=cell)
            .next_back()
            .is_some_and(|(start, &end)| start.region == cell.region && cell.offset < end)
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Adds all cells of another set.
    pub fn extend(&mut self, other: &CellSet) {
        for (&start, &end) in &other.ranges {
            self.insert(start, end - start.offset);
        }
    }

    /// Whether the sets share a cell.
    pub fn intersects(&self, other: &CellSet) -> bool {
        other.iter().any(|cell| self.contains(cell))
    }

    /// The cells, by region and offset.
    pub fn iter(&self) -> impl Iterator<Item = Address> + '_ {
        self.ranges.iter().flat_map(|(start, &end)| {
            (start.offset..end).map(|offset| Address {
                region: start.region,
                offset,
            })
        })
    }
}

fn first_of(region: Region, offset: u32) -> Address {
    Address { region, offset }
}

/// What a piece of code may touch. Array accesses count with every cell that their indices may mean.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Footprint {
    /// Cells that may be read.
    pub reads: CellSet,
    /// Cells that may be written: assigned variables, parameters and results of called functions, loop variables.
    pub writes: CellSet,
    /// Clocks that may be set, ascending.
    pub clocks_set: Vec<ClockId>,
    /// Clocks whose values are read (by [`Stmt::CopyClock`]), ascending.
    pub clocks_read: Vec<ClockId>,
    /// Processes whose location is read, ascending.
    pub locations: Vec<ProcessId>,
    /// Functions that may be called, directly or not, ascending.
    pub functions: Vec<FunctionId>,
}

impl Footprint {
    /// Whether running it can be seen from outside: it writes a state or meta cell or sets a clock.
    pub fn has_effects(&self) -> bool {
        !self.clocks_set.is_empty()
            || self
                .writes
                .ranges
                .keys()
                .any(|start| start.region != Region::Local)
    }

    /// Adds all that another one touches.
    pub fn extend(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        merge(&mut self.clocks_set, &other.clocks_set);
        merge(&mut self.clocks_read, &other.clocks_read);
        merge(&mut self.locations, &other.locations);
        merge(&mut self.functions, &other.functions);
    }
}

fn merge<T: Ord + Copy>(into: &mut Vec<T>, from: &[T]) {
    into.extend_from_slice(from);
    into.sort_unstable();
    into.dedup();
}

/// Computes footprints; remembers those of functions.
#[derive(Clone, Debug)]
pub struct Footprints<'n> {
    network: &'n Network,
    functions: Vec<Known>,
}

#[derive(Clone, Debug)]
enum Known {
    Nothing,
    /// A recursive function would find itself here; networks have none, and it then counts once.
    InProgress,
    Done(Box<Footprint>),
}

impl<'n> Footprints<'n> {
    /// For the functions of a network.
    pub fn new(network: &'n Network) -> Self {
        Footprints {
            network,
            functions: vec![Known::Nothing; network.functions.len()],
        }
    }

    /// What evaluating an expression touches.
    pub fn expr(&mut self, expr: &Expr) -> Footprint {
        self.collect(|walker| walker.expr(expr))
    }

    /// What running statements touches.
    pub fn stmts(&mut self, statements: &[Stmt]) -> Footprint {
        self.collect(|walker| walk_stmts(walker, statements))
    }

    /// What calling a function touches, its parameters and its result included.
    pub fn function(&mut self, id: FunctionId) -> Footprint {
        match self.functions.get(id.index()) {
            None | Some(Known::InProgress) => return Footprint::default(),
            Some(Known::Done(footprint)) => return (**footprint).clone(),
            Some(Known::Nothing) => {}
        }
        self.functions[id.index()] = Known::InProgress;
        let function = &self.network.functions[id.index()];
        let mut footprint = self.stmts(&function.body);
        for (first, count) in function.parameters.iter().chain(&function.result) {
            footprint.writes.insert(*first, *count);
        }
        merge(&mut footprint.functions, &[id]);
        self.functions[id.index()] = Known::Done(Box::new(footprint.clone()));
        footprint
    }

    fn collect(&mut self, walk: impl FnOnce(&mut Walker<'_, 'n>)) -> Footprint {
        let mut walker = Walker {
            bounds: Bounds::new(self.network),
            found: Footprint::default(),
            all: self,
        };
        walk(&mut walker);
        let mut found = walker.found;
        merge(&mut found.clocks_set, &[]);
        merge(&mut found.clocks_read, &[]);
        merge(&mut found.locations, &[]);
        found
    }
}

struct Walker<'a, 'n> {
    all: &'a mut Footprints<'n>,
    bounds: Bounds<'n>,
    found: Footprint,
}

impl Walker<'_, '_> {
    fn with_loop(&mut self, variable: Address, low: i32, high: i32, body: impl FnOnce(&mut Self)) {
        let before = self.bounds.clone();
        self.bounds
            .assume(variable, Interval::new(low.into(), high.into()));
        body(self);
        self.bounds = before;
    }
}

impl Visitor for Walker<'_, '_> {
    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::At(process, _) => self.found.locations.push(*process),
            Expr::Quantified {
                variable,
                low,
                high,
                ..
            } => self.with_loop(*variable, *low, *high, |walker| walk_expr(walker, expr)),
            _ => walk_expr(self, expr),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::CopyClock { source, .. } => {
                self.found.clocks_read.push(*source);
                walk_stmt(self, stmt);
            }
            Stmt::For {
                variable,
                low,
                high,
                ..
            } => self.with_loop(*variable, *low, *high, |walker| walk_stmt(walker, stmt)),
            _ => walk_stmt(self, stmt),
        }
    }

    fn read(&mut self, place: &Place, cells: u32) {
        walk_indices(self, &place.indices);
        touch(&mut self.bounds, place, cells, &mut self.found.reads);
    }

    fn write(&mut self, place: &Place, cells: u32) {
        walk_indices(self, &place.indices);
        touch(&mut self.bounds, place, cells, &mut self.found.writes);
    }

    fn reset(&mut self, clock: &ClockPlace) {
        walk_indices(self, &clock.indices);
        // Clocks have indices like cells: borrow the computation.
        let place = Place {
            base: first_of(Region::Local, clock.base.0),
            indices: clock.indices.clone(),
        };
        for (first, count) in self.bounds.ranges_of(&place, 1) {
            let clocks = first.offset..first.offset + count;
            self.found.clocks_set.extend(clocks.map(ClockId));
        }
    }

    fn call(&mut self, function: FunctionId) {
        let footprint = self.all.function(function);
        self.found.extend(&footprint);
    }
}

fn touch(bounds: &mut Bounds<'_>, place: &Place, cells: u32, into: &mut CellSet) {
    for (first, count) in bounds.ranges_of(place, cells) {
        into.insert(first, count);
    }
}
