//! Random guards, updates and queries: what is proved of them holds for all pairs of elements.

use merkhet::Model;
use merkhet::network::code::{Machine, ProgramBuilder};
use merkhet::network::{Expr, Formula, Network, QueryKind, Stmt};
use merkhet_lattices::proof::{self, Polarity};

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

    fn one(&mut self, choices: &[&str]) -> String {
        choices[self.below(choices.len() as u64) as usize].to_string()
    }

    /// A number: what rises, what falls, what stays, and what is made of them.
    fn term(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(3) == 0 {
            return self.one(&[
                "u[0]",
                "u[1]",
                "u[k]",
                "u.num1s()",
                "l.n",
                "r.low",
                "r.high",
                "g.n",
                "k",
                "0",
                "1",
                "2",
                "3",
                "-1",
                "a[k]",
                "l.get()",
                "l.some(k)",
            ]);
        }
        let (x, y) = (self.term(depth - 1), self.term(depth - 1));
        match self.below(10) {
            0 => format!("({x} + {y})"),
            1 => format!("({x} - {y})"),
            2 => format!("({x} * {y})"),
            3 => format!("({x} <? {y})"),
            4 => format!("({x} >? {y})"),
            5 => format!("(0 - {x})"),
            6 => format!("({x} / 2)"),
            7 => format!("({x} % 2)"),
            8 => format!("(sum (i : int[0, 1]) (u[i] + {x}))"),
            _ => format!("({} ? {x} : {y})", self.condition(depth - 1)),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        match self.below(if depth == 0 { 1 } else { 6 }) {
            0..=2 => {
                let op = self.one(&["<", "<=", ">", ">=", "==", "!="]);
                format!(
                    "{} {op} {}",
                    self.term(depth),
                    self.term(depth.saturating_sub(1))
                )
            }
            3 => format!("!({})", self.condition(depth - 1)),
            4 => {
                let op = self.one(&["&&", "||"]);
                format!(
                    "({} {op} {})",
                    self.condition(depth - 1),
                    self.condition(depth - 1)
                )
            }
            _ => {
                let quantifier = self.one(&["forall", "exists"]);
                format!(
                    "({quantifier} (i : int[0, 1]) (u[i] >= k || {}))",
                    self.condition(depth - 1)
                )
            }
        }
    }

    fn statement(&mut self, depth: u32) -> String {
        let bounded = |term: String, low: i32, high: i32| format!("(({term}) <? {high}) >? {low}");
        match self.below(if depth == 0 { 8 } else { 13 }) {
            0 => format!(
                "u[{}] = {};",
                self.one(&["0", "1", "k"]),
                bounded(self.term(2), 0, 1)
            ),
            1 => format!("l.n = {};", bounded(self.term(2), 0, 3)),
            2 => format!("r.low = {};", bounded(self.term(2), 0, 2)),
            3 => format!("r.high = {};", bounded(self.term(2), 0, 2)),
            4 => format!("g.n = {};", bounded(self.term(2), 1, 4)),
            5 => format!("k = {};", bounded(self.term(1), 0, 1)),
            6 => format!("h = {};", bounded(self.term(2), 0, 3)),
            7 => self.one(&[
                "if (h > l.n) l.n = h;",
                "if (l.n < 3) l.n = l.n + 1;",
                "if (l.n > 0) l.n = l.n - 1;",
                "u.clear();",
                "u.fill();",
                "l.up();",
            ]),
            8 => format!(
                "if ({}) {{ {} }}",
                self.condition(1),
                self.statements(depth - 1)
            ),
            9 => format!(
                "if ({}) {{ {} }} else {{ {} }}",
                self.condition(1),
                self.statements(depth - 1),
                self.statements(depth - 1)
            ),
            10 => format!(
                "for (i : int[0, 1]) {{ if (u[i] == {}) {{ {} }} }}",
                self.below(2),
                self.statements(depth - 1)
            ),
            11 => format!(
                "if ({}) return; {}",
                self.condition(1),
                self.statements(depth - 1)
            ),
            _ => format!(
                "h = {}; while (h < 2) {{ h = h + 1; l.n = {}; }}",
                self.one(&["0", "1", "k"]),
                bounded(self.term(2), 0, 3)
            ),
        }
    }

    fn statements(&mut self, depth: u32) -> String {
        let count = 1 + self.below(2);
        (0..count)
            .map(|_| self.statement(depth))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

const DECLARATIONS: &str = "extern UnionBitVector;
lattice Level { int[0, 3] n; bool leq(const Level &o) { return n <= o.n; } void join(const Level &o) { if (o.n > n) n = o.n; }
    int get() { return n; }
    int some(const int j) { if (n > j) return n; if (j == 0) return 2; return 1; }
    void up() { if (n >= 3) return; n = n + 1; } }
lattice Range { int[0, 2] low; int[0, 2] high; bool leq(const Range &o) { return low >= o.low && high <= o.high; }
    void join(const Range &o) { if (o.low < low) low = o.low; if (o.high > high) high = o.high; } }
lattice Divisors { int[1, 4] n; bool leq(const Divisors &o) { return o.n % n == 0; }
    void join(const Divisors &o) { n = 4; } }
UnionBitVector u[2]; Level l; Range r; Divisors g; int[0, 1] k; const int a[2] = { 3, 1 };
";

/// What is at a state after guard and update: nothing if the guard does not hold; an error where an evaluation fails.
type Outcome = Result<Option<Vec<i32>>, ()>;

/// The lattice cells of a memory with the number that is no lattice variable.
struct Brute<'n> {
    network: &'n Network,
    states: Vec<Vec<i32>>,
    start: usize,
}

impl Brute<'_> {
    fn new(network: &Network) -> Brute<'_> {
        let ranges: Vec<(i32, i32)> = network
            .state_cells
            .iter()
            .map(|cell| (cell.low, cell.high))
            .collect();
        let mut states = vec![Vec::new()];
        for (low, high) in ranges {
            states = (states.iter())
                .flat_map(|state: &Vec<i32>| {
                    (low..=high).map(move |value| [&state[..], &[value]].concat())
                })
                .collect();
        }
        Brute {
            network,
            states,
            start: network.processes.len(),
        }
    }

    /// The order, written down once more: two bits, a level, a range, a divisor, and a number that has to be equal.
    fn below(&self, a: &[i32], b: &[i32]) -> bool {
        a[0] <= b[0]
            && a[1] <= b[1]
            && a[2] <= b[2]
            && a[3] >= b[3]
            && a[4] <= b[4]
            && b[5] % a[5] == 0
            && a[6] == b[6]
    }

    fn outcomes(&self, guard: Option<&Expr>, update: &[Stmt]) -> Vec<Outcome> {
        let mut builder = ProgramBuilder::new(self.network);
        let guard = guard.map(|guard| builder.expression(guard));
        let update = builder.statements(update);
        let program = builder.finish();
        let mut machine = Machine::new(&program);
        let cells = self.start..self.start + 7;
        (self.states.iter())
            .map(|state| {
                machine.memory[cells.clone()].copy_from_slice(state);
                if let Some(guard) = guard
                    && !machine.holds(&program, guard).map_err(|_| ())?
                {
                    return Ok(None);
                }
                machine.run(&program, update).map_err(|_| ())?;
                Ok(Some(machine.memory[cells.clone()].to_vec()))
            })
            .collect()
    }

    /// A pair of states that contradicts the monotonicity of a step.
    fn contradiction(&self, outcomes: &[Outcome], stays: bool) -> Option<(usize, usize)> {
        for (i, small) in self.states.iter().enumerate() {
            let Ok(Some(few)) = &outcomes[i] else {
                continue;
            };
            for (j, large) in self.states.iter().enumerate() {
                if !self.below(small, large) {
                    continue;
                }
                let kept = match &outcomes[j] {
                    Err(()) => true,
                    Ok(Some(many)) => self.below(few, many),
                    Ok(None) => stays && self.below(few, large),
                };
                if !kept {
                    return Some((i, j));
                }
            }
        }
        None
    }
}

fn read(text: &str, query: &str) -> (Model, Formula) {
    let mut model = Model::read("random.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:?}\n{text}", model.diagnostics);
    let asked = model.query(query);
    let asked = asked
        .query
        .unwrap_or_else(|| panic!("{:?}\n{query}", asked.diagnostics));
    match asked.kind {
        QueryKind::Possibly(goal) => (model, goal),
        other => panic!("{other:?}"),
    }
}

/// 300 models; `MERKHET_RANDOM=20000` asks for more, `MERKHET_RANDOM_FIRST=300` says where to begin.
fn seeds() -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first: u64 = number("MERKHET_RANDOM_FIRST").unwrap_or(0);
    first..first + number("MERKHET_RANDOM").unwrap_or(300)
}

#[test]
fn what_is_proved_holds_for_all_pairs_of_elements() {
    let (mut proved, mut refuted, mut missed, mut kept) = (0, 0, 0, 0);
    for seed in seeds() {
        let mut random = Random(seed);
        let loops = random.below(4) == 0;
        let (guard, body, goal) = (
            random.condition(2),
            random.statements(2),
            random.condition(2),
        );
        let target = if loops { "A" } else { "B" };
        let guard = if random.below(2) == 0 {
            "true".to_string()
        } else {
            guard
        };
        let text = format!(
            "{DECLARATIONS}process P() {{
    void step() {{ int[0, 3] h = 0; {body} }}
    state A, B; init A; trans A -> {target} {{ guard {guard}; assign step(); }}; }}\nsystem P;\n"
        );
        let (model, formula) = read(&text, &format!("E<> {goal}"));
        let network = model.network().expect("a network");
        assert_eq!(
            network.state_cells.len(),
            7,
            "the order below is that of these cells"
        );
        let brute = Brute::new(network);
        let edge = &network.processes[0].edges[0];
        let outcomes = brute.outcomes(edge.guard.data.as_ref(), &edge.update);
        let contradiction = brute.contradiction(&outcomes, loops);
        match (proof::prove(network), contradiction) {
            (Ok(()), None) => proved += 1,
            (Err(_), Some(_)) => refuted += 1,
            (Err(_), None) => missed += 1,
            (Ok(()), Some((i, j))) => panic!(
                "seed {seed}: proved, but {:?} gives {:?} and {:?} gives {:?}\n{text}",
                brute.states[i], outcomes[i], brute.states[j], outcomes[j]
            ),
        }
        let Formula::Data(expr) = &formula else {
            continue;
        };
        let polarity = proof::of_formula(network, &formula);
        kept += usize::from(matches!(polarity, Polarity::Fixed | Polarity::Rises));
        let truths = brute.outcomes(Some(expr), &[]);
        for (i, small) in brute.states.iter().enumerate() {
            for (j, large) in brute.states.iter().enumerate() {
                let (Ok(a), Ok(b)) = (&truths[i], &truths[j]) else {
                    continue;
                };
                if brute.below(small, large) {
                    let (a, b) = (a.is_some(), b.is_some());
                    let fits = match polarity {
                        Polarity::Fixed => a == b,
                        Polarity::Rises => a <= b,
                        Polarity::Falls => a >= b,
                        Polarity::Unknown => true,
                    };
                    assert!(
                        fits,
                        "seed {seed}: {polarity:?}, but {small:?} {a} and {large:?} {b}: {goal}\n{text}"
                    );
                }
            }
        }
    }
    let count = seeds().count();
    println!(
        "{count} models: {proved} proved, {refuted} refuted, {missed} not proved, {kept} goals kept"
    );
    assert!(proved > count / 20, "{proved} proved");
    assert!(refuted > count / 20, "{refuted} refuted");
    assert!(kept > count / 20, "{kept} goals kept");
}
