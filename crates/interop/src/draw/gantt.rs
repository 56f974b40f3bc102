//! Who was where, and when: a lane for each process that moves, on a true time axis.

use std::fmt::Write;

use super::sequence::Moves;
use super::svg::{CHARACTER, escape, n, open, text};

/// The height of a lane, and between lanes.
const LANE: f64 = 20.0;
const GAP: f64 = 6.0;
const LEFT: f64 = 16.0;
const TOP: f64 = 24.0;

/// The width of the time axis.
const AXIS: f64 = 720.0;

/// Colours of locations: the same name has the same one.
const SHADES: [&str; 8] = [
    "#dbe7f6", "#f6e3d0", "#dcefd9", "#eedcef", "#f4f0c9", "#d5eeee", "#f3d9dc", "#e4e4e4",
];

/// The run as a picture, a document of its own.
pub fn gantt(title: &str, run: &Moves) -> String {
    let mut lanes: Vec<(&str, Vec<(f64, &str)>)> = Vec::new();
    for step in &run.steps {
        let time = number(&step.time);
        for (process, source, target) in &step.moves {
            let lane = match lanes.iter().position(|(name, _)| name == process) {
                Some(lane) => lane,
                None => {
                    lanes.push((process, vec![(0.0, source)]));
                    lanes.len() - 1
                }
            };
            lanes[lane].1.push((time, target));
        }
    }
    let last = run.steps.last().map_or(0.0, |step| number(&step.time));
    let end = run.until.as_deref().map_or(last, number).max(last);
    // A run that takes no time is all at one moment.
    let span = if end > 0.0 { end } else { 1.0 };
    let widest = lanes.iter().map(|(name, _)| name.chars().count()).max();
    let left = LEFT + widest.unwrap_or(0) as f64 * CHARACTER + 10.0;
    let x = |time: f64| left + time / span * AXIS;
    let base = TOP + lanes.len() as f64 * (LANE + GAP);
    let mut svg = open(0.0, 0.0, left + AXIS + 40.0, base + 34.0, title);
    for (row, (name, visits)) in lanes.iter().enumerate() {
        let y = TOP + row as f64 * (LANE + GAP);
        let attributes = " text-anchor=\"end\"";
        text(&mut svg, left - 8.0, y + 14.0, attributes, name);
        for (index, (since, place)) in visits.iter().enumerate() {
            let until = visits.get(index + 1).map_or(end, |next| next.0);
            if until <= *since && index + 1 < visits.len() {
                continue;
            }
            piece(&mut svg, (x(*since), y, x(until) - x(*since)), name, place);
        }
    }
    axis(&mut svg, run, (left, base), &x, end);
    svg + "</svg>\n"
}

fn piece(svg: &mut String, (x, y, width): (f64, f64, f64), name: &str, place: &str) {
    let shade = SHADES[shade(place)];
    let _ = writeln!(
        svg,
        "<g><title>{}.{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{LANE}\" fill=\"{shade}\" stroke=\"#667\"/></g>",
        escape(name),
        escape(place),
        n(x),
        n(y),
        n(width.max(1.0))
    );
    let room = (width / CHARACTER) as usize;
    if room >= 3 {
        let shown: String = match place.chars().count() <= room {
            true => place.to_owned(),
            false => place.chars().take(room - 1).chain(['…']).collect(),
        };
        text(svg, x + 4.0, y + 14.0, "", &shown);
    }
}

fn axis(svg: &mut String, run: &Moves, (left, base): (f64, f64), x: &dyn Fn(f64) -> f64, end: f64) {
    let _ = writeln!(
        svg,
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#333\"/>",
        n(left),
        n(base),
        n(left + AXIS),
        n(base)
    );
    let times = run.steps.iter().map(|step| step.time.as_str());
    let mut shown = f64::NEG_INFINITY;
    for time in ["0"].into_iter().chain(times).chain(run.until.as_deref()) {
        let at = x(number(time).min(end));
        if at - shown < 40.0 {
            continue;
        }
        shown = at;
        let _ = writeln!(
            svg,
            "<line x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{2}\" stroke=\"#333\"/>",
            n(at),
            n(base),
            n(base + 4.0)
        );
        text(svg, at, base + 18.0, " text-anchor=\"middle\"", time);
    }
}

/// A rational as printed, as a number for drawing.
fn number(text: &str) -> f64 {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let below: f64 = below.parse().unwrap_or(1.0);
    above.parse::<f64>().unwrap_or(0.0) / below
}

fn shade(text: &str) -> usize {
    let sum = text
        .chars()
        .fold(0u32, |sum, letter| (sum * 31 + letter as u32) % 8191);
    sum as usize % SHADES.len()
}

#[cfg(test)]
mod tests {
    use super::super::sequence::{Moved, Moves};
    use super::gantt;

    #[test]
    fn a_lane_for_each_process_and_a_piece_for_each_stay() {
        let moved = |time: &str, process: &str, source: &str, target: &str| Moved {
            time: time.into(),
            moves: vec![(process.into(), source.into(), target.into())],
            ..Moved::default()
        };
        let run = Moves {
            steps: vec![
                moved("0", "P", "idle", "hop"),
                moved("0", "P", "hop", "busy"),
                moved("5/2", "Q<1>", "idle", "busy"),
            ],
            until: Some("4".into()),
        };
        let svg = gantt("a & b", &run);
        // Where nobody stays for any time there is nothing to see.
        assert_eq!(svg.matches("<rect").count(), 1 + 3, "{svg}");
        assert!(svg.contains("<title>a &amp; b</title>") && svg.contains("Q&lt;1&gt;"));
        assert!(svg.contains(">5/2</text>"));
        assert!(gantt("", &Moves::default()).ends_with("</svg>\n"));
    }
}
