//! States on their way to the thread that owns their discrete part, many at once in flat arrays.
//!
//! They travel as stores keep them: the packed key, and the rows of the zone that matter in as few bytes as they need.
//! What is read by the other processor has to come from this one's cache, line by line, which for whole states took
//! longer than to store them.

use merkhet_semantics::{EdgeIndex, Successor};
use merkhet_zones::bound::Bound;

use super::links::GlobalId;
use crate::store::{Entries, Packed, PackedZone, Signature, Size, StateId, Store};

/// What is known of one state besides what is in arrays.
#[derive(Clone, Copy)]
pub(super) struct Head {
    /// The parent, a state of the sender, or [`NO_PARENT`].
    pub parent: u32,
    pub depth: u32,
    /// The number of its zone's entries, in the array of their width.
    pub entries: u32,
    /// The number of its edges.
    pub edges: u16,
    pub width: Width,
}

const NO_PARENT: u32 = u32::MAX;

/// In which array the entries of a zone are.
#[derive(Clone, Copy)]
pub(super) enum Width {
    Byte,
    Short,
    Word,
}

/// Some states, found by one thread and owned by another.
#[derive(Default)]
pub(super) struct Batch {
    /// Who found them.
    pub from: u16,
    /// The bytes that it took on its way, where it came from another process.
    pub weight: usize,
    pub heads: Vec<Head>,
    pub edges: Vec<EdgeIndex>,
    pub meta: Vec<i32>,
    /// The packed keys.
    pub keys: Vec<u64>,
    /// The rows of their zones, as bits.
    pub masks: Vec<u64>,
    /// Of zones with more than one entry; all others are the same.
    pub signs: Vec<(Signature, Size)>,
    pub bytes: Vec<i8>,
    pub shorts: Vec<i16>,
    pub words: Vec<Bound>,
}

/// A state out of a batch.
pub(super) struct Arrival<'a> {
    pub key: &'a [u64],
    pub packed: Packed<'a>,
    pub parent: Option<GlobalId>,
    pub depth: u32,
}

impl Batch {
    /// An empty one of this sender.
    pub fn of(sender: usize) -> Batch {
        Batch {
            from: sender as u16,
            ..Batch::default()
        }
    }

    /// Adds a state, whose key the sender's store has packed last.
    pub fn push(
        &mut self,
        store: &mut Store,
        successor: &Successor<'_>,
        parent: Option<StateId>,
        depth: u32,
    ) {
        self.keys.extend_from_slice(store.prepared_words());
        self.edges.extend_from_slice(successor.edges);
        let meta = &successor.state.memory[store.key_cells()..];
        self.meta.extend_from_slice(meta);
        let zone = store.pack_zone(successor);
        self.masks.extend_from_slice(zone.mask);
        let (width, entries) = match zone.entries {
            Entries::Bytes(entries) => {
                self.bytes.extend_from_slice(entries);
                (Width::Byte, entries.len())
            }
            Entries::Shorts(entries) => {
                self.shorts.extend_from_slice(entries);
                (Width::Short, entries.len())
            }
            Entries::Words(entries) => {
                self.words.extend_from_slice(entries);
                (Width::Word, entries.len())
            }
        };
        if entries > 1 {
            self.signs.push((zone.signature, zone.size));
        }
        self.heads.push(Head {
            parent: parent.map_or(NO_PARENT, |parent| parent.0),
            depth,
            entries: entries as u32,
            edges: successor.edges.len() as u16,
            width,
        });
    }

    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Its states, in the order in which they were found. `single` is the signature and size of a zone with one entry.
    pub fn states(&self, single: (Signature, Size)) -> impl Iterator<Item = Arrival<'_>> {
        let count = self.len().max(1);
        let (key, meta) = (self.keys.len() / count, self.meta.len() / count);
        let mask = self.masks.len() / count;
        let mut rest = Rest {
            edges: &self.edges,
            keys: &self.keys,
            masks: &self.masks,
            meta: &self.meta,
            signs: &self.signs,
            bytes: &self.bytes,
            shorts: &self.shorts,
            words: &self.words,
        };
        self.heads.iter().map(move |head| {
            let entries = head.entries as usize;
            let (signature, size) = match entries {
                1 => single,
                _ => take(&mut rest.signs, 1)[0],
            };
            Arrival {
                key: take(&mut rest.keys, key),
                packed: Packed {
                    edges: take(&mut rest.edges, head.edges.into()),
                    meta: take(&mut rest.meta, meta),
                    zone: PackedZone {
                        mask: take(&mut rest.masks, mask),
                        entries: match head.width {
                            Width::Byte => Entries::Bytes(take(&mut rest.bytes, entries)),
                            Width::Short => Entries::Shorts(take(&mut rest.shorts, entries)),
                            Width::Word => Entries::Words(take(&mut rest.words, entries)),
                        },
                        signature,
                        size,
                    },
                    lower: &[],
                    upper: &[],
                },
                parent: (head.parent != NO_PARENT)
                    .then(|| GlobalId::new(self.from.into(), StateId(head.parent))),
                depth: head.depth,
            }
        })
    }

    /// Makes it empty; the memory is kept for the next.
    pub fn clear(&mut self) {
        self.heads.clear();
        self.edges.clear();
        self.meta.clear();
        self.keys.clear();
        self.masks.clear();
        self.signs.clear();
        self.bytes.clear();
        self.shorts.clear();
        self.words.clear();
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.heads)
            + size_of_val(&*self.edges)
            + size_of_val(&*self.meta)
            + size_of_val(&*self.keys)
            + size_of_val(&*self.masks)
            + size_of_val(&*self.signs)
            + size_of_val(&*self.bytes)
            + size_of_val(&*self.shorts)
            + size_of_val(&*self.words)
    }
}

/// What has not been handed on yet.
struct Rest<'a> {
    edges: &'a [EdgeIndex],
    keys: &'a [u64],
    masks: &'a [u64],
    meta: &'a [i32],
    signs: &'a [(Signature, Size)],
    bytes: &'a [i8],
    shorts: &'a [i16],
    words: &'a [Bound],
}

/// Takes the first elements off.
#[inline]
fn take<'a, T>(rest: &mut &'a [T], count: usize) -> &'a [T] {
    let (first, others) = rest.split_at(count);
    *rest = others;
    first
}
