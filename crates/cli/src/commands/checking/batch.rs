//! `merkhet check` with many models: each is checked by a process of its own, several at a time.
//!
//! Processes rather than threads: limits of memory hold for each model, and a model that brings one of them down does
//! not take the others with it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::args::{CheckArgs, ReportFormat};
use crate::commands::load;
use crate::diagnostics::{DiagnosticView, SeverityView};
use crate::exit::Exit;
use crate::output::{self, OutputError};
use crate::progress::ProgressForm;
use crate::view::batch::{BatchView, is_not_begun, not_begun};
use crate::view::{ReportView, json, junit};

/// Checks the models and reports on all of them.
pub fn run(args: &CheckArgs, models: &[PathBuf], cancel: &AtomicBool) -> Exit {
    let single = [
        (args.certificate.is_some(), "--certificate"),
        (args.trace_out.is_some(), "--trace-out"),
        (args.lattices.splits_out.is_some(), "--splits-out"),
        (args.checkpoint.is_some(), "--checkpoint"),
        (args.cluster.hosts.is_some(), "--hosts"),
        (args.pdb_out.is_some(), "--pdb-out"),
        (args.pdb_in.is_some(), "--pdb-in"),
        (args.progress == ProgressForm::Json, "--progress json"),
    ];
    if let Some((_, option)) = single.iter().find(|(given, _)| *given) {
        output::error(&format!("{option} goes with a single model"));
        return Exit::BadInput;
    }
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => {
            output::error(&format!("cannot find this program itself: {error}"));
            return Exit::Internal;
        }
    };
    let options = options(args, std::env::args_os().skip(1));
    let start = Instant::now();
    let running = Running::default();
    let next = AtomicUsize::new(0);
    let done: Vec<Mutex<Option<(ReportView, Exit)>>> =
        models.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let Some(model) = models.get(index) else {
                break;
            };
            if cancel.load(Ordering::SeqCst) {
                break;
            }
            let outcome = check(&program, model, &options, &running);
            if let Ok(mut slot) = done[index].lock() {
                *slot = Some(outcome);
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs(args).min(models.len()))
            .map(|_| scope.spawn(work))
            .collect();
        while !workers.iter().all(|worker| worker.is_finished()) {
            if cancel.load(Ordering::SeqCst) {
                running.end();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let outcomes = done.into_iter().zip(models).map(|(slot, model)| {
        let outcome = slot.into_inner().ok().flatten();
        outcome.unwrap_or_else(|| (not_begun(model), Exit::Undecided))
    });
    let (mut reports, mut exits): (Vec<ReportView>, Vec<Exit>) = outcomes.unzip();
    for option in without_effect(&reports) {
        output::error(&option);
        exits.push(Exit::BadInput);
    }
    (reports.iter_mut()).for_each(|report| report.without_effect.clear());
    let without = |report: &&ReportView| report.results.is_empty() && !is_not_begun(report);
    for report in reports.iter().filter(without) {
        let why = report
            .diagnostics
            .iter()
            .find(|one| one.severity == SeverityView::Error);
        let why = why.map_or(" nothing was decided".into(), DiagnosticView::sentence);
        output::error(&format!("{}:{why}", report.model));
    }
    for report in reports.iter().filter(|report| !report.results.is_empty()) {
        tell_of_queries(report);
    }
    let view = BatchView::new(reports, start.elapsed().as_secs_f64());
    match write(args.format, &view) {
        Ok(()) | Err(OutputError::Closed) => together(&exits),
        Err(problem) => {
            output::report(&problem);
            Exit::BadInput
        }
    }
}

/// Says what is wrong with queries of a model that is usable otherwise: their verdicts point to these messages.
fn tell_of_queries(report: &ReportView) {
    let errors = (report.diagnostics.iter()).filter(|one| one.severity == SeverityView::Error);
    for one in errors {
        // The same query may be wrong in one model and right in another.
        let place = match &one.place {
            Some(place) if place.file != report.model => format!(" {}:", place.file),
            _ => String::new(),
        };
        output::error(&format!("{}:{place}{}", report.model, one.sentence()));
        if let Some(hint) = &one.hint {
            output::message(&format!("  hint: {hint}"));
        }
    }
}

fn jobs(args: &CheckArgs) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    args.jobs.map_or(cores, |jobs| jobs as usize).max(1)
}

/// The exit code of all: a violation outweighs an unusable model, and that what is undecided.
fn together(exits: &[Exit]) -> Exit {
    let order = [
        Exit::Internal,
        Exit::Violated,
        Exit::BadInput,
        Exit::Undecided,
    ];
    let worst = order.into_iter().find(|exit| exits.contains(exit));
    worst.unwrap_or(Exit::Satisfied)
}

/// The arguments for each model: those given, without the files and what is only for the whole run.
fn options(args: &CheckArgs, given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    const OWN: [&str; 4] = ["--format", "--jobs", "-j", "--color"];
    let mut files: Vec<PathBuf> = args.files();
    let mut kept = Vec::new();
    let mut skip = false;
    for argument in given {
        let text = argument.to_string_lossy();
        if std::mem::take(&mut skip) {
            continue;
        }
        if OWN.iter().any(|own| text == *own) {
            skip = true;
        } else if OWN.iter().any(|own| text.starts_with(&format!("{own}="))) || text == "--" {
        } else if let Some(at) = files.iter().position(|file| file.as_os_str() == argument) {
            files.remove(at);
        } else {
            kept.push(argument);
        }
    }
    kept
}

fn check(
    program: &Path,
    model: &Path,
    options: &[OsString],
    running: &Running,
) -> (ReportView, Exit) {
    let mut command = Command::new(program);
    // The options begin with the command's name.
    command
        .args(options)
        .args(["--format", "json", "--color", "never", "--one-of-many"]);
    command.arg("--").arg(model);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // Out of the terminal's reach: a Ctrl-C is handed on once, by us.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let output = command.spawn().and_then(|child| {
        let id = child.id();
        running.add(id);
        let output = child.wait_with_output();
        running.remove(id);
        output
    });
    match output {
        Ok(output) => read(model, &output),
        Err(error) => (
            unusable(model, &format!("cannot start a process: {error}")),
            Exit::Internal,
        ),
    }
}

/// The processes that are at work.
#[derive(Default)]
struct Running(Mutex<Vec<u32>>);

impl Running {
    fn add(&self, id: u32) {
        if let Ok(mut all) = self.0.lock() {
            all.push(id);
        }
    }

    fn remove(&self, id: u32) {
        if let Ok(mut all) = self.0.lock() {
            all.retain(|other| *other != id);
        }
    }

    /// Asks each of them once to end with what it knows.
    fn end(&self) {
        let Ok(mut all) = self.0.lock() else { return };
        for id in all.drain(..) {
            terminate(id);
        }
    }
}

#[cfg(target_os = "linux")]
fn terminate(id: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    let process = i32::try_from(id).ok().and_then(Pid::from_raw);
    if let Some(process) = process {
        // It may have ended by itself just now.
        let _ = kill_process(process, Signal::TERM);
    }
}

#[cfg(not(target_os = "linux"))]
fn terminate(_id: u32) {}

fn read(model: &Path, output: &Output) -> (ReportView, Exit) {
    let exit = match output.status.code() {
        Some(0) => Exit::Satisfied,
        Some(1) => Exit::Violated,
        Some(2) => Exit::BadInput,
        Some(3) => Exit::Undecided,
        _ => Exit::Internal,
    };
    // What stands in the way of checking is in the report; without one the process was brought down.
    let report = serde_json::from_slice::<ReportView>(&output.stdout);
    let report = report.unwrap_or_else(|_| {
        let messages = String::from_utf8_lossy(&output.stderr);
        let last = messages.lines().last().unwrap_or("no message");
        unusable(model, &format!("it ended without a report ({last})"))
    });
    (report, exit)
}

fn unusable(model: &Path, why: &str) -> ReportView {
    ReportView::new(model.display().to_string(), vec![load::unreadable(why)])
}

/// The options that had no effect on any of the models that have results.
fn without_effect(reports: &[ReportView]) -> Vec<String> {
    let mut decided = reports.iter().filter(|report| !report.results.is_empty());
    let mut idle = decided
        .next()
        .map_or(Vec::new(), |report| report.without_effect.clone());
    for report in decided {
        idle.retain(|option| report.without_effect.contains(option));
    }
    idle
}

fn write(format: ReportFormat, view: &BatchView) -> Result<(), OutputError> {
    match format {
        ReportFormat::Human => output::print_styled(&view.text()),
        ReportFormat::Json => output::print_plain(&json::render(view)?),
        ReportFormat::Junit => output::print_plain(&junit::document(&view.models)),
    }
}
