//! Which searches are made one after the other, and why each ended.

use merkhet::tuning::KNOWN;
use merkhet::{Answer, Config, Failure, Limits, Model, Ran, Remark, Report, Update, check};

fn decide(text: &str, query: &str, config: &Config) -> Result<Report, Failure> {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:#?}\n{text}", model.diagnostics);
    let lowered = model.query(query);
    let network = model.network().expect("a network");
    let query = lowered.query.as_ref().expect("a query");
    check(network, query, config, &mut |_| {})
}

/// The stages with their searches.
fn stages(report: &Report) -> Vec<(&'static str, &str)> {
    let stage = |ran: &'_ Ran| ran.stage;
    let guides = report.schedule.iter().map(|ran| ran.guide.as_str());
    report.schedule.iter().map(stage).zip(guides).collect()
}

fn budgets(report: &Report) -> Vec<Option<u64>> {
    report.schedule.iter().map(|ran| ran.budget).collect()
}

/// A process that can be left out beside one that counts, whose goal is not reached.
const BESIDE: &str = "
    process W(const int[1,6] me) { state a, b, c; init a; trans a -> b { }, b -> c { }, c -> a { }; }
    process P() { int[0,40] i; state a, b; init a; trans a -> a { guard i < 39; assign i++; }, a -> b { guard i == 40; }; }
    system W, P;";

#[test]
fn the_whole_network_is_looked_at_before_the_reduced_one() {
    let report = decide(BESIDE, "E<> P.b && P.i == 40", &Config::default()).expect("no fault");
    assert_eq!(report.answer, Answer::Violated);
    let stages = stages(&report);
    assert_eq!(
        stages,
        [("first look", "auto with hu"), ("search", "auto with hu")]
    );
    assert_eq!(budgets(&report), [Some(3000), None]);
    assert!(report.reduced.is_some());
    let explored: u64 = report.schedule.iter().map(|ran| ran.explored).sum();
    assert_eq!(report.figures.explored, explored);
    assert_eq!(report.schedule[0].ended, "state limit reached");
    assert_eq!(report.schedule[1].ended, "decided");
    // As many as are set.
    let mut config = Config::default();
    (config.tuning.set(KNOWN, "schedule.first-look=7")).expect("a tunable");
    let report = decide(BESIDE, "E<> P.b && P.i == 40", &config).expect("no fault");
    assert_eq!(budgets(&report), [Some(7), None]);
    assert_eq!(report.schedule[0].explored, 7);
}

#[test]
fn breadth_first_follows_a_fault() {
    let text = "
        process P() { int n; int[0,9] m; state a, b, c; init a;
            trans a -> b { }, b -> b { assign n = n * 3 + 1; }, a -> c { guard m == 9; }, a -> a { guard m < 9; assign m++; }; }
        system P;";
    let failure = decide(text, "A[] P.n != 2", &Config::default()).expect_err("a fault");
    assert!(matches!(failure, Failure::Fault { .. }), "{failure}");
    let report = decide(text, "E<> P.c", &Config::default()).expect("found");
    assert_eq!(report.answer, Answer::Satisfied);
}

#[test]
fn a_search_that_starts_anew_takes_twice_as_many_states() {
    for (search, heuristic) in [("greedy", Some("dl")), ("rdfs", None)] {
        let config = Config {
            search: Some(search.parse().unwrap()),
            heuristic: heuristic.map(|name| name.parse().unwrap()),
            restarts: Some(10),
            ..Config::default()
        };
        let report = decide(BESIDE, "E<> P.i == 39", &config).expect("no fault");
        assert_eq!(report.answer, Answer::Satisfied, "{search}");
        let doubled = (0..).map(|round| Some(10 << round));
        let budgets = budgets(&report);
        assert!(budgets.len() > 1, "{search}: {budgets:?}");
        assert_eq!(budgets, doubled.take(budgets.len()).collect::<Vec<_>>());
        let run = format!("run {} with seed {}", budgets.len(), budgets.len() - 1);
        assert_eq!(report.found_by, Some(run));
        // The last run is as long as it needs to be.
        let proof = decide(BESIDE, "E<> P.i == 40", &config).expect("no fault");
        assert_eq!(proof.answer, Answer::Violated, "{search}");
    }
}

#[test]
fn everything_is_seen_again_for_a_certificate_where_states_were_left_out() {
    let config = Config {
        search: Some("greedy".parse().unwrap()),
        heuristic: Some("dl".parse().unwrap()),
        certificate: true,
        ..Config::default()
    };
    let text = "process P() { state a, b, c; init a; trans a -> b { }; } system P;";
    let report = decide(text, "E<> P.c", &config).expect("no fault");
    assert_eq!(report.answer, Answer::Violated);
    assert!(report.certificate.is_some());
    assert_eq!(
        stages(&report),
        [("search", "greedy with dl"), ("certificate", "largest")]
    );
    // It is not one of the states of the query.
    assert_eq!(report.figures.explored, report.schedule[0].explored);
}

#[test]
fn a_goal_that_only_joins_reach_is_looked_for_without_them() {
    let config = Config {
        lattice: Some(Update::Join),
        ..Config::default()
    };
    let text = "
        clock x;
        process P() { state a, b, c; init a;
            trans a -> b { guard x <= 1; }, a -> b { guard x >= 3 && x <= 4; }, b -> c { guard x == 2; }; }
        system P;";
    let report = decide(text, "E<> P.c && x < 2", &config).expect("no fault");
    let last = stages(&report).last().copied();
    assert!(
        matches!(last, Some(("search" | "confirm", _))),
        "{:?}",
        report.schedule
    );
}

#[test]
fn a_maximal_run_is_looked_for_close_to_the_start_after_a_fault() {
    let text = "
        process P() { int[0,3000] n; int[0,9] m; state a, b; init a;
            trans a -> b { assign m = 10; }, a -> a { guard n < 3000; assign n++; }; }
        process Q() { state a; init a; trans a -> a { }; }
        system P, Q;";
    let found = decide(text, "E[] P.n == 0", &Config::default());
    let report = found.expect("a run beside the fault");
    assert_eq!(report.answer, Answer::Satisfied);
    let names: Vec<&str> = report.schedule.iter().map(|ran| ran.stage).collect();
    assert!(
        names == ["search"] || names == ["search", "shallow"],
        "{names:?}"
    );
}

/// Jobs on two machines: every run to a discrete state has the same number of steps, so that breadth first expands nothing in
/// vain, and the largest zones first most states several times.
const JOBS: &str = "
    const int JOBS = 5;
    int[0,1] busy[3];
    clock x[JOBS + 1];
    process Job(const int id, const int a, const int b, const int c) {
        state start, first, between, second, pause, third, done; init start;
        trans
            start -> first { guard busy[0] == 0; assign busy[0] = 1, x[id] = 0; },
            first -> between { guard x[id] >= a; assign busy[0] = 0; },
            between -> second { guard busy[1] == 0; assign busy[1] = 1, x[id] = 0; },
            second -> pause { guard x[id] >= b; assign busy[1] = 0; },
            pause -> third { guard busy[2] == 0; assign busy[2] = 1, x[id] = 0; },
            third -> done { guard x[id] >= c; assign busy[2] = 0; };
    }
    A = Job(0, 3, 7, 2); B = Job(1, 5, 2, 6); C = Job(2, 4, 4, 9); D = Job(3, 8, 1, 3); E = Job(4, 2, 6, 5);
    process Clock() { state on; init on; trans on -> on { guard x[JOBS] <= 60; }; }
    system A, B, C, D, E, Clock;";

#[test]
fn breadth_first_goes_on_beside_an_order_that_works_in_vain() {
    let explored = |search: &str, query: &str| {
        let mut config = Config {
            search: Some(search.parse().unwrap()),
            ..Config::default()
        };
        // What looks for errors beside the automatic search is not what is measured here.
        let alone = (config.tuning).set(merkhet::tuning::KNOWN, "beside.after=1000000000000");
        alone.expect("a tunable");
        let report = decide(JOBS, query, &config).expect("no fault");
        assert_eq!(report.answer, Answer::Satisfied, "{search}");
        let second = report.remarks.contains(&Remark::SecondOrder);
        (report.figures.explored, second)
    };
    let query = "A[] !(A.first && B.first)";
    let [auto, bfs, largest] = ["auto", "bfs", "largest"].map(|search| explored(search, query));
    assert!(auto.1 && !bfs.1 && !largest.1);
    assert!(largest.0 > 2 * bfs.0, "{largest:?} {bfs:?}");
    assert!(auto.0 < bfs.0 + bfs.0 / 2, "{auto:?} {bfs:?}");
    // The number of states holds for both together.
    let config = Config {
        limits: Limits {
            states: Some(bfs.0 / 2),
            ..Limits::default()
        },
        ..Config::default()
    };
    let report = decide(JOBS, query, &config).expect("no fault");
    assert!(report.answer.is_unknown() && report.figures.explored == bfs.0 / 2);
    let config = Config {
        certificate: true,
        ..Config::default()
    };
    let report = decide(JOBS, query, &config).expect("no fault");
    assert!(report.certificate.is_some(), "{:?}", report.remarks);
}
