//! How deep the next walks go.

/// A sequence of depths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Depths {
    /// Each twice as deep as the one before, as in the paper: soon deep.
    Doubling,
    /// 1, 1, 2, 1, 1, 2, 4, … times the first one: every depth gets the same share of the steps, so that what lies near the
    /// start is looked for again and again (Luby, Sinclair, Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993).
    Luby,
}

impl Depths {
    /// The entry with a number, counted from 0, of a sequence that begins with `first`.
    pub(crate) fn get(self, number: u64, first: u64) -> u64 {
        let factor = match self {
            Depths::Doubling => 1u64.checked_shl(number.min(64) as u32).unwrap_or(u64::MAX),
            Depths::Luby => luby(number + 1),
        };
        first.saturating_mul(factor)
    }
}

/// The entry of the sequence with a number, counted from 1.
fn luby(mut number: u64) -> u64 {
    loop {
        let bits = u64::BITS - number.leading_zeros();
        if number == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        number -= (1 << (bits - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequences_are_those_of_the_papers() {
        let first =
            |depths: Depths| -> Vec<u64> { (0..15).map(|n| depths.get(n, 16) / 16).collect() };
        assert_eq!(
            first(Depths::Luby),
            [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
        );
        assert_eq!(first(Depths::Doubling)[..5], [1, 2, 4, 8, 16]);
        assert_eq!(Depths::Doubling.get(0, 3), 3);
        assert_eq!(Depths::Doubling.get(200, 3), u64::MAX);
    }
}
