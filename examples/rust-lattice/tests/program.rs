//! The program knows the lattice in Rust: in models, by covering and joining, and for certificates.

use std::process::{Command, Output};

fn merkhet(arguments: &[&str]) -> Output {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/counter.model");
    let (command, rest) = arguments.split_first().expect("a command");
    let run = Command::new(env!("CARGO_BIN_EXE_rust-lattice"))
        .args([command, model])
        .args(rest)
        .output();
    run.expect("run")
}

#[test]
fn a_model_imports_a_lattice_of_this_program() {
    for update in ["simple", "cover", "join", "cegar"] {
        let output = merkhet(&["check", "--lattice", update, "--format", "json"]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("\"violated\""), "{text}");
    }
    let output = merkhet(&["check", "--trace", "none"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // Proved by trying all pairs: elements are joined and covered without being asked for.
    assert!(text.contains("cegar"), "{text}");
}

#[test]
fn the_sign_that_may_be_is_measured() {
    let output = merkhet(&["check", "-q", "sup: n.positive"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("n.positive: sup 1"), "{text}");
}
