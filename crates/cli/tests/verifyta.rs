//! Transcripts of the program as `verifyta`: options, verdicts, traces and errors.

mod support;

use std::path::Path;

use support::{code, example, merkhet, stderr, stdout};

const QUERIES: &str = "\
E<> Lamp.Steady
A[] Lamp.Off
A[] not deadlock
sup{Lamp.Fading}: Lamp.since
";

/// `z` stands still in B, and B is left when it has lasted as long as A: then x = 2 z, which no zone can say.
const STOPWATCH: &str = "\
clock x, z, w;
process P() {
    state A { z <= 2 }, B { z' == 0 }, Goal;
    init A;
    trans
        A -> B { assign w = 0; },
        B -> Goal { guard w - z == 0 && z <= 1 && x >= 3; };
}
system P;
";

const SYNTAX_ERROR: &str = "\
<nta><declaration>clock x;</declaration>
<template><name>P</name><location id=\"a\"/><location id=\"b\"/><init ref=\"a\"/>
<transition><source ref=\"a\"/><target ref=\"b\"/><label kind=\"guard\">x &lt;= </label></transition>
</template><system>system P;</system></nta>
";

const OUT_OF_RANGE: &str = "\
int[0,3] n;
process P() { state A; init A; trans A -> A { assign n = n + 1; }; }
system P;
";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        for (name, text) in [
            ("queries.q", QUERIES),
            ("broken.q", "E<> Lamp.Stead\nE<> Lamp.Steady\n"),
            ("stopwatch.xta", STOPWATCH),
            ("stopwatch.q", "E<> P.Goal\nA[] not P.Goal\n"),
            ("syntax.xml", SYNTAX_ERROR),
            ("range.xta", OUT_OF_RANGE),
            ("range.q", "A[] n <= 3\n"),
            (
                "reach.q",
                "E<> Process(1).Critical and Process(2).Critical\n",
            ),
        ] {
            std::fs::write(folder.path().join(name), text).expect("writable");
        }
        for name in ["lamp.xml", "fischer.xml", "fischer-flawed.xml"] {
            std::fs::copy(example(name), folder.path().join(name)).expect("an example");
        }
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// The command, its exit code and all that it prints, without what differs between runs.
    fn transcript(&self, line: &str) -> String {
        let output = merkhet()
            .arg("verifyta")
            .args(line.split_whitespace())
            .current_dir(self.path())
            .output()
            .expect("the program runs");
        let out = stdout(&output).replace('\x1b', "ESC");
        let mut text = format!("$ verifyta {line}\n{}", without_figures(&out));
        if !stderr(&output).is_empty() {
            text += &format!("--- standard error\n{}", stderr(&output));
        }
        text + &format!("--- exit code {:?}\n", code(&output))
    }
}

fn without_figures(text: &str) -> String {
    let mut kept = String::new();
    for line in text.lines() {
        let figure = [" ms", " KiB"].iter().find(|unit| line.ends_with(**unit));
        match (figure, line.split_once(" : ")) {
            (Some(unit), Some((what, _))) => kept += &format!("{what} : N{unit}\n"),
            _ => kept += &format!("{line}\n"),
        }
    }
    kept
}

fn check(name: &str, line: &str) {
    insta::assert_snapshot!(format!("verifyta-{name}"), Folder::new().transcript(line));
}

#[test]
fn embedded_queries_with_a_summary() {
    check("embedded", "-u -r 1665658616 fischer-flawed.xml");
}

#[test]
fn a_file_of_queries_without_progress() {
    check("file", "-s -r 7 lamp.xml queries.q");
}

#[test]
fn a_shortest_trace_on_standard_error() {
    check("shortest", "-t1 -sqr1 fischer-flawed.xml reach.q");
}

#[test]
fn a_fastest_trace_depth_first() {
    check(
        "fastest",
        "-t 2 -o 1 -s -r 3 --query-index 0 lamp.xml queries.q",
    );
}

#[test]
fn random_depth_first_with_matrices_and_aggressive_space() {
    check("random", "-o2 -C -S2 -s -r 5 fischer.xml");
}

#[test]
fn what_zones_cannot_decide_may_be() {
    check("may", "-sq stopwatch.xta stopwatch.q");
}

#[test]
fn bit_states_may_miss() {
    let folder = Folder::new();
    std::fs::write(
        folder.path().join("z.q"),
        "E<> Lamp.Off and Lamp.Lit\nA[] Lamp.Off or not Lamp.Off\n",
    )
    .expect("writable");
    insta::assert_snapshot!(
        "verifyta-bitstate",
        folder.transcript("-sZ -r 1 lamp.xml z.q")
    );
}

#[test]
fn a_syntax_error_has_a_place() {
    check("syntax", "-q syntax.xml queries.q");
}

#[test]
fn a_broken_query_does_not_stop_the_others() {
    check("query", "-sq lamp.xml broken.q");
}

#[test]
fn a_fault_at_run_time_is_an_error() {
    check("fault", "-sq range.xta range.q");
}

#[test]
fn bad_options_are_named() {
    let folder = Folder::new();
    let lines = [
        "-o 4 lamp.xml",
        "-f base lamp.xml",
        "-E 5 lamp.xml",
        "no-such-model.xml",
        "lamp.xml no-such.q",
        "--query-index 9 lamp.xml",
        "",
    ];
    let text: Vec<String> = lines.iter().map(|line| folder.transcript(line)).collect();
    insta::assert_snapshot!("verifyta-options", text.join("\n"));
}

#[test]
fn traces_go_to_files() {
    let folder = Folder::new();
    let text = folder.transcript("-t1 -sq -f out -X out fischer-flawed.xml reach.q");
    let xtr = std::fs::read_to_string(folder.path().join("out-1.xtr")).expect("a trace");
    let xml = std::fs::read_to_string(folder.path().join("out-1.xml")).expect("a trace");
    insta::assert_snapshot!("verifyta-files", format!("{text}\n{xtr}"));
    insta::assert_snapshot!("verifyta-xml-trace", xml);
}

#[test]
fn the_intermediate_format_is_printed_on_request() {
    let output = merkhet()
        .args(["verifyta", "lamp.xml"])
        .current_dir(example(""))
        .env("UPPAAL_COMPILE_ONLY", "1")
        .output()
        .expect("the program runs");
    assert_eq!(code(&output), Some(0));
    insta::assert_snapshot!("verifyta-intermediate", stdout(&output));
}

#[test]
fn the_name_of_the_program_decides() {
    let folder = Folder::new();
    let program = folder.path().join("verifyta");
    std::fs::copy(env!("CARGO_BIN_EXE_merkhet"), &program).expect("copied");
    let output = std::process::Command::new(&program)
        .arg("-v")
        .output()
        .expect("it runs");
    let text = stdout(&output);
    let words: Vec<&str> = text.split(' ').collect();
    let name = words
        .iter()
        .position(|word| *word == "UPPAAL")
        .expect("the name");
    assert!(words[name + 1].starts_with("4."), "{text}");
    let output = std::process::Command::new(&program)
        .args(["-sq", "lamp.xml", "queries.q"])
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    assert!(
        stdout(&output).contains(" -- Formula is NOT satisfied."),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_folder_that_cannot_be_written_to_is_an_error() {
    check(
        "unwritable",
        "-t0 -sq -f missing/out fischer-flawed.xml reach.q",
    );
}
