//! The syntax trees: what was written, where, and nothing about what it means.

mod declaration;
mod expression;
mod model;
mod query;
mod statement;
mod template;

pub use declaration::*;
pub use expression::*;
pub use model::*;
pub use query::*;
pub use statement::*;
pub use template::*;

use crate::Span;

/// An identifier as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// Its letters.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}
