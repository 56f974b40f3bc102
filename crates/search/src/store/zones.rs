//! Zones of one dimension, in chunks, with the slots of removed ones used again.

use merkhet_lattice::bound::Bound;

/// The number of entries of a chunk, unless a single zone is larger.
const CHUNK: usize = 1 << 16;

pub(super) struct Zones {
    size: usize,
    per_chunk: usize,
    chunks: Vec<Box<[Bound]>>,
    used: usize,
    free: Vec<u32>,
}

impl Zones {
    pub fn new(dimension: usize) -> Zones {
        let size = dimension * dimension;
        Zones {
            size,
            per_chunk: (CHUNK / size).max(1),
            chunks: Vec::new(),
            used: 0,
            free: Vec::new(),
        }
    }

    /// Stores a copy; returns its slot.
    pub fn insert(&mut self, zone: &[Bound]) -> u32 {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                if self.used == self.chunks.len() * self.per_chunk {
                    let chunk = vec![0; self.per_chunk * self.size];
                    self.chunks.push(chunk.into());
                }
                self.used += 1;
                self.used as u32 - 1
            }
        };
        let (chunk, offset) = self.place(slot);
        self.chunks[chunk][offset..offset + self.size].copy_from_slice(zone);
        slot
    }

    pub fn remove(&mut self, slot: u32) {
        self.free.push(slot);
    }

    #[inline]
    pub fn get(&self, slot: u32) -> &[Bound] {
        let (chunk, offset) = self.place(slot);
        &self.chunks[chunk][offset..offset + self.size]
    }

    #[inline]
    fn place(&self, slot: u32) -> (usize, usize) {
        let slot = slot as usize;
        (slot / self.per_chunk, slot % self.per_chunk * self.size)
    }

    pub fn bytes(&self) -> usize {
        self.chunks.len() * self.per_chunk * self.size * size_of::<Bound>()
            + self.free.capacity() * size_of::<u32>()
    }
}
