//! Closing differences, propagating intervals, and trying values.

use super::{Domain, Relation, Satisfiable, eliminate};
use crate::pa::budget::Effort;

/// Σ coefficient · variable + constant, in relation to 0.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub terms: Vec<(usize, i64)>,
    pub constant: i64,
    pub relation: Relation,
}

/// Variables with their domains, and what relates them.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub domains: Vec<Domain>,
    pub atoms: Vec<Atom>,
}

/// The cases that a decision may still try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    pub nodes: u32,
    /// What it might do at the start.
    pub effort: Effort,
}

impl System {
    /// Whether there is a solution.
    pub fn solve(mut self, left: &mut Left) -> Satisfiable {
        if left.nodes == 0 {
            return Satisfiable::Unknown;
        }
        left.nodes -= 1;
        let open = self.close_differences()
            && self.propagate(left.effort.propagations)
            && self.same_forms();
        if !open {
            return Satisfiable::No;
        }
        self.atoms_that_matter();
        if self.atoms.is_empty() {
            return Satisfiable::Yes;
        }
        // Elimination is dear: it is for the problem itself and its first cases.
        let first = left.nodes + left.effort.eliminations >= left.effort.nodes;
        if first && eliminate::impossible(&self.domains, &self.atoms, left.effort) {
            return Satisfiable::No;
        }
        self.branch(left)
    }

    fn bounds(&self, atom: &Atom) -> (i64, i64) {
        let (mut low, mut high) = (atom.constant, atom.constant);
        for (variable, by) in &atom.terms {
            let domain = &self.domains[*variable];
            let ends = [by * domain.low, by * domain.high];
            low += ends[0].min(ends[1]);
            high += ends[0].max(ends[1]);
        }
        (low, high)
    }

    /// Drops what holds whatever the values are.
    fn atoms_that_matter(&mut self) {
        let atoms = std::mem::take(&mut self.atoms);
        let kept = atoms.into_iter().filter(|atom| {
            let (low, high) = self.bounds(atom);
            match atom.relation {
                Relation::AtMost => high > 0,
                Relation::Equal => low != 0 || high != 0,
                Relation::Different => {
                    let single = match atom.terms[..] {
                        [(variable, by)] if atom.constant % by == 0 => {
                            self.domains[variable].contains(-atom.constant / by)
                        }
                        [_] => false,
                        _ => true,
                    };
                    low <= 0 && high >= 0 && single
                }
            }
        });
        self.atoms = kept.collect();
    }

    /// Shortest paths over `x − y <= c`, with node 0 for the constant zero; tightens the domains.
    fn close_differences(&mut self) -> bool {
        let n = self.domains.len() + 1;
        let related = self.atoms.iter().any(|atom| difference(atom).is_some());
        if !related || n > 40 {
            return true;
        }
        const FAR: i64 = i64::MAX / 4;
        let mut distance = vec![FAR; n * n];
        for node in 0..n {
            distance[node * n + node] = 0;
        }
        for (variable, domain) in self.domains.iter().enumerate() {
            distance[(variable + 1) * n] = domain.high;
            distance[variable + 1] = -domain.low;
        }
        for atom in &self.atoms {
            let Some((x, y)) = difference(atom) else {
                continue;
            };
            let mut add = |x: usize, y: usize, bound: i64| {
                let entry = &mut distance[x * n + y];
                *entry = (*entry).min(bound);
            };
            match atom.relation {
                Relation::AtMost => add(x, y, -atom.constant),
                Relation::Equal => {
                    add(x, y, -atom.constant);
                    add(y, x, atom.constant);
                }
                Relation::Different => {}
            }
        }
        for k in 0..n {
            for i in 0..n {
                let first = distance[i * n + k];
                if first >= FAR {
                    continue;
                }
                for j in 0..n {
                    let through = first + distance[k * n + j];
                    if through < distance[i * n + j] {
                        distance[i * n + j] = through;
                    }
                }
            }
        }
        if (0..n).any(|node| distance[node * n + node] < 0) {
            return false;
        }
        let mut possible = true;
        for (variable, domain) in self.domains.iter_mut().enumerate() {
            domain.high = domain.high.min(distance[(variable + 1) * n]);
            domain.low = domain.low.max(-distance[variable + 1]);
            possible &= domain.tighten();
        }
        possible
    }

    /// Propagates over intervals, in a number of rounds at most; the rest is left to trying.
    fn propagate(&mut self, rounds: usize) -> bool {
        for _ in 0..rounds {
            let before = self.domains.clone();
            for at in 0..self.atoms.len() {
                if !self.propagate_atom(at) {
                    return false;
                }
            }
            if before == self.domains {
                return true;
            }
        }
        true
    }

    fn propagate_atom(&mut self, at: usize) -> bool {
        let (low, high) = self.bounds(&self.atoms[at]);
        let atom = &self.atoms[at];
        let impossible = match atom.relation {
            Relation::AtMost => low > 0,
            Relation::Equal => low > 0 || high < 0,
            Relation::Different => low == 0 && high == 0,
        };
        if impossible {
            return false;
        }
        for (variable, by) in &atom.terms {
            let domain = &mut self.domains[*variable];
            let ends = [by * domain.low, by * domain.high];
            let (least, most) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            // by·x + (others) with others in rest_low..=rest_high.
            let (rest_low, rest_high) = (low - least, high - most);
            match atom.relation {
                Relation::AtMost => domain.at_most(*by, -rest_low),
                Relation::Equal => {
                    domain.at_most(*by, -rest_low);
                    domain.at_most(-*by, rest_high);
                }
                Relation::Different => {
                    if rest_low == rest_high && rest_low % by == 0 && !domain.remove(-rest_low / by)
                    {
                        return false;
                    }
                    continue;
                }
            }
            if !domain.tighten() {
                return false;
            }
        }
        true
    }

    /// Atoms over the same form: `i + j <= 3` and `i + j >= 5` have no common value.
    fn same_forms(&self) -> bool {
        for (at, first) in self.atoms.iter().enumerate() {
            for second in &self.atoms[at + 1..] {
                let sign = match () {
                    () if first.terms == second.terms => 1,
                    () if opposite(&first.terms, &second.terms) => -1,
                    () => continue,
                };
                if !compatible(first, second, sign) {
                    return false;
                }
            }
        }
        true
    }

    fn branch(self, left: &mut Left) -> Satisfiable {
        // Where a form must differ from 0, it is below or above.
        let wide = |atom: &&Atom| {
            let size = |variable: usize| self.domains[variable].high - self.domains[variable].low;
            atom.relation == Relation::Different
                && atom.terms.iter().all(|(variable, _)| size(*variable) > 8)
        };
        if let Some(atom) = self.atoms.iter().find(wide).cloned() {
            let turned = |sign: i64| {
                let mut system = self.clone();
                system.atoms.push(Atom {
                    terms: atom.terms.iter().map(|(v, by)| (*v, sign * by)).collect(),
                    constant: sign * atom.constant + 1,
                    relation: Relation::AtMost,
                });
                system
            };
            return either(turned(1), turned(-1), left);
        }
        let variables = self.atoms.iter().flat_map(|atom| &atom.terms);
        let sized = variables.map(|(variable, _)| {
            let domain = &self.domains[*variable];
            (domain.high - domain.low, *variable)
        });
        let Some((_, variable)) = sized.filter(|(size, _)| *size > 0).min() else {
            return Satisfiable::Yes; // all values are fixed, and propagation agreed
        };
        let (mut one, mut rest) = (self.clone(), self);
        let least = one.domains[variable].low;
        one.domains[variable].high = least;
        let possible = one.domains[variable].tighten();
        let others = rest.domains[variable].remove(least);
        match (possible, others) {
            (true, true) => either(one, rest, left),
            (true, false) => one.solve(left),
            (false, true) => rest.solve(left),
            (false, false) => Satisfiable::No,
        }
    }
}

fn either(first: System, second: System, left: &mut Left) -> Satisfiable {
    match first.solve(left) {
        Satisfiable::Yes => Satisfiable::Yes,
        Satisfiable::No => second.solve(left),
        Satisfiable::Unknown => match second.solve(left) {
            Satisfiable::Yes => Satisfiable::Yes,
            _ => Satisfiable::Unknown,
        },
    }
}

/// `x − y`, as nodes of the graph of differences, if the atom is one (or bounds one variable).
fn difference(atom: &Atom) -> Option<(usize, usize)> {
    match atom.terms[..] {
        [(x, 1), (y, -1)] | [(y, -1), (x, 1)] => Some((x + 1, y + 1)),
        [(x, 1)] => Some((x + 1, 0)),
        [(x, -1)] => Some((0, x + 1)),
        _ => None,
    }
}

fn opposite(first: &[(usize, i64)], second: &[(usize, i64)]) -> bool {
    first.len() == second.len()
        && (first.iter().zip(second)).all(|(a, b)| a.0 == b.0 && a.1 == -b.1)
}

/// Whether some value of the common form t satisfies both; the second speaks of `sign · t`.
fn compatible(first: &Atom, second: &Atom, sign: i64) -> bool {
    let range = |atom: &Atom, sign: i64| match (atom.relation, sign) {
        (Relation::AtMost, 1) => (i64::MIN, -atom.constant),
        (Relation::AtMost, _) => (atom.constant, i64::MAX),
        (Relation::Equal, _) => (-sign * atom.constant, -sign * atom.constant),
        (Relation::Different, _) => (i64::MIN, i64::MAX),
    };
    let (a, b) = (range(first, 1), range(second, sign));
    let (low, high) = (a.0.max(b.0), a.1.min(b.1));
    let hit = |atom: &Atom, sign: i64| {
        atom.relation == Relation::Different && low == high && low == -sign * atom.constant
    };
    low <= high && !hit(first, 1) && !hit(second, sign)
}

impl Domain {
    /// Keeps the values with `by · x <= bound`.
    fn at_most(&mut self, by: i64, bound: i64) {
        match by > 0 {
            true => self.high = self.high.min(bound.div_euclid(by)),
            // x >= bound / by, rounded up.
            false => self.low = self.low.max(-(bound.div_euclid(-by))),
        }
    }
}
