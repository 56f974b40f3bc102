//! Files that the program writes: whole or not at all, whatever happens meanwhile.

#![cfg(unix)]

mod support;

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use support::{code, example, merkhet, run, stderr, stdout};

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.collect()
}

/// The arguments of a run that writes the file.
fn writing(file: &Path) -> Vec<String> {
    let text = |path: &Path| path.display().to_string();
    let words =
        |words: &[&str]| -> Vec<String> { words.iter().map(|word| word.to_string()).collect() };
    let mutex = "A[] forall (i : id_t) forall (j : id_t) Process(i).Critical && Process(j).Critical imply i == j";
    let mut arguments = match file.extension().and_then(|ending| ending.to_str()) {
        Some("json" | "svg") => {
            let mut all = words(&["check", &text(&example("fischer-flawed.xml")), "-q", mutex]);
            all.push("--trace-out".into());
            all
        }
        Some("cert") => {
            let mut all = words(&["check", &text(&example("fischer.xml")), "-q", mutex]);
            all.push("--certificate".into());
            all
        }
        _ => words(&["convert", &text(&example("fischer.xml"))]),
    };
    arguments.push(text(file));
    arguments
}

/// `kill -9` at many moments: no file, or one that is the same as after a run that nobody disturbed.
#[test]
fn a_kill_leaves_no_part_of_a_file() {
    for name in ["run.json", "run.svg", "proof.cert", "model.xta"] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(name);
        let whole = run(writing(&file));
        assert!(
            matches!(code(&whole), Some(0 | 1)),
            "{name}: {}{}",
            stdout(&whole),
            stderr(&whole)
        );
        let expected = std::fs::read(&file).expect(name);
        assert!(!expected.is_empty(), "{name}");
        for moment in 0..12 {
            let _ = std::fs::remove_file(&file);
            let mut child = merkhet()
                .args(writing(&file))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program starts");
            std::thread::sleep(Duration::from_millis(2 * moment));
            child.kill().expect("killed");
            child.wait().expect("ended");
            match names(folder.path()).as_slice() {
                [] => {}
                [only] => {
                    assert_eq!(only, name);
                    assert_eq!(
                        std::fs::read(&file).expect(name).len(),
                        expected.len(),
                        "{name}"
                    );
                }
                more => panic!("{name}: left behind: {more:?}"),
            }
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_clear_error() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["run.json", "proof.cert", "model.xta"] {
        let file = folder.path().join(name);
        std::os::unix::fs::symlink("/dev/full", &file).expect("a link");
        let output = run(writing(&file));
        // A counter-example was found all the same, which its own code says.
        let violated = name == "run.json";
        let expected = if violated { 1 } else { 2 };
        assert_eq!(code(&output), Some(expected), "{}", stderr(&output));
        assert!(
            stderr(&output).contains("No space left"),
            "{name}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn a_file_of_queries_is_no_model_and_is_found_beside_its_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("small.xta");
    let queries = folder.path().join("small.q");
    std::fs::write(&model, "process P() { state A; init A; } system P;").expect("written");
    std::fs::write(&queries, "A[] P.A\n").expect("written");
    let output = run([Path::new("check"), &queries]);
    assert_eq!(code(&output), Some(2));
    assert!(stderr(&output).contains("is a file of queries; give its model first"));
    let output = run([Path::new("check"), &model]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("the queries are those of"));
    assert!(stdout(&output).contains("satisfied  A[] P.A"));
}

#[test]
fn the_run_to_a_fault_is_shown_as_such_with_what_was_explored() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("fault.xta");
    let text = "int[0,3] n = 0; process P() { state A; init A; trans A -> A { assign n = n + 1; }; } system P;";
    std::fs::write(&model, text).expect("written");
    let check = |query: &str, trace: &str| {
        let output = run([
            "check",
            &model.display().to_string(),
            "-q",
            query,
            "--trace",
            trace,
        ]);
        assert_eq!(code(&output), Some(2), "{}", stderr(&output));
        stdout(&output)
    };
    // Whether there is a deadlock is asked when a state is found: the fault lies behind that state, not behind the one before.
    let shown = check("A[] not deadlock", "some");
    let run = "The run to the fault: 3 transitions";
    assert!(shown.contains(run), "{shown}");
    let shown = check("A[] true", "some");
    assert!(shown.contains(run), "{shown}");
    // By the automatic search, and by the look breadth first after the fault: four each.
    assert!(shown.contains(": 8 states explored"), "{shown}");
    assert!(!check("A[] true", "none").contains("The run to the fault"));
}
