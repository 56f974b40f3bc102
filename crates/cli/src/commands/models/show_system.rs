//! `merkhet show` on finite systems.

use merkhet::finite::print::{self, domain};
use merkhet::finite::{Role, SpecificationKind, System};
use serde::Serialize;

use crate::args::{ShowArgs, ShowFormat};
use crate::exit::Exit;
use crate::output::{self, OutputError};
use crate::view::json;
use crate::{diagnostics, view::quantity::plural};

use crate::commands::load;

/// What `merkhet show --format json` prints of a finite system.
#[derive(Debug, Serialize)]
struct FiniteView {
    model: String,
    state_bits: u32,
    input_bits: u32,
    initial_constraints: usize,
    invariants: usize,
    fairness: usize,
    expressions: usize,
    processes: Vec<String>,
    variables: Vec<VariableView>,
    specifications: Vec<SpecificationView>,
    time_s: f64,
    peak_memory_bytes: u64,
}

#[derive(Debug, Serialize)]
struct VariableView {
    name: String,
    role: &'static str,
    domain: String,
    bits: u32,
}

#[derive(Debug, Serialize)]
struct SpecificationView {
    logic: &'static str,
    name: Option<String>,
    text: String,
}

/// Runs the command.
pub fn run(args: &ShowArgs) -> Exit {
    let refused = match args.format {
        ShowFormat::Dot => Some("--format dot"),
        ShowFormat::Xta => Some("--format xta"),
        ShowFormat::Svg => Some("--format svg"),
        _ if args.causal_graph => Some("--causal-graph"),
        _ if args.reduce.is_some() => Some("--reduce"),
        _ if args.queries.is_some() => Some("a file of queries"),
        _ => None,
    };
    if let Some(option) = refused {
        output::error(&format!("{option} is not for SMV models"));
        return Exit::BadInput;
    }
    let start = std::time::Instant::now();
    let Ok(model) = load::readable(&args.model) else {
        return Exit::BadInput;
    };
    let Some(system) = model.system() else {
        return Exit::BadInput;
    };
    for query in model.queries() {
        diagnostics::print(&query.diagnostics, &model.sources);
    }
    let view = view(args, system, start.elapsed().as_secs_f64());
    let text = match args.format {
        ShowFormat::Json => json::render(&view),
        _ => Ok(format!("{}{}", summary(&view), print::text(system))),
    };
    match text.and_then(|text| output::print_plain(&text)) {
        Ok(()) | Err(OutputError::Closed) => Exit::Satisfied,
        Err(problem) => {
            output::report(&problem);
            Exit::BadInput
        }
    }
}

fn view(args: &ShowArgs, system: &System, time_s: f64) -> FiniteView {
    let bits = |input: bool| {
        let of = system
            .variables
            .iter()
            .filter(|v| (v.role == Role::Input) == input);
        of.map(|variable| variable.domain.bits()).sum()
    };
    FiniteView {
        model: args.model.display().to_string(),
        state_bits: bits(false),
        input_bits: bits(true),
        initial_constraints: system.initial.len(),
        invariants: system.invariants.len(),
        fairness: system.justice.len() + system.compassion.len(),
        expressions: system.expressions.len(),
        processes: system
            .events
            .iter()
            .map(|event| event.name.clone())
            .collect(),
        variables: system
            .variables
            .iter()
            .map(|variable| VariableView {
                name: variable.name.clone(),
                role: match variable.role {
                    Role::State => "state",
                    Role::Frozen => "frozen",
                    Role::Input => "input",
                },
                domain: domain(system, &variable.domain),
                bits: variable.domain.bits(),
            })
            .collect(),
        specifications: system
            .specifications
            .iter()
            .map(|specification| SpecificationView {
                logic: match specification.kind {
                    SpecificationKind::Ctl => "ctl",
                    SpecificationKind::Invariant => "invariant",
                    SpecificationKind::Ltl => "ltl",
                    SpecificationKind::Compute => "compute",
                },
                name: specification.name.clone(),
                text: specification.text.clone(),
            })
            .collect(),
        time_s,
        peak_memory_bytes: merkhet::peak_memory(),
    }
}

fn summary(view: &FiniteView) -> String {
    format!(
        "-- {}: {} ({} of states, {} of inputs), {}, {}, {}\n",
        view.model,
        plural(view.variables.len() as u64, "variable", "variables"),
        plural(view.state_bits.into(), "bit", "bits"),
        view.input_bits,
        plural(view.processes.len() as u64, "event", "events"),
        plural(
            view.fairness as u64,
            "fairness condition",
            "fairness conditions"
        ),
        plural(
            view.specifications.len() as u64,
            "specification",
            "specifications"
        ),
    )
}
