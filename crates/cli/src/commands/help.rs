//! Completions, manual pages and the list of heuristics: all from the same definitions as the help.

use std::path::Path;

use anstyle::Style;
use clap::CommandFactory;
use merkhet::{ALL_SEARCHES, HEURISTICS, Spec};

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
    for (title, option, list) in [
        ("Searches", "--search", ALL_SEARCHES),
        ("Heuristics", "--heuristic", HEURISTICS),
    ] {
        text += &format!("{BOLD}{title}{BOLD:#} ({option} NAME)\n\n");
        list.iter().for_each(|spec| text += &entry(spec));
    }
    finish(output::print_styled(&text))
}

fn entry(spec: &Spec) -> String {
    let mut text = format!("  {BOLD}{}{BOLD:#}\n      {}\n", spec.name, spec.summary);
    for (word, content) in [("guarantees", spec.facts), ("from", spec.citation)] {
        if !content.is_empty() {
            text += &format!("      {word}: {content}\n");
        }
    }
    text + "\n"
}
