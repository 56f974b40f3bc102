//! The commands on SMV models.

pub mod check;
pub mod show;

use std::path::Path;

use merkhet::smv::SmvModel;
use merkhet_syntax::{Diagnostic, SourceMap};

use crate::input;

/// Reads a model, with queries instead of its own specifications if there are any.
fn load(path: &Path, queries: &[String]) -> Result<SmvModel, String> {
    let bytes = input::read(path)?;
    Ok(SmvModel::read(&path.display().to_string(), &bytes, queries))
}

/// Everything there is to say about a model, with the texts that it is about.
pub fn messages(path: &Path) -> Result<(Vec<Diagnostic>, SourceMap), String> {
    let mut model = load(path, &[])?;
    let mut all = std::mem::take(&mut model.diagnostics);
    all.extend(model.lint());
    Ok((all, model.sources))
}
