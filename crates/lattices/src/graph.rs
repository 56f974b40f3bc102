//! Taking configurations back, with what was derived from them (algorithm 5, lines 16 to 20).

use merkhet_explore::StateId;

use crate::order::Orders;
use crate::store::Store;

impl Store {
    /// Removes the configurations of a discrete state and all their descendants. Gives those living ones outside that
    /// have to be expanded again since a successor of theirs is gone.
    pub fn take_back(&mut self, key: u32, orders: &Orders<'_>) -> Vec<StateId> {
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for child in 0..self.nodes.len() as u32 {
            for parent in (self.arrivals(StateId(child))).filter_map(|arrival| arrival.parent) {
                children[parent.0 as usize].push(child);
            }
        }
        let mut gone = vec![false; self.nodes.len()];
        let mut stack: Vec<u32> = (0..self.nodes.len() as u32)
            .filter(|node| self.nodes[*node as usize].key == key)
            .collect();
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut gone[node as usize], true) {
                stack.extend(&children[node as usize]);
            }
        }
        let mut again = Vec::new();
        for index in 0..self.nodes.len() {
            let id = StateId(index as u32);
            if gone[index] {
                self.remove(id, orders);
                // Nothing is derived from it any more.
                self.forget_arrivals(id);
            } else if children[index].iter().any(|child| gone[*child as usize])
                && self.nodes[index].alive
                && !self.nodes[index].waiting
            {
                self.nodes[index].waiting = true;
                again.push(id);
            }
        }
        again
    }
}
