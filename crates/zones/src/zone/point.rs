//! Single valuations with rational clocks: numerators over a common denominator.

use crate::bound::{self, Bound, INFINITY};

/// Whether the valuation `numerators[i] / denominator` (with `numerators[0] = 0`) is in the zone, which need not be
/// closed.
pub fn contains(zone: &[Bound], n: usize, numerators: &[i64], denominator: i64) -> bool {
    assert!(zone.len() == n * n && numerators.len() == n && denominator > 0);
    (0..n).all(|i| {
        (0..n).all(|j| {
            let difference = i128::from(numerators[i]) - i128::from(numerators[j]);
            satisfies(difference, zone[i * n + j], denominator)
        })
    })
}

/// Whether `difference / denominator ≺ bound`.
pub fn satisfies(difference: i128, bound: Bound, denominator: i64) -> bool {
    if bound == INFINITY {
        return true;
    }
    let limit = i128::from(bound::constant(bound)) * i128::from(denominator);
    if bound::is_strict(bound) {
        difference < limit
    } else {
        difference <= limit
    }
}

/// A valuation of a zone on the grid of the denominator, as numerators (the first is 0).
///
/// `choose(low, high)` picks each clock in turn from the numerators that the earlier picks leave (`high` is `None` if
/// there is no upper bound); what it returns is clamped to them. `None` if the zone has no valuation on the grid,
/// which cannot happen for a zone that is not empty and a denominator of at least `n`: one with all fractional parts
/// different then fits between the integers.
pub fn sample(
    zone: &[Bound],
    n: usize,
    denominator: i64,
    mut choose: impl FnMut(i64, Option<i64>) -> i64,
) -> Option<Vec<i64>> {
    assert!(zone.len() == n * n && denominator > 0);
    let mut grid = on_grid(zone, denominator);
    if !close_grid(&mut grid, n) {
        return None;
    }
    let mut numerators = vec![0; n];
    for x in 1..n {
        // The grid's matrix is closed, so any pick within the bounds against the clocks picked before extends.
        let low = (0..x)
            .map(|y| numerators[y] - grid[y * n + x].unwrap_or(i64::MAX / 2))
            .max()?;
        let high = (0..x)
            .filter_map(|y| Some(numerators[y] + grid[x * n + y]?))
            .min();
        let picked = choose(low, high).max(low);
        numerators[x] = high.map_or(picked, |high| picked.min(high));
    }
    Some(numerators)
}

/// The bounds as multiples of the grid's step: `<` means one step less.
fn on_grid(zone: &[Bound], denominator: i64) -> Vec<Option<i64>> {
    let scale = |&entry: &Bound| {
        (entry != INFINITY).then(|| {
            i64::from(bound::constant(entry)) * denominator - i64::from(bound::is_strict(entry))
        })
    };
    zone.iter().map(scale).collect()
}

fn close_grid(grid: &mut [Option<i64>], n: usize) -> bool {
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                if let (Some(first), Some(second)) = (grid[i * n + k], grid[k * n + j]) {
                    let sum = first.saturating_add(second);
                    if grid[i * n + j].is_none_or(|present| sum < present) {
                        grid[i * n + j] = Some(sum);
                    }
                }
            }
        }
    }
    (0..n).all(|i| grid[i * n + i].is_none_or(|own| own >= 0))
}
