//! Lattice automata: whatever is asked for, an answer is that of explicit exploration.

use merkhet::{Config, Joining, Limits, Update};

use crate::lattice_random::{Random, model, outcome};
use crate::material::Material;

pub fn make(seed: u64) -> Material {
    let mut random = Random(seed ^ 0x50a4_0000_0000);
    let wild = [0, 40, 12, 4][random.below(4) as usize];
    let (text, query) = model(&mut random, wild);
    Material::Text(text, query)
}

pub fn check(material: &Material, seed: u64) -> Result<u64, String> {
    let Material::Text(text, query) = material else {
        return Err("no text".into());
    };
    let with = |lattice, joining, search: &str, assume_monotone| Config {
        lattice,
        joining,
        search: (!search.is_empty()).then(|| search.parse().expect("a search")),
        assume_monotone,
        certificate: true,
        seed,
        limits: Limits {
            states: Some(20_000),
            ..Limits::default()
        },
        ..Config::default()
    };
    let simple = with(Some(Update::Simple), Joining::All, "bfs", false);
    let Ok(expected) = outcome(text, query, &simple) else {
        return Ok(0);
    };
    if expected.answer.is_unknown() {
        return Ok(0);
    }
    let mut compared = 0;
    for update in [
        None,
        Some(Update::Cover),
        Some(Update::Join),
        Some(Update::Cegar),
    ] {
        for joining in [Joining::All, Joining::SameZone] {
            for search in ["", "bfs", "dfs", "greedy"] {
                // What is not permitted here, or not proved, is said; it is no answer.
                let Ok(report) = outcome(text, query, &with(update, joining, search, false)) else {
                    continue;
                };
                if !report.answer.is_unknown() && report.answer != expected.answer {
                    return Err(format!(
                        "{update:?}, {joining:?}, {search}: {:?} instead of {:?}\n{query}\n{text}",
                        report.answer, expected.answer
                    ));
                }
                compared += 1;
            }
        }
    }
    Ok(compared)
}
