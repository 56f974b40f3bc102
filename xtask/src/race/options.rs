//! The options of `cargo xtask race`.

use std::path::PathBuf;
use std::time::Duration;

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
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            match name.as_str() {
                "--smallest" => {
                    options.smallest = true;
                    options.runs = 1;
                    continue;
                }
                "--scale" => {
                    options.scale = true;
                    continue;
                }
                "--publish" => {
                    options.publish = true;
                    continue;
                }
                _ => {}
            }
            let value = rest
                .next()
                .ok_or_else(|| format!("`{name}` needs a value, or is not known"))?;
            options.set(name, value)?;
        }
        Ok(options)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "--peer" => {
                let (peer, path) = value.split_once('=').ok_or("`--peer` needs NAME=PATH")?;
                self.peers.push((peer.to_owned(), path.into()));
            }
            "--baseline" => self.baselines.push(value.to_owned()),
            "--variant" => self.variants.push(words(value)),
            "--rows" => self.rows = list(value),
            "--runs" => self.runs = number(name, value)?.clamp(1, 1000) as usize,
            "--timeout" => self.timeout = Duration::from_secs(number(name, value)?),
            "--ours" => self.ours = words(value),
            "--binary" => self.binary = Some(value.into()),
            "--families" => self.families = list(value),
            "--largest" => self.largest = number(name, value)?.min(1000) as u32,
            _ => {
                return Err(format!(
                    "unknown option `{name}`; see cargo xtask race --help"
                ));
            }
        }
        Ok(())
    }
}

fn list(value: &str) -> Vec<String> {
    let parts = value.split(',').map(str::trim);
    parts
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

fn words(value: &str) -> Vec<String> {
    value.split_whitespace().map(str::to_owned).collect()
}

fn number(name: &str, value: &str) -> Result<u64, String> {
    value
        .parse()
        .map_err(|_| format!("`{name}` needs a whole number, not `{value}`"))
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
