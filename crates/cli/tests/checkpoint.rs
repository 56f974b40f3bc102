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

/// Fischer's protocol for a number of processes; without a query everything is explored.
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
            .arg("--inclusion=zone")
            .output()
            .expect("it runs"),
        "it was made without --inclusion.",
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
    let automatic = merkhet()
        .arg("check")
        .arg(&model)
        .args(["--format=json", "--search", "auto", "--checkpoint"])
        .arg(folder.path().join("other"))
        .output();
    refused(
        automatic.expect("it runs"),
        "leave --search out for breadth first",
    );
    let liveness = merkhet()
        .arg("check")
        .arg(example("lamp.xml"))
        .args(["--format=json", "-q", "A<> Lamp.Lit", "--checkpoint"])
        .arg(folder.path().join("other"))
        .output();
    assert!(stderr(&liveness.expect("it runs")).contains("E<> and A[]"));
}

/// A search is worth more than what is written down of it.
#[test]
fn a_checkpoint_that_cannot_be_written_does_not_end_the_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, query) = (fischer(folder.path(), 4), "");
    let expected = figures(&check(&model, query).output().expect("it runs"));
    let gone = folder.path().join("gone/search").display().to_string();
    for target in ["/proc/search", "/dev/full", &gone] {
        let lost = |more: &[&str]| {
            let output = check(&model, query)
                .args(["--checkpoint", target, "--every", "0s"])
                .args(more)
                .output()
                .expect("it runs");
            let text = stderr(&output);
            let warning = format!("cannot write the checkpoint {target}");
            assert_eq!(text.matches(&warning).count(), 1, "told once: {text}");
            let end = format!("no checkpoint could be written to {target}");
            assert!(text.contains(&end), "{text}");
            output
        };
        let whole = lost(&[]);
        assert_eq!(code(&whole), Some(0), "{target}: {}", stderr(&whole));
        assert_eq!(figures(&whole), expected);
        let limited = lost(&["--max-states", "20"]);
        assert_eq!(code(&limited), Some(3), "{target}: {}", stderr(&limited));
        assert_eq!(figures(&limited)[1], 20);
    }
}

/// What a check writes replaces earlier files of its kind, and nothing else.
#[test]
fn nothing_is_overwritten_that_is_not_of_its_kind() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    for name in ["m.xml", "other.xml"] {
        std::fs::copy(example("fischer-flawed.xml"), at(name)).expect("copied");
    }
    let unsafe_query = "A[] forall (i : id_t) forall (j : id_t) Process(i).Critical && \
                        Process(j).Critical imply i == j";
    let held = "A[] not (Process(1).Critical && Process(1).Idle)";
    for (name, text) in [
        ("q.q", unsafe_query),
        ("notes.txt", "buy milk"),
        ("a.json", "{}"),
    ] {
        std::fs::write(at(name), text).expect("written");
    }
    let model = at("m.xml");
    let refused = |arguments: &[&str], part: &str| {
        let before = std::fs::read(arguments.last().expect("a file")).expect("read");
        let output = run([&["check", &model], arguments].concat());
        assert_eq!(code(&output), Some(2), "{arguments:?}: {}", stdout(&output));
        assert!(
            stderr(&output).contains(part),
            "{arguments:?}: {}",
            stderr(&output)
        );
        let after = std::fs::read(arguments.last().expect("a file")).expect("read");
        assert_eq!(before, after, "{arguments:?}");
    };
    let guide = ["--search", "greedy", "--heuristic", "pa"];
    for option in ["--checkpoint", "--certificate", "--pdb-out"] {
        let guide = if option == "--pdb-out" {
            &guide[..]
        } else {
            &[]
        };
        refused(
            &[guide, &["-q", held, option, &model]].concat(),
            "overwrite the model",
        );
        refused(
            &[guide, &[&at("q.q"), option, &at("q.q")]].concat(),
            "overwrite the file of queries",
        );
        refused(
            &[guide, &["-q", held, option, &at("other.xml")]].concat(),
            "would be lost",
        );
    }
    refused(
        &["-q", unsafe_query, "--trace-out", &at("notes.txt")],
        "is no trace",
    );
    refused(
        &["-q", unsafe_query, "--trace-out", &at("a.json")],
        "is no trace",
    );
    // Twice the same: what is there is of the same kind, but for a checkpoint that would be lost.
    for (option, name) in [
        ("--certificate", "proof"),
        ("--trace-out", "run.svg"),
        ("--trace-out", "run.txt"),
        ("--trace-out", "run.json"),
        ("--trace-out", "run.xtr"),
        ("--pdb-out", "model.pdb"),
    ] {
        let query = if option == "--certificate" {
            held
        } else {
            unsafe_query
        };
        let guide = if option == "--pdb-out" {
            &guide[..]
        } else {
            &[]
        };
        for _ in 0..2 {
            let file = at(name);
            let arguments = [guide, &["check", &model, "-q", query, option, &file]].concat();
            let (first, rest) = (["check"], arguments.iter().filter(|word| **word != "check"));
            let output = run(first.iter().chain(rest));
            assert!(
                matches!(code(&output), Some(0 | 1)),
                "{name}: {}",
                stderr(&output)
            );
            assert!(Path::new(&file).exists(), "{name}: {}", stderr(&output));
        }
    }
    let kept = at("search");
    let limited = [
        "check",
        &model,
        "-q",
        held,
        "--max-states",
        "9",
        "--checkpoint",
        &kept,
    ];
    assert_eq!(code(&run(limited)), Some(3));
    refused(&["-q", held, "--checkpoint", &kept], "--resume");
    let resumed = run([
        "check",
        &model,
        "-q",
        held,
        "--resume",
        "--checkpoint",
        &kept,
    ]);
    assert_eq!(code(&resumed), Some(0), "{}", stderr(&resumed));
    for option in ["--checkpoint", "--pdb-out", "--certificate", "--trace-out"] {
        let folder = folder.path().display().to_string();
        let output = run(["check", &folder, option, "new.txt"]);
        assert_eq!(code(&output), Some(2));
        assert!(
            stderr(&output).contains("goes with a single model"),
            "{}",
            stderr(&output)
        );
    }
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
        Some(3),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
    assert_eq!(figures(&output)[1], 2000, "the search went on");
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

/// A checkpoint whose reader takes its time for each piece; what it reads, and what the program says.
#[cfg(unix)]
fn read_slowly(
    mut command: Command,
    pieces: Duration,
    after: impl FnOnce(u32),
) -> (Vec<u8>, std::process::Output) {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let child = spawn({
        command.arg("--checkpoint").arg(&pipe);
        command
    });
    let reader = std::thread::spawn(move || {
        let mut file = std::fs::File::open(pipe).expect("opened");
        let (mut bytes, mut piece) = (Vec::new(), vec![0; 1 << 16]);
        loop {
            match std::io::Read::read(&mut file, &mut piece).expect("read") {
                0 => return bytes,
                length => bytes.extend_from_slice(&piece[..length]),
            }
            // The first second decides; then it may be quick.
            if bytes.len() < 12 << 16 {
                std::thread::sleep(pieces);
            }
        }
    });
    after(child.id());
    let output = child.wait_with_output().expect("it ends");
    (reader.join().expect("read"), output)
}

#[cfg(unix)]
fn send(signal: &str, id: u32) {
    let sent = Command::new("kill")
        .args([format!("-{signal}"), id.to_string()])
        .status();
    assert!(sent.expect("kill").success());
}

/// The larger the search, the longer it takes to write it down, and the more would be lost.
#[cfg(unix)]
#[test]
fn a_checkpoint_that_takes_long_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, query) = (fischer(folder.path(), 13), "");
    let pieces = Duration::from_millis(250);
    let whole = |bytes: &[u8], output: &std::process::Output, reason: &str| {
        assert_eq!(code(output), Some(3), "{}", stderr(output));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["results"][0]["reason"], reason);
        let foot = bytes.len().checked_sub(16).expect("a foot");
        let length = u64::from_le_bytes(bytes[foot..foot + 8].try_into().expect("8 bytes"));
        assert_eq!(length, foot as u64 - 32, "it is not complete");
        assert!(bytes.len() > 12 << 16, "too small to take long");
        let text = stderr(output);
        assert_eq!(text.matches("writing the checkpoint").count(), 1, "{text}");
        assert!(!text.contains("no checkpoint"), "{text}");
    };
    let mut limited = check(&model, query);
    limited.args(["--timeout", "700ms"]);
    let (bytes, output) = read_slowly(limited, pieces, |_| {});
    whole(&bytes, &output, "time limit reached");
    let (bytes, output) = read_slowly(check(&model, query), pieces, |id| {
        std::thread::sleep(Duration::from_millis(700));
        send("TERM", id);
    });
    whole(&bytes, &output, "interrupted");
    // Whoever asks twice does not want to wait.
    let (_, output) = read_slowly(check(&model, query), pieces, |id| {
        std::thread::sleep(Duration::from_millis(700));
        send("INT", id);
        std::thread::sleep(Duration::from_millis(1500));
        send("INT", id);
    });
    assert_eq!(code(&output), Some(130), "{}", stderr(&output));
}

/// Whoever follows the advice must not find that there is nothing to go on from.
#[test]
fn going_on_is_advised_where_there_is_a_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = fischer(folder.path(), 6);
    let stopped = |target: &Path| {
        let output = merkhet()
            .arg("check")
            .arg(&model)
            .args(["--search", "bfs", "--max-states", "100", "--checkpoint"])
            .arg(target)
            .output()
            .expect("it runs");
        assert_eq!(code(&output), Some(3), "{}", stderr(&output));
        output
    };
    let file = folder.path().join("search");
    let advised = stdout(&stopped(&file));
    assert!(advised.contains("--resume"), "{advised}");
    for target in ["gone/search", "/dev/null"] {
        let output = stopped(&folder.path().join(target));
        assert!(!stdout(&output).contains("--resume"), "{}", stdout(&output));
    }
}

/// What a search without a name was may be named when it goes on.
#[test]
fn the_search_of_a_checkpoint_may_be_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, file) = (fischer(folder.path(), 3), folder.path().join("search"));
    let run = |options: &[&str]| {
        let mut command = merkhet();
        command.arg("check").arg(&model).args(options);
        command.arg("--checkpoint").arg(&file);
        command.args(["-q", "A[] not (P1.critical && P2.critical)"]);
        command.output().expect("it runs")
    };
    let stopped = run(&["--max-states", "20"]);
    assert_eq!(code(&stopped), Some(3), "{}", stderr(&stopped));
    let other = run(&["--search", "dfs", "--resume"]);
    assert_eq!(code(&other), Some(2), "{}", stdout(&other));
    let message = stderr(&other);
    assert!(
        message.contains("it was made with --search bfs. Go on"),
        "{message}"
    );
    let named = run(&["--search", "bfs", "--resume"]);
    assert_eq!(code(&named), Some(0), "{}", stderr(&named));
}

/// A search goes on only as it began: every option that decides what is searched counts.
#[test]
fn a_checkpoint_belongs_to_all_options_of_its_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = fischer(folder.path(), 4);
    let query = "A[] not (P1.critical && P2.critical)";
    let run = |file: &str, options: &[&str]| {
        let mut command = merkhet();
        let file = folder.path().join(file);
        command.arg("check").arg(&model).args(["-q", query]);
        command.args(["--search", "greedy", "--heuristic", "dl"]);
        command.args(options).arg("--checkpoint").arg(&file);
        if file.exists() {
            command.arg("--resume");
        }
        command.output().expect("it runs")
    };
    let begin = |file: &str, options: &[&str]| {
        let options: Vec<&str> = [options, &["--max-states", "20"]].concat();
        let stopped = run(file, &options);
        assert_eq!(code(&stopped), Some(3), "{}", stderr(&stopped));
    };
    let refused = |file: &str, options: &[&str], why: &str| {
        let output = run(file, options);
        assert_eq!(code(&output), Some(2), "{}", stdout(&output));
        let message = stderr(&output);
        let why = format!("is of another search: it was made {why}. Go on");
        assert!(message.contains(&why), "{message}");
    };
    begin("tie", &["--tie", "lifo"]);
    refused(
        "tie",
        &[
            "--tie",
            "fifo",
            "--prune",
            "useless",
            "--keep-dead-variables",
        ],
        "with --tie lifo",
    );
    for (other, why) in [
        (&["--tie", "fifo"] as &[&str], "with --tie lifo"),
        (&["--tie", "lifo", "--prune", "useless"], "without --prune"),
        (
            &["--tie", "lifo", "--keep-dead-variables"],
            "without --keep-dead-variables",
        ),
        (
            &["--tie", "lifo", "--heuristic-cache", "off"],
            "without --heuristic-cache",
        ),
        (
            &["--tie", "lifo", "--set", "beyond.plus=1"],
            "without --set",
        ),
    ] {
        refused("tie", other, why);
    }
    let certificate = folder.path().join("proof");
    let certificate = certificate.to_str().expect("a name");
    begin("without", &[]);
    refused(
        "without",
        &["--certificate", certificate],
        "without --certificate",
    );
    assert!(!Path::new(certificate).exists());
    // The same options, and other limits, go on.
    let ended = run("tie", &["--tie", "lifo"]);
    assert_eq!(code(&ended), Some(0), "{}", stderr(&ended));
    // What is the default anyway may be named.
    begin("default", &[]);
    let ended = run("default", &["--tie", "fifo"]);
    assert_eq!(code(&ended), Some(0), "{}", stderr(&ended));
}
