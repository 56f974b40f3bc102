//! Checking a certificate.
//!
//! Let the certificate have, for each discrete state D, zones Z₁, Z₂, … and clock bounds L(D), U(D) (all clocks exact if
//! it names none). It stands for the set
//!
//! > S = { (D, v) | v satisfies the invariants of D, and v ≼ v' for some v' in a zone of D },
//!
//! where ≼ is the preorder of [`crate::certificates::simulation`] for L(D) and U(D). Checked is:
//!
//! 1. The initial state is in S.
//! 2. At every D the preorder *carries* what decides about delay and transitions: each constraint of D's invariants, of
//!    the guards of its moves, and of the invariants after a move (as constraints before it). What prevents something
//!    must be carried together with its negation: the guards of synchronisations over urgent channels (they stop time),
//!    the guards of broadcast receivers and weak participants that stay out, and with priorities the guards of all
//!    moves and the invariants after them.
//! 3. For a move from D to D' that some zone of D allows, the bounds do not grow on the way: L(D')(x) ≤ L(D)(x) for every
//!    clock that the move leaves alone (for x := y + c, L(D')(x) − c ≤ L(D)(y)), the same for U. So v ≼ v' before
//!    the move gives v ≼ v' after it.
//! 4. Every valuation that a delay or a move reaches from a valuation in a zone of D is in S.
//! 5. No zone of D, within the invariants, meets the bad condition, whose constraints ≼ carries. If the condition asks
//!    about deadlock, L(D) = U(D): then ≼ is symmetric, by 2 a bisimulation, and a deadlock is simulated by a
//!    deadlock.
//!
//! *Then S is closed and has no bad state.* Let (D, v) be in S with v ≼ v' ∈ Z. If a delay d or a move leads from v to
//! v₁, the same leads from v' to some v₁' with v₁ ≼ v₁': delay adds the same to both (the three cases of ≼ are kept),
//! invariants are carried at every moment, urgency does not stop v' where it does not stop v, and by 2 and 3 the same
//! holds for moves. By 4, v₁' ≼ v₁'' for a v₁'' in a zone of the target, and ≼ is transitive, so (D₁, v₁) is in S.
//! If v were bad, so would be v' (5). Hence every reachable state is in S and none is bad.
//!
//! Zones may be larger than what is reachable, for instance extrapolated: 4 asks for the exact successors of the zones
//! that are there, which lie within their extrapolation. Where the bounds are absent or exact, ≼ is equality and 4 is
//! inclusion in a union of zones; with constraints on differences, 2 asks for exact clocks.
//!
//! Where clocks stand still, delay is over-approximated by zones, which can only refuse more. `meta` variables are not
//! part of a certificate: a move that reads one before it writes it is refused.

use std::collections::HashMap;
use std::fmt;

use merkhet_network::{Formula, LocationId, Network, Query, QueryKind};

use crate::certificates::boxes;
use crate::certificates::certificate::{
    Certificate, ClockBounds, EXACT, Entry, INFINITY, UNCOMPARED,
};
use crate::certificates::federation::{Federation, time_successors};
use crate::certificates::fingerprint::fingerprint;
use crate::certificates::runs::{self, Claim};
use crate::certificates::simulation::{ALWAYS, Levels, NEVER, covers};
use crate::certificates::situation::{Situation, Trouble};
use crate::certificates::values::{self, Question};
use crate::certificates::zone::{NO_BOUND, Zone};
use crate::condition::Condition;
use crate::interpreter::ClockValue;
use crate::moves::After;
use crate::rules::{Atom, Discrete, Rules};

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The entry of the certificate that is wrong, if it is one.
    pub entry: Option<usize>,
    /// What is wrong, in words.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.entry {
            Some(entry) => write!(out, "certificate refused at entry {entry}: {}", self.reason),
            None => write!(out, "certificate refused: {}", self.reason),
        }
    }
}

impl std::error::Error for Refusal {}

pub(crate) fn refuse(reason: impl Into<String>) -> Refusal {
    Refusal {
        entry: None,
        reason: reason.into(),
    }
}

/// The refusal with the entry that is wrong.
pub(crate) fn at_entry(mut refusal: Refusal, entry: usize) -> Refusal {
    refusal.entry = refusal.entry.or(Some(entry));
    refusal
}

/// Accepts a certificate as a proof that `E<> p` or `E[] p` does not hold, or that `A[] p`, `A<> p` or `p --> q` does, or of
/// the ends that it claims for `sup`, `inf` or `bounds`; or refuses it. For exploration it only has to be closed.
pub fn certify(network: &Network, query: &Query, certificate: &Certificate) -> Result<(), Refusal> {
    if certificate.fingerprint != fingerprint(network) {
        return Err(refuse("it is about another model"));
    }
    if let Some(claim) = Claim::of(&query.kind) {
        return runs::check(network, claim, certificate);
    }
    if !certificate.ranked.is_empty() {
        return Err(refuse("ranked zones are for A<>, E[] and --> only"));
    }
    if let Some(question) = Question::of(&query.kind) {
        return values::check(network, query, question, certificate);
    }
    let bad = match &query.kind {
        QueryKind::Possibly(formula) => Some((formula, true)),
        QueryKind::Invariantly(formula) => Some((formula, false)),
        QueryKind::Explore => None,
        _ => return Err(refuse("there are no certificates for such queries")),
    };
    if certificate.entries.iter().any(|entry| entry.tops.is_some()) {
        return boxes::check(network, bad, certificate);
    }
    Checker::new(Rules { network }, bad, certificate)?.check()
}

/// What the certificate says about one discrete state.
struct Cover {
    state: Discrete,
    levels: Levels,
    zones: Vec<Zone>,
}

pub(crate) struct Checker<'n> {
    rules: Rules<'n>,
    bad: Option<(&'n Formula, bool)>,
    covers: Vec<Cover>,
    index: HashMap<(Vec<LocationId>, Vec<i32>), usize>,
}

impl<'n> Checker<'n> {
    /// Applies all rules.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        self.initial()?;
        (0..self.covers.len()).try_for_each(|index| {
            self.entry(index)
                .map_err(|refusal| at_entry(refusal, index))
        })
    }

    /// Whether covering is plain inclusion everywhere.
    pub(crate) fn is_exact(&self) -> bool {
        let exact = Levels::exact(self.rules.dimension());
        self.covers.iter().all(|cover| cover.levels == exact)
    }

    /// The discrete states with their zones.
    pub(crate) fn states(&self) -> impl Iterator<Item = (&Discrete, &[Zone])> {
        (self.covers.iter()).map(|cover| (&cover.state, &cover.zones[..]))
    }

    /// The discrete state and the zones of an entry without bounds.
    pub(crate) fn cover_of(
        rules: Rules<'n>,
        certificate: &Certificate,
        entry: &Entry,
    ) -> Result<(Discrete, Vec<Zone>), String> {
        if entry.bounds.is_some() || entry.tops.is_some() {
            return Err("a ranked zone with bounds".into());
        }
        let cover = Cover::new(rules, certificate, entry)?;
        Ok((cover.state, cover.zones))
    }

    pub(crate) fn new(
        rules: Rules<'n>,
        bad: Option<(&'n Formula, bool)>,
        certificate: &Certificate,
    ) -> Result<Checker<'n>, Refusal> {
        let mut checker = Checker {
            rules,
            bad,
            covers: Vec::new(),
            index: HashMap::new(),
        };
        for (number, entry) in certificate.entries.iter().enumerate() {
            let cover = Cover::new(rules, certificate, entry).map_err(|reason| Refusal {
                entry: Some(number),
                reason,
            })?;
            let key = (cover.state.locations.clone(), cover.state.cells.clone());
            if checker.index.insert(key, number).is_some() {
                return Err(refuse("a discrete state occurs twice"));
            }
            checker.covers.push(cover);
        }
        Ok(checker)
    }

    fn find(&self, state: &Discrete) -> Option<&Cover> {
        let key = (state.locations.clone(), state.cells.clone());
        self.index.get(&key).map(|&index| &self.covers[index])
    }

    fn trouble(&self, trouble: Trouble) -> Refusal {
        match trouble {
            Trouble::Fault(fault) => {
                let words = fault.describe(self.rules.network);
                refuse(format!("an evaluation fails: {words}"))
            }
            Trouble::Unsupported(what) => refuse(format!("not supported: {what}")),
        }
    }

    fn initial(&self) -> Result<(), Refusal> {
        let state = self.rules.initial();
        let invariant = self.rules.invariant(&state);
        let atoms = invariant.map_err(|fault| self.trouble(fault.into()))?;
        let origin = Zone::origin(self.rules.dimension());
        let Some(origin) = atoms.and_then(|atoms| origin.constrain_all(&atoms)) else {
            // No state at all satisfies the invariants at the start: nothing is reachable.
            return Ok(());
        };
        match self.find(&state) {
            Some(cover) if cover.holds(&origin) => Ok(()),
            _ => Err(refuse("the initial state is not covered")),
        }
    }

    fn entry(&self, index: usize) -> Result<(), Refusal> {
        let cover = &self.covers[index];
        let situation = Situation::new(self.rules, cover.state.clone());
        let situation = situation.map_err(|fault| self.trouble(fault.into()))?;
        let Some(situation) = situation else {
            return Ok(());
        };
        if cover.zones.is_empty() {
            return Ok(());
        }
        // The set that is meant has no valuations outside the invariants; because these are carried, the zones need
        // none either.
        cover.carry(&situation.atoms, false)?;
        let zones: Vec<Zone> = (cover.zones.iter())
            .filter_map(|zone| zone.clone().constrain_all(&situation.atoms))
            .collect();
        if zones.is_empty() {
            return Ok(());
        }
        self.standing(cover, &situation)?;
        self.goodness(cover, &situation, &zones)?;
        for zone in &zones {
            self.delay(cover, &situation, zone)?;
        }
        for number in 0..situation.moves.len() {
            self.step(cover, &situation, &zones, number)?;
        }
        Ok(())
    }

    /// The preorder carries the constraints of the discrete state.
    fn standing(&self, cover: &Cover, situation: &Situation<'_>) -> Result<(), Refusal> {
        let hindering = self.rules.network.has_priorities();
        for conjunction in &situation.urgent {
            cover.carry(conjunction, true)?;
        }
        for candidate in &situation.moves {
            cover.carry(&candidate.guard, hindering)?;
            for conjunction in &candidate.excluded {
                cover.carry(conjunction, true)?;
            }
        }
        Ok(())
    }

    fn goodness(
        &self,
        cover: &Cover,
        situation: &Situation<'_>,
        zones: &[Zone],
    ) -> Result<(), Refusal> {
        let Some((formula, positive)) = self.bad else {
            return Ok(());
        };
        let bad = Condition::of(self.rules, &cover.state, formula, positive);
        let mut atoms = Vec::new();
        bad.atoms(&mut atoms);
        cover.carry(&atoms, false)?;
        let mut deadlocks = Federation::empty();
        if bad.asks_deadlock() {
            if !cover.levels.is_symmetric() {
                return Err(refuse(
                    "a claim about deadlock needs equal lower and upper bounds",
                ));
            }
            deadlocks = situation
                .deadlocks()
                .map_err(|trouble| self.trouble(trouble))?;
        }
        for zone in zones {
            let here = Federation::from(zone.clone());
            let found = here.satisfying(&bad, &deadlocks);
            let found = found.map_err(|fault| self.trouble(fault.into()))?;
            if !found.is_empty() {
                return Err(refuse("a bad state is in it"));
            }
        }
        Ok(())
    }

    fn delay(&self, cover: &Cover, situation: &Situation<'_>, zone: &Zone) -> Result<(), Refusal> {
        if situation.frozen {
            return Ok(());
        }
        let later = if situation.has_stopped_clocks() {
            // What is urgent already does not wait; how far the others come before it is over-approximated.
            let waiting = Federation::from(zone.clone()).subtract(&situation.hurry());
            let up = |zone: &Zone| zone.up(&situation.running);
            Federation {
                zones: waiting.zones.iter().map(up).collect(),
            }
        } else {
            time_successors(zone, &situation.hurry())
        };
        for zone in &later.constrain_all(&situation.atoms).zones {
            if !cover.holds(zone) {
                return Err(refuse("not closed under delay"));
            }
        }
        Ok(())
    }

    fn step(
        &self,
        cover: &Cover,
        situation: &Situation<'_>,
        zones: &[Zone],
        number: usize,
    ) -> Result<(), Refusal> {
        for zone in zones {
            let here = Federation::from(zone.clone());
            let possible = situation.possible(number, &here);
            let possible = possible.map_err(|fault| self.trouble(fault.into()))?;
            let Some((set, next)) = possible else {
                continue;
            };
            // Carried even where the invariants after it do not let it happen from this zone. With priorities it also
            // matters that they do not.
            cover.carry(&next.entry, self.rules.network.has_priorities())?;
            if !set.is_empty() {
                self.successors(cover, &set, next).map_err(|reason| {
                    let edges = &situation.moves[number].edges;
                    let name = |&(process, edge): &(merkhet_network::ProcessId, _)| {
                        let edge: merkhet_network::EdgeId = edge;
                        format!(
                            "edge {} of {}",
                            edge.0,
                            self.rules.network.process(process).name
                        )
                    };
                    let names: Vec<String> = edges.iter().map(name).collect();
                    refuse(format!("{reason} ({})", names.join(", ")))
                })?;
            }
        }
        Ok(())
    }

    fn successors(&self, cover: &Cover, set: &Federation, next: &After) -> Result<(), String> {
        let Some(target) = self.find(&next.state) else {
            return Err("not closed under a transition: its target is not there".into());
        };
        if !shrinks(&cover.levels, &target.levels, &next.clocks) {
            return Err("clock bounds grow along a transition that keeps the clock".into());
        }
        let covered = |zone: &Zone| target.holds(&zone.assign(&next.clocks));
        if set.zones.iter().all(covered) {
            return Ok(());
        }
        Err("not closed under a transition".into())
    }
}

impl Cover {
    fn new(rules: Rules<'_>, certificate: &Certificate, entry: &Entry) -> Result<Cover, String> {
        let network = rules.network;
        let fits = entry.locations.len() == network.processes.len()
            && entry.cells.len() == network.state_cells.len()
            && (entry.locations.iter().zip(&network.processes))
                .all(|(&at, process)| (at as usize) < process.locations.len());
        if !fits {
            return Err("a discrete state that the model does not have".into());
        }
        let dimension = rules.dimension();
        let levels = match entry.bounds {
            None => Levels::exact(dimension),
            Some(index) => match certificate.bounds.get(index as usize) {
                Some(bounds) => levels(bounds, dimension)?,
                None => return Err("bounds that do not exist".into()),
            },
        };
        let mut zones = Vec::new();
        for matrix in &entry.zones {
            if matrix.len() != dimension * dimension {
                return Err("a zone of the wrong size".into());
            }
            let widen = |&bound: &i32| match bound {
                INFINITY => NO_BOUND,
                _ => i64::from(bound),
            };
            let matrix: Vec<i64> = matrix.iter().map(widen).collect();
            zones.extend(Zone::from_matrix(dimension, &matrix));
        }
        Ok(Cover {
            state: Discrete {
                locations: entry.locations.iter().map(|&at| LocationId(at)).collect(),
                cells: entry.cells.clone(),
                meta: vec![None; network.meta_cells.len()],
            },
            levels,
            zones,
        })
    }

    /// Whether every valuation of a zone is simulated by one of the zones here.
    fn holds(&self, zone: &Zone) -> bool {
        let single = |zone: &Zone| {
            (self.zones.iter()).any(|own| own.includes(zone) || covers(own, zone, &self.levels))
        };
        if single(zone) {
            return true;
        }
        // Different parts may lie in different zones.
        let union = Federation {
            zones: self.zones.clone(),
        };
        let rest = Federation::from(zone.clone()).subtract(&union);
        rest.zones.iter().all(single)
    }

    /// The preorder carries the constraints, and their negations too where these count.
    fn carry(&self, atoms: &[Atom], negations: bool) -> Result<(), Refusal> {
        let carried = |atom: &Atom| {
            self.levels.carries(*atom) && (!negations || self.levels.carries(atom.negated()))
        };
        if atoms.iter().all(carried) {
            return Ok(());
        }
        Err(refuse("its clock bounds are too low for a constraint"))
    }
}

/// Whether the bounds do not grow along a move.
fn shrinks(before: &Levels, after: &Levels, clocks: &[ClockValue]) -> bool {
    let fits = |needed: i64, offset: i64, known: i64| match needed {
        NEVER => true,
        ALWAYS => known == ALWAYS,
        _ => needed < offset || needed - offset <= known,
    };
    clocks.iter().enumerate().all(|(clock, value)| {
        let Some(source) = value.source else {
            return true;
        };
        let (to, from) = (clock + 1, source.index() + 1);
        fits(after.lower[to], value.offset, before.lower[from])
            && fits(after.upper[to], value.offset, before.upper[from])
    })
}

fn levels(bounds: &ClockBounds, dimension: usize) -> Result<Levels, String> {
    if bounds.lower.len() + 1 != dimension || bounds.upper.len() + 1 != dimension {
        return Err("bounds for another number of clocks".into());
    }
    let row = |list: &[i32]| {
        let level = |&bound: &i32| match bound {
            UNCOMPARED => NEVER,
            EXACT => ALWAYS,
            _ => i64::from(bound),
        };
        let levels = list.iter().map(level);
        std::iter::once(ALWAYS).chain(levels).collect::<Vec<i64>>()
    };
    Ok(Levels {
        lower: row(&bounds.lower),
        upper: row(&bounds.upper),
    })
}
