//! Searches that are written down and taken up again.

use std::hash::Hasher;

use merkhet_explore::{Keeper, Progress, Strategy};
use merkhet_lattices::Update;
use merkhet_network::{Network, Query, QueryKind};

use super::ladder::Ladder;
use crate::config::{Config, Order};
use crate::failure::Failure;
use crate::report::Report;

/// As [`super::check()`], with a keeper for the search. Reachability (`E<>`, `A[]`) with one thread only.
pub fn check_resumable(
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
    if config.order() == Order::Fixed(Strategy::Preferred(config.tie_break())) {
        return refuse("checkpoints are not for the preferred search; use greedy");
    }
    if let Order::Walk(_) = config.order() {
        return refuse("walks have no states that a checkpoint could hold");
    }
    super::prepare(network, config)?;
    let ladder = Ladder::new(network, query, config, &config.limits, true)?;
    ladder.climb(observe, Some(keeper))
}

/// A number that tells searches apart: by model, query and everything that decides the order of expansion.
pub fn fingerprint(network: &Network, query: &Query, config: &Config) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    let model = format!("{:?}", merkhet_replay::fingerprint(network));
    // Whoever adds a field says here whether it matters.
    let Config {
        search,
        heuristic,
        heuristic_cache,
        tie,
        restarts,
        trace,
        extrapolation,
        inclusion,
        bitstate,
        // A search goes on with other limits.
        limits: _,
        seed,
        threads,
        certificate,
        lattice,
        joining,
        check_monotone,
        prune,
        reduce,
        keep_dead,
        databases_in,
        // It changes what is written besides, not what is searched.
        databases_out: _,
        assume_monotone,
        // Searches that are written down go through states.
        diagrams: _,
        tuning,
    } = config;
    let order = (
        search,
        heuristic,
        heuristic_cache,
        tie,
        restarts,
        prune,
        seed,
    );
    let zones = (extrapolation, inclusion, bitstate, keep_dead, reduce);
    let lattices = (lattice, joining, check_monotone, assume_monotone);
    let evidence = (trace, certificate);
    let rest = ((*threads).max(1), databases_in, tuning);
    for part in [
        model,
        query.text.clone(),
        format!("{:?}", query.kind),
        format!("{order:?}"),
        format!("{zones:?}"),
        format!("{lattices:?}"),
        format!("{evidence:?}"),
        format!("{rest:?}"),
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
