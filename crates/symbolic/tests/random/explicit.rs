//! All states and steps of a small system, one by one, and branching time on them: fair paths by
//! strongly connected components, not by the fixed point that the engine uses.

use merkhet_symbolic::system::replay::{Situation, possible_values};
use merkhet_symbolic::system::{Ctl, ExpressionId, Role, System, Value};

/// A set of states by their numbers.
pub type Set = Vec<bool>;

/// A step, with the fairness conditions that some input satisfies at its start.
struct Step {
    to: usize,
    just: Vec<bool>,
}

/// The states that the invariants allow, and the steps between them.
pub struct Graph<'a> {
    system: &'a System,
    pub states: Vec<Vec<Value>>,
    steps: Vec<Vec<Step>>,
}

pub fn holds(system: &System, id: ExpressionId, now: &[Value], after: Option<&[Value]>) -> bool {
    let values = possible_values(system, id, Situation { now, after });
    values.is_ok_and(|values| values == [Value::Boolean(true)])
}

/// All valuations of the variables that a filter accepts; the others have their first value.
fn valuations(system: &System, wanted: impl Fn(Role) -> bool) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for variable in &system.variables {
        let size = variable.domain.size().expect("small");
        let codes = if wanted(variable.role) { 0..size } else { 0..1 };
        all = all
            .iter()
            .flat_map(|start| {
                codes.clone().map(|code| {
                    let value = variable.domain.value(code).expect("in the domain");
                    [start.as_slice(), &[value]].concat()
                })
            })
            .collect();
    }
    all
}

impl<'a> Graph<'a> {
    /// Tries all pairs of states.
    pub fn new(system: &'a System) -> Graph<'a> {
        let fits = |state: &Vec<Value>| {
            let mut invariants = system.invariants.iter();
            invariants.all(|&id| holds(system, id, state, None))
        };
        let states: Vec<Vec<Value>> = valuations(system, |role| role != Role::Input)
            .into_iter()
            .filter(fits)
            .collect();
        let inputs = valuations(system, |role| role == Role::Input);
        let steps = states
            .iter()
            .map(|before| {
                let step = |(to, after): (usize, &Vec<Value>)| {
                    let just = step(system, before, after, &inputs)?;
                    Some(Step { to, just })
                };
                states.iter().enumerate().filter_map(step).collect()
            })
            .collect();
        Graph {
            system,
            states,
            steps,
        }
    }

    fn initial(&self) -> Vec<usize> {
        let starts = |at: &usize| {
            let mut conditions = self.system.initial.iter();
            conditions.all(|&id| holds(self.system, id, &self.states[*at], None))
        };
        (0..self.states.len()).filter(starts).collect()
    }

    /// Reachable states by their distance from the initial ones.
    pub fn layers(&self) -> Vec<Vec<usize>> {
        let mut seen = self.none();
        let mut layers = Vec::new();
        let mut layer = self.initial();
        while !layer.is_empty() {
            layer.iter().for_each(|&at| seen[at] = true);
            let mut next = Vec::new();
            for &at in &layer {
                for step in &self.steps[at] {
                    if !std::mem::replace(&mut seen[step.to], true) {
                        next.push(step.to);
                    }
                }
            }
            layers.push(std::mem::replace(&mut layer, next));
        }
        layers
    }

    /// Whether every reachable state has a successor.
    pub fn is_total(&self) -> bool {
        let layers = self.layers();
        layers
            .iter()
            .flatten()
            .all(|&at| !self.steps[at].is_empty())
    }

    /// Whether a formula holds in all initial states, or with fairness conditions in those with a fair path.
    pub fn satisfies(&self, formula: &Ctl) -> bool {
        let set = self.evaluate(formula);
        let fair = self.fair();
        (self.initial().iter()).all(|&at| set[at] || !fair[at])
    }

    /// Whether a fair path starts in some initial state.
    pub fn starts_fairly(&self) -> bool {
        let fair = self.fair();
        self.initial().iter().any(|&at| fair[at])
    }

    fn none(&self) -> Set {
        vec![false; self.states.len()]
    }

    fn by(&self, of: impl Fn(usize) -> bool) -> Set {
        (0..self.states.len()).map(of).collect()
    }

    fn evaluate(&self, formula: &Ctl) -> Set {
        let all = || self.by(|_| true);
        let not = |a: &Ctl| negated(&self.evaluate(a));
        match formula {
            Ctl::Atom(id) => self.by(|at| holds(self.system, *id, &self.states[at], None)),
            Ctl::Not(a) => not(a),
            Ctl::And(parts) => parts
                .iter()
                .fold(all(), |set, part| both(&set, &self.evaluate(part))),
            Ctl::Or(parts) => parts
                .iter()
                .fold(self.none(), |set, part| either(&set, &self.evaluate(part))),
            Ctl::Ex(a) => self.ex(&self.evaluate(a)),
            Ctl::Ax(a) => negated(&self.ex(&not(a))),
            Ctl::Ef(None, a) => self.eu(&all(), &self.evaluate(a)),
            Ctl::Ag(None, a) => negated(&self.eu(&all(), &not(a))),
            Ctl::Eg(None, a) => self.eg(&self.evaluate(a)),
            Ctl::Af(None, a) => negated(&self.eg(&not(a))),
            Ctl::Eu(None, a, b) => self.eu(&self.evaluate(a), &self.evaluate(b)),
            Ctl::Au(None, a, b) => {
                // Not b until neither, or never b.
                let neither = both(&not(a), &not(b));
                negated(&either(&self.eu(&not(b), &neither), &self.eg(&not(b))))
            }
            Ctl::Ef(Some(range), a) => self.ebu(*range, &all(), &self.evaluate(a)),
            Ctl::Ag(Some(range), a) => negated(&self.ebu(*range, &all(), &not(a))),
            Ctl::Eg(Some(range), a) => self.ebg(*range, &self.evaluate(a)),
            Ctl::Af(Some(range), a) => negated(&self.ebg(*range, &not(a))),
            Ctl::Eu(Some(range), a, b) => self.ebu(*range, &self.evaluate(a), &self.evaluate(b)),
            Ctl::Au(Some((low, high)), a, b) => {
                let (a, b) = (self.evaluate(a), self.evaluate(b));
                self.by(|at| self.abu(at, *low, *high, &a, &b))
            }
        }
    }

    /// The length of shortest or longest ways from one set to another along endless fair paths, state by state: `None`
    /// where there is no end to it, and nothing at all for a longest way where there is no start or no end.
    pub fn path_length(
        &self,
        longest: bool,
        from: ExpressionId,
        to: ExpressionId,
    ) -> Option<Option<u64>> {
        let set = |id| self.by(|at| holds(self.system, id, &self.states[at], None));
        let mut reached = self.none();
        self.layers()
            .into_iter()
            .flatten()
            .for_each(|at| reached[at] = true);
        let paths = both(&reached, &self.eg(&self.by(|_| true)));
        let (from, to) = (both(&set(from), &paths), both(&set(to), &paths));
        if longest && (!from.contains(&true) || !to.contains(&true)) {
            return None;
        }
        let starts = (0..self.states.len()).filter(|&at| from[at]);
        Some(match longest {
            false => starts
                .filter_map(|start| self.distance(&paths, start, &to))
                .min(),
            true => {
                let mut lengths =
                    starts.map(|start| self.longest(&paths, &to, start, &mut Vec::new()));
                lengths.try_fold(0, |most, length| length.map(|length| length.max(most)))
            }
        })
    }

    fn distance(&self, paths: &Set, start: usize, to: &Set) -> Option<u64> {
        let (mut seen, mut layer, mut steps) = (self.none(), vec![start], 0);
        while !layer.is_empty() {
            if layer.iter().any(|&at| to[at]) {
                return Some(steps);
            }
            layer.iter().for_each(|&at| seen[at] = true);
            let next = layer
                .iter()
                .flat_map(|&at| &self.steps[at])
                .map(|step| step.to);
            let next: std::collections::BTreeSet<usize> =
                next.filter(|&at| paths[at] && !seen[at]).collect();
            layer = next.into_iter().collect();
            steps += 1;
        }
        None
    }

    /// The most steps before the set is met; `None` if one can go round.
    fn longest(&self, paths: &Set, to: &Set, at: usize, way: &mut Vec<usize>) -> Option<u64> {
        if to[at] {
            return Some(0);
        }
        if way.contains(&at) {
            return None;
        }
        way.push(at);
        let mut most = 0;
        for step in self.steps[at].iter().filter(|step| paths[step.to]) {
            most = most.max(1 + self.longest(paths, to, step.to, way)?);
        }
        way.pop();
        Some(most)
    }

    fn ex(&self, set: &Set) -> Set {
        let fair = self.fair();
        self.by(|at| {
            self.steps[at]
                .iter()
                .any(|step| set[step.to] && fair[step.to])
        })
    }

    fn eu(&self, through: &Set, goal: &Set) -> Set {
        self.backwards(through, &both(goal, &self.fair()))
    }

    /// The states with a path through a set to another one.
    fn backwards(&self, through: &Set, goal: &Set) -> Set {
        let mut reached = goal.clone();
        loop {
            let next = self.by(|at| {
                reached[at] || through[at] && self.steps[at].iter().any(|step| reached[step.to])
            });
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// The states from which a fair path starts; without fairness conditions, all states.
    fn fair(&self) -> Set {
        match self.system.justice.is_empty() {
            true => self.by(|_| true),
            false => self.eg(&self.by(|_| true)),
        }
    }

    /// An endless fair path in the set ends in a component with a step for each condition.
    fn eg(&self, set: &Set) -> Set {
        let conditions = self.system.justice.len();
        let mut fair = self.none();
        for at in (0..self.states.len()).filter(|&at| set[at]) {
            // The component of a state: what it reaches and what reaches it, within the set.
            let to_it = self.backwards(set, &self.by(|other| other == at));
            let from_it = self.forwards(set, at);
            let inside = |other: usize| set[other] && to_it[other] && from_it[other];
            let own = (0..self.states.len())
                .filter(|&other| inside(other))
                .flat_map(|other| self.steps[other].iter().filter(|step| inside(step.to)));
            let own: Vec<&Step> = own.collect();
            let just = (0..conditions).all(|number| own.iter().any(|step| step.just[number]));
            fair[at] = !own.is_empty() && just;
        }
        both(set, &self.backwards(set, &fair))
    }

    fn forwards(&self, set: &Set, start: usize) -> Set {
        let mut seen = self.none();
        seen[start] = true;
        let mut waiting = vec![start];
        while let Some(at) = waiting.pop() {
            for step in &self.steps[at] {
                if set[step.to] && !std::mem::replace(&mut seen[step.to], true) {
                    waiting.push(step.to);
                }
            }
        }
        seen
    }

    /// The goal after a number of steps in the range, then a fair path; `through` before.
    fn ebu(&self, (low, high): (u32, u32), through: &Set, goal: &Set) -> Set {
        let mut set = self.none();
        for steps in low..=high {
            let mut exact = both(goal, &self.fair());
            for _ in 0..steps {
                let next = |at: usize| self.steps[at].iter().any(|step| exact[step.to]);
                exact = both(through, &self.by(next));
            }
            set = either(&set, &exact);
        }
        set
    }

    /// A path that is in the set at the steps of the range, and can then go on fairly.
    fn ebg(&self, (low, high): (u32, u32), set: &Set) -> Set {
        let mut result = both(set, &self.fair());
        for left in (0..high).rev() {
            let next = self.by(|at| self.steps[at].iter().any(|step| result[step.to]));
            result = if left >= low { both(set, &next) } else { next };
        }
        result
    }

    /// Walks all paths: in the range the goal may come, before it `through` must hold.
    fn abu(&self, at: usize, low: u32, high: u32, through: &Set, goal: &Set) -> bool {
        if low == 0 && goal[at] {
            return true;
        }
        let fair = self.fair();
        high > 0
            && through[at]
            && self.steps[at]
                .iter()
                .filter(|step| fair[step.to])
                .all(|step| self.abu(step.to, low.saturating_sub(1), high - 1, through, goal))
    }
}

fn negated(set: &Set) -> Set {
    set.iter().map(|member| !member).collect()
}

fn both(a: &Set, b: &Set) -> Set {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}

fn either(a: &Set, b: &Set) -> Set {
    a.iter().zip(b).map(|(a, b)| *a || *b).collect()
}

/// Whether a step leads from one state to another; for each fairness condition, whether it can hold
/// at its start.
fn step(
    system: &System,
    before: &[Value],
    after: &[Value],
    inputs: &[Vec<Value>],
) -> Option<Vec<bool>> {
    let mut just = None;
    for choice in inputs {
        let pairs = system.variables.iter().zip(before.iter().zip(choice));
        let now: Vec<Value> = pairs
            .map(|(variable, (state, input))| match variable.role {
                Role::Input => *input,
                _ => *state,
            })
            .collect();
        let possible = system.events.iter().any(|event| {
            let chosen = event.choice.is_none_or(|(input, code)| {
                system.variable(input).domain.code(now[input.index()]) == Some(code)
            });
            let kept =
                |id: &merkhet_symbolic::system::VariableId| before[id.index()] == after[id.index()];
            let related = |id: &ExpressionId| holds(system, *id, &now, Some(after));
            chosen && event.unchanged.iter().all(kept) && event.relation.iter().all(related)
        });
        if possible {
            let known: &mut Vec<bool> =
                just.get_or_insert_with(|| vec![false; system.justice.len()]);
            for (known, &id) in known.iter_mut().zip(&system.justice) {
                *known |= holds(system, id, &now, Some(after));
            }
        }
    }
    just
}
