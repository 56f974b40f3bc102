//! `cargo xtask bench`: the micro-benchmarks.

use std::process::Command;

pub const HELP: &str = "\
Builds with optimisation and runs the micro-benchmarks: the zone kernel (crate
`lattice`) and the store (crate `search`). Words that follow select benchmarks
by name, as in `cargo xtask bench close`.";

/// The benchmarks: package and target.
const BENCHES: &[(&str, &str)] = &[("merkhet-zones", "zones"), ("merkhet-explore", "store")];

pub fn run(arguments: &[String]) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    for (package, bench) in BENCHES {
        println!("==> {package}");
        let status = Command::new(&cargo)
            .args(["bench", "--quiet", "-p", package, "--bench", bench, "--"])
            .args(arguments)
            .status()
            .map_err(|error| format!("cannot run cargo: {error}"))?;
        if !status.success() {
            return Err(format!("the benchmarks of {package} ended with {status}"));
        }
    }
    Ok(())
}
