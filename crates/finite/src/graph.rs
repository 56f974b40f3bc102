//! Which variables an expression mentions.

use super::{ExpressionId, Node, System, VariableId};
use std::collections::BTreeSet;

/// The variables of an expression.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Support {
    /// Those whose value now is mentioned.
    pub current: BTreeSet<VariableId>,
    /// Those whose value after the transition is mentioned.
    pub next: BTreeSet<VariableId>,
}

impl System {
    /// All expressions below the given ones, parts before wholes.
    pub fn reachable_expressions(&self, roots: &[ExpressionId]) -> Vec<ExpressionId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<ExpressionId> = roots.to_vec();
        let mut found = Vec::new();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                found.push(id);
                self.expressions.for_each_part(id, |part| stack.push(part));
            }
        }
        found.sort_unstable();
        found
    }

    /// The variables that the expressions mention.
    pub fn support(&self, roots: &[ExpressionId]) -> Support {
        let mut support = Support::default();
        for id in self.reachable_expressions(roots) {
            match self.expressions.node(id) {
                Node::Variable(variable) => {
                    support.current.insert(*variable);
                }
                Node::Next(variable) => {
                    support.next.insert(*variable);
                }
                _ => {}
            }
        }
        support
    }

    /// Whether a condition is one on steps: it mentions inputs or values after the step.
    pub fn speaks_of_steps(&self, root: ExpressionId) -> bool {
        let support = self.support(&[root]);
        let is_input = |id: &VariableId| self.variable(*id).role == super::Role::Input;
        !support.next.is_empty() || support.current.iter().any(is_input)
    }

    /// The expression about the values after the transition. The variables must occur
    /// with their values now only.
    pub fn prime(&mut self, root: ExpressionId) -> ExpressionId {
        let order = self.reachable_expressions(&[root]);
        let mut images = rustc_hash::FxHashMap::default();
        for id in order {
            let image = match self.expressions.node(id).clone() {
                Node::Variable(variable) => {
                    let declared = &self.variables[variable.index()];
                    self.expressions.variable(variable, declared, true)
                }
                node => {
                    let ty = self.expressions.type_of(id);
                    let node = map_parts(node, |part| *images.get(&part).unwrap_or(&part));
                    self.expressions.add(node, ty)
                }
            };
            images.insert(id, image);
        }
        images.get(&root).copied().unwrap_or(root)
    }
}

fn map_parts(node: Node, map: impl Fn(ExpressionId) -> ExpressionId) -> Node {
    let map_all = |parts: Box<[ExpressionId]>| parts.iter().map(|&part| map(part)).collect();
    match node {
        Node::Constant(_) | Node::Variable(_) | Node::Next(_) => node,
        Node::Not(a) => Node::Not(map(a)),
        Node::And(parts) => Node::And(map_all(parts)),
        Node::Or(parts) => Node::Or(map_all(parts)),
        Node::Xor(a, b) => Node::Xor(map(a), map(b)),
        Node::Equal(a, b) => Node::Equal(map(a), map(b)),
        Node::Less(a, b) => Node::Less(map(a), map(b)),
        Node::LessEqual(a, b) => Node::LessEqual(map(a), map(b)),
        Node::Arithmetic(operator, a, b) => Node::Arithmetic(operator, map(a), map(b)),
        Node::Negate(a) => Node::Negate(map(a)),
        Node::Case(parts) => Node::Case(map_all(parts)),
        Node::Set(parts) => Node::Set(map_all(parts)),
        Node::In(a, b) => Node::In(map(a), map(b)),
        Node::Count(parts) => Node::Count(map_all(parts)),
        Node::Concatenate(a, b) => Node::Concatenate(map(a), map(b)),
        Node::Select(a, high, low) => Node::Select(map(a), high, low),
        Node::ShiftLeft(a, b) => Node::ShiftLeft(map(a), map(b)),
        Node::ShiftRight(a, b) => Node::ShiftRight(map(a), map(b)),
        Node::Resize(a, width) => Node::Resize(map(a), width),
        Node::Reinterpret(a, signed) => Node::Reinterpret(map(a), signed),
        Node::ToBoolean(a) => Node::ToBoolean(map(a)),
        Node::ToWord(a) => Node::ToWord(map(a)),
        Node::ToInteger(a) => Node::ToInteger(map(a)),
    }
}
