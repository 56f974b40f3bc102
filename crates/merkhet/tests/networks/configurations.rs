//! The ways of checking a query that must all come to the same answer.

use merkhet::{Config, Extrapolation, Inclusion, Prune, TraceKind};

/// How many of the ways are tried on a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Every search, abstraction and heuristic by itself, and a sample of their combinations: for the ordinary tests.
    Sample,
    /// Every search with every abstraction, and every heuristic: for long runs.
    #[allow(dead_code)] // not by the ordinary tests
    Product,
}

const SEARCHES: [&str; 11] = [
    "auto",
    "bfs",
    "largest",
    "dfs",
    "rdfs",
    "greedy",
    "preferred",
    "novelty",
    "novelty:2",
    "astar",
    "wastar:2",
];

const ABSTRACTIONS: [(Extrapolation, Inclusion); 12] = [
    (Extrapolation::M, Inclusion::None),
    (Extrapolation::M, Inclusion::Zone),
    (Extrapolation::M, Inclusion::Alu),
    (Extrapolation::MPlus, Inclusion::None),
    (Extrapolation::MPlus, Inclusion::Zone),
    (Extrapolation::Lu, Inclusion::None),
    (Extrapolation::Lu, Inclusion::Zone),
    (Extrapolation::Lu, Inclusion::Alu),
    (Extrapolation::LuPlus, Inclusion::None),
    (Extrapolation::LuPlus, Inclusion::Zone),
    (Extrapolation::LuPlus, Inclusion::Alu),
    (Extrapolation::None, Inclusion::Alu),
];

/// Without extrapolation there may be no end; then this many states must do, and nothing is compared.
pub const UNBOUNDED: u64 = 5_000;

/// One thread, and nothing left out of the network: what other configurations start from.
pub fn base() -> Config {
    Config {
        threads: 1,
        reduce: Some(Vec::new()),
        ..Config::default()
    }
}

/// The first configuration: a proof comes with a certificate.
pub fn certifying() -> Config {
    Config {
        certificate: true,
        ..base()
    }
}

/// Whatever the program does where nothing is said, reductions included.
pub fn by_default() -> Config {
    Config {
        threads: 1,
        ..Config::default()
    }
}

/// As by default, and all that looks beside the automatic search does so from the first state on, as long as that does.
fn in_company() -> Config {
    let mut config = by_default();
    for setting in [
        "beside.after=0",
        "beside.expansions=0",
        "beside.turn=1",
        "beside.least=1000",
        "beside.most=1000",
        "beside.prepared=0",
    ] {
        let set = config.tuning.set(merkhet::tuning::KNOWN, setting);
        set.expect("a tunable");
    }
    config
}

/// Zones are compared by simulation and by inclusion in turns, as often as that may change, and a proof comes with a certificate.
fn changing(search: &str) -> Config {
    let mut config = Config {
        search: Some(search.parse().unwrap()),
        inclusion: Some(Inclusion::Adaptive),
        ..certifying()
    };
    for setting in ["gain.trial=1", "gain.share=4", "gain.sample=1"] {
        let set = config.tuning.set(merkhet::tuning::KNOWN, setting);
        set.expect("a tunable");
    }
    config
}

/// The configurations for a reachability query. `turn` varies the sample.
pub fn configurations(extent: Extent, turn: usize) -> Vec<Config> {
    let mut all = vec![certifying()];
    all.extend(abstractions(extent, turn));
    all.extend(heuristics());
    for (threads, certificate) in [(2, true), (3, false)] {
        all.push(Config {
            threads,
            certificate,
            ..base()
        });
    }
    all.push(Config {
        trace: TraceKind::Fastest,
        ..base()
    });
    // What is known without a search, if anything.
    let mut nothing = base();
    nothing.limits.states = Some(1);
    all.push(nothing);
    all.push(by_default());
    all.push(in_company());
    all.extend(["auto", "bfs", "dfs"].map(changing));
    all
}

/// Searches with abstractions.
fn abstractions(extent: Extent, turn: usize) -> Vec<Config> {
    let mut all = Vec::new();
    for (row, (extrapolation, inclusion)) in ABSTRACTIONS.into_iter().enumerate() {
        for (column, search) in SEARCHES.into_iter().enumerate() {
            if extent == Extent::Sample && !(row + column + turn).is_multiple_of(SEARCHES.len()) {
                continue;
            }
            let mut config = Config {
                search: Some(search.parse().unwrap()),
                extrapolation: Some(extrapolation),
                inclusion: Some(inclusion),
                seed: turn as u64,
                ..base()
            };
            if extrapolation == Extrapolation::None {
                config.limits.states = Some(UNBOUNDED);
            }
            if matches!(search, "bfs" | "astar") {
                config.trace = TraceKind::Shortest;
            }
            all.push(config);
        }
    }
    all
}

/// Searches that follow heuristics.
fn heuristics() -> Vec<Config> {
    let guided = |search: &str, heuristic: &str| Config {
        search: Some(search.parse().unwrap()),
        heuristic: Some(heuristic.parse().unwrap()),
        ..base()
    };
    let mut all = Vec::new();
    for heuristic in [
        "hamming",
        "dl",
        "du",
        "hl",
        "hu",
        "hl:clocks",
        "hu:clocks",
        "hcg",
        "hcg:dynamic",
        "pa",
        "pa:syn",
        "pa:2abs(combine=sum)",
        "pa(restart=3)",
        "pa(states=4)",
    ] {
        all.push(guided("greedy", heuristic));
    }
    for (heuristic, prune) in [
        ("hl", Prune::Useless),
        ("hu", Prune::Useless),
        ("hcg", Prune::Useless),
        ("hu", Prune::Context(1)),
        ("hcg:paper", Prune::Context(3)),
    ] {
        all.push(Config {
            prune: Some(prune),
            ..guided("greedy", heuristic)
        });
    }
    for (search, heuristic) in [
        ("greedy:preferred", "hcg"),
        ("preferred", "hcg:dynamic"),
        ("preferred", "pa"),
        ("greedy:preferred", "hu"),
        ("preferred", "hu:clocks"),
    ] {
        all.push(guided(search, heuristic));
    }
    // Several abstractions side by side, with a certificate from the first that decides.
    all.push(Config {
        threads: 3,
        certificate: true,
        ..guided("greedy", "pa")
    });
    for heuristic in ["dl", "hl", "hl:clocks", "pa", "pa:seed"] {
        all.push(Config {
            trace: TraceKind::Shortest,
            ..guided("astar", heuristic)
        });
    }
    all
}
