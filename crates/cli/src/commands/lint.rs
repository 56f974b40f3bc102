//! `merkhet lint`: errors and likely mistakes in a model.

use merkhet_syntax::{Diagnostic, SourceMap};
use serde::Serialize;

use crate::args::{LintArgs, LintFormat};
use crate::diagnostics::{self, DiagnosticView, SeverityView};
use crate::exit::Exit;
use crate::output::{self, OutputError};
use crate::view::json;
use crate::view::quantity::plural;

use super::load;

/// What `merkhet lint --format json` prints.
#[derive(Debug, Serialize)]
struct LintView {
    schema_version: u32,
    model: String,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<DiagnosticView>,
}

/// Runs the command.
pub fn run(args: &LintArgs) -> Exit {
    let (views, drawn) = match messages(args) {
        Ok((mut all, sources)) => {
            all.retain(|diagnostic| {
                diagnostic.is_error() || !args.allow.iter().any(|name| name == diagnostic.code)
            });
            all.sort_by_key(|diagnostic| (diagnostic.span.file, diagnostic.span.start));
            all.dedup();
            let view = |diagnostic| DiagnosticView::new(diagnostic, &sources);
            (all.iter().map(view).collect(), draw(&all, &sources))
        }
        Err(message) => {
            output::error(&message);
            (vec![load::unreadable(&message)], String::new())
        }
    };
    let number = |severity| {
        views
            .iter()
            .filter(|view| view.severity == severity)
            .count()
    };
    let (errors, warnings) = (number(SeverityView::Error), number(SeverityView::Warning));
    let outcome = match args.format {
        LintFormat::Human => output::print_styled(&format!("{drawn}{}", summary(errors, warnings))),
        LintFormat::Sarif => json::render(&crate::view::sarif::document(&views))
            .and_then(|text| output::print_plain(&text)),
        LintFormat::Json => {
            let model = args.model.display().to_string();
            json::render(&LintView {
                schema_version: crate::view::SCHEMA_VERSION,
                model,
                errors,
                warnings,
                diagnostics: views,
            })
            .and_then(|text| output::print_plain(&text))
        }
    };
    match outcome {
        Err(problem @ OutputError::Failed(_)) => {
            output::report(&problem);
            Exit::BadInput
        }
        _ if errors > 0 => Exit::BadInput,
        _ if warnings > 0 && args.deny_warnings => Exit::Violated,
        _ => Exit::Satisfied,
    }
}

/// Everything there is to say about a model, with the texts that it is about.
fn messages(args: &LintArgs) -> Result<(Vec<Diagnostic>, SourceMap), String> {
    if merkhet::smv::is_smv(&args.model.display().to_string()) {
        return super::smv::messages(&args.model);
    }
    let mut model = load::load(&args.model)?;
    let mut all = std::mem::take(&mut model.diagnostics);
    let queries = model.queries().into_iter();
    all.extend(queries.flat_map(|query| query.diagnostics));
    all.extend(model.lint());
    Ok((all, model.sources))
}

fn draw(all: &[Diagnostic], sources: &SourceMap) -> String {
    let mut text = String::new();
    for diagnostic in all {
        text.push_str(&diagnostics::draw(diagnostic, sources));
        text.push_str("\n\n");
    }
    text
}

fn summary(errors: usize, warnings: usize) -> String {
    format!(
        "{}, {}\n",
        plural(errors as u64, "error", "errors"),
        plural(warnings as u64, "warning", "warnings"),
    )
}
