//! The example models: every verdict is the one that the query's comment expects, every trace is shown, a proof can be
//! written and checked.

mod support;

use serde_json::Value;
use support::{run, stderr, stdout};

fn example(name: &str) -> String {
    support::example(name).display().to_string()
}

fn check(name: &str, arguments: &[&str]) -> Value {
    let path = example(name);
    let mut all = vec!["check", &path, "--format", "json"];
    all.extend(arguments);
    let output = run(&all);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{name}: {error}\n{}", stderr(&output)))
}

fn as_expected(name: &str) {
    let report = check(name, &[]);
    let results = report["results"].as_array().expect("results");
    assert!(!results.is_empty(), "{name} has no queries");
    for result in results {
        let comment = result["comment"].as_str().unwrap_or_default();
        let verdict = result["verdict"].as_str().unwrap_or_default();
        if result["values"]
            .as_array()
            .is_some_and(|values| !values.is_empty())
        {
            continue;
        }
        assert!(
            comment.contains(&format!("Expected: {verdict}")),
            "{name}: {} is {verdict}",
            result["query"]
        );
    }
}

#[test]
fn the_examples_give_what_their_comments_say() {
    for name in [
        "fischer.xml",
        "fischer-flawed.xml",
        "lamp.xml",
        "scheduler.xml",
        "train-gate.xml",
    ] {
        as_expected(name);
    }
}

#[test]
fn breadth_first_counts_are_pinned() {
    let mut counts = String::new();
    for name in [
        "fischer.xml",
        "fischer-flawed.xml",
        "lamp.xml",
        "scheduler.xml",
        "train-gate.xml",
    ] {
        for result in check(name, &["--search", "bfs"])["results"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let figures =
                ["explored", "stored", "transitions"].map(|figure| result[figure].to_string());
            counts.push_str(&format!(
                "{name}: {} {}\n",
                figures.join(" "),
                result["query"]
            ));
        }
    }
    insta::assert_snapshot!("counts", counts);
}

#[test]
fn every_search_finds_the_flaw_and_a_shortest_trace_has_six_steps() {
    let query = "E<> exists (i : id_t) exists (j : id_t) i != j && Process(i).Critical && Process(j).Critical";
    for search in ["bfs", "dfs", "rdfs", "greedy", "astar", "wastar:2", "auto"] {
        let report = check("fischer-flawed.xml", &["-q", query, "--search", search]);
        let result = &report["results"][0];
        assert_eq!(result["verdict"], "satisfied", "{search}: {result}");
        if matches!(search, "bfs" | "astar") {
            assert_eq!(result["trace"]["length"], 6, "{search}");
        }
    }
    let report = check("fischer-flawed.xml", &["-q", query, "--trace", "fastest"]);
    assert_eq!(report["results"][0]["trace"]["duration"], "4");
}

#[test]
fn a_proof_is_written_and_accepted_and_a_torn_one_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let proof = folder.path().join("proof.cert");
    let (model, proof_name) = (example("fischer.xml"), proof.display().to_string());
    let query = "A[] not (Process(1).Critical && Process(2).Critical)";
    let output = run(["check", &model, "-q", query, "--certificate", &proof_name]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output = run(["certify", &model, &proof_name]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), format!("accepted: {query} is satisfied\n"));
    let other = run(["certify", &example("fischer-flawed.xml"), &proof_name]);
    assert_eq!(
        other.status.code(),
        Some(1),
        "a proof about another model was accepted"
    );
    let said = stdout(&other);
    assert!(said.starts_with(&format!("refused: {query}\n")), "{said}");
    assert_eq!(said.matches("refused").count(), 1, "{said}");
    assert_eq!(said.lines().count(), 2, "{said}");
    // That nothing was found is a proof of the opposite, where something was asked for.
    let never = "E<> Process(1).Critical && Process(2).Critical";
    let output = run(["check", &model, "-q", never, "--certificate", &proof_name]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let output = run(["certify", &model, &proof_name]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), format!("accepted: {never} is violated\n"));
    let bytes = std::fs::read(&proof).expect("the proof");
    std::fs::write(&proof, &bytes[..bytes.len() / 2]).expect("writable");
    let torn = run(["certify", &model, &proof_name]);
    assert_eq!(torn.status.code(), Some(2), "a torn proof was accepted");
}

#[test]
fn limits_end_with_what_is_known() {
    let report = check(
        "train-gate.xml",
        &["-q", "A[] not deadlock", "--max-states", "3"],
    );
    let result = &report["results"][0];
    assert_eq!(result["verdict"], "unknown");
    assert!(
        result["reason"]
            .as_str()
            .is_some_and(|reason| reason.contains("limit")),
        "{result}"
    );
}

/// The whole process keeps within a tenth of its memory limit, whatever the search.
#[test]
fn memory_limits_hold_within_a_tenth() {
    const LIMIT: u64 = 64 << 20;
    let model = std::env::temp_dir().join(format!("merkhet-memory-{}.xta", std::process::id()));
    let written = run(["generate", "fischer-a", "12"]);
    std::fs::write(&model, written.stdout).expect("a temporary file");
    let path = model.to_str().expect("a readable path");
    let kept = format!("--checkpoint={path}.checkpoint");
    // Guidance would see at once that nothing violates `true`.
    for (query, search) in [
        ("A[] true", &["--search=bfs"] as &[&str]),
        ("A[] true", &["--search=bfs", &kept, "--every=3s"]),
        ("A[] true", &["--search=bfs", "--threads=2"]),
        ("Alarm.error --> true", &[]),
        ("sup: 1", &[]),
    ] {
        let limit = format!("--memory-limit={LIMIT}");
        let words = [
            &["check", path, "-q", query, "--format=json", &limit],
            search,
        ];
        let output = run(words.concat());
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report in JSON");
        let result = &report["results"][0];
        // What the declared ranges answer by themselves is answered all the same.
        let reason = result["reason"].as_str().unwrap_or_default();
        assert!(
            reason.ends_with("memory limit reached"),
            "{query}: {result}"
        );
        let peak = result["peak_memory_bytes"].as_u64().expect("the peak");
        assert!(
            peak <= LIMIT + LIMIT / 10,
            "{query} {search:?}: {peak} bytes"
        );
    }
    let _ = std::fs::remove_file(format!("{path}.checkpoint"));
    let _ = std::fs::remove_file(&model);
}

/// Lattices on the command line: a naive joining strategy is inconclusive (exit code 3) and names the join to blame; the
/// model's own one and refinement decide.
#[test]
fn joins_are_inconclusive_or_refined() {
    let (model, query) = (
        example("lattice/database.xta"),
        example("lattice/database.q"),
    );
    let check = |arguments: &[&str]| {
        let mut all = vec!["check", &model, &query, "--format", "json"];
        all.extend(arguments);
        let output = run(&all);
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        (output.status.code(), report["results"][0].clone())
    };
    let (code, result) = check(&["--lattice", "join", "--joining", "all"]);
    assert_eq!(
        (code, result["verdict"].as_str()),
        (Some(3), Some("unknown"))
    );
    let reason = result["reason"].as_str().unwrap_or_default();
    assert!(
        reason.contains("to blame is a join at (Session.Idle)"),
        "{reason}"
    );
    for arguments in [
        &["--lattice", "join"][..],
        &["--lattice", "cegar", "--joining", "all"],
        &["--lattice", "cover", "--check-monotone"],
        &["--lattice", "simple"],
        &[],
    ] {
        let (code, result) = check(arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {result}");
    }
    let (_, result) = check(&["--lattice", "cegar", "--joining", "all"]);
    assert!(result["refinements"].as_u64() > Some(0), "{result}");
}

#[test]
fn the_whole_folder_is_usable() {
    let folder = example("");
    let output = run(["check", &folder]);
    let text = stdout(&output);
    assert!(text.contains("train-gate.xml"), "{text}");
    assert!(text.contains(" 0 unusable"), "{text}{}", stderr(&output));
}
