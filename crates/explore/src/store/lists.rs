//! Lists of nodes with signatures, one for each discrete part, each contiguous in memory.
//!
//! A list lives in a block whose capacity is a power of two; when it is full it moves to one of twice the size, and its
//! old block is used again. Most lists have one member, some have thousands.

use super::signature::Signature;

/// Where a list is: 2^order places from `start` on, of which `len` are in use; or the only member itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    start: u32,
    len: u32,
    /// [`Header::NO_BLOCK`] if there are no places.
    order: u8,
}

impl Header {
    const NO_BLOCK: u8 = 31;

    /// No members.
    pub const EMPTY: Header = Header {
        start: 0,
        len: 0,
        order: Header::NO_BLOCK,
    };

    /// One member, and no list.
    pub fn single(node: u32) -> Header {
        Header {
            start: node,
            len: 1,
            order: Header::NO_BLOCK,
        }
    }

    /// The only member, if there is no list.
    #[inline]
    pub fn is_single(self) -> Option<u32> {
        (self.order == Header::NO_BLOCK && self.len == 1).then_some(self.start)
    }

    /// As one word. Lists have fewer than 2^27 members.
    pub fn to_bits(self) -> u64 {
        let upper = u64::from(self.len) | u64::from(self.order) << 27;
        u64::from(self.start) | upper << 32
    }

    pub fn from_bits(bits: u64) -> Header {
        let upper = (bits >> 32) as u32;
        Header {
            start: bits as u32,
            len: upper & ((1 << 27) - 1),
            order: (upper >> 27) as u8,
        }
    }
}

#[derive(Default)]
pub(super) struct Lists {
    signatures: Vec<Signature>,
    nodes: Vec<u32>,
    /// By their order: blocks that are not in use.
    free: Vec<Vec<u32>>,
}

impl Lists {
    /// The members of a list that is not single.
    #[inline]
    pub fn get(&self, list: Header) -> (&[Signature], &[u32]) {
        let range = list.start as usize..list.start as usize + list.len as usize;
        (&self.signatures[range.clone()], &self.nodes[range])
    }

    /// As [`Lists::get`], with signatures that may change.
    pub fn get_mut(&mut self, list: Header) -> (&mut [Signature], &[u32]) {
        let range = list.start as usize..list.start as usize + list.len as usize;
        (&mut self.signatures[range.clone()], &self.nodes[range])
    }

    /// Adds a member at the end of a list that is not single.
    pub fn push(&mut self, mut list: Header, signature: Signature, node: u32) -> Header {
        if list.order == Header::NO_BLOCK {
            list = self.move_to(list, 1);
        } else if list.len == 1 << list.order {
            list = self.move_to(list, list.order + 1);
        }
        let end = (list.start + list.len) as usize;
        list.len += 1;
        self.signatures[end] = signature;
        self.nodes[end] = node;
        list
    }

    /// Moves a list to a block of another order, which must have room for it.
    fn move_to(&mut self, old: Header, order: u8) -> Header {
        let needed = usize::from(order) + 1;
        if self.free.len() < needed {
            self.free.resize(needed, Vec::new());
        }
        let start = self.free[usize::from(order)].pop().unwrap_or_else(|| {
            let start = self.nodes.len();
            self.nodes.resize(start + (1 << order), u32::MAX);
            self.signatures
                .resize(start + (1 << order), Signature::default());
            start as u32
        });
        if old.order != Header::NO_BLOCK {
            let (from, to, len) = (old.start as usize, start as usize, old.len as usize);
            self.nodes.copy_within(from..from + len, to);
            self.signatures.copy_within(from..from + len, to);
            self.free[usize::from(old.order)].push(old.start);
        }
        Header {
            start,
            order,
            ..old
        }
    }

    /// Keeps the members that `keep` says, of a list that is not single; their order stays.
    pub fn retain(&mut self, mut list: Header, keep: impl Fn(u32) -> bool) -> Header {
        let start = list.start as usize;
        let mut kept = 0;
        for index in start..start + list.len as usize {
            let (signature, node) = (self.signatures[index], self.nodes[index]);
            if keep(node) {
                self.signatures[start + kept] = signature;
                self.nodes[start + kept] = node;
                kept += 1;
            }
        }
        list.len = kept as u32;
        // Far too much room: a smaller block will do.
        if list.order >= 3 && kept << 3 <= 1 << list.order {
            let order = kept.max(1).next_power_of_two().ilog2() as u8;
            list = self.move_to(list, order);
        }
        list
    }

    pub fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<u32>() + size_of::<Signature>())
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
        let mut headers = Vec::new();
        let mut state = 1u64;
        let mut random = |limit: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) % limit
        };
        for _ in 0..8 {
            headers.push(Header::EMPTY);
            twins.push(Vec::new());
        }
        for node in 0..20_000 {
            let list = random(8) as usize;
            if random(40) == 0 {
                let divisor = 1 + random(4) as u32;
                headers[list] = lists.retain(headers[list], |node| node % divisor == 0);
                twins[list].retain(|node| node % divisor == 0);
            }
            headers[list] = lists.push(headers[list], Signature::default(), node);
            assert_eq!(Header::from_bits(headers[list].to_bits()), headers[list]);
            twins[list].push(node);
            assert_eq!(lists.get(headers[list]).1, twins[list]);
        }
        for (list, twin) in twins.iter().enumerate() {
            assert_eq!(lists.get(headers[list]).1, *twin);
        }
        let live: usize = twins.iter().map(Vec::len).sum();
        assert!(
            lists.nodes.len() < 4 * live + 1000,
            "{} places for {live}",
            lists.nodes.len()
        );
    }
}
