//! A trace as a message-sequence chart: a lane for each process that moves, and what happens from top to bottom.

use crate::view::TraceView;

/// The chart, before it is drawn.
#[derive(Debug)]
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
    /// The chart of a trace.
    pub fn new(trace: &TraceView) -> Chart {
        let mut chart = Chart {
            lanes: Vec::new(),
            start: Vec::new(),
            rows: Vec::new(),
        };
        let mut last_time = "0";
        for step in &trace.steps {
            if step.time != last_time {
                chart.rows.push(Row::Time(step.time.clone()));
                last_time = &step.time;
            }
            let lanes: Vec<usize> = step
                .moves
                .iter()
                .map(|part| chart.lane(&part.process, &part.source))
                .collect();
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
                .map(|(lane, part)| (*lane, part.target.clone()));
            chart.rows.push(Row::Arrive(arrivals.collect()));
            if !step.changes.is_empty() {
                let changes = step
                    .changes
                    .iter()
                    .map(|change| format!("{} = {}", change.variable, change.after));
                let text = changes.collect::<Vec<_>>().join(", ");
                chart.rows.push(Row::Change(text));
            }
        }
        if let Some(delay) = &trace.last_delay
            && delay != "0"
        {
            chart.rows.push(Row::Time(trace.duration.clone()));
        }
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
