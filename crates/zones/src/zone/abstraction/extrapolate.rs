//! Extrapolation: enlarging zones so that there are finitely many.
//!
//! G. Behrmann, P. Bouyer, K. G. Larsen, R. Pelánek: Lower and upper bounds in zone-based abstractions of timed
//! automata, STTT 8(3), 2006. All keep location reachability in models *without clock differences* in guards and
//! invariants (P. Bouyer: Forward analysis of updatable timed automata, 2004, shows why not with them); the LU forms
//! keep nothing more.
//!
//! `lower[x]` is the largest constant of a guard `x > c` or `x ≥ c` that matters, `upper[x]` of `x < c` or `x ≤ c`,
//! [`NO_BOUND`](crate::bound::NO_BOUND) if there is none; index 0 is not read. With the larger one in both they are ExtraM
//! and ExtraM+; with [`MAX_CONSTANT`](crate::bound::MAX_CONSTANT) in both, the bounds of a clock itself stay as they are.
//!
//! The functions say whether the zone changed and leave it closed. They do not run Floyd–Warshall over the whole zone
//! for that: raising entries cannot make a path shorter, so only rows that lost something need to be looked at again.

use crate::bound::{Bound, INFINITY, LE_ZERO, add, le, lt};
use crate::zone::close::{close, close_raised};
use crate::zone::kernel::{self, Raised};
use crate::zone::rows::{MOST_ROWS, RowSets, by_words};

/// ExtraLU: `x_i - x_j ≺ c` goes if `c > L_i`, and is weakened to `< -U_j` if `c < -U_j`.
pub fn extrapolate_lu(zone: &mut [Bound], n: usize, lower: &[i32], upper: &[i32]) -> bool {
    assert!(zone.len() == n * n && lower.len() >= n && upper.len() >= n);
    if n > MOST_ROWS {
        return extrapolate_lu_plain(zone, n, lower, upper);
    }
    by_words!(n, raise_lu_and_close(zone, n, lower, upper))
}

fn raise_lu_and_close<const W: usize>(
    zone: &mut [Bound],
    n: usize,
    lower: &[i32],
    upper: &[i32],
) -> bool {
    let changed = kernel::raise_lu::<W>(zone, n, lower, upper);
    if !changed.is_empty() {
        close_raised(zone, n, changed);
    }
    !changed.is_empty()
}

/// ExtraLU+: as ExtraLU, and clocks that are above their bound in the whole zone lose their differences.
///
/// The paper compares integers: `-c_{0,i} > L_i`. We take `x_i > L_i` (strict) as above L_i as well: it means the
/// same for every valuation of the zone, and makes the operation idempotent.
pub fn extrapolate_lu_plus(zone: &mut [Bound], n: usize, lower: &[i32], upper: &[i32]) -> bool {
    assert!(zone.len() == n * n && lower.len() >= n && upper.len() >= n);
    if n > MOST_ROWS {
        return extrapolate_lu_plus_plain(zone, n, lower, upper);
    }
    by_words!(n, raise_lu_plus_and_close(zone, n, lower, upper))
}

#[inline]
fn raise_lu_plus_and_close<const W: usize>(
    zone: &mut [Bound],
    n: usize,
    lower: &[i32],
    upper: &[i32],
) -> bool {
    let raised = kernel::raise_lu_plus::<W>(zone, n, lower, upper);
    if raised.changed {
        close_raised_lu_plus(zone, n, &raised);
    }
    raised.changed
}

/// Closes after ExtraLU+ has raised entries of a closed zone.
///
/// In the graph that is left, a clock i above L has no edge out: its row is final. A clock j above U has one edge in,
/// from 0, and is never inside a shortest path: `c'_{0,j} + c_{j,k} ≥ c_{0,k}`, which is in the graph unless k is
/// above U too, and then (j, k) is not. Row 0 is final for the same reason. A row in which no entry was lost but in
/// those columns is final but for those columns. So the rows that lost entries are relaxed through the final ones,
/// then through each other, and last every row through 0, which fills the columns of the clocks above U. Where entries of
/// column 0 alone were lost, a way there has a last edge into 0 and is final before it: one look at each row is enough.
fn close_raised_lu_plus<const W: usize>(zone: &mut [Bound], n: usize, raised: &Raised<W>) {
    let zero = RowSets::all(1);
    let clocks = RowSets::all(n).without(zero);
    let lost = raised.lost;
    if W > 1 && !raised.beyond_zero {
        close_column_zero(zone, n, lost);
    } else if !lost.is_empty() {
        let inside = clocks
            .without(raised.above_upper)
            .without(raised.above_lower);
        kernel::relax_rows(zone, n, inside.without(lost), lost);
        kernel::relax_rows(zone, n, lost.without(raised.above_upper), lost);
    }
    let through_zero = if raised.above_upper.is_empty() {
        lost
    } else {
        clocks.without(raised.above_lower)
    };
    kernel::relax_rows(zone, n, zero, through_zero);
}

/// Closes column 0 of some rows, where no other entry is to be closed. O(n) for each.
fn close_column_zero<const W: usize>(zone: &mut [Bound], n: usize, rows: RowSets<W>) {
    let column: Vec<Bound> = zone.iter().step_by(n).copied().collect();
    for i in rows {
        let row = &mut zone[i * n..][..n];
        let through = row.iter().zip(&column).map(|(to, from)| add(*to, *from));
        let least = through.fold(row[0], Bound::min);
        row[0] = least;
    }
}

/// The definition, with a full closing: for dimensions beyond the row sets.
fn extrapolate_lu_plain(zone: &mut [Bound], n: usize, lower: &[i32], upper: &[i32]) -> bool {
    let mut changed = false;
    for i in 0..n {
        let limit = if i == 0 { INFINITY } else { le(lower[i]) };
        for j in (0..n).filter(|&j| j != i) {
            let floor = if j == 0 { lt(0) } else { lt(-upper[j]) };
            let floor = if i == 0 { floor.min(LE_ZERO) } else { floor };
            let entry = &mut zone[i * n + j];
            let raised = if *entry > limit {
                INFINITY
            } else {
                (*entry).max(floor)
            };
            changed |= raised != *entry;
            *entry = raised;
        }
    }
    if changed {
        close(zone, n);
    }
    changed
}

/// As [`extrapolate_lu_plain`], for ExtraLU+.
fn extrapolate_lu_plus_plain(zone: &mut [Bound], n: usize, lower: &[i32], upper: &[i32]) -> bool {
    let mut changed = false;
    for i in 1..n {
        let dead = zone[i] <= lt(-lower[i]);
        for j in (0..n).filter(|&j| j != i) {
            let above_upper = j != 0 && zone[j] <= lt(-upper[j]);
            let entry = &mut zone[i * n + j];
            if *entry != INFINITY && (dead || above_upper || *entry > le(lower[i])) {
                *entry = INFINITY;
                changed = true;
            }
        }
    }
    for j in 1..n {
        let floor = lt(-upper[j]);
        if zone[j] <= floor && zone[j] != floor.min(LE_ZERO) {
            zone[j] = floor.min(LE_ZERO);
            changed = true;
        }
    }
    if changed {
        close(zone, n);
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::{extrapolate_lu_plus_plain, raise_lu_plus_and_close};
    use crate::bound::{NO_BOUND, le};
    use crate::zone::kernel;
    use crate::zone::{Constraint, init_zero, reset, up_within};

    /// Wide zones in which many clocks lose their upper bound and nothing else, and such that lose more.
    #[test]
    fn wide_zones_are_enlarged_by_the_definition() {
        let (mut column, mut more) = (0, 0);
        for seed in 0..120usize {
            let n = [66, 90, 130][seed % 3];
            let number =
                |index: usize, below: usize| (seed * 31 + index * index * 7 + index) % below;
            let mut zone = vec![0; n * n];
            init_zero(&mut zone, n);
            for round in 0..seed % 4 {
                let within = Constraint {
                    left: 1,
                    right: 0,
                    bound: le(25 * (round as i32 + 1)),
                };
                assert!(up_within(&mut zone, n, &[within]));
                reset(&mut zone, n, 2 + number(round, n - 2), 0);
            }
            let invariants: Vec<Constraint> = (1..n)
                .map(|clock| Constraint {
                    left: clock as u16,
                    right: 0,
                    bound: le(200),
                })
                .collect();
            assert!(up_within(&mut zone, n, &invariants));
            let spread = 1 + seed % 5 * 12;
            let bound = |index: usize| match number(index, 11) {
                0 => NO_BOUND,
                _ => 20 + number(index, spread) as i32,
            };
            let lower: Vec<i32> = (0..n).map(bound).collect();
            let upper: Vec<i32> = (0..n).map(|index| bound(index + 1).max(200)).collect();
            let mut expected = zone.clone();
            let changed = extrapolate_lu_plus_plain(&mut expected, n, &lower, &upper);
            let raised = kernel::raise_lu_plus::<4>(&mut zone.clone(), n, &lower, &upper);
            match raised.beyond_zero {
                true => more += 1,
                false => column += usize::from(raised.lost.len() > n / 2),
            }
            assert_eq!(
                raise_lu_plus_and_close::<4>(&mut zone, n, &lower, &upper),
                changed
            );
            assert!(zone == expected, "seed {seed}");
        }
        assert!(column > 10 && more > 10, "{column}, {more}");
    }
}
