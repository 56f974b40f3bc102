//! The options of `cargo xtask tables`.

use std::path::PathBuf;

use merkhet_bench::tables::{Published, Row};

use crate::words::Words;

/// Which rows to run, and how.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    /// Tables; none: all.
    pub tables: Vec<String>,
    /// Instances; none: all.
    pub rows: Vec<String>,
    /// Configurations; none: all.
    pub configurations: Vec<String>,
    /// Two rows of each table.
    pub smallest: bool,
    /// Seconds for a run.
    pub timeout: u64,
    /// Seconds for a run where the paper's program ran out of memory.
    pub beyond: Option<u64>,
    /// Rows that were run before are not run again.
    pub go_on: bool,
    /// Memory for a run.
    pub memory: String,
    /// Further arguments.
    pub further: Vec<String>,
    /// Our program.
    pub binary: Option<PathBuf>,
    /// List only.
    pub list: bool,
    /// Seeds for each model of published walks.
    pub seeds: u64,
    /// Whether the tables go into their documents.
    pub publish: bool,
}

impl Options {
    /// Reads the arguments after `tables`.
    pub fn parse(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options {
            tables: Vec::new(),
            rows: Vec::new(),
            configurations: Vec::new(),
            smallest: false,
            timeout: 60,
            beyond: None,
            go_on: false,
            memory: "2GiB".into(),
            further: Vec::new(),
            binary: None,
            list: false,
            seeds: 5,
            publish: false,
        };
        let mut words = Words::of("tables", arguments);
        while let Some(option) = words.option() {
            match option {
                "--smallest" => options.smallest = true,
                "--seeds" => options.seeds = words.number::<u64>()?.max(1),
                "--list" => options.list = true,
                "--continue" => options.go_on = true,
                "--publish" => options.publish = true,
                table if !table.starts_with('-') => options.tables.push(table.to_owned()),
                "--rows" => options.rows = words.list()?,
                "--configurations" => options.configurations = words.list()?,
                "--timeout" => options.timeout = words.number()?,
                "--beyond" => options.beyond = Some(words.number()?),
                "--memory-limit" => options.memory = words.value()?.to_owned(),
                "--options" => options.further = words.arguments()?,
                "--binary" => options.binary = Some(words.value()?.into()),
                _ => return Err(words.unknown()),
            }
        }
        let partly = !options.rows.is_empty() || !options.configurations.is_empty();
        match options.publish && (options.smallest || options.go_on || partly) {
            true => Err("published tables are whole, and of one program".into()),
            false => Ok(options),
        }
    }

    /// How long a row may take. Where the paper gives no figure because its program ran out, ours need not be patient.
    pub fn timeout(&self, row: &Row) -> u64 {
        let ran_out = row.published.contains(&Published::Unsolved);
        match self.beyond {
            Some(beyond) if ran_out => beyond,
            _ => self.timeout,
        }
    }

    /// Whether an instance was asked for.
    pub fn names(&self, instance: &str) -> bool {
        self.rows.is_empty()
            || self.rows.iter().any(|name| match name.strip_suffix('*') {
                Some(start) => instance.starts_with(start),
                None => instance == name,
            })
    }

    /// Whether a row was asked for.
    pub fn wants(&self, row: &Row) -> bool {
        let instance = self.names(&row.instance);
        let configuration =
            self.configurations.is_empty() || self.configurations.contains(&row.configuration);
        instance && configuration
    }
}

#[cfg(test)]
mod tests {
    use super::Options;
    use merkhet_bench::tables::parse as table;

    fn parse(arguments: &[&str]) -> Result<Options, String> {
        let arguments: Vec<String> = arguments.iter().map(|text| (*text).to_owned()).collect();
        Options::parse(&arguments)
    }

    #[test]
    fn rows_are_chosen_by_instance_and_configuration() {
        let options = parse(&["004", "--rows", "C1, FA*", "--configurations", "hL"]);
        let options = options.expect("good options");
        assert_eq!(options.tables, ["004"]);
        let rows = table("004").expect("a table").rows;
        let wanted: Vec<&str> = rows
            .iter()
            .filter(|row| options.wants(row))
            .map(|row| row.instance.as_str())
            .collect();
        assert_eq!(wanted, ["C1", "FA5", "FA10", "FA15"]);
    }

    #[test]
    fn bad_options_are_refused() {
        let partly = &["--publish", "--rows", "C1"][..];
        for line in [
            partly,
            &["--rows"],
            &["--timeout", "long"],
            &["--speed", "3"],
        ] {
            assert!(parse(line).is_err(), "{line:?}");
        }
    }
}
