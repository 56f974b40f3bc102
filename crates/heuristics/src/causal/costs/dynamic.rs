//! Costs without an order: the context-enhanced additive heuristic.
//!
//! Helmert, Geffner: Unifying the causal graph and additive heuristics (ICAPS 2008), which section 6 of the causal graph
//! paper refers to for cycles. The local problems of figure 4, a part and the value that it starts from, are solved all at
//! once: one queue holds the values of all problems that are asked for, the cheapest first. A step that needs another
//! part elsewhere waits in that part's problem until the value there is reached. A problem that is first asked for at some
//! cost starts at that cost in the queue, so that values are taken in an order in which nothing becomes cheaper later.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::DEAD_END;
use crate::causal::goal::{Alternative, Wanted};
use crate::causal::model::{Model, Need};

/// Nothing; also the goal's place in the queue.
const NONE: u32 = u32::MAX;
/// A need that is not met yet.
const OPEN: u16 = u16::MAX;

/// The local problems of one state.
pub(in crate::causal) struct Dynamic {
    pub(in crate::causal) values: Vec<u16>,
    /// For each part, where its problems start in `problems`.
    pub(in crate::causal) first_problem: Vec<u32>,
    /// For each part and value to start from: for which state it was set up, and where its nodes are.
    pub(in crate::causal) problems: Vec<Problem>,
    pub(in crate::causal) state: u32,
    pub(in crate::causal) nodes: Vec<Node>,
    /// For each node: the values of the predecessors when it is reached.
    contexts: Vec<u16>,
    pub(in crate::causal) attempts: Vec<Attempt>,
    /// For each need of each attempt: the predecessor's value after the step.
    pub(in crate::causal) after: Vec<u16>,
    waiting: Vec<Waiting>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// The cheapest attempt at the goal.
    pub(in crate::causal) goal: u32,
}

#[derive(Clone, Copy, Default)]
pub(in crate::causal) struct Problem {
    pub(in crate::causal) state: u32,
    vertex: u32,
    pub(in crate::causal) nodes: u32,
    contexts: u32,
    /// The cost at which it was first asked for.
    base: u32,
}

/// A value of a part in a problem.
#[derive(Clone, Copy)]
pub(in crate::causal) struct Node {
    problem: u32,
    pub(in crate::causal) value: u16,
    done: bool,
    pub(in crate::causal) cost: u32,
    /// The attempt that reaches it at that cost.
    pub(in crate::causal) by: u32,
    /// The first attempt that waits for it.
    waiting: u32,
}

/// A step from a value that was reached, or the goal.
#[derive(Clone, Copy)]
pub(in crate::causal) struct Attempt {
    /// The node that it starts from and the one that it leads to; none for the goal.
    pub(in crate::causal) from: u32,
    to: u32,
    pub(in crate::causal) step: u32,
    pub(in crate::causal) cost: u32,
    /// The number of needs that are not met yet.
    open: u32,
    /// Where its needs are in `after`.
    pub(in crate::causal) after: u32,
}

/// An attempt that waits for a node, for one of its needs.
#[derive(Clone, Copy)]
struct Waiting {
    attempt: u32,
    need: u32,
    after: u16,
    next: u32,
}

impl Dynamic {
    pub fn new(model: &Model) -> Dynamic {
        let mut problems = Vec::new();
        let mut first_problem = Vec::new();
        for (vertex, part) in model.vertices.iter().enumerate() {
            first_problem.push(problems.len() as u32);
            let vertex = vertex as u32;
            problems.extend((0..part.size).map(|_| Problem {
                vertex,
                ..Problem::default()
            }));
        }
        Dynamic {
            values: vec![0; model.vertices.len()],
            first_problem,
            problems,
            state: 0,
            nodes: Vec::new(),
            contexts: Vec::new(),
            attempts: Vec::new(),
            after: Vec::new(),
            waiting: Vec::new(),
            queue: BinaryHeap::new(),
            goal: NONE,
        }
    }

    /// The cost of the cheapest way to meet the goal.
    pub fn estimate(&mut self, model: &Model, memory: &[i32], goal: &[Alternative]) -> u32 {
        self.begin(model, memory);
        for alternative in goal {
            self.attempt_goal(model, alternative);
        }
        self.run(model)
    }

    /// The values that the parts are to have on the cheapest way to the goal, with what each costs.
    pub fn wanted(&mut self, model: &Model, memory: &[i32], goal: &[Alternative]) -> Vec<Wanted> {
        if self.estimate(model, memory, goal) == DEAD_END {
            return Vec::new();
        }
        let number = self.goal as usize;
        let start = self.attempts[number].after as usize;
        let mut wanted = Vec::new();
        for (index, (vertex, _)) in goal[number].iter().enumerate() {
            let (from, to) = (self.values[*vertex as usize], self.after[start + index]);
            if from != to {
                let problem = self.first_problem[*vertex as usize] + u32::from(from);
                let nodes = self.problems[problem as usize].nodes;
                wanted.push(Wanted {
                    vertex: *vertex,
                    from,
                    to,
                    cost: self.nodes[(nodes + u32::from(to)) as usize].cost,
                });
            }
        }
        wanted
    }

    /// The costs of getting a part from its value in a state to each of its values.
    pub fn costs(&mut self, model: &Model, memory: &[i32], vertex: u32) -> Vec<u32> {
        self.begin(model, memory);
        let from = self.values[vertex as usize];
        let nodes = self.problem(model, vertex, from, 0) as usize;
        self.run(model);
        let size = model.vertices[vertex as usize].size as usize;
        self.nodes[nodes..nodes + size]
            .iter()
            .map(|node| node.cost)
            .collect()
    }

    fn begin(&mut self, model: &Model, memory: &[i32]) {
        model.read(memory, &mut self.values);
        self.state = self.state.wrapping_add(1);
        if self.state == 0 {
            self.problems
                .iter_mut()
                .for_each(|problem| problem.state = 0);
            self.state = 1;
        }
        self.nodes.clear();
        self.contexts.clear();
        self.attempts.clear();
        self.after.clear();
        self.waiting.clear();
        self.queue.clear();
        self.goal = NONE;
    }

    /// The cost of the goal when it is taken from the queue; infinite if the queue runs dry before.
    fn run(&mut self, model: &Model) -> u32 {
        while let Some(Reverse((priority, at))) = self.queue.pop() {
            if at == NONE {
                return priority;
            }
            let node = self.nodes[at as usize];
            let base = self.problems[node.problem as usize].base;
            // It may have become cheaper after it was put there.
            if node.done || base.saturating_add(node.cost) != priority {
                continue;
            }
            self.nodes[at as usize].done = true;
            self.enter(model, at);
            self.notify(at);
            let vertex = self.problems[node.problem as usize].vertex;
            let (first, last) = model.vertices[vertex as usize].steps[node.value as usize];
            for step in first..last {
                self.attempt_step(model, at, step, priority);
            }
        }
        DEAD_END
    }

    /// The first node of a problem, which is set up if it is new.
    fn problem(&mut self, model: &Model, vertex: u32, from: u16, base: u32) -> u32 {
        let number = self.first_problem[vertex as usize] + u32::from(from);
        let problem = &mut self.problems[number as usize];
        if problem.state == self.state {
            return problem.nodes;
        }
        let part = &model.vertices[vertex as usize];
        problem.state = self.state;
        problem.base = base;
        problem.nodes = self.nodes.len() as u32;
        problem.contexts = self.contexts.len() as u32;
        let nodes = problem.nodes;
        self.nodes.extend((0..part.size).map(|value| Node {
            problem: number,
            value: value as u16,
            done: false,
            cost: DEAD_END,
            by: NONE,
            waiting: NONE,
        }));
        let width = part.predecessors.len();
        self.contexts
            .resize(self.contexts.len() + part.size as usize * width, 0);
        let start = nodes + u32::from(from);
        self.nodes[start as usize].cost = 0;
        self.queue.push(Reverse((base, start)));
        nodes
    }

    /// Fills in the context of a node: that of the node before, changed by the step (lines 16, 18 and 21).
    fn enter(&mut self, model: &Model, at: u32) {
        let node = self.nodes[at as usize];
        let problem = self.problems[node.problem as usize];
        let predecessors = &model.vertices[problem.vertex as usize].predecessors;
        let width = predecessors.len();
        let own = problem.contexts as usize + usize::from(node.value) * width;
        if node.by == NONE {
            for (slot, predecessor) in predecessors.iter().enumerate() {
                self.contexts[own + slot] = self.values[*predecessor as usize];
            }
            return;
        }
        let attempt = self.attempts[node.by as usize];
        let source = self.nodes[attempt.from as usize].value;
        let before = problem.contexts as usize + usize::from(source) * width;
        self.contexts.copy_within(before..before + width, own);
        let (first, last) = model.steps[attempt.step as usize].needs;
        for (index, need) in model.needs[first as usize..last as usize]
            .iter()
            .enumerate()
        {
            let (Need::Set { slot, .. } | Need::Pairs { slot, .. }) = *need;
            self.contexts[own + usize::from(slot)] = self.after[attempt.after as usize + index];
        }
    }

    /// Tells the attempts that wait for a node.
    fn notify(&mut self, at: u32) {
        let node = self.nodes[at as usize];
        let mut next = node.waiting;
        while next != NONE {
            let waiting = self.waiting[next as usize];
            next = waiting.next;
            let attempt = &mut self.attempts[waiting.attempt as usize];
            let met = &mut self.after[(attempt.after + waiting.need) as usize];
            // Another value may have met the need before.
            if *met == OPEN {
                *met = waiting.after;
                attempt.cost = attempt.cost.saturating_add(node.cost);
                attempt.open -= 1;
                self.fire(waiting.attempt);
            }
        }
    }

    /// Where all needs are met, the step reaches its value at its cost.
    fn fire(&mut self, number: u32) {
        let attempt = self.attempts[number as usize];
        if attempt.open > 0 {
            return;
        }
        if attempt.to == NONE {
            // The goal's attempts come first, one for each alternative.
            if self.goal == NONE || attempt.cost < self.attempts[self.goal as usize].cost {
                self.goal = number;
            }
            self.queue.push(Reverse((attempt.cost, NONE)));
            return;
        }
        let node = &mut self.nodes[attempt.to as usize];
        if attempt.cost < node.cost {
            node.cost = attempt.cost;
            node.by = number;
            let base = self.problems[node.problem as usize].base;
            let priority = base.saturating_add(attempt.cost);
            self.queue.push(Reverse((priority, attempt.to)));
        }
    }

    fn attempt_step(&mut self, model: &Model, at: u32, step: u32, priority: u32) {
        let node = self.nodes[at as usize];
        let problem = self.problems[node.problem as usize];
        let taken = model.steps[step as usize];
        let to = problem.nodes + u32::from(taken.to);
        let cost = node.cost.saturating_add(1);
        if self.nodes[to as usize].done || self.nodes[to as usize].cost <= cost {
            return;
        }
        let number = self.attempts.len() as u32;
        self.attempts.push(Attempt {
            from: at,
            to,
            step,
            cost,
            open: 0,
            after: self.after.len() as u32,
        });
        let (first, last) = taken.needs;
        let needs = &model.needs[first as usize..last as usize];
        self.after.resize(self.after.len() + needs.len(), OPEN);
        let predecessors = &model.vertices[problem.vertex as usize].predecessors;
        let width = predecessors.len();
        let context = problem.contexts as usize + usize::from(node.value) * width;
        for (index, need) in needs.iter().enumerate() {
            match *need {
                Need::Set { after, .. } => {
                    let place = self.attempts[number as usize].after as usize + index;
                    self.after[place] = after;
                }
                Need::Pairs { slot, first, last } => {
                    let pairs = &model.pairs[first as usize..last as usize];
                    let from = self.contexts[context + usize::from(slot)];
                    let vertex = predecessors[usize::from(slot)];
                    self.need(model, number, index as u32, vertex, from, pairs, priority);
                }
            }
        }
        self.fire(number);
    }

    fn attempt_goal(&mut self, model: &Model, goal: &Alternative) {
        let number = self.attempts.len() as u32;
        self.attempts.push(Attempt {
            from: NONE,
            to: NONE,
            step: NONE,
            cost: 0,
            open: 0,
            after: self.after.len() as u32,
        });
        self.after.resize(self.after.len() + goal.len(), OPEN);
        for (index, (vertex, pairs)) in goal.iter().enumerate() {
            let from = self.values[*vertex as usize];
            self.need(model, number, index as u32, *vertex, from, pairs, 0);
        }
        self.fire(number);
    }

    /// One of the pairs' first values is needed of a part that is elsewhere: the cheapest, which is the one that is
    /// reached first.
    #[allow(clippy::too_many_arguments)] // one need of one attempt
    fn need(
        &mut self,
        model: &Model,
        number: u32,
        index: u32,
        vertex: u32,
        from: u16,
        pairs: &[(u16, u16)],
        priority: u32,
    ) {
        let place = (self.attempts[number as usize].after + index) as usize;
        if let Some((_, after)) = pairs.iter().find(|(before, _)| *before == from) {
            self.after[place] = *after;
            return;
        }
        let nodes = self.problem(model, vertex, from, priority);
        let mut cheapest: Option<(u32, u16)> = None;
        for (before, after) in pairs {
            let node = &self.nodes[(nodes + u32::from(*before)) as usize];
            if node.done && cheapest.is_none_or(|(cost, _)| node.cost < cost) {
                cheapest = Some((node.cost, *after));
            }
        }
        let attempt = &mut self.attempts[number as usize];
        if let Some((cost, after)) = cheapest {
            attempt.cost = attempt.cost.saturating_add(cost);
            self.after[place] = after;
            return;
        }
        attempt.open += 1;
        for (before, after) in pairs {
            let node = &mut self.nodes[(nodes + u32::from(*before)) as usize];
            let next = std::mem::replace(&mut node.waiting, self.waiting.len() as u32);
            self.waiting.push(Waiting {
                attempt: number,
                need: index,
                after: *after,
                next,
            });
        }
    }
}
