//! Runs that are made shorter: accepted by the judge, never longer, and shortest where that is claimed.
//!
//! `MERKHET_RANDOM=20000 cargo test -p merkhet --test all shorten --release` for a long run.

use merkhet::network::{Network, Query, QueryKind};
use merkhet::{Answer, Config, Failure, Limits, Model, Report, SearchSpec, TraceKind, check};
use merkhet_testing::{Profile, generate};

fn seeds() -> u64 {
    let count = std::env::var("MERKHET_RANDOM").ok();
    count.and_then(|count| count.parse().ok()).unwrap_or(150)
}

fn config(search: &str, trace: TraceKind, steps: u64) -> Config {
    let mut config = Config {
        search: Some(search.parse::<SearchSpec>().expect("a search")),
        trace,
        limits: Limits {
            states: Some(3000),
            ..Limits::default()
        },
        ..Config::default()
    };
    let set = |config: &mut Config, name: &str, value: u64| {
        let text = format!("{name}={value}");
        (config.tuning)
            .set(merkhet::tuning::KNOWN, &text)
            .expect("a tunable");
    };
    set(&mut config, "shorten.short", steps);
    set(&mut config, "shorten.per-transition", 0);
    config
}

fn decide(network: &Network, query: &Query, config: &Config) -> Option<Report> {
    match check(network, query, config, &mut |_| {}) {
        Ok(report) => Some(report),
        Err(Failure::Internal(message)) => panic!("{message}\n{query:?}\n{network:#?}"),
        Err(_) => None,
    }
}

fn length(report: &Report) -> Option<usize> {
    report.trace.as_ref().map(|run| run.steps.len())
}

/// The transitions of the runs found, of the short ones, and how many of these are shown to be shortest.
fn compare(profile: &Profile, search: &str) -> (usize, usize, usize) {
    let (mut found, mut left, mut shortest) = (0, 0, 0);
    for seed in 0..seeds() {
        let (network, queries) = generate(seed, profile);
        for query in &queries {
            let goal = matches!(
                query.kind,
                QueryKind::Possibly(_) | QueryKind::Invariantly(_)
            );
            let long = config(search, TraceKind::Some, 0);
            let Some(long) = decide(&network, query, &long).filter(|_| goal) else {
                continue;
            };
            let Some(before) = length(&long) else {
                continue;
            };
            let short = config(search, TraceKind::Short, 2000);
            let short = decide(&network, query, &short).expect("decided before");
            assert_eq!(long.answer, short.answer, "{seed} {query:?}");
            let after = length(&short).expect("a run");
            assert!(after <= before, "{seed} {query:?}: {before} -> {after}");
            (found, left) = (found + before, left + after);
            let claims = |stage: &merkhet::Ran| stage.ended.contains("no shorter run");
            if short.schedule.iter().any(claims) {
                let bfs = decide(&network, query, &config("bfs", TraceKind::Shortest, 0));
                if let Some(least) = bfs.as_ref().and_then(length) {
                    assert_eq!(after, least, "{seed} {query:?}\n{network:#?}");
                    shortest += 1;
                }
            }
        }
    }
    (found, left, shortest)
}

/// Compares the profiles, together: where runs are short anyway a single one may have nothing to say.
fn compare_all(profiles: &[Profile], search: &str) {
    let (mut found, mut left, mut shown) = (0, 0, 0);
    for profile in profiles {
        let (long, short, shortest) = compare(profile, search);
        println!("{search}: {long} -> {short}, {shortest} shown to be shortest");
        (found, left, shown) = (found + long, left + short, shown + shortest);
    }
    assert!(left < found, "nothing became shorter");
    assert!(shown > 0, "nothing was shown to be shortest");
}

#[test]
fn runs_of_depth_first_become_shorter_and_are_judged() {
    let profiles = [
        Profile::default(),
        Profile::timed(),
        Profile::crowded(),
        Profile::diagonal(),
    ];
    compare_all(&profiles, "dfs");
}

#[test]
fn runs_of_walks_become_shorter_with_priorities_vectors_and_stopwatches() {
    let stopwatches = Profile {
        stopwatches: true,
        ..Profile::everything()
    };
    compare_all(
        &[Profile::default(), Profile::everything(), stopwatches],
        "walk",
    );
}

fn run_of(text: &str, query: &str, config: &Config) -> Report {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:#?}", model.diagnostics);
    let lowered = model.query(query);
    let network = model.network().expect("a network");
    let query = lowered.query.expect("a query");
    check(network, &query, config, &mut |_| {}).expect("decided")
}

const COUNTER: &str = "
int[0, 2000] c;
process P() {
    state a;
    init a;
    trans
        a -> a { guard c < 2000; assign c = c + 1; },
        a -> a { guard c <= 1900; assign c = c + 100; },
        a -> a { guard c > 0; assign c = c - 1; };
}
system P;
";

#[test]
fn a_counter_takes_its_large_steps() {
    let all = config("dfs", TraceKind::Short, 400_000);
    let report = run_of(COUNTER, "E<> c == 2000", &all);
    assert_eq!(length(&report), Some(20));
    let plain = config("dfs", TraceKind::Some, 0);
    let found = run_of(COUNTER, "E<> c == 2000", &plain);
    assert!(
        length(&found) > Some(1000),
        "a search that is named shows the run that it finds"
    );
}

/// The second process has no part in it, and its transitions need each other.
const BYSTANDER: &str = "
chan c;
process Busy() {
    clock x;
    state a, b { x <= 1 };
    init a;
    trans a -> b { assign x = 0; }, b -> a { guard x >= 1; sync c!; };
}
process Echo() {
    state a;
    init a;
    trans a -> a { sync c?; };
}
process Late() {
    clock y;
    state a, b;
    init a;
    trans a -> b { guard y >= 7; };
}
system Busy, Echo, Late;
";

#[test]
fn who_has_no_part_in_it_is_left_out() {
    let walk = Config {
        seed: 3,
        ..config("walk:ret", TraceKind::Short, 20_000)
    };
    let report = run_of(BYSTANDER, "E<> Late.b", &walk);
    assert_eq!(
        (length(&report), report.answer),
        (Some(1), Answer::Satisfied)
    );
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let all = config("auto", TraceKind::Some, 0);
    let runs = [0, 0].map(|_| run_of(COUNTER, "E<> c == 2000", &all));
    assert_eq!(runs[0].trace, runs[1].trace);
    let stage = |report: &Report| {
        let ran = report.schedule.iter().find(|ran| ran.stage == "shorten");
        ran.map(|ran| (ran.explored, ran.ended.clone()))
    };
    assert!(stage(&runs[0]).is_some(), "{:?}", runs[0].schedule);
    assert_eq!(stage(&runs[0]), stage(&runs[1]));
}
