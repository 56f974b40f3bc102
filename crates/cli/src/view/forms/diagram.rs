//! A chart drawn with characters.

use merkhet_interop::draw::{Chart, Row};

use crate::view::TraceView;
use crate::view::chart::moves;

/// Blanks between two lanes.
const GAP: usize = 4;

/// The chart of a trace, each line after `indent` blanks.
pub fn render(trace: &TraceView, indent: usize) -> String {
    let chart = Chart::new(&moves(trace));
    if chart.lanes.is_empty() {
        return String::new();
    }
    let mut left = "time".len();
    for row in &chart.rows {
        if let Row::Time(time) = row {
            left = left.max(time.chars().count());
        }
    }
    let mut centers = Vec::new();
    let mut at = left + 2;
    for width in chart.widths() {
        centers.push(at + width / 2);
        at += width + GAP;
    }
    let canvas = Canvas {
        centers,
        left,
        indent,
        text: String::new(),
    };
    canvas.draw(&chart)
}

struct Canvas {
    /// The column of each lane's line.
    centers: Vec<usize>,
    /// The width of the column of times.
    left: usize,
    indent: usize,
    text: String,
}

impl Canvas {
    fn draw(mut self, chart: &Chart) -> String {
        let names = chart.lanes.iter().cloned().enumerate();
        let mut head = self.line("time", false);
        names.for_each(|(lane, name)| self.centre(&mut head, lane, &name));
        self.push(head);
        let mut start = self.line("0", true);
        for (lane, location) in chart.start.iter().enumerate() {
            self.centre(&mut start, lane, &format!("[{location}]"));
        }
        self.push(start);
        for row in &chart.rows {
            let line = match row {
                Row::Time(time) => self.line(time, true),
                Row::Message { from, to, label } => {
                    let mut line = self.line("", true);
                    self.arrow(&mut line, *from, *to, label);
                    line
                }
                Row::Arrive(arrivals) => {
                    let mut line = self.line("", true);
                    for (lane, location) in arrivals {
                        self.centre(&mut line, *lane, &format!("[{location}]"));
                    }
                    line
                }
                Row::Change(text) => {
                    let mut line = self.line("", true);
                    line.extend(format!("   {text}").chars());
                    line
                }
            };
            self.push(line);
        }
        self.text
    }

    /// A line with a time at its start and the lanes' lines.
    fn line(&self, time: &str, lanes: bool) -> Vec<char> {
        let mut line: Vec<char> = format!("{time:>width$}", width = self.left)
            .chars()
            .collect();
        let last = self.centers.last().copied().unwrap_or(0);
        line.resize(last.max(line.len()) + 1, ' ');
        for &center in self.centers.iter().filter(|_| lanes) {
            line[center] = '|';
        }
        line
    }

    fn centre(&self, line: &mut Vec<char>, lane: usize, text: &str) {
        let characters: Vec<char> = text.chars().collect();
        let start = self.centers[lane].saturating_sub(characters.len() / 2);
        if line.len() < start + characters.len() {
            line.resize(start + characters.len(), ' ');
        }
        line[start..start + characters.len()].copy_from_slice(&characters);
    }

    fn arrow(&self, line: &mut [char], from: usize, to: usize, label: &str) {
        let (a, b) = (self.centers[from], self.centers[to]);
        let (low, high) = (a.min(b), a.max(b));
        line[low + 1..high].fill('-');
        let head = if a < b { high - 1 } else { low + 1 };
        line[head] = if a < b { '>' } else { '<' };
        // The name stands at the sender's end, so that it is not cut by a lane in between.
        let name: Vec<char> = label.chars().collect();
        let room = (high - low).saturating_sub(3);
        let shown = &name[..name.len().min(room)];
        let start = if a < b {
            low + 2
        } else {
            high - 1 - shown.len()
        };
        line[start..start + shown.len()].copy_from_slice(shown);
    }

    fn push(&mut self, line: Vec<char>) {
        let line: String = line.into_iter().collect();
        self.text += &" ".repeat(self.indent);
        self.text += line.trim_end();
        self.text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::render;
    use crate::view::samples;

    #[test]
    fn a_chart_in_characters() {
        let report = samples::report();
        let trace = report.results[1].trace.as_ref().expect("a trace");
        insta::assert_snapshot!(render(trace, 2));
    }
}
