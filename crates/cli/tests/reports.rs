//! Reports as files and for programs: the documented schema, many models at once, trace files and styles.

mod support;

#[path = "support/schema.rs"]
mod schema;

use std::path::Path;

use serde_json::Value;
use support::{code, example, merkhet, run, stderr, stdout};

/// The schema of the documentation, compiled.
fn validate(report: &Value) {
    let path: std::path::PathBuf = [
        env!("CARGO_MANIFEST_DIR"),
        "..",
        "..",
        "docs",
        "schema",
        "report-1.schema.json",
    ]
    .iter()
    .collect();
    let text = std::fs::read_to_string(path).expect("the schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    if let Some(problem) = schema::problem(&schema, &schema, report, "report") {
        panic!("{problem}\n{report:#}");
    }
}

fn json(arguments: &[&str]) -> Value {
    let output = run(arguments.iter().copied().chain(["--format", "json"]));
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", stdout(&output), stderr(&output)))
}

fn models(folder: &Path) {
    for name in ["fischer-flawed.xml", "lamp.xml", "train-gate.xml"] {
        std::fs::copy(example(name), folder.join(name)).expect("copied");
    }
    std::fs::write(folder.join("broken.xta"), "process P() {").expect("written");
    std::fs::write(
        folder.join("plain.xta"),
        "process P() { state A; init A; } system P;",
    )
    .expect("written");
    std::fs::write(folder.join("plain.q"), "E<> P.A\n").expect("written");
}

#[test]
fn every_report_follows_the_schema() {
    let path = |name: &str| example(name).display().to_string();
    for name in [
        "fischer-flawed.xml",
        "lamp.xml",
        "scheduler.xml",
        "train-gate.xml",
    ] {
        validate(&json(&["check", &path(name)]));
        validate(&json(&[
            "check",
            &path(name),
            "--trace-style",
            "full",
            "--trace",
            "shortest",
        ]));
    }
    validate(&json(&["check", "no-such-model.xml"]));
    validate(&json(&[
        "check",
        &path("lamp.xml"),
        "-q",
        "E<> Lamp.Nowhere",
    ]));
    validate(&json(&[
        "check",
        &path("train-gate.xml"),
        "--max-states",
        "3",
    ]));
    let folder = tempfile::tempdir().expect("a folder");
    models(folder.path());
    validate(&json(&["check", &folder.path().display().to_string()]));
}

/// Every kind of verdict and evidence, each with the member of the report that it is about.
#[test]
fn every_kind_of_answer_follows_the_schema() {
    let path = |name: &str| example(name).display().to_string();
    let (lamp, flawed) = (path("lamp.xml"), path("fischer-flawed.xml"));
    let (database, query) = (path("lattice/database.xta"), path("lattice/database.q"));
    let (cache, wcet, smv) = (
        path("lattice/cache.xta"),
        path("lattice/cache.q"),
        path("handshake.smv"),
    );
    let error = "E<> Process(1).Critical && Process(2).Critical";
    let cases: &[(&[&str], &str)] = &[
        (
            &[&lamp, "-q", "Lamp.Lit --> Lamp.Off"],
            "/trace/ending/from",
        ),
        (&[&lamp, "-q", "A<> Lamp.Lit"], "/trace/ending/kind"),
        (&[&lamp, "-q", "E[] Lamp.Off"], "/trace/ending/kind"),
        (
            &[&lamp, "-q", "sup: Lamp.since", "--max-states", "1"],
            "/reason",
        ),
        (
            &[&lamp, "-q", "inf{Lamp.Fading}: Lamp.since"],
            "/values/0/inf",
        ),
        (
            &[&lamp, "-q", "E<> Lamp.Fading", "--all-traces", "2"],
            "/more_traces/0/length",
        ),
        (
            &[&flawed, "-q", error, "--trace-style", "full"],
            "/trace/steps/0/after",
        ),
        (
            &[&flawed, "-q", error, "--heuristic", "pa"],
            "/databases/list/0/states",
        ),
        (&[&flawed, "-q", error, "--reduce", "coi"], "/reductions"),
        (&[&flawed, "-q", error, "--bitstate"], "/verdict"),
        (
            &[&flawed, "-q", error, "--engine", "bdd"],
            "/diagrams/nodes",
        ),
        (
            &[&database, &query, "--lattice", "join", "--joining", "all"],
            "/joins",
        ),
        (&[&database, &query, "--lattice", "cegar"], "/refinements"),
        (&[&cache, &wcet, "--lattice", "join"], "/values/0/sup"),
        (&[&smv], "/diagrams/bits"),
        (&[&smv], "/path/loop_from"),
        (
            &[&smv, "--search", "guided"],
            "/diagrams/guided/databases/0/kept",
        ),
        (&[&flawed, "-q", error], "/found_by"),
    ];
    for (arguments, member) in cases {
        let arguments: Vec<&str> = ["check"].iter().chain(*arguments).copied().collect();
        let report = json(&arguments);
        validate(&report);
        let results = report["results"].as_array().expect("results");
        let has = |result: &Value| result.pointer(member).is_some_and(|found| !found.is_null());
        assert!(
            results.iter().any(has),
            "{arguments:?}: no {member}\n{report:#}"
        );
    }
}

#[test]
fn a_report_that_is_wrong_fails_the_schema() {
    let mut report = json(&["check", &example("lamp.xml").display().to_string()]);
    report["results"][0]["verdict"] = "perhaps".into();
    assert!(std::panic::catch_unwind(|| validate(&report)).is_err());
    report["results"][0]["verdict"] = "satisfied".into();
    validate(&report);
    report["results"][0]["mood"] = "good".into();
    assert!(std::panic::catch_unwind(|| validate(&report)).is_err());
}

#[test]
fn many_models_are_checked_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    models(folder.path());
    let output = merkhet()
        .args(["check", ".", "--jobs", "2"])
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let text = stdout(&output);
    // Times differ; the rest is pinned.
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let time = words.iter().position(|word| *word == "s" || *word == "s,");
            let plain = |index: &usize| Some(*index) != time && Some(*index + 1) != time;
            let kept: Vec<&str> = (0..words.len()).filter(plain).map(|at| words[at]).collect();
            kept.join(" ")
        })
        .collect();
    insta::assert_snapshot!("batch", lines.join("\n"));
    assert_eq!(code(&output), Some(1), "violations outweigh a broken model");
    let report = json(&[
        "check",
        &folder.path().join("*.x*").display().to_string(),
        "-q",
        "E<> true",
    ]);
    assert_eq!(report["summary"]["models"], 5);
    assert_eq!(report["summary"]["unusable"], 1);
    assert_eq!(report["summary"]["satisfied"], 4);
    let only_broken = run(["check", &format!("{}/b*.xta", folder.path().display())]);
    assert_eq!(code(&only_broken), Some(2));
}

/// A verdict that points to messages has them, for each model.
#[test]
fn what_is_wrong_with_a_query_is_said_for_each_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let one = write("one.xta", "process Q() { state A; init A; } system Q;");
    let two = write("two.xta", "process P() { state A; init A; } system P;");
    let queries = write("two.q", "E<> P.A\nE<> P.B\n");
    let finite = write("three.smv", "MODULE main\nVAR P : boolean;\n");
    let check = |arguments: &[&str], said: &[String]| {
        let output = run(["check"].iter().chain(arguments));
        assert_eq!(code(&output), Some(2), "{}", stdout(&output));
        let messages = stderr(&output);
        for line in said {
            assert!(messages.contains(line.as_str()), "{line}: {messages}");
        }
        let errors = messages.matches("error").count();
        assert_eq!(errors, said.len(), "{messages}");
    };
    let unknown = format!("error: {one}: query:1:5: unknown name `P`");
    check(&[&one, &two, "-q", "E<> P.A"], &[unknown]);
    let both = [&one, &two].map(|model| format!("error: {model}: query:1:5: unknown name `R`"));
    check(&[&one, &two, "-q", "E<> R.A"], &both);
    let in_file = format!("error: {two}: {queries}:2:7: `P` has no location");
    let none = format!("error: {one}: the model has no queries");
    check(&[&one, &two], &[none, in_file]);
    let other = format!("error: {finite}: ");
    let unknown = format!("error: {one}: query:1:");
    check(&[&one, &finite, "-q", "AG Q"], &[unknown, other]);
}

/// An option that has no effect on any of several models is refused, too.
#[test]
fn an_option_without_effect_on_many_models_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, "process P() { state A; init A; } system P;").expect("written");
        path.display().to_string()
    };
    let (one, two) = (write("one.xta"), write("two.xta"));
    let check = |options: &[&str]| {
        let output = run(["check", &one, &two, "--format=json"].iter().chain(options));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
        assert_eq!(report["summary"]["models"], 2);
        assert!(report["models"][0].get("without_effect").is_none());
        (code(&output), stderr(&output))
    };
    let (exit, message) = check(&["--search=bfs", "-q", "A<> P.A"]);
    assert_eq!(exit, Some(2));
    let sentence = "error: --search has no effect here: it is for E<>, A[] and exploration";
    assert!(message.contains(sentence), "{message}");
    let (exit, message) = check(&["--search=bfs", "-q", "A<> P.A", "-q", "E<> P.A"]);
    assert_eq!((exit, message.as_str()), (Some(0), ""));
    // What is wrong with the options stands in the way of each.
    let (exit, message) = check(&["--set=nothing=3", "-q", "A[] P.A"]);
    assert_eq!(exit, Some(2));
    for model in [&one, &two] {
        let sentence = format!("error: {model}: --set 'nothing=3': no tunable 'nothing'");
        assert!(message.contains(&sentence), "{message}");
    }
}

/// Whoever reads JSON learns there why nothing was checked.
#[test]
fn a_refusal_is_in_the_report() {
    let lamp = support::example("lamp.xml");
    for options in [
        &["-q", "A<> Lamp.Lit", "--search=bfs"][..],
        &[
            "-q",
            "E<> Lamp.Lit",
            "-q",
            "E<> true",
            "--certificate=proof",
        ],
    ] {
        let arguments = ["check", "--format=json"].map(std::ffi::OsStr::new);
        let options = options.iter().map(std::ffi::OsStr::new);
        let output = run(arguments
            .into_iter()
            .chain([lamp.as_os_str()])
            .chain(options));
        assert_eq!(code(&output), Some(2));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
        assert_eq!(report["diagnostics"][0]["code"], "refused");
    }
}

#[test]
fn junit_has_a_suite_for_each_model() {
    let folder = tempfile::tempdir().expect("a folder");
    models(folder.path());
    let output = run([
        "check",
        &folder.path().display().to_string(),
        "--format=junit",
    ]);
    let text = stdout(&output);
    assert_eq!(text.matches("<testsuite name=").count(), 5, "{text}");
    assert!(text.contains("<testcase name=\"load\""), "{text}");
    for [
        tests,
        failures,
        errors,
        shown_tests,
        shown_failures,
        shown_errors,
    ] in suites(&text)
    {
        assert_eq!(
            [tests, failures, errors],
            [shown_tests, shown_failures, shown_errors],
            "{text}"
        );
    }
}

/// Reads the document as a CI system does: for each suite its test cases, failures and errors, and what it says of them.
fn suites(text: &str) -> Vec<[usize; 6]> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(text);
    let mut all: Vec<[usize; 6]> = Vec::new();
    loop {
        let tag = match reader.read_event().expect("well-formed XML") {
            Event::Start(tag) | Event::Empty(tag) => tag,
            Event::Eof => return all,
            _ => continue,
        };
        let said = |name: &str| {
            let attribute = tag.try_get_attribute(name).expect("an attribute");
            let value = attribute.unwrap_or_else(|| panic!("no {name}"));
            value.value.to_string()
        };
        let number = |name: &str| said(name).parse().expect("a number");
        let kind = match tag.name().as_ref() {
            "testsuite" => {
                let shown = ["tests", "failures", "errors"].map(number);
                all.push([0, 0, 0, shown[0], shown[1], shown[2]]);
                continue;
            }
            "testcase" => {
                assert!(!said("classname").is_empty() && !said("name").is_empty());
                0
            }
            "failure" => 1,
            "error" => 2,
            _ => continue,
        };
        all.last_mut().expect("inside a suite")[kind] += 1;
    }
}

#[test]
fn lint_speaks_sarif() {
    let folder = tempfile::tempdir().expect("a folder");
    models(folder.path());
    let output = run([
        "lint",
        &folder.path().join("broken.xta").display().to_string(),
        "--format",
        "sarif",
    ]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["version"], "2.1.0");
    let first = &report["runs"][0]["results"][0];
    assert_eq!(first["level"], "error");
    assert!(
        first["locations"][0]["physicalLocation"]["region"]["startLine"].is_u64(),
        "{first}"
    );
}

#[test]
fn traces_are_shown_in_three_styles() {
    let query = "E<> Lamp.Steady";
    for style in ["short", "full", "diagram"] {
        let lamp = example("lamp.xml");
        let output = merkhet()
            .args([
                "check",
                "-q",
                query,
                "--trace",
                "fastest",
                "--trace-style",
                style,
            ])
            .arg(&lamp)
            .output()
            .expect("the program runs");
        let text: Vec<String> = stdout(&output)
            .lines()
            .filter(|line| !line.contains("query 1 of 1"))
            .map(str::to_owned)
            .collect();
        insta::assert_snapshot!(format!("trace-{style}"), text.join("\n"));
    }
}

#[test]
fn traces_go_to_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let flawed = example("fischer-flawed.xml").display().to_string();
    for (ending, part) in [
        ("svg", "<svg"),
        ("txt", "time"),
        ("json", "\"steps\""),
        ("xtr", "\n.\n"),
    ] {
        let path = folder.path().join(format!("run.{ending}"));
        let name = path.display().to_string();
        let output = run(["check", &flawed, "--trace-out", &name]);
        assert_eq!(code(&output), Some(1), "{}", stderr(&output));
        for number in [1, 2] {
            let file = folder.path().join(format!("run-{number}.{ending}"));
            let text = std::fs::read_to_string(&file).expect("a trace");
            assert!(text.contains(part), "{ending}: {text}");
        }
    }
    let bad = run(["check", &flawed, "--trace-out", "run.docx"]);
    assert_eq!(code(&bad), Some(2));
    assert!(stderr(&bad).contains(".svg"), "{}", stderr(&bad));
    let unwritable = run(["check", &flawed, "--trace-out", "/no/such/folder/run.svg"]);
    assert!(
        stderr(&unwritable).contains("cannot write /no/such/folder/run-1.svg"),
        "{}",
        stderr(&unwritable)
    );
}

#[test]
fn a_limit_comes_with_advice() {
    let gate = example("train-gate.xml").display().to_string();
    let output = run([
        "check",
        &gate,
        "-q",
        "A[] not deadlock",
        "--max-states",
        "3",
    ]);
    assert_eq!(code(&output), Some(3));
    let last = stdout(&output)
        .lines()
        .last()
        .map(str::to_owned)
        .unwrap_or_default();
    assert!(
        last.starts_with("try next: ") && last.contains("--max-states"),
        "{last}"
    );
}

/// Nothing found under an assumption that is not proved is no verdict, in any report.
#[test]
fn what_is_assumed_monotone_is_never_a_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("narrow.xta");
    let text = "extern MaxInteger; MaxInteger v;
        process P() { state A, B, C, D; init A;
        trans A -> B { assign v = 2; }, A -> B { assign v = 1; }, B -> C { }, C -> D { guard v <= 1; }; }
        system P;";
    std::fs::write(&model, text).expect("written");
    let model = model.display().to_string();
    let query = ["check", &model, "-q", "A[] not P.D", "--lattice", "cover"];
    let with = |more: &[&'static str]| run(query.iter().copied().chain(more.iter().copied()));
    let refused = with(&[]);
    assert_eq!(code(&refused), Some(2));
    assert!(stdout(&refused).contains("the guard `v.value <= 1` of P: C → D"));
    let assumed = with(&["--assume-monotone", "--format", "json"]);
    assert_eq!(code(&assumed), Some(3));
    let report: Value = serde_json::from_slice(&assumed.stdout).expect("JSON");
    validate(&report);
    let text = report.to_string();
    assert!(text.contains("\"unknown\""), "{text}");
    assert!(
        text.contains("assuming that larger elements allow more"),
        "{text}"
    );
    let assumed = with(&["--assume-monotone", "--format=junit"]);
    assert_eq!(code(&assumed), Some(3));
    let text = stdout(&assumed);
    assert!(
        text.contains("errors=\"1\"") && text.contains("assuming"),
        "{text}"
    );
    let exact = run(["check", &model, "-q", "A[] not P.D", "--assume-monotone"]);
    assert_eq!(code(&exact), Some(2), "an option without effect is refused");
}
