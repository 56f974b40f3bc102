//! Who is called what, where: every declaration of a text, every place that names it, and what is in scope where.
//!
//! An index is made from the syntax tree alone, so it is there while a file is broken, and it costs one walk over the tree.

mod flat;
mod smv;
mod uppaal;

use crate::language::Language;
use merkhet_syntax::Span;
use std::collections::HashMap;

/// What is declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A template, process of XTA, or process of a flat model.
    Template,
    /// `P = Template(…)`.
    Instance,
    /// A module of SMV.
    Module,
    /// A location.
    Location,
    /// A branch point.
    Branchpoint,
    /// A variable.
    Variable,
    /// A constant.
    Constant,
    /// A clock.
    Clock,
    /// A channel, or an event of a flat model.
    Channel,
    /// A type.
    Type,
    /// A lattice.
    Lattice,
    /// A function.
    Function,
    /// A parameter of a template, function or module.
    Parameter,
    /// A field of a struct or lattice.
    Field,
    /// A value of an enumeration.
    Value,
    /// A definition of SMV.
    Definition,
    /// A label of a flat model's location.
    Label,
}

impl Kind {
    /// What it is called in messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Template => "template",
            Kind::Instance => "process",
            Kind::Module => "module",
            Kind::Location => "location",
            Kind::Branchpoint => "branch point",
            Kind::Variable => "variable",
            Kind::Constant => "constant",
            Kind::Clock => "clock",
            Kind::Channel => "channel",
            Kind::Type => "type",
            Kind::Lattice => "lattice",
            Kind::Function => "function",
            Kind::Parameter => "parameter",
            Kind::Field => "field",
            Kind::Value => "value",
            Kind::Definition => "definition",
            Kind::Label => "label",
        }
    }
}

/// The number of a definition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DefinitionId(pub u32);

/// The number of a scope.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ScopeId(pub u32);

/// Something that is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Where its name stands.
    pub span: Span,
    /// The whole declaration.
    pub whole: Span,
    /// What it is declared as, in the words of the text: `int[0, 5]`, `urgent chan`.
    pub detail: String,
    /// The comment above it, or behind it.
    pub remark: String,
    /// What it is declared in, if that has a name.
    pub owner: Option<DefinitionId>,
    /// The scope in which its name means something by itself; `None` for locations and fields, which come after a `.`.
    pub scope: Option<ScopeId>,
    /// The names that may come after `name.`.
    pub members: Option<ScopeId>,
    /// The parameters, of what has some.
    pub parameters: Vec<String>,
}

/// A place that names a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The place.
    pub span: Span,
    /// What it names.
    pub definition: DefinitionId,
    /// Whether the name itself stands there, which renaming changes; XML names the ends of edges by ids.
    pub by_name: bool,
    /// Whether this is where it is declared.
    pub declares: bool,
}

/// Names that mean something in the same places.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Scope {
    /// The scope around it.
    pub parent: Option<ScopeId>,
    names: HashMap<String, Vec<DefinitionId>>,
}

/// A part of the text in which a scope holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Region {
    span: Span,
    scope: ScopeId,
}

/// An index of one text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Index {
    /// The definitions, in the order in which they were found.
    pub definitions: Vec<Definition>,
    /// The places, in the order of the text.
    pub references: Vec<Reference>,
    scopes: Vec<Scope>,
    regions: Vec<Region>,
    /// The scope of queries.
    pub queries: Option<ScopeId>,
}

impl Index {
    /// The index of a model.
    pub fn of(language: Language, text: &str) -> Index {
        match language {
            Language::Xml | Language::Xta | Language::Ta => uppaal::index(language, text),
            Language::Smv => smv::index(text),
            Language::Tck => flat::index(text),
            Language::Queries => Index::default(),
        }
    }

    /// The places where a text of queries names definitions of this index.
    pub fn of_queries(&self, language: Language, text: &str) -> Vec<Reference> {
        match language {
            Language::Xml | Language::Xta | Language::Ta => uppaal::queries(self, text),
            Language::Tck => flat::queries(self, text),
            Language::Smv | Language::Queries => Vec::new(),
        }
    }

    /// A definition.
    pub fn definition(&self, id: DefinitionId) -> Option<&Definition> {
        self.definitions.get(id.0 as usize)
    }

    /// The place at an offset, or the one that ends there; the shortest, where one lies in another.
    pub fn at(&self, offset: u32) -> Option<Reference> {
        place(&self.references, offset)
    }

    /// All places that name a definition.
    pub fn places(&self, id: DefinitionId) -> impl Iterator<Item = &Reference> {
        self.references
            .iter()
            .filter(move |reference| reference.definition == id)
    }

    /// The innermost scope at an offset.
    pub fn scope_at(&self, offset: u32) -> Option<ScopeId> {
        let around = |region: &&Region| region.span.start <= offset && offset <= region.span.end;
        let regions = self.regions.iter().filter(around);
        let innermost = regions.min_by_key(|region| region.span.len());
        innermost
            .map(|region| region.scope)
            .or(self.scopes.first().map(|_| ScopeId(0)))
    }

    /// The definitions that a scope holds, sorted by name.
    pub fn names(&self, scope: ScopeId) -> Vec<DefinitionId> {
        let Some(scope) = self.scopes.get(scope.0 as usize) else {
            return Vec::new();
        };
        let mut names: Vec<(&String, DefinitionId)> = (scope.names.iter())
            .flat_map(|(name, ids)| ids.iter().map(move |&id| (name, id)))
            .collect();
        names.sort_unstable();
        names.into_iter().map(|(_, id)| id).collect()
    }

    /// The definitions in scope at an offset, the innermost first; a name that is hidden is left out.
    pub fn visible(&self, scope: Option<ScopeId>) -> Vec<DefinitionId> {
        let mut found: Vec<DefinitionId> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut next = scope;
        while let Some(id) = next {
            for definition in self.names(id) {
                let name = self.definition(definition).map(|one| one.name.as_str());
                if seen.insert(name) {
                    found.push(definition);
                }
            }
            next = self
                .scopes
                .get(id.0 as usize)
                .and_then(|scope| scope.parent);
        }
        found
    }

    /// What a name means in a scope, read at an offset: the last declaration before it, or else any.
    pub fn resolve(&self, scope: ScopeId, name: &str, offset: u32) -> Option<DefinitionId> {
        let mut later = None;
        let mut next = Some(scope);
        while let Some(scope) = next.and_then(|id| self.scopes.get(id.0 as usize)) {
            for &id in scope.names.get(name).into_iter().flatten().rev() {
                let definition = self.definition(id)?;
                if definition.span.start <= offset {
                    return Some(id);
                }
                later.get_or_insert(id);
            }
            next = scope.parent;
        }
        later
    }

    /// The member of a scope with a name.
    fn member(&self, scope: ScopeId, name: &str) -> Option<DefinitionId> {
        let scope = self.scopes.get(scope.0 as usize)?;
        scope.names.get(name)?.last().copied()
    }

    fn new_scope(&mut self, parent: Option<ScopeId>) -> ScopeId {
        let id = ScopeId(self.scopes.len() as u32);
        self.scopes.push(Scope {
            parent,
            ..Scope::default()
        });
        id
    }

    /// Says where a scope holds.
    fn region(&mut self, span: Span, scope: ScopeId) {
        self.regions.push(Region { span, scope });
    }

    /// Adds a definition to a scope, with the place of its name.
    fn define(&mut self, scope: ScopeId, definition: Definition) -> DefinitionId {
        let span = definition.span;
        let id = self.silent(scope, definition);
        self.references.push(Reference {
            span,
            definition: id,
            by_name: true,
            declares: true,
        });
        id
    }

    /// Adds a definition whose name stands nowhere in the text.
    fn silent(&mut self, scope: ScopeId, definition: Definition) -> DefinitionId {
        let id = DefinitionId(self.definitions.len() as u32);
        if let Some(scope) = self.scopes.get_mut(scope.0 as usize) {
            let ids = scope.names.entry(definition.name.clone()).or_default();
            ids.push(id);
        }
        self.definitions.push(definition);
        id
    }

    fn refer(&mut self, span: Span, definition: DefinitionId) {
        self.references.push(Reference {
            span,
            definition,
            by_name: true,
            declares: false,
        });
    }

    /// Brings the places into the order of the text. Where something else than the name stands, such as a line break within
    /// it, renaming keeps away.
    fn settle(&mut self, text: &str) {
        settle(&mut self.references);
        for place in &mut self.references {
            let written = text.get(place.span.start as usize..place.span.end as usize);
            let name = self.definitions.get(place.definition.0 as usize);
            place.by_name &= name.map(|one| one.name.as_str()) == written;
        }
    }
}

fn settle(references: &mut Vec<Reference>) {
    references.sort_by_key(|one| (one.span.start, one.span.end, !one.declares, one.definition));
    references.dedup_by_key(|one| (one.span, one.definition));
}

/// The place at an offset among places in the order of the text; the shortest, where one lies in another.
pub fn place(references: &[Reference], offset: u32) -> Option<Reference> {
    let after = references.partition_point(|one| one.span.start <= offset);
    // Places do not nest, but for the tags of XML that hold one.
    let near = references
        .get(after.saturating_sub(8)..after)
        .unwrap_or(&[]);
    let around = near.iter().filter(|one| offset <= one.span.end);
    around
        .min_by_key(|one| (one.span.len(), one.span.end == offset))
        .copied()
}

/// A definition with nothing but a name.
fn plain(name: &str, kind: Kind, span: Span, whole: Span) -> Definition {
    Definition {
        name: name.to_owned(),
        kind,
        span,
        whole: whole.to(span),
        detail: String::new(),
        remark: String::new(),
        owner: None,
        scope: None,
        members: None,
        parameters: Vec::new(),
    }
}

/// The text of a span, with its blanks made one each.
fn words(text: &str, span: Span) -> String {
    let raw = text
        .get(span.start as usize..span.end as usize)
        .unwrap_or("");
    raw.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The comment lines directly above an offset, or the one behind on the same line.
fn remark(text: &str, start: u32, end: u32, mark: &str) -> String {
    let before = text.get(..start as usize).unwrap_or("");
    let mut above: Vec<&str> = Vec::new();
    let mut lines = before.rsplit('\n');
    if lines.next().is_some_and(|first| first.trim().is_empty()) {
        for line in lines {
            match line.trim().strip_prefix(mark) {
                Some(comment) => above.push(comment.trim_start_matches('/').trim()),
                None => break,
            }
        }
    }
    if !above.is_empty() {
        above.reverse();
        return above.join("\n");
    }
    let after = text.get(end as usize..).unwrap_or("");
    let line = after.split('\n').next().unwrap_or("");
    let rest = line.trim_start_matches([';', ',', ' ', '\t']);
    rest.strip_prefix(mark)
        .map(|comment| comment.trim().to_owned())
        .unwrap_or_default()
}
