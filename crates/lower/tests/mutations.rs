//! Random damage to models that load: lowering and lints return, quickly and without a panic, whatever comes out.
//!
//! Tokens of the models are dropped, doubled, swapped and replaced by tokens of other places, so that most results
//! still parse. The run is bounded and its seed fixed; `MERKHET_MUTATIONS` sets another number of rounds.

mod common;

use merkhet_lower::{lint, lower_model};
use merkhet_network::print;
use merkhet_syntax::{FileId, SourceMap, read_model};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A small generator of pseudo-random numbers (xorshift64*), so that a run can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) % limit.max(1) as u64) as usize
    }
}

/// Pieces that mean something in many places.
const PIECES: &[&str] = &[
    "0",
    "1",
    "-1",
    "2147483647",
    "true",
    "x",
    "i",
    "n",
    "a[i]",
    "a[0]",
    "s.f",
    "f(1)",
    "f(x)",
    "c",
    "c[i]",
    "g",
    "deadlock",
    "int",
    "bool",
    "clock",
    "chan",
    "const",
    "meta",
    "struct",
    "scalar[3]",
    "int[0,3]",
    "int[5,2]",
    "typedef",
    "void",
    "&",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    "==",
    "!=",
    "<",
    ">=",
    "&&",
    "||",
    "imply",
    "xor",
    "!",
    "?",
    ":",
    "=",
    "+=",
    "++",
    "--",
    "'",
    ".",
    ",",
    ";",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "forall (i : int[0,2])",
    "sum (i : id)",
    "return",
    "while (true)",
    "if (x)",
    "else",
    "commit A;",
    "urgent",
    "broadcast",
    "1.5",
    "default",
];

const OWN: &str = "
    const int N = 3; typedef int[0,N-1] id; typedef struct { int f; bool b[2]; } box; typedef struct { clock k; int v; } timed; typedef scalar[2] set;
    timed w[2]; box s; box many[id]; int a[id] = { 1, 2, 3 }; const int t[2][2] = { {1,2}, {3,4} }; int n; int[0,7] x0; set e;
    clock x, y[id]; chan c[id]; urgent chan u; broadcast chan bc; meta int m; double d; hybrid clock h;
    int f(int v) { int r = v; int l[6]; for (i : id) r += a[i] * l[i]; while (r > 9) r -= t[1][0]; return r; }
    void g(int &v, clock &w, const box &b) { if (v > b.f) v = 0; else if (v == 1) { v++; } else w = 0; }
    box make(int k) { box r; r.f = k; return r; }
    before_update { m = 0 } after_update { m = f(n) }
    process P(const id i, int &r) { clock z; int own[2]; int k() { return own[0] + i; }
      state A { z <= 5 && forall (j : id) y[j]' == (n == j) }, B { x <= f(2) }, C; branchpoint b; commit C; urgent B; init A;
      trans A -> B { select j : id, w : int[0,1]; guard n == j && x > w && (n > 1 imply y[n] < 3); sync c[j]!; assign a[j] = k(), z = 0, g(a[n], y[j], many[j]); },
            B -> b { guard s == many[i]; sync bc!; }, b -> A { assign s.f = n++ + --n; probability 2; }, b -> C { },
            C -> A { sync c[n]?; assign n = n > 2 ? 0 : n + 1, own[1] += f(own[0]); }; }
    Q(const id i) = P(i, n); R = P(2, a[1]);
    chan priority c[0] < default < bc, u;
    system Q < R;
    query { A[] not deadlock; E<> exists (i : id) Q(i).A && Q(i).z > 3 && R.own[1] < f(n); sup: x, n; Q(n).A --> n == 2; }";

#[test]
fn damaged_models_are_lowered_or_refused() {
    let rounds: usize = (std::env::var("MERKHET_MUTATIONS").ok())
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(800);
    let models = models();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut loaded = 0;
    let start = Instant::now();
    for round in 0..rounds {
        if start.elapsed() > Duration::from_secs(30) && rounds <= 800 {
            println!("stopped after {round} rounds");
            break;
        }
        let text = &models[random.below(models.len())];
        let damaged = damage(text, &models, &mut random);
        let began = Instant::now();
        loaded += run(&damaged) as usize;
        let took = began.elapsed();
        assert!(took < Duration::from_secs(20), "{took:?}\n{damaged}");
    }
    println!("{loaded} damaged models loaded");
    assert!(run(OWN), "the undamaged model loads");
}

/// Loads a model, and prints and lints what comes out.
fn run(text: &str) -> bool {
    let name = if text.contains("<nta") {
        "model.xml"
    } else {
        "model.xta"
    };
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, name, text.as_bytes());
    let (model, _) = read_model(name, text.as_bytes());
    let (lowered, _) = lower_model(&model, &sources);
    if let Some(lowered) = &lowered {
        lint(&model, lowered);
        print::text(&lowered.network);
    }
    lowered.is_some()
}

/// Our own model, our examples, and some of the real ones.
fn models() -> Vec<String> {
    let mut models = vec![OWN.to_string()];
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut paths: Vec<PathBuf> = (std::fs::read_dir(examples).into_iter().flatten())
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    if let Some(corpus) = merkhet_testing::shared("corpus") {
        let table = std::fs::read_to_string(corpus.join("models.tsv")).unwrap_or_default();
        let files = table
            .lines()
            .skip(1)
            .filter_map(|row| row.split('\t').next());
        paths.extend(
            files
                .step_by(13)
                .map(|file| corpus.join("models").join(file)),
        );
    }
    paths.sort();
    let texts = paths
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok());
    models.extend(texts.filter(|text| text.len() < 60_000));
    models
}

/// A few tokens dropped, doubled, swapped or replaced.
fn damage(text: &str, models: &[String], random: &mut Random) -> String {
    let mut tokens = tokens(text);
    let other = &models[random.below(models.len())];
    let others = self::tokens(other);
    for _ in 0..1 + random.below(4) {
        let at = random.below(tokens.len());
        match random.below(6) {
            0 => {
                tokens.remove(at);
            }
            1 => tokens.insert(at, tokens[at]),
            2 => {
                let with = random.below(tokens.len());
                tokens.swap(at, with);
            }
            3 => tokens[at] = tokens[random.below(tokens.len())],
            4 => tokens[at] = PIECES[random.below(PIECES.len())],
            _ if !others.is_empty() => tokens[at] = others[random.below(others.len())],
            _ => {}
        }
        if tokens.is_empty() {
            break;
        }
    }
    tokens.concat()
}

/// Words, numbers and single other characters; blanks stay with what follows them.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let blank = rest.len() - rest.trim_start().len();
        let body = &rest[blank..];
        let letters = body.find(|c| !word(c)).unwrap_or(body.len());
        let first = body.chars().next().map_or(0, char::len_utf8);
        let (token, after) = rest.split_at(blank + letters.max(first));
        tokens.push(token);
        rest = after;
    }
    tokens
}
