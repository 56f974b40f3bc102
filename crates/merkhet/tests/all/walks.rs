//! Walks: what they find is shown by a judged run, and what they do not find is not known.

use merkhet::{
    Answer, Config, Failure, Limits, Model, Remark, Report, StopReason, TraceKind, Why, check,
};

const WALKS: [&str; 6] = [
    "walk",
    "walk:guided",
    "walk:sem",
    "walk:ret",
    "walk:rlc",
    "walk:rlca",
];
/// Walks that nobody set an end to have one.
#[test]
fn walks_end_by_themselves() {
    let text = "process P() { state a, b; init a; trans a -> a {}; } system P;";
    let mut config = walking("walk");
    config.limits = Limits::default();
    let known = merkhet::tuning::KNOWN;
    config
        .tuning
        .set(known, "walks.steps=5000")
        .expect("a tunable");
    let report = decide(text, "E<> P.b", config).expect("a report");
    assert_eq!(report.answer, Answer::Unknown(Why::NothingWalked(5000)));
    // What was run is said of walks, too.
    let [ran] = &report.schedule[..] else {
        panic!("one stage: {:?}", report.schedule);
    };
    assert_eq!((ran.guide.as_str(), ran.explored), ("walk", 5000));
}

const NOT_FOUND: Answer = Answer::Unknown(Why::Limit(StopReason::States));

fn decide(text: &str, query: &str, config: Config) -> Result<Report, Failure> {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:#?}\n{text}", model.diagnostics);
    let lowered = model.query(query);
    let network = model.network().expect("a network");
    let query = lowered.query.as_ref().expect("a query");
    check(network, query, &config, &mut |_| {})
}

fn walking(search: &str) -> Config {
    let limits = Limits {
        states: Some(20_000),
        ..Limits::default()
    };
    Config {
        search: Some(search.parse().expect("a search")),
        limits,
        ..Config::default()
    }
}

/// Checks a query with walks. Some of them choose so that they miss what is there: they must not find what is not.
fn all(text: &str, query: &str, expected: &Answer) -> Vec<Report> {
    let searches = match expected {
        Answer::Unknown(_) => &WALKS[..],
        _ => &["walk", "walk:ret"],
    };
    let reports = searches.iter().map(|search| {
        let report = decide(text, query, walking(search)).expect("a report");
        assert_eq!(
            report.answer, *expected,
            "{search} {query} {:?}",
            report.remarks
        );
        assert_eq!(
            report.trace.is_some(),
            !expected.is_unknown(),
            "{search} {query}"
        );
        assert_eq!(report.figures.stored, 0, "{search} {query}");
        report
    });
    reports.collect()
}

/// Two machines share a worker, and one of them stands still while the other is served.
const WORKSHOP: &str = "
    clock cut, drill, all;
    bool cutting = true;
    process Worker() {
        state Work { cut' == cutting && drill' == !cutting && all <= 10 }, Done, Late;
        init Work;
        trans
            Work -> Work { guard cutting && cut >= 4; assign cutting = false; },
            Work -> Work { guard !cutting; assign cutting = true; },
            Work -> Done { guard cut >= 4 && drill >= 4 && all <= 8; },
            Work -> Late { guard cut >= 4 && drill >= 4 && all < 8; };
    }
    system Worker;";

#[test]
fn a_run_with_stopwatches_is_exact() {
    all(WORKSHOP, "E<> Worker.Done", &Answer::Satisfied);
    all(WORKSHOP, "E<> Worker.Late", &NOT_FOUND);
}

/// Waits for ever in B only if it comes there late.
const WAITING: &str = "
    clock x; int[0,3] n;
    process P() {
        state A { x < 3 }, B, C;
        init A;
        trans
            A -> A { guard x > 1; assign x = 0, n = n < 3 ? n + 1 : n; },
            A -> B { guard x > 2; },
            B -> C { guard x <= 5 && n == 3; };
    }
    system P;";

#[test]
fn goals_hold_at_some_moment_of_a_delay() {
    all(WAITING, "E<> P.B && x > 40 && x < 41", &Answer::Satisfied);
    all(WAITING, "E<> P.A && x >= 3", &NOT_FOUND);
    all(WAITING, "A[] not (P.C && x > 4)", &Answer::Violated);
    all(WAITING, "A[] (P.A imply x < 3)", &NOT_FOUND);
}

#[test]
fn deadlocks_are_those_of_a_valuation() {
    all(WAITING, "E<> deadlock && P.B && n == 3", &Answer::Satisfied);
    all(WAITING, "A[] not deadlock", &Answer::Violated);
    all(WAITING, "E<> deadlock && P.A", &NOT_FOUND);
    let reports = all(WAITING, "E<> deadlock && P.B && n == 3", &Answer::Satisfied);
    for report in reports {
        let last = report.trace.expect("a run").last;
        // Only after 5 is nothing possible any more.
        assert!(last.clocks[0] > 5, "{last:?}");
    }
}

/// The counter leaves its range where nothing stops it.
const COUNTER: &str = "
    int[0,5] n;
    process P() {
        state A, B;
        init A;
        trans
            A -> A { assign n++; },
            A -> A { guard n > 0; assign n--; },
            A -> B { guard n == 5; };
    }
    system P;";

#[test]
fn a_step_that_goes_wrong_is_not_taken_and_said() {
    let report = decide(COUNTER, "E<> P.B && n == 4", walking("walk")).expect("a report");
    assert_eq!(report.answer, NOT_FOUND);
    assert!(
        matches!(&report.remarks[..], [Remark::FaultOnTheWay(words)] if words.contains("range")),
        "{:?}",
        report.remarks
    );
    let report = decide(COUNTER, "E<> P.B", walking("walk")).expect("a report");
    assert_eq!(report.answer, Answer::Satisfied);
}

#[test]
fn a_goal_that_cannot_be_evaluated_ends_no_later_than_another() {
    let text = "
        bool a[2]; int[0,5] n = 5;
        process P() {
            state A;
            init A;
            trans A -> A { guard n > 3; assign n--; };
        }
        system P;";
    let reports = all(text, "E<> a[n]", &NOT_FOUND);
    for report in reports {
        let words = format!("{:?}", report.remarks);
        assert!(words.contains("FaultOnTheWay"), "{words}");
    }
}

#[test]
fn a_goal_counts_before_the_guards_that_fail_where_it_holds() {
    let text = "
        bool used[2]; int[0,3] last;
        process P() {
            state A, B;
            init A;
            trans
                A -> A { guard last < 2; assign used[last] = true, last++; },
                A -> B { guard used[last]; };
        }
        system P;";
    all(text, "E<> last == 2 && used[1]", &Answer::Satisfied);
}

#[test]
fn what_walks_cannot_do_is_refused() {
    let refused = |query: &str, config: Config| {
        let result = decide(WAITING, query, config);
        assert!(
            matches!(result, Err(Failure::NotPermitted(_))),
            "{query} {result:?}"
        );
    };
    for query in ["A<> P.C", "E[] P.A", "P.A --> P.C", "sup: x"] {
        refused(query, walking("walk"));
    }
    let with = |change: &dyn Fn(&mut Config)| {
        let mut config = walking("walk");
        change(&mut config);
        refused("E<> P.C", config);
    };
    with(&|config| config.certificate = true);
    with(&|config| config.threads = 2);
    with(&|config| config.trace = TraceKind::Shortest);
    with(&|config| config.trace = TraceKind::Fastest);
    with(&|config| config.heuristic = Some("hu".parse().expect("a heuristic")));
    with(&|config| config.bitstate = true);
    with(&|config| config.restarts = Some(100));
}

#[test]
fn a_seed_means_the_same_walks() {
    let steps = |seed| {
        let config = Config {
            seed,
            ..walking("walk")
        };
        let report = decide(WAITING, "E<> P.C && x > 4", config).expect("a report");
        (report.figures.explored, report.trace)
    };
    assert_eq!(steps(3), steps(3));
    let different = (0..10).any(|seed| steps(seed).0 != steps(3).0);
    assert!(different, "the seed does not matter");
}

/// Seven people who call each other until everybody knows everything. Walks come by the goal within some hundred steps.
const CALLS: &str = "
    const int N = 7;
    typedef int[0, N - 1] id_t;
    bool knows[N][N];
    int[0, N * N] known = 0;
    chan call[N];
    int[0, N - 1] caller = 0;
    void learn(id_t a, id_t b) {
        for (k : id_t) {
            if (knows[a][k] != knows[b][k]) {
                known++;
                knows[a][k] = true;
                knows[b][k] = true;
            }
        }
    }
    process Person(const id_t self) {
        state Alone;
        init Alone;
        trans
            Alone -> Alone { select other : id_t; guard other != self && knows[self][self];
                             sync call[other]!; assign caller = self; },
            Alone -> Alone { sync call[self]?; assign learn(self, caller); },
            Alone -> Alone { guard !knows[self][self]; assign knows[self][self] = true; };
    }
    system Person;
";

#[test]
fn the_automatic_search_walks_beside_its_store() {
    let query = "E<> known == N * (N - 1) && (forall (i : id_t) forall (j : id_t) knows[i][j])";
    let mut config = Config::default();
    config.limits.states = Some(5_000);
    // From the start, and as long as the search itself.
    for text in [
        "beside.after=0",
        "beside.expansions=0",
        "beside.least=1000",
        "beside.most=1000",
    ] {
        let set = config.tuning.set(merkhet::tuning::KNOWN, text);
        assert_eq!(set, Ok(()));
    }
    let report = decide(CALLS, query, config.clone()).expect("a report");
    let again = decide(CALLS, query, config.clone()).expect("a report");
    assert_eq!(report.answer, Answer::Satisfied);
    assert_eq!(report.found_by.as_deref(), Some("a random walk, seed 0"));
    let length = |report: &Report| report.trace.as_ref().map(|run| run.steps.len());
    assert!(length(&report).is_some(), "judged, and shown");
    // The work is counted, not the time.
    assert_eq!(report.figures.explored, again.figures.explored);
    assert_eq!(length(&report), length(&again));
    config.seed = 5;
    let other = decide(CALLS, query, config).expect("a report");
    assert_eq!(other.answer, Answer::Satisfied);
}

#[test]
fn walks_beside_a_search_prove_nothing() {
    let mut config = Config::default();
    config.limits.states = Some(5_000);
    let report = decide(CALLS, "E<> known > N * N - 1", config).expect("a report");
    assert_eq!(report.answer, NOT_FOUND);
}

/// Two jobs on one processor, the first of which is interrupted: its clock stands still meanwhile. The zones of stopped
/// clocks are larger than what is reached, so that they can only say that something may be.
const INTERRUPTED: &str = "
    clock job, other, now;
    int[0, 9] stops;
    process First() {
        state Running { job <= 3 }, Stopped { job' == 0 }, Done;
        init Running;
        trans
            Running -> Stopped { guard job >= 1 && job < 3 && stops < 9; assign other = 0, stops++; },
            Stopped -> Running { guard other >= 2; },
            Running -> Done { guard job >= 3; };
    }
    system First;
";

#[test]
fn walks_decide_what_zones_of_stopwatches_leave_open() {
    let late = "E<> First.Done && stops == 2 && now <= 7";
    let report = decide(INTERRUPTED, late, Config::default()).expect("a report");
    assert_eq!(report.answer, Answer::Satisfied);
    let run = report.trace.expect("a judged run");
    assert_eq!(run.steps.len(), 5);
    // It takes three units of the first job and two for each interruption.
    let early = "E<> First.Done && stops == 2 && now < 7";
    let report = decide(INTERRUPTED, early, Config::default()).expect("a report");
    assert_ne!(report.answer, Answer::Satisfied);
}
