//! Every operation against the naive twin.

use crate::random::{Random, rounds};
use crate::twin::{Twin, decode};
use merkhet_zones::bound::Bound;
use merkhet_zones::zone::{self, Constraint, Relation};

/// Runs the check on random zones of dimensions 2 to 14, and now and then where the row sets end, beyond 64; the seed
/// is the number of the round.
fn check(usual: u64, max: i64, mut property: impl FnMut(&mut Random, usize, Vec<Bound>)) {
    for seed in 0..rounds(usual) {
        let mut random = Random(seed);
        let n = match random.range(0, 299) {
            0 => 63 + random.index(4),
            1..=60 => 8 + random.index(7),
            _ => 2 + random.index(6),
        };
        let zone = random.zone(n, max);
        property(&mut random, n, zone);
    }
}

#[track_caller]
fn same(zone: &[Bound], n: usize, twin: &Twin) {
    assert_eq!(&Twin::of(zone, n), twin);
}

#[test]
fn generated_zones_are_closed() {
    check(3000, 9, |_, n, zone| {
        let mut twin = Twin::of(&zone, n);
        assert!(twin.close());
        same(&zone, n, &twin);
    });
}

#[test]
fn close_of_any_matrix() {
    check(4000, 9, |random, n, mut zone| {
        for _ in 0..random.index(2 * n) {
            let (i, j) = (random.index(n), random.index(n));
            zone[i * n + j] = zone[i * n + j].min(random.bound(-3, 9));
        }
        let mut twin = Twin::of(&zone, n);
        let non_empty = twin.close();
        assert_eq!(zone::close(&mut zone, n), non_empty);
        assert_eq!(zone::is_empty(&zone), !non_empty);
        if non_empty {
            same(&zone, n, &twin);
        }
    });
}

#[test]
fn constrain_one() {
    check(8000, 9, |random, n, mut zone| {
        let (i, j, bound) = (random.index(n), random.index(n), random.bound(-9, 9));
        let mut twin = Twin::of(&zone, n);
        let implied = zone::implies(&zone, n, i, j, bound);
        let consistent = zone::is_consistent_with(&zone, n, i, j, bound);
        let before = zone.clone();
        let non_empty = zone::constrain(&mut zone, n, i, j, bound);
        assert_eq!(twin.constrain(i, j, decode(bound)), non_empty);
        assert_eq!(zone::is_empty(&zone), !non_empty);
        if i != j {
            assert_eq!(consistent, non_empty);
            assert_eq!(implied, before == zone);
        }
        if non_empty {
            same(&zone, n, &twin);
        }
    });
}

#[test]
fn constrain_several() {
    check(6000, 9, |random, n, mut zone| {
        let few = random.clock(n);
        let constraints: Vec<_> = (0..random.index(3 * n))
            .map(|_| Constraint {
                left: random.index(few + 1) as u16,
                right: random.index(few + 1) as u16,
                bound: random.bound(-2, 12),
            })
            .filter(|c| c.left != c.right)
            .collect();
        let mut twin = Twin::of(&zone, n);
        let non_empty = constraints
            .iter()
            .all(|c| twin.constrain(c.left.into(), c.right.into(), decode(c.bound)));
        assert_eq!(zone::constrain_all(&mut zone, n, &constraints), non_empty);
        if non_empty {
            same(&zone, n, &twin);
        }
    });
}

#[test]
fn delay_within_bounds() {
    let mut held = 0;
    check(6000, 9, |random, n, mut zone| {
        // Upper bounds for the most part, which often hold before the delay.
        let mut constraints: Vec<_> = (0..random.index(n))
            .map(|_| Constraint {
                left: random.clock(n) as u16,
                right: 0,
                bound: random.bound(0, 14),
            })
            .collect();
        if random.chance(20) {
            constraints.push(Constraint {
                left: 0,
                right: random.clock(n) as u16,
                bound: random.bound(-4, 0),
            });
        }
        let implied =
            |c: &Constraint| zone::implies(&zone, n, c.left.into(), c.right.into(), c.bound);
        held += usize::from(!constraints.is_empty() && constraints.iter().all(implied));
        let mut twin = Twin::of(&zone, n);
        twin.up();
        let non_empty = constraints
            .iter()
            .all(|c| twin.constrain(c.left.into(), c.right.into(), decode(c.bound)));
        assert_eq!(zone::up_within(&mut zone, n, &constraints), non_empty);
        if non_empty {
            same(&zone, n, &twin);
        }
    });
    assert!(held > 100, "{held}");
}

#[test]
fn intersection_and_disjointness() {
    check(6000, 6, |random, n, mut zone| {
        let other = random.zone(n, 6);
        let disjoint = zone::surely_disjoint(&zone, &other, n);
        let mut twin = Twin::of(&zone, n);
        let non_empty = twin.intersect(&Twin::of(&other, n));
        assert_eq!(zone::intersect(&mut zone, &other, n), non_empty);
        if non_empty {
            assert!(!disjoint);
            same(&zone, n, &twin);
        }
    });
}

#[test]
fn updates() {
    check(6000, 9, |random, n, zone| {
        let (x, y, value) = (random.clock(n), random.clock(n), random.range(0, 9));
        let run = |operation: &dyn Fn(&mut [Bound]), expected: &dyn Fn(&mut Twin)| {
            let mut result = zone.clone();
            operation(&mut result);
            let mut twin = Twin::of(&zone, n);
            expected(&mut twin);
            same(&result, n, &twin);
        };
        run(&|z| zone::up(z, n), &|t| t.up());
        run(&|z| zone::down(z, n), &|t| t.down());
        run(&|z| zone::free(z, n, x), &|t| t.free(x));
        run(&|z| zone::reset(z, n, x, value as i32), &|t| {
            t.reset(x, value)
        });
        run(&|z| zone::copy(z, n, x, y), &|t| t.copy(x, y));
        run(&|z| zone::up_running(z, n, |_| true), &|t| t.up());
        run(&|z| zone::up_running(z, n, |_| false), &|_| ());
    });
}

#[test]
fn shifts() {
    check(6000, 9, |random, n, mut zone| {
        let (x, y, offset) = (random.clock(n), random.clock(n), random.range(-6, 6));
        let mut twin = Twin::of(&zone, n);
        let non_empty = twin.shift(x, y, offset);
        assert_eq!(zone::shift(&mut zone, n, x, y, offset as i32), non_empty);
        if non_empty {
            same(&zone, n, &twin);
        }
    });
}

#[test]
fn comparisons_and_join() {
    check(6000, 3, |random, n, zone| {
        let mut other = random.zone(n, 3);
        if random.chance(50) {
            other.copy_from_slice(&zone);
            zone::constrain(
                &mut other,
                n,
                random.index(n),
                random.index(n),
                random.bound(0, 3),
            );
        }
        if zone::is_empty(&other) {
            return;
        }
        let (left, right) = (Twin::of(&zone, n), Twin::of(&other, n));
        assert_eq!(zone::includes(&zone, &other), right.below(&left));
        assert_eq!(zone::includes(&other, &zone), left.below(&right));
        let expected = match (left.below(&right), right.below(&left)) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Subset,
            (false, true) => Relation::Superset,
            (false, false) => Relation::Incomparable,
        };
        assert_eq!(zone::relation(&zone, &other), expected);
        assert_eq!(zone::equal(&zone, &other), expected == Relation::Equal);
        let mut joined = zone.clone();
        assert_eq!(
            zone::convex_union(&mut joined, &other, n),
            !right.below(&left)
        );
        let mut twin = left;
        twin.join(&right);
        same(&joined, n, &twin);
        assert!(twin.clone().close());
    });
}

#[test]
fn extrapolations() {
    check(8000, 9, |random, n, zone| {
        let (lower, upper) = (random.clock_bounds(n, 9), random.clock_bounds(n, 9));
        for plus in [false, true] {
            let mut result = zone.clone();
            let changed = if plus {
                zone::extrapolate_lu_plus(&mut result, n, &lower, &upper)
            } else {
                zone::extrapolate_lu(&mut result, n, &lower, &upper)
            };
            let mut twin = Twin::of(&zone, n);
            twin.extrapolate(&lower, &upper, plus);
            same(&result, n, &twin);
            assert!(changed || result == zone);
        }
    });
}
