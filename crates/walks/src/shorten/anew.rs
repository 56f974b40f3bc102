//! Walks that end where they would be no shorter than the run, or than the rest of it.

use super::{Purse, Shortener, TAKEN};
use crate::state::State;
use crate::walker::{INSTRUCTIONS, Lane, Settings, Walker};
use crate::{Depths, Policy};

impl<'m> Shortener<'m> {
    /// Walks until a shorter run is found or the purse is empty; says whether one was found. Half of the steps begin at the
    /// start, the others at states of the run.
    pub fn walk_anew(&mut self, purse: &mut Purse<'_>) -> bool {
        let Some(mut from_start) = self.walker(vec![
            Lane::Guided,
            free(Depths::Doubling),
            free(Depths::Luby),
        ]) else {
            return false;
        };
        let Some(mut from_run) = self.walker(vec![free(Depths::Doubling)]) else {
            return false;
        };
        from_start.no_deeper((self.best.len() as u64).saturating_sub(1));
        while purse.left > 0 && self.best.len() > 1 {
            let Some(kept) = self.kept(purse) else {
                return false;
            };
            let (mut early, mut late) = (0, 0);
            for _ in 0..self.model.numbers.anew_walks {
                if purse.left == 0 {
                    return false;
                }
                if early <= late {
                    let steps = self.model.numbers.anew_turn.min(purse.left / TAKEN + 1);
                    let before = from_start.effort();
                    let found = from_start.advance(steps);
                    let cost = steps * TAKEN + (from_start.effort() - before) / INSTRUCTIONS;
                    early += cost;
                    purse.pay(cost);
                    if let Some(trace) = found {
                        self.tried.clone_from(from_start.run());
                        let until = self.tried.end() + 2 * trace.last_delay;
                        self.accept(0, until);
                        return true;
                    }
                    continue;
                }
                let place = self.random.index(kept.len());
                let from = kept[place].0;
                // Shorter walks can be more of them.
                let depth = ((self.best.len() - from) as u64 - 1) >> self.random.below(4);
                let before = from_run.effort();
                let (found, taken) =
                    from_run.once(&kept[place].1, depth.min(purse.left / TAKEN + 1));
                let evaluated = (from_run.effort() - before) / INSTRUCTIONS;
                let cost = self.copying + taken * TAKEN + evaluated;
                late += cost;
                purse.pay(cost);
                if let Some(until) = found {
                    self.tried.clone_from(from_run.run());
                    self.accept(from, until);
                    return true;
                }
            }
        }
        false
    }

    fn walker(&mut self, lanes: Vec<Lane>) -> Option<Walker<'m>> {
        let settings = Settings {
            lanes,
            depth: None,
            seed: self.random.bits(),
        };
        Walker::new(self.model, settings).ok()
    }

    /// Some states of the run, with the number of transitions before each; the first is the initial one.
    fn kept(&mut self, purse: &mut Purse<'_>) -> Option<Vec<(usize, State<'m>)>> {
        let length = self.best.len();
        if !self.pay(purse, length as u64 * TAKEN) {
            return None;
        }
        let stretch = length.div_ceil(self.model.numbers.anew_states).max(1);
        let offset = self.random.index(stretch);
        self.here.become_copy(&self.start);
        let mut kept = vec![(0, self.start.clone())];
        for index in 0..length {
            if index > 0 && index % stretch == offset {
                kept.push((index, self.here.clone()));
            }
            if !self.advance(index) {
                return None;
            }
        }
        purse.pay(self.copying * kept.len() as u64);
        Some(kept)
    }
}

fn free(depths: Depths) -> Lane {
    Lane::Free {
        policy: Policy::Ret,
        depths,
    }
}
