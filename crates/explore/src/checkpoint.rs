//! A search written down in the middle, and taken up again.
//!
//! What is written does not depend on how the store keeps states: for each node, in the order of their ids, its parent,
//! depth and edges, and while no later state covers it the state itself with its zone in minimal form; before them what is
//! known of the use of simulation, and after them the open list in its order and the counts. A search that goes on from there expands the same states in the same order as if
//! it had never stopped, so that its verdict and all its counts are the same.
//!
//! Numbers are little-endian. Whoever keeps the bytes must see to it that they come back unchanged and to the same
//! system and options: here only what would break the program is looked at.

use std::io::{self, Read, Write};

use merkhet_semantics::{EdgeIndex, State, Successor, System};
use merkhet_zones::bound::{Bound, INFINITY, SMALLEST};
use merkhet_zones::zone::{self, minimal};

use crate::open::OpenList;
use crate::statistics::Statistics;
use crate::store::{StateId, Store};

/// Keeps a search that may be interrupted.
pub trait Keeper {
    /// Whether it is time to write the search down; asked between two expansions.
    fn due(&mut self) -> bool;

    /// Keeps what `write` writes. An error ends the search.
    fn keep(&mut self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()>;

    /// What was kept, for a search that goes on; asked once, at the start.
    fn resumed(&mut self) -> io::Result<Option<Box<dyn Read + '_>>>;
}

/// A node without its state.
const REMOVED: u8 = 0;
/// A node with its state.
const LIVE: u8 = 1;
const NO_PARENT: u32 = u32::MAX;

/// Writes the states of a search down.
pub(crate) fn write(system: &System, store: &Store, out: &mut dyn Write) -> io::Result<()> {
    let n = system.dimension();
    let mut memory = vec![0; system.cells().len()];
    let mut zone: Vec<Bound> = vec![0; n * n];
    let mut packed = Vec::new();
    for word in store.gain() {
        put64(out, word)?;
    }
    put32(out, store.len() as u32)?;
    for id in (0..store.len() as u32).map(StateId) {
        let live = !store.is_removed(id);
        out.write_all(&[if live { LIVE } else { REMOVED }])?;
        let (parent, edges) = match store.parent(id) {
            Some((parent, edges)) => (parent.0, edges),
            None => (NO_PARENT, Vec::new()),
        };
        put32(out, parent)?;
        put32(out, store.depth(id))?;
        put32(out, edges.len() as u32)?;
        for edge in edges {
            put32(out, edge.0)?;
        }
        if live {
            store.load(id, &mut memory, &mut zone);
            packed.clear();
            minimal::pack(&zone, n, &mut packed);
            for number in &memory {
                put32(out, *number as u32)?;
            }
            put32(out, packed.len() as u32)?;
            for number in &packed {
                put32(out, *number as u32)?;
            }
        }
    }
    Ok(())
}

/// Writes down what waits, and the counts.
pub(crate) fn write_open(
    open: &OpenList,
    counts: &Statistics,
    unsafe_pruning: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let entries = open.entries();
    put32(out, entries.len() as u32)?;
    for ((first, second), state) in entries {
        put64(out, first)?;
        put32(out, second)?;
        put32(out, state.0)?;
    }
    put64(out, open.random())?;
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
    put32(out, u32::from(unsafe_pruning))
}

/// Takes states up again: fills an empty store; gives the number of states.
pub(crate) fn read(system: &System, store: &mut Store, input: &mut dyn Read) -> io::Result<u32> {
    let n = system.dimension();
    let mut memory = vec![0; system.cells().len()];
    let mut closed: Vec<Bound> = vec![0; n * n];
    let (mut lower, mut upper) = (vec![0; n], vec![0; n]);
    let mut gain = [0; 6];
    for word in &mut gain {
        *word = get64(input)?;
    }
    store.restore_gain(gain);
    let nodes = get32(input)?;
    for id in 0..nodes {
        let mut kind = [0];
        input.read_exact(&mut kind)?;
        let parent = get32(input)?;
        if parent != NO_PARENT && parent >= id {
            return Err(damaged("a state comes before its parent"));
        }
        let parent = (parent != NO_PARENT).then_some(StateId(parent));
        let depth = get32(input)?;
        let edges = edges(system, input)?;
        let restored = match kind[0] {
            REMOVED => None,
            LIVE => {
                for (cell, range) in memory.iter_mut().zip(system.cells()) {
                    *cell = get32(input)? as i32;
                    if !(range.low..=range.high).contains(cell) {
                        return Err(damaged("a variable is outside its range"));
                    }
                }
                read_zone(n, input, &mut closed)?;
                system.bounds_at(&memory, &mut lower, &mut upper);
                Some(Successor {
                    edges: &edges,
                    state: State {
                        memory: &memory,
                        zone: &closed,
                    },
                    reduced: &[],
                    lower: &lower,
                    upper: &upper,
                    source: &[],
                    entry: &[],
                    origins: &[],
                    stopped: &[],
                })
            }
            _ => return Err(damaged("an unknown sort of node")),
        };
        store.restore(restored, &edges, parent, depth);
    }
    Ok(nodes)
}

/// Takes up the waiting states, checked against the number of states, and the counts; says whether pruning was unsafe.
pub(crate) fn read_open(
    nodes: u32,
    open: &mut OpenList,
    statistics: &mut Statistics,
    input: &mut dyn Read,
) -> io::Result<bool> {
    for _ in 0..get32(input)? {
        let key = (get64(input)?, get32(input)?);
        let state = get32(input)?;
        if state >= nodes {
            return Err(damaged("a state waits that is not stored"));
        }
        open.push(StateId(state), key);
    }
    open.restored(get64(input)?);
    statistics.explored = get64(input)?;
    statistics.generated = get64(input)?;
    statistics.pruned = get64(input)?;
    statistics.peak_waiting = get64(input)?;
    statistics.max_depth = get32(input)?;
    statistics.best_estimate = u32::try_from(get64(input)?).ok();
    Ok(get32(input)? != 0)
}

pub(crate) fn edges(system: &System, input: &mut dyn Read) -> io::Result<Vec<EdgeIndex>> {
    let count = get32(input)? as usize;
    if count > system.processes() {
        return Err(damaged("a transition with too many edges"));
    }
    let mut edges = Vec::with_capacity(count);
    for _ in 0..count {
        let edge = get32(input)?;
        if edge as usize >= system.edge_count() {
            return Err(damaged("an edge that is not there"));
        }
        edges.push(EdgeIndex(edge));
    }
    Ok(edges)
}

pub(crate) fn read_zone(n: usize, input: &mut dyn Read, closed: &mut [Bound]) -> io::Result<()> {
    let count = get32(input)? as usize;
    let map = minimal::map_words(n);
    if count < map || count > map + n * n {
        return Err(damaged("a zone of the wrong size"));
    }
    let mut packed = Vec::with_capacity(count);
    for _ in 0..count {
        packed.push(get32(input)? as i32);
    }
    let kept: u32 = packed[..map].iter().map(|word| word.count_ones()).sum();
    if kept as usize != count - map {
        return Err(damaged("a zone of the wrong size"));
    }
    let beyond = (n * n) % 32;
    let sound = |bound: &i32| (SMALLEST..INFINITY).contains(bound);
    let overhang = beyond != 0 && packed[map - 1] as u32 >> beyond != 0;
    if overhang || !packed[map..].iter().all(sound) {
        return Err(damaged("a zone with impossible bounds"));
    }
    minimal::restore(&packed, n, closed);
    match zone::is_empty(closed) {
        true => Err(damaged("an empty zone")),
        false => Ok(()),
    }
}

pub(crate) fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_string())
}

pub(crate) fn put32(out: &mut dyn Write, number: u32) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

pub(crate) fn put64(out: &mut dyn Write, number: u64) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

pub(crate) fn get32(input: &mut dyn Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

pub(crate) fn get64(input: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}
