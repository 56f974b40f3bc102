//! One discrete state seen symbolically: for which clock valuations time may pass and moves are there.

use std::cell::OnceCell;

use crate::certificates::federation::{Federation, time_predecessors};
use crate::certificates::zone::Zone;
use crate::fault::Fault;
use crate::moves::{After, Move, after, moves, ready, urgent};
use crate::rules::{Atom, Discrete, Rules};

/// Why a symbolic question has no answer.
#[derive(Clone, Debug)]
pub(crate) enum Trouble {
    Fault(Fault),
    Unsupported(&'static str),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

/// A discrete state with what its data decide.
pub(crate) struct Situation<'n> {
    pub rules: Rules<'n>,
    pub state: Discrete,
    /// The invariants' constraints.
    pub atoms: Vec<Atom>,
    /// The valuations that satisfy them.
    pub invariant: Zone,
    /// No time passes: an urgent or committed location.
    pub frozen: bool,
    /// The rows that grow with time.
    pub running: Vec<bool>,
    /// The conjunctions under which a synchronisation over an urgent channel is possible.
    pub urgent: Vec<Vec<Atom>>,
    pub moves: Vec<Move>,
    /// Where each move leads, found out when it is first needed: an update that nothing leads to must not be run.
    afters: Vec<OnceCell<Result<Option<After>, Fault>>>,
}

impl<'n> Situation<'n> {
    /// `None` if no valuation satisfies the invariants.
    pub(crate) fn new(rules: Rules<'n>, state: Discrete) -> Result<Option<Self>, Fault> {
        let Some(atoms) = rules.invariant(&state)? else {
            return Ok(None);
        };
        let Some(invariant) = Zone::universe(rules.dimension()).constrain_all(&atoms) else {
            return Ok(None);
        };
        let ready = ready(rules, &state)?;
        let moves = moves(rules, &state, &ready)?;
        Ok(Some(Situation {
            afters: vec![OnceCell::new(); moves.len()],
            rules,
            atoms,
            invariant,
            frozen: rules.frozen(&state),
            running: rules.running(&state)?,
            urgent: urgent(rules, &ready),
            moves,
            state,
        }))
    }

    /// Whether some clock stands still here.
    pub(crate) fn has_stopped_clocks(&self) -> bool {
        self.running[1..].contains(&false)
    }

    /// Where something urgent is possible.
    pub(crate) fn hurry(&self) -> Federation {
        let dimension = self.rules.dimension();
        self.urgent
            .iter()
            .map(|atoms| Federation::conjunction(dimension, atoms))
            .fold(Federation::empty(), Federation::union)
    }

    /// The valuations of a set for which a move's guard holds and no exclusion does.
    pub(crate) fn guarded(&self, candidate: &Move, within: &Federation) -> Federation {
        let mut set = within.constrain_all(&candidate.guard);
        for conjunction in &candidate.excluded {
            set = set.subtract(&Federation::conjunction(
                self.rules.dimension(),
                conjunction,
            ));
        }
        set
    }

    /// Where a move leads; `None` where its data let it lead nowhere. Only for moves whose guard can hold.
    fn after(&self, index: usize) -> Result<Option<&After>, Fault> {
        let found = self.afters[index]
            .get_or_init(|| after(self.rules, &self.state, &self.moves[index].edges));
        match found {
            Ok(next) => Ok(next.as_ref()),
            Err(fault) => Err(*fault),
        }
    }

    /// The valuations of a set for which a move exists if priorities do not count: guard, exclusions, and invariants
    /// afterwards.
    pub(crate) fn existing(
        &self,
        index: usize,
        within: &Federation,
    ) -> Result<Option<(Federation, &After)>, Fault> {
        let set = self.guarded(&self.moves[index], within);
        if set.is_empty() {
            return Ok(None);
        }
        let Some(next) = self.after(index)? else {
            return Ok(None);
        };
        Ok(Some((set.constrain_all(&next.entry), next)))
    }

    /// Where a move is possible when priorities count too, and what it leads to.
    pub(crate) fn possible(
        &self,
        index: usize,
        within: &Federation,
    ) -> Result<Option<(Federation, &After)>, Fault> {
        let set = self.unhindered(index, within)?;
        if set.is_empty() {
            return Ok(None);
        }
        let Some(next) = self.after(index)? else {
            return Ok(None);
        };
        Ok(Some((set.constrain_all(&next.entry), next)))
    }

    /// The valuations of a set for which a move's guard holds and no move of higher priority is there.
    fn unhindered(&self, index: usize, within: &Federation) -> Result<Federation, Fault> {
        let mut set = self.guarded(&self.moves[index], within);
        let own = self.moves[index].priority;
        let mut higher: Vec<usize> = (0..self.moves.len())
            .filter(|&other| self.moves[other].priority > own)
            .collect();
        // The highest first: where it is possible the others are not executed, and cause no fault.
        higher.sort_by_key(|&other| std::cmp::Reverse(self.moves[other].priority));
        for other in higher {
            if let Some((hindered, _)) = self.existing(other, &set)? {
                set = set.subtract(&hindered);
            }
        }
        Ok(set)
    }

    /// The valuations that satisfy the invariants and from which no move is there, now or after any delay.
    pub(crate) fn deadlocks(&self) -> Result<Federation, Trouble> {
        let here = Federation::from(self.invariant.clone());
        let mut goal = Federation::empty();
        for index in 0..self.moves.len() {
            match self.possible(index, &here) {
                Ok(None) => {}
                Ok(Some((set, _))) => goal = goal.union(set),
                // Perhaps where no run ever is: it counts as possible. Where a run is, taking the move fails by itself.
                Err(_) => goal = goal.union(self.guarded(&self.moves[index], &here)),
            }
        }
        let alive = if self.frozen {
            goal
        } else if self.has_stopped_clocks() {
            return Err(Trouble::Unsupported("deadlock where a clock stands still"));
        } else {
            time_predecessors(&goal, &self.outside(&here), &self.hurry())
        };
        Ok(here.subtract(&alive))
    }

    /// All valuations that are not in a set.
    pub(crate) fn outside(&self, set: &Federation) -> Federation {
        Federation::from(Zone::universe(self.rules.dimension())).subtract(set)
    }
}
