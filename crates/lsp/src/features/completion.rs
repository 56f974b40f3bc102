//! What can be written at a place.

use crate::document::Document;
use crate::index::{DefinitionId, Index, Kind};
use crate::language::Language;
use crate::words::words;

/// Something that can be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The word.
    pub label: String,
    /// What it is; `None` for a word of the language.
    pub kind: Option<Kind>,
    /// What it is declared as, or what the word means.
    pub detail: String,
}

/// What can be written at an offset of a document whose names are those of `model`.
pub fn complete(document: &Document, offset: u32, model: &Index) -> Vec<Item> {
    let text = document.text.slice(0, offset);
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let before = text.trim_end_matches(inner);
    // The text may have changed where the cursor is, so what stands before the dot is looked up by its letters.
    if let Some(object) = before.strip_suffix('.') {
        let members = object_of(object)
            .and_then(|name| {
                let scope = scope(document, offset, model)?;
                model.resolve(scope, name, u32::MAX)
            })
            .and_then(|id| model.definition(id)?.members);
        let Some(members) = members else {
            return Vec::new();
        };
        return items(model, model.names(members));
    }
    let scope = scope(document, offset, model);
    let mut found = items(model, model.visible(scope));
    if document.language == Language::Tck
        || matches!(document.language, Language::Xta | Language::Ta)
    {
        // Locations are named by themselves inside of their process.
        found.extend(locations(model, offset, document.language));
    }
    for (word, meaning) in words(document.language) {
        found.push(Item {
            label: (*word).to_owned(),
            kind: None,
            detail: (*meaning).to_owned(),
        });
    }
    found
}

fn scope(document: &Document, offset: u32, model: &Index) -> Option<crate::index::ScopeId> {
    match document.language {
        Language::Queries => model.queries,
        _ => model.scope_at(offset),
    }
}

/// The name in front of a dot, over indices and arguments: `P(1)` and `a[i]` are `P` and `a`.
fn object_of(text: &str) -> Option<&str> {
    let mut rest = text.trim_end();
    while let Some(close) = rest.chars().next_back().filter(|c| matches!(c, ')' | ']')) {
        let open = if close == ')' { '(' } else { '[' };
        let mut depth = 0_i32;
        let at = rest.char_indices().rev().find(|&(_, c)| {
            depth += i32::from(c == close) - i32::from(c == open);
            depth == 0
        });
        rest = rest.get(..at?.0)?.trim_end();
    }
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let start = rest.trim_end_matches(inner).len();
    rest.get(start..).filter(|name| !name.is_empty())
}

fn items(model: &Index, ids: Vec<DefinitionId>) -> Vec<Item> {
    let definitions = ids.into_iter().filter_map(|id| model.definition(id));
    let item = |one: &crate::index::Definition| Item {
        label: one.name.clone(),
        kind: Some(one.kind),
        detail: one.detail.clone(),
    };
    definitions.map(item).collect()
}

/// The locations of the process around an offset.
fn locations(model: &Index, offset: u32, language: Language) -> Vec<Item> {
    let template = model.definitions.iter().find(|one| {
        let around = one.whole.start <= offset && offset <= one.whole.end;
        one.kind == Kind::Template && (around || language == Language::Tck)
    });
    let members = template.and_then(|one| one.members);
    let names = members.map_or(Vec::new(), |members| model.names(members));
    let mut found = items(model, names);
    found.retain(|item| matches!(item.kind, Some(Kind::Location | Kind::Branchpoint)));
    found
}
