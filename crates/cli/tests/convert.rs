//! Models go from one language to another and back, and their queries keep their verdicts.

mod support;

use std::path::{Path, PathBuf};

use support::{code, example, run, stderr, stdout};

/// The verdicts of a model's queries.
fn verdicts(model: &Path) -> Vec<String> {
    let name = model.display().to_string();
    let output = run(["check", &name, "--trace", "none", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{name}: {error}: {}", stderr(&output)));
    let results = report["results"].as_array().cloned().unwrap_or_default();
    assert!(!results.is_empty(), "{name}: {}", stderr(&output));
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    results
        .iter()
        .map(|result| format!("{} {}", text(&result["verdict"]), result["values"]))
        .collect()
}

fn convert(from: &Path, to: &Path) {
    let output = run([Path::new("convert"), from, to].map(|path| path.display().to_string()));
    assert_eq!(
        code(&output),
        Some(0),
        "{}: {}",
        from.display(),
        stderr(&output)
    );
}

#[test]
fn xml_to_xta_and_back_keeps_verdicts() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in [
        "fischer-flawed.xml",
        "lamp.xml",
        "scheduler.xml",
        "train-gate.xml",
    ] {
        let stem = folder.path().join(name);
        let (xta, xml) = (stem.with_extension("xta"), stem.with_extension("xml"));
        convert(&example(name), &xta);
        convert(&xta, &xml);
        let expected = verdicts(&example(name));
        assert_eq!(
            verdicts(&xta),
            expected,
            "{name}: {}",
            std::fs::read_to_string(&xta).expect("read")
        );
        assert_eq!(verdicts(&xml), expected, "{name}");
    }
}

#[test]
fn xml_to_xml_keeps_text_and_layout() {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("copy.xml");
    convert(&example("lamp.xml"), &copy);
    let text = std::fs::read_to_string(&copy).expect("read");
    let original = std::fs::read_to_string(example("lamp.xml")).expect("read");
    for line in original
        .lines()
        .filter(|line| line.contains("<location") || line.contains("<nail"))
    {
        let place = line
            .trim()
            .split_once(" x=")
            .map_or(line.trim(), |(_, place)| place);
        assert!(
            text.contains(place.trim_end_matches("/>").trim_end_matches('>')),
            "{line} is gone:\n{text}"
        );
    }
    assert_eq!(verdicts(&copy), verdicts(&example("lamp.xml")));
}

/// An XML file with one template, which has the locations A and B.
fn small(system: &str, formulas: &[&str]) -> String {
    let queries: Vec<String> = formulas
        .iter()
        .map(|formula| format!("<query><formula>{formula}</formula><comment/></query>"))
        .collect();
    format!(
        "<nta><declaration>chan o;</declaration><template><name>P</name>\
         <location id=\"id0\"><name>A</name></location><location id=\"id1\"><name>B</name></location><init ref=\"id0\"/>\
         <transition><source ref=\"id0\"/><target ref=\"id1\"/></transition></template>\
         <system>{system}</system><queries>{}</queries></nta>",
        queries.concat()
    )
}

/// Converts a text of XML to XTA and that back; the XTA, what was said about it, and the XML.
fn to_xta_and_back(folder: &Path, text: &str) -> (PathBuf, String, PathBuf) {
    let [xml, xta, back] = ["m.xml", "m.xta", "back.xml"].map(|name| folder.join(name));
    std::fs::write(&xml, text).expect("written");
    let output = run(["convert", "--force"]
        .map(str::to_owned)
        .into_iter()
        .chain([&xml, &xta].map(|path| path.display().to_string())));
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let _ = std::fs::remove_file(&back);
    convert(&xta, &back);
    (xta, stderr(&output), back)
}

#[test]
fn a_query_that_cannot_be_read_becomes_a_comment_with_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    for broken in [
        "A[] (!deadlock",
        "E&lt;&gt; P.A }",
        "simulate [&lt;=10; 5] { 1 }",
    ] {
        // After the last query that can be read, too: the end of the block is not the brace of a comment.
        let formulas = ["E&lt;&gt; P.B;", broken, "// all\nA[] P.A // start", broken];
        let text = small("system P;", &formulas);
        let (xta, said, back) = to_xta_and_back(folder.path(), &text);
        let written = std::fs::read_to_string(&xta).expect("read");
        let plain = broken.replace("&lt;", "<").replace("&gt;", ">");
        assert!(written.contains(&format!("    // {plain}\n")), "{written}");
        assert!(
            said.contains(&format!("warning: the query `{plain}`")),
            "{said}"
        );
        for form in [&xta, &back] {
            let found = verdicts(form);
            assert_eq!(found, ["satisfied []", "violated []"], "{written}");
        }
    }
}

#[test]
fn a_block_without_queries_stays_out_of_the_declarations() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = small("system P;", &["A[] (!deadlock"]);
    let (xta, _, back) = to_xta_and_back(folder.path(), &text);
    for form in [&xta, &back] {
        let name = form.display().to_string();
        let output = run(["check", &name, "-q", "E<> P.B", "--trace", "none"]);
        assert_eq!(code(&output), Some(0), "{name}: {}", stderr(&output));
    }
}

#[test]
fn labels_that_end_with_a_semicolon_end_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = "<target ref=\"id1\"/>";
    let labels = "<label kind=\"guard\">true; // go; on</label><label kind=\"synchronisation\">o!;</label>\
                  <label kind=\"assignment\">n = 1 /* one; */ ; </label>";
    let text = small("system P;", &["E&lt;&gt; P.B and n == 1"])
        .replace(plain, &format!("{plain}{labels}"))
        .replace("chan o;", "broadcast chan o; int n;");
    let (xta, _, back) = to_xta_and_back(folder.path(), &text);
    let written = std::fs::read_to_string(&xta).expect("read");
    assert!(
        written.contains("sync o!; assign n = 1 /* one; */ ;"),
        "{written}"
    );
    for form in [&xta, &back] {
        assert_eq!(verdicts(form), ["satisfied []"], "{written}");
    }
}

#[test]
fn inputs_and_outputs_of_a_process_stay_with_the_system() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = small("system P;\nIO P { o! }", &["E&lt;&gt; P.B"]);
    let (xta, said, back) = to_xta_and_back(folder.path(), &text);
    assert!(said.contains("inputs and outputs"), "{said}");
    for form in [&xta, &back] {
        assert_eq!(verdicts(form), ["satisfied []"]);
    }
    let written = std::fs::read_to_string(&back).expect("read");
    let system = written.split_once("<system>").expect("a system").1;
    assert!(system.contains("IO P { o! }"), "{written}");
}

const TEXTUAL: &str = "\
// A counter with a helper.
const int N = 3;       // how far
int[0, N] n = 0;
broadcast chan tick;
clock x;

process Counter(const int step) {
    clock own;         // of the process
    state Count { x <= 2 }, Full;
    commit Full;
    init Count;
    trans
        Count -> Count { select i : int[1, 2]; guard x >= 1 && n + step * i <= N; sync tick!; assign n = n + step * i, x = 0; },
        Count -> Full { guard n == N || n > 5; };
}

process Listener() {
    state Idle, Told;
    init Idle;
    trans Idle -> Told { sync tick?; }, Told -> Idle { };
}

One = Counter(1);
system One, Listener;

query { E<> One.Full; A[] n <= 3; E<> Listener.Told and n == 2 }
";

#[test]
fn xta_to_xml_gets_a_layout() {
    let folder = tempfile::tempdir().expect("a folder");
    let (xta, xml) = (folder.path().join("m.xta"), folder.path().join("m.xml"));
    std::fs::write(&xta, TEXTUAL).expect("written");
    convert(&xta, &xml);
    insta::assert_snapshot!("convert-xml", std::fs::read_to_string(&xml).expect("read"));
    assert_eq!(verdicts(&xml), verdicts(&xta));
}

#[test]
fn networks_become_flat_and_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let (xta, tck) = (folder.path().join("m.xta"), folder.path().join("m.tck"));
    std::fs::write(&xta, TEXTUAL).expect("written");
    convert(&xta, &tck);
    let flat = std::fs::read_to_string(&tck).expect("read");
    insta::assert_snapshot!("convert-tck", flat);
    for (goal, reached) in [("E<> One_Full", true), ("E<> Listener_Told", true)] {
        let output = run([
            "check",
            &tck.display().to_string(),
            "-q",
            goal,
            "--trace",
            "none",
        ]);
        assert_eq!(
            code(&output) == Some(0),
            reached,
            "{goal}: {}{}",
            stdout(&output),
            stderr(&output)
        );
    }
}

#[test]
fn what_cannot_be_said_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let xta = folder.path().join("m.xta");
    let target = folder.path().join("m.tck").display().to_string();
    for (text, part) in [
        (
            "urgent chan c; process P() { state A; init A; trans A -> A { sync c!; }; } system P;",
            "urgent",
        ),
        (
            "clock x; process P() { state A { x' == 0 }; init A; } system P;",
            "stand still",
        ),
        (
            "int f() { return 1; } process P() { state A; init A; trans A -> A { guard f() == 1; }; } system P;",
            "function",
        ),
    ] {
        std::fs::write(&xta, text).expect("written");
        let output = run(["convert", &xta.display().to_string(), &target]);
        assert_eq!(code(&output), Some(2), "{text}");
        assert!(
            stderr(&output).contains(part),
            "{text}: {}",
            stderr(&output)
        );
        assert!(!Path::new(&target).exists());
    }
    let output = run(["convert", &xta.display().to_string(), "model.doc"]);
    assert!(stderr(&output).contains("--to"), "{}", stderr(&output));
}

#[test]
fn a_file_is_replaced_only_on_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("m.xta");
    std::fs::write(&target, "precious").expect("written");
    let (model, name) = (
        example("lamp.xml").display().to_string(),
        target.display().to_string(),
    );
    let output = run(["convert", &model, &name]);
    assert_eq!(code(&output), Some(2));
    assert!(stderr(&output).contains("--force"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&target).expect("read"), "precious");
    assert_eq!(code(&run(["convert", &model, &name, "--force"])), Some(0));
    assert_eq!(verdicts(&target), verdicts(&example("lamp.xml")));
}

#[test]
fn queries_that_stay_behind_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = small("system P;", &["E[] P.A", "A[] P.A"]);
    let (xml, tck) = (folder.path().join("m.xml"), folder.path().join("m.tck"));
    std::fs::write(&xml, text).expect("written");
    let output = run([
        "convert",
        &xml.display().to_string(),
        &tck.display().to_string(),
    ]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("2 of the model stay behind"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn smv_models_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let smv = folder.path().join("m.smv");
    std::fs::write(&smv, "MODULE main\nVAR x : boolean;\n").expect("written");
    let name = smv.display().to_string();
    for arguments in [vec!["convert", &name, "--to", "xta"], vec!["states", &name]] {
        let output = run(arguments);
        assert_eq!(code(&output), Some(2));
        assert!(
            stderr(&output).contains("is an SMV model"),
            "{}",
            stderr(&output)
        );
    }
}
