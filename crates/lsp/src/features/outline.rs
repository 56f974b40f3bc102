//! The outline of a text.

use crate::index::{DefinitionId, Index, Kind};
use merkhet_syntax::Span;

/// A declaration with those inside of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// What it is declared as.
    pub detail: String,
    /// The name's place.
    pub span: Span,
    /// The whole declaration.
    pub whole: Span,
    /// What it holds.
    pub children: Vec<Entry>,
}

/// The outline, in the order of the text.
pub fn outline(index: &Index) -> Vec<Entry> {
    let mut inside: Vec<Vec<usize>> = vec![Vec::new(); index.definitions.len()];
    let mut roots = Vec::new();
    for (at, definition) in index.definitions.iter().enumerate() {
        // What a quantifier or a block binds is no part of the outline; what the library declares stands nowhere.
        let named = index
            .references
            .binary_search_by_key(&(definition.span.start, definition.span.end), |one| {
                (one.span.start, one.span.end)
            })
            .is_ok();
        match definition.owner {
            _ if !named => {}
            Some(owner) => {
                if let Some(list) = inside.get_mut(owner.0 as usize) {
                    list.push(at);
                }
            }
            None if definition.kind == Kind::Field => {}
            None => roots.push(at),
        }
    }
    let mut found: Vec<Entry> = roots
        .into_iter()
        .filter_map(|at| entry(index, &inside, DefinitionId(at as u32), 0))
        .collect();
    found.sort_by_key(|one| one.span.start);
    found
}

fn entry(index: &Index, inside: &[Vec<usize>], id: DefinitionId, depth: u32) -> Option<Entry> {
    let definition = index.definition(id)?;
    let mut children: Vec<Entry> = Vec::new();
    // Owners come before what they own, so this ends; functions are not opened.
    if depth < 4 && definition.kind != Kind::Function {
        let own = inside.get(id.0 as usize).into_iter().flatten();
        children
            .extend(own.filter_map(|&at| entry(index, inside, DefinitionId(at as u32), depth + 1)));
        children.sort_by_key(|one| one.span.start);
    }
    let mut whole = definition.whole;
    for child in &children {
        whole = whole.to(child.whole);
    }
    Some(Entry {
        name: definition.name.clone(),
        kind: definition.kind,
        detail: definition.detail.clone(),
        span: definition.span,
        whole: whole.to(definition.span),
        children,
    })
}
