//! Every operation on every file that the program writes goes wrong once, in each way: no half file, no other verdict, no
//! hang. `cargo test -p merkhet-cli --features faults --test faults` runs it.

#![cfg(all(feature = "faults", target_os = "linux"))]

mod support;

use std::path::Path;
use std::time::{Duration, Instant};

use support::{code, example, merkhet, run, stderr, stdout};

/// A way to write a file: the arguments in front of its name, and what comes of it.
struct Way {
    name: &'static str,
    file: &'static str,
    arguments: Vec<String>,
    /// The exit code where the file cannot be written.
    failed: i32,
}

fn ways(folder: &Path) -> Vec<Way> {
    let lamp = example("lamp.xml").display().to_string();
    let flawed = example("fischer-flawed.xml").display().to_string();
    let fischer = folder.join("fischer.tck").display().to_string();
    std::fs::write(&fischer, run(["generate", "fischer", "3"]).stdout).expect("written");
    let words = |text: &[&str]| text.iter().map(|word| word.to_string()).collect();
    let way = |name, file, failed, text: &[&str]| Way {
        name,
        file,
        arguments: words(text),
        failed,
    };
    let unreachable = "E<> Lamp.Fading and Lamp.since < 30";
    let runs = "Lamp.Fading --> (Lamp.Off or Lamp.Lit)";
    let mutex = "A[] forall (i : id_t) forall (j : id_t) Process(i).Critical && Process(j).Critical imply i == j";
    vec![
        way(
            "certificate",
            "a.cert",
            1,
            &["check", &lamp, "-q", unreachable, "--certificate"],
        ),
        way(
            "ranking",
            "b.cert",
            2,
            &["check", &lamp, "-q", runs, "--certificate"],
        ),
        way(
            "trace",
            "c.svg",
            1,
            &["check", &flawed, "-q", mutex, "--trace-out"],
        ),
        way(
            "report",
            "d.json",
            2,
            &["check", &lamp, "-q", "E<> Lamp.Steady", "--trace-out"],
        ),
        way(
            "databases",
            "e.pdb",
            2,
            &[
                "check",
                &lamp,
                "-q",
                "E<> Lamp.Steady",
                "--heuristic",
                "pa",
                "--pdb-out",
            ],
        ),
        way("model", "f.xta", 2, &["convert", &lamp]),
        // The search goes on without, to the verdict of the limit.
        way(
            "checkpoint",
            "g.checkpoint",
            3,
            &[
                "check",
                &fischer,
                "--search",
                "bfs",
                "--max-states",
                "20",
                "--checkpoint",
            ],
        ),
    ]
}

/// Runs it with a fault: the exit code and standard output.
fn with(way: &Way, fault: &str, file: &Path) -> (Option<i32>, String, String) {
    let begun = Instant::now();
    let mut command = merkhet();
    command.args(&way.arguments).arg(file);
    let output = command
        .env("MERKHET_FAULT", fault)
        .output()
        .expect("the program starts");
    assert!(
        begun.elapsed() < Duration::from_secs(60),
        "{} {fault}",
        way.name
    );
    (code(&output), stdout(&output), stderr(&output))
}

/// The verdicts of a report, without figures.
fn verdicts(report: &str) -> Vec<&str> {
    let first = |line: &'_ str| {
        ["satisfied ", "violated ", "unknown "]
            .iter()
            .any(|word| line.starts_with(word))
    };
    report.lines().filter(|line| first(line)).collect()
}

fn others(folder: &Path, file: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    let paths = entries
        .map(|entry| entry.path())
        .filter(|path| path != file);
    let names = paths.filter_map(|path| Some(path.file_name()?.to_str()?.to_string()));
    names.filter(|name| name != "fischer.tck").collect()
}

#[test]
fn whatever_goes_wrong_there_is_no_half_file_and_no_other_verdict() {
    let mut points = 0;
    let folder = tempfile::tempdir().expect("a folder");
    for way in ways(folder.path()) {
        let (name, file) = (way.name, folder.path().join(way.file));
        let (exit, report, messages) = with(&way, "none", &file);
        let whole = std::fs::read(&file).unwrap_or_else(|_| panic!("{name}: {report}{messages}"));
        let expected = verdicts(&report);
        for number in 1.. {
            // An error: the old file or none, the same verdict, and it is said.
            std::fs::remove_file(&file).expect(name);
            let (failed, report, messages) = with(&way, &format!("fail:{number}"), &file);
            assert_eq!(verdicts(&report), expected, "{name} {number}");
            assert_eq!(others(folder.path(), &file), [""; 0], "{name} {number}");
            if file.exists() {
                // No operation is left that could go wrong.
                assert_eq!(
                    (failed, std::fs::read(&file).ok()),
                    (exit, Some(whole.clone())),
                    "{name}"
                );
                assert!(number > 3, "{name}: {number} operations only");
                break;
            }
            points += 3;
            assert_eq!(failed, Some(way.failed), "{name} {number}: {messages}");
            assert!(messages.contains("injected"), "{name} {number}: {messages}");
            // A part of what was to be written: the rest follows.
            let (short, report, messages) = with(&way, &format!("short:{number}"), &file);
            assert_eq!(
                (short, verdicts(&report)),
                (exit, expected.clone()),
                "{name} {number}: {messages}"
            );
            assert_eq!(
                std::fs::read(&file).ok(),
                Some(whole.clone()),
                "{name} {number}"
            );
            // The power fails.
            std::fs::remove_file(&file).expect(name);
            let (torn, _, _) = with(&way, &format!("torn:{number}"), &file);
            assert_eq!(torn, None, "{name} {number}");
            let there = std::fs::read(&file).ok();
            assert!(
                there.is_none_or(|bytes| bytes == whole),
                "{name} {number}: half a file"
            );
            for left in others(folder.path(), &file) {
                assert!(left.ends_with(".lock"), "{name} {number}: {left}");
                std::fs::remove_file(folder.path().join(left)).expect(name);
            }
            std::fs::write(&file, &whole).expect(name);
        }
        std::fs::remove_file(&file).expect(name);
    }
    println!("{points} faults");
    assert!(points > 60, "{points}");
}

/// A file that is there already is the old one or the new one, at every moment.
#[test]
fn a_file_that_is_replaced_is_the_old_or_the_new_one() {
    let folder = tempfile::tempdir().expect("a folder");
    for way in ways(folder.path()) {
        if !["certificate", "trace", "databases"].contains(&way.name) {
            continue;
        }
        let (name, file) = (way.name, folder.path().join(way.file));
        let (exit, report, _) = with(&way, "none", &file);
        let whole = std::fs::read(&file).expect(name);
        // The old one begins as files of its kind do.
        let old = [&whole[..], b"\n"].concat();
        for (number, fault) in
            (1..).flat_map(|n| [(n, format!("fail:{n}")), (n, format!("torn:{n}"))])
        {
            std::fs::write(&file, &old).expect(name);
            let (code, now, _) = with(&way, &fault, &file);
            let there = std::fs::read(&file).expect(name);
            assert!(
                there == old || there == whole,
                "{name} {fault}: half a file"
            );
            // Complete, under a name that says so: what was to be given the name when the power failed.
            for left in others(folder.path(), &file) {
                let path = folder.path().join(&left);
                assert!(fault.starts_with("torn"), "{name} {fault}: {left}");
                assert_eq!(
                    std::fs::read(&path).ok(),
                    Some(whole.clone()),
                    "{name} {fault}"
                );
                std::fs::remove_file(path).expect(name);
            }
            if code == exit && there == whole {
                assert_eq!(verdicts(&now), verdicts(&report));
                break;
            }
            assert!(number < 10_000);
        }
        std::fs::remove_file(&file).expect(name);
    }
}

/// What an outcome may be when something other than a file has gone wrong: the file whole or not there, and the verdicts
/// those of an undisturbed run, or fewer, or undecided.
fn is_honest(way: &Way, file: &Path, whole: &[u8], expected: &[&str], report: &str, what: &str) {
    let name = way.name;
    let there = std::fs::read(file).ok();
    // A search that a limit ends writes what it has: another checkpoint, but not a part of one.
    if name != "checkpoint" {
        assert!(
            there.is_none_or(|bytes| bytes == whole),
            "{name} {what}: half a file"
        );
    }
    for verdict in verdicts(report) {
        assert!(
            expected.contains(&verdict) || verdict.starts_with("unknown "),
            "{name} {what}: {verdict} instead of {expected:?}"
        );
    }
}

/// Allocations fail, at many different moments: with ever more memory for the process as a whole.
#[test]
fn failing_allocations_leave_no_half_file_and_no_other_verdict() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut died, mut well) = (0, 0);
    for way in ways(folder.path()) {
        let (name, file) = (way.name, folder.path().join(way.file));
        let (exit, report, _) = with(&way, "none", &file);
        let whole = std::fs::read(&file).expect(name);
        let expected = verdicts(&report);
        let under = |kilobytes: u64| {
            let _ = std::fs::remove_file(&file);
            let begun = Instant::now();
            let program = merkhet().get_program().to_owned();
            let output = std::process::Command::new("sh")
                .args(["-c", &format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"")])
                .arg(program)
                .args(&way.arguments)
                .arg(&file)
                .output()
                .expect("sh starts");
            let what = format!("{kilobytes} KiB");
            assert!(begun.elapsed() < Duration::from_secs(60), "{name} {what}");
            is_honest(&way, &file, &whole, &expected, &stdout(&output), &what);
            let done = code(&output) == exit;
            if done && name != "checkpoint" {
                assert_eq!(
                    std::fs::read(&file).ok(),
                    Some(whole.clone()),
                    "{name} {what}"
                );
            }
            done
        };
        // The least that is enough, roughly, and points below it.
        let mut enough = 8 << 10;
        while !under(enough) {
            enough *= 2;
            died += 1;
            assert!(enough < 64 << 20, "{name}: {enough} KiB are not enough");
        }
        for part in 1..24 {
            match under(enough / 2 + enough / 48 * part) {
                true => well += 1,
                false => died += 1,
            }
        }
        let _ = std::fs::remove_file(&file);
    }
    println!("{died} runs without enough memory, {well} with just enough");
    assert!(died > 20 && well > 0, "{died} {well}");
}

/// The thread that writes stands still for longer than the limit, at every operation.
#[test]
fn a_thread_that_stalls_delays_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    for mut way in ways(folder.path()) {
        let (name, file) = (way.name, folder.path().join(way.file));
        if name != "model" {
            way.arguments
                .splice(1..1, ["--timeout".into(), "1s".into()]);
        }
        let (exit, report, _) = with(&way, "none", &file);
        let whole = std::fs::read(&file).expect(name);
        let expected = verdicts(&report);
        // The first operations, and some later ones: each takes its time.
        for number in [1, 2, 3, 5, 8, 13, 1_000_000] {
            let _ = std::fs::remove_file(&file);
            let (code, now, said) = with(&way, &format!("stall:{number}"), &file);
            let what = format!("stall {number}");
            is_honest(&way, &file, &whole, &expected, &now, &what);
            // Writing is waited for: an ordinary file is no reason for a limit.
            assert_eq!(code, exit, "{name} {what}: {now}{said}");
            assert!(file.exists(), "{name} {what}: {said}");
        }
        let _ = std::fs::remove_file(&file);
    }
}

/// The clock jumps: the process is stopped for longer than its limit, at different moments, and goes on.
#[test]
fn a_process_that_was_stopped_goes_on_or_ends_with_its_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let signal = |name: &str, id: u32| {
        let done = std::process::Command::new("kill")
            .args([name, &id.to_string()])
            .status();
        done.is_ok_and(|status| status.success())
    };
    let mut stopped = 0;
    for mut way in ways(folder.path()) {
        let (name, file) = (way.name, folder.path().join(way.file));
        if name != "model" {
            way.arguments
                .splice(1..1, ["--timeout".into(), "1s".into()]);
        }
        let (_, report, _) = with(&way, "none", &file);
        let whole = std::fs::read(&file).expect(name);
        let expected = verdicts(&report);
        for milliseconds in [2, 5, 9, 14, 20] {
            let _ = std::fs::remove_file(&file);
            let begun = Instant::now();
            let mut command = merkhet();
            command.args(&way.arguments).arg(&file);
            command
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::piped());
            let child = command.spawn().expect("the program starts");
            std::thread::sleep(Duration::from_millis(milliseconds));
            if signal("-STOP", child.id()) {
                stopped += 1;
                std::thread::sleep(Duration::from_millis(1_300));
                signal("-CONT", child.id());
            }
            let output = child.wait_with_output().expect("the program ends");
            let what = format!("stopped after {milliseconds} ms");
            assert!(begun.elapsed() < Duration::from_secs(30), "{name} {what}");
            is_honest(&way, &file, &whole, &expected, &stdout(&output), &what);
        }
        let _ = std::fs::remove_file(&file);
    }
    assert!(stopped > 10, "{stopped}");
}
