//! The Python package as a user gets it: its wheel in a fresh environment, and its own tests there.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::corpus::target_folder;
use crate::steps::{Outcome, run_command, workspace_root};
use crate::wheel;

/// What the tests need beside the package.
const TOOLS: &str = "requirements.txt";

/// Builds the wheel as the tests' profile has it, installs it, and runs its tests.
pub fn run() -> Outcome {
    let program = target_folder().join("debug/merkhet");
    if !has_python() {
        return Outcome::Skipped(
            "there is no python3 with venv and pip; Debian's packages python3-venv and python3-pip bring them".into(),
        );
    }
    let wheel = match wheel::build("dev", &program) {
        Ok(wheel) => wheel,
        Err(why) if why.starts_with("maturin build") => return Outcome::Failed(why),
        Err(why) => return Outcome::Skipped(why),
    };
    let package = workspace_root().join("crates/python");
    let python = match install(&wheel, &package) {
        Ok(python) => python,
        Err(Problem::Missing(why)) => return Outcome::Skipped(why),
        Err(Problem::Wrong(why)) => return Outcome::Failed(why),
    };
    let mut tests = Command::new(python);
    tests
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        // The examples in the package's documentation, and the tests.
        .args(["--doctest-modules", "--pyargs", "merkhet"])
        .arg(package.join("tests"))
        .current_dir(&package)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    run_command(tests)
}

fn has_python() -> bool {
    let mut command = Command::new("python3");
    command.args(["-c", "import venv, ensurepip"]);
    command.stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Why the package is not installed.
enum Problem {
    /// What this machine does not have.
    Missing(String),
    Wrong(String),
}

/// A fresh environment with the package and what its tests need; its interpreter.
fn install(wheel: &Path, package: &Path) -> Result<std::path::PathBuf, Problem> {
    let venv = target_folder().join("package/venv");
    let python = venv.join("bin/python");
    let mut create = Command::new("python3");
    create.args(["-m", "venv", "--clear"]).arg(&venv);
    let mut tools = Command::new(&python);
    tools.args(["-m", "pip", "install", "--quiet", "--timeout", "20"]);
    tools
        .args(["--retries", "1", "-r"])
        .arg(package.join("tests").join(TOOLS));
    for (what, command) in [("python3 -m venv", create), ("pip install", tools)] {
        if let Outcome::Failed(why) = run_command(command) {
            return Err(Problem::Missing(format!(
                "{what}: {why}; it needs Python 3 with venv, and PyPI or a mirror of it"
            )));
        }
    }
    let mut wheels = Command::new(&python);
    wheels.args(["-m", "pip", "install", "--quiet", "--no-deps"]);
    wheels.arg(wheel);
    match run_command(wheels) {
        Outcome::Failed(why) => Err(Problem::Wrong(format!("pip install of the wheel: {why}"))),
        _ => Ok(python),
    }
}
