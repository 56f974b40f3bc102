//! `cargo xtask tables rra`: the models of "Randomized Reachability Analysis in UPPAAL: Fast Error Detection in Timed
//! Systems" (Kiviriga, Larsen, Nyman, FMICS 2021), the published seconds next to ours with several seeds.
//!
//! The published figures stand in the shared collection and are read from there.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use merkhet_bench::race::geometric_mean;

use super::options::Options;
use crate::corpus::table::{get, read};
use crate::program::{Limit, run};
use crate::race::{shared, write};

/// The columns of the published table: UPPAAL's searches, then the four sorts of walks.
const PUBLISHED: [&str; 7] = ["bfs", "dfs", "rdfs", "sem", "ret", "rlc", "rlc_a"];
/// The sort of walks that ours are compared with, and the least of its seconds that count.
const COMPARED: (&str, f64) = ("ret", 0.1);
/// The rows of a quick run.
const SMALLEST: [&str; 2] = ["csma-cd-20", "fischer-10"];
/// Where the table is published.
const DOCUMENT: &str = "docs/tables/rra.md";

/// A model with what came of it, by seed.
struct Row {
    published: BTreeMap<String, String>,
    ours: Vec<Option<Found>>,
}

/// A run that was found.
#[derive(Clone, Copy)]
struct Found {
    seconds: f64,
    transitions: u64,
}

/// Runs the models. An error if our program fails for another reason than a limit.
pub fn table(options: &Options, program: &Path, folder: &Path) -> Result<(), String> {
    let collection = shared().join("rra");
    let path = collection.join("published.tsv");
    if !path.is_file() {
        println!(
            "rra: left out, {} is not here; set MERKHET_SHARED",
            path.display()
        );
        return Ok(());
    }
    let mut rows = Vec::new();
    for published in read(&path)? {
        let name = get(&published, "name").to_owned();
        let wanted = match options.smallest {
            true => SMALLEST.contains(&name.as_str()),
            false => options.names(&name),
        };
        if !wanted {
            continue;
        }
        let model = collection.join(get(&published, "model"));
        let mut ours = Vec::new();
        for seed in 1..=if options.smallest { 1 } else { options.seeds } {
            ours.push(measure(program, &model, seed, options)?);
        }
        let published = published
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()));
        let row = Row {
            published: published.collect(),
            ours,
        };
        eprintln!("{}", line(&row));
        rows.push(row);
    }
    let text = body(&rows);
    write(&folder.join("rra.md"), &text)?;
    println!("\n{text}\nIn {}", folder.join("rra.md").display());
    match options.publish {
        true => crate::publish::whole(DOCUMENT, "tables rra", &text, program),
        false => Ok(()),
    }
}

fn measure(
    program: &Path,
    model: &Path,
    seed: u64,
    options: &Options,
) -> Result<Option<Found>, String> {
    let mut words = vec![
        "check".to_owned(),
        model.display().to_string(),
        "--format=json".to_owned(),
        format!("--seed={seed}"),
        format!("--memory-limit={}", options.memory),
    ];
    words.extend(options.further.iter().cloned());
    let limit = Limit::Cpu(Duration::from_secs(options.timeout));
    let run = run(program, &words, limit, None)?;
    let result = &run.json()["results"][0];
    let Some(steps) = result["trace"]["steps"].as_array() else {
        // A limit, or a language that is not ours; the judge's refusal is neither.
        let internal = run.stderr.contains("internal");
        return match internal {
            true => Err(format!("{} {seed}: {}", model.display(), run.stderr.trim())),
            false => Ok(None),
        };
    };
    Ok(Some(Found {
        seconds: run.sample.cpu,
        transitions: steps.len() as u64,
    }))
}

impl Row {
    fn name(&self) -> &str {
        self.published.get("name").map_or("", String::as_str)
    }

    fn published(&self, column: &str) -> &str {
        self.published.get(column).map_or("", String::as_str)
    }

    fn found(&self) -> impl Iterator<Item = &Found> {
        self.ours.iter().flatten()
    }

    fn seconds(&self) -> Option<f64> {
        geometric_mean(self.found().map(|found| found.seconds.max(0.001)))
    }

    /// Our seconds next to the published ones, where those count and every seed found something.
    fn ratio(&self) -> Option<f64> {
        let published: f64 = self.published(COMPARED.0).parse().ok()?;
        let all = self.ours.iter().all(Option::is_some);
        (published >= COMPARED.1 && all).then_some(self.seconds()? / published)
    }
}

fn line(row: &Row) -> String {
    let runs = row.ours.iter().map(|found| match found {
        Some(found) => format!("{:.2} s, {} transitions", found.seconds, found.transitions),
        None => "nothing".to_owned(),
    });
    format!(
        "{}: {}",
        row.name(),
        runs.collect::<Vec<String>>().join("; ")
    )
}

fn body(rows: &[Row]) -> String {
    let mut text = String::from("| model |");
    for column in PUBLISHED {
        let _ = write!(text, " {} |", column.replace('_', "-"));
    }
    text += " found | s | at most | transitions |\n|---|";
    text += &"---:|".repeat(PUBLISHED.len() + 4);
    text.push('\n');
    for row in rows {
        let _ = write!(text, "| {} |", row.name());
        for column in PUBLISHED {
            let _ = write!(text, " {} |", row.published(column));
        }
        let worst = row.found().map(|found| found.seconds).fold(0.0, f64::max);
        let lengths = || row.found().map(|found| found.transitions);
        let lengths = match (lengths().min(), lengths().max()) {
            (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
            (Some(least), _) => least.to_string(),
            _ => "–".into(),
        };
        let _ = writeln!(
            text,
            " {} of {} | {} | {worst:.2} | {lengths} |",
            row.found().count(),
            row.ours.len(),
            row.seconds()
                .map_or("–".into(), |seconds| format!("{seconds:.2}")),
        );
    }
    let ratios: Vec<f64> = rows.iter().filter_map(Row::ratio).collect();
    let count = ratios.len();
    if let Some(mean) = geometric_mean(ratios) {
        let (column, least) = COMPARED;
        let _ = writeln!(
            text,
            "\nOurs / {column}, over {count} models where that took at least {least} s and every seed of ours found a run: \
             geometric mean {mean:.3}."
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Found, Row, body};

    #[test]
    fn published_seconds_stand_next_to_ours() {
        let cells = [
            ("name", "m"),
            ("bfs", "oom"),
            ("ret", "2.0"),
            ("sem", "0.3"),
        ];
        let found = |seconds, transitions| {
            Some(Found {
                seconds,
                transitions,
            })
        };
        let row = |ours| Row {
            published: cells
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            ours,
        };
        let both = row(vec![found(0.25, 7), found(1.0, 9)]);
        let text = body(&[both]);
        assert!(
            text.contains("| m | oom |  |  | 0.3 | 2.0 |  |  | 2 of 2 | 0.50 | 1.00 | 7 to 9 |"),
            "{text}"
        );
        assert!(
            text.contains("over 1 models") && text.contains("mean 0.250"),
            "{text}"
        );
        let text = body(&[row(vec![found(0.25, 7), None])]);
        assert!(
            text.contains("| 1 of 2 | 0.25 | 0.25 | 7 |") && !text.contains("mean"),
            "{text}"
        );
    }
}
