//! Reads model and query text into trees with spans; knows nothing of types or files.
//!
//! [`read_model`] takes the bytes of a UPPAAL XML, XTA or old TA file, [`read_queries`] those of a `.q` file and
//! `read_query` a single formula. All of them always return a tree, together with the [`Diagnostic`]s found on
//! the way: a broken label is marked as broken and everything around it is still read.
//!
//! Every [`Span`] is a range of bytes of the file itself, also inside XML labels with entities; a [`SourceMap`]
//! turns it into a line and a column, and [`tree::Model::sections`] into the template, edge and label it lies in.

pub mod diagnostic;
pub mod section;
pub mod smv;
pub mod source;
pub mod span;
pub mod suggest;
pub mod tree;

pub use diagnostic::{Diagnostic, Severity};
pub use section::{Context, Sections};
pub use source::{Position, SourceFile, SourceMap};
pub use span::{FileId, Span};
pub use suggest::nearest_name;

/// The greatest height of any expression, statement, type or initialiser that the readers build.
///
/// Deeper input gets a located error, so that later stages may walk the trees by plain recursion. Long chains do
/// not count as deep: runs of `&&`, of `||` and of `+` are balanced (see [`tree::ExprKind::Binary`]), comma lists
/// and `else if` ladders are flat.
pub const MAX_DEPTH: u16 = 500;

/// The largest file that is read at all, in bytes.
pub const MAX_FILE_SIZE: usize = 256 << 20;

use tree::{Format, Model, Query, System};

/// Reads a model; `name_hint` is the file's extension or name, used where the text itself does not tell its format.
///
/// Spans get [`FileId::MODEL`].
pub fn read_model(name_hint: &str, bytes: &[u8]) -> (Model, Vec<Diagnostic>) {
    let _ = (name_hint, bytes);
    let model = Model {
        format: Format::Xml,
        declarations: Vec::new(),
        templates: Vec::new(),
        system: System::default(),
        queries: Vec::new(),
        sections: Sections::default(),
    };
    let nowhere = Span::new(FileId::MODEL, 0, 0);
    (
        model,
        vec![Diagnostic::error(
            "not-yet-read",
            "models cannot be read yet",
            nowhere,
        )],
    )
}

/// Reads a `.q` file. Spans get [`FileId::QUERIES`].
pub fn read_queries(bytes: &[u8]) -> (Vec<Query>, Vec<Diagnostic>) {
    let _ = bytes;
    let nowhere = Span::new(FileId::QUERIES, 0, 0);
    (
        Vec::new(),
        vec![Diagnostic::error(
            "not-yet-read",
            "queries cannot be read yet",
            nowhere,
        )],
    )
}
