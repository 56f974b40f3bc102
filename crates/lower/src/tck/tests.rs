//! What flat models become.

use super::{explore_query, lower_label_query, lower_tck};
use merkhet_network::{Network, OutOfRange, QueryKind};
use merkhet_syntax::{Diagnostic, FileId, SourceMap};
use merkhet_tck::read_tck;

fn lower(text: &str) -> (Option<Network>, Vec<Diagnostic>) {
    let (system, diagnostics) = read_tck(text.as_bytes());
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, "model.tck", text.as_bytes());
    lower_tck(&system, &sources)
}

fn good(text: &str) -> Network {
    let (network, diagnostics) = lower(text);
    let network = network.unwrap_or_else(|| panic!("{text}: {diagnostics:?}"));
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    network
}

/// Compares the lines of the listing that say how a model moves: edges, channels, vectors, invariants.
fn check(text: &str, expected: &str) {
    let listing = merkhet_network::print::text(&good(text));
    let wanted = |line: &&str| {
        line.contains("->")
            || line.starts_with("chan")
            || line.starts_with("synchronise")
            || (line.contains("location") && line.contains('{'))
    };
    let found: Vec<&str> = listing.lines().map(str::trim).filter(wanted).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).collect();
    assert_eq!(found, expected, "{text}");
}

/// One process with one edge.
fn check_edge(declarations: &str, attributes: &str, expected: &str) {
    let text = format!(
        "system:s\n{declarations}\nevent:e\nprocess:P\nlocation:P:a{{initial:}}\nedge:P:a:a:e{{{attributes}}}\n"
    );
    check(&text, &format!("a -> a {{ {expected} }}"));
}

fn check_error(text: &str, code: &str) {
    let (network, diagnostics) = lower(text);
    assert!(network.is_none(), "{text}");
    let codes: Vec<&str> = diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, [code], "{text}");
}

const VARIABLES: &str = "clock:1:x\nclock:1:y\nclock:2:z\nint:1:0:3:0:i\nint:3:-1:9:0:v";

#[test]
fn guards_are_split_into_data_and_clocks() {
    let check = |guard: &str, expected: &str| {
        check_edge(
            VARIABLES,
            &format!("provided: {guard}"),
            &format!("guard {expected};"),
        );
    };
    check("x<=3 && i==1 && 2<x", "i == 1 && x <= 3 && x > 2");
    check("x==2*3", "x <= 6 && x >= 6");
    check("x-y<i", "x - y < i");
    check("x>=y", "y - x <= 0");
    check("1 <= x < 4", "x >= 1 && x < 4");
    check("!v[i]==2", "!(v[i] == 2)");
    check("v[2]", "v[2]");
    check("z[1]<4", "z[1] < 4");
    check(
        "z[i]<4",
        "(!(check(i, 0, 1) == 0) || z[0] < 4) && (!(check(i, 0, 1) == 1) || z[1] < 4)",
    );
    check("x-x<i", "0 < i");
    check(
        "(if i==0 then 2 else v[0]) == 2",
        "(i == 0 ? 2 : v[0]) == 2",
    );
}

#[test]
fn statements_run_in_order() {
    let check = |statements: &str, expected: &str| {
        check_edge(
            VARIABLES,
            &format!("do: {statements}"),
            &format!("assign {expected};"),
        );
    };
    check("i=i+1; x=0; v[i]=-1", "i = i + 1, x = 0, v[i] = -1");
    check("x=y; x=y+2; x=2+y", "x = y, x = y + 2, x = y + 2");
    check(
        "x=y+i",
        "check(i, 0, 268435456), if (i == 0) { x = y; }, if (i == 1) { x = y + 1; }, \
         if (i == 2) { x = y + 2; }, if (i == 3) { x = y + 3; }",
    );
    check(
        "local t=i; local u[2]; u[t]=t; i=u[1]",
        "t = i, u[0] = 0, u[1] = 0, u[t] = t, i = u[1]",
    );
    check(
        "while i<3 do i=i+1 end; if i==3 then x=0; nop else local t; i=t end",
        "while (i < 3) { i = i + 1; }, if (i == 3) { x = 0; } else { t = 0; i = t; }",
    );
    assert_eq!(
        good("system:s\nint:1:0:2:0:i").out_of_range,
        OutOfRange::Disable
    );
}

/// Four processes with the events a and b, and the vectors.
fn with_vectors(vectors: &str) -> String {
    let mut text = String::from("system:s\nevent:a\nevent:b\n");
    for p in ["P", "Q", "R", "S"] {
        text += &format!("process:{p}\nlocation:{p}:l{{initial:}}\n");
        text += &format!("edge:{p}:l:l:a\nedge:{p}:l:l:b\n");
    }
    text + vectors
}

#[test]
fn events_in_no_vector_go_alone() {
    check(
        &with_vectors("sync:P@a:Q@a"),
        "chan a;
         l -> l { sync a!; }
         l -> l
         l -> l { sync a?; }
         l -> l
         l -> l
         l -> l
         l -> l
         l -> l",
    );
}

#[test]
fn vectors_of_two_that_hang_together_share_a_channel() {
    check(
        &with_vectors("sync:P@a:R@b\nsync:P@a:S@a\nsync:Q@b:R@b\nsync:Q@b:S@a"),
        "chan a/b;
         l -> l { sync a/b!; }
         l -> l
         l -> l
         l -> l { sync a/b!; }
         l -> l
         l -> l { sync a/b?; }
         l -> l { sync a/b?; }
         l -> l",
    );
    // Everybody with everybody else: no process meets itself on a channel anyway.
    let mut vectors = String::new();
    for p in ["P", "Q", "R", "S"] {
        for q in ["P", "Q", "R", "S"] {
            if p != q {
                vectors += &format!("sync:{p}@a:{q}@b\n");
            }
        }
    }
    assert_eq!(good(&with_vectors(&vectors)).channels.len(), 1);
}

#[test]
fn pairs_that_must_not_meet_get_channels_of_their_own() {
    // P with R, Q with R and S: P must not meet S.
    check(
        &with_vectors("sync:P@a:R@a\nsync:Q@a:R@a\nsync:Q@a:S@a"),
        "chan a;
         chan Q@a:R@a;
         l -> l { sync a!; }
         l -> l
         l -> l { sync Q@a:R@a!; }
         l -> l
         l -> l { sync a?; }
         l -> l { sync Q@a:R@a?; }
         l -> l
         l -> l { sync Q@a:R@a?; }
         l -> l",
    );
    // A port that is first here and second there: its update is run first here and second there.
    check(
        &with_vectors("sync:P@a:Q@a\nsync:Q@a:R@a"),
        "chan a;
         chan Q@a:R@a;
         l -> l { sync a!; }
         l -> l
         l -> l { sync a?; }
         l -> l { sync Q@a:R@a!; }
         l -> l
         l -> l { sync Q@a:R@a?; }
         l -> l
         l -> l
         l -> l",
    );
}

#[test]
fn vectors_of_many_and_weak_ones_stay_vectors() {
    check(
        &with_vectors("sync:P@a:Q@a:R@a\nsync:P@a:S@b?\nsync:P@a:S@a"),
        "chan a;
         l -> l { sync event a; }
         l -> l { sync a!; }
         l -> l
         l -> l { sync event a; }
         l -> l
         l -> l { sync event a; }
         l -> l
         l -> l { sync a?; }
         l -> l { sync event b; }
         synchronise P@a, Q@a, R@a
         synchronise P@a, S@b?",
    );
    let (network, diagnostics) = lower(&with_vectors("sync:P@a"));
    assert!(network.is_some_and(|network| network.vectors.is_empty()));
    assert_eq!(diagnostics[0].code, "lonely-synchronisation");
}

#[test]
fn several_initial_locations_are_chosen_together() {
    let text = "system:s\nevent:e\n\
        process:P\nlocation:P:a{initial:}\nlocation:P:b{initial:}\n\
        process:Q\nlocation:Q:a{initial: : committed:}\nedge:Q:a:a:e\n\
        process:R\nlocation:R:a{initial:}\nedge:R:a:a:e\n";
    check(
        text,
        "(start) -> a { sync event (start); }
         (start) -> b { sync event (start); }
         a -> a
         (start) -> a { sync event (start); }
         a -> a
         synchronise P@(start), Q@(start)",
    );
    let one = text.replace(" : committed:", "");
    check(&one, "(start) -> a\n(start) -> b\na -> a\na -> a");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let edge = |attributes: &str| {
        format!(
            "system:s\n{VARIABLES}\nevent:e\nprocess:P\nlocation:P:a{{initial:}}\nedge:P:a:a:e{{{attributes}}}\n"
        )
    };
    for (attributes, code) in [
        ("provided: !x<3", "clock-condition"),
        ("provided: x!=3", "bad-clock-operation"),
        ("provided: x+1<3", "bad-clock-operation"),
        ("provided: x-y<z[0]", "bad-clock-operation"),
        ("provided: x", "clock-as-integer"),
        ("provided: v==1", "missing-index"),
        ("provided: v[3]==1", "index-out-of-range"),
        ("provided: w==1", "unknown-name"),
        ("provided: x<999999999", "clock-bound-too-large"),
        ("provided: i<1/0", "division-by-zero"),
        ("do: i=2147483647+1", "overflow"),
        ("do: i=x", "bad-assignment"),
        ("do: x=0-1", "bad-clock-value"),
        ("do: x=y+(0-1)", "bad-clock-value"),
        ("do: if x<1 then i=0 end", "clock-condition"),
        ("do: local i", "declared-twice"),
        ("do: local t[i]", "bad-size"),
        ("do: local t[9999999]", "bad-size"),
        ("do: if 1 then local t end; t=1", "unknown-name"),
    ] {
        check_error(&edge(attributes), code);
    }
    for (text, code) in [
        ("process:P", "no-initial-location"),
        (
            "process:P\nprocess:P\nlocation:P:a{initial:}",
            "declared-twice",
        ),
        ("clock:1:x\nint:1:0:1:0:x", "declared-twice"),
        ("clock:9999:x", "too-many-clocks"),
        ("int:2147483647:0:1:0:x", "too-many-variables"),
        ("location:P:a", "unknown-name"),
        ("event:e\nevent:e", "declared-twice"),
    ] {
        check_error(&format!("system:s\n{text}\n"), code);
    }
    let twice = with_vectors("sync:P@a:Q@a\nsync:Q@a:P@a");
    check_error(&twice, "declared-twice");
    check_error(&with_vectors("sync:P@a:P@b"), "declared-twice");
    check_error(&with_vectors("sync:P@a:T@b"), "unknown-name");
    let guarded = with_vectors("edge:P:l:l:a{provided: 0 == 1}\nsync:P@a?:Q@a");
    check_error(&guarded, "guarded-weak-event");
}

#[test]
fn faults_know_their_place() {
    let network = good(&format!(
        "system:s\n{VARIABLES}\nevent:e\nprocess:P\nlocation:P:a{{initial:}}\nedge:P:a:a:e{{do: i = 1; v[i] = 7}}\n"
    ));
    let site = network.sites.iter().find(|site| site.text == "v[i] = 7");
    let site = site.expect("a site of the assignment");
    assert_eq!((site.line, site.column), (10, 25));
    assert_eq!(site.context, "process P, edge a -> a, do");
}

#[test]
fn goals_are_labels_locations_and_conditions() {
    let network = good(&format!(
        "system:s\n{VARIABLES}\nprocess:P\nlocation:P:a{{initial: : labels: start, l}}\nlocation:P:b{{labels: i}}\n\
         process:Q\nlocation:Q:a{{initial: : labels: l}}\n"
    ));
    let check = |text: &str, expected: &str| {
        let (query, diagnostics) = lower_label_query(&network, text);
        let query = query.unwrap_or_else(|| panic!("{text}: {diagnostics:?}"));
        let kind = format!("{:?}", query.kind);
        let kind = kind.replace("ProcessId", "").replace("LocationId", "");
        assert_eq!(kind, expected, "{text}");
    };
    check("E<> start", "Possibly(Data(At((0), (0))))");
    check("E<> l", "Possibly(Data(Or([At((0), (0)), At((1), (0))])))");
    check(
        "E<> start,i",
        "Possibly(And([Data(At((0), (0))), Data(At((0), (1)))]))",
    );
    check(
        "A[] not P.b",
        "Invariantly(Data(Unary(Not, At((0), (1)), SiteId(4294967295))))",
    );
    check("E<> deadlock", "Possibly(Deadlock)");
    for text in ["E<> i == 1 && x > 2", "E<> z[1] < 4 || v[2] == 1"] {
        assert!(lower_label_query(&network, text).0.is_some(), "{text}");
    }
    for text in ["E<> nothing", "E<> x", "E<> z[7] > 1", "E<> P.c"] {
        let (query, diagnostics) = lower_label_query(&network, text);
        assert!(query.is_none() && diagnostics.len() == 1, "{text}");
    }
    assert_eq!(explore_query().kind, QueryKind::Explore);
}

/// Every model of the shared collections is lowered; pairs become channels there, and edges are not copied.
#[test]
fn shared_models_are_lowered() {
    for folder in ["peers/models", "benchmarks/tck"] {
        let Some(folder) = merkhet_testing::shared(folder) else {
            continue;
        };
        let entries = std::fs::read_dir(folder).expect("a folder");
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.extension().is_some_and(|extension| extension == "tck") {
                let text = std::fs::read_to_string(&path).expect("a readable file");
                let network = good(&text);
                let edges: usize = network.processes.iter().map(|p| p.edges.len()).sum();
                let written = text.lines().filter(|l| l.starts_with("edge:")).count();
                assert_eq!(edges, written, "{path:?}");
            }
        }
    }
}
