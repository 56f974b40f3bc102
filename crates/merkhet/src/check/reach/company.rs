//! Those who look beside the automatic search: searches in other orders and walks.
//!
//! With one thread they take turns with it, counted in work, so that a run can be repeated. Beside several threads they have
//! one of their own, which sleeps for most of the time: such a run cannot be repeated anyway, so that the clock decides. The
//! first run to the goal ends all.

use crate::tuning::{BESIDE_CAUSAL, BESIDE_SLEEP, BESIDE_TURN};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use merkhet_explore::{Beside, Config, Heuristic, Queue, SymbolicTrace};
use merkhet_network::Trace;
use merkhet_semantics::System;
use merkhet_walks::Model;

use super::side::{KINDS, MakeOne, Side, causal_size};
use super::walk::Companion;

/// Polling interval for cancellation.
const PACE: Duration = Duration::from_millis(20);

/// What they have found.
pub(super) enum Found {
    /// A run through zones, and who found it.
    Run(SymbolicTrace, Queue),
    /// A walk.
    Walk(Trace),
}

/// The work of walks, in steps, and what was found.
pub(super) type Looked = (u64, Option<Found>);

/// Those who look.
pub(super) struct Company<'a> {
    pub system: &'a System,
    pub config: Config<'a>,
    pub make: &'a MakeOne<'a>,
    /// Whether there are any.
    pub looks: bool,
    /// What walks go through, if they do.
    pub walks: Option<&'a Model>,
    /// The end of everything, as the user wants it.
    pub cancel: &'a AtomicBool,
}

impl Company<'_> {
    /// Runs a search that gives them turns.
    pub fn in_turns<R>(&self, search: impl FnOnce(Vec<&mut dyn Beside>) -> R) -> (R, Looked) {
        let mut places = places();
        let mut sides = self.sides(&self.config, &mut places);
        let mut walks = self.walkers(self.config.seed);
        let all = sides.iter_mut().map(|side| side as &mut dyn Beside);
        let walker = walks.iter_mut().map(|walks| walks as &mut dyn Beside);
        let result = search(all.chain(walker).collect());
        (result, found(sides, walks))
    }

    fn sides<'s, 'c: 's>(
        &'c self,
        config: &Config<'c>,
        places: &'c mut [Option<Box<dyn Heuristic>>],
    ) -> Vec<Side<'s, 'c>> {
        let light = causal_size(self.system) <= config.count(&BESIDE_CAUSAL);
        let kinds = (KINDS.iter()).filter(|kind| self.looks && (light || !kind.by_causal_graph));
        let each = kinds.zip(places);
        each.map(|(kind, place)| Side::new(*kind, self.system, config, self.make, place))
            .collect()
    }

    fn walkers(&self, seed: u64) -> Option<Companion<'_>> {
        let model = self.walks.filter(|_| self.looks)?;
        Companion::new(model, seed)
    }

    /// Runs a search while they look in a thread of their own; it is to end when they have found the goal.
    pub fn side_by_side<R>(&self, search: impl FnOnce(&Config<'_>) -> R) -> (R, Looked) {
        if !self.looks {
            return (search(&self.config), (0, None));
        }
        let (enough, over) = (AtomicBool::new(false), AtomicBool::new(false));
        let mut config = self.config;
        config.limits.cancel = Some(&enough);
        // They may take a quarter of the memory.
        config.limits.memory = config.limits.memory.map(|bytes| bytes - bytes / 4);
        thread::scope(|scope| {
            let others = scope.spawn(|| self.look(&enough, &over));
            let result = search(&config);
            over.store(true, Ordering::Relaxed);
            (result, others.join().unwrap_or((0, None)))
        })
    }

    fn look(&self, enough: &AtomicBool, over: &AtomicBool) -> Looked {
        let mut config = self.config;
        config.limits.cancel = Some(over);
        let mut places = places();
        let mut sides = self.sides(&config, &mut places);
        let mut walks = self.walkers(config.seed);
        let (turn, sleep) = (
            config.count(&BESIDE_TURN),
            config.count(&BESIDE_SLEEP) as u32,
        );
        loop {
            let begun = Instant::now();
            for side in sides.iter_mut().filter(|side| !side.is_over()) {
                if side.advance(turn) {
                    enough.store(true, Ordering::Relaxed);
                }
            }
            if let Some(walks) = &mut walks
                && walks.advance(turn)
            {
                enough.store(true, Ordering::Relaxed);
            }
            let wake = Instant::now() + (begun.elapsed() * sleep).max(PACE);
            while !enough.load(Ordering::Relaxed) && Instant::now() < wake {
                if over.load(Ordering::Relaxed) {
                    return found(sides, walks);
                }
                if self.cancel.load(Ordering::Relaxed) {
                    enough.store(true, Ordering::Relaxed);
                }
                thread::sleep(PACE.min(wake - begun));
            }
            if enough.load(Ordering::Relaxed) {
                return found(sides, walks);
            }
        }
    }
}

/// Where the heuristics of the searches are to stand.
fn places() -> Vec<Option<Box<dyn Heuristic>>> {
    KINDS.iter().map(|_| None).collect()
}

fn found(sides: Vec<Side<'_, '_>>, walks: Option<Companion<'_>>) -> Looked {
    let run = sides.into_iter().find_map(Side::finish);
    let run = run.map(|(trace, name)| Found::Run(trace, name));
    let (steps, walk) = walks.map_or((0, None), Companion::finish);
    (steps, run.or(walk.map(Found::Walk)))
}
