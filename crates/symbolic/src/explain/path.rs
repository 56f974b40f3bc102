//! Single paths out of sets of states.

use super::Evidence;
use crate::bdd::Bdd;
use crate::limits::Stop;
use crate::relation::{LocalRelation, Model};
use crate::system::{Role, Value};

/// Relations that change more bits are inverted by diagrams.
const MAX_TRIAL_BITS: usize = 8;

/// A walk that is longer before it comes back is given up.
const LONGEST_WALK: usize = 256;

/// A state: one value per variable.
pub(crate) type State = Vec<Value>;

impl Model {
    /// One state of a set.
    pub(crate) fn pick(&self, set: &Bdd) -> Option<State> {
        self.encoding.pick_state(&self.system, set)
    }

    /// The set of one state.
    pub(crate) fn singleton(&self, state: &State) -> Result<Bdd, Stop> {
        self.encoding.state_set(&self.system, state)
    }

    /// A path through the layers to a state of the last one. Each state of a layer must have a
    /// predecessor in the layer before.
    pub(crate) fn path_through(&self, layers: &[Bdd], end: State) -> Result<Vec<State>, Stop> {
        let mut path = vec![end];
        for layer in layers.iter().rev().skip(1) {
            let before = self.predecessor(&path[path.len() - 1], layer)?;
            match before {
                Some(state) => path.push(state),
                None => return Err(Stop::Model("a layer without predecessors".into())),
            }
        }
        path.reverse();
        Ok(path)
    }

    /// A state of the set from which one step leads to the given state.
    fn predecessor(&self, state: &State, set: &Bdd) -> Result<Option<State>, Stop> {
        let diagrams = &self.encoding.diagrams;
        let mut target = None;
        for relation in &self.relations {
            if let Some(found) = self.predecessor_by_trial(relation, state, set) {
                match found {
                    Some(before) => return Ok(Some(before)),
                    None => continue,
                }
            }
            let target = match &target {
                Some(target) => target,
                None => &*target.insert(self.singleton(state)?),
            };
            let before = relation.preimage(diagrams, target, None)?;
            let before = diagrams.and(&diagrams.and(&before, set)?, &self.invariant)?;
            if let Some(before) = self.pick(&before) {
                return Ok(Some(before));
            }
        }
        Ok(None)
    }

    /// Predecessors by relations that change few bits and read no inputs: all values of these bits are
    /// tried, which makes no new diagrams. The outer `None`: the relation is not of that kind.
    fn predecessor_by_trial(
        &self,
        relation: &LocalRelation,
        state: &State,
        set: &Bdd,
    ) -> Option<Option<State>> {
        let diagrams = &self.encoding.diagrams;
        let mut valuation = vec![false; diagrams.bits() as usize];
        for id in self.system.variable_ids() {
            let variable = self.system.variable(id);
            let code = variable.domain.code(state[id.index()])?;
            let bits = self.encoding.bits_of(id);
            for bits in [&bits.current, &bits.next] {
                for (position, &bit) in bits.iter().rev().enumerate() {
                    valuation[bit as usize] = code >> position & 1 == 1;
                }
            }
        }
        let changed: Vec<u32> = relation
            .changed
            .iter()
            .flat_map(|&id| self.encoding.bits_of(id).current.iter().copied())
            .collect();
        if changed.len() > MAX_TRIAL_BITS || relation.reads_inputs() {
            return None;
        }
        for code in 0..1u32 << changed.len() {
            for (position, &bit) in changed.iter().enumerate() {
                valuation[bit as usize] = code >> position & 1 == 1;
            }
            let holds = |part: &Bdd| diagrams.evaluate(part, |bit| valuation[bit as usize]);
            if holds(set) && holds(&self.invariant) && relation.clusters().iter().all(holds) {
                let decode = |id| self.encoding.decode(&self.system, id, &valuation, false);
                return Some(self.system.variable_ids().map(decode).collect());
            }
        }
        Some(None)
    }

    /// A path from a state that goes on for ever, as one that comes back to itself after not too many steps.
    pub(crate) fn endless_path(&self, start: State) -> Result<Option<Evidence>, Stop> {
        let diagrams = &self.encoding.diagrams;
        let mut way = vec![(self.singleton(&start)?, start)];
        let mut seen = way[0].0.clone();
        for _ in 0..LONGEST_WALK {
            let image = self.image(&way[way.len() - 1].0)?;
            // The loop closes as soon as it can.
            if let Some(again) = self.pick(&diagrams.and(&image, &seen)?) {
                let back = self.singleton(&again)?;
                let loop_start = way.iter().position(|(known, _)| *known == back);
                let states = way.into_iter().map(|(_, state)| state).chain([again]);
                return Ok(Some(Evidence {
                    loop_start,
                    ..Evidence::path(states.collect(), true)
                }));
            }
            let Some(next) = self.pick(&image) else {
                return Ok(None);
            };
            let set = self.singleton(&next)?;
            seen = diagrams.or(&seen, &set)?;
            way.push((set, next));
        }
        Ok(None)
    }

    /// A shortest path from a set to a goal, with the states before the goal in `through`.
    pub(crate) fn shortest_path(
        &self,
        from: &Bdd,
        through: &Bdd,
        goal: &Bdd,
    ) -> Result<Option<Vec<State>>, Stop> {
        let diagrams = &self.encoding.diagrams;
        let mut layers = vec![from.clone()];
        let mut seen = from.clone();
        loop {
            let last = &layers[layers.len() - 1];
            let found = diagrams.and(last, goal)?;
            if let Some(end) = self.pick(&found) {
                return self.path_through(&layers, end).map(Some);
            }
            // The way back must not lead over states that the way there did not use.
            let left = diagrams.and(last, through)?;
            let image = self.image(&left)?;
            let end = layers.len() - 1;
            layers[end] = left;
            let next = diagrams.minus(&image, &seen)?;
            if diagrams.is_false(&next) {
                return Ok(None);
            }
            seen = diagrams.or(&seen, &next)?;
            layers.push(next);
        }
    }

    /// A path from a set to a goal by chaining local relations: found where breadth first would
    /// take too long, but perhaps not the shortest.
    pub(crate) fn some_path(&self, from: &Bdd, goal: &Bdd) -> Result<Option<Vec<State>>, Stop> {
        let diagrams = &self.encoding.diagrams;
        let mut reached = from.clone();
        // What was reached before each step that found something new, and by which relation.
        let mut steps: Vec<(Bdd, usize)> = Vec::new();
        let mut found = self.pick(&diagrams.and(from, goal)?);
        let mut quiet = 0;
        'search: while found.is_none() {
            for (number, relation) in self.relations.iter().enumerate() {
                let image = relation.image(diagrams, &reached)?;
                let new = diagrams.minus(&image, &reached)?;
                if diagrams.is_false(&new) {
                    quiet += 1;
                    if quiet >= self.relations.len() {
                        return Ok(None);
                    }
                    continue;
                }
                quiet = 0;
                steps.push((reached.clone(), number));
                reached = diagrams.or(&reached, &new)?;
                found = self.pick(&diagrams.and(&new, goal)?);
                if found.is_some() {
                    break 'search;
                }
            }
        }
        let mut path: Vec<State> = found.into_iter().collect();
        for (before, number) in steps.iter().rev() {
            let last = self.singleton(&path[path.len() - 1])?;
            if !diagrams.disjoint(&last, before)? {
                continue; // it was there before this step
            }
            let sources = self.relations[*number].preimage(diagrams, &last, None)?;
            let sources = diagrams.and(&sources, before)?;
            match self.pick(&sources) {
                Some(state) => path.push(state),
                None => return Err(Stop::Model("a step without a source".into())),
            }
        }
        path.reverse();
        Ok(Some(path))
    }

    /// Puts the inputs of each step into the state before it.
    pub(crate) fn fill_inputs(&self, evidence: &mut Evidence) -> Result<(), Stop> {
        if self.encoding.input_bits().is_empty() {
            return Ok(());
        }
        let steps = &evidence.fair_steps;
        let states = &mut evidence.states;
        for position in 1..states.len() {
            let before = position - 1;
            let fair = steps.iter().find(|&&(step, _)| step == before);
            let condition = fair.and_then(|&(_, number)| self.justice.get(number));
            let after = states[position].clone();
            self.fill_step(&mut states[before], &after, condition)?;
        }
        Ok(())
    }

    /// Puts inputs into `now` that lead to `after`, with a condition on the step.
    fn fill_step(
        &self,
        now: &mut State,
        after: &State,
        condition: Option<&Bdd>,
    ) -> Result<(), Stop> {
        let diagrams = &self.encoding.diagrams;
        let here = self.singleton(now)?;
        let there = self.encoding.prime(&self.singleton(after)?)?;
        for relation in &self.relations {
            let changes = |id: usize| relation.changed.iter().any(|changed| changed.index() == id);
            let is_state = |id: usize| self.system.variables[id].role != Role::Input;
            if (0..now.len()).any(|id| is_state(id) && !changes(id) && now[id] != after[id]) {
                continue;
            }
            let mut allowed = relation.choice.clone();
            for part in relation.clusters().iter().chain(condition) {
                let inputs = diagrams.restrict(&diagrams.restrict(part, &here)?, &there)?;
                allowed = diagrams.and(&allowed, &inputs)?;
            }
            if let Some(valuation) = diagrams.pick(&allowed) {
                for id in self.system.variable_ids() {
                    if self.system.variable(id).role == Role::Input
                        && let Some(value) =
                            self.encoding.decode(&self.system, id, &valuation, false)
                    {
                        now[id.index()] = value;
                    }
                }
                return Ok(());
            }
        }
        Err(Stop::Model("no relation allows a step of the path".into()))
    }
}
