//! Broadcast: every receiver that can take part must.
//!
//! Where receivers have clock guards, whether they can depends on the valuation: the transition is split into parts, in
//! each of which it is settled who joins. A receiver that stays away contributes the negation of all its guards, as
//! disjoint conjunctions.

use merkhet_zones::bound::negate;
use merkhet_zones::zone::Constraint;

use crate::EdgeIndex;
use crate::successors::enumerate::{Context, Enumerator, Halt, Visit};

/// What is settled once for a broadcast.
#[derive(Clone, Copy)]
struct Call {
    sender: u32,
    channel: u32,
}

impl Enumerator {
    /// Enumerates the receivers' choices. `permitted`: the committed rule is satisfied by the sender.
    pub fn broadcast<'s, V: Visit<'s>>(
        &mut self,
        context: &mut Context<'_, 's, V>,
        sender: u32,
        channel: u32,
        first: usize,
        permitted: bool,
    ) -> Result<(), Halt> {
        self.offers.clear();
        self.refused.clear();
        self.receiver(context, Call { sender, channel }, first, permitted)
    }

    /// The choices of the receivers from one on.
    fn receiver<'s, V: Visit<'s>>(
        &mut self,
        context: &mut Context<'_, 's, V>,
        call: Call,
        index: usize,
        permitted: bool,
    ) -> Result<(), Halt> {
        let receivers = &context.system.channels[call.channel as usize].receivers;
        let Some(&receiver) = receivers.get(index) else {
            if permitted {
                self.offer(context, call.channel)?;
            }
            return Ok(());
        };
        if receiver == call.sender {
            return self.receiver(context, call, index + 1, permitted);
        }
        let first_offer = self.offers.len();
        let mut always = false;
        for &edge in context.location(receiver).receiving(call.channel) {
            let code = &context.system.edges[edge.index()];
            if code.data.holds(context.evaluator)? {
                always |= code.clocks.is_empty();
                self.offers.push(edge);
            }
        }
        let joined = permitted || context.permitted(receiver);
        let mark = self.constraints.len();
        for offer in first_offer..self.offers.len() {
            let edge: EdgeIndex = self.offers[offer];
            if self.push(context, edge)? {
                self.receiver(context, call, index + 1, joined)?;
                self.edges.pop();
                self.constraints.truncate(mark);
            }
        }
        if !always {
            let last_offer = self.offers.len();
            self.stays_away(context, call, index, permitted, first_offer..last_offer)?;
        }
        self.offers.truncate(first_offer);
        Ok(())
    }

    /// The parts in which none of the offers' guards hold, from one offer on.
    fn stays_away<'s, V: Visit<'s>>(
        &mut self,
        context: &mut Context<'_, 's, V>,
        call: Call,
        index: usize,
        permitted: bool,
        offers: std::ops::Range<usize>,
    ) -> Result<(), Halt> {
        if offers.is_empty() {
            return self.receiver(context, call, index + 1, permitted);
        }
        context.evaluator.go_on()?;
        let code = &context.system.edges[self.offers[offers.start].index()];
        let first = self.refused.len();
        code.clocks.collect(context.evaluator, &mut self.refused)?;
        let mark = self.constraints.len();
        for position in first..self.refused.len() {
            // The first so many hold, this one does not.
            let guard = self.refused[position];
            let not = negation(guard);
            self.constraints.push(not);
            if context.consistent(&[not]) {
                let rest = offers.start + 1..offers.end;
                self.stays_away(context, call, index, permitted, rest)?;
            }
            self.constraints.truncate(mark + position - first);
            self.constraints.push(guard);
            if !context.consistent(&[guard]) {
                break;
            }
        }
        self.constraints.truncate(mark);
        self.refused.truncate(first);
        Ok(())
    }
}

/// The constraint that holds exactly where the given one does not.
pub(crate) fn negation(constraint: Constraint) -> Constraint {
    Constraint {
        left: constraint.right,
        right: constraint.left,
        bound: negate(constraint.bound),
    }
}
