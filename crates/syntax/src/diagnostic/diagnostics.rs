//! Collects diagnostics while a file is read.

use crate::{Diagnostic, Span};

/// After this many errors in a file the rest is not reported.
const MAX_REPORTED: usize = 200;

/// A file may have this many tokens (an XML element counts as several), so that the memory for its tree, which takes
/// up to a hundred times as much as the text, stays below about a gigabyte.
const MAX_TOKENS: u32 = 10_000_000;

/// The diagnostics so far; bounded, because a broken file of many megabytes has as many errors as lines.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    tokens: u32,
}

/// A point in the list of diagnostics.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    kept: usize,
    errors: usize,
}

impl Diagnostics {
    /// Adds a diagnostic, unless there are too many already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        // What is said after the rest of a file has been cut off only follows from that.
        if self.exhausted() {
            return;
        }
        let span = diagnostic.span;
        self.errors += usize::from(diagnostic.is_error());
        if self.list.len() < MAX_REPORTED {
            self.list.push(diagnostic);
        } else if self.list.len() == MAX_REPORTED {
            self.list.push(too_many(span));
        }
    }

    /// The last one that was added.
    pub fn last_mut(&mut self) -> Option<&mut Diagnostic> {
        self.list.last_mut()
    }

    /// Counts tokens of the file; whether it may have that many. The first time that it may not, reports it at `span`.
    pub fn spend(&mut self, tokens: u32, span: Span) -> bool {
        if self.exhausted() {
            return false;
        }
        if self.tokens.saturating_add(tokens) > MAX_TOKENS {
            let message = format!(
                "the file has more than {MAX_TOKENS} tokens; it is not read beyond this place"
            );
            self.push(Diagnostic::error("file-too-large", message, span));
            self.tokens = u32::MAX;
            return false;
        }
        self.tokens += tokens;
        true
    }

    fn exhausted(&self) -> bool {
        self.tokens == u32::MAX
    }

    /// The number of errors so far, with those that were not kept.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// A point to go back to with [`Diagnostics::rewind`].
    pub fn mark(&self) -> Mark {
        Mark {
            kept: self.list.len(),
            errors: self.errors,
        }
    }

    /// Forgets all diagnostics since `mark`.
    pub fn rewind(&mut self, mark: Mark) {
        self.list.truncate(mark.kept);
        self.errors = mark.errors;
    }

    /// The diagnostics that were kept.
    pub fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }
}

fn too_many(span: Span) -> Diagnostic {
    let message = format!("more than {MAX_REPORTED} problems in this file; the rest is not shown");
    Diagnostic::error("too-many-errors", message, span)
}
