//! A table as a page with charts, which needs no other file.

use std::fmt::Write as _;

use super::markdown::{beyond, heading, our_cell, remark, their_cell};
use super::{Results, figure, means, ratio, worse};
use crate::plot::escaped;

const STYLE: &str = "body{font-family:sans-serif;margin:2em;max-width:110em}\
table{border-collapse:collapse;margin:1em 0}th,td{padding:.15em .6em;border-bottom:1px solid #ddd;text-align:right}\
th:first-child,td:first-child,td:last-child{text-align:left}td.worse{background:#fde2d4}td.better{background:#dff3e4}";

/// The page.
pub fn html(results: &Results) -> String {
    let table = &results.table;
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Table {name}</title><style>{STYLE}</style></head><body>\n\
         <h1>Table {name}: {}</h1>\n<p>{}. Ours / the paper's; &gt; means not solved, – not given.</p>\n",
        escaped(&table.title),
        escaped(&table.paper),
        name = escaped(&table.name),
    );
    for name in &table.figures {
        if let Some(svg) = figure(results, name) {
            page += &svg;
        }
    }
    page += &body(results);
    page += "<h2>Geometric means of ours / the paper's</h2>\n<table><tr><th>configuration</th><th>figure</th><th>mean</th><th>rows</th></tr>\n";
    for mean in means(results) {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{:.3}</td><td>{}</td></tr>",
            escaped(&mean.configuration),
            escaped(&mean.figure),
            mean.mean,
            mean.rows
        );
    }
    page += "</table>\n";
    let solved = beyond(results);
    if !solved.is_empty() {
        let _ = writeln!(
            page,
            "<p>Solved here and not there: {}</p>",
            escaped(&solved.join(", "))
        );
    }
    page + "</body></html>\n"
}

fn body(results: &Results) -> String {
    let mut text = String::from("<table><tr><th>instance</th><th>configuration</th>");
    for name in &results.table.figures {
        let _ = write!(text, "<th>{}</th><th>ratio</th>", escaped(&heading(name)));
    }
    text += "<th>remark</th></tr>\n";
    for (at, row) in results.table.rows.iter().enumerate() {
        let _ = write!(
            text,
            "<tr><td>{}</td><td>{}</td>",
            escaped(&row.instance),
            escaped(&row.configuration)
        );
        for (column, name) in results.table.figures.iter().enumerate() {
            let ratio = ratio(results, at, column);
            let class = match ratio {
                _ if worse(results, at, column) => " class=\"worse\"",
                Some(ratio) if ratio <= 1.0 && row.is_comparable() => " class=\"better\"",
                _ => "",
            };
            let _ = write!(
                text,
                "<td{class}>{} / {}</td><td>{}</td>",
                escaped(&our_cell(results, at, column, name)),
                escaped(&their_cell(row.published[column], name)),
                ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"))
            );
        }
        let _ = writeln!(text, "<td>{}</td></tr>", escaped(&remark(results, at)));
    }
    text + "</table>\n"
}

#[cfg(test)]
mod tests {
    use super::html;
    use crate::tables::testing::sample;

    #[test]
    fn a_page_with_charts_and_marks() {
        let page = html(&sample());
        assert_eq!(page.matches("<svg").count(), 2);
        assert!(page.contains("class=\"worse\"") && page.contains("class=\"better\""));
        assert!(page.contains("a &lt;paper&gt;"));
    }
}
