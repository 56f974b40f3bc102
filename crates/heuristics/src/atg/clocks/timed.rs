//! The earliest time at which the goal can be met, as far as the relaxed graph sees.
//!
//! The graph is built as for h^L, but in the order of time: all that needs no time is fired first; then the clock is set
//! to the moment at which the next edge that waits has waited long enough. Since waiting is never negative and conditions
//! are achieved one by one, a location or value is reached for the first time at its earliest time (Dijkstra's argument).
//!
//! For each process and each clock that its guards bound from below, every location has the earliest moment at which the
//! last reset of the clock by this process can have been when the process is there: an edge that sets it leaves the
//! moment at which it is taken, less the value; another one hands on that of its source. At the start it is read off the
//! zone.

use merkhet_zones::bound::{Bound, INFINITY, constant};

use crate::atg::layers::Layers;
use crate::atg::model::{Lists, Model, Span};
use crate::atg::values::NEVER;

use super::compile::Timing;

/// A moment that never comes, and one that lies arbitrarily far back.
const UNREACHED: i64 = i64::MAX / 4;
const LONG_AGO: i64 = i64::MIN / 4;

/// The process of goals' waits.
const NOBODY: u32 = u32::MAX;

/// A clock, followed along the locations of a process.
#[derive(Clone, Copy, Debug)]
struct Tracked {
    process: u32,
    clock: u32,
    /// The moment for the process's first location; the others follow.
    base: u32,
}

/// What an edge does to a moment.
#[derive(Clone, Copy, Debug)]
struct Flow {
    from: u32,
    to: u32,
    /// The value that the clock is set to.
    set: Option<i32>,
}

/// The part of the model that is about time.
#[derive(Clone, Debug, Default)]
pub(in crate::atg) struct TimeModel {
    tracked: Vec<Tracked>,
    moments: usize,
    /// Moments with what has to pass since.
    waits: Vec<(u32, i32)>,
    /// By edge, then by goal.
    waits_of: Vec<Span>,
    flows: Vec<Flow>,
    /// By edge.
    flows_of: Vec<Span>,
    /// Moment → the flows that hand it on.
    handed_on: Lists,
    /// By flow, its edge.
    edge_of: Vec<u32>,
}

/// An edge of the finished model, as this module needs it.
pub(in crate::atg) struct TimedEdge {
    pub process: u32,
    /// Locations, counted from the process's first.
    pub source: u32,
    pub target: u32,
    pub timing: Timing,
}

impl TimeModel {
    /// For edges in their final order, and what each goal waits for; `locations` gives the number of a process's.
    pub fn new(
        edges: &[TimedEdge],
        goals: &[Vec<(u32, i32)>],
        locations: impl Fn(u32) -> u32,
    ) -> TimeModel {
        let mut model = TimeModel::default();
        for edge in edges {
            for (clock, _) in &edge.timing.waits {
                model.track(edge.process, *clock, locations(edge.process));
            }
        }
        for (clock, _) in goals.iter().flatten() {
            model.track(NOBODY, *clock, 1);
        }
        for (number, edge) in edges.iter().enumerate() {
            model.wait(edge.process, edge.source, &edge.timing.waits);
            model.flow(number as u32, edge);
        }
        for goal in goals {
            model.wait(NOBODY, 0, goal);
        }
        let handed_on: Vec<(u32, u32)> = (model.flows.iter().enumerate())
            .filter(|(_, flow)| flow.set.is_none())
            .map(|(number, flow)| (flow.from, number as u32))
            .collect();
        model.handed_on = Lists::of(model.moments, &handed_on);
        model
    }

    /// Whether nothing waits for anything.
    pub fn is_empty(&self) -> bool {
        self.waits.is_empty()
    }

    /// How many ages it reads of a zone.
    pub fn clocks(&self) -> usize {
        self.tracked.len()
    }

    /// What it reads of a zone, as words.
    pub fn ages(&self, zone: &[Bound], rows: usize, reference: usize, words: &mut [u64]) {
        for (word, tracked) in words.iter_mut().zip(&self.tracked) {
            *word = zone[(tracked.clock as usize + 1) * rows + reference] as u32 as u64;
        }
    }

    /// The processes whose locations say where its clocks were reset last.
    pub fn processes(&self) -> impl Iterator<Item = u32> + '_ {
        self.tracked.iter().map(|one| one.process)
    }

    fn track(&mut self, process: u32, clock: u32, locations: u32) {
        if self.base(process, clock).is_none() {
            let base = self.moments as u32;
            self.tracked.push(Tracked {
                process,
                clock,
                base,
            });
            self.moments += locations as usize;
        }
    }

    fn base(&self, process: u32, clock: u32) -> Option<u32> {
        let mut tracked = self.tracked.iter();
        let found = tracked.find(|one| (one.process, one.clock) == (process, clock));
        found.map(|one| one.base)
    }

    fn wait(&mut self, process: u32, location: u32, waits: &[(u32, i32)]) {
        let start = self.waits.len() as u32;
        for (clock, value) in waits {
            if let Some(base) = self.base(process, *clock) {
                self.waits.push((base + location, *value));
            }
        }
        self.waits_of.push((start, self.waits.len() as u32));
    }

    fn flow(&mut self, number: u32, edge: &TimedEdge) {
        let start = self.flows.len() as u32;
        for tracked in self
            .tracked
            .iter()
            .filter(|one| one.process == edge.process)
        {
            let mut resets = edge.timing.resets.iter();
            let set = resets.find(|(clock, _)| *clock == tracked.clock);
            // A loop that does not leave the location brings no earlier reset.
            if edge.source != edge.target {
                self.flows.push(Flow {
                    from: tracked.base + edge.source,
                    to: tracked.base + edge.target,
                    set: set.map(|(_, value)| *value),
                });
                self.edge_of.push(number);
            } else if let Some((_, value)) = set.filter(|(_, value)| *value > 0) {
                self.flows.push(Flow {
                    from: tracked.base + edge.source,
                    to: tracked.base + edge.target,
                    set: Some(*value),
                });
                self.edge_of.push(number);
            }
        }
        self.flows_of.push((start, self.flows.len() as u32));
    }

    fn waits_of(&self, user: u32) -> &[(u32, i32)] {
        let (start, end) = self.waits_of[user as usize];
        &self.waits[start as usize..end as usize]
    }
}

/// What changes while the graph is built in the order of time.
#[derive(Default)]
pub(in crate::atg) struct Timer {
    /// Whether time counts: not for h^L and h^U themselves.
    running: bool,
    now: i64,
    moments: Vec<i64>,
    /// Edges and goals that have all but the time.
    delayed: Vec<u32>,
    /// Moments to be handed on.
    stack: Vec<u32>,
}

impl Timer {
    pub fn new(model: &TimeModel) -> Timer {
        Timer {
            moments: vec![UNREACHED; model.moments],
            ..Timer::default()
        }
    }

    /// Time does not count from now on.
    pub fn stop(&mut self) {
        self.running = false;
    }

    /// Sets the clock to the earliest moment of the zone, measured since the last reset of the clock in `reference` (row 0:
    /// since now).
    fn start(
        &mut self,
        model: &TimeModel,
        memory: &[i32],
        zone: &[Bound],
        rows: usize,
        reference: usize,
    ) {
        self.running = true;
        self.delayed.clear();
        self.now = -i64::from(constant(zone[reference]));
        self.moments.fill(UNREACHED);
        for tracked in &model.tracked {
            let location = match tracked.process {
                NOBODY => 0,
                process => memory[process as usize] as usize,
            };
            let age = zone[(tracked.clock as usize + 1) * rows + reference];
            self.moments[tracked.base as usize + location] = match age {
                INFINITY => LONG_AGO,
                age => -i64::from(constant(age)),
            };
        }
    }

    fn due(&self, model: &TimeModel, user: u32) -> i64 {
        let due = |(moment, value): &(u32, i32)| self.moments[*moment as usize] + i64::from(*value);
        let waits = model.waits_of(user).iter();
        waits.map(due).max().unwrap_or(LONG_AGO)
    }

    /// Whether a user that has all else must wait; it is noted then.
    #[inline]
    pub fn delays(&mut self, model: &TimeModel, user: u32) -> bool {
        if !self.running || self.due(model, user) <= self.now {
            return false;
        }
        self.delayed.push(user);
        true
    }

    /// An edge is taken now.
    #[inline]
    pub fn fire(&mut self, model: &TimeModel, edge: u32, fired: &[bool]) {
        if !self.running {
            return;
        }
        let (start, end) = model.flows_of[edge as usize];
        for flow in &model.flows[start as usize..end as usize] {
            let moment = match flow.set {
                Some(value) => self.now - i64::from(value),
                None => self.moments[flow.from as usize],
            };
            self.bring_forward(model, flow.to, moment, fired);
        }
    }

    /// The last reset may have been earlier: edges that were taken hand it on.
    fn bring_forward(&mut self, model: &TimeModel, to: u32, moment: i64, fired: &[bool]) {
        if moment >= self.moments[to as usize] {
            return;
        }
        self.moments[to as usize] = moment;
        self.stack.push(to);
        while let Some(from) = self.stack.pop() {
            let moment = self.moments[from as usize];
            for &flow in model.handed_on.get(from) {
                let to = model.flows[flow as usize].to as usize;
                if fired[model.edge_of[flow as usize] as usize] && moment < self.moments[to] {
                    self.moments[to] = moment;
                    self.stack.push(to as u32);
                }
            }
        }
    }

    /// Goes on to the moment at which somebody has waited long enough; false if nobody waits.
    fn go_on(&mut self, model: &TimeModel, released: &mut Vec<u32>) -> bool {
        let due = self.delayed.iter().map(|user| self.due(model, *user));
        let Some(next) = due.min() else {
            return false;
        };
        self.now = self.now.max(next);
        let mut delayed = std::mem::take(&mut self.delayed);
        delayed.retain(|user| {
            let wait = self.due(model, *user) > self.now;
            if !wait {
                released.push(*user);
            }
            wait
        });
        self.delayed = delayed;
        true
    }
}

impl Layers {
    /// The earliest time at which the goal can be met from some valuation of the zone, measured since the last reset of the
    /// clock in row `reference` (row 0: since now); `None` if it cannot.
    pub(in crate::atg) fn earliest(
        &mut self,
        model: &Model,
        memory: &[i32],
        zone: &[Bound],
        rows: usize,
        reference: usize,
    ) -> Option<i64> {
        (self.timer).start(&model.time, memory, zone, rows, reference);
        self.start(model, memory, zone);
        let time = self.in_order_of_time(model);
        self.timer.stop();
        time
    }

    fn in_order_of_time(&mut self, model: &Model) -> Option<i64> {
        let mut released = std::mem::take(&mut self.released);
        let time = loop {
            self.wake(model);
            // With too many layers to count, what is known is that the goal is not met before now.
            if self.met.is_some() || self.depth >= NEVER - 2 {
                break Some(self.timer.now);
            }
            self.depth += 1;
            if self.spread(model) {
                self.advance(model);
                continue;
            }
            self.advance(model);
            released.clear();
            if !self.timer.go_on(&model.time, &mut released) {
                break None;
            }
            for &user in &released {
                self.go(model, user);
            }
        };
        released.clear();
        self.released = released;
        time
    }
}
