//! Names, types and template instantiation: from syntax trees to networks.
//!
//! [`lower_model`] resolves names, checks types, folds constants and instantiates templates; what remains is a
//! [`merkhet_network::Network`] over flat memory. [`lower_query`] lowers further queries over the same names.

pub mod limits;
pub mod lint;
pub mod model;
pub mod smv;
pub mod tables;
pub mod tck;
pub mod types;

mod checkpoint;
mod condition;
mod declaration;
mod effects;
mod expression;
mod fold;
pub mod lattice;
mod lowerer;
mod memory;
mod names;
mod object;
mod prelude;
mod process;
mod query;
mod rates;
mod report;
mod scope;
mod value;

pub use lattice::library::External;
pub use lint::{LINTS, LintSpec, lint};
pub use model::{Lowered, LoweredQuery, lower_model, lower_model_with, lower_query};
pub use object::{DynamicIndex, Object, Root};
pub use report::UNSUPPORTED;
pub use scope::{Declared, Scope, ScopeId, Symbol};
