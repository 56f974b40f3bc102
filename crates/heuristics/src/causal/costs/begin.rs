//! What the way to the goal begins with: for preferred transitions.

use crate::DEAD_END;
use crate::causal::costs::Costs;
use crate::causal::dynamic::{Attempt, Dynamic};
use crate::causal::goal::Alternative;
use crate::causal::model::{Model, Need};

impl Costs {
    /// The steps that the way of a part to a value begins with, as far as they can be taken now: its own first step, or
    /// what has to happen before that (Helmert: The Fast Downward planning system, JAIR 2006, section 5.2.3).
    pub fn first_steps(&mut self, model: &Model, vertex: u32, to: u16, steps: &mut Vec<u32>) {
        let mut asked = vec![(vertex, to)];
        let mut next = 0;
        while next < asked.len() {
            let (vertex, to) = asked[next];
            next += 1;
            let Some(step) = self.first_step(model, vertex, to) else {
                continue;
            };
            let (first, last) = model.steps[step as usize].needs;
            let before = asked.len();
            let mut met = true;
            for need in &model.needs[first as usize..last as usize] {
                let Need::Pairs { slot, first, last } = *need else {
                    continue;
                };
                let part = model.vertices[vertex as usize].predecessors[slot as usize];
                let pairs = &model.pairs[first as usize..last as usize];
                let at = self.value(part);
                if pairs.iter().any(|(value, _)| *value == at) {
                    continue;
                }
                met = false;
                let row = self.row(model, part, at);
                let cheapest = pairs.iter().map(|pair| pair.0);
                if let Some(value) = cheapest.min_by_key(|value| self.at(row, *value))
                    && !asked[..before].contains(&(part, value))
                {
                    asked.push((part, value));
                }
            }
            if met {
                steps.push(step);
            }
        }
    }

    /// The first step of a part on its way from its value in the state to another one.
    fn first_step(&mut self, model: &Model, vertex: u32, to: u16) -> Option<u32> {
        let from = self.value(vertex);
        self.compute(model, vertex, from);
        self.works[vertex as usize].first_step(to)
    }
}

impl Dynamic {
    /// The steps that the cheapest way to the goal begins with, as far as they can be taken now: the first step of a part,
    /// or what has to happen before that.
    pub fn first_steps(
        &mut self,
        model: &Model,
        memory: &[i32],
        goal: &[Alternative],
        steps: &mut Vec<u32>,
    ) {
        if self.estimate(model, memory, goal) == DEAD_END {
            return;
        }
        let number = self.goal as usize;
        let start = self.attempts[number].after as usize;
        let mut asked: Vec<(u32, u16)> = Vec::new();
        for (index, (vertex, _)) in goal[number].iter().enumerate() {
            asked.push((*vertex, self.after[start + index]));
        }
        let mut next = 0;
        while next < asked.len() {
            let (vertex, to) = asked[next];
            next += 1;
            let Some(attempt) = self.first_attempt(vertex, to) else {
                continue;
            };
            if attempt.cost == 1 {
                steps.push(attempt.step);
                continue;
            }
            let (first, last) = model.steps[attempt.step as usize].needs;
            for need in &model.needs[first as usize..last as usize] {
                let Need::Pairs { slot, first, last } = *need else {
                    continue;
                };
                let part = model.vertices[vertex as usize].predecessors[slot as usize];
                let from = self.values[part as usize];
                let pairs = &model.pairs[first as usize..last as usize];
                if pairs.iter().any(|(value, _)| *value == from) {
                    continue;
                }
                let problem = self.first_problem[part as usize] + u32::from(from);
                let nodes = self.problems[problem as usize].nodes;
                let cost = |value: &u16| self.nodes[(nodes + u32::from(*value)) as usize].cost;
                let cheapest = pairs.iter().map(|pair| pair.0).min_by_key(cost);
                if let Some(value) = cheapest
                    && !asked.contains(&(part, value))
                {
                    asked.push((part, value));
                }
            }
        }
    }

    /// The first step of a part on its way from its value in the state to another one.
    fn first_attempt(&self, vertex: u32, to: u16) -> Option<Attempt> {
        let from = self.values[vertex as usize];
        let problem =
            self.problems[(self.first_problem[vertex as usize] + u32::from(from)) as usize];
        if from == to || problem.state != self.state {
            return None;
        }
        let mut at = problem.nodes + u32::from(to);
        loop {
            let by = self.nodes[at as usize].by;
            let attempt = *self.attempts.get(by as usize)?;
            at = attempt.from;
            if self.nodes[at as usize].value == from {
                return Some(attempt);
            }
        }
    }
}
