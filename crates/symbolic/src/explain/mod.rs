//! Why a branching-time formula holds or fails: a path, with a loop if it is endless, as far as
//! one path can show it.

pub(crate) mod path;

use crate::bdd::Bdd;
use crate::ctl::CtlChecker;
use crate::limits::Stop;
use crate::relation::Model;
use crate::system::Ctl;
use path::State;

/// A path that shows something, from a given state on. `complete` if it shows all of it.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    pub(crate) states: Vec<State>,
    pub(crate) loop_start: Option<usize>,
    pub(crate) complete: bool,
    /// Steps (by the state before) that must satisfy a fairness condition (by number).
    pub(crate) fair_steps: Vec<(usize, usize)>,
}

impl Evidence {
    fn at(state: State, complete: bool) -> Evidence {
        Evidence::path(vec![state], complete)
    }

    pub(crate) fn path(states: Vec<State>, complete: bool) -> Evidence {
        Evidence {
            states,
            loop_start: None,
            complete,
            fair_steps: Vec::new(),
        }
    }

    /// This path followed by one that starts where this one ends.
    pub(crate) fn then(mut self, next: Evidence) -> Evidence {
        self.states.pop();
        let offset = self.states.len();
        self.loop_start = next.loop_start.map(|start| start + offset);
        self.fair_steps
            .extend(next.fair_steps.iter().map(|&(step, k)| (step + offset, k)));
        self.states.extend(next.states);
        self.complete = next.complete;
        self
    }
}

/// Finds evidence by the sets that a checker computes.
pub(crate) struct Explainer<'c> {
    pub(crate) model: &'c Model,
    pub(crate) checker: &'c CtlChecker,
}

impl Explainer<'_> {
    /// Why the formula (`expected` true) or its negation holds in the state.
    pub(crate) fn explain(
        &self,
        formula: &Ctl,
        expected: bool,
        state: State,
    ) -> Result<Evidence, Stop> {
        match (formula, expected) {
            (Ctl::Atom(_), _) => Ok(Evidence::at(state, true)),
            (Ctl::Not(a), _) => self.explain(a, !expected, state),
            (Ctl::And(parts), true) | (Ctl::Or(parts), false) => {
                self.explain_all(parts, expected, state)
            }
            (Ctl::And(parts), false) | (Ctl::Or(parts), true) => {
                self.explain_any(parts, expected, state)
            }
            (Ctl::Ex(a), true) | (Ctl::Ax(a), false) => self.step(a, expected, state),
            (Ctl::Ef(None, a), true) | (Ctl::Ag(None, a), false) => {
                let space = self.checker.space().clone();
                self.until(&space, a, expected, state)
            }
            (Ctl::Eu(None, a, b), true) => {
                let through = self.checker.states(a)?;
                let mut evidence = self.until(&through, b, true, state)?;
                evidence.complete &= is_propositional(a);
                Ok(evidence)
            }
            (Ctl::Eg(None, a), true) => {
                let set = self.checker.states(a)?;
                self.endless(&set, a, state)
            }
            (Ctl::Af(None, a), false) => {
                let set = self.checker.complement(&self.checker.states(a)?)?;
                self.endless(&set, a, state)
            }
            (Ctl::Au(None, a, b), false) => self.refute_until(a, b, state),
            // Truth on all paths, falsity of existence, and bounded forms: not one path.
            _ => Ok(Evidence::at(state, false)),
        }
    }

    fn satisfying(&self, formula: &Ctl, expected: bool) -> Result<Bdd, Stop> {
        let states = self.checker.states(formula)?;
        if expected {
            Ok(states)
        } else {
            self.checker.complement(&states)
        }
    }

    /// All parts are as expected: one path can show one part that needs a path.
    fn explain_all(&self, parts: &[Ctl], expected: bool, state: State) -> Result<Evidence, Stop> {
        let temporal: Vec<&Ctl> = parts
            .iter()
            .filter(|part| !is_propositional(part))
            .collect();
        match temporal.as_slice() {
            [] => Ok(Evidence::at(state, true)),
            [first, rest @ ..] => {
                let mut evidence = self.explain(first, expected, state)?;
                evidence.complete &= rest.is_empty();
                Ok(evidence)
            }
        }
    }

    fn explain_any(&self, parts: &[Ctl], expected: bool, state: State) -> Result<Evidence, Stop> {
        let here = self.model.singleton(&state)?;
        for part in parts {
            let set = self.satisfying(part, expected)?;
            if !self.model.encoding.diagrams.disjoint(&here, &set)? {
                return self.explain(part, expected, state);
            }
        }
        Ok(Evidence::at(state, false))
    }

    fn step(&self, formula: &Ctl, expected: bool, state: State) -> Result<Evidence, Stop> {
        let diagrams = &self.model.encoding.diagrams;
        let goal = self.satisfying(formula, expected)?;
        let goal = diagrams.and(&goal, self.checker.fair()?)?;
        let after = self.model.image(&self.model.singleton(&state)?)?;
        match self.model.pick(&diagrams.and(&after, &goal)?) {
            Some(next) => {
                let start = Evidence::path(vec![state, next.clone()], true);
                Ok(start.then(self.explain(formula, expected, next)?))
            }
            None => Ok(Evidence::at(state, false)),
        }
    }

    fn until(
        &self,
        through: &Bdd,
        formula: &Ctl,
        expected: bool,
        state: State,
    ) -> Result<Evidence, Stop> {
        let diagrams = &self.model.encoding.diagrams;
        let goal = self.satisfying(formula, expected)?;
        let goal = diagrams.and(&goal, self.checker.fair()?)?;
        let from = self.model.singleton(&state)?;
        match self.model.shortest_path(&from, through, &goal)? {
            Some(states) => {
                let end = states[states.len() - 1].clone();
                let path = Evidence::path(states, true);
                Ok(path.then(self.explain(formula, expected, end)?))
            }
            None => Ok(Evidence::at(state, false)),
        }
    }

    fn refute_until(&self, a: &Ctl, b: &Ctl, state: State) -> Result<Evidence, Stop> {
        let diagrams = &self.model.encoding.diagrams;
        let not_b = self.satisfying(b, false)?;
        let never = self.checker.eg(&not_b)?;
        let here = self.model.singleton(&state)?;
        if !diagrams.disjoint(&here, &never)? {
            return self.endless(&not_b, b, state);
        }
        let neither = diagrams.and(&not_b, &self.satisfying(a, false)?)?;
        let goal = diagrams.and(&neither, self.checker.fair()?)?;
        match self.model.shortest_path(&here, &not_b, &goal)? {
            Some(states) => {
                let complete = is_propositional(a) && is_propositional(b);
                Ok(Evidence::path(states, complete))
            }
            None => Ok(Evidence::at(state, false)),
        }
    }

    /// A fair endless path within the set, where a formula is or is not true: to each fairness condition in turn, then back to the
    /// start of the round; if there is no way back, another round from where we are. Each failed
    /// round leaves a strongly connected component for good, so this ends.
    fn endless(&self, set: &Bdd, about: &Ctl, state: State) -> Result<Evidence, Stop> {
        let diagrams = &self.model.encoding.diagrams;
        let within = self.checker.eg(set)?;
        let everywhere = diagrams.constant(true);
        let conditions: Vec<&Bdd> = if self.model.justice.is_empty() {
            vec![&everywhere]
        } else {
            self.model.justice.iter().collect()
        };
        let mut states = vec![state];
        let mut fair_steps = Vec::new();
        loop {
            self.model.encoding.diagrams.check_limits()?;
            let start = states.len() - 1;
            for (number, condition) in conditions.iter().enumerate() {
                let enabled = self.model.preimage_under(&within, Some(condition))?;
                let enabled = diagrams.and(&enabled, &within)?;
                let from = self.model.singleton(&states[states.len() - 1])?;
                let Some(path) = self.model.shortest_path(&from, &within, &enabled)? else {
                    return Ok(Evidence::path(states, false));
                };
                states.extend(path.into_iter().skip(1));
                if !self.model.justice.is_empty() {
                    fair_steps.push((states.len() - 1, number));
                }
                if !self.fair_step(&within, condition, &mut states)? {
                    return Ok(Evidence::path(states, false));
                }
            }
            let from = self.model.singleton(&states[states.len() - 1])?;
            let goal = self.model.singleton(&states[start])?;
            if let Some(path) = self.model.shortest_path(&from, &within, &goal)? {
                states.extend(path.into_iter().skip(1));
                return Ok(Evidence {
                    states,
                    loop_start: Some(start),
                    complete: is_propositional(about),
                    fair_steps,
                });
            }
        }
    }

    /// Appends a step from the last state into `within` with the condition true at its start.
    fn fair_step(
        &self,
        within: &Bdd,
        condition: &Bdd,
        states: &mut Vec<State>,
    ) -> Result<bool, Stop> {
        let diagrams = &self.model.encoding.diagrams;
        let here = self.model.singleton(&states[states.len() - 1])?;
        let inside = diagrams.and(&self.model.image_under(&here, condition)?, within)?;
        match self.model.pick(&inside) {
            Some(next) => {
                states.push(next);
                Ok(true)
            }
            None => Ok(false),
        }
    }
}

fn is_propositional(formula: &Ctl) -> bool {
    match formula {
        Ctl::Atom(_) => true,
        Ctl::Not(a) => is_propositional(a),
        Ctl::And(parts) | Ctl::Or(parts) => parts.iter().all(is_propositional),
        _ => false,
    }
}
