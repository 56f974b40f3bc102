//! Absolute addresses: one flat vector holds locations, variables, locals and temporaries.

use std::ops::Range;

use crate::ids::ProcessId;
use crate::memory::{Address, Region};
use crate::network::Network;

/// Where each region lies: locations (one cell for each process, its location's index), state, meta, constant, local.
/// Literals and temporaries of the code follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The location of each process.
    pub locations: Range<usize>,
    /// [`Region::State`].
    pub state: Range<usize>,
    /// [`Region::Meta`].
    pub meta: Range<usize>,
    /// [`Region::Constant`].
    pub constant: Range<usize>,
    /// [`Region::Local`].
    pub local: Range<usize>,
}

/// Slots with higher numbers are marked ones during compilation; no network comes near.
pub(crate) const MAX_CELLS: usize = 1 << 30;

impl Layout {
    /// The layout of a network's memory.
    ///
    /// # Panics
    /// If the network has 2³⁰ cells or more; front ends refuse such models.
    pub fn of(network: &Network) -> Layout {
        let mut end = 0;
        let mut next = |count: usize| {
            let start = end;
            end += count;
            start..end
        };
        let layout = Layout {
            locations: next(network.processes.len()),
            state: next(network.state_cells.len()),
            meta: next(network.meta_cells.len()),
            constant: next(network.constant_cells.len()),
            local: next(network.local_cells as usize),
        };
        assert!(
            end < MAX_CELLS,
            "a network of {end} cells cannot be compiled"
        );
        layout
    }

    /// The range of a region.
    pub fn region(&self, region: Region) -> Range<usize> {
        match region {
            Region::State => self.state.clone(),
            Region::Meta => self.meta.clone(),
            Region::Constant => self.constant.clone(),
            Region::Local => self.local.clone(),
        }
    }

    /// The slot of a cell.
    #[inline]
    pub fn address(&self, cell: Address) -> usize {
        let start = match cell.region {
            Region::State => self.state.start,
            Region::Meta => self.meta.start,
            Region::Constant => self.constant.start,
            Region::Local => self.local.start,
        };
        start + cell.offset as usize
    }

    /// The slot that holds the location of a process.
    #[inline]
    pub fn location(&self, process: ProcessId) -> usize {
        process.index()
    }

    /// The cell at a slot, if the slot is one of a region.
    pub fn cell(&self, slot: usize) -> Option<Address> {
        [Region::State, Region::Meta, Region::Constant, Region::Local]
            .into_iter()
            .find_map(|region| {
                let range = self.region(region);
                range.contains(&slot).then(|| Address {
                    region,
                    offset: (slot - range.start) as u32,
                })
            })
    }

    /// The number of slots of all regions.
    pub fn len(&self) -> usize {
        self.local.end
    }

    /// Whether there is no slot at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory at the start: initial locations and values, constants, zeros for the locals.
    pub fn initial_memory(&self, network: &Network) -> Vec<i32> {
        let locations = network
            .processes
            .iter()
            .map(|process| process.initial.0 as i32);
        let cells = [Region::State, Region::Meta, Region::Constant]
            .into_iter()
            .flat_map(|region| network.cells(region))
            .map(|cell| cell.initial);
        let mut memory: Vec<i32> = locations.chain(cells).collect();
        memory.resize(self.len(), 0);
        memory
    }
}
