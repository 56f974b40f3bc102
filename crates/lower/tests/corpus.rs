//! Real models load: those of the corpus, and the benchmarks with the known counts.

use merkhet_lower::{lower_model, lower_query};
use merkhet_syntax::{FileId, SourceMap, read_model};
use std::path::PathBuf;
use std::time::Instant;

/// The folder with the real models, if it is there.
fn shared() -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let candidates = [
        std::env::var_os("MERKHET_SHARED").map(PathBuf::from),
        Some(root.join("../shared")),
        Some(root.join("../../shared")),
    ];
    candidates.into_iter().flatten().find(|path| path.is_dir())
}

#[test]
fn corpus() {
    let Some(shared) = shared() else {
        println!("SKIPPED: no shared models");
        return;
    };
    let filter = std::env::var("FILTER").unwrap_or_default();
    let table = std::fs::read_to_string(shared.join("corpus/models.tsv")).unwrap();
    let (mut total, mut good) = (0, 0);
    let (mut queries, mut good_queries) = (0, 0);
    for row in table.lines().skip(1) {
        let mut columns = row.split('\t');
        let (file, symbolic) = (columns.next().unwrap(), columns.next().unwrap());
        if !file.contains(&filter) {
            continue;
        }
        let bytes = std::fs::read(shared.join("corpus/models").join(file)).unwrap();
        let mut sources = SourceMap::new();
        sources.insert(FileId::MODEL, file, &bytes);
        let start = Instant::now();
        let (model, syntax) = read_model(file, &bytes);
        let parse = start.elapsed();
        let (lowered, messages) = lower_model(&model, &sources);
        let took = start.elapsed() - parse;
        if took.as_millis() + parse.as_millis() > 200 {
            println!("SLOW {took:?} (parse {parse:?}) {file}");
        }
        total += (symbolic == "yes") as usize;
        good += (symbolic == "yes"
            && lowered.is_some()
            && syntax.iter().all(|d| {
                !d.is_error()
                    || d.context
                        .as_ref()
                        .is_some_and(|c| c.element.as_ref().is_some_and(|e| e.starts_with("query")))
            })) as usize;
        let mark = if symbolic == "yes" { "FAIL" } else { "ext" };
        for message in syntax.iter().chain(&messages).filter(|m| m.is_error()) {
            let at = sources.start(message.span).unwrap();
            let text: String = sources
                .text(message.span)
                .unwrap_or("")
                .chars()
                .take(60)
                .collect();
            println!(
                "{mark} {file}:{}:{}: [{}] {} `{text}` ({})",
                at.line,
                at.column,
                message.code,
                message.message,
                message
                    .context
                    .as_ref()
                    .map_or(String::new(), |c| c.to_string())
            );
        }
        if let Some(lowered) = lowered {
            for query in &lowered.queries {
                queries += 1;
                good_queries += query.query.is_some() as usize;
                if symbolic == "yes" && query.query.is_none() {
                    for message in &query.diagnostics {
                        println!(
                            "QUERY {file}: [{}] {}: {}",
                            message.code, message.message, query.text
                        );
                    }
                }
            }
        }
    }
    println!("{good}/{total} models, {good_queries}/{queries} queries");
}

#[test]
fn oracle() {
    let Some(shared) = shared() else {
        println!("SKIPPED: no shared models");
        return;
    };
    let table = std::fs::read_to_string(shared.join("corpus/oracle.tsv")).unwrap();
    let mut rows: std::collections::BTreeMap<&str, Vec<(&str, &str)>> = Default::default();
    for row in table.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        rows.entry(columns[0])
            .or_default()
            .push((columns[2], columns[6]));
    }
    let (mut good, mut total) = (0, 0);
    for (file, queries) in rows {
        let bytes = std::fs::read(shared.join("corpus/models").join(file)).unwrap();
        let mut sources = SourceMap::new();
        sources.insert(FileId::MODEL, file, &bytes);
        let (model, _) = read_model(file, &bytes);
        let (lowered, messages) = lower_model(&model, &sources);
        let Some(mut lowered) = lowered else {
            println!(
                "ORACLE-MODEL {file} {} rows {}: {:?}",
                queries.len(),
                queries[0].1,
                messages.iter().find(|m| m.is_error())
            );
            total += queries.len();
            continue;
        };
        for (text, symbolic) in queries {
            total += 1;
            sources.insert(FileId::TYPED, "query", text.as_bytes());
            let (query, messages) = merkhet_syntax::read_query(text);
            match lower_query(&mut lowered, &query, &sources) {
                Ok(_) => good += 1,
                Err(more) => println!(
                    "ORACLE {symbolic} {file}: {text}: {:?}",
                    messages
                        .iter()
                        .chain(&more)
                        .map(|m| (m.code, &m.message))
                        .collect::<Vec<_>>()
                ),
            }
        }
    }
    println!("oracle {good}/{total}");
}
