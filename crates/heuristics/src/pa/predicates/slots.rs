//! The finite variables that predicates speak of: locations of processes and state cells, by their place in memory.
//!
//! Slot p is the location of process p; the state cells follow, as [`merkhet_network::code::Layout`] lays them out. So
//! a location is a variable like any other, an edge assigns it, and "at most one location at a time" needs no rule.

use merkhet_network::{Address, Network, Region};

/// Most values of a slot whose sets of values are kept as bits.
pub const DENSE: u64 = 64;

/// The ranges of all slots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slots {
    ranges: Vec<(i32, i32)>,
    processes: usize,
}

impl Slots {
    /// The slots of a network.
    pub fn of(network: &Network) -> Slots {
        let locations = (network.processes.iter())
            .map(|process| (0, process.locations.len().saturating_sub(1) as i32));
        let cells = network.state_cells.iter().map(|cell| (cell.low, cell.high));
        Slots {
            ranges: locations.chain(cells).collect(),
            processes: network.processes.len(),
        }
    }

    /// The slot of a state cell.
    pub fn cell(&self, address: Address) -> Option<u32> {
        let slot = self.processes + address.offset as usize;
        (address.region == Region::State && slot < self.ranges.len()).then_some(slot as u32)
    }

    /// The process whose location the slot is.
    pub fn process(&self, slot: u32) -> Option<usize> {
        ((slot as usize) < self.processes).then_some(slot as usize)
    }

    /// The state cell that the slot is.
    pub fn address(&self, slot: u32) -> Option<Address> {
        let offset = (slot as usize).checked_sub(self.processes)?;
        Some(Address {
            region: Region::State,
            offset: offset as u32,
        })
    }

    /// Smallest and largest value.
    pub fn range(&self, slot: u32) -> (i64, i64) {
        let (low, high) = self.ranges[slot as usize];
        (low.into(), high.into())
    }

    /// The number of slots.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Whether sets of its values fit in 64 bits.
    pub fn is_dense(&self, slot: u32) -> bool {
        let (low, high) = self.range(slot);
        high >= low && ((high - low) as u64) < DENSE
    }

    /// All values of a dense slot.
    pub fn full(&self, slot: u32) -> u64 {
        self.mask(slot, |_| true)
    }

    /// The values of a dense slot with a property; bit k stands for the smallest value plus k.
    pub fn mask(&self, slot: u32, holds: impl Fn(i64) -> bool) -> u64 {
        let (low, high) = self.range(slot);
        let last = high.min(low + DENSE as i64 - 1);
        (low..=last)
            .filter(|value| holds(*value))
            .fold(0, |mask, value| mask | 1 << (value - low))
    }

    /// The set of one value of a dense slot; empty if the value is out of range.
    pub fn only(&self, slot: u32, value: i64) -> u64 {
        let (low, high) = self.range(slot);
        if (low..=high).contains(&value) && value - low < DENSE as i64 {
            1 << (value - low)
        } else {
            0
        }
    }
}
