//! Clocks: unused ones, invariants with lower bounds, guards where they are troublesome.

use super::facts::Facts;
use merkhet_network::{ChannelKind, Edge, Sync};
use merkhet_syntax::{Diagnostic, Severity, Span};
use std::collections::HashSet;

/// In no guard, invariant or query.
pub fn never_tested(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    for (span, used) in &facts.clocks {
        if !used.read {
            let message = format!("the clock `{}` is never tested", used.name);
            out.push(Diagnostic::warning("clock-never-tested", message, *span));
        }
    }
}

/// Tested, but never reset.
pub fn never_reset(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    for (span, used) in &facts.clocks {
        if used.read && !used.written {
            let message = format!("the clock `{}` is never reset", used.name);
            let note = Diagnostic::new(Severity::Note, "clock-never-reset", message, *span);
            out.push(note);
        }
    }
}

/// An invariant that bounds a clock from below.
pub fn lower_bound_invariant(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    let mut seen = HashSet::new();
    for process in &facts.lowered.network.processes {
        for location in &process.locations {
            for constraint in location.invariant.clocks.iter().filter(|c| c.is_lower()) {
                let Some(span) = facts
                    .span(constraint.site)
                    .filter(|span| seen.insert(*span))
                else {
                    continue;
                };
                let message = format!(
                    "the invariant of `{}` bounds a clock from below",
                    location.name
                );
                out.push(Diagnostic::warning(
                    "invariant-not-downward-closed",
                    message,
                    span,
                ));
            }
        }
    }
}

/// A clock guard on an urgent channel.
pub fn urgent_clock_guard(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    let network = &facts.lowered.network;
    each_guarded(facts, |edge, span| {
        if let Sync::Send(channel) | Sync::Receive(channel) = edge.sync
            && let Some(channel) = network.channels.get(channel.index()).filter(|c| c.urgent)
        {
            let message = format!("a clock guard on the urgent channel `{}`", channel.name);
            out.push(Diagnostic::warning("urgent-clock-guard", message, span));
        }
    });
}

/// A clock guard on a broadcast receiver.
pub fn broadcast_clock_guard(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    let network = &facts.lowered.network;
    each_guarded(facts, |edge, span| {
        if let Sync::Receive(channel) = edge.sync
            && let Some(channel) = (network.channels.get(channel.index()))
                .filter(|channel| channel.kind == ChannelKind::Broadcast)
        {
            let message = format!("a clock guard on a receiver of `{}`", channel.name);
            let note = Diagnostic::new(Severity::Note, "broadcast-clock-guard", message, span);
            out.push(note);
        }
    });
}

/// Each edge with a clock guard, once for all its copies.
fn each_guarded(facts: &Facts<'_>, mut look: impl FnMut(&Edge, Span)) {
    let mut seen = HashSet::new();
    for process in &facts.lowered.network.processes {
        for edge in &process.edges {
            if let Some(constraint) = edge.guard.clocks.first()
                && seen.insert(constraint.site)
                && let Some(span) = facts.span(constraint.site)
            {
                look(edge, span);
            }
        }
    }
}
