//! Zones as people write them.

use super::{is_empty, minimal};
use crate::bound::{self, Bound};
use std::fmt::{self, Display, Formatter};

/// Prints the minimal constraints of a closed zone, such as `x<=5, y==2, x-y<3`; `true` if there are none,
/// `false` if the zone is empty.
pub struct Printed<'a, F> {
    zone: &'a [Bound],
    n: usize,
    name: F,
}

impl<'a, F, N> Printed<'a, F>
where
    F: Fn(usize) -> N,
    N: Display,
{
    /// A printer of the zone; `name` gives the names of the clocks `1..n`.
    pub fn new(zone: &'a [Bound], n: usize, name: F) -> Self {
        assert_eq!(zone.len(), n * n);
        Printed { zone, n, name }
    }

    fn constraint(&self, out: &mut Formatter<'_>, i: usize, j: usize) -> fmt::Result {
        let bound = self.zone[i * self.n + j];
        let (constant, strict) = (bound::constant(bound), bound::is_strict(bound));
        let at_most = if strict { "<" } else { "<=" };
        let at_least = if strict { ">" } else { ">=" };
        match (i, j) {
            (0, _) => write!(out, "{}{at_least}{}", (self.name)(j), -constant),
            (_, 0) => write!(out, "{}{at_most}{constant}", (self.name)(i)),
            _ if constant < 0 => write!(
                out,
                "{}-{}{at_least}{}",
                (self.name)(j),
                (self.name)(i),
                -constant
            ),
            _ => write!(
                out,
                "{}-{}{at_most}{constant}",
                (self.name)(i),
                (self.name)(j)
            ),
        }
    }

    fn equality(&self, out: &mut Formatter<'_>, i: usize, j: usize) -> fmt::Result {
        let constant = bound::constant(self.zone[i * self.n + j]);
        match (i, j) {
            (0, _) => write!(out, "{}=={}", (self.name)(j), -constant),
            (_, 0) => write!(out, "{}=={constant}", (self.name)(i)),
            _ if constant == 0 => write!(out, "{}=={}", (self.name)(j), (self.name)(i)),
            _ if constant < 0 => {
                write!(out, "{}-{}=={}", (self.name)(j), (self.name)(i), -constant)
            }
            _ => write!(out, "{}-{}=={constant}", (self.name)(i), (self.name)(j)),
        }
    }
}

impl<F, N> Display for Printed<'_, F>
where
    F: Fn(usize) -> N,
    N: Display,
{
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if is_empty(self.zone) {
            return write!(out, "false");
        }
        let n = self.n;
        let mut separator = "";
        for i in 0..n {
            if let Some(first) = minimal::first_of_class(self.zone, n, i) {
                // A fixed distance reads better as an equation with the class's first clock than as a cycle.
                write!(out, "{separator}")?;
                self.equality(out, i, first)?;
                separator = ", ";
                continue;
            }
            for j in 0..n {
                if !minimal::is_redundant(self.zone, n, i, j)
                    && !minimal::same_class(self.zone, n, i, j)
                {
                    write!(out, "{separator}")?;
                    self.constraint(out, i, j)?;
                    separator = ", ";
                }
            }
        }
        if separator.is_empty() {
            write!(out, "true")
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::{le, lt};
    use crate::zone::{constrain, init_universal};

    fn check(constraints: &[(usize, usize, Bound)], expected: &str) {
        let names = ["", "x", "y", "z"];
        let mut zone = [0; 16];
        init_universal(&mut zone, 4);
        for &(i, j, bound) in constraints {
            constrain(&mut zone, 4, i, j, bound);
        }
        assert_eq!(Printed::new(&zone, 4, |i| names[i]).to_string(), expected);
    }

    #[test]
    fn prints_minimal_constraints() {
        check(&[], "true");
        check(&[(1, 0, lt(0))], "false");
        check(
            &[(1, 0, le(5)), (1, 2, lt(3)), (0, 2, le(-1))],
            "y>=1, x<=5, x-y<3",
        );
        check(
            &[(1, 0, le(5)), (0, 1, le(-5)), (2, 1, lt(-3))],
            "x==5, y<2",
        );
        check(
            &[(1, 2, le(2)), (2, 1, le(-2)), (3, 0, lt(9))],
            "x-y==2, z<9",
        );
        check(&[(1, 2, le(0)), (2, 1, le(0)), (0, 3, lt(-4))], "z>4, x==y");
        check(&[(1, 2, le(-3))], "y-x>=3");
    }
}
