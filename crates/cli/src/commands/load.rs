//! Reads a model and its queries, and reports what is wrong with them.

use std::path::Path;

use merkhet_syntax::{Diagnostic, FileId, Severity, SourceMap, read_model};

use crate::diagnostics::{DiagnosticView, SeverityView};
use crate::input;

/// A model as far as it could be read.
pub struct Loaded {
    /// The texts that places lie in.
    pub sources: SourceMap,
    /// What there is to say about them.
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// Whether something is so wrong that the model cannot be used.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The diagnostics for programs.
    pub fn views(&self) -> Vec<DiagnosticView> {
        self.diagnostics
            .iter()
            .map(|diagnostic| DiagnosticView::new(diagnostic, &self.sources))
            .collect()
    }
}

/// Reads a model; the error is a sentence about a file that cannot be read.
pub fn load(model: &Path) -> Result<Loaded, String> {
    let bytes = input::read(model)?;
    let name = model.display().to_string();
    let (_, diagnostics) = read_model(&name, &bytes);
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, name, &bytes);
    Ok(Loaded {
        sources,
        diagnostics,
    })
}

/// The view of a file that cannot be read.
pub fn unreadable(message: &str) -> DiagnosticView {
    DiagnosticView::plain(SeverityView::Error, "unreadable-file", message)
}
