//! Joining and covering in turns.
//!
//! Joins make the search of the leader election thirty times shorter, and are of no use where what they forget matters;
//! which of both a model is, only the search shows. So joining goes first, and joins that lead astray are taken back
//! (algorithm 5). As soon as there are any joins, covering (algorithm 3) does as much work in turns with it. Whoever has
//! an answer first ends both: about twice the work of the better one is done.

use merkhet_explore::{Blind, Budget, Heuristic, Progress, StopReason, Strategy};
use merkhet_network::Network;
use merkhet_network::tuning::Tuning;
use merkhet_semantics::System;

use crate::run::{Failure, Options, Outcome, Run, Verdict};
use crate::tuning::TURN;
use crate::update::Update;

/// When covering begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beside {
    /// With the first join.
    Joins,
    /// With the first join that is taken back: where refining does not pay, covering comes to an answer.
    Refinements,
}

/// Explores a network with lattice variables by joining, as `heuristic` leads, and by covering breadth first in turns; the
/// update of the options says nothing. The outcome is that of the one that has the answer, with the states of both.
pub fn explore_in_turns(
    network: &Network,
    system: &System,
    options: &Options<'_>,
    beside: Beside,
    heuristic: &mut dyn Heuristic,
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
    let mut blind = Blind;
    let mut blind = Some(&mut blind);
    let cegar = with(Update::Cegar);
    let mut joining = Some(Run::new(network, system, &cegar, heuristic));
    let mut covering = None;
    let (covers, mut outcome) = loop {
        let begins = |run: &Run<'_, '_>| match beside {
            Beside::Joins => run.seen().joins > 0,
            Beside::Refinements => run.seen().refinement.rounds > 0,
        };
        if joining.as_ref().is_some_and(begins)
            && let Some(blind) = blind.take()
        {
            let cover = Options {
                strategy: Strategy::BreadthFirst,
                ..with(Update::Cover)
            };
            covering = Some(Run::new(network, system, &cover, blind));
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
    // Joining without a join is covering.
    let update = match covers || outcome.joins == 0 {
        true => Update::Cover,
        false => Update::Cegar,
    };
    if let Some(other) = if covers { joining } else { covering } {
        let other = other.outcome(Verdict::Unknown(StopReason::Cancelled));
        outcome.statistics.explored += other.statistics.explored;
        outcome.statistics.generated += other.statistics.generated;
        outcome.statistics.memory += other.statistics.memory;
        outcome.joins += other.joins;
        outcome.refinements += other.refinements;
        outcome.splits.extend(other.splits);
    }
    Ok((update, outcome))
}
