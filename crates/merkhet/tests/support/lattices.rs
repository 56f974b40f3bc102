//! Random lattice automata as text.

use std::fmt::Write as _;

use merkhet::{Config, Failure, Model, Report, check};

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u64) -> u64 {
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
pub fn model(random: &mut Random, wild: u64) -> (String, String) {
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

pub fn outcome(text: &str, query: &str, config: &Config) -> Result<Report, Failure> {
    let mut model = Model::read("random.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:?}\n{text}", model.diagnostics);
    let query = model.query(query);
    let asked = query
        .query
        .unwrap_or_else(|| panic!("{:?}", query.diagnostics));
    let network = model.network().expect("a network");
    check(network, &asked, config, &mut |_| {})
}
