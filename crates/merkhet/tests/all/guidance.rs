//! The heuristics on the families with which their papers show what they see and what they do not.

use merkhet::{Answer, Config, Model, check};
use merkhet_heuristics::atg::Graph;
use merkhet_heuristics::distance::{Combination, Distance};
use merkhet_heuristics::{DEAD_END, Goal};
use merkhet_interop::generate::find;
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
        assert_eq!((d_l.value(&state), d_u.value(&state)), (2, 2 * n - 1));
        for i in 1..n {
            // Automaton i passes its signal on to the next one, which may go wrong.
            let (this, top) = place(&network, &format!("A{i}"), "top");
            state[this] = top;
            let (next, wrong) = place(&network, &format!("A{}", i + 1), "right");
            state[next] = wrong;
            assert_eq!(graph.lower(&state), DEAD_END, "{n}, wrong choice {i}");
            assert_eq!(graph.upper(&state), DEAD_END, "{n}, wrong choice {i}");
            assert_ne!(d_u.value(&state), DEAD_END);
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
            search: Some(search.parse().unwrap()),
            heuristic: Some("dl".parse().unwrap()),
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

/// However many looks and parts a search has, all of them together keep to the limit of states.
#[test]
fn a_limit_of_states_holds_for_all_looks_together() {
    // Two parts without anything in common, and a process that safe abstraction removes.
    let counter = |name: &str| {
        format!(
            "process {name}() {{ clock x; int[0,300] i; state a {{ x <= 3 }}, b; init a; trans
             a -> a {{ guard x >= 1 && i < 300; assign x = 0, i++; }},
             a -> a {{ guard x >= 2 && i > 0; assign x = 0, i--; }},
             a -> b {{ guard i == 300 && x > 2; }}; }}"
        )
    };
    let idle = "process I() { state p, q; init p; trans p -> q { }, q -> p { }; }";
    let (one, two) = (counter("P"), counter("Q"));
    let cases = [
        (format!("{one}{two}system P, Q;"), "E<> P.b && Q.b"),
        (format!("{one}{idle}system P, I;"), "E<> P.b"),
        (
            format!("{one}{two}system P, Q;"),
            "A[] not (P.b && Q.i == 299)",
        ),
        (format!("{one}system P;"), "A[] P.i < 301 && not deadlock"),
    ];
    for (text, query) in cases {
        let mut model = Model::read("model.xta", text.as_bytes());
        let query = model.query(query).query.expect("a query");
        let network = model.network().expect("a network");
        for states in [0, 1, 10, 300, 500, 3001, 3500] {
            let mut config = Config::default();
            config.limits.states = Some(states);
            let report = check(network, &query, &config, &mut |_| {}).expect("no fault");
            let explored = report.figures.explored;
            assert!(explored <= states, "{explored} of {states} in {text}");
        }
    }
}

/// Fischer's protocol next to a process for whose states larger zones turn up, and to a counter that stops everything: no
/// estimate sees a deadlock, and the largest zones first put it off, since time passes on the way and clocks matter there. It
/// lies too deep for the first look; a later one finds it in a store of its own, with a run that the judge accepts.
#[test]
fn scouts_find_what_lies_deep() {
    let text = "
        int[0,6] id, busy;
        process W() { clock v; state a, b; init a; trans
            a -> b { guard v >= 5; }, a -> b { }, b -> a { assign v = 0; }; }
        process D() { clock y, z; int[0,1000] i; state count { y <= 3 }, stop; commit stop; init count; trans
            count -> count { guard i < 1000 && y >= 1 && busy >= 3; assign i++, y = 0; },
            count -> stop { guard i == 600 && z >= 600; }; }
        process P(const int[1,6] me) { clock x; state A, req { x <= 2 }, wait, cs; init A; trans
            A -> req { guard id == 0; assign x = 0, busy++; },
            req -> wait { guard x <= 2; assign x = 0, id = me; },
            wait -> req { guard id == 0; assign x = 0; },
            wait -> cs { guard x > 2 && id == me; assign busy--; },
            cs -> A { assign id = 0; }; }
        P1 = P(1); P2 = P(2); P3 = P(3); P4 = P(4); P5 = P(5); P6 = P(6);
        system W, D, P6, P5, P4, P3, P2, P1;";
    let mut model = Model::read("model.xta", text.as_bytes());
    let query = model.query("A[] not deadlock").query.expect("a query");
    let network = model.network().expect("a network");
    let run = || check(network, &query, &Config::default(), &mut |_| {}).expect("no fault");
    let report = run();
    assert_eq!(report.answer, Answer::Violated);
    let found_by = report.found_by.clone().unwrap_or_default();
    assert!(
        found_by.starts_with("a short blind look, depth first"),
        "{found_by}"
    );
    assert!(report.trace.is_some_and(|run| run.steps.len() >= 600));
    assert!(report.figures.explored < 50_000, "{:?}", report.figures);
    let again = run();
    assert_eq!(report.figures.explored, again.figures.explored);
    assert_eq!(again.found_by, Some(found_by));
}

/// Several threads search breadth first, which would not come to the end of this line among its companions in a long time; one
/// follows the estimates first.
#[test]
fn one_thread_follows_estimates_before_several_search() {
    let text = "
        process W(const int[1,12] me) { state a, b, c; init a; trans a -> b { }, b -> c { }, c -> a { }; }
        process P() { int[0,40] i; state a, b; init a; trans
            a -> a { guard i < 40; assign i++; }, a -> b { guard i == 40; }; }
        system W, P;";
    let mut model = Model::read("model.xta", text.as_bytes());
    let query = model.query("E<> P.b").query.expect("a query");
    let network = model.network().expect("a network");
    let run = |threads: usize| {
        let config = Config {
            threads,
            reduce: Some(Vec::new()),
            ..Config::default()
        };
        check(network, &query, &config, &mut |_| {}).expect("no fault")
    };
    let (one, two) = (run(1), run(2));
    assert_eq!(two.answer, Answer::Satisfied);
    assert_eq!(two.figures.explored, one.figures.explored);
    assert_eq!((two.search, two.found_by), (one.search, one.found_by));
}

#[test]
fn searches_that_would_not_do_what_their_names_say_are_refused() {
    let refused = |search: &str, heuristic: Option<&str>, threads: usize| {
        let config = Config {
            search: Some(search.parse().unwrap()),
            heuristic: heuristic.map(|name| name.parse().unwrap()),
            threads,
            ..Config::default()
        };
        config.validate().is_err()
    };
    assert!(refused("auto", Some("hl"), 1));
    assert!(!refused("auto", None, 2));
    assert!(refused("preferred", Some("hu"), 2));
    assert!(!refused("preferred", Some("hu"), 1));
    assert!(!refused("greedy", Some("hu"), 2));
}

/// A quantifier in a goal stands for its parts: those that hold anyway are left out, and the others are conditions of their
/// own. One with too many stays a condition.
#[test]
fn quantifiers_fall_into_parts() {
    let check = |query: &str, disjuncts: usize, conditions: usize| {
        let text = "int[0,3] a[4]; const int b[4] = { 0, 1, 1, 0 }; int[0,2000] many[2001]; int[0,9] k;
            process P() { state s; init s; trans s -> s { guard a[0] < 3; assign a[0]++; }; } system P;";
        let mut model = Model::read("model.xta", text.as_bytes());
        let query = model.query(query).query.expect("a query");
        let QueryKind::Possibly(formula) = &query.kind else {
            panic!("{query:?}");
        };
        let goal = Goal::of(model.network().expect("a network"), formula);
        assert_eq!(goal.disjuncts.len(), disjuncts, "{goal:?}");
        let most = goal
            .disjuncts
            .iter()
            .map(|conjunct| conjunct.data.len())
            .max();
        assert_eq!(most.unwrap_or(0), conditions, "{goal:?}");
    };
    check("E<> forall (i : int[0,3]) a[i] == i", 1, 4);
    check("E<> forall (i : int[0,3]) (i == 2 || a[i] == i)", 1, 3);
    check(
        "E<> forall (i : int[0,3]) (b[i] == 1 imply a[i] == i)",
        1,
        2,
    );
    check("E<> exists (i : int[0,3]) a[i] == 3", 4, 1);
    check("E<> not exists (i : int[0,3]) a[i] == 3", 1, 4);
    check(
        "E<> forall (i : int[0,3]) exists (j : int[0,3]) a[i] == j && a[j] == i",
        256,
        8,
    );
    check("E<> forall (i : int[0,2000]) many[i] == i", 1, 1);
    check("E<> forall (i : int[0,3]) a[(i + k) % 4] == i", 1, 4);
    check("E<> forall (i : int[0,3]) i < 4", 1, 0);
}
