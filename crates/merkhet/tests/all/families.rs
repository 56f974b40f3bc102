//! The generated families with an error: breadth first finds it where it is, and shows that it is not in the other variant;
//! the automatic search says the same, and its run is no shorter than the shortest.

use merkhet::{Answer, Config, Failure, Limits, Model, Report, SearchSpec, TraceKind, check};
use merkhet_interop::generate::{ALL, Generator};

fn families() -> Vec<&'static Generator> {
    let has_variants = |generator: &&Generator| {
        (generator.parameters.iter())
            .any(|parameter| parameter.summary.contains("without the error"))
    };
    ALL.iter().filter(has_variants).collect()
}

fn decide(generator: &Generator, values: &[u32], search: &str) -> Report {
    let generated = generator.generate(values).expect("good values");
    let model = Model::read("model.xta", generated.text.as_bytes());
    let name = generator.name;
    assert!(
        !model.has_errors(),
        "{name}: {:#?}\n{}",
        model.diagnostics,
        generated.text
    );
    let queries = model.queries();
    let texts: Vec<&str> = queries.iter().map(|query| query.text.trim()).collect();
    assert_eq!(texts, [generated.query.expect("a query").trim()], "{name}");
    let query = queries[0].query.as_ref();
    let query = query.unwrap_or_else(|| panic!("{name}: {:#?}", queries[0].diagnostics));
    let config = Config {
        search: Some(search.parse::<SearchSpec>().expect("a search")),
        trace: match search {
            "bfs" => TraceKind::Shortest,
            _ => TraceKind::Some,
        },
        limits: Limits {
            states: Some(400_000),
            ..Limits::default()
        },
        ..Config::default()
    };
    match check(
        model.network().expect("a network"),
        query,
        &config,
        &mut |_| {},
    ) {
        Ok(report) => report,
        Err(failure @ Failure::Fault { .. }) => panic!("{name} {values:?} {search}: {failure}"),
        Err(failure) => panic!("{name} {values:?}: {failure}"),
    }
}

fn length(report: &Report) -> usize {
    report.trace.as_ref().map_or(0, |run| run.steps.len())
}

#[test]
fn there_are_many() {
    assert!(families().len() >= 15, "{}", families().len());
}

#[test]
fn the_error_is_in_one_variant_and_not_in_the_other() {
    for generator in families() {
        let least = generator.parameters[0].low;
        let name = generator.name;
        for size in [least, least + 1] {
            // Zones of stopwatches only say that it may be there.
            let stopwatches = name == "scheduler";
            let auto = decide(generator, &[size, 0], "auto");
            assert_eq!(auto.answer, Answer::Satisfied, "{name} {size}");
            if !stopwatches {
                let bfs = decide(generator, &[size, 0], "bfs");
                assert_eq!(bfs.answer, Answer::Satisfied, "{name} {size}");
                assert!(length(&bfs) <= length(&auto), "{name} {size}");
                println!(
                    "{name} {size}: {} transitions, auto {}",
                    length(&bfs),
                    length(&auto)
                );
            }
        }
        for search in ["bfs", "auto"] {
            let safe = decide(generator, &[least, 1], search);
            println!("{name} safe: {:?} {}", safe.answer, safe.figures.explored);
            assert_eq!(safe.answer, Answer::Violated, "{name} {search}");
        }
    }
}
