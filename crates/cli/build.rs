//! Notes the revision that the program is built from, where there is one: `merkhet --version` shows it.

use std::process::Command;

fn main() {
    let revision = git(&["rev-parse", "--short=12", "HEAD"]);
    let text = match &revision {
        Some(revision) => {
            // Built again when another commit is checked out; changed files do not change the number.
            if let Some(folder) = git(&["rev-parse", "--git-dir"]) {
                println!("cargo::rerun-if-changed={folder}/HEAD");
                println!("cargo::rerun-if-changed={folder}/logs/HEAD");
            }
            format!(" ({revision})")
        }
        None => String::new(),
    };
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=MERKHET_REVISION={text}");
}

/// The answer of git, if there is a git, and a repository whose files these are.
fn git(arguments: &[&str]) -> Option<String> {
    let folder = std::env::var("CARGO_MANIFEST_DIR").ok()?;
    let tracked = Command::new("git")
        .args(["ls-files", "--error-unmatch", "build.rs"])
        .current_dir(&folder)
        .output()
        .ok()?;
    if !tracked.status.success() {
        return None;
    }
    let output = Command::new("git")
        .args(arguments)
        .current_dir(&folder)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_string())
}
