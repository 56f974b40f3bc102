//! Project tasks: everything that a developer or the continuous integration runs, as one command.
//!
//! A task is one file plus one line in [`TASKS`]; the help is derived from that list.

mod auto;
mod bench;
mod convert;
mod corpus;
mod program;
mod progress;
mod publish;
mod race;
mod random;
mod release;
mod scale;
mod site;
mod smv;
mod soak;
mod steps;
mod tables;
mod test;
mod wheel;
mod words;

use std::process::ExitCode;

/// A task that `cargo xtask NAME` runs.
struct Task {
    name: &'static str,
    summary: &'static str,
    help: &'static str,
    /// An error is printed, unless it is empty because the task has said all itself.
    run: fn(&[String]) -> Result<(), String>,
}

/// Every task, in the order of the help.
const TASKS: &[Task] = &[
    Task {
        name: "test",
        summary: "formatting, lints, build, all tests, documentation; what CI runs",
        help: test::HELP,
        run: test::run,
    },
    Task {
        name: "corpus",
        summary: "load the collection of real models and compare verdicts with the recorded ones",
        help: corpus::HELP,
        run: corpus::run,
    },
    Task {
        name: "convert",
        summary: "convert the collection of real models from one language to another and compare verdicts",
        help: convert::HELP,
        run: convert::run,
    },
    Task {
        name: "random",
        summary: "random networks in every way against the oracles: verdicts, traces, certificates",
        help: random::HELP,
        run: random::run,
    },
    Task {
        name: "soak",
        summary: "random models of every kind against all oracles for hours; findings become small tests",
        help: soak::HELP,
        run: soak::run,
    },
    Task {
        name: "race",
        summary: "run next to another program or an older self: time, memory, states; and how both scale",
        help: race::HELP,
        run: race::run,
    },
    Task {
        name: "bench",
        summary: "micro-benchmarks of the zone kernel and of the store",
        help: bench::HELP,
        run: bench::run,
    },
    Task {
        name: "tables",
        summary: "the papers' tables with our figures next to theirs: states, time, traces; pages with plots",
        help: tables::HELP,
        run: tables::run,
    },
    Task {
        name: "auto",
        summary: "the automatic search next to single ones on the real models: states to errors, time of proofs",
        help: auto::HELP,
        run: auto::run,
    },
    Task {
        name: "decisions",
        summary: "100,000 decisions of predicate abstraction next to those of Z3",
        help: test::decisions::HELP,
        run: test::decisions::run,
    },
    Task {
        name: "scale",
        summary: "what a search would take on 16 or 256 hosts, from what it costs here",
        help: scale::HELP,
        run: scale::run,
    },
    Task {
        name: "smv",
        summary: "the shared SMV models against recorded verdicts, and next to NuSMV where it is at hand",
        help: smv::HELP,
        run: smv::run,
    },
    Task {
        name: "release",
        summary: "what a person downloads: archive, Debian package, checksums, bill of materials; built and tried",
        help: release::HELP,
        run: release::run,
    },
    Task {
        name: "site",
        summary: "the book rendered, with the library's documentation next to it",
        help: site::HELP,
        run: site::run,
    },
    Task {
        name: "wheel",
        summary: "the Python package: one wheel with the module and the program",
        help: wheel::HELP,
        run: wheel::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(name) = arguments.first() else {
        eprint!("{}", overview());
        return ExitCode::from(2);
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        print!("{}", overview());
        return ExitCode::SUCCESS;
    }
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        eprint!("error: no task is called `{name}`\n\n{}", overview());
        return ExitCode::from(2);
    };
    if arguments[1..]
        .iter()
        .any(|argument| matches!(argument.as_str(), "--help" | "-h"))
    {
        println!(
            "cargo xtask {}: {}\n\n{}",
            task.name, task.summary, task.help
        );
        return ExitCode::SUCCESS;
    }
    match (task.run)(&arguments[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            if !message.is_empty() {
                eprintln!("error: {message}");
            }
            ExitCode::FAILURE
        }
    }
}

fn overview() -> String {
    let mut text = String::from("Usage: cargo xtask TASK [OPTIONS]\n\nTasks:\n");
    for task in TASKS {
        text.push_str(&format!("  {:<9}  {}\n", task.name, task.summary));
    }
    text.push_str("\n`cargo xtask TASK --help` says more about one of them.\n");
    text
}
