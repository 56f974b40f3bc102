//! Every agreed form of the command line is taken, and what it means.

use clap::{CommandFactory, Parser};

use super::{Cli, Command, Extrapolation, Inclusion, Reduction, ReportFormat, TraceKind};

fn parse(line: &str) -> Result<Command, String> {
    Cli::try_parse_from(std::iter::once("merkhet").chain(line.split_whitespace()))
        .map(|cli| cli.command)
        .map_err(|error| error.to_string())
}

fn check_args(line: &str) -> Box<super::CheckArgs> {
    match parse(line) {
        Ok(Command::Check(args)) => args,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn the_definition_is_consistent() {
    Cli::command().debug_assert();
}

/// Arguments about files, reports and limits, and those that say themselves what they go with.
const NOT_OF_THE_SEARCH: &[&str] = &[
    "model",
    "queries",
    "more",
    "query",
    "all-traces",
    "expect",
    "trace-style",
    "trace-out",
    "splits-out",
    "jobs",
    "verbose",
    "progress",
    "one-of-many",
    "set",
    "format",
    "engine",
    "order",
    "reorder",
    "abstract",
    "abstract-time",
    "patterns",
    "hosts",
    "process",
    "wait",
    "checkpoint",
    "every",
    "resume",
    "timeout",
    "memory-limit",
    "no-certify",
    "color",
    "help",
    "version",
];

/// Every option of a search says what it means something to, or it would be taken where it does nothing.
#[test]
fn every_option_of_check_says_what_it_is_for() {
    let mut command = Cli::command();
    command.build();
    let check = command.find_subcommand("check").expect("the command");
    let names: Vec<&str> = check
        .get_arguments()
        .map(|argument| argument.get_long().unwrap_or(argument.get_id().as_str()))
        .collect();
    let of_search = |name: &str| {
        let long = format!("--{name}");
        (merkhet::OPTIONS.iter()).any(|spec| spec.name.split(' ').next() == Some(&long))
    };
    for name in &names {
        assert!(
            of_search(name) != NOT_OF_THE_SEARCH.contains(name),
            "--{name} needs an entry in merkhet::OPTIONS"
        );
    }
    for spec in merkhet::OPTIONS {
        let known = spec
            .name
            .split(' ')
            .next()
            .and_then(|name| name.strip_prefix("--"));
        assert!(
            known.is_some_and(|known| names.contains(&known)),
            "{}",
            spec.name
        );
    }
}

#[test]
fn check_takes_the_agreed_options() {
    let args = check_args(
        "check m.xml -q p -q r --search bfs --heuristic hl --trace shortest --format json \
         --timeout 1h30m --memory-limit 8GiB --seed 7 --threads 2",
    );
    assert_eq!(args.model.to_str(), Some("m.xml"));
    assert_eq!(args.query, ["p", "r"]);
    assert_eq!(args.search.as_deref(), Some("bfs"));
    assert_eq!(
        args.heuristic.map(|spec| spec.to_string()),
        Some("hl".into())
    );
    assert_eq!(args.trace, TraceKind::Shortest);
    assert_eq!(args.format, ReportFormat::Json);
    assert_eq!(args.timeout.map(|timeout| timeout.as_secs()), Some(5400));
    assert_eq!(args.memory_limit, Some(8 << 30));
    assert_eq!((args.seed, args.threads), (Some(7), 2));
}

#[test]
fn check_takes_the_engine_options() {
    let args = check_args(
        "check m.xml q.q --extrapolation lu+ --inclusion alu --bitstate --max-states 5 \
         --certificate c --reduce",
    );
    assert_eq!(
        args.queries.as_deref().and_then(|path| path.to_str()),
        Some("q.q")
    );
    assert_eq!(args.extrapolation, Some(Extrapolation::LuPlus));
    assert_eq!(args.inclusion, Some(Inclusion::Alu));
    assert!(args.bitstate);
    assert_eq!(args.max_states, Some(5));
    assert!(args.certificate.is_some());
    assert_eq!(args.reduce, Some(vec![Reduction::Safe]));
    assert_eq!(
        check_args("check --reduce coi m.xml").reduce,
        Some(vec![Reduction::Coi])
    );
}

#[test]
fn the_other_commands_are_there() {
    for line in [
        "show m.xml",
        "show m.xml q.q --format dot --reduce safe",
        "lint m.xml --format json --allow x --deny-warnings",
        "certify m.xml proof",
        "cluster run -p 2 -- check m.xml",
        "check m.xml --hosts h --process 1 --wait 5s",
        "--color never lint m.xml",
        "lint m.xml --color always",
    ] {
        assert!(parse(line).is_ok(), "{line}: {:?}", parse(line));
    }
}

#[test]
fn bad_lines_are_refused() {
    for line in [
        "",
        "chek m.xml",
        "check",
        "check m.xml --threads 0",
        "check m.xml --timeout soon",
        "check m.xml --memory-limit 0",
        "check m.xml --extrapolation lu++",
        "check m.xml --format yaml",
        "check m.xml --reduce all",
        "certify m.xml",
        "cluster run -- check m.xml",
        "check m.xml --process 1",
        "show m.xml --format human",
    ] {
        assert!(parse(line).is_err(), "{line}");
    }
}
