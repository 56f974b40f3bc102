//! `cargo xtask test`: every check that a change must pass before it is merged.

use std::time::Instant;

use crate::counts::Counts;
use crate::steps::{Outcome, Steps, cargo, has_cargo_command, run_and_look, run_command};

/// What `cargo xtask test --help` prints.
pub const HELP: &str = "\
Steps, each with its time; a failed step does not stop the others:
  format  cargo fmt --all --check
  clippy  cargo clippy --workspace --all-targets -- -D warnings
  build   cargo build --workspace --all-targets
  test    cargo test --workspace (unit, property, snapshot, command-line and doc tests)
  doc     cargo doc --workspace --no-deps, warnings are errors
  pyuppaal  PyUPPAAL, a client of verifyta from PyPI, checks models with the program and loads its traces
  z3      decisions of predicate abstraction next to those of Z3, from PyPI

A step whose tool is not part of this toolchain is SKIPPED, and says how to get the tool.
The last line adds up what all test programs reported.";

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
        run_and_look(command, |line| {
            if let Some(closing) = Counts::from_line(line) {
                counts += closing;
            }
        })
    });
    steps.run("doc", || {
        let mut command = cargo();
        command
            .args(["doc", "--workspace", "--no-deps"])
            .env("RUSTDOCFLAGS", "-D warnings");
        run_command(command)
    });

    steps.run("pyuppaal", crate::pyuppaal::run);
    steps.run("z3", crate::decisions::step);

    println!("==> summary");
    for step in &steps.finished {
        println!("{}", step.line());
    }
    let failed = steps.failed();
    println!(
        "total: {}: {} passed, {} failed, {} ignored; {} of {} steps failed; {:.1} s",
        if failed.is_empty() { "ok" } else { "FAILED" },
        counts.passed,
        counts.failed,
        counts.ignored,
        failed.len(),
        steps.finished.len(),
        start.elapsed().as_secs_f64(),
    );
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("failed: {}", failed.join(", ")))
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
