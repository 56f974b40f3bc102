//! Every operation against the points of small zones: membership as the operation's definition says.
//!
//! Points lie on a grid of halves, witnesses (delays, old values of clocks) on a grid of quarters: with integer bounds
//! an open interval between two half-integers always holds a quarter.

use crate::random::{Random, rounds};
use merkhet_zones::Federation;
use merkhet_zones::bound::Bound;
use merkhet_zones::zone::{self, point};

const MAX: i64 = 3;
/// Quarters to one unit of time.
const FINE: i64 = 4;
/// No witness need be larger: differences add up, but to no more than this in zones of three clocks.
const LIMIT: i64 = 14 * MAX * FINE;

fn holds(zone: &[Bound], n: usize, point: &[i64]) -> bool {
    point.iter().all(|&value| value >= 0) && point::contains(zone, n, point, FINE)
}

/// All points on the grid of halves, in quarters.
fn grid(n: usize) -> Vec<Vec<i64>> {
    let mut points = vec![vec![0]];
    for _ in 1..n {
        points = points
            .iter()
            .flat_map(|point| (0..=2 * (MAX + 2)).map(|v| [point.clone(), vec![2 * v]].concat()))
            .collect();
    }
    points
}

fn check(usual: u64, property: impl Fn(&mut Random, usize, &[Bound], &[Vec<i64>])) {
    let grids: Vec<_> = (1..=4).map(grid).collect();
    for seed in 0..rounds(usual) {
        let mut random = Random(seed);
        let n = if random.chance(70) { 3 } else { 4 };
        let zone = random.zone(n, MAX);
        let mut points = grids[n - 1].clone();
        if n == 4 {
            points = (0..150)
                .map(|_| points[random.index(points.len())].clone())
                .collect();
            // And points that are surely inside, with odd corners among them.
            points.extend((0..20).filter_map(|_| {
                point::sample(&zone, n, 2, |low, high| {
                    random.range(low, high.unwrap_or(low + 6))
                })
                .map(|point| point.iter().map(|v| v * 2).collect())
            }));
        }
        property(&mut random, n, &zone, &points);
    }
}

fn delayed(point: &[i64], delay: i64, running: impl Fn(usize) -> bool) -> Vec<i64> {
    point
        .iter()
        .enumerate()
        .map(|(i, v)| if i > 0 && running(i) { v + delay } else { *v })
        .collect()
}

fn with(point: &[i64], x: usize, value: i64) -> Vec<i64> {
    let mut changed = point.to_vec();
    changed[x] = value;
    changed
}

#[test]
fn up_and_down() {
    check(150, |_, n, zone, points| {
        let (mut later, mut earlier) = (zone.to_vec(), zone.to_vec());
        zone::up(&mut later, n);
        zone::down(&mut earlier, n);
        for p in points {
            let from_past = (0..LIMIT).any(|d| holds(zone, n, &delayed(p, -d, |_| true)));
            assert_eq!(holds(&later, n, p), from_past, "{p:?} {zone:?}");
            let to_future = (0..LIMIT).any(|d| holds(zone, n, &delayed(p, d, |_| true)));
            assert_eq!(holds(&earlier, n, p), to_future, "{p:?} {zone:?}");
        }
    });
}

#[test]
fn delay_with_stopped_clocks() {
    check(200, |random, n, zone, points| {
        let mask = random.next();
        let running = |x: usize| mask >> x & 1 != 0;
        let exact = (1..n).filter(|&x| running(x)).count() <= 1 || (1..n).all(running);
        let mut later = zone.to_vec();
        zone::up_running(&mut later, n, running);
        for p in points {
            let from_past = (0..LIMIT).any(|d| holds(zone, n, &delayed(p, -d, running)));
            assert!(holds(&later, n, p) || !from_past);
            if exact {
                assert_eq!(holds(&later, n, p), from_past);
            }
        }
        let mut closed = later.clone();
        assert!(zone::close(&mut closed, n));
        assert_eq!(closed, later);
    });
}

#[test]
fn free_reset_copy_shift() {
    check(100, |random, n, zone, points| {
        let (x, y) = (random.clock(n), random.clock(n));
        let (value, offset) = (random.range(0, MAX), random.range(-2, 2));
        let mut freed = zone.to_vec();
        zone::free(&mut freed, n, x);
        let mut reset = zone.to_vec();
        zone::reset(&mut reset, n, x, value as i32);
        let mut copied = zone.to_vec();
        zone::copy(&mut copied, n, x, y);
        let mut shifted = zone.to_vec();
        let shifted_left = zone::shift(&mut shifted, n, x, y, offset as i32);
        for p in points {
            let some_value = (0..LIMIT).any(|v| holds(zone, n, &with(p, x, v)));
            assert_eq!(holds(&freed, n, p), some_value);
            assert_eq!(holds(&reset, n, p), some_value && p[x] == value * FINE);
            if x == y {
                assert_eq!(holds(&copied, n, p), holds(zone, n, p));
                let before = with(p, x, p[x] - offset * FINE);
                assert_eq!(
                    shifted_left && holds(&shifted, n, p),
                    holds(zone, n, &before)
                );
            } else {
                assert_eq!(holds(&copied, n, p), some_value && p[x] == p[y]);
                let expected = some_value && p[x] == p[y] + offset * FINE;
                assert_eq!(shifted_left && holds(&shifted, n, p), expected);
            }
        }
    });
}

#[test]
fn constrain_and_intersect() {
    check(600, |random, n, zone, points| {
        let other = random.zone(n, MAX);
        let (i, j, bound) = (random.index(n), random.index(n), random.bound(-MAX, MAX));
        let mut constrained = zone.to_vec();
        let left = zone::constrain(&mut constrained, n, i, j, bound);
        let mut both = zone.to_vec();
        let both_left = zone::intersect(&mut both, &other, n);
        for p in points {
            let satisfied = point::satisfies(i128::from(p[i] - p[j]), bound, FINE);
            assert_eq!(
                left && holds(&constrained, n, p),
                holds(zone, n, p) && satisfied
            );
            assert_eq!(
                both_left && holds(&both, n, p),
                holds(zone, n, p) && holds(&other, n, p)
            );
        }
    });
}

#[test]
fn subtraction_is_exact_and_disjoint() {
    check(600, |random, n, zone, points| {
        let removed = random.zone(n, MAX);
        let mut parts = Vec::new();
        zone::subtract(zone, &removed, n, &mut parts);
        for p in points {
            let owners = parts
                .chunks_exact(n * n)
                .filter(|part| holds(part, n, p))
                .count();
            let expected = holds(zone, n, p) && !holds(&removed, n, p);
            assert_eq!(owners, usize::from(expected));
        }
        for part in parts.chunks_exact(n * n) {
            let mut closed = part.to_vec();
            assert!(zone::close(&mut closed, n), "no part is empty");
            assert_eq!(closed, part);
        }
    });
}

#[test]
fn federations() {
    check(250, |random, n, zone, points| {
        let mut union = Federation::new(n);
        let members: Vec<_> = (0..3).map(|_| random.zone(n, MAX)).collect();
        members.iter().for_each(|member| union.push(member));
        let within = |p: &[i64]| members.iter().any(|member| holds(member, n, p));
        let contains = |federation: &Federation, p: &[i64]| {
            federation.zones().any(|member| holds(member, n, p))
        };
        let mut difference = Federation::new(n);
        difference.assign(zone);
        difference.subtract(&union);
        let mut remainder = union.clone();
        remainder.subtract_zone(zone);
        let mut meet = Federation::new(n);
        for mut member in members.iter().cloned() {
            if zone::intersect(&mut member, zone, n) {
                meet.push(&member);
            }
        }
        assert_eq!(union.includes_zone(zone), difference.is_empty());
        for p in points {
            assert_eq!(contains(&union, p), within(p));
            assert_eq!(contains(&difference, p), holds(zone, n, p) && !within(p));
            assert_eq!(contains(&remainder, p), within(p) && !holds(zone, n, p));
            assert_eq!(contains(&meet, p), within(p) && holds(zone, n, p));
        }
        union.subtract(&meet);
        assert!(union.includes(&remainder) && remainder.includes(&union));
    });
}

#[test]
fn samples_are_members() {
    for seed in 0..rounds(3000) {
        let mut random = Random(seed);
        let n = 1 + random.index(7);
        let zone = random.zone(n, 9);
        let denominator = n as i64 + random.range(0, 3);
        let point = point::sample(&zone, n, denominator, |low, high| {
            random.range(low, high.unwrap_or(low + 20))
        });
        let point = point.expect("a grid of n steps meets every zone");
        assert!(point::contains(&zone, n, &point, denominator));
    }
}
