//! Searches that are written down and taken up again.

use std::hash::Hasher;

use merkhet_explore::{Keeper, Progress, Strategy};
use merkhet_lattices::Update;
use merkhet_network::{Network, Query, QueryKind};

use crate::config::{Config, Order};
use crate::failure::Failure;
use crate::report::Report;
use crate::search::SearchSpec;

/// As [`super::check()`], with a keeper for the search. Reachability (`E<>`, `A[]`) with one thread only.
pub fn check_kept(
    network: &Network,
    query: &Query,
    config: &Config,
    observe: &mut dyn FnMut(&Progress),
    keeper: &mut dyn Keeper,
) -> Result<Report, Failure> {
    let refuse = |message: &str| Err(Failure::NotPermitted(message.into()));
    let reachability = matches!(
        query.kind,
        QueryKind::Possibly(_) | QueryKind::Invariantly(_) | QueryKind::Explore
    );
    if !reachability {
        return refuse("checkpoints are for E<> and A[] only");
    }
    if config.threads > 1 {
        return refuse("checkpoints are for searches with one thread");
    }
    if config.bitstate {
        return refuse("checkpoints are not for bit-state hashing");
    }
    if config
        .reduce
        .as_ref()
        .is_some_and(|kinds| !kinds.is_empty())
    {
        return refuse("checkpoints do not go with reductions");
    }
    if config.check_monotone
        || config
            .lattice
            .is_some_and(|update| update != Update::Simple)
    {
        return refuse("checkpoints are for explicit exploration; use --lattice simple");
    }
    // Its queues are not written down; breadth first is what it amounts to without them.
    let search = match (config.order(), &config.heuristic) {
        (Order::Auto, None) => Some(SearchSpec::BreadthFirst),
        (Order::Fixed(Strategy::Preferred(_)), _) => {
            return refuse("checkpoints are not for the preferred search; use greedy");
        }
        (Order::Walk(_), _) => return refuse("walks have no states that a checkpoint could hold"),
        _ => config.search,
    };
    let has_lattices = !network.lattice_variables.is_empty();
    let whole = Config {
        search,
        reduce: Some(Vec::new()),
        lattice: has_lattices.then_some(Update::Simple),
        ..config.clone()
    };
    super::decide(network, query, &whole, observe, Some(keeper))
}

/// A number that tells searches apart: by model, query and everything that decides the order of expansion.
pub fn fingerprint(network: &Network, query: &Query, config: &Config) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    let model = format!("{:?}", merkhet_replay::fingerprint(network));
    let options = format!(
        "{:?} {:?} {:?} {:?} {:?} {}",
        config.search,
        config.heuristic,
        config.extrapolation,
        config.inclusion,
        config.trace,
        config.seed
    );
    for part in [
        model,
        query.text.clone(),
        format!("{:?}", query.kind),
        options,
    ] {
        hasher.write(part.as_bytes());
        hasher.write(&[0]);
    }
    hasher.write(env!("CARGO_PKG_VERSION").as_bytes());
    hasher.finish()
}

/// FNV-1a: the same number on every machine and with every compiler.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
