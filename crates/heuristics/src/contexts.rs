//! Interference contexts.
//!
//! Wehrle, Kupferschmid: Context-enhanced directed model checking (SPIN 2010). Two transitions interfere if one changes
//! what the other reads or changes, or if they are of the same process. The context of a transition holds, level by
//! level, what interferes with it, what interferes with that, and so on. A state is preferred if the transition to it
//! is in the context of the transition before: what was begun is gone on with. States of further levels wait behind all
//! those of nearer ones, in queues of their own, so that the search stays complete.

use std::collections::HashMap;

use merkhet_explore::{Estimate, Estimates, Guides, Heuristic, HeuristicFacts, Preference, Ranks};
use merkhet_network::footprint::{Footprint, Footprints};
use merkhet_network::{EdgeId, Network, Region};
use merkhet_semantics::{EdgeIndex, State, Successor, System};

/// More than any estimate: the distance from one queue to the next.
const BEHIND: u32 = 1 << 24;

/// The most levels that can be told apart.
pub const MOST_LEVELS: u32 = 127;

/// A heuristic that puts off transitions with little to do with the one before.
pub struct ByContext {
    inner: Box<dyn Heuristic>,
    contexts: Contexts,
    /// The edges that led to the state that is being expanded.
    before: Vec<EdgeIndex>,
}

impl ByContext {
    /// Puts contexts of a number of levels around a heuristic.
    pub fn new(
        network: &Network,
        system: &System,
        inner: Box<dyn Heuristic>,
        levels: u32,
    ) -> ByContext {
        ByContext {
            inner,
            contexts: Contexts::new(network, system, levels),
            before: Vec::new(),
        }
    }
}

impl Estimates for ByContext {
    fn facts(&self) -> HeuristicFacts {
        self.inner.facts()
    }

    fn estimate(&mut self, state: State<'_>) -> Estimate {
        self.inner.estimate(state)
    }

    fn size(&self) -> usize {
        self.inner.size()
    }
}

impl Guides for ByContext {
    fn prepare(&mut self, state: State<'_>) {
        self.inner.prepare(state);
    }

    fn preference(&self, edges: &[EdgeIndex]) -> Preference {
        self.inner.preference(edges)
    }

    fn preparation(&self) -> usize {
        self.inner.preparation()
    }
}

impl Ranks for ByContext {
    fn expanding(&mut self, _state: State<'_>, reached_by: &dyn Fn() -> Vec<EdgeIndex>) {
        self.before = reached_by();
    }

    fn penalty(&mut self, successor: &Successor<'_>, _estimate: u32) -> u32 {
        let level = self.contexts.level(&self.before, successor.edges);
        // The transition itself and what interferes with it are one level.
        level.saturating_sub(1) * BEHIND
    }
}

/// How far transitions are from each other, edge by edge.
struct Contexts {
    /// What each edge touches: the number of a thing, and whether it is changed.
    touched: Vec<Vec<(u32, bool)>>,
    /// For each thing: the edges that touch it, and whether they change it.
    touching: Vec<Vec<(u32, bool)>>,
    /// The level of whatever is further away than the levels that are told apart.
    last: u32,
    /// The levels of all edges from one, made when it is first needed.
    rows: HashMap<u32, Box<[u8]>>,
}

impl Contexts {
    fn new(network: &Network, system: &System, levels: u32) -> Contexts {
        let processes = network.processes.len() as u32;
        let cells = network.state_cells.len() as u32;
        let things = (processes + cells) as usize + network.clocks.len() + 1;
        let mut contexts = Contexts {
            touched: vec![Vec::new(); system.edge_count()],
            touching: vec![Vec::new(); things],
            last: levels + 1,
            rows: HashMap::new(),
        };
        let mut prints = Footprints::new(network);
        for process in network.process_ids() {
            for (index, edge) in network.process(process).edges.iter().enumerate() {
                let mut read = Footprint::default();
                if let Some(data) = &edge.guard.data {
                    read.extend(&prints.expr(data));
                }
                for constraint in &edge.guard.clocks {
                    read.extend(&prints.expr(&constraint.bound));
                    read.clocks_read.extend(&constraint.left);
                    read.clocks_read.extend(&constraint.right);
                }
                let update = prints.stmts(&edge.update);
                let mut touched = vec![(process.0, true)];
                let mut cells_of = |cells: &merkhet_network::footprint::CellSet, changed| {
                    for cell in cells.iter() {
                        match cell.region {
                            Region::State => touched.push((processes + cell.offset, changed)),
                            // All of them are one thing, the last.
                            Region::Meta => touched.push((things as u32 - 1, changed)),
                            Region::Constant | Region::Local => {}
                        }
                    }
                };
                cells_of(&read.reads, false);
                cells_of(&update.reads, false);
                cells_of(&update.writes, true);
                let clock = |clock: &merkhet_network::ClockId| processes + cells + clock.0;
                touched.extend(read.clocks_read.iter().map(|x| (clock(x), false)));
                touched.extend(update.clocks_read.iter().map(|x| (clock(x), false)));
                touched.extend(update.clocks_set.iter().map(|x| (clock(x), true)));
                let others = read.locations.iter().chain(&update.locations);
                touched.extend(others.map(|other| (other.0, false)));
                // Where something is both read and changed, the change counts.
                touched.sort_unstable_by_key(|(thing, changed)| (*thing, !changed));
                touched.dedup_by_key(|(thing, _)| *thing);
                let number = system.edge_index(process, EdgeId::from(index)).0;
                for (thing, changed) in &touched {
                    contexts.touching[*thing as usize].push((number, *changed));
                }
                contexts.touched[number as usize] = touched;
            }
        }
        contexts
    }

    /// The level of a transition in the context of another: the nearest of their edges count. At the start everything is
    /// in the context.
    fn level(&mut self, before: &[EdgeIndex], edges: &[EdgeIndex]) -> u32 {
        let mut nearest = self.last;
        if before.is_empty() {
            return 0;
        }
        for edge in before {
            let row = self.row(edge.0);
            let near = edges.iter().map(|other| u32::from(row[other.0 as usize]));
            nearest = near.fold(nearest, u32::min);
        }
        nearest
    }

    fn row(&mut self, edge: u32) -> &[u8] {
        if !self.rows.contains_key(&edge) {
            let row = self.levels_from(edge);
            self.rows.insert(edge, row);
        }
        &self.rows[&edge]
    }

    /// Breadth first: what interferes with the edge, with that, and so on, up to the last level that is told apart.
    fn levels_from(&self, edge: u32) -> Box<[u8]> {
        let last = self.last as u8;
        let mut row = vec![last; self.touched.len()];
        // Whether all edges that touch a thing were visited, and whether those that change it were.
        let mut seen = vec![(false, false); self.touching.len()];
        row[edge as usize] = 0;
        let mut front = vec![edge];
        for level in 1..last {
            let mut next = Vec::new();
            for edge in front {
                for (thing, changed) in &self.touched[edge as usize] {
                    let (all, changing) = &mut seen[*thing as usize];
                    // Two that only read do not interfere.
                    if *all || (*changing && !*changed) {
                        continue;
                    }
                    *changing = true;
                    *all = *changed;
                    for (other, changes) in &self.touching[*thing as usize] {
                        if (*changed || *changes) && row[*other as usize] == last {
                            row[*other as usize] = level;
                            next.push(*other);
                        }
                    }
                }
            }
            front = next;
        }
        row.into_boxed_slice()
    }
}
