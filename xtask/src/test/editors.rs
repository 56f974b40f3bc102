//! The language server, driven by clients that we did not write: Neovim and pytest-lsp.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::steps::{Outcome, run_command, workspace_root};

/// The program of the tests' own build.
fn program() -> PathBuf {
    crate::corpus::target_folder().join("debug/merkhet")
}

fn clients() -> PathBuf {
    workspace_root().join("crates/lsp/tests/clients")
}

/// Neovim opens a model, and asks for everything that a person would.
pub fn neovim() -> Outcome {
    if !has_neovim() {
        return Outcome::Skipped(
            "there is no Neovim of version 0.7 or later; Debian's package `neovim` has it".into(),
        );
    }
    let folder = crate::corpus::target_folder().join("neovim");
    let model = folder.join("gate.xta");
    let copied = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::copy(clients().join("gate.xta"), &model));
    if let Err(error) = copied {
        return Outcome::Failed(format!("{}: {error}", model.display()));
    }
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-S"])
        .arg(clients().join("neovim.lua"))
        .env("MERKHET_PROGRAM", program())
        .env("MERKHET_FOLDER", &folder)
        .stdin(Stdio::null())
        .output();
    match output {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            print!("{said}");
            match said.lines().any(|line| line == "ALL OK") {
                true => Outcome::Passed,
                false => Outcome::Failed(format!(
                    "Neovim stopped early: {}",
                    String::from_utf8_lossy(&output.stderr)
                )),
            }
        }
        Err(error) => Outcome::Failed(format!("nvim: {error}")),
    }
}

/// A Neovim that is there, or that Debian's packages bring where this user may install them.
fn has_neovim() -> bool {
    let there = || {
        let output = Command::new("nvim").arg("--version").output();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        let first = text.unwrap_or_default();
        let version = first
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("NVIM v"));
        let mut numbers = version
            .unwrap_or("0.0")
            .split('.')
            .map(|one| one.parse::<u32>().unwrap_or(0));
        (numbers.next(), numbers.next()) >= (Some(0), Some(7))
    };
    if there() {
        return true;
    }
    let mut install = Command::new("apt-get");
    install.args(["install", "-y", "-qq", "--no-install-recommends", "neovim"]);
    let _ = install.stdout(Stdio::null()).stderr(Stdio::null()).status();
    there()
}

/// pytest-lsp opens, breaks, renames and checks.
pub fn pytest() -> Outcome {
    let programs = match super::python::environment("pytest-lsp", "pytest-lsp==1.0.1", "pytest_lsp")
    {
        Ok(programs) => programs,
        Err(why) => {
            return Outcome::Skipped(format!(
                "{why}; it needs Python 3.10 with venv, and PyPI or a mirror of it"
            ));
        }
    };
    let mut command = Command::new(programs.join("python"));
    command
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .arg(clients().join("test_server.py"))
        .env("MERKHET_PROGRAM", program())
        .env("PYTHONDONTWRITEBYTECODE", "1");
    run_command(command)
}

/// The extension for Visual Studio Code compiles, and its grammars colour what they should.
pub fn vscode() -> Outcome {
    let folder = workspace_root().join("editors/vscode");
    let npm = |arguments: &[&str]| {
        let mut command = Command::new("npm");
        command.args(arguments).current_dir(&folder);
        command
    };
    let mut install = npm(&["ci", "--silent", "--no-audit", "--no-fund"]);
    let installed = install.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !installed.is_ok_and(|status| status.success()) {
        return Outcome::Skipped(
            "npm ci failed; it needs Node.js 20 with npm, and the npm registry or a mirror of it"
                .into(),
        );
    }
    run_command(npm(&["test", "--silent"]))
}

/// The tree-sitter grammar passes its own tests, and parses every model of the collections.
pub fn tree_sitter() -> Outcome {
    let folder = workspace_root().join("editors/tree-sitter-merkhet");
    let own = crate::corpus::target_folder().join("tools/bin/tree-sitter");
    let program = if own.exists() {
        own
    } else {
        "tree-sitter".into()
    };
    let started = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.args(arguments).current_dir(&folder);
        command
    };
    let mut version = started(&["--version"]);
    let there = version.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        return Outcome::Skipped(
            "there is no tree-sitter; `cargo install tree-sitter-cli --locked --root target/tools` builds it in some minutes \
             (its npm package downloads a program from elsewhere)"
                .into(),
        );
    }
    if let Outcome::Failed(why) = run_command(started(&["test"])) {
        return Outcome::Failed(format!("tree-sitter test: {why}"));
    }
    let mut colours = started(&["query", "--grammar-path", ".", "queries/highlights.scm"]);
    colours
        .arg(clients().join("gate.xta"))
        .stdout(Stdio::null());
    if let Outcome::Failed(why) = run_command(colours) {
        return Outcome::Failed(format!("queries/highlights.scm: {why}"));
    }
    let mut models = Vec::new();
    let shared = std::env::var_os("MERKHET_SHARED")
        .map_or_else(|| workspace_root().join("../shared"), PathBuf::from);
    for root in [shared, workspace_root().join("examples")] {
        xta(&root, &mut models);
    }
    let list = crate::corpus::target_folder().join("tree-sitter-models");
    let names: String = models
        .iter()
        .map(|path| format!("{}\n", path.display()))
        .collect();
    if let Err(error) = std::fs::write(&list, names) {
        return Outcome::Failed(format!("{}: {error}", list.display()));
    }
    println!("{} models", models.len());
    let mut parse = started(&["parse", "--quiet", "--paths"]);
    parse.arg(&list);
    run_command(parse)
}

/// The XTA models below a folder.
fn xta(folder: &std::path::Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            xta(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "xta") {
            found.push(path);
        }
    }
}
