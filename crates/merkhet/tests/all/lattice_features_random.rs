//! Random lattice models with everything that may make larger elements do less: invariants and guards of clocks that
//! elements bound, urgent, broadcast and prioritised channels, committed locations, functions with reference parameters,
//! arrays of lattice variables, and all kinds of queries. Whatever is proved or assumed, an answer is the explicit one.

use merkhet::{Answer, Config, Failure, Limits, Model, Report, Update, check};
use merkhet_testing::Random;
use std::fmt::Write as _;

const DECLARATIONS: &str = "\
extern UnionBitVector;
extern MaxInteger;
extern MinInteger;
extern IntRange;
extern Sign; extern Parity; extern Octagon; extern DiscreteClock; extern MessagePool;
lattice L { int[0,3] n; bool leq(const L &o) { return n <= o.n; } void join(const L &o) { if (o.n > n) n = o.n; } }
lattice Pair { L a; L b; }
UnionBitVector u[2];
L v; L w; L many[2];
Pair p;
MinInteger least;
Sign g; Parity e; Octagon o; DiscreteClock t[2][3]; MessagePool q[2];
int[0,1] k; int[0,3] h;
clock x; clock y;
void raise(L &a) { if (a.n < 3) a.n = a.n + 1; }
void lower(L &a) { if (a.n > 0) a.n = a.n - 1; }
void copy(L &a, const L &b) { a.n = b.n; }
void top(L &a, const L &b) { if (b.n > a.n) a.n = b.n; }
void swap(L &a, L &b) { L t; t = a; a = b; b = t; }
bool high(const L &a, int k) { return a.n >= k; }
int count(const L &a[2]) { return sum (i : int[0,1]) (a[i].n > 1 ? 1 : 0); }
int note(int &c, int k) { c = c + k; return c; }
int odd(const L &a) { int c = 0; if (a.n > 1 && note(c, 1) > 0) { } return c; }
";

const GUARDS: &[&str] = &[
    "v.n >= 2",
    "high(w, 1)",
    "u[k] == 1",
    "u.num1s() > 1",
    "count(many) >= 1",
    "many[k].n > 0",
    "p.a.n + p.b.n > 2",
    "k == 0",
    "k == 1",
    "h > 1",
    "x >= 1",
    "x <= v.n",
    "x < 1 + w.n",
    "y - x <= v.n",
    "x <= 2 && y >= 1",
    "(forall (i : int[0,1]) many[i].n >= h)",
    "(exists (i : int[0,1]) u[i] > 0)",
    "v.n >= (h > 1 ? 1 : 0)",
    "g.mayBePositive()",
    "e.mayBeOdd()",
    "o.xMayReach(1)",
    "o.differenceMayReach(1)",
    "t[k].ge(2)",
    "t[0].lt(1)",
    "q.has(k)",
];

const LOST: &[&str] = &[
    "v.n < 2",
    "v.n == 1",
    "!high(w, 2)",
    "u[0] == 0",
    "x >= v.n",
    "x > 3 - w.n && v.n < 1",
    "odd(v) == 0",
    "many[v.n > 1 ? 1 : 0].n > 0",
    "v.n < 3",
    "w.n < 3",
    "many[k].n < 3",
    "u[k] == 0",
    "least.value > 1",
    "v.n - w.n > 0",
    "odd(w) + v.n >= 2",
    "u[0] < 1 && k == 0",
    "!g.mayBeZero()",
    "t[0].high < 2",
    "q.size() == 1",
    "o.high[0] < 1",
];

const UPDATES: &[&str] = &[
    "raise(v)",
    "raise(w)",
    "lower(v)",
    "copy(w, v)",
    "top(v, w)",
    "swap(v, w)",
    "u[k] = 1",
    "u[0] = 0",
    "many[k] = v",
    "raise(many[k])",
    "p.a.n = 2",
    "p.b = v",
    "k = 0",
    "k = 1",
    "h = 0",
    "h = h < 3 ? h + 1 : 3",
    "x = 0",
    "y = 0, x = 0",
    "x = h",
    "v.n = w.n > 1 ? 3 : 1",
    "v.n = 3",
    "w.n = 2",
    "many[1].n = u[0] + u[1]",
    "v.n = 0",
    "least = 3 - h",
    "v.n = v.n < 3 ? v.n + 1 : 3",
    "g.increment()",
    "g.set(k), g.negate()",
    "e.set(h), e.add(1)",
    "o.set(h, k)",
    "o.resetX(), o.elapse()",
    "o.resetY()",
    "t[k].tick()",
    "t[0].elapse()",
    "t[k].reset(), t[k].elapseTo(2)",
    "q.send(k)",
];

const DISORDERED: &[&str] = &[
    "k = u[0]",
    "h = v.n",
    "x = v.n",
    "v.n = 3 - w.n",
    "many[u[0]].n = 3",
    "h = count(many)",
    "w.n = odd(v)",
    "raise(many[v.n > 1 ? 1 : 0])",
    "v.n = v.n == 2 ? 0 : v.n",
    "h = h < v.n ? h : v.n",
    "k = odd(v)",
    "least = v.n",
    "m = v.n",
    "h = m",
];

const INVARIANTS: &[&str] = &[
    "x <= 2",
    "x <= v.n",
    "x <= 1 + w.n && y <= 3",
    "v.n >= 1",
    "u[0] > 0 || k == 0",
    "x <= (v.n > 1 ? 3 : 1)",
    "h > 1 imply x <= 2",
];

const LOST_INVARIANTS: &[&str] = &[
    "x <= 3 - v.n",
    "v.n > 1 imply x <= 1",
    "v.n <= 2",
    "x <= 2 && w.n < 3",
    "x <= (odd(v) > 0 ? 1 : 2)",
    "v.n < 2 imply x <= 1",
];

struct Generator {
    random: Random,
    /// One part in this number may stand in the way; none if it is 0.
    wild: usize,
}

impl Generator {
    fn one(&mut self, choices: &[&str]) -> String {
        self.random
            .pick(choices)
            .map_or(String::new(), ToString::to_string)
    }

    fn either(&mut self, usual: &[&str], rare: &[&str]) -> String {
        match self.wild > 0 && self.random.below(self.wild) == 0 {
            true => self.one(rare),
            false => self.one(usual),
        }
    }

    fn some(&mut self, most: usize, usual: &[&str], rare: &[&str]) -> Vec<String> {
        (0..self.random.below(most + 1))
            .map(|_| self.either(usual, rare))
            .collect()
    }

    fn model(&mut self) -> String {
        let mut text = DECLARATIONS.to_string();
        let channel = self.one(&[
            "chan c;",
            "broadcast chan c;",
            "urgent chan c;",
            "urgent broadcast chan c;",
            "chan c;",
            "chan c, d; chan priority d < default < c;",
        ]);
        let prioritised = channel.contains("priority");
        let _ = writeln!(text, "{channel} meta int[0,3] m;");
        let processes = 1 + self.random.below(2);
        for process in 0..processes {
            let locations = 2 + self.random.below(3);
            let mut names = Vec::new();
            for location in 0..locations {
                let invariant = match self.random.below(3) {
                    0 => format!(" {{ {} }}", self.either(INVARIANTS, LOST_INVARIANTS)),
                    _ => String::new(),
                };
                names.push(format!("L{location}{invariant}"));
            }
            let kind = match self.random.below(8) {
                0 => "    commit L1;\n",
                1 => "    urgent L1;\n",
                _ => "",
            };
            let _ = write!(
                text,
                "process P{process}() {{\n    state {};\n{kind}    init L0;\n    trans\n",
                names.join(", ")
            );
            let edges = 2 * locations + self.random.below(3);
            for edge in 0..edges {
                let loops = self.random.chance(20);
                let (source, target) = (edge % locations, self.random.below(locations));
                let target = if loops { source } else { target };
                let sync = match processes > 1 && self.random.chance(25) {
                    true => self.one(&["sync c!; ", "sync c?; "]),
                    false => String::new(),
                };
                let urgent = channel.contains("urgent") && !sync.is_empty();
                let mut guards = self.some(2, GUARDS, LOST);
                guards.retain(|guard| {
                    !urgent || !guard.contains(['x', 'y']) || guard.contains("exi")
                });
                let guard = match guards.is_empty() {
                    true => String::new(),
                    false => format!("guard {}; ", guards.join(" && ")),
                };
                let updates = self.some(3, UPDATES, DISORDERED);
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
        let order = if processes > 1 && !prioritised && self.random.chance(10) {
            " < "
        } else {
            ", "
        };
        let _ = writeln!(text, "system {};", names.join(order));
        text
    }

    fn state(&mut self) -> String {
        let mut parts = vec![format!("P0.L{}", self.random.below(2))];
        parts.extend(self.some(2, GUARDS, LOST));
        if self.random.chance(10) {
            parts.push("deadlock".into());
        }
        parts.join(" && ")
    }

    fn query(&mut self) -> String {
        let state = self.state();
        let measure = self.one(&[
            "v.n",
            "count(many)",
            "u.num1s() + w.n",
            "3 - v.n",
            "odd(v)",
            "h",
            "p.a.n * 2",
            "v.n * w.n",
            "x",
        ]);
        match self.random.below(12) {
            0 => format!("sup{{{state}}}: {measure}"),
            1 => format!("inf{{{state}}}: {measure}"),
            2 => format!("bounds{{{state}}}: {measure}"),
            3 => format!("A<> {state}"),
            4 => format!("E[] !({state})"),
            _ => format!("E<> {state}"),
        }
    }
}

const RULES: &[&str] = &[
    "alike:v.n % 2",
    "alike:P0.L0 ? v.n : 0, w.n > 1",
    "if:v.n < 3",
    "if:P0.L0 || count(many) < 2",
    "apart:many",
    "apart:v",
];

fn outcome(
    text: &str,
    query: &str,
    rule: &str,
    config: &Config,
) -> Option<Result<Report, Failure>> {
    let mut model = Model::read("random.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:?}\n{text}", model.diagnostics);
    let lowered = model.query(query);
    // What of these is refused with this model is no matter here.
    let asked = lowered.query?;
    let mut config = config.clone();
    if !rule.is_empty() {
        config.joining_rules = vec![model.joining_rule(rule).expect("a rule")];
    }
    let network = model.network()?;
    Some(check(network, &asked, &config, &mut |_| {}))
}

/// 200 seeds; `MERKHET_RANDOM=10000` asks for more, `MERKHET_RANDOM_FIRST=200` says where to begin.
fn seeds() -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first: u64 = number("MERKHET_RANDOM_FIRST").unwrap_or(0);
    first..first + number("MERKHET_RANDOM").unwrap_or(200)
}

#[test]
fn no_feature_makes_an_answer_wrong() {
    let (mut compared, mut lattices, mut holds, mut values) = (0, 0, 0, 0);
    for seed in seeds() {
        let mut generator = Generator {
            random: Random::new(seed),
            wild: [0, 0, 30, 8][(seed % 4) as usize],
        };
        let text = generator.model();
        for _ in 0..3 {
            let query = generator.query();
            let with = |lattice| Config {
                lattice,
                limits: Limits {
                    states: Some(20_000),
                    ..Limits::default()
                },
                seed,
                ..Config::default()
            };
            let lively = query.starts_with("A<>") || query.starts_with("E[]");
            let explicit = if lively { None } else { Some(Update::Simple) };
            let Some(Ok(explicit)) = outcome(&text, &query, "", &with(explicit)) else {
                continue;
            };
            if explicit.answer.is_unknown() {
                continue;
            }
            compared += 1;
            holds += usize::from(explicit.answer == Answer::Satisfied);
            for (assume_monotone, update) in [
                (false, None),
                (false, Some(Update::Cover)),
                (false, Some(Update::Join)),
                (false, Some(Update::Cegar)),
                (true, Some(Update::Cover)),
                (true, Some(Update::Cegar)),
            ] {
                let joins = matches!(update, Some(Update::Join | Update::Cegar));
                let rule = match joins && generator.random.chance(50) {
                    true => generator.one(RULES),
                    false => String::new(),
                };
                let config = Config {
                    assume_monotone,
                    threads: 1 + generator.random.below(3),
                    ..with(update)
                };
                let Some(Ok(report)) = outcome(&text, &query, &rule, &config) else {
                    continue;
                };
                if report.answer.is_unknown() {
                    continue;
                }
                lattices += usize::from(report.figures.joins.is_some());
                let case = format!(
                    "seed {seed}, {update:?}, assumed {assume_monotone}: {:?}\n{query}\n{text}",
                    report.reason()
                );
                assert_eq!(report.answer, explicit.answer, "{case}");
                if explicit.values.is_empty() {
                    continue;
                }
                // Joins give a safe bound, and say so.
                let safe = update == Some(Update::Join) && report.figures.joins > Some(0);
                if !safe
                    && report
                        .remarks
                        .iter()
                        .all(|remark| !format!("{remark:?}").contains("Unrefined"))
                {
                    values += 1;
                    assert_eq!(report.values, explicit.values, "{case}");
                }
            }
        }
    }
    println!(
        "{compared} queries, {holds} satisfied; {lattices} answers by covering or joining; {values} with values"
    );
    let count = seeds().count();
    assert!(compared > count, "{compared} compared");
    assert!(lattices > count / 2, "{lattices} by covering or joining");
    assert!(values > count / 20, "{values} with values");
}

/// Of a model whose goal is reached no certificate says that it is not: neither one that holds all states, nor one without
/// the states of the goal, nor one without any other part.
#[test]
fn the_judge_of_boxes_never_accepts_what_is_wrong() {
    let (mut reached, mut closed, mut refused) = (0, 0, 0);
    for seed in seeds() {
        let mut generator = Generator {
            random: Random::new(seed ^ 0xb0_0000),
            wild: 0,
        };
        let text = generator.model();
        let goal = format!("E<> {}", generator.state());
        let mut model = Model::read("random.xta", text.as_bytes());
        assert!(!model.has_errors(), "{:?}\n{text}", model.diagnostics);
        let (asked, harmless) = (model.query(&goal).query, model.query("A[] h <= 3").query);
        let (Some(asked), Some(harmless)) = (asked, harmless) else {
            continue;
        };
        let network = model.network().expect("a network");
        let with = |lattice, certificate| Config {
            lattice,
            certificate,
            limits: Limits {
                states: Some(5000),
                ..Limits::default()
            },
            ..Config::default()
        };
        let explicit = check(
            network,
            &asked,
            &with(Some(Update::Simple), false),
            &mut |_| {},
        );
        if !explicit.is_ok_and(|report| report.answer == Answer::Satisfied) {
            continue;
        }
        reached += 1;
        let all = check(
            network,
            &harmless,
            &with(Some(Update::Cover), true),
            &mut |_| {},
        );
        let Some(proof) = all.ok().and_then(|report| report.certificate) else {
            continue;
        };
        closed += 1;
        let mut judge = |proof: &merkhet::replay::Certificate, what: &str| {
            let judged = merkhet::replay::certify(network, &asked, proof);
            assert!(judged.is_err(), "seed {seed}, {what}: {goal}\n{text}");
            refused += 1;
        };
        judge(&proof, "all states");
        for location in 0..2 {
            let mut less = proof.clone();
            less.entries.retain(|entry| entry.locations[0] != location);
            judge(&less, "without a location");
        }
        for at in 0..proof.entries.len() {
            let mut less = proof.clone();
            less.entries.remove(at);
            judge(&less, "without an entry");
            for zone in 0..less.entries.get(at).map_or(0, |entry| entry.zones.len()) {
                let bounds = less.entries[at].zones[zone].len();
                let bound = generator.random.below(bounds);
                less = proof.clone();
                less.entries[at].zones[zone][bound] = generator.random.between(-5, 5);
                judge(&less, "with another bound");
            }
        }
    }
    println!(
        "{reached} goals are reached, {closed} certificates of all states, {refused} refusals"
    );
    let count = seeds().count();
    assert!(reached > count / 10, "{reached} reached");
    assert!(closed > count / 20, "{closed} closed");
}
