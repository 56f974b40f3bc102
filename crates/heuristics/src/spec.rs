//! A heuristic as it is named on the command line, read once.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use merkhet_explore::{Heuristic, HeuristicFacts};
use merkhet_network::{Formula, Network};
use merkhet_semantics::{State, System};

use crate::ALL;
use crate::choice::{Choice, Made, Make, Preparation, PrepareError, Prepared, Problem};
use crate::entry::{Build, Entry};
use crate::explanation::Explained;
use crate::named::{Named, OptionError};

/// A heuristic with its options.
#[derive(Clone)]
pub struct HeuristicSpec {
    entry: &'static Entry,
    /// As it was given, without blanks.
    name: Arc<str>,
    /// The options, where there are some.
    choice: Option<Arc<dyn Choice>>,
}

/// A text that names no heuristic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HeuristicError {
    /// There is no such heuristic.
    Unknown {
        /// What was given.
        given: String,
        /// The names that there are.
        known: Vec<&'static str>,
    },
    /// Its options are wrong.
    Options {
        /// What was given.
        given: String,
        /// What is wrong.
        error: OptionError,
    },
}

impl fmt::Display for HeuristicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeuristicError::Unknown { given, known } => {
                let known = known.join(", ");
                write!(f, "unknown heuristic '{given}'; known are {known}")
            }
            HeuristicError::Options { given, error } => write!(f, "heuristic '{given}': {error}"),
        }
    }
}

impl std::error::Error for HeuristicError {}

impl HeuristicSpec {
    /// A heuristic with its default options.
    pub fn of(entry: &'static Entry) -> HeuristicSpec {
        HeuristicSpec {
            entry,
            name: entry.name.into(),
            choice: match entry.build {
                Build::Plain(_) => None,
                Build::Chosen { default, .. } => Some(default()),
            },
        }
    }

    /// Reads a name with options, of a list of heuristics.
    pub fn read(list: &[&'static Entry], text: &str) -> Result<HeuristicSpec, HeuristicError> {
        let name: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let family = name.split([':', '(']).next().unwrap_or_default();
        let Some(entry) = list.iter().find(|entry| entry.name == family) else {
            return Err(HeuristicError::Unknown {
                given: text.to_string(),
                known: list.iter().map(|entry| entry.name).collect(),
            });
        };
        if family.len() == name.len() {
            return Ok(HeuristicSpec::of(entry));
        }
        let choice = Named::parse(entry, &name).and_then(|named| match entry.build {
            Build::Plain(_) => Err(OptionError(format!("{family} has no options"))),
            Build::Chosen { read, .. } => read(&named),
        });
        match choice {
            Ok(choice) => Ok(HeuristicSpec {
                entry,
                name: name.into(),
                choice: Some(choice),
            }),
            Err(error) => Err(HeuristicError::Options {
                given: text.to_string(),
                error,
            }),
        }
    }

    /// What the list says about it.
    pub fn entry(&self) -> &'static Entry {
        self.entry
    }

    /// Its options, if they are of this type.
    pub fn options<T: 'static>(&self) -> Option<&T> {
        self.choice.as_ref()?.as_ref().as_any().downcast_ref()
    }

    /// What is known of it.
    pub fn facts(&self) -> HeuristicFacts {
        match &self.choice {
            Some(choice) => choice.facts(),
            None => self.entry.facts,
        }
    }

    /// Whether it never over-estimates.
    pub fn is_admissible(&self) -> bool {
        self.facts().admissible
    }

    /// Whether it knows nothing, so that no search follows it.
    pub fn is_blind(&self) -> bool {
        self.entry.name == crate::blind::ENTRY.name
    }

    /// A search that expands more states than this starts anew with a [`HeuristicSpec::variation`].
    pub fn restart(&self) -> Option<u64> {
        self.choice.as_ref().and_then(|choice| choice.restart())
    }

    /// The heuristic after a number of restarts, where another one of its family may see more.
    #[must_use]
    pub fn variation(&self, restarts: u32) -> Option<HeuristicSpec> {
        let (name, choice) = self.choice.as_ref()?.variation(restarts)?;
        Some(HeuristicSpec {
            entry: self.entry,
            name: name.into(),
            choice: Some(choice),
        })
    }

    /// Prepares it for a goal.
    pub fn prepare<'t>(
        &self,
        network: &'t Network,
        goal: &'t Formula,
        preparation: &Preparation<'_>,
    ) -> Result<Prepared<'t>, PrepareError> {
        let problem = Problem {
            network,
            goal,
            tuning: &preparation.tuning,
        };
        let made = match (&self.choice, self.entry.build) {
            (Some(choice), _) => choice.prepare(&problem, preparation)?,
            (None, Build::Plain(make)) => Made::at_once(Plain(make)),
            (None, Build::Chosen { default, .. }) => default().prepare(&problem, preparation)?,
        };
        Ok(Prepared::new(network, goal, made, preparation))
    }
}

/// Makes a heuristic without options.
struct Plain(&'static dyn Make);

impl Make for Plain {
    fn make(&self, problem: &Problem<'_>, system: &System, cache: usize) -> Box<dyn Heuristic> {
        self.0.make(problem, system, cache)
    }

    fn explain(&self, problem: &Problem<'_>, state: State<'_>) -> Explained {
        self.0.explain(problem, state)
    }

    fn without_useless(&self, problem: &Problem<'_>, system: &System) -> Box<dyn Heuristic> {
        self.0.without_useless(problem, system)
    }
}

impl FromStr for HeuristicSpec {
    type Err = HeuristicError;

    fn from_str(text: &str) -> Result<HeuristicSpec, HeuristicError> {
        HeuristicSpec::read(ALL, text)
    }
}

impl fmt::Display for HeuristicSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl PartialEq for HeuristicSpec {
    fn eq(&self, other: &HeuristicSpec) -> bool {
        let same = match (&self.choice, &other.choice) {
            (Some(one), Some(two)) => one.is_same(two.as_ref()),
            (one, two) => one.is_none() && two.is_none(),
        };
        same && self.entry.name == other.entry.name
    }
}

impl Eq for HeuristicSpec {}

impl Hash for HeuristicSpec {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.entry.name.hash(state);
        if let Some(choice) = &self.choice {
            choice.hash_into(state);
        }
    }
}

impl fmt::Debug for HeuristicSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.choice {
            Some(choice) => write!(f, "{} {choice:?}", self.entry.name),
            None => f.write_str(self.entry.name),
        }
    }
}
