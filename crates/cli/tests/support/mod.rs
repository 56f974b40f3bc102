//! What the command-line tests share.

#![allow(dead_code)] // Each test program uses a part of it.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Output};

/// The program under test, with an environment that does not change its output.
pub fn merkhet() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_merkhet"));
    command
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env("COLUMNS", "100");
    command
}

/// Runs the program to its end.
pub fn run(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
    merkhet()
        .args(arguments)
        .output()
        .expect("the program starts")
}

/// A file of the folder `examples`.
pub fn example(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "examples", name]
        .iter()
        .collect()
}

/// The exit code; a program that was killed by a signal has none.
pub fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// Standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Standard error as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
