//! The table of `docs/performance.md`: TChecker next to us.

use merkhet_bench::race::{Entry, Raced, number, seconds};

use crate::publish::Published;

/// Where the rows go.
pub const PUBLISHED: Published = Published {
    document: "docs/performance.md",
    task: "race",
    header: &[
        "row",
        "TChecker's algorithm",
        "its CPU s",
        "ours CPU s",
        "ratio (spread)",
        "its MB",
        "ours MB",
        "its states",
        "ours explored",
    ],
    key: 1,
};

/// The rows on which TChecker took part and came to an end.
pub fn rows(raced: &[Raced]) -> Vec<Vec<String>> {
    raced.iter().filter_map(row).collect()
}

fn row(race: &Raced) -> Option<Vec<String>> {
    let ours = race.entries.first()?;
    let peer = race
        .entries
        .iter()
        .find(|entry| entry.program == "tchecker")?;
    let ratio = race.cpu_ratio(peer)?;
    let megabytes = |entry: &Entry| entry.memory().map(|bytes| format!("{:.0}", bytes / 1e6));
    let states = |entry: &Entry| entry.explored.map_or(String::new(), number);
    Some(vec![
        race.row.clone(),
        peer.arguments.replace("-a ", "").replace("-s ", ""),
        seconds(peer.cpu()?),
        seconds(ours.cpu()?),
        format!("{:.2} ({:.2}–{:.2})", ratio.median, ratio.low, ratio.high),
        megabytes(peer)?,
        megabytes(ours)?,
        states(peer),
        states(ours),
    ])
}
