//! Digital clocks: time in integer steps.
//!
//! For networks whose constraints are all non-strict and compare single clocks with constants, integer time reaches the
//! same discrete states as real time, and meets the same closed sets (Henzinger, Manna, Pnueli, "What good are digital
//! clocks?", 1992; closed timed automata). Negated constraints are open, so whatever negates one (priorities, clock
//! guards of urgent or broadcast edges) and deadlock are outside of it.

use std::collections::{BTreeSet, HashMap};

use merkhet_network::{ClockConstraint, ClockId, Formula, Network, Query, QueryKind};

use crate::oracle::discrete::{Clocks, Discrete, Obstacle, State, check_supported};

/// All reachable states in integer time; a clock stops one above the largest constant.
pub struct DigitalGraph<'n> {
    network: &'n Network,
    states: Vec<(Discrete, Digital)>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Digital {
    values: Vec<i32>,
    cap: i32,
}

impl Clocks for Digital {
    fn satisfies(
        &self,
        left: Option<ClockId>,
        right: Option<ClockId>,
        strict: bool,
        bound: i32,
    ) -> bool {
        let value = |clock: Option<ClockId>| clock.map_or(0, |c| self.values[c.index()]);
        value(left) - value(right) < bound + i32::from(!strict)
    }

    fn set(&mut self, clock: ClockId, value: i32) {
        self.values[clock.index()] = value.min(self.cap);
    }

    fn copy(&mut self, target: ClockId, source: ClockId, offset: i32) {
        self.set(target, self.values[source.index()] + offset);
    }
}

impl<'n> DigitalGraph<'n> {
    /// Explores a closed network; `constant` is at least its largest clock constant and that of the queries asked.
    pub fn build(
        network: &'n Network,
        constant: i32,
        limit: usize,
    ) -> Result<DigitalGraph<'n>, Obstacle> {
        check_supported(network)?;
        check_closed(network)?;
        let mut graph = DigitalGraph {
            network,
            states: Vec::new(),
        };
        let clocks = Digital {
            values: vec![0; network.clocks.len()],
            cap: constant + 1,
        };
        let initial = State::initial(network, clocks);
        if !initial.invariant()? {
            return Ok(graph);
        }
        let mut known = HashMap::new();
        graph.intern(&mut known, initial);
        let mut next = 0;
        while next < graph.states.len() {
            if graph.states.len() > limit {
                return Err(Obstacle::TooLarge);
            }
            let state = graph.state(next);
            for (_, target) in state.successors()? {
                graph.intern(&mut known, target);
            }
            if !state.frozen() && !state.hurried()? {
                let mut later = state;
                let cap = later.clocks.cap;
                for value in &mut later.clocks.values {
                    *value = (*value + 1).min(cap);
                }
                if later.invariant()? {
                    graph.intern(&mut known, later);
                }
            }
            next += 1;
        }
        Ok(graph)
    }

    fn intern(&mut self, known: &mut HashMap<(Discrete, Digital), ()>, state: State<'n, Digital>) {
        let key = (state.discrete, state.clocks);
        if known.insert(key.clone(), ()).is_none() {
            self.states.push(key);
        }
    }

    fn state(&self, index: usize) -> State<'n, Digital> {
        let (discrete, clocks) = self.states[index].clone();
        State {
            network: self.network,
            discrete,
            clocks,
        }
    }

    /// The reachable discrete states.
    pub fn discrete_states(&self) -> BTreeSet<Discrete> {
        self.states.iter().map(|state| state.0.clone()).collect()
    }

    /// Whether `E<> p` or `A[] p` holds, if the set that is looked for is closed; `None` for anything else.
    pub fn verdict(&self, query: &Query) -> Result<Option<bool>, Obstacle> {
        let (formula, wanted) = match &query.kind {
            QueryKind::Possibly(formula) => (formula, true),
            QueryKind::Invariantly(formula) => (formula, false),
            _ => return Ok(None),
        };
        if !is_closed(formula, wanted) {
            return Ok(None);
        }
        for index in 0..self.states.len() {
            if self.state(index).formula(formula, false)? == wanted {
                return Ok(Some(wanted));
            }
        }
        Ok(Some(!wanted))
    }
}

/// Whether a formula, or its negation, describes a closed set without differences.
fn is_closed(formula: &Formula, positive: bool) -> bool {
    match formula {
        Formula::Data(_) => true,
        Formula::Clock(constraint) => constraint.strict != positive && !constraint.is_difference(),
        Formula::Deadlock => false,
        Formula::Not(inner) => is_closed(inner, !positive),
        Formula::And(list) | Formula::Or(list) => list.iter().all(|p| is_closed(p, positive)),
    }
}

fn check_closed(network: &Network) -> Result<(), Obstacle> {
    let open = |list: &[ClockConstraint]| list.iter().any(|c| c.strict || c.is_difference());
    for process in &network.processes {
        for location in &process.locations {
            if open(&location.invariant.clocks) {
                return Err(Obstacle::Unsupported("an open constraint"));
            }
        }
        for edge in &process.edges {
            if open(&edge.guard.clocks) {
                return Err(Obstacle::Unsupported("an open constraint"));
            }
        }
    }
    if network.has_priorities() {
        return Err(Obstacle::Unsupported("priorities"));
    }
    Ok(())
}
