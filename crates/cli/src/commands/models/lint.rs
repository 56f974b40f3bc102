//! `merkhet lint`: errors and likely mistakes in models.

use std::path::Path;

use merkhet::{Limits, Phase};
use merkhet_syntax::{Diagnostic, SourceMap, nearest_name};
use serde::Serialize;

use crate::args::{LintArgs, LintFormat};
use crate::diagnostics::{self, DiagnosticView, SeverityView};
use crate::exit::Exit;
use crate::guard::Guard;
use crate::output::{self, OutputError};
use crate::view::quantity::plural;
use crate::view::{SCHEMA_VERSION, json};
use crate::writing::Writing;

use crate::commands::{load, targets};

/// What `merkhet lint --format json` prints.
#[derive(Debug, Serialize)]
struct LintView {
    schema_version: u32,
    model: String,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<DiagnosticView>,
}

/// What it prints for a folder, a pattern or several models.
#[derive(Debug, Serialize)]
struct ManyView {
    schema_version: u32,
    models: Vec<LintView>,
    errors: usize,
    warnings: usize,
}

/// One model, with what there is to say about it drawn for people.
struct Linted {
    view: LintView,
    drawn: String,
}

/// Warnings that come from reading a model rather than from a lint.
const OF_READERS: [&str; 9] = [
    "entity-declaration",
    "lattice",
    "lonely-synchronisation",
    "smv-fault",
    "smv-no-specification",
    "smv-unused-variable",
    "stray-text",
    "unknown-attribute",
    "value-ignored",
];

/// Every name that silences a warning.
fn known() -> impl Iterator<Item = &'static str> {
    let lints = merkhet::lower::lint::LINTS.iter().map(|lint| lint.name);
    lints.chain(OF_READERS)
}

/// What is wrong with a name that is to be silenced.
fn refuse(name: &str) -> Option<String> {
    if known().any(|one| one == name) {
        return None;
    }
    Some(match nearest_name(name, known()) {
        Some(near) => format!("--allow {name}: there is no such warning; did you mean `{near}`?"),
        None => format!(
            "--allow {name}: there is no such warning; there are {}",
            known().collect::<Vec<_>>().join(", ")
        ),
    })
}

/// Runs the command.
pub fn run(args: &LintArgs) -> Exit {
    if let Some(message) = args.allow.iter().find_map(|name| refuse(name)) {
        output::error(&message);
        return Exit::BadInput;
    }
    let models = match targets::models(&args.models) {
        Ok(models) => models,
        Err(message) => {
            output::error(&message);
            return Exit::BadInput;
        }
    };
    let limits = Limits {
        timeout: args.timeout,
        memory: args.memory_limit,
        ..Limits::default()
    };
    let guard = Guard::start(&limits, Writing::new(None));
    guard.end_with_error(Phase::Reading);
    let linted: Vec<Linted> = models.iter().map(|model| lint(model, args)).collect();
    guard.rest();
    let errors = linted.iter().map(|one| one.view.errors).sum();
    let warnings = linted.iter().map(|one| one.view.warnings).sum();
    let many = linted.len() > 1;
    let outcome = match args.format {
        LintFormat::Human => {
            let mut text: String = linted.iter().map(|one| one.drawn.as_str()).collect();
            if many {
                text += &plural(linted.len() as u64, "model", "models");
                text += ": ";
            }
            output::print_styled(&(text + &summary(errors, warnings)))
        }
        LintFormat::Sarif => {
            let views = linted.into_iter().flat_map(|one| one.view.diagnostics);
            json::render(&crate::view::sarif::document(&views.collect::<Vec<_>>()))
                .and_then(|text| output::print_plain(&text))
        }
        LintFormat::Json => {
            let mut views: Vec<LintView> = linted.into_iter().map(|one| one.view).collect();
            let text = match views.pop() {
                Some(only) if !many => json::render(&only),
                last => {
                    views.extend(last);
                    json::render(&ManyView {
                        schema_version: SCHEMA_VERSION,
                        models: views,
                        errors,
                        warnings,
                    })
                }
            };
            text.and_then(|text| output::print_plain(&text))
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

fn lint(model: &Path, args: &LintArgs) -> Linted {
    let (views, drawn): (Vec<DiagnosticView>, String) = match messages(model) {
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
    let number = |severity| (views.iter().filter(|view| view.severity == severity)).count();
    let view = LintView {
        schema_version: SCHEMA_VERSION,
        model: model.display().to_string(),
        errors: number(SeverityView::Error),
        warnings: number(SeverityView::Warning),
        diagnostics: views,
    };
    Linted { view, drawn }
}

/// Everything there is to say about a model, with the texts that it is about.
fn messages(model: &Path) -> Result<(Vec<Diagnostic>, SourceMap), String> {
    let mut model = load::load(model)?;
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
