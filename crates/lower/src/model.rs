//! A whole model: declarations, processes, queries.

use crate::declaration::Owner;
use crate::lattice::library::External;
use crate::naming::prelude;
use crate::naming::scope::{Env, Purpose, ScopeId, Symbol};
use crate::process::TemplateFacts;
use crate::run::lowerer::Lowerer;
use crate::run::report::UNSUPPORTED;
use crate::run::tables::{InstanceDeclaration, MadeOf, Tables};
use merkhet_network::{self as net, Network, ProcessId};
use merkhet_syntax::tree::{
    Declaration, Expr, Instantiation, Model, Outcome, Query, Template, TemplateKind,
};
use merkhet_syntax::{Diagnostic, SourceMap, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// A model ready to be checked, and what is needed to lower further queries.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The network.
    pub network: Network,
    /// The queries embedded in the model's file, in its order, without the empty ones.
    pub queries: Vec<LoweredQuery>,
    /// What the names stand for.
    pub tables: Tables,
}

/// A query with what is known about it.
#[derive(Clone, Debug)]
pub struct LoweredQuery {
    /// The query; `None` where it cannot be checked.
    pub query: Option<net::Query>,
    /// The formula as typed.
    pub text: String,
    /// The author's comment.
    pub comment: Option<String>,
    /// Its number among the queries of the file, counted from 1, the empty ones included.
    pub number: u32,
    /// Where it stands.
    pub span: Span,
    /// The outcome that the author expects.
    pub expectation: Option<Outcome>,
    /// The outcome that UPPAAL recorded last.
    pub result: Option<Outcome>,
    /// Why it cannot be checked, and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Lowers a model. There is a result where there is no error; messages about single queries are with these.
///
/// `sources` holds the text of the model under [`merkhet_syntax::FileId::MODEL`].
pub fn lower_model(model: &Model, sources: &SourceMap) -> (Option<Lowered>, Vec<Diagnostic>) {
    lower_model_with(model, sources, &[], &[])
}

/// Lowers a model that may import further lattices by `extern`. `lasting` are the places of declarations whose `meta` is not
/// heeded: their values matter from one transition to the next.
pub fn lower_model_with(
    model: &Model,
    sources: &SourceMap,
    externals: &[External],
    lasting: &[Span],
) -> (Option<Lowered>, Vec<Diagnostic>) {
    let mut tables = Tables::default();
    for external in externals {
        let lattices = crate::lattice::library::read(&external.declaration);
        let lattices = lattices.into_iter().map(|l| (l, external.order.clone()));
        tables.externals.extend(lattices);
    }
    tables.lasting.extend(lasting);
    tables.new_scope(None);
    tables.new_scope(Some(Tables::GLOBAL));
    prelude::declare(&mut tables);
    let mut lowerer = Lowerer::new(Network::default(), tables, sources, Some(&model.sections));
    lowerer.model(model);
    if lowerer.report.has_errors() {
        return (None, lowerer.report.finish());
    }
    let report = std::mem::take(&mut lowerer.report);
    let mut queries = Vec::new();
    for (index, query) in model.queries.iter().enumerate() {
        if query.kind != merkhet_syntax::tree::QueryKind::Empty {
            queries.push(lowerer.embedded_query(query, index as u32 + 1));
        }
    }
    let lowered = Lowered {
        network: lowerer.network,
        queries,
        tables: lowerer.tables,
    };
    (Some(lowered), report.finish())
}

/// Lowers a further query; its text must be among the sources.
pub fn lower_query(
    lowered: &mut Lowered,
    query: &Query,
    sources: &SourceMap,
) -> Result<net::Query, Vec<Diagnostic>> {
    let mut lowerer = Lowerer::new(
        std::mem::take(&mut lowered.network),
        std::mem::take(&mut lowered.tables),
        sources,
        None,
    );
    let result = lowerer.query_or_nothing(query);
    lowered.network = lowerer.network;
    lowered.tables = lowerer.tables;
    result.0.ok_or(result.1)
}

impl Lowerer<'_> {
    /// Two locations of one name: `P.name` could mean either, so UPPAAL refuses them, too.
    fn check_location_names(&mut self, template: &Template) {
        let mut first = HashMap::new();
        for name in template
            .locations
            .iter()
            .filter_map(|location| location.name.as_ref())
        {
            if let Some(&earlier) = first.get(name.text.as_str()) {
                let message = format!("two locations of this template are called `{}`", name.text);
                self.say(
                    Diagnostic::error("duplicate-name", message, name.span)
                        .with_label(earlier, "the first one"),
                );
            } else {
                first.insert(name.text.as_str(), name.span);
            }
        }
    }

    fn model(&mut self, model: &Model) {
        let global = Owner::default();
        let mut env = Env::new(Tables::GLOBAL, Purpose::Declaration);
        for declaration in &model.declarations {
            self.declare_any(&mut env, &global, declaration);
        }
        let facts: Vec<TemplateFacts> = model.templates.iter().map(TemplateFacts::new).collect();
        for (index, template) in model.templates.iter().enumerate() {
            self.declare_template_name(template, index as u32);
            self.check_location_names(template);
            self.tables.templates.push(facts[index].names());
        }
        // Instances may be declared among the global declarations, before their templates are known.
        for declaration in &model.declarations {
            if let Declaration::Instantiation(instantiation) = declaration {
                self.declare_instance(Tables::GLOBAL, instantiation);
            }
        }
        let mut env = Env::new(Tables::SYSTEM, Purpose::Declaration);
        for declaration in &model.system.declarations {
            match declaration {
                Declaration::Instantiation(instantiation) => {
                    self.declare_instance(Tables::SYSTEM, instantiation);
                }
                other => self.declare_any(&mut env, &global, other),
            }
        }
        if model.system.processes.is_empty() && !model.system.broken {
            let span = model.system.span.unwrap_or_else(nowhere);
            let message = "the system has no processes";
            self.error::<()>("no-system", message, span).ok();
        }
        for reference in &model.system.processes {
            if self.report.is_hopeless() {
                return;
            }
            self.instantiate(&facts, reference);
        }
        for index in 0..self.network.processes.len() {
            let template = self.tables.processes[index].template as usize;
            if let Some(facts) = facts.get(template) {
                self.unfold(facts, ProcessId::from(index));
            }
        }
        self.updates(model);
        self.settle_lattices();
        self.drain();
        self.check_purity();
        self.settle_odd_rates();
        self.check_unused_functions();
        self.check_unused_templates(&facts);
    }

    /// Declares anything but an instance.
    pub fn declare_any(&mut self, env: &mut Env, owner: &Owner, declaration: &Declaration) {
        match declaration {
            Declaration::Variables(variables) => self.declare_variables(env, owner, variables),
            Declaration::Typedef(typedef) => self.declare_typedef(env, typedef),
            Declaration::Function(function) => {
                self.declare_function(env.scope, owner, &Arc::new(function.clone()));
            }
            Declaration::ChannelPriority(priority) => self.channel_priorities(env, priority),
            Declaration::Unsupported { what, names, span } => {
                self.note_unsupported(what, *span);
                for name in names {
                    // Some only speak of names that are declared elsewhere.
                    if self.resolve(env, &name.text).is_none() {
                        let symbol = Symbol::Unsupported(what);
                        self.declare(env.scope, &name.text, symbol, name.span);
                    }
                }
            }
            Declaration::Extern(name, _) => self.declare_extern(env.scope, name),
            Declaration::Lattice(lattice) => self.declare_lattice(env.scope, lattice),
            Declaration::Instantiation(_)
            | Declaration::BeforeUpdate(..)
            | Declaration::AfterUpdate(..)
            | Declaration::Progress(..)
            | Declaration::Gantt(_)
            | Declaration::Broken(_) => {}
        }
    }

    fn declare_template_name(&mut self, template: &Template, index: u32) {
        let name = &template.name;
        let symbol = match template.kind {
            TemplateKind::Automaton => Symbol::Instance(self.tables.instances.len() as u32),
            TemplateKind::Dynamic => Symbol::Unsupported("a dynamic template"),
            TemplateKind::SequenceChart => Symbol::Unsupported("a live sequence chart"),
        };
        if let Symbol::Unsupported(what) = symbol {
            self.say(Diagnostic::warning(
                UNSUPPORTED,
                format!(
                    "`{}` is {what}, which is outside the symbolic language",
                    name.text
                ),
                name.span,
            ));
        }
        self.declare(Tables::GLOBAL, &name.text, symbol, name.span);
        self.tables.instances.push(InstanceDeclaration {
            name: name.text.clone(),
            parameters: template.parameters.clone().into(),
            made_of: MadeOf::Template(index),
            scope: Tables::GLOBAL,
            order: self.tables.order,
            span: name.span,
            used: false,
            in_system: false,
        });
    }

    fn declare_instance(&mut self, scope: ScopeId, instantiation: &Instantiation) {
        let name = &instantiation.name;
        let env = Env::new(scope, Purpose::Declaration);
        let template = &instantiation.template;
        let symbol = match self.lookup(&env, &template.text, template.span) {
            Ok(Symbol::Instance(of)) => {
                self.check_arguments(of, instantiation);
                let id = self.tables.instances.len() as u32;
                let arguments: Arc<[Expr]> = instantiation.arguments.clone().into();
                let order = self.tables.order;
                self.tables.instances.push(InstanceDeclaration {
                    name: name.text.clone(),
                    parameters: instantiation.parameters.clone().into(),
                    made_of: MadeOf::Instance(of, arguments),
                    scope,
                    order,
                    span: name.span,
                    used: false,
                    in_system: false,
                });
                Symbol::Instance(id)
            }
            Ok(Symbol::Unsupported(what)) => Symbol::Unsupported(what),
            Ok(_) => {
                let message = format!("`{}` is not a template", template.text);
                self.error::<()>("type", message, template.span).ok();
                Symbol::Broken
            }
            Err(_) => Symbol::Broken,
        };
        self.declare(scope, &name.text, symbol, name.span);
    }

    fn check_arguments(&mut self, of: u32, instantiation: &Instantiation) {
        let declared = self.tables.instances.get(of as usize);
        let expected = declared.map_or(0, |declared| declared.parameters.len());
        let given = instantiation.arguments.len();
        if expected != given {
            let name = &instantiation.template.text;
            let message = format!("`{name}` takes {expected} argument(s), not {given}");
            self.error::<()>("arguments", message, instantiation.span)
                .ok();
        }
    }

    /// The statements that run before and after every transition.
    fn updates(&mut self, model: &Model) {
        let places = [
            (Tables::GLOBAL, &model.declarations),
            (Tables::SYSTEM, &model.system.declarations),
        ];
        for (scope, declarations) in places {
            let mut env = Env::new(scope, Purpose::Update);
            for declaration in declarations {
                let (expressions, before) = match declaration {
                    Declaration::BeforeUpdate(expressions, _) => (expressions, true),
                    Declaration::AfterUpdate(expressions, _) => (expressions, false),
                    _ => continue,
                };
                let mut statements = Vec::new();
                for expr in expressions {
                    self.effect(&mut env, expr, &mut statements).ok();
                }
                match before {
                    true => self.network.before_update.append(&mut statements),
                    false => self.network.after_update.append(&mut statements),
                }
            }
        }
    }

    fn embedded_query(&mut self, query: &Query, number: u32) -> LoweredQuery {
        let (lowered, diagnostics) = self.query_or_nothing(query);
        LoweredQuery {
            query: lowered,
            text: query.text.clone(),
            comment: query.comment.clone(),
            number,
            span: query.span,
            expectation: query.expectation.clone(),
            result: query.result.clone(),
            diagnostics,
        }
    }

    /// A query with its own messages; what a failed one added is taken back.
    fn query_or_nothing(&mut self, query: &Query) -> (Option<net::Query>, Vec<Diagnostic>) {
        let mark = self.mark();
        let outer = self.report.begin();
        let lowered = self.query(query).ok();
        let part = std::mem::take(&mut self.report);
        self.report.end(outer);
        if lowered.is_none() {
            self.rollback(mark);
        }
        (lowered, part.finish())
    }
}

/// The start of the model, for what has no better place.
pub(crate) fn nowhere() -> Span {
    Span::new(merkhet_syntax::FileId::MODEL, 0, 0)
}
