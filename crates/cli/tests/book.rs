//! Every command that the book and the README show is run, and what they show must be what it prints.
//!
//! Blocks marked `console` hold commands after `$ ` and their output, both streams as a terminal mixes them. A line `…`
//! stands for any lines. Times and memory may differ; counts of states may not. `MERKHET_BOOK=update cargo test -p merkhet-cli --test book` writes
//! what the commands print today into the pages; read the difference before it is committed.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use support::example;

fn root() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", ".."].iter().collect()
}

fn pages() -> Vec<PathBuf> {
    let folder = root().join("docs/book/src");
    let mut pages: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the book")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    pages.sort();
    pages.push(root().join("README.md"));
    pages
}

/// A command with what is shown after it.
struct Shown {
    command: String,
    output: String,
}

/// The commands of a block.
fn commands(block: &str) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    for line in block.lines() {
        // What a shell asks for after an unfinished command.
        let continued = line.strip_prefix("> ").or((line == ">").then_some(""));
        if let (Some(more), Some(last)) = (continued, all.last_mut())
            && last.output.is_empty()
        {
            last.command += &format!("\n{more}");
            continue;
        }
        match (line.strip_prefix("$ "), all.last_mut()) {
            (Some(command), _) => all.push(Shown {
                command: command.to_owned(),
                output: String::new(),
            }),
            (None, Some(last)) => last.output += &format!("{line}\n"),
            (None, None) => panic!("a console block begins with a command: {line}"),
        }
    }
    all
}

/// Commands of developers that are run by other tests or take too long here.
fn is_skipped(command: &str) -> bool {
    [
        "cargo xtask",
        "cargo install",
        "cargo test",
        "cargo build",
        "git clone",
        "cd ",
    ]
    .iter()
    .any(|start| command.starts_with(start))
}

fn execute(command: &str, folder: &Path) -> String {
    let command = command.replace("cargo run --release --", "merkhet");
    let bin = Path::new(env!("CARGO_BIN_EXE_merkhet"))
        .parent()
        .expect("a folder");
    let path = format!(
        "{}:{}",
        bin.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", path)
        .env("COLUMNS", "100")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Without what differs between machines and runs: times, sizes, revisions, and blanks at the ends of lines.
fn normalised(text: &str) -> Vec<String> {
    text.lines()
        .map(|line| {
            let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            for index in 1..words.len() {
                let unit = words[index].trim_matches(|c: char| ",;)".contains(c));
                let unit = ["s", "ms", "min", "h", "B", "KiB", "MiB", "GiB"].contains(&unit);
                if unit && words[index - 1].parse::<f64>().is_ok() {
                    words[index - 1] = "N".into();
                }
                if words[index].starts_with('(')
                    && words[index].len() >= 14
                    && words[0] == "merkhet"
                {
                    words[index] = "(revision)".into();
                }
            }
            let joined: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
            without_times(&joined.join(" ").replace("N min N s", "N s"))
        })
        .collect()
}

/// Without the values of `time="…"`.
fn without_times(line: &str) -> String {
    let mut parts = line.split("time=\"");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += "time=\"";
        text += part.split_once('"').map_or(part, |(_, rest)| rest);
    }
    text
}

/// Whether the shown lines describe the printed ones.
fn agrees(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "…" => {
            (0..=printed.len()).any(|skip| agrees(rest, &printed[skip..]))
        }
        Some((first, rest)) => printed.first() == Some(first) && agrees(rest, &printed[1..]),
    }
}

fn without_end(text: &str) -> &str {
    text.trim_end_matches('\n')
}

/// Copies the models of a folder and of those in it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).expect("made");
    for entry in std::fs::read_dir(from).expect("examples").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let model = path
            .extension()
            .is_some_and(|ending| ["xml", "xta", "q"].iter().any(|known| ending == *known));
        if path.is_dir() {
            copy(&path, &target);
        } else if model {
            std::fs::copy(path, target).expect("copied");
        }
    }
}

/// Runs the commands of a page in a folder of its own; returns the page as it should be, and what is wrong.
fn check(page: &Path) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&example(""), &folder.path().join("examples"));
    let text = std::fs::read_to_string(page).expect("a page");
    let mut renewed = String::new();
    let mut wrong = Vec::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find("```console\n") {
        let body = start + "```console\n".len();
        renewed += &rest[..body];
        let end = rest[body..].find("```").expect("the end of a block") + body;
        for shown in commands(&rest[body..end]) {
            let lines: Vec<&str> = shown.command.lines().collect();
            let lines = lines.join("\n> ").replace("> \n", ">\n");
            renewed += &format!("$ {lines}\n");
            let runnable = match lines.contains('\n') {
                true => shown.command.as_str(),
                false => shown.command.split(" #").next().unwrap_or_default().trim(),
            };
            let silent = shown.output.is_empty() && is_skipped(runnable);
            if silent {
                continue;
            }
            let printed = execute(runnable, folder.path());
            let fits = agrees(
                &normalised(without_end(&shown.output)),
                &normalised(without_end(&printed)),
            );
            // A command may be shown without its output, to be read and not to be compared.
            let hidden = shown.output.is_empty() && page.ends_with("README.md");
            if fits || hidden {
                renewed += &shown.output;
            } else {
                let name = page.file_name().unwrap_or_default().to_string_lossy();
                wrong.push(format!(
                    "{name}: $ {}\n--- shown\n{}--- printed\n{printed}",
                    shown.command, shown.output
                ));
                renewed += &printed;
            }
        }
        rest = &rest[end..];
    }
    (renewed + rest, wrong)
}

#[test]
fn what_the_book_shows_is_true() {
    let update = std::env::var_os("MERKHET_BOOK").is_some_and(|value| value == "update");
    let mut wrong = Vec::new();
    let mut blocks = 0;
    for page in pages() {
        let (renewed, problems) = check(&page);
        blocks += renewed.matches("```console").count();
        if update {
            std::fs::write(&page, renewed).expect("writable");
        } else {
            wrong.extend(problems);
        }
    }
    assert!(
        blocks > 20,
        "the book shows almost nothing: {blocks} blocks"
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_summary_names_every_page_and_every_link_leads_somewhere() {
    let source = root().join("docs/book/src");
    let summary = std::fs::read_to_string(source.join("SUMMARY.md")).expect("the summary");
    for page in pages().iter().filter(|page| page.starts_with(&source)) {
        let name = page
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("({name})")),
            "{name} is not in the summary"
        );
        let text = std::fs::read_to_string(page).expect("a page");
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let file = link.split('#').next().unwrap_or_default();
            let outside = file.is_empty() || file.starts_with("http");
            assert!(outside || source.join(file).exists(), "{name}: {link}");
        }
    }
}

#[test]
fn the_comparison_can_fail() {
    let lines = |text: &str| normalised(text);
    assert!(agrees(&lines("a 0.12 s\n…\nb"), &lines("a 3.5 s\nx\ny\nb")));
    assert!(!agrees(&lines("a\n…\nb"), &lines("a\nx\nc")));
    assert!(!agrees(&lines("7 states"), &lines("8 states")));
    let figures =
        |states, time| format!("query 1 of 1: {states} states explored; {time} s, 8.1 MiB; bfs");
    assert!(agrees(
        &lines(&figures(7, "0.01")),
        &lines(&figures(7, "2.30"))
    ));
    assert!(!agrees(
        &lines(&figures(7, "0.01")),
        &lines(&figures(8, "0.01"))
    ));
}
