//! Saved databases: the same values again, and no use for another model, another goal or after a change.

use merkhet_heuristics::HeuristicSpec;
use merkhet_heuristics::pa::{Options, PredicateAbstraction, Stop, StoreError};
use merkhet_zones::zone;

use crate::support::model;

fn options(name: &str) -> Options {
    let spec: HeuristicSpec = name.parse().expect("a heuristic");
    *spec.options().expect("of the family")
}

const GATE: &str = "
    clock x, y; int[0,3] i; int[-500,500] far;
    process P() { state a { x <= 5 }, b, c; init a;
      trans a -> a { guard x >= 2 && i < 3; assign x = 0, i = i + 1, far = far + 7; },
            a -> b { guard y >= 9 && i == 3; }, b -> c { guard far > 20 && x - y < 0; }; }
    system P;";

#[test]
fn saved_databases_give_the_same_values() {
    let (network, goal) = model(GATE, "E<> P.c");
    for name in ["pa", "pa:2abs", "pa:syn(states=5,layers=2)"] {
        let mut made = PredicateAbstraction::new(&network, &goal, options(name), Stop::default());
        let text = made.to_text(&network, &goal);
        let mut read = PredicateAbstraction::saved(&network, &goal, options(name), &text)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read.to_text(&network, &goal), text, "{name}");
        let mut zone = vec![0; 9];
        zone::init_zero(&mut zone, 3);
        zone::up(&mut zone, 3);
        let mut largest = 0;
        for location in 0..3 {
            for i in 0..4 {
                for far in [0, 7, 21] {
                    let memory = [location, i, far];
                    let value = made.estimate(&memory, &zone);
                    assert_eq!(read.estimate(&memory, &zone), value, "{name} at {memory:?}");
                    largest = largest.max(value);
                }
            }
        }
        assert!(largest > 0, "{name} says nothing");
    }
}

/// The first line of a file, with its end.
const TITLE_LENGTH: usize = "merkhet pattern databases 2\n".len();

#[test]
fn other_models_and_changed_files_are_refused() {
    let (network, goal) = model(GATE, "E<> P.c");
    let made = PredicateAbstraction::new(&network, &goal, options("pa"), Stop::default());
    let text = made.to_text(&network, &goal);
    let refused = |query: &str, model_text: &str, text: &str| {
        let (network, goal) = model(model_text, query);
        PredicateAbstraction::saved(&network, &goal, options("pa"), text).err()
    };
    assert_eq!(refused("E<> P.c", GATE, &text), None);
    let other = Some(StoreError::OtherModel);
    assert_eq!(refused("E<> P.b", GATE, &text), other);
    let changed = GATE.replace("i < 3", "i < 2");
    assert_eq!(refused("E<> P.c", &changed, &text), other);
    let error = |text: &str| refused("E<> P.c", GATE, text);
    assert_eq!(error(""), Some(StoreError::Foreign));
    assert_eq!(error("something else"), Some(StoreError::Foreign));
    let former = text.replacen("databases 2", "databases 1", 1);
    assert_eq!(error(&former), Some(StoreError::Foreign));
    let changed = error(&text.replacen("layers 0", "layers 1", 1));
    assert!(
        matches!(changed, Some(StoreError::Broken(_))),
        "{changed:?}"
    );
    // Wherever a file ends too early, it is refused.
    for end in (TITLE_LENGTH..text.len() - 1).step_by(7) {
        let torn = error(&text[..end]);
        let refused = matches!(torn, Some(StoreError::Torn(_) | StoreError::Broken(_)));
        assert!(refused, "cut at {end}: {torn:?}");
    }
    // Nor may anything follow its end.
    for tail in ["x", "\n", " ", "merkhet pattern databases 2\n"] {
        let longer = error(&format!("{text}{tail}"));
        let refused = matches!(longer, Some(StoreError::Torn(_) | StoreError::Broken(_)));
        assert!(refused, "{tail:?} behind the end: {longer:?}");
    }
    // A file may hold the databases of several goals.
    let both = refused("E<> P.b", GATE, &text).map(|_| {
        let (network, goal) = model(GATE, "E<> P.b");
        let made = PredicateAbstraction::new(&network, &goal, options("pa"), Stop::default());
        format!("{text}{}", made.to_text(&network, &goal))
    });
    let both = both.expect("refused before");
    assert_eq!(refused("E<> P.b", GATE, &both), None);
    assert_eq!(refused("E<> P.c", GATE, &both), None);
}

#[test]
fn memory_is_bounded_by_the_option() {
    // A counter for each of some processes: far more abstract states than 1 MiB can hold.
    let process = |n: u32| {
        format!(
            "int[0,9] c{n}; process P{n}() {{ state s; init s; trans s -> s {{ guard c{n} < 9; assign c{n} = c{n} + 1; }},
             s -> s {{ guard c{n} > 5; assign c{n} = 0; }}; }}"
        )
    };
    let all: Vec<String> = (0..6).map(process).collect();
    let text = format!("{} system P0, P1, P2, P3, P4, P5;", all.join("\n"));
    let query = "E<> c0 == 9 && c1 == 9 && c2 == 9 && c3 == 9 && c4 == 9 && c5 == 9";
    let (network, goal) = model(&text, query);
    let mut sizes = Vec::new();
    for memory in [1, 4] {
        let name = format!("pa:1abs(states=10000000,layers=1000,memory={memory})");
        let made = PredicateAbstraction::new(&network, &goal, options(&name), Stop::default());
        assert!(
            made.bytes() <= (memory << 20) + (1 << 16),
            "{} bytes",
            made.bytes()
        );
        assert!(made.summaries().iter().any(|summary| !summary.complete));
        sizes.push(made.bytes());
    }
    assert!(sizes[0] < sizes[1], "{sizes:?}");
}
