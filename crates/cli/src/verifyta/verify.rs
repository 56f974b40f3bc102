//! Checks the queries one after the other.

use std::io::Read;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use merkhet::network::{Network, Query, QueryKind};
use merkhet::replay::Replayed;
use merkhet::{Config, Extrapolation, Limits, Model, ModelQuery, Report, SearchSpec, TraceKind};

use super::numbering::Numbering;
use super::options::{Options, Order};
use super::{FAILED, errors, intermediate, text_trace, trace_files, verdict};
use crate::output::{self, OutputError};
use crate::progress::{ProgressForm, ProgressLine, ProgressView};
use crate::{input, interrupt};

/// Runs the verification; the result is the exit code.
pub fn run(options: &Options) -> Result<u8, OutputError> {
    let compile_only = set("UPPAAL_COMPILE_ONLY");
    if set("UPPAAL_OLD_SYNTAX") {
        output::message("verifyta: UPPAAL_OLD_SYNTAX: give the model the ending .ta instead");
        return Ok(FAILED);
    }
    let mut model = match load(options) {
        Ok(model) => model,
        Err(message) => {
            output::message(&format!("verifyta: {message}"));
            return Ok(FAILED);
        }
    };
    if errors::print(&model, &model.diagnostics) || model.has_errors() {
        return Ok(FAILED);
    }
    if compile_only {
        let Some(network) = model.network() else {
            return Ok(FAILED);
        };
        output::print_plain(&intermediate::render(&Numbering::new(&model, network)))?;
        return Ok(0);
    }
    let queries = match queries(&mut model, options) {
        Ok(queries) => queries,
        Err(message) => {
            output::message(&format!("verifyta: {message}"));
            return Ok(FAILED);
        }
    };
    let Some(network) = model.network() else {
        return Ok(FAILED);
    };
    let seed = options.seed.unwrap_or_else(seconds);
    if options.show_options {
        output::print_plain(&options_text(options, seed))?;
    }
    let config = config(options, seed);
    let task = Task {
        numbering: Numbering::new(&model, network),
        network,
        options,
        config,
    };
    let mut code = 0;
    for (position, query) in queries.iter().enumerate() {
        if options.query_index.is_some_and(|index| index != position) {
            continue;
        }
        output::print_plain(&format!(
            "\nVerifying formula {} at {}\n",
            position + 1,
            task.place(query)
        ))?;
        code = code.max(task.decide(position + 1, query)?);
    }
    Ok(code)
}

fn set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

fn load(options: &Options) -> Result<Model, String> {
    if merkhet::is_smv(&options.model.display().to_string()) {
        return Err(format!(
            "{} is an SMV model, which verifyta does not read; use `merkhet check`",
            options.model.display()
        ));
    }
    let bytes = input::read(&options.model)?;
    let name = options.model.display().to_string();
    Ok(Model::read_with(&name, &bytes, crate::lattices()))
}

fn queries(model: &mut Model, options: &Options) -> Result<Vec<ModelQuery>, String> {
    let embedded = model.queries();
    let beside = options.model.with_extension("q");
    let file = match &options.queries {
        // As `merkhet check`: a file of the model's name is for models without queries.
        None if embedded.is_empty() && beside.is_file() => Some(&beside),
        given => given.as_ref(),
    };
    let found = match file {
        None => embedded,
        Some(path) => {
            let bytes = if path == Path::new("-") {
                let mut bytes = Vec::new();
                let limit = merkhet_syntax::MAX_FILE_SIZE as u64;
                let read = std::io::stdin().take(limit).read_to_end(&mut bytes);
                read.map_err(|error| format!("cannot read standard input: {error}"))?;
                bytes
            } else {
                input::read(path)?
            };
            let (queries, more) = model.query_file(&path.display().to_string(), &bytes);
            if errors::print(model, &more) {
                return Err("the queries cannot be read".into());
            }
            queries
        }
    };
    match options.query_index {
        Some(index) if index >= found.len() => Err(format!(
            "there is no query {index}: they are counted from 0, and there are {}",
            found.len()
        )),
        _ if found.is_empty() => {
            Err("there are no queries, neither in the model nor in a file".into())
        }
        _ => Ok(found),
    }
}

fn seconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_secs())
}

/// A shortest trace needs the order that finds it.
fn order(options: &Options) -> Order {
    match options.trace {
        TraceKind::Shortest => Order::Breadth,
        _ => options.order,
    }
}

fn options_text(options: &Options, seed: u64) -> String {
    let trace = match options.trace {
        TraceKind::None => "no",
        TraceKind::Some => "some",
        TraceKind::Short => "short",
        TraceKind::Shortest => "shortest",
        TraceKind::Fastest => "fastest",
    };
    let order = match order(options) {
        Order::Breadth => "breadth first",
        Order::Depth => "depth first",
        Order::Random => "random depth first",
    };
    let space = ["no", "conservative", "aggressive"][usize::from(options.space.min(2))];
    let store = match (options.bitstate, options.matrices) {
        (true, _) => "bit-state hashing",
        (false, true) => "DBMs",
        (false, false) => "minimal constraint systems",
    };
    format!(
        "Options for the verification:\n  Generating {trace} trace\n  Search order is {order}\n  \
         Using {space} space optimisation\n  Seed is {seed}\n  State space representation uses {store}\n"
    )
}

fn config(options: &Options, seed: u64) -> Config {
    let search = match order(options) {
        Order::Breadth => SearchSpec::BreadthFirst,
        Order::Depth => SearchSpec::DepthFirst,
        Order::Random => SearchSpec::RandomDepthFirst,
    };
    Config {
        search: Some(search),
        trace: options.trace,
        extrapolation: match options.extrapolation {
            1 => Some(Extrapolation::None),
            2 | 3 => Some(Extrapolation::M),
            4 => Some(Extrapolation::LuPlus),
            _ => None,
        },
        bitstate: options.bitstate,
        seed,
        limits: Limits {
            cancel: interrupt::install(),
            ..Limits::default()
        },
        threads: 1,
        ..Config::default()
    }
}

/// The queries of a model being checked.
struct Task<'m> {
    numbering: Numbering<'m>,
    network: &'m Network,
    options: &'m Options,
    config: Config,
}

impl Task<'_> {
    /// Where a query stands, in the words of the other program.
    fn place(&self, query: &ModelQuery) -> String {
        let model = self.numbering.model;
        let embedded = self.options.queries.is_none();
        let xml = model
            .tree()
            .is_some_and(|tree| tree.format == merkhet_syntax::tree::Format::Xml);
        if embedded && xml {
            return format!("/nta/queries/query[{}]/formula", query.number);
        }
        let line = model
            .sources
            .start(query.span)
            .map_or(1, |position| position.line);
        format!("line {line}")
    }

    fn decide(&self, number: usize, query: &ModelQuery) -> Result<u8, OutputError> {
        let Some(asked) = &query.query else {
            if !errors::print(self.numbering.model, &query.diagnostics) {
                output::message("[error] the query cannot be read");
            }
            return Ok(FAILED);
        };
        let mut line = self
            .options
            .progress
            .then(|| ProgressLine::start(ProgressForm::Auto));
        let outcome = merkhet::check(self.network, asked, &self.config, &mut |progress| {
            if let Some(line) = &mut line {
                line.update(ProgressView::from(progress));
            }
        });
        if let Some(line) = &mut line {
            line.clear();
        }
        match outcome {
            Ok(report) => self.show(number, asked, &report),
            Err(failure) => {
                errors::print_failure(&failure);
                Ok(FAILED)
            }
        }
    }

    fn show(&self, number: usize, query: &Query, report: &Report) -> Result<u8, OutputError> {
        let clear = if self.options.progress { "\x1b[2K" } else { "" };
        let mut text = format!("{clear}{}\n", verdict::line(&query.kind, report));
        text += &verdict::values(&report.values);
        if self.options.summary {
            text += &summary(report);
        }
        output::print_plain(&text)?;
        match &report.trace {
            Some(run) => self.trace(number, query, run),
            None => Ok(0),
        }
    }

    fn trace(&self, number: usize, query: &Query, run: &Replayed) -> Result<u8, OutputError> {
        let what = match query.kind {
            QueryKind::Possibly(_) | QueryKind::PotentiallyAlways(_) => "example trace",
            _ => "counter example",
        };
        let bases = [(&self.options.xtr, "xtr"), (&self.options.xml, "xml")];
        if bases.iter().all(|(base, _)| base.is_none()) {
            output::print_plain(&format!("Showing {what}.\n"))?;
            output::message(text_trace::render(&self.numbering, run).trim_end());
            return Ok(0);
        }
        for (base, extension) in bases {
            let Some(base) = base else { continue };
            let path = format!("{base}-{number}.{extension}");
            output::message(&format!("Writing {what} to {path}"));
            let written = trace_files::render(&self.numbering, extension, run)
                .and_then(|text| output::write_file(Path::new(&path), &text));
            if let Err(message) = written {
                output::message(&format!("verifyta: {message}"));
                return Ok(FAILED);
            }
        }
        Ok(0)
    }
}

fn summary(report: &Report) -> String {
    let figures = &report.figures;
    let kibibytes = figures.peak_memory / 1024;
    format!(
        " -- States stored : {} states\n -- States explored : {} states\n -- CPU user time used : {} ms\n \
         -- Virtual memory used : {kibibytes} KiB\n -- Resident memory used : {kibibytes} KiB\n",
        figures.stored,
        figures.explored,
        figures.time.as_millis(),
    )
}
