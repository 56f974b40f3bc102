//! Judging a trace: replay every step, then see that the run shows what the query asks for.
//!
//! What a trace must show, by the kind of the query:
//! - `E<> p`: p holds in the last state; `A[] p`: p does not.
//! - `E[] p` (a witness) and `A<> p` (a counter-example, with ¬p): the formula holds in every state of the run, at every
//!   moment of every delay, and the run goes on for ever or ends in a deadlock.
//! - `p --> q` (a counter-example): from some moment with p on, ¬q holds as above.
//! - `sup`, `inf`, `bounds`: the last state counts (it satisfies the predicate). Exploration: any run will do.
//!
//! A run ends rightly if no transition is possible now or after any delay ([`Ending::Deadlock`]), if time can pass
//! without end and the formula keeps holding ([`Ending::Diverges`]), or if its last transitions can be repeated for
//! ever ([`Ending::Loop`], see [`crate::traces::lasso`]). Zeno runs are not excluded.

use merkhet_network::{
    Address, ClockId, Ending, Formula, Network, ProcessId, Query, QueryKind, Sync, Trace,
    Transition,
};

use crate::condition::{Condition, mentions_deadlock};
use crate::fault::Fault;
use crate::rules::{Rules, all_hold};
use crate::traces::lasso;
use crate::traces::outlook::{Outlook, Point};
use crate::traces::present::{Done, Impossible, Present};
use crate::traces::report::{Change, ConcreteState, Rejection, Replayed, ReplayedStep, TakenEdge};
use crate::traces::step::{Joining, take};

/// What must hold where.
enum Claim<'q> {
    /// Nothing but that this is a run.
    Run,
    /// The formula (or its negation) holds in the last state.
    Last(&'q Formula, bool),
    /// The formula (or its negation) holds all along, and the run is maximal.
    Always(&'q Formula, bool),
    /// From some moment with the first formula on, the second never holds, and the run is maximal.
    Broken(&'q Formula, &'q Formula),
}

impl<'q> Claim<'q> {
    fn of(query: &'q Query) -> Claim<'q> {
        match &query.kind {
            QueryKind::Possibly(formula) => Claim::Last(formula, true),
            QueryKind::Invariantly(formula) => Claim::Last(formula, false),
            QueryKind::PotentiallyAlways(formula) => Claim::Always(formula, true),
            QueryKind::Eventually(formula) => Claim::Always(formula, false),
            QueryKind::LeadsTo(from, to) => Claim::Broken(from, to),
            QueryKind::Bounds { predicate, .. } => Claim::Last(predicate, true),
            QueryKind::Explore => Claim::Run,
        }
    }

    /// The formula that must hold all along, if there is one.
    fn always(&self) -> Option<(&'q Formula, bool)> {
        match *self {
            Claim::Run | Claim::Last(..) => None,
            Claim::Always(formula, positive) => Some((formula, positive)),
            Claim::Broken(_, to) => Some((to, false)),
        }
    }
}

/// Accepts a trace as showing the query's verdict, or rejects it. See the module for what it must show.
pub fn judge_trace(network: &Network, query: &Query, trace: &Trace) -> Result<Replayed, Rejection> {
    if trace.scale <= 0 {
        return Err(Rejection::new(0, "the time scale is not positive"));
    }
    let rules = Rules { network };
    let present = Present::new(rules, trace.scale).map_err(|impossible| match impossible {
        Impossible::Fault(fault) => failed(network, 0, fault),
        _ => Rejection::new(0, "an invariant does not hold in the initial state"),
    })?;
    let mut run = Run {
        rules,
        joining: Joining::new(network),
        present,
        claim: Claim::of(query),
        scale: trace.scale,
        pending: None,
        always_since: 0,
    };
    run.judge(trace)
}

/// The process whose invariant does not hold in the initial state, if there is one. Where that cannot be told because an
/// evaluation fails, it counts as holding: exploring the network meets that fault.
pub fn forbids_initial_state(network: &Network) -> Option<ProcessId> {
    let rules = Rules { network };
    let state = rules.initial();
    network.process_ids().find(|process| {
        match rules.invariant_of(&state, *process) {
            Ok(Some(atoms)) => !all_hold(&atoms, &vec![0; rules.dimension()], 1),
            Ok(None) => true,
            // A fault is found by whoever runs the model.
            Err(_) => false,
        }
    })
}

struct Run<'a> {
    rules: Rules<'a>,
    joining: Joining,
    present: Present<'a>,
    claim: Claim<'a>,
    scale: i64,
    /// For `p --> q`: p has held since when q has not: the step, and whether already at its very start.
    pending: Option<(usize, bool)>,
    /// The first step from whose state on the formula that must hold all along has held without a break.
    always_since: usize,
}

impl Run<'_> {
    fn judge(&mut self, trace: &Trace) -> Result<Replayed, Rejection> {
        let start = self.present.point();
        let initial = concrete(&start);
        let mut home = match trace.ending {
            Ending::Loop(0) => Some(start),
            _ => None,
        };
        let mut steps = Vec::with_capacity(trace.steps.len());
        for (index, step) in trace.steps.iter().enumerate() {
            let time = self.present.now;
            self.delay(index, step.delay)?;
            let done = take(&mut self.present, &self.joining, &step.transition)
                .map_err(|reason| Rejection::new(index, reason))?;
            steps.push(self.describe(time, step.delay, &step.transition, &done));
            if trace.ending == Ending::Loop(index + 1) {
                home = Some(self.present.point());
            }
        }
        let end_time = self.present.now;
        let end = self.present.point();
        self.delay(trace.steps.len(), trace.last_delay)?;
        let last = self.present.point();
        self.conclude(trace, home.as_ref(), &end, &last)?;
        Ok(Replayed {
            scale: trace.scale,
            initial,
            steps,
            end_time,
            last_delay: trace.last_delay.into(),
            last: concrete(&last),
            ending: trace.ending,
        })
    }

    fn fault(&self, step: usize, fault: Fault) -> Rejection {
        failed(self.rules.network, step, fault)
    }

    fn condition(&self, point: &Point, (formula, positive): (&Formula, bool)) -> Condition {
        Condition::of(self.rules, &point.discrete, formula, positive)
    }

    /// Lets time pass, with all that must hold meanwhile.
    fn delay(&mut self, step: usize, delay: i64) -> Result<(), Rejection> {
        if delay < 0 {
            return Err(Rejection::new(step, "a negative delay"));
        }
        let passes = self.present.lets_pass(delay.into());
        if !passes.map_err(|fault| self.fault(step, fault))? {
            return Err(Rejection::new(step, NOT_ALLOWED));
        }
        if self.claim.always().is_some() {
            self.watch(step, delay)?;
        }
        self.present.pass(delay.into());
        Ok(())
    }

    /// What formulas that speak of every moment say about those of a delay.
    fn watch(&mut self, step: usize, delay: i64) -> Result<(), Rejection> {
        let point = self.present.point();
        let mut conditions = Vec::new();
        let mut actions = false;
        if let Some((formula, positive)) = self.claim.always() {
            conditions.push(self.condition(&point, (formula, positive)));
            actions |= mentions_deadlock(formula);
        }
        if let Claim::Broken(from, _) = self.claim {
            conditions.push(self.condition(&point, (from, true)));
            actions |= mentions_deadlock(from);
        }
        let wanted: Vec<&Condition> = conditions.iter().collect();
        let outlook = Outlook::new(self.rules, &point, self.scale, &wanted, &[delay], actions)
            .map_err(|fault| self.fault(step, fault))?;
        if !outlook.allows(delay) {
            return Err(Rejection::new(step, NOT_ALLOWED));
        }
        let truths: Result<Vec<Vec<bool>>, Fault> = conditions
            .iter()
            .map(|condition| outlook.truth(condition, Some(delay)))
            .collect();
        let truths = truths.map_err(|fault| self.fault(step, fault))?;
        self.observe(step, &truths)
    }

    fn observe(&mut self, step: usize, truths: &[Vec<bool>]) -> Result<(), Rejection> {
        match &self.claim {
            Claim::Run | Claim::Last(..) => {}
            Claim::Always(..) => {
                if truths[0].contains(&false) {
                    let reason = "the formula that must hold all along does not hold here";
                    return Err(Rejection::new(step, reason));
                }
            }
            Claim::Broken(..) => {
                for (sample, (&not_to, &from)) in truths[0].iter().zip(&truths[1]).enumerate() {
                    if !not_to {
                        self.pending = None;
                        self.always_since = step + 1;
                    } else if from && self.pending.is_none() {
                        self.pending = Some((step, sample == 0));
                    }
                }
            }
        }
        Ok(())
    }

    fn conclude(
        &self,
        trace: &Trace,
        home: Option<&Point>,
        end: &Point,
        last: &Point,
    ) -> Result<(), Rejection> {
        let step = trace.steps.len();
        let needs_ending = self.claim.always().is_some();
        if let Claim::Last(formula, positive) = self.claim {
            self.holds_last(step, last, (formula, positive))?;
        }
        if matches!(self.claim, Claim::Broken(..)) && self.pending.is_none() {
            let reason = "no moment with the premise after which the conclusion never holds";
            return Err(Rejection::new(step, reason));
        }
        match trace.ending {
            Ending::State if needs_ending => Err(Rejection::new(
                step,
                "the run is neither infinite nor maximal",
            )),
            Ending::State => Ok(()),
            Ending::Deadlock => self.deadlock(step, last),
            Ending::Diverges => self.diverges(step, last),
            Ending::Loop(first) => self.repeats(trace, home, end, first),
        }
    }

    fn holds_last(
        &self,
        step: usize,
        last: &Point,
        claim: (&Formula, bool),
    ) -> Result<(), Rejection> {
        let condition = self.condition(last, claim);
        let actions = condition.asks_deadlock();
        let outlook = Outlook::new(self.rules, last, self.scale, &[&condition], &[0], actions)
            .map_err(|fault| self.fault(step, fault))?;
        let truth = outlook.truth(&condition, Some(0));
        match truth.map_err(|fault| self.fault(step, fault))?.first() {
            Some(true) => Ok(()),
            _ => Err(Rejection::new(
                step,
                "the last state does not show what the query asks for",
            )),
        }
    }

    fn deadlock(&self, step: usize, last: &Point) -> Result<(), Rejection> {
        let always = match self.claim.always() {
            Some(claim) => self.condition(last, claim),
            None => Condition::Known(true),
        };
        let outlook = Outlook::new(self.rules, last, self.scale, &[&always], &[0], true)
            .map_err(|fault| self.fault(step, fault))?;
        if !outlook.is_deadlock() {
            let reason = "a transition is still possible in the end";
            return Err(Rejection::new(step, reason));
        }
        // The run goes on as long as time can pass: the formula must hold until then.
        let truth = outlook.truth(&always, None);
        let truth = truth.map_err(|fault| self.fault(step, fault))?;
        if truth.contains(&false) {
            let reason = "the formula does not hold until time stops";
            return Err(Rejection::new(step, reason));
        }
        Ok(())
    }

    fn diverges(&self, step: usize, last: &Point) -> Result<(), Rejection> {
        let always = match self.claim.always() {
            Some(claim) => self.condition(last, claim),
            None => Condition::Known(true),
        };
        let actions = always.asks_deadlock();
        let outlook = Outlook::new(self.rules, last, self.scale, &[&always], &[0], actions)
            .map_err(|fault| self.fault(step, fault))?;
        if !outlook.diverges() {
            return Err(Rejection::new(
                step,
                "time cannot pass without end in the last state",
            ));
        }
        let truth = outlook.truth(&always, None);
        let truth = truth.map_err(|fault| self.fault(step, fault))?;
        if truth.contains(&false) {
            return Err(Rejection::new(
                step,
                "the formula does not hold for ever as time passes",
            ));
        }
        Ok(())
    }

    fn repeats(
        &self,
        trace: &Trace,
        home: Option<&Point>,
        end: &Point,
        first: usize,
    ) -> Result<(), Rejection> {
        let step = trace.steps.len();
        let Some(home) = home.filter(|_| first < step) else {
            return Err(Rejection::new(step, "the loop has no steps"));
        };
        if matches!(self.claim, Claim::Broken(..)) && self.always_since > first {
            let reason = "the conclusion holds somewhere on the loop";
            return Err(Rejection::new(step, reason));
        }
        // The premise must hold before the part that is repeated: if it first holds within the round shown, the
        // repetition has to start after that round.
        let within = match self.pending {
            Some((since, at_start)) => since > first || (since == first && !at_start),
            None => false,
        };
        let cycle: Vec<&Transition> = trace.steps[first..]
            .iter()
            .map(|step| &step.transition)
            .collect();
        let lasso = lasso::Lasso {
            rules: self.rules,
            scale: self.scale,
            cycle: &cycle,
            home,
            end,
            from_end: within,
            always: self.claim.always(),
        };
        lasso
            .check()
            .map_err(|reason| Rejection::new(first, format!("the loop: {reason}")))
    }

    fn describe(
        &self,
        time: i128,
        delay: i64,
        transition: &Transition,
        done: &Done,
    ) -> ReplayedStep {
        let network = self.rules.network;
        let edges = transition.edges.iter().map(|&(process, edge)| {
            let owner = network.process(process);
            let taken = &owner.edges[edge.index()];
            TakenEdge {
                process,
                edge,
                process_name: owner.name.clone(),
                source: owner.locations[taken.source.index()].name.clone(),
                target: owner.locations[taken.target.index()].name.clone(),
                location: taken.target,
            }
        });
        // The clocks that did not grow with the delay: those that stood still in it, and those that were set.
        let mut rows: Vec<usize> = done.rows.clone();
        if delay > 0 {
            rows.extend(&done.stood_still);
            rows.sort_unstable();
            rows.dedup();
        }
        let clock = |row: usize| (ClockId::from(row - 1), self.present.value(row));
        ReplayedStep {
            time,
            delay: delay.into(),
            edges: edges.collect(),
            sync: sync_name(network, transition),
            changes: self.changes(done),
            clocks: rows.into_iter().map(clock).collect(),
        }
    }

    /// The cells that a transition gave another value.
    fn changes(&self, done: &Done) -> Vec<Change> {
        let network = self.rules.network;
        let change = |&(address, before): &(Address, Option<i32>)| {
            let (old, new) = (before.unwrap_or(0), self.present.cell(address));
            (old != new).then(|| Change {
                address,
                name: network.cell_name(address),
                old,
                new,
            })
        };
        done.kept.cells.iter().filter_map(change).collect()
    }
}

const NOT_ALLOWED: &str =
    "the delay is not allowed (invariant, urgent or committed location, or urgent channel)";

fn failed(network: &Network, step: usize, fault: Fault) -> Rejection {
    let words = fault.describe(network);
    Rejection {
        fault: true,
        ..Rejection::new(step, format!("an evaluation fails: {words}"))
    }
}

fn sync_name(network: &Network, transition: &Transition) -> Option<String> {
    let names = transition.edges.iter().filter_map(|&(process, edge)| {
        match network.edge(process, edge).sync {
            Sync::Internal | Sync::Receive(_) => None,
            Sync::Send(channel) => Some(network.channels[channel.index()].name.clone()),
            Sync::Event(event) => Some(network.events[event.index()].clone()),
        }
    });
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then(|| names.join(", "))
}

fn concrete(point: &Point) -> ConcreteState {
    ConcreteState {
        locations: point.discrete.locations.clone(),
        cells: point.discrete.cells.clone(),
        meta: point.discrete.meta.iter().map(|m| m.unwrap_or(0)).collect(),
        clocks: point.values[1..].to_vec(),
    }
}
