//! A chart drawn as SVG, without scripts or outside resources.

use std::fmt::Write;

use crate::view::TraceView;
use crate::view::chart::{Chart, Row};
use crate::view::junit::escape;

/// The height of a row, and the width of a character of the font.
const ROW: usize = 26;
const CHARACTER: usize = 8;
const LEFT: usize = 70;
const TOP: usize = 40;

/// What charts are set in.
pub const FONT: &str = "font-family=\"monospace\" font-size=\"13\"";

/// The whole document.
pub fn render(title: &str, trace: &TraceView) -> String {
    let chart = Chart::new(trace);
    let mut centers = Vec::new();
    let mut at = LEFT;
    for width in chart.widths() {
        let width = (width * CHARACTER).max(60) + 30;
        centers.push(at + width / 2);
        at += width;
    }
    let changes = chart.rows.iter().map(|row| match row {
        Row::Change(text) => text.chars().count() * CHARACTER,
        _ => 0,
    });
    let width = at + changes.max().unwrap_or(0) + 20;
    let height = TOP + (chart.rows.len() + 2) * ROW + 20;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" {FONT}>\n\
         <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        escape(title)
    );
    for (lane, center) in centers.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<line x1=\"{center}\" y1=\"{TOP}\" x2=\"{center}\" y2=\"{}\" stroke=\"#999\"/>",
            height - 10
        );
        text(
            &mut svg,
            *center,
            TOP - 12,
            "middle",
            "bold",
            &chart.lanes[lane],
        );
        place(&mut svg, *center, TOP + ROW / 2, &chart.start[lane]);
    }
    for (index, row) in chart.rows.iter().enumerate() {
        let y = TOP + (index + 1) * ROW + ROW / 2;
        match row {
            Row::Time(time) => {
                let _ = writeln!(
                    svg,
                    "<line x1=\"10\" y1=\"{y}\" x2=\"{at}\" y2=\"{y}\" stroke=\"#bbb\" stroke-dasharray=\"4 4\"/>"
                );
                text(
                    &mut svg,
                    10,
                    y - 4,
                    "start",
                    "normal",
                    &format!("t = {time}"),
                );
            }
            Row::Message { from, to, label } => {
                arrow(&mut svg, centers[*from], centers[*to], y, label);
            }
            Row::Arrive(arrivals) => {
                for (lane, location) in arrivals {
                    place(&mut svg, centers[*lane], y, location);
                }
            }
            Row::Change(change) => text(&mut svg, at, y + 4, "start", "normal", change),
        }
    }
    svg + "</svg>\n"
}

fn text(svg: &mut String, x: usize, y: usize, anchor: &str, weight: &str, words: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-weight=\"{weight}\">{}</text>",
        escape(words)
    );
}

fn place(svg: &mut String, x: usize, y: usize, location: &str) {
    let width = location.chars().count() * CHARACTER + 14;
    let _ = writeln!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"20\" rx=\"9\" fill=\"#eef4ff\" stroke=\"#446\"/>",
        x.saturating_sub(width / 2),
        y.saturating_sub(10),
    );
    text(svg, x, y + 4, "middle", "normal", location);
}

fn arrow(svg: &mut String, from: usize, to: usize, y: usize, label: &str) {
    let tip = if from < to {
        to.saturating_sub(8)
    } else {
        to + 8
    };
    let _ = writeln!(
        svg,
        "<line x1=\"{from}\" y1=\"{y}\" x2=\"{to}\" y2=\"{y}\" stroke=\"#a30\" stroke-width=\"1.5\"/>\n\
         <path d=\"M {tip} {} L {to} {y} L {tip} {} Z\" fill=\"#a30\"/>",
        y - 4,
        y + 4,
    );
    text(svg, from.midpoint(to), y - 5, "middle", "normal", label);
}

#[cfg(test)]
mod tests {
    use super::render;
    use crate::view::samples;

    #[test]
    fn a_chart_as_a_picture() {
        let report = samples::report();
        let trace = report.results[1].trace.as_ref().expect("a trace");
        insta::assert_snapshot!(render("Lamp <1>", trace));
    }
}
