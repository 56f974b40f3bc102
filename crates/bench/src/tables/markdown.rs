//! A table in Markdown, which reads well on a terminal too.

use super::{Published, Results, means, ratio, worse};
use crate::race::{aligned, number, seconds};

/// The mark of a figure that is worse than the paper's.
pub(super) const WORSE: &str = "▲";

/// The table, then the geometric means.
pub fn markdown(results: &Results) -> String {
    let table = &results.table;
    let mut text = format!(
        "## Table {}: {}\n\n{}. Ours / the paper's; {WORSE} ours is worse; > not solved; – not given.\n\n",
        table.name, table.title, table.paper
    );
    text += &body(results);
    text
}

/// The rows and the geometric means, without the heading.
pub fn body(results: &Results) -> String {
    let table = &results.table;
    let mut lines = vec![header(results)];
    for row in 0..table.rows.len() {
        lines.push(line(results, row));
    }
    aligned(&lines) + &summary(results)
}

fn header(results: &Results) -> Vec<String> {
    let mut cells = vec!["instance".to_owned(), "configuration".to_owned()];
    for figure in &results.table.figures {
        cells.push(heading(figure));
        cells.push("ratio".to_owned());
    }
    cells.push("remark".to_owned());
    cells
}

/// The name of a figure with its unit.
pub(super) fn heading(figure: &str) -> String {
    match figure {
        "time" => "time s".to_owned(),
        "memory" => "memory MB".to_owned(),
        _ => figure.to_owned(),
    }
}

fn line(results: &Results, row: usize) -> Vec<String> {
    let known = &results.table.rows[row];
    let mut cells = vec![known.instance.clone(), known.configuration.clone()];
    for (figure, name) in results.table.figures.iter().enumerate() {
        let mark = match worse(results, row, figure) {
            true => format!(" {WORSE}"),
            false => String::new(),
        };
        cells.push(format!(
            "{} / {}{mark}",
            our_cell(results, row, figure, name),
            their_cell(known.published[figure], name)
        ));
        cells.push(ratio(results, row, figure).map_or(String::new(), digits));
    }
    cells.push(remark(results, row));
    cells
}

/// Two decimals, or two digits where that would be none.
fn digits(ratio: f64) -> String {
    match ratio {
        _ if ratio >= 0.1 || ratio <= 0.0 => format!("{ratio:.2}"),
        _ => {
            let zeros = -ratio.log10().floor() as usize;
            format!("{ratio:.*}", zeros + 1)
        }
    }
}

/// Longer reasons are cut: the program says them in full.
const LONGEST_REASON: usize = 90;

fn shortened(reason: &str) -> String {
    match reason.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => format!("{}…", &reason[..end]),
        None => reason.to_owned(),
    }
}

pub(super) fn remark(results: &Results, row: usize) -> String {
    let problem = results.measured[row].problem.iter();
    let note = results.table.rows[row].note.iter();
    let problem = problem.map(|reason| shortened(reason));
    let parts: Vec<String> = problem.chain(note.cloned()).collect();
    parts.join("; ").replace('|', "\\|")
}

pub(super) fn our_cell(results: &Results, row: usize, figure: usize, name: &str) -> String {
    match results.ours(row, figure) {
        Some(value) => shown(value, name),
        None if results.measured[row].problem.is_some() && !results.measured[row].skipped => {
            ">".to_owned()
        }
        None => "–".to_owned(),
    }
}

pub(super) fn their_cell(published: Published, name: &str) -> String {
    match published {
        Published::Unknown => "–".to_owned(),
        Published::Unsolved => ">".to_owned(),
        Published::Value(value) => shown(value, name),
    }
}

fn shown(value: f64, name: &str) -> String {
    match name {
        "time" => seconds(value),
        "memory" => format!("{value:.0}"),
        _ if value.fract() == 0.0 => number(value as u64),
        _ => format!("{value:.2}"),
    }
}

fn summary(results: &Results) -> String {
    let mut lines = vec![
        ["configuration", "figure", "geometric mean", "rows"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for mean in means(results) {
        lines.push(vec![
            mean.configuration,
            mean.figure,
            digits(mean.mean),
            mean.rows.to_string(),
        ]);
    }
    let solved = beyond(results);
    let mut text = String::from("\nGeometric means of ours / the paper's:\n\n");
    text += &aligned(&lines);
    if !solved.is_empty() {
        text += &format!("\nSolved here and not there: {}\n", solved.join(", "));
    }
    text
}

/// The rows that the paper's program did not solve and ours did.
pub(super) fn beyond(results: &Results) -> Vec<String> {
    let rows = results.table.rows.iter().enumerate();
    rows.filter(|(at, row)| {
        row.published.contains(&Published::Unsolved) && results.measured[*at].problem.is_none()
    })
    .map(|(_, row)| format!("{} {}", row.instance, row.configuration))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::{digits, markdown};
    use crate::tables::testing::sample;

    #[test]
    fn small_ratios_keep_their_digits() {
        let shown = [3.0, 0.25, 0.034, 0.00123].map(digits);
        assert_eq!(shown, ["3.00", "0.25", "0.034", "0.0012"]);
    }

    #[test]
    fn ours_stand_next_to_theirs() {
        let text = markdown(&sample());
        assert!(text.contains("| 25 / 100 "), "{text}");
        assert!(text.contains("| 200 / 50 ▲"), "{text}");
        assert!(text.contains("| 1,000 / > "), "{text}");
        assert!(
            text.contains("not comparable: other model")
                && text.contains("Solved here and not there: C2 hU")
        );
    }
}
