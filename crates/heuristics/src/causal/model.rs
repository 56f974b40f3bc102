//! The small graphs: one for each automaton and each variable.

use merkhet_network::{EdgeId, ProcessId};

/// A part of the state, with the ways to change it.
#[derive(Clone, Debug, Default)]
pub(super) struct VertexModel {
    /// Where its value is in a state's memory.
    pub slot: u32,
    /// The smallest value.
    pub low: i32,
    /// The number of values; 0 if they are too many to be looked at.
    pub size: u32,
    /// The parts that its steps ask something of, as vertices: the contexts of its values.
    pub predecessors: Vec<u32>,
    /// The predecessors, theirs, and so on.
    pub ancestors: Vec<u32>,
    /// For each value, the range of the steps from it.
    pub steps: Vec<(u32, u32)>,
}

impl VertexModel {
    /// Whether its values are looked at.
    pub fn tracked(&self) -> bool {
        self.size > 0
    }
}

/// A step to another value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub to: u16,
    /// The range of what it needs.
    pub needs: (u32, u32),
    /// The range of the transitions that make it, in [`Model::step_labels`].
    pub labels: (u32, u32),
}

/// What a step needs of a predecessor, and where it leaves it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Need {
    /// One of these pairs of values before and after.
    Pairs { slot: u16, first: u32, last: u32 },
    /// Any value; this one afterwards.
    Set { slot: u16, after: u16 },
}

/// The whole model.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    /// The processes, then the cells.
    pub vertices: Vec<VertexModel>,
    pub steps: Vec<Step>,
    pub needs: Vec<Need>,
    pub pairs: Vec<(u16, u16)>,
    /// Transitions that make steps, by number.
    pub step_labels: Vec<u32>,
    /// The edges of each transition.
    pub labels: Vec<Vec<(ProcessId, EdgeId)>>,
}

impl Model {
    /// The edges of the transitions that make a step.
    pub fn edges_of(&self, step: u32) -> impl Iterator<Item = (ProcessId, EdgeId)> {
        let (first, last) = self.steps[step as usize].labels;
        self.step_labels[first as usize..last as usize]
            .iter()
            .flat_map(|label| &self.labels[*label as usize])
            .copied()
    }

    /// The value of each part in a state, from 0.
    pub fn read(&self, memory: &[i32], values: &mut [u16]) {
        for (value, vertex) in values.iter_mut().zip(&self.vertices) {
            let known = memory[vertex.slot as usize].wrapping_sub(vertex.low);
            *value = known.clamp(0, vertex.size.saturating_sub(1) as i32) as u16;
        }
    }
}
