//! Representatives: one state for all that differ by a permutation of processes only.
//!
//! [`merkhet_analysis::symmetry`] says what can be permuted. Here members are sorted, by what they look like: their locations and
//! cells, who holds their ids, whose ids they hold, and where that leaves several alike, by their clocks. The order is a matter of
//! efficiency alone: whatever permutation is chosen, the state is reachable up to permutation if and only if its representative is.
//! Where it depends on the zone it keeps its hands off all but the order of the clocks' values, which a zone has in common with
//! those that include it: otherwise a representative would seldom include another. (Hendriks et al., section 4, sort by that order
//! too; with clocks that are set to 0 only, and without extrapolation, it is total.)

use merkhet_analysis::symmetry::{Family, Symmetry};
use merkhet_network::code::Layout;
use merkhet_zones::bound::{Bound, LE_ZERO};

use crate::compile::forget::Forgetting;
use crate::state::{State, Successor};
use crate::system::{CellRange, System};

/// What can be permuted, by slots of the memory and rows of zones.
#[derive(Clone, Debug)]
pub(crate) struct Families(Vec<Members>);

/// A family.
#[derive(Clone, Debug)]
struct Members {
    count: usize,
    /// Locations and cells, by member.
    slots: Vec<Vec<u32>>,
    /// For each of `slots`, the type of ids that it holds.
    held: Vec<Option<usize>>,
    rows: Vec<Vec<u32>>,
    ids: Vec<Held>,
}

/// A type of ids.
#[derive(Clone, Debug)]
struct Held {
    values: Vec<i32>,
    /// Values with their members, ascending.
    members: Vec<(i32, u32)>,
    /// The slots that hold them and go with no member of the family.
    shared: Vec<u32>,
    /// All slots that hold them.
    slots: Vec<u32>,
}

impl Held {
    fn member(&self, value: i32) -> Option<usize> {
        let at = self
            .members
            .binary_search_by_key(&value, |(value, _)| *value);
        at.ok().map(|at| self.members[at].1 as usize)
    }
}

impl Families {
    /// `None` if nothing can be permuted.
    pub fn new(symmetry: &Symmetry, layout: &Layout) -> Option<Families> {
        let families: Vec<Members> = (symmetry.families.iter())
            .map(|family| Members::new(family, layout))
            .collect();
        (!families.is_empty()).then_some(Families(families))
    }

    /// Whether the bounds of clocks at locations are the same after each exchange with the first member of a family.
    pub fn fit_bounds(&self, system: &System) -> bool {
        let bounds = |rows: &[crate::system::BoundsCode], moved: &dyn Fn(u32) -> u32| {
            let mut all: Vec<_> = (rows.iter())
                .map(|row| (moved(row.row), row.lower, row.upper))
                .collect();
            all.sort_unstable();
            all
        };
        self.0.iter().all(|family| {
            (1..family.count).all(|member| {
                let exchange = |groups: &[Vec<u32>], one: u32| {
                    let pair = groups.iter().find_map(|group| {
                        (group[0] == one)
                            .then(|| group[member])
                            .or_else(|| (group[member] == one).then(|| group[0]))
                    });
                    pair.unwrap_or(one)
                };
                let row = |row: u32| exchange(&family.rows, row);
                let locations = system.locations.iter().enumerate().all(|(process, here)| {
                    let there = exchange(&family.slots, process as u32) as usize;
                    let there = &system.locations[there];
                    here.len() == there.len()
                        && here.iter().zip(there).all(|(here, there)| {
                            bounds(&here.bounds, &row) == bounds(&there.bounds, &|row| row)
                        })
                });
                locations
                    && bounds(&system.everywhere, &row) == bounds(&system.everywhere, &|row| row)
            })
        })
    }

    /// Where a slot holds ids, the value of its range next to `value` that is none.
    pub fn no_id(&self, slot: u32, value: i32, range: CellRange) -> Option<i32> {
        let types = || self.0.iter().flat_map(|family| &family.ids);
        let mut holds = types().filter(|held| held.slots.contains(&slot)).peekable();
        holds.peek()?;
        let is_id = |value: i32| {
            types().any(|held| held.slots.contains(&slot) && held.member(value).is_some())
        };
        match is_id(value) {
            true => (range.low..=range.high)
                .take(MOST_VALUES)
                .find(|value| !is_id(*value)),
            false => None,
        }
    }

    /// The permutation that changes nothing.
    fn identity(&self) -> Permutation {
        Permutation(
            (self.0.iter())
                .map(|family| (0..family.count as u16).collect())
                .collect(),
        )
    }
}

impl Members {
    fn new(family: &Family, layout: &Layout) -> Members {
        let locations = (family.processes.iter())
            .map(|members| members.iter().map(|process| process.0).collect());
        let slot = |cell: &merkhet_network::Address| layout.address(*cell) as u32;
        let cells = (family.cells.iter()).map(|members| members.iter().map(slot).collect());
        let slots: Vec<Vec<u32>> = locations.chain(cells).collect();
        let holders: Vec<Vec<u32>> = (family.ids.iter())
            .map(|ids| ids.cells.iter().map(slot).collect())
            .collect();
        let held = slots
            .iter()
            .map(|members| {
                holders
                    .iter()
                    .position(|holder| holder.contains(&members[0]))
            })
            .collect();
        let own: std::collections::HashSet<u32> = slots.iter().flatten().copied().collect();
        let ids = (family.ids.iter().zip(holders))
            .map(|(ids, slots)| {
                let mut members: Vec<(i32, u32)> = (ids.values.iter().copied()).zip(0..).collect();
                members.sort_unstable();
                Held {
                    values: ids.values.clone(),
                    members,
                    shared: (slots.iter().copied())
                        .filter(|slot| !own.contains(slot))
                        .collect(),
                    slots,
                }
            })
            .collect();
        Members {
            count: family.members(),
            slots,
            held,
            rows: (family.clocks.iter())
                .map(|members| members.iter().map(|clock| clock.0 + 1).collect())
                .collect(),
            ids,
        }
    }

    /// What each member looks like without its clocks.
    fn colour(&self, memory: &[i32], colours: &mut Vec<u64>, refined: &mut Vec<u64>) {
        colours.clear();
        for member in 0..self.count {
            let mut colour = 0;
            for (members, held) in self.slots.iter().zip(&self.held) {
                let value = memory[members[member] as usize];
                let looks = match held.map(|held| self.ids[held].member(value)) {
                    None | Some(None) => (value as u32).into(),
                    Some(Some(other)) if other == member => OWN,
                    Some(Some(_)) => OTHER,
                };
                colour = mix(colour, looks);
            }
            for held in &self.ids {
                for slot in &held.shared {
                    let own = memory[*slot as usize] == held.values[member];
                    colour = mix(colour, own.into());
                }
            }
            colours.push(colour);
        }
        let holds = |held: &Option<usize>| held.is_some();
        if !self.held.iter().any(holds) {
            return;
        }
        refined.clone_from(colours);
        for (number, (members, held)) in self.slots.iter().zip(&self.held).enumerate() {
            let Some(held) = held else { continue };
            for member in 0..self.count {
                let value = memory[members[member] as usize];
                if let Some(other) = self.ids[*held].member(value)
                    && other != member
                {
                    let (here, there) = (colours[member], colours[other]);
                    // The sum does not depend on the order of members.
                    refined[member] = refined[member].wrapping_add(mix(there, number as u64 + 1));
                    refined[other] = refined[other].wrapping_add(mix(here, !(number as u64)));
                }
            }
        }
        std::mem::swap(colours, refined);
    }

    /// The order in which members come; false if it is the one that they are in.
    fn sort(&self, state: State<'_>, n: usize, room: &mut Sorting) -> bool {
        self.colour(state.memory, &mut room.colours, &mut room.refined);
        let colours = &room.colours;
        let keys = &mut room.keys;
        keys.clear();
        keys.extend(colours.iter().zip(0..).map(|(colour, member)| Key {
            colour: *colour,
            clocks: 0,
            member,
        }));
        keys.sort_unstable();
        if !self.rows.is_empty() && keys.windows(2).any(|pair| pair[0].colour == pair[1].colour) {
            self.compare_clocks(state.zone, n, keys);
            keys.sort_unstable();
        }
        room.order.clear();
        room.order.extend(keys.iter().map(|key| key.member));
        room.order
            .iter()
            .zip(0..)
            .any(|(member, place)| *member != place)
    }

    /// Tells members of one colour apart by the order of their clocks: how many of the others are surely not above them, less
    /// those that are surely not below.
    fn compare_clocks(&self, zone: &[Bound], n: usize, keys: &mut [Key]) {
        let mut start = 0;
        while start < keys.len() {
            let colour = keys[start].colour;
            let len = keys[start..]
                .iter()
                .take_while(|key| key.colour == colour)
                .count();
            if len > 1 {
                for one in start..start + len {
                    let mut score = 0i64;
                    for rows in &self.rows {
                        let row = rows[keys[one].member as usize] as usize;
                        let mut above = 0;
                        for other in (start..start + len).filter(|other| *other != one) {
                            let there = rows[keys[other].member as usize] as usize;
                            above += i64::from(zone[there * n + row] <= LE_ZERO);
                            above -= i64::from(zone[row * n + there] <= LE_ZERO);
                        }
                        // Earlier clocks count for more.
                        score = score
                            .wrapping_mul(4 * self.count as i64)
                            .wrapping_add(above);
                    }
                    keys[one].clocks = score;
                }
            }
            start += len;
        }
    }
}

/// Values of a range that are looked at.
const MOST_VALUES: usize = 1 << 12;

const OWN: u64 = 1 << 40;
const OTHER: u64 = 2 << 40;

fn mix(colour: u64, value: u64) -> u64 {
    let mixed =
        (colour ^ value.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 29
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    colour: u64,
    clocks: i64,
    member: u16,
}

#[derive(Default)]
struct Sorting {
    colours: Vec<u64>,
    refined: Vec<u64>,
    keys: Vec<Key>,
    /// By place, the member that comes there.
    order: Vec<u16>,
}

/// By family and place, the member that comes there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Permutation(Vec<Vec<u16>>);

impl Permutation {
    /// What `next` makes of what this one makes.
    pub fn then(&self, next: &Permutation) -> Permutation {
        let both = self.0.iter().zip(&next.0);
        Permutation(
            both.map(|(first, next)| next.iter().map(|at| first[usize::from(*at)]).collect())
                .collect(),
        )
    }

    /// The way back.
    pub fn inverse(&self) -> Permutation {
        Permutation(
            (self.0.iter())
                .map(|order| {
                    let mut back = vec![0; order.len()];
                    for (place, member) in order.iter().enumerate() {
                        back[usize::from(*member)] = place as u16;
                    }
                    back
                })
                .collect(),
        )
    }
}

/// Room for a representative.
pub(crate) struct Representative {
    sorting: Sorting,
    memory: Vec<i32>,
    old: Vec<i32>,
    zone: Vec<Bound>,
    lower: Vec<i32>,
    upper: Vec<i32>,
    /// By row, the row that it was.
    rows: Vec<u32>,
    /// The permutation that was made last.
    permutation: Permutation,
}

impl Representative {
    pub fn new(system: &System, families: &Families) -> Representative {
        let n = system.dimension;
        Representative {
            sorting: Sorting::default(),
            memory: Vec::new(),
            old: Vec::new(),
            zone: vec![0; n * n],
            lower: vec![0; n],
            upper: vec![0; n],
            rows: (0..n as u32).collect(),
            permutation: families.identity(),
        }
    }

    /// The representative of a state that was found.
    pub fn of<'a>(
        &'a mut self,
        system: &System,
        families: &Families,
        found: Successor<'a>,
    ) -> Successor<'a> {
        let n = system.dimension;
        let mut moved = false;
        for (family, order) in families.0.iter().zip(&mut self.permutation.0) {
            let state = match moved {
                true => State {
                    memory: &self.memory,
                    zone: &self.zone,
                },
                false => found.state,
            };
            if !family.sort(state, n, &mut self.sorting) {
                order.clear();
                order.extend(0..family.count as u16);
                continue;
            }
            order.clone_from(&self.sorting.order);
            if !moved {
                self.memory.clear();
                self.memory.extend_from_slice(found.state.memory);
                self.zone.copy_from_slice(found.state.zone);
                self.lower.copy_from_slice(found.lower);
                self.upper.copy_from_slice(found.upper);
                moved = true;
            }
            let cells = &mut self.memory;
            family.permute_cells(order, cells, &mut self.old);
            let rows = &mut self.rows;
            if family.order_rows(order, rows) {
                let zone = &mut self.zone;
                permute_zone(rows, zone, n);
                permute_row(rows, &mut self.lower);
                permute_row(rows, &mut self.upper);
            }
        }
        if !moved {
            return found;
        }
        system.forgetting.apply(&mut self.memory);
        Successor {
            state: State {
                memory: &self.memory,
                zone: &self.zone,
            },
            lower: &self.lower,
            upper: &self.upper,
            ..found
        }
    }
}

impl Members {
    fn permute_cells(&self, order: &[u16], memory: &mut [i32], old: &mut Vec<i32>) {
        // Where each member goes.
        let place = |member: usize| order.iter().position(|one| usize::from(*one) == member);
        for held in &self.ids {
            for slot in &held.slots {
                let value = &mut memory[*slot as usize];
                if let Some(place) = held.member(*value).and_then(place) {
                    *value = held.values[place];
                }
            }
        }
        for slots in &self.slots {
            old.clear();
            old.extend(slots.iter().map(|slot| memory[*slot as usize]));
            for (slot, member) in slots.iter().zip(order) {
                memory[*slot as usize] = old[usize::from(*member)];
            }
        }
    }

    /// The rows that come to each row; false if all stay.
    fn order_rows(&self, order: &[u16], rows: &mut [u32]) -> bool {
        rows.iter_mut().zip(0..).for_each(|(row, at)| *row = at);
        for members in &self.rows {
            for (place, member) in order.iter().enumerate() {
                rows[members[place] as usize] = members[usize::from(*member)];
            }
        }
        !self.rows.is_empty()
    }
}

fn permute_zone(rows: &[u32], zone: &mut Vec<Bound>, n: usize) {
    let mut moved = Vec::with_capacity(zone.len());
    for from in rows {
        let row = &zone[*from as usize * n..][..n];
        moved.extend(rows.iter().map(|column| row[*column as usize]));
    }
    *zone = moved;
}

fn permute_row(rows: &[u32], row: &mut Vec<i32>) {
    let moved = rows.iter().map(|from| row[*from as usize]).collect();
    *row = moved;
}

impl System {
    /// Whether states are given by representatives under permutations of processes.
    pub fn is_symmetric(&self) -> bool {
        self.families.is_some()
    }

    /// The permutation that changes nothing.
    pub fn identity(&self) -> Permutation {
        self.families
            .as_ref()
            .map_or(Permutation(Vec::new()), Families::identity)
    }

    /// The representative of a state, and the permutation that leads to it.
    pub fn representative(&self, state: State<'_>) -> (Vec<i32>, Vec<Bound>, Permutation) {
        let kept = || (state.memory.to_vec(), state.zone.to_vec());
        let Some(families) = &self.families else {
            let (memory, zone) = kept();
            return (memory, zone, self.identity());
        };
        let bounds = vec![0; self.dimension];
        let found = Successor {
            edges: &[],
            state,
            reduced: &[],
            lower: &bounds,
            upper: &bounds,
            source: &[],
            entry: &[],
            origins: &[],
            stopped: &[],
        };
        let mut room = Representative::new(self, families);
        let State { memory, zone } = room.of(self, families, found).state;
        let (memory, zone) = (memory.to_vec(), zone.to_vec());
        (memory, zone, room.permutation)
    }

    /// Permutes a state in place.
    pub fn permute(&self, permutation: &Permutation, memory: &mut [i32], zone: &mut Vec<Bound>) {
        let n = self.dimension;
        let mut rows: Vec<u32> = (0..n as u32).collect();
        let families = self.families.iter().flat_map(|families| &families.0);
        for (family, order) in families.zip(&permutation.0) {
            family.permute_cells(order, memory, &mut Vec::new());
            if family.order_rows(order, &mut rows) {
                permute_zone(&rows, zone, n);
            }
        }
        let forgetting: &Forgetting = &self.forgetting;
        forgetting.apply(memory);
    }
}
