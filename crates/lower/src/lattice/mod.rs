//! Lattices in models: `extern` imports one of the library, `lattice Name { … }` declares one.
//!
//! A lattice is a structure with methods. Its dimensions are the last brackets behind a variable's name, so that
//! `UnionBitVector v[3][N]` is an array of three vectors of size N. A lattice of one field stands for that field where a
//! number or an array is expected: `v[i] = 1`, `m + 2`.

mod access;
mod instance;
pub mod library;
mod order;
mod source;

use crate::data::types::Type;
use crate::naming::scope::{ScopeId, Symbol};
use crate::run::lowerer::Lowerer;
use library::{ZONES, library};
use merkhet_network::Native;
use merkhet_syntax::tree::{self, Name};
use merkhet_syntax::{Diagnostic, nearest_name};
use std::sync::Arc;

/// How the names of joining strategies in models begin.
pub const STRATEGY: &str = "joinable";

/// A declared lattice, without values for its dimensions.
#[derive(Clone, Debug)]
pub struct LatticeDeclaration {
    /// As written.
    pub tree: Arc<tree::Lattice>,
    /// The scope that it is declared in.
    pub scope: ScopeId,
    /// Its place in the order of declarations.
    pub order: u32,
    /// Whether it is one of the library, whose laws hold.
    pub library: bool,
    /// Order and join in Rust.
    pub native: Option<Native>,
    /// Whether its text is that of the program around the library.
    pub external: bool,
}

/// A lattice with values for its dimensions.
#[derive(Clone, Debug)]
pub struct LatticeInstance {
    /// What it is an instance of.
    pub declaration: u32,
    /// Its name with its dimensions.
    pub name: Arc<str>,
    /// The type of its elements.
    pub ty: Type,
    /// Its methods: names and indices into the table of functions.
    pub methods: Vec<(String, u32)>,
}

impl LatticeInstance {
    /// The method with that name.
    pub fn method(&self, name: &str) -> Option<u32> {
        let mut methods = self.methods.iter();
        methods
            .find(|(method, _)| method == name)
            .map(|(_, id)| *id)
    }
}

impl Lowerer<'_> {
    /// `extern Name;`
    pub fn declare_extern(&mut self, scope: ScopeId, name: &Name) {
        let symbol = if name.text == ZONES {
            Symbol::Type(Type::Clock)
        } else if let Some((tree, native)) = self.external(&name.text) {
            let symbol = self.new_lattice(scope, tree, false, native);
            if let Some(declared) = self.tables.lattice_declarations.last_mut() {
                declared.external = true;
            }
            symbol
        } else if let Some(tree) = library().iter().find(|l| l.name.text == name.text) {
            self.new_lattice(scope, tree.clone(), true, None)
        } else {
            let external = self.tables.externals.iter();
            let known: Vec<&str> = (library().iter().map(|lattice| lattice.name.text.as_str()))
                .chain(external.map(|(tree, _)| tree.name.text.as_str()))
                .chain([ZONES])
                .collect();
            let message = format!(
                "there is no lattice `{}` in the library; it has {}",
                name.text,
                known.join(", ")
            );
            let near = nearest_name(&name.text, known.iter().copied());
            self.say(Diagnostic::error("unknown-name", message, name.span).with_suggestion(near));
            Symbol::Broken
        };
        self.declare(scope, &name.text, symbol, name.span);
    }

    fn external(&self, name: &str) -> Option<(Arc<tree::Lattice>, Option<Native>)> {
        let mut all = self.tables.externals.iter();
        all.find(|(tree, _)| tree.name.text == name).cloned()
    }

    /// `lattice Name { … }`
    pub fn declare_lattice(&mut self, scope: ScopeId, lattice: &tree::Lattice) {
        let symbol = self.new_lattice(scope, Arc::new(lattice.clone()), false, None);
        self.declare(scope, &lattice.name.text, symbol, lattice.name.span);
        if let Some(declared) = self.tables.lattice_declarations.last_mut() {
            declared.order = self.tables.order;
        }
        if lattice.dimensions.is_empty() {
            // Its mistakes are reported whether it is used or not.
            let id = self.tables.lattice_declarations.len() as u32 - 1;
            self.lattice_instance(id, Vec::new(), lattice.name.span)
                .ok();
        }
    }

    fn new_lattice(
        &mut self,
        scope: ScopeId,
        tree: Arc<tree::Lattice>,
        library: bool,
        native: Option<Native>,
    ) -> Symbol {
        let id = self.tables.lattice_declarations.len() as u32;
        let order = self.tables.order;
        self.tables.lattice_declarations.push(LatticeDeclaration {
            tree,
            scope,
            order,
            library,
            native,
            external: false,
        });
        Symbol::Lattice(id)
    }
}
