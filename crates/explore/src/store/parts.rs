//! The discrete parts: an exact packed key, and next to it what is asked first when a state with that key arrives.
//!
//! Key and slot lie together in memory, since a look at a state that was seen before costs what it costs to wait for
//! memory. Most discrete parts have one zone: its place and signature are in the slot itself.

use hashbrown::HashTable;

use super::arena::ZoneRef;
use super::lists::Header;
use super::signature::Signature;

/// What is known of a discrete part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// Its list of nodes; with [`Header::is_single`], the number of the only one.
    pub header: Header,
    /// The signature of the only node's zone.
    pub signature: Signature,
    /// The only node's zone.
    pub zone: ZoneRef,
    /// The shape of its zones.
    pub shape: u32,
}

/// The words that a slot takes.
const SLOT: usize = 3;

impl Slot {
    pub fn new(shape: u32) -> Slot {
        Slot {
            header: Header::EMPTY,
            signature: 0,
            zone: ZoneRef::NONE,
            shape,
        }
    }

    fn read(words: &[u64]) -> Slot {
        Slot {
            header: Header::from_bits(words[0]),
            signature: words[1],
            zone: ZoneRef::from_bits(words[2] as u32),
            shape: (words[2] >> 32) as u32,
        }
    }

    fn write(self, words: &mut [u64]) {
        words[0] = self.header.to_bits();
        words[1] = self.signature;
        words[2] = u64::from(self.zone.to_bits()) | u64::from(self.shape) << 32;
    }
}

/// All discrete parts.
pub(super) struct Parts {
    /// Words of a key.
    words: usize,
    /// By part: key and slot.
    entries: Vec<u64>,
    /// Parts with the upper half of their keys' hashes, which is all that the table knows of them.
    table: HashTable<(u32, u32)>,
}

impl Parts {
    pub fn new(words: usize) -> Parts {
        Parts {
            words,
            entries: Vec::new(),
            table: HashTable::new(),
        }
    }

    /// The part with a key.
    #[inline]
    pub fn find(&self, key_hash: u64, key: &[u64]) -> Option<u32> {
        let upper = (key_hash >> 32) as u32;
        let same = |(hash, part): &(u32, u32)| {
            // Keys have a word or two: a call to compare them would cost more than that.
            *hash == upper
                && self
                    .key(*part)
                    .iter()
                    .zip(key)
                    .all(|(one, other)| one == other)
        };
        self.table.find(spread(upper), same).map(|(_, part)| *part)
    }

    /// Adds a part that is not there.
    pub fn add(&mut self, key_hash: u64, key: &[u64], slot: Slot) -> u32 {
        let part = self.add_unlisted(key, slot);
        let upper = (key_hash >> 32) as u32;
        let rehash = |(hash, _): &(u32, u32)| spread(*hash);
        self.table
            .insert_unique(spread(upper), (upper, part), rehash);
        part
    }

    /// Adds a part that is never looked for.
    pub fn add_unlisted(&mut self, key: &[u64], slot: Slot) -> u32 {
        let part = (self.entries.len() / self.stride()) as u32;
        self.entries.extend_from_slice(key);
        self.entries.extend_from_slice(&[0; SLOT]);
        self.set_slot(part, slot);
        part
    }

    #[inline]
    fn stride(&self) -> usize {
        self.words + SLOT
    }

    #[inline]
    pub fn key(&self, part: u32) -> &[u64] {
        &self.entries[part as usize * self.stride()..][..self.words]
    }

    /// Gives a part that is never looked for another key.
    pub fn set_key(&mut self, part: u32, key: &[u64]) {
        let start = part as usize * self.stride();
        self.entries[start..start + self.words].copy_from_slice(key);
    }

    #[inline]
    pub fn slot(&self, part: u32) -> Slot {
        Slot::read(&self.entries[part as usize * self.stride() + self.words..][..SLOT])
    }

    #[inline]
    pub fn set_slot(&mut self, part: u32, slot: Slot) {
        let start = part as usize * self.stride() + self.words;
        slot.write(&mut self.entries[start..start + SLOT]);
    }

    /// The number of parts that can be found.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    pub fn bytes(&self) -> usize {
        self.table.allocation_size() + self.entries.len() * size_of::<u64>()
    }
}

/// Half a hash, spread over a whole one: the table takes bits from both ends.
#[inline]
fn spread(half: u32) -> u64 {
    u64::from(half).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
