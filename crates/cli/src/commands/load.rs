//! Reads a model and its queries, and reports what is wrong with them.

use std::path::{Path, PathBuf};

use merkhet::{Model, ModelQuery};
use merkhet_syntax::Diagnostic;

use crate::diagnostics::{self, DiagnosticView, SeverityView};
use crate::input;

/// Reads a model; the error is a sentence about a file that cannot be read.
pub fn load(model: &Path) -> Result<Model, String> {
    if model.extension().is_some_and(|ending| ending == "q") {
        let name = model.display();
        return Err(format!(
            "`{name}` is a file of queries; give its model first, as in `merkhet check MODEL {name}`"
        ));
    }
    let bytes = input::read(model)?;
    let name = model.display().to_string();
    Ok(Model::read_with(&name, &bytes, crate::lattices()))
}

/// The queries of a command.
pub struct Asked {
    /// The queries; there may be none.
    pub queries: Vec<ModelQuery>,
    /// The file that they come from, where that is not the model.
    pub file: Option<PathBuf>,
}

/// The queries that are asked: those typed; those of a file that was given; those in the model; or, where it has none,
/// those of the file beside it (`m.q` for `m.xta`). Says on standard error that the latter is used.
pub fn queries(
    model: &mut Model,
    path: &Path,
    file: Option<&Path>,
    typed: &[String],
) -> Result<Asked, String> {
    if !typed.is_empty() {
        let queries = typed.iter().map(|text| model.query(text)).collect();
        return Ok(Asked {
            queries,
            file: None,
        });
    }
    if let Some(given) = file {
        let queries = from_file(model, given)?;
        if queries.is_empty() && !model.has_errors() {
            return Err(format!("`{}` holds no query", given.display()));
        }
        let file = Some(given.to_owned());
        return Ok(Asked { queries, file });
    }
    let queries = model.queries();
    let beside = path.with_extension("q");
    if model.has_errors() || model.is_smv() || path == beside || !beside.is_file() {
        let file = None;
        return Ok(Asked { queries, file });
    }
    let name = beside.display();
    if model.tree().is_none() {
        // It is in UPPAAL's language more often than not.
        crate::output::message(&format!(
            "note: `{name}` is not used: a TChecker model is explored, unless queries are given with -q or as a file"
        ));
        let file = None;
        return Ok(Asked { queries, file });
    }
    if !queries.is_empty() {
        let file = None;
        return Ok(Asked { queries, file });
    }
    let queries = from_file(model, &beside)?;
    match queries.is_empty() {
        true => crate::output::message(&format!("note: `{name}` holds no query")),
        false => crate::output::message(&format!("the queries are those of `{name}`")),
    }
    let file = Some(beside);
    Ok(Asked { queries, file })
}

fn from_file(model: &mut Model, path: &Path) -> Result<Vec<ModelQuery>, String> {
    let bytes = input::read(path)?;
    let (queries, more) = model.query_file(&path.display().to_string(), &bytes);
    model.diagnostics.extend(more);
    Ok(queries)
}

/// The diagnostics for programs.
pub fn views<'d>(
    model: &Model,
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
) -> Vec<DiagnosticView> {
    diagnostics
        .into_iter()
        .map(|diagnostic| DiagnosticView::new(diagnostic, &model.sources))
        .collect()
}

/// Reads a model for a command that needs its network; says what is wrong on standard error.
pub fn usable(path: &Path) -> Result<Model, ()> {
    if merkhet::is_smv(&path.display().to_string()) {
        crate::output::error(&format!(
            "{} is an SMV model, and this command is for networks of automata; `check`, `show` and `lint` read SMV",
            path.display()
        ));
        return Err(());
    }
    readable(path)
}

/// Reads a model; says what is wrong on standard error.
pub fn readable(path: &Path) -> Result<Model, ()> {
    let model = load(path).map_err(|message| crate::output::error(&message))?;
    diagnostics::print(&model.diagnostics, &model.sources);
    if model.has_errors() {
        Err(())
    } else {
        Ok(model)
    }
}

/// The view of a file that cannot be read.
pub fn unreadable(message: &str) -> DiagnosticView {
    DiagnosticView::plain(SeverityView::Error, "unreadable-file", message)
}
