//! Pattern databases as a user meets them: saved and used again, refused, explained, several side by side.

mod support;

use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{code, merkhet, run, stderr, stdout};

struct Gate {
    folder: tempfile::TempDir,
    model: PathBuf,
    query: String,
}

fn gate() -> Gate {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("model.xta");
    let text = stdout(&run(["generate", "fischer-b", "4"]));
    std::fs::write(&model, text).expect("written");
    let query = stdout(&run(["generate", "fischer-b", "4", "--query"]));
    Gate {
        folder,
        model,
        query: query.trim().into(),
    }
}

impl Gate {
    fn check(&self, query: &str, further: &[&str]) -> std::process::Output {
        let mut command = merkhet();
        command.arg("check").arg(&self.model).args(["-q", query]);
        command.args(["--heuristic", "pa", "--format", "json"]);
        command.args(further).output().expect("the program runs")
    }

    fn saved(&self) -> PathBuf {
        let file = self.folder.path().join("saved.pdb");
        let output = self.check(&self.query, &["--pdb-out", text(&file)]);
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        file
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("readable")
}

fn result(output: &std::process::Output) -> Value {
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    report["results"][0].clone()
}

#[test]
fn saved_databases_lead_the_same_search() {
    let gate = gate();
    let file = gate.saved();
    for search in ["greedy", "preferred", "astar"] {
        let made = result(&gate.check(&gate.query, &["--search", search]));
        let read = gate.check(&gate.query, &["--search", search, "--pdb-in", text(&file)]);
        let read = result(&read);
        for figure in ["verdict", "explored", "stored", "transitions"] {
            assert_eq!(made[figure], read[figure], "{search}: {figure}");
        }
        assert_eq!(made["databases"]["list"], read["databases"]["list"]);
    }
}

#[test]
fn files_that_do_not_fit_are_refused_in_words() {
    let gate = gate();
    let saved = std::fs::read_to_string(gate.saved()).expect("read");
    let file = gate.folder.path().join("other.pdb");
    let refused = |query: &str, content: &str, words: &str| {
        std::fs::write(&file, content).expect("written");
        let output = gate.check(query, &["--pdb-in", text(&file)]);
        let message = stderr(&output) + &stdout(&output);
        assert_ne!(code(&output), Some(0), "{words}");
        assert_ne!(code(&output), Some(1), "{words}");
        assert!(message.contains(words), "{words} is not in {message}");
    };
    refused("E<> P1.critical", &saved, "of another model, goal");
    refused(&gate.query, "hello\n", "no file of saved pattern databases");
    refused(&gate.query, &saved[..saved.len() / 2], "end too early");
    refused(
        &gate.query,
        &saved.replacen("complete", "cut", 1),
        "were changed",
    );
    let missing = gate.check(&gate.query, &["--pdb-in", "no-such-file.pdb"]);
    assert_eq!(code(&missing), Some(2), "{}", stderr(&missing));
}

#[test]
fn explanations_show_predicates_layers_and_sizes() {
    let gate = gate();
    let mut command = merkhet();
    command.arg("explain").arg(&gate.model);
    command.args(["-q", &gate.query, "--heuristic", "pa"]);
    let plain = stdout(&command.output().expect("the program runs"));
    for words in [
        "13 predicates, 42 abstract states in 8 layers",
        "layers: 1 2 2 6 6 10 10 5",
        "turn = 0",
    ] {
        assert!(plain.contains(words), "{words} is not in\n{plain}");
    }
    let output = command.args(["--format", "json"]).output();
    let output = output.expect("the program runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let databases = report["databases"].as_array().expect("a list");
    assert_eq!(databases.len(), 1);
    assert_eq!(
        databases[0]["predicates"].as_array().map(Vec::len),
        Some(13)
    );
    assert!(databases[0]["predicates"][0]["in_text"].is_boolean());
}

#[test]
fn several_abstractions_search_side_by_side() {
    let gate = gate();
    let found = result(&gate.check(&gate.query, &["--threads", "3"]));
    assert_eq!(found["verdict"], "satisfied");
    let winner = found["found_by"].as_str().expect("which one");
    assert!(
        winner.starts_with("search ") && winner.contains(" of 3"),
        "{winner}"
    );
    let name = found["heuristic"].as_str().expect("its abstraction");
    assert!(name.starts_with("pa"), "{name}");
    // One by one, processes exclude each other.
    let never = result(&gate.check("E<> P1.critical && P1.trying", &["--threads", "3"]));
    assert_eq!(never["verdict"], "violated");
}
