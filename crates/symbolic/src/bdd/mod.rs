//! Binary decision diagrams with complement edges: one sequential store with limits, garbage
//! collection and statistics.
//!
//! We keep our own kernel because three things that this crate needs are not to be had from the
//! library that we tried first (OxiDD 0.13): an operation can be stopped while it runs (a single
//! image can take minutes), images of local relations run in one pass without renaming, and
//! saturation works on nodes.

mod cache;
mod cube;
mod export;
mod multi;
mod operations;
mod relational;
mod reorder;
mod saturate;
mod store;
#[cfg(test)]
mod tests;

pub use multi::MultiTerminal;
pub use reorder::Reordering;

use crate::limits::{Budget, Limits, Stop};
use saturate::Groups;
use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use store::{Edge, FALSE, Store, TRUE};

/// A variable of the diagrams; at first they stand in the diagrams in the order of their numbers.
pub type Bit = u32;

/// A Boolean function. Equal functions of one store are equal handles.
pub struct Bdd {
    edge: Edge,
    references: Rc<References>,
}

/// How many handles refer to each node.
struct References(RefCell<Vec<u32>>);

impl References {
    fn add(&self, edge: Edge) {
        let mut counts = self.0.borrow_mut();
        let index = (edge >> 1) as usize;
        if index >= counts.len() {
            counts.resize((index + 1).next_power_of_two(), 0);
        }
        counts[index] += 1;
    }
}

impl Clone for Bdd {
    fn clone(&self) -> Bdd {
        self.references.add(self.edge);
        Bdd {
            edge: self.edge,
            references: self.references.clone(),
        }
    }
}

impl Drop for Bdd {
    fn drop(&mut self) {
        self.references.0.borrow_mut()[(self.edge >> 1) as usize] -= 1;
    }
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Bdd) -> bool {
        self.edge == other.edge
    }
}

impl Eq for Bdd {}

impl Hash for Bdd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.edge.hash(state);
    }
}

/// A renaming of variables.
pub struct Renaming {
    map: Option<Vec<Bit>>,
    /// The map by levels, and the number of reorderings for which it holds.
    levels: RefCell<(u32, Vec<u32>)>,
    identity: u32,
    shift: bool,
}

/// Figures about the diagrams of one check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiagramStatistics {
    /// Variables of the diagrams: bits of the state now, after the transition, and of inputs.
    pub bits: u32,
    /// Most nodes that were in use (or not yet collected) at one time.
    pub peak_nodes: usize,
    /// All nodes that were ever allocated.
    pub total_nodes: u64,
    /// Garbage collections.
    pub collections: u32,
    /// Nodes in use (or not yet collected) now.
    pub nodes: usize,
    /// Results that the cache of operations can hold.
    pub cache_entries: usize,
    /// How often a result was looked for in the cache.
    pub cache_lookups: u64,
    /// How often it was found there.
    pub cache_hits: u64,
    /// How often a better order of variables was looked for.
    pub reorderings: u32,
}

/// The store of all diagrams of one check.
pub struct Diagrams {
    store: RefCell<Store>,
    references: Rc<References>,
    bits: u32,
    identities: Cell<u32>,
}

/// Local relations, ready for saturation.
pub struct Relations {
    /// Relation and changed variables, as for [`Diagrams::image`].
    parts: Vec<(Bdd, Bdd)>,
    /// Names them in the cache.
    identity: u32,
}

impl Diagrams {
    /// A store for functions of `paired.len()` variables; a paired variable and the one after it
    /// are the values of one bit of the state before and after a step.
    pub fn new(paired: Vec<bool>, limits: &Limits) -> Diagrams {
        let references = Rc::new(References(RefCell::new(vec![0; 1])));
        let bits = paired.len() as u32;
        let store = Store::new(paired, limits, references.clone());
        Diagrams {
            store: RefCell::new(store),
            references,
            bits,
            identities: Cell::new(0),
        }
    }

    /// The number of variables.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// An error if the check is to end now.
    pub fn check_limits(&self) -> Result<(), Stop> {
        self.store.borrow().check_limits()
    }

    /// Sets the moment at which all operations stop.
    pub fn set_deadline(&self, deadline: Option<Instant>) {
        self.store.borrow_mut().set_deadline(deadline);
    }

    /// The moment at which all operations stop.
    pub fn deadline(&self) -> Option<Instant> {
        self.store.borrow().limits.deadline
    }

    /// Tells whoever watches how many steps a search has come.
    pub fn report_depth(&self, depth: usize) {
        let store = self.store.borrow();
        store
            .limits
            .progress
            .depth
            .store(depth as u64, Ordering::Relaxed);
    }

    fn handle(&self, edge: Edge) -> Bdd {
        self.references.add(edge);
        Bdd {
            edge,
            references: self.references.clone(),
        }
    }

    /// The function that is always true or always false.
    pub fn constant(&self, value: bool) -> Bdd {
        self.handle(if value { TRUE } else { FALSE })
    }

    /// Whether a function is never true.
    pub fn is_false(&self, a: &Bdd) -> bool {
        a.edge == FALSE
    }

    /// Whether a function is always true.
    pub fn is_true(&self, a: &Bdd) -> bool {
        a.edge == TRUE
    }

    /// The function that is true where the variable is.
    pub fn literal(&self, bit: Bit) -> Result<Bdd, Stop> {
        self.run(|store| store.make(store.order.level_of(bit), FALSE, TRUE))
    }

    /// The figures so far.
    pub fn statistics(&self) -> DiagramStatistics {
        let store = self.store.borrow();
        DiagramStatistics {
            bits: self.bits,
            peak_nodes: store.peak.max(store.live()),
            total_nodes: store.allocated,
            collections: store.collections,
            nodes: store.live(),
            cache_entries: store.cache.capacity(),
            cache_lookups: store.cache.lookups,
            cache_hits: store.cache.hits,
            reorderings: store.order.reorderings,
        }
    }

    /// The memory of the nodes and of the cache, in bytes.
    pub fn bytes(&self) -> usize {
        self.store.borrow().bytes()
    }

    /// Frees all nodes that no function uses any more.
    pub fn collect(&self) {
        self.store.borrow_mut().collect();
    }

    /// Says when a better order of the variables is looked for from now on.
    pub fn reorder_when(&self, when: Reordering) {
        self.store.borrow_mut().order.watch(when);
    }

    /// Looks for a better order of the variables now.
    pub fn reorder(&self) {
        self.store.borrow_mut().reorder();
    }

    /// All variables, from the top of the diagrams down.
    pub fn order(&self) -> Vec<Bit> {
        self.store.borrow().order.bits().to_vec()
    }

    /// Runs an operation. If it makes many nodes, they are put into a better order (where that is
    /// asked for), and if the store is full, it is swept; then the operation starts again.
    fn run(&self, operation: impl Fn(&mut Store) -> Result<Edge, Stop>) -> Result<Bdd, Stop> {
        let mut store = self.store.borrow_mut();
        store.work += 1;
        store.check_limits()?;
        store.collect_if_full();
        store.reorder_if_due();
        let nodes = store.live();
        store.cache.adapt(nodes);
        let mut swept = false;
        let result = loop {
            let result = operation(&mut store);
            if result == Err(Stop::Memory) && store.order.is_due() {
                store.reorder(); // with what the operation had in hand, as long as it is protected
                store.protected.clear();
                continue;
            }
            store.protected.clear();
            if result != Err(Stop::Memory) || swept {
                break result;
            }
            store.collect();
            if store.is_crowded() {
                break result;
            }
            swept = true;
        };
        drop(store);
        result.map(|edge| self.handle(edge))
    }

    /// The work that was done so far: the same on every machine.
    pub fn work(&self) -> u64 {
        self.store.borrow().work
    }

    /// Whether there is nothing left of a budget.
    pub fn is_over(&self, budget: Budget) -> bool {
        match budget {
            Budget::Until(end) => Instant::now() >= end,
            Budget::Work(end) => self.work() >= end,
        }
    }

    /// Half of what is left of a budget.
    pub fn half(&self, budget: Budget) -> Budget {
        match budget {
            Budget::Until(end) => {
                let now = Instant::now();
                Budget::Until(now + end.saturating_duration_since(now) / 2)
            }
            Budget::Work(end) => {
                let done = self.work();
                Budget::Work(done + end.saturating_sub(done) / 2)
            }
        }
    }

    /// Runs some work within a limit of time; `None` if that was not enough.
    pub fn within<T>(
        &self,
        budget: Duration,
        work: impl FnOnce() -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        self.allowed(Budget::Until(Instant::now() + budget), work)
    }

    /// Runs some work as far as that is allowed; `None` if it was not enough. The limits around it hold as well.
    pub fn allowed<T>(
        &self,
        budget: Budget,
        work: impl FnOnce() -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        let (deadline, work_end) = {
            let mut store = self.store.borrow_mut();
            let outside = (store.limits.deadline, store.work_end);
            match budget {
                Budget::Until(end) => {
                    store.set_deadline(Some(outside.0.map_or(end, |known| known.min(end))));
                }
                Budget::Work(end) => store.work_end = end.min(outside.1),
            }
            outside
        };
        let result = work();
        let mut store = self.store.borrow_mut();
        store.set_deadline(deadline);
        store.work_end = work_end;
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Deadline | Stop::Budget) => store.check_limits().map(|()| None),
            Err(stop) => Err(stop),
        }
    }

    /// Negation.
    pub fn not(&self, a: &Bdd) -> Bdd {
        self.handle(a.edge ^ 1)
    }

    /// Conjunction.
    pub fn and(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.run(|store| store.and(a.edge, b.edge))
    }

    /// Disjunction.
    pub fn or(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.run(|store| store.or(a.edge, b.edge))
    }

    /// `a` and not `b`.
    pub fn minus(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.run(|store| store.and(a.edge, b.edge ^ 1))
    }

    /// Exclusive or.
    pub fn xor(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.run(|store| store.xor(a.edge, b.edge))
    }

    /// Equivalence.
    pub fn iff(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.run(|store| store.xor(a.edge, b.edge ^ 1))
    }

    /// `if condition then a else b`.
    pub fn ite(&self, condition: &Bdd, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.run(|store| store.ite(condition.edge, a.edge, b.edge))
    }

    /// Whether two functions are never true together.
    pub fn disjoint(&self, a: &Bdd, b: &Bdd) -> Result<bool, Stop> {
        Ok(self.is_false(&self.and(a, b)?))
    }

    /// Conjunction of all, balanced.
    pub fn and_all(&self, parts: impl IntoIterator<Item = Bdd>) -> Result<Bdd, Stop> {
        self.balanced(
            parts.into_iter().collect(),
            self.constant(true),
            Diagrams::and,
        )
    }

    /// Disjunction of all, balanced.
    pub fn or_all(&self, parts: impl IntoIterator<Item = Bdd>) -> Result<Bdd, Stop> {
        self.balanced(
            parts.into_iter().collect(),
            self.constant(false),
            Diagrams::or,
        )
    }

    fn balanced(
        &self,
        mut parts: Vec<Bdd>,
        empty: Bdd,
        operation: fn(&Diagrams, &Bdd, &Bdd) -> Result<Bdd, Stop>,
    ) -> Result<Bdd, Stop> {
        while parts.len() > 1 {
            let mut halved = Vec::with_capacity(parts.len().div_ceil(2));
            for pair in parts.chunks(2) {
                halved.push(match pair {
                    [a, b] => operation(self, a, b)?,
                    _ => pair[0].clone(),
                });
            }
            parts = halved;
        }
        Ok(parts.pop().unwrap_or(empty))
    }

    /// Some value of the variables of the cube makes `a` true.
    pub fn exists(&self, a: &Bdd, cube: &Bdd) -> Result<Bdd, Stop> {
        self.run(|store| store.exists(a.edge, cube.edge))
    }

    /// Some value of the variables of the cube makes both true: the relational product.
    pub fn and_exists(&self, a: &Bdd, b: &Bdd, cube: &Bdd) -> Result<Bdd, Stop> {
        self.run(|store| store.and_exists(a.edge, b.edge, cube.edge))
    }

    /// `a` with the variables of the conjunction of literals fixed.
    pub fn restrict(&self, a: &Bdd, literals: &Bdd) -> Result<Bdd, Stop> {
        self.run(|store| store.restrict(a.edge, literals.edge))
    }

    /// A hopefully smaller function that agrees with `a` wherever `care` is true.
    pub fn simplify(&self, a: &Bdd, care: &Bdd) -> Result<Bdd, Stop> {
        if self.is_false(care) {
            return Ok(self.constant(false));
        }
        self.run(|store| store.simplify(a.edge, care.edge))
    }

    /// The states after a step of a relation over the variables of the cube `changed` (their
    /// values now, and inputs); all others keep their values.
    pub fn image(&self, set: &Bdd, relation: &Bdd, changed: &Bdd) -> Result<Bdd, Stop> {
        self.run(|store| store.image(set.edge, relation.edge, changed.edge))
    }

    /// The states before a step into the set; parameters as for [`Diagrams::image`].
    pub fn preimage(&self, set: &Bdd, relation: &Bdd, changed: &Bdd) -> Result<Bdd, Stop> {
        self.run(|store| store.preimage(set.edge, relation.edge, changed.edge))
    }

    /// Prepares local relations (relation and changed variables, as for [`Diagrams::image`]) for
    /// [`Diagrams::saturate`]. `None` if there are too many of them.
    pub fn relations(&self, parts: &[(Bdd, Bdd)]) -> Option<Relations> {
        let identity = self.identities.get();
        if self.bits >= 1 << 16 || identity >= 1 << 14 {
            return None; // the cache could not tell them apart
        }
        self.identities.set(identity + 1);
        Some(Relations {
            parts: parts.to_vec(),
            identity,
        })
    }

    /// All states that any number of steps of the relations leads to from the set.
    pub fn saturate(&self, set: &Bdd, relations: &Relations) -> Result<Bdd, Stop> {
        self.run(|store| {
            let edges = relations.parts.iter().map(|(a, b)| (a.edge, b.edge));
            let groups = Groups::new(store, edges, relations.identity);
            store.saturate(set.edge, &groups, 0)
        })
    }

    /// Prepares a renaming of `from[i]` to `to[i]`. With `shift`, the functions that are renamed
    /// must not mention both a variable and its new name, and the order must stay the same.
    pub fn renaming(&self, from: &[Bit], to: &[Bit], shift: bool) -> Renaming {
        let identity = self.identities.get();
        self.identities.set(identity + 1);
        if from.is_empty() {
            return Renaming {
                map: None,
                levels: RefCell::default(),
                identity,
                shift,
            };
        }
        let mut map: Vec<Bit> = (0..self.bits).collect();
        for (&from, &to) in from.iter().zip(to) {
            map[from as usize] = to;
        }
        Renaming {
            levels: RefCell::new((u32::MAX, Vec::new())),
            map: Some(map),
            identity,
            shift,
        }
    }

    /// `a` with its variables renamed.
    pub fn rename(&self, a: &Bdd, renaming: &Renaming) -> Result<Bdd, Stop> {
        match &renaming.map {
            Some(map) => self.run(|store| {
                let mut levels = renaming.levels.borrow_mut();
                if levels.0 != store.order.reorderings {
                    *levels = (store.order.reorderings, store.order.by_level(map));
                }
                store.rename(a.edge, &levels.1, renaming.identity, renaming.shift)
            }),
            None => Ok(a.clone()),
        }
    }
}
