//! Explores a model fully and prints what it took: for measuring the engine alone.
//!
//! `explore FILE [none|m|m+|lu|lu+] [none|zone|alu] [bfs|dfs|rdfs|largest] [REPETITIONS]`

use merkhet_explore::{Blind, Config, Inclusion, Strategy, search};
use merkhet_lower::lower_model;
use merkhet_lower::tck::lower_tck;
use merkhet_network::Network;
use merkhet_semantics::{Extrapolation, Options, System};
use merkhet_syntax::{FileId, SourceMap, read_model};
use merkhet_tck::read_tck;

fn load(path: &str) -> Result<Network, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, path, &bytes);
    let (network, diagnostics) = if path.ends_with(".tck") {
        lower_tck(&read_tck(&bytes).0, &sources)
    } else {
        let (model, _) = read_model(path, &bytes);
        let (lowered, diagnostics) = lower_model(&model, &sources);
        (lowered.map(|lowered| lowered.network), diagnostics)
    };
    network.ok_or_else(|| format!("{diagnostics:?}"))
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().collect();
    let argument =
        |index: usize, default: &str| arguments.get(index).cloned().unwrap_or(default.into());
    let network = load(&argument(1, ""))?;
    let extrapolation = match argument(2, "lu+").as_str() {
        "none" => Extrapolation::None,
        "m" => Extrapolation::M,
        "m+" => Extrapolation::MPlus,
        "lu" => Extrapolation::Lu,
        _ => Extrapolation::LuPlus,
    };
    let inclusion = match argument(3, "zone").as_str() {
        "none" => Inclusion::None,
        "alu" => Inclusion::Alu,
        _ => Inclusion::Zone,
    };
    let strategy = match argument(4, "bfs").as_str() {
        "dfs" => Strategy::DepthFirst,
        "rdfs" => Strategy::RandomDepthFirst,
        "largest" => Strategy::LargestFirst,
        _ => Strategy::BreadthFirst,
    };
    let options = Options {
        extrapolation,
        ..Options::default()
    };
    let system = System::new(&network, &options).map_err(|error| error.to_string())?;
    let config = Config {
        strategy,
        inclusion,
        ..Config::default()
    };
    for _ in 0..argument(5, "1").parse().unwrap_or(1) {
        let outcome = search(&system, &config, &mut Blind, &mut |_| {})
            .map_err(|failure| failure.fault.describe(&network))?;
        let s = outcome.statistics;
        println!(
            "n {} explored {} generated {} inserted {} stored {} discrete {} depth {} memory {} kB time {:?}",
            system.dimension(),
            s.explored,
            s.generated,
            s.inserted,
            s.stored,
            s.discrete,
            s.max_depth,
            s.memory / 1024,
            s.elapsed
        );
    }
    Ok(())
}
