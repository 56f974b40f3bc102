//! A table with commas, for other programs.

use super::{Published, Results};

/// One line for each row: instance, configuration, options, ours and the paper's for each figure, remark.
pub fn csv(results: &Results) -> String {
    let mut header = vec!["instance", "configuration", "options"]
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<_>>();
    for figure in &results.table.figures {
        header.push(format!("{figure} (ours)"));
        header.push(format!("{figure} (paper)"));
    }
    header.push("remark".to_owned());
    let mut text = line(&header);
    for (at, row) in results.table.rows.iter().enumerate() {
        let mut cells = vec![
            row.instance.clone(),
            row.configuration.clone(),
            row.options.join(" "),
        ];
        for (figure, published) in row.published.iter().enumerate() {
            cells.push(
                results
                    .ours(at, figure)
                    .map_or(String::new(), |value| value.to_string()),
            );
            cells.push(match published {
                Published::Unknown => String::new(),
                Published::Unsolved => ">".to_owned(),
                Published::Value(value) => value.to_string(),
            });
        }
        let problem = results.measured[at].problem.iter().chain(&row.note);
        cells.push(problem.map(String::as_str).collect::<Vec<_>>().join("; "));
        text += &line(&cells);
    }
    text
}

fn line(cells: &[String]) -> String {
    let quoted: Vec<String> = cells
        .iter()
        .map(|cell| match cell.contains([',', '"', '\n']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        })
        .collect();
    quoted.join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::{csv, line};
    use crate::tables::testing::sample;

    #[test]
    fn a_line_for_each_row() {
        let text = csv(&sample());
        assert_eq!(text.lines().count(), 5);
        assert!(
            text.contains("C2,hU,--heuristic hu,1000,>,0.5,>,"),
            "{text}"
        );
    }

    #[test]
    fn commas_are_quoted() {
        assert_eq!(line(&["a,b".into(), "c\"d".into()]), "\"a,b\",\"c\"\"d\"\n");
    }
}
