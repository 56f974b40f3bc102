//! Guided walks: from the best state seen, not always from the initial one.
//!
//! Short walks begin at the state that is nearest to the goal so far. As soon as one comes nearer, its state takes that place;
//! one that ends just as near does so now and then, so that a plateau is crossed. Walks that do not help grow longer, and
//! after a while everything begins anew. This is Monte-Carlo random walk planning (Nakhost, Müller, "Monte-Carlo
//! exploration for deterministic planning", IJCAI 2009) with jumps at the first improvement.

use crate::depths::Depths;
use crate::random::Random;
use crate::run::Run;
use crate::state::State;
use crate::tuning::Numbers;

/// A climb towards the goal.
#[derive(Clone, Debug)]
pub(crate) struct Climb<'m> {
    /// The best state, and the run to it, of which the first `mark` steps count.
    best: State<'m>,
    pub run: Run,
    mark: usize,
    estimate: u64,
    /// Walks and steps since the last progress.
    pub tries: u64,
    spent: u64,
    length: u64,
    /// The end of the present walk.
    until: usize,
    climbs: u64,
    /// The least estimate of all climbs, and how often it has fallen.
    nearest: u64,
    pub nearer: u64,
    begun: bool,
    numbers: &'m Numbers,
}

impl<'m> Climb<'m> {
    pub fn new(start: &State<'m>, numbers: &'m Numbers) -> Climb<'m> {
        Climb {
            best: start.clone(),
            run: Run::default(),
            mark: 0,
            estimate: u64::MAX,
            tries: 0,
            spent: 0,
            length: numbers.climb_length,
            until: 0,
            climbs: 0,
            nearest: u64::MAX,
            nearer: 0,
            begun: false,
            numbers,
        }
    }

    /// Puts a state at the beginning of the next walk; says whether that is the initial state.
    pub fn begin(&mut self, start: &State<'m>, state: &mut State<'m>, run: &mut Run) -> bool {
        let budget = Depths::Luby.get(self.climbs, self.numbers.climb_budget);
        let anew = !self.begun || self.spent > budget;
        if anew {
            self.climbs += u64::from(self.begun);
            self.begun = true;
            self.best.become_copy(start);
            (self.mark, self.estimate) = (0, u64::MAX);
            self.progress();
        }
        state.become_copy(&self.best);
        run.truncate(self.mark);
        self.until = self.mark + self.length as usize;
        anew
    }

    fn progress(&mut self) {
        (self.tries, self.spent, self.length) = (0, 0, self.numbers.climb_length);
    }

    /// Takes note of a step to a state; says whether the walk is at its end.
    pub fn step(
        &mut self,
        estimate: u64,
        state: &State<'m>,
        run: &Run,
        random: &mut Random,
    ) -> bool {
        self.spent += 1;
        if estimate < self.nearest {
            self.nearer += u64::from(self.nearest != u64::MAX);
            self.nearest = estimate;
        }
        if estimate < self.estimate {
            self.keep(estimate, state, run);
            self.progress();
            self.until = self.mark + self.length as usize;
            return false;
        }
        let ends = run.len() >= self.until;
        if ends && estimate == self.estimate && random.below(2) == 0 {
            self.keep(estimate, state, run);
        }
        ends
    }

    fn keep(&mut self, estimate: u64, state: &State<'m>, run: &Run) {
        self.estimate = estimate;
        self.best.become_copy(state);
        self.mark = run.len();
    }

    /// Begins anew after the present walk.
    pub fn give_up(&mut self) {
        self.spent = u64::MAX / 2;
    }

    /// A walk has come to its end.
    pub fn end(&mut self) {
        self.tries += 1;
        // A walk that could not take a step is no progress either.
        self.spent += 1;
        if self.tries.is_multiple_of(self.numbers.climb_tries) {
            self.length = (self.length * 2).min(1 << 20);
        }
    }

    pub fn bytes(&self) -> usize {
        self.run.bytes()
    }
}
