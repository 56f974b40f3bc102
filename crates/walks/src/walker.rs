//! Walks, one after the other.

use merkhet_network::Trace;
use merkhet_network::code::Fault;

use crate::climb::Climb;
use crate::depths::Depths;
use crate::model::Model;
use crate::policy::{Policy, SEQUENCE, bounded};
use crate::random::Random;
use crate::run::Run;
use crate::state::{Candidate, Choices, Fired, State};
use crate::time::{LATEST, Moment, Window};

/// How walks are to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The kinds of walks, which get the same number of steps each; without any there are no walks.
    pub lanes: Vec<Lane>,
    /// The most steps of a walk.
    pub depth: Option<u64>,
    /// For random choices.
    pub seed: u64,
}

/// A kind of walks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lane {
    /// From the initial state.
    Free {
        /// How they choose.
        policy: Policy,
        /// How deep they go.
        depths: Depths,
    },
    /// From the state seen so far that is nearest to the goal, counting its parts that are not yet as they must be.
    Guided,
}

/// Instructions that take as long as looking at a transition that is not possible.
pub(crate) const INSTRUCTIONS: u64 = 32;

/// What a lane has done.
#[derive(Clone, Copy, Default, Debug)]
struct Progress {
    /// Sequences of walks.
    sequences: u64,
    steps: u64,
}

/// What walks did, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Steps taken.
    pub steps: u64,
    /// Walks begun.
    pub walks: u64,
    /// The depth of the present sequence of walks.
    pub depth: u64,
    /// Walks that ended because nothing more could be done.
    pub stuck: u64,
    /// Steps that were not taken because an evaluation failed, and walks that ended for that.
    pub faults: u64,
}

/// Random walks through a model. Advances by as many steps as it is given.
#[derive(Debug)]
pub struct Walker<'m> {
    model: &'m Model,
    settings: Settings,
    random: Random,
    start: State<'m>,
    state: State<'m>,
    run: Run,
    /// By edge: how often it was taken.
    counts: Vec<u32>,
    /// By lane.
    progress: Vec<Progress>,
    lane: usize,
    /// The steps before the present lane's turn.
    since: u64,
    /// The present walk's place in its sequence.
    turn: usize,
    climb: Option<Box<Climb<'m>>>,
    statistics: Statistics,
    first_fault: Option<Fault>,
    begun: bool,
    candidates: Vec<Candidate>,
    edges: Vec<u32>,
    choices: Choices,
}

/// What came of trying a step.
enum Tried {
    Taken,
    Impossible,
}

impl<'m> Walker<'m> {
    /// Walks that have not begun. A fault if the initial state cannot be evaluated.
    pub fn new(model: &'m Model, settings: Settings) -> Result<Walker<'m>, Fault> {
        let start = State::initial(model)?;
        let counts = |lane: &Lane| matches!(lane, Lane::Free { policy, .. } if policy.counts());
        let counts = settings.lanes.iter().any(counts);
        let guided = settings.lanes.contains(&Lane::Guided);
        let mut walker = Walker {
            model,
            random: Random::new(settings.seed),
            state: start.clone(),
            climb: guided.then(|| Box::new(Climb::new(&start, &model.numbers))),
            start,
            run: Run::default(),
            counts: vec![0; if counts { model.edges.len() } else { 0 }],
            progress: vec![Progress::default(); settings.lanes.len()],
            settings,
            lane: 0,
            since: 0,
            turn: 0,
            statistics: Statistics::default(),
            first_fault: None,
            begun: false,
            candidates: Vec::new(),
            edges: Vec::new(),
            choices: Choices::default(),
        };
        walker.choose_lane();
        Ok(walker)
    }

    /// The lane that has had the fewest steps comes next.
    fn choose_lane(&mut self) {
        let lanes = self.progress.iter().enumerate();
        let next = lanes.min_by_key(|(_, progress)| progress.steps);
        self.lane = next.map_or(0, |(lane, _)| lane);
        self.turn = 0;
        match self.settings.lanes.get(self.lane) {
            Some(Lane::Free { depths, .. }) => {
                let number = self.progress[self.lane].sequences;
                let depth = depths.get(number, self.model.numbers.depth);
                let limit = self.settings.depth.unwrap_or(u64::MAX);
                self.statistics.depth = depth.min(limit).max(1);
            }
            Some(Lane::Guided) => self.statistics.depth = self.settings.depth.unwrap_or(u64::MAX),
            None => {}
        }
    }

    fn is_guided(&self) -> bool {
        self.settings.lanes[self.lane] == Lane::Guided
    }

    fn policy(&self) -> Policy {
        match self.settings.lanes[self.lane] {
            Lane::Free { policy, .. } => policy,
            Lane::Guided => Policy::Ret,
        }
    }

    /// What has been done so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// What it has cost, in nanoseconds of a machine of 2024, about: counted in what was touched, so that a run can be repeated.
    pub fn cost(&self) -> u64 {
        const STEP: u64 = 60;
        const TOUCH: u64 = 6;
        STEP * self.statistics.steps + TOUCH * self.state.touched
    }

    /// How often guided walks have come nearer to the goal than ever before.
    pub fn progress(&self) -> u64 {
        self.climb.as_ref().map_or(0, |climb| climb.nearer)
    }

    /// The memory that the present walk takes, in bytes; the rest does not grow.
    pub fn bytes(&self) -> usize {
        self.run.bytes() + self.climb.as_ref().map_or(0, |climb| climb.bytes())
    }

    /// The first evaluation that failed, if any did. What it was for was not done.
    pub fn first_fault(&self) -> Option<Fault> {
        self.first_fault.or(self.state.fault)
    }

    /// A walk so far: the present one, if one has begun.
    pub fn present(&self) -> Trace {
        self.run.trace(self.model, self.run.end())
    }

    /// Walks for a number of steps more; a run to the goal if one is found.
    pub fn advance(&mut self, steps: u64) -> Option<Trace> {
        let end = self.statistics.steps.saturating_add(steps);
        if self.settings.lanes.is_empty() {
            return None;
        }
        while self.statistics.steps < end {
            if !self.begun
                && self.begin()
                && let Some(trace) = self.found()
            {
                return Some(trace);
            }
            if self.run.len() as u64 >= self.statistics.depth
                || self.run.is_full()
                || self.state.now > LATEST
            {
                self.end();
                continue;
            }
            // A walk that cannot take a single step costs one, too.
            self.statistics.steps += 1;
            match self.step() {
                Ok(Tried::Taken) => {
                    if let Some(trace) = self.found() {
                        return Some(trace);
                    }
                    if self.begun && self.is_guided() {
                        self.look_where_it_is();
                    }
                }
                Ok(Tried::Impossible) => {
                    self.statistics.stuck += 1;
                    self.end();
                }
                Err(fault) => self.failed(fault),
            }
        }
        None
    }

    /// Puts the state at the beginning of a walk; says whether that is the initial state.
    fn begin(&mut self) -> bool {
        self.begun = true;
        self.statistics.walks += 1;
        if self.is_guided()
            && let Some(climb) = &mut self.climb
        {
            std::mem::swap(&mut self.run, &mut climb.run);
            self.turn = (climb.tries % SEQUENCE.len() as u64) as usize;
            let anew = climb.begin(&self.start, &mut self.state, &mut self.run);
            if self.run.len() as u64 >= self.statistics.depth {
                climb.give_up();
            }
            return anew;
        }
        if self.policy() == Policy::Rlc {
            self.counts.fill(0);
        }
        self.run.clear();
        self.state.become_copy(&self.start);
        true
    }

    fn end(&mut self) {
        self.begun = false;
        let progress = &mut self.progress[self.lane];
        if let (Lane::Guided, Some(climb)) = (self.settings.lanes[self.lane], &mut self.climb) {
            climb.end();
            std::mem::swap(&mut self.run, &mut climb.run);
            progress.sequences += 1;
            let walked = self.statistics.steps - self.since;
            if walked >= self.model.numbers.climb_share {
                progress.steps += walked;
                self.since = self.statistics.steps;
                self.choose_lane();
            }
            return;
        }
        self.turn += 1;
        if self.turn == SEQUENCE.len() {
            progress.sequences += 1;
            progress.steps += (self.statistics.steps - self.since).max(1);
            self.since = self.statistics.steps;
            self.choose_lane();
        }
    }

    /// Compares the state of a guided walk with the best one.
    fn look_where_it_is(&mut self) {
        let (Some(near), Some(climb)) = (&self.model.near, &mut self.climb) else {
            return;
        };
        match self.state.nearness(near) {
            Ok(estimate) => {
                if climb.step(estimate, &self.state, &self.run, &mut self.random) {
                    self.end();
                }
            }
            Err(fault) => self.failed(fault),
        }
    }

    fn note(&mut self, fault: Fault) {
        self.statistics.faults += 1;
        self.first_fault.get_or_insert(fault);
    }

    /// Ends a walk; that costs a step, for it may fail again and again before the first one.
    fn failed(&mut self, fault: Fault) {
        self.note(fault);
        self.statistics.steps += 1;
        self.end();
    }

    /// The run so far, if the goal holds at its end now or while time passes.
    fn found(&mut self) -> Option<Trace> {
        match self.state.reached() {
            Ok(until) => until.map(|until| self.run.trace(self.model, until)),
            Err(fault) => {
                self.failed(fault);
                None
            }
        }
    }

    /// Walks from now on go no deeper than this.
    pub(crate) fn no_deeper(&mut self, depth: u64) {
        self.settings.depth = Some(depth);
        self.statistics.depth = self.statistics.depth.min(depth);
    }

    /// The instructions that evaluations have taken.
    pub(crate) fn effort(&self) -> u64 {
        self.state.effort
    }

    /// The work so far, in steps of walks through models whose conditions cost little.
    pub fn work(&self) -> u64 {
        self.statistics.steps + self.state.effort / (crate::shorten::TAKEN * INSTRUCTIONS)
    }

    /// One walk from a state, of at most this number of steps: the moment at which the goal holds, if it gets there, and the steps
    /// taken. The run begins at that state.
    pub(crate) fn once(&mut self, start: &State<'m>, depth: u64) -> (Option<Moment>, u64) {
        self.state.become_copy(start);
        self.run.clear();
        self.turn = (self.turn + 1) % SEQUENCE.len();
        for step in 0..depth {
            match self.step() {
                Ok(Tried::Taken) if self.state.now <= LATEST => {}
                _ => return (None, step + 1),
            }
            match self.state.reached() {
                Ok(None) => {}
                Ok(until) => return (until, step + 1),
                Err(_) => return (None, step + 1),
            }
        }
        (None, depth)
    }

    /// The present walk.
    pub(crate) fn run(&self) -> &Run {
        &self.run
    }

    fn step(&mut self) -> Result<Tried, Fault> {
        let ahead = self.state.ahead()?;
        match self.policy() {
            Policy::Sem => self.step_sem(ahead),
            Policy::Ret => self.step_ret(ahead),
            Policy::Rlc | Policy::RlcA => self.step_rlc(ahead),
        }
    }

    /// Any transition, then its delay. Candidates are drawn until one is possible; where too few are, all are looked at.
    fn step_ret(&mut self, ahead: Window) -> Result<Tried, Fault> {
        const DRAWS: u64 = 24;
        if self.state.can_draw() {
            let all = self.state.drawable();
            if all == 0 {
                return Ok(Tried::Impossible);
            }
            for _ in 0..all.min(DRAWS) {
                let place = self.random.below(all);
                if let Some(candidate) = self.state.draw(place, ahead)?
                    && let Tried::Taken = self.attempt(candidate, None)?
                {
                    return Ok(Tried::Taken);
                }
            }
        }
        let mut candidates = std::mem::take(&mut self.candidates);
        let result = self.any_of(ahead, &mut candidates);
        self.candidates = candidates;
        result
    }

    fn any_of(&mut self, ahead: Window, candidates: &mut Vec<Candidate>) -> Result<Tried, Fault> {
        self.state.candidates(ahead, candidates)?;
        while !candidates.is_empty() {
            let index = self.random.index(candidates.len());
            let candidate = candidates.swap_remove(index);
            if let Tried::Taken = self.attempt(candidate, None)? {
                return Ok(Tried::Taken);
            }
        }
        Ok(Tried::Impossible)
    }

    /// Any of those whose edge was taken least often.
    fn step_rlc(&mut self, ahead: Window) -> Result<Tried, Fault> {
        let mut candidates = std::mem::take(&mut self.candidates);
        let result = self.rarest_of(ahead, &mut candidates);
        self.candidates = candidates;
        result
    }

    fn rarest_of(
        &mut self,
        ahead: Window,
        candidates: &mut Vec<Candidate>,
    ) -> Result<Tried, Fault> {
        self.state.candidates(ahead, candidates)?;
        while !candidates.is_empty() {
            let mut least = u32::MAX;
            // The first of the remaining that have the least count, as they are found, with the same chance each.
            let (mut chosen, mut same) = (0, 0);
            for (index, candidate) in candidates.iter().enumerate() {
                let count = (candidate.kind.leader()).map_or(0, |edge| self.counts[edge as usize]);
                if count < least {
                    (least, chosen, same) = (count, index, 1);
                } else if count == least {
                    same += 1;
                    if self.random.below(same) == 0 {
                        chosen = index;
                    }
                }
            }
            let candidate = candidates.swap_remove(chosen);
            if let Tried::Taken = self.attempt(candidate, None)? {
                return Ok(Tried::Taken);
            }
        }
        Ok(Tried::Impossible)
    }

    /// Any moment at which something is possible, then any of the transitions possible at it.
    fn step_sem(&mut self, ahead: Window) -> Result<Tried, Fault> {
        let mut candidates = std::mem::take(&mut self.candidates);
        let result = self.at_any_moment(ahead, &mut candidates);
        self.candidates = candidates;
        result
    }

    fn at_any_moment(
        &mut self,
        ahead: Window,
        candidates: &mut Vec<Candidate>,
    ) -> Result<Tried, Fault> {
        const TRIES: usize = 8;
        self.state.candidates(ahead, candidates)?;
        let mut windows: Vec<Window> = (candidates.iter())
            .map(|candidate| bounded(candidate.window, self.model.longest_delay).ticks())
            .filter(|ticks| !ticks.is_empty())
            .collect();
        windows.sort_unstable_by_key(|window| window.low);
        windows.dedup_by(|later, earlier| {
            let joined = later.low <= earlier.high;
            if joined {
                earlier.high = earlier.high.max(later.high);
            }
            joined
        });
        let ticks = |window: &Window| ((window.high - window.low) / 2 + 1) as u64;
        let all: u64 = windows.iter().map(ticks).sum();
        if all == 0 {
            return Ok(Tried::Impossible);
        }
        for _ in 0..TRIES {
            let mut place = self.random.below(all);
            let mut moment = ahead.low;
            for window in &windows {
                if place < ticks(window) {
                    moment = window.low + 2 * place as Moment;
                    break;
                }
                place -= ticks(window);
            }
            let mut enabled: Vec<Candidate> = (candidates.iter().copied())
                .filter(|candidate| candidate.window.contains(moment))
                .collect();
            while !enabled.is_empty() {
                let index = self.random.index(enabled.len());
                let candidate = enabled.swap_remove(index);
                if let Tried::Taken = self.attempt(candidate, Some(moment))? {
                    return Ok(Tried::Taken);
                }
            }
        }
        // What is left is possible at few moments.
        self.any_of(ahead, candidates)
    }

    /// Takes a candidate at the given moment, or at one that its walk's weights choose, if it is possible. One whose updates
    /// fail is not taken: others may be.
    fn attempt(&mut self, candidate: Candidate, at: Option<Moment>) -> Result<Tried, Fault> {
        let (state, random) = (&mut self.state, &mut self.random);
        let resolved = state.resolve(candidate, random, &mut self.choices, &mut self.edges)?;
        let Some(guards) = resolved else {
            return Ok(Tried::Impossible);
        };
        if guards.ticks().is_empty() {
            return Ok(Tried::Impossible);
        }
        let entry = match state.fire(&self.edges) {
            Ok(Fired::Within(entry)) => entry,
            Ok(Fired::Never) => return Ok(Tried::Impossible),
            Err(fault) => {
                self.note(fault);
                return Ok(Tried::Impossible);
            }
        };
        let mut window = guards.and(entry);
        if self.model.has_priorities {
            state.take_back();
            window = self.undisturbed(window)?;
            if let Fired::Never = self.state.fire(&self.edges)? {
                return Ok(Tried::Impossible);
            }
        }
        if window.ticks().is_empty() || at.is_some_and(|moment| !window.contains(moment)) {
            self.state.take_back();
            return Ok(Tried::Impossible);
        }
        let longest_delay = self.model.longest_delay;
        let moment = match at {
            Some(moment) => moment,
            None => SEQUENCE[self.turn].choose(window, longest_delay, &mut self.random),
        };
        self.state.take(&self.edges, moment)?;
        self.run.push(&self.edges, moment);
        if self.policy().counts() {
            let count = &mut self.counts[self.edges[0] as usize];
            *count = count.saturating_add(1);
        }
        Ok(Tried::Taken)
    }

    /// One of the parts of a window in which nothing of higher priority is possible.
    fn undisturbed(&mut self, window: Window) -> Result<Window, Fault> {
        if window.is_empty() {
            return Ok(window);
        }
        let priority = self.state.priority(&self.edges);
        let mut parts = vec![window];
        self.state.yield_to_higher(priority, window, &mut parts)?;
        parts.retain(|part| !part.ticks().is_empty());
        match parts.len() {
            0 => Ok(Window::EMPTY),
            several => Ok(parts[self.random.index(several)]),
        }
    }
}
