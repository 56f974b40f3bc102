//! Picks one valuation at the end of the path and goes back to the start.
//!
//! Every zone on the grid holds exactly the valuations that can be reached and lead on, so that any choice works.
//! Choices prefer whole time units, and otherwise short delays.

use super::forward::{Leg, OnGrid};
use super::grid::{Grid, INFINITE};

/// The delays: before each transition, and at the end.
pub(super) fn delays(
    path: &[Leg],
    zones: &OnGrid,
    n: usize,
    scale: i64,
    smallest: Option<usize>,
) -> Option<Vec<i64>> {
    let mut delays = vec![0; path.len()];
    let last = path.len().checked_sub(1)?;
    let mut fixed = vec![None; n];
    fixed[0] = Some(0);
    if let Some(row) = smallest {
        fixed[row] = Some(-zones.exits[last].get(0, row));
    }
    // At the end no time needs to pass if the target holds at arrival already.
    let at_once = match smallest {
        None => zones.exits[last].intersection(&zones.entries[last]),
        Some(_) => None,
    };
    let end = at_once.as_ref().unwrap_or(&zones.exits[last]);
    let mut valuation = complete(end, &mut fixed, scale)?;
    for index in (0..path.len()).rev() {
        let leg = &path[index];
        let delay = delay(&zones.entries[index], &valuation, &leg.stopped, scale)?;
        delays[index] = delay;
        for (row, value) in valuation.iter_mut().enumerate().skip(1) {
            *value -= if stands(&leg.stopped, row) { 0 } else { delay };
        }
        if index == 0 {
            break;
        }
        let mut fixed = vec![None; n];
        fixed[0] = Some(0);
        for (row, origin) in leg
            .origins
            .iter()
            .enumerate()
            .filter(|(_, origin)| origin.row != 0)
        {
            fixed[origin.row as usize] = Some(valuation[row] - origin.offset * scale);
        }
        valuation = complete(&zones.exits[index - 1], &mut fixed, scale)?;
    }
    Some(delays)
}

fn stands(stopped: &[bool], row: usize) -> bool {
    stopped.get(row).is_some_and(|stopped| *stopped)
}

/// A delay that leads from the zone at arrival to the valuation.
fn delay(entry: &Grid, valuation: &[i64], stopped: &[bool], scale: i64) -> Option<i64> {
    let (mut least, mut most) = (0, INFINITE);
    for i in 0..entry.n {
        for j in (0..entry.n).filter(|j| *j != i) {
            let bound = entry.get(i, j);
            if bound >= INFINITE {
                continue;
            }
            let excess = valuation[i] - valuation[j] - bound;
            let runs = |row: usize| row != 0 && !stands(stopped, row);
            match (runs(i), runs(j)) {
                // x_i goes back, x_j does not.
                (true, false) => least = least.max(excess),
                (false, true) => most = most.min(-excess),
                _ if excess > 0 => return None,
                _ => {}
            }
        }
    }
    (least <= most).then(|| whole(least, most, scale))
}

/// The smallest whole number of time units in a range, or else its smallest number.
fn whole(least: i64, most: i64, scale: i64) -> i64 {
    let up = least.div_euclid(scale) * scale
        + if least.rem_euclid(scale) == 0 {
            0
        } else {
            scale
        };
    if up <= most { up } else { least }
}

/// A valuation of a zone in which some values are fixed already.
fn complete(zone: &Grid, fixed: &mut [Option<i64>], scale: i64) -> Option<Vec<i64>> {
    let n = zone.n;
    for i in 0..n {
        for j in 0..n {
            if let (Some(left), Some(right)) = (fixed[i], fixed[j])
                && left - right > zone.get(i, j)
            {
                return None;
            }
        }
    }
    for row in 1..n {
        if fixed[row].is_some() {
            continue;
        }
        let (mut least, mut most) = (0, INFINITE);
        for (other, value) in fixed.iter().enumerate() {
            let Some(value) = value else { continue };
            if zone.get(other, row) < INFINITE {
                least = least.max(value - zone.get(other, row));
            }
            most = most.min(value + zone.get(row, other));
        }
        if least > most {
            return None;
        }
        fixed[row] = Some(whole(least, most, scale));
    }
    fixed.iter().copied().collect()
}
