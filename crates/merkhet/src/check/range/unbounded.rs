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

use std::ops::ControlFlow;
use std::time::Instant;

use merkhet_analysis::Demand;
use merkhet_explore::store::Steps;
use merkhet_explore::{
    Blind, Budget, Config, Limits, Passed, Plain, Search, StateId, Status, Transitions, Watch,
};
use merkhet_network::{Clock, ClockConstraint, ClockId, Expr, Formula, Network, SiteId};
use merkhet_semantics::{
    Explorer, Extrapolation, Fault, GoalId, Options, Origin, State, Successor, System,
};
use merkhet_zones::bound::{Bound, le};
use merkhet_zones::zone;

use crate::check::Task;
use crate::check::reach::limits;
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

/// By symbolic state, the steps that do not reset the clock.
struct Graph {
    steps: Vec<Vec<Step>>,
    /// How many there are.
    count: usize,
    measured: Measured,
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
        let measured = Measured {
            row: clock.index() + 1,
            minus: minus.map(|clock| clock.index() + 1),
            tick: tick.index() + 1,
        };
        let limits = Limits {
            states: None,
            ..limits(self.limits, 1)
        };
        let watch = Watch::since(start, limits);
        let graph = Graph {
            steps: Vec::new(),
            count: 0,
            measured,
        };
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let states = Plain::telling(&system, graph).at_most(most);
        let ticking = Ticking {
            explorer: Explorer::exact(&system).cancelled_by(watch.cancellation()),
            abstraction: Explorer::exact(&system).cancelled_by(watch.cancellation()),
            tick: measured.tick,
            zone: vec![0; system.dimension() * system.dimension()],
        };
        let (config, mut guide) = (Config::default(), Blind);
        let mut search = Search::of(&system, ticking, states, watch, &config, &mut guide);
        let status = search.advance(Budget::UNLIMITED, self.observe);
        if let Some((fault, _)) = search.fault() {
            return Err(Failure::of(self.network, fault));
        }
        if status != Status::Exhausted {
            return Ok(None);
        }
        let mut states = search.into_passed();
        let counts = counting(&system, &mut states);
        let counts = counts.map_err(|fault| Failure::of(self.network, &fault))?;
        Ok(Some(states.steps.grows(&counts, minus.is_some())))
    }
}

/// What a model can do, ticks included. Zones are abstracted here, so that what is measured is read off before.
struct Ticking<'s> {
    explorer: Explorer<'s>,
    abstraction: Explorer<'s>,
    /// The row of the clock that ticks.
    tick: usize,
    /// Room for a zone after a tick.
    zone: Vec<Bound>,
}

/// Hands on the abstracted parts of a successor.
fn abstracted(
    explorer: &mut Explorer<'_>,
    successor: &Successor<'_>,
    failed: &mut Option<Fault>,
    sink: &mut impl FnMut(Successor<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let State { memory, zone } = successor.state;
    let mut flow = ControlFlow::Continue(());
    let outcome = explorer.abstracted(memory, zone, &mut |zone| {
        if flow.is_continue() {
            let state = State { memory, zone };
            flow = sink(Successor {
                state,
                ..*successor
            });
        }
    });
    if let Err(fault) = outcome {
        *failed = Some(fault);
        return ControlFlow::Break(());
    }
    flow
}

impl<'s> Transitions<'s> for Ticking<'s> {
    fn initial(
        &mut self,
        sink: &mut impl FnMut(Successor<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault> {
        let Ticking {
            explorer,
            abstraction,
            ..
        } = self;
        let mut failed = None;
        let flow = explorer.initial(&mut |successor: Successor<'_>| {
            abstracted(abstraction, &successor, &mut failed, sink)
        })?;
        failed.map_or(Ok(flow), Err)
    }

    fn successors(
        &mut self,
        state: State<'_>,
        sink: &mut impl FnMut(Successor<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault> {
        let Ticking {
            explorer,
            abstraction,
            tick,
            zone,
        } = self;
        let mut failed = None;
        let mut hand_on =
            |successor: Successor<'_>| abstracted(abstraction, &successor, &mut failed, sink);
        let mut flow = explorer.successors(state, &mut hand_on)?;
        let n = explorer.system().dimension();
        zone.copy_from_slice(state.zone);
        if flow.is_continue() && zone::constrain(zone, n, 0, *tick, le(-1)) {
            zone::reset(zone, n, *tick, 0);
            let ticked = State { zone, ..state };
            flow = explorer.delay(ticked, &mut hand_on)?;
        }
        failed.map_or(Ok(flow), Err)
    }
}

impl Steps for Graph {
    fn step(
        &mut self,
        from: Option<StateId>,
        successor: &Successor<'_>,
        to: Option<StateId>,
    ) -> bool {
        let Some(target) = to else {
            return false;
        };
        let states = self.steps.len().max(target.0 as usize + 1);
        self.steps.resize_with(states, Vec::new);
        if let Some(source) = from
            && let Some(step) = self.measured.step(successor, target)
        {
            self.count += 1;
            self.steps[source.0 as usize].push(step);
        }
        true
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.steps) + self.count * size_of::<Step>()
    }
}

impl Measured {
    /// The step that a successor is, unless it gives the clock a new value. A tick takes no edges.
    fn step(self, successor: &Successor<'_>, target: StateId) -> Option<Step> {
        let Measured { row, minus, .. } = self;
        let same = Origin {
            row: row as u32,
            offset: 0,
        };
        let origin = |row: usize| successor.origins.get(row);
        let resets = origin(row).is_some_and(|from| *from != same);
        (!resets).then(|| Step {
            target: target.0,
            ticks: successor.edges.is_empty(),
            renews: minus.and_then(origin).is_some_and(|from| from.row == 0),
            copies: minus.is_some_and(|minus| {
                origin(minus).is_some_and(|from| from.row != 0 && from.row as usize != minus)
            }),
        })
    }
}

/// By state, whether the predicate holds somewhere in it.
fn counting(system: &System, states: &mut Plain<Graph>) -> Result<Vec<bool>, Fault> {
    let mut explorer = Explorer::new(system);
    let n = system.dimension();
    let (mut memory, mut zone) = (vec![0; system.cells().len()], vec![0; n * n]);
    (0..states.inserted() as u32)
        .map(|id| {
            states.load(StateId(id), &mut memory, &mut zone);
            let state = State {
                memory: &memory,
                zone: &zone,
            };
            explorer.satisfies(GoalId(0), state, None)
        })
        .collect()
}

impl Graph {
    /// Whether a state that counts follows a cycle with a tick; for a difference, with a step in between (or in the cycle)
    /// that sets the clock that is subtracted.
    fn grows(&self, counts: &[bool], difference: bool) -> bool {
        let component = self.components();
        // By state: without such a step, and after it.
        let mut reached = vec![[false; 2]; self.steps.len()];
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
            if set && counts[state] {
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
        let count = self.steps.len();
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
