//! The edges of a transition in eight bytes; transitions of three and more are listed once.

use std::collections::HashMap;

use merkhet_semantics::EdgeIndex;

const NONE: u32 = u32::MAX;
/// In the second half: the first half is the number of a listed transition.
const LISTED: u32 = u32::MAX - 1;

#[derive(Default)]
pub(super) struct Actions {
    lists: Vec<Box<[EdgeIndex]>>,
    numbers: HashMap<Box<[EdgeIndex]>, u32>,
    bytes: usize,
}

impl Actions {
    pub fn encode(&mut self, edges: &[EdgeIndex]) -> [u32; 2] {
        match edges {
            [] => [NONE, NONE],
            [one] => [one.0, NONE],
            [one, two] => [one.0, two.0],
            _ => {
                if let Some(number) = self.numbers.get(edges) {
                    return [*number, LISTED];
                }
                let number = self.lists.len() as u32;
                self.lists.push(edges.into());
                self.numbers.insert(edges.into(), number);
                self.bytes += 2 * size_of_val(edges) + 64;
                [number, LISTED]
            }
        }
    }

    pub fn decode(&self, action: [u32; 2]) -> Vec<EdgeIndex> {
        match action {
            [NONE, _] => Vec::new(),
            [one, NONE] => vec![EdgeIndex(one)],
            [number, LISTED] => self.lists[number as usize].to_vec(),
            [one, two] => vec![EdgeIndex(one), EdgeIndex(two)],
        }
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
