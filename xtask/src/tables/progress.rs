//! Which rows were run before: a line in a file for each, so that a run that was cut short can go on.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use merkhet_bench::tables::{Measured, Row};

/// The rows that are known, and the file that gets the new ones.
pub struct Progress {
    known: HashMap<String, Measured>,
    file: File,
}

impl Progress {
    /// Opens the file of a table; without `go_on` what it holds is forgotten.
    pub fn open(path: &Path, go_on: bool) -> Result<Progress, String> {
        let fail = |error| format!("cannot open {}: {error}", path.display());
        let known = match go_on && path.is_file() {
            true => read(&std::fs::read_to_string(path).map_err(fail)?),
            false => HashMap::new(),
        };
        let file = OpenOptions::new()
            .create(true)
            .write(true)
            .append(go_on)
            .truncate(!go_on)
            .open(path)
            .map_err(fail)?;
        Ok(Progress { known, file })
    }

    /// What came of a row before. One that was left out because its model was not there is run again.
    pub fn get(&self, row: &Row) -> Option<Measured> {
        self.known.get(&key(row)).cloned()
    }

    /// Remembers a row.
    pub fn add(&mut self, row: &Row, measured: &Measured) -> Result<(), String> {
        if measured.skipped {
            return Ok(());
        }
        self.file
            .write_all(line(&key(row), measured).as_bytes())
            .map_err(|error| format!("cannot note a row: {error}"))
    }
}

/// The row's name with all that decides its figures.
fn key(row: &Row) -> String {
    let words = [&row.instance, &row.configuration];
    let options = row.options.join(" ");
    format!("{} {} {options}", words[0], words[1])
}

fn line(key: &str, measured: &Measured) -> String {
    let figure = |value: &Option<f64>| value.map_or("-".to_owned(), |value| value.to_string());
    let figures: Vec<String> = measured.figures.iter().map(figure).collect();
    let problem = measured.problem.as_deref().unwrap_or("");
    let problem = problem.replace(['\t', '\n'], " ");
    format!("{key}\t{}\t{problem}\n", figures.join(" "))
}

/// Lines that cannot be read, such as one that was cut short, count as not there.
fn read(text: &str) -> HashMap<String, Measured> {
    let mut known = HashMap::new();
    for line in text.split_inclusive('\n') {
        let parts: Vec<&str> = line.split('\t').collect();
        let [key, figures, problem] = parts[..] else {
            continue;
        };
        let Some(problem) = problem.strip_suffix('\n') else {
            continue;
        };
        let figures = figures.split(' ').map(|word| word.parse().ok());
        let measured = Measured {
            figures: figures.collect(),
            problem: (!problem.is_empty()).then(|| problem.to_owned()),
            skipped: false,
        };
        known.insert(key.to_owned(), measured);
    }
    known
}

#[cfg(test)]
mod tests {
    use super::{line, read};
    use merkhet_bench::tables::Measured;

    #[test]
    fn rows_are_read_as_they_were_written() {
        let measured = |figures: &[Option<f64>], problem: Option<&str>| Measured {
            figures: figures.to_vec(),
            problem: problem.map(str::to_owned),
            skipped: false,
        };
        let solved = measured(&[Some(7.0), Some(0.25), None], None);
        let cut = measured(&[None, None, None], Some("time limit\treached"));
        let text = line("C1 hL --a b", &solved) + &line("C2 hL", &cut) + "C3 hL\t1 2";
        let known = read(&text);
        assert_eq!(known.len(), 2);
        assert_eq!(known["C1 hL --a b"].figures, solved.figures);
        assert_eq!(known["C1 hL --a b"].problem, None);
        let problem = known["C2 hL"].problem.as_deref();
        assert_eq!(problem, Some("time limit reached"));
    }
}
