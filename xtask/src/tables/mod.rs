//! `cargo xtask tables`: the papers' tables, run with the built program, ours next to theirs.

mod options;
mod rra;
mod run;

use std::path::Path;

use merkhet_bench::tables::{
    Measured, Results, Row, Source, TABLES, Table, body, csv, figure, html, markdown, parse,
};

use crate::progress::Progress;
use crate::race::write;
use options::Options;

/// What `cargo xtask tables --help` prints.
pub const HELP: &str = "\
Usage: cargo xtask tables [TABLE...] [OPTIONS]

  TABLE                  004, 001, 000 and so on; without one, all of them. rra: the published walks of the shared
                         collection, next to ours
  --rows LIST            only instances (C1, or C* for all that begin so), with commas between them
  --configurations LIST  only these configurations (hL,hU)
  --seeds N              rra: seeds for each model (5)
  --smallest             of each table only two rows that need no shared models (for CI)
  --timeout SECONDS      a run takes at most so long (60)
  --beyond SECONDS       the same for rows where the paper's program ran out of memory (as --timeout)
  --memory-limit SIZE    a run takes at most so much memory (2GiB)
  --options ARGUMENTS    further arguments for our program
  --binary PATH          our program, instead of building it
  --continue             take rows that were run before from target/tables/TABLE.progress
  --list                 list the tables and run nothing
  --publish              write whole tables into docs/tables, with the commit of our program

Models marked shared: are looked for in $MERKHET_SHARED, else in ../shared; where one is not there its rows are left out
and named. Ours next to the paper's, with a mark where ours is worse, the geometric means of the ratios, and charts with
a logarithmic scale go to target/tables/TABLE.md, .csv and .html. The rows are in crates/bench/data/tables; the
documentation of merkhet_bench::tables says how to add some.";

/// Runs the task. An error if our program fails on a row for another reason than a limit.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let mut options = Options::parse(arguments)?;
    if options.list {
        for entry in TABLES {
            let rows = parse(entry.name)?.rows.len();
            println!(
                "{}  {rows:>4} rows  {}\n     {}",
                entry.name, entry.title, entry.paper
            );
        }
        return Ok(());
    }
    let published = options.tables.iter().any(|name| name == "rra");
    options.tables.retain(|name| name != "rra");
    let tables: Vec<Table> = match published && options.tables.is_empty() {
        true => Vec::new(),
        false => chosen(&options)?,
    };
    let program = match &options.binary {
        Some(path) => path.clone(),
        None => crate::corpus::build()?,
    };
    let folder = crate::corpus::target_folder().join("tables");
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    if published || (options.smallest && options.tables.is_empty()) {
        rra::table(&options, &program, &folder)?;
    }
    let mut broken = Vec::new();
    for table in tables {
        let results = run_table(table, &program, &folder, &options, &mut broken)?;
        let name = &results.table.name;
        let text = markdown(&results);
        write(&folder.join(format!("{name}.md")), &text)?;
        write(&folder.join(format!("{name}.csv")), &csv(&results))?;
        write(&folder.join(format!("{name}.html")), &html(&results))?;
        if let Some(svg) = figure(&results, "explored") {
            write(&folder.join(format!("{name}-explored.svg")), &svg)?;
        }
        println!(
            "\n{text}\nIn {}: {name}.md, {name}.csv, {name}.html\n",
            folder.display()
        );
        if options.publish && broken.is_empty() {
            let document = format!("docs/tables/{name}.md");
            crate::publish::whole(
                &document,
                &format!("tables {name}"),
                &body(&results),
                &program,
            )?;
        }
    }
    match broken.is_empty() {
        true => Ok(()),
        false => Err(broken.join("\n       ")),
    }
}

/// The tables with the rows that were asked for.
fn chosen(options: &Options) -> Result<Vec<Table>, String> {
    let mut tables = Vec::new();
    for entry in TABLES {
        if options.tables.is_empty() || options.tables.iter().any(|name| name == entry.name) {
            tables.push(parse(entry.name)?);
        }
    }
    for name in &options.tables {
        parse(name)?;
    }
    for table in &mut tables {
        table.rows.retain(|row| options.wants(row));
        if options.smallest {
            table.rows = smallest(&table.rows);
        }
    }
    tables.retain(|table| !table.rows.is_empty());
    match tables.is_empty() {
        true => Err("no such rows".into()),
        false => Ok(tables),
    }
}

/// Two rows that run everywhere.
fn smallest(rows: &[Row]) -> Vec<Row> {
    let local = rows
        .iter()
        .filter(|row| !matches!(row.model, Source::Shared(_)));
    local.take(2).cloned().collect()
}

fn run_table(
    table: Table,
    program: &Path,
    folder: &Path,
    options: &Options,
    broken: &mut Vec<String>,
) -> Result<Results, String> {
    let mut measured = Vec::new();
    let path = folder.join(format!("{}.progress", table.name));
    let progress = Progress::open(&path, options.go_on, 1, 2)?;
    for (at, row) in table.rows.iter().enumerate() {
        // The row's name with all that decides its figures.
        let options_of_row = row.options.join(" ");
        let name = format!("{} {} {options_of_row}", row.instance, row.configuration);
        if let Some(known) = progress.known(&[&name]) {
            measured.push(remembered(known));
            continue;
        }
        let outcome = run::row(row, &table.figures, program, folder, options)?;
        if let Some(why) = outcome.broken {
            broken.push(format!(
                "table {}, {} {}: {why}",
                table.name, row.instance, row.configuration
            ));
        }
        report(&table, at, &outcome.measured);
        // One that was left out because its model was not there is run again.
        if !outcome.measured.skipped {
            progress.add(&[&name], &noted(&outcome.measured))?;
        }
        measured.push(outcome.measured);
    }
    Ok(Results { table, measured })
}

/// A row's figures and its problem, as the file of progress holds them.
fn noted(measured: &Measured) -> [String; 2] {
    let figure = |value: &Option<f64>| value.map_or("-".to_owned(), |value| value.to_string());
    let figures: Vec<String> = measured.figures.iter().map(figure).collect();
    [
        figures.join(" "),
        measured.problem.clone().unwrap_or_default(),
    ]
}

fn remembered(cells: &[String]) -> Measured {
    Measured {
        figures: cells[0].split(' ').map(|word| word.parse().ok()).collect(),
        problem: (!cells[1].is_empty()).then(|| cells[1].clone()),
        skipped: false,
    }
}

fn report(table: &Table, at: usize, measured: &Measured) {
    let row = &table.rows[at];
    let figures: Vec<String> = table
        .figures
        .iter()
        .zip(&measured.figures)
        .filter_map(|(name, value)| value.map(|value| format!("{name} {value}")))
        .collect();
    eprintln!(
        "{} [{}/{}] {} {}: {}{}",
        table.name,
        at + 1,
        table.rows.len(),
        row.instance,
        row.configuration,
        figures.join(", "),
        measured
            .problem
            .as_ref()
            .map_or(String::new(), |problem| format!(" — {problem}")),
    );
}

#[cfg(test)]
mod tests {
    use super::{Measured, noted, remembered};

    #[test]
    fn rows_are_read_as_they_were_written() {
        let row = |figures: &[Option<f64>], problem: Option<&str>| Measured {
            figures: figures.to_vec(),
            problem: problem.map(str::to_owned),
            skipped: false,
        };
        let solved = row(&[Some(7.0), Some(0.25), None], None);
        let cut = row(&[None, None, None], Some("time limit reached"));
        for row in [solved, cut] {
            let again = remembered(&noted(&row));
            assert_eq!((again.figures, again.problem), (row.figures, row.problem));
        }
    }
}
