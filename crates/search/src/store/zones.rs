//! Zones of one dimension in as few bytes for each entry as it needs, in chunks, with the slots of removed ones used
//! again.

use merkhet_lattice::bound::Bound;
use merkhet_lattice::zone::{self, narrow};

use super::Inclusion;
use super::signature::{Signature, Signer, Size};

/// A chunk has about so many entries, unless a single zone is larger.
const CHUNK: usize = 1 << 16;

/// Where a zone is: the width of its entries in the top two bits, then its slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ZoneRef(u32);

impl ZoneRef {
    /// No zone.
    pub const NONE: ZoneRef = ZoneRef(u32::MAX);

    const SLOT: u32 = (1 << 30) - 1;

    fn new(width: Width, slot: u32) -> ZoneRef {
        ZoneRef((width as u32) << 30 | slot)
    }

    fn width(self) -> Width {
        match self.0 >> 30 {
            0 => Width::Byte,
            1 => Width::Short,
            _ => Width::Word,
        }
    }

    fn slot(self) -> u32 {
        self.0 & Self::SLOT
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Width {
    Byte,
    Short,
    Word,
}

/// Slots of one width.
struct Arena<T> {
    size: usize,
    /// A chunk holds 2^shift zones.
    shift: u32,
    chunks: Vec<Box<[T]>>,
    used: u32,
    free: Vec<u32>,
}

impl<T: Copy + Default> Arena<T> {
    fn new(size: usize) -> Arena<T> {
        Arena {
            size,
            shift: (CHUNK / size).max(1).ilog2(),
            chunks: Vec::new(),
            used: 0,
            free: Vec::new(),
        }
    }

    fn insert(&mut self, zone: &[T]) -> u32 {
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
    fn get(&self, slot: u32) -> &[T] {
        let (chunk, start) = self.place(slot);
        &self.chunks[chunk][start..start + self.size]
    }

    #[inline]
    fn place(&self, slot: u32) -> (usize, usize) {
        let within = slot & ((1 << self.shift) - 1);
        ((slot >> self.shift) as usize, within as usize * self.size)
    }

    fn bytes(&self) -> usize {
        (self.chunks.len() << self.shift) * self.size * size_of::<T>()
            + self.free.capacity() * size_of::<u32>()
    }
}

/// The zones of a store, and the one that is being inserted.
pub(super) struct Zones {
    n: usize,
    bytes: Arena<i8>,
    shorts: Arena<i16>,
    words: Arena<i32>,
    signer: Signer,
    /// The new zone in its width.
    width: Width,
    size: Size,
    byte: Vec<i8>,
    short: Vec<i16>,
    wide: Vec<Bound>,
}

impl Zones {
    pub fn new(dimension: usize, largest: i32) -> Zones {
        let size = dimension * dimension;
        Zones {
            n: dimension,
            bytes: Arena::new(size),
            shorts: Arena::new(size),
            words: Arena::new(size),
            signer: Signer::new(dimension, largest),
            width: Width::Word,
            size: Size::default(),
            byte: vec![0; size],
            short: vec![0; size],
            wide: vec![0; size],
        }
    }

    /// Makes a zone the new one; returns its signature.
    pub fn prepare(&mut self, zone: &[Bound]) -> Signature {
        self.width = if narrow::pack(zone, &mut self.byte) {
            Width::Byte
        } else if narrow::pack(zone, &mut self.short) {
            Width::Short
        } else {
            Width::Word
        };
        let (signature, size) = self.signer.sign(zone);
        self.size = size;
        signature
    }

    /// How large the new zone is.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Stores the new zone.
    pub fn insert(&mut self, zone: &[Bound]) -> ZoneRef {
        let slot = match self.width {
            Width::Byte => self.bytes.insert(&self.byte),
            Width::Short => self.shorts.insert(&self.short),
            Width::Word => self.words.insert(zone),
        };
        debug_assert!(slot < ZoneRef::SLOT);
        ZoneRef::new(self.width, slot)
    }

    pub fn remove(&mut self, zone: ZoneRef) {
        match zone.width() {
            Width::Byte => self.bytes.free.push(zone.slot()),
            Width::Short => self.shorts.free.push(zone.slot()),
            Width::Word => self.words.free.push(zone.slot()),
        }
    }

    /// Copies a stored zone.
    pub fn load(&self, stored: ZoneRef, zone: &mut [Bound]) {
        match stored.width() {
            Width::Byte => narrow::unpack(self.bytes.get(stored.slot()), zone),
            Width::Short => narrow::unpack(self.shorts.get(stored.slot()), zone),
            Width::Word => zone.copy_from_slice(self.words.get(stored.slot())),
        }
    }

    /// Whether a stored zone makes the new one superfluous.
    #[inline]
    pub fn covers_new(&self, stored: ZoneRef, new: &New<'_>) -> bool {
        match (new.inclusion, stored.width()) {
            (Inclusion::None, width) => width == self.width && self.same(stored, new),
            (Inclusion::Zone, Width::Byte) if self.width == Width::Byte => {
                narrow::includes(self.bytes.get(stored.slot()), &self.byte)
            }
            (Inclusion::Zone, Width::Short) if self.width == Width::Short => {
                narrow::includes(self.shorts.get(stored.slot()), &self.short)
            }
            (Inclusion::Zone, Width::Byte) => {
                narrow::includes_wide(self.bytes.get(stored.slot()), new.zone)
            }
            (Inclusion::Zone, Width::Short) => {
                narrow::includes_wide(self.shorts.get(stored.slot()), new.zone)
            }
            (Inclusion::Zone, Width::Word) => {
                zone::includes(self.words.get(stored.slot()), new.zone)
            }
            (Inclusion::Alu, Width::Byte) => self.alu(self.bytes.get(stored.slot()), new),
            (Inclusion::Alu, Width::Short) => self.alu(self.shorts.get(stored.slot()), new),
            (Inclusion::Alu, Width::Word) => self.alu(self.words.get(stored.slot()), new),
        }
    }

    /// Whether the new zone makes a stored one superfluous.
    #[inline]
    pub fn new_covers(&mut self, stored: ZoneRef, new: &New<'_>) -> bool {
        match (new.inclusion, stored.width()) {
            (Inclusion::None, width) => width == self.width && self.same(stored, new),
            (Inclusion::Zone, Width::Byte) if self.width == Width::Byte => {
                narrow::includes(&self.byte, self.bytes.get(stored.slot()))
            }
            (Inclusion::Zone, Width::Short) if self.width == Width::Short => {
                narrow::includes(&self.short, self.shorts.get(stored.slot()))
            }
            (inclusion, _) => {
                let mut wide = std::mem::take(&mut self.wide);
                self.load(stored, &mut wide);
                let covers = match inclusion {
                    Inclusion::Alu => {
                        let New {
                            zone, lower, upper, ..
                        } = *new;
                        zone::included_in_alu(&wide, zone, self.n, lower, upper)
                    }
                    _ => zone::includes(new.zone, &wide),
                };
                self.wide = wide;
                covers
            }
        }
    }

    fn same(&self, stored: ZoneRef, new: &New<'_>) -> bool {
        match self.width {
            Width::Byte => self.bytes.get(stored.slot()) == self.byte,
            Width::Short => self.shorts.get(stored.slot()) == self.short,
            Width::Word => self.words.get(stored.slot()) == new.zone,
        }
    }

    fn alu<T: narrow::Narrow>(&self, stored: &[T], new: &New<'_>) -> bool {
        narrow::included_in_alu(new.zone, stored, self.n, new.lower, new.upper)
    }

    /// The entry of a stored zone that bounds a clock from below.
    pub fn lower(&self, stored: ZoneRef, row: usize) -> Bound {
        use narrow::Narrow;
        match stored.width() {
            Width::Byte => self.bytes.get(stored.slot())[row].widen(),
            Width::Short => self.shorts.get(stored.slot())[row].widen(),
            Width::Word => self.words.get(stored.slot())[row],
        }
    }

    pub fn memory(&self) -> usize {
        self.bytes.bytes() + self.shorts.bytes() + self.words.bytes()
    }
}

/// The new zone, and how it is to be compared.
#[derive(Clone, Copy)]
pub(super) struct New<'a> {
    pub inclusion: Inclusion,
    pub zone: &'a [Bound],
    pub lower: &'a [i32],
    pub upper: &'a [i32],
}
