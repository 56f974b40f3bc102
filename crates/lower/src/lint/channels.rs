//! Channels with nobody at the other end.

use super::facts::Facts;
use merkhet_network::ChannelKind;
use merkhet_syntax::{Diagnostic, Span};
use std::collections::HashSet;

/// Received from, but never sent over.
pub fn never_sent(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    for (span, used) in &facts.channels {
        if used.read && !used.written {
            let message = format!("nobody sends over `{}`", used.name);
            out.push(Diagnostic::warning("channel-never-sent", message, *span));
        }
    }
}

/// Sent over, but never received from, and not broadcast.
pub fn never_received(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    let network = &facts.lowered.network;
    let spans = &facts.lowered.tables.channel_spans;
    let broadcast: HashSet<Span> = (network.channels.iter().zip(spans))
        .filter(|(channel, _)| channel.kind == ChannelKind::Broadcast)
        .map(|(_, span)| *span)
        .collect();
    for (span, used) in &facts.channels {
        if used.written && !used.read && !broadcast.contains(span) {
            let message = format!("nobody receives from `{}`", used.name);
            out.push(Diagnostic::warning(
                "channel-never-received",
                message,
                *span,
            ));
        }
    }
}

/// Not used at all.
pub fn unused(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    for (span, used) in &facts.channels {
        if !used.written && !used.read {
            let message = format!("no edge uses the channel `{}`", used.name);
            out.push(Diagnostic::warning("channel-unused", message, *span));
        }
    }
}
