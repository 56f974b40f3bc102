//! One discrete state seen symbolically: for which clock valuations time may pass and moves are there.

use crate::fault::Fault;
use crate::federation::{Federation, time_predecessors};
use crate::moves::{After, Move, after, moves, ready, urgent};
use crate::rules::{Atom, Discrete, Rules};
use crate::zone::Zone;

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
        Ok(Some(Situation {
            rules,
            atoms,
            invariant,
            frozen: rules.frozen(&state),
            running: rules.running(&state)?,
            urgent: urgent(rules, &ready),
            moves: moves(rules, &state, &ready)?,
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

    /// Where a move leads, if its data let it lead anywhere from a set of valuations that satisfy its guard.
    pub(crate) fn after(&self, candidate: &Move) -> Result<Option<After>, Fault> {
        after(self.rules, &self.state, &candidate.edges)
    }

    /// The valuations of a set for which a move exists if priorities do not count: guard, exclusions, and invariants
    /// afterwards.
    pub(crate) fn existing(
        &self,
        candidate: &Move,
        within: &Federation,
    ) -> Result<Option<(Federation, After)>, Fault> {
        let set = self.guarded(candidate, within);
        if set.is_empty() {
            return Ok(None);
        }
        let Some(next) = self.after(candidate)? else {
            return Ok(None);
        };
        let set = set.constrain_all(&next.entry);
        Ok((!set.is_empty()).then_some((set, next)))
    }

    /// The same where priorities count too.
    pub(crate) fn possible(
        &self,
        candidate: &Move,
        within: &Federation,
    ) -> Result<Option<(Federation, After)>, Fault> {
        let Some((mut set, next)) = self.existing(candidate, within)? else {
            return Ok(None);
        };
        for other in &self.moves {
            if other.priority > candidate.priority
                && let Some((blocked, _)) = self.existing(other, &set)?
            {
                set = set.subtract(&blocked);
            }
        }
        Ok((!set.is_empty()).then_some((set, next)))
    }

    /// The valuations that satisfy the invariants and from which no move is there, now or after any delay.
    pub(crate) fn deadlocks(&self) -> Result<Federation, Trouble> {
        let here = Federation::from(self.invariant.clone());
        let mut goal = Federation::empty();
        for candidate in &self.moves {
            if let Some((set, _)) = self.existing(candidate, &here)? {
                goal = goal.union(set);
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
