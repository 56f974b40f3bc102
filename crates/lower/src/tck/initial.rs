//! Initial locations; where a process has several, a start location from which one is chosen.
//!
//! All processes with several initial locations choose in one transition, the first one: their start locations are
//! committed, and processes whose only initial location is committed get a start location too, so that nobody else can
//! move before.

use super::Lowering;
use merkhet_network::{
    Edge, EventId, Guard, Invariant, Location, LocationId, LocationKind, Participant, ProcessId,
    SiteId, Sync, SyncVector,
};
use merkhet_syntax::Diagnostic;

/// The name of start locations and of the event with which they are left; no identifier of the language.
const START: &str = "(start)";

/// Sets the initial location of every process.
pub(super) fn choose(lowering: &mut Lowering<'_>) {
    let choices: Vec<Vec<LocationId>> = lowering
        .process_ids()
        .map(|process| initial_locations(lowering, process))
        .collect();
    let several = choices.iter().any(|choice| choice.len() > 1);
    let mut starting = Vec::new();
    for (index, choice) in choices.iter().enumerate() {
        let process = &mut lowering.network.processes[index];
        let Some(&first) = choice.first() else {
            let name = &lowering.system.processes[index];
            let message = format!("process `{}` has no initial location", name.text);
            lowering.report(Diagnostic::error("no-initial-location", message, name.span));
            continue;
        };
        let committed = process.locations[first.index()].kind == LocationKind::Committed;
        if choice.len() > 1 || (several && committed) {
            starting.push(ProcessId::from(index));
        } else {
            process.initial = first;
        }
    }
    if starting.is_empty() {
        return;
    }
    let sync = match starting.len() {
        1 => Sync::Internal,
        _ => Sync::Event(start_together(lowering, &starting)),
    };
    for process in starting {
        start_from_nowhere(lowering, process, &choices[process.index()], sync);
    }
}

fn initial_locations(lowering: &Lowering<'_>, process: ProcessId) -> Vec<LocationId> {
    let name = &lowering.network.process(process).name;
    let declared = lowering.system.locations.iter();
    let own = declared.filter(|location| location.process.text == *name);
    own.enumerate()
        .filter(|(_, location)| location.initial)
        .map(|(index, _)| LocationId::from(index))
        .collect()
}

/// A vector of the processes that choose.
fn start_together(lowering: &mut Lowering<'_>, processes: &[ProcessId]) -> EventId {
    let event = EventId::from(lowering.network.events.len());
    lowering.network.events.push(START.into());
    let participant = |&process: &ProcessId| Participant {
        process,
        event,
        weak: false,
    };
    lowering.network.vectors.push(SyncVector {
        participants: processes.iter().map(participant).collect(),
    });
    event
}

fn start_from_nowhere(
    lowering: &mut Lowering<'_>,
    process: ProcessId,
    targets: &[LocationId],
    sync: Sync,
) {
    let process = &mut lowering.network.processes[process.index()];
    let start = LocationId::from(process.locations.len());
    process.locations.push(Location {
        name: START.into(),
        named: false,
        kind: LocationKind::Committed,
        invariant: Invariant::default(),
        labels: Vec::new(),
        position: None,
        site: SiteId::NONE,
    });
    process.initial = start;
    let first = process.edges.last().map_or(0, |edge| edge.origin + 1);
    for (origin, &target) in (first..).zip(targets) {
        process.edges.push(Edge {
            source: start,
            target,
            guard: Guard::default(),
            sync,
            update: Vec::new(),
            select: Vec::new(),
            origin,
            site: SiteId::NONE,
        });
    }
}
