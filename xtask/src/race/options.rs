//! The options of `cargo xtask race`.

use std::path::PathBuf;
use std::time::Duration;

use crate::words::Words;

/// Who races, on what, and how often.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    /// Peers by name.
    pub peers: Vec<(String, PathBuf)>,
    /// Revisions of our own.
    pub baselines: Vec<String>,
    /// Further arguments of our own program, each a contestant.
    pub variants: Vec<Vec<String>>,
    /// Parts of names of rows; none: all rows.
    pub rows: Vec<String>,
    /// Only the first row, once.
    pub smallest: bool,
    /// Runs of each program on each row.
    pub runs: usize,
    /// The longest time of a run.
    pub timeout: Duration,
    /// Further arguments of our program.
    pub ours: Vec<String>,
    /// Our program, if it is not to be built.
    pub binary: Option<PathBuf>,
    /// Growing models instead of rows.
    pub scale: bool,
    /// Families for `--scale`; none: all.
    pub families: Vec<String>,
    /// The largest N for `--scale`.
    pub largest: u32,
    /// Whether the rows go into the document.
    pub publish: bool,
}

impl Options {
    /// Reads the arguments after `race`.
    pub fn parse(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options {
            peers: Vec::new(),
            baselines: Vec::new(),
            variants: Vec::new(),
            rows: Vec::new(),
            smallest: false,
            runs: 5,
            timeout: Duration::from_secs(600),
            ours: Vec::new(),
            binary: None,
            scale: false,
            families: Vec::new(),
            largest: 200,
            publish: false,
        };
        let mut words = Words::of("race", arguments);
        while let Some(option) = words.option() {
            match option {
                "--smallest" => (options.smallest, options.runs) = (true, 1),
                "--scale" => options.scale = true,
                "--publish" => options.publish = true,
                "--peer" => {
                    let pair = words.value()?.split_once('=');
                    let (peer, path) = pair.ok_or("`--peer` needs NAME=PATH")?;
                    options.peers.push((peer.to_owned(), path.into()));
                }
                "--baseline" => options.baselines.push(words.value()?.to_owned()),
                "--variant" => options.variants.push(words.arguments()?),
                "--rows" => options.rows = words.list()?,
                "--runs" => options.runs = words.number::<usize>()?.clamp(1, 1000),
                "--timeout" => options.timeout = Duration::from_secs(words.number()?),
                "--ours" => options.ours = words.arguments()?,
                "--binary" => options.binary = Some(words.value()?.into()),
                "--families" => options.families = words.list()?,
                "--largest" => options.largest = words.number::<u32>()?.min(1000),
                _ => return Err(words.unknown()),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    fn parse(arguments: &[&str]) -> Result<Options, String> {
        let arguments: Vec<String> = arguments.iter().map(|text| (*text).to_owned()).collect();
        Options::parse(&arguments)
    }

    #[test]
    fn options_are_read() {
        let options = parse(&[
            "--peer",
            "tchecker=/bin/tck-reach",
            "--baseline",
            "HEAD~3",
            "--variant",
            "--threads 2",
            "--rows",
            "fischer, fddi_10",
            "--runs",
            "7",
            "--timeout",
            "30",
        ]);
        let options = options.expect("good options");
        assert_eq!(options.peers[0].0, "tchecker");
        assert_eq!(options.baselines, ["HEAD~3"]);
        assert_eq!(options.variants, [["--threads", "2"]]);
        assert_eq!(options.rows, ["fischer", "fddi_10"]);
        assert_eq!((options.runs, options.timeout.as_secs()), (7, 30));
        assert!(parse(&["--smallest"]).is_ok_and(|options| options.runs == 1));
    }

    #[test]
    fn bad_options_are_refused() {
        for line in [
            &["--peer", "x"][..],
            &["--runs", "many"],
            &["--runs"],
            &["--speed", "3"],
            &["fischer"],
        ] {
            assert!(parse(line).is_err(), "{line:?}");
        }
    }
}
