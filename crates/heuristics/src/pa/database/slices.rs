//! Sets of literals by columns, for the two questions that a pattern database asks.
//!
//! A T/U/F vector is the set of its true and false literals. A stored vector subsumes another one if its set is a subset;
//! it is compatible with a search state if none of its literals is contradicted, that is, if it is a subset of all
//! literals that the state leaves open or affirms. So both are "which is the first stored subset of this set?", since
//! vectors are stored nearest first.
//!
//! For 512 vectors at a time, each literal has the bits of the vectors that contain it. The union over the literals that
//! are not allowed is what is ruled out; the literals that most vectors contain come first, so that a few of them mostly
//! rule out all.

/// Words of a block.
const WORDS: usize = 8;
/// Vectors of a block.
const BLOCK: usize = 64 * WORDS;
/// Literals that are looked at before asking whether anything is left.
const STRIDE: usize = 4;

type Bits = [u64; WORDS];

/// Stored sets in their order.
#[derive(Clone, Debug, Default)]
pub struct Slices {
    /// For each bit of a vector the row of its literal; literals that no vector contains have none.
    rows: Vec<u32>,
    /// For each row the number of vectors that contain it, and its bit.
    counts: Vec<(u32, u32)>,
    /// Block by block, row by row.
    blocks: Vec<Vec<Bits>>,
    len: usize,
    ruled_out: Vec<u32>,
}

/// No row.
const NONE: u32 = u32::MAX;

impl Slices {
    /// Nothing is stored; sets have `width` words.
    pub fn new(width: usize) -> Slices {
        Slices {
            rows: vec![NONE; width * 64],
            ..Slices::default()
        }
    }

    /// Stores a set, given as bits.
    pub fn push(&mut self, set: &[u64]) {
        let (word, bit) = (self.len % BLOCK / 64, self.len % 64);
        if self.len.is_multiple_of(BLOCK) {
            self.blocks.push(vec![[0; WORDS]; self.counts.len()]);
        }
        self.len += 1;
        for literal in literals(set) {
            if self.rows[literal as usize] == NONE {
                self.rows[literal as usize] = self.counts.len() as u32;
                self.counts.push((0, literal));
            }
            let row = self.rows[literal as usize] as usize;
            self.counts[row].0 += 1;
            if let Some(block) = self.blocks.last_mut() {
                if block.len() <= row {
                    block.resize(row + 1, [0; WORDS]);
                }
                block[row][word] |= 1 << bit;
            }
        }
    }

    /// The number of the first stored subset of `allowed`.
    pub fn first_subset(&mut self, allowed: &[u64]) -> Option<usize> {
        self.rule_out(allowed);
        for (number, block) in self.blocks.iter().enumerate() {
            if let Some(at) = first_free(block, &self.ruled_out)
                && number * BLOCK + at < self.len
            {
                return Some(number * BLOCK + at);
            }
        }
        None
    }

    /// Whether some stored set is a subset of `allowed`; the last ones are looked at first.
    pub fn contains_subset(&mut self, allowed: &[u64]) -> bool {
        self.rule_out(allowed);
        let blocks = self.blocks.iter().enumerate().rev();
        for (number, block) in blocks {
            if let Some(at) = first_free(block, &self.ruled_out)
                && number * BLOCK + at < self.len
            {
                return true;
            }
        }
        false
    }

    /// The rows of literals that are not allowed, those of most vectors first.
    fn rule_out(&mut self, allowed: &[u64]) {
        self.ruled_out.clear();
        for (row, (_, literal)) in self.counts.iter().enumerate() {
            let (word, bit) = (*literal as usize / 64, literal % 64);
            if allowed[word] >> bit & 1 == 0 {
                self.ruled_out.push(row as u32);
            }
        }
        let counts = &self.counts;
        let most = |row: &u32| std::cmp::Reverse(counts[*row as usize].0);
        self.ruled_out.sort_unstable_by_key(most);
    }

    /// The number of sets.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        let rows = self.blocks.last().map_or(0, Vec::len);
        self.blocks.len() * rows * size_of::<Bits>() + self.rows.len() * 4
    }
}

/// The first vector of a block that has none of the literals.
fn first_free(block: &[Bits], ruled_out: &[u32]) -> Option<usize> {
    let mut taken = [0; WORDS];
    for rows in ruled_out.chunks(STRIDE) {
        for row in rows {
            // A block may be older than the first vector with this literal.
            if let Some(bits) = block.get(*row as usize) {
                taken
                    .iter_mut()
                    .zip(bits)
                    .for_each(|(taken, bits)| *taken |= bits);
            }
        }
        if taken.iter().all(|word| *word == u64::MAX) {
            return None;
        }
    }
    let word = taken.iter().position(|word| *word != u64::MAX)?;
    Some(word * 64 + (!taken[word]).trailing_zeros() as usize)
}

/// The bits that are set.
fn literals(set: &[u64]) -> impl Iterator<Item = u32> + '_ {
    set.iter().enumerate().flat_map(|(word, bits)| {
        let mut rest = *bits;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some(word as u32 * 64 + bit)
        })
    })
}
