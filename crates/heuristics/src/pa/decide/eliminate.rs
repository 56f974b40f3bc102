//! Elimination of variables, one after the other (Fourier 1826, Motzkin 1936): proves that no rational solution exists.
//! Equations are solved over the integers before that.

use std::collections::BTreeMap;

use super::equalities::{self, Solved};
use super::propagate::Atom;
use super::{Domain, Relation};
use crate::pa::budget::Effort;

/// Coefficients beyond this end the attempt.
const LARGEST: i128 = 1 << 60;

/// Σ coefficient · variable + constant, which is to be at most 0 or, in an equation, 0.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    pub terms: BTreeMap<usize, i128>,
    pub constant: i128,
}

impl Row {
    /// Divides by what all coefficients have in common; over the integers the constant may be rounded.
    fn tighten(&mut self) {
        let divisor = self.terms.values().fold(0, |d, by| gcd(d, *by));
        if divisor > 1 {
            self.terms.values_mut().for_each(|by| *by /= divisor);
            self.constant = -(-self.constant).div_euclid(divisor);
        }
    }

    /// Whether products of its numbers stay within 128 bits.
    pub fn is_small(&self) -> bool {
        self.constant.abs() < LARGEST && self.terms.values().all(|by| by.abs() < LARGEST)
    }
}

/// Whether the atoms and the ends of the domains surely exclude each other. Small sets are not worth the trouble; larger
/// systems than the effort allows are not looked at.
pub(super) fn impossible(domains: &[Domain], atoms: &[Atom], effort: Effort) -> bool {
    let mut used: Vec<usize> = atoms
        .iter()
        .flat_map(|atom| atom.terms.iter().map(|(variable, _)| *variable))
        .collect();
    used.sort_unstable();
    used.dedup();
    let wide = |variable: &&usize| domains[**variable].high - domains[**variable].low > 16;
    if used.len() > effort.variables || used.iter().filter(wide).count() < 2 {
        return false;
    }
    let (mut rows, mut equations) = (Vec::new(), Vec::new());
    for atom in atoms {
        let terms = atom.terms.iter();
        let row = Row {
            terms: terms.map(|(at, by)| (*at, i128::from(*by))).collect(),
            constant: atom.constant.into(),
        };
        match atom.relation {
            Relation::AtMost => rows.push(row),
            Relation::Equal => equations.push(row),
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
    match equalities::solve(equations, &mut rows, domains.len()) {
        Solved::Never => return true,
        Solved::Open => return false,
        Solved::Gone => {}
    }
    contradictory(rows, effort.rows)
}

/// Whether no variables satisfy all rows.
fn contradictory(mut rows: Vec<Row>, most: usize) -> bool {
    let contradiction = |row: &Row| row.terms.is_empty() && row.constant > 0;
    rows.iter_mut().for_each(Row::tighten);
    loop {
        if rows.iter().any(contradiction) {
            return true;
        }
        let Some(variable) = cheapest(&rows) else {
            return false;
        };
        match eliminate(rows, variable, most) {
            Some(next) => rows = next,
            None => return false,
        }
    }
}

/// The variable whose elimination makes the fewest rows.
fn cheapest(rows: &[Row]) -> Option<usize> {
    let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for (variable, by) in rows.iter().flat_map(|row| &row.terms) {
        let (above, below) = counts.entry(*variable).or_default();
        *if *by > 0 { above } else { below } += 1;
    }
    let fewest = counts
        .iter()
        .min_by_key(|(_, (above, below))| above * below);
    fewest.map(|(variable, _)| *variable)
}

fn eliminate(rows: Vec<Row>, variable: usize, most: usize) -> Option<Vec<Row>> {
    let (mut upper, mut lower, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        match row.terms.get(&variable) {
            Some(by) if *by > 0 => upper.push(row),
            Some(_) => lower.push(row),
            None => kept.push(row),
        }
    }
    if kept.len() + upper.len() * lower.len() > most {
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

/// The sum in which the variable has gone.
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
    let mut row = Row { terms, constant };
    row.tighten();
    row.is_small().then_some(row)
}

pub(super) fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}
