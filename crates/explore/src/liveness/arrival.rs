//! Time passing within a formula.
//!
//! The formula cuts the delay-closed zone of a state into convex pieces. A run arrives in some piece and may delay
//! within it, which stays inside by convexity. It may pass from one piece into another where they touch: either it is
//! still in the first at the last moment before the second begins, or it is already in the second at the first moment
//! after the first ends.
//!
//! A part keeps the valuations of its first piece at which a run may arrive. They need not be cut down to those from which
//! the later pieces are reached: time moves along a line, and whoever is in the part's zone came over the one point of
//! that line where two pieces touch. By convexity every earlier point of the first piece on the line leads there within
//! the piece. So runs can be made concrete from arrival and zone alone.

use merkhet_semantics::{Explorer, Fault, GoalId, State, Stay};
use merkhet_zones::bound::{Bound, INFINITY, is_strict};
use merkhet_zones::{Federation, zone};

/// A part of a state in which a run can be while the formula holds.
pub(crate) struct Part {
    /// The valuations at the moment of arrival from which it is reached.
    pub entry: Vec<Bound>,
    /// All valuations of the piece that are reached by delay, before abstraction.
    pub zone: Vec<Bound>,
}

/// What is known of a state that a run arrives at.
pub(crate) struct Arrival {
    pub parts: Vec<Part>,
    /// Valuations of the stay in which the formula does not hold.
    pub outside: Federation,
}

/// Cuts a stay down to the formula.
pub(crate) fn within(
    explorer: &mut Explorer<'_>,
    keep: GoalId,
    memory: &[i32],
    stay: &Stay,
) -> Result<Arrival, Fault> {
    let n = explorer.system().dimension();
    let mut pieces: Vec<Vec<Bound>> = Vec::new();
    let mut outside = Federation::new(n);
    for zone in &stay.zones {
        outside.push(zone);
        let state = State { memory, zone };
        explorer.where_satisfied(keep, state, &mut |piece| pieces.push(piece.to_vec()))?;
    }
    for piece in &pieces {
        outside.subtract_zone(piece);
    }
    let begins = |piece: &Vec<Bound>| intersection(&stay.entry, piece, n);
    if !stay.time_passes {
        let parts = (pieces.iter().filter_map(begins))
            .map(|entry| Part {
                zone: entry.clone(),
                entry,
            })
            .collect();
        return Ok(Arrival { parts, outside });
    }
    if outside.is_empty()
        && pieces.len() > 1
        && let [zone] = &stay.zones[..]
    {
        // The formula holds throughout: the delay-closed zone is one part.
        let part = Part {
            entry: stay.entry.clone(),
            zone: zone.clone(),
        };
        return Ok(Arrival {
            parts: vec![part],
            outside,
        });
    }
    let mut parts: Vec<(usize, Part)> = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        if let Some(start) = begins(piece)
            && let Some(zone) = delay_within(&start, piece, n)
        {
            parts.push((index, Part { entry: start, zone }));
        }
    }
    add_passages(&mut parts, &pieces, n);
    Ok(Arrival {
        parts: parts.into_iter().map(|(_, part)| part).collect(),
        outside,
    })
}

/// Adds what is reached over places where pieces touch.
fn add_passages(parts: &mut Vec<(usize, Part)>, pieces: &[Vec<Bound>], n: usize) {
    let mut at = 0;
    while at < parts.len() {
        for (index, piece) in pieces.iter().enumerate() {
            if index == parts[at].0 {
                continue;
            }
            for zone in passages(&parts[at].1.zone, piece, n) {
                let known = |(other, part): &(usize, Part)| {
                    *other == index && zone::includes(&part.zone, &zone)
                };
                if !parts.iter().any(known) {
                    let entry = parts[at].1.entry.clone();
                    parts.push((index, Part { entry, zone }));
                }
            }
        }
        at += 1;
    }
}

/// What a run in `from` reaches in the piece `to` by delay, staying in the two.
fn passages(from: &[Bound], to: &[Bound], n: usize) -> Vec<Vec<Bound>> {
    let last_before = intersection(from, &just_before(to, n), n);
    let first_after = intersection(&just_after(from, n), to, n);
    let starts = [last_before, first_after];
    starts
        .into_iter()
        .flatten()
        .filter_map(|start| delay_within(&start, to, n))
        .collect()
}

fn delay_within(start: &[Bound], piece: &[Bound], n: usize) -> Option<Vec<Bound>> {
    let mut zone = start.to_vec();
    zone::up(&mut zone, n);
    zone::intersect(&mut zone, piece, n).then_some(zone)
}

fn intersection(left: &[Bound], right: &[Bound], n: usize) -> Option<Vec<Bound>> {
    let mut zone = left.to_vec();
    zone::intersect(&mut zone, right, n).then_some(zone)
}

/// The valuations after which some time within the zone follows at once: lower bounds may be met exactly, upper bounds
/// must not.
fn just_before(zone: &[Bound], n: usize) -> Vec<Bound> {
    shifted(zone, n, true)
}

/// The valuations that some time within the zone precedes at once.
fn just_after(zone: &[Bound], n: usize) -> Vec<Bound> {
    shifted(zone, n, false)
}

/// The zone with its bounds on single clocks made weak on one side and strict on the other. The result may be empty, which
/// an intersection finds out.
fn shifted(zone: &[Bound], n: usize, earlier: bool) -> Vec<Bound> {
    let mut result = zone.to_vec();
    for clock in 1..n {
        let (lower, upper) = (clock, clock * n);
        for (at, weak) in [(lower, earlier), (upper, !earlier)] {
            if result[at] == INFINITY {
                continue;
            }
            if weak && is_strict(result[at]) {
                result[at] += 1;
            } else if !weak && !is_strict(result[at]) {
                result[at] -= 1;
            }
        }
    }
    // No lower bound may fall below zero: a clock that is at least 0 may be exactly 0.
    for lower in &mut result[1..n] {
        *lower = (*lower).min(merkhet_zones::bound::le(0));
    }
    if !zone::close(&mut result, n) {
        zone::mark_empty(&mut result);
    }
    result
}
