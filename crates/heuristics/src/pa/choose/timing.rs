//! Refinement by time: predicates that the text of a system does not contain.
//!
//! Figure 3 of the paper undoes assignments in single predicates, and time does not pass in them. But often only guards,
//! invariants and delays together make an abstract path impossible: a controller that must wait for 2000 units and is
//! woken every 1000 cannot go on after one round. So the path is followed backwards exactly, by zones. If it turns out
//! to be impossible, the bounds of the zones on the way are what the abstraction did not know; the fewest of them that
//! still refuse the path are added.

use merkhet_network::Network;
use merkhet_zones::bound::{Bound, INFINITY, LE_ZERO, add, negate};
use merkhet_zones::zone;

use crate::pa::cases::Case;
use crate::pa::clocks::undo;
use crate::pa::predicate::of_clocks;
use crate::pa::refine::Predicates;
use crate::pa::world::ClockBound;

/// A bound as row, row and packed value.
type Entry = (usize, usize, Bound);

/// Adds bounds that refuse the path, if clocks refuse it; says whether they do. A path from the start of the system
/// begins with all clocks equal. Networks with more than `most_clocks` are not refined by time.
pub fn refine_timing(
    network: &Network,
    predicates: &mut Predicates,
    path: &[&Case],
    from_start: bool,
    most: usize,
    most_clocks: usize,
) -> bool {
    let n = network.dimension();
    if n > most_clocks || n == 1 {
        return false;
    }
    let mut zone = vec![0; n * n];
    zone::init_universal(&mut zone, n);
    let mut zones = vec![zone];
    let start = Case {
        before: equal_clocks(n),
        ..Case::default()
    };
    let mut path = path.to_vec();
    if from_start {
        path.insert(0, &start);
    }
    for case in path.iter().rev() {
        let last = &zones[zones.len() - 1];
        match before(last, n, case) {
            Some(earlier) => zones.push(earlier),
            None => {
                explain(predicates, &zones, n, &path, most);
                return true;
            }
        }
    }
    false
}

fn equal_clocks(n: usize) -> Vec<ClockBound> {
    let rows = 1..n as u16;
    let pairs = rows.flat_map(|row| {
        [
            (row, row % (n as u16 - 1) + 1),
            (row % (n as u16 - 1) + 1, row),
        ]
    });
    pairs
        .filter(|(left, right)| left != right)
        .map(|(left, right)| ClockBound {
            left,
            right,
            bound: LE_ZERO,
        })
        .collect()
}

fn within(zone: &mut [Bound], n: usize, bounds: &[ClockBound]) -> bool {
    (bounds.iter()).all(|b| match b.left == b.right {
        true => b.bound >= LE_ZERO,
        false => zone::constrain(zone, n, b.left.into(), b.right.into(), b.bound),
    })
}

/// The zone before a transition and the delay after it; `None` if there is none.
fn before(zone: &[Bound], n: usize, case: &Case) -> Option<Vec<Bound>> {
    let mut zone = zone.to_vec();
    if !within(&mut zone, n, &case.after) {
        return None;
    }
    if case.delay {
        zone::down(&mut zone, n);
        if !within(&mut zone, n, &case.after) {
            return None;
        }
    }
    let mut earlier = undo(&zone, n, |row| Some(usize::from(row)), &case.clock_effects)?;
    within(&mut earlier, n, &case.before).then_some(earlier)
}

/// Goes along the path from where it broke: which bounds of each zone are needed for those of the one before?
fn explain(
    predicates: &mut Predicates,
    zones: &[Vec<Bound>],
    n: usize,
    path: &[&Case],
    most: usize,
) {
    let mut needed: Option<Vec<Entry>> = None;
    for (steps, zone) in zones.iter().enumerate().skip(1).rev() {
        // This zone is what the transitions after it ask for; the one before them is path[path.len() − 1 − steps].
        let case = path[path.len() - 1 - steps];
        let enough = |entries: &[Entry]| {
            let mut weaker = vec![0; n * n];
            zone::init_universal(&mut weaker, n);
            let kept =
                (entries.iter()).all(|(i, j, b)| zone::constrain(&mut weaker, n, *i, *j, *b));
            match (before(&weaker, n, case), &needed) {
                _ if !kept => false,
                (None, _) => true,
                (Some(_), None) => false,
                (Some(earlier), Some(needed)) => {
                    (needed.iter()).all(|(i, j, b)| zone::implies(&earlier, n, *i, *j, *b))
                }
            }
        };
        let mut entries = bounds_of(zone, n);
        let mut at = 0;
        while at < entries.len() {
            let mut fewer = entries.clone();
            fewer.remove(at);
            match enough(&fewer) {
                true => entries = fewer,
                false => at += 1,
            }
        }
        for (i, j, bound) in &entries {
            if predicates.len() >= most {
                return;
            }
            predicates.add(of_clocks(*i as u16, *j as u16, *bound));
        }
        if entries.is_empty() {
            return;
        }
        needed = Some(entries);
    }
}

/// The finite bounds of a zone that say something, differences first: they are the first to be left out.
fn bounds_of(zone: &[Bound], n: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    for i in 0..n {
        for j in (0..n).filter(|j| *j != i) {
            let bound = zone[i * n + j];
            let trivial = bound >= INFINITY || i == 0 && bound >= LE_ZERO;
            // A difference that follows from the bounds of its two clocks is no news.
            let derived = i != 0 && j != 0 && add(zone[i * n], zone[j]) <= bound;
            if !trivial && !derived && negate(bound) < INFINITY {
                entries.push((i, j, bound));
            }
        }
    }
    entries.sort_by_key(|(i, j, _)| *i == 0 || *j == 0);
    entries
}
