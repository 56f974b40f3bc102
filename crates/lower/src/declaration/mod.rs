//! Declarations: types, variables and their initial values, functions.

mod depth;
mod function;
mod initialiser;
mod local;
mod statement;
mod types;
mod variable;

pub use function::THIS;
pub use initialiser::default_value;
pub use variable::Owner;
