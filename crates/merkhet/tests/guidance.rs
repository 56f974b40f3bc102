//! The heuristics on the families with which their papers show what they see and what they do not.

use merkhet::generate::find;
use merkhet::{Answer, Config, Model, check};
use merkhet_heuristics::atg::Graph;
use merkhet_heuristics::distance::{Combination, Distance};
use merkhet_heuristics::{DEAD_END, Goal};
use merkhet_network::code::Layout;
use merkhet_network::{Network, Query, QueryKind};

/// The network of a family with the goal of its query.
fn family(name: &str, values: &[u32]) -> (Network, Goal) {
    let (network, query) = with_query(name, values);
    let QueryKind::Possibly(formula) = &query.kind else {
        panic!("{query:?}");
    };
    let goal = Goal::of(&network, formula);
    (network, goal)
}

/// The network of a family with its query.
fn with_query(name: &str, values: &[u32]) -> (Network, Query) {
    let generator = find(name).expect("a family");
    let generated = generator.generate(values).expect("good values");
    let file = format!("{name}.{}", generator.language.extension());
    let mut model = Model::read(&file, generated.text.as_bytes());
    let query = model.query(&generated.query.expect("a query"));
    let network = model.network().expect("a model without errors").clone();
    let query = query.query.expect("a query without errors");
    (network, query)
}

/// Where the process and location of these names are.
fn place(network: &Network, process: &str, location: &str) -> (usize, i32) {
    let index = network.processes.iter().position(|p| p.name == process);
    let index = index.expect("a process");
    let locations = &network.processes[index].locations;
    let location = locations.iter().position(|l| l.name == location);
    (index, location.expect("a location") as i32)
}

/// Kupferschmid et al. 2006, figure 2: h^L and h^U are the distance, all along the way, and infinite after every wrong
/// choice; d^L is 2 and d^U is 2n − 1, and neither sees a dead end.
#[test]
fn a_chain_with_dead_ends_is_seen_through() {
    for n in [2, 3, 10, 50] {
        let (network, goal) = family("dead-ends", &[n]);
        let mut graph = Graph::new(&network, &goal);
        let d_l = Distance::new(&network, &goal, Combination::Maximum);
        let d_u = Distance::new(&network, &goal, Combination::Sum);
        let mut state = Layout::of(&network).initial_memory(&network);
        assert_eq!((graph.lower(&state), graph.upper(&state)), (n, n));
        assert_eq!((d_l.estimate(&state), d_u.estimate(&state)), (2, 2 * n - 1));
        for i in 1..n {
            // Automaton i passes its signal on to the next one, which may go wrong.
            let (this, top) = place(&network, &format!("A{i}"), "top");
            state[this] = top;
            let (next, wrong) = place(&network, &format!("A{}", i + 1), "right");
            state[next] = wrong;
            assert_eq!(graph.lower(&state), DEAD_END, "{n}, wrong choice {i}");
            assert_eq!(graph.upper(&state), DEAD_END, "{n}, wrong choice {i}");
            assert_ne!(d_u.estimate(&state), DEAD_END);
            state[next] = place(&network, &format!("A{}", i + 1), "left").1;
            let left = n - i;
            assert_eq!((graph.lower(&state), graph.upper(&state)), (left, left));
        }
    }
}

/// Figure 3: an automaton has to go round again and again; the heuristics act as if one circle were sufficient, so that
/// the length of the circle makes no difference to them.
#[test]
fn one_circle_looks_sufficient() {
    for (n, c) in [(1, 1), (5, 2), (5, 7), (50, 4)] {
        let (network, goal) = family("circles", &[n, c]);
        let mut graph = Graph::new(&network, &goal);
        let mut state = Layout::of(&network).initial_memory(&network);
        assert_eq!((graph.lower(&state), graph.upper(&state)), (n, n));
        if c > 1 {
            // One step into the circle, the rest of it has to be gone once.
            let (circle, first) = place(&network, "Circle", "q1");
            state[circle] = first;
            let (chain, one) = place(&network, "Chain", "c1");
            state[chain] = one;
            let expected = match n {
                1 => 0,
                _ => n - 1 + c - 1,
            };
            assert_eq!(graph.lower(&state), expected);
            assert_eq!(graph.upper(&state), expected);
        }
    }
}

/// The flawed variants of Fischer's protocol: values at the start.
#[test]
fn fischer_with_a_flaw_looks_near() {
    for n in [5, 30] {
        for (name, low, high) in [
            ("fischer-a", 1, 9),
            ("fischer-b", 1, 6),
            ("fischer-c", 1, 6),
        ] {
            let (network, goal) = family(name, &[n]);
            let mut graph = Graph::new(&network, &goal);
            let state = Layout::of(&network).initial_memory(&network);
            let (lower, upper) = (graph.lower(&state), graph.upper(&state));
            assert!(low <= lower && lower <= upper, "{name}: {lower} {upper}");
            assert!(lower <= high, "{name}: {lower} is more than the distance");
        }
    }
}

/// Runs that start anew find the error in the end, say which of them did, and count the states of all; the seed decides.
#[test]
fn restarts_end() {
    let (network, query) = with_query("fischer-b", &[5]);
    let run = |search: &str, states, seed| {
        let config = Config {
            search: Some(search.into()),
            heuristic: Some("dl".into()),
            restarts: Some(states),
            seed,
            ..Config::default()
        };
        check(&network, &query, &config, &mut |_| {})
    };
    let report = run("greedy", 4, 1).expect("a verdict");
    assert_eq!(report.answer, Answer::Satisfied);
    let found_by = report.found_by.clone().expect("the run");
    let round: u32 = found_by
        .strip_prefix("run ")
        .and_then(|rest| rest.split(' ').next()?.parse().ok())
        .unwrap_or_else(|| panic!("{found_by}"));
    assert!(round > 1, "{found_by}");
    assert!(report.figures.explored >= (1 << round), "{found_by}");
    let again = run("greedy", 4, 1).expect("a verdict");
    assert_eq!(again.found_by, report.found_by);
    assert_eq!(again.figures.explored, report.figures.explored);
    assert!(run("astar", 4, 1).is_err(), "A* does not start anew");
}

/// Depth first the counter leaves its range before the deadlock is found: the search goes on, or looks again breadth first.
#[test]
fn a_fault_that_lies_deeper_than_the_error_does_not_hide_it() {
    let text = "
        int[0,3] n;
        process P() {
            state A, B, C;
            init A;
            trans A -> A { assign n = n + 1; }, A -> B { }, B -> C { };
        }
        system P;";
    let mut model = Model::read("counter.xta", text.as_bytes());
    let query = model.query("A[] not deadlock").query.expect("a query");
    let network = model.network().expect("a model without errors").clone();
    let report = check(&network, &query, &Config::default(), &mut |_| {});
    let report = report.expect("no fault");
    assert_eq!(report.answer, Answer::Violated);
    // Where nothing is found before the fault, the fault is the answer.
    let query = model.query("A[] n < 9").query.expect("a query");
    assert!(check(&network, &query, &Config::default(), &mut |_| {}).is_err());
}
