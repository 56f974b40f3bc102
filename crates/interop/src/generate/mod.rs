//! Families of models by parameters, as text: the papers' examples and scalable protocols.
//!
//! A family is one file plus one line in [`ALL`]; the list yields the command's help. Models come as XTA, in
//! TChecker's language or as SMV, with the query that belongs to them, which also stands in a comment at their start.

pub mod circuits;
mod csmacd;
mod errors;
mod fddi;
mod fischer;
mod hanoi;
mod lattice;
mod monotone;
#[cfg(test)]
mod tests;

/// The language that a generated model is written in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// UPPAAL's textual form, `.xta`.
    Xta,
    /// TChecker's form, `.tck`.
    Tck,
    /// NuSMV's form, `.smv`.
    Smv,
}

impl Language {
    /// The extension of files in it.
    pub fn extension(self) -> &'static str {
        match self {
            Language::Xta => "xta",
            Language::Tck => "tck",
            Language::Smv => "smv",
        }
    }
}

/// A parameter of a family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// A short name.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// The smallest value.
    pub low: u32,
    /// The largest value.
    pub high: u32,
    /// The value where none is given; without one it must be given.
    pub default: Option<u32>,
}

/// A generated model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// The text.
    pub text: String,
    /// The query that belongs to it; none: explore everything.
    pub query: Option<String>,
}

/// A family of models.
#[derive(Clone, Copy, Debug)]
pub struct Generator {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The language of its models.
    pub language: Language,
    /// Its parameters, in order; those with defaults come last.
    pub parameters: &'static [Parameter],
    /// Builds the model for values of all parameters, all within their ranges; [`Generator::generate`] sees to that.
    pub build: fn(&[u32]) -> Result<Model, String>,
}

impl Generator {
    /// The model for the given values; parameters at the end that have defaults may be left out.
    pub fn generate(&self, given: &[u32]) -> Result<Model, String> {
        if given.len() > self.parameters.len() {
            return Err(format!(
                "`{}` takes {} parameters, {} are given",
                self.name,
                self.parameters.len(),
                given.len()
            ));
        }
        let mut values = Vec::new();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let Some(value) = given.get(index).copied().or(parameter.default) else {
                return Err(format!(
                    "`{}` needs {}: {}",
                    self.name, parameter.name, parameter.summary
                ));
            };
            if !(parameter.low..=parameter.high).contains(&value) {
                return Err(format!(
                    "{} ({}) goes from {} to {}, not {value}",
                    parameter.name, parameter.summary, parameter.low, parameter.high
                ));
            }
            values.push(value);
        }
        (self.build)(&values)
    }

    /// How it is called: `fischer-a N [K]`.
    pub fn usage(&self) -> String {
        let mut usage = self.name.to_owned();
        for parameter in self.parameters {
            match parameter.default {
                None => usage += &format!(" {}", parameter.name),
                Some(_) => usage += &format!(" [{}]", parameter.name),
            }
        }
        usage
    }
}

/// Every family.
pub const ALL: &[Generator] = &[
    fischer::FISCHER_A,
    fischer::FISCHER_B,
    fischer::FISCHER_C,
    monotone::DEAD_ENDS,
    monotone::CIRCLES,
    hanoi::HANOI,
    fischer::FISCHER,
    csmacd::CSMACD,
    fddi::FDDI,
    circuits::TREE_ARBITER,
    circuits::DME,
    lattice::LOGIN,
    lattice::SESSIONS,
    lattice::DATABASE,
    lattice::LEADER,
    lattice::CACHE,
    errors::locks::ARBITER,
    errors::locks::BAKERY,
    errors::locks::DINING,
    errors::locks::FILTER_LOCK,
    errors::networks::ALTERNATING_BIT,
    errors::networks::BUS,
    errors::networks::COHERENCE,
    errors::networks::COMMIT,
    errors::networks::ELECTION,
    errors::networks::TOKEN_RING,
    errors::puzzles::BRIDGE,
    errors::puzzles::COMBINATION,
    errors::puzzles::GOSSIP,
    errors::puzzles::JUGS,
    errors::puzzles::SLIDING,
    errors::schedules::CROSSING,
    errors::schedules::JOB_SHOP,
    errors::schedules::PIPELINE,
    errors::schedules::SCHEDULER,
];

/// The family of that name.
pub fn find(name: &str) -> Option<&'static Generator> {
    ALL.iter().find(|generator| generator.name == name)
}

/// A builder was called with the wrong number of values; [`Generator::generate`] never does.
fn wrong_number() -> Result<Model, String> {
    Err("every parameter needs a value".into())
}
