//! The names of UPPAAL's languages.

use super::{
    Definition, DefinitionId, Index, Kind, Reference, ScopeId, plain, remark, settle, words,
};
use crate::language::Language;
use merkhet_syntax::section::SectionKind;
use merkhet_syntax::tree::{
    Block, Declaration, Dimension, Edge, Endpoint, EndpointTarget, Expr, ExprKind, Function,
    Initialiser, Instantiation, Model, Name, Parameter, Part, QueryKind, Statement, StatementKind,
    StructField, Template, TypeKind, TypeSpec, VariableDeclaration,
};
use merkhet_syntax::{Span, read_model, read_queries};

/// The index of a model.
pub(super) fn index(language: Language, text: &str) -> Index {
    let (model, _) = read_model(language.extension(), text.as_bytes());
    let mut indexer = Indexer {
        index: Index::default(),
        text,
        owner: None,
        xml: language == Language::Xml,
    };
    indexer.model(&model);
    indexer.index.settle(text);
    indexer.index
}

/// The places of a file of queries.
pub(super) fn queries(model: &Index, text: &str) -> Vec<Reference> {
    let (queries, _) = read_queries(text.as_bytes());
    let before = model.references.len();
    let mut indexer = Indexer {
        index: model.clone(),
        text,
        owner: None,
        xml: false,
    };
    let scope = model.queries.unwrap_or(ScopeId(0));
    // Every name of the model is declared before its queries.
    for query in &queries {
        indexer.query(scope, &query.kind);
    }
    let mut found = indexer.index.references.split_off(before);
    // Bound variables are definitions of the queries' own, which the model does not know.
    found.retain(|one| (one.definition.0 as usize) < model.definitions.len());
    settle(&mut found);
    found
}

struct Indexer<'a> {
    index: Index,
    text: &'a str,
    owner: Option<DefinitionId>,
    xml: bool,
}

impl Indexer<'_> {
    fn model(&mut self, model: &Model) {
        let global = self.index.new_scope(None);
        let system = match self.xml {
            true => self.index.new_scope(Some(global)),
            false => global,
        };
        self.index.queries = Some(system);
        for section in model.sections.iter() {
            let late = matches!(
                section.kind,
                SectionKind::System | SectionKind::Query(_) | SectionKind::Instantiation
            );
            if late {
                self.index.region(section.span, system);
            }
        }
        for template in &model.templates {
            self.template_name(global, template);
        }
        self.declarations(global, &model.declarations);
        // What stands after the templates is seen by queries; in XTA by the templates too.
        let (instances, others): (Vec<_>, Vec<_>) = model
            .system
            .declarations
            .iter()
            .partition(|one| matches!(one, Declaration::Instantiation(_)));
        for declaration in others.into_iter().chain(instances) {
            self.declaration(system, declaration);
        }
        let named = model
            .templates
            .iter()
            .filter(|one| !one.name.text.is_empty());
        let ids: Vec<DefinitionId> = self
            .index
            .definitions
            .iter()
            .enumerate()
            .filter(|(_, one)| one.kind == Kind::Template)
            .map(|(at, _)| DefinitionId(at as u32))
            .collect();
        for (template, id) in named.zip(ids) {
            self.template(global, template, id);
        }
        for process in &model.system.processes {
            self.refer(system, &process.name);
        }
        for query in &model.queries {
            self.query(system, &query.kind);
        }
    }

    fn query(&mut self, scope: ScopeId, kind: &QueryKind) {
        match kind {
            QueryKind::Possibly(p)
            | QueryKind::Invariantly(p)
            | QueryKind::PotentiallyAlways(p)
            | QueryKind::Eventually(p) => self.expr(scope, p),
            QueryKind::LeadsTo(p, q) => {
                self.expr(scope, p);
                self.expr(scope, q);
            }
            QueryKind::Supremum(measure)
            | QueryKind::Infimum(measure)
            | QueryKind::Bounds(measure) => {
                for expr in measure.predicate.iter().chain(&measure.expressions) {
                    self.expr(scope, expr);
                }
            }
            QueryKind::Empty | QueryKind::Unsupported { .. } | QueryKind::Broken => {}
        }
    }

    /// A template's name is known before its body is read: instances may come first.
    fn template_name(&mut self, global: ScopeId, template: &Template) {
        let name = &template.name;
        if name.text.is_empty() {
            return;
        }
        let members = self.index.new_scope(None);
        let parameters: Vec<String> = (template.parameters.iter())
            .map(|parameter| words(self.text, parameter.span))
            .collect();
        let definition = Definition {
            detail: format!("process {}({})", name.text, parameters.join(", ")),
            remark: self.remark(template.span.start, name.span.end),
            scope: Some(global),
            members: Some(members),
            parameters,
            ..plain(&name.text, Kind::Template, name.span, template.span)
        };
        self.index.define(global, definition);
    }

    fn remark(&self, start: u32, end: u32) -> String {
        remark(self.text, start, end, "//")
    }

    fn template(&mut self, global: ScopeId, template: &Template, id: DefinitionId) {
        let scope = self.index.new_scope(Some(global));
        self.index.region(template.span, scope);
        let members = self.index.definition(id).and_then(|one| one.members);
        self.owner = Some(id);
        for parameter in &template.parameters {
            self.parameter(scope, parameter);
        }
        self.declarations(scope, &template.declarations);
        // Queries name a template's own variables as `P.x`.
        if let Some(members) = members {
            for own in self.index.names(scope) {
                let name = self.index.definition(own).map(|one| one.name.clone());
                if let (Some(name), Some(scope)) =
                    (name, self.index.scopes.get_mut(members.0 as usize))
                {
                    scope.names.entry(name).or_default().push(own);
                }
            }
            self.places(template, members);
        }
        for location in &template.locations {
            for expr in location.invariant.iter().map(|label| &label.value) {
                self.expr(scope, expr);
            }
            let rates = location
                .exponential_rate
                .iter()
                .flat_map(|label| &label.value);
            rates.for_each(|rate| self.expr(scope, rate));
        }
        for edge in &template.edges {
            self.edge(scope, edge);
        }
        self.owner = None;
    }

    /// Locations and branch points, and who names them.
    fn places(&mut self, template: &Template, members: ScopeId) {
        let mut locations = Vec::new();
        for location in &template.locations {
            let name = match &location.name {
                Some(name) => name.clone(),
                None => Name {
                    text: location.id.clone(),
                    span: location.span,
                },
            };
            let flags = match (location.committed, location.urgent) {
                (true, _) => "committed location",
                (_, true) => "urgent location",
                _ => "location",
            };
            let invariant = location.invariant.as_ref();
            let invariant = invariant.map(|label| words(self.text, label.span));
            let detail = match invariant {
                Some(invariant) => {
                    format!("{flags} {{ {} }}", merkhet_syntax::unescape(&invariant))
                }
                None => flags.to_owned(),
            };
            let definition = Definition {
                detail,
                owner: self.owner,
                remark: location.comment.clone().unwrap_or_default(),
                ..plain(&name.text, Kind::Location, name.span, location.span)
            };
            let id = self.index.define(members, definition);
            if location.name.is_none()
                && let Some(last) = self.index.references.last_mut()
            {
                last.by_name = false;
            }
            locations.push(id);
        }
        let mut points = Vec::new();
        for point in &template.branchpoints {
            let definition = Definition {
                detail: "branch point".into(),
                owner: self.owner,
                ..plain(&point.id, Kind::Branchpoint, point.span, point.span)
            };
            points.push(self.index.define(members, definition));
        }
        let refer = |index: &mut Index, end: &Endpoint| {
            let id = match &end.target {
                EndpointTarget::Location(at) => locations.get(*at),
                EndpointTarget::Branchpoint(at) => points.get(*at),
                EndpointTarget::Unknown(_) => None,
            };
            if let Some(&id) = id {
                index.refer(end.span, id);
                if let Some(last) = index.references.last_mut() {
                    last.by_name = !self.xml;
                }
            }
        };
        if let Some((at, span)) = template.initial {
            let target = EndpointTarget::Location(at);
            refer(&mut self.index, &Endpoint { target, span });
        }
        for edge in &template.edges {
            refer(&mut self.index, &edge.source);
            refer(&mut self.index, &edge.target);
        }
        for name in &template.flagged {
            let at = template
                .locations
                .iter()
                .position(|one| one.id == name.text);
            if let Some(&id) = at.and_then(|at| locations.get(at)) {
                self.index.refer(name.span, id);
            }
        }
    }

    fn edge(&mut self, scope: ScopeId, edge: &Edge) {
        let mut scope = scope;
        let bindings = edge.select.iter().flat_map(|label| &label.value);
        for (number, binding) in bindings.enumerate() {
            if number == 0 {
                scope = self.index.new_scope(Some(scope));
                self.index.region(edge.span, scope);
            }
            self.type_spec(scope, &binding.range);
            self.bind(scope, &binding.name, &binding.range);
        }
        for label in edge.guard.iter().chain(&edge.probability) {
            self.expr(scope, &label.value);
        }
        if let Some(label) = &edge.synchronisation {
            self.expr(scope, &label.value.channel);
        }
        for expr in edge.update.iter().flat_map(|label| &label.value) {
            self.expr(scope, expr);
        }
    }

    /// A variable that a select label, quantifier or loop binds.
    fn bind(&mut self, scope: ScopeId, name: &Name, range: &TypeSpec) {
        let definition = Definition {
            detail: words(self.text, range.span),
            owner: self.owner,
            scope: Some(scope),
            ..plain(
                &name.text,
                Kind::Variable,
                name.span,
                name.span.to(range.span),
            )
        };
        self.index.define(scope, definition);
    }

    fn declarations(&mut self, scope: ScopeId, declarations: &[Declaration]) {
        declarations
            .iter()
            .for_each(|one| self.declaration(scope, one));
    }

    fn declaration(&mut self, scope: ScopeId, declaration: &Declaration) {
        match declaration {
            Declaration::Variables(variables) => self.variables(scope, variables, false),
            Declaration::Typedef(variables) => self.variables(scope, variables, true),
            Declaration::Function(function) => self.function(scope, function),
            Declaration::Instantiation(one) => self.instantiation(scope, one),
            Declaration::ChannelPriority(priority) => {
                for item in priority.groups.iter().flatten() {
                    if let merkhet_syntax::tree::ChannelPriorityItem::Channel(expr) = item {
                        self.expr(scope, expr);
                    }
                }
            }
            Declaration::BeforeUpdate(exprs, _) | Declaration::AfterUpdate(exprs, _) => {
                exprs.iter().for_each(|expr| self.expr(scope, expr));
            }
            Declaration::Progress(measures, _) => {
                for measure in measures {
                    let parts = measure.guard.iter().chain([&measure.measure]);
                    parts.for_each(|expr| self.expr(scope, expr));
                }
            }
            Declaration::Extern(name, span) => {
                let definition = Definition {
                    detail: format!("extern {}", name.text),
                    remark: self.remark(span.start, span.end),
                    scope: Some(scope),
                    members: self.library(&name.text, name.span),
                    ..plain(&name.text, Kind::Lattice, name.span, *span)
                };
                self.index.define(scope, definition);
            }
            Declaration::Lattice(lattice) => self.lattice(scope, lattice),
            Declaration::Unsupported { what, names, span } => {
                for name in names {
                    let definition = Definition {
                        detail: (*what).to_owned(),
                        scope: Some(scope),
                        ..plain(&name.text, Kind::Function, name.span, *span)
                    };
                    self.index.define(scope, definition);
                }
            }
            Declaration::Gantt(_) | Declaration::Broken(_) => {}
        }
    }

    /// The members of a lattice of the library; they are declared where it is imported.
    fn library(&mut self, name: &str, place: Span) -> Option<ScopeId> {
        let text = merkhet::lower::lattice::library::TEXT;
        let all = merkhet::lower::lattice::library::library();
        let lattice = all.iter().find(|one| one.name.text == name)?;
        let members = self.index.new_scope(None);
        for field in &lattice.fields {
            let detail = words(text, field.type_spec.span);
            let one = plain(&field.name.text, Kind::Field, place, place);
            self.index.silent(members, Definition { detail, ..one });
        }
        for function in &lattice.functions {
            let parameters: Vec<String> = (function.parameters.iter())
                .map(|parameter| words(text, parameter.span))
                .collect();
            let result = words(text, function.return_type.span);
            let function = &function.name.text;
            let definition = Definition {
                detail: format!("{result} {function}({})", parameters.join(", ")),
                parameters,
                ..plain(function, Kind::Function, place, place)
            };
            self.index.silent(members, definition);
        }
        Some(members)
    }

    fn lattice(&mut self, scope: ScopeId, lattice: &merkhet_syntax::tree::Lattice) {
        let members = self.index.new_scope(Some(scope));
        self.index.region(lattice.span, members);
        let definition = Definition {
            detail: format!("lattice {}", lattice.name.text),
            remark: self.remark(lattice.span.start, lattice.span.end),
            scope: Some(scope),
            members: Some(members),
            ..plain(
                &lattice.name.text,
                Kind::Lattice,
                lattice.name.span,
                lattice.span,
            )
        };
        self.index.define(scope, definition);
        for name in &lattice.dimensions {
            let definition = Definition {
                detail: "dimension of the lattice".into(),
                scope: Some(members),
                ..plain(&name.text, Kind::Parameter, name.span, name.span)
            };
            self.index.define(members, definition);
        }
        self.fields(scope, members, &lattice.fields);
        for function in &lattice.functions {
            self.function(members, function);
        }
    }

    /// Fields into the scope of their struct; returns nothing, since members are looked up there.
    fn fields(&mut self, scope: ScopeId, members: ScopeId, fields: &[StructField]) {
        for field in fields {
            self.type_spec(scope, &field.type_spec);
            self.dimensions(scope, &field.dimensions);
            let inner = self.members(scope, &field.type_spec);
            let definition = Definition {
                detail: self.described(&field.type_spec, &field.dimensions),
                members: inner,
                ..plain(
                    &field.name.text,
                    Kind::Field,
                    field.name.span,
                    field.type_spec.span.to(field.name.span),
                )
            };
            self.index.define(members, definition);
        }
    }

    /// The fields of a type: those that it lists, or those of the type that it names.
    fn members(&mut self, scope: ScopeId, spec: &TypeSpec) -> Option<ScopeId> {
        match &spec.kind {
            TypeKind::Struct(fields) => {
                let members = self.index.new_scope(None);
                self.fields(scope, members, fields);
                Some(members)
            }
            TypeKind::Named(name) => {
                let id = self.index.resolve(scope, name, spec.span.start)?;
                self.index.definition(id)?.members
            }
            _ => None,
        }
    }

    /// A type with dimensions, in the words of the text.
    fn described(&self, spec: &TypeSpec, dimensions: &[Dimension]) -> String {
        let mut text = words(self.text, spec.span);
        for dimension in dimensions {
            let span = match dimension {
                Dimension::Size(expr) => expr.span,
                Dimension::Index(spec) => spec.span,
            };
            text.push_str(&format!("[{}]", words(self.text, span)));
        }
        text
    }

    fn variables(&mut self, scope: ScopeId, variables: &VariableDeclaration, typedef: bool) {
        let spec = &variables.type_spec;
        self.type_spec(scope, spec);
        let members = self.members(scope, spec);
        let kind = match (&spec.kind, spec.constant) {
            _ if typedef => Kind::Type,
            (TypeKind::Clock, _) => Kind::Clock,
            (TypeKind::Channel, _) => Kind::Channel,
            (_, true) => Kind::Constant,
            _ => Kind::Variable,
        };
        let remark = self.remark(variables.span.start, variables.span.end);
        for declarator in &variables.declarators {
            self.dimensions(scope, &declarator.dimensions);
            if let Some(initialiser) = &declarator.initialiser {
                self.initialiser(scope, members, initialiser);
            }
            let mut detail = self.described(spec, &declarator.dimensions);
            if let (Kind::Constant, Some(value)) = (kind, &declarator.initialiser) {
                detail.push_str(&format!(" = {}", words(self.text, value.span())));
            }
            let definition = Definition {
                detail,
                remark: remark.clone(),
                owner: self.owner,
                scope: Some(scope),
                members,
                ..plain(
                    &declarator.name.text,
                    kind,
                    declarator.name.span,
                    variables.span,
                )
            };
            self.index.define(scope, definition);
        }
    }

    fn initialiser(&mut self, scope: ScopeId, members: Option<ScopeId>, value: &Initialiser) {
        match value {
            Initialiser::Expr(expr) => self.expr(scope, expr),
            Initialiser::List(items, _) => {
                for item in items {
                    if let (Some(name), Some(members)) = (&item.field, members)
                        && let Some(field) = self.index.member(members, &name.text)
                    {
                        self.index.refer(name.span, field);
                    }
                    self.initialiser(scope, members, &item.value);
                }
            }
        }
    }

    fn dimensions(&mut self, scope: ScopeId, dimensions: &[Dimension]) {
        for dimension in dimensions {
            match dimension {
                Dimension::Size(expr) => self.expr(scope, expr),
                Dimension::Index(spec) => self.type_spec(scope, spec),
            }
        }
    }

    /// The names in a type.
    fn type_spec(&mut self, scope: ScopeId, spec: &TypeSpec) {
        match &spec.kind {
            TypeKind::Int(Some(range)) => {
                for bound in range.lower.iter().chain(&range.upper) {
                    self.expr(scope, bound);
                }
            }
            TypeKind::Scalar(size) => self.expr(scope, size),
            TypeKind::Named(name) => {
                let start = spec.span.end.saturating_sub(name.len() as u32);
                let span = Span::new(spec.span.file, start, spec.span.end);
                self.refer_text(scope, name, span);
            }
            // Its fields are declared, and their types read, with its members.
            _ => {}
        }
    }

    fn parameter(&mut self, scope: ScopeId, parameter: &Parameter) {
        self.type_spec(scope, &parameter.type_spec);
        self.dimensions(scope, &parameter.dimensions);
        let members = self.members(scope, &parameter.type_spec);
        let sign = if parameter.reference { " &" } else { "" };
        let definition = Definition {
            detail: self.described(&parameter.type_spec, &parameter.dimensions) + sign,
            owner: self.owner,
            scope: Some(scope),
            members,
            ..plain(
                &parameter.name.text,
                Kind::Parameter,
                parameter.name.span,
                parameter.span,
            )
        };
        self.index.define(scope, definition);
    }

    fn function(&mut self, scope: ScopeId, function: &Function) {
        self.type_spec(scope, &function.return_type);
        let members = self.members(scope, &function.return_type);
        let parameters: Vec<String> = (function.parameters.iter())
            .map(|parameter| words(self.text, parameter.span))
            .collect();
        let result = words(self.text, function.return_type.span);
        let name = &function.name;
        let definition = Definition {
            detail: format!("{result} {}({})", name.text, parameters.join(", ")),
            remark: self.remark(function.span.start, function.span.end),
            owner: self.owner,
            scope: Some(scope),
            members,
            parameters,
            ..plain(&name.text, Kind::Function, name.span, function.span)
        };
        let id = self.index.define(scope, definition);
        let inner = self.index.new_scope(Some(scope));
        self.index.region(function.span, inner);
        let outer = self.owner.replace(id);
        for parameter in &function.parameters {
            self.parameter(inner, parameter);
        }
        self.contents(inner, &function.body);
        self.owner = outer;
    }

    fn block(&mut self, scope: ScopeId, block: &Block) {
        let inner = self.index.new_scope(Some(scope));
        self.index.region(block.span, inner);
        self.contents(inner, block);
    }

    fn contents(&mut self, scope: ScopeId, block: &Block) {
        self.declarations(scope, &block.declarations);
        block
            .statements
            .iter()
            .for_each(|one| self.statement(scope, one));
    }

    fn statement(&mut self, scope: ScopeId, statement: &Statement) {
        let mut scope = scope;
        if let StatementKind::Iteration {
            variable, range, ..
        } = &statement.kind
        {
            self.type_spec(scope, range);
            scope = self.index.new_scope(Some(scope));
            self.index.region(statement.span, scope);
            self.bind(scope, variable, range);
        }
        statement.kind.for_each_part(|part| match part {
            Part::Expr(expr) => self.expr(scope, expr),
            Part::Statement(inner) => self.statement(scope, inner),
            Part::Block(block) => self.block(scope, block),
        });
    }

    fn instantiation(&mut self, scope: ScopeId, one: &Instantiation) {
        let template = self.index.resolve(scope, &one.template.text, u32::MAX);
        let members = template
            .and_then(|id| self.index.definition(id))
            .and_then(|definition| definition.members);
        let definition = Definition {
            detail: words(self.text, one.span),
            remark: self.remark(one.span.start, one.span.end),
            scope: Some(scope),
            members,
            parameters: (one.parameters.iter())
                .map(|parameter| words(self.text, parameter.span))
                .collect(),
            ..plain(&one.name.text, Kind::Instance, one.name.span, one.span)
        };
        self.index.define(scope, definition);
        if let Some(template) = template {
            self.index.refer(one.template.span, template);
        }
        let inner = self.index.new_scope(Some(scope));
        self.index.region(one.span, inner);
        for parameter in &one.parameters {
            self.parameter(inner, parameter);
        }
        one.arguments.iter().for_each(|expr| self.expr(inner, expr));
    }

    fn refer(&mut self, scope: ScopeId, name: &Name) {
        // Templates and processes mean something everywhere.
        if let Some(id) = self.index.resolve(scope, &name.text, u32::MAX) {
            self.index.refer(name.span, id);
        }
    }

    fn refer_text(&mut self, scope: ScopeId, name: &str, span: Span) -> Option<DefinitionId> {
        let id = self.index.resolve(scope, name, span.start)?;
        self.index.refer(span, id);
        Some(id)
    }

    /// The names in an expression.
    fn expr(&mut self, scope: ScopeId, expr: &Expr) {
        match &expr.kind {
            ExprKind::Quantified {
                variable,
                range,
                body,
                ..
            } => {
                self.type_spec(scope, range);
                let inner = self.index.new_scope(Some(scope));
                self.index.region(expr.span, inner);
                self.bind(inner, variable, range);
                self.expr(inner, body);
            }
            ExprKind::Name(_) | ExprKind::Field { .. } => {
                self.selected(scope, expr);
            }
            kind => kind.for_each_child(|child| self.expr(scope, child)),
        }
    }

    /// Visits an expression that may have members, and finds them.
    fn selected(&mut self, scope: ScopeId, expr: &Expr) -> Option<ScopeId> {
        let id = match &expr.kind {
            ExprKind::Name(name) => {
                let start = expr.span.end.saturating_sub(name.len() as u32);
                // Parentheses around a name belong to its span.
                let exact = self.text.get(start as usize..expr.span.end as usize) == Some(name);
                let span = match exact {
                    true => Span::new(expr.span.file, start, expr.span.end),
                    false => within(self.text, expr.span, name)?,
                };
                self.refer_text(scope, name, span)?
            }
            ExprKind::Field { object, field } => {
                let members = self.selected(scope, object)?;
                let id = self.index.member(members, &field.text)?;
                self.index.refer(field.span, id);
                id
            }
            ExprKind::Index { array, index } => {
                let members = self.selected(scope, array);
                self.expr(scope, index);
                return members;
            }
            ExprKind::Call {
                function,
                arguments,
            } => {
                let members = self.selected(scope, function);
                arguments.iter().for_each(|one| self.expr(scope, one));
                return members;
            }
            _ => {
                self.expr(scope, expr);
                return None;
            }
        };
        self.index.definition(id)?.members
    }
}

/// Where a name stands inside of its parentheses.
fn within(text: &str, span: Span, name: &str) -> Option<Span> {
    let outer = text.get(span.start as usize..span.end as usize)?;
    let start = span.start + outer.find(name)? as u32;
    Some(Span::new(span.file, start, start + name.len() as u32))
}
