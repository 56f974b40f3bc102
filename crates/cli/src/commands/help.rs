//! Completions, manual pages and the list of heuristics: all from the same definitions as the help.

use std::path::Path;

use anstyle::Style;
use clap::CommandFactory;
use merkhet::{ALL_SEARCHES, HEURISTICS, HeuristicEntry, Spec};

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::exit::Exit;
use crate::output::{self, OutputError};

const BOLD: Style = Style::new().bold();

fn finish(written: Result<(), OutputError>) -> Exit {
    match written {
        Ok(()) | Err(OutputError::Closed) => Exit::Satisfied,
        Err(problem) => {
            output::report(&problem);
            Exit::BadInput
        }
    }
}

/// Runs `merkhet completions`.
pub fn completions(args: &CompletionsArgs) -> Exit {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "merkhet", &mut text);
    finish(output::print_plain(&String::from_utf8_lossy(&text)))
}

/// Runs `merkhet man`.
pub fn man(args: &ManArgs) -> Exit {
    let mut command = Cli::command();
    command.build();
    let page = |command: clap::Command, title: &str| {
        let mut text = Vec::new();
        let rendered = clap_mangen::Man::new(command)
            .title(title)
            .render(&mut text);
        rendered.map(|()| String::from_utf8_lossy(&text).into_owned())
    };
    let Some(folder) = &args.out else {
        return finish(
            page(command, "merkhet")
                .map_err(OutputError::from)
                .and_then(|text| output::print_plain(&text)),
        );
    };
    if !folder.is_dir() {
        output::error(&format!(
            "{} is no folder; make it first (mkdir -p {})",
            folder.display(),
            folder.display()
        ));
        return Exit::BadInput;
    }
    let mut pages = vec![("merkhet".to_string(), command.clone())];
    for one in command
        .get_subcommands()
        .filter(|one| one.get_name() != "help")
    {
        let name = format!("merkhet-{}", one.get_name());
        pages.push((name, one.clone()));
    }
    for (name, command) in pages {
        let written = page(command, &name)
            .map_err(|error| error.to_string())
            .and_then(|text| {
                output::write_file(&Path::new(folder).join(format!("{name}.1")), &text)
            });
        if let Err(message) = written {
            output::error(&message);
            return Exit::BadInput;
        }
    }
    Exit::Satisfied
}

/// Runs `merkhet heuristics`.
pub fn heuristics() -> Exit {
    let mut text = String::new();
    text += &format!("{BOLD}Searches{BOLD:#} (--search NAME)\n\n");
    ALL_SEARCHES.iter().for_each(|spec| text += &search(spec));
    text += &format!("{BOLD}Heuristics{BOLD:#} (--heuristic NAME)\n\n");
    (HEURISTICS.iter()).for_each(|entry| text += &heuristic(entry));
    finish(output::print_styled(&text))
}

/// Runs `merkhet tunables`.
pub fn tunables() -> Exit {
    let mut text = format!("{BOLD}Tunables{BOLD:#} (check --set NAME=VALUE)\n\n");
    for tunable in merkhet::tuning::KNOWN.iter().copied().flatten() {
        let (low, high) = tunable.range;
        text += &format!(
            "  {BOLD}{}{BOLD:#} = {} ({low} to {high})\n      {}\n",
            tunable.name, tunable.default, tunable.why
        );
    }
    finish(output::print_styled(&text))
}

fn search(spec: &Spec) -> String {
    head(spec.name, spec.summary, spec.facts, spec.citation) + "\n"
}

fn heuristic(entry: &HeuristicEntry) -> String {
    let name = entry.name;
    let mut text = head(name, entry.summary, &entry.guarantees(), entry.citation);
    text += &format!("      {}\n", entry.description);
    for variant in entry.variants {
        text += &format!("      {name}:{}: {}\n", variant.name, variant.meaning);
    }
    for option in entry.options {
        let default = match option.default {
            "" => String::new(),
            default => format!(", {default} by default"),
        };
        text += &format!(
            "      {}=…: {} ({}{default})\n",
            option.name, option.meaning, option.values
        );
    }
    text + "\n"
}

/// What searches and heuristics have in common.
fn head(name: &str, summary: &str, guarantees: &str, citation: &str) -> String {
    let mut text = format!("  {BOLD}{name}{BOLD:#}\n      {summary}\n");
    for (word, content) in [("guarantees", guarantees), ("from", citation)] {
        if !content.is_empty() {
            text += &format!("      {word}: {content}\n");
        }
    }
    text
}
