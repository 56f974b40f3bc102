//! Stored forms: minimal constraints, narrow entries, signatures.

use crate::random::{Random, rounds};
use merkhet_zones::bound::{Bound, INFINITY};
use merkhet_zones::zone::narrow::{self, Narrow};
use merkhet_zones::zone::{self, Signature, minimal};

#[test]
fn minimal_form_restores() {
    let mut saved = 0;
    for seed in 0..rounds(4000) {
        let mut random = Random(seed);
        let n = if random.range(0, 399) == 0 {
            63 + random.index(4)
        } else {
            1 + random.index(9)
        };
        let zone = random.zone(n, 6);
        let mut packed = Vec::new();
        let words = minimal::pack(&zone, n, &mut packed);
        assert_eq!(words, packed.len());
        saved += n * n - (words - minimal::map_words(n));
        let mut restored = vec![0; n * n];
        minimal::restore(&packed, n, &mut restored);
        assert_eq!(restored, zone, "seed {seed}");
    }
    assert!(saved > 40_000);
}

#[test]
fn minimal_form_is_minimal() {
    for seed in 0..rounds(1000) {
        let mut random = Random(seed);
        let n = 1 + random.index(7);
        let zone = random.zone(n, 6);
        let mut packed = Vec::new();
        minimal::pack(&zone, n, &mut packed);
        for position in 0..n * n {
            let kept = packed[position / 32] >> (position % 32) & 1 != 0;
            assert_eq!(
                kept,
                !minimal::is_redundant(&zone, n, position / n, position % n),
                "seed {seed}"
            );
        }
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

/// The bytes that an entry of the zone needs: 1, 2 or 4.
fn bytes_needed(zone: &[Bound]) -> usize {
    let finite = || zone.iter().copied().filter(|&entry| entry != INFINITY);
    let fits = |low: Bound, infinite: Bound| finite().all(|entry| low <= entry && entry < infinite);
    match () {
        () if fits(i8::MIN.into(), i8::MAX.into()) => 1,
        () if fits(i16::MIN.into(), i16::MAX.into()) => 2,
        () => 4,
    }
}

fn check_narrow<T: Narrow + Default>(zone: &[Bound], other: &[Bound], bytes: usize) {
    let mut packed = vec![T::default(); zone.len()];
    assert_eq!(narrow::pack(zone, &mut packed), bytes_needed(zone) <= bytes);
    if bytes_needed(zone) > bytes {
        return;
    }
    let mut restored = vec![0; zone.len()];
    narrow::unpack(&packed, &mut restored);
    assert_eq!(restored, zone);
    assert_eq!(
        narrow::includes_wide(&packed, other),
        zone::includes(zone, other)
    );
    let mut packed_other = vec![T::default(); zone.len()];
    if narrow::pack(other, &mut packed_other) {
        assert_eq!(
            narrow::includes(&packed, &packed_other),
            zone::includes(zone, other)
        );
    }
}

#[test]
fn narrow_forms_and_signatures() {
    let (mut rejected, mut excluded) = (0, 0);
    for seed in 0..rounds(6000) {
        let mut random = Random(seed);
        let n = 1 + random.index(9);
        let max = [3, 30, 62, 64, 9000, 20_000][random.index(6)];
        let (zone, mut other) = (random.zone(n, max), random.zone(n, max));
        if random.chance(50) {
            other.copy_from_slice(&zone);
            let (i, j, bound) = (random.index(n), random.index(n), random.bound(-max, max));
            if zone::is_consistent_with(&other, n, i, j, bound) {
                zone::constrain(&mut other, n, i, j, bound);
            }
        }
        check_narrow::<i8>(&zone, &other, 1);
        check_narrow::<i16>(&zone, &other, 2);
        check_narrow::<i32>(&zone, &other, 4);
        let (ours, theirs) = (Signature::of(&zone, n), Signature::of(&other, n));
        assert_eq!(Signature::from_bits(ours.to_bits()), ours);
        if zone::includes(&zone, &other) {
            assert!(ours.may_include(theirs), "seed {seed}");
        } else {
            excluded += 1;
            rejected += i32::from(!ours.may_include(theirs));
        }
    }
    assert!(
        2 * rejected > excluded,
        "a signature that rejects {rejected} of {excluded} is not worth its word"
    );
}
