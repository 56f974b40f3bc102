//! `cargo xtask test`: every check that a change must pass before it is merged.

mod counts;
pub mod decisions;
mod editors;
mod package;
mod page;
pub mod python;
mod pyuppaal;

use std::time::Instant;

use crate::steps::{Outcome, Steps, cargo, has_cargo_command, run_and_look, run_command};
use counts::Counts;

/// What `cargo xtask test --help` prints.
pub const HELP: &str = "\
Steps, each with its time; a failed step does not stop the others:
  format  cargo fmt --all --check
  clippy  cargo clippy --workspace --all-targets -- -D warnings
  build   cargo build --workspace --all-targets
  test    cargo test --workspace (unit, property, snapshot, command-line and doc tests)
  doc     cargo doc --workspace --no-deps, warnings are errors
  pyuppaal  PyUPPAAL, a client of verifyta from PyPI, checks models with the program and loads its traces
  page    the workbench: its types, whether the committed bundle is fresh, and its tests in a browser
  package   the Python package: its wheel in a fresh environment, its tests, examples, notebooks and types
  neovim  Neovim drives the language server: messages, hover, definition, rename, completion, verdicts
  pytest-lsp  so does pytest-lsp, from PyPI, with positions inside XML and queries beside a model
  vscode  the extension for Visual Studio Code compiles, and its grammars colour what they should
  tree-sitter  its grammar passes its tests and parses every XTA model
  z3      decisions of predicate abstraction next to those of Z3, from PyPI

A step whose tool is not part of this toolchain is SKIPPED, and says how to get the tool. So are tests that miss models
outside the repository; they are listed with the reason. The last line, `N passed, N failed, N skipped`, counts all tests,
and each other step as one.";

/// Runs all steps; an error names those that failed.
pub fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(unknown) = arguments.first() {
        return Err(format!(
            "`cargo xtask test` takes no argument, but got `{unknown}`"
        ));
    }
    let start = Instant::now();
    let mut steps = Steps::default();
    let mut counts = Counts::default();

    steps.run("format", || {
        with_tool("fmt", "rustfmt", &["--all", "--check"])
    });
    steps.run("clippy", || {
        with_tool(
            "clippy",
            "clippy",
            &["--workspace", "--all-targets", "--", "-D", "warnings"],
        )
    });
    steps.run("build", || {
        let mut command = cargo();
        command.args(["build", "--workspace", "--all-targets"]);
        run_command(command)
    });
    steps.run("test", || {
        let mut command = cargo();
        command.args(["test", "--workspace", "--no-fail-fast"]);
        run_and_look(command, |line| counts.line(line))
    });
    steps.run("doc", || {
        let mut command = cargo();
        command
            .args(["doc", "--workspace", "--no-deps"])
            .env("RUSTDOCFLAGS", "-D warnings");
        run_command(command)
    });

    steps.run("pyuppaal", pyuppaal::run);
    steps.run("z3", decisions::step);
    steps.run("page", page::run);
    steps.run("package", package::run);
    steps.run("neovim", editors::neovim);
    steps.run("pytest-lsp", editors::pytest);
    steps.run("vscode", editors::vscode);
    steps.run("tree-sitter", editors::tree_sitter);

    println!("==> summary");
    for (test, why) in &counts.skipped {
        println!("skipped: {test}: {why}");
    }
    for step in &steps.finished {
        println!("{}", step.line());
        let tests = step.name == "test";
        match &step.outcome {
            Outcome::Passed => counts.passed += usize::from(!tests),
            // A test program that does not even start has no closing line.
            Outcome::Failed(_) => counts.failed += usize::from(!tests || counts.failed == 0),
            Outcome::Skipped(why) => counts.skipped.push((step.name.into(), why.clone())),
        }
    }
    println!("{:.1} s", start.elapsed().as_secs_f64());
    let (passed, failed) = (counts.passed, counts.failed);
    println!(
        "{passed} passed, {failed} failed, {} skipped",
        counts.skipped.len()
    );
    match steps.failed().is_empty() {
        true => Ok(()),
        // The steps that failed are named above; the counts stay the last line.
        false => Err(String::new()),
    }
}

/// Runs `cargo COMMAND ARGUMENTS`, or says plainly how to get the tool that is missing.
fn with_tool(command: &str, component: &str, arguments: &[&str]) -> Outcome {
    if !has_cargo_command(command) {
        return Outcome::Skipped(format!(
            "{component} is not part of this toolchain; `rustup component add {component}` installs it"
        ));
    }
    let mut full = cargo();
    full.arg(command).args(arguments);
    run_command(full)
}
