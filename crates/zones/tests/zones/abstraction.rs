//! The abstractions: how they relate to each other and to their definitions.

use crate::random::{Random, rounds};
use merkhet_zones::bound::{self, Bound, INFINITY, le, lt};
use merkhet_zones::zone::{self, point};

/// Whether a point is in `aLU(zone)`, by the definition: some v' in the zone with, for each clock, `v(x) = v'(x)`, or
/// `L < v'(x) < v(x)`, or `U < v(x) < v'(x)`. For a fixed v these v' form a box.
///
/// Bounds scaled by the denominator make the point's coordinates integers.
fn in_alu(
    zone: &[Bound],
    n: usize,
    point: &[i64],
    denominator: i64,
    lower: &[i32],
    upper: &[i32],
) -> bool {
    let scale = |entry: Bound| match entry {
        INFINITY => INFINITY,
        _ => 2 * bound::constant(entry) * denominator as i32 + (entry & 1),
    };
    let mut scaled: Vec<_> = zone.iter().map(|&entry| scale(entry)).collect();
    for x in 1..n {
        let value = point[x] as i32;
        let above = |limit: i32| limit < 0 || value > limit * denominator as i32;
        let low = if !above(lower[x]) {
            le(-value)
        } else if lower[x] < 0 {
            le(0)
        } else {
            lt(-lower[x] * denominator as i32)
        };
        let high = if above(upper[x]) { INFINITY } else { le(value) };
        scaled[x] = scaled[x].min(low);
        scaled[x * n] = scaled[x * n].min(high);
    }
    zone::close(&mut scaled, n)
}

/// A grid fine enough to meet every region of `clocks` clocks, and every way to place one clock between others.
fn grid(n: usize, max: i64, denominator: i64) -> Vec<Vec<i64>> {
    let mut points = vec![vec![0]];
    for _ in 1..n {
        points = points
            .iter()
            .flat_map(|point| {
                (0..=denominator * (max + 1)).map(|v| [point.clone(), vec![v]].concat())
            })
            .collect();
    }
    points
}

#[test]
fn alu_inclusion_is_its_definition() {
    let max = 2;
    let (mut included, mut excluded) = (0, 0);
    for (n, denominator, usual) in [(2, 2, 500), (3, 4, 1500), (4, 4, 60)] {
        // Beyond 2 * max + 1 nothing new happens: zones speak of differences up to max only.
        let points = grid(n, 2 * max, denominator);
        for seed in 0..rounds(usual) {
            let mut random = Random(seed);
            let (small, large) = (random.zone(n, max), random.zone(n, max));
            let (lower, upper) = (random.clock_bounds(n, max), random.clock_bounds(n, max));
            let by_definition = points
                .iter()
                .filter(|p| point::contains(&small, n, p, denominator))
                .all(|p| in_alu(&large, n, p, denominator, &lower, &upper));
            let answer = zone::included_in_alu(&small, &large, n, &lower, &upper);
            assert_eq!(answer, by_definition, "seed {seed}, dimension {n}");
            let core = |zone: &[Bound]| {
                let mut core = vec![0; n * n];
                zone::alu_core(zone, n, &lower, &upper, &mut core);
                core
            };
            let (own, other) = (core(&small), core(&large));
            let at_most = |zone: &[Bound]| own.iter().zip(zone).all(|(core, bound)| core <= bound);
            assert_eq!(answer, at_most(&large), "seed {seed}: the core in the zone");
            assert_eq!(answer, at_most(&other), "seed {seed}: the core in the core");
            if answer { included += 1 } else { excluded += 1 }
        }
    }
    assert!(included > 300 && excluded > 300, "{included} {excluded}");
}

#[test]
fn extrapolations_are_ordered_and_inside_alu() {
    for seed in 0..rounds(20_000) {
        let mut random = Random(seed);
        let n = 2 + random.index(5);
        let max = if random.chance(50) { 2 } else { 5 };
        let zone = random.zone(n, max);
        let (lower, upper) = (random.clock_bounds(n, max), random.clock_bounds(n, max));
        let maximum: Vec<_> = lower.iter().zip(&upper).map(|(l, u)| *l.max(u)).collect();
        let apply = |operation: &dyn Fn(&mut [Bound]) -> bool| {
            let mut result = zone.clone();
            operation(&mut result);
            assert!(zone::includes(&result, &zone));
            result
        };
        let m = apply(&|z| zone::extrapolate_lu(z, n, &maximum, &maximum));
        let m_plus = apply(&|z| zone::extrapolate_lu_plus(z, n, &maximum, &maximum));
        let lu = apply(&|z| zone::extrapolate_lu(z, n, &lower, &upper));
        let lu_plus = apply(&|z| zone::extrapolate_lu_plus(z, n, &lower, &upper));
        assert!(
            zone::includes(&m_plus, &m) && zone::includes(&lu, &m),
            "seed {seed}"
        );
        assert!(
            zone::includes(&lu_plus, &lu) && zone::includes(&lu_plus, &m_plus),
            "seed {seed}"
        );
        assert!(
            zone::included_in_alu(&lu_plus, &zone, n, &lower, &upper),
            "seed {seed}"
        );
        assert!(
            zone::included_in_alu(&m_plus, &zone, n, &maximum, &maximum),
            "seed {seed}"
        );
        let mut again = lu_plus.clone();
        let changed = zone::extrapolate_lu_plus(&mut again, n, &lower, &upper);
        assert!(!changed || again == lu_plus, "seed {seed}");
        assert_eq!(again, lu_plus, "ExtraLU+ is idempotent, seed {seed}");
    }
}

/// The simulation is not symmetric, and not an inclusion of extrapolated zones.
#[test]
fn alu_subsumes_inclusion() {
    for seed in 0..rounds(10_000) {
        let mut random = Random(seed);
        let n = 2 + random.index(5);
        let (small, large) = (random.zone(n, 4), random.zone(n, 4));
        let (lower, upper) = (random.clock_bounds(n, 4), random.clock_bounds(n, 4));
        assert!(zone::included_in_alu(&small, &small, n, &lower, &upper));
        if zone::includes(&large, &small) {
            assert!(zone::included_in_alu(&small, &large, n, &lower, &upper));
        }
        let mut extrapolated = large.clone();
        zone::extrapolate_lu_plus(&mut extrapolated, n, &lower, &upper);
        if zone::includes(&extrapolated, &small) {
            assert!(zone::included_in_alu(&small, &large, n, &lower, &upper));
        }
    }
}
