//! From options to databases: the strategies of sections 5.1 to 5.4, and the refinement loop that they share.

use std::sync::Arc;

use merkhet_lattice::zone;
use merkhet_network::code::Layout;
use merkhet_network::{Formula, LocationKind, Network, ProcessId};

use super::Transition;
use super::cases::{Case, Cases};
use super::database::{Database, Limits, Stop};
use super::evaluate::{Evaluator, at_location};
use super::lookup::Lookup;
use super::options::{Keep, Method, Options};
use super::predicate::{Condition, Predicate, of_clocks, of_mask};
use super::refine::{Predicates, Undo, refine_path};
use super::regress::Regression;
use super::slots::Slots;
use super::syntax;
use super::timing::refine_timing;
use super::worth::{Random, Sample};

/// Databases of goals with more conditions than this are not made one by one.
const MOST_TARGETS: usize = 8;
/// A database may have so many times the states that end refinement, before it is cut off.
const BEYOND: usize = 4;
/// So often predicates that do not pay are looked for.
const MOST_ROUNDS: u32 = 3;
/// Paths are at least so long (section 5.3).
const SHORTEST_PATH: usize = 3;

/// A network and a goal, ready for abstraction.
pub struct Builder<'n> {
    network: &'n Network,
    slots: Slots,
    cases: Cases,
    /// The conditions of the goal.
    targets: Vec<Predicate>,
    /// The predicates in the text, by process.
    syntax: Vec<Predicates>,
    goal: Formula,
    options: Options,
    /// The memory of the databases that are finished.
    spent: usize,
    random: Random,
    stop: Stop<'n>,
}

impl<'n> Builder<'n> {
    /// Follows all transitions once.
    pub fn new(network: &'n Network, goal: &Formula, options: Options, stop: Stop<'n>) -> Self {
        let mut evaluator = Evaluator::new(network);
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
            stop,
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

    fn limits(&self) -> Limits {
        Limits {
            states: self.options.states.saturating_mul(BEYOND),
            bytes: (self.options.memory << 20).saturating_sub(self.spent),
        }
    }

    fn build(&self, predicates: &[Predicate]) -> Database {
        let urgent = |predicate: &Predicate| self.stops_time(predicate);
        let mut regression = Regression::new(&self.slots, &self.cases, urgent, predicates.to_vec());
        Database::build(&mut regression, self.limits(), self.stop)
    }

    /// Whether the predicate says that a process is at an urgent or committed location.
    fn stops_time(&self, predicate: &Predicate) -> bool {
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
    fn finished(&mut self, database: Database) -> Database {
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

    fn path(&self, database: &Database, from: usize) -> Vec<&Case> {
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

    fn apart(&mut self) -> Vec<Database> {
        if self.targets.len() > MOST_TARGETS {
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
        for target in self.targets.clone().into_iter().take(MOST_TARGETS) {
            for process in self.network.process_ids() {
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

    /// Beyond the paper: one abstraction, refined by the path of the initial state until that path is real.
    ///
    /// The search starts there, so that an exact estimate there and along the way leads it straight to the goal; and the
    /// loop cannot converge early, because a path that is impossible always gives a predicate: a location, a guard, or
    /// a bound on clocks ([`super::timing`]). Where the abstraction becomes too large, predicates that do not pay are taken
    /// out ([`super::worth`]); if that does not help, it is joined by small ones, one for each condition of the goal.
    fn steady(&mut self) -> Vec<Database> {
        let mut predicates = Predicates::from(self.targets.clone());
        let mut sample: Option<Sample> = None;
        let (mut rounds, mut banned, mut small) = (0, false, None);
        let settled = loop {
            let (partial, from) = self.build_until_initial(&predicates.list);
            let before = predicates.len();
            let large = partial.len() > self.options.states || before >= self.options.predicates;
            let Some(from) = from.filter(|_| !large) else {
                if partial.is_complete() && from.is_none() {
                    return vec![partial]; // the goal cannot be reached
                }
                rounds += 1;
                if self.options.keep == Keep::All || rounds > MOST_ROUNDS {
                    break false;
                }
                let sample = sample.get_or_insert_with(|| {
                    let mut random = self.random;
                    Sample::new(self.network, &self.goal, &mut random)
                });
                if !self.ban_worthless(&mut predicates, partial, sample) {
                    break false;
                }
                banned = true;
                small = Some(predicates.list.clone());
                continue;
            };
            self.refine_initial(&mut predicates, &partial, from);
            if predicates.len() == before && banned {
                // Nothing else refuses this path: one that seemed worthless may be needed with those that came since.
                banned = false;
                predicates.lift_ban();
                self.refine_initial(&mut predicates, &partial, from);
            }
            if predicates.len() == before {
                break true;
            }
        };
        let first = self.build(&predicates.list);
        let mut found = vec![self.finished(first)];
        // Without the predicates that did not pay, an abstraction is small and sees about as far: it comes for free.
        if let Some(predicates) = small {
            let small = self.build(&predicates);
            found.push(self.finished(small));
        }
        if !settled && self.targets.len() > 1 {
            found.extend(self.apart());
        }
        found
    }

    /// Takes out the predicates that do not pay for themselves, so that refinement can go on; false if all of them do.
    fn ban_worthless(&self, predicates: &mut Predicates, large: Database, sample: &Sample) -> bool {
        let worthless = sample.worthless(&self.slots, large.clone(), &self.targets);
        if worthless.is_empty() {
            return false;
        }
        let mut fewer = predicates.clone();
        fewer.ban(&worthless);
        let (smaller, _) = self.build_until_initial(&fewer.list);
        let good = sample.is_as_good(&self.slots, smaller, large);
        if good {
            *predicates = fewer;
        }
        good
    }

    /// The layers up to that of the initial state, and the vector there.
    fn build_until_initial(&self, predicates: &[Predicate]) -> (Database, Option<usize>) {
        let urgent = |predicate: &Predicate| self.stops_time(predicate);
        let mut regression = Regression::new(&self.slots, &self.cases, urgent, predicates.to_vec());
        let n = self.network.dimension();
        let mut zone = vec![0; n * n];
        zone::init_zero(&mut zone, n);
        zone::up(&mut zone, n);
        let memory = Layout::of(self.network).initial_memory(self.network);
        let empty = Database::empty(regression.predicates.clone());
        let mut lookup = Lookup::new(&self.slots, empty);
        lookup.abstraction(&memory, &zone, n);
        let allowed = lookup.allowed();
        let limits = self.limits();
        let mut partial = Database::build_until(&mut regression, limits, self.stop, Some(allowed));
        let from = partial.nearest(allowed);
        (partial, from)
    }

    fn refine_initial(&self, predicates: &mut Predicates, database: &Database, from: usize) {
        let path = self.path(database, from);
        let most = self.options.predicates;
        let before = predicates.len();
        let (network, slots) = (self.network, &self.slots);
        let start = refine_path(network, slots, predicates, &path, Undo::All, most);
        for (process, location) in start.into_iter().flatten().enumerate() {
            let Some(location) = location else {
                continue;
            };
            if location != network.processes[process].initial {
                predicates.add(at_location(slots, process as u32, location.0));
            }
        }
        if predicates.len() == before {
            refine_timing(network, predicates, &path, true, most);
        }
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
