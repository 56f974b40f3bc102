//! SMV models: finite systems, whose specifications are checked with decision diagrams.
//!
//! [`SmvModel::read`] turns text into a finite system; [`check`] decides its specifications. Every trace in a result
//! has been accepted by the judge of `merkhet-finite`, which knows no diagrams.

mod lint;
mod options;
mod query;

pub use options::{SMV_SEARCHES, SmvOptions};

use merkhet_finite::System;
use merkhet_lower::smv::lower_smv;
use merkhet_smv::read_smv;
use merkhet_smv::tree::Program;
use merkhet_symbolic::check::{SpecResult, check_system};
use merkhet_symbolic::limits;
use merkhet_syntax::{Diagnostic, FileId, SourceMap};
use std::sync::Arc;

use crate::config::ConfigError;

/// The first number for the texts of typed queries; smaller ones are given by the readers.
const FIRST_QUERY: u32 = 16;

/// Whether a file holds an SMV model, by its name.
pub fn is_smv(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("smv"))
}

/// A model as far as it could be read.
pub struct SmvModel {
    /// The texts that diagnostics point into.
    pub sources: SourceMap,
    /// Messages about the model and the queries.
    pub diagnostics: Vec<Diagnostic>,
    /// The system, unless the model itself has an error.
    pub system: Option<System>,
    /// Queries that cannot be read, with their numbers among all (from 0); the others are the specifications.
    pub unread: Vec<(usize, String)>,
    program: Program,
}

impl SmvModel {
    /// Reads a model from the bytes of a file. Queries, if there are any, replace its specifications.
    pub fn read(name: &str, bytes: &[u8], queries: &[String]) -> SmvModel {
        let mut sources = SourceMap::new();
        sources.insert(FileId::MODEL, name, bytes);
        let text = String::from_utf8_lossy(bytes);
        let (program, mut diagnostics) = read_smv(&text);
        let mut model = SmvModel {
            sources,
            diagnostics: Vec::new(),
            system: None,
            unread: Vec::new(),
            program,
        };
        if !diagnostics.iter().any(Diagnostic::is_error) {
            diagnostics.extend(model.lower(queries));
        }
        model.diagnostics = diagnostics;
        model
    }

    fn lower(&mut self, queries: &[String]) -> Vec<Diagnostic> {
        if queries.is_empty() {
            let (system, diagnostics) = lower_smv(&self.program, None);
            self.system = system;
            return diagnostics;
        }
        let (mut specifications, mut diagnostics) = (Vec::new(), Vec::new());
        for (number, text) in queries.iter().enumerate() {
            let file = FileId(FIRST_QUERY + number as u32);
            self.sources.insert(file, "query", text.as_bytes());
            match query::read(&self.program, text) {
                Ok(specification) => specifications.push(specification),
                Err(messages) => {
                    self.unread.push((number, text.clone()));
                    diagnostics.extend(messages.into_iter().map(|m| query::moved(m, file)))
                }
            }
        }
        let (system, more) = lower_smv(&self.program, Some(&specifications));
        self.system = system;
        // What is wrong with the model itself was said about every query.
        diagnostics.retain(|message| !more.contains(message));
        diagnostics.extend(more);
        diagnostics
    }

    /// Warnings about what looks like a mistake, each with a name.
    pub fn lint(&self) -> Vec<Diagnostic> {
        match &self.system {
            Some(system) => lint::lint(&self.program, system),
            None => Vec::new(),
        }
    }
}

/// Decides all specifications of a system, in their order. Another thread may watch the progress.
pub fn check(
    system: &System,
    options: &SmvOptions,
    progress: &Arc<limits::Progress>,
) -> Result<Vec<SpecResult>, ConfigError> {
    Ok(check_system(system, &options.resolve(progress)?))
}
