//! The tables.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use merkhet_bench::race::{geometric_mean, number};

use super::run::{Cell, Measured};
use super::{Counted, Group, SEARCHES};
use crate::corpus::table::cell as shortened;

/// The aim: a proof by the automatic search costs at most this many times what the best blind search costs.
const AIM: f64 = 1.25;

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
    format!("{} {}: {}", name(row), asked(row), cells.join(", "))
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

/// Both tables for each group, and their means as rows of the published table.
pub fn markdown(rows: &[Measured], counted: &Counted, timeout: u64) -> (String, Vec<Vec<String>>) {
    let mut text = String::new();
    let mut means = Vec::new();
    let of = |group: Group| {
        let rows = rows.iter().filter(move |row| row.question.group == group);
        rows.collect::<Vec<&Measured>>()
    };
    let _ = writeln!(text, "## Errors: explored states\n");
    let _ = writeln!(
        text,
        "`>`: not found within {timeout} s of CPU time and 4 GiB. Rows where some search needs more than {} states.",
        number(counted.states)
    );
    for group in Group::ALL {
        means.extend(errors(&mut text, group, &of(group), counted));
    }
    let _ = writeln!(
        text,
        "\n## Proofs: CPU time and memory of whole processes\n"
    );
    let _ = writeln!(
        text,
        "Below 2 s the least of three runs. `>`: not done within {timeout} s of CPU time and 4 GiB. Rows of the corpus where the \
         fastest blind search needs at least {} s.",
        counted.seconds
    );
    for group in Group::ALL {
        means.extend(proofs(&mut text, group, &of(group), counted));
    }
    (text, means)
}

fn auto(row: &Measured) -> Option<&Cell> {
    row.cells.last()
}

fn errors(text: &mut String, group: Group, rows: &[&Measured], counted: &Counted) -> Vec<Mean> {
    let large = |row: &&&Measured| {
        let mut cells = row.cells.iter();
        row.has_error() && cells.any(|cell| !cell.decided() || cell.explored > counted.states)
    };
    let rows: Vec<&Measured> = rows.iter().filter(large).copied().collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let names: Vec<&str> = SEARCHES.iter().map(|(name, _)| *name).collect();
    let _ = writeln!(text, "\n### {}\n", group.title());
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
        let (model, query) = (shortened(&name(row)), shortened(asked(row)));
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
    vec![mean("errors: explored states", group, &ratios, missed)]
}

fn proofs(text: &mut String, group: Group, rows: &[&Measured], counted: &Counted) -> Vec<Mean> {
    let least = match group {
        Group::Corpus => counted.seconds,
        _ => 0.0,
    };
    let rows: Vec<(&Measured, &Cell, &Cell)> = rows
        .iter()
        .filter(|row| row.verdict().is_some() && !row.has_error())
        .filter_map(|row| Some((*row, row.fastest_blind()?, auto(row)?)))
        .filter(|(_, best, _)| best.cpu >= least)
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let _ = writeln!(text, "\n### {}\n", group.title());
    let names: Vec<&str> = SEARCHES.iter().map(|(name, _)| *name).collect();
    let _ = writeln!(
        text,
        "| model | query | {} | time: auto / fastest blind | memory: auto / that one |",
        names.join(" | ")
    );
    let _ = writeln!(text, "|---|---|{}---:|---:|", "---:|".repeat(names.len()));
    let (mut times, mut memories) = (Vec::new(), Vec::new());
    let all = rows.len();
    for (row, best, auto) in rows {
        let cells = row.cells.iter().map(|cell| match cell.decided() {
            true => format!("{:.3} s, {:.0} MB", cell.cpu, cell.memory as f64 / 1e6),
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
        let (model, query) = (shortened(&name(row)), shortened(asked(row)));
        let _ = writeln!(
            text,
            "| {model} | `{query}` | {} | {ratios} |",
            cells.join(" | ")
        );
    }
    summary(text, "auto / fastest blind search, CPU time", &times);
    above(text, &times);
    summary(text, "auto / fastest blind search, memory", &memories);
    above(text, &memories);
    let missed = all - times.len();
    vec![
        mean("proofs: CPU time", group, &times, missed),
        mean("proofs: memory", group, &memories, missed),
    ]
}

/// A row of the published table.
type Mean = Vec<String>;

fn mean(what: &str, group: Group, ratios: &[(&Measured, f64)], missed: usize) -> Mean {
    let values = || ratios.iter().map(|(_, ratio)| *ratio);
    let two = |value: f64| format!("{value:.2}");
    vec![
        what.to_owned(),
        group.title().to_owned(),
        (ratios.len() + missed).to_string(),
        geometric_mean(values()).map_or(String::new(), two),
        two(values().fold(0.0, f64::max)),
        exceeding(ratios).to_string(),
        missed.to_string(),
    ]
}

/// How many rows miss the aim.
fn exceeding(ratios: &[(&Measured, f64)]) -> usize {
    ratios.iter().filter(|(_, ratio)| *ratio > AIM).count()
}

fn above(text: &mut String, ratios: &[(&Measured, f64)]) {
    let rows = exceeding(ratios);
    let _ = writeln!(text, "Above {AIM}: {rows} of {} rows.", ratios.len());
}

/// The query; a word where everything is to be seen.
fn asked(row: &Measured) -> &str {
    match row.question.query.as_str() {
        "" => "explore",
        query => query,
    }
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
    use crate::auto::run::{Cell, Measured};
    use crate::auto::{Counted, Group, Question};

    fn row(query: &str, verdict: &str, explored: [u64; 5], cpu: [f64; 5]) -> Measured {
        Measured {
            question: Question {
                group: Group::Corpus,
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
        let counted = Counted {
            states: 1000,
            seconds: 0.5,
        };
        let (text, means) = markdown(&rows, &counted, 20);
        assert!(
            text.contains("| 5,000 | 100 | 5,000 | 800 | 200 | 2.00 |"),
            "{text}"
        );
        assert!(text.contains("geometric mean 2.00 over 1 rows"), "{text}");
        assert!(text.contains("| 1.20 | 1.00 |"), "{text}");
        assert!(!text.contains("small") && !text.contains("short"), "{text}");
        assert!(text.contains("Above 1.25: 0 of 1 rows"), "{text}");
        let means: Vec<String> = means.iter().map(|row| row[2..].join(" ")).collect();
        assert_eq!(
            means,
            ["1 2.00 2.00 1 0", "1 1.20 1.20 0 0", "1 1.00 1.00 0 0"]
        );
        let all = Counted {
            states: 0,
            seconds: 0.0,
        };
        let (text, _) = markdown(&rows, &all, 20);
        assert!(text.contains("small") && text.contains("short"), "{text}");
    }
}
