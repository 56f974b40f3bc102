//! Elimination of variables, one after the other (Fourier 1826, Motzkin 1936): proves that no rational solution exists.

use std::collections::BTreeMap;

use super::propagate::Atom;
use super::{Domain, Relation};

/// Larger systems are not looked at.
const MOST_VARIABLES: usize = 8;
const MOST_ROWS: usize = 160;
/// Coefficients beyond this end the attempt.
const LARGEST: i128 = 1 << 60;

/// Σ coefficient · variable + constant <= 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    terms: BTreeMap<usize, i128>,
    constant: i128,
}

/// Whether the atoms and the ends of the domains surely exclude each other. Small sets are not worth the trouble.
pub(super) fn impossible(domains: &[Domain], atoms: &[Atom]) -> bool {
    let mut used: Vec<usize> = atoms
        .iter()
        .flat_map(|atom| atom.terms.iter().map(|(variable, _)| *variable))
        .collect();
    used.sort_unstable();
    used.dedup();
    let wide = |variable: &&usize| domains[**variable].high - domains[**variable].low > 16;
    if used.len() > MOST_VARIABLES || used.iter().filter(wide).count() < 2 {
        return false;
    }
    let mut rows = Vec::new();
    for atom in atoms {
        let row = |sign: i128| Row {
            terms: (atom.terms.iter())
                .map(|(variable, by)| (*variable, sign * i128::from(*by)))
                .collect(),
            constant: sign * i128::from(atom.constant),
        };
        match atom.relation {
            Relation::AtMost => rows.push(row(1)),
            Relation::Equal => rows.extend([row(1), row(-1)]),
            Relation::Different => {}
        }
    }
    for variable in &used {
        let domain = &domains[*variable];
        let bound = |by: i128, constant: i64| Row {
            terms: BTreeMap::from([(*variable, by)]),
            constant: constant.into(),
        };
        rows.push(bound(1, -domain.high));
        rows.push(bound(-1, domain.low));
    }
    for variable in used {
        match eliminate(rows, variable) {
            Some(next) => rows = next,
            None => return false,
        }
        if rows
            .iter()
            .any(|row| row.terms.is_empty() && row.constant > 0)
        {
            return true;
        }
    }
    false
}

fn eliminate(rows: Vec<Row>, variable: usize) -> Option<Vec<Row>> {
    let (mut upper, mut lower, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        match row.terms.get(&variable) {
            Some(by) if *by > 0 => upper.push(row),
            Some(_) => lower.push(row),
            None => kept.push(row),
        }
    }
    if kept.len() + upper.len() * lower.len() > MOST_ROWS {
        return None;
    }
    for above in &upper {
        for below in &lower {
            kept.push(combine(above, below, variable)?);
        }
    }
    kept.sort_unstable();
    kept.dedup();
    Some(kept)
}

/// The sum in which the variable has gone; over the integers it may be divided and rounded.
fn combine(above: &Row, below: &Row, variable: usize) -> Option<Row> {
    let (up, down) = (above.terms[&variable], -below.terms[&variable]);
    let mut terms = BTreeMap::new();
    for (row, factor) in [(above, down), (below, up)] {
        for (other, by) in row.terms.iter().filter(|(other, _)| **other != variable) {
            *terms.entry(*other).or_insert(0) += by * factor;
        }
    }
    terms.retain(|_, by| *by != 0);
    let constant = above.constant * down + below.constant * up;
    let gcd = terms.values().fold(0, |d, by| gcd(d, *by));
    let mut row = Row { terms, constant };
    if gcd > 1 {
        row.terms.values_mut().for_each(|by| *by /= gcd);
        row.constant = -(-row.constant).div_euclid(gcd);
    }
    let small = row.constant.abs() < LARGEST && row.terms.values().all(|by| by.abs() < LARGEST);
    small.then_some(row)
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}
