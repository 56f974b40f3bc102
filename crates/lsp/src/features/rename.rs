//! Giving a definition another name.

use crate::index::{DefinitionId, Index};
use crate::language::Language;
use merkhet_syntax::{KEYWORDS, Span};

/// Why a name cannot be given, in a sentence; `None` if it can.
pub fn refused(language: Language, index: &Index, id: DefinitionId, new: &str) -> Option<String> {
    let inner = |c: char| {
        c.is_ascii_alphanumeric()
            || matches!(c, '_' | '$' | '#')
            || c == '-' && language == Language::Smv
    };
    let first = new.chars().next();
    if !first.is_some_and(|c| c == '_' || c.is_ascii_alphabetic()) || !new.chars().all(inner) {
        return Some(format!(
            "`{new}` is no name: names consist of letters, digits and `_`, and do not start with a digit"
        ));
    }
    let reserved: &[&str] = match language {
        Language::Smv => merkhet_smv::KEYWORDS,
        Language::Tck => &[],
        _ => KEYWORDS,
    };
    if reserved.contains(&new) {
        return Some(format!("`{new}` is a reserved word"));
    }
    let definition = index.definition(id)?;
    if !index
        .places(id)
        .any(|place| place.declares && place.by_name)
    {
        return Some(format!(
            "this {} has no name in the text, or comes from the library",
            definition.kind.name()
        ));
    }
    let same_owner = index.definitions.iter().enumerate().find(|(at, other)| {
        *at != id.0 as usize
            && other.name == new
            && other.owner == definition.owner
            && other.scope == definition.scope
    });
    if same_owner.is_some() {
        return Some(format!("there is a `{new}` here already"));
    }
    // A use must still mean this definition, and uses of the other one must still mean that.
    for place in index.places(id) {
        let scope = index.scope_at(place.span.start);
        if definition.scope.is_some()
            && let Some(other) = scope.and_then(|scope| index.resolve(scope, new, place.span.start))
            && index
                .definition(other)
                .is_some_and(|other| other.scope.is_some())
        {
            return Some(format!("`{new}` means something else where this is used"));
        }
    }
    let others = index.references.iter().filter(|place| {
        index
            .definition(place.definition)
            .is_some_and(|other| other.name == new && other.scope.is_some())
    });
    for place in others {
        let visible = index.visible(index.scope_at(place.span.start));
        if definition.scope.is_some()
            && visible.contains(&id)
            && deeper(index, id, place.definition)
        {
            return Some(format!("`{new}` is used where this name would hide it"));
        }
    }
    None
}

/// Whether one definition's scope lies inside of the other's.
fn deeper(index: &Index, id: DefinitionId, other: DefinitionId) -> bool {
    let scope = |id| index.definition(id).and_then(|one| one.scope);
    match (scope(id), scope(other)) {
        (Some(mine), Some(theirs)) => mine > theirs,
        _ => false,
    }
}

/// The places to change in the text of the model.
pub fn places(index: &Index, id: DefinitionId) -> Vec<Span> {
    let named = index.places(id).filter(|place| place.by_name);
    named.map(|place| place.span).collect()
}
