//! The discrete part of one run, and what each of its steps asks of clocks: for making times without a matrix.
//!
//! Data do not depend on clocks, so a sequence of transitions leads through one sequence of discrete states. What it asks
//! of clocks are differences of the times of its transitions as long as nothing is a choice: no stopwatches, no
//! priorities, no urgent channel with clocks in a guard, no broadcast receiver that may stay away for several reasons.
//!
//! A step costs what it changes. An upper bound of an invariant is asked once, when it ends to count: time only grows until
//! then. All else that an invariant says is asked at arrival, and again where one of its clocks is set.

use std::collections::BTreeSet;

use merkhet_network::code::{ClockUpdate, Machine};
use merkhet_zones::zone::Constraint;

use crate::compile::memo::Memos;
use crate::compile::spots::Spot;
use crate::data::Evaluator;
use crate::goal::{Goal, Parts};
use crate::state::State;
use crate::successors::broadcast::negation;
use crate::successors::enumerate::{Candidate, Enumerator, Halt, Which, enumerate};
use crate::successors::fire::run_updates;
use crate::system::{Start, System};
use crate::{EdgeIndex, Fault, GoalId};

/// Why a run does not have a course.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoCourse {
    /// What it asks of clocks are no differences of times, or there is a choice.
    Zones,
    /// Data do not permit it.
    Impossible,
    /// An evaluation failed.
    Fault(Fault),
}

impl From<Fault> for NoCourse {
    fn from(fault: Fault) -> NoCourse {
        NoCourse::Fault(fault)
    }
}

/// What one transition asks of clocks and does to them.
#[derive(Clone, Debug, Default)]
pub struct Leg {
    /// What holds when it is taken, before its updates: guards, and upper bounds that end to count then.
    pub before: Vec<Constraint>,
    /// What happens to clocks, in order.
    pub updates: Vec<ClockUpdate>,
    /// What holds afterwards, at the same time.
    pub after: Vec<Constraint>,
    /// Whether no time passes in the state that it leads to.
    pub frozen: bool,
}

/// A run, step by step.
pub struct Course<'s> {
    system: &'s System,
    evaluator: Evaluator<'s>,
    /// The discrete state; the evaluator's memory begins with a copy of it.
    memory: Vec<i32>,
    /// By process, the constraints of its invariant, as they count now.
    invariants: Vec<Vec<Constraint>>,
    /// By row, the processes with invariants that speak of the clock.
    speakers: Vec<Vec<u32>>,
    /// The processes whose invariants depend on data at their present locations.
    dynamic: BTreeSet<u32>,
    /// How many processes are at locations that stop time.
    stopping: usize,
    stacks: Enumerator,
}

impl<'s> Course<'s> {
    /// Begins at the initial state; the leg's transition is the arrival there.
    pub fn new(system: &'s System) -> Result<(Course<'s>, Leg), NoCourse> {
        let facts = system.facts;
        if facts.has_stopwatches || facts.has_priorities {
            return Err(NoCourse::Zones);
        }
        let cells = system.ranges.len();
        let mut course = Course {
            system,
            evaluator: Evaluator {
                program: &system.program,
                machine: Machine::new(&system.program),
                plans: &system.plans,
                memos: Memos::new(&system.plans, system.memo_limits),
                cancellation: None,
            },
            memory: system.initial[..cells].to_vec(),
            invariants: vec![Vec::new(); system.processes()],
            speakers: speakers(system),
            dynamic: BTreeSet::new(),
            stopping: 0,
            stacks: Enumerator::default(),
        };
        course.evaluator.machine.memory[..cells].copy_from_slice(&course.memory);
        let mut leg = Leg::default();
        for process in 0..system.processes() as u32 {
            course.arrive(process)?;
            course.ask(process, &mut leg)?;
        }
        leg.frozen = course.is_frozen()?;
        Ok((course, leg))
    }

    /// Takes a transition.
    pub fn take(&mut self, edges: &[EdgeIndex]) -> Result<Leg, NoCourse> {
        let system = self.system;
        let mut leg = Leg::default();
        for edge in edges {
            self.guard(*edge, &mut leg.before)?;
        }
        self.bystanders(edges, &mut leg.before)?;
        let note = |update| {
            leg.updates.push(update);
            true
        };
        if !run_updates(system, &mut self.evaluator, edges, note)? {
            return Err(NoCourse::Impossible);
        }
        system.forgetting.apply(&mut self.evaluator.machine.memory);
        let next = &self.evaluator.machine.memory[..self.memory.len()];
        let mut touched: BTreeSet<u32> = BTreeSet::new();
        if *next != *self.memory {
            touched.extend(&self.dynamic);
        }
        let moved = edges.iter().map(|edge| system.edges[edge.index()].process);
        touched.extend(moved.clone());
        for update in &leg.updates {
            let (ClockUpdate::Set { clock, .. } | ClockUpdate::Copy { target: clock, .. }) = update;
            touched.extend(&self.speakers[clock.index() + 1]);
        }
        for process in &touched {
            self.release(*process, &mut leg.before);
        }
        for process in moved.clone() {
            self.leave(process);
        }
        let next = &self.evaluator.machine.memory[..self.memory.len()];
        self.memory.copy_from_slice(next);
        for process in moved {
            self.arrive(process)?;
        }
        for process in touched {
            self.ask(process, &mut leg)?;
        }
        for update in &leg.updates {
            if let ClockUpdate::Copy { target, offset, .. } = update
                && *offset < 0
            {
                // A clock is never negative.
                leg.after.push(Constraint {
                    left: 0,
                    right: target.0 as u16 + 1,
                    bound: merkhet_zones::bound::le(0),
                });
            }
        }
        leg.frozen = self.is_frozen()?;
        Ok(leg)
    }

    /// The upper bounds that count at the end of the run.
    pub fn end(&mut self) -> Vec<Constraint> {
        let mut last = Vec::new();
        for process in 0..self.invariants.len() as u32 {
            self.release(process, &mut last);
        }
        last
    }

    /// The ways in which a formula can hold here: conjunctions of constraints on clocks, in the order in which they are to be
    /// tried. More than `most` are not looked at.
    pub fn ways(&mut self, goal: GoalId, most: usize) -> Result<Vec<Vec<Constraint>>, NoCourse> {
        let system = self.system;
        let mut ways = Vec::new();
        // What is pending and what was chosen are lists that branches share: a formula of ten thousand parts costs ten
        // thousand entries and not their square. An entry behind those of the branch that goes on is of no use any more.
        let mut goals = Chain::default();
        let mut chosen = Chain::default();
        let first = goals.push(&system.goals[goal.0 as usize], None);
        let mut left = vec![Branch {
            pending: Some(first),
            way: None,
            goals: goals.len(),
            chosen: 0,
        }];
        while let Some(branch) = left.pop() {
            goals.truncate(branch.goals);
            chosen.truncate(branch.chosen);
            let (mut pending, mut way) = (branch.pending, branch.way);
            let ended = loop {
                let Some(at) = pending else {
                    break true;
                };
                let (next, rest) = goals.get(at);
                pending = rest;
                match next {
                    Goal::Data(test) => {
                        if !test.holds(&mut self.evaluator)? {
                            break false;
                        }
                    }
                    Goal::Clock(constraint, positive) => {
                        match (constraint.get(&mut self.evaluator)?, positive) {
                            (Some(one), true) => way = Some(chosen.push(one, way)),
                            (Some(one), false) => way = Some(chosen.push(negation(one), way)),
                            (None, true) => {}
                            (None, false) => break false,
                        }
                    }
                    Goal::All(parts) => {
                        for part in in_order(parts).rev() {
                            pending = Some(goals.push(part, pending));
                        }
                    }
                    Goal::Any(parts) => {
                        let base = left.len();
                        for part in in_order(parts).rev() {
                            // What data decide needs no way of its own.
                            if let Goal::Data(test) = part
                                && !test.holds(&mut self.evaluator)?
                            {
                                continue;
                            }
                            left.push(Branch {
                                pending: Some(goals.push(part, pending)),
                                way,
                                goals: 0,
                                chosen: chosen.len(),
                            });
                        }
                        // The parts stand side by side: none is behind another.
                        for branch in &mut left[base..] {
                            branch.goals = goals.len();
                        }
                        break false;
                    }
                    Goal::Deadlock(_) => return Err(NoCourse::Zones),
                }
            };
            if ended {
                ways.push(chosen.list(way));
                if ways.len() == most {
                    break;
                }
            }
        }
        Ok(ways)
    }

    /// Adds what the guard of an edge asks of clocks.
    fn guard(&mut self, edge: EdgeIndex, found: &mut Vec<Constraint>) -> Result<(), NoCourse> {
        let code = &self.system.edges[edge.index()];
        if !code.data.holds(&mut self.evaluator)? {
            return Err(NoCourse::Impossible);
        }
        Ok(code.clocks.collect(&mut self.evaluator, found)?)
    }

    /// Adds that receivers of a broadcast that do not take part cannot.
    fn bystanders(
        &mut self,
        edges: &[EdgeIndex],
        found: &mut Vec<Constraint>,
    ) -> Result<(), NoCourse> {
        let system = self.system;
        let Some(first) = edges.first() else {
            return Err(NoCourse::Impossible);
        };
        let sender = system.edges[first.index()].process;
        let starts = &system.location(sender as usize, &self.memory).starts;
        let Some(start) = starts.iter().find(|start| start.edge == *first) else {
            // Vectors ask nothing of those who stay away.
            return Ok(());
        };
        if start.channel == Start::INTERNAL || !system.channels[start.channel as usize].broadcast {
            return Ok(());
        }
        let joined: BTreeSet<u32> = (edges.iter())
            .map(|edge| system.edges[edge.index()].process)
            .collect();
        let mut guard = Vec::new();
        for receiver in &system.channels[start.channel as usize].receivers {
            if joined.contains(receiver) {
                continue;
            }
            let location = system.location(*receiver as usize, &self.memory);
            for edge in location.receiving(start.channel) {
                let code = &system.edges[edge.index()];
                if !code.data.holds(&mut self.evaluator)? {
                    continue;
                }
                guard.clear();
                code.clocks.collect(&mut self.evaluator, &mut guard)?;
                match guard[..] {
                    [] => return Err(NoCourse::Impossible),
                    [one] => found.push(negation(one)),
                    _ => return Err(NoCourse::Zones),
                }
            }
        }
        Ok(())
    }

    fn spot(&self, process: u32) -> &'s Spot {
        self.system.spots.at(process as usize, &self.memory)
    }

    /// A process leaves its location.
    fn leave(&mut self, process: u32) {
        if self.spot(process).flags & Spot::STOPS_TIME != 0 {
            self.stopping -= 1;
        }
        self.dynamic.remove(&process);
    }

    /// A process arrives at its location.
    fn arrive(&mut self, process: u32) -> Result<(), NoCourse> {
        let flags = self.spot(process).flags;
        if flags & Spot::RATES != 0 {
            return Err(NoCourse::Zones);
        }
        if flags & Spot::STOPS_TIME != 0 {
            self.stopping += 1;
        }
        if flags & (Spot::DATA | Spot::DYNAMIC) != 0 {
            self.dynamic.insert(process);
        }
        Ok(())
    }

    /// Asks for the invariant of a process's location from now on.
    fn ask(&mut self, process: u32, leg: &mut Leg) -> Result<(), NoCourse> {
        let location = self.system.location(process as usize, &self.memory);
        if !location.data.holds(&mut self.evaluator)? {
            return Err(NoCourse::Impossible);
        }
        let held = &mut self.invariants[process as usize];
        held.clear();
        location.clocks.collect(&mut self.evaluator, held)?;
        leg.after.extend(held.iter().filter(|held| !is_upper(held)));
        Ok(())
    }

    /// The upper bounds of a process's invariant end to count.
    fn release(&mut self, process: u32, found: &mut Vec<Constraint>) {
        let held = std::mem::take(&mut self.invariants[process as usize]);
        found.extend(held.into_iter().filter(is_upper));
    }

    /// Whether no time passes here.
    fn is_frozen(&mut self) -> Result<bool, NoCourse> {
        if self.stopping > 0 || !self.system.facts.has_urgent_channels {
            return Ok(self.stopping > 0);
        }
        // Most states have something urgent or not whatever the clocks say.
        let (mut frozen, mut zones) = (false, false);
        let visit = |_: &mut Evaluator<'s>, candidate: Candidate<'_>| {
            frozen = candidate.constraints.is_empty();
            zones |= !frozen;
            match frozen {
                true => Err(Halt::Stopped),
                false => Ok(()),
            }
        };
        let state = State {
            memory: &self.memory,
            zone: &[],
        };
        let (system, evaluator) = (self.system, &mut self.evaluator);
        match enumerate(
            &mut self.stacks,
            system,
            evaluator,
            state,
            Which::Urgent,
            visit,
        ) {
            Err(Halt::Fault(fault)) => Err(fault.into()),
            _ if frozen => Ok(true),
            _ if zones => Err(NoCourse::Zones),
            _ => Ok(false),
        }
    }
}

/// Lists that share their ends.
struct Chain<T>(Vec<(T, Option<usize>)>);

impl<T> Default for Chain<T> {
    fn default() -> Chain<T> {
        Chain(Vec::new())
    }
}

impl<T: Copy> Chain<T> {
    /// A list that begins with an item and goes on with another list.
    fn push(&mut self, item: T, rest: Option<usize>) -> usize {
        self.0.push((item, rest));
        self.0.len() - 1
    }

    fn get(&self, at: usize) -> (T, Option<usize>) {
        self.0[at]
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    /// The items, the one that was added last at the end.
    fn list(&self, mut at: Option<usize>) -> Vec<T> {
        let mut items = Vec::new();
        while let Some((item, rest)) = at.map(|at| self.0[at]) {
            items.push(item);
            at = rest;
        }
        items.reverse();
        items
    }
}

/// One way to go on: what is still to be looked at and what was chosen, with the lengths of their chains then.
struct Branch {
    pending: Option<usize>,
    way: Option<usize>,
    goals: usize,
    chosen: usize,
}

fn is_upper(constraint: &Constraint) -> bool {
    constraint.left != 0 && constraint.right == 0
}

fn in_order(parts: &Parts) -> impl DoubleEndedIterator<Item = &Goal> {
    let part = |index: &u32| &parts.written[*index as usize];
    parts.cheap.iter().map(part)
}

/// By row, the processes that have an invariant that speaks of the clock at some location.
fn speakers(system: &System) -> Vec<Vec<u32>> {
    let mut speakers = vec![Vec::new(); system.dimension];
    for (process, locations) in system.locations.iter().enumerate() {
        for location in locations {
            let fixed = location.clocks.fixed.iter().flat_map(|c| [c.left, c.right]);
            let dynamic = (location.clocks.dynamic.iter()).flat_map(|c| [c.left, c.right]);
            for row in fixed.chain(dynamic).filter(|row| *row != 0) {
                let known: &mut Vec<u32> = &mut speakers[usize::from(row)];
                if known.last() != Some(&(process as u32)) {
                    known.push(process as u32);
                }
            }
        }
    }
    speakers
}
