//! A run as a message-sequence chart: a lane for each process that moves, and what happens from top to bottom.

use std::fmt::Write;

use super::svg::{FONT, escape};

/// A step of a run, in words.
#[derive(Clone, Debug, Default)]
pub struct Moved {
    /// When it is taken.
    pub time: String,
    /// Who moves: process, source and target; a sender comes first.
    pub moves: Vec<(String, String, String)>,
    /// The channel.
    pub sync: Option<String>,
    /// What changes, such as `n = 3`.
    pub changes: Vec<String>,
}

/// A run, in words.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// Its steps.
    pub steps: Vec<Moved>,
    /// When it ends, if that is later than the last step.
    pub until: Option<String>,
}

/// The chart, before it is drawn.
#[derive(Debug, Default)]
pub struct Chart {
    /// The processes, in the order in which they first move.
    pub lanes: Vec<String>,
    /// Where each of them starts.
    pub start: Vec<String>,
    /// What happens.
    pub rows: Vec<Row>,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// Time passes until then.
    Time(String),
    /// A lane speaks to another.
    Message {
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// The channel.
        label: String,
    },
    /// Lanes arrive at locations.
    Arrive(Vec<(usize, String)>),
    /// Variables change.
    Change(String),
}

impl Chart {
    /// The chart of a run.
    pub fn new(run: &Moves) -> Chart {
        let mut chart = Chart::default();
        let mut last_time = "0";
        for step in &run.steps {
            if step.time != last_time {
                chart.rows.push(Row::Time(step.time.clone()));
                last_time = &step.time;
            }
            let lane =
                |(process, source, _): &(String, String, String)| chart.lane(process, source);
            let lanes: Vec<usize> = step.moves.iter().map(lane).collect();
            if let (Some(label), [from, receivers @ ..]) = (&step.sync, lanes.as_slice()) {
                for to in receivers {
                    chart.rows.push(Row::Message {
                        from: *from,
                        to: *to,
                        label: label.clone(),
                    });
                }
            }
            let arrivals = lanes
                .iter()
                .zip(&step.moves)
                .map(|(lane, (_, _, target))| (*lane, target.clone()));
            chart.rows.push(Row::Arrive(arrivals.collect()));
            if !step.changes.is_empty() {
                chart.rows.push(Row::Change(step.changes.join(", ")));
            }
        }
        chart.rows.extend(run.until.clone().map(Row::Time));
        chart
    }

    fn lane(&mut self, process: &str, source: &str) -> usize {
        match self.lanes.iter().position(|lane| lane == process) {
            Some(lane) => lane,
            None => {
                self.lanes.push(process.to_owned());
                self.start.push(source.to_owned());
                self.lanes.len() - 1
            }
        }
    }

    /// For each lane the width of its widest text, in characters.
    pub fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self
            .lanes
            .iter()
            .zip(&self.start)
            .map(|(lane, start)| lane.chars().count().max(start.chars().count() + 2))
            .collect();
        for row in &self.rows {
            match row {
                Row::Arrive(arrivals) => {
                    for (lane, location) in arrivals {
                        widths[*lane] = widths[*lane].max(location.chars().count() + 2);
                    }
                }
                // A message needs room for its name between two lanes.
                Row::Message { from, to, label } => {
                    let lane = *from.min(to);
                    widths[lane] = widths[lane].max(label.chars().count() + 2);
                }
                _ => {}
            }
        }
        widths
    }
}

/// The height of a row, and the width of a character of the font.
const ROW: usize = 26;
const CHARACTER: usize = 8;
const LEFT: usize = 70;
const TOP: usize = 40;

/// A run as a picture, a document of its own.
pub fn sequence(title: &str, run: &Moves) -> String {
    let chart = Chart::new(run);
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
