//! Refinement that goes on past early convergence: what `pa` alone means.

use merkhet_network::code::Layout;
use merkhet_zones::zone;

use crate::pa::database::Database;
use crate::pa::evaluate::at_location;
use crate::pa::lookup::Lookup;
use crate::pa::options::Keep;
use crate::pa::predicate::Predicate;
use crate::pa::refine::{Predicates, Undo, refine_path};
use crate::pa::regress::Regression;
use crate::pa::strategy::Builder;
use crate::pa::timing::refine_timing;
use crate::pa::worth::Sample;
use crate::tuning::{ROUNDS, TIMED};

impl Builder<'_> {
    /// Beyond the paper: one abstraction, refined by the path of the initial state until that path is real.
    ///
    /// The search starts there, so that an exact estimate there and along the way leads it straight to the goal; and the
    /// loop cannot converge early, because a path that is impossible always gives a predicate: a location, a guard, or
    /// a bound on clocks ([`crate::pa::timing`]). Where the abstraction becomes too large, predicates that do not pay are taken
    /// out ([`crate::pa::worth`]); if that does not help, it is joined by small ones, one for each condition of the goal.
    pub(in crate::pa) fn steady(&mut self) -> Vec<Database> {
        let mut predicates = Predicates::from(self.targets.clone());
        let mut sample: Option<Sample> = None;
        let most_rounds = self.tuning.count(&ROUNDS) as u32;
        let (mut rounds, mut banned, mut small) = (0, false, None);
        let settled = loop {
            let (partial, from) = self.build_until_initial(&predicates.list);
            if self.budget.is_over() {
                return vec![partial]; // what it has seen of the distances is as good as any
            }
            let before = predicates.len();
            let large = partial.len() > self.options.states || before >= self.options.predicates;
            let Some(from) = from.filter(|_| !large) else {
                if partial.is_complete() && from.is_none() {
                    return vec![partial]; // the goal cannot be reached
                }
                rounds += 1;
                if self.options.keep == Keep::All || rounds > most_rounds {
                    break false;
                }
                let sample = sample.get_or_insert_with(|| {
                    let mut random = self.random;
                    Sample::new(self.network, &self.goal, &mut random, &self.tuning)
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
        let regression = Regression::new(&self.slots, &self.cases, urgent, predicates.to_vec());
        let mut regression = regression.within(&self.budget);
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
        let mut partial = Database::build_until(&mut regression, limits, Some(allowed));
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
            let clocks = self.tuning.count(&TIMED);
            refine_timing(network, predicates, &path, true, most, clocks);
        }
    }
}
