//! The textbook forms of the operations, for comparison in the same run: what a plain library of difference bound
//! matrices does, compiled with the same options.

use merkhet_zones::bound::{Bound, INFINITY, LE_ZERO, add, le, lt};

/// Floyd–Warshall.
pub fn close(zone: &mut [Bound], n: usize) {
    for k in 0..n {
        for i in 0..n {
            let left = zone[i * n + k];
            for j in 0..n {
                let sum = add(left, zone[k * n + j]);
                if sum < zone[i * n + j] {
                    zone[i * n + j] = sum;
                }
            }
        }
    }
}

/// One constraint, and closing through its two clocks, O(n²).
pub fn constrain(zone: &mut [Bound], n: usize, i: usize, j: usize, bound: Bound) -> bool {
    if bound >= zone[i * n + j] {
        return true;
    }
    if add(bound, zone[j * n + i]) < LE_ZERO {
        return false;
    }
    for k in 0..n {
        let left = add(zone[k * n + i], bound);
        if left < zone[k * n + j] {
            for l in 0..n {
                let sum = add(left, zone[j * n + l]);
                if sum < zone[k * n + l] {
                    zone[k * n + l] = sum;
                }
            }
        }
    }
    true
}

/// Entry by entry until one is larger.
pub fn includes(large: &[Bound], small: &[Bound]) -> bool {
    small.iter().zip(large).all(|(small, large)| small <= large)
}

/// ExtraLU, and closing of the whole zone.
pub fn extrapolate_lu(zone: &mut [Bound], n: usize, lower: &[i32], upper: &[i32]) {
    let mut changed = false;
    for i in 0..n {
        for j in 0..n {
            if i == j {
                continue;
            }
            let entry = &mut zone[i * n + j];
            if i > 0 && *entry != INFINITY && *entry > le(lower[i]) {
                *entry = INFINITY;
                changed = true;
            } else if j > 0 && *entry < lt(-upper[j]) {
                let floor = lt(-upper[j]);
                *entry = if i == 0 { floor.min(LE_ZERO) } else { floor };
                changed = true;
            }
        }
    }
    if changed {
        close(zone, n);
    }
}
