//! `merkhet check`: decides queries and reports the verdicts.

use crate::args::{CheckArgs, ReportFormat};
use crate::diagnostics;
use crate::exit::Exit;
use crate::output::{self, OutputError};
use crate::view::{ReportView, ResultView, Verdict, human, json, junit};

use super::load;

/// Why nothing is decided in this version.
const NO_ENGINE: &str = "this version cannot decide queries yet";

/// Runs the command.
pub fn run(args: &CheckArgs) -> Exit {
    let mut report = ReportView {
        model: args.model.display().to_string(),
        results: Vec::new(),
        diagnostics: Vec::new(),
    };
    let loaded = match load::load(&args.model) {
        Ok(loaded) => loaded,
        Err(message) => {
            output::error(&message);
            report.diagnostics.push(load::unreadable(&message));
            return finish(args.format, &report, Exit::BadInput);
        }
    };
    diagnostics::print(&loaded.diagnostics, &loaded.sources);
    report.diagnostics = loaded.views();
    if loaded.has_errors() {
        return finish(args.format, &report, Exit::BadInput);
    }
    report.results = args.query.iter().map(|query| undecided(query)).collect();
    output::error(NO_ENGINE);
    finish(args.format, &report, Exit::Undecided)
}

fn undecided(query: &str) -> ResultView {
    ResultView {
        query: query.to_owned(),
        comment: None,
        verdict: Verdict::Unknown,
        reason: Some(NO_ENGINE.to_owned()),
        values: Vec::new(),
        explored: 0,
        stored: 0,
        transitions: 0,
        time_s: 0.0,
        peak_memory_bytes: 0,
        search: String::new(),
        heuristic: None,
        trace: None,
    }
}

/// Writes the report; a report that is lost is not a verdict.
fn finish(format: ReportFormat, report: &ReportView, exit: Exit) -> Exit {
    match write(format, report) {
        Ok(()) | Err(OutputError::Closed) => exit,
        Err(problem) => {
            output::report(&problem);
            Exit::BadInput
        }
    }
}

fn write(format: ReportFormat, report: &ReportView) -> Result<(), OutputError> {
    match format {
        ReportFormat::Json => output::print_plain(&json::render(report)?),
        ReportFormat::Junit => output::print_plain(&junit::render(report)),
        ReportFormat::Human if report.results.is_empty() => Ok(()),
        ReportFormat::Human => {
            let total = report.results.len();
            for (index, result) in report.results.iter().enumerate() {
                output::print_styled(&human::result(index + 1, total, result))?;
            }
            output::print_styled(&human::summary(&report.results))
        }
    }
}
