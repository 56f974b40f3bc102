//! Variables of wide ranges, and updates that write more than their target: random networks without clocks in which
//! steps set, add, subtract and copy, next to true distances.

use merkhet_heuristics::atg::Graph;
use merkhet_heuristics::{DEAD_END, Goal};
use merkhet_testing::{Random, RegionGraph};

use crate::distances::check;
use crate::support::setting;
use crate::text::model;

/// An update of `v`, `w`, `n` or the array, with its guard, that stays within the ranges.
fn step(random: &mut Random) -> (String, String) {
    let (small, large) = (random.between(1, 12), random.between(0, 60));
    let (guard, update) = match random.below(8) {
        0 | 1 => (String::from("true"), format!("v = {large}")),
        2 => (format!("v < {}", large + 20), format!("v = v + {small}")),
        3 => (format!("v >= {}", small + 8), format!("v = v - {small}")),
        4 => (format!("v <= {large}"), String::from("w = v")),
        5 => (String::from("w < 90"), format!("v = w + {small}")),
        6 => (String::from("n < 3"), format!("list[n++] = {}", large % 10)),
        _ => (String::from("n > 0"), String::from("w = list[n - 1], n--")),
    };
    (guard, update)
}

fn process(name: &str, random: &mut Random) -> String {
    let steps = random.between(1, 4);
    let mut edges = Vec::new();
    for at in 0..steps {
        let (guard, update) = step(random);
        // Some steps can be repeated.
        let to = at + i32::from(random.chance(75));
        edges.push(format!(
            "s{at} -> s{to} {{ guard {guard}; assign {update}; }}"
        ));
    }
    let names: Vec<String> = (0..=steps).map(|at| format!("s{at}")).collect();
    format!(
        "process {name}() {{ state {}; init s0; trans {}; }}\n",
        names.join(", "),
        edges.join(", ")
    )
}

/// A network of two to four processes, and what is looked for.
fn network(seed: u64) -> (String, String) {
    let mut random = Random::new(seed);
    let mut text = format!(
        "int[0,1000] v = {}; int[0,100] w; int[0,3] n; int[0,9] list[3];\n",
        random.between(0, 40)
    );
    let names: Vec<String> = (0..random.between(2, 4))
        .map(|at| format!("P{at}"))
        .collect();
    for name in &names {
        text += &process(name, &mut random);
    }
    text += &format!("system {};", names.join(", "));
    let value = random.between(0, 40);
    let goal = match random.below(6) {
        0 => format!("E<> w == {value}"),
        1 => format!("E<> v >= {} and P0.s1", value + 10),
        2 => format!("E<> v < {} and w > {value}", value / 4),
        3 => format!("E<> n == 2 and list[1] == {}", value % 10),
        4 => String::from("E<> n == 3"),
        _ => format!("E<> v == {value} and w == {}", value / 2),
    };
    (text, goal)
}

#[test]
fn estimates_of_wide_variables_keep_what_they_promise() {
    let (mut compared, mut told) = (0, 0);
    let first = setting("MERKHET_SEED", 0);
    for seed in first..first + setting("MERKHET_NETWORKS", 2000) {
        let (text, goal) = network(seed);
        let (network, formula) = model(&text, &goal);
        let Ok(graph) = RegionGraph::build(&network, &[], 3000) else {
            continue;
        };
        match check(&network, &formula, &graph) {
            Ok(found) => {
                compared += found.states;
                told += found.positive;
            }
            Err(problem) => panic!("seed {seed}, {goal}: {problem}\n{text}"),
        }
    }
    println!("{compared} states, {told} with an estimate above zero");
    assert!(compared > 20_000 && told * 4 > compared, "too easy");
}

/// Updates that read what they wrote bring one value more in each round: the work for one state is bounded, and what it
/// leaves out only lowers the value.
#[test]
fn an_estimate_does_not_take_for_ever() {
    let (network, formula) = model(
        "int[0,1000000] v, w;
         process P() { state s, t, u; init s;
           trans s -> s { guard v < 999990; assign w = v + 1, v = w, w = v + 1; },
                 s -> t { guard w == 30001; }, t -> u { guard v == 77; }; }
         system P;",
        "E<> P.u",
    );
    let mut graph = Graph::new(&network, &Goal::of(&network, &formula));
    let start = std::time::Instant::now();
    for _ in 0..10 {
        assert_eq!(graph.lower(&[0, 0, 0]), 3);
        assert!((3..DEAD_END).contains(&graph.upper(&[0, 0, 0])));
        assert_eq!(
            graph.lower(&[1, 77, 5]),
            1,
            "nothing stays of the work before"
        );
    }
    // Without a bound one takes a minute.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// An estimate is not delayed where a function takes long.
#[test]
fn an_estimate_does_not_wait_for_a_function() {
    let (network, formula) = model(
        "int[0,3000] v;
         int[0,3000] f(int n) { int i; int s = 0; for (i = 0; i < 60000; i++) { s = (s + n) % 3001; } return s; }
         process P() { state s, t; init s;
           trans s -> s { guard v < 1000; assign v = v + 1; }, s -> s { assign v = f(v); },
                 s -> t { guard f(v) == 2999; }; }
         system P;",
        "E<> P.t",
    );
    let mut graph = Graph::new(&network, &Goal::of(&network, &formula));
    let start = std::time::Instant::now();
    for _ in 0..10 {
        let lower = graph.lower(&[0, 0]);
        assert!((1..=2).contains(&lower), "{lower}");
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// `list[len++] = 7` writes the length too, and not the seven.
#[test]
fn an_index_that_counts_does_not_get_the_value() {
    let (network, formula) = model(
        "const int N = 3; int[0,N] len; int[0,9] list[N];
         process Producer() { state s; init s; trans s -> s { guard len < N; assign list[len++] = 7; }; }
         process Consumer() { state idle, full; init idle; trans idle -> full { guard len == N; }; }
         system Producer, Consumer;",
        "E<> Consumer.full",
    );
    let mut graph = Graph::new(&network, &Goal::of(&network, &formula));
    let start = [0, 0, 0, 0, 0, 0];
    assert_ne!(graph.lower(&start), DEAD_END);
    assert_ne!(graph.upper(&start), DEAD_END);
    assert!(graph.lower(&start) <= 4, "three pushes and the step");
}

/// A variable that gets a new smallest value in each layer: what adding to the first one gave stays there all the while.
#[test]
fn an_open_end_that_reaches_further_keeps_what_was_there() {
    let (network, formula) = model(
        "int[0,1000] v = 10; int[0,30] w;
         process A() { state a0, a1, a2, a3, a4; init a0;
           trans a0 -> a1 { assign v = 9; }, a1 -> a2 { assign v = 8; }, a2 -> a3 { assign v = 7; },
                 a3 -> a4 { assign v = 6; }; }
         process D() { state b; init b; trans b -> b { guard v < 30; assign v = v + 10; }; }
         process S() { state s; init s; trans s -> s { guard v <= 30; assign w = v; }; }
         system A, D, S;",
        "E<> w == 20",
    );
    let mut graph = Graph::new(&network, &Goal::of(&network, &formula));
    assert_eq!(graph.lower(&[0, 0, 0, 10, 0]), 2, "v + 10, then w = v");
}
