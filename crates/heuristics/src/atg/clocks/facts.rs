//! What edges, invariants and goals say of clocks, as far as the relaxed graph uses it.
//!
//! Only facts that hold in every run are collected: bounds that depend on data count with the weakest value that they
//! may have, constraints under a condition and between two clocks do not count, and of a clock that something else than
//! a plain `x := constant` of an edge may write nothing is known at all.

use merkhet_network::bounds::bounds;
use merkhet_network::visit::{Visitor, walk_stmt, walk_stmts};
use merkhet_network::{
    ClockConstraint, ClockId, Edge, EdgeId, LocationId, Network, ProcessId, Stmt, Sync,
};
use merkhet_zones::bound::{Bound, INFINITY, MAX_CONSTANT, constant, le, lt};

use crate::goal::Goal;

/// Thresholds beyond these are left out: a clock's are the values of one small cell.
const MOST_THRESHOLDS: usize = 62;

/// The network with what is known of its clocks.
pub(in crate::atg) struct ClockFacts<'n> {
    network: &'n Network,
    /// By clock, whether edges alone write it, plainly.
    plain: Vec<bool>,
    /// By clock, whether it runs everywhere.
    steady: Vec<bool>,
    /// By clock, the edges that set it: process, synchronisation and value.
    setters: Vec<Vec<(ProcessId, Sync, i32)>>,
    /// By clock, the upper bounds that something asks for, ascending.
    pub thresholds: Vec<Vec<Bound>>,
}

impl<'n> ClockFacts<'n> {
    /// Reads the network and the goal.
    pub fn new(network: &'n Network, goal: &Goal) -> ClockFacts<'n> {
        let mut facts = ClockFacts {
            network,
            plain: plain_clocks(network),
            steady: vec![true; network.clocks.len()],
            setters: vec![Vec::new(); network.clocks.len()],
            thresholds: vec![Vec::new(); network.clocks.len()],
        };
        let locations = network.processes.iter().flat_map(|one| &one.locations);
        for rate in locations.flat_map(|location| &location.invariant.rates) {
            facts.steady[rate.clock.index()] = false;
        }
        for process in network.process_ids() {
            for edge in &network.process(process).edges {
                for (clock, value) in facts.resets(edge) {
                    facts.setters[clock.index()].push((process, edge.sync, value));
                }
            }
        }
        let mut found = Vec::new();
        for process in network.process_ids() {
            for edge in &network.process(process).edges {
                found.extend(facts.uppers(process, edge));
            }
        }
        for conjunct in &goal.disjuncts {
            found.extend(facts.upper_of(&conjunct.clocks));
        }
        for (clock, bound) in found {
            facts.thresholds[clock.index()].push(bound);
        }
        for list in &mut facts.thresholds {
            list.sort_unstable();
            list.dedup();
            list.truncate(MOST_THRESHOLDS);
        }
        facts
    }

    /// The place of a bound among the thresholds of its clock.
    pub fn threshold(&self, clock: ClockId, bound: Bound) -> Option<usize> {
        let list = &self.thresholds[clock.index()];
        list.binary_search(&bound).ok()
    }

    /// The clocks that an edge sets, each with its last value.
    pub fn resets(&self, edge: &Edge) -> Vec<(ClockId, i32)> {
        let mut resets: Vec<(ClockId, i32)> = Vec::new();
        for statement in &edge.update {
            let Stmt::Reset { clock, value, .. } = statement else {
                continue;
            };
            let (Some(value), true) = (value.as_const(), self.plain[clock.base.index()]) else {
                continue;
            };
            resets.retain(|(known, _)| *known != clock.base);
            resets.push((clock.base, value));
        }
        resets.sort_unstable();
        resets
    }

    /// The tightest upper bound of each clock without which the edge cannot be taken: its guard, the invariant of its
    /// source, and that of its target unless the transition may set the clock.
    pub fn uppers(&self, process: ProcessId, edge: &Edge) -> Vec<(ClockId, Bound)> {
        let location = |at: LocationId| &self.network.location(process, at).invariant.clocks;
        let mut uppers: Vec<(ClockId, Bound)> = Vec::new();
        let mut note = |(clock, bound): (ClockId, Bound)| match uppers
            .iter_mut()
            .find(|(known, _)| *known == clock)
        {
            Some((_, known)) => *known = bound.min(*known),
            None => uppers.push((clock, bound)),
        };
        (self.upper_of(&edge.guard.clocks)).for_each(&mut note);
        (self.upper_of(location(edge.source))).for_each(&mut note);
        let kept = |(clock, _): &(ClockId, Bound)| !self.may_set(process, edge, *clock);
        (self.upper_of(location(edge.target)).filter(kept)).for_each(&mut note);
        uppers.sort_unstable();
        uppers
    }

    /// The values that plain clocks must have grown to before the edge is taken; strictness aside.
    pub fn waits(&self, edge: &Edge) -> Vec<(ClockId, i32)> {
        let mut waits: Vec<(ClockId, i32)> = Vec::new();
        for (clock, value) in self.lower_of(&edge.guard.clocks) {
            match waits.iter_mut().find(|(known, _)| *known == clock) {
                Some((_, known)) => *known = value.max(*known),
                None => waits.push((clock, value)),
            }
        }
        waits.sort_unstable();
        waits
    }

    /// The bounds from above among constraints.
    pub fn upper_of<'c>(
        &'c self,
        constraints: &'c [ClockConstraint],
    ) -> impl Iterator<Item = (ClockId, Bound)> + 'c {
        let uppers = constraints.iter().filter(|one| one.is_upper());
        uppers.filter_map(|one| Some((self.known(one.left)?, self.weakest(one)?)))
    }

    /// The bounds from below among constraints, where they ask for more than 0.
    pub fn lower_of<'c>(
        &'c self,
        constraints: &'c [ClockConstraint],
    ) -> impl Iterator<Item = (ClockId, i32)> + 'c {
        let lowers = constraints.iter().filter(|one| one.is_lower());
        let lowers = lowers.filter_map(|one| {
            let bound = self.weakest(one)?;
            Some((self.known(one.right)?, constant(bound).saturating_neg()))
        });
        lowers.filter(|(_, value)| *value > 0)
    }

    fn known(&self, clock: Option<ClockId>) -> Option<ClockId> {
        clock.filter(|clock| self.plain[clock.index()])
    }

    /// A constraint's bound, with the largest value that data may give it; nothing if it does not always count.
    fn weakest(&self, constraint: &ClockConstraint) -> Option<Bound> {
        if constraint.condition.is_some() {
            return None;
        }
        let (_, high) = bounds(self.network, &constraint.bound);
        let high = i32::try_from(high).ok()?;
        if high.abs() > MAX_CONSTANT {
            return None;
        }
        let bound = if constraint.strict {
            lt(high)
        } else {
            le(high)
        };
        (bound != INFINITY).then_some(bound)
    }

    /// The largest value that another process sets the clock to: it may be as much larger than what this one's resets
    /// leave it.
    pub fn set_by_others(&self, process: Option<ProcessId>, clock: ClockId) -> i32 {
        let setters = self.setters[clock.index()].iter();
        let others = setters.filter(|(other, ..)| Some(*other) != process);
        others.map(|(.., value)| *value).max().unwrap_or(0)
    }

    /// Whether an invariant on this clock bounds the time that a process stays: it runs everywhere, and no other process
    /// sets it.
    pub fn measures(&self, process: ProcessId, clock: ClockId) -> bool {
        let mut setters = self.setters[clock.index()].iter();
        self.plain[clock.index()]
            && self.steady[clock.index()]
            && setters.all(|(other, ..)| *other == process)
    }

    /// Whether the transition that an edge takes part in may set a clock.
    fn may_set(&self, process: ProcessId, edge: &Edge, clock: ClockId) -> bool {
        let mut setters = self.setters[clock.index()].iter();
        self.resets(edge).iter().any(|(known, _)| *known == clock)
            || setters.any(|(other, sync, _)| *other != process && may_meet(edge.sync, *sync))
    }

    /// The edge itself.
    pub fn edge(&self, process: ProcessId, edge: EdgeId) -> &'n Edge {
        self.network.edge(process, edge)
    }

    /// The network.
    pub fn network(&self) -> &'n Network {
        self.network
    }
}

/// Whether two edges of different processes may be parts of one transition.
pub(in crate::atg) fn may_meet(left: Sync, right: Sync) -> bool {
    let channel = |sync: Sync| match sync {
        Sync::Send(channel) | Sync::Receive(channel) => Some(channel),
        Sync::Internal | Sync::Event(_) => None,
    };
    match (left, right) {
        // Which events go together is not looked at.
        (Sync::Event(_), Sync::Event(_)) => true,
        _ => channel(left).is_some() && channel(left) == channel(right),
    }
}

/// By clock, whether nothing but `x := constant` as a statement of an edge writes it.
fn plain_clocks(network: &Network) -> Vec<bool> {
    let mut writes = Writes {
        plain: vec![true; network.clocks.len()],
    };
    for edge in network.processes.iter().flat_map(|one| &one.edges) {
        for statement in &edge.update {
            match statement {
                Stmt::Reset { clock, value, .. }
                    if clock.indices.is_empty()
                        && value.as_const().is_some_and(|value| value >= 0) => {}
                _ => writes.stmt(statement),
            }
        }
    }
    for function in &network.functions {
        walk_stmts(&mut writes, &function.body);
    }
    walk_stmts(&mut writes, &network.before_update);
    walk_stmts(&mut writes, &network.after_update);
    writes.plain
}

/// Finds what else is written.
struct Writes {
    plain: Vec<bool>,
}

impl Visitor for Writes {
    fn stmt(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Reset { clock, .. } if clock.indices.is_empty() => {
                self.plain[clock.base.index()] = false;
            }
            // Which element it is shows at run time only.
            Stmt::Reset { .. } => self.plain.fill(false),
            Stmt::CopyClock { target, .. } => self.plain[target.index()] = false,
            _ => {}
        }
        walk_stmt(self, statement);
    }
}
