//! Several threads against regions.

use merkhet::network::{Network, Query, QueryKind};
use merkhet::{Answer, Config};
use merkhet_testing::{self as testing, RegionGraph};

use crate::material::Material;

const LIMIT: usize = 20_000;

/// The reachability queries whose verdict regions know, with the verdict.
pub fn decided<'q>(network: &Network, queries: &'q [Query]) -> Vec<(&'q Query, bool)> {
    let Ok(graph) = RegionGraph::build(network, queries, LIMIT) else {
        return Vec::new();
    };
    let reachability = |query: &&Query| {
        matches!(
            query.kind,
            QueryKind::Possibly(_) | QueryKind::Invariantly(_)
        )
    };
    let verdicts = queries.iter().filter(reachability).filter_map(|query| {
        match graph.answer(query, LIMIT).ok()? {
            testing::Answer::Verdict(holds) => Some((query, holds)),
            _ => None,
        }
    });
    verdicts.collect()
}

/// What is wrong with an answer, if it is another one than regions give.
pub fn differs(answer: &Answer, holds: bool) -> Option<String> {
    (*answer != Answer::of(holds)).then(|| format!("{answer:?} instead of {holds}"))
}

pub fn check(material: &Material, seed: u64) -> Result<u64, String> {
    let Material::Network(network, queries) = material else {
        return Err("no network".into());
    };
    let mut compared = 0;
    for (query, holds) in decided(network, queries) {
        for search in [
            None,
            Some("bfs"),
            Some("dfs"),
            Some("largest"),
            Some("greedy"),
        ] {
            for threads in 2..=4 {
                let config = Config {
                    threads,
                    seed,
                    search: search.map(|name| name.parse().expect("a search")),
                    reduce: Some(Vec::new()),
                    ..Config::default()
                };
                let report = answer_of(network, query, &config)?;
                if let Some(what) = differs(&report, holds) {
                    return Err(format!(
                        "{threads} threads, {search:?}: {what}\n{:?}",
                        query.kind
                    ));
                }
                compared += 1;
            }
        }
    }
    Ok(compared)
}

fn answer_of(network: &Network, query: &Query, config: &Config) -> Result<Answer, String> {
    merkhet::check(network, query, config, &mut |_| {})
        .map(|report| report.answer)
        .map_err(|failure| format!("{failure:?}\n{config:?}"))
}
