//! The state of a lowering run and its small services: messages, source positions, temporary cells, limits.

use crate::data::object::Object;
use crate::data::types::Type;
use crate::naming::scope::{Declared, Env, Purpose, ScopeId, Symbol};
use crate::rates::OddRate;
use crate::run::limits::{MAX_CELLS, MAX_UNROLLED, MAX_WORK};
use crate::run::report::{Lower, Report, Reported, UNSUPPORTED};
use crate::run::tables::Tables;
use merkhet_network::{Address, FunctionId, Local, Network, Owner, Region, Site, SiteId};
use merkhet_syntax::{Diagnostic, Sections, SourceMap, Span, nearest_name};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::time::Duration;

/// A function whose body is still to be lowered.
pub struct FunctionWork {
    /// The specialised function.
    pub function: FunctionId,
    /// Its declaration.
    pub declaration: u32,
    /// What its parameters stand for.
    pub parameters: Vec<(String, Symbol)>,
}

/// A lowering run.
pub struct Lowerer<'a> {
    /// What has been built so far.
    pub network: Network,
    /// What the names stand for.
    pub tables: Tables,
    /// Messages so far.
    pub report: Report,
    /// The texts, for source positions.
    pub sources: &'a SourceMap,
    /// The parts of the model file.
    pub sections: Option<&'a Sections>,
    /// Functions whose bodies are still to be lowered.
    pub queue: VecDeque<FunctionWork>,
    /// Calls in places where side effects are not allowed.
    pub must_be_pure: Vec<(Span, FunctionId, Purpose)>,
    /// Rates that zones cannot express.
    pub odd_rates: Vec<OddRate>,
    /// The time spent on constants so far.
    pub constant_time: Duration,
    /// The method of a lattice whose body is being lowered, for source positions.
    pub method: Option<String>,
    /// Where unknown names have been reported: the search for a similar one is done once.
    unknown: FxHashSet<Span>,
}

impl<'a> Lowerer<'a> {
    /// A run over a network.
    pub fn new(
        network: Network,
        tables: Tables,
        sources: &'a SourceMap,
        sections: Option<&'a Sections>,
    ) -> Lowerer<'a> {
        Lowerer {
            network,
            tables,
            report: Report::default(),
            sources,
            sections,
            queue: VecDeque::new(),
            must_be_pure: Vec::new(),
            odd_rates: Vec::new(),
            constant_time: Duration::ZERO,
            method: None,
            unknown: FxHashSet::default(),
        }
    }

    /// Reports a message with the template, edge and label around its place.
    pub fn say(&mut self, mut diagnostic: Diagnostic) {
        if diagnostic.context.is_none() {
            diagnostic.context = self
                .sections
                .filter(|_| diagnostic.span.file == merkhet_syntax::FileId::MODEL)
                .and_then(|sections| sections.context(diagnostic.span));
        }
        self.report.push(diagnostic);
    }

    /// Reports an error.
    pub fn error<T>(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        span: Span,
    ) -> Lower<T> {
        self.say(Diagnostic::error(code, message, span));
        Err(Reported)
    }

    /// Reports an error with what the author may do about it.
    pub fn error_with_hint<T>(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        span: Span,
        hint: impl Into<String>,
    ) -> Lower<T> {
        self.say(Diagnostic::error(code, message, span).with_hint(hint));
        Err(Reported)
    }

    /// Reports a warning.
    pub fn warn(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        self.say(Diagnostic::warning(code, message, span));
    }

    /// Reports something outside the symbolic language.
    pub fn unsupported<T>(&mut self, what: &str, span: Span) -> Lower<T> {
        self.error(
            UNSUPPORTED,
            format!("{what} is outside the symbolic language and cannot be checked here"),
            span,
        )
    }

    /// The source position of a span.
    pub fn site(&mut self, span: Span) -> SiteId {
        if let Some(&id) = self.tables.sites.get(&span) {
            return id;
        }
        let id = SiteId::from(self.network.sites.len());
        let site = self.describe(span);
        self.network.sites.push(site);
        self.tables.sites.insert(span, id);
        id
    }

    fn describe(&self, span: Span) -> Site {
        let context = self
            .sections
            .filter(|_| span.file == merkhet_syntax::FileId::MODEL)
            .and_then(|sections| sections.context(span));
        if span.file == merkhet_syntax::FileId::LIBRARY {
            let source = crate::lattice::library::source();
            let position = source.position(span.start);
            return Site {
                file: source.name().to_string(),
                line: position.line,
                column: position.column,
                context: self.method.clone().unwrap_or_default(),
                text: excerpt(source.slice(span.start, span.end), false),
                owner: Owner::Shared,
            };
        }
        let position = self.sources.start(span);
        let owner = match self.sections {
            _ if span.file != merkhet_syntax::FileId::MODEL => Owner::Query,
            Some(sections) if sections.is_query(span) => Owner::Query,
            _ if (context.as_ref()).is_some_and(|within| within.template.is_some()) => {
                Owner::Process
            }
            _ => Owner::Shared,
        };
        let in_xml = context.as_ref().is_some_and(|c| c.xpath.is_some());
        Site {
            file: self
                .sources
                .file(span.file)
                .map_or(String::new(), |file| file.name().to_string()),
            line: position.map_or(0, |p| p.line),
            column: position.map_or(0, |p| p.column),
            context: match (&self.method, context) {
                (Some(method), _) => method.clone(),
                (None, context) => context.map_or(String::new(), |c| c.to_string()),
            },
            text: self
                .sources
                .text(span)
                .map_or(String::new(), |text| excerpt(text, in_xml)),
            owner,
        }
    }

    /// Fresh cells of [`Region::Local`] for a value of a type; the name is for printing and may be empty.
    pub fn local_cells(&mut self, name: &str, ty: &Type, span: Span) -> Lower<Address> {
        let count = ty.cells();
        self.check_room(count as u64, span)?;
        let base = Address {
            region: Region::Local,
            offset: self.network.local_cells,
        };
        self.network.local_cells += count;
        if let Some(shape) = ty.shape() {
            self.network.locals.push(Local {
                name: name.to_string(),
                shape,
                base,
            });
        }
        Ok(base)
    }

    /// Refuses what would take more memory than a model may.
    pub fn check_room(&mut self, more: u64, span: Span) -> Lower<()> {
        let network = &self.network;
        let used = network.state_cells.len()
            + network.meta_cells.len()
            + network.constant_cells.len()
            + network.local_cells as usize
            + network.clocks.len()
            + network.channels.len();
        if (used as u64).saturating_add(more) > MAX_CELLS {
            return self.error(
                "too-large",
                format!("the model's variables take more than {MAX_CELLS} cells"),
                span,
            );
        }
        Ok(())
    }

    /// Counts unrolled edges, constraints and quantifier bodies, and refuses what is absurd.
    pub fn unroll(&mut self, more: u64, span: Span) -> Lower<()> {
        self.tables.unrolled = self.tables.unrolled.saturating_add(more);
        if self.tables.unrolled > MAX_UNROLLED {
            return self.error(
                "too-large",
                format!("the model unrolls to more than {MAX_UNROLLED} edges, constraints and quantifier bodies"),
                span,
            );
        }
        Ok(())
    }

    /// Counts expressions that are looked at.
    pub fn work(&mut self, span: Span) -> Lower<()> {
        self.tables.work += 1;
        if self.tables.work > MAX_WORK {
            return self.error(
                "too-large",
                "the model is too large once all its instances are unfolded",
                span,
            );
        }
        Ok(())
    }

    /// Declares a name in a scope; a second one of the same scope is an error.
    pub fn declare(&mut self, scope: ScopeId, name: &str, symbol: Symbol, span: Span) {
        let order = self.tables.next_order();
        let Some(names) = self.tables.scopes.get_mut(scope.0 as usize) else {
            return;
        };
        let declared = Declared {
            symbol,
            span: Some(span),
            order,
        };
        let earlier = names.names.insert(name.to_string(), declared);
        if let Some(first) = earlier.and_then(|earlier| earlier.span) {
            self.say(
                Diagnostic::error(
                    "duplicate-name",
                    format!("`{name}` is declared twice"),
                    span,
                )
                .with_label(first, "first declared here"),
            );
        }
    }

    /// What a name stands for.
    pub fn lookup(&mut self, env: &Env, name: &str, span: Span) -> Lower<Symbol> {
        match self.resolve(env, name) {
            Some(Symbol::Broken) => Err(Reported),
            Some(symbol) => Ok(symbol),
            None => self.unknown_name(env, name, span),
        }
    }

    /// What a name stands for, if it is known.
    pub fn resolve(&self, env: &Env, name: &str) -> Option<Symbol> {
        if let Some((_, symbol)) = env.locals.iter().rev().find(|(local, _)| local == name) {
            return Some(symbol.clone());
        }
        let (declared, _) = self.tables.find(env.scope, name, env.visible);
        declared.map(|declared| declared.symbol.clone())
    }

    fn unknown_name<T>(&mut self, env: &Env, name: &str, span: Span) -> Lower<T> {
        let (_, hidden) = self.tables.find(env.scope, name, env.visible);
        if hidden {
            return self.error(
                "unknown-name",
                format!("`{name}` is used before it is declared"),
                span,
            );
        }
        if !self.unknown.insert(span) {
            return self.error("unknown-name", format!("unknown name `{name}`"), span);
        }
        let names = self.tables.names(env.scope);
        let locals = env.locals.iter().map(|(local, _)| local.as_str());
        // A word of queries comes last: what the model declares is meant more often.
        let words = (env.purpose == Purpose::Query).then_some("deadlock");
        let near = nearest_name(name, locals.chain(names).chain(words)).map(str::to_string);
        self.say(
            Diagnostic::error("unknown-name", format!("unknown name `{name}`"), span)
                .with_suggestion(near.as_deref()),
        );
        Err(Reported)
    }

    /// A temporary object of a type.
    pub fn temporary(&mut self, ty: Type, span: Span) -> Lower<Object> {
        let base = self.local_cells("", &ty, span)?;
        Ok(Object::in_memory(ty, base, true))
    }
}

/// One line of text, not too long.
fn excerpt(text: &str, in_xml: bool) -> String {
    const LONGEST: usize = 120;
    let short: String = text.chars().take(4 * LONGEST).collect();
    let mut line = short.split_whitespace().collect::<Vec<_>>().join(" ");
    if in_xml && line.contains('&') {
        for (entity, letter) in [
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&quot;", "\""),
            ("&apos;", "'"),
            ("&amp;", "&"),
        ] {
            line = line.replace(entity, letter);
        }
    }
    if line.chars().count() > LONGEST {
        line = line.chars().take(LONGEST - 1).chain(['…']).collect();
    }
    line
}
