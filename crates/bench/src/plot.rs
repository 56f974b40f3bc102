//! Line charts with a logarithmic scale, as SVG.

use std::fmt::Write as _;

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// The points; values are positive.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;

/// Colours that can be told apart by colour-blind readers too (Okabe and Ito).
pub(crate) const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
];

/// A chart with a linear horizontal axis of whole numbers and a logarithmic vertical one.
///
/// Lines get colours and marks in their order; a chart without points says so.
pub fn chart(title: &str, horizontal: &str, vertical: &str, series: &[Series]) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"22\" text-anchor=\"middle\" font-size=\"15\">{}</text>\n",
        WIDTH / 2.0,
        escaped(title)
    );
    match Axes::of(series) {
        Some(axes) => {
            axes.draw(horizontal, vertical, &mut svg);
            for (index, line) in series.iter().enumerate() {
                draw_series(&axes, index, line, &mut svg);
            }
        }
        None => {
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">no points</text>",
                WIDTH / 2.0,
                HEIGHT / 2.0
            );
        }
    }
    svg + "</svg>\n"
}

/// The ranges of both axes; the vertical one in decades.
struct Axes {
    left: f64,
    right: f64,
    bottom: i32,
    top: i32,
}

impl Axes {
    fn of(series: &[Series]) -> Option<Axes> {
        let points = || series.iter().flat_map(|line| &line.points);
        let good = || points().filter(|(x, y)| x.is_finite() && y.is_finite() && *y > 0.0);
        let least = |values: &mut dyn Iterator<Item = f64>| values.reduce(f64::min);
        let most = |values: &mut dyn Iterator<Item = f64>| values.reduce(f64::max);
        let left = least(&mut good().map(|point| point.0))?;
        let right = most(&mut good().map(|point| point.0))?;
        let bottom = least(&mut good().map(|point| point.1))?.log10().floor() as i32;
        let top = most(&mut good().map(|point| point.1))?.log10().ceil() as i32;
        Some(Axes {
            left,
            right: right.max(left + 1.0),
            bottom,
            top: top.max(bottom + 1),
        })
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + (value - self.left) / (self.right - self.left) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value.log10() - f64::from(self.bottom)) / f64::from(self.top - self.bottom);
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    }

    fn draw(&self, horizontal: &str, vertical: &str, svg: &mut String) {
        for decade in self.bottom..=self.top {
            let value = 10f64.powi(decade);
            let y = self.y(value);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0,
                power(decade)
            );
        }
        let step = ((self.right - self.left) / 12.0).ceil().max(1.0);
        let mut value = self.left.ceil();
        while value <= self.right {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{value}</text>",
                self.x(value),
                HEIGHT - BOTTOM + 18.0
            );
            value += step;
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (LEFT + WIDTH - RIGHT) / 2.0,
            HEIGHT - 10.0,
            escaped(horizontal),
            (TOP + HEIGHT - BOTTOM) / 2.0,
            escaped(vertical)
        );
    }
}

fn draw_series(axes: &Axes, index: usize, series: &Series, svg: &mut String) {
    let colour = COLOURS[index % COLOURS.len()];
    let points: Vec<(f64, f64)> = series
        .points
        .iter()
        .filter(|(x, y)| x.is_finite() && y.is_finite() && *y > 0.0)
        .map(|&(x, y)| (axes.x(x), axes.y(y)))
        .collect();
    let path: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    let dashes = if index % 2 == 1 {
        " stroke-dasharray=\"6 3\""
    } else {
        ""
    };
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>",
        path.join(" ")
    );
    for (x, y) in &points {
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
        );
    }
    let y = TOP + 14.0 + 18.0 * index as f64;
    let _ = writeln!(
        svg,
        "<line x1=\"{}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\
         <text x=\"{}\" y=\"{}\">{}</text>",
        LEFT + 12.0,
        LEFT + 40.0,
        LEFT + 46.0,
        y + 4.0,
        escaped(&series.name)
    );
}

/// A power of ten, written out where that is short.
pub(crate) fn power(exponent: i32) -> String {
    match exponent {
        0..=4 => format!("{}", 10i64.pow(exponent as u32)),
        -3..=-1 => format!(
            "{:.*}",
            exponent.unsigned_abs() as usize,
            10f64.powi(exponent)
        ),
        _ => format!("1e{exponent}"),
    }
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{Series, chart, power};

    #[test]
    fn a_chart_has_a_line_for_each_series() {
        let series = |name: &str, points: &[(f64, f64)]| Series {
            name: name.into(),
            points: points.to_vec(),
        };
        let svg = chart(
            "a < b",
            "N",
            "s",
            &[
                series("ours", &[(2.0, 0.001), (3.0, 0.1), (4.0, f64::NAN)]),
                series("peer", &[(2.0, 1.0), (3.0, 0.0)]),
            ],
        );
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert_eq!(svg.matches("<circle").count(), 3, "bad values are left out");
        assert!(svg.contains("a &lt; b") && !svg.contains("NaN"));
        assert!(chart("t", "x", "y", &[]).contains("no points"));
    }

    #[test]
    fn powers_of_ten() {
        let shown: Vec<String> = [-4, -2, 0, 3, 6].map(power).to_vec();
        assert_eq!(shown, ["1e-4", "0.01", "1", "1000", "1e6"]);
    }
}
