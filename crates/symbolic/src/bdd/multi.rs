//! Multi-terminal diagrams: functions from valuations to small numbers.

use super::store::{Edge, FALSE, Store, TRUE};
use super::{Bdd, Diagrams};
use crate::limits::Stop;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A node is a number below [`TERMINAL`]; a terminal is its value plus [`TERMINAL`].
type Link = u32;

const TERMINAL: Link = 1 << 31;

/// A function from valuations to numbers, by nodes of its own.
pub struct MultiTerminal {
    nodes: Vec<(u32, Link, Link)>,
    root: Link,
}

impl MultiTerminal {
    /// The number of inner nodes.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    fn level(&self, link: Link) -> u32 {
        if link >= TERMINAL {
            u32::MAX
        } else {
            self.nodes[link as usize].0
        }
    }

    fn split(&self, link: Link, level: u32) -> (Link, Link) {
        if self.level(link) == level {
            let (_, low, high) = self.nodes[link as usize];
            (low, high)
        } else {
            (link, link)
        }
    }
}

/// The parts of a set by the number of their states.
type Parts = Rc<Vec<(u32, Edge)>>;

impl Diagrams {
    /// The function that has the value of the first set a valuation is in, or `otherwise`.
    /// The order of the variables stays as it is from now on: this function's nodes depend on it.
    pub fn multi_terminal(&self, sets: &[(Bdd, u32)], otherwise: u32) -> MultiTerminal {
        self.store.borrow_mut().order.freeze();
        let store = self.store.borrow();
        let mut unique = FxHashMap::default();
        let mut result = MultiTerminal {
            nodes: Vec::new(),
            root: TERMINAL + otherwise,
        };
        for (set, value) in sets.iter().rev() {
            let mut known = FxHashMap::default();
            let mut builder = Builder {
                store: &store,
                result: &mut result,
                unique: &mut unique,
                known: &mut known,
                value: TERMINAL + value,
            };
            let root = builder.result.root;
            let root = builder.choose(set.edge, root);
            result.root = root;
        }
        result.prune();
        result
    }

    /// The parts of a set by the value of the function, in ascending order of values.
    pub fn partition(&self, set: &Bdd, function: &MultiTerminal) -> Result<Vec<(u32, Bdd)>, Stop> {
        let parts = {
            let mut store = self.store.borrow_mut();
            store.collect_if_full();
            let attempt =
                store.partition(set.edge, function, function.root, &mut FxHashMap::default());
            match attempt {
                Err(Stop::Memory) => {
                    store.collect();
                    store.partition(set.edge, function, function.root, &mut FxHashMap::default())?
                }
                other => other?,
            }
        };
        Ok(parts
            .iter()
            .map(|&(value, edge)| (value, self.handle(edge)))
            .collect())
    }
}

impl MultiTerminal {
    /// Drops nodes that only earlier stages of the construction used.
    fn prune(&mut self) {
        let mut order: Vec<Link> = Vec::new();
        let mut seen = FxHashMap::default();
        let mut stack = vec![self.root];
        while let Some(link) = stack.pop() {
            if link < TERMINAL && seen.insert(link, 0).is_none() {
                order.push(link);
                let (_, low, high) = self.nodes[link as usize];
                stack.extend([low, high]);
            }
        }
        order.sort_unstable(); // children were made before their parents
        for (position, link) in order.iter().enumerate() {
            seen.insert(*link, position as Link);
        }
        let renumber = |link: Link| if link < TERMINAL { seen[&link] } else { link };
        self.nodes = order
            .iter()
            .map(|&link| {
                let (level, low, high) = self.nodes[link as usize];
                (level, renumber(low), renumber(high))
            })
            .collect();
        self.root = renumber(self.root);
    }
}

struct Builder<'a> {
    store: &'a Store,
    result: &'a mut MultiTerminal,
    unique: &'a mut FxHashMap<(u32, Link, Link), Link>,
    known: &'a mut FxHashMap<(Edge, Link), Link>,
    value: Link,
}

impl Builder<'_> {
    /// `value` where the set is true, else the function.
    fn choose(&mut self, set: Edge, function: Link) -> Link {
        if set == TRUE {
            return self.value;
        }
        if set == FALSE || function == self.value {
            return function;
        }
        if let Some(&link) = self.known.get(&(set, function)) {
            return link;
        }
        let level = self.store.level(set).min(self.result.level(function));
        let (set0, set1) = self.store.split(set, level);
        let (function0, function1) = self.result.split(function, level);
        let low = self.choose(set0, function0);
        let high = self.choose(set1, function1);
        let link = if low == high {
            low
        } else {
            let nodes = &mut self.result.nodes;
            *self.unique.entry((level, low, high)).or_insert_with(|| {
                nodes.push((level, low, high));
                (nodes.len() - 1) as Link
            })
        };
        self.known.insert((set, function), link);
        link
    }
}

impl Store {
    fn partition(
        &mut self,
        set: Edge,
        function: &MultiTerminal,
        link: Link,
        known: &mut FxHashMap<(Edge, Link), Parts>,
    ) -> Result<Parts, Stop> {
        if set == FALSE {
            return Ok(Rc::new(Vec::new()));
        }
        if link >= TERMINAL {
            return Ok(Rc::new(vec![(link - TERMINAL, set)]));
        }
        if let Some(parts) = known.get(&(set, link)) {
            return Ok(parts.clone());
        }
        self.tick()?;
        let level = self.level(set).min(function.level(link));
        let (set0, set1) = self.split(set, level);
        let (link0, link1) = function.split(link, level);
        let low = self.partition(set0, function, link0, known)?;
        let high = self.partition(set1, function, link1, known)?;
        let mut merged = Vec::with_capacity(low.len().max(high.len()));
        let (mut i, mut j) = (0, 0);
        while i < low.len() || j < high.len() {
            let left = low.get(i).map_or(u32::MAX, |part| part.0);
            let right = high.get(j).map_or(u32::MAX, |part| part.0);
            let value = left.min(right);
            let take = |side: &Parts, position: &mut usize, its: u32| {
                if its != value {
                    return FALSE;
                }
                *position += 1;
                side[*position - 1].1
            };
            let (below, above) = (take(&low, &mut i, left), take(&high, &mut j, right));
            merged.push((value, self.make(level, below, above)?));
        }
        let parts = Rc::new(merged);
        known.insert((set, link), parts.clone());
        Ok(parts)
    }
}
