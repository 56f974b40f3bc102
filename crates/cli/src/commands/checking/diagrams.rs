//! What `merkhet check` asks of decision diagrams: for SMV models, and with `--engine bdd` for networks of automata.

use merkhet::{Config, DiagramOptions, DiagramSearch, Model};

use crate::args::{Abstraction, CheckArgs, Engine, Patterns};
use crate::view::human::TraceStyle;
use crate::{input, output};

/// Fits the settings to decision diagrams; an option that means nothing to them is refused.
pub fn configure(args: &CheckArgs, smv: bool, config: &mut Config) -> Result<(), String> {
    if args.engine == Some(Engine::Zones) {
        return Err("--engine zones is not for SMV models".into());
    }
    if smv && args.trace_style == TraceStyle::Diagram {
        let message =
            "--trace-style diagram is for networks of automata; paths of SMV models are tables";
        return Err(message.into());
    }
    if !smv && args.order.is_some() {
        return Err("--order is for SMV models".into());
    }
    let files = [
        (args.checkpoint.is_some(), "--checkpoint"),
        (args.trace_out.is_some(), "--trace-out"),
        (args.lattices.splits_out.is_some(), "--splits-out"),
    ];
    if let Some((_, option)) = files.iter().find(|(given, _)| *given) {
        return Err(format!(
            "{option} is not for searches with decision diagrams"
        ));
    }
    let meaningless = match args.all_traces {
        Some(_) => Some("--all-traces"),
        None => config.meaningless_to_diagrams(),
    };
    if let Some(option) = meaningless {
        return Err(format!("{option} means nothing to decision diagrams"));
    }
    config.diagrams = Some(options(args)?);
    Ok(())
}

fn options(args: &CheckArgs) -> Result<DiagramOptions, String> {
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
    let options = DiagramOptions {
        search: match &args.search {
            Some(name) => Some(name.parse().map_err(|error| format!("{error}"))?),
            None => automatic.then_some(DiagramSearch::Guided),
        },
        order: match &args.order {
            Some(path) => Some(String::from_utf8_lossy(&input::read(path)?).into_owned()),
            None => None,
        },
        reorder: args.reorder,
        keep,
        budget: (args.abstract_time).unwrap_or(DiagramOptions::default().budget),
        multi_terminal: args.patterns == Some(Patterns::Mtbdd),
    };
    let guided = options.search() == DiagramSearch::Guided;
    let given = [
        (!args.abstraction.is_empty(), "--abstract"),
        (args.abstract_time.is_some(), "--abstract-time"),
        (args.patterns.is_some(), "--patterns"),
    ];
    if let (false, Some((_, option))) = (guided, given.iter().find(|(given, _)| *given)) {
        return Err(format!("{option} needs --search guided"));
    }
    Ok(options)
}

/// Says which names of the order file the model does not have.
pub fn note_unknown_names(model: &Model, config: &Config) {
    let options = config.diagrams.as_ref();
    let (Some(system), Some(order)) = (model.system(), options.and_then(|one| one.order.as_ref()))
    else {
        return;
    };
    let unknown = merkhet::symbolic::order::unknown_names(system, order);
    if let Some(first) = unknown.first() {
        let others = match unknown.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more names"),
        };
        output::message(&format!(
            "note: --order: the model has no variable `{first}`{others}"
        ));
    }
}
