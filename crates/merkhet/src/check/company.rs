//! Those who look beside a search by several threads: in a thread of their own, most of whose time it sleeps.
//!
//! With one thread turns are counted in work, and a run can be repeated. With several it cannot anyway, so that the clock
//! decides here. The first judged run ends all.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use merkhet_explore::{Beside, Config, Heuristic, Queue, SymbolicTrace};
use merkhet_network::Trace;
use merkhet_semantics::System;
use merkhet_walks::Model;

use super::side::{KINDS, MakeOne, Side};
use super::walk::Companion;

/// The work of one turn of each.
const TURN: u64 = 1_000_000;

/// The times of their turns for which they sleep: they get a tenth of one core.
const SLEEP: u32 = 9;

/// Polling interval for cancellation.
const PACE: Duration = Duration::from_millis(20);

/// What they have found.
pub(super) enum Found {
    /// A run through zones, and who found it.
    Run(SymbolicTrace, Queue),
    /// A walk.
    Walk(Trace),
}

/// Those who look.
pub(super) struct Company<'a> {
    pub system: &'a System,
    pub config: Config<'a>,
    pub make: &'a MakeOne<'a>,
    /// What walks go through, if they do.
    pub walks: Option<&'a Model>,
    /// The end of everything, as the user wants it.
    pub cancel: &'a AtomicBool,
}

impl Company<'_> {
    /// Runs a search with them beside it; it is to end when they have found the goal.
    pub fn beside<R>(&self, search: impl FnOnce(&Config<'_>) -> R) -> (R, Option<Found>) {
        let (enough, over) = (AtomicBool::new(false), AtomicBool::new(false));
        let mut config = self.config;
        config.limits.cancel = Some(&enough);
        // They may take a quarter of the memory.
        config.limits.memory = config.limits.memory.map(|bytes| bytes - bytes / 4);
        thread::scope(|scope| {
            let others = scope.spawn(|| self.look(&enough, &over));
            let result = search(&config);
            over.store(true, Ordering::Relaxed);
            (result, others.join().ok().flatten())
        })
    }

    fn look(&self, enough: &AtomicBool, over: &AtomicBool) -> Option<Found> {
        let mut config = self.config;
        config.limits.cancel = Some(over);
        let mut places: Vec<Option<Box<dyn Heuristic>>> = KINDS.iter().map(|_| None).collect();
        let each = KINDS.iter().zip(&mut places);
        let mut sides: Vec<Side<'_, '_>> = each
            .map(|(kind, place)| Side::new(*kind, self.system, &config, self.make, place))
            .collect();
        let mut walks = (self.walks).and_then(|model| Companion::new(model, config.seed));
        loop {
            let begun = Instant::now();
            for side in sides.iter_mut().filter(|side| !side.is_over()) {
                if side.advance(TURN) {
                    enough.store(true, Ordering::Relaxed);
                }
            }
            if let Some(walks) = &mut walks
                && walks.advance(TURN)
            {
                enough.store(true, Ordering::Relaxed);
            }
            let wake = Instant::now() + (begun.elapsed() * SLEEP).max(PACE);
            while !enough.load(Ordering::Relaxed) && Instant::now() < wake {
                if over.load(Ordering::Relaxed) {
                    return None;
                }
                if self.cancel.load(Ordering::Relaxed) {
                    enough.store(true, Ordering::Relaxed);
                }
                thread::sleep(PACE.min(wake - begun));
            }
            if enough.load(Ordering::Relaxed) {
                let run = sides.into_iter().find_map(Side::finish);
                let run = run.map(|(trace, name)| Found::Run(trace, name));
                return run.or_else(|| walks.and_then(Companion::finish).map(Found::Walk));
            }
        }
    }
}
