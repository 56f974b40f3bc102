//! The names of SMV.

use super::{Definition, DefinitionId, Index, Kind, ScopeId, plain, remark, words};
use merkhet_smv::read_smv;
use merkhet_smv::tree::{
    Expression, ExpressionKind, Item, Module, Name, Type, TypeKind, VariableKind,
};
use merkhet_syntax::Span;

/// The index of a program.
pub(super) fn index(text: &str) -> Index {
    let (program, _) = read_smv(text);
    let mut indexer = Indexer {
        index: Index::default(),
        text,
        owner: None,
    };
    let global = indexer.index.new_scope(None);
    let scopes: Vec<(ScopeId, DefinitionId)> = (program.modules.iter())
        .map(|module| indexer.declare_module(global, module))
        .collect();
    let ends = program
        .modules
        .iter()
        .skip(1)
        .map(|next| next.name.span.start);
    let ends: Vec<u32> = ends.chain([text.len() as u32]).collect();
    for ((module, (scope, id)), end) in program.modules.iter().zip(scopes).zip(ends) {
        let span = Span::new(module.name.span.file, module.name.span.start, end);
        indexer.index.region(span, scope);
        if let Some(definition) = indexer.index.definitions.get_mut(id.0 as usize) {
            definition.whole = span;
        }
        indexer.owner = Some(id);
        indexer.declare(scope, module);
    }
    // Instances may be of modules further down, so names are looked up when all are known.
    let modules = program.modules.iter().enumerate();
    for (number, module) in modules {
        let scope = ScopeId(1 + number as u32);
        module
            .items
            .iter()
            .for_each(|item| indexer.item(scope, item));
    }
    indexer.index.queries = (program.modules.iter())
        .position(|module| module.name.text == "main")
        .map(|at| ScopeId(1 + at as u32));
    indexer.index.settle(text);
    indexer.index
}

struct Indexer<'a> {
    index: Index,
    text: &'a str,
    owner: Option<DefinitionId>,
}

impl Indexer<'_> {
    fn declare_module(&mut self, global: ScopeId, module: &Module) -> (ScopeId, DefinitionId) {
        let scope = self.index.new_scope(Some(global));
        let parameters: Vec<String> = module
            .parameters
            .iter()
            .map(|one| one.text.clone())
            .collect();
        let name = &module.name;
        let definition = Definition {
            detail: format!("MODULE {}({})", name.text, parameters.join(", ")),
            remark: remark(
                self.text,
                name.span.start.saturating_sub(7),
                name.span.end,
                "--",
            ),
            scope: Some(global),
            members: Some(scope),
            parameters,
            ..plain(&name.text, Kind::Module, name.span, name.span)
        };
        (scope, self.index.define(global, definition))
    }

    fn add(&mut self, scope: ScopeId, kind: Kind, name: &Name, detail: String, whole: Span) {
        let definition = Definition {
            detail,
            remark: remark(self.text, whole.start, whole.end, "--"),
            owner: self.owner,
            scope: Some(scope),
            ..plain(&name.text, kind, name.span, whole)
        };
        self.index.define(scope, definition);
    }

    /// The names that a module declares.
    fn declare(&mut self, scope: ScopeId, module: &Module) {
        for name in &module.parameters {
            self.add(scope, Kind::Parameter, name, "parameter".into(), name.span);
        }
        for item in &module.items {
            match item {
                Item::Variable { kind, name, ty } => {
                    let sort = match kind {
                        VariableKind::State => "",
                        VariableKind::Input => "input ",
                        VariableKind::Frozen => "frozen ",
                    };
                    let detail = format!("{sort}{}", words(self.text, ty.span));
                    self.add(scope, Kind::Variable, name, detail, name.span.to(ty.span));
                    self.values(scope, ty);
                }
                Item::Define { target, value } => {
                    if let ExpressionKind::Name(text) = &target.kind {
                        let name = Name {
                            text: text.clone(),
                            span: target.span,
                        };
                        let detail = format!("{text} := {}", words(self.text, value.span));
                        let whole = target.span.to(value.span);
                        self.add(scope, Kind::Definition, &name, detail, whole);
                    }
                }
                Item::Constants(names) => {
                    for name in names {
                        self.add(scope, Kind::Value, name, "constant".into(), name.span);
                    }
                }
                _ => {}
            }
        }
    }

    /// The values of enumerations, unless they are numbers or have been seen.
    fn values(&mut self, scope: ScopeId, ty: &Type) {
        match &ty.kind {
            TypeKind::Enumeration(values) => {
                for value in values {
                    let ExpressionKind::Name(text) = &value.kind else {
                        continue;
                    };
                    if self.index.member(scope, text).is_none() {
                        let name = Name {
                            text: text.clone(),
                            span: value.span,
                        };
                        self.add(
                            scope,
                            Kind::Value,
                            &name,
                            words(self.text, ty.span),
                            value.span,
                        );
                    }
                }
            }
            TypeKind::Array { element, .. } => self.values(scope, element),
            _ => {}
        }
    }

    fn item(&mut self, scope: ScopeId, item: &Item) {
        match item {
            Item::Variable { name, ty, .. } => self.ty(scope, name, ty),
            Item::Define { target, value } | Item::Assign { target, value, .. } => {
                self.expression(scope, target);
                self.expression(scope, value);
            }
            Item::Constraint { value, .. } | Item::Justice(value) => self.expression(scope, value),
            Item::Compassion(first, second) => {
                self.expression(scope, first);
                self.expression(scope, second);
            }
            Item::Specification(one) => {
                self.expression(scope, &one.formula);
                one.context.iter().for_each(|context| {
                    self.expression(scope, context);
                });
            }
            Item::Isa(name) => {
                if let Some(id) = self.index.resolve(ScopeId(0), &name.text, u32::MAX) {
                    self.index.refer(name.span, id);
                }
            }
            Item::Constants(_) | Item::Unread(_) | Item::Ignored => {}
        }
    }

    /// The names in a type; a variable that is an instance gets the module's names as members.
    fn ty(&mut self, scope: ScopeId, variable: &Name, ty: &Type) {
        match &ty.kind {
            TypeKind::Enumeration(values) => {
                values.iter().for_each(|one| self.expression(scope, one));
            }
            TypeKind::Range(low, high) => {
                self.expression(scope, low);
                self.expression(scope, high);
            }
            TypeKind::Word { width, .. } => self.expression(scope, width),
            TypeKind::Array { low, high, element } => {
                self.expression(scope, low);
                self.expression(scope, high);
                self.ty(scope, variable, element);
            }
            TypeKind::Instance {
                module, arguments, ..
            } => {
                if let Some(id) = self.index.member(ScopeId(0), &module.text) {
                    self.index.refer(module.span, id);
                    let members = self.index.definition(id).and_then(|one| one.members);
                    let own = self.index.member(scope, &variable.text);
                    if let Some(own) =
                        own.and_then(|own| self.index.definitions.get_mut(own.0 as usize))
                    {
                        own.members = members;
                    }
                }
                arguments.iter().for_each(|one| self.expression(scope, one));
            }
            TypeKind::Boolean => {}
        }
    }

    fn expression(&mut self, scope: ScopeId, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Name(_) | ExpressionKind::Member(..) => {
                self.selected(scope, expression);
            }
            kind => kind.for_each_part(&mut |part| self.expression(scope, part)),
        }
    }

    fn selected(&mut self, scope: ScopeId, expression: &Expression) -> Option<ScopeId> {
        let id = match &expression.kind {
            ExpressionKind::Name(name) => {
                // The module itself stands for its instances among the names of the file; it is no value.
                let id = self.index.member(scope, name)?;
                let span = super_span(self.text, expression.span, name)?;
                self.index.refer(span, id);
                id
            }
            ExpressionKind::Member(object, name) => {
                let members = self.selected(scope, object)?;
                let id = self.index.member(members, &name.text)?;
                self.index.refer(name.span, id);
                id
            }
            ExpressionKind::SelfInstance => return Some(scope),
            ExpressionKind::Index(array, index) => {
                let members = self.selected(scope, array);
                self.expression(scope, index);
                return members;
            }
            _ => {
                self.expression(scope, expression);
                return None;
            }
        };
        self.index.definition(id)?.members
    }
}

/// Where a name stands inside of its parentheses, if it has some.
fn super_span(text: &str, span: Span, name: &str) -> Option<Span> {
    let outer = text.get(span.start as usize..span.end as usize)?;
    let start = span.start + outer.find(name)? as u32;
    Some(Span::new(span.file, start, start + name.len() as u32))
}
