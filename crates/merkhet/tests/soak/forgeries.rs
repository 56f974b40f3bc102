//! Forged certificates and damaged traces: none that claims something wrong is accepted.

use merkhet::network::{Expr, Formula, Network, Query, QueryKind, SiteId};
use merkhet::replay::{self, Certificate};
use merkhet::{Config, TraceKind};
use merkhet_testing::{self as testing, Random, RegionGraph};

use crate::material::Material;
use crate::networks::evidence;

const LIMIT: usize = 20_000;
/// Random changes of one certificate.
const CHANGES: usize = 60;
/// Changes that follow the refusals.
const PATIENCE: usize = 40;

pub fn check(material: &Material, seed: u64) -> Result<u64, String> {
    let Material::Network(network, queries) = material else {
        return Err("no network".into());
    };
    let Ok(graph) = RegionGraph::build(network, queries, LIMIT) else {
        return Ok(0);
    };
    let config = Config {
        threads: 1,
        reduce: Some(Vec::new()),
        certificate: true,
        trace: TraceKind::Some,
        ..Config::default()
    };
    let ask = |query: &Query| merkhet::check(network, query, &config, &mut |_| {}).ok();
    let everything = Query {
        text: String::new(),
        comment: String::new(),
        kind: QueryKind::Invariantly(Formula::Data(Expr::Const(1))),
        site: SiteId::NONE,
    };
    let Some(all) = ask(&everything).and_then(|report| report.certificate) else {
        return Ok(0);
    };
    let mut random = Random::new(seed);
    let mut rejected = 0;
    for query in queries {
        let Ok(testing::Answer::Verdict(holds)) = graph.answer(query, LIMIT) else {
            continue;
        };
        let claims = match query.kind {
            QueryKind::Possibly(_) => !holds,
            QueryKind::Invariantly(_) => holds,
            _ => continue,
        };
        let Some(report) = ask(query) else { continue };
        if let Some(run) = &report.trace {
            for _ in 0..CHANGES / 4 {
                rejected += evidence::damaged_traces(network, run, random.bits())?;
            }
        }
        if !claims {
            rejected += forged(network, query, &all, &mut random)?;
        } else if let Some(certificate) = &report.certificate {
            let reachable = graph.discrete_states();
            for _ in 0..CHANGES / 3 {
                let seed = random.bits();
                rejected +=
                    evidence::damaged_certificates(network, query, certificate, &reachable, seed)?;
            }
        }
    }
    Ok(rejected)
}

/// What is claimed is wrong: whatever is made of the states that can be reached, it proves nothing.
fn forged(
    network: &Network,
    query: &Query,
    all: &Certificate,
    random: &mut Random,
) -> Result<u64, String> {
    let mut rejected = 0;
    let mut refuse = |forgery: &Certificate| match replay::certify(network, query, forgery) {
        Err(refusal) => {
            rejected += 1;
            Ok(refusal)
        }
        Ok(()) => Err(format!(
            "a forgery is accepted: {:?}\n{forgery:?}",
            query.kind
        )),
    };
    for _ in 0..CHANGES {
        let mut forgery = all.clone();
        for _ in 0..1 + random.below(3) {
            change(&mut forgery, random);
        }
        refuse(&forgery)?;
    }
    // What the checker complains of is taken out, in the hope that nobody misses it.
    for by_zones in [false, true] {
        let mut forgery = all.clone();
        for _ in 0..PATIENCE {
            let refusal = refuse(&forgery)?;
            let Some(entry) = refusal.entry.filter(|entry| *entry < forgery.entries.len()) else {
                break;
            };
            let zones = &mut forgery.entries[entry].zones;
            match by_zones && !zones.is_empty() {
                true => drop(zones.remove(random.below(zones.len()))),
                false => drop(forgery.entries.remove(entry)),
            }
        }
    }
    Ok(rejected)
}

/// One change of any kind.
fn change(forgery: &mut Certificate, random: &mut Random) {
    let number = forgery.entries.len();
    if number == 0 {
        return;
    }
    let (one, other) = (random.below(number), random.below(number));
    match random.below(9) {
        0 => drop(forgery.entries.remove(one)),
        1 => forgery.entries[one].zones.clear(),
        2 | 3 => {
            for zone in &mut forgery.entries[one].zones {
                let at = random.below(zone.len());
                zone[at] = match random.below(4) {
                    0 => replay::INFINITY,
                    by => zone[at].saturating_add(by as i32 - 2),
                };
            }
        }
        4 => {
            if let Some(cell) = forgery.entries[one].cells.first_mut() {
                *cell += 1 - 2 * random.below(2) as i32;
            }
        }
        5 => {
            let zones = forgery.entries[other].zones.clone();
            forgery.entries[one].zones = zones;
        }
        6 => forgery.entries[one].bounds = None,
        7 => {
            let count = forgery.bounds.len();
            if count > 0 {
                let bounds = &mut forgery.bounds[random.below(count)];
                for level in bounds.lower.iter_mut().chain(&mut bounds.upper) {
                    *level = [replay::UNCOMPARED, replay::EXACT, 0, 1][random.below(4)];
                }
            }
        }
        _ => {
            let bounds = forgery.entries[other].bounds;
            forgery.entries[one].bounds = bounds;
        }
    }
}
