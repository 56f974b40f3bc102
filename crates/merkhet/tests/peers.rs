//! Full exploration of models that exist both in TChecker's language and in UPPAAL's: the twins have the same states, and
//! where TChecker's figures are known and its clock bounds the same, so are ours.

use std::path::PathBuf;

use merkhet::{Config, Figures, Model, check};

fn explore(name: &str, extension: &str) -> Option<Figures> {
    let shared = std::env::var_os("MERKHET_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let file = format!("{name}.{extension}");
    let Ok(bytes) = std::fs::read(shared.join("peers/models").join(&file)) else {
        println!("SKIPPED: no {file}; set MERKHET_SHARED to the folder that holds peers/models");
        return None;
    };
    let mut model = Model::read(&file, &bytes);
    let query = match extension {
        "tck" => model.queries().remove(0),
        _ => model.query("A[] true"),
    };
    let (network, query) = (
        model.network().expect("a network"),
        query.query.expect("a query"),
    );
    let config = Config {
        search: Some("bfs".into()),
        threads: 1,
        ..Config::default()
    };
    let report = check(network, &query, &config, &mut |_| {}).expect("an answer");
    Some(report.figures)
}

/// The states that TChecker visits and keeps with `-a covreach -s bfs`; nothing where its bounds differ from ours.
fn compare(name: &str, expected: Option<(u64, u64)>) {
    let (Some(flat), Some(twin)) = (explore(name, "tck"), explore(name, "xml")) else {
        return;
    };
    let counts = |figures: &Figures| (figures.explored, figures.stored, figures.discrete);
    assert_eq!(counts(&flat), counts(&twin), "{name}: the twins differ");
    if let Some(expected) = expected {
        assert_eq!((flat.explored, flat.stored), expected, "{name}");
    }
}

#[test]
fn states_are_those_of_tchecker() {
    compare("fischer_8_10_10", Some((40_536, 25_080)));
    compare("csmacd_9_808_26", Some((55_554, 55_554)));
    compare("mutexloop_2_1_6", None);
    compare("fddi_10_500_20_0", None);
}

/// Only the flat model: the twin keeps constants in variables, so that its bounds or its states differ, or takes too long.
/// The figure of `scheduler_3_1_1` is that of `-a reach`: nothing is covered there.
#[test]
fn states_of_flat_models_are_those_of_tchecker() {
    for (name, expected) in [
        ("rtsat_sat_3_nobound", (86_635, 11_454)),
        ("arbiter_tree_3", (248_075, 248_075)),
        ("scheduler_3_1_1", (35_819, 35_819)),
        ("scheduler_3_2_1", (49_017, 49_017)),
    ] {
        if let Some(flat) = explore(name, "tck") {
            assert_eq!((flat.explored, flat.stored), expected, "{name}");
        }
    }
}
