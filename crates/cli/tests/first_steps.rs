//! What people trip over in their first hour: files beside each other, names mistyped, options that do not fit.

mod support;

use std::path::Path;
use std::process::{Output, Stdio};

use support::{code, example, merkhet, run, stderr, stdout};

const MODEL: &str =
    "clock x; process P() { state A, B; init A; trans A -> B { guard x > 2; }; } system P;\n";
const FLAT: &str = "system:s\nevent:e\nprocess:P\nlocation:P:a{initial: : labels: start}\nlocation:P:b{labels: stop}\n\
                    edge:P:a:b:e{}\n";
const COUNTER: &str =
    "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\nSPEC AG x < 3\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Folder {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        Folder(folder)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = merkhet();
        let output = command.current_dir(self.0.path()).args(arguments);
        output.output().expect("it runs")
    }

    /// Runs the program and looks for words in what it prints.
    #[track_caller]
    fn says(&self, arguments: &[&str], expected: i32, words: &[&str]) {
        let output = self.run(arguments);
        let text = stdout(&output) + &stderr(&output);
        assert_eq!(code(&output), Some(expected), "{arguments:?}: {text}");
        for word in words {
            assert!(text.contains(word), "{arguments:?}: no {word:?} in\n{text}");
        }
    }
}

#[test]
fn queries_in_the_model_come_before_those_beside_it() {
    let embedded = format!("{MODEL}query {{ E<> P.B; }}\n");
    let files = [
        ("with.xta", embedded.as_str()),
        ("with.q", "A[] P.A\n"),
        ("without.xta", MODEL),
        ("without.q", "A[] P.A\n"),
        ("empty.xta", MODEL),
        ("empty.q", "// nothing yet\n"),
        ("flat.tck", FLAT),
        ("flat.q", "A<> P.b\n"),
        ("own.q", "# both\nE<> stop // reached\n\nexplore\n"),
    ];
    let folder = Folder::new(&files);
    folder.says(&["check", "with.xta"], 0, &["E<> P.B"]);
    folder.says(&["verifyta", "with.xta"], 0, &["-- Formula is satisfied."]);
    let beside = ["A[] P.A", "the queries are those of `without.q`"];
    folder.says(&["check", "without.xta"], 1, &beside);
    folder.says(&["explain", "without.xta"], 0, &["A[] P.A"]);
    folder.says(
        &["show", "without.xta", "--format", "json"],
        0,
        &["A[] P.A"],
    );
    folder.says(
        &["verifyta", "without.xta"],
        0,
        &["-- Formula is NOT satisfied."],
    );
    folder.says(
        &["check", "empty.xta"],
        2,
        &["`empty.q` holds no query", "has no queries"],
    );
    folder.says(
        &["check", "with.xta", "empty.q"],
        2,
        &["`empty.q` holds no query"],
    );
    folder.says(
        &["check", "flat.tck"],
        0,
        &["`flat.q` is not used", "satisfied  explore"],
    );
    folder.says(
        &["check", "flat.tck", "flat.q"],
        2,
        &["flat.q:1:1", "`explore`"],
    );
    folder.says(
        &["check", "flat.tck", "own.q"],
        0,
        &["2 queries: 2 satisfied"],
    );
    // A folder is as good as its models one by one.
    let all = folder.run(&["check", ".", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&all.stdout).expect("JSON");
    let asked: Vec<&str> = report["models"]
        .as_array()
        .expect("a list")
        .iter()
        .flat_map(|model| model["results"].as_array().expect("a list"))
        .filter_map(|result| result["query"].as_str())
        .collect();
    assert_eq!(asked, ["explore", "E<> P.B", "A[] P.A"]);
}

#[test]
fn folders_name_the_place_of_an_error_once() {
    let broken = MODEL.replace("x > 2", "y > 2");
    let folder = Folder::new(&[("bad.xta", &broken), ("good.tck", FLAT)]);
    let output = folder.run(&["check", "."]);
    let text = stdout(&output) + &stderr(&output);
    assert_eq!(text.matches("unknown name `y`").count(), 1, "{text}");
    assert!(
        text.contains("error: ./bad.xta:1:65: unknown name `y`"),
        "{text}"
    );
    assert!(!text.contains("\n\n\n"), "{text}");
    assert_eq!(code(&output), Some(2));
}

#[test]
fn wrong_names_get_a_hint() {
    let folder = Folder::new(&[("m.xta", MODEL), ("f.tck", FLAT), ("c.smv", COUNTER)]);
    let fischer = example("fischer.xml").display().to_string();
    let says = |model: &str, query: &str, words: &[&str]| {
        folder.says(&["check", model, "-q", query], 2, words);
    };
    says("f.tck", "E<> stopp", &["did you mean `stop`?"]);
    says("f.tck", "E<> P.bb", &["did you mean `P.b`?"]);
    says(
        "f.tck",
        "E<> qqqqqq",
        &["labels are `start`, `stop`; locations are `P.a`, `P.b`"],
    );
    says("m.xta", "AG P.A", &["`A[] p`"]);
    says(
        &fischer,
        "E<> Process(9).Critical",
        &["there are `Process(1)`, `Process(2)`"],
    );
    says("c.smv", "AG x == 1", &["equality is written `=`"]);
    let output = folder.run(&["check", "m.xta", "-q", "E<> foo bar"]);
    assert_eq!(
        stderr(&output).matches("error").count(),
        1,
        "{}",
        stderr(&output)
    );
    folder.says(
        &["lint", "m.xta", "--allow", "unused-variable"],
        2,
        &["there is no such warning"],
    );
    folder.says(
        &["lint", "m.xta", "--allow", "variable-unsed"],
        2,
        &["`variable-unused`"],
    );
    folder.says(&["generate", "fischer", "abc"], 2, &["expected a number"]);
    folder.says(&["verifyta", "c.smv"], 1, &["is an SMV model"]);
}

#[test]
fn a_query_that_cannot_be_read_does_not_silence_the_others() {
    let folder = Folder::new(&[("c.smv", COUNTER)]);
    let queries = ["check", "c.smv", "-q", "AG y = 1", "-q", "AG x < 4"];
    let words = ["unknown name `y`", "1 satisfied, 1 unknown", "query 1 of 2"];
    folder.says(&queries, 2, &words);
    folder.says(
        &["check", "c.smv", "-q", "AG y = 1"],
        2,
        &["1 query: 1 unknown"],
    );
    let queries = ["check", "c.smv", "-q", "AG y = 1", "-q", "AG x < 3"];
    folder.says(&queries, 1, &["1 violated, 1 unknown"]);
}

#[test]
fn idle_steps_are_left_out_of_lassos() {
    let text = "MODULE main\nVAR a : boolean;\nASSIGN init(a) := FALSE; next(a) := {a, TRUE};\n";
    let folder = Folder::new(&[("m.smv", text)]);
    for (query, steps) in [
        ("G F !a", 2),
        ("G (a -> F !a)", 2),
        ("F a", 1),
        ("X X F a", 1),
    ] {
        let output = folder.run(&["check", "m.smv", "-q", query, "--format", "json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let result = &report["results"][0];
        assert_eq!(result["verdict"], "violated", "{query}");
        assert_eq!(result["path"]["length"], steps, "{query}: {result:#}");
    }
}

#[test]
fn a_predicate_that_holds_nowhere_says_so() {
    let folder = Folder::new(&[("m.xta", MODEL)]);
    for query in ["inf{false}: x", "sup{P.A && P.B}: x", "bounds{false}: x"] {
        let output = folder.run(&["check", "m.xta", "-q", query]);
        let text = stdout(&output) + &stderr(&output);
        let known = "x: no state satisfies the predicate";
        assert!(text.contains(known), "{query}: {text}");
    }
}

#[test]
fn a_file_that_is_no_text_gets_one_message() {
    let folder = Folder::new(&[]);
    let bytes: Vec<u8> = (0..3000_u32).map(|n| (n * 167 % 251) as u8).collect();
    std::fs::write(folder.0.path().join("b.smv"), bytes).expect("written");
    let output = folder.run(&["check", "b.smv"]);
    assert_eq!(code(&output), Some(2));
    assert_eq!(
        stderr(&output).matches("error").count(),
        1,
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).contains("no text"), "{}", stderr(&output));
}

#[test]
fn options_that_mean_nothing_are_refused_and_not_offered() {
    let folder = Folder::new(&[("c.smv", COUNTER), ("m.xta", MODEL)]);
    for option in [
        "--checkpoint=c.ckpt",
        "--trace-out=run.txt",
        "--trace-style=diagram",
        "--all-traces=2",
        "--prune=useless",
        "--lattice=cover",
    ] {
        let name = option.split('=').next().expect("a name");
        folder.says(&["check", "c.smv", option], 2, &[name]);
    }
    assert!(!folder.0.path().join("run.txt").exists());
    // Only greedy search puts transitions off: it is used, or the option is refused.
    let pruned = ["check", "m.xta", "-q", "E<> P.B", "--prune", "useless"];
    folder.says(&pruned, 0, &["greedy with hu"]);
    folder.says(
        &[&pruned[..], &["--trace", "shortest"]].concat(),
        2,
        &["prune"],
    );
}

#[test]
fn limits_of_zero_and_full_disks_are_no_success() {
    let lamp = example("lamp.xml").display().to_string();
    let output = run(["states", &lamp, "--max-states", "0"]);
    assert_eq!(code(&output), Some(3));
    assert!(
        stderr(&output).contains("first 0 states"),
        "{}",
        stderr(&output)
    );
    if !Path::new("/dev/full").exists() {
        return;
    }
    for arguments in [&["--help"][..], &["check", "--help"], &["--version"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let output = merkhet()
            .args(arguments)
            .stdout(full.expect("/dev/full"))
            .stderr(Stdio::piped())
            .output()
            .expect("it runs");
        assert_eq!(code(&output), Some(2), "{arguments:?}");
        assert!(
            stderr(&output).contains("No space left"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn a_fault_does_not_end_a_walk() {
    let text = "int[0, 2] n; process P() { state A; init A; trans A -> A { assign n = n + 1; }; } system P;";
    let folder = Folder::new(&[("m.xta", text)]);
    let mut child = merkhet()
        .current_dir(folder.0.path())
        .args(["simulate", "m.xta"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("its input");
    std::io::Write::write_all(&mut input, b"1\n1\nb\nfoo\nq\n").expect("written");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let text = stdout(&output);
    assert_eq!(code(&output), Some(0), "{text}{}", stderr(&output));
    assert!(
        stderr(&output).contains("outside the range"),
        "{}",
        stderr(&output)
    );
    assert!(text.contains("b goes back"), "{text}");
    let after = text.split("b goes back").nth(1).expect("the rest");
    assert!(after.contains("n = 1"), "{text}");
    assert!(
        stderr(&output).contains("`foo`?\na number  take"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn comments_of_queries_and_empty_ones_are_converted() {
    let lamp = example("lamp.xml").display().to_string();
    let output = run(["convert", &lamp, "--to", "xta"]);
    let text = stdout(&output);
    assert!(
        text.contains(
            "    // The light never fades early.\n    // Expected: satisfied.\n    A[] Lamp.Fading"
        ),
        "{text}"
    );
    let empty = "<nta><declaration/><template><name>T</name><location id=\"a\"/><init ref=\"a\"/></template>\
        <system>system T;</system><queries><query><formula></formula><comment/></query>\
        <query><formula>E&lt;&gt; true</formula><comment/></query></queries></nta>";
    let folder = Folder::new(&[("m.xml", empty)]);
    folder.says(
        &["convert", "m.xml", "m.tck"],
        0,
        &["no queries: 1 of the model"],
    );
}
