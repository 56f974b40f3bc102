//! Searches that are written down and taken up again.

use std::fmt::{self, Debug, Display};
use std::hash::Hasher;

use merkhet_explore::{Keeper, Progress, Strategy};
use merkhet_network::tuning::Tuning;
use merkhet_network::{Network, Query, QueryKind};

use super::ladder::Ladder;
use super::not;
use super::schedule::Guide;
use crate::config::{Config, Order};
use crate::failure::Failure;
use crate::report::Report;
use crate::search::SearchSpec;

/// As [`super::check()`], with a keeper for the search. Reachability (`E<>`, `A[]`) with one thread only.
pub fn check_resumable(
    network: &Network,
    query: &Query,
    config: &Config,
    observe: &mut dyn FnMut(&Progress),
    keeper: &mut dyn Keeper,
) -> Result<Report, Failure> {
    let refuse = |message: &str| Err(Failure::NotPermitted(message.into()));
    let reachability = matches!(
        query.kind,
        QueryKind::Possibly(_) | QueryKind::Invariantly(_) | QueryKind::Explore
    );
    if !reachability {
        return refuse("checkpoints are for E<> and A[] only");
    }
    if config.search == Some(SearchSpec::Auto) {
        return refuse(
            "checkpoints are not for the automatic search, whose queues they do not hold; leave --search out for breadth \
             first, or name largest, greedy, astar, …",
        );
    }
    if config.threads > 1 {
        return refuse("checkpoints are for searches with one thread");
    }
    if config.bitstate {
        return refuse("checkpoints are not for bit-state hashing");
    }
    if config
        .reduce
        .as_ref()
        .is_some_and(|kinds| !kinds.is_empty())
    {
        return refuse("checkpoints do not go with reductions");
    }
    if config.check_monotone {
        return refuse("checkpoints do not hold the pairs that --check-monotone has tested");
    }
    if config.order() == Order::Fixed(Strategy::Preferred(config.tie_break())) {
        return refuse("checkpoints are not for the preferred search; use greedy");
    }
    if let Order::Walk(_) = config.order() {
        return refuse("walks have no states that a checkpoint could hold");
    }
    super::prepare(network, config)?;
    let ladder = Ladder::new(network, query, config, &config.limits, true)?;
    ladder.climb(observe, Some(keeper))
}

/// What tells a search that is written down from others: the model, the query and every option that decides what is
/// searched, each in words. A search goes on only where all of it is the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity(Vec<(String, String)>);

impl Identity {
    /// That of a query's search.
    pub fn of(network: &Network, query: &Query, config: &Config) -> Identity {
        // Whoever adds a field says here whether it matters.
        let Config {
            // What they amount to is written down, so that a default may be named when the search goes on.
            search: _,
            heuristic: _,
            tie: _,
            heuristic_cache,
            restarts,
            trace,
            extrapolation,
            inclusion,
            bitstate,
            // A search goes on with other limits.
            limits: _,
            seed,
            // Only one is permitted.
            threads: _,
            certificate,
            lattice,
            joining,
            joining_rules,
            check_monotone,
            prune,
            reduce,
            keep_dead,
            symmetry,
            databases_in,
            // It changes what is written besides, not what is searched.
            databases_out: _,
            assume_monotone,
            // Searches that are written down go through states.
            diagrams: _,
            tuning,
        } = config;
        let goal = match &query.kind {
            QueryKind::Possibly(goal) => Some(goal.clone()),
            QueryKind::Invariantly(formula) => Some(not(formula)),
            _ => None,
        };
        let guide = Guide::written_down(config, goal.as_ref());
        let tie = match guide.strategy {
            Strategy::Greedy(tie) | Strategy::Preferred(tie) | Strategy::Auto(tie) => Some(tie),
            _ => None,
        };
        let flag = |given: &bool| given.then(|| "yes".to_owned());
        let shown = |value: &dyn Display| Some(value.to_string());
        let word = |value: &dyn Debug| Some(word(&format!("{value:?}")));
        // Spaces do not count.
        let words: Vec<&str> = query.text.split_whitespace().collect();
        let parts = [
            (VERSION, shown(&env!("CARGO_PKG_VERSION"))),
            (MODEL, shown(&merkhet_replay::fingerprint(network))),
            (QUERY, Some(words.join(" "))),
            (MEANING, Some(hash(&format!("{:?}", query.kind)))),
            ("--search", shown(&guide.search)),
            (
                "--heuristic",
                guide.heuristic.as_ref().and_then(|it| shown(it)),
            ),
            (
                "--heuristic-cache",
                heuristic_cache.as_ref().and_then(|it| shown(it)),
            ),
            ("--tie", tie.and_then(|it| word(&it))),
            ("--restarts", restarts.as_ref().and_then(|it| shown(it))),
            ("--trace", word(trace)),
            (
                "--extrapolation",
                extrapolation.as_ref().and_then(|it| word(it)),
            ),
            ("--inclusion", inclusion.as_ref().and_then(|it| word(it))),
            ("--bitstate", flag(bitstate)),
            ("--seed", shown(seed)),
            ("--certificate", flag(certificate)),
            ("--lattice", lattice.as_ref().and_then(|it| word(it))),
            ("--joining", word(joining)),
            (
                "--joining (rules)",
                (!joining_rules.is_empty()).then(|| format!("{joining_rules:?}")),
            ),
            ("--check-monotone", flag(check_monotone)),
            ("--assume-monotone", flag(assume_monotone)),
            ("--prune", prune.as_ref().and_then(|it| word(it))),
            ("--reduce", reduce.as_ref().and_then(|it| word(it))),
            ("--keep-dead-variables", flag(keep_dead)),
            ("--symmetry", symmetry.as_ref().and_then(|it| word(it))),
            ("--pdb-in", databases_in.as_deref().map(hash)),
            (
                "--set",
                (tuning != &Tuning::default()).then(|| tuning.to_string()),
            ),
        ];
        let given = parts.into_iter().filter_map(|(name, value)| {
            let line = value?.escape_debug().to_string();
            Some((name.to_owned(), line))
        });
        Identity(given.collect())
    }

    /// Reads what [`Identity`] prints: a part a line.
    pub fn read(text: &str) -> Identity {
        let parts = text.lines().filter_map(|line| line.split_once('\t'));
        Identity(
            parts
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }

    fn get(&self, name: &str) -> Option<&str> {
        let part = self.0.iter().find(|(known, _)| known == name);
        part.map(|(_, value)| value.as_str())
    }

    /// The first thing in which a search that was written down differs from this one, in a sentence about that one.
    pub fn difference(&self, written: &Identity) -> Option<String> {
        let names = self
            .0
            .iter()
            .chain(&written.0)
            .map(|(name, _)| name.as_str());
        let differs = |name: &&str| self.get(name) != written.get(name);
        let name = names.into_iter().find(differs)?;
        Some(match (name, written.get(name)) {
            (VERSION, version) => format!(
                "it was made by version {} of this program",
                version.unwrap_or("?")
            ),
            (MODEL, _) => "it is about another model, or the model has changed".into(),
            (QUERY, text) => format!("it is about the query `{}`", text.unwrap_or_default()),
            (MEANING, _) => "its query means something else here".into(),
            (option, None) => format!("it was made without {option}"),
            ("--pdb-in", Some(_)) => "it was made with other databases (--pdb-in)".into(),
            (option, Some("yes")) => format!("it was made with {option}"),
            (option, Some(value)) => format!("it was made with {option} {value}"),
        })
    }
}

impl Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = self.0.iter();
        lines.try_for_each(|(name, value)| writeln!(f, "{name}\t{value}"))
    }
}

const VERSION: &str = "version";
const MODEL: &str = "model";
const QUERY: &str = "query";
const MEANING: &str = "meaning";

/// The name of a variant as on the command line: `LuPlus` is `lu+`.
fn word(name: &str) -> String {
    let mut text = String::new();
    for (at, character) in name.char_indices() {
        let next = name[at..].chars().nth(1);
        if character.is_uppercase() && at > 0 && next.is_some_and(char::is_lowercase) {
            text.push('-');
        }
        text.extend(character.to_lowercase());
    }
    text.replace("-plus", "+")
}

fn hash(text: &str) -> String {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    hasher.write(text.as_bytes());
    hasher.finish().to_string()
}

/// FNV-1a: the same number on every machine and with every compiler.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Identity, word};

    fn identity(parts: &[(&str, &str)]) -> Identity {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Identity(parts.iter().map(owned).collect())
    }

    #[test]
    fn what_differs_is_named() {
        let here = identity(&[("model", "1"), ("query", "E<> a"), ("--tie", "lifo")]);
        assert_eq!(Identity::read(&here.to_string()), here);
        for (written, expected) in [
            (here.clone(), None),
            (
                identity(&[("model", "2")]),
                Some("it is about another model, or the model has changed"),
            ),
            (
                identity(&[("model", "1"), ("query", "E<> b")]),
                Some("it is about the query `E<> b`"),
            ),
            (
                identity(&[("model", "1"), ("query", "E<> a")]),
                Some("it was made without --tie"),
            ),
            (
                identity(&[("model", "1"), ("query", "E<> a"), ("--tie", "fifo")]),
                Some("it was made with --tie fifo"),
            ),
            (
                identity(&[
                    ("model", "1"),
                    ("query", "E<> a"),
                    ("--tie", "lifo"),
                    ("--bitstate", "yes"),
                ]),
                Some("it was made with --bitstate"),
            ),
        ] {
            assert_eq!(here.difference(&written).as_deref(), expected);
        }
    }

    #[test]
    fn words_are_those_of_the_command_line() {
        for (name, expected) in [
            ("Lifo", "lifo"),
            ("LuPlus", "lu+"),
            ("M", "m"),
            ("SameZone", "same-zone"),
        ] {
            assert_eq!(word(name), expected);
        }
    }
}
