//! A figure by instance and configuration on a logarithmic scale, as SVG: ours drawn through, the paper's dashed.

use std::fmt::Write as _;

use super::{Published, Results};
use crate::plot::{COLOURS, escaped, power};

const STEP: f64 = 46.0;
const LEFT: f64 = 80.0;
const LEGEND: f64 = 170.0;
const TOP: f64 = 40.0;
const HEIGHT: f64 = 420.0;
const BOTTOM: f64 = 50.0;

/// The chart of one figure; nothing if no row has a positive value of it.
pub fn figure(results: &Results, name: &str) -> Option<String> {
    let column = results.figure(name)?;
    let instances = results.instances();
    let lines: Vec<Line> = results
        .configurations()
        .into_iter()
        .enumerate()
        .flat_map(|(at, configuration)| lines(results, column, &instances, configuration, at))
        .filter(|line| !line.points.is_empty())
        .collect();
    let values = || lines.iter().flat_map(|line| &line.points).map(|(_, y)| *y);
    let bottom = values().reduce(f64::min)?.log10().floor();
    let top = values().reduce(f64::max)?.log10().ceil().max(bottom + 1.0);
    let width = LEFT + STEP * instances.len() as f64 + LEGEND;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" width=\"{width}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{}</text>\n",
        escaped(&format!("{name}: ours drawn through, the paper's dashed"))
    );
    let y = |value: f64| {
        let share = (value.log10() - bottom) / (top - bottom);
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    };
    let right = width - LEGEND;
    for decade in bottom as i32..=top as i32 {
        let at = y(10f64.powi(decade));
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            at + 4.0,
            power(decade)
        );
    }
    // Names that would run into each other are turned.
    let turned = instances.iter().any(|instance| instance.len() > 6);
    let (anchor, turn) = match turned {
        true => ("end", " rotate(-30)"),
        false => ("middle", ""),
    };
    for (at, instance) in instances.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<text transform=\"translate({:.1} {}){turn}\" text-anchor=\"{anchor}\" font-size=\"10\">{}</text>",
            x(at),
            HEIGHT - BOTTOM + 18.0,
            escaped(instance)
        );
    }
    let joined = |left: usize, right: usize| {
        right == left + 1 && family(instances[left]) == family(instances[right])
    };
    for (index, line) in lines.iter().enumerate() {
        line.draw(index, right, &y, &joined, &mut svg);
    }
    Some(svg + "</svg>\n")
}

fn x(instance: usize) -> f64 {
    LEFT + STEP * (instance as f64 + 0.5)
}

/// What comes before the number of an instance.
fn family(instance: &str) -> &str {
    instance.trim_end_matches(|c: char| c.is_ascii_digit())
}

struct Line {
    name: String,
    colour: &'static str,
    dashed: bool,
    /// Index of the instance and value.
    points: Vec<(usize, f64)>,
}

/// Ours and the paper's for one configuration.
fn lines(
    results: &Results,
    column: usize,
    instances: &[&str],
    configuration: &str,
    index: usize,
) -> [Line; 2] {
    let mut ours = Line {
        name: configuration.to_owned(),
        colour: COLOURS[index % COLOURS.len()],
        dashed: false,
        points: Vec::new(),
    };
    let mut theirs = Line {
        name: format!("{configuration} (paper)"),
        dashed: true,
        points: Vec::new(),
        ..ours
    };
    for (at, row) in results.table.rows.iter().enumerate() {
        let Some(place) = instances
            .iter()
            .position(|instance| *instance == row.instance)
        else {
            continue;
        };
        if row.configuration != configuration {
            continue;
        }
        ours.points.extend(
            results
                .ours(at, column)
                .filter(|value| *value > 0.0)
                .map(|value| (place, value)),
        );
        if let Published::Value(value) = row.published[column]
            && value > 0.0
        {
            theirs.points.push((place, value));
        }
    }
    [ours, theirs]
}

impl Line {
    fn draw(
        &self,
        index: usize,
        right: f64,
        y: &impl Fn(f64) -> f64,
        joined: &impl Fn(usize, usize) -> bool,
        svg: &mut String,
    ) {
        let (colour, dashes) = (
            self.colour,
            if self.dashed {
                " stroke-dasharray=\"5 4\" stroke-opacity=\"0.6\""
            } else {
                ""
            },
        );
        // Instances that were not solved break the line, and so does another family.
        for piece in self.points.chunk_by(|left, right| joined(left.0, right.0)) {
            let path: Vec<String> = piece
                .iter()
                .map(|(at, value)| format!("{:.1},{:.1}", x(*at), y(*value)))
                .collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>",
                path.join(" ")
            );
        }
        for (at, value) in self.points.iter().filter(|_| !self.dashed) {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>",
                x(*at),
                y(*value)
            );
        }
        let at = TOP + 16.0 * index as f64;
        let _ = writeln!(
            svg,
            "<line x1=\"{}\" y1=\"{at}\" x2=\"{}\" y2=\"{at}\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\
             <text x=\"{}\" y=\"{}\">{}</text>",
            right + 8.0,
            right + 34.0,
            right + 40.0,
            at + 4.0,
            escaped(&self.name)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::figure;
    use crate::tables::testing::sample;

    #[test]
    fn a_line_for_each_configuration_of_ours_and_theirs() {
        let svg = figure(&sample(), "explored").expect("a chart");
        // Theirs of hU is broken by the instance that they did not solve.
        assert_eq!(svg.matches("<polyline").count(), 5, "{svg}");
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(svg.contains("hU (paper)"));
        assert!(figure(&sample(), "nodes").is_none());
    }
}
