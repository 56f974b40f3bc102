//! A search of several processes written down: a part for each, and taken up again by as many or another number of them.
//!
//! A part holds what [`crate::checkpoint`] says of a search with one thread, and by state the owner of its parent, since a parent
//! may lie in another part. As many processes take up what each has written. If their number is another, all read all parts:
//! who owns a state is worked out anew, for all states in the same order, so that everybody knows where each of them goes.

use std::io::{self, Read, Write};

use merkhet_semantics::{EdgeIndex, State, Successor, System};
use merkhet_zones::bound::Bound;
use merkhet_zones::zone::minimal;

use crate::checkpoint::{damaged, edges, get32, get64, put32, put64, read_zone};
use crate::key::Packer;
use crate::parallel::links::{GlobalId, Part};
use crate::parallel::owner::Owners;
use crate::search::Config;
use crate::search::frontier::Frontier;
use crate::statistics::Statistics;
use crate::store::StateId;

use super::ClusterFailure;

/// Keeps the parts of a search.
pub trait Keeper {
    /// Whether it is time to write the search down; asked in the first process.
    fn due(&mut self) -> bool;

    /// Keeps the part of this process, which `write` writes; returns what the first process has to know of it.
    fn keep(&mut self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> Vec<u8>;

    /// All parts are kept, of which this is known, by process: from now on they are what a search goes on from. In the first
    /// process.
    fn complete(&mut self, parts: &[Vec<u8>]);

    /// The parts that were kept, for a search that goes on; asked at the start, perhaps several times.
    fn resumed(&mut self) -> io::Result<Option<Vec<Box<dyn Read>>>>;
}

const NO_PARENT: u32 = u32::MAX;

/// Writes down what a process has.
pub(super) fn write(
    owners: &Owners,
    number: usize,
    part: &Part<'_, '_, '_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let frontier = part.frontier;
    let (store, system) = (&frontier.store, frontier.tester.system());
    put32(out, owners.count() as u32)?;
    put32(out, number as u32)?;
    let words = owners.words();
    put32(out, words.len() as u32)?;
    words.iter().try_for_each(|word| put64(out, *word))?;
    let n = system.dimension();
    let mut memory = vec![0; system.cells().len()];
    let mut zone: Vec<Bound> = vec![0; n * n];
    let mut packed = Vec::new();
    put32(out, store.len() as u32)?;
    for id in (0..store.len() as u32).map(StateId) {
        let live = !store.is_removed(id);
        put32(
            out,
            u32::from(live) << 16 | u32::from(part.origins[id.0 as usize]),
        )?;
        let (parent, edges) = match store.parent(id) {
            Some((parent, edges)) => (parent.0, edges),
            None => (NO_PARENT, Vec::new()),
        };
        put32(out, parent)?;
        put32(out, store.depth(id))?;
        put32(out, edges.len() as u32)?;
        edges.iter().try_for_each(|edge| put32(out, edge.0))?;
        if live {
            store.load(id, &mut memory, &mut zone);
            packed.clear();
            minimal::pack(&zone, n, &mut packed);
            (memory.iter()).try_for_each(|number| put32(out, *number as u32))?;
            put32(out, packed.len() as u32)?;
            (packed.iter()).try_for_each(|number| put32(out, *number as u32))?;
        }
    }
    let entries = frontier.open.entries();
    put32(out, entries.len() as u32)?;
    for ((first, second), state) in entries {
        put64(out, first)?;
        put32(out, second)?;
        put32(out, state.0)?;
    }
    put64(out, frontier.open.random())?;
    let counts = &frontier.statistics;
    for count in [
        counts.explored,
        counts.generated,
        counts.pruned,
        counts.peak_waiting,
    ] {
        put64(out, count)?;
    }
    put32(out, counts.max_depth)?;
    put64(out, counts.best_estimate.map_or(u64::MAX, u64::from))?;
    put32(out, u32::from(frontier.unsafe_pruning))
}

/// The beginning of a part.
struct Head {
    count: usize,
    words: Vec<u64>,
}

impl Head {
    fn read(input: &mut dyn Read, number: usize) -> io::Result<Head> {
        let count = get32(input)? as usize;
        if get32(input)? as usize != number {
            return Err(damaged("the parts are not in their order"));
        }
        let length = get32(input)?;
        let mut words = Vec::new();
        for _ in 0..length {
            words.push(get64(input)?);
        }
        Ok(Head { count, words })
    }
}

/// A state of a part.
struct Node<'a> {
    parent: Option<GlobalId>,
    depth: u32,
    edges: &'a [EdgeIndex],
    /// Its cells and zone, unless another one covers it.
    state: Option<State<'a>>,
}

/// Reads the states of a part behind its head; says how many there are.
fn read_nodes(
    system: &System,
    parts: usize,
    input: &mut dyn Read,
    take: &mut dyn FnMut(Node<'_>) -> io::Result<()>,
) -> io::Result<u32> {
    let n = system.dimension();
    let mut memory = vec![0; system.cells().len()];
    let mut zone: Vec<Bound> = vec![0; n * n];
    let nodes = get32(input)?;
    for _ in 0..nodes {
        let kind = get32(input)?;
        let (live, owner) = (kind >> 16, (kind & 0xffff) as u16);
        if live > 1 || usize::from(owner) >= parts {
            return Err(damaged("an unknown sort of node"));
        }
        let parent = get32(input)?;
        let parent = (parent != NO_PARENT).then_some(GlobalId {
            owner,
            id: StateId(parent),
        });
        let depth = get32(input)?;
        let edges = edges(system, input)?;
        if live == 1 {
            for (cell, range) in memory.iter_mut().zip(system.cells()) {
                *cell = get32(input)? as i32;
                if !(range.low..=range.high).contains(cell) {
                    return Err(damaged("a variable is outside its range"));
                }
            }
            read_zone(n, input, &mut zone)?;
        }
        take(Node {
            parent,
            depth,
            edges: &edges,
            state: (live == 1).then_some(State {
                memory: &memory,
                zone: &zone,
            }),
        })?;
    }
    Ok(nodes)
}

/// Reads the waiting states of a part and the random numbers.
fn read_open(
    input: &mut dyn Read,
    nodes: u32,
    take: &mut dyn FnMut(StateId, (u64, u32)),
) -> io::Result<u64> {
    for _ in 0..get32(input)? {
        let key = (get64(input)?, get32(input)?);
        let state = get32(input)?;
        if state >= nodes {
            return Err(damaged("a state waits that is not stored"));
        }
        take(StateId(state), key);
    }
    get64(input)
}

/// Reads the counts of a part; and whether pruning was unsafe.
fn read_counts(input: &mut dyn Read) -> io::Result<(Statistics, bool)> {
    let statistics = Statistics {
        explored: get64(input)?,
        generated: get64(input)?,
        pruned: get64(input)?,
        peak_waiting: get64(input)?,
        max_depth: get32(input)?,
        best_estimate: u32::try_from(get64(input)?).ok(),
        ..Statistics::default()
    };
    Ok((statistics, get32(input)? != 0))
}

/// A search that was written down.
pub(super) struct Resumed {
    parts: Vec<Box<dyn Read>>,
    /// Once more, where all of them are read twice.
    again: Vec<Box<dyn Read>>,
    head: Head,
}

impl Resumed {
    /// What a keeper has, if it is to be taken up.
    pub fn of(count: usize, keeper: &mut dyn Keeper) -> Result<Option<Resumed>, ClusterFailure> {
        let Some(mut parts) = keeper.resumed().map_err(ClusterFailure::Unreadable)? else {
            return Ok(None);
        };
        let mut again = Vec::new();
        if parts.len() != count {
            again = keeper
                .resumed()
                .map_err(ClusterFailure::Unreadable)?
                .unwrap_or_default();
        }
        let head = (parts.first_mut())
            .ok_or_else(|| damaged("there are no parts"))
            .and_then(|first| Head::read(first.as_mut(), 0));
        let head = head.map_err(ClusterFailure::Unreadable)?;
        if head.count != parts.len() {
            let missing = damaged("parts are missing");
            return Err(ClusterFailure::Unreadable(missing));
        }
        Ok(Some(Resumed { parts, again, head }))
    }

    /// Who owns what from now on.
    pub fn owners(&self, system: &System, config: &Config<'_>, count: usize) -> Owners {
        let same = (self.head.count == count).then(|| Owners::of_words(count, &self.head.words));
        (same.flatten()).unwrap_or_else(|| Owners::new(system, config, count, None))
    }

    /// Fills an empty frontier with what this process owns; says who owns the parents.
    pub fn take_over(
        self,
        system: &System,
        owners: &Owners,
        frontier: &mut Frontier<'_, '_>,
        number: usize,
    ) -> Result<Vec<u16>, ClusterFailure> {
        let filled = match self.head.count == owners.count() {
            true => self.take_own(system, frontier, number),
            false => self.take_owned(system, owners, frontier, number),
        };
        filled.map_err(ClusterFailure::Unreadable)
    }

    /// As many processes as before: each its own part.
    fn take_own(
        mut self,
        system: &System,
        frontier: &mut Frontier<'_, '_>,
        number: usize,
    ) -> io::Result<Vec<u16>> {
        let input = self.parts[number].as_mut();
        if number > 0 {
            Head::read(input, number)?;
        }
        let mut origins = Vec::new();
        let store = &mut frontier.store;
        let mut room = Room::new(system);
        let nodes = read_nodes(system, self.head.count, input, &mut |node| {
            origins.push(node.parent.map_or(number as u16, |parent| parent.owner));
            let parent = node.parent.map(|parent| parent.id);
            let successor = room.successor(system, &node);
            store.restore(successor, node.edges, parent, node.depth);
            Ok(())
        })?;
        let open = &mut frontier.open;
        let random = read_open(input, nodes, &mut |state, key| open.push(state, key))?;
        frontier.open.restored(random);
        let (counts, pruned) = read_counts(input)?;
        frontier.statistics = counts;
        frontier.unsafe_pruning |= pruned;
        Ok(origins)
    }

    /// Another number of processes: first it is found out where each state goes.
    fn take_owned(
        mut self,
        system: &System,
        owners: &Owners,
        frontier: &mut Frontier<'_, '_>,
        number: usize,
    ) -> io::Result<Vec<u16>> {
        let count = owners.count();
        let packer = Packer::new(system);
        let mut words = vec![0; packer.words()];
        let mut taken = vec![0u32; count];
        let mut places: Vec<Vec<GlobalId>> = Vec::new();
        for (old, input) in self.parts.iter_mut().enumerate() {
            if old > 0 {
                Head::read(input.as_mut(), old)?;
            }
            let mut own = Vec::new();
            read_nodes(system, self.head.count, input.as_mut(), &mut |node| {
                // What another state covers has no cells any more, and only tells the way.
                let owner = match node.state {
                    Some(state) => {
                        packer.pack(state.memory, &mut words);
                        owners.of(&words)
                    }
                    None => old % count,
                };
                own.push(GlobalId::new(owner, StateId(taken[owner])));
                taken[owner] += 1;
                Ok(())
            })?;
            places.push(own);
        }
        let mut origins = Vec::new();
        let mut room = Room::new(system);
        let mut random = 0;
        for (old, input) in self.again.iter_mut().enumerate() {
            Head::read(input.as_mut(), old)?;
            let mut states = places[old].iter();
            let nodes = read_nodes(system, self.head.count, input.as_mut(), &mut |node| {
                let place = states.next().ok_or_else(|| damaged("it has changed"))?;
                if usize::from(place.owner) != number {
                    return Ok(());
                }
                let mut parent = None;
                if let Some(GlobalId { owner, id }) = node.parent {
                    let known = places[usize::from(owner)].get(id.0 as usize);
                    parent = Some(*known.ok_or_else(|| damaged("a parent is missing"))?);
                }
                origins.push(parent.map_or(number as u16, |parent| parent.owner));
                let parent = parent.map(|parent| parent.id);
                let successor = room.successor(system, &node);
                (frontier.store).restore(successor, node.edges, parent, node.depth);
                Ok(())
            })?;
            let (open, places) = (&mut frontier.open, &places[old]);
            let numbers = read_open(input.as_mut(), nodes, &mut |state, key| {
                let place = places[state.0 as usize];
                if usize::from(place.owner) == number {
                    open.push(place.id, key);
                }
            })?;
            let (counts, pruned) = read_counts(input.as_mut())?;
            frontier.unsafe_pruning |= pruned;
            if old % count == number {
                random = numbers;
                let known = frontier.statistics;
                frontier.statistics = counts;
                frontier.statistics.add(&known);
            }
        }
        frontier.open.restored(random);
        Ok(origins)
    }
}

/// Room for the bounds of a state.
struct Room {
    lower: Vec<i32>,
    upper: Vec<i32>,
}

impl Room {
    fn new(system: &System) -> Room {
        let n = system.dimension();
        Room {
            lower: vec![0; n],
            upper: vec![0; n],
        }
    }

    /// The state as one that was found.
    fn successor<'r>(&'r mut self, system: &System, node: &Node<'r>) -> Option<Successor<'r>> {
        let state = node.state?;
        system.bounds_at(state.memory, &mut self.lower, &mut self.upper);
        Some(Successor {
            edges: node.edges,
            state,
            reduced: &[],
            lower: &self.lower,
            upper: &self.upper,
            source: &[],
            entry: &[],
            origins: &[],
            stopped: &[],
        })
    }
}
