//! Joining and covering in turns.
//!
//! Joins make the search of the leader election thirty times shorter, and are of no use where what they forget matters;
//! which of both a model is, only the search shows. So joining goes first, and joins that lead astray are taken back
//! (algorithm 5). As soon as there are any joins, covering (algorithm 3) does as much work in turns with it. Whoever has
//! an answer first ends both: about twice the work of the better one is done.

use merkhet_explore::{Blind, Budget, Progress, StopReason};
use merkhet_network::Network;
use merkhet_network::tuning::Tuning;
use merkhet_semantics::System;

use crate::run::{Failure, Options, Outcome, Run, Verdict};
use crate::tuning::TURN;
use crate::update::Update;

/// Explores a network with lattice variables by joining and covering in turns; the update of the options says nothing.
/// The outcome is that of the one that has the answer, with the states of both.
pub fn explore_in_turns(
    network: &Network,
    system: &System,
    options: &Options<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<(Update, Outcome), Box<Failure>> {
    // The states of both are counted together.
    let (most, memory) = (options.limits.states, options.limits.memory);
    let with = |update| {
        let mut alone = Options { update, ..*options };
        alone.limits.states = None;
        alone
    };
    let turn = match options.tuning {
        Some(tuning) => tuning.count(&TURN),
        None => Tuning::default().count(&TURN),
    };
    let (mut blind, mut second) = (Blind, Blind);
    let mut second = Some(&mut second);
    let mut joining = Some(Run::new(network, system, &with(Update::Cegar), &mut blind));
    let mut covering = None;
    let (covers, mut outcome) = loop {
        if joining.as_ref().is_some_and(|run| run.seen().joins > 0)
            && let Some(blind) = second.take()
        {
            covering = Some(Run::new(network, system, &with(Update::Cover), blind));
        }
        let covers = match (&joining, &covering) {
            (Some(one), Some(other)) => other.seen().work < one.seen().work,
            (joining, _) => joining.is_none(),
        };
        let runs = || [&joining, &covering].into_iter().flatten();
        let explored: u64 = runs().map(Run::explored).sum();
        let left = most.map_or(u64::MAX, |most| most.saturating_sub(explored));
        // Where there is no room for both, covering is the one that cannot lead astray.
        let bytes: usize = runs().map(|run| run.seen().store.bytes()).sum();
        if covering.is_some() && memory.is_some_and(|most| bytes > most) {
            joining = None;
        }
        let slot = if covers { &mut covering } else { &mut joining };
        let Some(mut run) = slot.take() else { continue };
        let verdict = match left {
            0 => Some(Verdict::Unknown(StopReason::States)),
            _ => run.advance(Budget::expansions(left.min(turn as u64)), observe)?,
        };
        match verdict {
            Some(verdict) => break (covers, run.outcome(verdict)),
            None => *slot = Some(run),
        }
    };
    let beside = if covers { joining } else { covering };
    // Joining without a join is covering.
    let update = match covers || outcome.joins == 0 {
        true => Update::Cover,
        false => Update::Cegar,
    };
    if let Some(beside) = beside {
        let other = beside.outcome(Verdict::Unknown(StopReason::Cancelled));
        outcome.statistics.explored += other.statistics.explored;
        outcome.statistics.generated += other.statistics.generated;
        outcome.statistics.memory += other.statistics.memory;
    }
    Ok((update, outcome))
}
