//! Zones against their points: every point of a grid that is fine enough to tell zones apart.

use merkhet_testing::Random;

use crate::certificates::federation::{Federation, time_predecessors, time_successors};
use crate::certificates::simulation::{ALWAYS, Levels, NEVER, covers};
use crate::certificates::zone::Zone;

/// Points lie at every second unit, moments of time at every unit: between any two changes there is a moment.
const SCALE: i128 = 8;
const MOST: i128 = 4 * SCALE + 4;
const FAR: i128 = 8 * SCALE;

/// A random zone over two clocks with constants up to 3.
fn zone(random: &mut Random) -> Zone {
    loop {
        let mut zone = Some(Zone::universe(3));
        for _ in 0..random.below(5) {
            let (left, right) = (random.below(3), random.below(3));
            let value = i64::from(random.between(-3, 3)) * 2 + random.below(2) as i64;
            zone = zone.and_then(|zone| zone.constrain(left, right, value));
        }
        if let Some(zone) = zone {
            return zone;
        }
    }
}

fn points() -> impl Iterator<Item = Vec<i128>> {
    let steps = || (0..=MOST).step_by(2);
    steps().flat_map(move |x| steps().map(move |y| vec![0, x, y]))
}

fn shifted(point: &[i128], by: i128) -> Vec<i128> {
    vec![0, point[1] + by, point[2] + by]
}

#[test]
fn operations_agree_with_points() {
    let mut random = Random::new(5);
    for _ in 0..300 {
        let (a, b) = (zone(&mut random), zone(&mut random));
        let both = a.intersect(&b);
        let difference = Federation {
            zones: a.subtract(&b),
        };
        let (down, up, strict) = (a.down(), a.up(&a.all_running()), a.strictly_up());
        for point in points() {
            let inside = |zone: &Zone| zone.contains(&point, SCALE);
            let (in_a, in_b) = (inside(&a), inside(&b));
            assert_eq!(both.as_ref().is_some_and(inside), in_a && in_b);
            assert_eq!(difference.contains(&point, SCALE), in_a && !in_b);
            let later = |t: i128| a.contains(&shifted(&point, t), SCALE);
            assert_eq!(inside(&down), (0..=MOST).any(later));
            let room = point[1].min(point[2]);
            let earlier = |t: i128| a.contains(&shifted(&point, -t), SCALE);
            assert_eq!(inside(&up), (0..=room).any(earlier));
            assert_eq!(inside(&strict), (1..=room).any(earlier));
        }
        assert_eq!(a.includes(&b), b.subtract(&a).is_empty());
    }
}

#[test]
fn delays_that_avoid_something_agree_with_points() {
    let mut random = Random::new(6);
    for _ in 0..150 {
        let [goal, bad, hurry] = [(); 3].map(|()| Federation {
            zones: (0..random.below(3)).map(|_| zone(&mut random)).collect(),
        });
        let start = zone(&mut random);
        let before = time_predecessors(&goal, &bad, &hurry);
        let after = time_successors(&start, &hurry);
        for point in points() {
            let within = |set: &Federation, t: i128| set.contains(&shifted(&point, t), SCALE);
            let mut expected = false;
            for t in 0..=MOST {
                if within(&bad, t) {
                    break;
                }
                expected |= within(&goal, t);
                if within(&hurry, t) {
                    break;
                }
            }
            assert_eq!(before.contains(&point, SCALE), expected, "{point:?}");
            let mut expected = false;
            for t in 0..=point[1].min(point[2]) {
                if t > 0 && within(&hurry, -t) {
                    break;
                }
                expected |= start.contains(&shifted(&point, -t), SCALE);
            }
            assert_eq!(after.contains(&point, SCALE), expected, "{point:?}");
        }
    }
}

#[test]
fn covering_agrees_with_the_definition_of_the_preorder() {
    let mut random = Random::new(7);
    let mut covered = 0;
    for round in 0..400 {
        let (a, b) = (zone(&mut random), zone(&mut random));
        let mut level = || match random.below(8) {
            0 => NEVER,
            1 => ALWAYS,
            _ => i64::from(random.between(0, 3)),
        };
        let levels = Levels {
            lower: vec![ALWAYS, level(), level()],
            upper: vec![ALWAYS, level(), level()],
        };
        let beyond = |value: i128, level: i64| match level {
            NEVER => true,
            ALWAYS => false,
            _ => value > i128::from(level) * SCALE,
        };
        let simulated = |v: i128, w: i128, row: usize| {
            v == w
                || (w < v && beyond(w, levels.lower[row]))
                || (v < w && beyond(v, levels.upper[row]))
        };
        // A point of `b` that simulates one of `a` may lie further out than the grid of `a`.
        let far = || (0..=FAR).flat_map(|x| (0..=FAR).map(move |y| vec![0, x, y]));
        let candidates: Vec<Vec<i128>> = far().filter(|p| b.contains(p, SCALE)).collect();
        let expected = points().filter(|v| a.contains(v, SCALE)).all(|v| {
            candidates
                .iter()
                .any(|w| (1..3).all(|row| simulated(v[row], w[row], row)))
        });
        assert_eq!(
            covers(&b, &a, &levels),
            expected,
            "round {round}\n{a:?}\n{b:?}\n{levels:?}"
        );
        covered += usize::from(expected);
    }
    assert!(covered > 40, "only {covered} covered");
}
