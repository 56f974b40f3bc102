//! The table of a race, in Markdown, which reads well on a terminal too.

use super::{Entry, Raced, Spread, geometric_mean};

const HEADER: [&str; 11] = [
    "row",
    "program",
    "arguments",
    "CPU s",
    "wall s",
    "MB",
    "explored",
    "stored",
    "CPU ratio (min–max)",
    "wall ratio (min–max)",
    "memory ratio",
];

/// The whole table with the geometric means of the ratios of each program at the end.
pub fn markdown(raced: &[Raced]) -> String {
    let mut lines = vec![HEADER.map(str::to_owned).to_vec()];
    for race in raced {
        for (index, entry) in race.entries.iter().enumerate() {
            lines.push(line(race, entry, index == 0));
        }
    }
    let mut text = aligned(&lines);
    for program in programs(raced) {
        text += &means(raced, &program);
    }
    text += &refusals(raced);
    for difference in raced.iter().filter_map(Raced::disagreement) {
        text += &format!("\nDISAGREEMENT {difference}\n");
    }
    text
}

fn line(race: &Raced, entry: &Entry, ours: bool) -> Vec<String> {
    let ratio = |spread: Option<Spread>, show: fn(Spread) -> String| match ours {
        true => String::new(),
        false => spread.map(show).unwrap_or_default(),
    };
    let arguments = match &entry.problem {
        Some(problem) => format!("{} — {problem}", entry.arguments),
        None => entry.arguments.clone(),
    };
    vec![
        if ours {
            race.row.clone()
        } else {
            String::new()
        },
        entry.program.clone(),
        arguments.trim().replace('|', "\\|"),
        entry.cpu().map(seconds).unwrap_or_default(),
        entry.wall().map(seconds).unwrap_or_default(),
        entry
            .memory()
            .map(|bytes| format!("{:.0}", bytes / 1e6))
            .unwrap_or_default(),
        entry.explored.map(number).unwrap_or_default(),
        entry.stored.map(number).unwrap_or_default(),
        ratio(race.cpu_ratio(entry), with_spread),
        ratio(race.wall_ratio(entry), with_spread),
        ratio(race.memory_ratio(entry), |s| format!("{:.2}", s.median)),
    ]
}

fn with_spread(spread: Spread) -> String {
    let Spread { median, low, high } = spread;
    format!("{median:.2} ({low:.2}–{high:.2})")
}

/// The other programs, in order of appearance.
fn programs(raced: &[Raced]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for entry in raced.iter().flat_map(|race| race.entries.iter().skip(1)) {
        if !names.contains(&entry.program) {
            names.push(entry.program.clone());
        }
    }
    names
}

fn means(raced: &[Raced], program: &str) -> String {
    let collect = |ratio: fn(&Raced, &Entry) -> Option<Spread>| -> Vec<f64> {
        raced
            .iter()
            .flat_map(|race| race.entries.iter().skip(1).map(move |entry| (race, entry)))
            .filter(|(_, entry)| entry.program == program)
            .filter_map(|(race, entry)| ratio(race, entry))
            .map(|spread| spread.median)
            .collect()
    };
    let cpu = collect(Raced::cpu_ratio);
    let wall = collect(Raced::wall_ratio);
    let memory = collect(Raced::memory_ratio);
    let mean = |values: &[f64]| {
        geometric_mean(values.iter().copied()).map_or("–".into(), |mean| format!("{mean:.2}"))
    };
    let least = cpu.iter().copied().reduce(f64::min);
    format!(
        "\n{program}: geometric mean of the ratios over {} rows: CPU {}, wall {}, memory {}; smallest CPU ratio {}\n",
        cpu.len(),
        mean(&cpu),
        mean(&wall),
        mean(&memory),
        least.map_or("–".into(), |least| format!("{least:.2}")),
    )
}

/// Which algorithms could not be compared with.
fn refusals(raced: &[Raced]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for entry in raced.iter().flat_map(|race| &race.entries) {
        for algorithm in &entry.refused {
            let line = format!("\n{} refuses {algorithm}\n", entry.program);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines.concat()
}

/// A Markdown table with aligned columns; the first line is the header.
pub(crate) fn aligned(lines: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        for (column, cell) in line.iter().enumerate() {
            let padding = width(column) - cell.chars().count();
            text += &format!("| {cell}{} ", " ".repeat(padding));
        }
        text += "|\n";
        if index == 0 {
            for column in 0..line.len() {
                text += &format!("|{}", "-".repeat(width(column) + 2));
            }
            text += "|\n";
        }
    }
    text
}

/// Seconds with three significant digits.
pub fn seconds(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v >= 1.0 => format!("{v:.2}"),
        v => format!("{v:.4}"),
    }
}

/// A number with groups of three digits.
pub fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{markdown, number, seconds};
    use crate::race::{Entry, Raced, Sample};

    fn entry(program: &str, cpu: [f64; 2], answer: &str) -> Entry {
        let sample = |cpu| Sample {
            cpu,
            wall: cpu,
            memory: 2_000_000,
        };
        Entry {
            program: program.into(),
            arguments: "-a x".into(),
            samples: cpu.map(sample).to_vec(),
            explored: Some(12345),
            stored: None,
            answer: Some(answer.into()),
            problem: None,
            refused: vec!["-a y".into()],
        }
    }

    #[test]
    fn a_table_ends_with_the_geometric_means() {
        let race = |row: &str, theirs, answer| Raced {
            row: row.into(),
            entries: vec![
                entry("merkhet", [1.0, 1.0], "explored"),
                entry("peer", theirs, answer),
            ],
        };
        let text = markdown(&[
            race("a", [2.0, 2.0], "explored"),
            race("b", [6.0, 10.0], "violated"),
        ]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[2].starts_with("| a   | merkhet"), "{text}");
        assert!(lines[5].contains("| 8.00 (6.00–10.00)"), "{text}");
        assert!(
            text.contains("over 2 rows: CPU 4.00, wall 4.00, memory 1.00; smallest CPU ratio 2.00")
        );
        assert_eq!(text.matches("peer refuses -a y").count(), 1);
        assert!(text.contains("DISAGREEMENT b: merkhet says explored, peer says violated"));
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(number(0), "0");
        assert_eq!(number(1234567), "1,234,567");
        assert_eq!(seconds(0.01234), "0.0123");
        assert_eq!(seconds(123.4), "123");
    }
}
