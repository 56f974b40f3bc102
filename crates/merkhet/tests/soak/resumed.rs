//! Searches that are written down in the middle and taken up again, against regions.

use std::io::{self, Read, Write};

use merkhet::{Config, Keeper, check_resumable};

use crate::material::Material;
use crate::threads::{decided, differs};

/// Keeps the search once, after a number of expansions, in memory.
struct Once {
    after: u64,
    kept: Option<Vec<u8>>,
    from: Option<Vec<u8>>,
}

impl Keeper for Once {
    fn due(&mut self) -> bool {
        self.after = self.after.saturating_sub(1);
        self.after == 0 && self.kept.is_none() && self.from.is_none()
    }

    fn keep(&mut self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        self.kept = Some(bytes);
        Ok(())
    }

    fn resumed(&mut self) -> io::Result<Option<Box<dyn Read + '_>>> {
        Ok((self.from.as_deref()).map(|bytes| Box::new(bytes) as Box<dyn Read + '_>))
    }
}

pub fn check(material: &Material, seed: u64) -> Result<u64, String> {
    let Material::Network(network, queries) = material else {
        return Err("no network".into());
    };
    let mut compared = 0;
    for (query, holds) in decided(network, queries) {
        for (index, search) in ["bfs", "dfs", "rdfs", "largest", "greedy", "astar"]
            .into_iter()
            .enumerate()
        {
            let config = Config {
                threads: 1,
                seed,
                search: Some(search.parse().expect("a search")),
                reduce: Some(Vec::new()),
                ..Config::default()
            };
            let mut from = None;
            // Written down at different moments, and once more after it was taken up.
            for turn in 0..3 {
                let mut keeper = Once {
                    after: 1 + (seed.wrapping_mul(7) + index as u64 + turn) % 23,
                    kept: None,
                    from: from.take(),
                };
                let report = check_resumable(network, query, &config, &mut |_| {}, &mut keeper);
                let report = report.map_err(|failure| format!("{search}: {failure:?}"))?;
                if let Some(what) = differs(&report.answer, holds) {
                    return Err(format!("{search}, turn {turn}: {what}\n{:?}", query.kind));
                }
                compared += 1;
                from = keeper.kept;
            }
        }
    }
    Ok(compared)
}
