//! Limits hold wherever the time goes, and each way to fail has its exit code.

mod support;

use std::path::{Path, PathBuf};
use std::process::Output;

use support::{code, example, merkhet, run, stderr, stdout};

/// A broadcast to 40 receivers with guards on clocks: 2^40 parts of one transition, few of which come to anything.
/// `invariant` is one of the sender; it has a second location, so that its declaration alone answers nothing.
fn endless(invariant: &str) -> String {
    let receiver = "process R(int i) { clock x; state A; init A;
        trans A -> A { guard x >= i && x <= i + 1000; sync c?; assign x = 0; }; }\n";
    let sender = format!(
        "process S() {{ clock y; state A {invariant}, B; init A; trans A -> A {{ guard y > 0; sync c!; assign y = 0; }}; }}\n"
    );
    let all: Vec<String> = (0..40).map(|i| format!("R{i} = R({i});")).collect();
    let names: Vec<String> = (0..40).map(|i| format!("R{i}")).collect();
    format!(
        "broadcast chan c;\n{receiver}{sender}{}\nsystem S, {};\n",
        all.join("\n"),
        names.join(", ")
    )
}

fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a writable folder");
    path
}

fn check(model: &Path, query: &str, more: &[&str]) -> Output {
    let mut arguments = vec!["check".into(), model.as_os_str().to_owned()];
    arguments.extend(["-q".into(), query.into()]);
    arguments.extend(more.iter().map(Into::into));
    run(arguments)
}

#[test]
fn the_time_limit_holds_within_the_successors_of_one_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = file(folder.path(), "endless.xta", &endless(""));
    // Without the invariant time could pass for ever, and the answer would be found at once.
    let hurried = file(folder.path(), "hurried.xta", &endless("{ y <= 5 }"));
    let kept = folder.path().join("run.checkpoint");
    let kept = format!("--checkpoint={}", kept.display());
    for (model, query, more, said) in [
        (&model, "A[] not deadlock", &["--search", "bfs"][..], ""),
        (&model, "A[] S.A", &["--search", "dfs"], ""),
        (
            &model,
            "A[] S.A",
            &["--threads", "2", "--search", "bfs"],
            "",
        ),
        (&hurried, "A<> not S.A", &[], ""),
        (&hurried, "sup: S.y", &[], ""),
        // A search that is written down stops between two expansions only: it is ended from outside.
        (
            &model,
            "A[] S.A",
            &[kept.as_str()],
            "no checkpoint was written",
        ),
        // With one before each expansion there is one, of before the last.
        (
            &model,
            "A[] S.A",
            &[kept.as_str(), "--every=0s"],
            "is an older one",
        ),
    ] {
        let mut options = vec!["--timeout", "300ms"];
        options.extend(more);
        let output = check(model, query, &options);
        let text = stdout(&output);
        assert_eq!(code(&output), Some(3), "{query} {more:?}: {text}");
        assert!(text.contains("time limit reached"), "{query}: {text}");
        assert!(text.contains("1 query: 1 unknown"), "{query}: {text}");
        let messages = stderr(&output);
        assert!(messages.contains(said), "{query} {more:?}: {messages}");
        assert_eq!(messages.is_empty(), said.is_empty(), "{query}: {messages}");
        let resumable = said.contains("older");
        assert_eq!(text.contains("and --resume"), resumable, "{more:?}: {text}");
        // Nobody counted them.
        assert!(!text.contains(" 0 transitions"), "{query}: {text}");
    }
}

#[test]
fn queries_after_one_that_overran_are_not_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = file(folder.path(), "endless.xta", &endless(""));
    let kept = folder.path().join("run.checkpoint");
    let output = run([
        "check".as_ref(),
        model.as_os_str(),
        "-qA[] S.A".as_ref(),
        "--timeout=100ms".as_ref(),
        "--format=json".as_ref(),
        "--checkpoint".as_ref(),
        kept.as_os_str(),
    ]);
    assert_eq!(code(&output), Some(3), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    let result = &report["results"][0];
    assert_eq!(result["verdict"], "unknown");
    let reason = result["reason"].as_str().unwrap_or_default();
    assert!(reason.starts_with("time limit reached while "), "{reason}");
    assert!(result["time_s"].as_f64().is_some_and(|time| time >= 1.0));
}

/// What is wrong with the invocation is exit code 2, what cannot be decided is 3.
#[test]
fn options_that_do_not_fit_are_bad_usage_and_what_cannot_be_decided_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = file(
        folder.path(),
        "plain.xta",
        "clock x; process P() { state A, B; init A; trans A -> A { guard x >= 1; assign x = 0; }; }\nsystem P;\n",
    );
    let stopwatch = file(
        folder.path(),
        "stop.xta",
        "clock x; process P() { state A { x' == 0 }; init A; trans A -> A { }; }\nsystem P;\n",
    );
    let loops = file(
        folder.path(),
        "loop.xta",
        "int f() { int i = 0; while (true) { i = (i + 1) % 7; } return i; }
        process P() { int n; state A, B; urgent A; init A; trans A -> A { assign n = f(); }; }\nsystem P;\n",
    );
    let divides = file(
        folder.path(),
        "divide.xta",
        "int x; process P() { state A, B; init A; trans A -> A { assign x = 1 / x; }; }\nsystem P;\n",
    );
    let kept = folder.path().join("run.checkpoint");
    let kept = format!("--checkpoint={}", kept.display());
    let folder_out = folder.path().join("t.json");
    let trace_out = format!("--trace-out={}", folder_out.display());
    let cases: &[(&Path, &str, &[&str], i32, &str)] = &[
        (
            &plain,
            "E<> deadlock",
            &["--lattice", "join"],
            2,
            "--lattice simple",
        ),
        (&plain, "A<> P.A", &[&kept], 2, "E<> and A[] only"),
        (&plain, "A[] P.A", &[&kept, "--threads=2"], 2, "one thread"),
        (
            &plain,
            "A[] P.A",
            &["--lattice=cover", "--bitstate"],
            2,
            "--lattice simple",
        ),
        (
            &plain,
            "A[] P.A",
            &["--joining=all"],
            2,
            "nothing is joined",
        ),
        (
            &plain,
            "A[] P.A",
            &["--trace=none", &trace_out],
            2,
            "--trace none",
        ),
        (
            &plain,
            "A[] P.A",
            &["--trace=none", "--all-traces=2"],
            2,
            "--trace none",
        ),
        (
            &plain,
            "A[] P.A",
            &["--engine=bdd", "--search=guided", "--abstract=keep=nope*"],
            2,
            "nope",
        ),
        (&stopwatch, "A[] not deadlock", &[], 3, "stopwatches"),
        (&stopwatch, "A<> P.A", &[], 3, "stopwatches"),
        (&plain, "A<> P.A", &["--engine=bdd"], 3, "E<> and A[] only"),
        (&loops, "A[] P.A", &[], 3, "allowed number of steps"),
        (&loops, "A<> not P.A", &[], 3, "allowed number of steps"),
        (&divides, "A[] P.A", &[], 2, "division by zero"),
    ];
    for (model, query, more, expected, words) in cases {
        let output = check(model, query, more);
        let text = stdout(&output) + &stderr(&output);
        assert_eq!(code(&output), Some(*expected), "{query} {more:?}: {text}");
        assert!(text.contains(words), "{query} {more:?}: {text}");
        // What the report says is not said again on the other stream.
        assert!(text.matches(words).count() <= 2, "{query} {more:?}: {text}");
    }
}

/// While further traces are looked for the limits hold as well; the verdict stands, and what is missing is said.
#[test]
fn limits_hold_while_further_traces_are_looked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    // One run leads to the goal, and from everywhere else there is no end of runs.
    let grid = "int[0,2000] a, b, c;
        process T() { state A, B; init A; trans A -> B { guard a + b + c == 0; }; }
        process W() { state A; init A; trans
            A -> A { guard a < 2000; assign a++; },
            A -> A { guard b < 2000; assign b++; },
            A -> A { guard c < 2000; assign c++; };
        }
        system T, W;\n";
    let grid = file(folder.path(), "grid.xta", grid);
    // Here one transition has no end of parts.
    let endless = endless("").replace(
        "system S",
        "process T() { state A, B; init A; trans A -> B { }; }\nsystem T, S",
    );
    let endless = file(folder.path(), "endless.xta", &endless);
    for (model, limit, words) in [
        (&grid, "--timeout=300ms", "time limit reached"),
        (&grid, "--memory-limit=64MiB", "memory limit reached"),
        (&grid, "--max-states=1000", "state limit reached"),
        (&endless, "--timeout=300ms", "time limit reached"),
    ] {
        let output = check(model, "E<> T.B", &["--all-traces=3", limit]);
        let (text, message) = (stdout(&output), stderr(&output));
        assert_eq!(code(&output), Some(0), "{limit}: {text}{message}");
        assert!(text.starts_with("satisfied"), "{limit}: {text}");
        let expected = format!("{words}: 1 of 3 traces were found\n");
        assert!(message.ends_with(&expected), "{limit}: {message}");
    }
}

/// A fault that a liveness query meets comes with the figures until then.
#[test]
fn a_fault_of_a_liveness_query_has_figures() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = file(
        folder.path(),
        "count.xta",
        "int[0,3] x; process P() { state A; urgent A; init A; trans A -> A { assign x = x + 1; }; }\nsystem P;\n",
    );
    let output = check(&model, "A<> x > 5", &["--format", "json"]);
    assert_eq!(code(&output), Some(2), "{}", stdout(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(report["results"][0]["explored"], 3);
    assert_eq!(report["results"][0]["stored"], 3);
}

/// How the run to a fault ends depends on where the fault lies: a query that cannot be evaluated is no fault of the model.
#[test]
fn the_run_to_a_fault_says_what_cannot_be_computed() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = |name: &str, update: &str| {
        let text = format!(
            "int[0,3] n; int m; int f(int i) {{ return 1 / (i - 2); }}\nprocess P() {{ state A; init A; \
             trans A -> A {{ guard n < 3; assign n = n + 1{update}; }}; }}\nsystem P;\n"
        );
        file(folder.path(), name, &text)
    };
    let plain = model("plain.xta", "");
    let xml = folder.path().join("model.xml");
    let text = stdout(&run([
        "convert".as_ref(),
        plain.as_os_str(),
        "--to".as_ref(),
        "xml".as_ref(),
    ]));
    let formula =
        "<queries><query><formula>E&lt;&gt; 1/(n-2) == 7</formula></query></queries></nta>";
    std::fs::write(&xml, text.replace("</nta>", formula)).expect("written");
    let flat = file(
        folder.path(),
        "flat.tck",
        "system:S\nevent:a\nint:1:0:3:0:n\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:a{do: n=1/(n-n)}\n",
    );
    let (transition, query, next) = (
        "The next transition cannot be computed.",
        "The query cannot be evaluated here, or after the next transition.",
        "What comes next cannot be computed.",
    );
    for (model, asked, ending) in [
        (&plain, "E<> n/0 == 1", query),
        (&plain, "E<> 1/(n-2) == 7", query),
        (&plain, "A[] 1/(n-2) != 7", query),
        (&xml, "", query),
        // A function may be called by both.
        (&plain, "E<> f(n) == 9", next),
        (&model("called.xta", ", m = f(n)"), "E<> m == 9", next),
        (
            &model("divided.xta", ", m = 1 / (n - 2)"),
            "E<> m == 9",
            transition,
        ),
        (&flat, "explore", transition),
    ] {
        let output = match asked {
            "" => run(["check".as_ref(), model.as_os_str()]),
            asked => check(model, asked, &[]),
        };
        let text = stdout(&output);
        assert_eq!(code(&output), Some(2), "{asked}: {text}");
        assert!(text.contains("division by zero"), "{asked}: {text}");
        for one in [transition, query, next] {
            assert_eq!(text.contains(one), one == ending, "{asked}: {text}");
        }
    }
}

/// Whoever finds a certificate after a run must not take it for one about that run.
#[test]
fn an_older_certificate_is_not_taken_for_a_new_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let proof = folder.path().join("proof");
    let certificate = format!("--certificate={}", proof.display());
    let fischer = example("fischer.xml");
    let model = file(folder.path(), "endless.xta", &endless(""));
    let kept = format!("--checkpoint={}", folder.path().join("kept").display());
    let old = "is still that of an earlier run";
    let found = "E<> Process(1).Critical";
    let all = [
        (&fischer, found, &[][..], 0),
        (&fischer, "A[] not deadlock", &["--max-states=3"], 3),
        (&fischer, "A[] Nobody.Critical", &[], 2),
        (&fischer, "A[] 1 / (1 - 1) == 1", &[], 2),
        // Ended from outside.
        (&model, "A[] S.A", &["--timeout=100ms", kept.as_str()], 3),
    ];
    let run_all = |said: bool| {
        for (model, query, more, exit) in all {
            let output = check(model, query, &[&[certificate.as_str()], more].concat());
            let messages = stderr(&output);
            assert_eq!(code(&output), Some(exit), "{query}: {messages}");
            assert_eq!(messages.contains(old), said, "{query}: {messages}");
        }
    };
    run_all(false);
    let proved = check(&fischer, "A[] not deadlock", &[&certificate]);
    assert_eq!(stderr(&proved), "");
    let before = std::fs::read(&proof).expect("a certificate");
    run_all(true);
    assert_eq!(std::fs::read(&proof).expect("a certificate"), before);
    // A new one takes its place, and nothing has to be said.
    let again = check(&fischer, "A[] not deadlock", &[&certificate]);
    assert_eq!(stderr(&again), "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_certificate_that_cannot_be_written_does_not_take_the_verdict_with_it() {
    let fischer = example("fischer.xml");
    let output = check(&fischer, "A[] not deadlock", &["--certificate=/dev/full"]);
    assert_eq!(code(&output), Some(2));
    assert!(
        stdout(&output).starts_with("satisfied"),
        "{}",
        stdout(&output)
    );
    let message = stderr(&output);
    assert!(
        message.contains("cannot write the certificate /dev/full: No space"),
        "{message}"
    );
}

/// Ctrl-C while many models are checked: those that were not begun are not called unusable.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_batch_tells_what_was_not_begun() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().expect("a folder");
    // The first model is a pipe: whoever can open it knows that its check has begun.
    let first = folder.path().join("a.xta");
    let made = Command::new("mkfifo").arg(&first).status();
    assert!(made.is_ok_and(|status| status.success()));
    for name in ["b.xta", "c.xta"] {
        file(folder.path(), name, &endless(""));
    }
    let child = merkhet()
        .args(["check", "-qA[] S.A", "--jobs=1", "--format=json"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let text = endless("");
    let mut pipe = std::fs::OpenOptions::new()
        .write(true)
        .open(&first)
        .expect("a pipe");
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-TERM", &id]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    std::io::Write::write_all(&mut pipe, text.as_bytes()).expect("written");
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(code(&output), Some(3), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    let summary = &report["summary"];
    assert_eq!(summary["models"], 3);
    assert_eq!(summary["unusable"], 0, "{report}");
    assert_eq!(summary["not_begun"], 2, "{report}");
    assert_eq!(report["models"][0]["results"][0]["reason"], "interrupted");
    assert!(!stderr(&output).contains("error"), "{}", stderr(&output));
}

/// A token goes round a ring of processes with a clock each: the run has as many steps as there are clocks, and a matrix for each
/// of them would take a gigabyte.
#[test]
fn evidence_takes_memory_for_the_run_and_not_for_its_matrices() {
    const PROCESSES: usize = 400;
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!(
        "const int N = {PROCESSES};\nchan go[N + 1];\n\
         process P(const int[0, N - 1] i) {{ clock x; state A, B {{ x <= 3 }}, C; init A;
            trans A -> B {{ sync go[i]?; assign x = 0; }}, B -> C {{ guard x > 1; sync go[i + 1]!; }}; }}\n\
         process Q() {{ state A, B, End; init A; trans A -> B {{ sync go[0]!; }}, B -> End {{ sync go[N]?; }}; }}\n\
         system P, Q;\n"
    );
    let model = file(folder.path(), "ring.xta", &text);
    let limits = [
        "--search",
        "dfs",
        "--memory-limit",
        "256MiB",
        "--trace",
        "some",
    ];
    let output = check(&model, "E<> Q.End", &limits);
    assert_eq!(
        code(&output),
        Some(0),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
    let said = format!(
        "Example: {} transitions, time {}",
        PROCESSES + 1,
        2 * PROCESSES
    );
    assert!(stdout(&output).contains(&said), "{}", stdout(&output));
}
