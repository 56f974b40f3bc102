//! Equality, order and arithmetic on values with places.

use super::evaluate::{Evaluator, Shape, Symbolic, defined};
use super::leaves::Leaves;
use crate::bdd::Bdd;
use crate::limits::Stop;
use crate::system::{Arithmetic, ExpressionId, Node, Value};
use std::rc::Rc;

/// Operations on two domains pair all their values; more pairs than this are refused.
const MAX_PAIRS: usize = 1 << 24;

impl Evaluator<'_> {
    pub(super) fn equal(&self, a: &Shape, b: &Shape) -> Result<Shape, Stop> {
        let diagrams = self.diagrams();
        let place = match (a, b) {
            (Shape::Boolean(a), Shape::Boolean(b)) => diagrams.iff(a, b)?,
            (Shape::Word { bits: a, .. }, Shape::Word { bits: b, .. }) => {
                let mut parts = Vec::with_capacity(a.len());
                for (a, b) in a.iter().zip(b.iter()) {
                    parts.push(diagrams.iff(a, b)?);
                }
                diagrams.and_all(parts)?
            }
            _ => {
                let (a, b) = (self.leaves(a)?, self.leaves(b)?);
                let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
                let mut parts = Vec::with_capacity(few.len());
                for (value, place) in few.iter() {
                    if let Some(other) = many.get(*value) {
                        parts.push(diagrams.and(place, other)?);
                    }
                }
                diagrams.or_all(parts)?
            }
        };
        Ok(Shape::Boolean(place))
    }

    pub(super) fn xor(&self, a: &Shape, b: &Shape) -> Result<Shape, Stop> {
        let diagrams = self.diagrams();
        if let (Shape::Word { signed, bits: a }, Shape::Word { bits: b, .. }) = (a, b) {
            let mut bits = Vec::with_capacity(a.len());
            for (a, b) in a.iter().zip(b.iter()) {
                bits.push(diagrams.xor(a, b)?);
            }
            return Ok(Shape::Word {
                signed: *signed,
                bits: Rc::new(bits),
            });
        }
        Ok(Shape::Boolean(
            diagrams.xor(&self.boolean(a)?, &self.boolean(b)?)?,
        ))
    }

    pub(super) fn less(&self, a: &Shape, b: &Shape, or_equal: bool) -> Result<Shape, Stop> {
        let diagrams = self.diagrams();
        if let (Shape::Word { signed, bits: a }, Shape::Word { bits: b, .. }) = (a, b) {
            return Ok(Shape::Boolean(self.word_less(*signed, a, b, or_equal)?));
        }
        let (a, b) = (self.leaves(a)?, self.leaves(b)?);
        let mut parts = Vec::new();
        for (left, place) in a.iter() {
            let Value::Integer(left) = *left else {
                return Err(Stop::Model("symbols have no order".into()));
            };
            let greater = b.place_of(diagrams, |right| match right {
                Value::Integer(right) => left < right || (or_equal && left == right),
                _ => false,
            })?;
            parts.push(diagrams.and(place, &greater)?);
        }
        if b.iter()
            .any(|(value, _)| !matches!(value, Value::Integer(_)))
        {
            return Err(Stop::Model("symbols have no order".into()));
        }
        Ok(Shape::Boolean(diagrams.or_all(parts)?))
    }

    pub(super) fn count(&self, parts: &[ExpressionId]) -> Result<Symbolic, Stop> {
        let diagrams = self.diagrams();
        let mut undefined = None;
        // `counts[k]`: where exactly k of the parts so far are true.
        let mut counts = vec![diagrams.constant(true)];
        for &id in parts {
            let part = self.part(id);
            undefined = self.either(&undefined, &part.undefined)?;
            let value = self.boolean(&part.shape)?;
            let mut next = Vec::with_capacity(counts.len() + 1);
            for k in 0..=counts.len() {
                let stay = match counts.get(k) {
                    Some(place) => diagrams.minus(place, &value)?,
                    None => diagrams.constant(false),
                };
                let step = match k.checked_sub(1).and_then(|k| counts.get(k)) {
                    Some(place) => diagrams.and(place, &value)?,
                    None => diagrams.constant(false),
                };
                next.push(diagrams.or(&stay, &step)?);
            }
            counts = next;
        }
        let leaves = counts.into_iter().enumerate();
        let leaves = leaves
            .map(|(k, place)| (Value::Integer(k as i64), place))
            .collect();
        let leaves = Leaves::merge(diagrams, leaves)?;
        Ok(Symbolic {
            shape: Shape::Leaves(Rc::new(leaves)),
            undefined,
        })
    }

    /// Arithmetic and the word operations.
    pub(super) fn arithmetic_node(&self, node: &Node) -> Result<Symbolic, Stop> {
        match node {
            Node::Arithmetic(operator, a, b) => {
                let (a, b) = (self.part(*a), self.part(*b));
                let undefined = self.either(&a.undefined, &b.undefined)?;
                let (shape, failed) = match (&a.shape, &b.shape) {
                    (Shape::Word { .. }, Shape::Word { .. }) => {
                        self.word_arithmetic(*operator, &a.shape, &b.shape)?
                    }
                    _ => self.integer_arithmetic(*operator, &a.shape, &b.shape)?,
                };
                Ok(Symbolic {
                    shape,
                    undefined: self.either(&undefined, &failed)?,
                })
            }
            Node::Negate(a) => {
                let part = self.part(*a);
                if let Shape::Word { .. } = part.shape {
                    return self.word_negate(&part);
                }
                let zero = Leaves::single(Value::Integer(0), self.diagrams().constant(true));
                let zero = Shape::Leaves(Rc::new(zero));
                let (shape, failed) =
                    self.integer_arithmetic(Arithmetic::Subtract, &zero, &part.shape)?;
                Ok(Symbolic {
                    shape,
                    undefined: self.either(&part.undefined, &failed)?,
                })
            }
            Node::ToInteger(a) => {
                let part = self.part(*a);
                let leaves = self.leaves(&part.shape)?;
                let mut integers = Vec::with_capacity(leaves.len());
                for (value, place) in leaves.iter() {
                    let integer = match value {
                        Value::Boolean(value) => i64::from(*value),
                        Value::Word(word) => i64::try_from(word.to_integer())
                            .map_err(|_| Stop::Unsupported("toint of a large word".into()))?,
                        Value::Integer(value) => *value,
                        Value::Symbol(_) => return Err(Stop::Model("toint of a symbol".into())),
                    };
                    integers.push((Value::Integer(integer), place.clone()));
                }
                let leaves = Leaves::merge(self.diagrams(), integers)?;
                Ok(Symbolic {
                    shape: Shape::Leaves(Rc::new(leaves)),
                    ..part
                })
            }
            Node::ToWord(a) => {
                let part = self.part(*a);
                let bit = self.boolean(&part.shape)?;
                let shape = Shape::Word {
                    signed: false,
                    bits: Rc::new(vec![bit]),
                };
                Ok(Symbolic { shape, ..part })
            }
            node => self.word_node(node),
        }
    }

    /// All pairs of values. The second part of the result: where the operation has no value.
    fn integer_arithmetic(
        &self,
        operator: Arithmetic,
        a: &Shape,
        b: &Shape,
    ) -> Result<(Shape, Option<Bdd>), Stop> {
        let diagrams = self.diagrams();
        let (a, b) = (self.leaves(a)?, self.leaves(b)?);
        if a.len().saturating_mul(b.len()) > MAX_PAIRS {
            return Err(Stop::Unsupported(
                "arithmetic on domains that are too large".into(),
            ));
        }
        let mut leaves = Vec::new();
        let mut failed = Vec::new();
        for (left, left_place) in a.iter() {
            for (right, right_place) in b.iter() {
                let (Value::Integer(left), Value::Integer(right)) = (*left, *right) else {
                    return Err(Stop::Model("arithmetic on symbols".into()));
                };
                let place = diagrams.and(left_place, right_place)?;
                if diagrams.is_false(&place) {
                    continue;
                }
                let result = match operator {
                    Arithmetic::Add => left.checked_add(right),
                    Arithmetic::Subtract => left.checked_sub(right),
                    Arithmetic::Multiply => left.checked_mul(right),
                    Arithmetic::Divide => left.checked_div(right),
                    Arithmetic::Modulo => left.checked_rem(right),
                };
                match result {
                    Some(value) => leaves.push((Value::Integer(value), place)),
                    None => failed.push(place),
                }
            }
        }
        let shape = Shape::Leaves(Rc::new(Leaves::merge(diagrams, leaves)?));
        let failed = if failed.is_empty() {
            None
        } else {
            Some(diagrams.or_all(failed)?)
        };
        Ok((shape, failed))
    }

    pub(super) fn defined_word(&self, signed: bool, bits: Vec<Bdd>) -> Symbolic {
        defined(Shape::Word {
            signed,
            bits: Rc::new(bits),
        })
    }
}
