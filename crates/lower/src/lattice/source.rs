//! The declarations of the lattices in use as a text of their own, so that a printed network can be read again.

use crate::data::types::Type;
use crate::naming::names::Names;
use crate::naming::scope::Symbol;
use crate::run::lowerer::Lowerer;
use crate::run::tables::Tables;
use merkhet_network::LatticeSource;
use merkhet_syntax::{FileId, Span};
use std::collections::HashSet;

/// Declarations are followed so deep.
const MAX_DEPTH: usize = 64;

impl Lowerer<'_> {
    /// The declarations of the given lattices and strategies with all that they need.
    pub(super) fn lattice_source(&self, lattices: &[u32], strategies: &[u32]) -> LatticeSource {
        let mut writer = SourceWriter {
            lowerer: self,
            source: LatticeSource::default(),
            done: HashSet::new(),
            depth: 0,
        };
        for id in lattices {
            writer.lattice(*id);
        }
        for id in strategies {
            writer.function(*id);
        }
        writer.source
    }

    fn source_text(&self, span: Span) -> Option<String> {
        let text = self.sources.text(span)?;
        let context = self
            .sections
            .filter(|_| span.file == FileId::MODEL)
            .and_then(|sections| sections.context(span));
        let in_xml = context.is_some_and(|context| context.xpath.is_some());
        if !in_xml || !text.contains('&') {
            return Some(text.to_string());
        }
        let mut plain = text.to_string();
        for (entity, letter) in [
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&quot;", "\""),
            ("&apos;", "'"),
            ("&amp;", "&"),
        ] {
            plain = plain.replace(entity, letter);
        }
        Some(plain)
    }
}

struct SourceWriter<'l, 's> {
    lowerer: &'l Lowerer<'s>,
    source: LatticeSource,
    done: HashSet<String>,
    depth: usize,
}

impl SourceWriter<'_, '_> {
    fn lattice(&mut self, id: u32) {
        let Some(declared) = self.lowerer.tables.lattice_declarations.get(id as usize) else {
            return;
        };
        let name = declared.tree.name.text.clone();
        if !self.done.insert(name.clone()) {
            return;
        }
        if declared.scope != Tables::GLOBAL && declared.scope != Tables::SYSTEM {
            self.complain(format!(
                "the lattice `{name}`, which is not declared globally"
            ));
            return;
        }
        if declared.library || declared.external {
            self.write(&name, format!("extern {name};"));
            return;
        }
        let tree = declared.tree.clone();
        let mut names = Names::default();
        names.lattice(&tree);
        self.needs(names.sorted());
        self.copy(&name, tree.span);
    }

    fn function(&mut self, id: u32) {
        let Some(declared) = self.lowerer.tables.functions.get(id as usize) else {
            return;
        };
        let name = declared.tree.name.text.clone();
        if declared.is_method || !self.done.insert(name.clone()) {
            return;
        }
        let tree = declared.tree.clone();
        let mut names = Names::default();
        names.function(&tree);
        self.needs(names.sorted());
        self.copy(&name, tree.span);
    }

    /// Declares what is used under these names; those that are not global are the code's own.
    fn needs(&mut self, names: Vec<&str>) {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.complain("lattices that depend on too many declarations".into());
            return;
        }
        for name in names {
            let global = self.lowerer.tables.scopes.first();
            let Some(declared) = global.and_then(|scope| scope.names.get(name)) else {
                continue;
            };
            // The prelude is everywhere.
            if declared.span.is_none() {
                continue;
            }
            match declared.symbol.clone() {
                Symbol::Lattice(id) => self.lattice(id),
                Symbol::Function(id) => self.function(id),
                Symbol::Constant(value, _) => {
                    if self.done.insert(name.into()) {
                        self.write(name, format!("const int {name} = {value};"));
                    }
                }
                Symbol::Type(Type::Int { low, high }) => {
                    if self.done.insert(name.into()) {
                        self.write(name, format!("typedef int[{low},{high}] {name};"));
                    }
                }
                Symbol::Type(Type::Bool) => {
                    if self.done.insert(name.into()) {
                        self.write(name, format!("typedef bool {name};"));
                    }
                }
                _ => self.complain(format!("a lattice or joining strategy that uses `{name}`")),
            }
        }
        self.depth -= 1;
    }

    fn copy(&mut self, name: &str, span: Span) {
        match self.lowerer.source_text(span) {
            Some(text) => self.write(name, text),
            None => self.complain(format!("`{name}`, whose text is not here")),
        }
    }

    fn write(&mut self, name: &str, text: String) {
        self.source.names.push(name.to_string());
        self.source.text += &text;
        self.source.text.push('\n');
    }

    fn complain(&mut self, what: String) {
        self.source.problem.get_or_insert(what);
    }
}
