//! Likely mistakes in SMV models.

use merkhet_finite::{Formula, Role, System};
use merkhet_syntax::{Diagnostic, FileId, Span};
use rustc_hash::FxHashSet;

/// Most names that are listed in one message.
const MOST_NAMES: usize = 8;

/// Warnings about a model that could be lowered.
pub(super) fn lint(system: &System, specifications: usize) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    if specifications == 0 {
        let message = "the model has no specification: there is nothing to check";
        warnings.push(Diagnostic::warning(
            "smv-no-specification",
            message,
            nowhere(),
        ));
    }
    warnings.extend(fault(system));
    let mentioned = mentioned(system);
    let of = |wanted: &dyn Fn(u32) -> bool| -> Vec<&str> {
        let ids = (0..system.variables.len() as u32).filter(|id| wanted(*id));
        ids.map(|id| system.variables[id as usize].name.as_str())
            .collect()
    };
    let state = |id: u32| system.variables[id as usize].role != Role::Input;
    let unused = of(&|id| state(id) && !mentioned.contains(&id));
    if !unused.is_empty() {
        let message = format!("nothing depends on {} or constrains it", list(&unused));
        warnings.push(Diagnostic::warning(
            "smv-unused-variable",
            message,
            nowhere(),
        ));
    }
    warnings
}

/// Memory for looking for faults.
const MEMORY: u64 = 1 << 30;

/// An expression without a value, or with one outside a domain: `check` gives no answer then.
fn fault(system: &System) -> Option<Diagnostic> {
    let patient: merkhet_unroll::Interrupt = std::sync::Arc::new(|| false);
    let fault = merkhet_unroll::first_fault(system, &patient, MEMORY).ok()??;
    let span = fault.place.map_or(nowhere(), |place| {
        Span::new(FileId::MODEL, place.start, place.end)
    });
    Some(Diagnostic::warning("smv-fault", fault.message, span))
}

fn nowhere() -> Span {
    Span::new(FileId::MODEL, 0, 0)
}

/// The variables that some constraint or specification mentions.
fn mentioned(system: &System) -> FxHashSet<u32> {
    let mut roots = system.initial.clone();
    roots.extend(&system.invariants);
    roots.extend(&system.justice);
    for (premise, conclusion) in &system.compassion {
        roots.extend([premise, conclusion]);
    }
    roots.extend(system.events.iter().flat_map(|event| &event.relation));
    for specification in &system.specifications {
        match &specification.formula {
            Formula::Ctl(formula) => formula.atoms(&mut roots),
            Formula::Ltl(formula) => formula.atoms(&mut roots),
            Formula::Invariant(id) => roots.push(*id),
            Formula::PathLength { from, to, .. } => roots.extend([*from, *to]),
        }
    }
    let support = system.support(&roots);
    support
        .current
        .iter()
        .chain(&support.next)
        .map(|id| id.0)
        .collect()
}

fn list(names: &[&str]) -> String {
    let shown: Vec<String> = names
        .iter()
        .take(MOST_NAMES)
        .map(|name| format!("`{name}`"))
        .collect();
    match names.len().checked_sub(MOST_NAMES).filter(|more| *more > 0) {
        Some(more) => format!("{} and {more} more", shown.join(", ")),
        None => shown.join(", "),
    }
}
