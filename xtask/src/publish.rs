//! Tables in the documents that tasks write themselves: between two markers, each row with the commit that it was
//! measured at, so that no figure stands there whose origin is unknown.

use std::path::Path;
use std::process::Command;

use crate::race::write;
use crate::steps::workspace_root;

const END: &str = "<!-- end of the table -->";

/// A table in a document.
pub struct Published {
    /// Its path below the workspace.
    pub document: &'static str,
    /// The task that writes it.
    pub task: &'static str,
    /// Its columns; the commit comes after them.
    pub header: &'static [&'static str],
    /// The leading cells that name what a row is about: a new measurement replaces the rows that agree there.
    pub key: usize,
}

/// Every table that a task publishes.
#[cfg(test)]
const ALL: &[&Published] = &[
    &crate::race::PUBLISHED,
    &crate::auto::PUBLISHED,
    &crate::auto::families::PUBLISHED,
    &crate::corpus::PUBLISHED,
];

type Cells = Vec<String>;

impl Published {
    /// Puts rows into the document, with the commit that `program` says it was built from.
    pub fn write(&self, rows: &[Cells], program: &Path) -> Result<(), String> {
        let commit = commit(program)?;
        edit(self.document, |text| self.replaced(text, rows, &commit))
    }

    fn replaced(&self, text: &str, rows: &[Cells], commit: &str) -> Result<String, String> {
        let (before, old, after) = parts(text, self.task)?;
        let mut table: Vec<Cells> = old.lines().filter_map(cells).skip(2).collect();
        let about = |row: &Cells| row[..self.key.min(row.len())].to_vec();
        let replaced = |row: &Cells| rows.iter().any(|new| about(new) == about(row));
        // New rows stand where the first of the old ones stood.
        let place = table.iter().position(&replaced).unwrap_or(table.len());
        table.retain(|row| !replaced(row));
        let place = place.min(table.len());
        let new = rows
            .iter()
            .map(|row| [row.as_slice(), &[format!("`{commit}`")]].concat());
        table.splice(place..place, new);

        let mut commits: Vec<&String> = table.iter().filter_map(|row| row.last()).collect();
        commits.sort();
        commits.dedup();
        let commits: Vec<&str> = commits.into_iter().map(String::as_str).collect();
        let caption = caption(self.task, &commits.join(", "));
        let mut header: Cells = self.header.iter().map(|name| (*name).to_owned()).collect();
        header.push("commit".into());
        let rule = vec!["---".to_owned(); header.len()];
        let lines: Vec<String> = [header, rule]
            .iter()
            .chain(&table)
            .map(|row| format!("| {} |", row.join(" | ")))
            .collect();
        let lines = lines.join("\n");
        Ok(format!("{before}{caption}\n\n{lines}\n{after}"))
    }
}

/// Puts a whole table of a paper into its document, with the commit that `program` says it was built from.
pub fn whole(document: &str, task: &str, table: &str, program: &Path) -> Result<(), String> {
    let caption = caption(task, &format!("`{}`", commit(program)?));
    edit(document, |text| {
        let (before, _, after) = parts(text, task)?;
        Ok(format!("{before}{caption}\n\n{table}{after}"))
    })
}

fn edit(document: &str, change: impl Fn(&str) -> Result<String, String>) -> Result<(), String> {
    let path = workspace_root().join(document);
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| wrong(&error))?;
    write(&path, &change(&text).map_err(|error| wrong(&error))?)?;
    println!("The table is in {}", path.display());
    Ok(())
}

/// What stands before the table of a task, the table with its caption, and what stands behind it.
fn parts<'a>(text: &'a str, task: &str) -> Result<(&'a str, &'a str, &'a str), String> {
    let start = format!("<!-- written by cargo xtask {task} --publish -->\n");
    let place = text.find(&start).map(|place| place + start.len());
    let place = place.ok_or_else(|| format!("no line {}", start.trim()))?;
    let end = text[place..].find(END).map(|end| place + end);
    let end = end.ok_or_else(|| format!("no line {END}"))?;
    Ok((&text[..place], &text[place..end], &text[end..]))
}

fn caption(task: &str, commits: &str) -> String {
    format!("Made by `cargo xtask {task} --publish` at commit {commits}.")
}

/// The cells of a line, if it is one of a table.
fn cells(line: &str) -> Option<Cells> {
    let inner = line.strip_prefix("| ")?.strip_suffix(" |")?;
    Some(
        inner
            .split(" | ")
            .map(|cell| cell.trim().to_owned())
            .collect(),
    )
}

/// The commit that a program was built from. Changes that are not committed have no name that a table could give.
fn commit(program: &Path) -> Result<String, String> {
    let output = |command: &mut Command| {
        let output = command.output().map_err(|error| error.to_string())?;
        Ok::<String, String>(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let version = output(Command::new(program).arg("--version"))?;
    let revision = version
        .split_once('(')
        .and_then(|(_, rest)| rest.split_once(')'));
    let (revision, _) =
        revision.ok_or("the program does not say which commit it was built from")?;
    let status = [
        "status",
        "--porcelain",
        "--",
        "crates",
        "Cargo.toml",
        "Cargo.lock",
    ];
    let changed = output(
        Command::new("git")
            .args(status)
            .current_dir(workspace_root()),
    )?;
    match changed.is_empty() {
        true => Ok(revision.chars().take(7).collect()),
        false => Err(
            "there are changes that are not committed: no commit names what was measured".into(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, Published};
    use crate::steps::workspace_root;

    const TABLE: Published = Published {
        document: "docs/none.md",
        task: "race",
        header: &["row", "s"],
        key: 1,
    };

    fn rows(text: &[[&str; 2]]) -> Vec<Vec<String>> {
        let row = |cells: &[&str; 2]| cells.map(str::to_owned).to_vec();
        text.iter().map(row).collect()
    }

    #[test]
    fn new_rows_replace_old_ones_of_the_same_name() {
        let empty =
            "a\n\n<!-- written by cargo xtask race --publish -->\n<!-- end of the table -->\nb\n";
        let first = TABLE.replaced(empty, &rows(&[["x", "1"], ["y", "2"]]), "aaaaaaa");
        let first = first.expect("markers");
        let second = TABLE.replaced(&first, &rows(&[["x", "3"]]), "bbbbbbb");
        let second = second.expect("markers");
        assert!(second.contains("at commit `aaaaaaa`, `bbbbbbb`.\n\n| row | s | commit |\n"));
        assert!(second.contains("| x | 3 | `bbbbbbb` |\n| y | 2 | `aaaaaaa` |\n<!-- end"));
        assert!(second.starts_with("a\n\n<!--") && second.ends_with("-->\nb\n"));
        assert!(TABLE.replaced("no markers", &[], "aaaaaaa").is_err());
    }

    /// Every published table is as its task would write it, and each of its rows names a commit.
    #[test]
    fn documents_hold_what_their_tasks_write() {
        for table in ALL {
            let path = workspace_root().join(table.document);
            let text = std::fs::read_to_string(&path).expect("a document");
            let again = table.replaced(&text, &[], "").expect("markers");
            assert_eq!(text, again, "{}", table.document);
            let rows = text
                .lines()
                .filter(|line| line.starts_with("| ") && line.ends_with(" |"));
            for row in rows.skip(2) {
                let commit = row.rsplit(" | ").next().unwrap_or_default();
                let hash = commit.trim_matches([' ', '|', '`']);
                assert!(
                    hash.len() == 7 && hash.chars().all(|digit| digit.is_ascii_hexdigit()),
                    "{}: {row}",
                    table.document
                );
            }
        }
    }
}
