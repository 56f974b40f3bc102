//! Interval arithmetic over 32-bit integers: which values an operator can give.

use crate::expression::{BinaryOp, UnaryOp};

/// The integers from `low` to `high`, both within `i32`; never empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    /// Smallest.
    pub low: i64,
    /// Largest.
    pub high: i64,
}

const MIN: i64 = i32::MIN as i64;
const MAX: i64 = i32::MAX as i64;

impl Interval {
    /// All integers.
    pub const FULL: Interval = Interval {
        low: MIN,
        high: MAX,
    };
    /// 0 and 1.
    pub const BOOL: Interval = Interval { low: 0, high: 1 };

    /// The integers of a range. Where some of them do not fit in 32 bits they come round at the other end, so that
    /// every value is possible.
    pub fn new(low: i64, high: i64) -> Interval {
        if low < MIN || high > MAX || low > high {
            return Interval::FULL;
        }
        Interval { low, high }
    }

    /// One number.
    pub fn point(value: i32) -> Interval {
        Interval::new(value.into(), value.into())
    }

    /// The number, if it is the only one.
    pub fn as_point(self) -> Option<i32> {
        (self.low == self.high).then_some(self.low as i32)
    }

    /// Whether all of it lies within `low..=high`.
    pub fn within(self, low: i32, high: i32) -> bool {
        self.low >= low.into() && self.high <= high.into()
    }

    /// The part within `low..=high`; the nearest end where there is none.
    #[must_use]
    pub fn clamped(self, low: i32, high: i32) -> Interval {
        let (low, high) = (i64::from(low), i64::from(high.max(low)));
        Interval::new(self.low.clamp(low, high), self.high.clamp(low, high))
    }

    /// The smallest interval around both.
    #[must_use]
    pub fn hull(self, other: Interval) -> Interval {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }

    fn magnitude(self) -> i64 {
        self.low.abs().max(self.high.abs())
    }

    fn corners(self, other: Interval, f: impl Fn(i64, i64) -> i64) -> Interval {
        let all = [
            f(self.low, other.low),
            f(self.low, other.high),
            f(self.high, other.low),
            f(self.high, other.high),
        ];
        let low = all.iter().copied().min().unwrap_or(MIN);
        let high = all.iter().copied().max().unwrap_or(MAX);
        Interval::new(low, high)
    }

    /// The values of a unary operator.
    pub fn unary(op: UnaryOp, a: Interval) -> Interval {
        match op {
            UnaryOp::Negate => Interval::new(-a.high, -a.low),
            UnaryOp::BitNot => Interval::new(-1 - a.high, -1 - a.low),
            UnaryOp::Not => match a.truth() {
                Some(truth) => Interval::point(i32::from(!truth)),
                None => Interval::BOOL,
            },
            UnaryOp::Abs if a.low >= 0 => a,
            UnaryOp::Abs if a.high <= 0 => Interval::new(-a.high, -a.low),
            UnaryOp::Abs => Interval::new(0, a.magnitude()),
        }
    }

    /// Whether all values count as true (`Some(true)`), none (`Some(false)`), or it depends.
    pub fn truth(self) -> Option<bool> {
        match self {
            Interval { low: 0, high: 0 } => Some(false),
            Interval { low, high } if low > 0 || high < 0 => Some(true),
            _ => None,
        }
    }

    /// The outcome of a comparison, where the intervals decide it; `None` also for operators that do not compare.
    pub fn compare(op: BinaryOp, a: Interval, b: Interval) -> Option<bool> {
        let less = |a: Interval, b: Interval| match () {
            () if a.high < b.low => Some(true),
            () if a.low >= b.high => Some(false),
            () => None,
        };
        match op {
            BinaryOp::Less => less(a, b),
            BinaryOp::Greater => less(b, a),
            BinaryOp::LessEqual => less(b, a).map(|outcome| !outcome),
            BinaryOp::GreaterEqual => less(a, b).map(|outcome| !outcome),
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let equal = match (a.as_point(), b.as_point()) {
                    (Some(a), Some(b)) => Some(a == b),
                    _ if a.high < b.low || b.high < a.low => Some(false),
                    _ => None,
                };
                equal.map(|equal| equal == (op == BinaryOp::Equal))
            }
            _ => None,
        }
    }

    /// The values of a binary operator.
    pub fn binary(op: BinaryOp, a: Interval, b: Interval) -> Interval {
        use BinaryOp::*;
        match op {
            Add => Interval::new(a.low + b.low, a.high + b.high),
            Subtract => Interval::new(a.low - b.high, a.high - b.low),
            Multiply => a.corners(b, |x, y| x * y),
            Divide => Interval::divide(a, b),
            Remainder => {
                let most = a.magnitude().min((b.magnitude() - 1).max(0));
                Interval::new(
                    if a.low < 0 { -most } else { 0 },
                    if a.high > 0 { most } else { 0 },
                )
            }
            Power => Interval::power(a, b),
            BitAnd if a.low >= 0 && b.low >= 0 => Interval::new(0, a.high.min(b.high)),
            BitOr | BitXor if a.low >= 0 && b.low >= 0 => {
                let bits = 64 - (a.high | b.high).leading_zeros();
                Interval::new(0, (1i64 << bits) - 1)
            }
            BitAnd | BitOr | BitXor => Interval::FULL,
            ShiftLeft => a.corners(b.clamped(0, 31), |x, y| x << y),
            ShiftRight => a.corners(b.clamped(0, 31), |x, y| x >> y),
            Minimum => Interval::new(a.low.min(b.low), a.high.min(b.high)),
            Maximum => Interval::new(a.low.max(b.low), a.high.max(b.high)),
            Less | LessEqual | Equal | NotEqual | GreaterEqual | Greater => {
                match Interval::compare(op, a, b) {
                    Some(outcome) => Interval::point(i32::from(outcome)),
                    None => Interval::BOOL,
                }
            }
        }
    }

    /// Division is monotone in each argument as long as the divisor keeps its sign, and 0 gives no value.
    fn divide(a: Interval, b: Interval) -> Interval {
        let negative = (b.low < 0).then(|| Interval::new(b.low, b.high.min(-1)));
        let positive = (b.high > 0).then(|| Interval::new(b.low.max(1), b.high));
        let quotients = [negative, positive]
            .into_iter()
            .flatten()
            .map(|part| a.corners(part, |x, y| x / y));
        quotients.reduce(Interval::hull).unwrap_or(Interval::FULL)
    }

    fn power(a: Interval, b: Interval) -> Interval {
        let exponent = b.high.clamp(0, 64) as u32;
        let most = a.magnitude().max(1).saturating_pow(exponent);
        Interval::new(if a.low < 0 { -most } else { 0 }, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOp::*;

    /// All intervals within a small range: the result holds every value that the operator gives.
    #[test]
    fn every_value_is_inside() {
        let ops = [
            Add,
            Subtract,
            Multiply,
            Divide,
            Remainder,
            Power,
            BitAnd,
            BitOr,
            BitXor,
            ShiftLeft,
            ShiftRight,
            Minimum,
            Maximum,
            Less,
            LessEqual,
            Equal,
            NotEqual,
            GreaterEqual,
            Greater,
        ];
        let near = |middle: i64| middle - 2..=middle + 2;
        let ends: Vec<i64> = [-7, -2, -1, 0, 1, 3, 6]
            .into_iter()
            .chain([MIN, MIN + 1, MIN + 2, MAX - 2, MAX - 1, MAX])
            .chain(near(1 << 16))
            .collect();
        // Only short intervals can be tried value by value.
        let ranges = || {
            ends.iter()
                .flat_map(|&low| ends.iter().map(move |&high| (low, high)))
                .filter(|(low, high)| high - low < 20)
        };
        for op in ops {
            for (a_low, a_high) in ranges().filter(|(low, high)| low <= high) {
                for (b_low, b_high) in ranges().filter(|(low, high)| low <= high) {
                    let got = Interval::binary(
                        op,
                        Interval::new(a_low, a_high),
                        Interval::new(b_low, b_high),
                    );
                    for a in a_low..=a_high {
                        for b in b_low..=b_high {
                            let Ok(value) =
                                crate::code::machine::arithmetic::binary(op, a as i32, b as i32)
                            else {
                                continue;
                            };
                            assert!(
                                got.within(i32::MIN, i32::MAX)
                                    && got.low <= value.into()
                                    && i64::from(value) <= got.high,
                                "{a} {op:?} {b} = {value} is not in {got:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}
