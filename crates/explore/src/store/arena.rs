//! Zones of one size in as few bytes for each entry as it needs, in chunks, with the slots of removed ones used again.

/// About the number of entries in a chunk, unless a single zone is larger.
const CHUNK: usize = 1 << 16;

/// Where a zone is: the width of its entries in the top two bits, then its slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ZoneRef(u32);

impl ZoneRef {
    /// No zone.
    pub const NONE: ZoneRef = ZoneRef(u32::MAX);

    /// The largest slot.
    pub const SLOT: u32 = (1 << 30) - 1;

    pub fn new(width: Width, slot: u32) -> ZoneRef {
        ZoneRef((width as u32) << 30 | slot)
    }

    pub fn to_bits(self) -> u32 {
        self.0
    }

    pub fn from_bits(bits: u32) -> ZoneRef {
        ZoneRef(bits)
    }

    pub fn width(self) -> Width {
        match self.0 >> 30 {
            0 => Width::Byte,
            1 => Width::Short,
            _ => Width::Word,
        }
    }

    pub fn slot(self) -> u32 {
        self.0 & Self::SLOT
    }
}

/// The bytes of each entry: 1, 2 or 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    Byte,
    Short,
    Word,
}

/// Slots of one width.
pub(super) struct Arena<T> {
    size: usize,
    /// A chunk holds 2^shift zones.
    shift: u32,
    chunks: Vec<Box<[T]>>,
    used: u32,
    free: Vec<u32>,
}

impl<T: Copy + Default> Arena<T> {
    pub fn new(size: usize) -> Arena<T> {
        Arena {
            size,
            shift: (CHUNK / size).max(1).ilog2(),
            chunks: Vec::new(),
            used: 0,
            free: Vec::new(),
        }
    }

    pub fn insert(&mut self, zone: &[T]) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            if self.used as usize == self.chunks.len() << self.shift {
                let chunk = vec![T::default(); self.size << self.shift];
                self.chunks.push(chunk.into());
            }
            self.used += 1;
            self.used - 1
        });
        let (chunk, start) = self.place(slot);
        self.chunks[chunk][start..start + self.size].copy_from_slice(zone);
        slot
    }

    #[inline]
    pub fn get(&self, slot: u32) -> &[T] {
        let (chunk, start) = self.place(slot);
        &self.chunks[chunk][start..start + self.size]
    }

    #[inline]
    fn place(&self, slot: u32) -> (usize, usize) {
        let within = slot & ((1 << self.shift) - 1);
        ((slot >> self.shift) as usize, within as usize * self.size)
    }

    /// Makes the slot of a zone that is no longer needed free.
    pub fn remove(&mut self, slot: u32) {
        self.free.push(slot);
    }

    pub fn bytes(&self) -> usize {
        self.used as usize * self.size * size_of::<T>() + self.free.capacity() * size_of::<u32>()
    }
}
