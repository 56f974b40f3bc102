//! `cargo xtask random`: random networks against the oracles, as many as is wanted.

use std::process::Command;

pub const HELP: &str = "\
Checks random networks in every way (searches, inclusions, extrapolations,
heuristics, threads) against the region graph and, for closed networks, digital
clocks. Every trace and every certificate is judged, and damaged ones must be
rejected. What disagrees is printed as a FINDING with its profile and seed; a
finding makes the task fail.

  --count N       so many networks (1000)
  --seed FIRST    the first number (0): network N has seed N, and the profiles
                  take turns
  --profile NAME  networks of one profile only
  --jobs N        so many at the same time (all cores)
  --sample        each query with a twelfth of the combinations of searches and
                  abstractions in turn, as in the ordinary tests; otherwise with all
  --log FILE      note blocks of 100 networks that are done there; a run that was
                  ended goes on from it, and logs of disjoint parts may be joined

`cargo xtask random --count 100000 --log random.log` is the long run.";

pub fn run(arguments: &[String]) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(&cargo)
        .args(["run", "--quiet", "--profile", "quick", "-p", "merkhet"])
        .args(["--example", "random_networks", "--"])
        .args(arguments)
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    match status.success() {
        true => Ok(()),
        false => Err("not every network came out right".into()),
    }
}
