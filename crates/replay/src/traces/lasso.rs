//! Whether the last transitions of a trace can be repeated for ever.
//!
//! The criterion. The loop's transitions lead through discrete states D₀ → D₁ → … → Dₙ = D₀ (data do not depend on
//! clocks, so this is one fixed sequence). Let Pre(W) be the set of valuations in D₀ from which some delays allow all
//! transitions of the loop, one after the other, and end in W, with every rule obeyed and the formula of the query
//! holding at every moment. The greatest fixed point of W ↦ Pre(W), computed from "the formula and the invariants
//! hold", holds exactly the valuations from which the loop can be repeated for ever: from W = Pre(W) every round can be
//! followed by another one, and a valuation with an infinite run is never removed. The loop is accepted if the concrete
//! valuation from which the repetition starts lies in the fixed point.
//!
//! The iteration ends: Pre maps unions of regions (for the largest constant around) to unions of regions, and there are
//! finitely many. It is given up beyond a limit, which rejects the trace.
//!
//! Where a clock stands still on the loop, sets of valuations are no unions of zones. Then, and as a short cut, a loop
//! is accepted whose round brings every clock that matters back to the value that it had.

use merkhet_network::{EdgeId, Formula, ProcessId, Transition};

use crate::certificates::federation::{Federation, time_predecessors};
use crate::certificates::situation::{Situation, Trouble};
use crate::condition::Condition;
use crate::moves::After;
use crate::rules::{Discrete, Rules};
use crate::traces::outlook::Point;

/// Rounds of the fixed point after which the loop counts as not confirmed.
const ROUND_LIMIT: usize = 400;
/// Zones in one set after which the loop counts as not confirmed.
const ZONE_LIMIT: usize = 4000;
/// Rounds until `meta` variables must have come back.
const META_LIMIT: usize = 64;

/// A loop to be checked.
pub(crate) struct Lasso<'a> {
    pub rules: Rules<'a>,
    pub scale: i64,
    pub cycle: &'a [&'a Transition],
    /// The state in which the round that the trace shows starts.
    pub home: &'a Point,
    /// The state in which that round ends.
    pub end: &'a Point,
    /// Whether the repetition is to start from `end` rather than from `home`.
    pub from_end: bool,
    /// The formula, or its negation, that must hold all along.
    pub always: Option<(&'a Formula, bool)>,
}

/// One transition of the loop with the valuations that it needs.
struct Bend {
    frozen: bool,
    /// Where the invariants and the formula hold.
    good: Federation,
    /// Everywhere else.
    bad: Federation,
    hurry: Federation,
    /// Where the transition is there.
    ready: Federation,
    next: After,
}

impl Bend {
    /// The valuations from which a delay and the transition lead into the set.
    fn predecessors(&self, set: &Federation) -> Federation {
        let mut goal = Federation::empty();
        for zone in &set.zones {
            if let Some(zone) = zone.before(&self.next.clocks) {
                goal.push(zone);
            }
        }
        let goal = goal.intersect(&self.ready);
        if self.frozen {
            return goal;
        }
        time_predecessors(&goal, &self.bad, &self.hurry)
    }
}

impl Lasso<'_> {
    /// Accepts the loop, or says why not.
    pub(crate) fn check(&self) -> Result<(), String> {
        let (home, end) = (&self.home.discrete, &self.end.discrete);
        if home.locations != end.locations || home.cells != end.cells {
            return Err("it does not come back to the same locations and variables".into());
        }
        if home.meta == end.meta && self.is_periodic() {
            return Ok(());
        }
        let bends = self.bends().map_err(|trouble| self.words(trouble))?;
        let start = self.start();
        let mut set = bends[0].good.clone();
        for _ in 0..ROUND_LIMIT {
            if !set.contains(&start.values, self.scale.into()) {
                return Err("it cannot be repeated for ever from there".into());
            }
            let mut before = set.clone();
            for bend in bends.iter().rev() {
                before = bend.predecessors(&before);
                if before.zones.len() > ZONE_LIMIT {
                    return Err("not confirmed: too many zones".into());
                }
            }
            if before.includes(&set) {
                return Ok(());
            }
            set = before;
        }
        Err("not confirmed: too many rounds".into())
    }

    fn start(&self) -> &Point {
        if self.from_end { self.end } else { self.home }
    }

    fn words(&self, trouble: Trouble) -> String {
        match trouble {
            Trouble::Fault(fault) => {
                format!(
                    "an evaluation fails: {}",
                    fault.describe(self.rules.network)
                )
            }
            Trouble::Unsupported(what) => format!("not confirmed: {what}"),
        }
    }

    /// Whether the round that the trace shows brings all clocks that matter back to their values.
    fn is_periodic(&self) -> bool {
        let compared = compared_rows(self.rules, self.always.map(|(formula, _)| formula));
        let values = self.home.values.iter().zip(&self.end.values);
        values
            .zip(compared)
            .all(|((home, end), compared)| !compared || home == end)
    }

    /// The loop's transitions, as many rounds as `meta` variables need to come back.
    fn bends(&self) -> Result<Vec<Bend>, Trouble> {
        let first = &self.start().discrete;
        let mut state = first.clone();
        let mut bends = Vec::new();
        for _ in 0..META_LIMIT {
            for transition in self.cycle {
                let bend = self.bend(&state, &transition.edges)?;
                state = bend.next.state.clone();
                bends.push(bend);
            }
            if state == *first {
                return Ok(bends);
            }
        }
        Err(Trouble::Unsupported("meta variables do not come back"))
    }

    fn bend(&self, state: &Discrete, edges: &[(ProcessId, EdgeId)]) -> Result<Bend, Trouble> {
        let impossible = Trouble::Unsupported("a transition of it is never possible");
        let Some(situation) = Situation::new(self.rules, state.clone())? else {
            return Err(impossible);
        };
        if situation.has_stopped_clocks() {
            return Err(Trouble::Unsupported(
                "a clock stands still, and the clocks do not come back to their values",
            ));
        }
        let here = Federation::from(situation.invariant.clone());
        let good = self.good(&situation, &here)?;
        let mut ready = Federation::empty();
        let mut next = None;
        for (index, candidate) in situation.moves.iter().enumerate() {
            if candidate.edges == edges
                && let Some((set, after)) = situation.possible(index, &good)?
            {
                ready = ready.union(set);
                next = Some(after.clone());
            }
        }
        Ok(Bend {
            frozen: situation.frozen,
            bad: situation.outside(&good),
            good,
            hurry: situation.hurry(),
            ready,
            next: next.ok_or(impossible)?,
        })
    }

    fn good(&self, situation: &Situation<'_>, here: &Federation) -> Result<Federation, Trouble> {
        let Some((formula, positive)) = self.always else {
            return Ok(here.clone());
        };
        let condition = Condition::of(self.rules, &situation.state, formula, positive);
        let deadlocks = if condition.asks_deadlock() {
            situation.deadlocks()?
        } else {
            Federation::empty()
        };
        Ok(here.satisfying(&condition, &deadlocks)?)
    }
}

/// The rows of clocks that some guard, invariant or the formula compares, or that are copied.
fn compared_rows(rules: Rules<'_>, formula: Option<&Formula>) -> Vec<bool> {
    let network = rules.network;
    let mut compared = vec![false; rules.dimension()];
    let mut mark = |constraint: &merkhet_network::ClockConstraint| {
        compared[crate::rules::row(constraint.left)] = true;
        compared[crate::rules::row(constraint.right)] = true;
    };
    let mut copies = copies_clocks(&network.before_update) || copies_clocks(&network.after_update);
    for function in &network.functions {
        copies |= copies_clocks(&function.body);
    }
    for process in &network.processes {
        for location in &process.locations {
            location.invariant.clocks.iter().for_each(&mut mark);
        }
        for edge in &process.edges {
            edge.guard.clocks.iter().for_each(&mut mark);
            copies |= copies_clocks(&edge.update);
        }
    }
    if let Some(formula) = formula {
        mark_formula(formula, &mut mark);
    }
    if copies {
        compared.fill(true);
    }
    compared
}

fn mark_formula(formula: &Formula, mark: &mut impl FnMut(&merkhet_network::ClockConstraint)) {
    match formula {
        Formula::Data(_) | Formula::Deadlock => {}
        Formula::Clock(constraint) => mark(constraint),
        Formula::Not(inner) => mark_formula(inner, mark),
        Formula::And(list) | Formula::Or(list) => {
            list.iter().for_each(|part| mark_formula(part, mark));
        }
    }
}

/// Whether statements may copy a clock to another one.
fn copies_clocks(statements: &[merkhet_network::Stmt]) -> bool {
    use merkhet_network::Stmt;
    statements.iter().any(|statement| match statement {
        Stmt::CopyClock { .. } => true,
        Stmt::If {
            then, otherwise, ..
        } => copies_clocks(then) || copies_clocks(otherwise),
        Stmt::While { body, .. } | Stmt::For { body, .. } => copies_clocks(body),
        _ => false,
    })
}
