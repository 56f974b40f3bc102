//! The workbench's page: its types, whether the committed bundle is fresh, and what a person does with it in a browser.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::steps::{Outcome, run_command, workspace_root};

const HOW: &str = "it needs Node.js 20 with npm, the npm registry or a mirror of it, and Chromium, as from Debian's package \
    `chromium` (MERKHET_CHROMIUM may name another one)";

/// Runs the step.
pub fn run() -> Outcome {
    let page = workspace_root().join("crates/web/page");
    if let Err(why) = install(&page) {
        return Outcome::Skipped(format!("{why}; {HOW}"));
    }
    for script in ["check", "fresh"] {
        let outcome = run_command(npm(&page, &["run", "--silent", script]));
        if let Outcome::Failed(why) = outcome {
            return Outcome::Failed(format!("npm run {script}: {why}"));
        }
    }
    let Some(chromium) = chromium() else {
        return Outcome::Skipped(format!(
            "the types and the bundle are right, but there is no Chromium; {HOW}"
        ));
    };
    let mut tests = npm(&page, &["test", "--silent"]);
    tests
        .env(
            "MERKHET_PROGRAM",
            crate::corpus::target_folder().join("debug/merkhet"),
        )
        .env("MERKHET_CHROMIUM", chromium);
    run_command(tests)
}

fn npm(page: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.args(arguments).current_dir(page);
    command
}

/// Installs what the lock file names, where it is not there.
fn install(page: &Path) -> Result<(), String> {
    let mut command = npm(page, &["ci", "--silent", "--no-audit", "--no-fund"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("npm ci failed".into()),
        Err(error) => Err(format!("npm: {error}")),
    }
}

/// A Chromium that is there, or that Debian's packages bring where this user may install them.
fn chromium() -> Option<PathBuf> {
    let there = || {
        let named = std::env::var_os("MERKHET_CHROMIUM").map(PathBuf::from);
        let usual = [
            "/usr/bin/chromium",
            "/usr/bin/chromium-browser",
            "/usr/bin/google-chrome",
        ];
        named
            .into_iter()
            .chain(usual.map(PathBuf::from))
            .find(|path| path.is_file())
    };
    there().or_else(|| {
        for arguments in [
            ["update", "-qq"].as_slice(),
            &["install", "-y", "-qq", "chromium"],
        ] {
            let mut command = Command::new("apt-get");
            command
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive");
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command.status().ok().filter(|status| status.success())?;
        }
        there()
    })
}
