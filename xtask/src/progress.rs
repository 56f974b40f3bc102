//! Rows that are finished, on disk as soon as they are, so that a run that was cut short can go on.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;

/// The rows that are known, and the file that gets the new ones: lines of cells with tabs between them, the first of which
/// name the row.
pub struct Progress {
    known: HashMap<Vec<String>, Vec<String>>,
    file: Mutex<File>,
}

impl Progress {
    /// Opens a file of lines with a number of naming cells and of others. Unless it is to go on, it starts empty. Lines
    /// of another form, such as one that was cut off, count as not there.
    pub fn open(
        path: &Path,
        go_on: bool,
        naming: usize,
        others: usize,
    ) -> Result<Progress, String> {
        let fail = |error| format!("cannot open {}: {error}", path.display());
        let mut known = HashMap::new();
        if go_on && path.is_file() {
            let text = std::fs::read_to_string(path).map_err(fail)?;
            for line in text
                .split_inclusive('\n')
                .filter_map(|line| line.strip_suffix('\n'))
            {
                let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
                if cells.len() == naming + others {
                    known.insert(cells[..naming].to_vec(), cells[naming..].to_vec());
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
        let file = Mutex::new(options.open(path).map_err(fail)?);
        Ok(Progress { known, file })
    }

    /// The other cells of a row that an earlier run has finished.
    pub fn known(&self, name: &[&str]) -> Option<&[String]> {
        let name: Vec<String> = name.iter().map(|cell| clean(cell)).collect();
        self.known.get(&name).map(Vec::as_slice)
    }

    /// Notes a row.
    pub fn add(&self, name: &[&str], others: &[String]) -> Result<(), String> {
        let cells = name
            .iter()
            .copied()
            .chain(others.iter().map(String::as_str));
        let line: Vec<String> = cells.map(clean).collect();
        let mut file = self.file.lock().map_err(|error| error.to_string())?;
        file.write_all(format!("{}\n", line.join("\t")).as_bytes())
            .map_err(|error| format!("cannot note a row: {error}"))
    }
}

/// A cell in one line without tabs.
fn clean(cell: &str) -> String {
    cell.replace(['\t', '\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn finished_rows_come_back() {
        let path = std::env::temp_dir().join(format!("merkhet-rows-{}.tsv", std::process::id()));
        let open = |go_on| Progress::open(&path, go_on, 2, 1).expect("a file");
        let first = open(false);
        first
            .add(&["a.xml", "E<> p"], &["agreed\tso".into()])
            .expect("a row");
        std::fs::write(
            &path,
            std::fs::read_to_string(&path).expect("rows") + "a.xml\tcut off",
        )
        .expect("a line");
        let second = open(true);
        assert_eq!(
            second.known(&["a.xml", "E<> p"]),
            Some(&["agreed so".to_owned()][..])
        );
        assert_eq!(second.known(&["a.xml", "E<> q"]), None);
        assert_eq!(open(false).known(&["a.xml", "E<> p"]), None);
        let _ = std::fs::remove_file(&path);
    }
}
