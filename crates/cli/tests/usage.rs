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
        "cluster",
        "convert",
        "simulate",
        "states",
        "heuristics",
        "tunables",
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

/// The message of a command that must end with exit code 2.
#[track_caller]
fn refused<const N: usize>(arguments: [&str; N], words: &str) {
    let output = run(arguments);
    assert_eq!(code(&output), Some(2), "{arguments:?}");
    let message = stderr(&output);
    assert!(message.contains(words), "{arguments:?}: {message}");
    assert!(stdout(&output).is_empty(), "{arguments:?}");
}

#[test]
fn what_is_missing_is_said_with_an_example() {
    refused(
        ["convert", "lamp.xml"],
        "Name the new file (merkhet convert lamp.xml lamp.xta), or the language with --to",
    );
    refused(
        ["man", "--out", "no/such/folder"],
        "no/such/folder is no folder; make it first",
    );
    refused(
        ["check", "lamp.q"],
        "`lamp.q` is a file of queries; give its model first",
    );
}

#[test]
fn a_folder_of_models_is_linted() {
    let folder = tempfile::tempdir().expect("a folder");
    let process = "process P() { state A; init A; trans A -> A { }; }\nsystem P;\n";
    for (name, text) in [
        ("fine.xta", process.to_string()),
        ("sub/odd.xta", format!("int unused;\n{process}")),
    ] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    let path = folder.path().display().to_string();
    let output = run(["lint", &path]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("odd.xta:1:5"), "{text}");
    assert!(text.ends_with("2 models: 0 errors, 1 warning\n"), "{text}");
    let output = run(["lint", &path, "--deny-warnings", "--format", "json"]);
    assert_eq!(code(&output), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(report["warnings"], 1);
    assert_eq!(report["models"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["models"][0]["warnings"], 0);
    let fine = format!("{path}/fine.xta");
    let several = run([
        "lint",
        &fine,
        &format!("{path}/sub/odd.xta"),
        "--format",
        "sarif",
    ]);
    assert_eq!(code(&several), Some(0));
    assert!(
        stdout(&several).contains("variable-unused"),
        "{}",
        stdout(&several)
    );
    // One model is reported as ever.
    assert!(stdout(&run(["lint", &fine])).ends_with("0 errors, 0 warnings\n"));
}

#[test]
fn frequent_mistakes_get_a_hint() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |declarations: &str, edge: &str, words: &str| {
        let text = format!(
            "{declarations}\nprocess P() {{ state A, B; init A; trans A -> B{edge}; }}\nsystem P;\n"
        );
        let path = folder.path().join("m.xta");
        std::fs::write(&path, text).expect("written");
        let output = run(["check".as_ref(), path.as_os_str(), "-qE<> P.B".as_ref()]);
        assert_eq!(code(&output), Some(2));
        assert!(
            stderr(&output).contains(words),
            "{edge}: {}",
            stderr(&output)
        );
    };
    check(
        "",
        "",
        "hint: an edge without labels is written `A -> B { }`",
    );
    check(
        "int x;",
        " { guard x = 3; }",
        "hint: values are compared with `==`",
    );
    check(
        "chan c;",
        " { sync c; }",
        "hint: add `!` to send or `?` to receive",
    );
    // A part that is quoted keeps its brackets, and a query that cannot be read is complained about once.
    let text = "int x; process P() { state A, B; init A; trans A -> B { guard (x + 1) / (x - x) > 0; }; }\nsystem P;\n";
    let path = folder.path().join("m.xta");
    std::fs::write(&path, text).expect("written");
    let output = run(["check".as_ref(), path.as_os_str(), "-qE<> P.B".as_ref()]);
    assert!(
        stdout(&output).contains("in `(x + 1) / (x - x)`"),
        "{}",
        stdout(&output)
    );
    assert_eq!(stderr(&output), "");
    let output = run(["check".as_ref(), path.as_os_str(), "-qE<> P.(B)".as_ref()]);
    assert_eq!(
        stderr(&output).matches("error").count(),
        1,
        "{}",
        stderr(&output)
    );
}

#[test]
fn an_initial_state_that_its_invariant_forbids_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.xta");
    let text =
        "clock x; process P() { state A { x > 3 }, B; init A; trans A -> B { }; }\nsystem P;\n";
    std::fs::write(&path, text).expect("written");
    for query in [
        "-qE<> P.B",
        "-qA[] P.B",
        "-qA<> P.B",
        "-qP.A --> P.B",
        "-qsup: x",
    ] {
        let output = run(["check".as_ref(), path.as_os_str(), query.as_ref()]);
        assert_eq!(code(&output), Some(2), "{query}");
        let words = "the invariant of P.A does not hold in the initial state";
        assert!(
            stdout(&output).contains(words),
            "{query}: {}",
            stdout(&output)
        );
    }
}

/// What would be taken without doing anything is refused, unless it does something for one of the queries.
#[test]
fn options_without_effect_are_refused() {
    let lamp = support::example("lamp.xml");
    let lamp = lamp.to_str().expect("a name");
    let reach = ["-q", "E<> Lamp.Lit"];
    let live = ["-q", "A<> Lamp.Lit"];
    let check =
        |queries: &[&str], options: &[&str]| run([&["check", lamp], queries, options].concat());
    for (queries, options, name) in [
        (
            &live as &[&str],
            &["--search", "bfs"] as &[&str],
            "--search",
        ),
        (&live, &["--heuristic", "hu"], "--heuristic"),
        (&live, &["--threads", "2"], "--threads"),
        (&live, &["--bitstate"], "--bitstate"),
        (&live, &["--all-traces", "2"], "--all-traces"),
        (&reach, &["--search", "bfs", "--tie", "lifo"], "--tie"),
        (
            &reach,
            &["--search", "bfs", "--heuristic-cache", "9"],
            "--heuristic-cache",
        ),
        (&reach, &["--lattice", "simple"], "--lattice"),
        (&reach, &["--search", "bfs", "--seed", "3"], "--seed"),
    ] {
        let output = check(queries, options);
        assert_eq!(code(&output), Some(2), "{options:?}: {}", stdout(&output));
        let sentence = format!("{name} has no effect here: it is for ");
        let message = stderr(&output);
        assert!(message.contains(&sentence), "{options:?}: {message}");
    }
    // What has a default is refused where it is given.
    for option in [["--abstract-time", "5s"], ["--patterns", "list"]] {
        let output = check(&reach, &option);
        let sentence = format!("{} is for decision diagrams", option[0]);
        assert!(stderr(&output).contains(&sentence), "{}", stderr(&output));
    }
    let output = check(&reach, &["--jobs", "2"]);
    assert_eq!(code(&output), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("--jobs is for several models"));
    let both = [live, reach].concat();
    let output = check(&both, &["--search", "bfs"]);
    assert_ne!(code(&output), Some(2), "{}", stderr(&output));
}

/// A proof is checked before it is written, or the report says that it was not.
#[test]
fn a_certificate_that_was_not_checked_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let proof = folder.path().join("proof");
    let proof = proof.to_str().expect("a name");
    let fischer = support::example("fischer.xml");
    let fischer = fischer.to_str().expect("a name");
    let query = "A[] not (Process(1).Critical and Process(2).Critical)";
    let words = ["check", fischer, "-q", query, "--certificate", proof];
    let says = |output: &std::process::Output| {
        assert_eq!(code(output), Some(0), "{}", stderr(output));
        stdout(output).contains("the certificate was not checked")
    };
    assert!(!says(&run(words)));
    assert!(says(&run([&words[..], &["--no-certify"]].concat())));
    assert_eq!(code(&run(["certify", fischer, proof])), Some(0));
}
