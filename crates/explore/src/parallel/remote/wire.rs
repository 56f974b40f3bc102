//! States as bytes: in columns, each number as the difference from the one before, in as few bytes as it needs.
//!
//! The states of a batch have much in common, as most are successors of states that were expanded one after the other. So keys
//! are written as what differs from the one before, byte by byte, with a bit for each byte that does.

use crate::parallel::batch::{Batch, Head, Width};

/// Appends a number in groups of seven bits.
pub fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a number that may be negative.
pub fn put_signed(out: &mut Vec<u8>, number: i64) {
    put(out, ((number << 1) ^ (number >> 63)) as u64);
}

/// Reads what was written; `None` where there is no more or too much of it.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn get(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let (first, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(first & 0x7f) << shift;
            if first & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub fn signed(&mut self) -> Option<i64> {
        let number = self.get()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    pub fn small<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.get()?).ok()
    }

    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (first, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(first)
    }

    /// A number of things of which each takes at least this many bits of what is left.
    fn count(&mut self, bits: usize) -> Option<usize> {
        let count: usize = self.small()?;
        (count.checked_mul(bits)? <= self.0.len().checked_mul(8)?).then_some(count)
    }
}

impl Batch {
    /// Writes it down behind what is there.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let count = self.heads.len();
        put(out, self.from.into());
        put(out, count as u64);
        for column in [self.keys.len(), self.masks.len(), self.meta.len()] {
            put(out, (column / count.max(1)) as u64);
        }
        let (mut parent, mut depth) = (0, 0);
        for head in &self.heads {
            let width = match head.width {
                Width::Byte => 0,
                Width::Short => 1,
                Width::Word => 2,
            };
            put(out, u64::from(head.entries) << 2 | width);
            put(out, head.edges.into());
            put_signed(out, i64::from(head.parent) - parent);
            put_signed(out, i64::from(head.depth) - depth);
            (parent, depth) = (head.parent.into(), head.depth.into());
        }
        let mut before = 0;
        for edge in &self.edges {
            put_signed(out, i64::from(edge.0) - before);
            before = edge.0.into();
        }
        for number in &self.meta {
            put_signed(out, (*number).into());
        }
        put_words(out, &self.keys, self.keys.len() / count.max(1));
        put_words(out, &self.masks, self.masks.len() / count.max(1));
        for (signature, size) in &self.signs {
            out.extend_from_slice(&signature.to_le_bytes());
            put(out, size.free.into());
            put(out, size.lower.into());
        }
        out.extend(self.bytes.iter().map(|entry| *entry as u8));
        out.extend(self.shorts.iter().flat_map(|entry| entry.to_le_bytes()));
        out.extend(self.words.iter().flat_map(|entry| entry.to_le_bytes()));
    }

    /// Reads what [`Batch::encode`] wrote into an empty batch. Nothing where the bytes are not what it writes.
    pub fn decode(&mut self, bytes: &[u8]) -> Option<()> {
        self.weight = bytes.len();
        let mut input = Reader(bytes);
        self.from = input.small()?;
        // A head takes four bytes at least.
        let count = input.count(32)?;
        let mut column = || input.small::<u16>().map(usize::from);
        let (key, mask, meta) = (column()?, column()?, column()?);
        let (mut parent, mut depth) = (0i64, 0i64);
        let (mut of_bytes, mut of_shorts, mut of_words) = (0usize, 0usize, 0usize);
        let (mut edges, mut several) = (0usize, 0usize);
        for _ in 0..count {
            let entries = input.get()?;
            let (entries, width) = (u32::try_from(entries >> 2).ok()?, entries & 3);
            let (width, total) = match width {
                0 => (Width::Byte, &mut of_bytes),
                1 => (Width::Short, &mut of_shorts),
                2 => (Width::Word, &mut of_words),
                _ => return None,
            };
            *total = total.checked_add(entries as usize)?;
            let own: u16 = input.small()?;
            edges += usize::from(own);
            parent = parent.checked_add(input.signed()?)?;
            depth = depth.checked_add(input.signed()?)?;
            several += usize::from(entries > 1);
            self.heads.push(Head {
                parent: u32::try_from(parent).ok()?,
                depth: u32::try_from(depth).ok()?,
                entries,
                edges: own,
                width,
            });
        }
        let mut before = 0i64;
        for _ in 0..edges {
            before = before.checked_add(input.signed()?)?;
            self.edges
                .push(merkhet_semantics::EdgeIndex(u32::try_from(before).ok()?));
        }
        for _ in 0..count * meta {
            self.meta.push(i32::try_from(input.signed()?).ok()?);
        }
        get_words(&mut input, &mut self.keys, count, key)?;
        get_words(&mut input, &mut self.masks, count, mask)?;
        for _ in 0..several {
            let signature = u64::from_le_bytes(input.take(8)?.try_into().ok()?);
            let size = crate::store::Size {
                free: input.small()?,
                lower: input.small()?,
            };
            self.signs.push((signature, size));
        }
        let bytes = input.take(of_bytes)?;
        self.bytes.extend(bytes.iter().map(|entry| *entry as i8));
        let shorts = input.take(of_shorts.checked_mul(2)?)?;
        let short = |entry: &[u8]| i16::from_le_bytes([entry[0], entry[1]]);
        self.shorts.extend(shorts.chunks_exact(2).map(short));
        let words = input.take(of_words.checked_mul(4)?)?;
        let word = |entry: &[u8]| i32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
        self.words.extend(words.chunks_exact(4).map(word));
        input.0.is_empty().then_some(())
    }
}

/// Words, each in a row of this length, as what differs from the row before.
fn put_words(out: &mut Vec<u8>, words: &[u64], row: usize) {
    for (index, word) in words.iter().enumerate() {
        let before = index.checked_sub(row).map_or(0, |before| words[before]);
        let bytes = (word ^ before).to_le_bytes();
        let place = out.len();
        out.push(0);
        for (bit, byte) in bytes.into_iter().enumerate() {
            if byte != 0 {
                out[place] |= 1 << bit;
                out.push(byte);
            }
        }
    }
}

fn get_words(input: &mut Reader<'_>, words: &mut Vec<u64>, count: usize, row: usize) -> Option<()> {
    let start = words.len();
    for index in 0..count.checked_mul(row)? {
        let before = index
            .checked_sub(row)
            .map_or(0, |before| words[start + before]);
        let present = input.take(1)?[0];
        let mut bytes = [0; 8];
        for (bit, byte) in bytes.iter_mut().enumerate() {
            if present >> bit & 1 != 0 {
                *byte = input.take(1)?[0];
            }
        }
        words.push(u64::from_le_bytes(bytes) ^ before);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::{Reader, put, put_signed};
    use crate::parallel::batch::{Batch, Head, Width};
    use crate::store::Size;
    use merkhet_semantics::EdgeIndex;

    fn sample() -> Batch {
        let head = |parent, entries, edges, width| Head {
            parent,
            depth: 7,
            entries,
            edges,
            width,
        };
        let mut batch = Batch::of(3);
        batch.heads = vec![
            head(4_000_000_000, 1, 1, Width::Byte),
            head(u32::MAX, 4, 2, Width::Short),
            head(0, 4, 0, Width::Word),
        ];
        batch.edges = [9, 5, 4_000_000].map(EdgeIndex).to_vec();
        batch.meta = vec![-5, i32::MIN, i32::MAX];
        batch.keys = vec![1, u64::MAX, 1, 0, 3, 1 << 63];
        batch.masks = vec![0, 5, 5];
        batch.signs = vec![(u64::MAX, Size { free: 1, lower: 9 }); 2];
        batch.bytes = vec![-1];
        batch.shorts = vec![i16::MIN, -1, 1, i16::MAX];
        batch.words = vec![i32::MIN, -1, 1, i32::MAX];
        batch
    }

    #[test]
    fn batches_come_back_and_damaged_ones_are_refused() {
        let mut bytes = Vec::new();
        sample().encode(&mut bytes);
        let mut again = Batch::default();
        again.decode(&bytes).expect("read");
        let mut second = Vec::new();
        again.encode(&mut second);
        assert_eq!(bytes, second);
        assert_eq!((again.from, again.weight, again.len()), (3, bytes.len(), 3));
        for cut in 0..bytes.len() {
            assert!(Batch::default().decode(&bytes[..cut]).is_none(), "{cut}");
        }
        // Whatever the bytes are: no panic, and no more memory than they account for.
        for at in 0..bytes.len() {
            for flip in 0..8 {
                let mut wrong = bytes.clone();
                wrong[at] ^= 1 << flip;
                let _ = Batch::default().decode(&wrong);
            }
        }
    }

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, u64::from(u32::MAX), u64::MAX] {
            let mut out = Vec::new();
            put(&mut out, number);
            put_signed(&mut out, number as i64);
            let mut reader = Reader(&out);
            assert_eq!(reader.get(), Some(number));
            assert_eq!(reader.signed(), Some(number as i64));
            assert_eq!(reader.get(), None);
        }
    }
}
