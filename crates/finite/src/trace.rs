//! Traces: paths of a system, with a loop if they are endless.

use crate::{Role, System, Value};

/// A path of the system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// One value per variable of the system, by number. The values of inputs are those of the
    /// step that leaves the state.
    pub states: Vec<Vec<Value>>,
    /// The path goes on for ever: its last state is the one with this number again.
    pub loop_start: Option<usize>,
}

impl Trace {
    /// The number of steps.
    pub fn steps(&self) -> usize {
        self.states.len().saturating_sub(1)
    }

    /// The states as names and values for the reader; inputs are left out of the last state, from
    /// which no step is taken.
    pub fn named(&self, system: &System) -> Vec<Vec<(String, String)>> {
        let last = self.states.len().saturating_sub(1);
        let show = |(position, state): (usize, &Vec<Value>)| {
            let pairs = system.variables.iter().zip(state);
            pairs
                .filter(|(variable, _)| variable.role != Role::Input || position < last)
                .map(|(variable, value)| (variable.name.clone(), system.show(*value)))
                .collect()
        };
        self.states.iter().enumerate().map(show).collect()
    }
}
