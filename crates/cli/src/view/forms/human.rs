//! The report for people: a block for each query, the verdict first.

use anstyle::{AnsiColor, Style};

use crate::view::processes::ProcessView;
use crate::view::quantity::{bytes, count, plural, seconds};
use crate::view::table::{Align, layout};
use crate::view::{
    EndingView, FaultView, MoveView, ResultView, SplitView, StateView, StepView, TraceView,
    ValueView, Verdict, diagram,
};

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// How a trace is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum TraceStyle {
    /// A table: time, process, edge, synchronisation, changes.
    #[default]
    Short,
    /// Each step with guards, updates and the whole state after it.
    Full,
    /// A message-sequence chart.
    Diagram,
}

fn style(verdict: Verdict) -> Style {
    let color = match verdict {
        Verdict::Satisfied => AnsiColor::Green,
        Verdict::Violated => AnsiColor::Red,
        Verdict::Unknown => AnsiColor::Yellow,
    };
    BOLD.fg_color(Some(color.into()))
}

/// The block of one query, with the number that it has among all.
pub fn result(
    number: usize,
    total: usize,
    result: &ResultView,
    trace_style: TraceStyle,
    verbose: bool,
) -> String {
    let verdict = style(result.verdict);
    let mut text = format!(
        "{verdict}{:9}{verdict:#}  {BOLD}{}{BOLD:#}\n",
        result.verdict.word(),
        one_line(&result.query),
    );
    let mut line = |content: &str| text.push_str(&format!("           {content}\n"));
    for part in result.comment.iter().flat_map(|comment| comment.lines()) {
        line(&format!("{FAINT}{part}{FAINT:#}"));
    }
    if let Some(reason) = &result.reason {
        line(reason);
    }
    for split in result.splits.iter().take(SPLITS_SHOWN) {
        line(&format!("{FAINT}{}{FAINT:#}", split_line(split)));
    }
    result
        .values
        .iter()
        .for_each(|value| line(&value_line(value)));
    if let Some(reductions) = &result.reductions {
        line(&format!("{FAINT}{}{FAINT:#}", reductions.line()));
    }
    line(&format!(
        "{FAINT}{}{FAINT:#}",
        statistics(number, total, result)
    ));
    if !result.processes.is_empty() {
        for row in ProcessView::table(&result.processes, 0).lines() {
            line(&format!("{FAINT}{row}{FAINT:#}"));
        }
    }
    for stage in result.schedule.iter().filter(|_| verbose) {
        line(&format!("{FAINT}{}{FAINT:#}", stage.line()));
    }
    for trace in result.trace.iter().chain(&result.more_traces) {
        text.push_str(&trace_text(result.verdict, trace, trace_style));
    }
    if let Some(path) = &result.path {
        text.push_str(&path.text(result.verdict, trace_style == TraceStyle::Full));
    }
    text.push('\n');
    text
}

/// Most splits that are shown; JSON has more.
const SPLITS_SHOWN: usize = 3;

fn split_line(split: &SplitView) -> String {
    let (before, after) = split.path.split_at(split.after.min(split.path.len()));
    let join = format!("[joined at ({}): {}]", split.at, split.element);
    let words = |steps: &'_ [String]| -> Vec<String> {
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let shown = shortened(&steps, 6).into_iter();
        shown.map(str::to_owned).collect()
    };
    let steps = [words(before), vec![join], words(after)].concat();
    format!("split: {}", steps.join("; "))
}

/// The ends of a long list.
fn shortened<'s>(steps: &[&'s str], most: usize) -> Vec<&'s str> {
    if steps.len() <= most {
        return steps.to_vec();
    }
    let half = most / 2;
    [&steps[..half], &["…"], &steps[steps.len() - half..]].concat()
}

/// The last line of the report.
pub fn summary(results: &[ResultView]) -> String {
    let number = |verdict| {
        results
            .iter()
            .filter(|result| result.verdict == verdict)
            .count()
    };
    let parts: Vec<String> = [Verdict::Satisfied, Verdict::Violated, Verdict::Unknown]
        .into_iter()
        .filter(|&verdict| number(verdict) > 0)
        .map(|verdict| {
            let style = style(verdict);
            format!("{style}{} {}{style:#}", number(verdict), verdict.word())
        })
        .collect();
    let queries = plural(results.len() as u64, "query", "queries");
    if parts.is_empty() {
        format!("{queries}: nothing was asked\n")
    } else {
        format!("{queries}: {}\n", parts.join(", "))
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn statistics(number: usize, total: usize, result: &ResultView) -> String {
    let nothing = result.search.is_empty() && result.explored == 0 && result.diagrams.is_none();
    if result.verdict == Verdict::Unknown && nothing {
        return format!("query {number} of {total}: nothing was explored");
    }
    if let Some(diagrams) = &result.diagrams {
        let usage = format!(
            "{}, {}",
            seconds(result.time_s),
            bytes(result.peak_memory_bytes)
        );
        let search = match result.search.as_str() {
            "" => String::new(),
            search => format!("; {search}"),
        };
        let figures = diagrams.line();
        return format!("query {number} of {total}: {figures}; {usage}{search}");
    }
    let guide = result
        .heuristic
        .as_ref()
        .map_or(String::new(), |name| format!(" with {name}"));
    let joins = match (result.joins, result.refinements) {
        (Some(joins), Some(refinements)) if joins > 0 || refinements > 0 => format!(
            ", {}, {}",
            plural(joins, "join", "joins"),
            plural(refinements.into(), "refinement", "refinements")
        ),
        _ => String::new(),
    };
    let databases = (result.databases.as_ref())
        .map_or(String::new(), |databases| format!("; {}", databases.line()));
    let found = result
        .found_by
        .as_ref()
        .map_or(String::new(), |part| format!("; found by {part}"));
    // A program that is ended from outside does not know how many there were.
    let transitions = match (result.transitions, result.search.as_str()) {
        (0, "") => String::new(),
        (number, _) => format!(", {}", plural(number, "transition", "transitions")),
    };
    format!(
        "query {number} of {total}: {}, {} stored{transitions}; {}, {}{}{guide}{joins}{databases}{found}",
        plural(result.explored, "state explored", "states explored"),
        count(result.stored),
        seconds(result.time_s),
        bytes(result.peak_memory_bytes),
        match result.search.as_str() {
            "" => String::new(),
            search => format!("; {search}"),
        },
    )
}

fn value_line(value: &ValueView) -> String {
    let mut parts = Vec::new();
    if value.expression == "steps" {
        // The query says which.
        parts.extend(value.inf.iter().chain(&value.sup).cloned());
        return format!("{}: {BOLD}{}{BOLD:#}", value.expression, parts.join(", "));
    }
    parts.extend(value.inf.as_ref().map(|inf| format!("inf {inf}")));
    parts.extend(value.sup.as_ref().map(|sup| format!("sup {sup}")));
    if parts.is_empty() {
        return format!("{}: no state satisfies the predicate", value.expression);
    }
    format!("{}: {BOLD}{}{BOLD:#}", value.expression, parts.join(", "))
}

/// The values of an expression, without colours.
pub fn plain_value(value: &ValueView) -> String {
    anstream::adapter::strip_str(&value_line(value)).to_string()
}

/// The run in the wanted style, and how it ends.
pub fn trace_text(verdict: Verdict, trace: &TraceView, trace_style: TraceStyle) -> String {
    let what = match verdict {
        Verdict::Violated => "Counter-example",
        Verdict::Satisfied => "Example",
        Verdict::Unknown => "The run to the fault",
    };
    let mut text = format!(
        "\n  {BOLD}{what}{BOLD:#}: {}, time {}\n\n",
        plural(trace.length as u64, "transition", "transitions"),
        trace.duration,
    );
    text += &match trace_style {
        TraceStyle::Short => table(trace),
        TraceStyle::Full => full(trace),
        TraceStyle::Diagram => diagram::render(trace, 4),
    };
    let ending = match trace.ending {
        // Queries are evaluated in states that are expanded and, mostly, in their successors.
        EndingView::State if verdict == Verdict::Unknown => match trace.fault {
            FaultView::Move => "The next transition cannot be computed.",
            FaultView::Query => "The query cannot be evaluated here, or after the next transition.",
            FaultView::Shared => "What comes next cannot be computed.",
        }
        .to_owned(),
        EndingView::State if trace.steps.is_empty() && trace.last_delay.is_none() => {
            "The initial state shows it.".to_owned()
        }
        EndingView::State => return text,
        EndingView::Loop { from } => format!("Steps {from} to {} repeat for ever.", trace.length),
        EndingView::Deadlock => "Then nothing can happen any more.".to_owned(),
        EndingView::Diverges => "Then time can pass for ever.".to_owned(),
    };
    text.push_str(&format!("    {ending}\n"));
    text
}

fn table(trace: &TraceView) -> String {
    let columns = [
        ("#", Align::Right),
        ("time", Align::Right),
        ("process", Align::Left),
        ("moves", Align::Left),
        ("sync", Align::Left),
        ("changes", Align::Left),
    ];
    let rows: Vec<Vec<String>> = trace
        .steps
        .iter()
        .enumerate()
        .flat_map(|(index, step)| rows(index + 1, step))
        .chain(
            trace
                .last_delay
                .as_ref()
                .map(|delay| last_row(trace, delay)),
        )
        .collect();
    match rows.is_empty() {
        true => String::new(),
        false => layout(4, &columns, &rows),
    }
}

/// The delay after the last transition, at whose end the state of interest is.
fn last_row(trace: &TraceView, delay: &str) -> Vec<String> {
    let words = ["", &trace.duration, "", &format!("delay {delay}"), "", ""];
    words.map(String::from).to_vec()
}

fn full(trace: &TraceView) -> String {
    let mut text = String::new();
    if let Some(initial) = &trace.initial {
        text += &format!("    {BOLD}start{BOLD:#}\n{}", state_lines(initial));
    }
    for (index, step) in trace.steps.iter().enumerate() {
        let sync = step.sync.as_ref().map(|sync| format!(", {sync}"));
        text += &format!(
            "    {BOLD}{}{BOLD:#}  time {} (after {}){}\n",
            index + 1,
            step.time,
            step.delay,
            sync.unwrap_or_default(),
        );
        for part in &step.moves {
            text += &format!("       {}\n", move_line(part));
        }
        if let Some(after) = &step.after {
            text += &state_lines(after);
        }
    }
    if let Some(delay) = &trace.last_delay {
        text += &format!("    then a delay of {delay}\n");
    }
    text
}

fn move_line(part: &MoveView) -> String {
    let mut line = format!("{}: {} -> {}", part.process, part.source, part.target);
    let select = part.select.join(", ");
    for (word, label) in [
        ("select", Some(&select).filter(|select| !select.is_empty())),
        ("when", part.guard.as_ref()),
        ("do", part.update.as_ref()),
    ] {
        if let Some(label) = label {
            line += &format!("  {FAINT}{word}{FAINT:#} {label}");
        }
    }
    line
}

fn state_lines(state: &StateView) -> String {
    let list = |items: Vec<String>| items.join(", ");
    let places = state
        .locations
        .iter()
        .map(|(process, at)| format!("{process}.{at}"));
    let values = state
        .variables
        .iter()
        .map(|(name, value)| format!("{name} = {value}"));
    let clocks = state
        .clocks
        .iter()
        .map(|(name, value)| format!("{name} = {value}"));
    let mut text = String::new();
    for line in [places.collect(), values.collect(), clocks.collect()] {
        let line: Vec<String> = line;
        if !line.is_empty() {
            text += &format!("         {FAINT}{}{FAINT:#}\n", list(line));
        }
    }
    text
}

/// One row for each process that moves; number, time and changes stand in the first one.
fn rows(number: usize, step: &StepView) -> Vec<Vec<String>> {
    let changes: Vec<String> = step
        .changes
        .iter()
        .map(|change| format!("{}: {} -> {}", change.variable, change.before, change.after))
        .collect();
    let mut rows: Vec<Vec<String>> = step
        .moves
        .iter()
        .map(|part| {
            let path = format!("{} -> {}", part.source, part.target);
            vec![
                String::new(),
                String::new(),
                part.process.clone(),
                path,
                String::new(),
                String::new(),
            ]
        })
        .collect();
    if let Some(first) = rows.first_mut() {
        first[0] = number.to_string();
        first[1] = step.time.clone();
        first[4] = step.sync.clone().unwrap_or_default();
        first[5] = changes.join(", ");
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::{TraceStyle, result, summary};
    use crate::view::samples;

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn report_for_people() {
        let report = samples::report();
        let total = report.results.len();
        let mut text = String::new();
        for (index, view) in report.results.iter().enumerate() {
            text.push_str(&result(index + 1, total, view, TraceStyle::Short, false));
        }
        text.push_str(&summary(&report.results));
        insta::assert_snapshot!(plain(&text));
    }

    #[test]
    fn verdicts_have_colours() {
        let text = result(
            1,
            1,
            &samples::report().results[0],
            TraceStyle::Short,
            false,
        );
        assert!(text.starts_with("\x1b[1m\x1b[32msatisfied"), "{text:?}");
    }

    #[test]
    fn nothing_asked() {
        assert_eq!(summary(&[]), "0 queries: nothing was asked\n");
    }
}
