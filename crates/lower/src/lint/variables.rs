//! Variables that are not read, not written, or neither.

use super::facts::{Facts, Use};
use merkhet_network::Region;
use merkhet_syntax::{Diagnostic, Span};
use std::collections::HashSet;

/// The variables that are part of the state.
fn state_variables<'f>(facts: &'f Facts<'_>) -> impl Iterator<Item = &'f (Span, Use)> {
    let network = &facts.lowered.network;
    let spans = &facts.lowered.tables.variable_spans;
    let state: HashSet<Span> = (network.variables.iter().zip(spans))
        .filter(|(variable, _)| variable.base.region == Region::State)
        .map(|(_, span)| *span)
        .collect();
    (facts.variables.iter()).filter(move |(span, _)| state.contains(span))
}

/// Written, but never read.
pub fn never_read(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    for (span, used) in state_variables(facts) {
        if used.written && !used.read {
            let message = format!("nothing reads `{}`", used.name);
            out.push(Diagnostic::warning("variable-never-read", message, *span));
        }
    }
}

/// Read, but never written.
pub fn never_written(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    for (span, used) in state_variables(facts) {
        if used.read && !used.written {
            let message = format!("`{}` never changes", used.name);
            out.push(
                Diagnostic::warning("variable-never-written", message, *span)
                    .with_hint("declare it `const`"),
            );
        }
    }
}

/// Neither read nor written.
pub fn unused(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    for (span, used) in state_variables(facts) {
        if !used.read && !used.written {
            let message = format!("`{}` is not used", used.name);
            out.push(Diagnostic::warning("variable-unused", message, *span));
        }
    }
}
