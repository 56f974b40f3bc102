//! Names and options: `pa`, `pa:2abs`, `pa:2abs(states=5000,layers=10,combine=max)`, `pa:paths(q=4,l=w/2)`.

use std::fmt;
use std::sync::Arc;

use merkhet_explore::HeuristicFacts;

use super::measure::Measure;
use super::{Databases, PredicateAbstraction};
use crate::choice::{Choice, Made, Preparation, PrepareError, Problem};
use crate::entry::{Build, Entry, OptionInfo, Values, Variant};
use crate::named::{Argument, Named, OptionError, wrong};

/// How abstractions are found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// `syn`: guards, invariants and locations of one process after the other (section 5.1).
    Syntax,
    /// `1abs`: refinement from all conditions of the goal at once (section 5.2).
    One,
    /// `2abs`: refinement from each condition of the goal apart (section 5.2).
    Apart,
    /// `paths`: as `2abs`, each step refined by several paths of a given length (section 5.3).
    Paths {
        /// How many paths.
        count: usize,
        /// The layers divided by this is their length.
        divisor: usize,
    },
    /// `seed`: as `2abs`, with a location as an additional seed (section 5.4).
    Seed,
    /// What `pa` alone means: refinement that goes on past early convergence.
    Steady,
}

/// How the values of several databases are put together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Combine {
    /// The largest: admissible.
    Maximum,
    /// The sum: not admissible.
    Sum,
}

/// Which predicates stay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Keep {
    /// All that refinement finds.
    All,
    /// Of `pa` alone: those without which some estimate falls, when an abstraction has become too large.
    Paying,
}

/// Everything that can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// How abstractions are found.
    pub method: Method,
    /// Refinement ends with an abstraction of more abstract states.
    pub states: usize,
    /// Or of more layers.
    pub layers: usize,
    /// How values are put together.
    pub combine: Combine,
    /// The most MiB that the databases take.
    pub memory: usize,
    /// The most predicates of an abstraction.
    pub predicates: usize,
    /// Which predicates stay.
    pub keep: Keep,
    /// For random choices.
    pub seed: u64,
    /// A search that explores more states than this starts anew with another abstraction, and then may take twice as
    /// many (section 5.4 proposes it).
    pub restart: Option<usize>,
}

/// The paper's threshold.
const PAPER_STATES: usize = 5000;
/// That of `pa` alone, which makes one abstraction and not several.
const STEADY_STATES: usize = 20_000;

/// `pa`.
pub static ENTRY: Entry = Entry {
    name: "pa",
    summary: "pattern databases of predicate abstractions: pa, pa:syn, pa:1abs, pa:2abs, pa:paths(q=4,l=w/2), \
              pa:seed; with options such as pa:2abs(states=5000,layers=10,combine=max)",
    description: "Before the search, the state space of an abstraction is computed backwards from the goal; a state's value is \
                  looked up there. The predicates come from guards and invariants along abstract paths to the goal. It \
                  takes time first, and pays where the search is long; --pdb-out keeps the databases.",
    variants: &[
        Variant {
            name: "syn",
            meaning: "guards, invariants and locations, process by process",
        },
        Variant {
            name: "1abs",
            meaning: "one abstraction, refined from the whole goal",
        },
        Variant {
            name: "2abs",
            meaning: "one abstraction for each condition of the goal",
        },
        Variant {
            name: "paths",
            meaning: "as 2abs, refined by q paths of length l: pa:paths(q=4,l=w/2)",
        },
        Variant {
            name: "seed",
            meaning: "as 2abs, with locations as additional seeds",
        },
    ],
    options: &[
        OptionInfo {
            name: "states",
            values: Values::Number(1, 10_000_000),
            default: "20000",
            meaning: "refinement ends with an abstraction of more abstract states; 5000 for the variants",
        },
        OptionInfo {
            name: "layers",
            values: Values::Number(1, 100_000),
            default: "10",
            meaning: "refinement ends with an abstraction of more layers",
        },
        OptionInfo {
            name: "combine",
            values: Values::Words(&["max", "sum"]),
            default: "max",
            meaning: "how the values of several databases are put together",
        },
        OptionInfo {
            name: "memory",
            values: Values::Number(1, 1 << 20),
            default: "256",
            meaning: "the databases take at most so many MiB",
        },
        OptionInfo {
            name: "predicates",
            values: Values::Number(1, 4096),
            default: "192",
            meaning: "an abstraction has at most so many predicates",
        },
        OptionInfo {
            name: "keep",
            values: Values::Words(&["all", "paying"]),
            default: "paying",
            meaning: "whether pa alone drops predicates without which no estimate falls when an abstraction is too large",
        },
        OptionInfo {
            name: "seed",
            values: Values::Number(0, usize::MAX),
            default: "0",
            meaning: "for random choices",
        },
        OptionInfo {
            name: "restart",
            values: Values::Number(1, 1 << 40),
            default: "",
            meaning: "a search that expands more states starts anew with another abstraction, and then may take twice as many",
        },
        OptionInfo {
            name: "q",
            values: Values::Number(1, 1000),
            default: "",
            meaning: "with pa:paths, how many paths",
        },
        OptionInfo {
            name: "l",
            values: Values::Words(&["w/1", "w/2", "w/3", "w/4", "w"]),
            default: "",
            meaning: "with pa:paths, their length: the number of layers, divided",
        },
    ],
    facts: facts(Combine::Maximum),
    inadmissible_with: Some("combine=sum"),
    citation: "Smaus, Hoffmann 2008",
    databases: true,
    build: Build::Chosen {
        default: || Arc::new(Options::default()),
        read: |named| Ok(Arc::new(read(named)?)),
    },
};

pub(super) const fn facts(combine: Combine) -> HeuristicFacts {
    HeuristicFacts {
        admissible: matches!(combine, Combine::Maximum),
        consistent: false,
        safe_dead_ends: true,
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            method: Method::Steady,
            states: STEADY_STATES,
            layers: 10,
            combine: Combine::Maximum,
            memory: 256,
            predicates: 192,
            keep: Keep::Paying,
            seed: 0,
            restart: None,
        }
    }
}

impl Options {
    /// The options of the search after a number of restarts: other methods and other random choices in turn.
    #[must_use]
    pub fn variation(&self, restarts: u32) -> Options {
        let mut options = *self;
        if restarts == 0 {
            return options;
        }
        options.seed = self.seed.wrapping_add(restarts.into());
        (options.method, options.states) = match restarts % 4 {
            1 => (Method::Apart, PAPER_STATES),
            2 => (Method::Seed, 100),
            3 => {
                let divisor = 1 + (restarts as usize / 4) % 4;
                (Method::Paths { count: 4, divisor }, PAPER_STATES)
            }
            _ => (Method::Steady, STEADY_STATES << (restarts / 4).min(4)),
        };
        options
    }
}

impl Choice for Options {
    fn facts(&self) -> HeuristicFacts {
        facts(self.combine)
    }

    /// Makes the databases, or takes the saved ones.
    fn prepare(
        &self,
        problem: &Problem<'_>,
        preparation: &Preparation<'_>,
    ) -> Result<Made, PrepareError> {
        let Problem {
            network,
            goal,
            tuning,
        } = *problem;
        let measure = Measure::start();
        let abstraction = match preparation.databases_in {
            Some(text) => PredicateAbstraction::saved(network, goal, *self, text)
                .map_err(PrepareError::Store)?,
            None => PredicateAbstraction::tuned(network, goal, *self, preparation.stop, tuning),
        };
        let databases = Databases {
            time: measure.worked(),
            bytes: abstraction.bytes() as u64,
            list: abstraction.summaries().to_vec(),
            text: (preparation.keep_text).then(|| abstraction.to_text(network, goal)),
        };
        Ok(Made {
            make: Box::new(abstraction),
            databases: Some(databases),
        })
    }

    fn restart(&self) -> Option<u64> {
        self.restart.map(|states| states as u64)
    }

    fn variation(&self, restarts: u32) -> Option<(String, Arc<dyn Choice>)> {
        let options = Options::variation(self, restarts);
        Some((options.to_string(), Arc::new(options)))
    }
}

fn read(named: &Named<'_>) -> Result<Options, OptionError> {
    let mut options = Options::default();
    if let Some(variant) = named.variant()? {
        options.states = PAPER_STATES;
        options.method = METHODS[variant];
    }
    for argument in &named.arguments {
        read_argument(&mut options, argument)?;
    }
    Ok(options)
}

/// By variant, the method.
const METHODS: [Method; 5] = [
    Method::Syntax,
    Method::One,
    Method::Apart,
    Method::Paths {
        count: 2,
        divisor: 1,
    },
    Method::Seed,
];

fn read_argument(options: &mut Options, argument: &Argument<'_>) -> Result<(), OptionError> {
    match (argument.option.name, &mut options.method) {
        ("states", _) => options.states = argument.number()?,
        ("layers", _) => options.layers = argument.number()?,
        ("memory", _) => options.memory = argument.number()?,
        ("predicates", _) => options.predicates = argument.number()?,
        ("seed", _) => options.seed = argument.number()? as u64,
        ("restart", _) => options.restart = Some(argument.number()?),
        ("combine", _) => {
            options.combine = [Combine::Maximum, Combine::Sum][argument.word()?];
        }
        ("keep", _) => options.keep = [Keep::All, Keep::Paying][argument.word()?],
        ("q", Method::Paths { count, .. }) => *count = argument.number()?,
        ("l", Method::Paths { divisor, .. }) => *divisor = [1, 2, 3, 4, 1][argument.word()?],
        (key, _) => return wrong(format!("{key} is an option of pa:paths only")),
    }
    Ok(())
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.method {
            Method::Syntax => "pa:syn",
            Method::One => "pa:1abs",
            Method::Apart => "pa:2abs",
            Method::Paths { .. } => "pa:paths",
            Method::Seed => "pa:seed",
            Method::Steady => "pa",
        };
        let combine = match self.combine {
            Combine::Maximum => "max",
            Combine::Sum => "sum",
        };
        write!(f, "{name}(states={},layers={},", self.states, self.layers)?;
        if let Method::Paths { count, divisor } = self.method {
            write!(f, "q={count},l=w/{divisor},")?;
        }
        write!(f, "combine={combine})")
    }
}
