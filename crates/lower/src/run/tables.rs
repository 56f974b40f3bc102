//! What lowering knows of a model besides the network: needed again for every later query.

use crate::data::types::Type;
use crate::lattice::{LatticeDeclaration, LatticeInstance};
use crate::naming::scope::{Declared, Scope, ScopeId, Symbol};
use merkhet_network::{FunctionId, LocationId, Native, ProcessId, SiteId};
use merkhet_syntax::Span;
use merkhet_syntax::tree;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A declared function, not yet specialised.
#[derive(Clone, Debug)]
pub struct FunctionDeclaration {
    /// As written.
    pub tree: Arc<tree::Function>,
    /// The scope that it is declared in.
    pub scope: ScopeId,
    /// Its place in the order of declarations.
    pub order: u32,
    /// Its parameters: name, type, by reference, constant.
    pub parameters: Vec<Parameter>,
    /// What it returns.
    pub result: Type,
    /// Its name with the process in front.
    pub full_name: String,
    /// How many specialisations there are.
    pub specialisations: u32,
    /// The longest chain of calls that starts with it.
    pub depth: u32,
    /// Its signature has an error or is not symbolic.
    pub unusable: Option<Unusable>,
    /// Whether it is a method of a lattice: its first parameter is the element.
    pub is_method: bool,
}

/// Why a function cannot be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unusable {
    /// Its signature has an error (already reported).
    Broken,
    /// Its signature uses this, which is outside the symbolic language.
    Unsupported(&'static str),
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whether it stands for the argument itself.
    pub reference: bool,
    /// Whether it may not be assigned to.
    pub constant: bool,
}

/// A template, or an instance made from one with some parameters left open.
#[derive(Clone, Debug)]
pub struct InstanceDeclaration {
    /// Its name.
    pub name: String,
    /// The parameters that are open.
    pub parameters: Arc<[tree::Parameter]>,
    /// What it is made of.
    pub made_of: MadeOf,
    /// The scope in which its parameters' types and its arguments are read.
    pub scope: ScopeId,
    /// Its place in the order of declarations.
    pub order: u32,
    /// Where it is named.
    pub span: Span,
    /// Whether some process is made of it.
    pub used: bool,
    /// Whether it is on the system line.
    pub in_system: bool,
}

/// What an instance is made of.
#[derive(Clone, Debug)]
pub enum MadeOf {
    /// It is the template with this index.
    Template(u32),
    /// Another instance, with arguments.
    Instance(u32, Arc<[tree::Expr]>),
}

/// A template as far as queries need it.
#[derive(Clone, Default, Debug)]
pub struct TemplateNames {
    /// Its name.
    pub name: String,
    /// Its named locations.
    pub locations: FxHashMap<String, LocationId>,
}

/// A process as far as queries need it.
#[derive(Clone, Debug)]
pub struct ProcessNames {
    /// Its own names.
    pub scope: ScopeId,
    /// Its template.
    pub template: u32,
}

/// A constant array or structure.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its full name.
    pub name: String,
    /// The process it belongs to.
    pub owner: Option<ProcessId>,
    /// Its type.
    pub ty: Type,
    /// Its cells.
    pub values: Arc<[i32]>,
    /// Its first cell in memory, where an index at run time needs it there.
    pub address: Option<u32>,
    /// Where it is declared.
    pub span: Span,
}

/// All tables.
#[derive(Clone, Default, Debug)]
pub struct Tables {
    /// The scopes.
    pub scopes: Vec<Scope>,
    /// Declared functions.
    pub functions: Vec<FunctionDeclaration>,
    /// Templates and instances.
    pub instances: Vec<InstanceDeclaration>,
    /// Templates.
    pub templates: Vec<TemplateNames>,
    /// Processes.
    pub processes: Vec<ProcessNames>,
    /// Processes by instance and arguments of its open parameters.
    pub process_index: FxHashMap<(u32, Vec<i32>), ProcessId>,
    /// Constant arrays and structures.
    pub constants: Vec<Constant>,
    /// Specialised functions by declaration and targets of the reference parameters.
    pub specialised: FxHashMap<(u32, Vec<u64>), FunctionId>,
    /// The keys of `specialised` in the order of the functions.
    pub specialised_order: Vec<(u32, Vec<u64>)>,
    /// Constants that have memory, in the order of their cells.
    pub materialised: Vec<u32>,
    /// Clocks with rates other than 0 and 1: the model does not test them, and queries must not.
    pub hybrid: FxHashSet<u32>,
    /// Known source positions.
    pub sites: FxHashMap<Span, SiteId>,
    /// Declarations whose `meta` is not heeded.
    pub lasting: FxHashSet<Span>,
    /// Where the variables are declared.
    pub variable_spans: Vec<Span>,
    /// Where the clocks are declared.
    pub clock_spans: Vec<Span>,
    /// Where the channels are declared.
    pub channel_spans: Vec<Span>,
    /// Where guards stand and whether they were always true or always false in all copies so far.
    pub constant_guards: FxHashMap<Span, Option<bool>>,
    /// Declared lattices.
    pub lattice_declarations: Vec<LatticeDeclaration>,
    /// Lattices with values for their dimensions.
    pub lattices: Vec<LatticeInstance>,
    /// The lattices by declaration and dimensions; nothing for those with errors.
    pub lattice_index: FxHashMap<(u32, Vec<i32>), Option<u32>>,
    /// Declarations of the lattices whose fields are being looked at.
    pub lattices_begun: Vec<u32>,
    /// Lattices of a program that uses the library.
    pub externals: Vec<(Arc<tree::Lattice>, Option<Native>)>,
    /// The longest chain of calls that starts with a method of that name.
    pub method_depths: FxHashMap<String, u32>,
    /// The next place in the order of declarations.
    pub order: u32,
    /// Scalar sets so far.
    pub scalar_sets: u32,
    /// Parts unrolled so far.
    pub unrolled: u64,
    /// Expressions looked at so far.
    pub work: u64,
}

impl Tables {
    /// The scope of the global declarations.
    pub const GLOBAL: ScopeId = ScopeId(0);
    /// The scope of the system declarations, where queries are read.
    pub const SYSTEM: ScopeId = ScopeId(1);

    /// A new scope inside another one.
    pub fn new_scope(&mut self, parent: Option<ScopeId>) -> ScopeId {
        let id = ScopeId(self.scopes.len() as u32);
        self.scopes.push(Scope {
            parent,
            names: FxHashMap::default(),
        });
        id
    }

    /// The name as seen from a scope, and whether it is hidden because it is declared later than `visible`.
    pub fn find(&self, scope: ScopeId, name: &str, visible: u32) -> (Option<&Declared>, bool) {
        let mut hidden = false;
        let mut next = Some(scope);
        while let Some(scope) = next.and_then(|id| self.scopes.get(id.0 as usize)) {
            match scope.names.get(name) {
                Some(declared) if declared.order <= visible => return (Some(declared), hidden),
                Some(_) => hidden = true,
                None => {}
            }
            next = scope.parent;
        }
        (None, hidden)
    }

    /// All names seen from a scope.
    pub fn names(&self, scope: ScopeId) -> Vec<&str> {
        let mut names = Vec::new();
        let mut next = Some(scope);
        while let Some(scope) = next.and_then(|id| self.scopes.get(id.0 as usize)) {
            names.extend(scope.names.keys().map(String::as_str));
            next = scope.parent;
        }
        names.sort_unstable();
        names
    }

    /// The next place in the order of declarations.
    pub fn next_order(&mut self) -> u32 {
        self.order += 1;
        self.order
    }

    /// Declares a name of the prelude.
    pub fn predefine(&mut self, name: &str, symbol: Symbol) {
        if let Some(scope) = self.scopes.first_mut() {
            scope.names.insert(
                name.to_string(),
                Declared {
                    symbol,
                    span: None,
                    order: 0,
                },
            );
        }
    }
}
