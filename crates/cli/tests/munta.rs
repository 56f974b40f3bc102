//! Certificates for Munta, read back by a reader of their formats as `interop::munta` documents them.
//!
//! Munta itself is not here; `docs/certificates.md` says how its checker is built and run on what is exported.

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

/// Locations, and values of variables.
type Discrete = (Vec<i64>, Vec<i64>);

/// A certificate: by locations and values the zones.
struct Read {
    processes: usize,
    clocks: usize,
    variables: usize,
    states: BTreeMap<Discrete, Vec<Vec<i64>>>,
}

fn read(path: &Path) -> Read {
    let bytes = std::fs::read(path).expect("a certificate");
    assert_eq!(bytes.len() % 8, 0);
    let mut numbers = bytes
        .chunks(8)
        .map(|chunk| i64::from_be_bytes(chunk.try_into().expect("eight bytes")));
    let mut next = || numbers.next().expect("a number");
    assert_eq!(next(), 42);
    let (processes, clocks, variables) = (next() as usize, next() as usize, next() as usize);
    let mut states = BTreeMap::new();
    for _ in 0..next() {
        let locations: Vec<i64> = (0..processes).map(|_| next()).collect();
        let values: Vec<i64> = (0..variables).map(|_| next()).collect();
        let zones = (0..next())
            .map(|_| (0..clocks * clocks).map(|_| next()).collect())
            .collect();
        assert!(states.insert((locations, values), zones).is_none());
    }
    assert_eq!(numbers.next(), None);
    Read {
        processes,
        clocks,
        variables,
        states,
    }
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("a file")).expect("JSON")
}

/// Exports the proof of a query and compares the three files with each other.
fn check(model: &str, query: &str) -> (Value, Read) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("model.xta");
    std::fs::write(&file, model).expect("a model");
    let proof = folder.path().join("proof");
    let run = |arguments: &[&std::ffi::OsStr]| {
        let output = support::merkhet()
            .args(arguments)
            .output()
            .expect("merkhet runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), text)
    };
    let (_, said) = run(&[
        "check".as_ref(),
        file.as_ref(),
        "-q".as_ref(),
        query.as_ref(),
        "--certificate".as_ref(),
        proof.as_ref(),
    ]);
    let (code, said) = match proof.exists() {
        true => run(&[
            "certify".as_ref(),
            file.as_ref(),
            proof.as_ref(),
            "--export-munta".as_ref(),
            folder.path().join("out").as_ref(),
        ]),
        false => panic!("no certificate: {said}"),
    };
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("muntac"), "{said}");
    let (model, renaming) = (
        json(&folder.path().join("out.muntax")),
        json(&folder.path().join("out.renaming")),
    );
    let certificate = read(&folder.path().join("out.cert"));
    let automata = model["automata"].as_array().expect("automata");
    assert_eq!(automata.len(), certificate.processes);
    let names = |key: &str| -> Vec<String> {
        let text = model[key].as_str().expect("a string");
        let names = text.split(", ").filter(|name| !name.is_empty());
        names.map(str::to_string).collect()
    };
    let (clocks, vars) = (names("clocks"), names("vars"));
    assert_eq!(clocks.len() + 1, certificate.clocks);
    assert_eq!(vars.len(), certificate.variables);
    for (number, clock) in clocks.iter().enumerate() {
        assert_eq!(renaming["clocks"][clock], Value::from(number + 1));
    }
    let mut ranges = Vec::new();
    for (number, var) in vars.iter().enumerate() {
        let (name, range) = var.trim_end_matches(']').split_once('[').expect("a range");
        let (low, high) = range.split_once(':').expect("a range");
        let range: (i64, i64) = (low.parse().expect("low"), high.parse().expect("high"));
        assert!(range.0 <= 0 && range.1 >= 0, "{var}: it starts at 0");
        assert_eq!(renaming["vars"][name], Value::from(number));
        ranges.push(range);
    }
    // The numbers of locations are without gaps, and stand for nodes that edges mention.
    let mut initial = Vec::new();
    for (process, automaton) in automata.iter().enumerate() {
        let name = automaton["name"].as_str().expect("a name");
        assert_eq!(renaming["processes"][name], Value::from(process));
        let numbers = renaming["locations"][name].as_object().expect("numbers");
        let nodes = automaton["nodes"].as_array().expect("nodes");
        assert_eq!(numbers.len(), nodes.len());
        let mut known: Vec<i64> = numbers
            .values()
            .map(|n| n.as_i64().expect("a number"))
            .collect();
        known.sort_unstable();
        assert_eq!(known, (0..nodes.len() as i64).collect::<Vec<_>>());
        let edges = automaton["edges"].as_array().expect("edges");
        assert!(
            edges
                .iter()
                .any(|edge| edge["source"] == automaton["initial"])
        );
        for edge in edges {
            for end in ["source", "target"] {
                assert!(numbers.contains_key(&edge[end].to_string()), "{edge}");
            }
        }
        initial.push(
            numbers[&automaton["initial"].to_string()]
                .as_i64()
                .expect("a number"),
        );
        for committed in automaton["committed"].as_array().expect("committed") {
            assert!(
                automaton["urgent"]
                    .as_array()
                    .expect("urgent")
                    .contains(committed)
            );
        }
    }
    for ((locations, values), zones) in &certificate.states {
        for (process, location) in locations.iter().enumerate() {
            let nodes = automata[process]["nodes"].as_array().expect("nodes").len() as i64;
            assert!((0..nodes).contains(location));
        }
        for (value, (low, high)) in values.iter().zip(&ranges) {
            assert!((*low..=*high).contains(value));
        }
        for zone in zones {
            for row in 0..certificate.clocks {
                assert_eq!(zone[row * certificate.clocks + row], 1, "≤ 0");
            }
        }
    }
    // All variables start at 0, and all clocks.
    let start = &certificate.states[&(initial, vec![0; certificate.variables])];
    let origin = |zone: &Vec<i64>| zone.iter().all(|bound| *bound >= 1);
    assert!(start.iter().any(origin));
    (model, certificate)
}

const MUTEX: &str = "
    clock x[3], time; int[0, 2] id; int[1, 5] turn = 3; int[0, 9] still = 7; bool flags[2]; chan go; broadcast chan all;
    process P(const int[1, 2] me) {
        state A, B { x[me] <= 2 }, C, D; commit D; init A;
        trans
            A -> B { guard id == 0; assign x[me] = 0; },
            B -> C { guard x[me] <= 2; assign x[me] = 0, id = me, turn = me + 2; },
            C -> D { guard x[me] > 2 && id == me; sync all!; assign flags[me - 1] = !flags[me - 1]; },
            D -> A { guard forall (i : int[0, 1]) flags[i] < 2; assign id = 0, turn = id + 3; };
    }
    process Q() {
        state A, B, Lost; urgent B; init A;
        trans
            A -> B { sync all?; },
            B -> A { guard turn + 1 > 2; assign turn = turn < 5 ? turn + 1 : 1; },
            B -> Lost { guard turn == 0; };
    }
    process R() { state Only; init Only; }
    system P, Q, R;";

#[test]
fn a_mutex_is_exported_with_shifted_variables_and_urgent_commitment() {
    let (model, certificate) = check(MUTEX, "A[] not (P(1).D and P(2).D)");
    let formula = model["formula"].as_str().expect("a formula");
    assert_eq!(formula, "E<> (P_1.D && P_2.D)");
    assert!(certificate.states.len() > 5);
    // `turn` starts at 3: it is written less that.
    assert!(
        model["vars"].as_str().expect("vars").contains("turn[-2:2]"),
        "{}",
        model["vars"]
    );
    let (model, _) = check(MUTEX, "E<> id == 1 && P(2).D");
    assert_eq!(model["formula"], "E<> (id == 1 && P_2.D)");
    // Variables that no edge mentions are what they were at the start.
    let (model, _) = check(MUTEX, "E<> Q.Lost && still == 7 || still == 8");
    assert_eq!(model["formula"], "E<> Q.Lost");
}

#[test]
fn deadlock_is_a_question_of_its_own() {
    let text = "clock x; process P() { state A { x <= 3 }; init A; trans A -> A { guard x >= 2; assign x = 0; }; } system P;";
    let (model, certificate) = check(text, "A[] not deadlock");
    assert_eq!(model["formula"], "E<> (P.A || !(P.A))");
    assert_eq!(certificate.states.len(), 1);
}

/// What Munta cannot say is refused in a sentence, and no file is left.
#[test]
fn what_munta_cannot_say_is_refused() {
    let process = |declarations: &str, edge: &str| {
        format!(
            "clock x, y; int[0,3] n; {declarations} process P() {{ state A, B; init A; trans A -> B {{ {edge} }}; }} system P;"
        )
    };
    for (text, query, why) in [
        (
            process("", "guard x - y <= 3;"),
            "E<> n == 2",
            "differences of clocks",
        ),
        (
            process("", "assign x = 2;"),
            "E<> n == 2",
            "clocks can be set to 0 only",
        ),
        (
            process("urgent chan c;", ""),
            "E<> n == 2",
            "urgent channels",
        ),
        (
            process("", "guard x > n;"),
            "E<> n == 2",
            "depend on variables",
        ),
        (
            process("", ""),
            "E<> P.A && n == 2 && x > 3",
            "formulas about clocks",
        ),
        (process("", ""), "A<> P.A", "E<> and A[] only"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("model.xta"), &text).expect("a model");
        let run = |arguments: &[&str]| {
            let mut command = support::merkhet();
            command
                .current_dir(folder.path())
                .args(arguments)
                .output()
                .expect("merkhet runs")
        };
        run(&["check", "model.xta", "-q", query, "--certificate", "proof"]);
        let output = run(&["certify", "model.xta", "proof", "--export-munta", "out"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{query}: {said}");
        assert!(said.contains(why), "{query}: {said}");
        assert!(!at("out.muntax").exists() && !at("out.cert").exists());
    }
}
