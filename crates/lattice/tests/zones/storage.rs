//! Stored forms: the minimal constraints.

use crate::random::Random;
use merkhet_lattice::zone::{self, minimal};

#[test]
fn minimal_form_restores_and_compares() {
    let mut saved = 0;
    for seed in 0..4000 {
        let mut random = Random(seed);
        let n = 1 + random.index(9);
        let (zone, other) = (random.zone(n, 6), random.zone(n, 6));
        let mut packed = Vec::new();
        let words = minimal::pack(&zone, n, &mut packed);
        assert_eq!(words, packed.len());
        saved += n * n - (words - minimal::map_words(n));
        let mut restored = vec![0; n * n];
        minimal::restore(&packed, n, &mut restored);
        assert_eq!(restored, zone, "seed {seed}");
        assert_eq!(
            minimal::includes(&packed, &other, n),
            zone::includes(&zone, &other)
        );
        assert!(minimal::includes(&packed, &zone, n));
    }
    assert!(saved > 40_000);
}

#[test]
fn minimal_form_is_minimal() {
    for seed in 0..1000 {
        let mut random = Random(seed);
        let n = 1 + random.index(7);
        let zone = random.zone(n, 6);
        let mut packed = Vec::new();
        minimal::pack(&zone, n, &mut packed);
        let constraints: Vec<_> = minimal::constraints(&packed, n).collect();
        for left_out in 0..constraints.len() {
            let mut weaker = vec![0; n * n];
            zone::init_universal(&mut weaker, n);
            for (index, &(position, bound)) in constraints.iter().enumerate() {
                if index != left_out {
                    weaker[position] = bound;
                }
            }
            assert!(zone::close(&mut weaker, n));
            assert_ne!(
                weaker, zone,
                "seed {seed}: constraint {left_out} is redundant"
            );
        }
    }
}
