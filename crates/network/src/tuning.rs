//! Tunables: numbers that were measured, not derived, each with its range and the measurement that it rests on.
//!
//! A crate lists its own in `tuning.rs` as a constant `ALL`. They are read when something is built, never on a hot path,
//! so that tuning is an experiment (`--set name=value`) and not an edit.

use std::fmt;

/// A number that was measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// Its name: the crate or part, a dot, what it is; such as `pa.states`.
    pub name: &'static str,
    /// The value where nothing else is asked for.
    pub default: i64,
    /// The smallest and the largest value.
    pub range: (i64, i64),
    /// What it decides, and the measurement that it rests on.
    pub why: &'static str,
}

/// The tunables of this crate.
pub const ALL: &[Tunable] = &[INLINED, UNROLLED];

/// The size of functions that are inlined.
pub(crate) const INLINED: Tunable = Tunable {
    name: "code.inlined",
    default: 80,
    range: (0, 10_000),
    why: "nodes of a function that is inlined where it is called, those inlined into it included; a guess, not measured",
};

/// The size of loops that are unrolled.
pub(crate) const UNROLLED: Tunable = Tunable {
    name: "code.unrolled",
    default: 300,
    range: (0, 100_000),
    why: "nodes of all copies of a loop's body together, if it is unrolled: array accesses become plain cells; a guess, not \
          measured",
};

/// The tunables that were set.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tuning {
    /// Sorted by name, none of them the default.
    set: Vec<(&'static str, i64)>,
}

/// Why a tunable cannot be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TuningError {
    /// The text is not `name=value` with a whole number.
    NotAPair(String),
    /// No tunable has this name.
    Unknown(String),
    /// The value is outside the range.
    OutOfRange(&'static str, (i64, i64)),
}

impl fmt::Display for TuningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuningError::NotAPair(text) => {
                write!(f, "'{text}' is not name=value with a whole number")
            }
            TuningError::Unknown(name) => {
                write!(
                    f,
                    "no tunable '{name}'; `merkhet tunables` lists those that there are"
                )
            }
            TuningError::OutOfRange(name, (low, high)) => {
                write!(f, "{name} is a number from {low} to {high}")
            }
        }
    }
}

impl std::error::Error for TuningError {}

impl Tuning {
    /// Sets one of the known tunables by the text `name=value`.
    pub fn set(&mut self, known: &[&'static [Tunable]], text: &str) -> Result<(), TuningError> {
        let pair = text.split_once('=');
        let pair = pair.and_then(|(name, value)| Some((name.trim(), value.trim().parse().ok()?)));
        let (name, value): (&str, i64) = pair.ok_or_else(|| TuningError::NotAPair(text.into()))?;
        let mut all = known.iter().copied().flatten();
        let Some(tunable) = all.find(|tunable| tunable.name == name) else {
            return Err(TuningError::Unknown(name.into()));
        };
        if !(tunable.range.0..=tunable.range.1).contains(&value) {
            return Err(TuningError::OutOfRange(tunable.name, tunable.range));
        }
        self.set.retain(|(name, _)| *name != tunable.name);
        if value != tunable.default {
            let at = self.set.partition_point(|(name, _)| *name < tunable.name);
            self.set.insert(at, (tunable.name, value));
        }
        Ok(())
    }

    /// The value of a tunable.
    pub fn get(&self, tunable: &Tunable) -> i64 {
        let set = self.set.iter().find(|(name, _)| *name == tunable.name);
        set.map_or(tunable.default, |(_, value)| *value)
    }

    /// The value of a tunable that is not negative, as a count.
    pub fn count(&self, tunable: &Tunable) -> usize {
        usize::try_from(self.get(tunable)).unwrap_or(0)
    }
}

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = (self.set.iter())
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        f.write_str(&texts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::{Tunable, Tuning, TuningError};

    const DEPTH: Tunable = Tunable {
        name: "test.depth",
        default: 3,
        range: (1, 9),
        why: "",
    };

    #[test]
    fn values_are_set_by_name_within_their_range() {
        let mut tuning = Tuning::default();
        let known: &[&[Tunable]] = &[&[], &[DEPTH]];
        assert_eq!(tuning.get(&DEPTH), 3);
        tuning.set(known, "test.depth = 7").unwrap();
        assert_eq!((tuning.get(&DEPTH), tuning.count(&DEPTH)), (7, 7));
        assert_eq!(
            tuning.set(known, "test.depth=10"),
            Err(TuningError::OutOfRange("test.depth", (1, 9)))
        );
        let unknown = tuning.set(known, "test.width=1").unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "no tunable 'test.width'; `merkhet tunables` lists those that there are"
        );
        assert!(matches!(
            tuning.set(known, "test.depth=x"),
            Err(TuningError::NotAPair(_))
        ));
        tuning.set(known, "test.depth=3").unwrap();
        assert_eq!(tuning, Tuning::default());
    }
}
