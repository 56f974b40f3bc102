//! The options of `cargo xtask corpus`.

use std::path::PathBuf;
use std::time::Duration;

use crate::words::Words;

/// What to run, and with which limits.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    pub load_only: bool,
    /// The models are not loaded for themselves.
    pub verdicts_only: bool,
    /// Only the evidence of explained rows is looked at.
    pub certify: bool,
    /// A share of all rows, one in this many, instead of the explained ones.
    pub every: Option<usize>,
    pub filter: String,
    pub timeout: Duration,
    pub memory_limit: String,
    pub jobs: usize,
    /// A built program to run instead of building one.
    pub program: Option<PathBuf>,
    /// The search to ask for; the program's own choice if there is none.
    pub search: Option<String>,
    /// Rows that an earlier run has finished are taken over.
    pub resume: bool,
    /// Of these, rows that came to no verdict are tried once more.
    pub again: bool,
    /// The time limit counts the processor's time instead of the clock's.
    pub cpu: bool,
    /// The threads of the last attempt at reachability.
    pub threads: u64,
    /// Whether the counts go into the document.
    pub publish: bool,
}

impl Options {
    /// Reads the arguments after `corpus`.
    pub fn parse(arguments: &[String]) -> Result<Options, String> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let mut options = Options {
            load_only: false,
            verdicts_only: false,
            certify: false,
            every: None,
            filter: String::new(),
            timeout: Duration::from_secs(60),
            memory_limit: "8GiB".into(),
            jobs: cores,
            program: None,
            search: None,
            resume: false,
            again: false,
            cpu: false,
            threads: 1,
            publish: false,
        };
        let mut words = Words::of("corpus", arguments);
        while let Some(option) = words.option() {
            match option {
                "--load-only" => options.load_only = true,
                "--verdicts-only" => options.verdicts_only = true,
                "--certify" => options.certify = true,
                "--every" => options.every = Some(words.number::<usize>()?.max(1)),
                "--resume" => options.resume = true,
                "--again" => options.again = true,
                "--cpu" => options.cpu = true,
                "--publish" => options.publish = true,
                "--filter" => options.filter = words.value()?.to_owned(),
                "--timeout" => options.timeout = Duration::from_secs(words.number()?),
                "--memory-limit" => options.memory_limit = words.value()?.to_owned(),
                "--jobs" => options.jobs = words.number::<usize>()?.clamp(1, 1024),
                "--threads" => options.threads = words.number::<u64>()?.clamp(1, 64),
                "--program" => options.program = Some(words.value()?.into()),
                "--search" => options.search = Some(words.value()?.to_owned()),
                _ => return Err(words.unknown()),
            }
        }
        options.resume |= options.again;
        if options.every.is_some() && !options.certify {
            return Err("--every goes with --certify".into());
        }
        match options.publish && (!options.filter.is_empty() || options.resume) {
            true => Err("the published counts are of all models and of one program".into()),
            false => Ok(options),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    fn parse(line: &str) -> Result<Options, String> {
        Options::parse(
            &line
                .split_whitespace()
                .map(String::from)
                .collect::<Vec<_>>(),
        )
    }

    #[test]
    fn options_are_read() {
        let options = parse(
            "--load-only --filter gate --timeout 5 --memory-limit 1GiB --jobs 3 --resume --search dfs --program m",
        );
        let options = options.expect("good options");
        assert!(options.load_only && options.resume && !options.again && !options.cpu);
        let options_again = parse("--again --cpu --verdicts-only").expect("good options");
        assert!(options_again.resume && options_again.again && options_again.cpu);
        assert!(options_again.verdicts_only && !options_again.load_only);
        assert!(parse("--certify").expect("good options").certify && !options_again.certify);
        assert_eq!(options.search.as_deref(), Some("dfs"));
        assert_eq!(
            parse("--certify --every 9").expect("good options").every,
            Some(9)
        );
        assert_eq!(options.program, Some("m".into()));
        assert_eq!((&*options.filter, &*options.memory_limit), ("gate", "1GiB"));
        assert_eq!((options.timeout.as_secs(), options.jobs), (5, 3));
    }

    #[test]
    fn bad_options_are_refused() {
        let partly = ["--publish --filter gate", "--publish --resume", "--every 3"];
        for line in ["--timeout", "--timeout soon", "--jobs -1", "everything"]
            .into_iter()
            .chain(partly)
        {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
