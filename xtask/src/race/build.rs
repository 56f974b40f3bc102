//! Builds an older revision next to this one.

use std::path::PathBuf;
use std::process::Command;

use crate::steps::{Outcome, cargo, run_command, workspace_root};

/// The program of a revision, and the revision's short name. It is built in a work tree below the target folder, once.
pub fn baseline(revision: &str) -> Result<(String, PathBuf), String> {
    let short = git(&[
        "rev-parse",
        "--short=10",
        "--verify",
        &format!("{revision}^{{commit}}"),
    ])?;
    let folder = crate::corpus::target_folder().join("race");
    let program = folder.join(format!("merkhet-{short}"));
    if program.is_file() {
        return Ok((short, program));
    }
    let tree = folder.join(format!("tree-{short}"));
    let place = tree.display().to_string();
    if !tree.exists() {
        git(&["worktree", "add", "--detach", &place, &short])?;
    }
    let target = folder.join("build");
    let mut command = cargo();
    command
        .current_dir(&tree)
        .args(["build", "--release", "--package", "merkhet-cli"])
        .env("CARGO_TARGET_DIR", &target);
    if let Outcome::Failed(why) | Outcome::Skipped(why) = run_command(command) {
        return Err(format!("the revision {short} does not build: {why}"));
    }
    std::fs::copy(target.join("release/merkhet"), &program)
        .map_err(|error| format!("cannot keep {}: {error}", program.display()))?;
    git(&["worktree", "remove", "--force", &place])?;
    Ok((short, program))
}

fn git(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
        .current_dir(workspace_root())
        .args(arguments)
        .output()
        .map_err(|error| format!("cannot start git: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => Err(format!(
            "git {}: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}
