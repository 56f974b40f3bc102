//! Traces as XML: the system, and for each state its locations, variables and the whole matrix of clock differences.

use std::fmt::Write;

use merkhet::explore::SymbolicState;
use merkhet::network::{ClockId, ProcessId};
use merkhet::replay::Replayed;

use super::numbering::Numbering;
use crate::view::junit::escape;

const CLOCK_ZERO: &str = "sys.t(0)";

/// The whole document.
pub fn render(
    numbering: &Numbering<'_>,
    run: &Replayed,
    states: &[SymbolicState],
    variables: &[String],
) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<trace initial_node=\"State1\" trace_options=\"symbolic\">\n",
    );
    system(numbering, variables, &mut text);
    for (index, state) in states.iter().enumerate() {
        let number = index + 1;
        locations(numbering, state, number, &mut text);
        zone(numbering, state, number, &mut text);
        values(numbering, variables, state, number, &mut text);
        let _ = writeln!(
            text,
            "  <node id=\"State{number}\" location_vector=\"LV{number}\" dbm_instance=\"DBM{number}\" variable_vector=\"VV{number}\"/>"
        );
    }
    for (index, step) in run.steps.iter().enumerate() {
        let mut edges = String::new();
        for taken in &step.edges {
            let process = numbering.network.process(taken.process);
            let number = numbering.taken(taken).origin + 1;
            let _ = write!(edges, "{}.Edge{number} ", escape(&process.name));
        }
        let (from, to) = (index + 1, index + 2);
        let _ = writeln!(
            text,
            "  <transition from=\"State{from}\" to=\"State{to}\" edges=\"{edges}\"/>"
        );
    }
    text + "</trace>\n"
}

/// The name that the trace gives to a clock: of a global one with the prefix `sys.`.
fn clock_id(numbering: &Numbering<'_>, clock: usize) -> String {
    if clock == 0 {
        return CLOCK_ZERO.into();
    }
    let clock = &numbering.network.clocks[clock - 1];
    match clock.owner {
        Some(_) => clock.name.clone(),
        None => format!("sys.{}", clock.name),
    }
}

/// The process that a variable's name begins with.
fn owner(numbering: &Numbering<'_>, variable: &str) -> Option<ProcessId> {
    numbering.network.process_ids().find(|process| {
        let name = &numbering.network.process(*process).name;
        variable
            .strip_prefix(name.as_str())
            .is_some_and(|rest| rest.starts_with('.'))
    })
}

fn system(numbering: &Numbering<'_>, variables: &[String], text: &mut String) {
    let network = numbering.network;
    let clocks = |owner: Option<ProcessId>, text: &mut String| {
        for clock in (0..network.clocks.len()).map(ClockId::from) {
            if network.clocks[clock.index()].owner == owner {
                let id = escape(&clock_id(numbering, clock.index() + 1));
                let name = id.rsplit_once('.').map_or(&*id, |(_, name)| name);
                let _ = writeln!(text, "    <clock name=\"{name}\" id=\"{id}\"/>");
            }
        }
    };
    let declared = |wanted: Option<ProcessId>, text: &mut String| {
        for name in variables
            .iter()
            .filter(|name| owner(numbering, name) == wanted)
        {
            let id = escape(&variable_id(numbering, name));
            let own = wanted.map_or(0, |process| network.process(process).name.len() + 1);
            let short = escape(name.get(own..).unwrap_or(name));
            let _ = writeln!(text, "    <variable name=\"{short}\" id=\"{id}\"/>");
        }
    };
    text.push_str("  <system>\n");
    let _ = writeln!(text, "    <clock name=\"t(0)\" id=\"{CLOCK_ZERO}\"/>");
    clocks(None, text);
    declared(None, text);
    for (index, process) in network.processes.iter().enumerate() {
        let name = escape(&process.name);
        let _ = writeln!(text, "    <process name=\"{name}\" id=\"{name}\">");
        clocks(Some(ProcessId::from(index)), text);
        declared(Some(ProcessId::from(index)), text);
        for location in &process.locations {
            let own = escape(&location.name);
            let invariant = escape(&numbering.invariant(location));
            let _ = writeln!(
                text,
                "      <location id=\"{name}.{own}\" name=\"{own}\"><invariant>{invariant}</invariant></location>"
            );
        }
        for (number, edge) in numbering.edges(process).into_iter().enumerate() {
            let Some(edge) = edge else { continue };
            let labels = numbering.labels(process, edge);
            let place = |location: merkhet::network::LocationId| {
                escape(&process.locations[location.index()].name)
            };
            let _ = writeln!(
                text,
                "      <edge id=\"{name}.Edge{}\" from=\"{name}.{}\" to=\"{name}.{}\"><guard>{}</guard><sync>{}</sync><update>{}</update></edge>",
                number + 1,
                place(edge.source),
                place(edge.target),
                escape(&labels.guard),
                escape(&labels.sync),
                escape(&labels.update),
            );
        }
        text.push_str("    </process>\n");
    }
    text.push_str("  </system>\n");
}

fn variable_id(numbering: &Numbering<'_>, name: &str) -> String {
    match owner(numbering, name) {
        Some(_) => name.to_string(),
        None => format!("sys.{name}"),
    }
}

fn locations(numbering: &Numbering<'_>, state: &SymbolicState, number: usize, text: &mut String) {
    let mut vector = String::new();
    for process in numbering.network.process_ids() {
        let location = numbering.network.location(process, state.location(process));
        let process = &numbering.network.process(process).name;
        let _ = write!(vector, "{}.{} ", escape(process), escape(&location.name));
    }
    let _ = writeln!(
        text,
        "  <location_vector id=\"LV{number}\" locations=\"{vector}\"/>"
    );
}

fn zone(numbering: &Numbering<'_>, state: &SymbolicState, number: usize, text: &mut String) {
    let _ = writeln!(text, "  <dbm_instance id=\"DBM{number}\">");
    for first in 0..state.dimension() {
        for second in 0..state.dimension() {
            let (bound, comparison) = match state.bound(first, second) {
                None => ("inf".to_string(), "&lt;"),
                Some(bound) if bound.strict => (bound.constant.to_string(), "&lt;"),
                Some(bound) => (bound.constant.to_string(), "&lt;="),
            };
            let _ = writeln!(
                text,
                "    <clockbound clock1=\"{}\" clock2=\"{}\" bound=\"{bound}\" comp=\"{comparison}\"/>",
                escape(&clock_id(numbering, first)),
                escape(&clock_id(numbering, second)),
            );
        }
    }
    text.push_str("  </dbm_instance>\n");
}

fn values(
    numbering: &Numbering<'_>,
    variables: &[String],
    state: &SymbolicState,
    number: usize,
    text: &mut String,
) {
    let _ = writeln!(text, "  <variable_vector id=\"VV{number}\">");
    for (name, value) in variables.iter().zip(state.values()) {
        let _ = writeln!(
            text,
            "    <variable_state variable=\"{}\" value=\"{value}\"/>",
            escape(&variable_id(numbering, name))
        );
    }
    text.push_str("  </variable_vector>\n");
}
