//! A trace as what charts are drawn from.

use merkhet_interop::draw::{Moved, Moves};

use crate::view::TraceView;

/// The run in words.
pub fn moves(trace: &TraceView) -> Moves {
    let step = |step: &crate::view::StepView| Moved {
        time: step.time.clone(),
        moves: (step.moves.iter())
            .map(|part| {
                (
                    part.process.clone(),
                    part.source.clone(),
                    part.target.clone(),
                )
            })
            .collect(),
        sync: step.sync.clone(),
        changes: (step.changes.iter())
            .map(|change| format!("{} = {}", change.variable, change.after))
            .collect(),
    };
    let later = |delay: &&String| *delay != "0";
    Moves {
        steps: trace.steps.iter().map(step).collect(),
        until: (trace.last_delay.as_ref().filter(later)).map(|_| trace.duration.clone()),
    }
}
