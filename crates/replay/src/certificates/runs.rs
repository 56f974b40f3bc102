//! Checking a certificate that no maximal run keeps a formula: for `A<>` and `-->` that hold and `E[]` that does not.
//!
//! Let K be the formula that such a run would keep all along: `p` for `E[] p`, `not p` for `A<> p`, `not q` for `p --> q`.
//! The certificate lists zones R₁, R₂, …, each of a discrete state; the number of a zone is its *rank*. Checked is, with
//! "until then" for all valuations that delay reaches, the first one included, while K holds at every moment:
//!
//! 1. *Start.* What the initial state reaches until then lies in the zones R. For `p --> q`, the symbolic states of the
//!    certificate are an inductive set (the rules of [`crate::certificates::certify`], every clock being exact), and what
//!    each of its valuations with `p and not q` reaches until then lies in the zones R.
//! 2. *Step.* Let v be in Rᵢ, with K, and let a move lead from v to v'. What v' reaches until then lies in zones Rⱼ with
//!    j < i. (If K does not hold in v', that is nothing.)
//! 3. *No stay.* From no v in Rᵢ time can pass for ever with K at every moment.
//! 4. *No end.* No v in Rᵢ, with K, is a state from which no move is possible, now or after any delay, and such that K
//!    holds as long as time can still pass.
//!
//! *Then no maximal run keeps K.* Such a run begins where 1 says; so it is in some R until its first move, and by 2 each
//! move takes it to smaller ranks: there are finitely many moves. After the last one it stays for ever, against 3; or it
//! ends where nothing is possible any more, against 4. There are no other maximal runs. Runs that are Zeno are no exception:
//! ranks count moves.
//!
//! "Until then" is exact: a valuation in between two others in time is compared with the zones where K or the invariants do
//! not hold. Models whose clocks stand still are refused.

use std::cell::OnceCell;
use std::collections::HashMap;

use merkhet_network::{Formula, LocationId, QueryKind};

use crate::certificates::certificate::Certificate;
use crate::certificates::certify::{Checker, Refusal, at_entry, refuse};
use crate::certificates::federation::{Federation, time_predecessors, time_successors_avoiding};
use crate::certificates::situation::{Situation, Trouble};
use crate::certificates::zone::Zone;
use crate::condition::Condition;
use crate::rules::{Discrete, Rules};

/// What a run must not do.
#[derive(Clone, Copy)]
pub(crate) struct Claim<'n> {
    /// K, or its negation.
    keep: (&'n Formula, bool),
    /// Where runs begin, besides `keep`; `None`: in the initial state.
    trigger: Option<&'n Formula>,
}

impl<'n> Claim<'n> {
    /// The claim of a query about maximal runs.
    pub(crate) fn of(kind: &'n QueryKind) -> Option<Claim<'n>> {
        let (keep, trigger) = match kind {
            QueryKind::PotentiallyAlways(formula) => ((formula, true), None),
            QueryKind::Eventually(formula) => ((formula, false), None),
            QueryKind::LeadsTo(from, to) => ((to, false), Some(from)),
            _ => return None,
        };
        Some(Claim { keep, trigger })
    }

    fn condition(&self, rules: Rules<'_>, state: &Discrete) -> Condition {
        Condition::of(rules, state, self.keep.0, self.keep.1)
    }
}

type Key = (Vec<LocationId>, Vec<i32>);

fn key(state: &Discrete) -> Key {
    (state.locations.clone(), state.cells.clone())
}

/// The ranked zones of one discrete state, smaller ranks first.
#[derive(Default)]
struct Ranked {
    ranks: Vec<usize>,
    zones: Vec<Zone>,
}

impl Ranked {
    /// Whether all of a zone lies in the zones below a rank.
    fn holds(&self, zone: &Zone, below: usize) -> bool {
        let number = self.ranks.partition_point(|rank| *rank < below);
        let zones = &self.zones[..number];
        if zones.iter().any(|own| own.includes(zone)) {
            return true;
        }
        let union = Federation {
            zones: zones.to_vec(),
        };
        Federation::from(zone.clone()).subtract(&union).is_empty()
    }
}

/// A discrete state while K holds.
struct Stay<'n> {
    situation: Situation<'n>,
    /// Where the invariants and K hold.
    good: Federation,
    /// Everywhere else.
    bad: OnceCell<Federation>,
    deadlocks: OnceCell<Federation>,
}

struct Runs<'n> {
    rules: Rules<'n>,
    claim: Claim<'n>,
    ranked: HashMap<Key, Ranked>,
    /// What was found out about discrete states; `None` where K holds nowhere.
    stays: HashMap<Key, Option<Stay<'n>>>,
}

/// Accepts the certificate as a proof of the claim, or refuses it.
pub(crate) fn check<'n>(
    reached: &Checker<'n>,
    claim: Claim<'n>,
    certificate: &Certificate,
    threads: usize,
) -> Result<(), Refusal> {
    let rules = Rules {
        network: reached.network(),
    };
    let mut runs = Runs::new(rules, claim, certificate)?;
    match claim.trigger {
        None => runs.start_initially()?,
        Some(trigger) => {
            if !reached.is_exact() {
                return Err(refuse("runs that start anywhere need exact clocks"));
            }
            reached.check(threads)?;
            for (index, (state, zones)) in reached.states().enumerate() {
                runs.start_within(trigger, &state, &zones)
                    .map_err(|refusal| at_entry(refusal, index))?;
            }
        }
    }
    let states: Vec<Key> = runs.ranked.keys().cloned().collect();
    for state in states {
        runs.state(&state)?;
    }
    Ok(())
}

impl<'n> Runs<'n> {
    fn new(
        rules: Rules<'n>,
        claim: Claim<'n>,
        certificate: &Certificate,
    ) -> Result<Runs<'n>, Refusal> {
        let mut runs = Runs {
            rules,
            claim,
            ranked: HashMap::new(),
            stays: HashMap::new(),
        };
        for (rank, entry) in certificate.ranked.iter().enumerate() {
            let cover = Checker::cover_of(rules, entry);
            let (state, zones) = cover.map_err(|reason| Refusal {
                entry: Some(rank),
                reason,
            })?;
            let own = runs.ranked.entry(key(&state)).or_default();
            for zone in zones {
                own.ranks.push(rank);
                own.zones.push(zone);
            }
        }
        Ok(runs)
    }

    fn start_initially(&mut self) -> Result<(), Refusal> {
        let state = self.rules.initial();
        let origin = Zone::origin(self.rules.dimension());
        let Some(stay) = self.stay(&state)? else {
            return Ok(());
        };
        let until = stay.until(&Federation::from(origin));
        self.covered(&state, &until, usize::MAX)
            .map_err(|()| refuse("a start is not covered by the ranked zones"))
    }

    fn start_within(
        &mut self,
        trigger: &Formula,
        state: &Discrete,
        zones: &[Zone],
    ) -> Result<(), Refusal> {
        let rules = self.rules;
        let first = Condition::of(rules, state, trigger, true);
        if matches!(first, Condition::Known(false)) {
            return Ok(());
        }
        // From left to right: K counts only where the trigger holds.
        let both = Condition::And(vec![first, self.claim.condition(rules, state)]);
        let invariant = rules
            .invariant(state)
            .map_err(|fault| failing(rules, fault.into()))?;
        let Some(atoms) = invariant else {
            return Ok(());
        };
        let here = zones
            .iter()
            .cloned()
            .filter_map(|zone| zone.constrain_all(&atoms));
        let here = Federation {
            zones: here.collect(),
        };
        let deadlocks = match both.asks_deadlock() {
            true => deadlocks(rules, state)?,
            false => Federation::empty(),
        };
        let starts = here.satisfying(&both, &deadlocks);
        let starts = starts.map_err(|fault| failing(rules, fault.into()))?;
        if starts.is_empty() {
            return Ok(());
        }
        let Some(stay) = self.stay(state)? else {
            return Ok(());
        };
        let until = stay.until(&starts);
        self.covered(state, &until, usize::MAX)
            .map_err(|()| refuse("a start is not covered by the ranked zones"))
    }

    fn covered(&self, state: &Discrete, set: &Federation, below: usize) -> Result<(), ()> {
        if set.is_empty() {
            return Ok(());
        }
        let ranked = self.ranked.get(&key(state)).ok_or(())?;
        match set.zones.iter().all(|zone| ranked.holds(zone, below)) {
            true => Ok(()),
            false => Err(()),
        }
    }

    /// What is known of a discrete state; `None` where K holds nowhere.
    fn stay(&mut self, state: &Discrete) -> Result<Option<&Stay<'n>>, Refusal> {
        let key = key(state);
        if !self.stays.contains_key(&key) {
            // What a move leaves in `meta` variables is no part of the state that others reach, too.
            let state = Discrete {
                meta: vec![None; state.meta.len()],
                ..state.clone()
            };
            let found = self.look(&state)?;
            self.stays.insert(key.clone(), found);
        }
        Ok(self.stays.get(&key).and_then(Option::as_ref))
    }

    fn look(&self, state: &Discrete) -> Result<Option<Stay<'n>>, Refusal> {
        let rules = self.rules;
        let trouble = |trouble| failing(rules, trouble);
        let condition = self.claim.condition(rules, state);
        if matches!(condition, Condition::Known(false)) {
            return Ok(None);
        }
        let situation =
            Situation::new(rules, state.clone()).map_err(|fault| trouble(fault.into()))?;
        let Some(situation) = situation else {
            return Ok(None);
        };
        if situation.has_stopped_clocks() {
            return Err(refuse("not supported: runs where a clock stands still"));
        }
        let found = OnceCell::new();
        if condition.asks_deadlock() {
            let _ = found.set(situation.deadlocks().map_err(trouble)?);
        }
        let here = Federation::from(situation.invariant.clone());
        let none = Federation::empty();
        let good = here.satisfying(&condition, found.get().unwrap_or(&none));
        let good = good.map_err(|fault| trouble(fault.into()))?;
        Ok(Some(Stay {
            situation,
            good,
            bad: OnceCell::new(),
            deadlocks: found,
        }))
    }

    /// Checks the ranked zones of one discrete state.
    fn state(&mut self, key: &Key) -> Result<(), Refusal> {
        let rules = self.rules;
        let state = Discrete {
            locations: key.0.clone(),
            cells: key.1.clone(),
            meta: vec![None; rules.network.meta_cells.len()],
        };
        if self.stay(&state)?.is_none() {
            return Ok(());
        }
        // Taken out while its successors are looked up, which may lie in it as well.
        let ranked = self.ranked.get(key).map_or(0, |ranked| ranked.zones.len());
        for number in 0..ranked {
            let (rank, zone) = match self.ranked.get(key) {
                Some(ranked) => (ranked.ranks[number], ranked.zones[number].clone()),
                None => continue,
            };
            self.zone(&state, &zone, rank)
                .map_err(|refusal| at_entry(refusal, rank))?;
        }
        Ok(())
    }

    fn zone(&mut self, state: &Discrete, zone: &Zone, rank: usize) -> Result<(), Refusal> {
        let rules = self.rules;
        let trouble = |trouble| failing(rules, trouble);
        let Some(stay) = self.stay(state)? else {
            return Ok(());
        };
        let here = stay.good.intersect(&Federation::from(zone.clone()));
        if here.is_empty() {
            return Ok(());
        }
        if !stay.for_ever(&here).is_empty() {
            return Err(refuse("time can pass for ever"));
        }
        if !stay.ends(&here).map_err(trouble)?.is_empty() {
            return Err(refuse("a run can end there"));
        }
        let mut arrivals = Vec::new();
        for number in 0..stay.situation.moves.len() {
            let possible = stay.situation.possible(number, &here);
            let Some((set, next)) = possible.map_err(|fault| trouble(fault.into()))? else {
                continue;
            };
            if set.is_empty() {
                continue;
            }
            let zones = set.zones.iter().map(|zone| zone.assign(&next.clocks));
            arrivals.push((next.state.clone(), zones.collect()));
        }
        for (state, zones) in arrivals {
            let Some(stay) = self.stay(&state)? else {
                continue;
            };
            let until = stay.until(&Federation { zones });
            self.covered(&state, &until, rank)
                .map_err(|()| refuse("a move does not lead to smaller ranks"))?;
        }
        Ok(())
    }
}

impl Stay<'_> {
    fn bad(&self) -> &Federation {
        self.bad.get_or_init(|| self.situation.outside(&self.good))
    }

    /// What delay reaches from a set while K holds.
    fn until(&self, set: &Federation) -> Federation {
        let starts = self.good.intersect(set);
        if self.situation.frozen || starts.is_empty() {
            return starts;
        }
        let hurry = self.situation.hurry();
        let mut all = Federation::empty();
        for start in &starts.zones {
            all = all.union(time_successors_avoiding(start, self.bad(), &hurry));
        }
        all
    }

    /// The valuations of a set from which time can pass for ever while K holds.
    fn for_ever(&self, set: &Federation) -> Federation {
        if self.situation.frozen {
            return Federation::empty();
        }
        let mut rest = set.clone();
        let hurry = self.situation.hurry();
        for ended in self.bad().zones.iter().chain(&hurry.zones) {
            rest = rest.subtract_zone(&ended.down());
        }
        rest
    }

    /// The valuations of a set from which nothing is possible any more while K holds as long as time passes.
    fn ends(&self, set: &Federation) -> Result<Federation, Trouble> {
        if self.deadlocks.get().is_none() {
            let _ = self.deadlocks.set(self.situation.deadlocks()?);
        }
        let Some(deadlocks) = self.deadlocks.get() else {
            return Ok(Federation::empty());
        };
        let dead = set.intersect(deadlocks);
        if self.situation.frozen || dead.is_empty() {
            return Ok(dead);
        }
        let here = Federation::from(self.situation.invariant.clone());
        let lost = here.subtract(&self.good);
        let outside = self.situation.outside(&here);
        let leaving = time_predecessors(&lost, &outside, &self.situation.hurry());
        Ok(dead.subtract(&leaving))
    }
}

fn deadlocks(rules: Rules<'_>, state: &Discrete) -> Result<Federation, Refusal> {
    let trouble = |trouble| failing(rules, trouble);
    let situation = Situation::new(rules, state.clone()).map_err(|fault| trouble(fault.into()))?;
    match situation {
        Some(situation) => situation.deadlocks().map_err(trouble),
        None => Ok(Federation::empty()),
    }
}

fn failing(rules: Rules<'_>, trouble: Trouble) -> Refusal {
    match trouble {
        Trouble::Fault(fault) => {
            let words = fault.describe(rules.network);
            refuse(format!("an evaluation fails: {words}"))
        }
        Trouble::Unsupported(what) => refuse(format!("not supported: {what}")),
    }
}
