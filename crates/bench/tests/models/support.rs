//! Reading a model and asking it.

use merkhet::{Answer, Config, Figures, Model, TraceKind, check};
use std::path::Path;

pub use merkhet_testing::shared;

/// Reads a model without errors.
pub fn read(name: &str, text: &[u8]) -> Model {
    let model = Model::read(name, text);
    assert!(!model.has_errors(), "{name}: {:?}", model.diagnostics);
    model
}

/// Reads a model's file.
pub fn read_file(path: &Path) -> Model {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    read(&path.display().to_string(), &bytes)
}

/// Visits all states.
pub fn explore(model: &mut Model) -> Figures {
    ask(model, None).1
}

/// Whether a query is satisfied, and the length of a shortest trace, if it has one.
pub fn decide(model: &mut Model, query: &str) -> (bool, Option<usize>) {
    let (answer, _, length) = ask(model, Some(query));
    assert!(!answer.is_unknown(), "{query}");
    (answer == Answer::Satisfied, length)
}

fn ask(model: &mut Model, query: Option<&str>) -> (Answer, Figures, Option<usize>) {
    let query = match query {
        None => merkhet::lower::tck::explore_query(),
        Some(text) => {
            let query = model.query(text);
            let diagnostics = query.diagnostics;
            query
                .query
                .unwrap_or_else(|| panic!("{text}: {diagnostics:?}"))
        }
    };
    let config = Config {
        search: Some("bfs".parse().unwrap()),
        trace: TraceKind::Shortest,
        ..Config::default()
    };
    let network = model.network().expect("a network");
    let report = check(network, &query, &config, &mut |_| ());
    let report = report.unwrap_or_else(|failure| panic!("{}: {failure:?}", query.text));
    let length = report.trace.map(|trace| trace.steps.len());
    (report.answer, report.figures, length)
}
