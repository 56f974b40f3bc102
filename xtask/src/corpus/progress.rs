//! Rows that are finished, on disk as soon as they are, so that a run can go on where another one ended.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;

use super::table::{get, read};

const HEADER: &str = "file\tquery\toutcome\tfound\ttime\trevision\n";

/// What is kept of a finished row.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    pub outcome: String,
    pub found: String,
    pub time: f64,
    /// Which program decided it.
    pub revision: String,
}

/// The file of finished rows.
pub struct Rows {
    known: HashMap<(String, String), Finished>,
    file: Mutex<File>,
}

impl Rows {
    /// Opens the file; without `resume` it starts empty.
    pub fn open(path: &Path, resume: bool) -> Result<Rows, String> {
        let error = |error: std::io::Error| format!("{}: {error}", path.display());
        let mut known = HashMap::new();
        if resume && path.exists() {
            for row in read(path)? {
                let finished = Finished {
                    outcome: get(&row, "outcome").to_owned(),
                    found: get(&row, "found").to_owned(),
                    time: get(&row, "time").parse().unwrap_or(0.0),
                    revision: get(&row, "revision").to_owned(),
                };
                // The last line may have been cut off.
                if row.contains_key("revision") {
                    let key = (get(&row, "file").to_owned(), get(&row, "query").to_owned());
                    known.insert(key, finished);
                }
            }
        }
        let go_on = !known.is_empty();
        let mut options = OpenOptions::new();
        options
            .create(true)
            .write(true)
            .append(go_on)
            .truncate(!go_on);
        let mut file = options.open(path).map_err(error)?;
        if !go_on {
            file.write_all(HEADER.as_bytes()).map_err(error)?;
        }
        Ok(Rows {
            known,
            file: Mutex::new(file),
        })
    }

    /// A row that an earlier run has finished.
    pub fn known(&self, file: &str, query: &str) -> Option<&Finished> {
        self.known.get(&(file.to_owned(), query.to_owned()))
    }

    /// Adds a row.
    pub fn add(&self, file: &str, query: &str, row: &Finished) -> Result<(), String> {
        let found = row.found.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = format!(
            "{file}\t{query}\t{}\t{found}\t{:.2}\t{}\n",
            row.outcome, row.time, row.revision
        );
        let mut out = self.file.lock().map_err(|error| error.to_string())?;
        out.write_all(line.as_bytes())
            .map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::{Finished, Rows};

    #[test]
    fn finished_rows_come_back() {
        let path = std::env::temp_dir().join(format!("merkhet-rows-{}.tsv", std::process::id()));
        let row = Finished {
            outcome: "agreed".into(),
            found: "satisfied".into(),
            time: 0.5,
            revision: "a1".into(),
        };
        let first = Rows::open(&path, false).expect("a new file");
        first.add("a.xml", "E<> p", &row).expect("a row");
        let second = Rows::open(&path, true).expect("the file");
        assert_eq!(second.known("a.xml", "E<> p"), Some(&row));
        assert_eq!(second.known("a.xml", "E<> q"), None);
        second.add("a.xml", "E<> q", &row).expect("a second row");
        let third = Rows::open(&path, true).expect("the file");
        assert!(third.known("a.xml", "E<> p").is_some() && third.known("a.xml", "E<> q").is_some());
        let fourth = Rows::open(&path, false).expect("the file");
        assert_eq!(fourth.known("a.xml", "E<> p"), None);
        let _ = std::fs::remove_file(&path);
    }
}
