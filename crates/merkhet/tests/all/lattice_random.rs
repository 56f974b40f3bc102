//! Random lattice automata: covering is exact, joining never says "unreachable" wrongly, refinement decides.

use merkhet::replay::Certificate;
use merkhet::{Answer, Config, Failure, Joining, Limits, Model, ReductionKind, Report, Update};

use crate::lattices::{Random, model, outcome};

fn report(text: &str, query: &str, config: &Config) -> Report {
    outcome(text, query, config)
        .unwrap_or_else(|failure| panic!("{failure:?}\n{config:?}\n{query}\n{text}"))
}

fn answer(text: &str, query: &str, config: &Config) -> Answer {
    report(text, query, config).answer
}

/// 200 seeds; `MERKHET_RANDOM=10000` asks for more, `MERKHET_RANDOM_FIRST=200` says where to begin.
fn seeds() -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first: u64 = number("MERKHET_RANDOM_FIRST").unwrap_or(0);
    first..first + number("MERKHET_RANDOM").unwrap_or(200)
}

#[test]
fn cover_is_exact_join_is_safe_and_refinement_decides() {
    let (mut found, mut inconclusive, mut refined, mut reduced) = (0, 0, 0, 0);
    for seed in seeds() {
        let mut random = Random(seed);
        let (text, query) = model(&mut random, 0);
        let with = |update, joining, search: Option<&str>| Config {
            lattice: Some(update),
            joining,
            search: search.map(|search| search.parse().unwrap()),
            ..Config::default()
        };
        let exact = answer(&text, &query, &with(Update::Simple, Joining::All, None));
        assert!(!exact.is_unknown());
        found += usize::from(exact == Answer::Satisfied);
        let case = |name: &str| format!("seed {seed}, {name}: {query}\n{text}");
        for search in [None, Some("bfs"), Some("greedy")] {
            let cover = answer(&text, &query, &with(Update::Cover, Joining::All, search));
            assert_eq!(cover, exact, "{}", case("cover"));
            let divided = Config {
                threads: 3,
                ..with(Update::Cover, Joining::All, search)
            };
            let cover = answer(&text, &query, &divided);
            assert_eq!(cover, exact, "{}", case("cover with three threads"));
        }
        for joining in [Joining::All, Joining::SameZone] {
            let join = answer(&text, &query, &with(Update::Join, joining, None));
            inconclusive += usize::from(join.is_unknown());
            assert!(join == exact || join.is_unknown(), "{}", case("join"));
            let divided = Config {
                threads: 2,
                ..with(Update::Join, joining, None)
            };
            let join = answer(&text, &query, &divided);
            assert!(
                join == exact || join.is_unknown(),
                "{}",
                case("join with two threads")
            );
            let cegar = report(&text, &query, &with(Update::Cegar, joining, None));
            refined += usize::from(cegar.figures.refinements > Some(0));
            assert_eq!(cegar.answer, exact, "{}", case("cegar"));
        }
        // What the query does not depend on may go, elements of lattices as wholes.
        for (update, kind) in [
            (Update::Simple, ReductionKind::Influence),
            (Update::Cover, ReductionKind::Influence),
            (Update::Cover, ReductionKind::Safe),
            (Update::Cegar, ReductionKind::Influence),
        ] {
            let config = Config {
                reduce: Some(vec![kind]),
                ..with(update, Joining::All, None)
            };
            let found = report(&text, &query, &config);
            let removed = found.reduced.map_or(0, |reduced| reduced.removed.len());
            reduced += usize::from(removed > 0);
            assert_eq!(found.answer, exact, "{}", case(&format!("{kind:?}")));
        }
        let checked = Config {
            check_monotone: true,
            ..with(Update::Cover, Joining::All, None)
        };
        assert_eq!(
            answer(&text, &query, &checked),
            exact,
            "{}",
            case("monotone")
        );
        let unasked = answer(&text, &query, &Config::default());
        assert_eq!(unasked, exact, "{}", case("without --lattice"));
    }
    // The sample would be worthless without both answers and without lost precision.
    let count = seeds().count();
    println!(
        "{count} models: {found} reachable, {inconclusive} inconclusive, {refined} refined, {reduced} reduced"
    );
    assert!(
        (count / 20..count * 19 / 20).contains(&found),
        "{found} reachable"
    );
    assert!(inconclusive > 0, "{inconclusive} inconclusive");
    assert!(refined > 10, "{refined} refined");
    assert!(reduced > 10, "{reduced} reduced");
}

/// Monotone or not: whatever is asked for, an answer is that of explicit exploration.
#[test]
fn no_strategy_is_ever_wrong() {
    let (mut exact, mut covered, mut refused, mut unknown) = ([0, 0], 0, 0, 0);
    for seed in seeds() {
        let mut random = Random(seed ^ 0x5eed_0000_0000);
        let wild = [0, 40, 12, 4][random.below(4) as usize];
        let (text, query) = model(&mut random, wild);
        let with = |lattice, joining, search: &str| Config {
            lattice,
            joining,
            search: (!search.is_empty()).then(|| search.parse().unwrap()),
            assume_monotone: !matches!(lattice, None | Some(Update::Simple)),
            seed,
            limits: Limits {
                states: Some(20_000),
                ..Limits::default()
            },
            ..Config::default()
        };
        let explicit = outcome(
            &text,
            &query,
            &with(Some(Update::Simple), Joining::All, "bfs"),
        );
        let Ok(explicit) = explicit else { continue };
        if explicit.answer.is_unknown() {
            continue;
        }
        let holds = explicit.answer == Answer::Satisfied;
        exact[usize::from(holds)] += 1;
        let joining = [Joining::All, Joining::SameZone][random.below(2) as usize];
        for update in [
            None,
            Some(Update::Cover),
            Some(Update::Join),
            Some(Update::Cegar),
        ] {
            let not_proved = outcome(
                &text,
                &query,
                &Config {
                    assume_monotone: false,
                    ..with(update, joining, "bfs")
                },
            );
            match &not_proved {
                Ok(report) => covered += usize::from(report.search.contains("cover")),
                Err(Failure::NotPermitted(why)) => {
                    assert!(why.contains("not proved"), "{why}");
                    refused += 1;
                }
                Err(_) => {}
            }
            let others = ["", "dfs", "rdfs", "greedy"]
                .map(|s| outcome(&text, &query, &with(update, joining, s)));
            // Random order, since threads come to states in any order.
            let divided = Config {
                threads: 2 + (seed % 3) as usize,
                ..with(
                    update,
                    joining,
                    ["", "bfs", "rdfs", "greedy"][(seed / 3 % 4) as usize],
                )
            };
            let divided = outcome(&text, &query, &divided);
            let found = others.into_iter().chain([not_proved, divided]);
            for (index, found) in found.enumerate() {
                let Ok(report) = found else { continue };
                let decided = !report.answer.is_unknown();
                unknown += usize::from(!decided);
                assert!(
                    !decided || report.answer == explicit.answer,
                    "seed {seed}, {update:?}, {joining:?}, {index}: {:?}\n{query}\n{text}",
                    report.reason()
                );
            }
        }
    }
    println!(
        "{exact:?} violated and satisfied, {covered} covered, {refused} refused, {unknown} unknown"
    );
    let count = seeds().count();
    assert!(exact.iter().all(|found| *found > count / 20), "{exact:?}");
    assert!(covered > count / 4, "{covered} covered");
    assert!(refused > count / 10, "{refused} refused");
}

/// A judge that knows no orders accepts what covering, joining and refinement have seen, and nothing that is left of it
/// without the entry that the initial state is in.
#[test]
fn every_no_has_a_certificate() {
    let (mut proofs, mut refused) = (0, 0);
    for seed in seeds() {
        let mut random = Random(seed ^ 0xce27_0000_0000);
        // Every second one has a clock.
        let without_clock: &[(&str, &str)] = match seed % 2 {
            0 => &[],
            _ => &[
                ("clock x;\n", ""),
                ("x >= 2", "k >= 0"),
                ("x <= 1", "k <= 2"),
                ("x = 0", "k = 0"),
            ],
        };
        let (text, query) = model(&mut random, 0);
        let replaced = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
        let text = without_clock.iter().fold(text, replaced);
        for update in [
            None,
            Some(Update::Cover),
            Some(Update::Join),
            Some(Update::Cegar),
        ] {
            let config = Config {
                lattice: update,
                joining: Joining::All,
                certificate: true,
                ..Config::default()
            };
            let found = report(&text, &query, &config);
            if found.answer != Answer::Violated {
                continue;
            }
            let Some(mut proof) = found.certificate.clone() else {
                panic!(
                    "seed {seed}, {update:?}: {:?}\n{query}\n{text}",
                    found.reason()
                );
            };
            proofs += 1;
            let mut model = Model::read("random.xta", text.as_bytes());
            let asked = model.query(&query).query.expect("a query");
            let network = model.network().expect("a network");
            let certify = |proof: &Certificate| merkhet::replay::certify(network, &asked, proof);
            assert_eq!(certify(&proof), Ok(()));
            let start: Vec<u32> = network.processes.iter().map(|p| p.initial.0).collect();
            proof.entries.retain(|entry| entry.locations != start);
            assert!(certify(&proof).is_err());
            let mut proof = found.certificate.expect("seen");
            let at = random.below(proof.entries.len() as u64) as usize;
            proof.entries.remove(at);
            refused += usize::from(certify(&proof).is_err());
        }
    }
    println!("{proofs} certificates, {refused} refused without one of their entries");
    assert!(proofs > seeds().count() / 2, "{proofs} certificates");
    assert!(refused * 10 > proofs * 8, "{refused} of {proofs}");
}
