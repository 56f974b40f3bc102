//! The smallest part of `cargo xtask soak`, which the example `soak` runs for hours; and that it finds what is planted.

#[path = "../../../symbolic/tests/random/explicit.rs"]
#[allow(dead_code)]
mod explicit;
#[path = "../support/lattices.rs"]
mod lattice_random;
#[path = "../../../symbolic/tests/random/model.rs"]
#[allow(dead_code)]
mod model;
#[path = "../networks/mod.rs"]
#[allow(dead_code)]
mod networks;

mod conversions;
mod finding;
mod forgeries;
mod lattices;
mod material;
mod resumed;
mod rows;
mod systems;
mod threads;

use std::time::Duration;

use finding::Finding;
use material::Material;
use merkhet::network::{Expr, Formula, LocationId, ProcessId, Query, QueryKind, SiteId};
use merkhet::{Answer, Config, check};
use merkhet_testing::{Profile, generate};
use rows::Row;

#[test]
fn every_row_passes_its_first_numbers() {
    for row in rows::ALL {
        let compared: u64 = (0..6)
            .map(|seed| {
                let material = (row.make)(seed);
                row.caught(&material, seed)
                    .unwrap_or_else(|what| panic!("{} ({}), {seed}: {what}", row.name, row.about))
            })
            .sum();
        assert!(compared > 0, "{} compares nothing", row.name);
    }
}

/// An oracle that is wrong: it believes that nobody gets to the second location of the first process.
fn planted(material: &Material, _: u64) -> Result<u64, String> {
    let Material::Network(network, _) = material else {
        return Err("no network".into());
    };
    if network.processes.is_empty() || network.processes[0].locations.len() < 2 {
        return Ok(0);
    }
    let there = Formula::Data(Expr::At(ProcessId(0), LocationId(1)));
    let query = Query {
        text: String::new(),
        comment: String::new(),
        kind: QueryKind::Possibly(there),
        site: SiteId::NONE,
    };
    let report = check(network, &query, &Config::default(), &mut |_| {});
    match report.map(|report| report.answer) {
        Ok(Answer::Satisfied) => Err("reached, though the oracle says that it is not".into()),
        _ => Ok(1),
    }
}

const PLANTED: Row = Row {
    name: "planted",
    about: "a wrong oracle",
    make: |seed| {
        let (network, queries) = generate(seed, &Profile::default());
        Material::Network(Box::new(network), queries)
    },
    check: planted,
};

#[test]
fn a_wrong_oracle_is_found_and_what_shows_it_is_made_small() {
    let (seed, material, what) = (0..50)
        .find_map(|seed| {
            let material = (PLANTED.make)(seed);
            let what = PLANTED.caught(&material, seed).err()?;
            let Material::Network(network, _) = &material else {
                return None;
            };
            (network.processes.len() == 3).then_some((seed, material, what))
        })
        .expect("the wrong oracle is found out");
    let found = Finding::minimised(&PLANTED, seed, &material, &what, Duration::from_secs(120));
    let Material::Network(least, queries) = &found.material else {
        panic!("a network");
    };
    let edges: usize = least
        .processes
        .iter()
        .map(|process| process.edges.len())
        .sum();
    assert_eq!(
        (least.processes.len(), edges, queries.len()),
        (1, least.processes[0].edges.len(), 0)
    );
    // One way is left, and nothing on it that could be left out.
    assert!(edges <= 3, "{edges} edges");
    for edge in &least.processes[0].edges {
        assert!(
            edge.update.is_empty() && edge.guard.clocks.is_empty(),
            "{edge:?}"
        );
    }
    // The test that is written shows the same.
    let (text, queries) = found.material.text().expect("a text");
    let again = Material::read_network(&text, &queries).expect("a model");
    assert!(PLANTED.caught(&again, seed).is_err(), "{text}");
    assert_eq!(found.file(), format!("found_planted_{seed}.rs"));
    let test = found.test();
    assert!(test.contains("#[test]") && test.contains(&text), "{test}");
}

#[test]
fn a_text_is_made_smaller_by_lines() {
    let text: String = (0..100).map(|line| format!("line {line}\n")).collect();
    let material = Material::Text(text, String::new());
    let smaller = material.smaller(Duration::from_secs(60), &|candidate| match candidate {
        Material::Text(text, _) => text.contains("line 17\n") && text.contains("line 83"),
        Material::Network(..) => false,
    });
    let Material::Text(text, _) = smaller else {
        panic!("a text");
    };
    assert_eq!(text, "line 17\nline 83");
}
