//! Collects diagnostics while a file is read.

use crate::{Diagnostic, Span};

/// After this many errors in a file the rest is not reported.
const MAX_REPORTED: usize = 200;

/// The diagnostics so far; bounded, because a broken file of many megabytes has as many errors as lines.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

/// A point in the list of diagnostics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    kept: usize,
    errors: usize,
}

impl Diagnostics {
    /// Adds a diagnostic, unless there are too many already.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let span = diagnostic.span;
        self.errors += usize::from(diagnostic.is_error());
        if self.list.len() < MAX_REPORTED {
            self.list.push(diagnostic);
        } else if self.list.len() == MAX_REPORTED {
            self.list.push(too_many(span));
        }
    }

    /// The number of errors so far, with those that were not kept.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    /// A point to go back to with [`Diagnostics::rewind`].
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            kept: self.list.len(),
            errors: self.errors,
        }
    }

    /// Forgets all diagnostics since `mark`.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.list.truncate(mark.kept);
        self.errors = mark.errors;
    }

    /// The diagnostics that were kept.
    pub(crate) fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }
}

fn too_many(span: Span) -> Diagnostic {
    let message = format!("more than {MAX_REPORTED} problems in this file; the rest is not shown");
    Diagnostic::error("too-many-errors", message, span)
}
