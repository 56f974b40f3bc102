//! `merkhet check` on SMV models.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use merkhet::finite::{Formula, System};
use merkhet::smv::{SmvModel, SmvOptions, check};
use merkhet::symbolic::check::{PathLength, SpecResult, Verdict as Decided};
use merkhet::symbolic::limits::{Progress, Stop};
use merkhet::symbolic::order::unknown_names;
use merkhet::{Limits, Why};

use crate::args::{Abstraction, CheckArgs, Engine, Patterns, ReportFormat, TraceKind};
use crate::exit::Exit;
use crate::progress::ProgressLine;
use crate::view::human::TraceStyle;
use crate::view::quantity::{bytes, count};
use crate::view::{DiagramsView, PathView, Question, ReportView, ResultView, ValueView, Verdict};
use crate::{diagnostics, input, interrupt, output};

use super::super::check::finish;
use super::super::load;

/// The time between two looks at the progress.
const TICK: Duration = Duration::from_millis(200);

/// Runs the command.
pub fn run(args: &CheckArgs) -> Exit {
    let options = match options(args, interrupt::install()) {
        Ok(options) => options,
        Err(message) => {
            output::error(&message);
            return Exit::BadInput;
        }
    };
    if args.trace_style == TraceStyle::Diagram {
        output::error(
            "--trace-style diagram is for networks of automata; paths of SMV models are tables",
        );
        return Exit::BadInput;
    }
    let mut report = ReportView {
        schema_version: crate::view::SCHEMA_VERSION,
        model: args.model.display().to_string(),
        results: Vec::new(),
        diagnostics: Vec::new(),
    };
    let model = match queries(args).and_then(|queries| super::load(&args.model, &queries)) {
        Ok(model) => model,
        Err(message) => {
            output::error(&message);
            report.diagnostics.push(load::unreadable(&message));
            return finish(&args.form(), &report, Exit::BadInput);
        }
    };
    diagnostics::print(&model.diagnostics, &model.sources);
    report.diagnostics = views(&model);
    let Some(system) = &model.system else {
        return finish(&args.form(), &report, Exit::BadInput);
    };
    if system.specifications.is_empty() && model.unread.is_empty() {
        output::error("the model has no specifications; give some with -q or in a file");
        return finish(&args.form(), &report, Exit::BadInput);
    }
    if let Some(order) = &options.order {
        warn_of_unknown_names(system, order);
    }
    let total = system.specifications.len();
    let results = match watched(total, |progress| check(system, &options, progress)) {
        Ok(results) => results,
        Err(error) => {
            output::error(&error.to_string());
            return Exit::BadInput;
        }
    };
    // A query that cannot be read does not keep the others from being asked.
    let mut faulty = (!model.unread.is_empty()).then_some(Exit::BadInput);
    for result in &results {
        match &result.verdict {
            Decided::Unknown(stop @ Stop::Internal(_)) => {
                output::error(&format!("{stop}. Please report it; this is no verdict"));
                faulty = Some(Exit::Internal);
            }
            Decided::Unknown(stop @ (Stop::Model(_) | Stop::Options(_))) => {
                // The report for people says it next to the specification.
                if args.format != ReportFormat::Human {
                    output::error(&stop.to_string());
                }
                faulty = faulty.or(Some(Exit::BadInput));
            }
            _ => {}
        }
        report.results.push(view(system, &options, result));
    }
    for (number, text) in &model.unread {
        let view = unread(text, &options);
        report.results.insert(*number, view);
    }
    let verdicts = Exit::from_verdicts(report.results.iter().map(|result| result.verdict));
    let exit = match faulty {
        Some(Exit::Internal) => Exit::Internal,
        Some(bad) if verdicts != Exit::Violated => bad,
        _ => verdicts,
    };
    finish(&args.form(), &report, exit)
}

/// What the arguments ask for; an option that means nothing here is refused.
pub fn options(args: &CheckArgs, cancel: Arc<AtomicBool>) -> Result<SmvOptions, String> {
    if args.engine == Some(Engine::Zones) {
        return Err("--engine zones is not for SMV models".into());
    }
    let files = [
        (args.checkpoint.is_some(), "--checkpoint"),
        (args.trace_out.is_some(), "--trace-out"),
    ];
    if let Some((_, option)) = files.iter().find(|(given, _)| *given) {
        return Err(format!(
            "{option} is not for searches with decision diagrams"
        ));
    }
    let refused = [
        (args.heuristic.is_some(), "--heuristic"),
        (args.threads > 1, "--threads"),
        (args.extrapolation.is_some(), "--extrapolation"),
        (args.inclusion.is_some(), "--inclusion"),
        (args.bitstate, "--bitstate"),
        (args.reduce.is_some(), "--reduce"),
        (args.max_states.is_some(), "--max-states"),
        (args.certificate.is_some(), "--certificate"),
        (args.trace == TraceKind::Fastest, "--trace fastest"),
        (args.all_traces.is_some(), "--all-traces"),
        (args.prune.is_some(), "--prune"),
        (args.restarts.is_some(), "--restarts"),
        (args.tie.is_some(), "--tie"),
        (args.heuristic_cache.is_some(), "--heuristic-cache"),
        (args.keep_dead_variables, "--keep-dead-variables"),
        (args.pdb_in.is_some(), "--pdb-in"),
        (args.pdb_out.is_some(), "--pdb-out"),
        (args.lattices.update.is_some(), "--lattice"),
    ];
    if let Some((_, option)) = refused.iter().find(|(given, _)| *given) {
        return Err(format!("{option} means nothing to decision diagrams"));
    }
    let order = match &args.order {
        Some(path) => Some(String::from_utf8_lossy(&input::read(path)?).into_owned()),
        None => None,
    };
    let automatic = args.abstraction.contains(&Abstraction::Auto);
    let keep: Vec<Vec<String>> = args
        .abstraction
        .iter()
        .filter_map(|abstraction| match abstraction {
            Abstraction::Auto => None,
            Abstraction::Keep(names) => Some(names.clone()),
        })
        .collect();
    if automatic && !keep.is_empty() {
        return Err("--abstract auto leaves the choice to the program: without keep=…".into());
    }
    let search = match &args.search {
        None if automatic => Some("guided".into()),
        search => search.clone(),
    };
    let options = SmvOptions {
        search,
        order,
        reorder: args.reorder,
        keep,
        budget: args.abstract_time,
        multi_terminal: args.patterns == Patterns::Mtbdd,
        trace: match args.trace {
            TraceKind::None => merkhet::TraceKind::None,
            TraceKind::Some => merkhet::TraceKind::Some,
            TraceKind::Shortest | TraceKind::Fastest => merkhet::TraceKind::Shortest,
        },
        limits: Limits {
            timeout: args.timeout,
            memory: args.memory_limit,
            states: None,
            cancel,
            ..Limits::default()
        },
    };
    let guided = matches!(options.search_name(), "guided" | "astar");
    if !guided && (!args.abstraction.is_empty() || args.patterns != Patterns::List) {
        return Err("--abstract and --patterns need --search guided".into());
    }
    Ok(options)
}

/// The queries that replace the model's own: those typed, or the lines of a file.
fn queries(args: &CheckArgs) -> Result<Vec<String>, String> {
    let Some(path) = &args.queries else {
        return Ok(args.query.clone());
    };
    let text = String::from_utf8_lossy(&input::read(path)?).into_owned();
    let lines = text
        .lines()
        .map(|line| line.split("--").next().unwrap_or_default().trim());
    let queries: Vec<String> = lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    match queries.is_empty() {
        true => Err(format!("`{}` holds no query", Path::display(path))),
        false => Ok(queries),
    }
}

fn views(model: &SmvModel) -> Vec<diagnostics::DiagnosticView> {
    let view = |diagnostic| diagnostics::DiagnosticView::new(diagnostic, &model.sources);
    model.diagnostics.iter().map(view).collect()
}

fn warn_of_unknown_names(system: &System, order: &str) {
    let unknown = unknown_names(system, order);
    if let Some(first) = unknown.first() {
        let more = unknown.len() - 1;
        let others = if more > 0 {
            format!(" and {more} more names")
        } else {
            String::new()
        };
        output::message(&format!(
            "note: --order: the model has no variable `{first}`{others}"
        ));
    }
}

/// Does the work, with a line of progress while a person waits.
pub fn watched<T: Send>(total: usize, check: impl FnOnce(&Arc<Progress>) -> T + Send) -> T {
    let progress = Arc::new(Progress::default());
    let mut line = ProgressLine::start();
    let outcome = std::thread::scope(|scope| {
        let (done, waiting) = mpsc::channel();
        let progress = &progress;
        let work = move || {
            let outcome = check(progress);
            let _ = done.send(()); // the receiver waits until the end
            outcome
        };
        let worker = scope.spawn(work);
        while let Err(mpsc::RecvTimeoutError::Timeout) = waiting.recv_timeout(TICK) {
            if worker.is_finished() {
                break;
            }
            let read = |value: &std::sync::atomic::AtomicU64| value.load(Ordering::Relaxed);
            line.draw(&format!(
                "specification {} of {total}: {} nodes, {} allocated, depth {}, {}, {:.0} s",
                read(&progress.specification),
                count(read(&progress.nodes)),
                count(read(&progress.allocated)),
                read(&progress.depth),
                bytes(merkhet::peak_memory()),
                line.elapsed().as_secs_f64(),
            ));
        }
        worker.join()
    });
    line.clear();
    match outcome {
        Ok(outcome) => outcome,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn view(system: &System, options: &SmvOptions, result: &SpecResult) -> ResultView {
    let mut values = Vec::new();
    let mut notes = result.notes.clone();
    let mut limit = None;
    let verdict = match &result.verdict {
        Decided::Holds => Verdict::Satisfied,
        Decided::Fails => Verdict::Violated,
        Decided::Length(length) => {
            values.push(length_view(system, result, *length));
            Verdict::Satisfied
        }
        Decided::Unknown(stop) => {
            let why = Why::from(stop);
            notes.insert(0, why.to_string());
            if let Why::Limit(reason) = why {
                limit = Some(reason);
            }
            Verdict::Unknown
        }
    };
    let guided = result.statistics.guided.as_ref();
    if guided.is_some_and(|report| report.proved_by_abstraction) {
        notes.push("the abstraction alone proves it".into());
    }
    ResultView {
        query: result.text.clone(),
        comment: result.name.clone(),
        verdict,
        reason: (!notes.is_empty()).then(|| notes.join("; ")),
        limit,
        question: Question::default(),
        values,
        explored: 0,
        stored: 0,
        transitions: 0,
        time_s: result.statistics.time.as_secs_f64(),
        peak_memory_bytes: merkhet::peak_memory(),
        search: options.search_name().to_owned(),
        heuristic: guided
            .filter(|report| !report.databases.is_empty())
            .map(|_| "pdb".into()),
        found_by: None,
        schedule: Vec::new(),
        joins: None,
        refinements: None,
        databases: None,
        reductions: None,
        trace: None,
        more_traces: Vec::new(),
        path: result
            .trace
            .as_ref()
            .map(|trace| PathView::new(system, trace)),
        diagrams: Some(DiagramsView::new(&result.statistics)),
    }
}

/// The view of a query that cannot be read.
fn unread(text: &str, options: &SmvOptions) -> ResultView {
    ResultView {
        query: text.to_owned(),
        comment: None,
        verdict: Verdict::Unknown,
        reason: Some("the query cannot be read: see the messages".into()),
        limit: None,
        question: Question::default(),
        values: Vec::new(),
        explored: 0,
        stored: 0,
        transitions: 0,
        time_s: 0.0,
        peak_memory_bytes: 0,
        search: options.search_name().to_owned(),
        heuristic: None,
        found_by: None,
        schedule: Vec::new(),
        joins: None,
        refinements: None,
        databases: None,
        reductions: None,
        trace: None,
        more_traces: Vec::new(),
        path: None,
        diagrams: None,
    }
}

fn length_view(system: &System, result: &SpecResult, length: PathLength) -> ValueView {
    let shown = match length {
        PathLength::Steps(steps) => steps.to_string(),
        PathLength::Infinite => "inf".into(),
    };
    let longest = system.specifications.iter().any(|specification| {
        specification.text == result.text
            && matches!(
                specification.formula,
                Formula::PathLength { longest: true, .. }
            )
    });
    let (inf, sup) = if longest {
        (None, Some(shown))
    } else {
        (Some(shown), None)
    };
    ValueView {
        expression: "steps".into(),
        inf,
        sup,
    }
}
