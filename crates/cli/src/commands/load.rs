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
    Ok(Model::read(&model.display().to_string(), &bytes))
}

/// The file of queries beside a model (`m.q` for `m.xta`), if there is one; says on standard error that it is used.
pub fn beside(model: &Path) -> Option<PathBuf> {
    let queries = model.with_extension("q");
    if !queries.is_file() {
        return None;
    }
    crate::output::message(&format!("the queries are those of `{}`", queries.display()));
    Some(queries)
}

/// The queries that are asked: those typed, those of a file, or those of the model.
pub fn queries(
    model: &mut Model,
    file: Option<&Path>,
    typed: &[String],
) -> Result<Vec<ModelQuery>, String> {
    if !typed.is_empty() {
        return Ok(typed.iter().map(|text| model.query(text)).collect());
    }
    let Some(path) = file else {
        return Ok(model.queries());
    };
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
    if merkhet::smv::is_smv(&path.display().to_string()) {
        crate::output::error(&format!(
            "{} is an SMV model, and this command is for networks of automata; `check`, `show` and `lint` read SMV",
            path.display()
        ));
        return Err(());
    }
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
