//! The laws of every lattice of the library, and what its elements mean.

use merkhet_lattice::library::{
    BitVector, Interval, MaxInteger, MaySet, MinInteger, MustCache, MustSet, PresentAbsent,
};
use merkhet_lattice::{Lattice, Zone, bound};
use proptest::prelude::*;
use std::fmt::Debug;

/// The laws, on any three elements.
fn check<L: Lattice + Debug>(a: &L, b: &L, c: &L) {
    assert!(a.less_or_equal(a));
    if a.less_or_equal(b) && b.less_or_equal(a) {
        assert!(a == b || (a.is_empty() && b.is_empty()));
    }
    if a.less_or_equal(b) && b.less_or_equal(c) {
        assert!(a.less_or_equal(c));
    }
    if a.is_empty() {
        assert!(a.less_or_equal(b));
    }
    let mut joined = a.clone();
    let grew = joined.join(b);
    assert!(a.less_or_equal(&joined) && b.less_or_equal(&joined));
    assert_eq!(grew, !b.less_or_equal(a), "{a:?} {b:?}");
    assert!(grew || joined == *a);
    if a.less_or_equal(c) && b.less_or_equal(c) {
        assert!(joined.less_or_equal(c), "the join is the least upper bound");
    }
    let mut other_way = b.clone();
    other_way.join(a);
    assert!(joined == other_way || joined.is_empty());
}

const SIZE: usize = 70;

fn bits() -> impl Strategy<Value = BitVector> {
    // Few members, at both ends of the words, so that inclusions are common.
    proptest::collection::vec(prop_oneof![0..3usize, 63..66usize], 0..4).prop_map(|members| {
        let mut bits = BitVector::new(SIZE);
        members.into_iter().for_each(|member| bits.insert(member));
        bits
    })
}

fn interval() -> impl Strategy<Value = Interval> {
    prop_oneof![
        (-5..5i64, -5..5i64).prop_map(|(low, high)| Interval::new(low, high)),
        Just(Interval::new(i64::MIN, i64::MAX)),
    ]
}

fn present_absent() -> impl Strategy<Value = PresentAbsent> {
    proptest::collection::vec((0..3usize, 0..3u8), 0..5).prop_map(|changes| {
        let mut known = PresentAbsent::unknown(3);
        for (value, change) in changes {
            match change {
                0 => known.insert(value),
                1 => known.delete(value),
                _ => known.forget(value),
            }
        }
        known
    })
}

fn must_cache() -> impl Strategy<Value = MustCache> {
    proptest::collection::vec(0..5usize, 0..8).prop_map(|accesses| {
        let mut cache = MustCache::unknown(2, 2, 5);
        for block in accesses {
            cache.access(block);
        }
        cache
    })
}

fn zone() -> impl Strategy<Value = Zone> {
    proptest::collection::vec((0..3usize, 0..3usize, -3..4i32, any::<bool>()), 0..5).prop_map(
        |constraints| {
            let mut zone = Zone::universal(3);
            for (i, j, constant, strict) in constraints {
                zone.constrain(
                    i,
                    j,
                    if strict {
                        bound::lt(constant)
                    } else {
                        bound::le(constant)
                    },
                );
            }
            zone
        },
    )
}

macro_rules! laws {
    ($($name:ident: $strategy:expr;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(600))]
            $(#[test]
            fn $name(a in $strategy, b in $strategy, c in $strategy) {
                check(&a, &b, &c);
            })*
        }
    };
}

laws! {
    may_set: bits().prop_map(MaySet);
    must_set: bits().prop_map(MustSet);
    maximum: (-3..3i64).prop_map(MaxInteger);
    minimum: (-3..3i64).prop_map(MinInteger);
    intervals: interval();
    present_absent_sets: present_absent();
    must_caches: must_cache();
    zones: zone();
    pairs: (interval(), (-2..2i64).prop_map(MaxInteger));
    pairs_of_pairs: (bits().prop_map(MaySet), (interval(), zone()));
    vectors: proptest::collection::vec(interval(), 2);
}

proptest! {
    /// The range that joins, meets or adds holds what it must.
    #[test]
    fn interval_members(a in interval(), b in interval(), x in -6..6i64, y in -6..6i64) {
        let mut joined = a;
        joined.join(&b);
        assert!(joined.contains(x) || !(a.contains(x) || b.contains(x)));
        assert_eq!(a.meet(b).contains(x), a.contains(x) && b.contains(x));
        assert!(a.plus(b).contains(x + y) || !(a.contains(x) && b.contains(y)));
    }

    /// More databases for a larger element, and the join allows those of both.
    #[test]
    fn databases_of_present_absent_sets(a in present_absent(), b in present_absent()) {
        let databases: Vec<_> = (0..8usize).map(|mask| {
            let mut database = BitVector::new(3);
            (0..3).filter(|member| mask >> member & 1 != 0).for_each(|member| database.insert(member));
            database
        }).collect();
        let within = |left: &PresentAbsent, right: &PresentAbsent| {
            databases.iter().all(|database| right.allows(database) || !left.allows(database))
        };
        assert_eq!(a.less_or_equal(&b), within(&a, &b));
        assert!(databases.iter().any(|database| a.allows(database)));
        let mut joined = a.clone();
        joined.join(&b);
        assert!(within(&a, &joined) && within(&b, &joined));
    }

    /// Whatever the cache held before, what must be a hit is one, and ages are not underestimated: also after a join
    /// with another history.
    #[test]
    fn must_cache_against_a_real_one(
        before in proptest::collection::vec(0..6usize, 0..10),
        common in proptest::collection::vec(0..6usize, 0..10),
        elsewhere in proptest::collection::vec(0..6usize, 0..10),
    ) {
        let (sets, ways) = (2, 2);
        let mut real: Vec<Vec<usize>> = vec![Vec::new(); sets];
        let mut access = |block: usize| {
            let set = &mut real[block % sets];
            let hit = set.contains(&block);
            set.retain(|&other| other != block);
            set.insert(0, block);
            set.truncate(ways);
            (hit, set.clone())
        };
        let (mut must, mut other) = (MustCache::unknown(sets, ways as u8, 6), MustCache::unknown(sets, ways as u8, 6));
        before.iter().for_each(|&block| { access(block); must.access(block); });
        elsewhere.iter().for_each(|&block| { other.access(block); });
        must.join(&other);
        for block in common {
            let sure = must.access(block);
            let (hit, set) = access(block);
            assert!(hit || !sure);
            for member in (block % sets..6).step_by(sets) {
                if let Some(age) = must.age(member) {
                    let real_age = set.iter().position(|&other| other == member);
                    assert!(real_age.is_some_and(|real_age| real_age <= age.into()));
                }
            }
        }
    }
}
