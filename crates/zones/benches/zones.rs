//! Micro-benchmarks of the zone kernel at the dimensions of the race: 6, 12 and 24.
//!
//! Every operation that changes a zone works on a copy from a pool of random zones, so its figure includes the copy;
//! `copy_only` is what to take away. Those called `plain_` are the textbook's forms (`plain.rs`), on the same zones.

use divan::{Bencher, black_box};
use merkhet_zones::bound::Bound;
use merkhet_zones::zone;

#[path = "../tests/zones/random.rs"]
#[allow(dead_code)]
mod random;

mod plain;

use random::Random;

const DIMENSIONS: [usize; 3] = [6, 12, 24];
const POOL: usize = 64;

fn main() {
    // Each sample goes through the pool ten times.
    divan::Divan::from_args()
        .sample_size(10 * POOL as u32)
        .sample_count(60)
        .main();
}

struct Pool {
    n: usize,
    zones: Vec<Bound>,
    scratch: Vec<Bound>,
    next: usize,
    lower: Vec<i32>,
    upper: Vec<i32>,
}

impl Pool {
    fn new(n: usize) -> Self {
        let mut random = Random(n as u64);
        let zones = (0..POOL).flat_map(|_| random.zone(n, 20)).collect();
        let (lower, upper) = (random.clock_bounds(n, 10), random.clock_bounds(n, 10));
        Pool {
            n,
            zones,
            scratch: vec![0; n * n],
            next: 0,
            lower,
            upper,
        }
    }

    fn index(&mut self) -> usize {
        self.next = (self.next + 1) % POOL;
        self.next
    }

    fn zone(&self, index: usize) -> &[Bound] {
        let size = self.n * self.n;
        &self.zones[index * size..][..size]
    }

    fn copy(&mut self) -> usize {
        let index = self.index();
        let size = self.n * self.n;
        self.scratch
            .copy_from_slice(&self.zones[index * size..][..size]);
        index
    }
}

#[divan::bench(args = DIMENSIONS)]
fn copy_only(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    bencher.bench_local(|| {
        pool.copy();
        black_box(&mut pool.scratch);
    });
}

#[divan::bench(args = DIMENSIONS)]
fn full_close(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    // Closing a closed zone takes as long as any, so this one needs no copy.
    bencher.bench_local(|| {
        let start = pool.index() * n * n;
        black_box(zone::close(black_box(&mut pool.zones[start..][..n * n]), n))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn constrain_upper(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    // An upper bound on a clock just below the present one, so that closing has something to do.
    let bounds: Vec<_> = (0..POOL)
        .map(|index| pool.zone(index)[n].min(401) - 2)
        .collect();
    bencher.bench_local(|| {
        let index = pool.copy();
        black_box(zone::constrain(
            black_box(&mut pool.scratch),
            n,
            1,
            0,
            bounds[index],
        ))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn constrain_lower(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    let bounds: Vec<_> = (0..POOL).map(|index| pool.zone(index)[1] - 1).collect();
    bencher.bench_local(|| {
        let index = pool.copy();
        black_box(zone::constrain(
            black_box(&mut pool.scratch),
            n,
            0,
            1,
            bounds[index],
        ))
    });
}

/// Inclusion that holds: every entry is looked at.
#[divan::bench(args = DIMENSIONS)]
fn inclusion_holds(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    bencher.bench_local(|| {
        let index = pool.index();
        let zone = pool.zone(index);
        black_box(zone::includes(black_box(zone), black_box(zone)))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn inclusion_fails(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    bencher.bench_local(|| {
        let index = pool.index();
        black_box(zone::includes(
            black_box(pool.zone(0)),
            black_box(pool.zone(index)),
        ))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn relation_equal(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    bencher.bench_local(|| {
        let index = pool.index();
        let zone = pool.zone(index);
        black_box(zone::relation(black_box(zone), black_box(zone)))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn alu_holds(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    bencher.bench_local(|| {
        let index = pool.index();
        let zone = pool.zone(index);
        black_box(zone::included_in_alu(
            black_box(zone),
            black_box(zone),
            n,
            &pool.lower,
            &pool.upper,
        ))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn extra_lu(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    bencher.bench_local(|| {
        pool.copy();
        black_box(zone::extrapolate_lu(
            black_box(&mut pool.scratch),
            n,
            &pool.lower,
            &pool.upper,
        ))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn extra_lu_plus(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    bencher.bench_local(|| {
        pool.copy();
        black_box(zone::extrapolate_lu_plus(
            black_box(&mut pool.scratch),
            n,
            &pool.lower,
            &pool.upper,
        ))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn reset_and_up(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    bencher.bench_local(|| {
        pool.copy();
        zone::reset(black_box(&mut pool.scratch), n, 1, 0);
        zone::up(black_box(&mut pool.scratch), n);
    });
}

#[divan::bench(args = DIMENSIONS)]
fn minimal_pack(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    let mut packed = Vec::with_capacity(n * n + n);
    bencher.bench_local(|| {
        let index = pool.index();
        packed.clear();
        black_box(zone::minimal::pack(
            black_box(pool.zone(index)),
            n,
            &mut packed,
        ))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn intersect(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    let mut guard = vec![0; n * n];
    zone::init_universal(&mut guard, n);
    zone::constrain(&mut guard, n, 1, 0, merkhet_zones::bound::le(15));
    zone::constrain(&mut guard, n, 2, 0, merkhet_zones::bound::le(12));
    bencher.bench_local(|| {
        pool.copy();
        black_box(zone::intersect(black_box(&mut pool.scratch), &guard, n))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn signature(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    bencher.bench_local(|| {
        let index = pool.index();
        black_box(zone::Signature::of(black_box(pool.zone(index)), n))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn pack_i16(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    let mut packed = vec![0i16; n * n];
    bencher.bench_local(|| {
        let index = pool.index();
        black_box(zone::narrow::pack(
            black_box(pool.zone(index)),
            black_box(&mut packed),
        ))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn inclusion_holds_i16(bencher: Bencher, n: usize) {
    let pool = Pool::new(n);
    let mut packed = vec![0i16; n * n];
    assert!(zone::narrow::pack(pool.zone(0), &mut packed));
    bencher.bench_local(|| {
        black_box(zone::narrow::includes(
            black_box(&packed),
            black_box(&packed),
        ))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn alu_core(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    let mut core = vec![0; n * n];
    bencher.bench_local(|| {
        let index = pool.index();
        let (lower, upper) = (pool.lower.clone(), pool.upper.clone());
        zone::alu_core(black_box(pool.zone(index)), n, &lower, &upper, &mut core);
        black_box(core[0])
    });
}

#[divan::bench(args = DIMENSIONS)]
fn plain_full_close(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    bencher.bench_local(|| {
        let start = pool.index() * n * n;
        plain::close(black_box(&mut pool.zones[start..][..n * n]), n);
    });
}

#[divan::bench(args = DIMENSIONS)]
fn plain_constrain_upper(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    let bounds: Vec<_> = (0..POOL)
        .map(|index| pool.zone(index)[n].min(401) - 2)
        .collect();
    bencher.bench_local(|| {
        let index = pool.copy();
        let zone = black_box(&mut pool.scratch);
        black_box(plain::constrain(zone, n, 1, 0, bounds[index]))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn plain_constrain_lower(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    let bounds: Vec<_> = (0..POOL).map(|index| pool.zone(index)[1] - 1).collect();
    bencher.bench_local(|| {
        let index = pool.copy();
        let zone = black_box(&mut pool.scratch);
        black_box(plain::constrain(zone, n, 0, 1, bounds[index]))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn plain_inclusion_holds(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    bencher.bench_local(|| {
        let index = pool.index();
        let zone = pool.zone(index);
        black_box(plain::includes(black_box(zone), black_box(zone)))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn plain_inclusion_fails(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    bencher.bench_local(|| {
        let index = pool.index();
        black_box(plain::includes(
            black_box(pool.zone(0)),
            black_box(pool.zone(index)),
        ))
    });
}

#[divan::bench(args = DIMENSIONS)]
fn plain_extra_lu(bencher: Bencher, n: usize) {
    let mut pool = Pool::new(n);
    bencher.bench_local(|| {
        pool.copy();
        let zone = black_box(&mut pool.scratch);
        plain::extrapolate_lu(zone, n, &pool.lower, &pool.upper);
    });
}
