//! Expressions: from trees with names to nodes of the system's graph.

use super::{Lower, Lowering};
use merkhet_finite::{ExpressionId, Kind, Node, Role, Type, Value, Word};
use merkhet_smv::tree::*;
use merkhet_syntax::Span;

impl<'t> Lowering<'t> {
    /// Lowers an expression that is read in an instance.
    pub(super) fn expression(
        &mut self,
        scope: usize,
        expression: &'t Expression,
    ) -> Lower<ExpressionId> {
        let span = expression.span;
        self.nested(span, |this| match &expression.kind {
            ExpressionKind::Boolean(value) => Ok(this.system.expressions.boolean(*value)),
            ExpressionKind::Integer(value) => {
                Ok(this.system.expressions.constant(Value::Integer(*value)))
            }
            ExpressionKind::Word(word) => {
                let value = Word::new(word.signed, word.width as u8, word.bits);
                Ok(this.system.expressions.constant(Value::Word(value)))
            }
            ExpressionKind::Name(_)
            | ExpressionKind::SelfInstance
            | ExpressionKind::Member(..)
            | ExpressionKind::Index(..) => this.path(scope, expression),
            ExpressionKind::Unary(operator, a) => {
                let a_id = this.expression(scope, a)?;
                this.unary(*operator, a_id, span)
            }
            ExpressionKind::Binary(operator, a, b) => {
                let a_id = this.expression(scope, a)?;
                let b_id = this.expression(scope, b)?;
                this.binary(*operator, a_id, b_id, span)
            }
            ExpressionKind::Chain(operator, parts) => this.chain(scope, *operator, parts),
            ExpressionKind::Conditional(c, a, b) => {
                let condition = this.condition(scope, c)?;
                let values = [this.expression(scope, a)?, this.expression(scope, b)?];
                let otherwise = this.system.expressions.boolean(true);
                this.cases(vec![condition, otherwise], values.to_vec(), span)
            }
            ExpressionKind::Case(branches) => {
                let mut conditions = Vec::new();
                let mut values = Vec::new();
                for (condition, value) in branches {
                    conditions.push(this.condition(scope, condition)?);
                    values.push(this.expression(scope, value)?);
                }
                this.cases(conditions, values, span)
            }
            ExpressionKind::Set(parts) => {
                let mut ids = Vec::new();
                for part in parts {
                    ids.push(this.expression(scope, part)?);
                }
                this.set(ids, span)
            }
            ExpressionKind::Range(low, high) => {
                let (low, high) = this.range(scope, low, high, span)?;
                let mut ids = Vec::new();
                for value in low..=high {
                    ids.push(this.system.expressions.constant(Value::Integer(value)));
                }
                this.set(ids, span)
            }
            ExpressionKind::Next(inner) => this.next(scope, inner),
            ExpressionKind::Select(word, high, low) => this.select(scope, word, high, low, span),
            ExpressionKind::Call(function, arguments) => {
                this.call(scope, *function, arguments, span)
            }
            ExpressionKind::Init(_) => {
                this.fail("misplaced-init", "`init` is only for assignments", span)
            }
            ExpressionKind::Array(_) => {
                this.fail("no-value", "a whole array has no value here", span)
            }
            ExpressionKind::Temporal(..)
            | ExpressionKind::Within(..)
            | ExpressionKind::Until(..)
            | ExpressionKind::Bounded(..)
            | ExpressionKind::BoundedUntil(..)
            | ExpressionKind::PathLength(..) => {
                let message = "temporal operators cannot stand inside an expression";
                this.fail("misplaced-temporal", message, span)
            }
        })
    }

    /// A Boolean expression that stands for one value.
    pub(super) fn condition(
        &mut self,
        scope: usize,
        expression: &'t Expression,
    ) -> Lower<ExpressionId> {
        let id = self.expression(scope, expression)?;
        self.as_boolean(id, expression.span)
    }

    pub(super) fn as_boolean(&mut self, id: ExpressionId, span: Span) -> Lower<ExpressionId> {
        let id = self.coerce_to_boolean(id);
        match self.system.expressions.type_of(id) {
            Type {
                kind: Kind::Boolean,
                set: false,
            } => Ok(id),
            Type { set: true, .. } => {
                self.fail("misplaced-set", "a single truth value is needed here", span)
            }
            _ => self.fail("not-boolean", "a truth value is needed here", span),
        }
    }

    /// Old models write 0 and 1 for truth values: taken so where only a truth value makes sense.
    pub(super) fn coerce_to_boolean(&mut self, id: ExpressionId) -> ExpressionId {
        let ty = Type {
            kind: Kind::Boolean,
            set: self.system.expressions.type_of(id).set,
        };
        match self.system.expressions.node(id).clone() {
            Node::Constant(Value::Integer(value @ 0..=1)) => {
                self.system.expressions.boolean(value == 1)
            }
            Node::Set(parts) => {
                let parts: Vec<_> = parts
                    .iter()
                    .map(|&part| self.coerce_to_boolean(part))
                    .collect();
                if parts.iter().all(|&part| self.kind(part) == Kind::Boolean) {
                    return self.system.expressions.add(Node::Set(parts.into()), ty);
                }
                id
            }
            Node::Case(parts) => {
                let mut branches = Vec::new();
                for branch in parts.chunks(2) {
                    let value = self.coerce_to_boolean(branch[1]);
                    if self.kind(value) != Kind::Boolean {
                        return id;
                    }
                    branches.push((branch[0], value));
                }
                self.system.expressions.case(branches, ty)
            }
            _ => id,
        }
    }

    pub(super) fn kind(&self, id: ExpressionId) -> Kind {
        self.system.expressions.type_of(id).kind
    }

    /// Brings alternatives to one type: truth values if one of them is, numbers 0 and 1 included.
    pub(super) fn unify(
        &mut self,
        mut ids: Vec<ExpressionId>,
        span: Span,
    ) -> Lower<(Vec<ExpressionId>, Kind)> {
        if ids.iter().any(|&id| self.kind(id) == Kind::Boolean) {
            for id in &mut ids {
                *id = self.coerce_to_boolean(*id);
            }
        }
        let Some(kind) = ids.first().map(|&id| self.kind(id)) else {
            return self.fail("empty-set", "a set needs a member", span);
        };
        if ids.iter().any(|&id| self.kind(id) != kind) {
            return self.fail(
                "type-mismatch",
                "the alternatives have different types",
                span,
            );
        }
        Ok((ids, kind))
    }

    pub(super) fn cases(
        &mut self,
        conditions: Vec<ExpressionId>,
        values: Vec<ExpressionId>,
        span: Span,
    ) -> Lower<ExpressionId> {
        let (values, kind) = self.unify(values, span)?;
        let set = values
            .iter()
            .any(|&value| self.system.expressions.type_of(value).set);
        let branches = conditions.into_iter().zip(values).collect();
        Ok(self.system.expressions.case(branches, Type { kind, set }))
    }

    pub(super) fn set(&mut self, ids: Vec<ExpressionId>, span: Span) -> Lower<ExpressionId> {
        let (ids, kind) = self.unify(ids, span)?;
        let mut flat = Vec::new();
        for id in ids {
            match self.system.expressions.node(id) {
                Node::Set(parts) => flat.extend(parts.iter().copied()),
                _ => flat.push(id),
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        flat.retain(|&id| seen.insert(id));
        if let [single] = flat.as_slice() {
            return Ok(*single);
        }
        let ty = Type { kind, set: true };
        Ok(self.system.expressions.add(Node::Set(flat.into()), ty))
    }

    fn chain(
        &mut self,
        scope: usize,
        operator: ChainOperator,
        parts: &'t [Expression],
    ) -> Lower<ExpressionId> {
        let mut ids = Vec::with_capacity(parts.len());
        for part in parts {
            let id = self.expression(scope, part)?;
            ids.push((id, part.span));
        }
        let and = operator == ChainOperator::And;
        if let Some(&(first, _)) = ids.first()
            && let kind @ Kind::Word { .. } = self.kind(first)
        {
            return self.word_chain(ids, and, kind);
        }
        let mut conditions = Vec::with_capacity(ids.len());
        for (id, span) in ids {
            conditions.push(self.as_boolean(id, span)?);
        }
        let expressions = &mut self.system.expressions;
        Ok(if and {
            expressions.and(conditions)
        } else {
            expressions.or(conditions)
        })
    }

    fn word_chain(
        &mut self,
        ids: Vec<(ExpressionId, Span)>,
        and: bool,
        kind: Kind,
    ) -> Lower<ExpressionId> {
        for &(id, span) in &ids {
            if self.system.expressions.type_of(id) != (Type { kind, set: false }) {
                return self.fail("type-mismatch", "words of one type are needed here", span);
            }
        }
        let parts = ids.into_iter().map(|(id, _)| id).collect();
        let node = if and {
            Node::And(parts)
        } else {
            Node::Or(parts)
        };
        Ok(self.system.expressions.add(node, Type { kind, set: false }))
    }

    /// `next(e)`: the same about the state after the transition.
    fn next(&mut self, scope: usize, inner: &'t Expression) -> Lower<ExpressionId> {
        let id = self.expression(scope, inner)?;
        let support = self.system.support(&[id]);
        if !support.next.is_empty() {
            return self.fail("nested-next", "`next` inside `next`", inner.span);
        }
        let input = support
            .current
            .iter()
            .find(|v| self.system.variable(**v).role == Role::Input);
        if let Some(&input) = input {
            let name = self.system.variable(input).name.clone();
            let message = format!("the input `{name}` has no value after the transition");
            return self.fail("next-of-input", message, inner.span);
        }
        Ok(self.system.prime(id))
    }
}
