//! Operators and built-in functions on lowered operands, with type checks and constant folding.

use super::{Lower, Lowering};
use merkhet_finite::{Arithmetic, ExpressionId, Kind, Node, Type, Value, Word};
use merkhet_smv::tree::{BinaryOperator, Expression, Function, UnaryOperator};
use merkhet_syntax::Span;

impl<'t> Lowering<'t> {
    pub(super) fn unary(
        &mut self,
        operator: UnaryOperator,
        a: ExpressionId,
        span: Span,
    ) -> Lower<ExpressionId> {
        self.need_single(a, span)?;
        match (operator, self.kind(a)) {
            (UnaryOperator::Not, Kind::Word { .. }) => Ok(self.system.expressions.not(a)),
            (UnaryOperator::Not, _) => {
                let a = self.as_boolean(a, span)?;
                Ok(self.system.expressions.not(a))
            }
            (UnaryOperator::Negate, Kind::Boolean) => {
                self.fail("type-mismatch", "truth values have no sign", span)
            }
            (UnaryOperator::Negate, kind) => match self.system.expressions.constant_of(a) {
                Some(Value::Integer(value)) if value != i64::MIN => {
                    Ok(self.system.expressions.constant(Value::Integer(-value)))
                }
                _ => Ok(self.plain(Node::Negate(a), kind)),
            },
        }
    }

    fn plain(&mut self, node: Node, kind: Kind) -> ExpressionId {
        self.system.expressions.add(node, Type { kind, set: false })
    }

    fn need_single(&mut self, id: ExpressionId, span: Span) -> Lower<()> {
        if self.system.expressions.type_of(id).set {
            return self.fail("misplaced-set", "a set cannot be an operand here", span);
        }
        Ok(())
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        a: ExpressionId,
        b: ExpressionId,
        span: Span,
    ) -> Lower<ExpressionId> {
        use BinaryOperator::*;
        match operator {
            Union => return self.set(vec![a, b], span),
            In => {
                let (ids, _) = self.unify(vec![a, b], span)?;
                self.need_single(ids[0], span)?;
                return Ok(self.system.expressions.relation(Node::In(ids[0], ids[1])));
            }
            _ => {}
        }
        self.need_single(a, span)?;
        self.need_single(b, span)?;
        match operator {
            Implies | Iff | Xor | Xnor => self.logical(operator, a, b, span),
            Equal | NotEqual => {
                let (ids, _) = self.unify(vec![a, b], span)?;
                let equal = self.system.expressions.equal(ids[0], ids[1]);
                Ok(if operator == Equal {
                    equal
                } else {
                    self.system.expressions.not(equal)
                })
            }
            Less => self.comparison(Node::Less(a, b), a, b, span),
            LessEqual => self.comparison(Node::LessEqual(a, b), a, b, span),
            Greater => self.comparison(Node::Less(b, a), a, b, span),
            GreaterEqual => self.comparison(Node::LessEqual(b, a), a, b, span),
            Add => self.arithmetic(Arithmetic::Add, a, b, span),
            Subtract => self.arithmetic(Arithmetic::Subtract, a, b, span),
            Multiply => self.arithmetic(Arithmetic::Multiply, a, b, span),
            Divide => self.arithmetic(Arithmetic::Divide, a, b, span),
            Modulo => self.arithmetic(Arithmetic::Modulo, a, b, span),
            ShiftLeft | ShiftRight => self.shift(operator == ShiftLeft, a, b, span),
            Concatenate => self.concatenate(a, b, span),
            Union | In => self.fail("type-mismatch", "misplaced set operator", span),
        }
    }

    fn logical(
        &mut self,
        operator: BinaryOperator,
        a: ExpressionId,
        b: ExpressionId,
        span: Span,
    ) -> Lower<ExpressionId> {
        if let (kind @ Kind::Word { .. }, true) = (self.kind(a), self.kind(a) == self.kind(b)) {
            let xor = self.plain(Node::Xor(a, b), kind);
            return match operator {
                BinaryOperator::Xor => Ok(xor),
                BinaryOperator::Xnor | BinaryOperator::Iff => Ok(self.system.expressions.not(xor)),
                _ => {
                    let not_a = self.system.expressions.not(a);
                    Ok(self.plain(Node::Or([not_a, b].into()), kind))
                }
            };
        }
        let a = self.as_boolean(a, span)?;
        let b = self.as_boolean(b, span)?;
        let expressions = &mut self.system.expressions;
        Ok(match operator {
            BinaryOperator::Implies => expressions.implies(a, b),
            BinaryOperator::Xor => {
                let equal = expressions.equal(a, b);
                expressions.not(equal)
            }
            _ => expressions.equal(a, b),
        })
    }

    fn comparison(
        &mut self,
        node: Node,
        a: ExpressionId,
        b: ExpressionId,
        span: Span,
    ) -> Lower<ExpressionId> {
        if self.kind(a) != self.kind(b) || self.kind(a) == Kind::Boolean {
            return self.fail(
                "type-mismatch",
                "only numbers or words of one type compare",
                span,
            );
        }
        Ok(self.system.expressions.relation(node))
    }

    fn arithmetic(
        &mut self,
        operator: Arithmetic,
        a: ExpressionId,
        b: ExpressionId,
        span: Span,
    ) -> Lower<ExpressionId> {
        let kind = self.kind(a);
        if kind != self.kind(b) || kind == Kind::Boolean {
            let message = "arithmetic needs two numbers or two words of one type";
            return self.fail("type-mismatch", message, span);
        }
        let constants = [a, b].map(|id| self.system.expressions.constant_of(id));
        if let [Some(Value::Integer(a)), Some(Value::Integer(b))] = constants {
            let folded = match operator {
                Arithmetic::Add => a.checked_add(b),
                Arithmetic::Subtract => a.checked_sub(b),
                Arithmetic::Multiply => a.checked_mul(b),
                Arithmetic::Divide => a.checked_div(b),
                Arithmetic::Modulo => a.checked_rem(b),
            };
            return match folded {
                Some(value) => Ok(self.system.expressions.constant(Value::Integer(value))),
                None => self.fail("bad-arithmetic", "division by zero or overflow", span),
            };
        }
        Ok(self.plain(Node::Arithmetic(operator, a, b), kind))
    }

    fn shift(
        &mut self,
        left: bool,
        a: ExpressionId,
        b: ExpressionId,
        span: Span,
    ) -> Lower<ExpressionId> {
        let (kind @ Kind::Word { .. }, Kind::Scalar | Kind::Word { signed: false, .. }) =
            (self.kind(a), self.kind(b))
        else {
            let message = "a word is shifted by an integer or unsigned word";
            return self.fail("type-mismatch", message, span);
        };
        let node = if left {
            Node::ShiftLeft(a, b)
        } else {
            Node::ShiftRight(a, b)
        };
        Ok(self.plain(node, kind))
    }

    fn concatenate(&mut self, a: ExpressionId, b: ExpressionId, span: Span) -> Lower<ExpressionId> {
        let (Kind::Word { width: high, .. }, Kind::Word { width: low, .. }) =
            (self.kind(a), self.kind(b))
        else {
            return self.fail("type-mismatch", "only words are concatenated", span);
        };
        if high + low > 64 {
            return self.fail("bad-word", "words have at most 64 bits", span);
        }
        let kind = Kind::Word {
            signed: false,
            width: high + low,
        };
        Ok(self.plain(Node::Concatenate(a, b), kind))
    }

    pub(super) fn select(
        &mut self,
        scope: usize,
        word: &'t Expression,
        high: &'t Expression,
        low: &'t Expression,
        span: Span,
    ) -> Lower<ExpressionId> {
        let id = self.expression(scope, word)?;
        let high = self.constant_integer(scope, high)?;
        let low = self.constant_integer(scope, low)?;
        match self.kind(id) {
            Kind::Word { width, .. } if 0 <= low && low <= high && high < i64::from(width) => {
                let kind = Kind::Word {
                    signed: false,
                    width: (high - low + 1) as u8,
                };
                Ok(self.plain(Node::Select(id, high as u8, low as u8), kind))
            }
            Kind::Word { .. } => self.fail("bad-index", "no such bits in the word", span),
            _ => self.fail("type-mismatch", "bits are selected from words only", span),
        }
    }

    pub(super) fn call(
        &mut self,
        scope: usize,
        function: Function,
        arguments: &'t [Expression],
        span: Span,
    ) -> Lower<ExpressionId> {
        if function == Function::Count {
            let mut ids = Vec::new();
            for argument in arguments {
                ids.push(self.condition(scope, argument)?);
            }
            return Ok(self.plain(Node::Count(ids.into()), Kind::Scalar));
        }
        let wanted = match function {
            Function::Extend
            | Function::Resize
            | Function::Uwconst
            | Function::Swconst
            | Function::Max
            | Function::Min => 2,
            _ => 1,
        };
        if arguments.len() != wanted {
            let message = format!("the function takes {wanted} arguments");
            return self.fail("wrong-arguments", message, span);
        }
        let first = self.expression(scope, &arguments[0])?;
        self.need_single(first, span)?;
        match arguments {
            [_] => self.call_one(function, first, span),
            _ => self.call_two(scope, function, first, &arguments[1], span),
        }
    }

    fn call_one(&mut self, function: Function, a: ExpressionId, span: Span) -> Lower<ExpressionId> {
        match (function, self.kind(a)) {
            (Function::Bool, Kind::Boolean) => Ok(a),
            (Function::Bool, Kind::Scalar | Kind::Word { width: 1, .. }) => {
                Ok(self.plain(Node::ToBoolean(a), Kind::Boolean))
            }
            (Function::Word1, Kind::Boolean) => Ok(self.plain(
                Node::ToWord(a),
                Kind::Word {
                    signed: false,
                    width: 1,
                },
            )),
            (Function::ToInt, Kind::Scalar) => Ok(a),
            (Function::ToInt, _) => Ok(self.plain(Node::ToInteger(a), Kind::Scalar)),
            (Function::Signed, Kind::Word { width, .. }) => Ok(self.plain(
                Node::Reinterpret(a, true),
                Kind::Word {
                    signed: true,
                    width,
                },
            )),
            (Function::Unsigned, Kind::Word { width, .. }) => Ok(self.plain(
                Node::Reinterpret(a, false),
                Kind::Word {
                    signed: false,
                    width,
                },
            )),
            (Function::Sizeof, Kind::Word { width, .. }) => Ok(self
                .system
                .expressions
                .constant(Value::Integer(i64::from(width)))),
            (Function::Abs, Kind::Scalar) => {
                let zero = self.system.expressions.constant(Value::Integer(0));
                let negative = self.system.expressions.relation(Node::Less(a, zero));
                let negated = self.unary(UnaryOperator::Negate, a, span)?;
                let otherwise = self.system.expressions.boolean(true);
                self.cases(vec![negative, otherwise], vec![negated, a], span)
            }
            _ => self.fail(
                "type-mismatch",
                "the function does not take this type",
                span,
            ),
        }
    }

    fn call_two(
        &mut self,
        scope: usize,
        function: Function,
        a: ExpressionId,
        second: &'t Expression,
        span: Span,
    ) -> Lower<ExpressionId> {
        if matches!(function, Function::Max | Function::Min) {
            let b = self.expression(scope, second)?;
            let less = self.binary(BinaryOperator::Less, a, b, span)?;
            let otherwise = self.system.expressions.boolean(true);
            let values = if function == Function::Max {
                vec![b, a]
            } else {
                vec![a, b]
            };
            return self.cases(vec![less, otherwise], values, span);
        }
        let number = self.constant_integer(scope, second)?;
        let width = match (function, self.kind(a)) {
            (Function::Extend, Kind::Word { width, .. }) => i64::from(width).saturating_add(number),
            _ => number,
        };
        if number < 0 || !(1..=64).contains(&width) {
            return self.fail("bad-word", "words have 1 to 64 bits", second.span);
        }
        let width = width as u8;
        match (
            function,
            self.kind(a),
            self.system.expressions.constant_of(a),
        ) {
            (Function::Extend | Function::Resize, Kind::Word { signed, .. }, _) => {
                Ok(self.plain(Node::Resize(a, width), Kind::Word { signed, width }))
            }
            (Function::Uwconst | Function::Swconst, _, Some(Value::Integer(value))) => {
                let signed = function == Function::Swconst;
                let word = Word::new(signed, width, value as u64);
                if word.to_integer() != i128::from(value) {
                    return self.fail("bad-word", "the value does not fit the width", span);
                }
                Ok(self.system.expressions.constant(Value::Word(word)))
            }
            _ => self.fail(
                "type-mismatch",
                "the function does not take this type",
                span,
            ),
        }
    }
}
