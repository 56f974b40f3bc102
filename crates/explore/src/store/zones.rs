//! The zones of a store: the rows that matter, in as few bytes for each entry as it needs.

use merkhet_semantics::Successor;
use merkhet_zones::bound::{Bound, LE_ZERO, NO_BOUND};
use merkhet_zones::zone::subset::Subset;
use merkhet_zones::zone::{self, narrow};

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

/// How zones are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    Equality,
    Inclusion,
    /// With respect to the bounds of the clocks at the discrete part.
    Simulation,
}

/// A matrix in each width; those that it does not fit mean nothing.
struct Entered {
    byte: Vec<i8>,
    short: Vec<i16>,
    word: Vec<Bound>,
}

impl Entered {
    fn new(size: usize) -> Entered {
        Entered {
            byte: vec![0; size],
            short: vec![0; size],
            word: vec![0; size + Subset::PADDING],
        }
    }
}

/// The zones of a store, and the one that is being inserted.
pub(super) struct Zones {
    n: usize,
    by: By,
    /// By the number of stored rows, less one.
    arenas: Vec<Arenas>,
    signer: Signer,
    /// The width of the new zone.
    width: Width,
    size: Size,
    new: Entered,
    /// Its core ([`zone::alu_core`]) in the same width, where zones are compared by simulation: what includes that simulates it.
    core: Entered,
    /// The bounds of the stored rows at the new zone's locations, where zones are compared by simulation.
    lower: Vec<i32>,
    upper: Vec<i32>,
    /// A stored zone that is compared with the new one.
    other: Vec<Bound>,
}

impl Zones {
    pub fn new(dimension: usize, largest: i32, by: By) -> Zones {
        let size = dimension * dimension;
        Zones {
            n: dimension,
            by,
            arenas: (1..=dimension).map(Arenas::new).collect(),
            signer: Signer::new(dimension, largest),
            width: Width::Word,
            size: Size::default(),
            new: Entered::new(size),
            core: Entered::new(size),
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
        let word = &mut self.new.word[..k * k];
        match packed.zone.entries {
            Entries::Bytes(entries) => {
                self.width = Width::Byte;
                self.new.byte[..k * k].copy_from_slice(entries);
                narrow::unpack(entries, word);
            }
            Entries::Shorts(entries) => {
                self.width = Width::Short;
                self.new.short[..k * k].copy_from_slice(entries);
                narrow::unpack(entries, word);
            }
            Entries::Words(entries) => {
                self.width = Width::Word;
                word.copy_from_slice(entries);
            }
        }
        if self.by == By::Simulation {
            shape.gather_rows(packed.lower, &mut self.lower[..k]);
            shape.gather_rows(packed.upper, &mut self.upper[..k]);
            self.make_core(k);
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
                Width::Byte => Entries::Bytes(&self.new.byte[..k * k]),
                Width::Short => Entries::Shorts(&self.new.short[..k * k]),
                Width::Word => Entries::Words(&self.new.word[..k * k]),
            },
            signature,
            size: self.size,
        }
    }

    fn pack(&mut self, shape: &Shape, successor: &Successor<'_>) -> Signature {
        let k = shape.dimension();
        if successor.reduced.is_empty() {
            shape.gather(successor.state.zone, &mut self.new.word);
        } else {
            self.new.word[..k * k].copy_from_slice(successor.reduced);
        }
        let word = &self.new.word[..k * k];
        debug_assert!(
            !successor.reduced.is_empty() || {
                let mut whole = vec![0; self.n * self.n];
                shape.spread(word, &mut whole);
                whole == successor.state.zone
            },
            "a clock without bounds is not free"
        );
        self.width = if narrow::pack(word, &mut self.new.byte[..k * k]) {
            Width::Byte
        } else if narrow::pack(word, &mut self.new.short[..k * k]) {
            Width::Short
        } else {
            Width::Word
        };
        let free = match shape.free() {
            // Rows of clocks that do not matter are there, unless they are surely free.
            0 => without_bounds(successor),
            free => free,
        };
        if self.by == By::Simulation {
            self.size = self.signer.size(word, k, free);
            self.enter_core(shape, successor);
            return self.signer.sign(&self.core.word[..k * k], k, 0).0;
        }
        let (signature, size) = self.signer.sign(word, k, free);
        self.size = size;
        signature
    }

    /// Works out the core of the new zone.
    pub fn enter_core(&mut self, shape: &Shape, successor: &Successor<'_>) {
        let k = shape.dimension();
        shape.gather_rows(successor.lower, &mut self.lower[..k]);
        shape.gather_rows(successor.upper, &mut self.upper[..k]);
        self.make_core(k);
    }

    /// Works out the core of the new zone, of `k` rows, with the bounds that are at hand.
    fn make_core(&mut self, k: usize) {
        let size = k * k;
        let core = &mut self.core.word[..size];
        zone::alu_core(
            &self.new.word[..size],
            k,
            &self.lower[..k],
            &self.upper[..k],
            core,
        );
        match self.width {
            Width::Byte => narrow::saturate(core, &mut self.core.byte[..size]),
            Width::Short => narrow::saturate(core, &mut self.core.short[..size]),
            Width::Word => {}
        }
    }

    /// The signature and size of a zone in which no clock matters.
    pub fn single_sign(&self) -> (Signature, Size) {
        self.signer.sign(&[LE_ZERO], 1, self.n - 1)
    }

    /// The new zone, where every row is stored.
    pub fn whole(&self) -> &[Bound] {
        &self.new.word[..self.n * self.n]
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
            Width::Byte => arenas.bytes.insert(&self.new.byte[..k * k]),
            Width::Short => arenas.shorts.insert(&self.new.short[..k * k]),
            Width::Word => arenas.words.insert(&self.new.word[..k * k]),
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

    /// Whether only equal zones are superfluous.
    pub fn by_equality(&self) -> bool {
        self.by == By::Equality
    }

    /// Compares zones by simulation from now on, or by inclusion.
    pub fn by_simulation(&mut self, simulation: bool) {
        self.by = match simulation {
            true => By::Simulation,
            false => By::Inclusion,
        };
    }

    /// The signature of a stored zone, at a discrete part with these bounds.
    pub fn sign(
        &mut self,
        shape: &Shape,
        stored: ZoneRef,
        lower: &[i32],
        upper: &[i32],
    ) -> Signature {
        let k = shape.dimension();
        let mut other = std::mem::take(&mut self.other);
        self.load_reduced(shape, stored, &mut other);
        let mut signed = &other;
        if self.by == By::Simulation {
            shape.gather_rows(lower, &mut self.lower[..k]);
            shape.gather_rows(upper, &mut self.upper[..k]);
            let (lower, upper) = (&self.lower[..k], &self.upper[..k]);
            let core = &mut self.core.word;
            zone::alu_core(&other[..k * k], k, lower, upper, &mut core[..k * k]);
            signed = &self.core.word;
        }
        let (signature, _) = self.signer.sign(&signed[..k * k], k, 0);
        self.other = other;
        signature
    }

    /// Whether a stored zone of the new one's shape makes the new one superfluous.
    #[inline]
    pub fn covers_new(&self, shape: &Shape, stored: ZoneRef) -> bool {
        match self.by {
            By::Equality => self.same(shape, stored),
            By::Inclusion => self.includes(shape, stored, &self.new),
            By::Simulation => self.includes(shape, stored, &self.core),
        }
    }

    /// Whether a stored zone includes the new one.
    pub fn includes_new(&self, shape: &Shape, stored: ZoneRef) -> bool {
        self.includes(shape, stored, &self.new)
    }

    /// Whether a stored zone simulates the new one, whose core has been worked out.
    pub fn simulates_new(&self, shape: &Shape, stored: ZoneRef) -> bool {
        self.includes(shape, stored, &self.core)
    }

    /// Whether a stored zone is nowhere less than a matrix.
    #[inline]
    fn includes(&self, shape: &Shape, stored: ZoneRef, entered: &Entered) -> bool {
        let k = shape.dimension();
        let (arenas, slot) = (&self.arenas[k - 1], stored.slot());
        let word = &entered.word[..k * k];
        match stored.width() {
            Width::Byte if self.width == Width::Byte => {
                narrow::includes(arenas.bytes.get(slot), &entered.byte[..k * k])
            }
            Width::Short if self.width == Width::Short => {
                narrow::includes(arenas.shorts.get(slot), &entered.short[..k * k])
            }
            Width::Byte => narrow::includes_wide(arenas.bytes.get(slot), word),
            Width::Short => narrow::includes_wide(arenas.shorts.get(slot), word),
            Width::Word => zone::includes(arenas.words.get(slot), word),
        }
    }

    /// Whether the new zone makes a stored one of its shape superfluous.
    #[inline]
    pub fn new_covers(&mut self, shape: &Shape, stored: ZoneRef) -> bool {
        match self.by {
            By::Equality => self.same(shape, stored),
            By::Inclusion => self.new_includes(shape, stored),
            By::Simulation => self.new_simulates(shape, stored),
        }
    }

    /// Whether the new zone includes a stored one.
    #[inline]
    pub fn new_includes(&mut self, shape: &Shape, stored: ZoneRef) -> bool {
        let k = shape.dimension();
        let (arenas, slot) = (&self.arenas[k - 1], stored.slot());
        match stored.width() {
            Width::Byte if self.width == Width::Byte => {
                narrow::includes(&self.new.byte[..k * k], arenas.bytes.get(slot))
            }
            Width::Short if self.width == Width::Short => {
                narrow::includes(&self.new.short[..k * k], arenas.shorts.get(slot))
            }
            _ => {
                let k = self.load_other(shape, stored);
                zone::includes(&self.new.word[..k * k], &self.other[..k * k])
            }
        }
    }

    /// Whether the new zone simulates a stored one.
    fn new_simulates(&mut self, shape: &Shape, stored: ZoneRef) -> bool {
        let k = self.load_other(shape, stored);
        let (lower, upper) = (&self.lower[..k], &self.upper[..k]);
        let word = &self.new.word[..k * k];
        zone::included_in_alu(&self.other[..k * k], word, k, lower, upper)
    }

    /// Unpacks a stored zone to be compared; says how many rows it has.
    fn load_other(&mut self, shape: &Shape, stored: ZoneRef) -> usize {
        let mut other = std::mem::take(&mut self.other);
        self.load_reduced(shape, stored, &mut other);
        self.other = other;
        shape.dimension()
    }

    fn same(&self, shape: &Shape, stored: ZoneRef) -> bool {
        let k = shape.dimension();
        let (arenas, slot) = (&self.arenas[k - 1], stored.slot());
        stored.width() == self.width
            && match self.width {
                Width::Byte => *arenas.bytes.get(slot) == self.new.byte[..k * k],
                Width::Short => *arenas.shorts.get(slot) == self.new.short[..k * k],
                Width::Word => *arenas.words.get(slot) == self.new.word[..k * k],
            }
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
