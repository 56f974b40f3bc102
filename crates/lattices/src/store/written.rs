//! The configurations, written down and taken up again.

use std::io::{self, Read, Write};

use merkhet_explore::{StateId, hash_words};
use merkhet_semantics::State;
use merkhet_zones::bound::{Bound, INFINITY, SMALLEST};

use super::{Arrival, Growth, NONE, Node, Past, Store};
use crate::checkpoint::{damaged, get_edges, get_parent, get32, get64, put_edges, put32, put64};
use crate::order::Orders;

const ALIVE: u32 = 1;
const WAITING: u32 = 2;
const PAST: u32 = 4;

impl Store {
    /// Writes it down.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        put32(out, self.groups.len() as u32)?;
        self.packed.iter().try_for_each(|word| put64(out, *word))?;
        put32(out, self.nodes.len() as u32)?;
        for (index, node) in self.nodes.iter().enumerate() {
            let flags = [
                (node.alive, ALIVE),
                (node.waiting, WAITING),
                (node.past.is_some(), PAST),
            ];
            let flags = flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag);
            put32(out, flags.sum())?;
            for number in [node.key, node.depth, node.joins, node.from] {
                put32(out, number)?;
            }
            self.write_arrival(&node.first, out)?;
            if node.alive {
                let state = self.state(StateId(index as u32));
                write_state(state.memory, state.zone, out)?;
            }
            if let Some(past) = &node.past {
                self.write_past(past, out)?;
            }
        }
        Ok(())
    }

    fn write_past(&self, past: &Past, out: &mut dyn Write) -> io::Result<()> {
        put32(out, past.arrivals.len() as u32)?;
        for arrival in &past.arrivals {
            self.write_arrival(arrival, out)?;
        }
        put32(out, past.history.len() as u32)?;
        for growth in &past.history {
            self.write_arrival(&growth.arrival, out)?;
            put32(out, growth.from)?;
            for pairs in [&growth.cells, &growth.bounds] {
                put32(out, pairs.len() as u32)?;
                for (at, value) in pairs {
                    put32(out, *at)?;
                    put32(out, *value as u32)?;
                }
            }
        }
        put32(out, u32::from(past.buried.is_some()))?;
        match &past.buried {
            Some((memory, zone)) => write_state(memory, zone, out),
            None => Ok(()),
        }
    }

    fn write_arrival(&self, arrival: &Arrival, out: &mut dyn Write) -> io::Result<()> {
        put32(out, arrival.parent.map_or(u32::MAX, |parent| parent.0))?;
        put_edges(out, self.edges(arrival))
    }

    /// Takes up what was written; it is empty. `edges`: how many there are; `in_range`: whether cells have possible values.
    pub fn read(
        &mut self,
        orders: &Orders<'_>,
        edges: usize,
        in_range: &dyn Fn(&[i32]) -> bool,
        input: &mut dyn Read,
    ) -> io::Result<()> {
        let (groups, width) = (get32(input)?, self.words.len());
        for key in 0..groups {
            let start = self.packed.len();
            for _ in 0..width {
                self.packed.push(get64(input)?);
            }
            let packed = &self.packed;
            let of = |key: &u32| &packed[*key as usize * width..][..width];
            let hash = hash_words(&packed[start..]);
            self.keys
                .insert_unique(hash, key, |key| hash_words(of(key)));
            self.groups.push(super::Group::default());
        }
        let (mut memory, mut zone) = (vec![0; self.cells], vec![0; self.bounds]);
        let count = get32(input)?;
        for index in 0..count {
            let flags = get32(input)?;
            let [key, depth, joins, from] =
                [get32(input)?, get32(input)?, get32(input)?, get32(input)?];
            if key >= groups || flags & ALIVE == 0 && flags & WAITING != 0 {
                return Err(damaged("a discrete state that is not there"));
            }
            let first = self.read_arrival(count, edges, input)?;
            let alive = flags & ALIVE != 0;
            let id = StateId(index);
            if alive {
                read_state(in_range, &mut memory, &mut zone, input)?;
                if self.key(&memory) != key {
                    return Err(damaged("a configuration of another discrete state"));
                }
                let state = State {
                    memory: &memory,
                    zone: &zone,
                };
                let indexed = self.is_indexed(key);
                let signature = indexed.then(|| orders.signature(&memory));
                self.add(key, state, first, depth, signature, orders);
            } else {
                self.nodes.push(Node {
                    key,
                    slot: 0,
                    next: NONE,
                    first,
                    depth,
                    alive: false,
                    waiting: false,
                    joins,
                    from,
                    past: None,
                });
            }
            let past = match flags & PAST {
                0 => None,
                _ => Some(Box::new(self.read_past(count, edges, in_range, input)?)),
            };
            let node = &mut self.nodes[id.0 as usize];
            node.waiting = flags & WAITING != 0;
            (node.joins, node.from, node.past) = (joins, from, past);
        }
        self.check_versions()
    }

    /// Whether all versions that are spoken of exist.
    fn check_versions(&self) -> io::Result<()> {
        let exists = |parent: Option<StateId>, version: u32| {
            parent.is_none_or(|parent| version <= self.version(parent))
        };
        let sound = |node: &Node| {
            let history = node.past.iter().flat_map(|past| &past.history);
            exists(node.first.parent, node.from)
                && history
                    .into_iter()
                    .all(|growth| exists(growth.arrival.parent, growth.from))
        };
        match self.nodes.iter().all(sound) {
            true => Ok(()),
            false => Err(damaged("a version that is not there")),
        }
    }

    fn read_past(
        &mut self,
        count: u32,
        edges: usize,
        in_range: &dyn Fn(&[i32]) -> bool,
        input: &mut dyn Read,
    ) -> io::Result<Past> {
        let mut past = Past::default();
        self.extra += size_of::<Past>();
        for _ in 0..get32(input)? {
            past.arrivals.push(self.read_arrival(count, edges, input)?);
            self.extra += size_of::<Arrival>();
        }
        for _ in 0..get32(input)? {
            let arrival = self.read_arrival(count, edges, input)?;
            let from = get32(input)?;
            let cells = read_changes(self.cells, input)?;
            let bounds = read_changes(self.bounds, input)?;
            self.extra += size_of::<Growth>() + 8 * (cells.len() + bounds.len());
            past.history.push(Growth {
                arrival,
                from,
                cells,
                bounds,
            });
        }
        if get32(input)? != 0 {
            let (mut memory, mut zone) = (vec![0; self.cells], vec![0; self.bounds]);
            read_state(in_range, &mut memory, &mut zone, input)?;
            self.extra += 4 * (memory.len() + zone.len());
            past.buried = Some((memory, zone));
        }
        Ok(past)
    }

    fn read_arrival(
        &mut self,
        count: u32,
        known: usize,
        input: &mut dyn Read,
    ) -> io::Result<Arrival> {
        let parent = get_parent(count, input)?;
        let edges = get_edges(known, input)?;
        Ok(self.arrival(parent, &edges))
    }
}

fn write_state(memory: &[i32], zone: &[Bound], out: &mut dyn Write) -> io::Result<()> {
    let cells = memory.iter().chain(zone);
    cells
        .into_iter()
        .try_for_each(|cell| put32(out, *cell as u32))
}

fn read_state(
    in_range: &dyn Fn(&[i32]) -> bool,
    memory: &mut [i32],
    zone: &mut [Bound],
    input: &mut dyn Read,
) -> io::Result<()> {
    for cell in memory.iter_mut() {
        *cell = get32(input)? as i32;
    }
    if !in_range(memory) {
        return Err(damaged("a variable is outside its range"));
    }
    for bound in zone.iter_mut() {
        *bound = get32(input)? as i32;
        if !(SMALLEST..=INFINITY).contains(bound) {
            return Err(damaged("a zone with impossible bounds"));
        }
    }
    Ok(())
}

fn read_changes(most: usize, input: &mut dyn Read) -> io::Result<Box<[(u32, i32)]>> {
    let mut changes = Vec::new();
    for _ in 0..get32(input)? {
        let (at, value) = (get32(input)?, get32(input)? as i32);
        if at as usize >= most {
            return Err(damaged("a change of a cell that is not there"));
        }
        changes.push((at, value));
    }
    Ok(changes.into())
}
