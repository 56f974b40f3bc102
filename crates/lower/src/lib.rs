//! Names, types and template instantiation: from syntax trees to networks.
//!
//! [`lower_model`] resolves names, checks types, folds constants and instantiates templates; what remains is a
//! [`merkhet_network::Network`] over flat memory. [`lower_query`] lowers further queries over the same names.

pub mod data;
pub mod lint;
pub mod model;
mod naming;
pub mod run;
pub mod smv;
pub mod tck;

mod condition;
mod declaration;
mod effects;
mod expression;
mod fold;
pub mod lattice;
mod process;
mod query;
mod rates;

pub use data::object::{DynamicIndex, Object, Root};
pub use lattice::library::External;
pub use lint::{LINTS, LintSpec, lint};
pub use model::{Lowered, LoweredQuery, lower_model, lower_model_with, lower_query};
pub use naming::scope::{Declared, Scope, ScopeId, Symbol};
pub use run::report::UNSUPPORTED;
