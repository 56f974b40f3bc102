//! Walking through models, drawing their states, and the commands that explain the program.

mod support;

use std::io::Write;
use std::process::Stdio;

use support::{code, example, merkhet, run, stderr, stdout};

fn lamp() -> String {
    example("lamp.xml").display().to_string()
}

#[test]
fn a_seed_reproduces_a_walk() {
    let walk = |seed: &str, extra: &[&str]| {
        let lamp = lamp();
        let mut arguments = vec![
            "simulate",
            lamp.as_str(),
            "--random",
            "--steps",
            "4",
            "--seed",
            seed,
        ];
        arguments.extend(extra);
        let output = run(arguments);
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(walk("7", &[]), walk("7", &[]));
    insta::assert_snapshot!("walk", walk("7", &[]));
    insta::assert_snapshot!("walk-concrete", walk("7", &["--concrete"]));
    let different = (0..20)
        .map(|seed| walk(&seed.to_string(), &[]))
        .collect::<std::collections::BTreeSet<_>>();
    assert!(different.len() > 1, "every seed walks the same way");
}

#[test]
fn a_walk_by_hand() {
    let mut child = merkhet()
        .args(["simulate", &lamp()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    input
        .write_all(b"1\nnonsense\nt\nb\nb\nb\nq\n")
        .expect("written");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(code(&output), Some(0));
    insta::assert_snapshot!("walk-by-hand", stdout(&output));
    assert!(stderr(&output).contains("nonsense"), "{}", stderr(&output));
}

#[test]
fn states_in_every_form() {
    for form in ["dot", "json", "aut"] {
        let output = run(["states", &lamp(), "--format", form]);
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        let text = stdout(&output).replace(&lamp(), "lamp.xml");
        insta::assert_snapshot!(format!("states-{form}"), text);
    }
    let cut = run(["states", &lamp(), "--max-states", "2", "--format", "aut"]);
    assert_eq!(code(&cut), Some(3));
    assert!(stderr(&cut).contains("--max-states"), "{}", stderr(&cut));
}

/// A broadcast to 31 receivers that each may answer in two ways has 2^31 successors: they are computed one by one, and limits
/// hold.
#[test]
fn successors_without_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("many.xta");
    let receivers: Vec<String> = (0..31).map(|number| format!("R{number}")).collect();
    let each = receivers.iter().map(|name| format!("{name} = R();"));
    let model = format!(
        "broadcast chan a;
         process S() {{ state A, B; init A; trans A -> B {{ sync a!; }}; }}
         process R() {{ state A, B, C; init A; trans A -> B {{ sync a?; }}, A -> C {{ sync a?; }}; }}
         {}
         system S, {};",
        each.collect::<Vec<_>>().join("\n"),
        receivers.join(", ")
    );
    std::fs::write(&path, model).expect("written");
    let path = path.display().to_string();
    let huge = "1000000000";
    for (arguments, message) in [
        (vec!["--max-states", "5"], "only the first 5 states"),
        (
            vec!["--max-states", huge, "--timeout", "500ms"],
            "time limit",
        ),
        (
            vec!["--max-states", huge, "--memory-limit", "60MB"],
            "memory limit",
        ),
    ] {
        let mut all = vec!["states", path.as_str(), "--format", "aut"];
        all.extend(arguments);
        let output = run(all);
        assert_eq!(code(&output), Some(3), "{message}: {}", stderr(&output));
        let said = stderr(&output);
        assert!(said.contains(message), "{message}: {said}");
    }
    let output = run(["simulate", path.as_str(), "--random", "--steps", "2"]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("only the first 1000 transitions"));
    assert!(stdout(&output).contains("Nothing can happen any more"));
}

#[test]
fn shells_get_their_scripts() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(["completions", shell]);
        assert_eq!(code(&output), Some(0));
        assert!(stdout(&output).contains("trace-style"), "{shell}");
    }
}

#[test]
fn manual_pages_are_written() {
    let page = stdout(&run(["man"]));
    assert!(page.contains(".TH merkhet 1"), "{page}");
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(["man", "--out", &folder.path().display().to_string()]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    for name in ["merkhet.1", "merkhet-check.1", "merkhet-verifyta.1"] {
        let text = std::fs::read_to_string(folder.path().join(name)).expect(name);
        assert!(text.contains(".SH"), "{name}");
    }
    let output = run(["man", "--out", "/no/such/folder"]);
    assert_eq!(code(&output), Some(2));
}

#[test]
fn tunables_are_listed_with_their_ranges() {
    let text = stdout(&run(["tunables"]));
    for tunable in merkhet::tuning::KNOWN.iter().copied().flatten() {
        let (low, high) = tunable.range;
        let line = format!("{} = {} ({low} to {high})", tunable.name, tunable.default);
        assert!(text.contains(&line), "{line}");
        assert!(text.contains(tunable.why), "{line}");
    }
}

#[test]
fn heuristics_are_listed_with_their_sources() {
    let text = stdout(&run(["heuristics"]));
    for part in [
        "--search",
        "--heuristic",
        "hu",
        "Kupferschmid",
        "admissible",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// A file of queries is read as `merkhet check` reads it: the first one is explained. Clocks say how long the goal takes and
/// who must move meanwhile.
#[test]
fn explanations_of_a_file_of_queries() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let model = path(
        "m.xta",
        "clock y; process P() { clock z; state s { z <= 2 }; init s; trans s -> s { assign z = 0; }; }
         process Q() { state q, r; init q; trans q -> r { guard y >= 9; }; } system P, Q;",
    );
    let queries = path("other.q", "E<> Q.r\nE<> P.s\n");
    let explain = |more: &[&str]| {
        let args = ["explain", &model, &queries, "--heuristic", "hl:clocks"];
        run(args.iter().chain(more))
    };
    let output = explain(&[]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    // Four times at most two units, and the rest after the fourth reset.
    for part in [
        "E<> Q.r\nhl:clocks at the start: 4",
        "Clocks: at least 7 time units to the goal beyond",
        "4  moves of P",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(code(&explain(&["-q", "E<> Q.q"])), Some(2));
    let missing = run(["explain", &model, "nowhere.q"]);
    assert_eq!(code(&missing), Some(2));
    assert!(
        stderr(&missing).contains("nowhere.q"),
        "{}",
        stderr(&missing)
    );
}

/// The search is that of a check: what that refuses is refused, and a search without a heuristic brings its own.
#[test]
fn explanations_follow_the_search_of_a_check() {
    let model = example("fischer-flawed.xml").display().to_string();
    let explain = |more: &[&str]| run([&["explain", model.as_str()], more].concat());
    let refused = explain(&["--search", "auto", "--heuristic", "hl"]);
    assert_eq!(code(&refused), Some(2), "{}", stdout(&refused));
    assert!(
        stderr(&refused).contains("auto follows hu, and more"),
        "{}",
        stderr(&refused)
    );
    for (options, heuristic) in [
        (&["--search", "auto"] as &[&str], "hu"),
        (&["--search", "astar"], "hl"),
        (&["--search", "bfs", "--heuristic", "dl"], "dl"),
        (&["--heuristic", "hl"], "hl"),
    ] {
        let output = explain(options);
        assert_eq!(code(&output), Some(0), "{options:?}: {}", stderr(&output));
        let text = stdout(&output);
        let start = format!("\n{heuristic} at the start: ");
        assert!(text.contains(&start), "{options:?}: {text}");
        assert_eq!(
            text.contains("The abstract solution, by layer"),
            heuristic != "dl"
        );
    }
}

/// Text, JSON and the chart tell the same: the values along the run, from the value at the start to 0.
#[test]
fn explanations_in_every_form() {
    let model = example("fischer-flawed.xml").display().to_string();
    let explain = |heuristic: &str, format: &str| {
        let output = run([
            "explain",
            model.as_str(),
            "--heuristic",
            heuristic,
            "--format",
            format,
        ]);
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    for heuristic in [
        "hl",
        "hu",
        "hl:clocks",
        "hu:clocks",
        "dl",
        "du",
        "hcg",
        "hcg:dynamic",
        "hamming",
        "pa",
    ] {
        let json: serde_json::Value =
            serde_json::from_str(&explain(heuristic, "json")).expect("JSON");
        assert_eq!(json["heuristic"], heuristic);
        let run = json["run"].as_array().expect("a run");
        assert!(run.len() > 3, "{json}");
        assert_eq!(run[0]["value"], json["start"]);
        assert_eq!(run[run.len() - 1]["value"], 0);
        assert!(run[1]["transition"][0].is_string());
        let start = json["start"].as_u64();
        let solution = json["solution"].as_array().expect("a solution");
        let parts = json["parts"].as_array().expect("parts");
        let times = solution.iter().map(|step| step["times"].as_u64());
        let mut values = parts.iter().map(|part| part["value"].as_u64());
        match heuristic {
            "hu" => assert_eq!(times.sum::<Option<u64>>(), start),
            "hl" => assert_eq!(solution[solution.len() - 1]["layer"].as_u64(), start),
            "dl" => assert_eq!(values.max().flatten(), start),
            "du" | "hcg" | "hcg:dynamic" | "hamming" => {
                assert_eq!(values.sum::<Option<u64>>(), start, "{json}");
            }
            "pa" => assert_eq!(values.next().flatten(), start),
            _ => {}
        }
        // Only h^L and h^U have abstract solutions: others say what their own values are made of.
        let by_layers = heuristic.starts_with("hl") || heuristic.starts_with("hu");
        assert_eq!(!solution.is_empty(), by_layers, "{json}");
        assert_eq!(parts.is_empty(), by_layers, "{json}");
        assert_eq!(json["clocks"].is_object(), heuristic.ends_with("clocks"));
        let svg = explain(heuristic, "svg");
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
        assert_eq!(svg.matches("<circle ").count(), run.len());
        let text = explain(heuristic, "human");
        let start = format!("{heuristic} at the start: {}", json["start"]);
        assert!(text.contains(&start), "{text}");
    }
}

/// d^L and d^U name the processes with their distances, h^CG the parts that the goal constrains, the Hamming distance what is
/// not as the goal wants it.
#[test]
fn a_heuristic_explains_itself() {
    let model = example("train-gate.xml").display().to_string();
    let explain = |heuristic: &str| {
        let query = "E<> Train(0).Bridge && Train(1).Halted";
        stdout(&run([
            "explain",
            &model,
            "-q",
            query,
            "--heuristic",
            heuristic,
        ]))
    };
    let check = |heuristic: &str, parts: &[&str]| {
        let text = explain(heuristic);
        for part in parts {
            assert!(text.contains(part), "{heuristic}: {part} is not in\n{text}");
        }
        assert!(!text.contains("h^U"), "{text}");
    };
    check(
        "dl",
        &[
            "the largest of",
            "Train(0): Away → Bridge",
            "Train(1): Away → Halted",
        ],
    );
    check("du", &["the sum of", "Train(0): Away → Bridge"]);
    check("hcg", &["the sum of", "Train(1): Away → Halted"]);
    check("hamming", &["Train(0) is at Away, not at Bridge"]);
}

/// The search finds the run; the heuristic is what is explained, also where the search follows none.
#[test]
fn any_search_may_find_the_run_of_an_explanation() {
    let model = example("fischer-flawed.xml").display().to_string();
    for (search, heuristic) in [
        ("bfs", "hu"),
        ("dfs", "dl"),
        ("largest", "hcg"),
        ("greedy", "hl"),
    ] {
        let output = run([
            "explain",
            &model,
            "--search",
            search,
            "--heuristic",
            heuristic,
        ]);
        assert_eq!(code(&output), Some(0), "{search}: {}", stderr(&output));
        assert!(stdout(&output).contains("The values along a run:"));
    }
}

#[test]
fn automata_are_drawn_where_their_author_put_them_or_in_layers() {
    // With coordinates, without, in TChecker's language, and what a reduction leaves.
    let flat = std::env::temp_dir().join(format!("merkhet-drawn-{}.tck", std::process::id()));
    std::fs::write(
        &flat,
        "system:s\nclock:1:x\nevent:e\nprocess:P\nlocation:P:here{initial:}\nlocation:P:there{}\nedge:P:here:there:e{provided: x>1}\n",
    )
    .expect("a file");
    let flat = flat.display().to_string();
    let (placed, lattice) = (
        example("train-gate.xml").display().to_string(),
        example("lattice/database.xta").display().to_string(),
    );
    for (arguments, words) in [
        (vec![placed.as_str()], ["Train", "proceed[me]?"]),
        (vec![lattice.as_str()], ["Session", "Chosen"]),
        (vec![flat.as_str()], ["here", "there"]),
        (
            vec![placed.as_str(), "--reduce", "coi"],
            ["<svg ", "</svg>"],
        ),
    ] {
        let mut command = vec!["show", "--format", "svg"];
        command.extend(&arguments);
        let output = run(command);
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        let svg = stdout(&output);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        for word in words {
            assert!(svg.contains(word), "{word} in {arguments:?}");
        }
        assert!(!svg.contains("NaN"), "{svg}");
    }
    std::fs::remove_file(flat).expect("the file");
}
