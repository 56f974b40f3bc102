//! The tables.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use merkhet_bench::race::{geometric_mean, number};

use super::run::{Cell, Measured};
use super::{BLIND, SEARCHES};
use crate::corpus::table::cell as shortened;

/// Rows with an error count where some search needs more states than this.
const STATES: u64 = 1000;

/// A row in one line.
pub fn line(row: &Measured) -> String {
    let cells = SEARCHES.iter().zip(&row.cells);
    let cells: Vec<String> = cells
        .map(|((name, _), cell)| {
            format!(
                "{name} {} {} {:.2} s",
                cell.verdict, cell.explored, cell.cpu
            )
        })
        .collect();
    format!("{} {}: {}", name(row), row.question.query, cells.join(", "))
}

/// The file's name, with what tells its older versions apart.
fn name(row: &Measured) -> String {
    let parts: Vec<&str> = row.question.file.split('/').collect();
    let last = parts.last().copied().unwrap_or_default();
    match parts.first() {
        Some(&"history") if parts.len() > 3 => format!("{last} ({})", parts[2]),
        _ => last.to_owned(),
    }
}

/// Both tables, with their means.
pub fn markdown(rows: &[Measured], least: f64, timeout: u64) -> String {
    let mut text = String::new();
    errors(&mut text, rows, timeout);
    proofs(&mut text, rows, least);
    text
}

fn auto(row: &Measured) -> Option<&Cell> {
    row.cells.last()
}

fn errors(text: &mut String, rows: &[Measured], timeout: u64) {
    let large = |row: &&Measured| {
        let mut cells = row.cells.iter();
        row.has_error() && cells.any(|cell| !cell.decided() || cell.explored > STATES)
    };
    let rows: Vec<&Measured> = rows.iter().filter(large).collect();
    let names: Vec<&str> = SEARCHES.iter().map(|(name, _)| *name).collect();
    let _ = writeln!(text, "## Errors: explored states\n");
    let _ = writeln!(
        text,
        "`>`: not found within {timeout} s of CPU time and 4 GiB.\n"
    );
    let _ = writeln!(
        text,
        "| model | query | {} | auto / best |",
        names.join(" | ")
    );
    let _ = writeln!(text, "|---|---|{}---:|", "---:|".repeat(names.len()));
    let mut ratios = Vec::new();
    let mut missed = 0;
    for row in rows {
        let found = row.cells.iter().filter(|cell| cell.decided());
        let best = found.map(|cell| cell.explored.max(1)).min().unwrap_or(1);
        let ratio = auto(row)
            .filter(|cell| cell.decided())
            .map(|cell| cell.explored.max(1) as f64 / best as f64);
        match ratio {
            Some(ratio) => ratios.push((row, ratio)),
            None => missed += 1,
        }
        let cells = row.cells.iter().map(|cell| match cell.decided() {
            true => number(cell.explored),
            false => ">".to_owned(),
        });
        let cells: Vec<String> = cells.collect();
        let last = ratio.map_or(">".to_owned(), |ratio| format!("{ratio:.2}"));
        let (model, query) = (shortened(&name(row)), shortened(&row.question.query));
        let _ = writeln!(
            text,
            "| {model} | `{query}` | {} | {last} |",
            cells.join(" | ")
        );
    }
    let solved: Vec<String> = (0..SEARCHES.len())
        .map(|at| {
            let solved = |row: &&(&Measured, f64)| row.0.cells[at].decided();
            format!(
                "{} {}",
                SEARCHES[at].0,
                ratios.iter().filter(solved).count()
            )
        })
        .collect();
    let _ = writeln!(
        text,
        "\nNot found by auto, but by another search: {missed}. Of the others found by: {}.",
        solved.join(", ")
    );
    summary(text, "auto / best single search, explored states", &ratios);
}

fn proofs(text: &mut String, rows: &[Measured], least: f64) {
    let _ = writeln!(text, "\n## Proofs: CPU time and memory\n");
    let names: Vec<&str> = SEARCHES.iter().map(|(name, _)| *name).collect();
    let _ = writeln!(
        text,
        "| model | query | {} | time: auto / fastest blind | memory: auto / that one |",
        names.join(" | ")
    );
    let _ = writeln!(text, "|---|---|{}---:|---:|", "---:|".repeat(names.len()));
    let (mut times, mut memories) = (Vec::new(), Vec::new());
    for row in rows
        .iter()
        .filter(|row| row.verdict().is_some() && !row.has_error())
    {
        let blind = row.cells[..BLIND].iter().filter(|cell| cell.decided());
        let Some(best) = blind.min_by(|a, b| a.cpu.total_cmp(&b.cpu)) else {
            continue;
        };
        let Some(auto) = auto(row).filter(|_| best.cpu >= least) else {
            continue;
        };
        let cells = row.cells.iter().map(|cell| match cell.decided() {
            true => format!("{:.2} s, {:.0} MB", cell.cpu, cell.memory as f64 / 1e6),
            false => ">".to_owned(),
        });
        let cells: Vec<String> = cells.collect();
        let ratios = match auto.decided() {
            true => {
                let ratios = (auto.cpu / best.cpu, auto.memory as f64 / best.memory as f64);
                times.push((row, ratios.0));
                memories.push((row, ratios.1));
                format!("{:.2} | {:.2}", ratios.0, ratios.1)
            }
            false => "> | >".to_owned(),
        };
        let (model, query) = (shortened(&name(row)), shortened(&row.question.query));
        let _ = writeln!(
            text,
            "| {model} | `{query}` | {} | {ratios} |",
            cells.join(" | ")
        );
    }
    summary(text, "auto / fastest blind search, CPU time", &times);
    summary(text, "auto / fastest blind search, memory", &memories);
}

/// The geometric mean by row, the same with one voice for each repository, and the largest ratio.
fn summary(text: &mut String, what: &str, ratios: &[(&Measured, f64)]) {
    let mut repositories: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (row, ratio) in ratios {
        let list = repositories.entry(&row.question.repository).or_default();
        list.push(*ratio);
    }
    let (rows, count) = (ratios.len(), repositories.len());
    let means = repositories.into_values().filter_map(geometric_mean);
    let worst = ratios.iter().map(|(_, ratio)| *ratio).fold(0.0, f64::max);
    if let (Some(mean), Some(by_repository)) = (
        geometric_mean(ratios.iter().map(|(_, ratio)| *ratio)),
        geometric_mean(means),
    ) {
        let _ = writeln!(
            text,
            "\n{what}: geometric mean {mean:.2} over {rows} rows, {by_repository:.2} over {count} repositories (one voice \
             each), largest {worst:.2}."
        );
    }
}

#[cfg(test)]
mod tests {
    use super::markdown;
    use crate::auto::Question;
    use crate::auto::run::{Cell, Measured};

    fn row(query: &str, verdict: &str, explored: [u64; 5], cpu: [f64; 5]) -> Measured {
        Measured {
            question: Question {
                file: "history/a/b/m.xml".into(),
                path: "m.xml".into(),
                query: query.into(),
                repository: "a".into(),
            },
            cells: (0..5)
                .map(|at| Cell {
                    verdict: verdict.into(),
                    explored: explored[at],
                    cpu: cpu[at],
                    memory: 1_000_000,
                })
                .collect(),
        }
    }

    #[test]
    fn ratios_and_means_are_written() {
        let rows = [
            row("E<> p", "satisfied", [5000, 100, 5000, 800, 200], [0.1; 5]),
            row("E<> small", "satisfied", [5, 10, 5, 8, 20], [0.1; 5]),
            row("A[] q", "satisfied", [9000; 5], [1.0, 2.0, 1.5, 9.0, 1.2]),
            row("A[] short", "satisfied", [9; 5], [0.1; 5]),
        ];
        let text = markdown(&rows, 0.5, 20);
        assert!(
            text.contains("| 5,000 | 100 | 5,000 | 800 | 200 | 2.00 |"),
            "{text}"
        );
        assert!(text.contains("geometric mean 2.00 over 1 rows"), "{text}");
        assert!(text.contains("| 1.20 | 1.00 |"), "{text}");
        assert!(!text.contains("small") && !text.contains("short"), "{text}");
    }
}
