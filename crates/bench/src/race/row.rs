//! The rows of a race: a table with tabs and a header line.

use std::collections::BTreeMap;

/// Where a model lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Below the workspace.
    Workspace(String),
    /// Below the folder of shared collections.
    Shared(String),
}

/// A row of a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// The model.
    pub model: Place,
    /// The query; none: explore everything.
    pub query: Option<String>,
    /// Our arguments after the model.
    pub ours: Vec<String>,
    /// For each peer the arguments of each of its algorithms, before the model. The best known comes first.
    pub peers: BTreeMap<String, Vec<Vec<String>>>,
}

/// Columns that are no peers.
const OWN: [&str; 4] = ["row", "model", "query", "ours"];

/// Reads the table. `-` is an empty cell; lines with `#` are comments.
pub fn parse(text: &str) -> Result<Vec<Row>, String> {
    let mut lines = text.lines().enumerate();
    let (_, header) = lines.next().ok_or("the table is empty")?;
    let header: Vec<&str> = header.split('\t').collect();
    if header.get(..OWN.len()) != Some(&OWN) {
        return Err(format!("the columns start with {}", OWN.join(", ")));
    }
    let mut rows: Vec<Row> = Vec::new();
    for (index, line) in lines {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let row =
            parse_row(&header, line).map_err(|error| format!("line {}: {error}", index + 1))?;
        if rows.iter().any(|other| other.name == row.name) {
            return Err(format!("line {}: `{}` is there twice", index + 1, row.name));
        }
        rows.push(row);
    }
    Ok(rows)
}

fn parse_row(header: &[&str], line: &str) -> Result<Row, String> {
    let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
    if cells.len() != header.len() {
        return Err(format!("{} cells, not {}", cells.len(), header.len()));
    }
    let model = match cells[1].strip_prefix("shared:") {
        Some(path) => Place::Shared(path.to_owned()),
        None => Place::Workspace(cells[1].to_owned()),
    };
    let peers = header.iter().zip(&cells).skip(OWN.len());
    Ok(Row {
        name: cells[0].to_owned(),
        model,
        query: filled(cells[2]).map(str::to_owned),
        ours: words(cells[3]),
        peers: peers
            .filter_map(|(name, cell)| {
                let algorithms = filled(cell)?.split(';').map(words).collect();
                Some(((*name).to_owned(), algorithms))
            })
            .collect(),
    })
}

fn filled(cell: &str) -> Option<&str> {
    (!cell.is_empty() && cell != "-").then_some(cell)
}

fn words(cell: &str) -> Vec<String> {
    filled(cell)
        .unwrap_or("")
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Place, parse};
    use crate::race::ROWS;

    #[test]
    fn rows_are_read() {
        let text = "row\tmodel\tquery\tours\tpeer\n# a remark\n\
            a\tshared:m/x.tck\tE<> bad\t--search dfs\t-a one; -a two -s x\n\
            b\texamples/y.xml\t-\t-\t-\n";
        let rows = parse(text).expect("a good table");
        assert_eq!(rows[0].model, Place::Shared("m/x.tck".into()));
        assert_eq!(rows[0].query.as_deref(), Some("E<> bad"));
        assert_eq!(rows[0].ours, ["--search", "dfs"]);
        assert_eq!(
            rows[0].peers["peer"],
            [vec!["-a", "one"], vec!["-a", "two", "-s", "x"]]
        );
        assert_eq!(rows[1].model, Place::Workspace("examples/y.xml".into()));
        assert!(rows[1].query.is_none() && rows[1].ours.is_empty() && rows[1].peers.is_empty());
    }

    #[test]
    fn bad_tables_are_refused() {
        for text in [
            "",
            "name\tmodel\n",
            "row\tmodel\tquery\tours\na\tb\n",
            "row\tmodel\tquery\tours\na\tb\t-\t-\na\tb\t-\t-\n",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn our_own_table_is_good() {
        let rows = parse(ROWS).expect("a good table");
        assert!(rows.len() >= 14);
        assert!(
            matches!(rows[0].model, Place::Workspace(_)),
            "the first row runs everywhere"
        );
    }
}
