//! Names and options: `pa`, `pa:2abs`, `pa:2abs(states=5000,layers=10,combine=max)`, `pa:paths(q=4,l=w/2)`.

use std::fmt;

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
    /// The databases take at most so many MiB.
    pub memory: usize,
    /// An abstraction has at most so many predicates.
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

/// The names of the methods, with what they do.
pub const METHODS: &[(&str, &str)] = &[
    (
        "syn",
        "guards, invariants and locations, process by process",
    ),
    ("1abs", "one abstraction, refined from the whole goal"),
    ("2abs", "one abstraction for each condition of the goal"),
    (
        "paths",
        "as 2abs, refined by q paths of length l: pa:paths(q=4,l=w/2)",
    ),
    ("seed", "as 2abs, with locations as additional seeds"),
];

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
    /// Reads a name of the family; `None` if it is of another family.
    pub fn parse(text: &str) -> Option<Result<Options, OptionError>> {
        let named = Named::parse("pa", text, HINT)?;
        Some(named.and_then(|named| read(&named)))
    }

    /// The options of the search after so many restarts: other methods and other random choices in turn.
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

    /// Whether its values never exceed the distance.
    pub fn is_admissible(&self) -> bool {
        self.combine == Combine::Maximum
    }
}

const HINT: &str = "options are states=N, layers=N, combine=max|sum, memory=MiB, predicates=N, \
                    keep=all|paying, seed=N, restart=STATES, and for pa:paths q=N and l=w/1 to w/4";

fn read(named: &Named<'_>) -> Result<Options, OptionError> {
    let mut options = Options::default();
    if named.variant.is_some() {
        options.states = PAPER_STATES;
    }
    options.method = match named.variant {
        None => Method::Steady,
        Some("syn") => Method::Syntax,
        Some("1abs") => Method::One,
        Some("2abs") => Method::Apart,
        Some("seed") => Method::Seed,
        Some("paths") => Method::Paths {
            count: 2,
            divisor: 1,
        },
        Some(other) => {
            let known: Vec<&str> = METHODS.iter().map(|(name, _)| *name).collect();
            let known = known.join(", pa:");
            return wrong(format!("there is no pa:{other}; known are pa, pa:{known}"));
        }
    };
    for argument in &named.arguments {
        read_argument(&mut options, argument)?;
    }
    Ok(options)
}

fn read_argument(options: &mut Options, argument: &Argument<'_>) -> Result<(), OptionError> {
    let number = |low, high| argument.number(low, high);
    match (argument.key, &mut options.method) {
        ("states", _) => options.states = number(1, 10_000_000)?,
        ("layers", _) => options.layers = number(1, 100_000)?,
        ("memory", _) => options.memory = number(1, 1 << 20)?,
        ("predicates", _) => options.predicates = number(1, 4096)?,
        ("seed", _) => options.seed = number(0, usize::MAX)? as u64,
        ("restart", _) => options.restart = Some(number(1, 1 << 40)?),
        ("combine", _) => {
            let known = [("max", Combine::Maximum), ("sum", Combine::Sum)];
            options.combine = argument.one_of(&known)?;
        }
        ("keep", _) => {
            options.keep = argument.one_of(&[("all", Keep::All), ("paying", Keep::Paying)])?;
        }
        ("q", Method::Paths { count, .. }) => *count = number(1, 1000)?,
        ("l", Method::Paths { divisor, .. }) => {
            *divisor = match argument.value {
                "w" => 1,
                _ => argument.one_of(&[("w/1", 1), ("w/2", 2), ("w/3", 3), ("w/4", 4)])?,
            }
        }
        (key @ ("q" | "l"), _) => return wrong(format!("{key} is an option of pa:paths only")),
        (other, _) => return wrong(format!("there is no option '{other}'; {HINT}")),
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
