//! A network printed as XTA and read again is the same network, up to what the normal form forgets.

use merkhet_lower::lower_model;
use merkhet_network::Network;
use merkhet_network::print::{normalised, xta};
use merkhet_syntax::{FileId, SourceMap, read_model};
use merkhet_testing::{Profile, generate, shared};
use std::path::PathBuf;

/// The network of a model, or the first message about why there is none.
fn read(name: &str, bytes: &[u8]) -> Result<Network, String> {
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, name, bytes);
    let (model, syntax) = read_model(name, bytes);
    let (lowered, messages) = lower_model(&model, &sources);
    lowered.map(|lowered| lowered.network).ok_or_else(|| {
        let error = syntax
            .iter()
            .chain(&messages)
            .find(|message| message.is_error());
        error.map_or("no message".into(), |error| {
            let at = sources.start(error.span);
            let (line, column) = at.map_or((0, 0), |at| (at.line, at.column));
            format!("{line}:{column}: {}", error.message)
        })
    })
}

/// What came out of printing and reading a network again.
#[derive(Debug, PartialEq)]
enum Outcome {
    Equal,
    /// XTA has no form for it.
    Unprintable(String),
    /// What was printed cannot be read.
    Unreadable(String),
    /// The part that differs.
    Different(String),
}

fn round_trip(network: &Network) -> Outcome {
    let text = match xta(network) {
        Ok(text) => text,
        Err(error) => return Outcome::Unprintable(error.to_string()),
    };
    let again = match read("printed.xta", text.as_bytes()) {
        Ok(again) => again,
        Err(message) => return Outcome::Unreadable(format!("{message}\n{}", show(&text))),
    };
    let (first, second) = (normalised(network), normalised(&again));
    match first == second {
        true => Outcome::Equal,
        false => Outcome::Different(format!("{}\n{}", difference(&first, &second), show(&text))),
    }
}

fn show(text: &str) -> String {
    match std::env::var("SHOW") {
        Ok(_) => text.to_string(),
        Err(_) => String::new(),
    }
}

/// The first lines in which two networks differ.
fn difference(first: &Network, second: &Network) -> String {
    let (first, second) = (format!("{first:#?}"), format!("{second:#?}"));
    let mut context = Vec::new();
    for (number, (a, b)) in first.lines().zip(second.lines()).enumerate() {
        if a != b {
            let from = number.saturating_sub(14);
            context.extend(
                first
                    .lines()
                    .skip(from)
                    .take(30)
                    .map(|line| format!("< {line}")),
            );
            context.extend(
                second
                    .lines()
                    .skip(from)
                    .take(30)
                    .map(|line| format!("> {line}")),
            );
            break;
        }
    }
    context.join("\n")
}

/// What went wrong with a model, if anything did.
fn check(name: &str, network: &Network) -> Option<String> {
    match round_trip(network) {
        Outcome::Equal => None,
        outcome => Some(format!(
            "{name}: {}",
            format!("{outcome:?}").replace("\\n", "\n")
        )),
    }
}

/// By default one model in twelve, and none of the very large ones; all of them with `MERKHET_FULL`.
#[test]
fn corpus() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let filter = std::env::var("FILTER").unwrap_or_default();
    let full = std::env::var_os("MERKHET_FULL").is_some();
    let table = std::fs::read_to_string(corpus.join("models.tsv")).unwrap();
    let mut failures = Vec::new();
    let mut total = 0;
    for (number, row) in table.lines().skip(1).enumerate() {
        let file = row.split('\t').next().unwrap();
        if !file.contains(&filter) || (!full && filter.is_empty() && number % 12 != 0) {
            continue;
        }
        let bytes = std::fs::read(corpus.join("models").join(file)).unwrap();
        if !full && bytes.len() > 200_000 {
            continue;
        }
        let Ok(network) = read(file, &bytes) else {
            continue;
        };
        total += 1;
        failures.extend(check(file, &network));
    }
    println!("{total} models that load, {} failures", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn benchmarks() {
    let Some(benchmarks) = shared("benchmarks") else {
        return;
    };
    for entry in std::fs::read_dir(benchmarks).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        if name.ends_with(".xta") {
            let bytes = std::fs::read(&path).unwrap();
            let network = read(&name, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            let failure = check(&name, &network);
            assert!(failure.is_none(), "{failure:?}");
        }
    }
}

#[test]
fn examples() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut total = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        if name.ends_with(".xta") || name.ends_with(".xml") {
            total += 1;
            let bytes = std::fs::read(&path).unwrap();
            let network = read(&name, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            let failure = check(&name, &network);
            assert!(failure.is_none(), "{failure:?}");
        }
    }
    assert!(total > 0, "there are no examples");
}

#[test]
fn random_networks() {
    let profile = Profile {
        diagonals: true,
        broadcast_clock_guards: true,
        urgent_clock_guards: true,
        stopwatches: true,
        faults: true,
        variables: 4,
        ..Profile::default()
    };
    for seed in 0..300 {
        let (network, _) = generate(seed, &profile);
        let outcome = round_trip(&network);
        assert!(
            outcome == Outcome::Equal,
            "seed {seed}: {}",
            format!("{outcome:?}").replace("\\n", "\n")
        );
    }
}

/// Declarations and a template's body; the rest is around it.
const ODD: &[(&str, &str, &str)] = &[
    (
        "structures from functions",
        "typedef struct { int[0,3] a; int b[2]; } S; S s, r[3];
         S make(int[0,3] a) { S x; x.a = a; x.b[1] = 7; return x; }
         S twice(S x) { S y = make(x.a); y.b[0] = x.b[0]; return y; }
         bool same(S x, S y) { return x == y; }",
        "state A; init A; trans A -> A { guard make(2).a == 2 && same(s, make(1)) && make(1) == r[2];
         assign s = make(1), r[s.a] = twice(s), s = twice(twice(make(s.a))), r[1].b = s.b; };",
    ),
    (
        "references to locals, elements and loop variables",
        "int[0,9] g[4]; int[0,9] m[2][3];
         void bump(int[0,9] &x) { x = x < 9 ? x + 1 : 0; }
         int[0,9] peek(const int[0,9] &x) { return x; }
         void fill(int[0,9] &row[3], int[0,9] v) { for (i : int[0,2]) row[i] = v; }
         void all() { int[0,9] t = 3; for (i : int[0,3]) { int[0,9] u = i; bump(g[i]); bump(u); bump(t); g[i] = peek(u) <? peek(t); }
                      fill(m[g[0] % 2], t); }",
        "state A; init A; trans A -> A { guard peek(g[g[1] % 4]) < 5 && forall (i : int[0,3]) peek(g[i]) < 9; assign all(), bump(m[1][g[2] % 3]); };",
    ),
    (
        "assignments inside expressions",
        "int x, y; int a[5]; int z = 2;
         int f(int &v) { return v++ + (v += 2) * ++v; }
         void g() { int i = 0; while (a[i++] < 3 && i < 5) { a[i - 1] = i = i; } do { i--; } while (i > 0 && (x = i) != 2); }",
        "state A; init A; trans A -> A { assign x = y = 3, a[x++] = y--, x += (y = 1) + y, a[a[1] % 5]++, z = x > 2 ? y++ : ++y, g(), y = f(z) + f(a[2]); },
         A -> A { assign x > 1 ? (y = 2) : (z = 3); };",
    ),
    (
        "long local arrays, nested blocks, default values",
        "typedef int[2,5] late_t; typedef struct { int p[6]; late_t q; bool r; } T; int out;
         int f(int n) { int big[9]; T t, u = { {1,2,3,4,5,6}, 3, true }; late_t l; const int c[3] = {4, 5, 6};
           if (n > 2) { int big2[2][3]; big2[1][n % 3] = c[n % 3]; big[n % 9] = big2[1][0]; { T w = u; t = w; } }
           else if (n == 1) { int k = l; big[0] = k; } else { return 1; }
           for (i : int[0,8]) big[i] += t.p[i % 6] + u.q;
           return big[3]; }",
        "state A; init A; trans A -> A { assign out = f(out % 5) % 100; };",
    ),
    (
        "clocks: arrays, differences, conditions, rates",
        "clock x[2][3], y, z; int[0,2] i; int[0,1] j; bool b; const int K[3] = {1, 2, 3};
         void r(clock &c) { c = i; }",
        "clock own; state A { y <= 5 && own' == b && x[0][1]' == 0 && (b imply z < K[i]) }, B { y <= i + 2 }; commit B; init A;
         trans A -> B { guard x[j][i] >= 2 && y - z > i - 1 && (i == 1 imply z <= 3) && -y < i && forall (k : int[0,2]) (k != i imply x[0][k] < 9);
                        assign x[j][i] = i, x[1][2] = 0, r(x[0][i]), r(y), own = 0; },
               B -> A { guard y == 3 && (b || z > 4); };",
    ),
    (
        "channels, priorities, scalars, meta, updates around",
        "typedef scalar[3] id_t; meta int[0,7] seen; id_t owner; chan a[3], low; urgent chan u; broadcast chan b[2][2]; urgent broadcast chan ub;
         chan priority low < a[0], default < u, b; int count[id_t]; before_update { seen = 0 } after_update { seen = (seen + 1) % 8, count[owner] = 1 }",
        "int[0,1] n; state A, B; urgent B; init A;
         trans A -> B { select i : int[0,2], w : id_t; guard i != 1 && count[w] == 0; sync a[i]!; assign owner = w, n = i % 2; },
               B -> A { sync b[n][1 - n]?; }, A -> A { sync u!; }, A -> A { sync ub!; assign seen = exists (w : id_t) w == owner && count[w] > 0; }, B -> B { sync low?; };",
    ),
    (
        "numbers and operators",
        "int32_t w = -2147483648; int x; bool p, q;
         int[-3,3] clip(int[-3,3] v) { return v; }",
        "state A; init A; trans A -> A { guard w == -2147483648 || (x - (1 - x)) - -x > 0 && !(p && q) && (p || !q) && p == q && (x & 3 | 4 ^ 1) > 0 imply not p xor q;
           assign x = clip(clip(x) - 1) * -(-x), w = 2 ** x ** 2 >> 1 << (x <? 3 >? 0), p = x, q = p ? x > 1 : q, x = ~x % 7 / (abs(x) + 1), x = sum (i : int[0,3]) (i * (x + (p ? 1 : 0)));
         };",
    ),
];

#[test]
fn odd_models() {
    for (name, declarations, body) in ODD {
        let text = format!(
            "{declarations}\nprocess P() {{ {body} }}\nprocess Q() {{ state A; init A; }}\nsystem P, Q;\n"
        );
        let network =
            read("odd.xta", text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let outcome = round_trip(&network);
        assert!(
            outcome == Outcome::Equal,
            "{name}: {}\n{}",
            format!("{outcome:?}").replace("\\n", "\n"),
            xta(&network).unwrap_or_default()
        );
    }
}
