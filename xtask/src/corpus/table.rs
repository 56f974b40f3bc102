//! Tab-separated tables with a header line, without quoting.

use std::collections::HashMap;
use std::path::Path;

/// A row: values by column name.
pub type Row = HashMap<String, String>;

/// Reads a table.
pub fn read(path: &Path) -> Result<Vec<Row>, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(parse(&text))
}

fn parse(text: &str) -> Vec<Row> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let values = line.split('\t').map(str::to_owned);
            header
                .iter()
                .map(|name| (*name).to_owned())
                .zip(values)
                .collect()
        })
        .collect()
}

/// The value of a column, empty if the row has none.
pub fn get<'a>(row: &'a Row, column: &str) -> &'a str {
    row.get(column).map_or("", String::as_str)
}

/// Text for a cell of a Markdown table, in one line and shortened.
pub fn cell(text: &str) -> String {
    let line = text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|");
    if line.chars().count() <= 120 {
        line
    } else {
        line.chars().take(119).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{cell, get, parse};

    #[test]
    fn tables_are_read() {
        let rows = parse("a\tb\n1\t2\n# remark\n\n3\n");
        let values: Vec<_> = rows
            .iter()
            .map(|row| (get(row, "a"), get(row, "b"), get(row, "c")))
            .collect();
        assert_eq!(values, [("1", "2", ""), ("3", "", "")]);
    }

    #[test]
    fn cells_keep_the_table_whole() {
        assert_eq!(cell("a | b\n  c"), "a \\| b c");
        assert_eq!(cell(&"x".repeat(500)).chars().count(), 120);
    }
}
