//! Columns answer as a linear scan does; `MERKHET_MEASURE=1` prints how much faster.

use std::time::Instant;

use merkhet_heuristics::pa::slices::Slices;
use merkhet_testing::Random;

fn set(random: &mut Random, words: usize, percent: usize) -> Vec<u64> {
    let mut set = vec![0; words];
    for bit in 0..words * 64 {
        if random.chance(percent) {
            set[bit / 64] |= 1 << (bit % 64);
        }
    }
    set
}

/// The first set that fits: sets are stored nearest first.
fn scan(stored: &[(Vec<u64>, u32)], allowed: &[u64]) -> Option<usize> {
    let fits = |set: &[u64]| set.iter().zip(allowed).all(|(a, b)| a & !b == 0);
    stored.iter().position(|(set, _)| fits(set))
}

fn check(stored_count: usize, words: usize, percent: usize, asked: usize) {
    let mut random = Random::new(stored_count as u64 * 31 + percent as u64);
    let mut slices = Slices::new(words);
    let mut stored = Vec::new();
    for at in 0..stored_count {
        let set = set(&mut random, words, percent);
        let distance = (at / 16) as u32;
        slices.push(&set);
        stored.push((set, distance));
    }
    let questions: Vec<Vec<u64>> = (0..asked)
        .map(|_| {
            let percent = 50 + random.below(50);
            set(&mut random, words, percent)
        })
        .collect();
    let timed = |name: &str, answer: &mut dyn FnMut(&[u64]) -> Option<u32>| {
        let start = Instant::now();
        let answers: Vec<Option<u32>> = questions.iter().map(|set| answer(set)).collect();
        if std::env::var_os("MERKHET_MEASURE").is_some() {
            let each = start.elapsed().as_nanos() / asked as u128;
            println!("{stored_count} sets of {words} words, {percent} %: {name} {each} ns");
        }
        answers
    };
    let by_scan = timed("scan", &mut |set| scan(&stored, set).map(|at| stored[at].1));
    let by_column = timed("columns", &mut |set| {
        slices.first_subset(set).map(|at| stored[at].1)
    });
    assert_eq!(by_scan, by_column);
    for question in &questions {
        let found = scan(&stored, question);
        assert_eq!(slices.first_subset(question), found);
        assert_eq!(slices.contains_subset(question), found.is_some());
    }
}

#[test]
fn columns_answer_as_a_scan_does() {
    for (stored, words, percent) in [
        (1, 1, 10),
        (50, 1, 5),
        (511, 1, 3),
        (512, 1, 3),
        (513, 1, 3),
        (300, 2, 4),
        (2000, 2, 8),
        (4000, 4, 5),
    ] {
        check(stored, words, percent, 300);
    }
}

#[test]
fn the_empty_set_is_a_subset_of_everything() {
    let mut slices = Slices::new(1);
    assert!(slices.is_empty() && !slices.contains_subset(&[u64::MAX]));
    slices.push(&[5]);
    slices.push(&[0]);
    assert_eq!(slices.first_subset(&[u64::MAX]), Some(0));
    assert_eq!(slices.first_subset(&[0]), Some(1));
}
