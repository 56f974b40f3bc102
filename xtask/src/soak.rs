//! `cargo xtask soak`: random models of every kind against all oracles, for hours.

use std::process::Command;

pub const HELP: &str = "\
Compares random models in every way until the time is over, the rows in turns:

  networks     in every way against regions and digital clocks; traces and
               certificates judged, and damaged ones rejected
  forgeries    certificates of wrong claims, changed at random and after each
               refusal, and damaged traces: none is accepted
  threads      two to four threads against regions
  checkpoints  searches written down in the middle and taken up again
  conversions  XTA, XML and TChecker's language, written and read again
  lattices     covering, joining and refining against single elements
  smv          decision diagrams and clauses against all states one by one

What differs is a FINDING: it is made smaller by delta debugging (processes,
edges, guards, updates; lines of texts) and written as a test that is ready for
`crates/merkhet/tests/soak/`. A finding makes the task fail.

  --hours H        so long (1); or --seconds S
  --seed FIRST     the first number of every row (0)
  --only ROW,…     these rows only
  --state FILE     how far the rows are: a run that was ended goes on from it
  --findings DIR   where the tests are written (target/soak)

CI runs the first numbers of every row: `cargo test -p merkhet --test soak`.";

pub fn run(arguments: &[String]) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(&cargo)
        .args(["run", "--quiet", "--profile", "quick", "-p", "merkhet"])
        .args(["--example", "soak", "--"])
        .args(arguments)
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    match status.success() {
        true => Ok(()),
        false => Err("something was found, or the run did not end".into()),
    }
}
