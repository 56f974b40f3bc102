//! Warnings about models that load but probably do not mean what their author thinks.
//!
//! Each lint has a stable name by which it can be silenced. A new lint is one function and one line in [`LINTS`].

mod channels;
mod clocks;
mod constants;
mod facts;
mod graph;
mod invariants;
mod shadow;
mod unused;
mod variables;

use crate::model::Lowered;
use facts::Facts;
use merkhet_syntax::tree::Model;
use merkhet_syntax::{Diagnostic, FileId};

/// A lint.
pub struct LintSpec {
    /// Its name: the code of its messages.
    pub name: &'static str,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// Why that matters and what to do about it.
    pub explanation: &'static str,
    /// Looks for it; `None` for warnings that come up while the model is loaded.
    check: Option<fn(&Facts<'_>, &mut Vec<Diagnostic>)>,
}

/// All lints, in the order in which they are listed and run.
pub const LINTS: &[LintSpec] = &[
    LintSpec {
        name: "channel-never-sent",
        summary: "a channel is received from, but nobody sends over it",
        explanation: "Edges that receive from it can never be taken. Perhaps the sender is not part of the system, or \
                      it uses another element of the array.",
        check: Some(channels::never_sent),
    },
    LintSpec {
        name: "channel-never-received",
        summary: "a binary channel is sent over, but nobody receives from it",
        explanation: "Edges that send over it can never be taken. If the sender should go alone, declare the channel \
                      `broadcast`.",
        check: Some(channels::never_received),
    },
    LintSpec {
        name: "channel-unused",
        summary: "a channel is declared, but no edge uses it",
        explanation: "Remove it, or the processes that use it are missing from the system.",
        check: Some(channels::unused),
    },
    LintSpec {
        name: "variable-never-read",
        summary: "a variable is written, but neither the model nor a query reads it",
        explanation: "It makes states different that behave the same, which costs time and memory. Remove it, or \
                      declare it `meta`.",
        check: Some(variables::never_read),
    },
    LintSpec {
        name: "variable-never-written",
        summary: "a variable is read, but never changes",
        explanation: "Declare it `const`: it is then folded into guards and bounds.",
        check: Some(variables::never_written),
    },
    LintSpec {
        name: "variable-unused",
        summary: "a variable is neither read nor written",
        explanation: "Remove it.",
        check: Some(variables::unused),
    },
    LintSpec {
        name: "clock-never-tested",
        summary: "a clock occurs in no guard, invariant or query",
        explanation: "Every clock makes zones larger. Remove it.",
        check: Some(clocks::never_tested),
    },
    LintSpec {
        name: "clock-never-reset",
        summary: "a clock is tested, but never reset",
        explanation: "It measures the time since the start. If that is not meant, a reset is missing.",
        check: Some(clocks::never_reset),
    },
    LintSpec {
        name: "invariant-not-downward-closed",
        summary: "an invariant bounds a clock from below",
        explanation: "Such an invariant does not limit how long a process may stay; it forbids to enter too early. A \
                      guard on the incoming edges says that more clearly, and UPPAAL rejects lower bounds in \
                      invariants.",
        check: Some(clocks::lower_bound_invariant),
    },
    LintSpec {
        name: "unsatisfiable-invariant",
        summary: "no values of the clocks satisfy the invariant of a location",
        explanation: "Nothing can ever be there: transitions that lead there cannot be taken, and an initial location like \
                      that leaves no state at all. Look at the bounds.",
        check: Some(invariants::unsatisfiable),
    },
    LintSpec {
        name: "urgent-clock-guard",
        summary: "an edge over an urgent channel has a guard on clocks",
        explanation: "Whether time may pass then depends on clocks, which zones cannot express exactly; UPPAAL does \
                      not allow it.",
        check: Some(clocks::urgent_clock_guard),
    },
    LintSpec {
        name: "broadcast-clock-guard",
        summary: "a broadcast receiver has a guard on clocks",
        explanation: "Zones are split by such guards, and the `deadlock` predicate cannot be used with them.",
        check: Some(clocks::broadcast_clock_guard),
    },
    LintSpec {
        name: "unreachable-location",
        summary: "no path of edges leads from the initial location to a location",
        explanation: "The process can never be there, whatever the guards are.",
        check: Some(graph::unreachable_location),
    },
    LintSpec {
        name: "unreachable-edge",
        summary: "an edge leaves a location that cannot be reached",
        explanation: "It can never be taken, whatever the guards are.",
        check: Some(graph::unreachable_edge),
    },
    LintSpec {
        name: "committed-receive",
        summary: "a committed location can only be left by receiving",
        explanation: "Unless another process is ready to send at that very moment, nothing can happen any more: a \
                      committed location allows no delay and no other transition.",
        check: Some(graph::committed_receive),
    },
    LintSpec {
        name: "constant-guard",
        summary: "a guard is always true or always false",
        explanation: "It is so in every instance of the template: perhaps a constant stands where a variable is meant.",
        check: Some(constants::constant_guard),
    },
    LintSpec {
        name: "shadowed-name",
        summary: "a name hides another one that is declared around it",
        explanation: "What is meant depends on where it is written. Rename one of them.",
        check: Some(shadow::shadowed_names),
    },
    LintSpec {
        name: "unused-template",
        summary: "a template has no process in the system",
        explanation: "It is not part of what is checked.",
        check: Some(unused::templates),
    },
    LintSpec {
        name: crate::process::UNUSED_TEMPLATE_FAULT,
        summary: "a template without a process has an error",
        explanation: "What is checked does not depend on it, but UPPAAL rejects the model.",
        check: None,
    },
    LintSpec {
        name: "unused-function",
        summary: "a function is never called",
        explanation: "Remove it.",
        check: Some(unused::functions),
    },
    LintSpec {
        name: "unused-parameter",
        summary: "a parameter is never used",
        explanation: "Remove it from the template or function and from its instances or calls.",
        check: Some(unused::parameters),
    },
    LintSpec {
        name: "no-effect",
        summary: "an expression in an update changes nothing",
        explanation: "Perhaps `==` stands where `=` is meant.",
        check: None,
    },
    LintSpec {
        name: "branch-synchronisation",
        summary: "an edge that leaves a branch point synchronises",
        explanation: "It is taken as an edge of its own from the location before the branch point: it is possible \
                      only where its channel is.",
        check: None,
    },
    LintSpec {
        name: crate::run::report::UNSUPPORTED,
        summary: "something outside the symbolic language is left out",
        explanation: "What depends on it cannot be checked; where that is the whole model, it is an error instead.",
        check: None,
    },
];

/// Runs all lints over a model that loads.
pub fn lint(model: &Model, lowered: &Lowered) -> Vec<Diagnostic> {
    let facts = Facts::new(model, lowered);
    let mut messages = Vec::new();
    for lint in LINTS {
        if let Some(check) = lint.check {
            check(&facts, &mut messages);
        }
    }
    for message in &mut messages {
        if message.span.file == FileId::MODEL {
            message.context = model.sections.context(message.span);
        }
    }
    messages
}
