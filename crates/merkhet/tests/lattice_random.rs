//! Random lattice automata: covering is exact, joining never says "unreachable" wrongly, refinement decides.

use merkhet::replay::Certificate;
use merkhet::{
    Answer, Config, Failure, Joining, Limits, Model, ReductionKind, Report, Update, check,
};
use std::fmt::Write as _;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    fn one<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

const DECLARATIONS: &str = "\
extern UnionBitVector;
extern MaxInteger;
extern PresentAbsentSet;
extern IntRange;
UnionBitVector v[3];
MaxInteger m;
PresentAbsentSet s[2] = { { 0, 0 }, { 1, 1 } };
IntRange r;
// Divisibility: 1 below 2 and 3, both below 6.
lattice Divisors {
    int[1, 6] n;
    bool leq(const Divisors &o) { return o.n % n == 0; }
    void join(const Divisors &o) { if (o.n % n == 0) n = o.n; else if (n % o.n != 0) n = 6; }
    bool has(const int k) { return n % k == 0; }
}
Divisors d;
int[0, 2] k;
clock x;
";

/// Guards that larger elements keep.
const GUARDS: &[&str] = &[
    "v[0] == 1",
    "v[1] == 1",
    "v[2] == 1",
    "v.num1s() >= 2",
    "v.num0s() <= 1",
    "m >= 2",
    "m > 0",
    "s.mayContain(0)",
    "s.mayLack(0)",
    "s.mayContain(1)",
    "s.mayLack(1)",
    "r >= 2",
    "r <= 1",
    "r == 1",
    "d.has(2)",
    "d.has(3)",
    "k == 0",
    "k > 0",
    "x >= 2",
    "x <= 1",
];

/// Updates that keep the order.
const UPDATES: &[&str] = &[
    "v[0] = 1",
    "v[1] = 1",
    "v[2] = 1",
    "v[0] = 0",
    "v[2] = 0",
    "v[1] = v[0]",
    "v.clear()",
    "m = m < 3 ? m + 1 : 3",
    "m = 0",
    "m = m > 1 ? m - 1 : 0",
    "s.insert(0)",
    "s.remove(0)",
    "s.insert(1)",
    "s.forget(1)",
    "r = 1",
    "r.set(0, 2)",
    "r.atMost(2)",
    "d.n = 2",
    "d.n = 3",
    "d.n = 1",
    "k = 0",
    "k = 1",
    "k = 2",
    "x = 0",
];

/// Guards that larger elements may lose.
const LOST: &[&str] = &[
    "v[0] == 0",
    "v.num1s() == 1",
    "m == 1",
    "m <= 1",
    "s.mustContain(0)",
    "r.low == 0",
    "r.high < 2",
    "!d.has(2)",
    "d.n <= 2",
    "v[0] + r.low > 1",
];

/// Updates that do not keep the order.
const DISORDERED: &[&str] = &[
    "v[0] = 1 - v[1]",
    "k = v[2]",
    "k = m % 3",
    "m = m == 1 ? 3 : m",
    "d.n = d.n == 2 ? 3 : d.n",
    "r.high = r.low",
    "x = m > 0 && m < 9 ? m : 0",
];

/// One of the first, or now and then of the second.
fn either<'a>(random: &mut Random, wild: u64, usual: &[&'a str], rare: &[&'a str]) -> &'a str {
    match wild > 0 && random.below(wild) == 0 {
        true => random.one(rare),
        false => random.one(usual),
    }
}

/// A model and a goal; one in `wild` guards and updates stands in the way of covering (none if it is 0).
fn model(random: &mut Random, wild: u64) -> (String, String) {
    let mut text = DECLARATIONS.to_string();
    if wild > 0 {
        let channels = random.one(&[
            "chan c;",
            "broadcast chan c;",
            "urgent chan c;",
            "chan c; chan priority default < c;",
        ]);
        let _ = writeln!(text, "{channels}");
    }
    let processes = 1 + random.below(2);
    for process in 0..processes {
        let locations = 2 + random.below(4);
        let names: Vec<String> = (0..locations).map(|l| format!("L{l}")).collect();
        let _ = write!(
            text,
            "process P{process}() {{\n    state {};\n    init L0;\n    trans\n",
            names.join(", ")
        );
        let edges = 2 * locations + random.below(5);
        for edge in 0..edges {
            let source = edge % locations;
            let target = random.below(locations);
            let guards: Vec<&str> = (0..random.below(2))
                .map(|_| either(random, wild, GUARDS, LOST))
                .collect();
            let updates: Vec<&str> = (0..1 + random.below(3))
                .map(|_| either(random, wild, UPDATES, DISORDERED))
                .collect();
            let sync = match wild > 0 && processes > 1 && random.below(5) == 0 {
                true => random.one(&["sync c!; ", "sync c?; "]),
                false => "",
            };
            // Nothing may be asked of clocks where a channel is urgent.
            let guards: Vec<&str> = (guards.into_iter())
                .filter(|guard| sync.is_empty() || !guard.starts_with('x'))
                .collect();
            let guard = match guards.is_empty() {
                true => String::new(),
                false => format!("guard {}; ", guards.join(" && ")),
            };
            let assign = match updates.is_empty() {
                true => String::new(),
                false => format!("assign {}; ", updates.join(", ")),
            };
            let end = if edge + 1 < edges { "," } else { ";" };
            let _ = writeln!(
                text,
                "        L{source} -> L{target} {{ {guard}{sync}{assign}}}{end}"
            );
        }
        let _ = writeln!(text, "}}");
    }
    let names: Vec<String> = (0..processes).map(|p| format!("P{p}")).collect();
    let _ = writeln!(text, "system {};", names.join(", "));
    let atoms = &GUARDS[..16];
    let count = 1 + random.below(3);
    let mut goal = format!("E<> P0.L{}", random.below(2));
    for _ in 0..count {
        let _ = write!(goal, " && {}", either(random, wild, atoms, LOST));
    }
    (text, goal)
}

fn report(text: &str, query: &str, config: &Config) -> Report {
    outcome(text, query, config)
        .unwrap_or_else(|failure| panic!("{failure:?}\n{config:?}\n{query}\n{text}"))
}

fn outcome(text: &str, query: &str, config: &Config) -> Result<Report, Failure> {
    let mut model = Model::read("random.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:?}\n{text}", model.diagnostics);
    let query = model.query(query);
    let asked = query
        .query
        .unwrap_or_else(|| panic!("{:?}", query.diagnostics));
    let network = model.network().expect("a network");
    check(network, &asked, config, &mut |_| {})
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
        }
        for joining in [Joining::All, Joining::SameZone] {
            let join = answer(&text, &query, &with(Update::Join, joining, None));
            inconclusive += usize::from(join.is_unknown());
            assert!(join == exact || join.is_unknown(), "{}", case("join"));
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
            for (index, found) in others.into_iter().chain([not_proved]).enumerate() {
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
