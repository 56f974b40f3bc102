//! How the program talks to a user who asks for help or makes a mistake.

mod support;

use support::{code, merkhet, run, stderr, stdout};

#[test]
fn help_teaches_every_command() {
    insta::assert_snapshot!("help", stdout(&run(["--help"])));
    for command in [
        "check",
        "generate",
        "show",
        "lint",
        "certify",
        "convert",
        "simulate",
        "states",
        "heuristics",
        "completions",
        "man",
    ] {
        let output = run([command, "--help"]);
        assert_eq!(code(&output), Some(0));
        assert!(
            stdout(&output).contains("Examples:\n  merkhet "),
            "{command}"
        );
        insta::assert_snapshot!(format!("help-{command}"), stdout(&output));
    }
}

#[test]
fn version_is_one_line() {
    let output = run(["--version"]);
    assert_eq!(code(&output), Some(0));
    let text = stdout(&output);
    let known = format!("merkhet {}", env!("CARGO_PKG_VERSION"));
    let rest = text
        .strip_prefix(&known)
        .and_then(|rest| rest.strip_suffix('\n'));
    // Built from a repository, the revision follows.
    let revision = rest.map(|rest| rest.trim_start_matches(" (").trim_end_matches(')'));
    assert!(
        revision.is_some_and(|revision| revision.chars().all(|c| c.is_ascii_hexdigit())),
        "{text}"
    );
}

#[test]
fn without_arguments_the_help_is_an_error() {
    let output = run([""; 0]);
    assert_eq!(code(&output), Some(2));
    assert!(stdout(&output).is_empty());
    assert!(stderr(&output).contains("Usage: merkhet"));
}

#[test]
fn a_misspelt_command_gets_a_hint() {
    let output = run(["chek", "model.xml"]);
    assert_eq!(code(&output), Some(2));
    assert!(stderr(&output).contains("check"), "{}", stderr(&output));
}

#[test]
fn a_missing_file_is_named() {
    for command in ["check", "show", "lint"] {
        let output = run([command, "no/such/model.xml"]);
        assert_eq!(code(&output), Some(2), "{command}");
        let message = stderr(&output);
        assert!(
            message.contains("cannot read `no/such/model.xml`: No such file"),
            "{message}"
        );
    }
}

#[test]
fn a_missing_file_is_json_too() {
    let output = run(["check", "no/such/model.xml", "--format", "json"]);
    assert_eq!(code(&output), Some(2));
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(report["model"], "no/such/model.xml");
    assert_eq!(report["results"], serde_json::json!([]));
    assert_eq!(report["diagnostics"][0]["severity"], "error");
}

#[test]
fn colours_only_on_request() {
    let plain = run(["check", "no-such-model.xml"]);
    assert!(!stderr(&plain).contains('\x1b'));
    let coloured = run(["check", "no-such-model.xml", "--color", "always"]);
    assert!(stderr(&coloured).contains('\x1b'));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_panic() {
    use std::process::Stdio;
    for arguments in [
        &["--help"][..],
        &["lint", "no-such-model.xml", "--format", "json"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let child = merkhet()
            .args(arguments)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn();
        let output = child
            .and_then(|child| child.wait_with_output())
            .expect("the program runs");
        assert!(
            !stderr(&output).contains("panicked"),
            "{arguments:?}: {}",
            stderr(&output)
        );
        assert!(
            code(&output).is_some_and(|code| code <= 3),
            "{arguments:?}: {output:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_clear_error() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("/dev/full");
    let output = merkhet()
        .args(["lint", "no-such-model.xml", "--format", "json"])
        .stdout(full)
        .output()
        .expect("the program runs");
    assert_eq!(code(&output), Some(2));
    assert!(
        stderr(&output).contains("cannot write the output: No space left"),
        "{}",
        stderr(&output)
    );
}
