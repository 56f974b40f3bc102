//! Who runs next, as far as one thread goes: the search itself, short looks into the depth beside it, and how far it goes on
//! after a fault of the model. The search decides none of this.

use std::io;

use merkhet_network::tuning::Tuning;
use merkhet_semantics::System;

use super::apart::Apart;
use super::beside::{Beside, Share, Turns};
use super::looks::{Looking, Looks};
use super::rival::{Rival, Second};
use super::{Budget, Config, Failure, Outcome, Search, Status};
use crate::checkpoint::Keeper;
use crate::heuristic::Heuristic;
use crate::limits::Progress;
use crate::strategy::Strategy;
use crate::tuning;
use crate::verdict::StopReason;

/// What happens beside and after a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Policy {
    /// Looks into the depth beside the automatic search.
    pub looks: Option<Looks>,
    /// A second order beside the automatic search, or the largest zones first, while these work in vain.
    pub second: Option<Second>,
    /// How long a search goes on after a fault of the model.
    pub beyond: Option<Beyond>,
    /// What another way of looking beside the automatic search gets, where there is one.
    pub share: Share,
}

impl Policy {
    /// With these numbers.
    pub fn of(tuning: &Tuning) -> Policy {
        let count = |tunable| tuning.count(tunable) as u64;
        Policy {
            looks: Some(Looks::of(tuning)),
            second: Some(Second::of(tuning)),
            beyond: Some(Beyond {
                factor: count(&tuning::BEYOND_FACTOR),
                plus: count(&tuning::BEYOND_PLUS),
            }),
            share: Share::of(tuning),
        }
    }
}

impl Default for Policy {
    fn default() -> Policy {
        Policy::of(&Tuning::default())
    }
}

/// How long a search goes on after a fault of the model, in states expanded until then and after.
///
/// A run to the goal that does not come through the faulty step is a run all the same, and a search that follows a heuristic
/// or goes deep may meet the fault long before it. Only finding the goal counts then; otherwise the first fault is what the
/// search ends with. Searches for shortest runs end at once, since a shorter one might lie behind the fault.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Beyond {
    /// Times the states expanded until the fault …
    pub factor: u64,
    /// … and as many more.
    pub plus: u64,
}

/// Searches a system. `observe` is called now and then.
pub fn search(
    system: &System,
    config: &Config<'_>,
    heuristic: &mut dyn Heuristic,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Outcome, Box<Failure>> {
    let policy = config.tuning.map_or_else(Policy::default, Policy::of);
    let policy = Policy {
        // Who names an order wants that one.
        second: (policy.second).filter(|_| matches!(config.strategy, Strategy::Auto(_))),
        ..policy
    };
    search_under(&policy, system, config, heuristic, observe, Vec::new())
}

/// As [`search`], with a policy of the caller's, and with other ways of looking beside the automatic search: where one of
/// them finds the goal, it knows so, and the search itself has come to no verdict.
pub fn search_under(
    policy: &Policy,
    system: &System,
    config: &Config<'_>,
    heuristic: &mut dyn Heuristic,
    observe: &mut dyn FnMut(&Progress),
    others: Vec<&mut dyn Beside>,
) -> Result<Outcome, Box<Failure>> {
    let mut search = Search::new(system, config, heuristic);
    let mut looking = match (config.strategy, policy.looks) {
        (Strategy::Auto(_), Some(looks)) => {
            let turns = (!others.is_empty()).then(|| Turns::new(policy.share, others));
            Some(Looking::new(system, config, looks, turns))
        }
        _ => None,
    };
    let mut rival = match (config.strategy, policy.second) {
        (Strategy::Auto(_) | Strategy::LargestFirst, Some(second)) => {
            Rival::new(system, config, second)
        }
        _ => None,
    };
    let mut apart = match config.strategy {
        Strategy::Auto(_) => Apart::new(system, config),
        _ => None,
    };
    let status = loop {
        let mut next = None;
        let mut by_estimate = false;
        if let Some(apart) = &mut apart {
            let (guided, explored) = apart.is_next(&mut search);
            by_estimate = guided;
            if let Some(looking) = &mut looking {
                // All that was expanded before is in other stores now.
                looking.others = looking.others.max(explored);
            }
        }
        if let Some(rival) = &mut rival
            && rival.is_next(&search)
        {
            next = Some(rival);
        }
        let status = match (next, &mut apart) {
            (Some(rival), _) => rival.advance(&mut search, observe),
            (None, Some(apart)) if by_estimate => {
                let (status, explored) = apart.advance(&mut search, observe);
                if let Some(looking) = &mut looking {
                    looking.others += explored;
                }
                status
            }
            (None, _) => search.advance(Budget::STEP, observe),
        };
        let status = match (status, &mut looking) {
            (Status::BudgetSpent, Some(looking)) => looking.beside(&mut search, observe),
            (status, _) => status,
        };
        let no_room = status == Status::Limit(StopReason::Memory);
        let goes_on =
            no_room && (rival.as_mut()).is_some_and(|rival| rival.makes_room(&mut search));
        if status != Status::BudgetSpent && !goes_on {
            break status;
        }
    };
    if let (Status::Fault, Some(beyond), true) = (status, policy.beyond, search.may_go_on()) {
        go_beyond(&mut search, beyond, observe);
    }
    search.outcome()
}

/// Goes on after a fault.
fn go_beyond(search: &mut Search<'_, '_>, beyond: Beyond, observe: &mut dyn FnMut(&Progress)) {
    let explored = search.explored();
    let most = explored
        .saturating_mul(beyond.factor)
        .saturating_add(beyond.plus);
    while search.explored() < most {
        let budget = Budget::expansions(most - search.explored());
        if search.advance(budget, observe) != Status::Fault {
            break;
        }
    }
}

/// As [`search`] for a search that is written down now and then, or goes on from where one was written down. An error is
/// one of the keeper or of what it had saved.
pub fn search_resumable(
    system: &System,
    config: &Config<'_>,
    heuristic: &mut dyn Heuristic,
    observe: &mut dyn FnMut(&Progress),
    keeper: &mut dyn Keeper,
) -> io::Result<Result<Outcome, Box<Failure>>> {
    if config.bitstate.is_some() {
        let message = "a search with bit-state hashing cannot be written down";
        return Err(io::Error::new(io::ErrorKind::Unsupported, message));
    }
    let mut search = Search::new(system, config, heuristic).stopping_between_expansions();
    if let Some(mut input) = keeper.resumed()? {
        search.resume(input.as_mut())?;
    }
    let mut status = search.advance(Budget::expansions(0), observe);
    while status == Status::BudgetSpent {
        let stop = search.stops().is_some();
        if stop || keeper.due() {
            keeper.keep(&mut |out| search.write(out))?;
        }
        if stop {
            break;
        }
        status = search.advance(Budget::STEP, observe);
    }
    // Nothing more is written down: whoever goes on from the last checkpoint meets the fault again, and goes on likewise.
    let beyond = config
        .tuning
        .map_or_else(Policy::default, Policy::of)
        .beyond;
    if let (Status::Fault, Some(beyond), true) = (status, beyond, search.may_go_on()) {
        go_beyond(&mut search, beyond, observe);
    }
    Ok(search.outcome())
}
