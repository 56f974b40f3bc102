//! What is known of a value in two runs of the same code at once: one from a state, one from a state with larger elements.

use merkhet_network::interval::Interval;
use merkhet_network::{Address, Region};

/// How a value in the run with larger elements compares with the value in the other run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Polarity {
    /// Both are equal.
    Fixed,
    /// It is equal or larger (a condition: stays or becomes true).
    Rises,
    /// It is equal or smaller.
    Falls,
    /// Nothing is certain.
    Unknown,
}

use Polarity::{Falls, Fixed, Rises, Unknown};

impl Polarity {
    /// What is certain of the negated value.
    #[must_use]
    pub fn flipped(self) -> Polarity {
        match self {
            Rises => Falls,
            Falls => Rises,
            other => other,
        }
    }

    /// What is certain of both.
    #[must_use]
    pub fn and(self, other: Polarity) -> Polarity {
        match (self, other) {
            (Fixed, other) | (other, Fixed) => other,
            (one, other) if one == other => one,
            _ => Unknown,
        }
    }

    /// Whether a condition of this polarity is kept by larger elements.
    pub fn is_kept(self) -> bool {
        matches!(self, Fixed | Rises)
    }

    /// Whether this says at least as much as another one.
    pub fn implies(self, other: Polarity) -> bool {
        self == Fixed || self == other || other == Unknown
    }
}

/// A value that others are known relative to: what a cell held when it was last written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    pub id: u64,
    pub polarity: Polarity,
    /// The value is the origin's plus something between these two.
    pub low: i64,
    pub high: i64,
}

/// A value, or rather its two occurrences in the two runs. The interval holds both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Value {
    pub polarity: Polarity,
    pub interval: Interval,
    pub origin: Option<Origin>,
}

impl Value {
    pub fn constant(value: i32) -> Value {
        Value::new(Fixed, Interval::point(value))
    }

    pub fn new(polarity: Polarity, interval: Interval) -> Value {
        let polarity = match interval.as_point() {
            Some(_) => Fixed,
            None => polarity,
        };
        Value {
            polarity,
            interval,
            origin: None,
        }
    }

    pub fn unknown() -> Value {
        Value::new(Unknown, Interval::FULL)
    }

    /// The value as one that later ones can be compared with.
    #[must_use]
    pub fn named(mut self, id: u64) -> Value {
        let origin = Origin {
            id,
            polarity: self.polarity,
            low: 0,
            high: 0,
        };
        self.origin.get_or_insert(origin);
        self
    }

    /// The truth of the value: 1 if it is not 0.
    pub fn truth(self) -> Value {
        let Interval { low, high } = self.interval;
        match self.interval.truth() {
            Some(truth) => Value::constant(truth.into()),
            None if low >= 0 => Value::new(self.polarity, Interval::BOOL),
            // From below, what rises becomes 0.
            None if high <= 0 => Value::new(self.polarity.flipped(), Interval::BOOL),
            None if self.polarity == Fixed => Value::new(Fixed, Interval::BOOL),
            None => Value::new(Unknown, Interval::BOOL),
        }
    }

    /// What is certain if the run with smaller elements has this value and the other run has another one.
    pub fn against(self, larger: Value) -> Polarity {
        let (a, b) = (self.interval, larger.interval);
        let common = self.origin.zip(larger.origin);
        let common = common.filter(|(one, other)| one.id == other.id);
        let by_origin = |direction: Polarity, test: fn(Origin, Origin) -> bool| {
            common.is_some_and(|(one, other)| one.polarity.implies(direction) && test(one, other))
        };
        let rises = a.high <= b.low || by_origin(Rises, |one, other| one.high <= other.low);
        let falls = a.low >= b.high || by_origin(Falls, |one, other| one.low >= other.high);
        match (rises, falls) {
            (true, true) => Fixed,
            (true, false) => Rises,
            (false, true) => Falls,
            (false, false) => Unknown,
        }
    }

    /// One of two values, by a condition of this polarity.
    pub fn either(condition: Polarity, then: Value, otherwise: Value) -> Value {
        let mut polarity = then.polarity.and(otherwise.polarity);
        if !condition.implies(Falls) {
            // The larger element may take the first branch where the smaller one takes the second.
            polarity = polarity.and(otherwise.against(then));
        }
        if !condition.implies(Rises) {
            polarity = polarity.and(then.against(otherwise));
        }
        let origin = (then.origin.zip(otherwise.origin))
            .filter(|(one, other)| one.id == other.id)
            .map(|(one, other)| Origin {
                low: one.low.min(other.low),
                high: one.high.max(other.high),
                ..one
            });
        Value {
            origin,
            ..Value::new(polarity, then.interval.hull(otherwise.interval))
        }
    }

    /// The value plus a number between two; the caller knows that nothing overflows.
    pub fn moved(self, low: i64, high: i64) -> Option<Origin> {
        self.origin.map(|origin| Origin {
            low: origin.low + low,
            high: origin.high + high,
            ..origin
        })
    }
}

/// The name of what a cell holds before anything is written.
pub(super) fn initial_id(cell: Address) -> u64 {
    let region = match cell.region {
        Region::State => 1,
        Region::Meta => 2,
        Region::Constant => 3,
        Region::Local => 4,
    };
    region << 32 | u64::from(cell.offset)
}

/// Names from here on are those of values written.
pub(super) const FIRST_WRITTEN: u64 = 8 << 32;
