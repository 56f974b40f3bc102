//! Lengths of paths (Campos, Clarke, Marrero, Minea: "Verus: a tool for quantitative analysis of
//! finite-state real-time systems", 1995).

use super::PathLength;
use crate::bdd::Bdd;
use crate::limits::Stop;
use crate::relation::Model;

/// The least number of steps from a state of `from` to one of `to`, or the greatest number of steps
/// until `to` is first met.
pub(super) fn path_length(
    model: &Model,
    reachable: &Bdd,
    longest: bool,
    from: &Bdd,
    to: &Bdd,
) -> Result<PathLength, Stop> {
    let diagrams = &model.encoding.diagrams;
    let from = diagrams.and(reachable, from)?;
    if !longest {
        return Ok(match model.layers_to(&from, to)? {
            Ok(layers) => PathLength::Steps(layers.len() as u64 - 1),
            Err(_) => PathLength::Infinite,
        });
    }
    // After k rounds: the states with a path of k steps that has not met `to`.
    let before = diagrams.minus(reachable, to)?;
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
