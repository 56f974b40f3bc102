//! The vector kernels compute what the plain ones do.

use super::*;
use crate::bound::{INFINITY, LE_ZERO, MAX_CONSTANT, NO_BOUND, SMALLEST};
use crate::zone::rows::by_words;
use crate::zone::storage::subset::{Subset, choose, pad};
use crate::zone::{
    close, constrain, extrapolate_lu, extrapolate_lu_plus, init_universal, is_consistent_with,
};

#[allow(dead_code)]
#[path = "../../../tests/zones/random.rs"]
mod random;

use random::Random;

/// A matrix that need be no zone, with small, large, infinite and extreme entries.
fn matrix(random: &mut Random, n: usize) -> Vec<Bound> {
    let entry = |random: &mut Random| match random.range(0, 9) {
        0..=2 => INFINITY,
        3 => SMALLEST + random.range(0, 5) as i32,
        4 => INFINITY - random.range(1, 5) as i32,
        5 => random.range(SMALLEST.into(), INFINITY.into()) as i32,
        _ => random.range(-20, 60) as i32,
    };
    let mut matrix: Vec<_> = (0..n * n).map(|_| entry(random)).collect();
    (0..n).for_each(|i| matrix[i * n + i] = LE_ZERO);
    matrix
}

/// A closed zone, in some rounds with constants at the edge.
fn zone(random: &mut Random, n: usize) -> Vec<Bound> {
    let max = if random.chance(20) {
        MAX_CONSTANT.into()
    } else {
        12
    };
    let mut zone = vec![0; n * n];
    init_universal(&mut zone, n);
    for _ in 0..random.index(3 * n) {
        let (i, j, bound) = (random.index(n), random.index(n), random.bound(-max, max));
        if i != j && is_consistent_with(&zone, n, i, j, bound) {
            constrain(&mut zone, n, i, j, bound);
        }
    }
    // At the edge saturation leaves entries loose, and the last closing may still find the zone empty.
    if close(&mut zone, n) {
        zone
    } else {
        self::zone(random, n)
    }
}

/// A zone without bounds at the edge of what there is: however it is closed, no sum saturates.
fn small_zone(random: &mut Random, n: usize) -> Vec<Bound> {
    let mut zone = vec![0; n * n];
    init_universal(&mut zone, n);
    for _ in 0..2 * n {
        let (i, j, bound) = (random.index(n), random.index(n), random.bound(-12, 30));
        if i != j && is_consistent_with(&zone, n, i, j, bound) {
            constrain(&mut zone, n, i, j, bound);
        }
    }
    zone
}

fn rows(random: &mut Random, n: usize) -> RowSet {
    RowSet::from_bits(random.next()).without(RowSet::all(64).without(RowSet::all(n)))
}

fn clock_bounds(random: &mut Random, n: usize) -> Vec<i32> {
    let bound = |random: &mut Random| match random.range(0, 9) {
        0 | 1 => NO_BOUND,
        2 => MAX_CONSTANT,
        _ => random.range(0, 12) as i32,
    };
    (0..n).map(|_| bound(random)).collect()
}

/// Runs the check in dimensions 1 to 40, and where row sets need another word.
fn check(usual: u64, property: impl Fn(&mut Random, usize)) {
    for n in (1..=40).chain([56, 63, 64, 65, 70, 128, 131, 260]) {
        let usual = match n {
            ..25 => usual,
            25..100 => usual / 8 + 1,
            _ => 3,
        };
        for seed in 0..random::rounds(usual) {
            property(&mut Random(seed << 8 | n as u64), n);
        }
    }
}

#[test]
fn close_same() {
    check(200, |random, n| {
        let mut expected = if random.chance(50) {
            matrix(random, n)
        } else {
            zone(random, n)
        };
        let mut result = expected.clone();
        scalar::close(&mut expected, n);
        super::close(&mut result, n);
        assert_eq!(expected, result, "dimension {n}");
    });
}

#[test]
fn relax_rows_same() {
    check(400, |random, n| by_words!(n, check_relax_rows(random, n)));
}

fn check_relax_rows<const W: usize>(random: &mut Random, n: usize) {
    let mut expected = matrix(random, n);
    let mut result = expected.clone();
    let (mut pivots, mut rows) = (RowSets::<W>::default(), RowSets::<W>::default());
    for row in 0..n {
        if random.chance(50) {
            pivots.insert(row);
        }
        if random.chance(50) {
            rows.insert(row);
        }
    }
    scalar::relax_rows(&mut expected, n, pivots, rows);
    relax_rows(&mut result, n, pivots, rows);
    assert_eq!(expected, result, "dimension {n}");
}

#[test]
fn close_constraint_same() {
    check(400, |random, n| {
        let mut expected = zone(random, n);
        let mut result = expected.clone();
        let (i, j) = (random.index(n), random.index(n));
        let largest = i64::from(MAX_CONSTANT);
        let bound = if random.chance(20) {
            random.bound(-largest, largest)
        } else {
            random.bound(-12, 12)
        };
        if i == j || bound >= expected[i * n + j] || !is_consistent_with(&expected, n, i, j, bound)
        {
            return;
        }
        scalar::close_constraint(&mut expected, n, i, j, bound);
        close_constraint(&mut result, n, i, j, bound);
        assert_eq!(expected, result, "dimension {n}");
    });
}

#[test]
fn comparisons_same() {
    check(400, |random, n| {
        let left = matrix(random, n);
        let mut right = left.clone();
        for _ in 0..random.index(4) {
            right[random.index(n * n)] += random.range(-1, 1) as i32;
        }
        assert_eq!(
            any_greater(&left, &right),
            scalar::any_greater(&left, &right)
        );
        assert_eq!(
            find_greater(&left, &right),
            scalar::find_greater(&left, &right)
        );
        assert_eq!(compare(&left, &right), scalar::compare(&left, &right));
        assert_eq!(sum_clamped(&left, 99), scalar::sum_clamped(&left, 99));
        let (mut expected, mut result) = (left.clone(), left.clone());
        assert_eq!(
            maximum(&mut result, &right),
            scalar::maximum(&mut expected, &right)
        );
        assert_eq!(expected, result);
    });
}

#[test]
fn alu_same() {
    let outcomes = std::cell::Cell::new([0; 2]);
    check(500, |random, n| {
        let small = zone(random, n);
        let mut large = if random.chance(60) {
            small.clone()
        } else {
            zone(random, n)
        };
        if random.chance(70) {
            let entry = &mut large[random.index(n * n)];
            *entry = (*entry - 2).max(crate::bound::SMALLEST);
        }
        let (lower, upper) = (clock_bounds(random, n), clock_bounds(random, n));
        let expected = scalar::alu_violated(&small, &large, n, &lower, &upper);
        assert_eq!(
            alu_violated(&small, &large, n, &lower, &upper),
            expected,
            "dimension {n}"
        );
        let (mut core, mut plain) = (vec![0; n * n], vec![0; n * n]);
        alu_core(&small, n, &lower, &upper, &mut core);
        scalar::alu_core(&small, n, &lower, &upper, &mut plain);
        assert_eq!(core, plain, "dimension {n}");
        assert_eq!(any_greater(&core, &large), expected, "dimension {n}");
        let mut counts = outcomes.get();
        counts[usize::from(expected)] += 1;
        outcomes.set(counts);
    });
    assert!(
        outcomes.get().iter().all(|&count| count > 300),
        "{:?}",
        outcomes.get()
    );
}

#[test]
fn raise_lu_plus_same() {
    check(500, |random, n| {
        by_words!(n, check_raise_lu_plus(random, n))
    });
}

fn check_raise_lu_plus<const W: usize>(random: &mut Random, n: usize) {
    let mut expected = zone(random, n);
    let mut result = expected.clone();
    let (lower, upper) = (clock_bounds(random, n), clock_bounds(random, n));
    let raised: Raised<W> = raise_lu_plus(&mut result, n, &lower, &upper);
    assert!(
        raised == scalar::raise_lu_plus(&mut expected, n, &lower, &upper),
        "dimension {n}"
    );
    assert_eq!(expected, result, "dimension {n}");
    // Closing only what lost something closes everything.
    let mut expected = small_zone(random, n);
    let mut result = expected.clone();
    scalar::raise_lu_plus::<W>(&mut expected, n, &lower, &upper);
    scalar::close(&mut expected, n);
    extrapolate_lu_plus(&mut result, n, &lower, &upper);
    assert_eq!(expected, result, "dimension {n}");
}

#[test]
fn raise_lu_same() {
    check(500, |random, n| by_words!(n, check_raise_lu(random, n)));
}

fn check_raise_lu<const W: usize>(random: &mut Random, n: usize) {
    let mut expected = zone(random, n);
    let mut result = expected.clone();
    let (lower, upper) = (clock_bounds(random, n), clock_bounds(random, n));
    let changed: RowSets<W> = raise_lu(&mut result, n, &lower, &upper);
    assert!(
        changed == scalar::raise_lu(&mut expected, n, &lower, &upper),
        "dimension {n}"
    );
    assert_eq!(expected, result, "dimension {n}");
    let mut expected = small_zone(random, n);
    let mut result = expected.clone();
    scalar::raise_lu::<W>(&mut expected, n, &lower, &upper);
    scalar::close(&mut expected, n);
    extrapolate_lu(&mut result, n, &lower, &upper);
    assert_eq!(expected, result, "dimension {n}");
}

#[test]
fn minimum_and_implied_columns_same() {
    check(400, |random, n| {
        let n = n.min(RowSet::CAPACITY);
        let mut expected = if random.chance(50) {
            matrix(random, n)
        } else {
            zone(random, n)
        };
        let mut result = expected.clone();
        let mut other = expected.clone();
        for _ in 0..random.index(5) {
            other[random.index(n * n)] += random.range(-1, 1) as i32;
        }
        let (i, through) = (random.index(n), rows(random, n));
        let implied = implied_columns(&result, n, i, through);
        assert!(
            implied == scalar::implied_columns(&expected, n, i, through),
            "dimension {n}"
        );
        let touched = minimum(&mut result, &other, n);
        assert!(
            touched == scalar::minimum(&mut expected, &other, n),
            "dimension {n}"
        );
        assert_eq!(expected, result);
    });
}

fn check_narrow<T: Narrow>(random: &mut Random, n: usize) {
    let small = zone(random, n);
    let mut large = if random.chance(60) {
        small.clone()
    } else {
        zone(random, n)
    };
    if random.chance(50) {
        large[random.index(n * n)] -= 1;
    }
    let pack = |zone: &[Bound]| {
        zone.iter()
            .map(|&entry| T::narrow(entry))
            .collect::<Option<Vec<T>>>()
    };
    let (Some(packed_small), Some(packed_large)) = (pack(&small), pack(&large)) else {
        return;
    };
    let greater = scalar::any_greater(&small, &large);
    assert_eq!(any_greater_narrow(&packed_small, &packed_large), greater);
    assert_eq!(any_greater_mixed(&small, &packed_large), greater);
    let (lower, upper) = (clock_bounds(random, n), clock_bounds(random, n));
    let mut core = vec![0; n * n];
    scalar::alu_core(&small, n, &lower, &upper, &mut core);
    let (mut packed, mut plain) = (packed_small.clone(), packed_small);
    saturate(&core, &mut packed);
    scalar::saturate(&core, &mut plain);
    assert!(packed == plain, "dimension {n}");
    let violated = scalar::alu_violated(&small, &large, n, &lower, &upper);
    assert_eq!(
        any_greater_narrow(&packed, &packed_large),
        violated,
        "dimension {n}"
    );
}

#[test]
fn narrow_same() {
    check(300, |random, n| {
        check_narrow::<i8>(random, n);
        check_narrow::<i16>(random, n);
        check_narrow::<i32>(random, n);
    });
}

/// Words of four numbers, near one another, in lists of every length: both forms agree with a comparison one by one.
#[test]
fn lanes() {
    let mut random = Random(7);
    let word = |random: &mut Random| -> u64 {
        (0..4).fold(0, |word, lane| {
            word | (random.range(0, 3) as u64 * 0x2aaa) << (16 * lane)
        })
    };
    for length in 0..=64 {
        for _ in 0..20 {
            let words: Vec<u64> = (0..length).map(|_| word(&mut random)).collect();
            let pivot = word(&mut random);
            let lanes = |word: u64| [0, 16, 32, 48].map(|shift| word >> shift & 0xffff);
            let (mut no_smaller, mut no_larger) = (0u64, 0u64);
            for (index, other) in words.iter().enumerate() {
                let pairs = || lanes(*other).into_iter().zip(lanes(pivot));
                no_smaller |= u64::from(pairs().all(|(other, pivot)| other >= pivot)) << index;
                no_larger |= u64::from(pairs().all(|(other, pivot)| other <= pivot)) << index;
            }
            assert_eq!(compare_lanes(&words, pivot), (no_smaller, no_larger));
            assert_eq!(
                scalar::compare_lanes(&words, pivot),
                (no_smaller, no_larger)
            );
        }
    }
}

/// The sums of rows are those of a plain loop, in every dimension.
#[test]
fn sums_of_lanes() {
    let mut random = Random(11);
    for n in 1..=20 {
        for limit in [2, 40, 1000] {
            let zone = matrix(&mut random, n);
            let mut expected = [0u32; 4];
            for (index, entry) in zone.iter().enumerate() {
                let row = index / n;
                let lane = if row == 0 { 0 } else { 1 + (row - 1) % 3 };
                let value = ((*entry).clamp(-limit, limit) + limit) as u32;
                expected[lane] += value;
            }
            let sums = crate::zone::storage::lanes::sums(&zone, n, limit);
            assert_eq!(sums, expected, "{n}");
        }
    }
}

/// The rows and columns of some clocks, and back, with the others free.
#[test]
fn subsets() {
    let mut random = Random(41);
    for round in 0..4000 {
        let n = 1 + round % 20;
        let chosen = random.next();
        let subset = Subset::new(n, |row| chosen >> row & 1 != 0);
        let (k, whole) = (subset.rows().len(), matrix(&mut random, n));
        let (mut vector, mut plain) = (vec![7; k * k + Subset::PADDING], vec![0; k * k]);
        subset.gather(&whole, &mut vector);
        scalar::choose(&whole, n, subset.rows(), k, &mut plain);
        assert_eq!(vector[..k * k], plain, "{n} {chosen:x}");
        check_spread::<i32>(&subset, &plain);
        let small: Vec<i32> = plain.iter().map(|entry| entry % 60).collect();
        check_spread::<i16>(&subset, &small);
        check_spread::<i8>(&subset, &small);
    }
}

/// Rows in any order, some of them several times, by vectors and by plain loops.
#[test]
fn choices() {
    let mut random = Random(43);
    for round in 0..4000 {
        let (n, k) = (1 + round % 18, 1 + random.next() as usize % 18);
        let mut rows: Vec<u16> = (0..k).map(|_| random.next() as u16 % n as u16).collect();
        pad(&mut rows, k);
        let whole = matrix(&mut random, n);
        let (mut vector, mut plain) = (vec![7; k * k + Subset::PADDING], vec![0; k * k]);
        choose(&whole, n, &rows, k, &mut vector);
        scalar::choose(&whole, n, &rows, k, &mut plain);
        assert_eq!(vector[..k * k], plain, "{n} {rows:?}");
        assert_eq!(
            plain[k - 1],
            whole[usize::from(rows[0]) * n + usize::from(rows[k - 1])]
        );
    }
}

fn check_spread<T: Narrow + Default + std::fmt::Debug>(subset: &Subset, part: &[Bound]) {
    let n = subset.positions().len();
    let mut packed = vec![T::default(); part.len()];
    assert!(scalar::pack(part, &mut packed));
    let (mut vector, mut plain) = (vec![0; n * n], vec![0; n * n]);
    subset.spread(&packed, &mut vector);
    scalar::spread(subset, &packed, &mut plain);
    assert_eq!(vector, plain, "{subset:?}");
    // Every entry is that of the chosen rows, or what a free clock has.
    for (i, row) in plain.chunks_exact(n).enumerate() {
        for (j, entry) in row.iter().enumerate() {
            let expected = match (subset.position(i), subset.position(j)) {
                (Some(i), Some(j)) => part[i * subset.rows().len() + j],
                (Some(i), None) => part[i * subset.rows().len()],
                (None, _) if i == j => LE_ZERO,
                (None, _) => INFINITY,
            };
            assert_eq!(*entry, expected, "{i} {j} {subset:?}");
        }
    }
}
