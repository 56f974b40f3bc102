//! What can still be done: deadlocks, and transitions put off by those of higher priority.

use merkhet_network::code::Fault;

use crate::state::State;
use crate::state::participants::Choices;
use crate::time::{Moment, NEVER, Window, subtract};

/// Below every priority.
const LOWEST: (i32, i32) = (i32::MIN, i32::MIN);

impl State<'_> {
    /// The last moment from which some transition is still possible; before all moments if there is none. Where that is
    /// not known exactly it is the end of time: nobody takes such a state for a deadlock.
    pub fn alive_until(&mut self) -> Result<Moment, Fault> {
        if let (Some(fault), 1..) = (self.fault, self.failing) {
            return Err(fault);
        }
        let ahead = self.ahead()?;
        let mut candidates = std::mem::take(&mut self.scratch);
        let (mut choices, mut edges, mut windows) = (Choices::default(), Vec::new(), Vec::new());
        let mut last = -NEVER;
        let result = self.candidates(ahead, &mut candidates);
        let mut outcome = result.map(|()| -NEVER);
        for candidate in &candidates {
            if outcome.is_err() || last >= ahead.high {
                break;
            }
            if candidate.window.high <= last {
                continue;
            }
            windows.clear();
            match self.possible(*candidate, LOWEST, &mut choices, &mut edges, &mut windows) {
                Ok(true) => {
                    let high = windows.iter().map(|window: &Window| window.high);
                    last = high.fold(last, Moment::max);
                }
                Ok(false) => last = NEVER,
                Err(fault) => outcome = Err(fault),
            }
        }
        self.scratch = candidates;
        outcome.map(|_| last)
    }

    /// Takes from windows all in which a transition of higher priority than the given one is possible, or may be.
    pub fn yield_to_higher(
        &mut self,
        priority: (i32, i32),
        within: Window,
        windows: &mut Vec<Window>,
    ) -> Result<(), Fault> {
        let mut candidates = Vec::new();
        self.candidates(within, &mut candidates)?;
        let (mut choices, mut edges, mut higher) = (Choices::default(), Vec::new(), Vec::new());
        for candidate in candidates {
            if self.highest_priority(candidate.kind, &mut choices)? <= priority {
                continue;
            }
            higher.clear();
            match self.possible(candidate, priority, &mut choices, &mut edges, &mut higher)? {
                true => higher.iter().for_each(|window| subtract(windows, *window)),
                false => subtract(windows, candidate.window),
            }
        }
        Ok(())
    }
}
