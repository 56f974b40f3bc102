//! Named pipes wait for whoever is at their other end; limits hold all the same. And two runs do not write one file.

#![cfg(target_os = "linux")]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::{code, example, merkhet, run, stderr, stdout};

/// Far more than any of these runs needs, far less than waiting for ever.
const SOON: Duration = Duration::from_secs(20);

fn pipe(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    let made = Command::new("mkfifo").arg(&path).status();
    assert!(made.is_ok_and(|status| status.success()), "no named pipe");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a readable path")
}

/// Runs the program; it must end soon.
fn soon(arguments: &[&str]) -> (Option<i32>, String, String) {
    let begun = Instant::now();
    let output = run(arguments);
    assert!(begun.elapsed() < SOON, "{arguments:?}");
    (code(&output), stdout(&output), stderr(&output))
}

#[test]
fn pipes_without_a_reader_do_not_outlast_the_limits() {
    let folder = tempfile::tempdir().expect("a folder");
    let lamp = example("lamp.xml");
    let (trace, databases) = (
        pipe(folder.path(), "t.txt"),
        pipe(folder.path(), "databases"),
    );
    let certificate = pipe(folder.path(), "proof");
    let unreachable = "E<> Lamp.Fading and Lamp.since < 30";
    let pa = ["--heuristic", "pa", "--pdb-out"];
    for (query, options, file, verdict) in [
        ("E<> Lamp.Steady", &["--trace-out"][..], &trace, "satisfied"),
        (unreachable, &["--certificate"], &certificate, "violated"),
        ("E<> Lamp.Steady", &pa, &databases, "satisfied"),
    ] {
        let mut arguments = vec!["check", text(&lamp), "-q", query, "--timeout", "300ms"];
        arguments.extend(options);
        arguments.push(text(file));
        let (exit, report, messages) = soon(&arguments);
        // The verdict stands; that not all was done is told, where no violation outweighs it.
        assert!(
            report.starts_with(verdict),
            "{options:?}: {report}{messages}"
        );
        let expected = if verdict == "violated" { 1 } else { 2 };
        assert_eq!(exit, Some(expected), "{options:?}: {messages}");
        let name = format!("cannot write {}: time limit reached", text(file));
        assert!(messages.contains(&name), "{options:?}: {messages}");
    }
    let kept = ["--max-states", "2", "--checkpoint", text(&databases)];
    let check = ["check", text(&lamp), "-q", unreachable, "--search", "bfs"];
    let (exit, report, messages) = soon(&[&check[..], &kept].concat());
    assert_eq!(exit, Some(3), "{report}{messages}");
    let said = messages.contains("nobody reads the pipe");
    assert!(said, "{messages}");
    let (exit, _, messages) = soon(&[&check[..], &kept, &["--resume"]].concat());
    assert_eq!(exit, Some(2), "{messages}");
    assert!(messages.contains("no ordinary file"), "{messages}");
}

#[test]
fn pipes_without_a_writer_do_not_outlast_the_limits() {
    let folder = tempfile::tempdir().expect("a folder");
    let lamp = example("lamp.xml");
    let model = folder.path().join("model.xml");
    std::fs::copy(&lamp, &model).expect("copied");
    let (never, asked) = (
        pipe(folder.path(), "never.xml"),
        pipe(folder.path(), "never.q"),
    );
    let smv = folder.path().join("m.smv");
    std::fs::write(&smv, "MODULE main\nVAR x : boolean;\nINVARSPEC x | !x\n").expect("written");
    let (lamp, never, smv) = (text(&lamp), text(&never), text(&smv));
    for arguments in [
        &["check", never][..],
        &["check", lamp, text(&asked)],
        &["check", lamp, "--heuristic", "pa", "--pdb-in", never],
        &["check", smv, "--order", never],
        &["lint", never],
        &["certify", lamp, never],
        &["certify", never, lamp],
    ] {
        let (exit, _, messages) = soon(&[arguments, &["--timeout", "300ms"]].concat());
        assert_eq!(exit, Some(3), "{arguments:?}: {messages}");
        let said = messages.contains("time limit reached while reading");
        assert!(said, "{arguments:?}: {messages}");
    }
}

#[test]
fn a_signal_ends_a_run_that_waits_for_the_reader_of_a_pipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = pipe(folder.path(), "t.txt");
    let lamp = example("lamp.xml");
    let arguments = ["check", text(&lamp), "-q", "E<> Lamp.Steady", "--trace-out"];
    let mut child = merkhet()
        .args(arguments)
        .arg(&trace)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(Duration::from_millis(700));
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::TERM).expect("signalled");
    let begun = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        assert!(begun.elapsed() < SOON, "it goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What comes before the queries and ends the run is an error that programs see, not a suite without failures.
#[test]
fn a_model_that_is_not_read_in_time_and_one_without_queries_are_error_cases() {
    let folder = tempfile::tempdir().expect("a folder");
    let never = pipe(folder.path(), "never.xml");
    let empty = folder.path().join("empty.xta");
    std::fs::write(&empty, "process P() { state A; init A; } system P;").expect("written");
    let queries = folder.path().join("none.q");
    std::fs::write(&queries, "// nothing\n").expect("written");
    for (arguments, exit, words) in [
        (
            &["check", text(&never), "--timeout", "200ms"][..],
            3,
            "time limit reached",
        ),
        (&["check", text(&empty)], 2, "no queries"),
        (
            &["check", text(&empty), text(&queries)],
            2,
            "holds no query",
        ),
    ] {
        let (given, report, _) = soon(&[arguments, &["--format", "junit"]].concat());
        assert_eq!(given, Some(exit), "{arguments:?}");
        assert!(
            report.contains("tests=\"1\" failures=\"0\" errors=\"1\""),
            "{report}"
        );
        assert!(report.contains("<testcase name=\"load\""), "{report}");
        assert!(report.contains(words), "{report}");
        let (_, report, _) = soon(&[arguments, &["--format", "json"]].concat());
        let report: serde_json::Value = serde_json::from_str(&report).expect("one object");
        let diagnostic = &report["diagnostics"][0];
        assert_eq!(diagnostic["severity"], "error", "{report}");
        let message = diagnostic["message"].as_str().unwrap_or_default();
        assert!(message.contains(words), "{report}");
    }
}

#[test]
fn two_runs_do_not_share_a_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("fischer.xta");
    std::fs::write(&model, run(["generate", "fischer-a", "12"]).stdout).expect("written");
    let kept = folder.path().join("run.checkpoint");
    let check = |more: &[&str]| {
        let mut arguments = vec!["check", text(&model), "-q", "A[] true", "--search", "bfs"];
        arguments.extend(["--checkpoint", text(&kept)]);
        arguments.extend(more);
        arguments
            .iter()
            .map(|word| word.to_string())
            .collect::<Vec<_>>()
    };
    let mut first = merkhet()
        .args(check(&["--timeout", "6s", "--every", "100ms"]))
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let lock = folder.path().join(".run.checkpoint.lock");
    let begun = Instant::now();
    while !lock.exists() {
        assert!(begun.elapsed() < SOON, "no lock");
        std::thread::sleep(Duration::from_millis(5));
    }
    for more in [&["--timeout", "1s"][..], &["--timeout", "1s", "--resume"]] {
        let output = run(check(more));
        let messages = stderr(&output);
        assert_eq!(code(&output), Some(2), "{messages}");
        assert!(messages.contains("another run is writing it"), "{messages}");
    }
    // A run that is killed keeps nobody out.
    first.kill().expect("killed");
    first.wait().expect("ended");
    let _ = std::fs::remove_file(&kept);
    let output = run(check(&["--max-states", "1000"]));
    assert_eq!(code(&output), Some(3), "{}", stderr(&output));
    assert!(kept.is_file());
    assert!(!lock.exists(), "the lock is left behind");
    let output = run(check(&["--max-states", "1000", "--resume"]));
    assert_eq!(code(&output), Some(3), "{}", stderr(&output));
}

#[test]
fn lines_may_end_in_a_carriage_return() {
    let folder = tempfile::tempdir().expect("a folder");
    let unix = std::fs::read_to_string(example("lamp.xml")).expect("readable");
    let mut reports = Vec::new();
    for (name, end) in [("unix.xml", "\n"), ("mac.xml", "\r"), ("dos.xml", "\r\n")] {
        let path = folder.path().join(name);
        std::fs::write(&path, unix.replace('\n', end)).expect("written");
        let output = run(["check", text(&path), "--format", "json"]);
        let mut report: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("one object");
        assert_eq!(
            report["results"].as_array().map(Vec::len),
            Some(5),
            "{name}"
        );
        report["model"] = "lamp".into();
        for result in report["results"].as_array_mut().expect("a list") {
            for figure in ["time_s", "peak_memory_bytes", "schedule", "comment"] {
                result[figure] = serde_json::Value::Null;
            }
        }
        reports.push(report);
    }
    assert_eq!(reports[0], reports[1]);
    assert_eq!(reports[0], reports[2]);
}

/// In TChecker's language a weak participant joins wherever it has an edge: one with a guard cannot be said.
#[test]
fn a_broadcast_that_is_received_under_a_guard_is_not_converted() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("m.xta");
    for (guards, exit) in [("guard x <= 3;", 2), ("guard i == 0;", 2), ("", 0)] {
        let system = format!(
            "broadcast chan c; clock x; int[0,1] i;
             process R() {{ state A; init A; trans A -> A {{ sync c?; }}, A -> A {{ {guards} sync c?; assign x = 0; }}; }}
             process S() {{ state A; init A; trans A -> A {{ sync c!; }}; }}
             system R, S;\n"
        );
        std::fs::write(&model, system).expect("written");
        let target = folder.path().join("m.tck");
        let output = run(["convert", text(&model), text(&target)]);
        let messages = stderr(&output);
        assert_eq!(code(&output), Some(exit), "{guards}: {messages}");
        assert_eq!(target.exists(), exit == 0, "{guards}");
        if exit == 2 {
            let said = messages.contains("R receives a broadcast under a guard");
            assert!(said, "{guards}: {messages}");
            continue;
        }
        let read = run(["lint", text(&target)]);
        assert_eq!(code(&read), Some(0), "{}", stderr(&read));
    }
}
