//! Which transitions a discrete state offers, and under which constraints on clocks.
//!
//! A transition is offered to the caller as a conjunction of constraints on the clocks. Only data are evaluated here; of
//! the zone just single constraints are tested, to drop early what it rules out.

use merkhet_network::code::Fault;
use merkhet_zones::bound::Bound;
use merkhet_zones::zone::{self, Constraint};

use crate::compile::spots::Spot;
use crate::data::Evaluator;
use crate::successors::reduced::NOT_KEPT;
use crate::system::{LocationCode, Start, System};
use crate::{EdgeIndex, State};

/// Why an enumeration ends early.
pub(crate) enum Halt {
    /// The caller has seen enough.
    Stopped,
    /// An evaluation failed.
    Fault(Fault),
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Halt {
        Halt::Fault(fault)
    }
}

/// Which transitions are asked for.
#[derive(Clone, Copy)]
pub(crate) enum Which<'a> {
    /// The moves that the committed rule permits.
    All,
    /// Those over urgent channels; of a broadcast only the sender counts.
    Urgent,
    /// The one with these edges.
    Only(&'a [EdgeIndex]),
}

/// A transition whose conditions on data hold.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'a> {
    /// The edges, in the order of their updates.
    pub edges: &'a [EdgeIndex],
    /// It is enabled where all of these hold.
    pub constraints: &'a [Constraint],
    /// The channel, or [`Start::INTERNAL`].
    pub channel: u32,
}

/// The stacks of an enumeration, kept for their memory.
#[derive(Default)]
pub(crate) struct Enumerator {
    pub edges: Vec<EdgeIndex>,
    pub constraints: Vec<Constraint>,
    /// The edges that broadcast receivers could take.
    pub offers: Vec<EdgeIndex>,
    /// The guards of these edges, for the case that they do not hold.
    pub refused: Vec<Constraint>,
}

/// A zone that rules constraints out.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'c> {
    pub zone: &'c [Bound],
    /// The number of its rows.
    pub rows: usize,
    /// By row of the whole zones its own, where it has some rows alone: what constrains others is not ruled out.
    pub positions: Option<&'c [u16]>,
}

impl Seen<'_> {
    #[inline]
    fn permits(&self, constraint: &Constraint) -> bool {
        let (mut left, mut right) = (usize::from(constraint.left), usize::from(constraint.right));
        if let Some(positions) = self.positions {
            let (first, second) = (positions[left], positions[right]);
            if first == NOT_KEPT || second == NOT_KEPT {
                return true;
            }
            (left, right) = (first.into(), second.into());
        }
        zone::is_consistent_with(self.zone, self.rows, left, right, constraint.bound)
    }
}

/// What an enumeration works on.
pub(crate) struct Context<'c, 's, V> {
    pub system: &'s System,
    pub evaluator: &'c mut Evaluator<'s>,
    /// The discrete state; the evaluator's memory begins with a copy of it.
    pub memory: &'c [i32],
    /// Constraints that contradict this zone are dropped.
    pub zone: Option<Seen<'c>>,
    pub which: Which<'c>,
    /// Some process is committed (and the rule counts).
    pub committed: bool,
    pub visit: V,
}

/// The caller's part in an enumeration.
pub(crate) trait Visit<'s> {
    /// Is told of each transition. The evaluator's memory must be left as it was found.
    fn visit(
        &mut self,
        evaluator: &mut Evaluator<'s>,
        candidate: Candidate<'_>,
    ) -> Result<(), Halt>;
}

impl<'s, F> Visit<'s> for F
where
    F: FnMut(&mut Evaluator<'s>, Candidate<'_>) -> Result<(), Halt>,
{
    fn visit(
        &mut self,
        evaluator: &mut Evaluator<'s>,
        candidate: Candidate<'_>,
    ) -> Result<(), Halt> {
        self(evaluator, candidate)
    }
}

impl<'s, V: Visit<'s>> Context<'_, 's, V> {
    #[inline]
    pub fn location(&self, process: u32) -> &'s LocationCode {
        self.system.location(process as usize, self.memory)
    }

    #[inline]
    pub fn spot(&self, process: u32) -> &'s Spot {
        self.system.spots.at(process as usize, self.memory)
    }

    /// Whether the committed rule lets a transition go in which this process takes part.
    #[inline]
    pub fn permitted(&self, process: u32) -> bool {
        !self.committed || self.spot(process).flags & Spot::COMMITTED != 0
    }

    #[inline]
    pub fn consistent(&self, constraints: &[Constraint]) -> bool {
        match &self.zone {
            Some(seen) => constraints
                .iter()
                .all(|constraint| seen.permits(constraint)),
            None => true,
        }
    }
}

/// Calls back for each transition of a state, in the documented order.
pub(crate) fn enumerate<'s, V: Visit<'s>>(
    stacks: &mut Enumerator,
    system: &'s System,
    evaluator: &mut Evaluator<'s>,
    state: State<'_>,
    which: Which<'_>,
    visit: V,
) -> Result<(), Halt> {
    let seen = Seen {
        zone: state.zone,
        rows: system.dimension,
        positions: None,
    };
    let seen = (!state.zone.is_empty()).then_some(seen);
    enumerate_seen(stacks, system, evaluator, state.memory, seen, which, visit)
}

/// As [`enumerate`], with what is known of the zone.
pub(crate) fn enumerate_seen<'s, V: Visit<'s>>(
    stacks: &mut Enumerator,
    system: &'s System,
    evaluator: &mut Evaluator<'s>,
    memory: &[i32],
    zone: Option<Seen<'_>>,
    which: Which<'_>,
    visit: V,
) -> Result<(), Halt> {
    let committed = system.facts.has_committed
        && !matches!(which, Which::Urgent)
        && (system.spots.of(memory)).any(|spot| spot.flags & Spot::COMMITTED != 0);
    let mut context = Context {
        system,
        evaluator,
        memory,
        zone,
        which,
        committed,
        visit,
    };
    stacks.edges.clear();
    stacks.constraints.clear();
    for process in 0..system.processes() as u32 {
        stacks.starting_at(&mut context, process)?;
    }
    if !matches!(which, Which::Urgent) {
        for vector in system.spots.vectors(memory, system.vectors.len()) {
            stacks.vector(&mut context, vector, 0, !committed)?;
        }
    }
    Ok(())
}

impl Enumerator {
    /// The transitions that an edge of this process starts.
    fn starting_at<'s, V: Visit<'s>>(
        &mut self,
        context: &mut Context<'_, 's, V>,
        process: u32,
    ) -> Result<(), Halt> {
        let spot = context.spot(process);
        let urgent = matches!(context.which, Which::Urgent);
        if urgent && spot.flags & Spot::SENDS_URGENTLY == 0 {
            return Ok(());
        }
        let permitted = context.permitted(process);
        for start in context.system.spots.starts(spot) {
            match context.which {
                Which::Only(edges) if edges.first() != Some(&start.edge) => continue,
                _ => {}
            }
            if start.channel == Start::INTERNAL {
                if permitted && !urgent && self.push(context, start.edge)? {
                    self.offer(context, start.channel)?;
                    self.pop();
                }
                continue;
            }
            let channel = &context.system.channels[start.channel as usize];
            if urgent && !channel.urgent {
                continue;
            }
            if channel.receivers.is_empty() && !channel.broadcast {
                continue;
            }
            if !self.push(context, start.edge)? {
                continue;
            }
            if !channel.broadcast {
                self.binary(context, process, start.channel)?;
            } else if urgent {
                self.offer(context, start.channel)?;
            } else {
                self.broadcast(context, process, start.channel, 0, permitted)?;
            }
            self.pop();
        }
        Ok(())
    }

    /// The receivers of a binary channel, one after the other.
    fn binary<'s, V: Visit<'s>>(
        &mut self,
        context: &mut Context<'_, 's, V>,
        sender: u32,
        channel: u32,
    ) -> Result<(), Halt> {
        let permitted = context.permitted(sender);
        let mark = self.constraints.len();
        for receiver in &context.system.channels[channel as usize].receivers {
            if *receiver == sender || !(permitted || context.permitted(*receiver)) {
                continue;
            }
            for edge in context.location(*receiver).receiving(channel) {
                if self.push(context, *edge)? {
                    self.offer(context, channel)?;
                    self.edges.pop();
                    self.constraints.truncate(mark);
                }
            }
        }
        Ok(())
    }

    /// The participants of a vector, from one on. `permitted`: the committed rule is satisfied by those before.
    fn vector<'s, V: Visit<'s>>(
        &mut self,
        context: &mut Context<'_, 's, V>,
        vector: usize,
        index: usize,
        permitted: bool,
    ) -> Result<(), Halt> {
        let Some(participant) = context.system.vectors[vector].get(index) else {
            if permitted && !self.edges.is_empty() {
                self.offer(context, Start::INTERNAL)?;
            }
            return Ok(());
        };
        let location = context.location(participant.process);
        let permitted_here = permitted || context.permitted(participant.process);
        let mark = self.constraints.len();
        let mut takes_part = false;
        for edge in location.taking_part(participant.event) {
            takes_part = true;
            if self.push(context, *edge)? {
                self.vector(context, vector, index + 1, permitted_here)?;
                self.edges.pop();
                self.constraints.truncate(mark);
            }
        }
        if !takes_part && participant.weak {
            self.vector(context, vector, index + 1, permitted)?;
        }
        Ok(())
    }

    /// Adds an edge and its constraints, if its data hold and the zone rules none of them out.
    #[inline]
    pub fn push<'s, V: Visit<'s>>(
        &mut self,
        context: &mut Context<'_, 's, V>,
        edge: EdgeIndex,
    ) -> Result<bool, Halt> {
        context.evaluator.go_on()?;
        let code = &context.system.edges[edge.index()];
        if !code.data.holds(context.evaluator)? {
            return Ok(false);
        }
        let mark = self.constraints.len();
        code.clocks
            .collect(context.evaluator, &mut self.constraints)?;
        if !context.consistent(&self.constraints[mark..]) {
            self.constraints.truncate(mark);
            return Ok(false);
        }
        self.edges.push(edge);
        Ok(true)
    }

    /// Removes everything: the starting edge is the first.
    fn pop(&mut self) {
        self.edges.clear();
        self.constraints.clear();
    }

    /// Tells the caller of the transition on the stacks.
    #[inline]
    pub fn offer<'s, V: Visit<'s>>(
        &mut self,
        context: &mut Context<'_, 's, V>,
        channel: u32,
    ) -> Result<(), Halt> {
        if let Which::Only(edges) = context.which
            && edges != self.edges
        {
            return Ok(());
        }
        let candidate = Candidate {
            edges: &self.edges,
            constraints: &self.constraints,
            channel,
        };
        context.visit.visit(context.evaluator, candidate)
    }
}

impl LocationCode {
    /// The edges that receive from a channel.
    #[inline]
    pub fn receiving(&self, channel: u32) -> impl Iterator<Item = &EdgeIndex> {
        with(&self.receives, channel)
    }

    /// The edges with an event.
    #[inline]
    pub fn taking_part(&self, event: u32) -> impl Iterator<Item = &EdgeIndex> {
        with(&self.events, event)
    }
}

fn with(pairs: &[(u32, EdgeIndex)], label: u32) -> impl Iterator<Item = &EdgeIndex> {
    // Few edges leave a location; where many do, the pairs are in order.
    let start = if pairs.len() > 8 {
        pairs.partition_point(|(other, _)| *other < label)
    } else {
        0
    };
    pairs[start..]
        .iter()
        .skip_while(move |(other, _)| *other < label)
        .take_while(move |(other, _)| *other == label)
        .map(|(_, edge)| edge)
}
