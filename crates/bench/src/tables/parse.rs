//! Reads the files of a table.

use super::{Published, Row, Source, TABLES, Table};

/// Columns before the figures.
const FIXED: [&str; 6] = [
    "instance",
    "configuration",
    "model",
    "query",
    "options",
    "note",
];

/// The table of this name.
pub fn parse(name: &str) -> Result<Table, String> {
    let entry = TABLES
        .iter()
        .find(|entry| entry.name == name)
        .ok_or_else(|| {
            let known: Vec<&str> = TABLES.iter().map(|entry| entry.name).collect();
            format!(
                "no table is called `{name}`; there are {}",
                known.join(", ")
            )
        })?;
    parse_files(entry.name, entry.title, entry.paper, entry.files)
}

/// Reads files into one table; their figures are united by name.
pub(super) fn parse_files(
    name: &str,
    title: &str,
    paper: &str,
    files: &[(&str, &str)],
) -> Result<Table, String> {
    let mut table = Table {
        name: name.to_owned(),
        title: title.to_owned(),
        paper: paper.to_owned(),
        figures: Vec::new(),
        rows: Vec::new(),
    };
    for (file, text) in files {
        read(&mut table, text).map_err(|error| format!("{file}: {error}"))?;
    }
    let figures = table.figures.len();
    for row in &mut table.rows {
        row.published.resize(figures, Published::Unknown);
    }
    Ok(table)
}

fn read(table: &mut Table, text: &str) -> Result<(), String> {
    let mut lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (_, header) = lines.next().ok_or("the file is empty")?;
    let header: Vec<&str> = header.split('\t').map(str::trim).collect();
    let Some(names) = header
        .strip_prefix(&FIXED)
        .filter(|names| !names.is_empty())
    else {
        return Err(format!(
            "the columns start with {}, then figures",
            FIXED.join(", ")
        ));
    };
    let columns: Vec<usize> = names.iter().map(|name| column(table, name)).collect();
    for (index, line) in lines {
        let row = row(table.figures.len(), &columns, line)
            .map_err(|error| format!("line {}: {error}", index + 1))?;
        let twin = |other: &Row| {
            other.instance == row.instance && other.configuration == row.configuration
        };
        if table.rows.iter().any(twin) {
            return Err(format!(
                "line {}: {} with {} is there twice",
                index + 1,
                row.instance,
                row.configuration
            ));
        }
        table.rows.push(row);
    }
    Ok(())
}

fn column(table: &mut Table, name: &str) -> usize {
    match table.figures.iter().position(|known| known == name) {
        Some(at) => at,
        None => {
            table.figures.push(name.to_owned());
            table.figures.len() - 1
        }
    }
}

fn row(figures: usize, columns: &[usize], line: &str) -> Result<Row, String> {
    let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
    let expected = FIXED.len() + columns.len();
    if cells.len() != expected {
        return Err(format!("{} cells, not {expected}", cells.len()));
    }
    let mut published = vec![Published::Unknown; figures];
    for (column, cell) in columns.iter().zip(&cells[FIXED.len()..]) {
        published[*column] = figure(cell)?;
    }
    Ok(Row {
        instance: cells[0].to_owned(),
        configuration: cells[1].to_owned(),
        model: source(cells[2]),
        query: filled(cells[3]).map(str::to_owned),
        options: filled(cells[4])
            .unwrap_or("")
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
        note: filled(cells[5]).map(str::to_owned),
        published,
    })
}

fn source(cell: &str) -> Source {
    if let Some(path) = cell.strip_prefix("shared:") {
        return Source::Shared(path.to_owned());
    }
    match cell.strip_prefix("generate:") {
        Some(words) => Source::Generated(words.split_whitespace().map(str::to_owned).collect()),
        None => Source::Workspace(cell.to_owned()),
    }
}

fn figure(cell: &str) -> Result<Published, String> {
    match cell {
        "-" | "" => Ok(Published::Unknown),
        ">" => Ok(Published::Unsolved),
        _ => match cell.parse::<f64>() {
            Ok(value) if value.is_finite() && value >= 0.0 => Ok(Published::Value(value)),
            _ => Err(format!("`{cell}` is no figure, `-` or `>`")),
        },
    }
}

fn filled(cell: &str) -> Option<&str> {
    (!cell.is_empty() && cell != "-").then_some(cell)
}

#[cfg(test)]
mod tests {
    use super::{parse, parse_files};
    use crate::tables::{Published, Source, TABLES};

    const HEADER: &str = "instance\tconfiguration\tmodel\tquery\toptions\tnote\t";

    #[test]
    fn files_are_united_by_the_names_of_their_figures() {
        let first = format!("# remark\n{HEADER}explored\nC1\thU\tshared:x\t-\t-\t-\t1.5e+3\n");
        let second = format!(
            "{HEADER}time\texplored\nF5\thU\tgenerate:fischer-a 5\tE<> p\t--a b\tn\t-\t>\n"
        );
        let table = parse_files("t", "", "", &[("a", &first), ("b", &second)]).expect("good");
        assert_eq!(table.figures, ["explored", "time"]);
        assert_eq!(
            table.rows[0].published,
            [Published::Value(1500.0), Published::Unknown]
        );
        assert_eq!(
            table.rows[1].published,
            [Published::Unsolved, Published::Unknown]
        );
        assert_eq!(
            table.rows[1].model,
            Source::Generated(vec!["fischer-a".into(), "5".into()])
        );
        assert_eq!(table.rows[1].query.as_deref(), Some("E<> p"));
    }

    #[test]
    fn bad_files_are_refused() {
        for text in [
            "",
            "instance\tmodel\n",
            &format!("{HEADER}explored\nC1\thU\n"),
            &format!("{HEADER}explored\nC1\thU\tm\t-\t-\t-\tmany\n"),
            &format!("{HEADER}explored\nC1\thU\tm\t-\t-\t-\t1\nC1\thU\tm\t-\t-\t-\t1\n"),
        ] {
            assert!(parse_files("t", "", "", &[("f", text)]).is_err(), "{text}");
        }
    }

    #[test]
    fn our_own_tables_are_good() {
        for entry in TABLES {
            let table = parse(entry.name).expect(entry.name);
            assert!(table.rows.len() >= 10, "{}", entry.name);
            let measures = |figure: &String| {
                matches!(figure.as_str(), "explored" | "diagrams.allocated_nodes")
            };
            assert!(table.figures.iter().any(measures), "{}", entry.name);
        }
        assert!(parse("999").is_err());
    }
}
