//! Sets of literals in a tree, for the two questions that a pattern database asks.
//!
//! A T/U/F vector is the set of its true and false literals. A stored vector subsumes another one if its set is a subset;
//! it is compatible with a search state if none of its literals is contradicted, that is, if it is a subset of all
//! literals that the state leaves open or affirms. So both are "is there a stored subset of this set, and how near?".
//! The tree is the set-index tree of Hoffmann and Koehler (IJCAI 1999), with the least distance below each node, so
//! that branches which cannot improve the answer are left out.

/// No node, no distance.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The literal on the way to this node, as a position in the vector's bits.
    literal: u32,
    first_child: u32,
    next: u32,
    /// The least distance of a set that ends here or below.
    least: u32,
    /// The distance of the set that ends here.
    own: u32,
}

/// Stored sets with their distances.
#[derive(Clone, Debug)]
pub struct SubsetTree {
    nodes: Vec<Node>,
    stack: Vec<u32>,
}

impl Default for SubsetTree {
    fn default() -> Self {
        SubsetTree {
            nodes: vec![Node {
                literal: NONE,
                first_child: NONE,
                next: NONE,
                least: NONE,
                own: NONE,
            }],
            stack: Vec::new(),
        }
    }
}

impl SubsetTree {
    /// Stores a set, given as bits.
    pub fn insert(&mut self, set: &[u64], distance: u32) {
        let mut at = 0;
        self.nodes[at].least = self.nodes[at].least.min(distance);
        for (word, bits) in set.iter().enumerate() {
            let mut rest = *bits;
            while rest != 0 {
                let literal = word as u32 * 64 + rest.trailing_zeros();
                rest &= rest - 1;
                at = self.child(at, literal);
                self.nodes[at].least = self.nodes[at].least.min(distance);
            }
        }
        self.nodes[at].own = self.nodes[at].own.min(distance);
    }

    /// The child for a literal, made if there is none; children are in ascending order.
    fn child(&mut self, parent: usize, literal: u32) -> usize {
        let (mut before, mut at) = (NONE, self.nodes[parent].first_child);
        while at != NONE && self.nodes[at as usize].literal < literal {
            (before, at) = (at, self.nodes[at as usize].next);
        }
        if at != NONE && self.nodes[at as usize].literal == literal {
            return at as usize;
        }
        let new = self.nodes.len() as u32;
        self.nodes.push(Node {
            literal,
            first_child: NONE,
            next: at,
            least: NONE,
            own: NONE,
        });
        match before {
            NONE => self.nodes[parent].first_child = new,
            before => self.nodes[before as usize].next = new,
        }
        new as usize
    }

    /// The least distance of a stored subset of `allowed`, if it is below `limit`.
    pub fn least_subset(&mut self, allowed: &[u64], limit: u32) -> Option<u32> {
        let mut best = limit;
        self.stack.clear();
        self.stack.push(0);
        while let Some(at) = self.stack.pop() {
            let node = self.nodes[at as usize];
            if node.least >= best {
                continue;
            }
            best = best.min(node.own);
            let mut child = node.first_child;
            while child != NONE {
                let below = &self.nodes[child as usize];
                let (word, bit) = (below.literal as usize / 64, below.literal % 64);
                if below.least < best && allowed[word] >> bit & 1 == 1 {
                    self.stack.push(child);
                }
                child = below.next;
            }
        }
        (best < limit).then_some(best)
    }

    /// Whether some stored set is a subset of `allowed`.
    pub fn contains_subset(&mut self, allowed: &[u64]) -> bool {
        self.stack.clear();
        self.stack.push(0);
        while let Some(at) = self.stack.pop() {
            let node = self.nodes[at as usize];
            if node.own != NONE {
                return true;
            }
            let mut child = node.first_child;
            while child != NONE {
                let below = &self.nodes[child as usize];
                let (word, bit) = (below.literal as usize / 64, below.literal % 64);
                if allowed[word] >> bit & 1 == 1 {
                    self.stack.push(child);
                }
                child = below.next;
            }
        }
        false
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.nodes[0].least == NONE
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }
}
