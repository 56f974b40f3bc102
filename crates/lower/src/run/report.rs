//! Collects what lowering has to say, each thing once.

use crate::run::limits::MAX_DIAGNOSTICS;
use merkhet_syntax::{Diagnostic, Severity};
use std::collections::HashSet;

/// The code of messages about what lies outside the symbolic language.
pub const UNSUPPORTED: &str = "unsupported";

/// An error that has already been reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported;

/// The result of a step of lowering: a failure is already reported.
pub type Lower<T> = Result<T, Reported>;

/// The messages so far.
#[derive(Default, Debug)]
pub struct Report {
    messages: Vec<Diagnostic>,
    errors: usize,
}

impl Report {
    /// Adds a message; beyond a limit messages are counted only.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += diagnostic.is_error() as usize;
        if self.messages.len() < MAX_DIAGNOSTICS {
            self.messages.push(diagnostic);
        }
    }

    /// Whether there was an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether there are too many errors for going on to be of use.
    pub fn is_hopeless(&self) -> bool {
        self.errors >= MAX_DIAGNOSTICS
    }

    /// Starts a part whose messages can be looked at on their own.
    pub fn begin(&mut self) -> Report {
        std::mem::take(self)
    }

    /// Ends a part: the messages since [`Report::begin`], which gave `outer`.
    pub fn end(&mut self, outer: Report) -> Vec<Diagnostic> {
        std::mem::replace(self, outer).messages
    }

    /// Adds all messages.
    pub fn extend(&mut self, diagnostics: Vec<Diagnostic>) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }

    /// All messages, each once, in the order in which they came.
    pub fn finish(self) -> Vec<Diagnostic> {
        let mut seen = HashSet::new();
        let mut messages = self.messages;
        messages
            .retain(|message| seen.insert((message.code, message.span, message.message.clone())));
        messages
    }
}

/// Whether errors are all about what is outside the symbolic language.
pub fn only_unsupported(diagnostics: &[Diagnostic]) -> bool {
    let mut errors = diagnostics.iter().filter(|d| d.is_error()).peekable();
    errors.peek().is_some() && errors.all(|d| d.code == UNSUPPORTED)
}

/// Turns errors into warnings.
pub fn soften(diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics {
        diagnostic.severity = diagnostic.severity.min(Severity::Warning);
    }
}
