//! The states below a state, as boxes: each cell lies between two numbers.

use merkhet_network::Network;

use super::relation::Relations;
use super::value::Polarity;
use crate::order::Orders;

/// Elements of one lattice variable that are tried, and boxes for one state.
const MOST: usize = 1 << 14;

/// Describes what is below a state.
pub struct Below<'n> {
    network: &'n Network,
    relations: Relations,
    orders: Orders<'n>,
}

/// The smallest and the largest values of the cells.
pub type Boxed = (Vec<i32>, Vec<i32>);

impl<'n> Below<'n> {
    /// For the states of a network.
    pub fn new(network: &'n Network) -> Below<'n> {
        let layout = merkhet_network::code::Layout::of(network);
        Below {
            network,
            relations: Relations::new(network),
            orders: Orders::new(network, &layout),
        }
    }

    /// All states with elements below those of a state with these cells. Nothing if they are too many boxes: an order that
    /// does not go cell by cell takes one for each element.
    pub fn boxes(&mut self, cells: &[i32]) -> Option<Vec<Boxed>> {
        let network = self.network;
        let (mut low, mut high) = (cells.to_vec(), cells.to_vec());
        for (offset, cell) in network.state_cells.iter().enumerate() {
            let relation = self.relations.of(offset);
            if matches!(relation, Polarity::Rises | Polarity::Unknown) {
                low[offset] = cell.low;
            }
            if matches!(relation, Polarity::Falls | Polarity::Unknown) {
                high[offset] = cell.high;
            }
        }
        let mut boxes = vec![(low, high)];
        for (index, variable) in network.lattice_variables.iter().enumerate() {
            let range = network.lattice_cells(variable);
            if self.relations.opaque(range.start) != Some(index) {
                continue;
            }
            let elements = self.elements(index, &cells[range.clone()])?;
            let mut next = Vec::new();
            for (low, high) in boxes {
                for element in &elements {
                    let (mut low, mut high) = (low.clone(), high.clone());
                    low[range.clone()].copy_from_slice(element);
                    high[range.clone()].copy_from_slice(element);
                    next.push((low, high));
                }
            }
            if next.len() > MOST {
                return None;
            }
            boxes = next;
        }
        Some(boxes)
    }

    /// The elements of a variable below one.
    fn elements(&mut self, variable: usize, top: &[i32]) -> Option<Vec<Vec<i32>>> {
        let range = self
            .network
            .lattice_cells(&self.network.lattice_variables[variable]);
        let mut all = vec![Vec::new()];
        for cell in &self.network.state_cells[range] {
            let count = i64::from(cell.high) - i64::from(cell.low) + 1;
            if count.saturating_mul(all.len() as i64) > MOST as i64 {
                return None;
            }
            all = (all.iter())
                .flat_map(|start: &Vec<i32>| {
                    (cell.low..=cell.high).map(move |value| [&start[..], &[value]].concat())
                })
                .collect();
        }
        let lattice = self.orders.slots[variable].lattice;
        let mut below = Vec::new();
        for element in all {
            if self.orders.element_leq(lattice, &element, top).ok()? {
                below.push(element);
            }
        }
        Some(below)
    }
}
