//! What the list of heuristics says of each: help, manual page, errors and tests are made from it.

use std::fmt;
use std::sync::Arc;

use merkhet_explore::HeuristicFacts;

use crate::choice::{Choice, Make};
use crate::named::{Named, OptionError};

/// A heuristic, as the list describes it.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// What it computes and where it is good, in a paragraph.
    pub description: &'static str,
    /// What may stand after its name and a colon.
    pub variants: &'static [Variant],
    /// What may stand in parentheses.
    pub options: &'static [OptionInfo],
    /// What is known of it with the default options.
    pub facts: HeuristicFacts,
    /// With which option it is not admissible, although it is without.
    pub inadmissible_with: Option<&'static str>,
    /// Where it comes from; empty where that needs no saying.
    pub citation: &'static str,
    /// Whether it makes pattern databases, which can be saved.
    pub databases: bool,
    /// How it is made.
    pub build: Build,
}

/// How a heuristic is made.
#[derive(Clone, Copy)]
pub enum Build {
    /// It has no options and needs no preparation.
    Plain(&'static dyn Make),
    /// It has options or variants.
    Chosen {
        /// The choice that its name alone stands for.
        default: fn() -> Arc<dyn Choice>,
        /// Reads what stands after its name.
        read: fn(&Named<'_>) -> Result<Arc<dyn Choice>, OptionError>,
    },
}

/// A variant of a heuristic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variant {
    /// The word after the colon.
    pub name: &'static str,
    /// What it changes.
    pub meaning: &'static str,
}

/// An option of a heuristic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub values: Values,
    /// The value where none is given, with the name of the heuristic alone; empty where that is none.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// What an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// A number from the first to the second.
    Number(usize, usize),
    /// One of these words.
    Words(&'static [&'static str]),
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Number(low, usize::MAX) => write!(f, "a number from {low}"),
            Values::Number(low, high) => write!(f, "a number from {low} to {high}"),
            Values::Words(words) => {
                let (last, others) = words.split_last().map_or(("", &[][..]), |(l, o)| (*l, o));
                write!(f, "{} or {last}", others.join(", "))
            }
        }
    }
}

impl Entry {
    /// What is guaranteed, in words; empty where nothing is.
    pub fn guarantees(&self) -> String {
        let HeuristicFacts {
            admissible,
            consistent,
            safe_dead_ends,
        } = self.facts;
        let admissible = match self.inadmissible_with {
            _ if !admissible => None,
            None => Some("admissible".to_string()),
            Some(option) => Some(format!("admissible (not with {option})")),
        };
        let consistent = consistent.then(|| "consistent".to_string());
        let safe = safe_dead_ends.then(|| "safe dead ends".to_string());
        let words: Vec<String> = [admissible, consistent, safe]
            .into_iter()
            .flatten()
            .collect();
        words.join(", ")
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
