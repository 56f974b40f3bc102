//! Random damage to real and own files: whatever comes out, the readers return, quickly and without a panic.
//!
//! The run is bounded and its seed fixed; `MERKHET_MUTATIONS` sets another number of rounds.

mod common;

use common::{files_below, shared};
use merkhet_syntax::{Span, read_model, read_queries};
use std::path::Path;
use std::time::{Duration, Instant};

/// A small generator of pseudo-random numbers (xorshift64*), so that a run can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

const OWN: &[&str] = &[
    "const int N = 2; typedef int[0,N-1] id; struct { int a; bool b[2]; } s = { 1, { true, false } };
     int f(int &x, const id y) { int z = 0; for (i : id) { if (x > i) z += s.a; else return -1; } while (z < 3) z++; return z; }
     process P(const id k) { clock x; state A { x <= 5 && x' == 1 }, B; branchpoint b; commit B; init A;
     trans A -> B { select j : id; guard x > 1, forall (i : id) s.a != i; sync c[j]!; assign x = 0, s.a = f(N, k); },
     B -> b { }, b -> A { probability 2; }; }
     chan priority c[0] < default; Q = P(1); system Q < P; query { A[] not deadlock }",
    "<nta><declaration>clock x; chan c; // &lt;</declaration><template><name>P</name><parameter>int &amp;n</parameter>
     <location id='a' x='1' y='2'><name>A</name><label kind='invariant'>x &lt;= 5</label></location><location id='b'><committed/></location>
     <init ref='a'/><transition><source ref='a'/><target ref='b'/><label kind='guard'><![CDATA[x > 1 && n < 2]]></label>
     <label kind='synchronisation'>c!</label><nail x='1' y='1'/></transition></template><system>Q = P(3); system Q;</system>
     <queries><query><formula>E&lt;&gt; Q.A</formula><comment>why</comment></query></queries></nta>",
    "E<> P.a and x > 3 // why\nA[] not deadlock\nsup{P.a}: x, y\nP.a --> \\\n forall (i : int[0,2]) Q(i).b\n/* c */ Pr[<=3](<> x)",
];

/// Pieces that readers may stumble over.
const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ":",
    "'",
    "\"",
    "<",
    ">",
    "&",
    "&amp;",
    "&lt;",
    "&#x0;",
    "&#1114112;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<?",
    "?>",
    "</",
    "/>",
    "<nta>",
    "<template>",
    "</label>",
    "<label kind='guard'>",
    "/*",
    "*/",
    "//",
    "\\\n",
    "\0",
    "\u{feff}",
    "é",
    "\u{a0}",
    "1e",
    "0x",
    "99999999999",
    "forall (i : ",
    "sum (i : T)",
    "process ",
    "system ",
    "trans ",
    "-u->",
    "query {",
    "struct {",
    "const N 5;",
    "chan priority ",
    "lattice L {",
    "E<>",
    "A[",
    "sup{",
    "under S",
];

fn damage(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let length = random.below(40).min(bytes.len() - at);
        match random.below(6) {
            0 => drop(bytes.drain(at..at + length)),
            1 => {
                let piece = PIECES[random.below(PIECES.len())].as_bytes();
                bytes.splice(at..at, piece.iter().copied());
            }
            2 => {
                let piece = PIECES[random.below(PIECES.len())].as_bytes();
                bytes.splice(at..at + length, piece.iter().copied());
            }
            3 => {
                let copy = bytes[at..at + length].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            4 => bytes.truncate(at.max(1)),
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.next() as u8;
                }
            }
        }
    }
    bytes
}

fn read(name: &str, bytes: &[u8]) {
    let start = Instant::now();
    let mut spans: Vec<Span> = Vec::new();
    let diagnostics = if name.ends_with(".q") {
        let (queries, diagnostics) = read_queries(bytes);
        spans.extend(queries.iter().map(|query| query.span));
        diagnostics
    } else {
        let (model, diagnostics) = read_model(name, bytes);
        spans.extend(model.queries.iter().map(|query| query.span));
        spans.extend(model.templates.iter().map(|template| template.span));
        diagnostics
    };
    spans.extend(diagnostics.iter().map(|d| d.span));
    let utf16 = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    for span in spans {
        assert!(span.start <= span.end, "{span:?}");
        // A byte that is no text counts as one, also at the end.
        assert!(
            utf16 || span.end as usize <= bytes.len() + 1,
            "{span:?} of {} bytes",
            bytes.len()
        );
    }
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{name} takes {:?}",
        start.elapsed()
    );
}

fn rounds(usual: usize) -> usize {
    std::env::var("MERKHET_MUTATIONS")
        .ok()
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(usual)
}

#[test]
fn damaged_files_of_our_own() {
    let mut random = Random(0x5EED);
    for _ in 0..rounds(3000) {
        for (text, name) in OWN.iter().zip(["m.xta", "m.xml", "m.q"]) {
            let bytes = damage(text.as_bytes(), &mut random);
            read(name, &bytes);
        }
    }
}

#[test]
fn damaged_files_of_strangers() {
    let Some(models) = shared("corpus/models") else {
        return;
    };
    let mut random = Random(0xC0FFEE);
    let files: Vec<_> = files_below(&models);
    let small = |path: &&std::path::PathBuf| path.metadata().is_ok_and(|data| data.len() < 40_000);
    let files: Vec<_> = files.iter().filter(small).collect();
    for _ in 0..rounds(1500) {
        let path: &Path = files[random.below(files.len())];
        let bytes = std::fs::read(path).expect("a readable file");
        let damaged = damage(&bytes, &mut random);
        read(&path.to_string_lossy(), &damaged);
    }
}

#[test]
fn every_prefix_of_our_own_files() {
    for (text, name) in OWN.iter().zip(["m.xta", "m.xml", "m.q"]) {
        for end in 0..text.len() {
            read(name, &text.as_bytes()[..end]);
        }
    }
}
