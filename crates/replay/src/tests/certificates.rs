//! Certificates from a plain exploration: accepted where they are right, refused where they cannot be.

use std::collections::HashMap;

use merkhet_network::{LocationId, Network, Query, QueryKind};
use merkhet_testing::{Answer, Profile, Random, RegionGraph, generate};

use super::{query, seeds};
use crate::certificates::certificate::{
    Certificate, ClockBounds, EXACT, Entry, INFINITY, UNCOMPARED,
};
use crate::certificates::federation::{Federation, time_successors};
use crate::certificates::file::write_plain;
use crate::certificates::simulation::{ALWAYS, Levels, NEVER, covers};
use crate::certificates::situation::Situation;
use crate::certificates::zone::{NO_BOUND, Zone};
use crate::condition::Condition;
use crate::rules::{Discrete, Rules};
use crate::{
    CERTIFICATE_MAGIC, CertificateReader, certify, certify_owned, certify_reading, read, write,
};

const LIMIT: usize = 4_000;

/// How the exploration keeps itself finite.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Method {
    /// Zones as they are, covered by simulation with one bound for all clocks.
    Simulation { lower: i64, upper: i64 },
    /// Zones extrapolated by one constant, covered by inclusion.
    Extrapolation(i64),
}

struct Explorer<'n> {
    rules: Rules<'n>,
    method: Method,
    found: HashMap<Discrete, Vec<Zone>>,
}

impl<'n> Explorer<'n> {
    /// Explores; `None` if something fails or there is too much.
    fn run(network: &'n Network, method: Method) -> Option<Explorer<'n>> {
        let rules = Rules { network };
        let mut explorer = Explorer {
            rules,
            method,
            found: HashMap::new(),
        };
        let mut waiting = vec![(rules.initial(), Zone::origin(rules.dimension()))];
        let mut count = 0;
        while let Some((state, zone)) = waiting.pop() {
            count += 1;
            if count > 2_000 {
                return None;
            }
            let situation = Situation::new(rules, state.clone()).ok()??;
            let later = if situation.frozen {
                Federation::from(zone)
            } else {
                time_successors(&zone, &situation.hurry())
            };
            for zone in later.constrain_all(&situation.atoms).zones {
                let Some(zone) = explorer.keep(&state, zone) else {
                    continue;
                };
                let here = Federation::from(zone).constrain_all(&situation.atoms);
                for index in 0..situation.moves.len() {
                    if let Some((set, next)) = situation.possible(index, &here).ok()? {
                        for zone in &set.zones {
                            waiting.push((next.state.clone(), zone.assign(&next.clocks)));
                        }
                    }
                }
            }
        }
        Some(explorer)
    }

    fn levels(&self) -> Levels {
        let dimension = self.rules.dimension();
        match self.method {
            Method::Simulation { lower, upper } => Levels {
                lower: vec![lower; dimension],
                upper: vec![upper; dimension],
            },
            Method::Extrapolation(_) => Levels::exact(dimension),
        }
    }

    /// Stores a zone that is new.
    fn keep(&mut self, state: &Discrete, zone: Zone) -> Option<Zone> {
        let levels = self.levels();
        let zone = match self.method {
            Method::Extrapolation(most) => extrapolated(&zone, most),
            Method::Simulation { .. } => zone,
        };
        let known = self.found.entry(state.clone()).or_default();
        if known.iter().any(|own| covers(own, &zone, &levels)) {
            return None;
        }
        known.push(zone.clone());
        Some(zone)
    }

    fn certificate(&self, network: &Network) -> Certificate {
        let mut certificate = Certificate::new(network, "");
        let clocks = network.clocks.len();
        let mut bounds = None;
        if let Method::Simulation { lower, upper } = self.method {
            let narrow = |level| match level {
                NEVER => UNCOMPARED,
                ALWAYS => EXACT,
                _ => level as i32,
            };
            certificate.bounds.push(ClockBounds {
                lower: vec![narrow(lower); clocks],
                upper: vec![narrow(upper); clocks],
            });
            bounds = Some(0);
        }
        for (state, zones) in &self.found {
            certificate.entries.push(Entry {
                locations: state.locations.iter().map(|at: &LocationId| at.0).collect(),
                cells: state.cells.clone(),
                tops: None,
                bounds,
                zones: zones.iter().map(matrix).collect(),
            });
        }
        certificate
    }
}

pub(super) fn matrix(zone: &Zone) -> Vec<i32> {
    let rows = 0..zone.dimension();
    let pairs = rows
        .clone()
        .flat_map(|left| rows.clone().map(move |right| (left, right)));
    pairs
        .map(|(left, right)| match zone.get(left, right) {
            NO_BOUND => INFINITY,
            bound => bound as i32,
        })
        .collect()
}

/// Classical extrapolation by one constant.
fn extrapolated(zone: &Zone, most: i64) -> Zone {
    let rows = 0..zone.dimension();
    let pairs = rows
        .clone()
        .flat_map(|left| rows.clone().map(move |right| (left, right)));
    let bounds: Vec<i64> = pairs
        .map(|(left, right)| match zone.get(left, right) {
            bound if left == right => bound,
            bound if bound > most * 2 + 1 => NO_BOUND,
            bound if bound < -most * 2 => -most * 2,
            bound => bound,
        })
        .collect();
    Zone::from_matrix(zone.dimension(), &bounds).expect("a larger zone")
}

/// The certificate without the bad parts of its zones.
fn without_bad(certificate: &Certificate, network: &Network, query: &Query) -> Certificate {
    let (formula, positive) = match &query.kind {
        QueryKind::Possibly(formula) => (formula, true),
        QueryKind::Invariantly(formula) => (formula, false),
        other => panic!("no safety query: {other:?}"),
    };
    let rules = Rules { network };
    let mut certificate = certificate.clone();
    for entry in &mut certificate.entries {
        let state = Discrete {
            locations: entry.locations.iter().map(|at| LocationId(*at)).collect(),
            cells: entry.cells.clone(),
            meta: Vec::new(),
        };
        let bad = Condition::of(rules, &state, formula, positive);
        let situation = Situation::new(rules, state).expect("state").expect("state");
        let deadlocks = situation.deadlocks().expect("deadlocks");
        let mut kept = Vec::new();
        for zone in &entry.zones {
            let wide: Vec<i64> = zone
                .iter()
                .map(|&b| if b == INFINITY { NO_BOUND } else { b.into() })
                .collect();
            let zone = Zone::from_matrix(rules.dimension(), &wide).expect("zone");
            let whole = Federation::from(zone).constrain_all(&situation.atoms);
            let found = whole.satisfying(&bad, &deadlocks).expect("no fault");
            let good = whole.subtract(&found);
            kept.extend(good.zones.iter().map(matrix));
        }
        entry.zones = kept;
    }
    certificate
}

/// The counts of accepted proofs and of refused wrong ones.
fn check(seed: u64, profile: &Profile, method: Method, complete: bool) -> [usize; 2] {
    let mut count = [0, 0];
    let (network, queries) = generate(seed, profile);
    let Ok(graph) = RegionGraph::build(&network, &queries, LIMIT) else {
        return count;
    };
    let Some(explorer) = Explorer::run(&network, method) else {
        return count;
    };
    let certificate = explorer.certificate(&network);
    let mut file = Vec::new();
    write(&certificate, &mut file).expect("write");
    let certificate = read(&file[..]).expect("read");
    let mut random = Random::new(seed);
    for asked in &queries {
        let holds = match asked.kind {
            QueryKind::Possibly(_) => Answer::Verdict(false),
            QueryKind::Invariantly(_) => Answer::Verdict(true),
            _ => continue,
        };
        let proof = graph.answer(asked, LIMIT).expect("answer") == holds;
        let judged = |what: &str, certificate: &Certificate| {
            let verdict = certify(&network, asked, certificate);
            assert!(
                proof || verdict.is_err(),
                "seed {seed}: {what} proves a falsehood: {:?}",
                asked.kind
            );
            verdict
        };
        let verdict = judged("everything", &certificate);
        if proof && complete {
            verdict.unwrap_or_else(|refusal| panic!("seed {seed}: {refusal}: {:?}", asked.kind));
            count[0] += 1;
        }
        if proof {
            continue;
        }
        count[1] += 1;
        let mut hollow = without_bad(&certificate, &network, asked);
        assert!(judged("everything but the bad", &hollow).is_err());
        for _ in 0..3 {
            mutate(&mut hollow, &mut random);
            assert!(judged("a mutant", &hollow).is_err());
        }
    }
    count
}

/// Removes, shrinks or widens something, or lowers the bounds.
fn mutate(certificate: &mut Certificate, random: &mut Random) {
    let number = random.below(certificate.entries.len());
    let Some(entry) = certificate.entries.get_mut(number) else {
        return;
    };
    let zone = random.below(entry.zones.len());
    match random.below(5) {
        0 => {
            certificate.entries.remove(number);
        }
        1 if !entry.zones.is_empty() => {
            entry.zones.remove(zone);
        }
        2 => {
            if let Some(zone) = entry.zones.get_mut(zone) {
                let at = random.below(zone.len());
                zone[at] = random.between(-3, 9);
            }
        }
        3 => {
            for bounds in &mut certificate.bounds {
                let to = [UNCOMPARED, 0, 1][random.below(3)];
                if random.chance(50) {
                    bounds.lower.fill(to);
                } else {
                    bounds.upper.fill(to);
                }
            }
        }
        _ => {
            if let Some(zone) = entry.zones.get_mut(zone) {
                zone.fill(INFINITY);
            }
        }
    }
}

#[test]
fn certificates_by_simulation_and_by_extrapolation() {
    let mut total = [0, 0];
    let mut run = |name: u64, profile: &Profile, method, complete| {
        for seed in 0..seeds(120) {
            let count = check(seed + 30_000 * name, profile, method, complete);
            total = [total[0] + count[0], total[1] + count[1]];
        }
    };
    let symmetric = Method::Simulation {
        lower: 12,
        upper: 12,
    };
    run(0, &Profile::default(), symmetric, true);
    run(1, &Profile::timed(), symmetric, true);
    run(2, &Profile::default(), Method::Extrapolation(12), true);
    let exact = Method::Simulation {
        lower: ALWAYS,
        upper: ALWAYS,
    };
    run(3, &Profile::diagonal(), exact, true);
    run(4, &Profile::everything(), Method::Extrapolation(12), false);
    // Bounds that are too low, or for which only the bad condition asks for more, must never prove a falsehood.
    for (lower, upper) in [(12, 0), (0, 12), (2, 2), (1, 1), (NEVER, NEVER), (4, 1)] {
        let method = Method::Simulation { lower, upper };
        run(5, &Profile::default(), method, false);
        run(6, &Profile::everything(), method, false);
    }
    assert!(
        total[0] > 200 && total[1] > 200,
        "proved and refuted: {total:?}"
    );
}

#[test]
fn unreachable_by_bounds_that_fit_exactly_is_accepted() {
    // Without strictness or data the generator's constants are at most 4: L = U = 4 must do.
    let method = Method::Simulation { lower: 4, upper: 4 };
    let mut accepted = 0;
    for seed in 0..seeds(150) {
        accepted += check(seed + 500_000, &Profile::timed(), method, true)[0];
    }
    assert!(accepted > 50, "only {accepted} accepted");
}

#[test]
fn damaged_files_do_not_read() {
    let (network, _) = generate(7, &Profile::timed());
    let method = Method::Extrapolation(12);
    let explorer = Explorer::run(&network, method).expect("exploration");
    let certificate = explorer.certificate(&network);
    let mut file = Vec::new();
    write(&certificate, &mut file).expect("write");
    assert_eq!(read(&file[..]).expect("read"), certificate);
    for length in 0..file.len() {
        assert!(read(&file[..length]).is_err(), "cut off at {length}");
    }
    let mut random = Random::new(1);
    for _ in 0..2_000 {
        let mut damaged = file.clone();
        let at = random.below(damaged.len());
        damaged[at] ^= 1 << random.below(8);
        // The last bits of what is compressed may mean nothing.
        let other = read(&damaged[..]).is_ok_and(|read| read != certificate);
        assert!(!other, "bit flipped at {at}");
    }
    for _ in 0..200 {
        let noise: Vec<u8> = (0..random.below(300))
            .map(|_| random.bits() as u8)
            .collect();
        let hostile = [&file[..20.min(file.len())], &noise[..]].concat();
        assert!(read(&hostile[..]).is_err());
    }
    let mut longer = file.clone();
    longer.push(0);
    assert!(read(&longer[..]).is_err());
}

/// The forms that earlier versions wrote, and all ways to hand a certificate to the checker.
#[test]
fn uncompressed_files_read_and_every_way_of_checking_agrees() {
    let (network, _) = generate(7, &Profile::timed());
    let explorer = Explorer::run(&network, Method::Extrapolation(12)).expect("exploration");
    let certificate = explorer.certificate(&network);
    let mut hollow = certificate.clone();
    hollow.entries.truncate(1);
    let explore = query(QueryKind::Explore);
    for known in [certificate, hollow] {
        let expected = certify(&network, &explore, &known);
        let (mut packed, mut plain) = (Vec::new(), CERTIFICATE_MAGIC.to_vec());
        write(&known, &mut packed).expect("write");
        plain = write_plain(&known, plain, CERTIFICATE_MAGIC).expect("write");
        for file in [packed, plain] {
            assert_eq!(read(&file[..]).expect("read"), known);
            for threads in [1, 3] {
                let reader = CertificateReader::open(&file[..]).expect("a certificate");
                let judged = certify_reading(&network, &explore, reader, threads);
                let judged = judged.expect("read").map(|_| ());
                assert_eq!(judged, expected, "{threads} threads");
            }
            let reader = CertificateReader::open(&file[..file.len() - 9]).expect("a certificate");
            assert!(certify_reading(&network, &explore, reader, 1).is_err());
        }
        for threads in [1, 2] {
            let judged = certify_owned(&network, &explore, known.clone(), threads);
            assert_eq!(judged, expected, "{threads} threads");
        }
    }
}

#[test]
fn a_certificate_of_another_model_is_refused() {
    let (network, _) = generate(7, &Profile::timed());
    let (other, _) = generate(8, &Profile::timed());
    let explorer = Explorer::run(&network, Method::Extrapolation(12)).expect("exploration");
    let certificate = explorer.certificate(&network);
    let explore = query(QueryKind::Explore);
    assert!(certify(&network, &explore, &certificate).is_ok());
    let refusal = certify(&other, &explore, &certificate).expect_err("another model");
    assert_eq!(refusal.reason, "it is about another model");
}
