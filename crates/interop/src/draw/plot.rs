//! Curves over a common axis.

use std::fmt::Write;

use super::svg::{n, open, text};

/// A named curve.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its points; those that are no numbers are left out.
    pub points: Vec<(f64, f64)>,
}

const COLOURS: [&str; 6] = [
    "#1f5fa8", "#c0522d", "#3c8a3c", "#8a3c8a", "#a08a1f", "#3c8a8a",
];

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 90.0;
const TOP: f64 = 34.0;

/// The curves as a picture, a document of its own.
pub fn plot(title: &str, axis: &str, curves: &[Curve]) -> String {
    let finite = |point: &&(f64, f64)| point.0.is_finite() && point.1.is_finite();
    let points = || curves.iter().flat_map(|curve| &curve.points).filter(finite);
    let most_x = points().map(|point| point.0).fold(0.0, f64::max);
    let most_y = points().map(|point| point.1).fold(0.0, f64::max);
    let (most_x, most_y) = (round_up(most_x), round_up(most_y));
    let at = |x: f64, y: f64| {
        (
            LEFT + x / most_x * WIDTH,
            TOP + HEIGHT - y.max(0.0) / most_y * HEIGHT,
        )
    };
    let mut svg = open(0.0, 0.0, LEFT + WIDTH + 30.0, TOP + HEIGHT + 44.0, title);
    for quarter in 0..=4 {
        let part = f64::from(quarter) / 4.0;
        let (left, y) = at(0.0, most_y * part);
        let (x, base) = at(most_x * part, 0.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\" stroke=\"#ddd\"/>",
            n(left),
            n(y),
            n(LEFT + WIDTH)
        );
        let value = short(most_y * part);
        text(
            &mut svg,
            left - 6.0,
            y + 4.0,
            " text-anchor=\"end\"",
            &value,
        );
        let value = short(most_x * part);
        text(&mut svg, x, base + 18.0, " text-anchor=\"middle\"", &value);
    }
    text(
        &mut svg,
        LEFT + WIDTH / 2.0,
        TOP + HEIGHT + 36.0,
        " text-anchor=\"middle\"",
        axis,
    );
    for (index, curve) in curves.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let line: Vec<String> = (curve.points.iter().filter(finite))
            .map(|(x, y)| at(*x, *y))
            .map(|(x, y)| format!("{},{}", n(x), n(y)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"/>",
            line.join(" ")
        );
        let x = LEFT + 150.0 * index as f64;
        text(
            &mut svg,
            x,
            18.0,
            &format!(" fill=\"{colour}\""),
            &curve.name,
        );
    }
    svg + "</svg>\n"
}

/// The next number with one significant digit.
fn round_up(value: f64) -> f64 {
    if value <= 0.0 || !value.is_finite() {
        return 1.0;
    }
    let unit = 10f64.powf(value.log10().floor());
    (value / unit).ceil() * unit
}

fn short(value: f64) -> String {
    let scaled = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    let (value, unit) = scaled
        .into_iter()
        .find(|(size, _)| value >= *size)
        .map_or((value, ""), |(size, unit)| (value / size, unit));
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{unit}")
}

#[cfg(test)]
mod tests {
    use super::{Curve, plot, short};

    #[test]
    fn curves_stay_within_the_picture() {
        let curve = Curve {
            name: "explored <states>".into(),
            points: vec![(0.0, 0.0), (0.5, 1234.0), (1.9, 7000.0), (f64::NAN, 1.0)],
        };
        let svg = plot("progress", "seconds", &[curve]);
        assert!(svg.contains("90,254") && svg.contains("622,34"), "{svg}");
        assert!(svg.contains("explored &lt;states&gt;") && !svg.contains("NaN"));
        assert!(plot("", "", &[]).ends_with("</svg>\n"));
        let shown = [0.0, 1500.0, 7e6].map(short);
        assert_eq!(shown, ["0", "1.5k", "7M"]);
    }
}
