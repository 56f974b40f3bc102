//! Which waiting configuration comes next.

use std::collections::{BTreeMap, VecDeque};

use merkhet_explore::Strategy;

use crate::store::NodeId;

/// Waiting configurations. One may be in it several times: the store knows whether it still waits.
pub(crate) enum Open {
    Queue(VecDeque<NodeId>),
    /// Last in, first out; the successors of one configuration come in their order, or in one that the seed decides.
    Stack {
        nodes: Vec<NodeId>,
        batch: usize,
        seed: Option<u64>,
    },
    Buckets(BTreeMap<u64, VecDeque<NodeId>>),
}

impl Open {
    pub fn new(strategy: Strategy, seed: u64) -> Open {
        let stack = |seed| Open::Stack {
            nodes: Vec::new(),
            batch: 0,
            seed,
        };
        match strategy {
            Strategy::BreadthFirst => Open::Queue(VecDeque::new()),
            Strategy::DepthFirst => stack(None),
            Strategy::RandomDepthFirst => stack(Some(seed)),
            _ => Open::Buckets(BTreeMap::new()),
        }
    }

    pub fn push(&mut self, node: NodeId, key: u64) {
        match self {
            Open::Queue(nodes) => nodes.push_back(node),
            Open::Stack { nodes, .. } => nodes.push(node),
            Open::Buckets(buckets) => buckets.entry(key).or_default().push_back(node),
        }
    }

    /// All successors of one configuration have been added.
    pub fn end_batch(&mut self) {
        if let Open::Stack { nodes, batch, seed } = self {
            let added = &mut nodes[*batch..];
            added.reverse();
            if let Some(state) = seed {
                for last in (1..added.len()).rev() {
                    *state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    added.swap(last, ((*state >> 33) % (last as u64 + 1)) as usize);
                }
            }
            *batch = nodes.len();
        }
    }

    pub fn pop(&mut self) -> Option<NodeId> {
        match self {
            Open::Queue(nodes) => nodes.pop_front(),
            Open::Stack { nodes, batch, .. } => {
                let node = nodes.pop();
                *batch = nodes.len();
                node
            }
            Open::Buckets(buckets) => {
                let mut first = buckets.first_entry()?;
                let node = first.get_mut().pop_front();
                if first.get().is_empty() {
                    first.remove();
                }
                node
            }
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Open::Queue(nodes) => nodes.len(),
            Open::Stack { nodes, .. } => nodes.len(),
            Open::Buckets(buckets) => buckets.values().map(VecDeque::len).sum(),
        }
    }

    pub fn clear(&mut self) {
        match self {
            Open::Queue(nodes) => nodes.clear(),
            Open::Stack { nodes, batch, .. } => {
                nodes.clear();
                *batch = 0;
            }
            Open::Buckets(buckets) => buckets.clear(),
        }
    }
}
