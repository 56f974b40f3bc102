//! The tree answers as a linear scan does; `MERKHET_MEASURE=1` prints how much faster.

use std::time::Instant;

use merkhet_heuristics::pa::subsume::SubsetTree;
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

fn scan(stored: &[(Vec<u64>, u32)], allowed: &[u64]) -> Option<u32> {
    let fits = |set: &[u64]| set.iter().zip(allowed).all(|(a, b)| a & !b == 0);
    let found = stored.iter().filter(|(set, _)| fits(set));
    found.map(|(_, distance)| *distance).min()
}

fn check(stored_count: usize, words: usize, percent: usize, asked: usize) {
    let mut random = Random::new(stored_count as u64 * 31 + percent as u64);
    let mut tree = SubsetTree::default();
    let mut stored = Vec::new();
    for at in 0..stored_count {
        let set = set(&mut random, words, percent);
        let distance = (at / 16) as u32;
        tree.insert(&set, distance);
        stored.push((set, distance));
    }
    let questions: Vec<Vec<u64>> = (0..asked)
        .map(|_| {
            let percent = 50 + random.below(50);
            set(&mut random, words, percent)
        })
        .collect();
    let start = Instant::now();
    let by_scan: Vec<Option<u32>> = questions.iter().map(|q| scan(&stored, q)).collect();
    let scanned = start.elapsed();
    let start = Instant::now();
    let by_tree: Vec<Option<u32>> = (questions.iter())
        .map(|q| tree.least_subset(q, u32::MAX))
        .collect();
    let looked_up = start.elapsed();
    assert_eq!(by_scan, by_tree);
    for question in &questions {
        let found = scan(&stored, question).is_some();
        assert_eq!(tree.contains_subset(question), found);
    }
    if std::env::var_os("MERKHET_MEASURE").is_some() {
        let each = |time: std::time::Duration| time.as_nanos() / asked as u128;
        println!(
            "{stored_count} sets of {words} words, {percent} %: scan {} ns, tree {} ns ({} nodes)",
            each(scanned),
            each(looked_up),
            tree.len()
        );
    }
}

#[test]
fn the_tree_answers_as_a_scan_does() {
    for (stored, words, percent) in [
        (1, 1, 10),
        (50, 1, 5),
        (300, 2, 4),
        (2000, 2, 8),
        (4000, 4, 5),
    ] {
        check(stored, words, percent, 300);
    }
}

#[test]
fn the_empty_set_is_a_subset_of_everything() {
    let mut tree = SubsetTree::default();
    assert!(tree.is_empty() && !tree.contains_subset(&[u64::MAX]));
    tree.insert(&[0], 7);
    assert_eq!(tree.least_subset(&[0], u32::MAX), Some(7));
    assert_eq!(tree.least_subset(&[0], 7), None);
}
