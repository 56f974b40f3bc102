//! Values of expressions in a state, or between two states.

use super::arithmetic::{arithmetic, less, negate, shift};
use crate::{ExpressionId, Node, System, Value, Word};
use rustc_hash::FxHashMap;

/// Where an expression is read: the values of all variables now (inputs included), and those after
/// the step if there is one.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// One value per variable, by number.
    pub now: &'a [Value],
    /// One value per variable after the step.
    pub after: Option<&'a [Value]>,
}

/// All values that an expression may stand for; an error where it has none.
pub fn possible_values(
    system: &System,
    root: ExpressionId,
    situation: Situation<'_>,
) -> Result<Vec<Value>, String> {
    // Undefined parts matter only if the whole needs them: `None` is kept until then.
    let mut known: FxHashMap<ExpressionId, Option<Vec<Value>>> = FxHashMap::default();
    for id in system.reachable_expressions(&[root]) {
        let values = evaluate(system, id, situation, &known)?;
        known.insert(id, values);
    }
    match known.remove(&root) {
        Some(Some(values)) => Ok(values),
        _ => Err("an expression has no value here".into()),
    }
}

type Known = FxHashMap<ExpressionId, Option<Vec<Value>>>;

fn evaluate(
    system: &System,
    id: ExpressionId,
    situation: Situation<'_>,
    known: &Known,
) -> Result<Option<Vec<Value>>, String> {
    let part = |id: &ExpressionId| known.get(id).and_then(|values| values.as_deref());
    let single = |id: &ExpressionId| match part(id) {
        Some([value]) => Some(*value),
        _ => None,
    };
    let truth = |id: &ExpressionId| match single(id) {
        Some(Value::Boolean(value)) => Some(value),
        _ => None,
    };
    let value = match system.expressions.node(id) {
        Node::Constant(value) => Some(*value),
        Node::Variable(variable) => situation.now.get(variable.index()).copied(),
        Node::Next(variable) => match situation.after {
            Some(after) => after.get(variable.index()).copied(),
            None => return Err("`next` outside a step".into()),
        },
        Node::Not(a) => match single(a) {
            Some(Value::Boolean(value)) => Some(Value::Boolean(!value)),
            Some(Value::Word(word)) => {
                Some(Value::Word(Word::new(word.signed, word.width, !word.bits)))
            }
            _ => None,
        },
        Node::And(parts) => chain(parts, &single, true),
        Node::Or(parts) => chain(parts, &single, false),
        Node::Xor(a, b) => match (single(a), single(b)) {
            (Some(Value::Boolean(a)), Some(Value::Boolean(b))) => Some(Value::Boolean(a != b)),
            (Some(Value::Word(a)), Some(Value::Word(b))) => {
                Some(Value::Word(Word::new(a.signed, a.width, a.bits ^ b.bits)))
            }
            _ => None,
        },
        Node::Equal(a, b) => both(single(a), single(b), |a, b| Some(Value::Boolean(a == b))),
        Node::Less(a, b) => both(single(a), single(b), |a, b| less(a, b, false)),
        Node::LessEqual(a, b) => both(single(a), single(b), |a, b| less(a, b, true)),
        Node::Arithmetic(operator, a, b) => {
            both(single(a), single(b), |a, b| arithmetic(*operator, a, b))
        }
        Node::Negate(a) => single(a).and_then(negate),
        Node::Case(branches) => {
            for branch in branches.chunks(2) {
                match truth(&branch[0]) {
                    Some(true) => return Ok(part(&branch[1]).map(<[Value]>::to_vec)),
                    Some(false) => {}
                    None => return Ok(None),
                }
            }
            None
        }
        Node::Set(parts) => {
            let mut values = Vec::new();
            for id in parts {
                match part(id) {
                    Some(more) => values.extend_from_slice(more),
                    None => return Ok(None),
                }
            }
            values.sort_unstable();
            values.dedup();
            return Ok(Some(values));
        }
        Node::In(a, b) => match (single(a), part(b)) {
            (Some(value), Some(values)) => Some(Value::Boolean(values.contains(&value))),
            _ => None,
        },
        Node::Count(parts) => {
            let truths: Option<Vec<bool>> = parts.iter().map(truth).collect();
            truths
                .map(|truths| Value::Integer(truths.iter().filter(|truth| **truth).count() as i64))
        }
        node => word_node(node, &single),
    };
    Ok(value.map(|value| vec![value]))
}

fn both(
    a: Option<Value>,
    b: Option<Value>,
    operation: impl Fn(Value, Value) -> Option<Value>,
) -> Option<Value> {
    operation(a?, b?)
}

/// Conjunction or disjunction: one part can decide even if another has no value.
fn chain(
    parts: &[ExpressionId],
    single: &dyn Fn(&ExpressionId) -> Option<Value>,
    and: bool,
) -> Option<Value> {
    let mut word: Option<Word> = None;
    let mut undefined = false;
    for id in parts {
        match single(id) {
            Some(Value::Boolean(value)) if value != and => return Some(Value::Boolean(value)),
            Some(Value::Boolean(_)) => {}
            Some(Value::Word(next)) => {
                let bits = match word {
                    None => next.bits,
                    Some(so_far) if and => so_far.bits & next.bits,
                    Some(so_far) => so_far.bits | next.bits,
                };
                word = Some(Word::new(next.signed, next.width, bits));
            }
            _ => undefined = true,
        }
    }
    match (undefined, word) {
        (true, _) => None,
        (false, Some(word)) => Some(Value::Word(word)),
        (false, None) => Some(Value::Boolean(and)),
    }
}

fn word_node(node: &Node, single: &dyn Fn(&ExpressionId) -> Option<Value>) -> Option<Value> {
    let word = |id: &ExpressionId| match single(id) {
        Some(Value::Word(word)) => Some(word),
        _ => None,
    };
    let result = match node {
        Node::Concatenate(a, b) => {
            let (a, b) = (word(a)?, word(b)?);
            let bits = u128::from(a.bits) << b.width | u128::from(b.bits);
            Word::new(false, a.width + b.width, bits as u64)
        }
        Node::Select(a, high, low) => Word::new(false, high - low + 1, word(a)?.bits >> low),
        Node::Resize(a, width) => {
            let word = word(a)?;
            let bits = word.to_integer() as u64;
            match word.signed && *width < word.width {
                // A signed word that becomes shorter keeps its sign bit.
                true => {
                    let top = 1u64 << (width - 1);
                    let sign = if word.to_integer() < 0 { top } else { 0 };
                    Word::new(true, *width, bits & (top - 1) | sign)
                }
                false => Word::new(word.signed, *width, bits),
            }
        }
        Node::Reinterpret(a, signed) => {
            let word = word(a)?;
            Word::new(*signed, word.width, word.bits)
        }
        Node::ToWord(a) => match single(a)? {
            Value::Boolean(value) => Word::new(false, 1, u64::from(value)),
            _ => return None,
        },
        Node::ShiftLeft(a, b) => shift(word(a)?, single(b)?, true)?,
        Node::ShiftRight(a, b) => shift(word(a)?, single(b)?, false)?,
        Node::ToBoolean(a) => {
            return match single(a)? {
                Value::Word(word) => Some(Value::Boolean(word.bits != 0)),
                Value::Boolean(value) => Some(Value::Boolean(value)),
                value => Some(Value::Boolean(value != Value::Integer(0))),
            };
        }
        Node::ToInteger(a) => {
            return match single(a)? {
                Value::Boolean(value) => Some(Value::Integer(i64::from(value))),
                Value::Word(word) => i64::try_from(word.to_integer()).ok().map(Value::Integer),
                Value::Integer(value) => Some(Value::Integer(value)),
                Value::Symbol(_) => None,
            };
        }
        _ => return None,
    };
    Some(Value::Word(result))
}
