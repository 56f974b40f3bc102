//! Splits transition constraints that are disjunctions of local changes.
//!
//! A constraint such as `(a = 1 & next(a) = 2 & next(b) = b) | (…)` says, in each alternative,
//! which variables keep their values. Alternatives that keep the same variables become one event.

use crate::system::{ExpressionId, Node, System, VariableId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// An event of the system, or a part of one.
pub(super) struct SplitEvent {
    pub(super) choice: Option<(VariableId, u64)>,
    /// All of these hold.
    pub(super) relation: Vec<ExpressionId>,
    /// All of one of these hold; no condition if empty.
    pub(super) alternatives: Vec<Vec<ExpressionId>>,
    pub(super) unchanged: BTreeSet<VariableId>,
}

pub(super) fn split_events(system: &System) -> Vec<SplitEvent> {
    let mut events = Vec::new();
    for event in &system.events {
        let mut relation = Vec::new();
        for &id in &event.relation {
            flatten(system, id, &mut relation);
        }
        let mut unchanged: BTreeSet<VariableId> = event.unchanged.iter().copied().collect();
        relation.retain(|&id| match kept(system, id) {
            Some(variable) => {
                unchanged.insert(variable);
                false
            }
            None => true,
        });
        let whole = SplitEvent {
            choice: event.choice,
            relation,
            alternatives: Vec::new(),
            unchanged,
        };
        split(system, whole, &mut events);
    }
    events
}

/// Splits by the longest disjunction whose alternatives all keep some variable.
fn split(system: &System, whole: SplitEvent, events: &mut Vec<SplitEvent>) {
    let longest = whole
        .relation
        .iter()
        .enumerate()
        .filter_map(|(position, &id)| match system.expressions.node(id) {
            Node::Or(parts) => Some((parts.len(), position)),
            _ => None,
        })
        .max();
    let alternatives = longest.and_then(|(_, position)| {
        Some((
            position,
            local_alternatives(system, whole.relation[position])?,
        ))
    });
    let Some((position, alternatives)) = alternatives else {
        events.push(whole);
        return;
    };
    let mut rest = whole.relation;
    rest.remove(position);
    let mut groups: FxHashMap<Vec<VariableId>, usize> = FxHashMap::default();
    for (kept, conditions) in alternatives {
        let group = *groups.entry(kept).or_insert_with_key(|kept| {
            let mut unchanged = whole.unchanged.clone();
            unchanged.extend(kept);
            events.push(SplitEvent {
                choice: whole.choice,
                relation: rest.clone(),
                alternatives: Vec::new(),
                unchanged,
            });
            events.len() - 1
        });
        events[group].alternatives.push(conditions);
    }
}

type Alternative = (Vec<VariableId>, Vec<ExpressionId>);

/// For each alternative, the variables it keeps and its other conditions; `None` if some
/// alternative keeps nothing.
fn local_alternatives(system: &System, id: ExpressionId) -> Option<Vec<Alternative>> {
    let Node::Or(parts) = system.expressions.node(id) else {
        return None;
    };
    parts
        .iter()
        .map(|&part| {
            let mut conditions = Vec::new();
            flatten(system, part, &mut conditions);
            let mut variables = BTreeSet::new();
            conditions.retain(|&id| match kept(system, id) {
                Some(variable) => {
                    variables.insert(variable);
                    false
                }
                None => true,
            });
            (!variables.is_empty()).then(|| (variables.into_iter().collect(), conditions))
        })
        .collect()
}

/// The conjuncts of an expression.
fn flatten(system: &System, id: ExpressionId, conjuncts: &mut Vec<ExpressionId>) {
    match system.expressions.node(id) {
        Node::And(parts) if system.expressions.type_of(id).kind == crate::system::Kind::Boolean => {
            parts
                .iter()
                .for_each(|&part| flatten(system, part, conjuncts));
        }
        _ => conjuncts.push(id),
    }
}

/// The variable `v` if the expression is `next(v) = v`.
fn kept(system: &System, id: ExpressionId) -> Option<VariableId> {
    let Node::Equal(a, b) = system.expressions.node(id) else {
        return None;
    };
    match (system.expressions.node(*a), system.expressions.node(*b)) {
        (Node::Variable(v), Node::Next(w)) | (Node::Next(w), Node::Variable(v)) if v == w => {
            Some(*v)
        }
        _ => None,
    }
}
