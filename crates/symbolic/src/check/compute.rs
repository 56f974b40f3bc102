//! Lengths of paths (Campos, Clarke, Marrero, Minea: "Verus: a tool for quantitative analysis of
//! finite-state real-time systems", 1995).
//!
//! As everywhere in branching time, only endless paths count, and under FAIRNESS only fair ones: all
//! states of such paths are states from which one starts.

use super::PathLength;
use crate::bdd::Bdd;
use crate::ctl::CtlChecker;
use crate::limits::Stop;
use crate::relation::Model;

/// The least number of steps from a state of `from` to one of `to`, or the greatest number of steps
/// until `to` is first met.
pub(super) fn path_length(
    model: &Model,
    checker: &CtlChecker,
    longest: bool,
    from: &Bdd,
    to: &Bdd,
) -> Result<PathLength, Stop> {
    let diagrams = &model.encoding.diagrams;
    let paths = checker.eg(checker.space())?;
    let from = diagrams.and(from, &paths)?;
    let ends = diagrams.and(to, &paths)?;
    let empty = diagrams.is_false(&from) || diagrams.is_false(&ends);
    // Of no paths at all none is the shortest, and as in NuSMV there is no longest.
    if empty {
        return Ok(match longest {
            true => PathLength::Undefined,
            false => PathLength::Infinite,
        });
    }
    if !longest {
        // Whatever comes before a state with an endless path has one, too.
        let to = ends;
        return Ok(match model.layers_to(&from, &to)? {
            Ok(layers) => PathLength::Steps(layers.len() as u64 - 1),
            Err(_) => PathLength::Infinite,
        });
    }
    // After k rounds: the states with a path of k steps that has not met `to`. Where there is no limit to k, paths go
    // round without `to`; they may do so as often as they like before they turn to what is fair.
    let before = diagrams.minus(&paths, to)?;
    let mut pending = before.clone();
    let mut steps = 0;
    while !diagrams.disjoint(&pending, &from)? {
        steps += 1;
        let next = diagrams.and(&model.preimage(&pending)?, &before)?;
        if next == pending {
            return Ok(PathLength::Infinite);
        }
        pending = next;
    }
    Ok(PathLength::Steps(steps))
}
