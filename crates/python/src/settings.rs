//! The options of a check, from the words of Python to those of the library.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use merkhet::tuning::{KNOWN, Tuning};
use merkhet::{
    Config, DiagramOptions, DiagramSearch, Extrapolation, HEURISTICS, HeuristicSpec, Inclusion,
    Joining, Limits, Prune, ReductionKind, TieBreak, TraceKind, UPDATES, Update,
};
use pyo3::prelude::*;

use crate::errors::{Kind, Wrong};

/// What a caller of `check` says; the package fills in the rest.
#[derive(Clone, Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Settings {
    engine: Option<String>,
    search: Option<String>,
    heuristic: Option<String>,
    heuristic_cache: Option<usize>,
    tie: Option<String>,
    restarts: Option<u64>,
    trace: String,
    extrapolation: Option<String>,
    inclusion: Option<String>,
    bitstate: bool,
    timeout: Option<f64>,
    memory_limit: Option<u64>,
    max_states: Option<u64>,
    seed: u64,
    threads: usize,
    certificate: bool,
    lattice: Option<String>,
    joining: Vec<String>,
    assume_monotone: bool,
    check_monotone: bool,
    prune: Option<String>,
    reduce: Option<Vec<String>>,
    keep_dead_variables: bool,
    symmetry: Option<String>,
    tunables: Vec<String>,
    databases: Option<String>,
    save_databases: bool,
    order: Option<String>,
    reorder: bool,
    keep: Vec<Vec<String>>,
    abstract_time: Option<f64>,
    patterns: Option<String>,
}

/// Names of joining strategies; everything else is a rule.
const STRATEGIES: [(&str, Joining); 3] = [
    ("model", Joining::Model),
    ("all", Joining::All),
    ("same-zone", Joining::SameZone),
];

fn refused(message: impl Display) -> Wrong {
    Wrong::new(Kind::Option, message.to_string())
}

/// The value with that name, or which there are.
fn one_of<T: Clone>(option: &str, given: &str, known: &[(&str, T)]) -> Result<T, Wrong> {
    let found = known.iter().find(|(name, _)| *name == given);
    found.map(|(_, value)| value.clone()).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        refused(format!(
            "unknown {option} '{given}'; known are {}",
            names.join(", ")
        ))
    })
}

fn perhaps<T: Clone>(
    option: &str,
    given: Option<&String>,
    known: &[(&str, T)],
) -> Result<Option<T>, Wrong> {
    given.map(|given| one_of(option, given, known)).transpose()
}

fn seconds(option: &str, given: f64) -> Result<Duration, Wrong> {
    let positive = (given >= 0.0).then(|| Duration::try_from_secs_f64(given).ok());
    positive.flatten().ok_or_else(|| {
        refused(format!(
            "{option} {given}: a number of seconds that is not negative"
        ))
    })
}

impl Settings {
    /// Whether decision diagrams decide.
    fn by_diagrams(&self, smv: bool) -> Result<bool, Wrong> {
        match self.engine.as_deref() {
            None => Ok(smv),
            Some("bdd") => Ok(true),
            Some("zones") if smv => Err(refused("engine 'zones' is not for SMV models")),
            Some(given) => one_of("engine", given, &[("zones", false), ("bdd", true)]),
        }
    }

    /// The rules of a joining strategy, as written.
    pub fn joining_rules(&self) -> impl Iterator<Item = &str> {
        let rules = self.joining.iter().map(String::as_str);
        rules.filter(|text| !STRATEGIES.iter().any(|(name, _)| name == text))
    }

    /// The options of the library; rules of joining strategies are left out, since only a model can read them.
    pub fn config(&self, smv: bool, cancel: Arc<AtomicBool>) -> Result<Config, Wrong> {
        let diagrams = self.by_diagrams(smv)?;
        let mut config = self.plain(diagrams, cancel)?;
        if !diagrams {
            if let Some(option) = self.only_for_diagrams() {
                return Err(refused(format!(
                    "{option} is for decision diagrams: an SMV model, or engine='bdd'"
                )));
            }
            config.validate().map_err(refused)?;
            return Ok(config);
        }
        if !smv && self.order.is_some() {
            return Err(refused("order is for SMV models"));
        }
        if let Some(option) = config.meaningless_to_diagrams() {
            let option = option.trim_start_matches('-').replace('-', "_");
            return Err(refused(format!(
                "{option} means nothing to decision diagrams"
            )));
        }
        config.diagrams = Some(self.diagrams()?);
        Ok(config)
    }

    fn plain(&self, diagrams: bool, cancel: Arc<AtomicBool>) -> Result<Config, Wrong> {
        let heuristic = |name: &String| name.parse::<HeuristicSpec>().map_err(refused);
        let joining = self.joining.iter().filter_map(|text| {
            let found = STRATEGIES.iter().find(|(name, _)| name == text);
            found.map(|(_, joining)| *joining)
        });
        let joining: Vec<Joining> = joining.collect();
        if joining.len() > 1 {
            return Err(refused(
                "of model, all and same-zone, joining takes one; rules may come beside it",
            ));
        }
        let joins = matches!(self.lattice.as_deref(), Some("join" | "cegar"));
        if !self.joining.is_empty() && !joins {
            return Err(refused(
                "joining is for lattice='join' and lattice='cegar': nothing is joined otherwise",
            ));
        }
        let updates: Vec<(&str, Update)> = (UPDATES.iter())
            .map(|(name, update, _)| (*name, *update))
            .collect();
        Ok(Config {
            search: match &self.search {
                Some(name) if !diagrams => Some(name.parse().map_err(refused)?),
                _ => None,
            },
            heuristic: self.heuristic.as_ref().map(heuristic).transpose()?,
            heuristic_cache: self.heuristic_cache,
            tie: perhaps(
                "tie",
                self.tie.as_ref(),
                &[
                    ("fifo", TieBreak::Fifo),
                    ("lifo", TieBreak::Lifo),
                    ("random", TieBreak::Random),
                    ("preferred", TieBreak::Preferred),
                ],
            )?,
            restarts: self.restarts,
            trace: one_of(
                "trace",
                &self.trace,
                &[
                    ("none", TraceKind::None),
                    ("some", TraceKind::Some),
                    ("short", TraceKind::Short),
                    ("shortest", TraceKind::Shortest),
                    ("fastest", TraceKind::Fastest),
                ],
            )?,
            extrapolation: perhaps(
                "extrapolation",
                self.extrapolation.as_ref(),
                &[
                    ("none", Extrapolation::None),
                    ("m", Extrapolation::M),
                    ("m-plus", Extrapolation::MPlus),
                    ("lu", Extrapolation::Lu),
                    ("lu-plus", Extrapolation::LuPlus),
                ],
            )?,
            inclusion: perhaps(
                "inclusion",
                self.inclusion.as_ref(),
                &[
                    ("none", Inclusion::None),
                    ("zone", Inclusion::Zone),
                    ("alu", Inclusion::Alu),
                    ("adaptive", Inclusion::Adaptive),
                ],
            )?,
            bitstate: self.bitstate,
            limits: Limits {
                timeout: (self.timeout)
                    .map(|given| seconds("timeout", given))
                    .transpose()?,
                memory: self.memory_limit,
                states: self.max_states,
                cancel,
                ..Limits::default()
            },
            seed: self.seed,
            threads: self.threads,
            certificate: self.certificate,
            lattice: perhaps("lattice", self.lattice.as_ref(), &updates)?,
            joining: joining.first().copied().unwrap_or_default(),
            joining_rules: Vec::new(),
            assume_monotone: self.assume_monotone,
            check_monotone: self.check_monotone,
            prune: self.prune.as_deref().map(prune).transpose()?,
            reduce: (self.reduce.as_ref())
                .map(|names| reductions(names))
                .transpose()?,
            keep_dead: self.keep_dead_variables,
            symmetry: perhaps(
                "symmetry",
                self.symmetry.as_ref(),
                &[("full", true), ("none", false)],
            )?,
            databases_in: self.databases.clone().map(Into::into),
            databases_out: self.save_databases,
            tuning: self.tuning()?,
            diagrams: None,
        })
    }

    fn tuning(&self) -> Result<Tuning, Wrong> {
        let mut tuning = Tuning::default();
        for text in &self.tunables {
            tuning
                .set(KNOWN, text)
                .map_err(|error| refused(format!("tunables: {error}")))?;
        }
        Ok(tuning)
    }

    fn only_for_diagrams(&self) -> Option<&'static str> {
        let given = [
            (self.order.is_some(), "order"),
            (self.reorder, "reorder"),
            (!self.keep.is_empty(), "keep"),
            (self.abstract_time.is_some(), "abstract_time"),
            (self.patterns.is_some(), "patterns"),
        ];
        given
            .into_iter()
            .find(|(given, _)| *given)
            .map(|(_, name)| name)
    }

    fn diagrams(&self) -> Result<DiagramOptions, Wrong> {
        let defaults = DiagramOptions::default();
        let search = match &self.search {
            Some(name) => Some(name.parse().map_err(refused)?),
            None => None,
        };
        let kind = [("bdd", false), ("mtbdd", true)];
        let options = DiagramOptions {
            search,
            order: self.order.clone(),
            reorder: self.reorder,
            keep: self.keep.clone(),
            budget: match self.abstract_time {
                Some(given) => seconds("abstract_time", given)?,
                None => defaults.budget,
            },
            multi_terminal: perhaps("patterns", self.patterns.as_ref(), &kind)?.unwrap_or(false),
        };
        let given = [
            (!self.keep.is_empty(), "keep"),
            (self.abstract_time.is_some(), "abstract_time"),
            (self.patterns.is_some(), "patterns"),
        ];
        let guided = options.search() == DiagramSearch::Guided;
        match given.iter().find(|(given, _)| *given) {
            Some((_, option)) if !guided => Err(refused(format!("{option} needs search='guided'"))),
            _ => Ok(options),
        }
    }
}

fn prune(given: &str) -> Result<Prune, Wrong> {
    if given == "useless" {
        return Ok(Prune::Useless);
    }
    let levels = given.strip_prefix("context:").and_then(|n| n.parse().ok());
    levels.map(Prune::Context).ok_or_else(|| {
        refused(format!(
            "unknown prune '{given}'; known are useless, context:K"
        ))
    })
}

/// The reductions with these names, each once.
pub fn reductions(names: &[String]) -> Result<Vec<ReductionKind>, Wrong> {
    let known = [
        ("safe", Some(ReductionKind::Safe)),
        ("coi", Some(ReductionKind::Influence)),
        ("none", None),
    ];
    let mut kinds = Vec::new();
    for name in names {
        if let Some(kind) = one_of("reduction", name, &known)?
            && !kinds.contains(&kind)
        {
            kinds.push(kind);
        }
    }
    Ok(kinds)
}

/// The heuristics with what is said of them: name, summary, citation.
pub fn heuristics() -> Vec<(String, String, String)> {
    (HEURISTICS.iter())
        .map(|entry| {
            (
                entry.name.into(),
                entry.summary.to_string(),
                entry.citation.to_string(),
            )
        })
        .collect()
}
