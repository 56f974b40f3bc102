//! Results for programs.

use merkhet_bench::race::{Entry, Raced, Sample, Spread};
use serde_json::{Value, json};

/// A race.
pub fn raced(raced: &[Raced]) -> String {
    let rows: Vec<Value> = raced
        .iter()
        .map(|race| {
            let entries: Vec<Value> = race
                .entries
                .iter()
                .enumerate()
                .map(|(index, entry)| {
                    let mut value = entry_value(entry);
                    if index > 0 {
                        value["cpu_ratio"] = spread(race.cpu_ratio(entry));
                        value["wall_ratio"] = spread(race.wall_ratio(entry));
                        value["memory_ratio"] = spread(race.memory_ratio(entry));
                    }
                    value
                })
                .collect();
            json!({ "row": race.row, "entries": entries })
        })
        .collect();
    pretty(&json!({ "rows": rows }))
}

fn entry_value(entry: &Entry) -> Value {
    json!({
        "program": entry.program,
        "arguments": entry.arguments,
        "samples": entry.samples.iter().map(sample).collect::<Vec<Value>>(),
        "explored": entry.explored,
        "stored": entry.stored,
        "answer": entry.answer,
        "problem": entry.problem,
        "refused": entry.refused,
    })
}

/// One measurement.
pub fn sample(sample: &Sample) -> Value {
    json!({ "cpu_s": sample.cpu, "wall_s": sample.wall, "memory_bytes": sample.memory })
}

fn spread(spread: Option<Spread>) -> Value {
    spread.map_or(
        Value::Null,
        |spread| json!({ "median": spread.median, "min": spread.low, "max": spread.high }),
    )
}

/// Text with line breaks, closed by one.
pub fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}
