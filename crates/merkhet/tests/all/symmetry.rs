//! Permutations of processes: verdicts are those without them, traces are of the model as it is, and what cannot be permuted is
//! not.

use merkhet::{Answer, Config, Limits, Model, Remark, Report, SearchSpec, TraceKind, check};

fn decide(text: &str, query: &str, config: &Config) -> Result<Report, String> {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:#?}\n{text}", model.diagnostics);
    let lowered = model.query(query);
    let network = model.network().expect("a network");
    let query = lowered
        .query
        .as_ref()
        .unwrap_or_else(|| panic!("{query}\n{text}"));
    check(network, query, config, &mut |_| {}).map_err(|failure| failure.to_string())
}

fn config(symmetry: Option<bool>, search: &str) -> Config {
    Config {
        symmetry,
        search: Some(search.parse::<SearchSpec>().expect("a search")),
        limits: Limits {
            states: Some(200_000),
            ..Limits::default()
        },
        ..Config::default()
    }
}

/// The lists of members that were permuted.
fn permuted(report: &Report) -> Vec<Vec<String>> {
    let lists = |remark: &Remark| match remark {
        Remark::Permuted(lists) => Some(lists.clone()),
        _ => None,
    };
    report.remarks.iter().find_map(lists).unwrap_or_default()
}

/// Why nothing was permuted.
fn obstacle(report: &Report) -> String {
    let obstacle = |remark: &Remark| match remark {
        Remark::NotPermuted(obstacle) => obstacle.clone(),
        _ => None,
    };
    report.remarks.iter().find_map(obstacle).unwrap_or_default()
}

fn fischer(processes: usize, test: &str) -> String {
    format!(
        "const int N = {processes}; typedef int[1,N] id_t; int[0,N] id;
        process P(const id_t pid) {{
          clock x;
          state A, req {{ x <= 2 }}, wait, cs; init A;
          trans A -> req {{ guard id == 0; assign x = 0; }},
            req -> wait {{ guard x <= 2; assign x = 0, id = pid; }},
            wait -> req {{ guard id == 0; assign x = 0; }},
            wait -> cs {{ guard {test} && id == pid; }},
            cs -> A {{ assign id = 0; }};
        }}
        system P;"
    )
}

const EXCLUSION: &str = "A[] forall (i : id_t) forall (j : id_t) P(i).cs && P(j).cs imply i == j";

#[test]
fn fischer_grows_polynomially() {
    let stored = |processes| {
        let config = config(Some(true), "auto");
        let report = decide(&fischer(processes, "x > 2"), EXCLUSION, &config).expect("no fault");
        assert_eq!(report.answer, Answer::Satisfied);
        assert_eq!(
            permuted(&report),
            [(1..=processes)
                .map(|p| format!("P({p})"))
                .collect::<Vec<_>>()]
        );
        report.figures.stored
    };
    assert_eq!([6, 8, 12, 20].map(stored), [54, 88, 180, 460]);
}

#[test]
fn traces_are_of_the_model_as_it_is() {
    let text = fischer(4, "x >= 2");
    // The judge has accepted what the report holds.
    for (query, families) in [
        (EXCLUSION, vec![4]),
        ("E<> P(2).cs && P(4).cs", vec![2, 2]),
        ("E<> P(3).cs && id == 1", vec![2]),
        ("E<> P(1).cs && P(2).cs && P(3).cs && P(4).cs", vec![4]),
    ] {
        let shortest = |symmetry| {
            let config = Config {
                trace: TraceKind::Shortest,
                ..config(Some(symmetry), "bfs")
            };
            let report = decide(&text, query, &config).expect("no fault");
            let trace = report.trace.as_ref().expect("a trace");
            (report.answer.clone(), trace.steps.len(), permuted(&report))
        };
        let (plain, full) = (shortest(false), shortest(true));
        assert_eq!((&plain.0, plain.1), (&full.0, full.1), "{query}");
        let sizes: Vec<usize> = full.2.iter().map(Vec::len).collect();
        assert_eq!(sizes, families, "{query}");
    }
}

#[test]
fn what_breaks_the_symmetry_is_named() {
    let text = |more: &str, update: &str| {
        format!(
            "typedef int[0,2] id_t; id_t turn; int[0,9] n; int[0,3] seen[3]; broadcast chan go;
            {more}
            process P(const id_t me) {{ state a, b; init a; trans a -> b {{ {update} }}; }}
            process Q() {{ state a; init a; trans a -> a {{ sync go!; }}; }}
            system P, Q;"
        )
    };
    let reason = |more: &str, update: &str| {
        let config = config(Some(true), "bfs");
        let report = decide(&text(more, update), "E<> n == 8 && turn == 7", &config);
        obstacle(&report.expect("no fault"))
    };
    let cases = [
        ("", "guard turn < me;", "it is more than an id"),
        (
            "",
            "guard n < 5; assign n = n + me;",
            "it is more than an id",
        ),
        (
            "",
            "assign turn = turn == me ? (turn + 1) % 3 : me;",
            "it is more than an id",
        ),
        (
            "const int cost[3] = {1, 2, 3}; clock x;",
            "guard x >= cost[me];",
            "it is more than an id",
        ),
        (
            "void f(id_t me) { int i; for (i = 0; i < 3; i++) if (seen[i] == 0) { seen[i] = 1; return; } }",
            "assign seen[me] = 2, f(me);",
            "it is more than an id",
        ),
        ("", "sync go?; assign turn = me;", "broadcast"),
    ];
    for (more, update, expected) in cases {
        let reason = reason(more, update);
        assert!(reason.contains(expected), "{more} {update}: {reason}");
    }
}

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) % limit as u64) as usize
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// A template over a type of ids, with what goes well with permutations and, now and then, what does not.
fn network(random: &mut Random) -> (String, usize) {
    let members = 2 + random.below(3);
    let last = members - 1;
    let wild = random.below(4) == 0;
    let guard = |random: &mut Random| {
        let tame = [
            "turn == me",
            "turn != me",
            "flag[me] == 0",
            "flag[me] > 0",
            "turn == NONE",
            "mine == NONE",
            "mine != NONE",
            "n < 2",
            "x >= 2",
            "x > 1",
            "x < 3",
            "(forall (i : id_t) flag[i] == 0)",
            "(exists (i : id_t) flag[i] == 2)",
            "turn != NONE && flag[turn] == 1",
            "held[me] == NONE",
            "held[me] == turn",
            "last[me] == me",
            "free()",
            "is(me)",
            "y >= 1",
            "y < 2",
        ];
        let rough = [
            "me > 0",
            "turn < me",
            "flag[0] == 0",
            "me == 1",
            "(me + 1) % MEMBERS == turn",
            "turn == 0",
            "cost[me] > 1",
        ];
        let mut parts = Vec::new();
        for _ in 0..random.below(3) {
            parts.push(match wild && random.below(3) == 0 {
                true => random.one(&rough),
                false => random.one(&tame),
            });
        }
        parts.join(" && ")
    };
    let update = |random: &mut Random| {
        let tame = [
            "turn = me",
            "turn = NONE",
            "flag[me] = 1",
            "flag[me] = 2",
            "flag[me] = 0",
            "mine = turn",
            "mine = NONE",
            "x = 0",
            "held[me] = turn",
            "held[me] = mine",
            "turn = held[me]",
            "n = n < 2 ? n + 1 : 0",
            "last[me] = me",
            "clear()",
            "y = 0",
            "take(me)",
            "n = sum (i : id_t) (flag[i] == 1 ? 1 : 0)",
            "turn = mine",
        ];
        let rough = [
            "turn = 0",
            "n = me % 3",
            "flag[(me + 1) % MEMBERS] = 1",
            "first()",
            "order(me)",
            "flag[0] = 2",
            "turn = (me + 1) % MEMBERS",
        ];
        let mut parts = Vec::new();
        for _ in 0..random.below(4) {
            parts.push(match wild && random.below(3) == 0 {
                true => random.one(&rough),
                false => random.one(&tame),
            });
        }
        parts.join(", ")
    };
    let mut edges = Vec::new();
    for _ in 0..3 + random.below(5) {
        let (from, to) = (
            random.one(&["a", "b", "c", "d"]),
            random.one(&["a", "b", "c", "d"]),
        );
        let sync = match random.below(8) {
            0 => "sync go[me]?;",
            1 => "sync all?;",
            2 => "sync all!;",
            3 => "sync pair!;",
            4 => "sync pair?;",
            5 => "sync hurry!;",
            _ => "",
        };
        let mut guard = guard(random);
        let alone = sync == "sync all?;" && random.below(6) > 0;
        if sync == "sync hurry!;" || sync == "sync all?;" {
            let clocks = |part: &&str| !part.starts_with(['x', 'y']);
            guard = guard
                .split(" && ")
                .filter(clocks)
                .collect::<Vec<_>>()
                .join(" && ");
        }
        let guard = match guard.is_empty() {
            true => String::new(),
            false => format!("guard {guard};"),
        };
        let own = [
            "x = 0",
            "flag[me] = 1",
            "mine = NONE",
            "y = 0",
            "flag[me] = 2",
        ];
        let update = match alone {
            true => random.one(&own).to_string(),
            false => update(random),
        };
        let update = match update {
            none if none.is_empty() => none,
            some => format!("assign {some};"),
        };
        edges.push(format!("{from} -> {to} {{ {guard} {sync} {update} }}"));
    }
    let invariant = random.one(&["", " { x <= 3 }", " { x < 4 && y <= 5 }"]);
    let kind = random.one(&["", "", "commit c;", "urgent c;"]);
    let start = random.one(&["NONE", "NONE", "0", "MEMBERS - 1"]);
    let receive = random.one(&["sync all!;", "sync pair?;", "sync hurry?;", "guard z >= 1;"]);
    let text = format!(
        "const int MEMBERS = {members}; const int NONE = -1;
        typedef int[0,{last}] id_t; typedef int[-1,{last}] ref_t;
        ref_t turn = {start}; int[0,2] flag[MEMBERS]; ref_t held[MEMBERS]; ref_t last[MEMBERS]; int[0,{members}] n; clock z;
        const int cost[4] = {{1, 2, 2, 1}};
        chan go[MEMBERS], pair; broadcast chan all; urgent chan hurry;
        bool free() {{ return turn == NONE; }}
        bool is(id_t i) {{ return turn == i; }}
        void clear() {{ for (i : id_t) flag[i] = 0; }}
        void take(id_t i) {{ if (turn == NONE) turn = i; else flag[i] = 1; }}
        void first() {{ for (i : id_t) if (flag[i] == 0) {{ turn = i; return; }} }}
        void order(id_t me) {{ for (i : id_t) if (i != me) turn = i; }}
        process P(const id_t me) {{
            clock x, y; ref_t mine;
            state a, b{invariant}, c, d; {kind} init a;
            trans {};
        }}
        process Bus() {{
            state u, v {{ z <= 4 }}; init u;
            trans u -> v {{ select i : id_t; guard flag[i] == 1; sync go[i]!; assign turn = i, z = 0; }},
                v -> u {{ {receive} assign z = 0; }},
                u -> u {{ select i : id_t; guard held[i] != NONE; assign held[i] = NONE; }};
        }}
        system P, Bus;",
        edges.join(",\n")
    );
    (text, members)
}

fn question(random: &mut Random, members: usize) -> String {
    let atom = |random: &mut Random| {
        let (one, other) = (random.below(members), random.below(members));
        let at = random.one(&["a", "b", "c", "d"]);
        match random.below(10) {
            0 => format!("P({one}).{at}"),
            1 => format!("turn == {one}"),
            2 => format!("flag[{one}] == 2"),
            3 => format!("forall (i : id_t) P(i).{at}"),
            4 => format!("exists (i : id_t) (P(i).{at} && turn == i)"),
            5 => format!("held[{one}] == {other}"),
            6 => format!("P({one}).x > 2"),
            8 => format!("(sum (i : id_t) P(i).{at}) >= 2"),
            7 => {
                "forall (i : id_t) forall (j : id_t) (i != j imply !(P(i).d && P(j).d))".to_string()
            }
            _ => format!("P({one}).mine == {other}"),
        }
    };
    let mut parts: Vec<String> = (0..1 + random.below(2)).map(|_| atom(random)).collect();
    if random.below(8) == 0 {
        parts.push("deadlock".into());
    }
    format!("E<> {}", parts.join(" && "))
}

/// The verdict, with the length of a shortest trace; what came of a fault of the model.
fn outcome(result: &Result<Report, String>) -> Result<(Answer, Option<usize>), ()> {
    match result {
        Ok(report) => Ok((
            report.answer.clone(),
            report.trace.as_ref().map(|trace| trace.steps.len()),
        )),
        Err(message) => {
            assert!(!message.contains("internal"), "{message}");
            Err(())
        }
    }
}

#[test]
fn verdicts_are_those_without_permutations() {
    let count = std::env::var("MERKHET_RANDOM")
        .ok()
        .and_then(|count| count.parse().ok());
    let first: u64 = std::env::var("MERKHET_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(0);
    let (mut reduced, mut fewer, mut found, mut faults) = (0, 0, 0, 0);
    let count = count.unwrap_or(150);
    for seed in first..first + count {
        let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        let (text, members) = network(random);
        for _ in 0..3 {
            let query = question(random, members);
            let plain = decide(&text, &query, &config(Some(false), "bfs"));
            let full = decide(&text, &query, &config(Some(true), "bfs"));
            let context = || format!("seed {seed}: {query}\n{text}\n{plain:?}\n{full:?}");
            // A fault of the model may be met before the goal or after it.
            let limited = |result: &Result<Report, String>| {
                result
                    .as_ref()
                    .is_ok_and(|report| report.answer.is_unknown())
            };
            if limited(&plain) || limited(&full) {
                continue;
            }
            assert_eq!(outcome(&plain), outcome(&full), "{}", context());
            faults += u64::from(plain.is_err());
            let (Ok(plain), Ok(full)) = (&plain, &full) else {
                continue;
            };
            let permuted = permuted(full);
            reduced += u64::from(!permuted.is_empty());
            found += u64::from(plain.trace.is_some());
            fewer += u64::from(full.figures.stored < plain.figures.stored);
            if permuted.is_empty() {
                assert_eq!(plain.figures.stored, full.figures.stored, "{}", context());
                continue;
            }
            let two = Config {
                threads: 2,
                ..config(Some(true), "bfs")
            };
            for other in [two, config(Some(true), "auto"), config(Some(true), "dfs")] {
                let report = decide(&text, &query, &other);
                // Depth first may meet a fault that breadth first does not come to.
                let Ok(report) = report else { continue };
                if limited(&Ok(report.clone())) {
                    continue;
                }
                assert_eq!(report.answer, plain.answer, "{other:?} {}", context());
            }
        }
    }
    println!("{reduced} reduced, {fewer} with fewer states, {found} traces, {faults} faults");
    assert!(
        count < 100 || reduced > 100 && fewer > 50 && found > 100,
        "{reduced} {fewer} {found}"
    );
}
