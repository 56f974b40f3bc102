//! The zones of a store: the rows that matter, in as few bytes for each entry as it needs.

use merkhet_semantics::Successor;
use merkhet_zones::bound::{Bound, LE_ZERO, NO_BOUND};
use merkhet_zones::zone::subset::Subset;
use merkhet_zones::zone::{self, narrow};

use super::Inclusion;
use super::arena::{Arena, Width, ZoneRef};
use super::offer::{Entries, Offer, Packed, PackedZone};
use super::shapes::Shape;
use super::signature::{Signature, Signer, Size};

/// Zones of one dimension.
struct Arenas {
    bytes: Arena<i8>,
    shorts: Arena<i16>,
    words: Arena<i32>,
}

impl Arenas {
    fn new(dimension: usize) -> Arenas {
        let size = dimension * dimension;
        Arenas {
            bytes: Arena::new(size),
            shorts: Arena::new(size),
            words: Arena::new(size),
        }
    }
}

/// The zones of a store, and the one that is being inserted.
pub(super) struct Zones {
    n: usize,
    inclusion: Inclusion,
    /// By the number of stored rows, less one.
    arenas: Vec<Arenas>,
    signer: Signer,
    /// The new zone in its width.
    width: Width,
    size: Size,
    byte: Vec<i8>,
    short: Vec<i16>,
    word: Vec<Bound>,
    /// The bounds of the stored rows at the new zone's locations, where zones are compared by simulation.
    lower: Vec<i32>,
    upper: Vec<i32>,
    /// A stored zone that is compared with the new one.
    other: Vec<Bound>,
}

impl Zones {
    pub fn new(dimension: usize, largest: i32, inclusion: Inclusion) -> Zones {
        let size = dimension * dimension;
        Zones {
            n: dimension,
            inclusion,
            arenas: (1..=dimension).map(Arenas::new).collect(),
            signer: Signer::new(dimension, largest),
            width: Width::Word,
            size: Size::default(),
            byte: vec![0; size],
            short: vec![0; size],
            word: vec![0; size + Subset::PADDING],
            lower: vec![0; dimension],
            upper: vec![0; dimension],
            other: vec![0; size],
        }
    }

    /// Makes the zone of an offered state the new one; returns its signature.
    #[inline]
    pub fn prepare(&mut self, shape: &Shape, offer: Offer<'_>) -> Signature {
        match offer {
            Offer::Found(successor) => self.pack(shape, successor),
            Offer::Packed(packed) => self.unpack(shape, packed),
        }
    }

    /// Takes over what another store has packed.
    fn unpack(&mut self, shape: &Shape, packed: &Packed<'_>) -> Signature {
        let k = shape.dimension();
        let word = &mut self.word[..k * k];
        match packed.zone.entries {
            Entries::Bytes(entries) => {
                self.width = Width::Byte;
                self.byte[..k * k].copy_from_slice(entries);
                narrow::unpack(entries, word);
            }
            Entries::Shorts(entries) => {
                self.width = Width::Short;
                self.short[..k * k].copy_from_slice(entries);
                narrow::unpack(entries, word);
            }
            Entries::Words(entries) => {
                self.width = Width::Word;
                word.copy_from_slice(entries);
            }
        }
        if self.inclusion == Inclusion::Alu {
            shape.gather_rows(packed.lower, &mut self.lower[..k]);
            shape.gather_rows(packed.upper, &mut self.upper[..k]);
        }
        self.size = packed.zone.size;
        packed.zone.signature
    }

    /// The new zone with this signature, for another store.
    pub fn packed<'a>(&'a self, shape: &'a Shape, signature: Signature) -> PackedZone<'a> {
        let k = shape.dimension();
        PackedZone {
            mask: shape.mask(),
            entries: match self.width {
                Width::Byte => Entries::Bytes(&self.byte[..k * k]),
                Width::Short => Entries::Shorts(&self.short[..k * k]),
                Width::Word => Entries::Words(&self.word[..k * k]),
            },
            signature,
            size: self.size,
        }
    }

    fn pack(&mut self, shape: &Shape, successor: &Successor<'_>) -> Signature {
        let k = shape.dimension();
        if successor.reduced.is_empty() {
            shape.gather(successor.state.zone, &mut self.word);
        } else {
            self.word[..k * k].copy_from_slice(successor.reduced);
        }
        let word = &self.word[..k * k];
        debug_assert!(
            !successor.reduced.is_empty() || {
                let mut whole = vec![0; self.n * self.n];
                shape.spread(word, &mut whole);
                whole == successor.state.zone
            },
            "a clock without bounds is not free"
        );
        self.width = if narrow::pack(word, &mut self.byte[..k * k]) {
            Width::Byte
        } else if narrow::pack(word, &mut self.short[..k * k]) {
            Width::Short
        } else {
            Width::Word
        };
        if self.inclusion == Inclusion::Alu {
            shape.gather_rows(successor.lower, &mut self.lower[..k]);
            shape.gather_rows(successor.upper, &mut self.upper[..k]);
        }
        let free = match shape.free() {
            // Rows of clocks that do not matter are there, unless they are surely free.
            0 => without_bounds(successor),
            free => free,
        };
        let (signature, size) = self.signer.sign(word, k, free);
        self.size = size;
        signature
    }

    /// The signature and size of a zone in which no clock matters.
    pub fn single_sign(&self) -> (Signature, Size) {
        self.signer.sign(&[LE_ZERO], 1, self.n - 1)
    }

    /// The new zone, where every row is stored.
    pub fn whole(&self) -> &[Bound] {
        &self.word[..self.n * self.n]
    }

    /// How large the new zone is.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Stores the new zone.
    pub fn insert(&mut self, shape: &Shape) -> ZoneRef {
        let k = shape.dimension();
        let arenas = &mut self.arenas[k - 1];
        let slot = match self.width {
            Width::Byte => arenas.bytes.insert(&self.byte[..k * k]),
            Width::Short => arenas.shorts.insert(&self.short[..k * k]),
            Width::Word => arenas.words.insert(&self.word[..k * k]),
        };
        debug_assert!(slot < ZoneRef::SLOT);
        ZoneRef::new(self.width, slot)
    }

    pub fn remove(&mut self, shape: &Shape, zone: ZoneRef) {
        let arenas = &mut self.arenas[shape.dimension() - 1];
        match zone.width() {
            Width::Byte => arenas.bytes.remove(zone.slot()),
            Width::Short => arenas.shorts.remove(zone.slot()),
            Width::Word => arenas.words.remove(zone.slot()),
        }
    }

    /// Copies a stored zone, with all rows.
    pub fn load(&self, shape: &Shape, stored: ZoneRef, zone: &mut [Bound]) {
        let (arenas, slot) = (&self.arenas[shape.dimension() - 1], stored.slot());
        match stored.width() {
            Width::Byte => shape.spread(arenas.bytes.get(slot), zone),
            Width::Short => shape.spread(arenas.shorts.get(slot), zone),
            Width::Word => shape.spread(arenas.words.get(slot), zone),
        }
    }

    /// Copies a stored zone, with the stored rows alone; says how many entries it has.
    #[inline]
    pub fn load_reduced(&self, shape: &Shape, stored: ZoneRef, zone: &mut [Bound]) -> usize {
        let (k, slot) = (shape.dimension(), stored.slot());
        let (arenas, zone) = (&self.arenas[k - 1], &mut zone[..k * k]);
        match stored.width() {
            Width::Byte => narrow::unpack(arenas.bytes.get(slot), zone),
            Width::Short => narrow::unpack(arenas.shorts.get(slot), zone),
            Width::Word => zone.copy_from_slice(arenas.words.get(slot)),
        }
        k * k
    }

    /// Whether a stored zone of the new one's shape makes the new one superfluous.
    #[inline]
    pub fn covers_new(&self, shape: &Shape, stored: ZoneRef) -> bool {
        let k = shape.dimension();
        let (arenas, slot) = (&self.arenas[k - 1], stored.slot());
        let word = &self.word[..k * k];
        match (self.inclusion, stored.width()) {
            (Inclusion::None, _) => self.same(shape, stored),
            (Inclusion::Zone, Width::Byte) if self.width == Width::Byte => {
                narrow::includes(arenas.bytes.get(slot), &self.byte[..k * k])
            }
            (Inclusion::Zone, Width::Short) if self.width == Width::Short => {
                narrow::includes(arenas.shorts.get(slot), &self.short[..k * k])
            }
            (Inclusion::Zone, Width::Byte) => narrow::includes_wide(arenas.bytes.get(slot), word),
            (Inclusion::Zone, Width::Short) => narrow::includes_wide(arenas.shorts.get(slot), word),
            (Inclusion::Zone, Width::Word) => zone::includes(arenas.words.get(slot), word),
            (Inclusion::Alu, Width::Byte) => self.simulates(k, arenas.bytes.get(slot)),
            (Inclusion::Alu, Width::Short) => self.simulates(k, arenas.shorts.get(slot)),
            (Inclusion::Alu, Width::Word) => self.simulates(k, arenas.words.get(slot)),
        }
    }

    /// Whether the new zone makes a stored one of its shape superfluous.
    #[inline]
    pub fn new_covers(&mut self, shape: &Shape, stored: ZoneRef) -> bool {
        let k = shape.dimension();
        let (arenas, slot) = (&self.arenas[k - 1], stored.slot());
        match (self.inclusion, stored.width()) {
            (Inclusion::None, _) => self.same(shape, stored),
            (Inclusion::Zone, Width::Byte) if self.width == Width::Byte => {
                narrow::includes(&self.byte[..k * k], arenas.bytes.get(slot))
            }
            (Inclusion::Zone, Width::Short) if self.width == Width::Short => {
                narrow::includes(&self.short[..k * k], arenas.shorts.get(slot))
            }
            (inclusion, width) => {
                let other = &mut self.other[..k * k];
                match width {
                    Width::Byte => narrow::unpack(arenas.bytes.get(slot), other),
                    Width::Short => narrow::unpack(arenas.shorts.get(slot), other),
                    Width::Word => other.copy_from_slice(arenas.words.get(slot)),
                }
                let word = &self.word[..k * k];
                match inclusion {
                    Inclusion::Alu => {
                        let (lower, upper) = (&self.lower[..k], &self.upper[..k]);
                        zone::included_in_alu(other, word, k, lower, upper)
                    }
                    _ => zone::includes(word, other),
                }
            }
        }
    }

    fn same(&self, shape: &Shape, stored: ZoneRef) -> bool {
        let k = shape.dimension();
        let (arenas, slot) = (&self.arenas[k - 1], stored.slot());
        stored.width() == self.width
            && match self.width {
                Width::Byte => *arenas.bytes.get(slot) == self.byte[..k * k],
                Width::Short => *arenas.shorts.get(slot) == self.short[..k * k],
                Width::Word => *arenas.words.get(slot) == self.word[..k * k],
            }
    }

    fn simulates<T: narrow::Narrow>(&self, k: usize, stored: &[T]) -> bool {
        let (lower, upper) = (&self.lower[..k], &self.upper[..k]);
        narrow::included_in_alu(&self.word[..k * k], stored, k, lower, upper)
    }

    /// The entry of a stored zone that bounds a clock from below.
    pub fn lower(&self, shape: &Shape, stored: ZoneRef, row: usize) -> Bound {
        use narrow::Narrow;
        let Some(row) = shape.position(row) else {
            return LE_ZERO;
        };
        let (arenas, slot) = (&self.arenas[shape.dimension() - 1], stored.slot());
        match stored.width() {
            Width::Byte => arenas.bytes.get(slot)[row].widen(),
            Width::Short => arenas.shorts.get(slot)[row].widen(),
            Width::Word => arenas.words.get(slot)[row],
        }
    }

    pub fn bytes(&self) -> usize {
        let bytes = |a: &Arenas| a.bytes.bytes() + a.shorts.bytes() + a.words.bytes();
        self.arenas.iter().map(bytes).sum()
    }
}

/// The number of clocks that do not matter to a successor.
fn without_bounds(successor: &Successor<'_>) -> usize {
    let bounds = successor.lower.iter().zip(successor.upper).skip(1);
    bounds
        .filter(|(lower, upper)| **lower == NO_BOUND && **upper == NO_BOUND)
        .count()
}
