//! Lists of nodes with signatures, one for each discrete part, each contiguous in memory.
//!
//! A list lives in a block whose capacity is a power of two; when it is full it moves to one of twice the size, and its
//! old block is used again. Most lists have one member, some have thousands.

use super::signature::Signature;

/// Where a list is: 2^order places from `start` on, of which `len` are in use. An order of -1 means no place.
#[derive(Clone, Copy, Debug)]
struct Header {
    start: u32,
    len: u32,
    order: i8,
}

#[derive(Default)]
pub(super) struct Lists {
    headers: Vec<Header>,
    signatures: Vec<Signature>,
    nodes: Vec<u32>,
    /// By their order: blocks that are not in use.
    free: Vec<Vec<u32>>,
}

impl Lists {
    /// Adds an empty list; returns its number.
    pub fn add(&mut self) -> u32 {
        let (start, len, order) = (0, 0, -1);
        self.headers.push(Header { start, len, order });
        self.headers.len() as u32 - 1
    }

    /// The members of a list.
    #[inline]
    pub fn get(&self, list: u32) -> (&[Signature], &[u32]) {
        let Header { start, len, .. } = self.headers[list as usize];
        let range = start as usize..start as usize + len as usize;
        (&self.signatures[range.clone()], &self.nodes[range])
    }

    /// Adds a member at the end.
    pub fn push(&mut self, list: u32, signature: Signature, node: u32) {
        let Header { len, order, .. } = self.headers[list as usize];
        if order < 0 || len == 1 << order {
            self.move_to(list, order + 1);
        }
        let header = &mut self.headers[list as usize];
        let end = (header.start + header.len) as usize;
        header.len += 1;
        self.signatures[end] = signature;
        self.nodes[end] = node;
    }

    /// Moves a list to a block of another order, which must have room for it.
    fn move_to(&mut self, list: u32, order: i8) {
        let old = self.headers[list as usize];
        let needed = order as usize + 1;
        if self.free.len() < needed {
            self.free.resize(needed, Vec::new());
        }
        let start = self.free[order as usize].pop().unwrap_or_else(|| {
            let start = self.nodes.len();
            self.nodes.resize(start + (1 << order), u32::MAX);
            self.signatures
                .resize(start + (1 << order), Signature::default());
            start as u32
        });
        let (from, to, len) = (old.start as usize, start as usize, old.len as usize);
        self.nodes.copy_within(from..from + len, to);
        self.signatures.copy_within(from..from + len, to);
        if old.order >= 0 {
            self.free[old.order as usize].push(old.start);
        }
        self.headers[list as usize] = Header {
            start,
            order,
            ..old
        };
    }

    /// Keeps the members that `keep` says; their order stays.
    pub fn retain(&mut self, list: u32, keep: impl Fn(u32) -> bool) {
        let header = self.headers[list as usize];
        let start = header.start as usize;
        let mut kept = 0;
        for index in start..start + header.len as usize {
            let (signature, node) = (self.signatures[index], self.nodes[index]);
            if keep(node) {
                self.signatures[start + kept] = signature;
                self.nodes[start + kept] = node;
                kept += 1;
            }
        }
        self.headers[list as usize].len = kept as u32;
        // Far too much room: a smaller block will do.
        if header.order >= 3 && kept << 3 <= 1 << header.order {
            self.move_to(list, kept.max(1).next_power_of_two().ilog2() as i8);
        }
    }

    pub fn bytes(&self) -> usize {
        self.headers.len() * size_of::<Header>()
            + self.nodes.len() * (size_of::<u32>() + size_of::<Signature>())
            + self
                .free
                .iter()
                .map(|blocks| blocks.capacity() * size_of::<u32>())
                .sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random pushes and removals against plain vectors: nothing is lost, and no two lists share a place.
    #[test]
    fn lists_keep_their_members() {
        let mut lists = Lists::default();
        let mut twins: Vec<Vec<u32>> = Vec::new();
        let mut state = 1u64;
        let mut random = |limit: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) % limit
        };
        for _ in 0..8 {
            lists.add();
            twins.push(Vec::new());
        }
        for node in 0..20_000 {
            let list = random(8) as usize;
            if random(40) == 0 {
                let divisor = 1 + random(4) as u32;
                lists.retain(list as u32, |node| node % divisor == 0);
                twins[list].retain(|node| node % divisor == 0);
            }
            lists.push(list as u32, Signature::default(), node);
            twins[list].push(node);
            assert_eq!(lists.get(list as u32).1, twins[list]);
        }
        for (list, twin) in twins.iter().enumerate() {
            assert_eq!(lists.get(list as u32).1, *twin);
        }
        let live: usize = twins.iter().map(Vec::len).sum();
        assert!(
            lists.nodes.len() < 4 * live + 1000,
            "{} places for {live}",
            lists.nodes.len()
        );
    }
}
