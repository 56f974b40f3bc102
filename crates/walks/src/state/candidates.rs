//! The transitions that are possible now or after a delay, as far as guards and invariants of the present tell.

use merkhet_network::code::Fault;

use crate::model::{SyncCode, span};
use crate::state::State;
use crate::time::Window;

/// A transition, or the choice between several that differ in who listens or takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Candidate {
    pub kind: Kind,
    /// When the guards (of the sender alone for a broadcast, of nobody for a vector) permit it.
    pub window: Window,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Internal(u32),
    /// Sender and receiver.
    Binary(u32, u32),
    /// The sender.
    Broadcast(u32),
    Vector(u32),
}

impl Kind {
    /// The edge that a walk counts: the one that sends.
    pub fn leader(self) -> Option<u32> {
        match self {
            Kind::Internal(edge) | Kind::Binary(edge, _) | Kind::Broadcast(edge) => Some(edge),
            Kind::Vector(_) => None,
        }
    }
}

impl State<'_> {
    /// Whether candidates are drawn from the lists, rather than enumerated: where nothing but windows rules them out.
    pub fn can_draw(&self) -> bool {
        self.committed.is_empty() && self.model.vectors.is_empty()
    }

    /// The number of candidates to draw from.
    pub fn drawable(&self) -> u64 {
        self.internal.len() as u64 + self.weights.total()
    }

    /// The candidate at a place below their number; `None` if its window is empty or its sender would receive from itself.
    #[inline]
    pub fn draw(&mut self, place: u64, within: Window) -> Result<Option<Candidate>, Fault> {
        self.touched += 1;
        if let Some(edge) = self.internal.get(place as usize) {
            let edge = *edge;
            let window = within.and(self.guard(edge)?);
            return Ok(some(Kind::Internal(edge), window));
        }
        let (channel, place) = self.weights.find(place - self.internal.len() as u64);
        if self.model.channels[channel].broadcast {
            let sender = self.senders[channel][place as usize];
            let window = within.and(self.guard(sender)?);
            return Ok(some(Kind::Broadcast(sender), window));
        }
        let receivers = self.receivers[channel].len() as u64;
        let sender = self.senders[channel][(place / receivers) as usize];
        let receiver = self.receivers[channel][(place % receivers) as usize];
        self.pair(sender, receiver, within)
    }

    fn pair(
        &mut self,
        sender: u32,
        receiver: u32,
        within: Window,
    ) -> Result<Option<Candidate>, Fault> {
        let edges = &self.model.edges;
        if edges[sender as usize].process == edges[receiver as usize].process {
            return Ok(None);
        }
        let window = within.and(self.guard(sender)?);
        if window.is_empty() {
            return Ok(None);
        }
        let window = window.and(self.guard(receiver)?);
        Ok(some(Kind::Binary(sender, receiver), window))
    }

    /// All candidates with a window that is not empty.
    pub fn candidates(&mut self, within: Window, found: &mut Vec<Candidate>) -> Result<(), Fault> {
        found.clear();
        if self.committed.is_empty() {
            for place in 0..self.drawable() {
                found.extend(self.draw(place, within)?);
            }
        } else {
            for index in 0..self.committed.len() {
                let process = self.committed[index];
                self.candidates_of(process, within, found)?;
            }
        }
        let vectors = 0..self.model.vectors.len() as u32;
        found.extend(vectors.map(|vector| Candidate {
            kind: Kind::Vector(vector),
            window: within,
        }));
        Ok(())
    }

    /// The candidates in which a committed process takes part; those that a committed process sends are left to that one.
    fn candidates_of(
        &mut self,
        process: u32,
        within: Window,
        found: &mut Vec<Candidate>,
    ) -> Result<(), Fault> {
        let model = self.model;
        let (_, location) = model.location(process, &self.machine.memory);
        self.touched += u64::from(location.kept.1 - location.kept.0);
        for edge in span(&model.lists, location.kept) {
            if self.place[*edge as usize] < super::FAILING {
                self.candidates_with(*edge, within, found)?;
            }
        }
        for switch in location.switches.0..location.switches.1 {
            for (_, edge) in span(&model.cases, self.chosen[switch as usize]) {
                self.candidates_with(*edge, within, found)?;
            }
        }
        for edge in span(&model.lists, location.listens) {
            let SyncCode::Receive(channel) = model.edges[*edge as usize].sync else {
                continue;
            };
            for index in 0..self.senders[channel as usize].len() {
                let sender = self.senders[channel as usize][index];
                let kind = Kind::Broadcast(sender);
                if !self.is_committed(model.edges[sender as usize].process)
                    && !found.iter().any(|candidate| candidate.kind == kind)
                {
                    let window = within.and(self.guard(sender)?);
                    found.extend(some(kind, window));
                }
            }
        }
        Ok(())
    }

    /// The candidates in which a committed process takes this edge.
    fn candidates_with(
        &mut self,
        edge: u32,
        within: Window,
        found: &mut Vec<Candidate>,
    ) -> Result<(), Fault> {
        let model = self.model;
        match model.edges[edge as usize].sync {
            SyncCode::Internal => {
                let window = within.and(self.guard(edge)?);
                found.extend(some(Kind::Internal(edge), window));
            }
            SyncCode::Send(channel) if model.channels[channel as usize].broadcast => {
                let window = within.and(self.guard(edge)?);
                found.extend(some(Kind::Broadcast(edge), window));
            }
            SyncCode::Send(channel) => {
                for index in 0..self.receivers[channel as usize].len() {
                    let receiver = self.receivers[channel as usize][index];
                    found.extend(self.pair(edge, receiver, within)?);
                }
            }
            SyncCode::Receive(channel) => {
                for index in 0..self.senders[channel as usize].len() {
                    let sender = self.senders[channel as usize][index];
                    if !self.is_committed(model.edges[sender as usize].process) {
                        found.extend(self.pair(sender, edge, within)?);
                    }
                }
            }
            SyncCode::Event(_) => {}
        }
        Ok(())
    }

    #[inline]
    pub(super) fn is_committed(&self, process: u32) -> bool {
        self.committed_at[process as usize] != super::ABSENT
    }

    /// Whether the committed rule permits these edges together.
    pub(super) fn obeys_commitment(&self, edges: &[u32]) -> bool {
        let model = self.model;
        self.committed.is_empty()
            || (edges.iter()).any(|edge| self.is_committed(model.edges[*edge as usize].process))
    }

    /// The priority of a transition: its channel's first, then the highest of its processes'.
    pub fn priority(&self, edges: &[u32]) -> (i32, i32) {
        let model = self.model;
        let channel = match model.edges[edges[0] as usize].sync {
            SyncCode::Send(channel) => model.channels[channel as usize].priority,
            _ => model.default_priority,
        };
        let priority = |edge: &u32| {
            let process = model.edges[*edge as usize].process;
            model.process_priorities[process as usize]
        };
        (channel, edges.iter().map(priority).max().unwrap_or(0))
    }
}

#[inline]
fn some(kind: Kind, window: Window) -> Option<Candidate> {
    (!window.is_empty()).then_some(Candidate { kind, window })
}
