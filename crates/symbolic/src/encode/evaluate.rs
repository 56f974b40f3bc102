//! Expressions as diagrams: each node of the graph once, parts before wholes.

use super::Encoding;
use super::leaves::Leaves;
use crate::bdd::{Bdd, Diagrams};
use crate::limits::Stop;
use crate::system::{Assignment, ExpressionId, Kind, Node, System, Value, VariableId, print};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// An expression over bits.
#[derive(Clone)]
pub(super) struct Symbolic {
    pub(super) shape: Shape,
    /// Where the expression has no value: no case applies, division by zero. Absent if nowhere.
    pub(super) undefined: Option<Bdd>,
}

/// The value of an expression over bits.
#[derive(Clone)]
pub(super) enum Shape {
    /// Where a single truth value is true.
    Boolean(Bdd),
    /// For each value, where the expression has (or, for sets, may have) it.
    Leaves(Rc<Leaves>),
    /// The bits of a word, the lowest first.
    Word { signed: bool, bits: Rc<Vec<Bdd>> },
}

/// Turns expressions into diagrams and remembers what it has done.
pub struct Evaluator<'a> {
    pub(super) system: &'a System,
    pub(super) encoding: &'a Encoding,
    known: FxHashMap<ExpressionId, Symbolic>,
}

/// Why an expression may have no value.
const UNDEFINED: &str = "in some state an expression has no value: a `case` without a true condition, an index outside its \
                         array, or a division by zero";

impl<'a> Evaluator<'a> {
    /// An evaluator for the expressions of a system.
    pub fn new(system: &'a System, encoding: &'a Encoding) -> Evaluator<'a> {
        Evaluator {
            system,
            encoding,
            known: FxHashMap::default(),
        }
    }

    /// The system whose expressions it turns into diagrams.
    pub fn system(&self) -> &'a System {
        self.system
    }

    pub(super) fn diagrams(&self) -> &'a Diagrams {
        &self.encoding.diagrams
    }

    /// Where a truth value is true. It must be defined for all states within `care`.
    pub fn condition(&mut self, id: ExpressionId, care: &Bdd) -> Result<Bdd, Stop> {
        let symbolic = self.evaluate(id)?;
        if let Some(undefined) = &symbolic.undefined
            && !self
                .diagrams()
                .is_false(&self.diagrams().and(undefined, care)?)
        {
            return Err(Stop::Model(UNDEFINED.into()));
        }
        self.boolean(&symbolic.shape)
    }

    /// Checks that every value that is assigned to a variable lies in its domain within `care`.
    pub fn check_assignment(&mut self, assignment: &Assignment, care: &Bdd) -> Result<(), Stop> {
        let symbolic = self.evaluate(assignment.value)?;
        let declared = self.system.variable(assignment.variable);
        let written = || match print::assignment(self.system, assignment) {
            Some(text) => format!(" in `{text}`"),
            None => String::new(),
        };
        if let Some(undefined) = &symbolic.undefined
            && !self
                .diagrams()
                .is_false(&self.diagrams().and(undefined, care)?)
        {
            let message = format!(
                "the value for `{}` is undefined in some state (no case applies, an index outside its array, or a division \
                 by zero){}",
                declared.name,
                written()
            );
            return Err(Stop::Model(message));
        }
        if let Shape::Leaves(leaves) = &symbolic.shape {
            for (leaf, place) in leaves.iter() {
                if declared.domain.code(*leaf).is_none()
                    && !self.diagrams().is_false(&self.diagrams().and(place, care)?)
                {
                    let value = self.system.show(*leaf);
                    let message = format!(
                        "`{}` can be assigned {value}, outside its domain {}{}",
                        declared.name,
                        print::domain(self.system, &declared.domain),
                        written()
                    );
                    return Err(Stop::Model(message));
                }
            }
        }
        Ok(())
    }

    pub(super) fn evaluate(&mut self, root: ExpressionId) -> Result<Symbolic, Stop> {
        if let Some(known) = self.known.get(&root) {
            return Ok(known.clone());
        }
        let mut stack = vec![root];
        let expressions = &self.system.expressions;
        while let Some(id) = expressions.next_of(&mut stack, |id| self.known.contains_key(&id)) {
            let symbolic = self.node(id)?;
            self.known.insert(id, symbolic);
        }
        Ok(self.part(root))
    }

    /// A part that has been evaluated before.
    pub(super) fn part(&self, id: ExpressionId) -> Symbolic {
        match self.known.get(&id) {
            Some(symbolic) => symbolic.clone(),
            // Parts come before wholes, see `evaluate`.
            None => unreachable!("a part is evaluated before the whole"),
        }
    }

    fn node(&self, id: ExpressionId) -> Result<Symbolic, Stop> {
        let diagrams = self.diagrams();
        match self.system.expressions.node(id) {
            Node::Constant(value) => Ok(defined(self.constant(*value))),
            Node::Variable(variable) => self.variable(*variable, false).map(defined),
            Node::Next(variable) => self.variable(*variable, true).map(defined),
            Node::Not(a) => self.not(*a),
            Node::And(parts) => self.chain(parts, true),
            Node::Or(parts) => self.chain(parts, false),
            Node::Equal(a, b) => {
                if let (Some(a), Some(b)) = (self.plain_variable(*a), self.plain_variable(*b))
                    && self.system.variable(a.0).domain == self.system.variable(b.0).domain
                {
                    return self.same_bits(a, b);
                }
                self.binary(*a, *b, |a, b| self.equal(a, b))
            }
            Node::In(a, b) => self.binary(*a, *b, |a, b| self.equal(a, b)),
            Node::Xor(a, b) => self.binary(*a, *b, |a, b| self.xor(a, b)),
            Node::Less(a, b) => self.binary(*a, *b, |a, b| self.less(a, b, false)),
            Node::LessEqual(a, b) => self.binary(*a, *b, |a, b| self.less(a, b, true)),
            Node::Case(parts) => self.case(parts, self.system.expressions.type_of(id)),
            Node::Set(parts) => self.set(parts),
            Node::Count(parts) => self.count(parts),
            Node::ToBoolean(a) => {
                let part = self.part(*a);
                let value = match &part.shape {
                    Shape::Leaves(leaves) => {
                        leaves.place_of(diagrams, |value| value != Value::Integer(0))?
                    }
                    Shape::Word { bits, .. } => diagrams.or_all(bits.iter().cloned())?,
                    Shape::Boolean(value) => value.clone(),
                };
                Ok(Symbolic {
                    shape: Shape::Boolean(value),
                    ..part
                })
            }
            node => self.arithmetic_node(node),
        }
    }

    fn constant(&self, value: Value) -> Shape {
        let diagrams = self.diagrams();
        match value {
            Value::Boolean(value) => Shape::Boolean(diagrams.constant(value)),
            Value::Word(word) => {
                let bits = (0..word.width).map(|bit| diagrams.constant(word.bits >> bit & 1 == 1));
                Shape::Word {
                    signed: word.signed,
                    bits: Rc::new(bits.collect()),
                }
            }
            _ => Shape::Leaves(Rc::new(Leaves::single(value, diagrams.constant(true)))),
        }
    }

    fn variable(&self, id: VariableId, next: bool) -> Result<Shape, Stop> {
        let diagrams = self.diagrams();
        let bits = self.encoding.bits_of(id);
        let bits = if next { &bits.next } else { &bits.current };
        let domain = &self.system.variable(id).domain;
        Ok(match domain {
            crate::system::Domain::Boolean => match bits.first() {
                Some(&bit) => Shape::Boolean(diagrams.literal(bit)?),
                None => return Err(Stop::Model("the next value of an input is used".into())),
            },
            crate::system::Domain::Word { signed, .. } => {
                let literals: Result<Vec<Bdd>, Stop> = bits
                    .iter()
                    .rev()
                    .map(|&bit| diagrams.literal(bit))
                    .collect();
                Shape::Word {
                    signed: *signed,
                    bits: Rc::new(literals?),
                }
            }
            crate::system::Domain::Values(values) => {
                let mut leaves = Vec::with_capacity(values.len());
                for (code, &value) in values.iter().enumerate() {
                    leaves.push((value, self.encoding.code_cube(bits, code as u64)?));
                }
                Shape::Leaves(Rc::new(Leaves::new(leaves)))
            }
        })
    }

    fn plain_variable(&self, id: ExpressionId) -> Option<(VariableId, bool)> {
        match self.system.expressions.node(id) {
            Node::Variable(variable) => Some((*variable, false)),
            Node::Next(variable) => Some((*variable, true)),
            _ => None,
        }
    }

    /// Equality of two variables with one domain, bit by bit.
    fn same_bits(&self, a: (VariableId, bool), b: (VariableId, bool)) -> Result<Symbolic, Stop> {
        let side = |(id, next): (VariableId, bool)| {
            let bits = self.encoding.bits_of(id);
            if next { &bits.next } else { &bits.current }
        };
        let diagrams = self.diagrams();
        let mut parts = Vec::new();
        for (&left, &right) in side(a).iter().zip(side(b)) {
            parts.push(diagrams.iff(&diagrams.literal(left)?, &diagrams.literal(right)?)?);
        }
        Ok(defined(Shape::Boolean(diagrams.and_all(parts)?)))
    }

    fn binary(
        &self,
        a: ExpressionId,
        b: ExpressionId,
        operation: impl Fn(&Shape, &Shape) -> Result<Shape, Stop>,
    ) -> Result<Symbolic, Stop> {
        let (a, b) = (self.part(a), self.part(b));
        let undefined = self.either(&a.undefined, &b.undefined)?;
        Ok(Symbolic {
            shape: operation(&a.shape, &b.shape)?,
            undefined,
        })
    }

    pub(super) fn either(&self, a: &Option<Bdd>, b: &Option<Bdd>) -> Result<Option<Bdd>, Stop> {
        Ok(match (a, b) {
            (Some(a), Some(b)) => Some(self.diagrams().or(a, b)?),
            (Some(one), None) | (None, Some(one)) => Some(one.clone()),
            (None, None) => None,
        })
    }

    fn not(&self, a: ExpressionId) -> Result<Symbolic, Stop> {
        let part = self.part(a);
        let diagrams = self.diagrams();
        let shape = match &part.shape {
            Shape::Word { signed, bits } => {
                let bits = bits.iter().map(|bit| diagrams.not(bit)).collect();
                Shape::Word {
                    signed: *signed,
                    bits: Rc::new(bits),
                }
            }
            shape => Shape::Boolean(diagrams.not(&self.boolean(shape)?)),
        };
        Ok(Symbolic {
            shape,
            undefined: part.undefined,
        })
    }

    /// Conjunction or disjunction. A part decides the whole even where another is undefined.
    fn chain(&self, parts: &[ExpressionId], and: bool) -> Result<Symbolic, Stop> {
        let diagrams = self.diagrams();
        let parts: Vec<Symbolic> = parts.iter().map(|&id| self.part(id)).collect();
        if let Some(Symbolic {
            shape: Shape::Word { .. },
            ..
        }) = parts.first()
        {
            return self.word_chain(&parts, and);
        }
        let mut values = Vec::with_capacity(parts.len());
        let mut undefined = None;
        let mut decided = diagrams.constant(false);
        let partial = parts.iter().any(|part| part.undefined.is_some());
        for part in &parts {
            let value = self.boolean(&part.shape)?;
            undefined = self.either(&undefined, &part.undefined)?;
            if partial {
                let mut deciding = if and {
                    diagrams.not(&value)
                } else {
                    value.clone()
                };
                if let Some(place) = &part.undefined {
                    deciding = diagrams.minus(&deciding, place)?;
                }
                decided = diagrams.or(&decided, &deciding)?;
            }
            values.push(value);
        }
        let value = if and {
            diagrams.and_all(values)?
        } else {
            diagrams.or_all(values)?
        };
        let undefined = match undefined {
            Some(place) => Some(diagrams.minus(&place, &decided)?),
            None => None,
        };
        Ok(Symbolic {
            shape: Shape::Boolean(value),
            undefined,
        })
    }

    fn case(&self, parts: &[ExpressionId], ty: crate::system::Type) -> Result<Symbolic, Stop> {
        let diagrams = self.diagrams();
        let mut rest = diagrams.constant(true);
        let mut undefined = diagrams.constant(false);
        let mut places = Vec::new();
        for branch in parts.chunks(2) {
            let (condition, value) = (self.part(branch[0]), self.part(branch[1]));
            if let Some(place) = &condition.undefined {
                undefined = diagrams.or(&undefined, &diagrams.and(&rest, place)?)?;
            }
            let condition = self.boolean(&condition.shape)?;
            let taken = diagrams.and(&rest, &condition)?;
            rest = diagrams.minus(&rest, &condition)?;
            if let Some(place) = &value.undefined {
                undefined = diagrams.or(&undefined, &diagrams.and(&taken, place)?)?;
            }
            places.push((taken, value.shape));
        }
        undefined = diagrams.or(&undefined, &rest)?;
        let shape = match ty.kind {
            Kind::Boolean if !ty.set => {
                let mut parts = Vec::new();
                for (place, shape) in &places {
                    parts.push(diagrams.and(place, &self.boolean(shape)?)?);
                }
                Shape::Boolean(diagrams.or_all(parts)?)
            }
            Kind::Word { signed, width } if !ty.set => self.word_case(&places, signed, width)?,
            _ => {
                let mut leaves = Vec::new();
                for (place, shape) in &places {
                    for (value, where_) in self.leaves(shape)?.iter() {
                        leaves.push((*value, diagrams.and(place, where_)?));
                    }
                }
                Shape::Leaves(Rc::new(Leaves::merge(diagrams, leaves)?))
            }
        };
        let undefined = (!diagrams.is_false(&undefined)).then_some(undefined);
        Ok(Symbolic { shape, undefined })
    }

    fn set(&self, parts: &[ExpressionId]) -> Result<Symbolic, Stop> {
        let mut leaves = Vec::new();
        let mut undefined = None;
        for &id in parts {
            let part = self.part(id);
            undefined = self.either(&undefined, &part.undefined)?;
            leaves.extend(self.leaves(&part.shape)?.iter().cloned());
        }
        let leaves = Leaves::merge(self.diagrams(), leaves)?;
        Ok(Symbolic {
            shape: Shape::Leaves(Rc::new(leaves)),
            undefined,
        })
    }

    /// The values of any expression as leaves. Words become leaves only if they are short.
    pub(super) fn leaves(&self, shape: &Shape) -> Result<Rc<Leaves>, Stop> {
        let diagrams = self.diagrams();
        match shape {
            Shape::Leaves(leaves) => Ok(leaves.clone()),
            Shape::Boolean(place) => Ok(Rc::new(Leaves::new(vec![
                (Value::Boolean(false), diagrams.not(place)),
                (Value::Boolean(true), place.clone()),
            ]))),
            Shape::Word { signed, bits } => self.word_leaves(*signed, bits).map(Rc::new),
        }
    }

    /// Where a truth value is (or may be) true.
    pub(super) fn boolean(&self, shape: &Shape) -> Result<Bdd, Stop> {
        match shape {
            Shape::Boolean(place) => Ok(place.clone()),
            Shape::Leaves(leaves) => {
                leaves.place_of(self.diagrams(), |value| value == Value::Boolean(true))
            }
            Shape::Word { .. } => Err(Stop::Model("a word where a truth value is needed".into())),
        }
    }
}

/// An expression that has a value everywhere.
pub(super) fn defined(shape: Shape) -> Symbolic {
    Symbolic {
        shape,
        undefined: None,
    }
}
