//! SMV models from the command line.

mod support;

use support::{code, example, run, stderr, stdout};

fn check(arguments: &[&str]) -> (Option<i32>, String, String) {
    let model = example("handshake.smv").display().to_string();
    let mut all = vec!["check", &model];
    all.extend(arguments);
    let output = run(all);
    (code(&output), stdout(&output), stderr(&output))
}

#[test]
fn the_example_says_what_its_comments_say() {
    let (code, text, _) = check(&[]);
    assert_eq!(code, Some(1));
    assert!(
        text.ends_with("3 queries: 2 satisfied, 1 violated\n"),
        "{text}"
    );
    assert!(text.contains("repeat for ever"), "{text}");
}

#[test]
fn typed_formulas_replace_those_of_the_model() {
    let verdict = |query: &str, options: &[&str], expected: Option<i32>| {
        let (code, text, error) = check(&[&["-q", query], options].concat());
        assert_eq!(code, expected, "{query} {options:?}: {text}{error}");
        text
    };
    verdict(
        "AG !(first.state = printing & second.state = printing)",
        &[],
        Some(0),
    );
    for search in ["auto", "bfs", "bmc", "guided", "saturation"] {
        let text = verdict("AG first.state != printing", &["--search", search], Some(1));
        assert!(
            text.contains("Counter-example: 2 steps"),
            "{search}: {text}"
        );
    }
    let keep = ["--abstract", "keep=first.*", "--patterns", "mtbdd"];
    let text = verdict("INVARSPEC first.state != printing", &keep, Some(1));
    assert!(text.contains("database of 1 variable"), "{text}");
    verdict("G F turn = 1", &[], Some(1));
    verdict("first.state = idle", &[], Some(0));
    verdict(
        "MIN [first.state = idle, first.state = printing]",
        &[],
        Some(0),
    );
}

#[test]
fn mistakes_are_located_and_options_that_mean_nothing_are_refused() {
    let (code, _, error) = check(&["-q", "AG third.state = idle"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("query:1:4"), "{error}");
    for options in [
        &["--bitstate"][..],
        &["--search", "dfs"],
        &["--engine", "zones"],
        &["--abstract", "keep=first.*", "--search", "bfs"],
        &["--order", "/no/such/file"],
    ] {
        let (code, _, error) = check(options);
        assert_eq!(code, Some(2), "{options:?}: {error}");
        assert!(error.contains("error"), "{options:?}: {error}");
    }
    let (code, _, error) = check(&[
        "-q",
        "AG turn = 1",
        "--search",
        "guided",
        "--abstract",
        "keep=nobody",
    ]);
    assert_eq!(code, Some(2), "{error}");
}

#[test]
fn json_has_the_path_and_the_figures() {
    let (code, text, _) = check(&["--format", "json", "-q", "AG first.state = idle"]);
    assert_eq!(code, Some(1));
    for part in [
        "\"path\"",
        "\"loop_from\": null",
        "\"after\": \"waiting\"",
        "\"peak_nodes\"",
        "\"cache_hits\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_limit_ends_in_unknown() {
    let (code, text, _) = check(&["--timeout", "0s"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("time limit reached"), "{text}");
}

#[test]
fn show_and_lint_read_it() {
    let model = example("handshake.smv").display().to_string();
    let shown = run(["show", &model]);
    assert_eq!(code(&shown), Some(0));
    assert!(stdout(&shown).contains("first.state : {idle, waiting, printing};"));
    let json = run(["show", &model, "--format", "json"]);
    assert!(stdout(&json).contains("\"state_bits\": 5"));
    let lint = run(["lint", &model]);
    assert_eq!(
        (code(&lint), stdout(&lint)),
        (Some(0), "0 errors, 0 warnings\n".into())
    );
}

#[test]
fn networks_go_by_diagrams_too() {
    let model = example("lamp.xml").display().to_string();
    let output = run(["check", &model, "-q", "E<> true", "--order", "x"]);
    assert_eq!(code(&output), Some(2));
    let generated = run(["generate", "circles", "2"]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("circles.xta");
    std::fs::write(&path, stdout(&generated)).expect("written");
    let query = stdout(&run(["generate", "circles", "2", "--query"]));
    let path = path.display().to_string();
    let arguments = ["check", &path, "-q", query.trim(), "--format", "json"];
    let zones = run(arguments);
    let diagrams = run(arguments.iter().chain(&["--engine", "bdd"]));
    assert_eq!(code(&zones), code(&diagrams), "{}", stderr(&diagrams));
    assert!(
        stdout(&diagrams).contains("\"peak_nodes\""),
        "{}{}",
        stdout(&diagrams),
        stderr(&diagrams)
    );
}

#[test]
fn a_bad_order_is_mended() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = |start: char| (0..15).map(move |number| format!("{start}{number}"));
    let declarations: String = names('a')
        .chain(names('b'))
        .map(|name| format!("  {name} : boolean;\n"))
        .collect();
    let equal: Vec<String> = names('a')
        .zip(names('b'))
        .map(|(a, b)| format!("{a} = {b}"))
        .collect();
    let model = folder.path().join("equal.smv");
    let text = format!(
        "MODULE main\nVAR\n{declarations}CTLSPEC EF ({})\n",
        equal.join(" & ")
    );
    std::fs::write(&model, text).expect("written");
    // All of one half above all of the other: 2^15 nodes.
    let order = folder.path().join("bad.ord");
    let lines: Vec<String> = names('a').chain(names('b')).collect();
    std::fs::write(&order, lines.join("\n")).expect("written");
    let [model, order] = [model, order].map(|path| path.display().to_string());
    let peak = |options: &[&str]| {
        let mut arguments = vec!["check", &model, "--order", &order, "--format", "json"];
        arguments.extend(options);
        let output = run(arguments);
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        let figures = &report["results"][0]["diagrams"];
        let figure = |name: &str| figures[name].as_u64().expect("a number");
        (figure("nodes"), figure("reorderings"))
    };
    let (bad, never) = peak(&[]);
    let (good, times) = peak(&["--reorder"]);
    assert_eq!(never, 0);
    assert!(times > 0 && good * 10 < bad, "{good} {bad} {times}");
}

/// The report on a model that is written down here.
fn report(text: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.smv");
    std::fs::write(&path, text).expect("written");
    let output = run(["check".as_ref(), path.as_os_str()]);
    (code(&output), stdout(&output) + &stderr(&output))
}

#[test]
fn what_is_true_of_nothing_says_so() {
    let nowhere = "MODULE main\nVAR x : 0..3;\nINIT x = 1 & x = 2\nTRANS next(x) = x\n";
    for specification in [
        "INVARSPEC x > 3",
        "SPEC AG x > 3",
        "SPEC AF x > 3",
        "LTLSPEC F x > 3",
        "INVARSPEC x > 3 -- again",
    ] {
        let (code, text) = report(&format!("{nowhere}{specification}\n"));
        assert_eq!(code, Some(0), "{specification}: {text}");
        let words = "there is no initial state";
        assert_eq!(text.matches(words).count(), 1, "{specification}: {text}");
    }
    let stuck = "MODULE main\nVAR x : 0..3;\nINIT x = 0\nTRANS x < 3 & next(x) = x + 1\n";
    let (code, text) = report(&format!("{stuck}LTLSPEC F x > 3\n"));
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("no endless path starts in an initial state"),
        "{text}"
    );
    let unfair = "MODULE main\nVAR x : 0..3;\nINIT x = 0\nTRANS next(x) = x\nFAIRNESS x = 1\n";
    let (code, text) = report(&format!("{unfair}LTLSPEC F x > 3\n"));
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("no fair path starts in an initial state"),
        "{text}"
    );
    let (code, text) =
        report("MODULE main\nVAR x : 0..3;\nINIT x = 0\nTRANS next(x) = x\nLTLSPEC G x = 0\n");
    assert_eq!(code, Some(0), "{text}");
    assert!(!text.contains("initial state"), "{text}");
}

#[test]
fn values_that_do_not_exist_are_said_with_their_assignment() {
    let (code, text) = report(
        "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := x + 1;\nINVARSPEC x < 4\n",
    );
    assert_ne!(code, Some(0), "{text}");
    assert!(
        text.contains(
            "`x` can be assigned 4, outside its domain {0, 1, 2, 3} in `next(x) := (x + 1)`"
        ),
        "{text}"
    );
    let (code, text) = report(
        "MODULE main\nVAR a : array 0..1 of boolean; i : 0..2;\nASSIGN init(i) := 0; next(i) := i;\n\
         INVARSPEC a[i] | !a[i]\n",
    );
    assert_ne!(code, Some(0), "{text}");
    assert!(text.contains("an index outside its array"), "{text}");
}

/// `merkhet check` on a model that is written down here, with options.
fn check_text(text: &str, options: &[&str]) -> (Option<i32>, String, std::time::Duration) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.smv").display().to_string();
    std::fs::write(&path, text).expect("written");
    let start = std::time::Instant::now();
    let output = run(["check", &path].iter().chain(options));
    let text = stdout(&output) + &stderr(&output);
    (code(&output), text, start.elapsed())
}

/// Variables that multiply each other: diagrams that need more memory than there is.
fn entangled(variables: usize) -> String {
    let numbers = 0..variables;
    let lines = |line: &dyn Fn(usize) -> String| numbers.clone().map(line).collect::<String>();
    let declared = lines(&|one| format!("  a{one} : 0..200;\n"));
    let assigned = lines(&|one| {
        let (left, right) = ((one * 7 + 1) % variables, (one * 3 + 2) % variables);
        format!("  next(a{one}) := (a{one} + a{left} * a{right}) mod 201;\n")
    });
    format!("MODULE main\nVAR\n{declared}ASSIGN\n{assigned}INVARSPEC a0 != 200 | a1 != 3\n")
}

#[test]
fn limits_hold_where_memory_is_short() {
    for (model, time, memory) in [(entangled(3), "3s", "50MB"), (entangled(40), "3s", "150MB")] {
        let options = ["--timeout", time, "--memory-limit", memory];
        let (code, text, took) = check_text(&model, &options);
        assert_eq!(code, Some(3), "{text}");
        assert!(text.contains("limit reached"), "{text}");
        assert!(took.as_secs() < 20, "{took:?}: {text}");
        // What was done is told.
        assert!(text.contains("allocated"), "{text}");
    }
}

#[test]
fn a_specification_that_is_not_supported_leaves_the_others() {
    let model = "MODULE main\nIVAR i : boolean;\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := i;\n\
                 PSLSPEC always x;\nINVARSPEC x | !x\nSPEC AG )\nSPEC AG nobody\nSPEC EF x\n";
    let (code, text, _) = check_text(model, &[]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("PSL is not supported"), "{text}");
    assert!(text.contains("5 queries: 2 satisfied, 3 unknown"), "{text}");
    let readable = model.replace("SPEC AG )\nSPEC AG nobody\n", "");
    let (code, text, _) = check_text(&readable, &[]);
    assert_eq!(code, Some(3), "{text}");
    let (code, text, _) = check_text(&readable, &["-q", "EF x"]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn full_paths_show_what_does_not_change() {
    let model = "MODULE main\nVAR x : 0..3; still : boolean;\n\
                 ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; init(still) := TRUE; next(still) := still;\n\
                 INVARSPEC x < 2 | !still\n";
    let (_, short, _) = check_text(model, &[]);
    let (code, full, _) = check_text(model, &["--trace-style", "full"]);
    assert_eq!(code, Some(1), "{full}");
    assert_eq!(short.matches("still = TRUE").count(), 1, "{short}");
    assert_eq!(full.matches("still = TRUE").count(), 3, "{full}");
    assert!(
        full.contains("After step 2:\n      x = 2, still = TRUE"),
        "{full}"
    );
}

#[test]
fn variables_that_do_not_matter_do_not_make_lassos_long() {
    let model = "MODULE main\nVAR turn : boolean; p : process user(turn); w : word[8];\n\
                 ASSIGN init(turn) := FALSE; init(w) := 0ud8_0; next(w) := w + 0ud8_1;\n\
                 LTLSPEC F p.done\nMODULE user(t)\nVAR done : boolean;\n\
                 ASSIGN init(done) := FALSE; next(done) := t; FAIRNESS running\n";
    let (code, text, _) = check_text(model, &["--format", "json"]);
    assert_eq!(code, Some(1), "{text}");
    let report: serde_json::Value =
        serde_json::from_str(text.trim_end()).unwrap_or_else(|error| panic!("{error}: {text}"));
    let length = report["results"][0]["path"]["length"]
        .as_u64()
        .expect("a path");
    assert!(length < 20, "{length}");
}

#[test]
fn a_formula_may_stand_below_its_keyword() {
    let (code, text, error) = check(&["-q", "INVARSPEC\n  first.state != printing"]);
    assert_eq!(code, Some(1), "{text}{error}");
    let file = std::env::temp_dir().join(format!("merkhet-below-{}.q", std::process::id()));
    let formulas = "SPEC -- of branching time\n  AG TRUE\n\nINVARSPEC\n  first.state != printing\n";
    std::fs::write(&file, formulas).expect("a file");
    let (code, text, error) = check(&[&file.display().to_string()]);
    let _ = std::fs::remove_file(&file);
    assert_eq!(code, Some(1), "{text}{error}");
    assert!(
        text.ends_with("2 queries: 1 satisfied, 1 violated\n"),
        "{text}"
    );
}

#[test]
fn a_fault_is_one_for_all_questions_and_lint_finds_it() {
    let model = "MODULE main\nVAR x : 0..3; y : {a, b};\nASSIGN init(x) := 2; next(x) := (x + 1) mod 4;\n\
                 next(y) := case x = 1 : a; esac;\nINVARSPEC x < 3\nINVARSPEC y = a\nSPEC AG x < 3\n";
    for options in [&[][..], &["--search", "bmc"], &["--search", "bfs"]] {
        let (code, text, _) = check_text(model, options);
        assert_eq!(code, Some(2), "{text}");
        let words = "line 4: the value for `y` is undefined";
        assert_eq!(text.matches(words).count(), 3, "{text}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.smv").display().to_string();
    std::fs::write(&path, model).expect("written");
    let text = stdout(&run(["lint", &path]));
    assert!(
        text.contains("m.smv:4:") && text.contains("smv-fault"),
        "{text}"
    );
    std::fs::write(&path, model.replace("a; esac", "a; TRUE : y; esac")).expect("written");
    let text = stdout(&run(["lint", &path]));
    assert!(!text.contains("smv-fault"), "{text}");
}

#[test]
fn proofs_are_written_and_judged() {
    let model = "MODULE main\nVAR n : 0..7; go : boolean; z : boolean;\n\
                 ASSIGN init(n) := 0; next(n) := go & n < 5 ? n + 1 : n; next(z) := !z;\nSPEC EF z\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (path, proof) = (file("m.smv"), file("proof"));
    std::fs::write(&path, model).expect("written");
    for search in ["auto", "bmc", "bfs", "guided", "saturation"] {
        for query in [
            "INVARSPEC n <= 5",
            "AG n < 6",
            "G n < 6",
            "EF n = 6",
            "!EF n = 7",
        ] {
            let options = ["--search", search, "--certificate", &proof, "-q", query];
            let output = run(["check", &path].iter().chain(&options));
            let said = stdout(&output) + &stderr(&output);
            assert!(!said.contains("no certificate"), "{search} {query}: {said}");
            let text = stdout(&run(["certify", &path, &proof]));
            assert!(text.starts_with("accepted: "), "{search} {query}: {text}");
            // Of another model it proves nothing.
            let other = file("other.smv");
            std::fs::write(&other, model.replace("n < 5", "n < 7")).expect("written");
            let output = run(["certify", &other, &proof]);
            assert_eq!(code(&output), Some(1), "{search} {query}");
            std::fs::remove_file(&proof).expect("there");
        }
    }
    // What is not proved has no certificate.
    let options = ["--certificate", &proof, "-q", "INVARSPEC n < 5"];
    let output = run(["check", &path].iter().chain(&options));
    assert!(
        stderr(&output).contains("no certificate"),
        "{}",
        stderr(&output)
    );
    assert!(!std::path::Path::new(&proof).exists());
}
