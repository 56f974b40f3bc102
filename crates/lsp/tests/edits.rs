//! Any sequence of edits: nothing panics, and what is known of the text is what a fresh load knows.

use merkhet_lsp::document::Document;
use merkhet_lsp::facts::facts;
use merkhet_lsp::features::{actions, colours, completion, hints, hover, outline, rename};
use merkhet_lsp::format::format;
use merkhet_lsp::index::{Index, place};
use merkhet_lsp::language::Language;
use merkhet_lsp::text::{Place, Text};
use merkhet_testing::Random;

const XTA: &str = "// \u{1D11E} gate\nconst int N = 2; typedef int[0,N-1] id_t; typedef struct { int a; id_t b[2]; } s_t;\nchan go[N]; s_t s = { 1, { 0, 1 } };\nextern MaxInteger; MaxInteger m;\nint f(int &v, id_t i) { int k = v; for (j : id_t) k += s.b[j]; if (k > 2) return k; else { v++; } return i; }\nprocess P(const id_t id, int &w) {\n  clock x; meta bool b;\n  state A { x <= 5 && x' == 1 }, B, C; commit C; init A;\n  trans A -> B { select i : id_t; guard x >= 2 && forall (j : id_t) s.b[j] < i; sync go[id]!; assign x = 0, w = f(w, i); },\n  -> C { sync go[id]?; }, C -> A { };\n}\nint w; Q = P(0, w); R(const id_t k) = P(k, w);\nsystem Q, R;\nquery { A[] not deadlock; E<> Q.A && exists (i : id_t) R(i).B }\n";

const SMV: &str = "-- \u{e4}\nMODULE cell(left)\nVAR s : {p, q}; n : 0..3;\nASSIGN init(s) := p; next(s) := case left.s = q : {p, q}; TRUE : s; esac;\nDEFINE both := s = q & n > 1;\nMODULE main\nVAR a : cell(b); b : cell(a);\nSPEC AG (a.both -> AF b.s = p)\nINVARSPEC a.n < 3\nLTLSPEC G F a.s = q\n";

const TCK: &str = "system:gate\n# \u{e4}\nevent:a\nprocess:P\nprocess:Q\nclock:1:x\nint:1:0:3:0:n\nlocation:P:l0{initial: : invariant: x<=5}\nlocation:P:l1{labels: done}\nlocation:Q:k{initial:}\nedge:Q:k:k:a\nedge:P:l0:l1:a{provided: x>=2 && n<3 : do: x=0; n=n+1}\nsync:P@a:Q@a?\n";

fn xml() -> String {
    let escape = |text: &str| {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<nta><declaration>{}</declaration><template><name>T</name><parameter>const id_t id</parameter>\
         <declaration>clock x;</declaration><location id=\"id0\" x=\"0\" y=\"0\"><name>A</name><label kind=\"invariant\">x &lt;= N &amp;&amp; x' == 1</label></location>\
         <location id=\"id1\"><committed/></location><init ref=\"id0\"/><transition><source ref=\"id0\"/><target ref=\"id1\"/>\
         <label kind=\"select\">i : id_t</label><label kind=\"guard\">i &lt; N /* \u{1D11E} */ &amp;&amp; x &gt; 1</label><label kind=\"synchronisation\">go[i]!</label></transition></template>\n\
         <system>P = T(1); system P;</system><queries><query><formula>A[] not deadlock &amp;&amp; P.A</formula><comment>c</comment></query></queries></nta>",
        escape("const int N = 2; typedef int[0,N-1] id_t; chan go[N];\nbool b = 1 < 2 && true;")
    )
}

/// Pieces that break texts, or mend them.
const PIECES: &[&str] = &[
    "",
    "",
    " ",
    "\n",
    "\r\n",
    "\r",
    ";",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ".",
    "x",
    "N",
    "id_t",
    "forall (",
    "->",
    "<",
    "&lt;",
    "&",
    ">",
    "/*",
    "*/",
    "//",
    "--",
    "\"",
    "\u{1D11E}",
    "\u{e4}",
    "process P2() { state S; init S; }",
    "int f(",
    "struct {",
    "MODULE m",
    "case",
    "esac",
    "typedef int T;",
    "</label>",
    "<![CDATA[",
    "]]>",
    "E<> ",
    "A[] ",
    "lattice L { int v; }",
    "commit ",
    "Q.",
    ":",
    "'",
    "0",
    "2147483648",
];

fn edit(random: &mut Random, text: &mut Text) {
    let length = text.as_str().len() as u32 + 3;
    let mut any = |most: u32| random.below(most.max(1) as usize) as u32;
    let from = text.place(any(length));
    let mut to = from;
    match any(5) {
        0 => to.column += any(6),
        1 => to.line += any(3),
        2 => to = text.place(any(length)),
        _ => {}
    }
    // Places that are none: behind the line, inside of a pair of surrogates.
    let from = Place {
        column: from.column + any(2) * any(3),
        ..from
    };
    let with = PIECES[any(PIECES.len() as u32) as usize];
    text.replace(from, to, with);
}

/// Everything that an editor may ask, at an offset.
fn ask(document: &Document, offset: u32, new: &str) {
    let index = document.index();
    let found = place(&index.references, offset);
    hover::hover(document, offset, found, index, None);
    completion::complete(document, offset, index);
    if let Some(found) = found {
        assert!(index.definition(found.definition).is_some());
        rename::refused(document.language, index, found.definition, new);
        for span in rename::places(index, found.definition) {
            let text = document.text.as_str();
            assert!(
                text.is_char_boundary(span.start as usize)
                    && text.is_char_boundary(span.end as usize)
            );
            let name = &index
                .definition(found.definition)
                .expect("it is there")
                .name;
            assert_eq!(document.text.slice(span.start, span.end), name, "{text}");
        }
    }
    outline::outline(index);
    let mut end = 0;
    for piece in colours::colours(document, &index.references, index) {
        assert!(piece.start >= end && piece.end > piece.start);
        end = piece.end;
    }
    assert!(end as usize <= document.text.as_str().len());
    let _ = format(document.language, document.text.as_str());
}

fn session(language: Language, text: &str, seed: u64, edits: u32) {
    let mut random = Random::new(seed);
    let mut document = Document::new(language, text);
    for step in 0..edits {
        document.edit(|text| edit(&mut random, text));
        let fresh = Text::new(document.text.as_str());
        assert_eq!(document.text, fresh);
        assert_eq!(**document.index(), Index::of(language, fresh.as_str()));
        let offset = random.below(document.text.as_str().len() + 1) as u32;
        ask(&document, offset, "N");
        if step % 8 == 0 {
            let (facts, _) = facts(
                language,
                document.text.as_str(),
                Some("A[] true\nE<> Q.A\nx"),
            );
            hints::hints(&document, Some(&facts));
            for message in &facts.messages {
                actions::fixes(&document, message);
            }
            for reference in document
                .index()
                .of_queries(language, "A[] true\nE<> Q.A && Q.x < N\nx")
            {
                assert!(document.index().definition(reference.definition).is_some());
            }
        }
    }
}

/// `MERKHET_EDITS` sets how many sessions of 60 edits there are; ten minutes take some 30000.
#[test]
fn any_sequence_of_edits() {
    let sessions = std::env::var("MERKHET_EDITS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(60);
    let xml = xml();
    let texts = [
        (Language::Xta, XTA),
        (Language::Xml, xml.as_str()),
        (Language::Smv, SMV),
        (Language::Tck, TCK),
    ];
    for (language, text) in texts {
        let messages = facts(language, text, None).0.messages;
        let errors: Vec<_> = messages.iter().filter(|one| one.is_error()).collect();
        assert!(errors.is_empty(), "{language:?}: {errors:?}");
    }
    for seed in 0..sessions {
        for (language, text) in texts {
            session(language, text, seed, 60);
        }
    }
}
