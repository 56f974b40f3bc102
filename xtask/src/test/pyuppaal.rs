//! Runs PyUPPAAL, a client of verifyta that others wrote, against the built program.

use std::process::Command;

use super::python::environment;
use crate::steps::{Outcome, cargo, run_command, workspace_root};

const SCRIPT: &str = include_str!("pyuppaal.py");
/// The release that the script was written for.
const PACKAGE: &str = "pyuppaal==1.2.0";

/// Installs PyUPPAAL into an environment of its own below the target folder and runs the script.
pub fn run() -> Outcome {
    let folder = crate::corpus::target_folder().join("pyuppaal");
    let programs = match environment("pyuppaal", PACKAGE, "pyuppaal") {
        Ok(programs) => programs,
        Err(why) => {
            return Outcome::Skipped(format!(
                "{why}; it needs Python 3 with venv, and PyPI or a mirror of it: `pip install {PACKAGE}` must work"
            ));
        }
    };
    let mut build = cargo();
    // As the step before has built it: a selection of packages would have other features, and be built anew.
    build.args(["build", "--workspace", "--all-targets"]);
    if let failed @ Outcome::Failed(_) = run_command(build) {
        return failed;
    }
    let program = crate::corpus::target_folder().join("debug/merkhet");
    let verifyta = folder.join("verifyta");
    if let Err(error) = std::fs::copy(&program, &verifyta) {
        return Outcome::Failed(format!("cannot copy {}: {error}", program.display()));
    }
    let mut command = Command::new(programs.join("python"));
    command
        .args(["-c", SCRIPT])
        .arg(&verifyta)
        .arg(workspace_root().join("examples"));
    run_command(command)
}
