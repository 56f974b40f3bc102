//! Operations against truth tables.

use super::{Bdd, Diagrams, Reordering};
use crate::limits::{Limits, Stop};
use std::sync::atomic::Ordering;

const BITS: u32 = 6;

/// A function with its truth table: bit `v` of the table is the value under valuation `v`.
#[derive(Clone)]
struct Twin {
    bdd: Bdd,
    table: u64,
}

fn value_in(valuation: u64, bit: u32) -> bool {
    valuation >> bit & 1 == 1
}

fn table_of(test: impl Fn(u64) -> bool) -> u64 {
    (0..64).fold(0, |table, valuation| {
        table | u64::from(test(valuation)) << valuation
    })
}

fn check(diagrams: &Diagrams, bdd: Bdd, table: u64) -> Twin {
    let found = table_of(|valuation| diagrams.evaluate(&bdd, |bit| value_in(valuation, bit)));
    assert_eq!(found, table, "{found:b} {table:b}");
    assert_eq!(diagrams.count(&bdd, BITS), f64::from(table.count_ones()));
    Twin { bdd, table }
}

fn random(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    let mixed = *state ^ *state >> 33;
    mixed.wrapping_mul(0xff51afd7ed558ccd) ^ mixed >> 29
}

fn exists_table(table: u64, bits: u64) -> u64 {
    table_of(|valuation| {
        (0..64).any(|other| (valuation ^ other) & !bits == 0 && value_in(table, other as u32))
    })
}

#[test]
fn operations_agree_with_truth_tables() -> Result<(), Stop> {
    let paired = vec![true, false, true, false, true, false];
    let diagrams = Diagrams::new(paired, &Limits::default());
    let mut pool = Vec::new();
    for bit in 0..BITS {
        let table = table_of(|valuation| value_in(valuation, bit));
        pool.push(check(&diagrams, diagrams.literal(bit)?, table));
    }
    let mut seed = 1;
    for round in 0..3000 {
        let mut draw = || pool[(random(&mut seed) % pool.len() as u64) as usize].clone();
        let (a, b, c) = (draw(), draw(), draw());
        let bits = random(&mut seed) % 64;
        let cube = diagrams.cube((0..BITS).filter(|&bit| value_in(bits, bit)))?;
        let both = exists_table(a.table & b.table, bits);
        let d = &diagrams;
        let results = [
            check(d, d.and(&a.bdd, &b.bdd)?, a.table & b.table),
            check(d, d.or(&a.bdd, &b.bdd)?, a.table | b.table),
            check(d, d.xor(&a.bdd, &b.bdd)?, a.table ^ b.table),
            check(d, d.iff(&a.bdd, &b.bdd)?, !(a.table ^ b.table)),
            check(d, d.minus(&a.bdd, &b.bdd)?, a.table & !b.table),
            check(d, d.not(&a.bdd), !a.table),
            check(
                d,
                d.ite(&a.bdd, &b.bdd, &c.bdd)?,
                a.table & b.table | !a.table & c.table,
            ),
            check(d, d.exists(&a.bdd, &cube)?, exists_table(a.table, bits)),
            check(d, d.and_exists(&a.bdd, &b.bdd, &cube)?, both),
        ];
        assert_eq!(
            a.bdd == b.bdd,
            a.table == b.table,
            "equal functions are equal handles"
        );
        if !d.is_false(&b.bdd) {
            let simple = d.simplify(&a.bdd, &b.bdd)?;
            assert!(d.and(&simple, &b.bdd)? == d.and(&a.bdd, &b.bdd)?);
        }
        let position = (random(&mut seed) % 9) as usize;
        let slot = (random(&mut seed) % 40) as usize;
        if pool.len() < 40 {
            pool.push(results[position].clone());
        } else {
            pool[slot] = results[position].clone();
        }
        if round % 100 == 0 {
            diagrams.collect();
        }
        if round % 30 == 0 {
            diagrams.reorder();
        }
    }
    Ok(())
}

/// Pairs (0,1), (2,3), (4,5): bits 0, 2, 4 are the state, 1, 3, 5 the state after the step.
#[test]
fn images_agree_with_quantification_and_renaming() -> Result<(), Stop> {
    let diagrams = Diagrams::new(
        vec![true, false, true, false, true, false],
        &Limits::default(),
    );
    let d = &diagrams;
    let mut seed = 7;
    let mut literals = Vec::new();
    for bit in 0..BITS {
        literals.push(d.literal(bit)?);
    }
    let mut random_function = |bits: &[usize]| -> Result<Bdd, Stop> {
        let mut union = d.constant(false);
        for _ in 0..3 {
            let mut product = d.constant(true);
            for &bit in bits {
                let literal = match random(&mut seed) % 3 {
                    0 => literals[bit].clone(),
                    1 => d.not(&literals[bit]),
                    _ => continue,
                };
                product = d.and(&product, &literal)?;
            }
            union = d.or(&union, &product)?;
        }
        Ok(union)
    };
    // Made before the order changes, as in a model.
    let to_current = d.renaming(&[1, 5], &[0, 4], true);
    let to_next = d.renaming(&[0, 4], &[1, 5], true);
    for round in 0..500 {
        if round % 10 == 0 {
            d.reorder();
        }
        let set = random_function(&[0, 2, 4])?;
        // Changes the first and last variable, reads all.
        let relation = random_function(&[0, 1, 2, 4, 5])?;
        let changed = d.cube([0, 4])?;
        let expected = d.rename(&d.and_exists(&set, &relation, &changed)?, &to_current)?;
        assert!(d.image(&set, &relation, &changed)? == expected);
        let next = d.cube([1, 5])?;
        let expected = d.and_exists(&d.rename(&set, &to_next)?, &relation, &next)?;
        assert!(d.preimage(&set, &relation, &changed)? == expected);
    }
    Ok(())
}

/// A function that needs about 2^(n/2) nodes in this order: pairs far apart.
fn hard(diagrams: &Diagrams, bits: u32) -> Result<Bdd, Stop> {
    let mut union = diagrams.constant(false);
    for bit in 0..bits / 2 {
        let pair = diagrams.and(&diagrams.literal(bit)?, &diagrams.literal(bit + bits / 2)?)?;
        union = diagrams.or(&union, &pair)?;
    }
    Ok(union)
}

#[test]
fn a_better_order_makes_hard_functions_easy() -> Result<(), Stop> {
    let diagrams = Diagrams::new(vec![false; 60], &Limits::default());
    diagrams.reorder_when(Reordering::At(1 << 10));
    let union = hard(&diagrams, 60)?; // a thousand million nodes in the first order
    diagrams.reorder();
    assert_eq!(diagrams.size(&union), 60);
    let mut order = diagrams.order();
    for pair in order.chunks(2) {
        assert_eq!(pair[0].abs_diff(pair[1]), 30, "{order:?}");
    }
    order.sort_unstable();
    assert!(order.into_iter().eq(0..60));
    assert_eq!(diagrams.support(&union).len(), 60);
    assert!(diagrams.evaluate(&union, |bit| bit % 30 == 7));
    assert!(!diagrams.evaluate(&union, |bit| bit < 30));
    // Handles taken before and after are the same function.
    assert!(union == hard(&diagrams, 60)?);
    assert!(diagrams.statistics().reorderings > 0);
    Ok(())
}

#[test]
fn pairs_stay_together_when_the_order_changes() -> Result<(), Stop> {
    let paired = [true, false].repeat(20);
    let diagrams = Diagrams::new(paired, &Limits::default());
    let mut union = diagrams.constant(false);
    for bit in (0..20).step_by(2) {
        let pair = diagrams.and(&diagrams.literal(bit)?, &diagrams.literal(bit + 21)?)?;
        union = diagrams.or(&union, &pair)?;
    }
    let before = diagrams.size(&union);
    diagrams.reorder();
    assert!(diagrams.size(&union) * 10 < before, "{before}");
    for pair in diagrams.order().chunks(2) {
        assert!(pair[0] % 2 == 0 && pair[1] == pair[0] + 1);
    }
    Ok(())
}

#[test]
fn memory_is_bounded() {
    let limits = Limits {
        memory_bytes: 1 << 20,
        ..Limits::default()
    };
    let diagrams = Diagrams::new(vec![false; 60], &limits);
    assert_eq!(hard(&diagrams, 60).err(), Some(Stop::Memory));
    // The store still works.
    assert!(hard(&diagrams, 10).is_ok());
}

#[test]
fn running_operations_can_be_cancelled() {
    let limits = Limits::default();
    let diagrams = Diagrams::new(vec![false; 60], &limits);
    let cancel = limits.cancel.clone();
    let timer = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        cancel.store(true, Ordering::Relaxed);
    });
    assert_eq!(hard(&diagrams, 60).err(), Some(Stop::Cancelled));
    timer.join().unwrap();
}
