//! Exact counts of every deterministic search on every example: a change of one is a change of the engine.

mod support;

use std::fmt::Write;

use merkhet::{Config, Model, check};
use support::example;

const SEARCHES: [&str; 11] = [
    "bfs",
    "dfs",
    "rdfs",
    "largest",
    "greedy",
    "preferred",
    "novelty",
    "novelty:2",
    "astar",
    "wastar:2",
    "auto",
];

/// The examples in UPPAAL's language, by name.
fn examples() -> Vec<String> {
    let entries = std::fs::read_dir(example("")).expect("the examples");
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".xml")).collect();
    names.sort();
    names
}

#[test]
fn counts_of_every_search_on_every_example() {
    let mut text = String::new();
    for name in examples() {
        let bytes = std::fs::read(example(&name)).expect("an example");
        let model = Model::read(&name, &bytes);
        let network = model.network().expect("a network");
        for (number, query) in model.queries().iter().enumerate() {
            let _ = writeln!(text, "{name}, query {}", number + 1);
            let query = query.query.as_ref().expect("a query");
            for search in SEARCHES {
                let config = Config {
                    search: Some(search.parse().unwrap()),
                    threads: 1,
                    ..Config::default()
                };
                let report = check(network, query, &config, &mut |_| {}).expect("an answer");
                let figures = &report.figures;
                let _ = writeln!(
                    text,
                    "  {search:<10} {:?}: {} explored, {} stored, {} transitions, trace of {:?}",
                    report.answer,
                    figures.explored,
                    figures.stored,
                    figures.transitions,
                    report.trace.map(|run| run.steps.len()),
                );
            }
        }
    }
    insta::assert_snapshot!("counts", text);
}
