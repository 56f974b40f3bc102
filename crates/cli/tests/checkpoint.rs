//! Searches that are killed and go on; limits, signals, full disks and closed pipes.
//!
//! `MERKHET_KILLS=50 MERKHET_FISCHER=8` makes the test of kills as long as it is meant to be.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use support::{code, example, merkhet, run, stderr, stdout};

fn number(variable: &str, otherwise: u64) -> u64 {
    let given = std::env::var(variable)
        .ok()
        .and_then(|text| text.parse().ok());
    given.unwrap_or(otherwise)
}

/// Fischer's protocol for so many processes; without a query everything is explored.
fn fischer(folder: &Path, processes: u64) -> PathBuf {
    let model = folder.join("fischer.tck");
    let text = stdout(&run(["generate", "fischer", &processes.to_string()]));
    std::fs::write(&model, text).expect("written");
    model
}

fn check(model: &Path, query: &str) -> Command {
    let mut command = merkhet();
    command
        .arg("check")
        .arg(model)
        .args(["--search", "bfs", "--format", "json"]);
    if !query.is_empty() {
        command.args(["-q", query]);
    }
    command
}

/// What must be the same however often a search was interrupted.
fn figures(output: &std::process::Output) -> Value {
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", stdout(output), stderr(output)));
    let result = &report["results"][0];
    serde_json::json!([
        result["verdict"],
        result["explored"],
        result["stored"],
        result["transitions"]
    ])
}

fn kept(model: &Path, query: &str, file: &Path) -> Command {
    let mut command = check(model, query);
    command
        .arg("--checkpoint")
        .arg(file)
        .args(["--every", "30ms"]);
    if file.exists() {
        command.arg("--resume");
    }
    command
}

fn spawn(mut command: Command) -> Child {
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

#[test]
fn a_killed_search_goes_on_to_the_same_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, query) = (fischer(folder.path(), number("MERKHET_FISCHER", 7)), "");
    let expected = figures(&check(&model, query).output().expect("it runs"));
    assert_eq!(expected[0], "satisfied");
    let file = folder.path().join("search");
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut left = number("MERKHET_KILLS", 6);
    let mut resumed = 0;
    let output = loop {
        let mut child = spawn(kept(&model, query, &file));
        resumed += u32::from(file.exists());
        if left == 0 {
            break child.wait_with_output().expect("it ends");
        }
        left -= 1;
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        std::thread::sleep(Duration::from_millis(50 + random % 400));
        if child.try_wait().expect("a child").is_some() {
            let output = child.wait_with_output().expect("it ends");
            // It was done before its time: begin again.
            assert_eq!(figures(&output), expected);
            std::fs::remove_file(&file).ok();
            continue;
        }
        child.kill().expect("killed");
        child.wait().expect("gone");
    };
    assert_eq!(figures(&output), expected, "{}", stderr(&output));
    println!("resumed {resumed} times");
    let names: Vec<_> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .flatten()
        .collect();
    assert!(
        names.len() <= 2,
        "killed runs leave nothing behind: {names:?}"
    );
}

#[test]
fn a_limit_leaves_a_checkpoint_to_go_on_from() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, query) = (fischer(folder.path(), 3), "");
    let file = folder.path().join("search");
    let expected = figures(&check(&model, query).output().expect("it runs"));
    for search in ["bfs", "dfs", "largest"] {
        std::fs::remove_file(&file).ok();
        let mut whole = merkhet();
        let common = |command: &mut Command| {
            command
                .arg("check")
                .arg(&model)
                .args(["--search", search, "--format", "json"]);
        };
        common(&mut whole);
        let whole = figures(&whole.output().expect("it runs"));
        let mut first = merkhet();
        common(&mut first);
        let stopped = first
            .args(["--max-states", "20", "--checkpoint"])
            .arg(&file)
            .output()
            .expect("it runs");
        assert_eq!(code(&stopped), Some(3), "{}", stderr(&stopped));
        let mut second = merkhet();
        common(&mut second);
        let done = second
            .arg("--checkpoint")
            .arg(&file)
            .arg("--resume")
            .output()
            .expect("it runs");
        assert_eq!(figures(&done), whole, "{search}");
        assert_eq!(whole[0], expected[0]);
    }
}

#[test]
fn foreign_and_torn_checkpoints_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, query) = (fischer(folder.path(), 3), "");
    let file = folder.path().join("search");
    let stopped = kept(&model, query, &file)
        .args(["--max-states", "20"])
        .output()
        .expect("it runs");
    assert_eq!(code(&stopped), Some(3), "{}", stderr(&stopped));
    let refused = |output: std::process::Output, part: &str| {
        assert_eq!(code(&output), Some(2), "{}", stdout(&output));
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    };
    refused(
        kept(&example("lamp.xml"), "E<> Lamp.Lit", &file)
            .output()
            .expect("it runs"),
        "another model",
    );
    refused(
        kept(&model, query, &file)
            .args(["--seed", "5"])
            .output()
            .expect("it runs"),
        "another model",
    );
    let bytes = std::fs::read(&file).expect("read");
    std::fs::write(&file, &bytes[..bytes.len() - 1]).expect("written");
    refused(
        kept(&model, query, &file).output().expect("it runs"),
        "not complete",
    );
    std::fs::write(
        &file,
        "something else that is long enough to be looked at as a checkpoint",
    )
    .expect("written");
    refused(
        kept(&model, query, &file).output().expect("it runs"),
        "no checkpoint",
    );
    let missing = check(&model, query)
        .args(["--checkpoint", "/no/such/file", "--resume"])
        .output();
    refused(missing.expect("it runs"), "cannot read the checkpoint");
    let liveness = check(&example("lamp.xml"), "A<> Lamp.Lit")
        .arg("--checkpoint")
        .arg(&file)
        .output();
    assert!(stderr(&liveness.expect("it runs")).contains("E<> and A[]"));
}

#[test]
fn a_folder_that_cannot_be_written_to_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, query) = (fischer(folder.path(), 3), "");
    let output = check(&model, query)
        .args(["--checkpoint", "/proc/search", "--max-states", "20"])
        .output()
        .expect("it runs");
    assert_eq!(code(&output), Some(2), "{}", stdout(&output));
    assert!(
        stderr(&output).contains("cannot write the checkpoint /proc/search"),
        "{}",
        stderr(&output)
    );
}

/// A limit on the size of files stands for a full disk: the write in the middle of a checkpoint fails.
#[cfg(unix)]
#[test]
fn a_full_disk_keeps_the_last_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, query) = (fischer(folder.path(), 6), "");
    let file = folder.path().join("search");
    let small = kept(&model, query, &file)
        .args(["--max-states", "5"])
        .output()
        .expect("it runs");
    assert_eq!(code(&small), Some(3), "{}", stderr(&small));
    let before = std::fs::read(&file).expect("read");
    let mut command = kept(&model, query, &file);
    command.args(["--max-states", "2000"]);
    let words: Vec<String> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| format!("'{}'", word.to_string_lossy().replace('\'', "'\\''")))
        .collect();
    let script = format!("trap '' XFSZ; ulimit -f 16; exec {}", words.join(" "));
    let output = Command::new("sh")
        .args(["-c", &script])
        .output()
        .expect("a shell");
    assert_eq!(
        code(&output),
        Some(2),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
    assert!(
        stderr(&output).contains("cannot write the checkpoint"),
        "{}",
        stderr(&output)
    );
    assert_eq!(
        std::fs::read(&file).expect("read"),
        before,
        "the old one was lost"
    );
    let done = kept(&model, query, &file).output().expect("it runs");
    assert_eq!(figures(&done)[0], "satisfied");
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_written_is_no_verdict() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("/dev/full");
    let lamp = example("lamp.xml");
    let output = merkhet()
        .arg("check")
        .arg(&lamp)
        .stdout(full)
        .output()
        .expect("it runs");
    assert_eq!(code(&output), Some(2));
    assert!(
        stderr(&output).contains("No space left"),
        "{}",
        stderr(&output)
    );
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let lamp = example("lamp.xml").display().to_string();
    for arguments in [
        vec!["check", &lamp, "-q", "E<> Lamp.Lit"],
        vec!["states", &lamp],
        vec!["simulate", &lamp, "--random"],
        vec!["convert", &lamp, "--to", "xta"],
        vec!["verifyta", "-sq", &lamp],
        vec!["heuristics"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = merkhet()
            .args(&arguments)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn();
        let output = output.and_then(Child::wait_with_output).expect("it runs");
        assert_eq!(code(&output), Some(0), "{arguments:?}: {}", stderr(&output));
        assert!(
            stderr(&output).is_empty(),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_with_what_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    // Large enough to be at work when the signal comes, on a fast machine too.
    let (model, query) = (fischer(folder.path(), 13), "");
    for signal in ["TERM", "INT"] {
        let child = spawn(check(&model, query));
        std::thread::sleep(Duration::from_millis(700));
        let id = child.id().to_string();
        Command::new("sh")
            .args(["-c", &format!("kill -{signal} {id}")])
            .status()
            .expect("a shell");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(code(&output), Some(3), "{signal}: {}", stderr(&output));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let result = &report["results"][0];
        assert_eq!(result["reason"], "interrupted", "{result}");
        assert!(
            result["explored"].as_u64().is_some_and(|number| number > 0),
            "{result}"
        );
    }
}
