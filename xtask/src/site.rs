//! `cargo xtask site`: the book and the documentation of the library, rendered.

use std::process::Command;

use crate::steps::{Outcome, Steps, cargo, run_command, workspace_root};

/// What `cargo xtask site --help` prints.
pub const HELP: &str = "\
Renders the book with mdbook into target/site, with its search, and `cargo doc` next to it in target/site/api; the version stands
in target/site/version.txt. Options:
  --no-api   the book alone

`cargo install mdbook --locked` gets mdbook; one in target/tools/bin is used first.";

/// Renders both; an error names what failed.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let api = match arguments {
        [] => true,
        [only] if only == "--no-api" => false,
        [other, ..] => {
            return Err(format!(
                "`{other}` is no option; `cargo xtask site --help` lists them"
            ));
        }
    };
    let target = crate::corpus::target_folder();
    let site = target.join("site");
    let _ = std::fs::remove_dir_all(&site);
    let mut steps = Steps::default();
    steps.run("book", || book(&site));
    if api {
        steps.run("api", || {
            let mut doc = cargo();
            doc.args(["doc", "--workspace", "--no-deps"]);
            let outcome = run_command(doc);
            if outcome != Outcome::Passed {
                return outcome;
            }
            let mut copy = Command::new("cp");
            copy.arg("-r").arg(target.join("doc")).arg(site.join("api"));
            run_command(copy)
        });
    }
    let failed = steps.failed();
    let skipped = steps
        .finished
        .iter()
        .any(|step| matches!(step.outcome, Outcome::Skipped(_)));
    match (failed.is_empty(), skipped) {
        (true, false) => {
            println!("{}", site.join("index.html").display());
            Ok(())
        }
        (true, true) => Err("mdbook is not there".into()),
        (false, _) => Err(failed.join(", ")),
    }
}

/// The book, with the version in its title.
fn book(site: &std::path::Path) -> Outcome {
    let own = crate::corpus::target_folder().join("tools/bin/mdbook");
    let program = if own.exists() { own } else { "mdbook".into() };
    let there = Command::new(&program).arg("--version").output();
    if !there.is_ok_and(|output| output.status.success()) {
        return Outcome::Skipped(
            "there is no mdbook; `cargo install mdbook --locked --root target/tools` builds it"
                .into(),
        );
    }
    let mut build = Command::new(program);
    build
        .arg("build")
        .arg(workspace_root().join("docs/book"))
        .arg("--dest-dir")
        .arg(site);
    let outcome = run_command(build);
    let manifest = std::fs::read_to_string(workspace_root().join("Cargo.toml")).unwrap_or_default();
    let version = manifest
        .lines()
        .find_map(|line| line.strip_prefix("version = "));
    let _ = std::fs::write(
        site.join("version.txt"),
        version.unwrap_or("").trim_matches('"'),
    );
    outcome
}
