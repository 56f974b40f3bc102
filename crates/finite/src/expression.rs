//! Expressions of a finite system: a shared graph in which equal expressions are one node.

use super::value::Value;
use super::{Domain, Variable, VariableId};
use rustc_hash::FxHashMap;

/// An expression; parts always have smaller numbers than the whole, so passes run by number and
/// need no recursion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpressionId(pub u32);

/// Arithmetic on integers (truncating division, as in C) and on words of one type (modulo 2^n).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each variant is its operator
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Constant(Value),
    /// A variable's value now.
    Variable(VariableId),
    /// A variable's value after the transition.
    Next(VariableId),
    /// Negation of a Boolean or of each bit of a word.
    Not(ExpressionId),
    /// Conjunction of Booleans or of words, two or more parts.
    And(Box<[ExpressionId]>),
    /// Disjunction of Booleans or of words, two or more parts.
    Or(Box<[ExpressionId]>),
    /// Exclusive or of Booleans or words.
    Xor(ExpressionId, ExpressionId),
    /// Equality of two values of one type.
    Equal(ExpressionId, ExpressionId),
    /// `a < b` on integers or words.
    Less(ExpressionId, ExpressionId),
    /// `a <= b` on integers or words.
    LessEqual(ExpressionId, ExpressionId),
    /// Arithmetic on integers or words.
    Arithmetic(Arithmetic, ExpressionId, ExpressionId),
    /// `-a` on integers or words.
    Negate(ExpressionId),
    /// `condition, value, condition, value, …`: the value after the first true condition;
    /// undefined if none is true.
    Case(Box<[ExpressionId]>),
    /// Any of the values of the parts, which may be sets themselves.
    Set(Box<[ExpressionId]>),
    /// Whether the left value is one of the right ones.
    In(ExpressionId, ExpressionId),
    /// How many of the parts are true.
    Count(Box<[ExpressionId]>),
    /// Bits of the left word followed by those of the right one.
    Concatenate(ExpressionId, ExpressionId),
    /// Bits `high..=low` of a word, as an unsigned word.
    Select(ExpressionId, u8, u8),
    /// `a << b`, by an integer or unsigned word.
    ShiftLeft(ExpressionId, ExpressionId),
    /// `a >> b`; the sign is kept in signed words.
    ShiftRight(ExpressionId, ExpressionId),
    /// A word cut or extended (by its sign, if signed) to a width.
    Resize(ExpressionId, u8),
    /// Bits of an expression read as signed or unsigned.
    Reinterpret(ExpressionId, bool),
    /// A word of one bit as a Boolean, or an integer as "not zero".
    ToBoolean(ExpressionId),
    /// A Boolean as a word of one bit.
    ToWord(ExpressionId),
    /// A Boolean as 0 or 1, or a word as the integer it stands for.
    ToInteger(ExpressionId),
}

/// What an expression can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// The sort of value.
    pub kind: Kind,
    /// Whether the expression may stand for any of several values.
    pub set: bool,
}

/// The sorts of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Truth values.
    Boolean,
    /// Integers and symbols.
    Scalar,
    /// Words.
    Word {
        /// Whether read in two's complement.
        signed: bool,
        /// The number of bits.
        width: u8,
    },
}

/// All expressions of a system.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    nodes: Vec<Node>,
    types: Vec<Type>,
    numbers: FxHashMap<Node, ExpressionId>,
}

impl Expressions {
    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The form of an expression.
    pub fn node(&self, id: ExpressionId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// What an expression can stand for.
    pub fn type_of(&self, id: ExpressionId) -> Type {
        self.types[id.0 as usize]
    }

    /// The constant that an expression is, if it is one.
    pub fn constant_of(&self, id: ExpressionId) -> Option<Value> {
        match self.node(id) {
            Node::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// Adds an expression as it is, or finds the equal one that is there.
    pub fn add(&mut self, node: Node, ty: Type) -> ExpressionId {
        if let Some(&id) = self.numbers.get(&node) {
            return id;
        }
        let id = ExpressionId(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.types.push(ty);
        self.numbers.insert(node, id);
        id
    }

    fn add_kind(&mut self, node: Node, kind: Kind) -> ExpressionId {
        self.add(node, Type { kind, set: false })
    }

    /// A constant.
    pub fn constant(&mut self, value: Value) -> ExpressionId {
        let kind = match value {
            Value::Boolean(_) => Kind::Boolean,
            Value::Integer(_) | Value::Symbol(_) => Kind::Scalar,
            Value::Word(word) => Kind::Word {
                signed: word.signed,
                width: word.width,
            },
        };
        self.add_kind(Node::Constant(value), kind)
    }

    /// `TRUE` or `FALSE`.
    pub fn boolean(&mut self, value: bool) -> ExpressionId {
        self.constant(Value::Boolean(value))
    }

    /// A variable now (`next` false) or after the transition.
    pub fn variable(&mut self, id: VariableId, variable: &Variable, next: bool) -> ExpressionId {
        let kind = match variable.domain {
            Domain::Boolean => Kind::Boolean,
            Domain::Values(_) => Kind::Scalar,
            Domain::Word { signed, width } => Kind::Word { signed, width },
        };
        let node = if next {
            Node::Next(id)
        } else {
            Node::Variable(id)
        };
        self.add_kind(node, kind)
    }

    /// Negation.
    pub fn not(&mut self, a: ExpressionId) -> ExpressionId {
        match self.node(a) {
            Node::Constant(Value::Boolean(value)) => {
                let value = !*value;
                self.boolean(value)
            }
            Node::Not(inner) => *inner,
            _ => {
                let kind = self.type_of(a).kind;
                self.add_kind(Node::Not(a), kind)
            }
        }
    }

    /// Conjunction of Booleans, flattened, without `TRUE` and repetitions.
    pub fn and(&mut self, parts: impl IntoIterator<Item = ExpressionId>) -> ExpressionId {
        self.chain(parts, true)
    }

    /// Disjunction of Booleans, flattened, without `FALSE` and repetitions.
    pub fn or(&mut self, parts: impl IntoIterator<Item = ExpressionId>) -> ExpressionId {
        self.chain(parts, false)
    }

    fn chain(&mut self, parts: impl IntoIterator<Item = ExpressionId>, and: bool) -> ExpressionId {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut flat = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::Constant(Value::Boolean(value)) if *value == and => {}
                Node::Constant(Value::Boolean(_)) => return part,
                Node::And(inner) if and => flat.extend(inner.iter().filter(|&&i| seen.insert(i))),
                Node::Or(inner) if !and => flat.extend(inner.iter().filter(|&&i| seen.insert(i))),
                _ if seen.insert(part) => flat.push(part),
                _ => {}
            }
        }
        match flat.as_slice() {
            [] => self.boolean(and),
            [single] => *single,
            _ if and => self.add_kind(Node::And(flat.into()), Kind::Boolean),
            _ => self.add_kind(Node::Or(flat.into()), Kind::Boolean),
        }
    }

    /// `a -> b`.
    pub fn implies(&mut self, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        let not_a = self.not(a);
        self.or([not_a, b])
    }

    /// `a = b`; equal constants are folded.
    pub fn equal(&mut self, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        if a == b && !self.type_of(a).set {
            return self.boolean(true);
        }
        if let (Some(left), Some(right)) = (self.constant_of(a), self.constant_of(b)) {
            return self.boolean(left == right);
        }
        // Equality commutes: one node for both orders.
        self.add_kind(Node::Equal(a.min(b), a.max(b)), Kind::Boolean)
    }

    /// A Boolean expression of another form.
    pub fn relation(&mut self, node: Node) -> ExpressionId {
        self.add_kind(node, Kind::Boolean)
    }

    /// `condition, value, …`; constant conditions are folded.
    pub fn case(&mut self, branches: Vec<(ExpressionId, ExpressionId)>, ty: Type) -> ExpressionId {
        let mut flat = Vec::with_capacity(branches.len() * 2);
        for (condition, value) in branches {
            match self.constant_of(condition) {
                Some(Value::Boolean(false)) => continue,
                Some(Value::Boolean(true)) if flat.is_empty() => return value,
                _ => flat.extend([condition, value]),
            }
            if self.constant_of(condition) == Some(Value::Boolean(true)) {
                break;
            }
        }
        self.add(Node::Case(flat.into()), ty)
    }

    /// The next expression to evaluate, parts before wholes: the stack holds what is wanted, and takes on what that needs
    /// and is not known. A stack instead of recursion: graphs may be thousands deep.
    pub fn next_of(
        &self,
        stack: &mut Vec<ExpressionId>,
        known: impl Fn(ExpressionId) -> bool,
    ) -> Option<ExpressionId> {
        while let Some(&id) = stack.last() {
            let before = stack.len();
            if !known(id) {
                self.for_each_part(id, |part| {
                    if !known(part) {
                        stack.push(part);
                    }
                });
            }
            if stack.len() == before {
                stack.pop();
                if !known(id) {
                    return Some(id);
                }
            }
        }
        None
    }

    /// Calls `visit` on the direct parts of an expression.
    pub fn for_each_part(&self, id: ExpressionId, mut visit: impl FnMut(ExpressionId)) {
        match self.node(id) {
            Node::Constant(_) | Node::Variable(_) | Node::Next(_) => {}
            Node::Not(a)
            | Node::Negate(a)
            | Node::Select(a, ..)
            | Node::Resize(a, _)
            | Node::Reinterpret(a, _)
            | Node::ToBoolean(a)
            | Node::ToWord(a)
            | Node::ToInteger(a) => visit(*a),
            Node::Xor(a, b)
            | Node::Equal(a, b)
            | Node::Less(a, b)
            | Node::LessEqual(a, b)
            | Node::Arithmetic(_, a, b)
            | Node::In(a, b)
            | Node::Concatenate(a, b)
            | Node::ShiftLeft(a, b)
            | Node::ShiftRight(a, b) => {
                visit(*a);
                visit(*b);
            }
            Node::And(parts)
            | Node::Or(parts)
            | Node::Case(parts)
            | Node::Set(parts)
            | Node::Count(parts) => parts.iter().copied().for_each(visit),
        }
    }
}
