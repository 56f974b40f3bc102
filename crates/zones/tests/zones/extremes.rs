//! Bounds at the edge of what they can hold: nothing overflows, and results only grow.

use crate::random::{Random, rounds};
use crate::twin::{Twin, decode};
use merkhet_zones::bound::{Bound, MAX_CONSTANT, le, lt};
use merkhet_zones::zone;

fn constant(random: &mut Random) -> i32 {
    let near = |random: &mut Random| MAX_CONSTANT - random.range(0, 3) as i32;
    match random.range(0, 3) {
        0 => random.range(0, 3) as i32,
        1 => near(random) / 2,
        _ => near(random),
    }
}

fn bound(random: &mut Random) -> Bound {
    let sign = if random.chance(50) { -1 } else { 1 };
    let value = sign * constant(random);
    if random.chance(50) {
        le(value)
    } else {
        lt(value)
    }
}

/// A run of random operations on a zone and on its exact twin: the zone must include the twin at all times.
#[test]
fn saturation_only_enlarges() {
    for seed in 0..rounds(3000) {
        let mut random = Random(seed);
        let n = 2 + random.index(5);
        let mut current = vec![0; n * n];
        zone::init_zero(&mut current, n);
        let mut exact = Twin::of(&current, n);
        for _ in 0..25 {
            let (x, y) = (random.clock(n), random.clock(n));
            match random.range(0, 5) {
                0 | 1 => {
                    zone::up(&mut current, n);
                    exact.up();
                }
                2 => {
                    let value = constant(&mut random);
                    zone::reset(&mut current, n, x, value);
                    exact.reset(x, value.into());
                }
                3 => {
                    zone::copy(&mut current, n, x, y);
                    exact.copy(x, y);
                }
                _ => {
                    let (i, j) = (random.index(n), random.index(n));
                    let bound = bound(&mut random);
                    let mut narrowed = exact.clone();
                    if i != j && narrowed.constrain(i, j, decode(bound)) {
                        exact = narrowed;
                        assert!(zone::constrain(&mut current, n, i, j, bound), "seed {seed}");
                    }
                }
            }
            assert!(exact.below(&Twin::of(&current, n)), "seed {seed}");
        }
        let mut closed = current.clone();
        assert!(zone::close(&mut closed, n));
        assert!(exact.below(&Twin::of(&closed, n)), "seed {seed}");
        zone::down(&mut closed, n);
        let bounds: Vec<_> = (0..n).map(|_| constant(&mut random)).collect();
        for extrapolate in [zone::extrapolate_lu, zone::extrapolate_lu_plus] {
            let mut result = current.clone();
            extrapolate(&mut result, n, &bounds, &bounds);
            assert!(exact.below(&Twin::of(&result, n)), "seed {seed}");
        }
        assert!(zone::included_in_alu(
            &current, &current, n, &bounds, &bounds
        ));
    }
}

#[test]
fn the_largest_constant_is_exact() {
    let n = 3;
    let mut current = vec![0; n * n];
    zone::init_zero(&mut current, n);
    zone::up(&mut current, n);
    assert!(zone::constrain(&mut current, n, 1, 0, le(MAX_CONSTANT)));
    assert!(zone::constrain(&mut current, n, 0, 1, le(-MAX_CONSTANT)));
    assert_eq!(current[2], le(-MAX_CONSTANT));
    assert!(!zone::is_consistent_with(
        &current,
        n,
        2,
        0,
        lt(MAX_CONSTANT)
    ));
    zone::reset(&mut current, n, 2, 0);
    assert_eq!(current[n + 2], le(MAX_CONSTANT));
    assert!(!zone::constrain(&mut current, n, 1, 2, lt(MAX_CONSTANT)));
}
