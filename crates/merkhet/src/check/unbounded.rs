//! Whether a clock grows beyond every bound.
//!
//! A clock is added that ticks: when it is at least 1 it may be set to 0, at any time and without a transition of the model, so
//! that neither committed locations nor priorities hold a tick up, and updates around transitions do not see it. A run can
//! be filled up with ticks whenever time has passed. If the measured clock exceeds the number of symbolic states
//! (abstracted by maximal constants, so that they are finitely many) in a state that counts, then some symbolic state occurs
//! twice on the way there, with a tick and without a reset of the clock in between. Conversely such a cycle can be taken any
//! number of times, since every path of these symbolic states is followed by a run (S. Tripakis, "Checking timed Büchi
//! emptiness on simulation graphs", TOCL 2009), and every round takes a time unit.
//!
//! A tick that must come after one time unit was tried: it makes fewer symbolic states where loops take one unit each, and very
//! many where constants are large, since every unit is then a state of its own.
//!
//! A difference `x − y` grows if x does and y is set to a value after that, while x goes on: nothing else makes it large.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_network::{Clock, ClockConstraint, ClockId, Expr, Formula, Network, SiteId};
use merkhet_semantics::{
    Explorer, Extrapolation, Fault, GoalId, Options, Origin, State, Successor, System,
};
use merkhet_zones::bound::{Bound, le};
use merkhet_zones::zone;

use super::Task;
use crate::failure::Failure;

/// A step between two symbolic states that keeps the clock.
struct Step {
    target: u32,
    ticks: bool,
    /// The clock that is subtracted is set to a value.
    renews: bool,
    /// It is set to the value of another clock.
    copies: bool,
}

/// A discrete part and a zone.
type Symbolic = (Box<[i32]>, Box<[Bound]>);

/// The symbolic states and the steps that do not reset the clock.
struct Graph {
    numbers: HashMap<Symbolic, u32>,
    states: Vec<Symbolic>,
    steps: Vec<Vec<Step>>,
    /// Whether some valuation counts.
    counts: Vec<bool>,
}

/// What is measured.
#[derive(Clone, Copy)]
struct Measured {
    /// The row of the clock.
    row: usize,
    /// The row of the clock that is subtracted.
    minus: Option<usize>,
    /// The row of the clock that ticks.
    tick: usize,
}

impl Task<'_> {
    /// Whether a clock, or its difference to another one, takes arbitrarily large values where the predicate holds; `None` if
    /// that could not be found out with so many symbolic states.
    pub(super) fn is_unbounded(
        &mut self,
        predicate: &Formula,
        clock: ClockId,
        minus: Option<ClockId>,
        most: u64,
        start: Instant,
    ) -> Result<Option<bool>, Failure> {
        let (ticking, tick) = with_ticks(self.network);
        let due = due(tick);
        let options = Options {
            extrapolation: Extrapolation::M,
            demand: Demand {
                formulas: &[predicate, &due],
                symmetric: true,
                exact: &[],
            },
            ..Options::default()
        };
        let system = System::new(&ticking, &options).map_err(Failure::too_large)?;
        if system.over_approximate() {
            return Ok(None);
        }
        let mut reason = None;
        let mut stop = self.watch(start, &mut reason);
        let mut graph = Graph {
            numbers: HashMap::new(),
            states: Vec::new(),
            steps: Vec::new(),
            counts: Vec::new(),
        };
        let measured = Measured {
            row: clock.index() + 1,
            minus: minus.map(|clock| clock.index() + 1),
            tick: tick.index() + 1,
        };
        let explored = graph.explore(&system, measured, &mut |states| states > most || stop(0, 0));
        match explored {
            Ok(true) => Ok(Some(graph.grows(minus.is_some()))),
            Ok(false) => Ok(None),
            Err(fault) => {
                drop(stop);
                Err(Failure::of(self.network, &fault))
            }
        }
    }
}

impl Graph {
    /// Explores everything; false if it was stopped.
    fn explore(
        &mut self,
        system: &System,
        measured: Measured,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Result<bool, Fault> {
        let mut explorer = Explorer::exact(system);
        let mut successors = Vec::new();
        let _ = explorer
            .initial(&mut |successor| keep(&mut successors, &successor, measured, false))?;
        self.meet(&mut explorer, None, &mut successors)?;
        let mut next = 0;
        while next < self.states.len() {
            if stop(self.states.len() as u64) {
                return Ok(false);
            }
            let (memory, mut zone) = self.states[next].clone();
            let state = State {
                memory: &memory,
                zone: &zone,
            };
            let mut found = false;
            explorer.where_satisfied(GoalId(0), state, &mut |_| found = true)?;
            self.counts.push(found);
            let _ = explorer.successors(state, &mut |successor: Successor<'_>| {
                keep(&mut successors, &successor, measured, false)
            })?;
            let n = system.dimension();
            if zone::constrain(&mut zone, n, 0, measured.tick, le(-1)) {
                zone::reset(&mut zone, n, measured.tick, 0);
                let state = State {
                    memory: &memory,
                    zone: &zone,
                };
                let _ = explorer.delay(state, &mut |successor| {
                    keep(&mut successors, &successor, measured, true)
                })?;
            }
            self.meet(&mut explorer, Some(next), &mut successors)?;
            next += 1;
        }
        Ok(true)
    }

    /// Numbers the abstracted successors of a state.
    fn meet(
        &mut self,
        explorer: &mut Explorer<'_>,
        source: Option<usize>,
        successors: &mut Vec<Kept>,
    ) -> Result<(), Fault> {
        for successor in successors.drain(..) {
            let mut parts: Vec<Box<[Bound]>> = Vec::new();
            explorer.abstracted(&successor.memory, &successor.zone, &mut |zone| {
                parts.push(zone.into())
            })?;
            for zone in parts {
                let state = (successor.memory.clone(), zone);
                let next = self.states.len() as u32;
                let target = *self.numbers.entry(state.clone()).or_insert(next);
                if target == next {
                    self.states.push(state);
                    self.steps.push(Vec::new());
                }
                if let (Some(source), false) = (source, successor.resets) {
                    self.steps[source].push(Step {
                        target,
                        ticks: successor.ticks,
                        renews: successor.renews,
                        copies: successor.copies,
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether a state that counts follows a cycle with a tick; for a difference, with a step in between (or in the cycle)
    /// that sets the clock that is subtracted.
    fn grows(&self, difference: bool) -> bool {
        let component = self.components();
        // By state: without such a step, and after it.
        let mut reached = vec![[false; 2]; self.states.len()];
        let mut stack: Vec<(u32, bool)> = Vec::new();
        for (source, steps) in self.steps.iter().enumerate() {
            let round =
                |step: &&Step| step.ticks && component[source] == component[step.target as usize];
            let ends = steps.iter().filter(round);
            stack.extend(ends.map(|step| (step.target, !difference)));
        }
        while let Some((state, set)) = stack.pop() {
            let state = state as usize;
            if std::mem::replace(&mut reached[state][usize::from(set)], true) {
                continue;
            }
            if set && self.counts[state] {
                return true;
            }
            let next = self.steps[state].iter();
            let after = |step: &Step| (set || step.renews) && !(difference && step.copies);
            stack.extend(next.map(|step| (step.target, after(step))));
        }
        false
    }

    /// The strongly connected component of each state (Tarjan's algorithm with a stack of its own).
    fn components(&self) -> Vec<u32> {
        const UNSEEN: u32 = u32::MAX;
        let count = self.states.len();
        let (mut order, mut low) = (vec![UNSEEN; count], vec![0u32; count]);
        let mut component = vec![UNSEEN; count];
        let mut open: Vec<u32> = Vec::new();
        let mut path: Vec<(u32, usize)> = Vec::new();
        let (mut seen, mut components) = (0, 0);
        for root in 0..count as u32 {
            if order[root as usize] != UNSEEN {
                continue;
            }
            path.push((root, 0));
            while let Some((state, at)) = path.pop() {
                let here = state as usize;
                if at == 0 {
                    (order[here], low[here]) = (seen, seen);
                    seen += 1;
                    open.push(state);
                } else {
                    let child = self.steps[here][at - 1].target as usize;
                    if component[child] == UNSEEN {
                        low[here] = low[here].min(low[child]);
                    }
                }
                if let Some(step) = self.steps[here].get(at) {
                    path.push((state, at + 1));
                    let target = step.target as usize;
                    if order[target] == UNSEEN {
                        path.push((step.target, 0));
                    } else if component[target] == UNSEEN {
                        low[here] = low[here].min(order[target]);
                    }
                    continue;
                }
                if low[here] == order[here] {
                    while let Some(member) = open.pop() {
                        component[member as usize] = components;
                        if member == state {
                            break;
                        }
                    }
                    components += 1;
                }
            }
        }
        component
    }
}

/// A successor before abstraction.
struct Kept {
    memory: Box<[i32]>,
    zone: Box<[Bound]>,
    ticks: bool,
    /// The clock has a new value.
    resets: bool,
    /// The clock that is subtracted is set to a value, not to that of a clock.
    renews: bool,
    /// It is set to that of another clock.
    copies: bool,
}

fn keep(
    all: &mut Vec<Kept>,
    successor: &Successor<'_>,
    measured: Measured,
    ticks: bool,
) -> ControlFlow<()> {
    let Measured { row, minus, .. } = measured;
    let same = Origin {
        row: row as u32,
        offset: 0,
    };
    let origin = |row: usize| successor.origins.get(row);
    all.push(Kept {
        memory: successor.state.memory.into(),
        zone: successor.state.zone.into(),
        ticks,
        resets: origin(row).is_some_and(|from| *from != same),
        renews: minus.and_then(origin).is_some_and(|from| from.row == 0),
        copies: minus.is_some_and(|minus| {
            origin(minus).is_some_and(|from| from.row != 0 && from.row as usize != minus)
        }),
    });
    ControlFlow::Continue(())
}

/// The network with a clock that nothing in it looks at.
fn with_ticks(network: &Network) -> (Network, ClockId) {
    let mut ticking = network.clone();
    let tick = ClockId::from(network.clocks.len());
    ticking.clocks.push(Clock {
        name: "tick".into(),
        owner: None,
    });
    (ticking, tick)
}

/// That a time unit has passed since the last tick.
fn due(tick: ClockId) -> Formula {
    Formula::Clock(ClockConstraint {
        condition: None,
        left: None,
        right: Some(tick),
        strict: false,
        bound: Expr::Const(-1),
        site: SiteId::NONE,
    })
}
