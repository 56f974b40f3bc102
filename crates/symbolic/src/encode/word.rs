//! Words as vectors of functions, the lowest bit first.

use super::evaluate::{Evaluator, Shape, Symbolic};
use super::leaves::Leaves;
use crate::bdd::Bdd;
use crate::limits::Stop;
use crate::system::{Arithmetic, Node, Value, Word};
use std::rc::Rc;

/// Words are taken apart into values only up to this width.
const MAX_LEAF_WIDTH: usize = 16;

impl Evaluator<'_> {
    pub(super) fn word_chain(&self, parts: &[Symbolic], and: bool) -> Result<Symbolic, Stop> {
        let mut undefined = None;
        let mut result: Option<(bool, Vec<Bdd>)> = None;
        for part in parts {
            undefined = self.either(&undefined, &part.undefined)?;
            let (signed, bits) = word(&part.shape)?;
            result = Some(match result {
                None => (signed, bits.to_vec()),
                Some((signed, so_far)) => (signed, self.bitwise(&so_far, bits, and)?),
            });
        }
        let (signed, bits) = result.ok_or_else(|| Stop::Model("an empty chain".into()))?;
        Ok(Symbolic {
            undefined,
            ..self.defined_word(signed, bits)
        })
    }

    fn bitwise(&self, a: &[Bdd], b: &[Bdd], and: bool) -> Result<Vec<Bdd>, Stop> {
        let diagrams = self.diagrams();
        let pairs = a.iter().zip(b);
        pairs
            .map(|(a, b)| {
                if and {
                    diagrams.and(a, b)
                } else {
                    diagrams.or(a, b)
                }
            })
            .collect()
    }

    pub(super) fn word_case(
        &self,
        places: &[(Bdd, Shape)],
        signed: bool,
        width: u8,
    ) -> Result<Shape, Stop> {
        let diagrams = self.diagrams();
        let mut columns: Vec<Vec<Bdd>> = vec![Vec::new(); usize::from(width)];
        for (place, shape) in places {
            let (_, bits) = word(shape)?;
            for (column, bit) in columns.iter_mut().zip(bits) {
                column.push(diagrams.and(place, bit)?);
            }
        }
        let bits: Result<Vec<Bdd>, Stop> = columns
            .into_iter()
            .map(|column| diagrams.or_all(column))
            .collect();
        Ok(Shape::Word {
            signed,
            bits: Rc::new(bits?),
        })
    }

    pub(super) fn word_leaves(&self, signed: bool, bits: &[Bdd]) -> Result<Leaves, Stop> {
        if bits.len() > MAX_LEAF_WIDTH {
            let message = format!("a word of {} bits as a number or in a set", bits.len());
            return Err(Stop::Unsupported(message));
        }
        let diagrams = self.diagrams();
        let mut leaves = vec![(0u64, diagrams.constant(true))];
        for (position, bit) in bits.iter().enumerate() {
            let mut split = Vec::with_capacity(leaves.len() * 2);
            for (code, place) in leaves {
                split.push((code, diagrams.minus(&place, bit)?));
                split.push((code | 1 << position, diagrams.and(&place, bit)?));
            }
            split.retain(|(_, place)| !diagrams.is_false(place));
            leaves = split;
        }
        let width = bits.len() as u8;
        let value = |code| Value::Word(Word::new(signed, width, code));
        Ok(Leaves::new(
            leaves
                .into_iter()
                .map(|(code, place)| (value(code), place))
                .collect(),
        ))
    }

    /// From the lowest bit up; the sign bit counts the other way round.
    pub(super) fn word_less(
        &self,
        signed: bool,
        a: &[Bdd],
        b: &[Bdd],
        or_equal: bool,
    ) -> Result<Bdd, Stop> {
        let diagrams = self.diagrams();
        let mut less = diagrams.constant(or_equal);
        for (a, b) in a.iter().zip(b) {
            let differ = diagrams.xor(a, b)?;
            less = diagrams.ite(&differ, b, &less)?;
        }
        if signed && let (Some(a), Some(b)) = (a.last(), b.last()) {
            let differ = diagrams.xor(a, b)?;
            // Where the signs differ, the negative one is less.
            less = diagrams.ite(&differ, a, &less)?;
        }
        Ok(less)
    }

    pub(super) fn word_negate(&self, part: &Symbolic) -> Result<Symbolic, Stop> {
        let (signed, bits) = word(&part.shape)?;
        let zero = vec![self.diagrams().constant(false); bits.len()];
        let bits = self.subtract(&zero, bits)?.0;
        Ok(Symbolic {
            undefined: part.undefined.clone(),
            ..self.defined_word(signed, bits)
        })
    }

    /// Sum with carry in; the carry out is dropped by most callers.
    fn add(&self, a: &[Bdd], b: &[Bdd], carry: Bdd) -> Result<(Vec<Bdd>, Bdd), Stop> {
        let diagrams = self.diagrams();
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let half = diagrams.xor(a, b)?;
            sum.push(diagrams.xor(&half, &carry)?);
            carry = diagrams.ite(&half, &carry, a)?;
        }
        Ok((sum, carry))
    }

    /// `a - b` and whether `a >= b` (unsigned).
    fn subtract(&self, a: &[Bdd], b: &[Bdd]) -> Result<(Vec<Bdd>, Bdd), Stop> {
        let flipped: Vec<Bdd> = b.iter().map(|bit| self.diagrams().not(bit)).collect();
        self.add(a, &flipped, self.diagrams().constant(true))
    }

    pub(super) fn word_arithmetic(
        &self,
        operator: Arithmetic,
        a: &Shape,
        b: &Shape,
    ) -> Result<(Shape, Option<Bdd>), Stop> {
        let diagrams = self.diagrams();
        let ((signed, a), (_, b)) = (word(a)?, word(b)?);
        let (bits, failed) = match operator {
            Arithmetic::Add => (self.add(a, b, diagrams.constant(false))?.0, None),
            Arithmetic::Subtract => (self.subtract(a, b)?.0, None),
            Arithmetic::Multiply => (self.multiply(a, b)?, None),
            Arithmetic::Divide | Arithmetic::Modulo => {
                let zero = diagrams.not(&diagrams.or_all(b.iter().cloned())?);
                let (quotient, remainder) = self.divide(signed, a, b)?;
                let divide = operator == Arithmetic::Divide;
                let failed = (!diagrams.is_false(&zero)).then_some(zero);
                (if divide { quotient } else { remainder }, failed)
            }
        };
        Ok((
            Shape::Word {
                signed,
                bits: Rc::new(bits),
            },
            failed,
        ))
    }

    fn multiply(&self, a: &[Bdd], b: &[Bdd]) -> Result<Vec<Bdd>, Stop> {
        let diagrams = self.diagrams();
        let mut product = vec![diagrams.constant(false); a.len()];
        for (shift, factor) in b.iter().enumerate() {
            let mut row = vec![diagrams.constant(false); shift];
            for bit in a.iter().take(a.len() - shift) {
                row.push(diagrams.and(bit, factor)?);
            }
            product = self.add(&product, &row, diagrams.constant(false))?.0;
        }
        Ok(product)
    }

    /// Truncating division: magnitudes by long division, then the signs.
    fn divide(&self, signed: bool, a: &[Bdd], b: &[Bdd]) -> Result<(Vec<Bdd>, Vec<Bdd>), Stop> {
        let diagrams = self.diagrams();
        let no = diagrams.constant(false);
        let sign = |bits: &[Bdd]| match bits.last() {
            Some(bit) if signed => bit.clone(),
            _ => no.clone(),
        };
        let (sign_a, sign_b) = (sign(a), sign(b));
        let (a, b) = (self.negate_if(a, &sign_a)?, self.negate_if(b, &sign_b)?);
        // One bit more, so that the remainder can be doubled.
        let mut divisor = b.clone();
        divisor.push(no.clone());
        let mut remainder = vec![no.clone(); divisor.len()];
        let mut quotient = vec![no.clone(); a.len()];
        for position in (0..a.len()).rev() {
            remainder.pop();
            remainder.insert(0, a[position].clone());
            let (difference, fits) = self.subtract(&remainder, &divisor)?;
            for (bit, reduced) in remainder.iter_mut().zip(&difference) {
                *bit = diagrams.ite(&fits, reduced, bit)?;
            }
            quotient[position] = fits;
        }
        remainder.pop();
        let negative = diagrams.xor(&sign_a, &sign_b)?;
        Ok((
            self.negate_if(&quotient, &negative)?,
            self.negate_if(&remainder, &sign_a)?,
        ))
    }

    fn negate_if(&self, bits: &[Bdd], condition: &Bdd) -> Result<Vec<Bdd>, Stop> {
        let diagrams = self.diagrams();
        let flipped: Result<Vec<Bdd>, Stop> = bits
            .iter()
            .map(|bit| diagrams.xor(bit, condition))
            .collect();
        let zero = vec![diagrams.constant(false); bits.len()];
        Ok(self.add(&flipped?, &zero, condition.clone())?.0)
    }

    pub(super) fn word_node(&self, node: &Node) -> Result<Symbolic, Stop> {
        match node {
            Node::Concatenate(a, b) => {
                let (a, b) = (self.part(*a), self.part(*b));
                let undefined = self.either(&a.undefined, &b.undefined)?;
                let mut bits = word(&b.shape)?.1.to_vec();
                bits.extend_from_slice(word(&a.shape)?.1);
                Ok(Symbolic {
                    undefined,
                    ..self.defined_word(false, bits)
                })
            }
            Node::Select(a, high, low) => {
                let part = self.part(*a);
                let bits = word(&part.shape)?.1;
                let selected = bits.get(usize::from(*low)..=usize::from(*high));
                let selected = selected.ok_or_else(|| Stop::Model("no such bits".into()))?;
                let bits = selected.to_vec();
                Ok(Symbolic {
                    undefined: part.undefined.clone(),
                    ..self.defined_word(false, bits)
                })
            }
            Node::Resize(a, width) => {
                let part = self.part(*a);
                let (signed, bits) = word(&part.shape)?;
                let fill = match bits.last() {
                    Some(sign) if signed => sign.clone(),
                    _ => self.diagrams().constant(false),
                };
                let (width, mut bits) = (usize::from(*width), bits.to_vec());
                let shorter = width < bits.len();
                bits.resize(width, fill.clone());
                // A signed word that becomes shorter keeps its sign bit.
                if let (true, true, Some(top)) = (signed, shorter, bits.last_mut()) {
                    *top = fill;
                }
                Ok(Symbolic {
                    undefined: part.undefined.clone(),
                    ..self.defined_word(signed, bits)
                })
            }
            Node::Reinterpret(a, signed) => {
                let part = self.part(*a);
                let bits = word(&part.shape)?.1.to_vec();
                Ok(Symbolic {
                    undefined: part.undefined.clone(),
                    ..self.defined_word(*signed, bits)
                })
            }
            Node::ShiftLeft(a, b) => self.shift(*a, *b, true),
            Node::ShiftRight(a, b) => self.shift(*a, *b, false),
            _ => Err(Stop::Unsupported("an expression of this form".into())),
        }
    }

    /// A shift by each possible distance, where the distance has that value. Distances outside
    /// `0..=width` have no meaning.
    fn shift(
        &self,
        a: crate::system::ExpressionId,
        b: crate::system::ExpressionId,
        left: bool,
    ) -> Result<Symbolic, Stop> {
        let diagrams = self.diagrams();
        let (a, b) = (self.part(a), self.part(b));
        let (signed, bits) = word(&a.shape)?;
        let fill = match bits.last() {
            Some(sign) if signed && !left => sign.clone(),
            _ => diagrams.constant(false),
        };
        let mut columns: Vec<Vec<Bdd>> = vec![Vec::new(); bits.len()];
        let mut failed = Vec::new();
        for (value, place) in self.leaves(&b.shape)?.iter() {
            let distance = match value {
                Value::Integer(value) => usize::try_from(*value).ok(),
                Value::Word(word) => usize::try_from(word.bits).ok(),
                _ => None,
            };
            let Some(distance) = distance.filter(|&distance| distance <= bits.len()) else {
                failed.push(place.clone());
                continue;
            };
            for (position, column) in columns.iter_mut().enumerate() {
                let source = if left {
                    position.checked_sub(distance)
                } else {
                    Some(position + distance)
                };
                let bit = source.and_then(|source| bits.get(source)).unwrap_or(&fill);
                column.push(diagrams.and(place, bit)?);
            }
        }
        let shifted: Result<Vec<Bdd>, Stop> = columns
            .into_iter()
            .map(|column| diagrams.or_all(column))
            .collect();
        let undefined = self.either(&a.undefined, &b.undefined)?;
        let failed = if failed.is_empty() {
            None
        } else {
            Some(diagrams.or_all(failed)?)
        };
        let undefined = self.either(&undefined, &failed)?;
        Ok(Symbolic {
            undefined,
            ..self.defined_word(signed, shifted?)
        })
    }
}

fn word(shape: &Shape) -> Result<(bool, &[Bdd]), Stop> {
    match shape {
        Shape::Word { signed, bits } => Ok((*signed, bits)),
        _ => Err(Stop::Model("a word is needed here".into())),
    }
}
