//! Expressions between two frames as literals: each node of the graph once, parts before wholes.
//!
//! The meaning is that of the judge's interpreter (`merkhet_finite::replay`), with which the tests
//! compare it. Where an expression has no value its literals say nothing; `undefined` tells where.

use crate::gates::Gates;
use crate::integer::{self, Integer};
use crate::{Stop, word};
use batsat::Lit;
use merkhet_finite::{Domain, ExpressionId, Node, SymbolId, System, Value, VariableId};
use rustc_hash::FxHashMap;

/// Integers are not made wider than this.
const MOST_BITS: usize = 64;

/// An expression over literals.
#[derive(Clone)]
pub(crate) struct Symbolic {
    pub(crate) shape: Shape,
    /// Where the expression has no value.
    pub(crate) undefined: Lit,
}

/// The value of an expression over literals.
#[derive(Clone)]
pub(crate) enum Shape {
    Boolean(Lit),
    /// An integer, or a symbol by its number.
    Scalar {
        bits: Integer,
        symbol: Lit,
    },
    /// The lowest bit first.
    Word(bool, Vec<Lit>),
    /// Any of several single values, each where its guard holds.
    Set(Vec<(Lit, Shape)>),
}

/// The codes of all variables at one moment, the lowest bit first.
pub(crate) type Codes = Vec<Vec<Lit>>;

/// Turns the expressions of one step into literals and remembers what it has done.
pub(crate) struct Encoder<'a> {
    pub(crate) system: &'a System,
    pub(crate) gates: &'a mut Gates,
    now: &'a Codes,
    after: Option<&'a Codes>,
    known: FxHashMap<ExpressionId, Symbolic>,
}

impl<'a> Encoder<'a> {
    pub(crate) fn new(
        system: &'a System,
        gates: &'a mut Gates,
        now: &'a Codes,
        after: Option<&'a Codes>,
    ) -> Encoder<'a> {
        Encoder {
            system,
            gates,
            now,
            after,
            known: FxHashMap::default(),
        }
    }

    /// Where a condition is true.
    pub(crate) fn condition(&mut self, id: ExpressionId) -> Result<Lit, Stop> {
        let symbolic = self.evaluate(id)?;
        let value = truth(&symbolic.shape)?;
        Ok(self.gates.and(value, !symbolic.undefined))
    }

    pub(crate) fn evaluate(&mut self, root: ExpressionId) -> Result<Symbolic, Stop> {
        let mut stack = vec![root];
        let expressions = &self.system.expressions;
        while let Some(id) = expressions.next_of(&mut stack, |id| self.known.contains_key(&id)) {
            let symbolic = self.node(id)?;
            self.known.insert(id, symbolic);
        }
        Ok(self.part(root))
    }

    fn part(&self, id: ExpressionId) -> Symbolic {
        match self.known.get(&id) {
            Some(symbolic) => symbolic.clone(),
            None => unreachable!("a part is evaluated before the whole"),
        }
    }

    fn defined(&self, shape: Shape) -> Symbolic {
        Symbolic {
            shape,
            undefined: self.gates.constant(false),
        }
    }

    fn node(&mut self, id: ExpressionId) -> Result<Symbolic, Stop> {
        match self.system.expressions.node(id) {
            Node::Constant(value) => Ok(self.defined(constant(self.gates, *value))),
            Node::Variable(variable) => self.variable(*variable, self.now).map(|s| self.defined(s)),
            Node::Next(variable) => match self.after {
                Some(after) => self.variable(*variable, after).map(|s| self.defined(s)),
                None => Err(Stop::Model("`next` outside a step".into())),
            },
            Node::Not(a) => {
                let part = self.part(*a);
                let shape = match part.shape {
                    Shape::Word(signed, bits) => {
                        Shape::Word(signed, bits.iter().map(|&bit| !bit).collect())
                    }
                    shape => Shape::Boolean(!truth(&shape)?),
                };
                Ok(Symbolic { shape, ..part })
            }
            Node::And(parts) => self.chain(parts, true),
            Node::Or(parts) => self.chain(parts, false),
            Node::Xor(a, b) => self.both(*a, *b, |gates, a, b| {
                if let (Shape::Word(signed, a), Shape::Word(_, b)) = (a, b) {
                    let pairs = a.iter().zip(b);
                    let bits = pairs.map(|(&a, &b)| gates.xor(a, b)).collect();
                    return Ok(Shape::Word(*signed, bits));
                }
                Ok(Shape::Boolean(gates.xor(truth(a)?, truth(b)?)))
            }),
            Node::Equal(a, b) | Node::In(a, b) => self.both(*a, *b, member),
            Node::Less(a, b) => self.both(*a, *b, |gates, a, b| less(gates, a, b, false)),
            Node::LessEqual(a, b) => self.both(*a, *b, |gates, a, b| less(gates, a, b, true)),
            Node::Case(branches) => self.case(branches),
            Node::Set(parts) => self.set(parts),
            Node::Count(parts) => self.count(parts),
            node => self.arithmetic(node),
        }
    }

    fn variable(&mut self, id: VariableId, codes: &Codes) -> Result<Shape, Stop> {
        let bits = &codes[id.index()];
        match &self.system.variable(id).domain {
            Domain::Boolean => match bits.first() {
                Some(&bit) => Ok(Shape::Boolean(bit)),
                None => Err(Stop::Model("the next value of an input is used".into())),
            },
            Domain::Word { signed, .. } => Ok(Shape::Word(*signed, bits.clone())),
            Domain::Values(values) => {
                if let [single] = values.as_slice() {
                    return Ok(constant(self.gates, *single));
                }
                if let Some(low) = range(values) {
                    let code = integer::unsigned(self.gates, bits);
                    let low = integer::constant(self.gates, low);
                    let sum = merkhet_finite::Arithmetic::Add;
                    let (bits, _) = integer::arithmetic(self.gates, sum, &code, &low);
                    let symbol = self.gates.constant(false);
                    return Ok(Shape::Scalar { bits, symbol });
                }
                Ok(listed(self.gates, values, bits))
            }
        }
    }

    fn both(
        &mut self,
        a: ExpressionId,
        b: ExpressionId,
        operation: impl FnOnce(&mut Gates, &Shape, &Shape) -> Result<Shape, Stop>,
    ) -> Result<Symbolic, Stop> {
        let (a, b) = (self.part(a), self.part(b));
        Ok(Symbolic {
            shape: operation(self.gates, &a.shape, &b.shape)?,
            undefined: self.gates.or(a.undefined, b.undefined),
        })
    }

    /// Conjunction or disjunction. A part decides the whole even where another is undefined.
    fn chain(&mut self, parts: &[ExpressionId], and: bool) -> Result<Symbolic, Stop> {
        let parts: Vec<Symbolic> = parts.iter().map(|&id| self.part(id)).collect();
        let gates = &mut *self.gates;
        let somewhere = gates.any(parts.iter().map(|part| part.undefined));
        if let Some(Symbolic {
            shape: Shape::Word(signed, first),
            ..
        }) = parts.first()
        {
            let mut bits = first.clone();
            for part in &parts[1..] {
                let (_, more) = bits_of(&part.shape)?;
                for (bit, &other) in bits.iter_mut().zip(more) {
                    *bit = match and {
                        true => gates.and(*bit, other),
                        false => gates.or(*bit, other),
                    };
                }
            }
            return Ok(Symbolic {
                shape: Shape::Word(*signed, bits),
                undefined: somewhere,
            });
        }
        let mut values = Vec::with_capacity(parts.len());
        let mut deciding = Vec::new();
        for part in &parts {
            let value = truth(&part.shape)?;
            // An undefined part decides nothing.
            values.push(match and {
                true => gates.or(value, part.undefined),
                false => gates.and(value, !part.undefined),
            });
        }
        let whole = match and {
            true => gates.all(values.iter().copied()),
            false => gates.any(values.iter().copied()),
        };
        if gates.constant_of(somewhere) != Some(false) {
            deciding.push(if and { !whole } else { whole });
        }
        let decided = gates.any(deciding);
        Ok(Symbolic {
            shape: Shape::Boolean(whole),
            undefined: gates.and(somewhere, !decided),
        })
    }

    fn case(&mut self, branches: &[ExpressionId]) -> Result<Symbolic, Stop> {
        let mut before = self.gates.constant(true);
        let mut undefined = Vec::new();
        let mut places = Vec::new();
        for branch in branches.chunks(2) {
            let (condition, value) = (self.part(branch[0]), self.part(branch[1]));
            let gates = &mut *self.gates;
            undefined.push(gates.and(before, condition.undefined));
            let truth = truth(&condition.shape)?;
            let place = gates.and(before, truth);
            undefined.push(gates.and(place, value.undefined));
            places.push((place, truth, value.shape));
            before = gates.and(before, !truth);
        }
        undefined.push(before);
        let is_set = |(_, _, shape): &(Lit, Lit, Shape)| matches!(shape, Shape::Set(_));
        let shape = if places.iter().any(is_set) {
            let mut members = Vec::new();
            for (place, _, shape) in places {
                for (guard, member) in into_members(self.gates, shape) {
                    members.push((self.gates.and(place, guard), member));
                }
            }
            Shape::Set(members)
        } else {
            let mut branches = places.into_iter().rev();
            let Some((_, _, last)) = branches.next() else {
                return Err(Stop::Model("a `case` without branches".into()));
            };
            let mut shape = last;
            for (_, condition, value) in branches {
                shape = choose(self.gates, condition, &value, &shape)?;
            }
            shape
        };
        Ok(Symbolic {
            shape,
            undefined: self.gates.any(undefined),
        })
    }

    fn set(&mut self, parts: &[ExpressionId]) -> Result<Symbolic, Stop> {
        let mut members = Vec::new();
        let mut undefined = Vec::new();
        for &id in parts {
            let part = self.part(id);
            undefined.push(part.undefined);
            members.extend(into_members(self.gates, part.shape));
        }
        Ok(Symbolic {
            shape: Shape::Set(members),
            undefined: self.gates.any(undefined),
        })
    }

    fn count(&mut self, parts: &[ExpressionId]) -> Result<Symbolic, Stop> {
        let mut sum = integer::constant(self.gates, 0);
        let mut undefined = Vec::new();
        for &id in parts {
            let part = self.part(id);
            undefined.push(part.undefined);
            let one = integer::unsigned(self.gates, &[truth(&part.shape)?]);
            let add = merkhet_finite::Arithmetic::Add;
            sum = integer::arithmetic(self.gates, add, &sum, &one).0;
        }
        Ok(Symbolic {
            shape: Shape::Scalar {
                bits: sum,
                symbol: self.gates.constant(false),
            },
            undefined: self.gates.any(undefined),
        })
    }

    /// Arithmetic, conversions and the operations on words.
    fn arithmetic(&mut self, node: &Node) -> Result<Symbolic, Stop> {
        match node {
            Node::Arithmetic(operator, a, b) => {
                let (a, b) = (self.part(*a), self.part(*b));
                let gates = &mut *self.gates;
                let undefined = gates.or(a.undefined, b.undefined);
                let (shape, failed) = binary(gates, *operator, &a.shape, &b.shape)?;
                Ok(Symbolic {
                    shape,
                    undefined: gates.or(undefined, failed),
                })
            }
            Node::Negate(a) => {
                let part = self.part(*a);
                let gates = &mut *self.gates;
                let shape = match &part.shape {
                    Shape::Word(signed, bits) => Shape::Word(*signed, word::negate(gates, bits)),
                    shape => {
                        let zero = constant(gates, Value::Integer(0));
                        binary(gates, merkhet_finite::Arithmetic::Subtract, &zero, shape)?.0
                    }
                };
                Ok(Symbolic { shape, ..part })
            }
            Node::ToBoolean(a) => {
                let part = self.part(*a);
                let value = match &part.shape {
                    Shape::Boolean(value) => *value,
                    Shape::Word(_, bits) => self.gates.any(bits.iter().copied()),
                    Shape::Scalar { bits, symbol } => {
                        let other = self.gates.any(bits.iter().copied());
                        self.gates.or(other, *symbol)
                    }
                    Shape::Set(_) => return Err(wrong_type()),
                };
                Ok(Symbolic {
                    shape: Shape::Boolean(value),
                    ..part
                })
            }
            Node::ToWord(a) => {
                let part = self.part(*a);
                let shape = Shape::Word(false, vec![truth(&part.shape)?]);
                Ok(Symbolic { shape, ..part })
            }
            Node::ToInteger(a) => {
                let part = self.part(*a);
                let gates = &mut *self.gates;
                let bits = match &part.shape {
                    Shape::Boolean(value) => integer::unsigned(gates, &[*value]),
                    Shape::Word(true, bits) => integer::trimmed(bits.clone()),
                    Shape::Word(false, bits) => integer::unsigned(gates, bits),
                    Shape::Scalar { .. } => return Ok(part),
                    Shape::Set(_) => return Err(wrong_type()),
                };
                if bits.len() > MOST_BITS {
                    return Err(Stop::Unsupported("toint of a large word".into()));
                }
                let symbol = gates.constant(false);
                Ok(Symbolic {
                    shape: Shape::Scalar { bits, symbol },
                    ..part
                })
            }
            Node::Concatenate(a, b) => self.both(*a, *b, |_, a, b| {
                let mut bits = bits_of(b)?.1.to_vec();
                bits.extend(bits_of(a)?.1);
                Ok(Shape::Word(false, bits))
            }),
            Node::Select(a, high, low) => {
                let part = self.part(*a);
                let bits = bits_of(&part.shape)?.1;
                let selected = bits.get(usize::from(*low)..=usize::from(*high));
                let selected = selected.ok_or_else(|| Stop::Model("no such bits".into()))?;
                let shape = Shape::Word(false, selected.to_vec());
                Ok(Symbolic { shape, ..part })
            }
            Node::Resize(a, width) => {
                let part = self.part(*a);
                let (signed, bits) = bits_of(&part.shape)?;
                let fill = match bits.last() {
                    Some(&sign) if signed => sign,
                    _ => self.gates.constant(false),
                };
                let (width, mut bits) = (usize::from(*width), bits.to_vec());
                let shorter = width < bits.len();
                bits.resize(width, fill);
                // A signed word that becomes shorter keeps its sign bit.
                if let (true, true, Some(top)) = (signed, shorter, bits.last_mut()) {
                    *top = fill;
                }
                let shape = Shape::Word(signed, bits);
                Ok(Symbolic { shape, ..part })
            }
            Node::Reinterpret(a, signed) => {
                let part = self.part(*a);
                let shape = Shape::Word(*signed, bits_of(&part.shape)?.1.to_vec());
                Ok(Symbolic { shape, ..part })
            }
            Node::ShiftLeft(a, b) => self.shift(*a, *b, true),
            Node::ShiftRight(a, b) => self.shift(*a, *b, false),
            _ => Err(Stop::Unsupported("an expression of this form".into())),
        }
    }

    fn shift(&mut self, a: ExpressionId, b: ExpressionId, left: bool) -> Result<Symbolic, Stop> {
        let (a, b) = (self.part(a), self.part(b));
        let gates = &mut *self.gates;
        let (signed, bits) = bits_of(&a.shape)?;
        let no = gates.constant(false);
        let fill = match bits.last() {
            Some(&sign) if signed && !left => sign,
            _ => no,
        };
        // Distances outside `0..=width` have no meaning.
        let (distance, negative) = match &b.shape {
            Shape::Word(_, bits) => (bits.as_slice(), no),
            Shape::Scalar { bits, .. } => (&bits[..bits.len() - 1], bits[bits.len() - 1]),
            _ => return Err(wrong_type()),
        };
        let (bits, too_far) = word::shift(gates, bits, distance, left, fill);
        let undefined = [a.undefined, b.undefined, negative, too_far];
        Ok(Symbolic {
            shape: Shape::Word(signed, bits),
            undefined: gates.any(undefined),
        })
    }
}

fn wrong_type() -> Stop {
    Stop::Model("a value of another type is needed here".into())
}

/// The least of consecutive integers.
fn range(values: &[Value]) -> Option<i64> {
    let Some(&Value::Integer(low)) = values.first() else {
        return None;
    };
    let mut wanted = low..;
    let consecutive = values
        .iter()
        .all(|value| wanted.next().map(Value::Integer) == Some(*value));
    consecutive.then_some(low)
}

/// A listed value by its code.
fn listed(gates: &mut Gates, values: &[Value], code: &[Lit]) -> Shape {
    let no = gates.constant(false);
    let places: Vec<Lit> = (0..values.len() as u64)
        .map(|number| {
            let number = word::constant(gates, number, code.len());
            word::equal(gates, code, &number)
        })
        .collect();
    let shapes: Vec<(Integer, Lit)> = values.iter().map(|&value| scalar(gates, value)).collect();
    let width = shapes.iter().map(|(bits, _)| bits.len()).max().unwrap_or(1);
    let mut collected: Vec<Vec<Lit>> = vec![Vec::new(); width];
    let mut symbols = Vec::new();
    for (&place, (bits, symbol)) in places.iter().zip(&shapes) {
        for (column, bit) in collected.iter_mut().zip(integer::extended(bits, width)) {
            if bit != no {
                column.push(place);
            }
        }
        if *symbol != no {
            symbols.push(place);
        }
    }
    let all = symbols.len() == values.len();
    let bits = collected
        .into_iter()
        .map(|column| gates.any(column))
        .collect();
    Shape::Scalar {
        bits: integer::trimmed(bits),
        symbol: if all {
            gates.constant(true)
        } else {
            gates.any(symbols)
        },
    }
}

fn scalar(gates: &Gates, value: Value) -> (Integer, Lit) {
    match value {
        Value::Symbol(SymbolId(number)) => {
            let bits = integer::constant(gates, i64::from(number));
            (bits, gates.constant(true))
        }
        Value::Integer(value) => (integer::constant(gates, value), gates.constant(false)),
        Value::Boolean(_) | Value::Word(_) => (integer::constant(gates, 0), gates.constant(false)),
    }
}

fn constant(gates: &Gates, value: Value) -> Shape {
    match value {
        Value::Boolean(value) => Shape::Boolean(gates.constant(value)),
        Value::Word(word) => {
            let bits = word::constant(gates, word.bits, usize::from(word.width));
            Shape::Word(word.signed, bits)
        }
        _ => {
            let (bits, symbol) = scalar(gates, value);
            Shape::Scalar { bits, symbol }
        }
    }
}

fn truth(shape: &Shape) -> Result<Lit, Stop> {
    match shape {
        Shape::Boolean(value) => Ok(*value),
        _ => Err(wrong_type()),
    }
}

fn bits_of(shape: &Shape) -> Result<(bool, &[Lit]), Stop> {
    match shape {
        Shape::Word(signed, bits) => Ok((*signed, bits)),
        _ => Err(wrong_type()),
    }
}

fn into_members(gates: &Gates, shape: Shape) -> Vec<(Lit, Shape)> {
    match shape {
        Shape::Set(members) => members,
        single => vec![(gates.constant(true), single)],
    }
}

/// Equality of single values.
fn equal(gates: &mut Gates, a: &Shape, b: &Shape) -> Result<Lit, Stop> {
    match (a, b) {
        (Shape::Boolean(a), Shape::Boolean(b)) => Ok(gates.same(*a, *b)),
        (Shape::Word(_, a), Shape::Word(_, b)) => Ok(word::equal(gates, a, b)),
        (
            Shape::Scalar {
                bits: a,
                symbol: symbol_a,
            },
            Shape::Scalar {
                bits: b,
                symbol: symbol_b,
            },
        ) => {
            let kind = gates.same(*symbol_a, *symbol_b);
            let bits = integer::equal(gates, a, b);
            Ok(gates.and(kind, bits))
        }
        _ => Err(wrong_type()),
    }
}

/// Equality, or membership where the right side is a set.
fn member(gates: &mut Gates, a: &Shape, b: &Shape) -> Result<Shape, Stop> {
    let Shape::Set(members) = b else {
        return Ok(Shape::Boolean(equal(gates, a, b)?));
    };
    let mut places = Vec::with_capacity(members.len());
    for (guard, member) in members {
        let same = equal(gates, a, member)?;
        places.push(gates.and(*guard, same));
    }
    Ok(Shape::Boolean(gates.any(places)))
}

fn less(gates: &mut Gates, a: &Shape, b: &Shape, or_equal: bool) -> Result<Shape, Stop> {
    Ok(Shape::Boolean(match (a, b) {
        (Shape::Word(signed, a), Shape::Word(_, b)) => word::less(gates, *signed, a, b, or_equal),
        (Shape::Scalar { .. }, Shape::Scalar { .. }) => {
            let (a, b) = (integer_of(gates, a)?, integer_of(gates, b)?);
            integer::less(gates, a, b, or_equal)
        }
        _ => return Err(wrong_type()),
    }))
}

fn integer_of<'s>(gates: &Gates, shape: &'s Shape) -> Result<&'s Integer, Stop> {
    match shape {
        Shape::Scalar { bits, symbol } if gates.constant_of(*symbol) == Some(false) => Ok(bits),
        Shape::Scalar { .. } => Err(Stop::Model(
            "symbols have no order and no arithmetic".into(),
        )),
        _ => Err(wrong_type()),
    }
}

fn binary(
    gates: &mut Gates,
    operator: merkhet_finite::Arithmetic,
    a: &Shape,
    b: &Shape,
) -> Result<(Shape, Lit), Stop> {
    use merkhet_finite::Arithmetic;
    if let (Shape::Word(signed, a), Shape::Word(_, b)) = (a, b) {
        let no = gates.constant(false);
        let (bits, failed) = match operator {
            Arithmetic::Add => (word::add(gates, a, b, no).0, no),
            Arithmetic::Subtract => (word::subtract(gates, a, b).0, no),
            Arithmetic::Multiply => (word::multiply(gates, a, b), no),
            Arithmetic::Divide | Arithmetic::Modulo => {
                let zero = !gates.any(b.iter().copied());
                let (quotient, remainder) = word::divide(gates, *signed, a, b);
                match operator {
                    Arithmetic::Divide => (quotient, zero),
                    _ => (remainder, zero),
                }
            }
        };
        return Ok((Shape::Word(*signed, bits), failed));
    }
    let (a, b) = (integer_of(gates, a)?.clone(), integer_of(gates, b)?.clone());
    let (bits, failed) = integer::arithmetic(gates, operator, &a, &b);
    if bits.len() > MOST_BITS {
        return Err(Stop::Unsupported("integers beyond 64 bits".into()));
    }
    let symbol = gates.constant(false);
    Ok((Shape::Scalar { bits, symbol }, failed))
}

/// `if condition then a else b` on single values.
fn choose(gates: &mut Gates, condition: Lit, a: &Shape, b: &Shape) -> Result<Shape, Stop> {
    Ok(match (a, b) {
        (Shape::Boolean(a), Shape::Boolean(b)) => Shape::Boolean(gates.choose(condition, *a, *b)),
        (Shape::Word(signed, a), Shape::Word(_, b)) => {
            let pairs = a.iter().zip(b);
            let bits = pairs.map(|(&a, &b)| gates.choose(condition, a, b));
            Shape::Word(*signed, bits.collect())
        }
        (
            Shape::Scalar {
                bits: a,
                symbol: symbol_a,
            },
            Shape::Scalar {
                bits: b,
                symbol: symbol_b,
            },
        ) => Shape::Scalar {
            bits: integer::choose(gates, condition, a, b),
            symbol: gates.choose(condition, *symbol_a, *symbol_b),
        },
        _ => return Err(wrong_type()),
    })
}

/// Whether a kind of expression is a set in `shape`'s place; for callers that need single values.
pub(crate) fn members(shape: &Shape) -> Vec<(Option<Lit>, &Shape)> {
    match shape {
        Shape::Set(members) => members.iter().map(|(guard, m)| (Some(*guard), m)).collect(),
        single => vec![(None, single)],
    }
}

/// Where a single value is one of a domain's.
pub(crate) fn within(gates: &mut Gates, shape: &Shape, domain: &Domain) -> Result<Lit, Stop> {
    match (shape, domain) {
        (Shape::Scalar { bits, symbol }, Domain::Values(values)) => {
            if let Some(low) = range(values) {
                let high = low + (values.len() as i64 - 1);
                let (low, high) = (
                    integer::constant(gates, low),
                    integer::constant(gates, high),
                );
                let above = integer::less(gates, &low, bits, true);
                let below = integer::less(gates, bits, &high, true);
                return Ok(gates.all([above, below, !*symbol]));
            }
            let mut places = Vec::with_capacity(values.len());
            for &value in values {
                let (wanted, kind) = scalar(gates, value);
                let kind = gates.same(kind, *symbol);
                let same = integer::equal(gates, bits, &wanted);
                places.push(gates.and(kind, same));
            }
            Ok(gates.any(places))
        }
        _ => Ok(gates.constant(true)),
    }
}
