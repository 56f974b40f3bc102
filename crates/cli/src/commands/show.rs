//! `merkhet show`: prints the instantiated network.

use merkhet::network::Network;
use merkhet::network::print;
use serde::Serialize;

use crate::args::{ShowArgs, ShowFormat};
use crate::exit::Exit;
use crate::output::{self, OutputError};
use crate::view::json;

use super::load;

/// What `merkhet show --format json` prints.
#[derive(Debug, Serialize)]
struct ShowView {
    model: String,
    automata: usize,
    clocks: usize,
    ints: usize,
    meta: usize,
    locations: usize,
    edges: usize,
    channels: usize,
    functions: usize,
    processes: Vec<ProcessView>,
    clock_names: Vec<String>,
    variables: Vec<String>,
    queries: Vec<QueryView>,
    load: LoadView,
}

#[derive(Debug, Serialize)]
struct ProcessView {
    name: String,
    template: String,
    locations: Vec<String>,
    edges: usize,
}

#[derive(Debug, Serialize)]
struct QueryView {
    text: String,
    comment: Option<String>,
    readable: bool,
}

/// What reading the model took.
#[derive(Debug, Serialize)]
struct LoadView {
    time_s: f64,
    peak_memory_bytes: u64,
}

/// Runs the command.
pub fn run(args: &ShowArgs) -> Exit {
    if merkhet::smv::is_smv(&args.model.display().to_string()) {
        return super::smv::show::run(args);
    }
    if args.reduce.is_some() {
        output::error("--reduce: this version has no reductions yet");
        return Exit::BadInput;
    }
    let start = std::time::Instant::now();
    let Ok(mut model) = load::usable(&args.model) else {
        return Exit::BadInput;
    };
    let queries = match load::queries(&mut model, args.queries.as_deref(), &[]) {
        Ok(queries) => queries,
        Err(message) => {
            output::error(&message);
            return Exit::BadInput;
        }
    };
    let time_s = start.elapsed().as_secs_f64();
    let Some(network) = model.network() else {
        return Exit::BadInput;
    };
    let text = match args.format {
        ShowFormat::Text => Ok(print::text(network)),
        ShowFormat::Dot => Ok(print::dot(network)),
        ShowFormat::Xta => match print::xta(network) {
            Ok(text) => Ok(text),
            Err(problem) => {
                output::error(&format!("this network cannot be written as XTA: {problem}"));
                return Exit::BadInput;
            }
        },
        ShowFormat::Json => json::render(&view(args, network, &queries, time_s)),
    };
    match text.and_then(|text| output::print_plain(&text)) {
        Ok(()) | Err(OutputError::Closed) => Exit::Satisfied,
        Err(problem) => {
            output::report(&problem);
            Exit::BadInput
        }
    }
}

fn view(
    args: &ShowArgs,
    network: &Network,
    queries: &[merkhet::ModelQuery],
    time_s: f64,
) -> ShowView {
    let counts = print::summary(network);
    let process = |process: &merkhet::network::Process| ProcessView {
        name: process.name.clone(),
        template: process.template.clone(),
        locations: process
            .locations
            .iter()
            .map(|location| location.name.clone())
            .collect(),
        edges: process.edges.len(),
    };
    ShowView {
        model: args.model.display().to_string(),
        automata: counts.automata,
        clocks: counts.clocks,
        ints: counts.integers,
        meta: counts.meta,
        locations: counts.locations,
        edges: counts.edges,
        channels: counts.channels,
        functions: counts.functions,
        processes: network.processes.iter().map(process).collect(),
        clock_names: network
            .clocks
            .iter()
            .map(|clock| clock.name.clone())
            .collect(),
        variables: network
            .variables
            .iter()
            .map(|variable| variable.name.clone())
            .collect(),
        queries: queries
            .iter()
            .map(|query| QueryView {
                text: query.text.clone(),
                comment: query.comment.clone(),
                readable: query.query.is_some(),
            })
            .collect(),
        load: LoadView {
            time_s,
            peak_memory_bytes: merkhet::peak_memory(),
        },
    }
}
