//! From options to databases: the strategies of sections 5.1 to 5.4, and the refinement loop that they share.

use std::sync::Arc;

use merkhet_network::tuning::Tuning;
use merkhet_network::{Formula, LocationKind, Network, ProcessId};

use crate::pa::cases::{Case, Cases};
use crate::pa::database::{Database, Limits, Stop};
use crate::pa::evaluate::{Evaluator, at_location};
use crate::pa::lookup::Lookup;
use crate::pa::options::{Method, Options};
use crate::pa::predicate::{Condition, Predicate, of_clocks, of_mask};
use crate::pa::refine::{Predicates, Undo, refine_path};
use crate::pa::regress::Regression;
use crate::pa::slots::Slots;
use crate::pa::syntax;
use crate::pa::worth::Random;
use crate::pa::{Budget, Transition};
use crate::tuning::{BEYOND, TARGETS};

/// Least length of paths (section 5.3).
const SHORTEST_PATH: usize = 3;

/// A network and a goal, ready for abstraction.
pub struct Builder<'n> {
    pub(in crate::pa) network: &'n Network,
    pub(in crate::pa) slots: Slots,
    pub(in crate::pa) cases: Cases,
    /// The conditions of the goal.
    pub(in crate::pa) targets: Vec<Predicate>,
    /// The predicates in the text, by process.
    syntax: Vec<Predicates>,
    pub(in crate::pa) goal: Formula,
    pub(in crate::pa) options: Options,
    /// The memory of the databases that are finished.
    spent: usize,
    pub(in crate::pa) random: Random,
    pub(in crate::pa) budget: Budget<'n>,
    pub(in crate::pa) tuning: Tuning,
}

impl<'n> Builder<'n> {
    /// Follows all transitions once.
    pub fn new(
        network: &'n Network,
        goal: &Formula,
        options: Options,
        stop: Stop<'n>,
        tuning: &Tuning,
    ) -> Self {
        let mut evaluator = Evaluator::new(network).tuned(tuning);
        let cases = Cases::new(&mut evaluator, goal);
        let syntax = network
            .process_ids()
            .map(|process| syntax::of_process(&mut evaluator, process))
            .collect();
        let slots = evaluator.slots;
        Builder {
            network,
            targets: targets(&slots, &cases.goals),
            slots,
            cases,
            syntax,
            goal: goal.clone(),
            options,
            spent: 0,
            random: Random(options.seed),
            budget: Budget::new(stop, tuning),
            tuning: tuning.clone(),
        }
    }

    /// Makes the databases; those that say nothing are left out.
    pub fn databases(&mut self) -> Vec<Lookup> {
        let found = match self.options.method {
            Method::Syntax => self.by_syntax(),
            Method::One => vec![self.refined(self.targets.clone())],
            Method::Apart | Method::Paths { .. } => self.apart(),
            Method::Seed => self.seeded(),
            Method::Steady => self.steady(),
        };
        found
            .into_iter()
            .filter(|database| !database.is_trivial())
            .map(|database| Lookup::new(&self.slots, database))
            .collect()
    }

    /// Whether a predicate stands in the text of some process or of the goal.
    pub fn is_in_text(&self, predicate: &Predicate) -> bool {
        self.targets.contains(predicate)
            || self.syntax.iter().any(|known| known.contains(predicate))
    }

    /// The edges of each transition.
    pub fn transitions(&self) -> Arc<[Transition]> {
        let transitions = self.cases.transitions.iter();
        transitions
            .map(|case| case.edges.as_slice().into())
            .collect()
    }

    /// The slots, for printing.
    pub fn slots(&self) -> &Slots {
        &self.slots
    }

    pub(in crate::pa) fn limits(&self) -> Limits {
        Limits {
            states: (self.options.states).saturating_mul(self.tuning.count(&BEYOND)),
            bytes: (self.options.memory << 20).saturating_sub(self.spent),
        }
    }

    pub(in crate::pa) fn build(&self, predicates: &[Predicate]) -> Database {
        let urgent = |predicate: &Predicate| self.stops_time(predicate);
        let regression = Regression::new(&self.slots, &self.cases, urgent, predicates.to_vec());
        Database::build(&mut regression.within(&self.budget), self.limits())
    }

    /// Whether the predicate says that a process is at an urgent or committed location.
    pub(in crate::pa) fn stops_time(&self, predicate: &Predicate) -> bool {
        let Predicate::Values { slot, mask } = *predicate else {
            return false;
        };
        let Some(process) = self.slots.process(slot) else {
            return false;
        };
        let locations = self.network.processes[process].locations.iter().enumerate();
        (locations.take(64))
            .filter(|(at, _)| mask >> at & 1 == 1)
            .all(|(_, location)| location.kind != LocationKind::Normal)
    }

    /// Counts the memory of a database that will be used; the next ones have less.
    pub(in crate::pa) fn finished(&mut self, database: Database) -> Database {
        self.spent += database.bytes();
        database
    }

    fn exceeds(&self, database: &Database) -> bool {
        database.len() > self.options.states
            || database.layers() > self.options.layers
            || !database.is_complete()
    }

    /// The refinement loop (section 4): until a threshold is exceeded or no path adds a predicate.
    fn refined(&mut self, initial: Vec<Predicate>) -> Database {
        let mut predicates = Predicates::from(initial);
        loop {
            let database = self.build(&predicates.list);
            let before = predicates.len();
            if self.exceeds(&database) || before >= self.options.predicates {
                return database;
            }
            for from in self.choose(&database) {
                self.refine(&mut predicates, &database, from);
            }
            if predicates.len() == before {
                return database;
            }
        }
    }

    pub(in crate::pa) fn path(&self, database: &Database, from: usize) -> Vec<&Case> {
        (database.path(from).into_iter())
            .map(|transition| &self.cases.transitions[transition])
            .collect()
    }

    fn refine(&self, predicates: &mut Predicates, database: &Database, from: usize) {
        let path = self.path(database, from);
        let most = self.options.predicates;
        refine_path(
            self.network,
            &self.slots,
            predicates,
            &path,
            Undo::All,
            most,
        );
    }

    /// The abstract states whose paths refinement looks at.
    fn choose(&mut self, database: &Database) -> Vec<usize> {
        let last = database.layers().saturating_sub(1);
        let Method::Paths { count, divisor } = self.options.method else {
            return database.layer(last).take(1).collect();
        };
        let length = (database.layers() / divisor).max(SHORTEST_PATH).min(last);
        let mut states: Vec<usize> = database.layer(length).collect();
        if count == 1 {
            states.truncate(1);
        }
        while states.len() > count {
            let at = self.random.below(states.len());
            states.swap_remove(at);
        }
        states
    }

    pub(in crate::pa) fn apart(&mut self) -> Vec<Database> {
        if self.targets.len() > self.tuning.count(&TARGETS) {
            return vec![self.refined(self.targets.clone())];
        }
        let targets = self.targets.clone();
        targets
            .into_iter()
            .map(|target| {
                let database = self.refined(vec![target]);
                self.finished(database)
            })
            .collect()
    }

    /// Section 5.1: the processes of the goal first, then the others in their order.
    fn by_syntax(&mut self) -> Vec<Database> {
        let named: Vec<usize> = (self.targets.iter())
            .flat_map(Predicate::slots)
            .filter_map(|slot| self.slots.process(slot))
            .collect();
        let mut order: Vec<usize> = (0..self.network.processes.len()).collect();
        order.sort_by_key(|process| !named.contains(process));
        let mut found = Vec::new();
        let mut current = Predicates::default();
        let mut last = None;
        for process in order {
            let more = self.syntax[process].list.clone();
            more.into_iter().for_each(|each| current.insert(each));
            current.list.truncate(self.options.predicates);
            let database = self.build(&current.list);
            if self.exceeds(&database) || current.len() >= self.options.predicates {
                found.push(self.finished(database));
                current = Predicates::default();
                last = None;
            } else {
                last = Some(database);
            }
        }
        found.extend(last);
        found
    }

    /// Section 5.4: for each condition of the goal and each process, the first location that is of use as a seed.
    fn seeded(&mut self) -> Vec<Database> {
        let mut found = Vec::new();
        let most = self.tuning.count(&TARGETS);
        for target in self.targets.clone().into_iter().take(most) {
            for process in self.network.process_ids() {
                if self.budget.is_over() {
                    return found;
                }
                found.extend(self.seeded_by(&target, process));
            }
        }
        found
    }

    fn seeded_by(&mut self, target: &Predicate, process: ProcessId) -> Option<Database> {
        for location in 0..self.network.process(process).locations.len() {
            let Condition::Literal(seed) = at_location(&self.slots, process.0, location as u32)
            else {
                continue;
            };
            if seed.predicate == *target {
                continue;
            }
            let pair = vec![target.clone(), seed.predicate.clone()];
            let first = self.build(&pair);
            let column = first.predicates.iter().position(|p| *p == seed.predicate);
            if column.is_some_and(|column| first.mentions(column)) {
                let database = self.refined(pair);
                return Some(self.finished(database));
            }
        }
        None
    }
}

/// The conditions of the goal, each once.
fn targets(slots: &Slots, goals: &[Case]) -> Vec<Predicate> {
    let mut found = Predicates::default();
    for goal in goals {
        for (slot, mask) in &goal.masks {
            found.add(of_mask(slots, *slot, *mask));
        }
        for literal in &goal.literals {
            found.insert(literal.predicate.clone());
        }
    }
    if found.is_empty() {
        for bound in goals.iter().flat_map(|goal| &goal.before) {
            found.add(of_clocks(bound.left, bound.right, bound.bound));
        }
    }
    found.list
}
