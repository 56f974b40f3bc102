//! The searches by name.

use std::fmt;
use std::str::FromStr;

use merkhet_explore::{Strategy, TieBreak};
use merkhet_walks::Policy;

use crate::config::{ConfigError, Order, Spec};

/// The searches.
pub const ALL_SEARCHES: &[Spec] = &[
    Spec {
        name: "auto",
        summary: "follows preferred transitions and estimates (h^U) first; where they do not help it goes deep and, in turns, \
                  expands large zones first: finds errors fast without making proofs slow",
        facts: "complete; breadth first where a shortest trace, a certificate or --bitstate are asked for, and with several threads after 30,000 states",
        citation: "",
    },
    Spec {
        name: "bfs",
        summary: "breadth first",
        facts: "complete; shortest traces",
        citation: "",
    },
    Spec {
        name: "dfs",
        summary: "depth first",
        facts: "complete",
        citation: "",
    },
    Spec {
        name: "rdfs",
        summary: "depth first, successors shuffled by the seed",
        facts: "complete; --seed reproduces it",
        citation: "",
    },
    Spec {
        name: "largest",
        summary: "largest zones first: fewest states where everything must be seen",
        facts: "complete",
        citation: "after Herbreteau, Tran 2015",
    },
    Spec {
        name: "greedy",
        summary: "smallest estimate first",
        facts: "complete; traces of any length",
        citation: "Edelkamp, Lluch-Lafuente, Leue 2001",
    },
    Spec {
        name: "preferred",
        summary: "as greedy, with a second queue for what the transitions of the abstract solution lead to",
        facts: "complete; traces of any length",
        citation: "Richter, Helmert 2009",
    },
    Spec {
        name: "novelty",
        summary: "what shows a location or a value for the first time, next to the states of the same estimate (hamming unless \
                  one is named); novelty:2 also what shows a pair of them",
        facts: "complete; traces of any length",
        citation: "Lipovetzky, Geffner 2017",
    },
    Spec {
        name: "astar",
        summary: "smallest depth plus estimate first",
        facts: "complete; shortest traces with an admissible heuristic",
        citation: "Hart, Nilsson, Raphael 1968",
    },
    Spec {
        name: "wastar:W",
        summary: "as astar, with the estimate multiplied by W (such as 2 or 1.5)",
        facts: "complete; traces at most W times too long with an admissible heuristic",
        citation: "Pohl 1970",
    },
    Spec {
        name: "walk",
        summary: "random walks on concrete states: from the start, ever longer or again and again, and from where the goal is \
                  nearest; walk:guided only these; walk:sem, walk:ret, walk:rlc and walk:rlca as published; walk(depth=N) \
                  goes no deeper",
        facts: "finds runs, with stopwatches too, and proves nothing; stores nothing; ends after 100,000,000 steps if neither --timeout nor --max-states is given; --seed reproduces it",
        citation: "Kiviriga, Larsen, Nyman 2021",
    },
];

/// A search, as its name says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SearchSpec {
    /// The program's own choice.
    #[default]
    Auto,
    /// Breadth first.
    BreadthFirst,
    /// Depth first.
    DepthFirst,
    /// Depth first, successors shuffled.
    RandomDepthFirst,
    /// Largest zones first.
    LargestFirst,
    /// Smallest estimate first; a tie-break that is part of the name, as in `greedy:lifo`, counts more than the option.
    Greedy(Option<TieBreak>),
    /// Greedy with a queue for preferred transitions.
    Preferred,
    /// What shows something new, of one thing or, with a width of 2, of pairs.
    Novelty(u8),
    /// A*.
    AStar,
    /// Weighted A*, with the weight in hundredths, from 100 to 100,000.
    WeightedAStar(u32),
    /// Random walks.
    Walk(WalkSpec),
}

/// How to walk.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct WalkSpec {
    /// One kind of walks; `None` is the program's own mixture.
    pub kind: Option<WalkKind>,
    /// The most steps of a walk.
    pub depth: Option<u32>,
}

/// A kind of walks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WalkKind {
    /// As published.
    Free(Policy),
    /// From the best state seen so far.
    Guided,
}

const GUIDED: &str = "guided";

impl WalkSpec {
    /// From what follows the word `walk`.
    fn parse(text: &str) -> Option<WalkSpec> {
        let (name, depth) = match text.strip_suffix(')') {
            None => (text, None),
            Some(text) => {
                let (name, depth) = text.split_once("(depth=")?;
                (name, Some(depth.parse().ok().filter(|depth| *depth > 0)?))
            }
        };
        let kind = match name.strip_prefix(':') {
            None if name.is_empty() => None,
            None => return None,
            Some(GUIDED) => Some(WalkKind::Guided),
            Some(name) => {
                let known = Policy::ALL.iter().find(|(known, _)| *known == name)?;
                Some(WalkKind::Free(known.1))
            }
        };
        Some(WalkSpec { kind, depth })
    }
}

impl fmt::Display for WalkSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("walk")?;
        match self.kind {
            None => {}
            Some(WalkKind::Guided) => write!(f, ":{GUIDED}")?,
            Some(WalkKind::Free(policy)) => {
                let known = Policy::ALL.iter().find(|(_, known)| *known == policy);
                write!(f, ":{}", known.map_or("", |(name, _)| name))?;
            }
        }
        match self.depth {
            Some(depth) => write!(f, "(depth={depth})"),
            None => Ok(()),
        }
    }
}

/// The hundredths in which weights are counted.
const HUNDREDTHS: u32 = 100;

const WEIGHT: &str =
    "the weight is a number from 1 to 1000 with at most two decimals, as in wastar:1.5";

const WALK: &str = "walks are walk, walk:guided, walk:sem, walk:ret, walk:rlc or walk:rlca, with a depth as in walk:ret(depth=1000)";

/// The tie-breaks of greedy search by name.
const TIES: [(&str, TieBreak); 4] = [
    ("fifo", TieBreak::Fifo),
    ("lifo", TieBreak::Lifo),
    ("random", TieBreak::Random),
    ("preferred", TieBreak::Preferred),
];

impl FromStr for SearchSpec {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<SearchSpec, ConfigError> {
        let unknown = |remark: Option<&'static str>| ConfigError {
            option: "search",
            given: text.to_owned(),
            known: ALL_SEARCHES.iter().map(|spec| spec.name).collect(),
            remark: remark.map(Into::into),
        };
        if let Some(rest) = text.strip_prefix("walk") {
            let spec = WalkSpec::parse(rest).ok_or_else(|| unknown(Some(WALK)))?;
            return Ok(SearchSpec::Walk(spec));
        }
        let (base, argument) = match text.split_once(':') {
            Some((base, argument)) => (base, Some(argument)),
            None => (text, None),
        };
        Ok(match (base, argument) {
            ("auto", None) => SearchSpec::Auto,
            ("bfs", None) => SearchSpec::BreadthFirst,
            ("dfs", None) => SearchSpec::DepthFirst,
            ("rdfs", None) => SearchSpec::RandomDepthFirst,
            ("largest", None) => SearchSpec::LargestFirst,
            ("greedy", None) => SearchSpec::Greedy(None),
            ("greedy", Some(tie)) => {
                let known = TIES.iter().find(|(name, _)| *name == tie);
                SearchSpec::Greedy(Some(known.ok_or_else(|| unknown(None))?.1))
            }
            ("preferred", None) => SearchSpec::Preferred,
            ("novelty", None | Some("1")) => SearchSpec::Novelty(1),
            ("novelty", Some("2")) => SearchSpec::Novelty(2),
            ("astar", None) => SearchSpec::AStar,
            ("wastar", weight) => {
                let weight = weight.and_then(hundredths);
                SearchSpec::WeightedAStar(weight.ok_or_else(|| unknown(Some(WEIGHT)))?)
            }
            _ => return Err(unknown(None)),
        })
    }
}

fn hundredths(text: &str) -> Option<u32> {
    let weight: f64 = text.parse().ok()?;
    (1.0..=1000.0)
        .contains(&weight)
        .then(|| (weight * f64::from(HUNDREDTHS)).round() as u32)
}

impl fmt::Display for SearchSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SearchSpec::Auto => "auto",
            SearchSpec::BreadthFirst => "bfs",
            SearchSpec::DepthFirst => "dfs",
            SearchSpec::RandomDepthFirst => "rdfs",
            SearchSpec::LargestFirst => "largest",
            SearchSpec::Greedy(None) => "greedy",
            SearchSpec::Greedy(Some(tie)) => {
                let known = TIES.iter().find(|(_, known)| known == tie);
                return write!(f, "greedy:{}", known.map_or("", |(name, _)| name));
            }
            SearchSpec::Preferred => "preferred",
            SearchSpec::Novelty(2..) => "novelty:2",
            SearchSpec::Novelty(_) => "novelty",
            SearchSpec::AStar => "astar",
            SearchSpec::WeightedAStar(weight) => {
                return write!(f, "wastar:{}", f64::from(*weight) / f64::from(HUNDREDTHS));
            }
            SearchSpec::Walk(walk) => return walk.fmt(f),
        })
    }
}

impl SearchSpec {
    /// The order of expansion, with this tie-break where the name has none.
    pub(crate) fn order(self, tie: TieBreak) -> Order {
        Order::Fixed(match self {
            SearchSpec::Auto => return Order::Auto,
            SearchSpec::Walk(walk) => return Order::Walk(walk),
            SearchSpec::BreadthFirst => Strategy::BreadthFirst,
            SearchSpec::DepthFirst => Strategy::DepthFirst,
            SearchSpec::RandomDepthFirst => Strategy::RandomDepthFirst,
            SearchSpec::LargestFirst => Strategy::LargestFirst,
            SearchSpec::Greedy(own) => Strategy::Greedy(own.unwrap_or(tie)),
            SearchSpec::Preferred => Strategy::Preferred(tie),
            SearchSpec::Novelty(width) => Strategy::Novelty(width),
            SearchSpec::AStar => Strategy::AStar,
            SearchSpec::WeightedAStar(numerator) => Strategy::WeightedAStar {
                numerator,
                denominator: HUNDREDTHS,
            },
        })
    }

    /// Whether it follows no heuristic.
    pub(crate) fn is_blind(self) -> bool {
        matches!(
            self,
            SearchSpec::BreadthFirst
                | SearchSpec::DepthFirst
                | SearchSpec::RandomDepthFirst
                | SearchSpec::LargestFirst
                | SearchSpec::Walk(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL_SEARCHES, SearchSpec};

    #[test]
    fn names_are_read_and_written() {
        let written = |text: &str| text.parse().map(|spec: SearchSpec| spec.to_string());
        for spec in ALL_SEARCHES {
            let name = spec.name.replace(":W", ":1.5");
            assert_eq!(written(&name), Ok(name.clone()));
        }
        for name in [
            "greedy:fifo",
            "greedy:preferred",
            "wastar:2",
            "wastar:1000",
            "novelty:2",
            "walk:sem",
            "walk:guided",
            "walk(depth=7)",
            "walk:rlca(depth=4096)",
        ] {
            assert_eq!(written(name), Ok(name.to_owned()));
        }
        for wrong in [
            "",
            "dijkstra",
            "wastar",
            "wastar:",
            "wastar:0",
            "wastar:nan",
            "wastar:1e9",
            "greedy:",
            "greedy:best",
            "bfs:x",
            "astar:2",
            "novelty:",
            "novelty:3",
            "walking",
            "walk:",
            "walk:best",
            "walk:sem(depth=0)",
            "walk:sem(depth=)",
            "walk(depth=1",
        ] {
            assert!(written(wrong).is_err(), "{wrong}");
        }
    }
}
