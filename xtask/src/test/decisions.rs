//! `cargo xtask decisions`: what predicate abstraction decides, compared with Z3.

use super::python::environment;
use crate::steps::{Outcome, cargo, run_command};

/// The release that the test was written with.
const PACKAGE: &str = "z3-solver==4.13.4.0";

/// What `cargo xtask decisions --help` prints.
pub const HELP: &str = "\
Usage: cargo xtask decisions [COUNT]

Installs PyPI's z3-solver into an environment below the target folder, and compares COUNT random decisions (100000) of
predicate abstraction over clocks, small and large integers with those of Z3, in one process. A wrong one is a failure.
The step of `cargo xtask test` asks for 5000; so does `cargo test` as soon as the solver is there.";

/// Runs the task.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let count = match arguments {
        [] => "100000",
        [count] if count.parse::<u32>().is_ok() => count,
        _ => return Err("a number of decisions is all that it takes".into()),
    };
    match compare(count) {
        Outcome::Passed => Ok(()),
        Outcome::Failed(why) | Outcome::Skipped(why) => Err(why),
    }
}

/// The step of `cargo xtask test`.
pub fn step() -> Outcome {
    compare("5000")
}

fn compare(count: &str) -> Outcome {
    if let Err(why) = environment("z3", PACKAGE, "z3") {
        return Outcome::Skipped(format!(
            "{why}; it needs Python 3 with venv, and PyPI or a mirror of it: `pip install {PACKAGE}` must work"
        ));
    }
    let mut command = cargo();
    command
        // With the features of the whole workspace, as the tests were built.
        .args(["test", "--workspace", "--test", "pa"])
        .args([
            "z3::decisions_are_those_of_z3",
            "--",
            "--exact",
            "--nocapture",
        ])
        .env("MERKHET_DECISIONS", count);
    run_command(command)
}
