//! The run of a walk, in flat arrays.

use merkhet_network::{EdgeId, Ending, ProcessId, Step, Trace, Transition};

use crate::model::Model;
use crate::time::{LATEST, Moment};

/// The steps of a walk so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    edges: Vec<u32>,
    /// Where the edges of each step end, and when it is taken.
    steps: Vec<(u32, Moment)>,
}

impl Run {
    pub fn clear(&mut self) {
        self.edges.clear();
        self.steps.clear();
    }

    /// Keeps the first steps only.
    pub fn truncate(&mut self, steps: usize) {
        self.steps.truncate(steps);
        let edges = self.steps.last().map_or(0, |step| step.0);
        self.edges.truncate(edges as usize);
    }

    /// Whether the edges of another step might not be numbered any more.
    pub fn is_full(&self) -> bool {
        self.edges.len() >= 1 << 31
    }

    /// The edges of a step, and when it is taken.
    pub fn step(&self, index: usize) -> (&[u32], Moment) {
        let start = match index {
            0 => 0,
            index => self.steps[index - 1].0 as usize,
        };
        let (end, at) = self.steps[index];
        (&self.edges[start..end as usize], at)
    }

    /// When a step is begun: when the one before it is taken.
    pub fn before(&self, index: usize) -> Moment {
        match index {
            0 => 0,
            index => self.steps[index - 1].1,
        }
    }

    /// When the last step is taken.
    pub fn end(&self) -> Moment {
        self.steps.last().map_or(0, |step| step.1)
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn push(&mut self, edges: &[u32], at: Moment) {
        self.edges.extend_from_slice(edges);
        self.steps.push((self.edges.len() as u32, at));
    }

    pub fn bytes(&self) -> usize {
        self.edges.capacity() * size_of::<u32>()
            + self.steps.capacity() * size_of::<(u32, Moment)>()
    }

    /// A run that was made elsewhere; `None` if it has no edges of the model, or moments that are none of its ticks.
    pub fn of(model: &Model, trace: &Trace) -> Option<Run> {
        let factor = (model.scale % trace.scale == 0).then(|| 2 * (model.scale / trace.scale))?;
        let mut first = vec![0; model.processes];
        for (index, edge) in model.edges.iter().enumerate().rev() {
            first[edge.process as usize] = index as u32;
        }
        let (mut run, mut now) = (Run::default(), 0);
        for step in &trace.steps {
            now += step.delay.checked_mul(factor).filter(|_| now < LATEST)?;
            for (process, edge) in &step.transition.edges {
                let index = first.get(process.index())? + edge.0;
                let code = model.edges.get(index as usize)?;
                let same = code.process == process.0 && code.edge == edge.0;
                run.edges.push(same.then_some(index)?);
            }
            run.steps.push((run.edges.len() as u32, now));
        }
        (trace.ending == Ending::State).then_some(run)
    }

    /// The run as the judge takes it, with a last delay until a moment.
    pub fn trace(&self, model: &Model, until: Moment) -> Trace {
        let (mut start, mut now) = (0, 0);
        let steps = self.steps.iter().map(|(end, at)| {
            let edges = self.edges[start..*end as usize].iter().map(|edge| {
                let code = &model.edges[*edge as usize];
                (ProcessId(code.process), EdgeId(code.edge))
            });
            let transition = Transition {
                edges: edges.collect(),
            };
            let delay = (at - now) / 2;
            (start, now) = (*end as usize, *at);
            Step { delay, transition }
        });
        let steps = steps.collect();
        Trace {
            scale: model.scale,
            steps,
            last_delay: (until - now) / 2,
            ending: Ending::State,
        }
    }
}
