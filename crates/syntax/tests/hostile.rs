//! Input that was made to break readers: it gets a clear error or works, quickly and without deep recursion.

mod common;

use merkhet_syntax::tree::Model;
use merkhet_syntax::{Diagnostic, MAX_FILE_SIZE, read_model, read_queries, read_query};
use std::time::{Duration, Instant};

/// The readers must manage with a small stack, however deep the input.
const STACK: usize = 1 << 20;
/// Each input must be read in this time, in a build with few optimisations on a busy machine.
const TIME: Duration = Duration::from_secs(10);

/// Reads a model in a thread with a small stack, drops it there, and returns the codes of its diagnostics.
#[track_caller]
fn codes(name: &str, bytes: Vec<u8>) -> Vec<&'static str> {
    let name = name.to_string();
    let start = Instant::now();
    let read = move || {
        let (model, diagnostics): (Model, Vec<Diagnostic>) = read_model(&name, &bytes);
        drop(model.clone());
        drop(model);
        diagnostics.iter().map(|d| d.code).collect()
    };
    let thread = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(read)
        .expect("a thread");
    let codes = thread.join().expect("no panic");
    assert!(start.elapsed() < TIME, "took {:?}", start.elapsed());
    codes
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(
        codes("m.xta", text.as_bytes().to_vec()),
        expected,
        "{}",
        text.chars().take(80).collect::<String>()
    );
}

#[track_caller]
fn check_xml(text: &str, expected: &[&str]) {
    assert_eq!(
        codes("m.xml", text.as_bytes().to_vec()),
        expected,
        "{}",
        text.chars().take(80).collect::<String>()
    );
}

const MANY: usize = 100_000;

#[test]
fn deep_expressions() {
    let nest = |open: &str, middle: &str, close: &str| {
        format!(
            "int x = {}{middle}{};",
            open.repeat(MANY),
            close.repeat(MANY)
        )
    };
    for text in [
        nest("(", "1", ")"),
        nest("-", "1", ""),
        nest("!", "1", ""),
        nest("++", "a", ""),
        nest("a[", "1", "]"),
        nest("f(", "1", ")"),
        nest("f(1,(", "1", "))"),
        nest("a ? ", "1", " : 2"),
        nest("a ? 1 : ", "1", ""),
        nest("a = ", "1", ""),
        nest("forall (i : T) ", "1", ""),
        nest("forall (i : int[0,", "1", "]) 1"),
        nest("a || b && c | (", "1", ")"),
        nest("{", "1", "}"),
        nest("", "a", ".b"),
        nest("", "a", "'"),
        nest("", "a", "[1]"),
        nest("", "a", "(1)"),
        nest("", "a", "++"),
        nest("", "1", " - 1"),
        nest("", "1", " * 2 - 1"),
        nest("", "a", " imply b"),
        nest("", "a", " or b and c imply d"),
    ] {
        let found = codes("m.xta", text.clone().into_bytes());
        assert_eq!(found.first(), Some(&"too-deep"), "{}", &text[..60]);
        assert!(found.len() < 5, "{found:?} for {}", &text[..60]);
    }
}

#[test]
fn the_limit_itself_is_within_the_stack() {
    for depth in [200, 255, 256, 257] {
        for text in [
            format!("int x = {}1{};", "(".repeat(depth), ")".repeat(depth)),
            format!(
                "int x = {}1{};",
                "f(1 + (a[2] || ".repeat(depth / 2),
                "))".repeat(depth / 2)
            ),
            format!(
                "void f() {{ {} {} }}",
                "if (a) { while (b) ".repeat(depth / 3),
                "; }".repeat(depth / 3)
            ),
            format!("int x = 1{};", " - 1".repeat(depth)),
        ] {
            codes("m.xta", text.into_bytes());
        }
    }
    let left_heights_inside_nesting = format!(
        "int x = {}1{};",
        "(".repeat(300),
        " - 1 - 1 - 1)".repeat(300)
    );
    check(&left_heights_inside_nesting, &["too-deep"]);
}

#[test]
fn long_chains_are_fine() {
    for symbol in [" + ", " && ", " || ", " and "] {
        check(&format!("int x = {};", vec!["1"; MANY].join(symbol)), &[]);
    }
    check(&format!("void f() {{ {} }}", "x = 1;".repeat(MANY)), &[]);
    check(
        &format!("void f() {{ x = 1{}; }}", ", y = 2".repeat(MANY)),
        &[],
    );
    check(
        &format!(
            "void f() {{ if (a) b(); {} }}",
            "else if (a) b(); ".repeat(MANY)
        ),
        &[],
    );
    check(&format!("int x[2] = {{ {} }};", "1, ".repeat(MANY)), &[]);
    let guard = vec!["x &lt; 5"; 5000].join(", ");
    check_xml(
        &format!(
            "<nta><template><name>P</name><location id='a'/><init ref='a'/><transition><source ref='a'/>\
             <target ref='a'/><label kind='guard'>{guard}</label></transition></template></nta>"
        ),
        &[],
    );
}

#[test]
fn deep_statements_and_types() {
    for text in [
        format!("void f() {{ {}", "{".repeat(MANY)),
        format!("void f() {{ {} x; }}", "if (a) ".repeat(MANY)),
        format!("void f() {{ {} x; }}", "while (a) ".repeat(MANY)),
        format!("void f() {{ {} x; }}", "for (i : T) ".repeat(MANY)),
        format!("void f() {{ {} x; }}", "do ".repeat(MANY)),
        format!(
            "{} int x; {}",
            "struct { ".repeat(MANY),
            "} s;".repeat(MANY)
        ),
        format!("int x{}1{};", "[a[".repeat(MANY), "]]".repeat(MANY)),
        format!(
            "int{}1{} x;",
            "[0, scalar(int".repeat(MANY),
            ")]".repeat(MANY)
        ),
    ] {
        let found = codes("m.xta", text.clone().into_bytes());
        assert!(
            !found.is_empty() && found.len() < 300,
            "{found:?} for {}",
            &text[..60]
        );
    }
}

#[test]
fn deep_queries() {
    for text in [
        format!("E<> {}", "(".repeat(MANY)),
        "(".repeat(MANY),
        format!("E<> {}x", "forall (i : T) ".repeat(MANY)),
        format!("E<> x{}", " imply x".repeat(MANY)),
        "E<> ".repeat(MANY),
        "--> ".repeat(MANY),
    ] {
        let read = move || read_query(&text).1.len();
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(read)
            .expect("a thread");
        assert!(thread.join().expect("no panic") >= 1);
    }
}

#[test]
fn deep_elements() {
    check_xml(&format!("<nta>{}", "<a>".repeat(MANY)), &["too-deep"]);
    check_xml(
        &format!("<nta>{}{}</nta>", "<a>".repeat(MANY), "</a>".repeat(MANY)),
        &["too-deep"],
    );
    check_xml(
        &format!("<nta>{}{}</nta>", "<a>".repeat(200), "</a>".repeat(200)),
        &[],
    );
    let label = format!("<nta><declaration>{}", "<label>".repeat(MANY));
    assert!(codes("xml", label.into_bytes()).contains(&"too-deep"));
}

#[test]
fn entities_are_not_expanded() {
    let bomb: String = (1..20)
        .map(|i| format!("<!ENTITY l{i} \"{}\">", format!("&l{};", i - 1).repeat(10)))
        .collect();
    check_xml(
        &format!(
            "<!DOCTYPE nta [<!ENTITY l0 \"lol\">{bomb}]><nta><declaration>int a; &l19;</declaration></nta>"
        ),
        &["entity-declaration", "unknown-entity"],
    );
    check_xml(
        "<!DOCTYPE nta [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><nta><declaration>&x;</declaration></nta>",
        &["entity-declaration", "unknown-entity"],
    );
    check_xml(
        "<!DOCTYPE nta SYSTEM 'http://example.org/x.dtd'><nta/>",
        &[],
    );
}

#[test]
fn malformed_xml() {
    check_xml("<nta><declaration>int a;</nta>", &["malformed-xml"]);
    check_xml("<nta><declaration>int a;</declaration>", &["malformed-xml"]);
    check_xml("<nta", &["malformed-xml"]);
    check_xml("<", &["malformed-xml"]);
    check_xml("<nta><!-- ", &["malformed-xml"]);
    check_xml("<nta><![CDATA[ ", &["malformed-xml"]);
    check_xml("<nta a='1' a='2'/>", &["malformed-xml"]);
    check_xml("<nta a=></nta>", &["malformed-xml"]);
    check_xml("<html><body/></html>", &["not-a-model"]);
    check_xml("<?xml version='1.0'?>", &["not-a-model"]);
    check_xml("", &["not-a-model"]);
    check_xml(
        "<nta><template><location/><transition/></template></nta>",
        &[
            "missing-name",
            "missing-id",
            "unknown-location",
            "unknown-location",
        ],
    );
}

#[test]
fn bytes_that_are_not_text() {
    let check = |bytes: &[u8], expected: &[&str]| {
        assert_eq!(codes("m.xta", bytes.to_vec()), expected, "{bytes:?}")
    };
    check(b"int a;\0int b;", &["unexpected-character"]);
    check(b"int \xff a;", &["not-text"]);
    check(b"\xff\xfe\0", &["unexpected-character"]);
    check(b"\xfe\xffint a", &["unexpected-character"]);
    check(b"\xef\xbb\xbfint a;", &[]);
    check(b"\x89PNG\r\n\x1a\n", &["not-text"]);
    check(&[0; 4096], &["unexpected-character"]);
    assert_eq!(
        codes(
            "m.xml",
            b"<nta><declaration>int a;\0</declaration></nta>".to_vec()
        ),
        ["unexpected-character"]
    );
    assert_eq!(codes("m.xml", b"<nta>\xc3</nta>".to_vec()), ["not-text"]);
    assert_eq!(read_queries(b"E<> a\xff").1[0].code, "not-text");
}

#[test]
fn too_large_files_are_refused_at_once() {
    assert_eq!(
        codes("m.xta", vec![b' '; MAX_FILE_SIZE + 1]),
        ["file-too-large"]
    );
}

#[test]
fn files_with_too_many_parts_are_cut_off() {
    let elements = "<a/>".repeat(1_300_000);
    check_xml(&format!("<nta>{elements}</nta>"), &["file-too-large"]);
}

#[test]
fn errors_are_bounded() {
    for text in [
        "@".repeat(MANY),
        "int ; ".repeat(MANY),
        "} ".repeat(MANY),
        "process P { ".repeat(MANY),
        "E ".repeat(MANY),
    ] {
        let found = codes("m.xta", text.into_bytes());
        assert!(!found.is_empty() && found.len() <= 201, "{}", found.len());
    }
    let found = codes("m.xta", "int ; ".repeat(MANY).into_bytes());
    assert_eq!(found.last(), Some(&"too-many-errors"));
    let (queries, diagnostics) = read_queries("?\n".repeat(MANY).as_bytes());
    assert_eq!((queries.len(), diagnostics.len()), (MANY, 201));
}

#[test]
fn large_files_take_proportional_time() {
    let declarations = "int[0,7] some_variable = 3; // a remark\n".repeat(100_000);
    check(&declarations, &[]);
    let edge = "<transition><source ref='a'/><target ref='a'/><label kind='guard'>x &lt; 5</label></transition>".repeat(30_000);
    let xml = format!(
        "<nta><template><name>P</name><location id='a'/>{edge}<init ref='a'/></template></nta>"
    );
    check_xml(&xml, &[]);
}
