//! `cargo xtask wheel`: the Python package.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::corpus::target_folder;
use crate::steps::{Outcome, cargo, run_command, workspace_root};
use crate::test::python::environment;

/// The builder, from PyPI.
const MATURIN: &str = "maturin>=1.9,<2";

/// What `cargo xtask wheel --help` prints.
pub const HELP: &str = "\
Usage: cargo xtask wheel [PROFILE]

Builds the package of crates/python with maturin, which is installed from PyPI into an environment below the target folder:
one wheel for CPython 3.9 and newer, with the module and the program `merkhet`, in target/wheels. PROFILE is cargo's (release).
`pip install target/wheels/merkhet-*.whl` installs it.";

/// Runs the task.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let profile = match arguments {
        [] => "release",
        [profile] => profile.as_str(),
        _ => return Err("the name of a profile is all that it takes".into()),
    };
    let mut compile = cargo();
    compile.args(["build", "-p", "merkhet-cli", "--profile", profile]);
    if let Outcome::Failed(why) = run_command(compile) {
        return Err(format!("the program cannot be built: {why}"));
    }
    let folder = match profile {
        "dev" => "debug",
        other => other,
    };
    let program = target_folder().join(folder).join("merkhet");
    let wheel = build(profile, &program)?;
    println!("{}", wheel.display());
    Ok(())
}

/// Builds the wheel with this program in it; where it lies.
pub fn build(profile: &str, program: &Path) -> Result<PathBuf, String> {
    let tools = environment("wheel", MATURIN, "maturin").map_err(|why| {
        format!(
            "{why}; it needs Python 3 with venv, and PyPI or a mirror of it: `pip install '{MATURIN}'` must work"
        )
    })?;
    let package = workspace_root().join("crates/python");
    put_program(program, &package.join("merkhet.data/scripts"))
        .map_err(|error| format!("cannot copy {}: {error}", program.display()))?;
    let wheels = target_folder().join("wheels");
    let _ = std::fs::remove_dir_all(&wheels);
    let mut maturin = Command::new(tools.join("maturin"));
    maturin
        .args([
            "build",
            "--profile",
            profile,
            "--auditwheel",
            "skip",
            "--interpreter",
        ])
        .arg(tools.join("python"))
        .arg("--out")
        .arg(&wheels)
        .current_dir(&package);
    if let Outcome::Failed(why) = run_command(maturin) {
        return Err(format!("maturin build: {why}"));
    }
    let made = std::fs::read_dir(&wheels).into_iter().flatten().flatten();
    let mut made = made.map(|entry| entry.path());
    made.find(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .ok_or_else(|| "maturin made no wheel".into())
}

/// Copies the program to where maturin looks for what is to be installed beside the module; without what is for debuggers,
/// where `strip` is at hand.
fn put_program(program: &Path, scripts: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(scripts)?;
    let name = program.file_name().unwrap_or_default();
    let copy = scripts.join(name);
    std::fs::copy(program, &copy)?;
    let _ = Command::new("strip").arg(&copy).output();
    Ok(())
}
