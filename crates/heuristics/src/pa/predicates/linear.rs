//! Linear forms over slots: `2·i − j + 3`.

use crate::pa::slots::Slots;

/// Forms with more terms are not followed.
const MOST_TERMS: usize = 6;
/// Nor with larger coefficients or constants: sums of such products stay far within 64 bits.
const LARGEST: i64 = 1 << 33;

/// Σ coefficient · slot + constant. The terms are sorted by slot and have coefficients other than 0.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Linear {
    /// Slot and coefficient.
    pub terms: Vec<(u32, i64)>,
    /// The number added.
    pub constant: i64,
}

impl Linear {
    /// A number.
    pub fn number(constant: i64) -> Linear {
        Linear {
            terms: Vec::new(),
            constant,
        }
    }

    /// A slot.
    pub fn slot(slot: u32) -> Linear {
        Linear {
            terms: vec![(slot, 1)],
            constant: 0,
        }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + factor · other`; `None` if it becomes too large.
    pub fn plus(&self, other: &Linear, factor: i64) -> Option<Linear> {
        let mut terms = self.terms.clone();
        for (slot, coefficient) in &other.terms {
            let by = coefficient.checked_mul(factor)?;
            match terms.binary_search_by_key(slot, |(slot, _)| *slot) {
                Ok(at) => terms[at].1 += by,
                Err(at) => terms.insert(at, (*slot, by)),
            }
        }
        terms.retain(|(_, coefficient)| *coefficient != 0);
        let constant = (self.constant).checked_add(other.constant.checked_mul(factor)?)?;
        let fits = terms.len() <= MOST_TERMS
            && constant.abs() <= LARGEST
            && terms
                .iter()
                .all(|(_, coefficient)| coefficient.abs() <= LARGEST);
        fits.then_some(Linear { terms, constant })
    }

    /// The form with another one in the place of each slot: `with` gives `None` where nothing is known.
    pub fn substitute(&self, mut with: impl FnMut(u32) -> Option<Linear>) -> Option<Linear> {
        let mut result = Linear::number(self.constant);
        for (slot, coefficient) in &self.terms {
            result = result.plus(&with(*slot)?, *coefficient)?;
        }
        Some(result)
    }

    /// Its smallest and largest value within the ranges of the slots.
    pub fn bounds(&self, slots: &Slots) -> (i64, i64) {
        let (mut low, mut high) = (self.constant, self.constant);
        for (slot, coefficient) in &self.terms {
            let (least, most) = slots.range(*slot);
            let ends = [coefficient * least, coefficient * most];
            low += ends[0].min(ends[1]);
            high += ends[0].max(ends[1]);
        }
        (low, high)
    }

    /// Whether all its values fit in 32 bits, so that the machine's arithmetic is exact.
    pub fn is_exact(&self, slots: &Slots) -> bool {
        let (low, high) = self.bounds(slots);
        low >= i32::MIN.into() && high <= i32::MAX.into()
    }
}
