//! Options that have no effect are named. The matrix is made from the list of options: a new one has to be told what it
//! means something to.

use std::collections::BTreeSet;

use merkhet::{Config, Failure, Joining, Model, OPTIONS, Prune, ReductionKind, TraceKind, Update};

/// Gives an option, with a search that permits it where none is named.
fn give(name: &str, config: &mut Config) {
    let search = |config: &mut Config, name: &str| {
        config.search.get_or_insert(name.parse().unwrap());
    };
    let heuristic = |config: &mut Config, name: &str| {
        config.heuristic = Some(name.parse().unwrap());
    };
    match name {
        "--search" => search(config, "bfs"),
        "--heuristic" => heuristic(config, "dl"),
        "--pdb-in" => {
            heuristic(config, "pa");
            config.databases_in = Some("".into());
        }
        "--pdb-out" => {
            heuristic(config, "pa");
            config.databases_out = true;
        }
        "--tie" => config.tie = Some(merkhet::TieBreak::Lifo),
        "--heuristic-cache" => config.heuristic_cache = Some(100),
        "--restarts" => config.restarts = Some(100),
        "--seed" => config.seed = 7,
        "--threads" => config.threads = 2,
        "--extrapolation" => config.extrapolation = Some(merkhet::Extrapolation::M),
        "--inclusion" => config.inclusion = Some(merkhet::Inclusion::Zone),
        "--bitstate" => config.bitstate = true,
        "--prune" => config.prune = Some(Prune::Useless),
        "--reduce" => config.reduce = Some(vec![ReductionKind::Influence]),
        "--keep-dead-variables" => config.keep_dead = true,
        "--symmetry" => config.symmetry = Some(true),
        "--trace shortest, fastest" => config.trace = TraceKind::Fastest,
        "--trace short" => config.trace = TraceKind::Short,
        "--certificate" => config.certificate = true,
        "--lattice" => config.lattice = Some(Update::Simple),
        "--joining" => config.joining = Joining::All,
        "--check-monotone" => config.check_monotone = true,
        "--assume-monotone" => config.assume_monotone = true,
        "--max-states" => config.limits.states = Some(1000),
        other => panic!("{other} has no sample"),
    }
}

/// The options that are taken for a query, each by itself: neither refused as such nor by the check.
fn taken(text: &str, query: &str, base: &Config) -> BTreeSet<&'static str> {
    let name = match text.starts_with("system:") {
        true => "model.tck",
        false => "model.xta",
    };
    let mut model = Model::read(name, text.as_bytes());
    assert!(!model.has_errors(), "{:#?}", model.diagnostics);
    let lowered = model.query(query);
    let (network, query) = (model.network().expect("a network"), lowered.query.as_ref());
    let query = query.expect("a query");
    let taken = |name: &str| {
        let mut config = base.clone();
        give(name, &mut config);
        let idle = merkhet::without_effect(network, [query], &config, false);
        let refused = || {
            // Its sample is no file of databases.
            if name == "--pdb-in" {
                return false;
            }
            let outcome = merkhet::check(network, query, &config, &mut |_| {});
            matches!(outcome, Err(Failure::NotPermitted(_)))
        };
        config.validate().is_ok() && idle.is_empty() && !refused()
    };
    let names = OPTIONS.iter().map(|spec| spec.name);
    names.filter(|name| taken(name)).collect()
}

#[track_caller]
fn takes(found: &BTreeSet<&str>, expected: &[&[&'static str]]) {
    let expected: BTreeSet<&str> = expected.iter().copied().flatten().copied().collect();
    let missing: Vec<_> = expected.difference(found).collect();
    let more: Vec<_> = found.difference(&expected).collect();
    assert!(
        missing.is_empty() && more.is_empty(),
        "refused: {missing:?}; taken: {more:?}"
    );
}

/// What everything takes.
const ALL: &[&str] = &["--max-states"];
/// What searches with random choices take besides.
const RANDOM: &[&str] = &["--seed"];
/// What searches of zones for a goal take besides.
const ZONES: &[&str] = &[
    "--search",
    "--threads",
    "--extrapolation",
    "--inclusion",
    "--bitstate",
    "--keep-dead-variables",
    "--symmetry",
    "--reduce",
    "--trace shortest, fastest",
    "--trace short",
    "--certificate",
];

const CLOCKS: &str =
    "clock x; process P() { state a, b; init a; trans a -> b { guard x > 1; }; } system P;";

fn named(search: &str, heuristic: Option<&str>) -> Config {
    Config {
        search: Some(search.parse().unwrap()),
        heuristic: heuristic.map(|name| name.parse().unwrap()),
        ..Config::default()
    }
}

#[test]
fn searches_for_a_goal() {
    let auto = taken(CLOCKS, "E<> P.b", &Config::default());
    // A heuristic makes the search greedy.
    let guided = ["--heuristic", "--heuristic-cache", "--tie", "--prune"];
    takes(
        &auto,
        &[ALL, RANDOM, ZONES, &guided, &["--pdb-in", "--pdb-out"]],
    );
    for random in ["rdfs", "greedy:random"] {
        let found = taken(CLOCKS, "E<> P.b", &named(random, None));
        assert!(found.contains("--seed"), "{random}");
    }
    takes(
        &taken(CLOCKS, "E<> P.b", &named("bfs", None)),
        &[ALL, ZONES],
    );
    let greedy = taken(CLOCKS, "A[] not P.b", &named("greedy", Some("hu")));
    takes(
        &greedy,
        &[
            ALL,
            ZONES,
            &guided,
            &["--restarts", "--pdb-in", "--pdb-out"],
        ],
    );
    let optimal = taken(CLOCKS, "E<> P.b", &named("astar", Some("hl")));
    takes(
        &optimal,
        &[
            ALL,
            ZONES,
            &["--heuristic", "--heuristic-cache", "--pdb-in", "--pdb-out"],
        ],
    );
}

#[test]
fn liveness_and_values() {
    let own = ["--keep-dead-variables"];
    let proof = ["--certificate"];
    for query in ["A<> P.b", "E[] P.a", "P.a --> P.b", "sup: x", "inf{P.b}: x"] {
        takes(
            &taken(CLOCKS, query, &Config::default()),
            &[ALL, &own, &proof],
        );
    }
}

#[test]
fn exploration() {
    let text = "system:S\nevent:a\nclock:1:x\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:a{provided: x > 1}\n";
    let own = [
        "--search",
        "--threads",
        "--extrapolation",
        "--inclusion",
        "--bitstate",
    ];
    takes(&taken(text, "explore", &Config::default()), &[ALL, &own]);
}

/// What covers and joins lattice elements takes nothing that needs single states or zones.
#[test]
fn lattice_elements() {
    let text = "extern MaxInteger; MaxInteger m; process P() { state a, b; init a; \
                trans a -> b { assign m += 1; }; } system P;";
    let live = taken(text, "A<> P.b", &Config::default());
    takes(&live, &[ALL, &["--keep-dead-variables", "--certificate"]]);
    let covered = [
        "--search",
        "--threads",
        "--heuristic",
        "--pdb-in",
        "--extrapolation",
        "--reduce",
        "--trace short",
        "--certificate",
        "--lattice",
        "--check-monotone",
    ];
    // These need single states, which nobody who says nothing of lattices minds.
    let explicit = ["--bitstate", "--trace shortest, fastest", "--trace short"];
    let reach = taken(text, "E<> P.b", &Config::default());
    takes(&reach, &[ALL, RANDOM, &covered, &explicit]);
    let with = |lattice| Config {
        lattice: Some(lattice),
        ..Config::default()
    };
    let joined = taken(text, "E<> P.b", &with(Update::Join));
    takes(
        &joined,
        &[
            ALL,
            &covered,
            &["--joining", "--assume-monotone", "--trace short"],
        ],
    );
    let guided = [
        "--heuristic",
        "--heuristic-cache",
        "--tie",
        "--prune",
        "--pdb-in",
        "--pdb-out",
    ];
    let simple = taken(text, "E<> P.b", &with(Update::Simple));
    takes(
        &simple,
        &[
            ALL,
            RANDOM,
            ZONES,
            &guided,
            &["--lattice", "--check-monotone"],
        ],
    );
}

/// Nobody who names the automatic search gets greedy without a word.
#[test]
fn the_automatic_search_puts_nothing_off() {
    let config = Config {
        prune: Some(Prune::Useless),
        ..named("auto", None)
    };
    assert!(
        config
            .validate()
            .is_err_and(|error| error.option == "prune")
    );
    let unnamed = Config {
        search: None,
        ..config
    };
    assert!(unnamed.validate().is_ok());
}

#[test]
fn ties_that_a_name_decides() {
    let config = Config {
        tie: Some(merkhet::TieBreak::Fifo),
        ..named("greedy:lifo", None)
    };
    let mut model = Model::read("model.xta", CLOCKS.as_bytes());
    let query = model.query("E<> P.b").query.expect("a query");
    let network = model.network().expect("a network");
    let idle = merkhet::without_effect(network, [&query], &config, false);
    let names: Vec<&str> = idle.iter().map(|spec| spec.name).collect();
    assert_eq!(names, ["--tie"]);
}

/// One query is enough for an option to be worth giving.
#[test]
fn several_queries() {
    let mut model = Model::read("model.xta", CLOCKS.as_bytes());
    let live = model.query("A<> P.b").query.expect("a query");
    let reach = model.query("E<> P.b").query.expect("a query");
    let network = model.network().expect("a network");
    let config = named("bfs", None);
    let idle = |queries: &[_]| {
        let idle = merkhet::without_effect(network, queries.iter().copied(), &config, false);
        idle.iter().map(|spec| spec.name).collect::<Vec<_>>()
    };
    assert_eq!(idle(&[&live, &live]), ["--search"]);
    assert!(idle(&[&live, &reach]).is_empty());
    assert!(idle(&[]).is_empty());
}

/// A search that is written down is breadth first if it has no name: what the automatic one takes means nothing to it.
#[test]
fn checkpoints() {
    let mut model = Model::read("model.xta", CLOCKS.as_bytes());
    let query = model.query("E<> P.b").query.expect("a query");
    let network = model.network().expect("a network");
    for name in ["--tie", "--prune"] {
        let mut config = Config::default();
        give(name, &mut config);
        let idle = |checkpointed| {
            let idle = merkhet::without_effect(network, [&query], &config, checkpointed);
            idle.iter().map(|spec| spec.name).collect::<Vec<_>>()
        };
        assert!(idle(false).is_empty(), "{name}");
        assert_eq!(idle(true), [name]);
    }
}

/// What proves nothing has no certificate.
#[test]
fn hashes_of_states_have_no_certificate() {
    let config = Config {
        certificate: true,
        bitstate: true,
        ..named("bfs", None)
    };
    assert!(
        config
            .validate()
            .is_err_and(|error| error.option == "certificate")
    );
}
