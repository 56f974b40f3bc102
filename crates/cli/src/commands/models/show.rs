//! `merkhet show`: prints the instantiated network.

use merkhet::Model;
use merkhet::network::print as write;
use merkhet::network::{Formula, Network, QueryKind};
use merkhet_interop::convert::{NotConvertible, Original};
use merkhet_interop::draw::{self, Picture};
use serde::Serialize;

use crate::args::{Reduction, ShowArgs, ShowFormat};
use crate::exit::Exit;
use crate::output::{self, OutputError};
use crate::view::json;
use crate::view::reductions::ReductionsView;

use super::causal;
use crate::commands::load;

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
    #[serde(skip_serializing_if = "Option::is_none")]
    reductions: Option<ReductionsView>,
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
    if merkhet::is_smv(&args.model.display().to_string()) {
        return super::show_system::run(args);
    }
    let start = std::time::Instant::now();
    let Ok(mut model) = load::usable(&args.model) else {
        return Exit::BadInput;
    };
    // Nothing but these looks at the queries.
    let needed = args.queries.is_some() || args.reduce.is_some() || args.format == ShowFormat::Json;
    let asked = match needed {
        true => load::queries(&mut model, &args.model, args.queries.as_deref(), &[]),
        false => Ok(load::Asked {
            queries: Vec::new(),
            file: None,
        }),
    };
    let queries = match asked {
        Ok(asked) => asked.queries,
        Err(message) => {
            output::error(&message);
            return Exit::BadInput;
        }
    };
    let time_s = start.elapsed().as_secs_f64();
    let Some(network) = model.network() else {
        return Exit::BadInput;
    };
    let reduced = args
        .reduce
        .as_deref()
        .map(|kinds| reduce(network, &queries, kinds));
    let (network, reductions) = match &reduced {
        Some((reduction, view)) => (&reduction.network, Some(view)),
        None => (network, None),
    };
    if args.causal_graph {
        let text = match args.format {
            ShowFormat::Xta => {
                output::error("a causal graph has no XTA; use --format text, dot, svg or json");
                return Exit::BadInput;
            }
            format => causal::render(network, format),
        };
        return print(text);
    }
    let text = match args.format {
        ShowFormat::Svg => match drawn(args, &model, network, reduced.is_some()) {
            Ok(text) => Ok(text),
            Err(problem) => {
                output::error(&format!("this model cannot be drawn: {problem}"));
                return Exit::BadInput;
            }
        },
        ShowFormat::Text => {
            let removed = reductions.map_or(String::new(), ReductionsView::text);
            Ok(removed + &write::text(network))
        }
        ShowFormat::Dot => Ok(write::dot(network)),
        ShowFormat::Xta => match write::xta(network) {
            Ok(text) => Ok(text),
            Err(problem) => {
                output::error(&format!("this network cannot be written as XTA: {problem}"));
                return Exit::BadInput;
            }
        },
        ShowFormat::Json => json::render(&view(args, network, &queries, reductions, time_s)),
    };
    print(text)
}

/// The automata as a picture: templates where their author drew them, or those of the reduced network.
fn drawn(
    args: &ShowArgs,
    model: &Model,
    network: &Network,
    reduced: bool,
) -> Result<String, NotConvertible> {
    let pictures = draw::templates(Original {
        tree: model.tree().filter(|_| !reduced),
        sources: &model.sources,
        network,
    })?;
    Ok(Picture::sheet(&args.model.display().to_string(), &pictures))
}

fn print(text: Result<String, OutputError>) -> Exit {
    match text.and_then(|text| output::print_plain(&text)) {
        Ok(()) | Err(OutputError::Closed) => Exit::Satisfied,
        Err(problem) => {
            output::report(&problem);
            Exit::BadInput
        }
    }
}

/// Removes what matters to none of the queries.
fn reduce(
    network: &Network,
    queries: &[merkhet::ModelQuery],
    chosen: &[Reduction],
) -> (merkhet::Reduction, ReductionsView) {
    let kinds = Reduction::kinds(chosen);
    let mut formulas = Vec::new();
    let mut remark = None;
    for query in queries.iter().filter_map(|query| query.query.as_ref()) {
        match merkhet::Reduction::new(network, query, &[]) {
            Ok(_) => {
                if let QueryKind::Possibly(formula) | QueryKind::Invariantly(formula) = &query.kind
                {
                    formulas.push(formula.clone());
                }
            }
            Err(reason) => remark = Some(format!("not reduced: {reason} (`{}`)", query.text)),
        }
    }
    if formulas.is_empty() && remark.is_none() {
        remark = Some("not reduced: there is no query; give some in a file".to_string());
    }
    let kept = if remark.is_some() { &[][..] } else { &kinds };
    let reduction = merkhet::Reduction::for_formula(network, &Formula::And(formulas), kept);
    let view = ReductionsView::new(kinds.iter().copied(), &reduction.removed);
    (reduction, ReductionsView { remark, ..view })
}

fn view(
    args: &ShowArgs,
    network: &Network,
    queries: &[merkhet::ModelQuery],
    reductions: Option<&ReductionsView>,
    time_s: f64,
) -> ShowView {
    let counts = write::summary(network);
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
        reductions: reductions.cloned(),
        load: LoadView {
            time_s,
            peak_memory_bytes: merkhet::peak_memory(),
        },
    }
}
