//! A concrete state that is changed in place: a step costs what it changes.
//!
//! A clock that runs is kept as the moment of its reset, one that stands still as its value, so that time passes at no
//! cost. Which edges the data permit is kept, by process and by channel, and mended for the processes that moved or whose
//! conditions read something that changed. When an edge may be taken is worked out when it is asked.

mod alive;
mod candidates;
mod fire;
mod participants;
mod ready;
mod tournament;
mod urgent;
mod weights;
mod windows;

use merkhet_network::code::{CodeId, Fault, Machine};

use crate::model::{Model, Span};
use crate::state::tournament::Tournament;
use crate::state::weights::Weights;
use crate::time::{Moment, NEVER, Window};

pub(crate) use candidates::Candidate;
pub(crate) use fire::Fired;
pub(crate) use participants::Choices;

/// Not in a list.
const ABSENT: u32 = u32::MAX;
/// Not in a list, since its condition cannot be evaluated.
const FAILING: u32 = u32::MAX - 1;

/// A concrete state of a model.
#[derive(Clone, Debug)]
pub(crate) struct State<'m> {
    pub model: &'m Model,
    pub machine: Machine,
    /// The present moment, which is a tick.
    pub now: Moment,
    /// By row: the moment at which the clock was 0 where it runs, its value where it stands still. Row 0 is the constant 0.
    base: Vec<Moment>,
    /// By row: how many locations make the clock stand still.
    stops: Vec<u32>,
    /// By rate: whether its process is there and it is 0.
    stopping: Vec<bool>,
    /// By process: the last moment that its invariant permits.
    deadlines: Tournament,
    /// The number of processes at urgent or committed locations.
    frozen: u32,
    /// The processes at committed locations.
    committed: Vec<u32>,
    committed_at: Vec<u32>,
    /// The internal edges that the data permit.
    internal: Vec<u32>,
    /// By channel: the sending edges that the data permit, and the receiving ones of binary channels.
    senders: Vec<Vec<u32>>,
    receivers: Vec<Vec<u32>>,
    /// By edge: its place in its list.
    place: Vec<u32>,
    /// By switch: which of its cases the data permit.
    chosen: Vec<Span>,
    /// By switch: whether its expression cannot be evaluated.
    switch_fails: Vec<bool>,
    /// By binary channel: receiving edges whose conditions are asked once there is a sender, and by edge whether it is among
    /// them.
    stale: Vec<Vec<u32>>,
    is_stale: Vec<bool>,
    /// The number of edges and switches whose conditions cannot be evaluated, and the first fault of one.
    failing: u32,
    pub fault: Option<Fault>,
    /// By channel: the number of synchronisations.
    weights: Weights,
    /// The urgent channels with some synchronisation.
    urgent: Vec<u32>,
    urgent_at: Vec<u32>,
    /// Conditions, edges and candidates that were looked at, and entries that were copied in groups: a measure of the time
    /// that all of it took, over all walks.
    pub touched: u64,
    /// The conjunct of the goal that failed last.
    pub watched: usize,
    /// Instructions that evaluations have taken; it only grows.
    pub effort: u64,
    work: fire::Work,
    scratch: Vec<Candidate>,
}

impl<'m> State<'m> {
    /// The initial state. The invariants hold in it: whoever starts a walk has asked.
    pub fn initial(model: &'m Model) -> Result<State<'m>, Fault> {
        let machine = Machine::new(&model.program);
        let mut base = vec![0; model.clocks + 1];
        let mut stops = vec![0; model.clocks + 1];
        base[0] = 0;
        stops[0] = 1;
        let channels = model.channels.len();
        let mut state = State {
            model,
            machine,
            now: 0,
            base,
            stops,
            stopping: vec![false; model.rates.len()],
            deadlines: Tournament::new(model.processes),
            frozen: 0,
            committed: Vec::new(),
            committed_at: vec![ABSENT; model.processes],
            internal: Vec::new(),
            senders: vec![Vec::new(); channels],
            receivers: vec![Vec::new(); channels],
            place: vec![ABSENT; model.edges.len()],
            chosen: vec![(0, 0); model.switches.len()],
            switch_fails: vec![false; model.switches.len()],
            stale: vec![Vec::new(); channels],
            is_stale: vec![false; model.edges.len()],
            failing: 0,
            fault: None,
            weights: Weights::new(channels),
            urgent: Vec::new(),
            urgent_at: vec![ABSENT; channels],
            touched: 0,
            watched: 0,
            effort: 0,
            work: fire::Work::new(model),
            scratch: Vec::new(),
        };
        for process in 0..model.processes as u32 {
            state.arrive(process)?;
        }
        state.wake()?;
        for process in 0..model.processes as u32 {
            state.settle_deadline(process)?;
        }
        Ok(state)
    }

    /// Becomes a copy of another state of the model, keeping its memory.
    pub fn become_copy(&mut self, other: &State<'m>) {
        let entries = self.machine.memory.len() + self.place.len() + self.senders.len();
        self.touched += (entries / 4) as u64;
        self.machine.memory.clone_from(&other.machine.memory);
        self.now = other.now;
        self.base.clone_from(&other.base);
        self.stops.clone_from(&other.stops);
        self.stopping.clone_from(&other.stopping);
        self.deadlines.clone_from(&other.deadlines);
        self.frozen = other.frozen;
        self.committed.clone_from(&other.committed);
        self.committed_at.clone_from(&other.committed_at);
        self.internal.clone_from(&other.internal);
        self.senders.clone_from(&other.senders);
        self.receivers.clone_from(&other.receivers);
        self.place.clone_from(&other.place);
        self.chosen.clone_from(&other.chosen);
        self.switch_fails.clone_from(&other.switch_fails);
        self.stale.clone_from(&other.stale);
        self.is_stale.clone_from(&other.is_stale);
        self.failing = other.failing;
        self.weights.clone_from(&other.weights);
        self.urgent.clone_from(&other.urgent);
        self.urgent_at.clone_from(&other.urgent_at);
    }

    #[inline]
    pub fn holds(&mut self, code: CodeId) -> Result<bool, Fault> {
        let holds = self.machine.holds(&self.model.program, code);
        self.effort += self.machine.used;
        holds
    }

    #[inline]
    fn permits(&mut self, condition: Option<CodeId>) -> Result<bool, Fault> {
        match condition {
            None => Ok(true),
            Some(code) => self.holds(code),
        }
    }

    /// The moments from now on until which time may pass.
    #[inline]
    pub fn ahead(&mut self) -> Result<Window, Fault> {
        let mut high = self.now;
        if self.frozen == 0 {
            high = self.deadlines.first();
            if self.model.has_urgent_channels && high > self.now {
                high = high.min(self.urgent_limit()?);
            }
        }
        Ok(Window {
            low: self.now,
            high: high.min(NEVER),
        })
    }
}
