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

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use merkhet_network::{Formula, LocationId, Network};

use crate::certificates::certificate::{ClockBounds, EXACT, Entry, INFINITY, UNCOMPARED};
use crate::certificates::federation::{Federation, time_successors};
use crate::certificates::simulation::{ALWAYS, Levels, NEVER, covers};
use crate::certificates::situation::{Situation, Trouble};
use crate::certificates::zone::{Kept, NO_BOUND, Zone};
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

/// What the certificate says about one discrete state.
struct Cover {
    /// The locations, and then the cells.
    state: Arc<[i32]>,
    /// The number of its levels.
    levels: usize,
    zones: Vec<Kept>,
}

/// The states of a certificate, as they are checked: one list, and the numbers of the discrete states in it.
pub(crate) struct Checker<'n> {
    rules: Rules<'n>,
    bad: Option<(Cow<'n, Formula>, bool)>,
    /// Those of exact clocks, and those that the entries refer to.
    levels: Vec<Levels>,
    covers: Vec<Cover>,
    index: HashMap<Arc<[i32]>, usize>,
}

impl<'n> Checker<'n> {
    /// Without any states yet.
    pub(crate) fn new(
        rules: Rules<'n>,
        bad: Option<(&'n Formula, bool)>,
        bounds: &[ClockBounds],
    ) -> Result<Checker<'n>, Refusal> {
        let dimension = rules.dimension();
        let mut all = vec![Levels::exact(dimension)];
        for bounds in bounds {
            all.push(levels(bounds, dimension).map_err(refuse)?);
        }
        Ok(Checker {
            rules,
            bad: bad.map(|(formula, positive)| (Cow::Borrowed(formula), positive)),
            levels: all,
            covers: Vec::new(),
            index: HashMap::new(),
        })
    }

    /// Takes an entry.
    pub(crate) fn push(&mut self, entry: &Entry) -> Result<(), Refusal> {
        let number = self.covers.len();
        let zones =
            zones_of(self.rules, entry).map_err(|reason| at_entry(refuse(reason), number))?;
        let levels = entry.bounds.map_or(0, |index| index as usize + 1);
        if levels >= self.levels.len() {
            return Err(at_entry(refuse("bounds that do not exist"), number));
        }
        let state: Arc<[i32]> = (entry.locations.iter().map(|&at| at as i32))
            .chain(entry.cells.iter().copied())
            .collect();
        if self.index.insert(state.clone(), number).is_some() {
            return Err(refuse("a discrete state occurs twice"));
        }
        self.covers.push(Cover {
            state,
            levels,
            zones: zones.into_iter().map(Kept::from).collect(),
        });
        Ok(())
    }

    /// The network that it is about.
    pub(crate) fn network(&self) -> &'n Network {
        self.rules.network
    }

    /// Gives the states another condition that none of them may meet.
    pub(crate) fn without(mut self, bad: Formula) -> Checker<'n> {
        self.bad = Some((Cow::Owned(bad), true));
        self
    }

    /// Applies all rules; with several threads each takes the next state that nobody has.
    pub(crate) fn check(&self, threads: usize) -> Result<(), Refusal> {
        self.initial()?;
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.covers.len() {
                    return Ok(());
                }
                if let Err(refusal) = self.entry(number) {
                    // The others end with the states that they have.
                    next.fetch_add(self.covers.len(), Ordering::Relaxed);
                    return Err((number, at_entry(refusal, number)));
                }
            }
        };
        let results: Vec<Result<(), (usize, Refusal)>> = match threads {
            0 | 1 => vec![work()],
            _ => std::thread::scope(|scope| {
                let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                let join = |worker: std::thread::ScopedJoinHandle<'_, _>| {
                    // A panic in a rule is no acceptance.
                    worker
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                };
                workers.into_iter().map(join).collect()
            }),
        };
        let first = results
            .into_iter()
            .filter_map(Result::err)
            .min_by_key(|(number, _)| *number);
        first.map_or(Ok(()), |(_, refusal)| Err(refusal))
    }

    /// Whether covering is plain inclusion everywhere.
    pub(crate) fn is_exact(&self) -> bool {
        self.covers
            .iter()
            .all(|cover| self.levels[cover.levels] == self.levels[0])
    }

    /// The discrete states with their zones.
    pub(crate) fn states(&self) -> impl Iterator<Item = (Discrete, Vec<Zone>)> {
        self.covers
            .iter()
            .map(|cover| (self.state(cover), self.zones(cover)))
    }

    /// The discrete state and the zones of an entry without bounds.
    pub(crate) fn cover_of(
        rules: Rules<'n>,
        entry: &Entry,
    ) -> Result<(Discrete, Vec<Zone>), String> {
        if entry.bounds.is_some() || entry.tops.is_some() {
            return Err("a ranked zone with bounds".into());
        }
        let zones = zones_of(rules, entry)?;
        let locations = entry.locations.iter().map(|&at| LocationId(at)).collect();
        Ok((discrete(rules, locations, entry.cells.clone()), zones))
    }

    fn state(&self, cover: &Cover) -> Discrete {
        let (locations, cells) = cover.state.split_at(self.rules.network.processes.len());
        let locations = locations.iter().map(|&at| LocationId(at as u32)).collect();
        discrete(self.rules, locations, cells.to_vec())
    }

    fn zones(&self, cover: &Cover) -> Vec<Zone> {
        let dimension = self.rules.dimension();
        cover
            .zones
            .iter()
            .map(|kept| kept.zone(dimension))
            .collect()
    }

    fn find(&self, state: &Discrete) -> Option<&Cover> {
        let key: Vec<i32> = (state.locations.iter().map(|at| at.0 as i32))
            .chain(state.cells.iter().copied())
            .collect();
        self.index.get(&key[..]).map(|&index| &self.covers[index])
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
            Some(cover) if self.holds(cover, &origin) => Ok(()),
            _ => Err(refuse("the initial state is not covered")),
        }
    }

    fn entry(&self, index: usize) -> Result<(), Refusal> {
        let cover = &self.covers[index];
        let situation = Situation::new(self.rules, self.state(cover));
        let situation = situation.map_err(|fault| self.trouble(fault.into()))?;
        let Some(situation) = situation else {
            return Ok(());
        };
        if cover.zones.is_empty() {
            return Ok(());
        }
        // The set that is meant has no valuations outside the invariants; because these are carried, the zones need
        // none either.
        self.carry(cover, &situation.atoms, false)?;
        let zones: Vec<Zone> = (self.zones(cover).into_iter())
            .filter_map(|zone| zone.constrain_all(&situation.atoms))
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
            self.carry(cover, conjunction, true)?;
        }
        for candidate in &situation.moves {
            self.carry(cover, &candidate.guard, hindering)?;
            for conjunction in &candidate.excluded {
                self.carry(cover, conjunction, true)?;
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
        let Some((formula, positive)) = &self.bad else {
            return Ok(());
        };
        let bad = Condition::of(self.rules, &situation.state, formula, *positive);
        let mut atoms = Vec::new();
        bad.atoms(&mut atoms);
        self.carry(cover, &atoms, false)?;
        let mut deadlocks = Federation::empty();
        if bad.asks_deadlock() {
            if !self.levels[cover.levels].is_symmetric() {
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
            if !self.holds(cover, zone) {
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
            self.carry(cover, &next.entry, self.rules.network.has_priorities())?;
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
        if !shrinks(
            &self.levels[cover.levels],
            &self.levels[target.levels],
            &next.clocks,
        ) {
            return Err("clock bounds grow along a transition that keeps the clock".into());
        }
        let covered = |zone: &Zone| self.holds(target, &zone.assign(&next.clocks));
        if set.zones.iter().all(covered) {
            return Ok(());
        }
        Err("not closed under a transition".into())
    }

    /// Whether every valuation of a zone is simulated by one of the cover's zones.
    fn holds(&self, cover: &Cover, zone: &Zone) -> bool {
        if cover.zones.iter().any(|own| own.includes(zone)) {
            return true;
        }
        let levels = &self.levels[cover.levels];
        let zones = self.zones(cover);
        // With exact clocks to simulate is to be equal.
        let exact = *levels == self.levels[0];
        let single = |zone: &Zone| {
            let mut all = zones.iter();
            all.any(|own| own.includes(zone) || !exact && covers(own, zone, levels))
        };
        if single(zone) {
            return true;
        }
        // Different parts may lie in different zones.
        let union = Federation {
            zones: zones.clone(),
        };
        let rest = Federation::from(zone.clone()).subtract(&union);
        rest.zones.iter().all(single)
    }

    /// The preorder carries the constraints, and their negations too where these count.
    fn carry(&self, cover: &Cover, atoms: &[Atom], negations: bool) -> Result<(), Refusal> {
        let levels = &self.levels[cover.levels];
        let carried =
            |atom: &Atom| levels.carries(*atom) && (!negations || levels.carries(atom.negated()));
        if atoms.iter().all(carried) {
            return Ok(());
        }
        Err(refuse("its clock bounds are too low for a constraint"))
    }
}

fn discrete(rules: Rules<'_>, locations: Vec<LocationId>, cells: Vec<i32>) -> Discrete {
    Discrete {
        locations,
        cells,
        meta: vec![None; rules.network.meta_cells.len()],
    }
}

/// The zones of an entry that the model can have.
fn zones_of(rules: Rules<'_>, entry: &Entry) -> Result<Vec<Zone>, String> {
    let network = rules.network;
    let fits = entry.locations.len() == network.processes.len()
        && entry.cells.len() == network.state_cells.len()
        && (entry.locations.iter().zip(&network.processes))
            .all(|(&at, process)| (at as usize) < process.locations.len());
    if !fits {
        return Err("a discrete state that the model does not have".into());
    }
    let dimension = rules.dimension();
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
    Ok(zones)
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
