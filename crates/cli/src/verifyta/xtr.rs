//! Traces as `.xtr` files.
//!
//! A state is the locations (numbered within their processes), the constraints of the zone (`i j bound`, the bound
//! doubled and odd if strict) and the values of the variables, each part ended by a dot; a step is the state that it
//! leads to and its edges (`process edge select…;`). A last dot ends the file.

use merkhet::explore::SymbolicState;
use merkhet::replay::Replayed;

use super::numbering::Numbering;

/// The whole file.
pub fn render(numbering: &Numbering<'_>, run: &Replayed, states: &[SymbolicState]) -> String {
    let mut text = String::new();
    for (index, symbolic) in states.iter().enumerate() {
        state(numbering, symbolic, &mut text);
        let Some(step) = index
            .checked_sub(1)
            .and_then(|before| run.steps.get(before))
        else {
            continue;
        };
        for taken in &step.edges {
            let edge = numbering.taken(taken);
            text += &format!("{} {} ", taken.process.index(), edge.origin);
            for (_, value) in &edge.select {
                text += &format!("{value} ");
            }
            text += "; ";
        }
        text += ".\n";
    }
    text + ".\n"
}

fn state(numbering: &Numbering<'_>, state: &SymbolicState, text: &mut String) {
    for process in numbering.network.process_ids() {
        *text += &format!("{} ", state.location(process).index());
    }
    *text += "\n.\n";
    for constraint in state.constraints() {
        let bound = 2 * i64::from(constraint.bound.constant) + i64::from(constraint.bound.strict);
        *text += &format!("{} {} {bound}\n.\n", constraint.first, constraint.second);
    }
    *text += ".\n";
    for value in state.values() {
        *text += &format!("{value} ");
    }
    *text += "\n.\n";
}
