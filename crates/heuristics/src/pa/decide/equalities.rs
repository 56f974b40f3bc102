//! Equations over the integers, solved exactly: a change of variables by Euclid's algorithm (Knuth, The Art of Computer
//! Programming 4.5.2; Pugh, The Omega test, 1991) makes some coefficient 1, and then its variable is put in.
//!
//! Elimination alone sees rational solutions: `2·i = 4·j + 1` has some, and no integer one.

use super::eliminate::{Row, gcd};

/// What came of the equations.
pub(super) enum Solved {
    /// They have no integer solution.
    Never,
    /// They have gone; the rows no longer speak of the variables that they determine.
    Gone,
    /// Numbers became too large.
    Open,
}

/// Solves the equations one after the other, and puts the solutions into the rows. Variables from `fresh` on are free
/// for new ones.
pub(super) fn solve(mut equations: Vec<Row>, rows: &mut [Row], mut fresh: usize) -> Solved {
    while let Some(mut equation) = equations.pop() {
        loop {
            let divisor = equation.terms.values().fold(0, |d, by| gcd(d, *by));
            match divisor {
                0 if equation.constant == 0 => break,
                0 => return Solved::Never,
                _ if equation.constant % divisor != 0 => return Solved::Never,
                _ => equation.divide(divisor),
            }
            let smallest = equation.terms.iter().min_by_key(|(_, by)| by.abs());
            let Some((&variable, &by)) = smallest else {
                break;
            };
            // x = t − Σ ⌊b/a⌋·y leaves the remainders to the y; with a = ±1 they are 0, and t is known.
            let mut value = Row::default();
            for (other, coefficient) in &equation.terms {
                if *other != variable {
                    value.add(*other, -coefficient.div_euclid(by));
                }
            }
            let known = by.abs() == 1;
            if known {
                value.constant = -by * equation.constant;
            } else {
                value.add(fresh, 1);
                fresh += 1;
            }
            let mut all = rows.iter_mut().chain(&mut equations);
            if !all.all(|row| row.put(variable, &value)) {
                return Solved::Open;
            }
            if known {
                break;
            }
            if !equation.put(variable, &value) {
                return Solved::Open;
            }
        }
    }
    Solved::Gone
}

impl Row {
    fn add(&mut self, variable: usize, by: i128) {
        *self.terms.entry(variable).or_insert(0) += by;
    }

    fn divide(&mut self, divisor: i128) {
        self.terms.values_mut().for_each(|by| *by /= divisor);
        self.constant /= divisor;
    }

    /// Puts a form in the place of a variable; false if numbers become too large.
    fn put(&mut self, variable: usize, value: &Row) -> bool {
        let Some(by) = self.terms.remove(&variable) else {
            return true;
        };
        for (other, coefficient) in &value.terms {
            self.add(*other, by * coefficient);
        }
        self.constant += by * value.constant;
        self.terms.retain(|_, by| *by != 0);
        self.is_small()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Row, Solved, solve};

    fn row(terms: &[(usize, i128)], constant: i128) -> Row {
        Row {
            terms: terms.iter().copied().collect::<BTreeMap<_, _>>(),
            constant,
        }
    }

    #[test]
    fn equations_without_an_integer_solution() {
        // 2x − 4y = 1; and 3x + 5y = 1 together with 3x + 5y + 6z = 3.
        let one = vec![row(&[(0, 2), (1, -4)], -1)];
        assert!(matches!(solve(one, &mut [], 2), Solved::Never));
        let two = vec![
            row(&[(0, 3), (1, 5)], -1),
            row(&[(0, 3), (1, 5), (2, 6)], -3),
        ];
        assert!(matches!(solve(two, &mut [], 3), Solved::Never));
    }

    /// 7x + 12y + 31z = 17 has solutions: the change of variables keeps them, in whatever is asked of them.
    #[test]
    fn solutions_are_kept() {
        let mut rows = [row(&[(0, 1)], 0), row(&[(1, 1)], 0), row(&[(2, 1)], 0)];
        let equation = row(&[(0, 7), (1, 12), (2, 31)], -17);
        assert!(matches!(solve(vec![equation], &mut rows, 3), Solved::Gone));
        let free: Vec<usize> = rows
            .iter()
            .flat_map(|row| row.terms.keys().copied())
            .collect();
        for shift in -3..=3 {
            let value = |row: &Row| {
                let term = |(at, by): (&usize, &i128)| by * (shift * (1 + *at as i128));
                row.constant + row.terms.iter().map(term).sum::<i128>()
            };
            let [x, y, z] = [&rows[0], &rows[1], &rows[2]].map(value);
            assert_eq!(7 * x + 12 * y + 31 * z, 17, "{free:?}");
        }
    }
}
