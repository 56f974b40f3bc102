//! Paths of finite systems.

use anstyle::Style;
use merkhet::finite::trace::Trace;
use merkhet::finite::{Role, System, Value};
use serde::{Deserialize, Serialize};

use crate::view::Verdict;
use crate::view::quantity::plural;
use crate::view::table::{Align, layout};

const BOLD: Style = Style::new().bold();

/// The width of lines with values.
const WIDTH: usize = 100;

/// A path from an initial state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PathView {
    /// The number of steps.
    pub length: usize,
    /// The steps from this one on (counted from 1) repeat for ever.
    pub loop_from: Option<usize>,
    /// All variables in the first state.
    pub initial: Vec<AssignmentView>,
    /// The steps in order.
    pub steps: Vec<PathStepView>,
}

/// A variable with its value.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AssignmentView {
    /// The variable.
    pub variable: String,
    /// Its value, as the model writes it.
    pub value: String,
}

/// A step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PathStepView {
    /// The process that runs; empty for `main`.
    pub process: Option<String>,
    /// The values of inputs during the step.
    pub inputs: Vec<AssignmentView>,
    /// What changes.
    pub changes: Vec<PathChangeView>,
}

/// A variable that changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PathChangeView {
    /// The variable.
    pub variable: String,
    /// Its value before.
    pub before: String,
    /// Its value after.
    pub after: String,
}

impl PathView {
    /// The view of a trace of the system.
    pub fn new(system: &System, trace: &Trace) -> PathView {
        let selector = system
            .events
            .iter()
            .find_map(|event| event.choice)
            .map(|(input, _)| input);
        let values = |state: &[Value], role: Role| -> Vec<AssignmentView> {
            let ids = system.variable_ids().filter(|id| Some(*id) != selector);
            let wanted = ids
                .filter(|id| (system.variable(*id).role == Role::Input) == (role == Role::Input));
            wanted
                .filter_map(|id| {
                    let value = system.show(*state.get(id.index())?);
                    Some(AssignmentView {
                        variable: system.variable(id).name.clone(),
                        value,
                    })
                })
                .collect()
        };
        let step = |pair: &[Vec<Value>]| PathStepView {
            process: process(system, &pair[0]),
            inputs: values(&pair[0], Role::Input),
            changes: changes(system, &pair[0], &pair[1]),
        };
        PathView {
            length: trace.steps(),
            loop_from: trace.loop_start.map(|start| start + 1),
            initial: trace
                .states
                .first()
                .map_or(Vec::new(), |state| values(state, Role::State)),
            steps: trace.states.windows(2).map(step).collect(),
        }
    }

    /// The path for people: the first state, then what changes, or with `full` the whole states.
    pub fn text(&self, verdict: Verdict, full: bool) -> String {
        let what = if verdict == Verdict::Violated {
            "Counter-example"
        } else {
            "Example"
        };
        let steps = plural(self.length as u64, "step", "steps");
        let mut text = format!("\n  {BOLD}{what}{BOLD:#}: {steps}\n\n    Initially:\n");
        text.push_str(&wrapped(&self.initial));
        match full {
            true => text.push_str(&self.states()),
            false => text.push_str(&self.table()),
        }
        if let Some(from) = self.loop_from {
            text.push_str(&format!(
                "    Steps {from} to {} repeat for ever.\n",
                self.length
            ));
        } else if self.steps.is_empty() {
            text.push_str("    This is the initial state: there is no step to show.\n");
        }
        text
    }

    /// What each step changes.
    fn table(&self) -> String {
        let columns = [
            ("#", Align::Right),
            ("process", Align::Left),
            ("inputs", Align::Left),
            ("changes", Align::Left),
        ];
        let rows: Vec<Vec<String>> = self.steps.iter().enumerate().map(row).collect();
        match rows.is_empty() {
            true => String::new(),
            false => format!("\n{}", layout(4, &columns, &rows)),
        }
    }

    /// All values after each step.
    fn states(&self) -> String {
        let mut state = self.initial.clone();
        let mut text = String::new();
        for (index, step) in self.steps.iter().enumerate() {
            for change in &step.changes {
                let known = state.iter_mut().find(|one| one.variable == change.variable);
                if let Some(known) = known {
                    known.value.clone_from(&change.after);
                }
            }
            text.push_str(&format!("\n    After step {}", index + 1));
            if let Some(process) = &step.process {
                text.push_str(&format!(" of {process}"));
            }
            if !step.inputs.is_empty() {
                text.push_str(&format!(" with {}", inputs(step)));
            }
            text.push_str(":\n");
            text.push_str(&wrapped(&state));
        }
        text
    }
}

fn row((index, step): (usize, &PathStepView)) -> Vec<String> {
    let changes: Vec<String> = step
        .changes
        .iter()
        .map(|change| format!("{}: {} -> {}", change.variable, change.before, change.after))
        .collect();
    let changes = if changes.is_empty() {
        "nothing".into()
    } else {
        changes.join(", ")
    };
    let process = step.process.clone().unwrap_or_default();
    vec![(index + 1).to_string(), process, inputs(step), changes]
}

/// The inputs of a step in one line.
fn inputs(step: &PathStepView) -> String {
    let inputs = step.inputs.iter();
    let shown = inputs.map(|input| format!("{} = {}", input.variable, input.value));
    shown.collect::<Vec<_>>().join(", ")
}

/// Values in lines of limited width.
fn wrapped(values: &[AssignmentView]) -> String {
    let mut text = String::new();
    let mut line = String::new();
    for value in values {
        let part = format!("{} = {}", value.variable, value.value);
        if !line.is_empty() && line.len() + part.len() + 2 > WIDTH {
            text.push_str(&format!("      {line},\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(&part);
    }
    if !line.is_empty() {
        text.push_str(&format!("      {line}\n"));
    }
    text
}

/// The process that the inputs of a state select.
fn process(system: &System, state: &[Value]) -> Option<String> {
    let chosen = system.events.iter().find(|event| {
        event.choice.is_some_and(|(input, code)| {
            let value = state.get(input.index()).copied();
            value.and_then(|value| system.variable(input).domain.code(value)) == Some(code)
        })
    });
    chosen.map(|event| event.name.clone())
}

fn changes(system: &System, before: &[Value], after: &[Value]) -> Vec<PathChangeView> {
    let pairs = before.iter().zip(after).zip(&system.variables);
    pairs
        .filter(|((before, after), variable)| before != after && variable.role != Role::Input)
        .map(|((before, after), variable)| PathChangeView {
            variable: variable.name.clone(),
            before: system.show(*before),
            after: system.show(*after),
        })
        .collect()
}
