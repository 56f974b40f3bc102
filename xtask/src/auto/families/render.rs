//! The tables of families.

use std::fmt::Write as _;

use merkhet_bench::race::{geometric_mean, number};

use super::{CONFIGURATIONS, Row};
use crate::auto::run::Cell;

/// Seconds that are added to both sides of a ratio: below, what is compared is the start of a process.
const START: f64 = 0.01;
/// States that are added likewise.
const FIRST: f64 = 10.0;

impl Row {
    fn auto(&self) -> Option<&Cell> {
        self.cells.last().filter(|cell| cell.decided())
    }

    /// The single configurations that came to an end, by name.
    fn singles(&self) -> impl Iterator<Item = (&'static str, &Cell)> {
        let singles = self
            .cells
            .split_last()
            .map_or(&[][..], |(_, singles)| singles);
        let named = CONFIGURATIONS.iter().map(|(name, _)| *name).zip(singles);
        named.filter(|(_, cell)| cell.decided())
    }

    /// The one that took the least time.
    fn fastest(&self) -> Option<(&'static str, &Cell)> {
        self.singles().min_by(|a, b| a.1.cpu.total_cmp(&b.1.cpu))
    }

    /// The one that expanded the fewest states; walks expand none.
    fn leanest(&self) -> Option<(&'static str, &Cell)> {
        let stored = self.singles().filter(|(name, _)| !name.starts_with("walk"));
        stored.min_by_key(|(_, cell)| cell.explored)
    }

    fn time_ratio(&self) -> Option<f64> {
        Some((self.auto()?.cpu + START) / (self.fastest()?.1.cpu + START))
    }

    fn state_ratio(&self) -> Option<f64> {
        let (auto, best) = (self.auto()?.explored, self.leanest()?.1.explored);
        Some((auto as f64 + FIRST) / (best as f64 + FIRST))
    }
}

/// A row in one line.
pub fn line(row: &Row) -> String {
    let cells = CONFIGURATIONS
        .iter()
        .zip(&row.cells)
        .map(|((name, _), cell)| {
            let figures = format!("{} {:.2} s", cell.explored, cell.cpu);
            format!(
                "{name} {}",
                if cell.decided() {
                    figures
                } else {
                    "-".to_owned()
                }
            )
        });
    let cells: Vec<String> = cells.collect();
    format!("{}: {}", row.instance.name, cells.join(", "))
}

/// The tables of both parts, and their summaries as rows of the published table.
pub fn markdown(rows: &[Row], seconds: u64) -> (String, Vec<Vec<String>>) {
    let mut text = format!(
        "`>`: not found within {seconds} s of CPU time and 2 GiB. To both sides of a ratio {START} s, or {FIRST} states, are \
         added. States are compared with searches that store them.\n"
    );
    let mut summaries = Vec::new();
    for part in ["training", "test"] {
        let rows: Vec<&Row> = rows
            .iter()
            .filter(|row| row.instance.part == part)
            .collect();
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n### {part} families\n");
        let _ = writeln!(
            text,
            "| model | auto: s | states | fastest: s | | ratio | leanest: states | | ratio |"
        );
        let _ = writeln!(text, "|---|---:|---:|---:|---|---:|---:|---|---:|");
        for row in &rows {
            let _ = writeln!(text, "{}", cells(row));
        }
        for (at, (name, _)) in CONFIGURATIONS.iter().enumerate() {
            let solved = rows.iter().filter(|row| row.cells[at].decided()).count();
            let _ = write!(
                text,
                "{}{name} {solved}",
                if at == 0 { "\nFound: " } else { ", " }
            );
        }
        let _ = writeln!(text, ", of {}.", rows.len());
        summaries.push(summary(part, &rows));
    }
    (text, summaries)
}

fn cells(row: &Row) -> String {
    let none = || ">".to_owned();
    let ratio = |ratio: Option<f64>| ratio.map_or_else(none, |ratio| format!("{ratio:.2}"));
    let auto = row.auto();
    let (fastest, leanest) = (row.fastest(), row.leanest());
    let name = |best: Option<(&'static str, &Cell)>| best.map_or("", |best| best.0);
    let cells = [
        row.instance.name.clone(),
        auto.map_or_else(none, |cell| format!("{:.2}", cell.cpu)),
        auto.map_or_else(none, |cell| number(cell.explored)),
        fastest.map_or_else(none, |best| format!("{:.2}", best.1.cpu)),
        name(fastest).to_owned(),
        ratio(row.time_ratio()),
        leanest.map_or_else(none, |best| number(best.1.explored)),
        name(leanest).to_owned(),
        ratio(row.state_ratio()),
    ];
    format!("| {} |", cells.join(" | "))
}

fn summary(part: &str, rows: &[&Row]) -> Vec<String> {
    let mean = |ratios: Vec<f64>| {
        let worst = ratios.iter().copied().fold(0.0, f64::max);
        let mean = geometric_mean(ratios).map_or(String::new(), |mean| format!("{mean:.2}"));
        [mean, format!("{worst:.2}")]
    };
    let count = |found: fn(&&&Row) -> bool| rows.iter().filter(found).count().to_string();
    let times = mean(rows.iter().filter_map(|row| row.time_ratio()).collect());
    let states = mean(rows.iter().filter_map(|row| row.state_ratio()).collect());
    let mut cells = vec![
        part.to_owned(),
        rows.len().to_string(),
        count(|row| row.auto().is_some()),
        count(|row| row.fastest().is_some()),
    ];
    cells.extend(times.into_iter().chain(states));
    cells
}

#[cfg(test)]
mod tests {
    use super::super::{CONFIGURATIONS, Row, smallest};
    use super::markdown;
    use crate::auto::run::Cell;

    #[test]
    fn the_best_of_all_is_what_auto_is_compared_with() {
        let cell = |verdict: &str, explored, cpu| Cell {
            verdict: verdict.into(),
            explored,
            cpu,
            memory: 0,
        };
        let mut cells = vec![cell("-", 9, 5.0); CONFIGURATIONS.len()];
        cells[1] = cell("satisfied", 90, 0.49);
        cells[8] = cell("satisfied", 7, 0.09);
        cells[CONFIGURATIONS.len() - 1] = cell("satisfied", 190, 0.19);
        let instance = smallest().remove(1);
        let missed = vec![cell("-", 9, 5.0); CONFIGURATIONS.len()];
        let rows = [cells, missed].map(|cells| Row {
            instance: instance.clone(),
            cells,
        });
        let (text, summary) = markdown(&rows, 5);
        assert!(
            text.contains("| 0.19 | 190 | 0.09 | walk ret | 2.00 | 90 | dfs | 2.00 |"),
            "{text}"
        );
        assert!(text.contains("| > | > | > |  | > | > |  | > |"), "{text}");
        let expected = ["test", "2", "1", "1", "2.00", "2.00", "2.00", "2.00"];
        assert_eq!(summary, [expected.map(str::to_owned).to_vec()]);
    }
}
