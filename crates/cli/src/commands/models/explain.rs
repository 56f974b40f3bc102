//! `merkhet explain`: what a heuristic sees.

use std::fmt::Write as _;

use merkhet::explain::{ClockPart, Explanation, explain};
use merkhet::{Config, Limits};
use serde::Serialize;

use crate::args::{ExplainArgs, ExplainFormat};
use crate::exit::Exit;
use crate::output::{self, OutputError};
use crate::view::databases::{self, DatabaseView};
use crate::view::{SCHEMA_VERSION, json};

use crate::commands::load;

#[derive(Debug, Serialize)]
struct ExplainView<'e> {
    schema_version: u32,
    model: String,
    query: &'e str,
    heuristic: &'e str,
    /// Null: the goal cannot be reached.
    start: Option<u32>,
    databases: Vec<DatabaseView>,
    /// How the parts make the value; empty: it has none.
    rule: &'e str,
    parts: Vec<PartView<'e>>,
    solution: Vec<StepView<'e>>,
    /// Null: the heuristic does not look at clocks.
    clocks: Option<ClockView<'e>>,
    run: Vec<PointView<'e>>,
    remark: Option<&'e str>,
}

#[derive(Debug, Serialize)]
struct PartView<'e> {
    what: &'e str,
    /// Null: infinite.
    value: Option<u32>,
    /// Whether the whole value would be another without it.
    counts: bool,
}

#[derive(Debug, Serialize)]
struct ClockView<'e> {
    /// Null: the goal cannot be reached.
    least_time: Option<u64>,
    moves: Vec<MovesView<'e>>,
}

#[derive(Debug, Serialize)]
struct MovesView<'e> {
    process: &'e str,
    at_least: u32,
}

#[derive(Debug, Serialize)]
struct StepView<'e> {
    layer: u16,
    times: u32,
    edges: &'e [String],
}

#[derive(Debug, Serialize)]
struct PointView<'e> {
    transition: &'e [String],
    value: Option<u32>,
}

/// Runs the command.
pub fn run(args: &ExplainArgs) -> Exit {
    let Ok(mut model) = load::usable(&args.model) else {
        return Exit::BadInput;
    };
    let typed: Vec<String> = args.query.iter().cloned().collect();
    let queries = match load::queries(&mut model, &args.model, args.queries.as_deref(), &typed) {
        Ok(asked) => asked.queries,
        Err(message) => return refuse(&message),
    };
    let Some(asked) = queries.first() else {
        return refuse("the model has no query; give one with -q or as a file");
    };
    let (Some(network), Some(query)) = (model.network(), asked.query.as_ref()) else {
        crate::diagnostics::print(&asked.diagnostics, &model.sources);
        return Exit::BadInput;
    };
    let search = match args.search.as_ref().map(|name| name.parse()).transpose() {
        Ok(search) => search,
        Err(error) => {
            let error: merkhet::ConfigError = error;
            return refuse(&error.to_string());
        }
    };
    let config = Config {
        search,
        heuristic: args.heuristic.clone(),
        limits: Limits {
            timeout: Some(args.timeout),
            memory: args.memory_limit,
            ..Limits::default()
        },
        ..Config::default()
    };
    let explanation = match explain(network, query, &config) {
        Ok(explanation) => explanation,
        Err(failure) => {
            output::error(&failure.to_string());
            return Exit::of(&failure);
        }
    };
    let text = match args.format {
        ExplainFormat::Human => Ok(human(&asked.text, &explanation)),
        ExplainFormat::Json => json::render(&view(args, &asked.text, &explanation)),
        ExplainFormat::Svg => Ok(svg(&explanation)),
    };
    match text.and_then(|text| output::print_plain(&text)) {
        Ok(()) | Err(OutputError::Closed) => Exit::Satisfied,
        Err(problem) => {
            output::report(&problem);
            Exit::BadInput
        }
    }
}

fn refuse(message: &str) -> Exit {
    output::error(message);
    Exit::BadInput
}

fn view<'e>(args: &ExplainArgs, query: &'e str, explanation: &'e Explanation) -> ExplainView<'e> {
    ExplainView {
        schema_version: SCHEMA_VERSION,
        model: args.model.display().to_string(),
        query,
        heuristic: &explanation.heuristic,
        start: explanation.start,
        databases: explanation.databases.iter().map(databases::one).collect(),
        rule: explanation.rule,
        parts: (explanation.parts.iter())
            .map(|part| PartView {
                what: &part.what,
                value: part.value,
                counts: part.counts,
            })
            .collect(),
        solution: explanation
            .solution
            .iter()
            .map(|step| StepView {
                layer: step.layer,
                times: step.times,
                edges: &step.edges,
            })
            .collect(),
        clocks: explanation.clocks.as_ref().map(clocks),
        run: explanation
            .run
            .iter()
            .map(|point| PointView {
                transition: &point.transition,
                value: point.value,
            })
            .collect(),
        remark: explanation.remark.as_deref(),
    }
}

fn clocks(part: &ClockPart) -> ClockView<'_> {
    let moves = part.moves.iter().map(|(process, moves)| MovesView {
        process,
        at_least: *moves,
    });
    ClockView {
        least_time: part.time,
        moves: moves.collect(),
    }
}

fn shown(value: Option<u32>) -> String {
    value.map_or("∞".to_owned(), |value| value.to_string())
}

fn human(query: &str, explanation: &Explanation) -> String {
    let mut text = format!(
        "{query}\n{} at the start: {}\n",
        explanation.heuristic,
        shown(explanation.start)
    );
    for (at, summary) in explanation.databases.iter().enumerate() {
        let lines = databases::one(summary).lines();
        let _ = write!(text, "\nDatabase {}: {lines}", at + 1);
    }
    if explanation
        .databases
        .iter()
        .any(|one| one.predicates.iter().any(|(_, known)| !known))
    {
        text += "\n* does not stand in the text of the model: found by refinement\n";
    }
    if !explanation.parts.is_empty() {
        let _ = writeln!(text, "\nThe value at the start is {}:", explanation.rule);
        for part in &explanation.parts {
            let mark = if part.counts { "" } else { " (does not count)" };
            let _ = writeln!(text, "  {:>3}  {}{mark}", shown(part.value), part.what);
        }
    }
    if !explanation.solution.is_empty() {
        text += "\nThe abstract solution, by layer:\n";
        for step in &explanation.solution {
            let times = match step.times {
                1 => String::new(),
                times => format!(" ({times} times)"),
            };
            let _ = writeln!(
                text,
                "  {:>3}  {}{times}",
                step.layer,
                step.edges.join(" | ")
            );
        }
    }
    if let Some(ClockPart {
        time: Some(time),
        moves,
    }) = &explanation.clocks
    {
        let _ = writeln!(
            text,
            "\nClocks: at least {time} time units to the goal beyond those that may pass in this state"
        );
        for (process, moves) in moves {
            let _ = writeln!(
                text,
                "  {moves:>3}  moves of {process} for so much time to pass"
            );
        }
    }
    if explanation.run.len() > 1 {
        text += "\nThe values along a run:\n";
        for point in &explanation.run {
            let how = match point.transition.is_empty() {
                true => "the start".to_owned(),
                false => point.transition.join(" | "),
            };
            let _ = writeln!(text, "  {:>3}  {how}", shown(point.value));
        }
    }
    if let Some(remark) = &explanation.remark {
        let _ = writeln!(text, "\nNo run: {remark}.");
    }
    text
}

/// The values along the run as a line; dead ends are gaps.
fn svg(explanation: &Explanation) -> String {
    const WIDTH: f64 = 720.0;
    const HEIGHT: f64 = 320.0;
    const MARGIN: f64 = 40.0;
    let points = &explanation.run;
    let most = points.iter().filter_map(|point| point.value).max();
    let most = f64::from(most.unwrap_or(0).max(1));
    let last = (points.len().max(2) - 1) as f64;
    let x = |at: usize| MARGIN + at as f64 / last * (WIDTH - 2.0 * MARGIN);
    let y = |value: u32| HEIGHT - MARGIN - f64::from(value) / most * (HEIGHT - 2.0 * MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"20\">{} along the run, {} transitions</text>\n\
         <line x1=\"{MARGIN}\" y1=\"{bottom}\" x2=\"{right}\" y2=\"{bottom}\" stroke=\"#888\"/>\n\
         <text x=\"{left}\" y=\"{top}\" text-anchor=\"end\">{most}</text>\n\
         <text x=\"{left}\" y=\"{bottom}\" text-anchor=\"end\">0</text>\n",
        escaped(&explanation.heuristic),
        points.len() - 1,
        bottom = HEIGHT - MARGIN,
        right = WIDTH - MARGIN,
        left = MARGIN - 6.0,
        top = MARGIN + 4.0,
    );
    let valued: Vec<(usize, u32)> = points
        .iter()
        .enumerate()
        .filter_map(|(at, point)| Some((at, point.value?)))
        .collect();
    for piece in valued.chunk_by(|left, right| right.0 == left.0 + 1) {
        let path: Vec<String> = piece
            .iter()
            .map(|(at, value)| format!("{:.1},{:.1}", x(*at), y(*value)))
            .collect();
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#0072b2\" stroke-width=\"2\"/>",
            path.join(" ")
        );
    }
    for (at, value) in valued {
        let how = match points[at].transition.is_empty() {
            true => "the start".to_owned(),
            false => points[at].transition.join(" | "),
        };
        let _ = writeln!(
            text,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"#0072b2\"><title>{value}: {}</title></circle>",
            x(at),
            y(value),
            escaped(&how)
        );
    }
    text + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
