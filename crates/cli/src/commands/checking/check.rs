//! `merkhet check`: decides queries and reports the verdicts.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use merkhet::network::{Query, QueryKind};
use merkhet::tuning::Tuning;
use merkhet::{
    Checker, Config, ConfigError, Failure, Identity, Keeper, Limits, Model, ModelQuery, Phase,
    Traces, Work,
};

use crate::args::{
    CheckArgs, Engine, Extrapolation, Inclusion, LatticeUpdate, Prune, Reduction, ReportFormat,
    Symmetry, Tie, TraceKind,
};
use crate::checkpoint::CheckpointFile;
use crate::diagnostics::{DiagnosticView, SeverityView};
use crate::exit::Exit;
use crate::guard::Guard;
use crate::output::{self, AtomicFile, OutputError};
use crate::progress::{ProgressLine, ProgressView};
use crate::view::human::TraceStyle;
use crate::view::processes::ProcessView;
use crate::view::trace::TraceSource;
use crate::view::{ReportView, ResultView, advice, human, json, junit, results, splits};
use crate::writing::{Saved, Writing};
use crate::{diagnostics, interrupt};

use super::certificate::{self, Problem};
use super::last_words::LastWords;
use super::{batch, cluster, diagrams, expect, overwrite, trace_file};
use crate::commands::load;
use crate::commands::targets::{self, Targets};

/// Runs the command.
pub fn run(args: &CheckArgs) -> Exit {
    crate::commands::cluster::on_leash();
    match targets::resolve(&args.files()) {
        Ok(Targets::One(_, Some(_))) if !args.query.is_empty() => {
            output::error("give queries with -q or in a file, not both");
            return Exit::BadInput;
        }
        Ok(Targets::One(..)) if args.jobs.is_some() && !args.one_of_many => {
            output::error(
                "--jobs is for several models, a folder or a pattern; for the threads of one search there is --threads",
            );
            return Exit::BadInput;
        }
        Ok(Targets::One(..)) => {}
        Ok(Targets::Many(models)) => return batch::run(args, &models, &interrupt::install()),
        Err(message) => {
            output::error(&message);
            return Exit::BadInput;
        }
    }
    let form = args.form();
    let mut report = ReportView::new(args.model.display().to_string(), Vec::new());
    let mut config = match config(args, by_diagrams(args)) {
        Ok(config) => config,
        Err(error) => return refused(&form, report, "refused", &error.to_string()),
    };
    let place = match cluster::place(args) {
        Ok(place) => place,
        Err(message) => return refused(&form, report, "refused", &message),
    };
    // Of several processes, the first one reports.
    let helps = place.as_ref().is_some_and(|place| place.number > 0);
    let form = Form {
        silent: helps,
        ..form
    };
    let file = args.checkpoint_file().filter(|_| !helps);
    let guard = Guard::start(&config.limits, Writing::new(file.as_deref()));
    let (of_reading, known) = (form.clone(), report.clone());
    guard.watch(
        Phase::Reading,
        Box::new(move |overrun| {
            let message = overrun.reason();
            output::error(&message);
            unusable(&of_reading, known, "limit", &message, Exit::Undecided)
        }),
    );
    if let Err(message) = complete(args, &mut config) {
        return refused(&form, report, "refused", &message);
    }
    let mut model = match load::load(&args.model) {
        Ok(model) => model,
        Err(message) => return refused(&form, report, "unreadable-file", &message),
    };
    let given = args.queries.as_deref();
    let load::Asked { queries, file } =
        match load::queries(&mut model, &args.model, given, &args.query) {
            Ok(asked) => asked,
            Err(message) => return refused(&form, report, "unreadable-file", &message),
        };
    guard.rest();
    diagnostics::print(&model.diagnostics, &model.sources);
    report.diagnostics = load::views(&model, &model.diagnostics);
    if model.has_errors() {
        return finish(&form, &report, Exit::BadInput);
    }
    if queries.is_empty() {
        let message = "the model has no queries; give some with -q or in a file";
        return refused(&form, report, "no-queries", message);
    }
    for rule in args.lattices.rules() {
        match model.joining_rule(rule) {
            Ok(rule) => config.joining_rules.push(rule),
            Err(complaints) => {
                diagnostics::print(&complaints, &model.sources);
                report.diagnostics.extend(load::views(&model, &complaints));
                return finish(&form, &report, Exit::BadInput);
            }
        }
    }
    if !config.joining_rules.is_empty()
        && let Err(error) = config.validate()
    {
        return refused(&form, report, "refused", &error.to_string());
    }
    report.without_effect = idle(args, &model, &queries, &config);
    let mut refusal = (report.without_effect.first())
        .filter(|_| !args.one_of_many)
        .cloned();
    for (option, given) in [
        ("--certificate", args.certificate.is_some()),
        ("--checkpoint", args.checkpoint.is_some()),
    ] {
        if given && queries.len() != 1 {
            refusal = Some(format!("{option} needs a single query; choose it with -q"));
        }
    }
    // First the lock: what is there may be replaced only by this run from now on.
    let folder = args
        .checkpoint
        .as_ref()
        .filter(|_| place.is_some() && !helps);
    let refusal = refusal
        .or_else(|| folder.and_then(|folder| make_folder(folder).err()))
        .or_else(|| guard.writing().lock().err())
        .or_else(|| match helps {
            true => None,
            false => overwrite::refuse(args, file.as_deref(), queries.len()),
        });
    if let Some(message) = refusal {
        report.without_effect.clear();
        return refused(&form, report, "refused", &message);
    }
    let mut joined = None;
    if let Some(place) = &place {
        match cluster::join(place, args, &model, &queries, &config) {
            Ok(one) if helps => {
                let number = place.number;
                guard.watch(Phase::Preparing, Box::new(|_| Exit::Undecided));
                return cluster::follow(one, number, args, &model, &queries, &config, &guard);
            }
            Ok(one) => joined = Some(one),
            Err(message) => return refused(&form, report, "refused", &message),
        }
    }
    diagrams::note_unknown_names(&model, &config);
    let mut checker = Checker::new(&model, &config);
    let mut exit = None;
    let mut made = Made::default();
    for (index, query) in queries.iter().enumerate() {
        let number = (queries.len() > 1).then_some(index + 1);
        let words = LastWords {
            form: &form,
            known: &report,
            queries: &queries[index..],
        };
        guard.watch(Phase::Preparing, words.undecided());
        let (mut result, bad) = decide(
            &model,
            query,
            number,
            (&config, &mut checker, joined.as_mut()),
            args,
            (&guard, &words),
            &mut made,
        );
        guard.rest();
        exit = worse(exit, bad);
        result.expected = expect::recorded(query).filter(|_| args.expect);
        report.results.push(result);
        report
            .diagnostics
            .extend(load::views(&model, &query.diagnostics));
        if config.limits.cancel.load(Ordering::SeqCst) {
            let rest = queries[index + 1..].iter();
            let missing = rest.map(|query| results::unknown(query, "not begun: interrupted"));
            report.results.extend(missing);
            break;
        }
    }
    if let Some(message) = form.stale_certificate().filter(|_| !made.certified) {
        output::warning(&message);
    }
    if let Some(path) = &args.pdb_out {
        let (form, known) = (form.clone(), report.clone());
        let lost = move || finish(&form, &known, Exit::BadInput);
        if let Err(message) = guard.while_writing(path, Instant::now(), Box::new(lost), || {
            write_text(path, &made.databases)
        }) {
            output::error(&message);
            exit = worse(exit, Some(Exit::BadInput));
        }
    }
    let verdicts = match args.expect {
        true => expect::compare(&report.results, args.one_of_many),
        false => Exit::from_verdicts(report.results.iter().map(|result| result.verdict)),
    };
    let exit = match exit {
        Some(Exit::Internal) => Exit::Internal,
        // A query that cannot be read matters to a comparison only if something is recorded for it.
        Some(Exit::BadInput | Exit::Undecided) if args.expect => verdicts,
        Some(bad) if verdicts != Exit::Violated => bad,
        _ => verdicts,
    };
    if let Some(joined) = joined {
        joined.end(exit);
    }
    finish(&form, &report, exit)
}

/// Whether decision diagrams decide.
fn by_diagrams(args: &CheckArgs) -> bool {
    let smv = merkhet::is_smv(&args.model.display().to_string());
    smv || args.engine == Some(Engine::Bdd)
}

/// Reads what options name, and says what is wrong with them.
fn complete(args: &CheckArgs, config: &mut Config) -> Result<(), String> {
    let smv = merkhet::is_smv(&args.model.display().to_string());
    if !smv && let Some(option) = diagrams_only(args) {
        return Err(format!(
            "{option} is for decision diagrams: an .smv model, or --engine bdd"
        ));
    }
    if let Some(path) = &args.pdb_in {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        config.databases_in = Some(text.into());
    }
    match by_diagrams(args) {
        true => diagrams::configure(args, smv, config)?,
        false => config.validate().map_err(|error| error.to_string())?,
    }
    let picture = args.lattices.splits_out.as_deref();
    let unwritable = (args.trace_out.as_deref().and_then(trace_file::refuse))
        .or_else(|| picture.and_then(trace_file::refuse_but_svg));
    match unwritable.or_else(|| ineffective(args)) {
        Some(message) => Err(message),
        None => Ok(()),
    }
}

/// Says what stands in the way of checking, in the report as well.
fn refused(form: &Form, report: ReportView, code: &str, message: &str) -> Exit {
    output::error(message);
    unusable(form, report, code, message, Exit::BadInput)
}

/// A program that is wrong outweighs input that is, and that what could not be decided.
fn worse(one: Option<Exit>, other: Option<Exit>) -> Option<Exit> {
    let order = [Exit::Internal, Exit::BadInput];
    let worst = (order.into_iter()).find(|exit| one == Some(*exit) || other == Some(*exit));
    worst.or(one).or(other)
}

/// A sentence about options that would have no effect beside the others.
fn ineffective(args: &CheckArgs) -> Option<String> {
    let traceless = args.trace == TraceKind::None;
    let joins = matches!(
        args.lattices.update,
        Some(LatticeUpdate::Join | LatticeUpdate::Cegar)
    );
    let complaints = [
        (
            traceless && args.trace_out.is_some(),
            "--trace-out needs a trace, and --trace none makes none",
        ),
        (
            traceless && args.all_traces.is_some(),
            "--all-traces needs traces, and --trace none makes none",
        ),
        (
            args.lattices.assume_monotone
                && matches!(args.lattices.update, None | Some(LatticeUpdate::Simple)),
            "--assume-monotone is for --lattice cover, join and cegar: nothing else rests on it",
        ),
        (
            !args.lattices.joining.is_empty() && !joins,
            "--joining is for --lattice join and --lattice cegar: nothing is joined otherwise",
        ),
        (
            args.lattices.splits_out.is_some() && !joins,
            "--splits-out is for --lattice join and --lattice cegar: nothing else leads astray",
        ),
        (
            args.lattices.named() > 1,
            "of model, all and same-zone, --joining takes one; rules may come beside it",
        ),
    ];
    let found = complaints.into_iter().find(|(true_of, _)| *true_of);
    found.map(|(_, complaint)| complaint.to_string())
}

/// A sentence about each option that has no effect on any of the queries.
fn idle(args: &CheckArgs, model: &Model, queries: &[ModelQuery], config: &Config) -> Vec<String> {
    let Some(network) = model.network().filter(|_| config.diagrams.is_none()) else {
        return Vec::new();
    };
    let asked = || queries.iter().filter_map(|query| query.query.as_ref());
    let reachability = |query: &Query| {
        let kind = &query.kind;
        matches!(kind, QueryKind::Possibly(_) | QueryKind::Invariantly(_))
    };
    let several = Config {
        threads: if args.cluster.hosts.is_some() {
            2
        } else {
            config.threads
        },
        ..config.clone()
    };
    let alone = args.checkpoint.is_some() && args.cluster.hosts.is_none();
    let idle = merkhet::without_effect(network, asked(), &several, alone);
    // Processes stand for threads in the question; somebody who gave none is told nothing of them.
    let mut idle: Vec<_> = (idle.iter())
        .filter(|option| option.name != "--threads" || config.threads > 1)
        .map(|option| (option.name, option.is_for))
        .collect();
    if args.all_traces.is_some() && asked().next().is_some() && !asked().any(reachability) {
        idle.push(("--all-traces", "E<> and A[]"));
    }
    let sentence = |(name, is_for)| format!("{name} has no effect here: it is for {is_for}");
    idle.into_iter().map(sentence).collect()
}

/// The first option that means something only with decision diagrams.
fn diagrams_only(args: &CheckArgs) -> Option<&'static str> {
    if args.engine == Some(Engine::Bdd) {
        return None;
    }
    let given = [
        (args.order.is_some(), "--order"),
        (args.reorder, "--reorder"),
        (!args.abstraction.is_empty(), "--abstract"),
        (args.abstract_time.is_some(), "--abstract-time"),
        (args.patterns.is_some(), "--patterns"),
    ];
    given
        .into_iter()
        .find(|(given, _)| *given)
        .map(|(_, name)| name)
}

/// How a report is written.
#[derive(Clone)]
pub(super) struct Form {
    format: ReportFormat,
    trace_style: TraceStyle,
    verbose: bool,
    checkpoint: Option<PathBuf>,
    certificate: Option<PathBuf>,
    threads: bool,
    /// Another process reports.
    silent: bool,
}

/// What the queries leave for files.
#[derive(Default)]
struct Made {
    databases: String,
    /// Whether the certificate was written.
    certified: bool,
}

impl Form {
    /// A warning for runs that write no certificate, if there is one of an earlier run under its name.
    pub(super) fn stale_certificate(&self) -> Option<String> {
        let path = self.certificate.as_ref()?;
        let known = path.metadata().ok()?;
        (known.is_file() && known.len() > 0).then(|| {
            format!(
                "the certificate {} is still that of an earlier run, and not about this one",
                path.display()
            )
        })
    }
}

impl CheckArgs {
    pub(super) fn form(&self) -> Form {
        Form {
            format: self.format,
            trace_style: self.trace_style,
            verbose: self.verbose,
            checkpoint: self.checkpoint_file(),
            certificate: self.certificate.clone(),
            threads: self.threads > 1,
            silent: false,
        }
    }
}

/// The folder of a checkpoint of several processes.
fn make_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let name = folder.display();
        format!(
            "--checkpoint {name}: with --hosts this is a folder, and it cannot be made: {error}"
        )
    })
}

fn config(args: &CheckArgs, diagrams: bool) -> Result<Config, ConfigError> {
    let cancel: Arc<AtomicBool> = interrupt::install();
    // Decision diagrams have searches of their own.
    let search = match &args.search {
        Some(name) if !diagrams => Some(name.parse()?),
        _ => None,
    };
    Ok(Config {
        search,
        heuristic: args.heuristic.clone(),
        heuristic_cache: args.heuristic_cache,
        restarts: args.restarts,
        tie: args.tie.map(|tie| match tie {
            Tie::Fifo => merkhet::TieBreak::Fifo,
            Tie::Lifo => merkhet::TieBreak::Lifo,
            Tie::Random => merkhet::TieBreak::Random,
            Tie::Preferred => merkhet::TieBreak::Preferred,
        }),
        trace: match args.trace {
            TraceKind::None => merkhet::TraceKind::None,
            TraceKind::Some => merkhet::TraceKind::Some,
            TraceKind::Short => merkhet::TraceKind::Short,
            TraceKind::Shortest => merkhet::TraceKind::Shortest,
            TraceKind::Fastest => merkhet::TraceKind::Fastest,
        },
        extrapolation: args.extrapolation.map(|kind| match kind {
            Extrapolation::None => merkhet::Extrapolation::None,
            Extrapolation::M => merkhet::Extrapolation::M,
            Extrapolation::MPlus => merkhet::Extrapolation::MPlus,
            Extrapolation::Lu => merkhet::Extrapolation::Lu,
            Extrapolation::LuPlus => merkhet::Extrapolation::LuPlus,
        }),
        inclusion: args.inclusion.map(|kind| match kind {
            Inclusion::None => merkhet::Inclusion::None,
            Inclusion::Zone => merkhet::Inclusion::Zone,
            Inclusion::Alu => merkhet::Inclusion::Alu,
            Inclusion::Adaptive => merkhet::Inclusion::Adaptive,
        }),
        bitstate: args.bitstate,
        limits: Limits {
            timeout: args.timeout,
            memory: args.memory_limit,
            states: args.max_states,
            cancel,
            ..Limits::default()
        },
        seed: args.seed.unwrap_or(0),
        threads: args.threads as usize,
        certificate: args.certificate.is_some(),
        lattice: args.lattices.update.map(|update| update.update()),
        joining: args.lattices.joining().unwrap_or_default(),
        // Only a model can read them.
        joining_rules: Vec::new(),
        assume_monotone: args.lattices.assume_monotone,
        check_monotone: args.lattices.check_monotone,
        prune: args.prune.map(|prune| match prune {
            Prune::Useless => merkhet::Prune::Useless,
            Prune::Context(levels) => merkhet::Prune::Context(levels),
        }),
        reduce: args.reduce.as_deref().map(Reduction::kinds),
        keep_dead: args.keep_dead_variables,
        symmetry: args.symmetry.map(Symmetry::choice),
        databases_in: None,
        databases_out: args.pdb_out.is_some(),
        tuning: tuning(args)?,
        diagrams: None,
    })
}

/// The numbers that are to be others.
fn tuning(args: &CheckArgs) -> Result<Tuning, ConfigError> {
    let mut tuning = Tuning::default();
    for text in &args.set {
        let set = tuning.set(merkhet::tuning::KNOWN, text);
        set.map_err(|error| ConfigError {
            option: "--set",
            given: text.clone(),
            known: Vec::new(),
            remark: Some(error.to_string().into()),
        })?;
    }
    Ok(tuning)
}

/// Decides one query: what the report says of it, and the exit code if it could not be checked.
#[allow(clippy::too_many_arguments)] // what a query needs, from all sides
fn decide(
    model: &Model,
    query: &ModelQuery,
    number: Option<usize>,
    (config, checker, joined): (&Config, &mut Checker<'_>, Option<&mut cluster::Joined>),
    args: &CheckArgs,
    (guard, words): (&Guard, &LastWords<'_>),
    made: &mut Made,
) -> (ResultView, Option<Exit>) {
    let begun = Instant::now();
    diagnostics::print(&query.diagnostics, &model.sources);
    let unknown = |reason: &str| results::unknown(query, reason);
    if query.query.is_none() && query.specification.is_none() {
        let unsupported = query
            .diagnostics
            .iter()
            .any(|message| message.code == merkhet::UNSUPPORTED);
        let (reason, exit) = match unsupported {
            true => ("not supported: see the messages", Exit::Undecided),
            false => ("the query cannot be read: see the messages", Exit::BadInput),
        };
        return (unknown(reason), Some(exit));
    };
    let network = model.network().zip(query.query.as_ref());
    let full = args.trace_style == TraceStyle::Full;
    let source = network.map(|(network, _)| TraceSource::new(model, network, full));
    let source = source.as_ref();
    let mut line = ProgressLine::start(args.progress);
    let shares = joined.as_ref().map(|joined| Rc::clone(&joined.shares));
    let mut observe = |work: Work<'_>| {
        let progress = match work {
            Work::States(progress) => ProgressView::from(progress),
            Work::Diagrams(progress) => ProgressView::from(progress),
        };
        guard.note(progress);
        if let Some(shares) = &shares {
            line.processes = ProcessView::all(&shares.borrow());
        }
        line.update(progress);
    };
    let identity = network.map(|(network, asked)| Identity::of(network, asked, config));
    let mut keeper = None;
    let mut processes = Vec::new();
    let outcome = match (joined, network) {
        (Some(joined), Some((network, asked))) => {
            let mut parts = identity.and_then(|identity| joined.keeper(args, identity, guard));
            let mut states = |progress: &merkhet::Progress| observe(Work::States(progress));
            let decided = joined.check(network, asked, config, parts.as_mut(), &mut states);
            decided.and_then(|decided| {
                processes = ProcessView::all(&decided.processes);
                let none = || Failure::Internal("the first process has no report".into());
                decided.report.ok_or_else(none)
            })
        }
        _ => {
            keeper = (args.checkpoint.as_ref().zip(identity)).map(|(path, identity)| {
                CheckpointFile::new(path, args.every, identity, args.resume, guard.writing())
            });
            let kept = keeper.as_mut().map(|keeper| keeper as &mut dyn Keeper);
            checker.check(query, kept, &mut observe)
        }
    };
    guard.rest();
    line.clear();
    if let Some(keeper) = keeper {
        if let Some(problem) = keeper.problem {
            output::error(&problem);
            return (unknown(&problem), Some(Exit::BadInput));
        }
        if let Some(lost) = keeper.lost() {
            output::warning(&lost);
        }
    }
    match outcome {
        Ok(mut report) => {
            let saved = report
                .databases
                .as_ref()
                .and_then(|made| made.text.as_deref());
            made.databases.push_str(saved.unwrap_or_default());
            if let Some(path) = &args.certificate {
                let desk = certificate::Desk {
                    path,
                    checked: !args.no_certify,
                    threads: config.threads,
                    guard,
                    begun,
                };
                let before = results::view(query, &report, model, source);
                let kept = match (network, model.system(), query.specification) {
                    (Some((network, asked)), ..) => {
                        desk.certificate(&mut report, network, asked, &before, words)
                    }
                    (None, Some(system), Some(specification)) => {
                        desk.proof(&mut report, system, specification)
                    }
                    _ => Ok(false),
                };
                match kept {
                    Ok(written) => made.certified |= written,
                    Err(Problem::Refused(why)) => {
                        let message = Failure::Internal(why).to_string();
                        output::error(&message);
                        return (unknown(&message), Some(Exit::Internal));
                    }
                    // The verdict stands without it; the exit code says that not all was done.
                    Err(Problem::NotWritten(message)) => {
                        output::error(&message);
                        let view = results::view(query, &report, model, source);
                        return (view, Some(Exit::BadInput));
                    }
                }
            }
            let mut view = results::view(query, &report, model, source);
            view.processes = processes;
            if let (Some(wanted), true, Some((network, asked)), Some(source)) =
                (args.all_traces, report.trace.is_some(), network, source)
            {
                guard.watch_since(begun, Phase::Traces, words.decided(&view));
                let rest = config.after(begun.elapsed());
                let found = merkhet::all_traces(network, asked, &rest, wanted as usize);
                guard.rest();
                match found {
                    Ok(found) => add_traces(&mut view, &found, wanted, source),
                    Err(failure) => output::message(&failure.to_string()),
                }
            }
            if let (Some(path), Some(run), Some((network, _))) =
                (&args.trace_out, &report.trace, network)
            {
                let file = trace_file::TraceFile { path, number };
                let written = guard.while_writing(path, begun, words.lost(&view), || {
                    file.write(model, network, run, &view)
                });
                if let Err(message) = written {
                    output::error(&message);
                    return (view, Some(Exit::BadInput));
                }
            }
            if let Some(path) = &args.lattices.splits_out {
                let path = trace_file::TraceFile { path, number }.name();
                let picture = splits::render(&view.query, &view.splits);
                let written = guard.while_writing(&path, begun, words.lost(&view), || {
                    write_text(&path, &picture)
                });
                if let Err(message) = written {
                    output::error(&message);
                    return (view, Some(Exit::BadInput));
                }
            }
            (view, None)
        }
        Err(failure) => {
            let message = failure.to_string();
            // The report for people says it next to the query.
            if args.format != ReportFormat::Human {
                output::error(&message);
            }
            let wanted = args.trace != TraceKind::None;
            let exit = Exit::of(&failure);
            (
                results::failed(query, &failure, &message, source.filter(|_| wanted)),
                Some(exit),
            )
        }
    }
}

/// Puts further traces into the view of a result, and says why they may not be all.
fn add_traces(view: &mut ResultView, found: &Traces, wanted: u32, source: &TraceSource<'_>) {
    let mut traces = found.runs.iter().map(|run| source.view(run));
    view.trace = traces.next().or(view.trace.take());
    view.more_traces = traces.collect();
    if let Some(limit) = &found.ended {
        let number = view.more_traces.len() + 1;
        output::message(&format!("{limit}: {number} of {wanted} traces were found"));
    }
}

fn write_text(path: &Path, text: &str) -> Result<(), String> {
    let write = || {
        let mut file = AtomicFile::create(path)?;
        file.write_all(text.as_bytes())?;
        file.flush()?;
        file.commit()
    };
    write().map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Writes a report without results: a model, or its queries, that cannot be used must not look like a run without failures.
fn unusable(form: &Form, mut report: ReportView, code: &str, message: &str, exit: Exit) -> Exit {
    (report.diagnostics).push(DiagnosticView::plain(SeverityView::Error, code, message));
    finish(form, &report, exit)
}

/// Writes the report; a report that is lost is not a verdict.
pub(super) fn finish(form: &Form, report: &ReportView, exit: Exit) -> Exit {
    match write(form, report) {
        Ok(()) | Err(OutputError::Closed) => exit,
        Err(problem) => {
            output::report(&problem);
            Exit::BadInput
        }
    }
}

fn write(form: &Form, report: &ReportView) -> Result<(), OutputError> {
    match form.format {
        _ if form.silent => Ok(()),
        ReportFormat::Json => output::print_plain(&json::render(report)?),
        ReportFormat::Junit => output::print_plain(&junit::render(report)),
        ReportFormat::Human if report.results.is_empty() => Ok(()),
        ReportFormat::Human => {
            let total = report.results.len();
            for (index, result) in report.results.iter().enumerate() {
                let style = form.trace_style;
                let text = human::result(index + 1, total, result, style, form.verbose);
                output::print_styled(&text)?;
            }
            output::print_styled(&human::summary(&report.results))?;
            let given = advice::Given {
                checkpoint: Saved::look(form.checkpoint.as_deref()),
                threads: form.threads,
            };
            match advice::last_line(&report.results, given) {
                Some(line) => output::print_styled(&line),
                None => Ok(()),
            }
        }
    }
}
