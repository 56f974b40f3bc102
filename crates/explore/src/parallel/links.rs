//! What the owners of states need of each other, whether they are threads of one process ([`super::shared`]) or processes that
//! send each other bytes ([`super::remote`]).

use merkhet_semantics::{Cancellation, Fault};

use super::batch::Batch;
use super::owner::Owners;
use crate::search::frontier::Frontier;
use crate::store::StateId;
use crate::verdict::StopReason;

/// A state of some owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GlobalId {
    pub owner: u16,
    pub id: StateId,
}

impl GlobalId {
    /// An owner may store fewer states than this, with room for the successors of one expansion and one delivery.
    pub const MOST: usize = u32::MAX as usize / 2;

    pub fn new(owner: usize, id: StateId) -> GlobalId {
        let owner = owner as u16;
        GlobalId { owner, id }
    }
}

/// Whether an owner may expand its next state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gate {
    /// It may.
    Open,
    /// Not now: it sends what it has found, takes in what the others have, and asks again.
    Closed,
    /// Everything that was on its way has arrived everywhere, and nobody expands: now it can be written down.
    Still,
}

/// What one owner has, where it is written down.
pub(super) struct Part<'p, 's, 'c> {
    pub frontier: &'p Frontier<'s, 'c>,
    /// By state, the owner of its parent.
    pub origins: &'p [u16],
}

/// The way to the other owners.
pub(super) trait Links {
    /// Who owns what.
    fn owners(&self) -> &Owners;

    /// Whether all are to come to an end.
    fn ended(&self) -> bool;

    /// Cancellation of work within one expansion.
    fn cancellation(&self) -> Cancellation<'_>;

    /// A state satisfies the goal. It ends the search, unless it has a cost: then it does when nothing cheaper waits.
    fn found(&self, state: GlobalId, cost: Option<u64>);

    /// The cost of the cheapest goal so far: what costs as much already need not be expanded.
    fn bound(&self) -> u64;

    /// An evaluation failed. Where a `goal` is searched for, all go on: whether it is found must not depend on who was faster.
    fn fault(&self, fault: Fault, depth: u32, at: Option<GlobalId>, goal: bool);

    /// A limit is reached.
    fn stop(&self, reason: StopReason);

    /// Counts an expansion; says whether it is beyond the limit.
    fn begin_expansion(&self, limit: Option<u64>) -> bool;

    /// Sends a batch to an owner; it may come back empty, for its memory.
    fn send(&self, to: usize, batch: Batch) -> Option<Batch>;

    /// Whether there may be batches for an owner.
    fn has_mail(&self, of: usize) -> bool;

    /// Takes all batches for an owner, into a list that is empty.
    fn receive(&self, of: usize, batches: &mut Vec<Batch>);

    /// The states of a batch have been stored by an owner that is at work.
    fn dealt_with(&self, batch: &Batch);

    /// Whether the next state may be expanded.
    fn gate(&self) -> Gate;

    /// Writes down what an owner has, where [`Gate::Still`] asked for it.
    fn keep(&self, part: Part<'_, '_, '_>);

    /// Waits a little for something to change, where the gate is closed.
    fn rest(&self);

    /// An owner has nothing to do and has sent everything: waits for work; says whether there is any.
    fn wait(&self, of: usize) -> bool;

    /// Tells how far an owner has come.
    fn tell(&self, of: usize, frontier: &Frontier<'_, '_>);
}
