//! Reads model and query text into trees with spans; knows nothing of types or files.
//!
//! [`read_model`] takes the bytes of a UPPAAL XML, XTA or old TA file, [`read_queries`] those of a `.q` file and
//! [`read_query`] a single formula. All of them always return a tree, together with the [`Diagnostic`]s found on
//! the way: a broken label is marked as broken and everything around it is still read.
//!
//! Every [`Span`] is a range of bytes of the file itself, also inside XML labels with entities; a [`SourceMap`]
//! turns it into a line and a column, and [`tree::Model::sections`] into the template, edge and label it lies in.

#![forbid(unsafe_code)]

pub mod diagnostic;
mod lexeme;
mod parser;
mod query_file;
mod read;
pub mod source;
pub mod tree;
mod xml;

pub use diagnostic::diagnostics::{Diagnostics, Mark};
pub use diagnostic::suggest::nearest_name;
pub use diagnostic::{Diagnostic, Severity};
pub use lexeme::{KEYWORDS, Lexeme, LexemeKind, lexemes};
pub use read::{read_model, read_model_as, read_queries, read_queries_as, read_query, text_of};
pub use source::section;
pub use source::section::{Context, Sections};
pub use source::span::{FileId, Span};
pub use source::{Position, SourceFile, SourceMap};
pub use xml::unescape;

/// The greatest height of any expression, statement, type or initialiser that the readers build.
///
/// Deeper input gets a located error, so that later stages may walk the trees by plain recursion. Long chains do
/// not count as deep: runs of `&&`, of `||` and of `+` are balanced (see [`tree::ExprKind::Binary`]), comma lists
/// and `else if` ladders are flat. No model in the wild that we know of comes near 40.
pub const MAX_DEPTH: u16 = 256;

/// The largest file that is read at all, in bytes.
pub const MAX_FILE_SIZE: usize = 256 << 20;
