//! Runs PyUPPAAL, a client of verifyta that others wrote, against the built program.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{Outcome, cargo, run_command, workspace_root};

const SCRIPT: &str = include_str!("pyuppaal.py");
/// The release that the script was written for.
const PACKAGE: &str = "pyuppaal==1.2.0";

/// Installs PyUPPAAL into an environment of its own below the target folder and runs the script.
pub fn run() -> Outcome {
    let folder = crate::corpus::target_folder().join("pyuppaal");
    let python = match environment(&folder) {
        Ok(python) => python,
        Err(why) => {
            return Outcome::Skipped(format!(
                "{why}; it needs Python 3 with venv, and PyPI or a mirror of it: `pip install {PACKAGE}` must work"
            ));
        }
    };
    let mut build = cargo();
    build.args(["build", "--package", "merkhet-cli"]);
    if let failed @ Outcome::Failed(_) = run_command(build) {
        return failed;
    }
    let program = crate::corpus::target_folder().join("debug/merkhet");
    let verifyta = folder.join("verifyta");
    if let Err(error) = std::fs::copy(&program, &verifyta) {
        return Outcome::Failed(format!("cannot copy {}: {error}", program.display()));
    }
    let mut command = Command::new(python);
    command
        .args(["-c", SCRIPT])
        .arg(&verifyta)
        .arg(workspace_root().join("examples"));
    run_command(command)
}

/// The interpreter of an environment that has the package.
fn environment(folder: &Path) -> Result<PathBuf, String> {
    let python = folder.join("venv/bin/python");
    let has_package = || {
        let mut command = Command::new(&python);
        command.args(["-c", "import pyuppaal"]);
        command.output().is_ok_and(|output| output.status.success())
    };
    if has_package() {
        return Ok(python);
    }
    let venv = folder.join("venv");
    let quiet = |mut command: Command, what: &str| match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(_) => Err(format!("{what} failed")),
        Err(error) => Err(format!("{what}: {error}")),
    };
    let mut create = Command::new("python3");
    create.args(["-m", "venv"]).arg(&venv);
    quiet(create, "python3 -m venv")?;
    let mut install = Command::new(&python);
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--timeout",
        "20",
        "--retries",
        "1",
        PACKAGE,
    ]);
    quiet(install, "pip install")?;
    if has_package() {
        Ok(python)
    } else {
        Err("the installed package cannot be imported".into())
    }
}
