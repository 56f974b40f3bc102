//! h^L and h^U with clocks next to true distances: in every region of random networks, and in networks made of what the
//! estimates look at: cycles under invariants, timers, resets, committed and urgent locations, pairs that move together.

use std::collections::HashMap;

use merkhet_heuristics::atg::Graph;
use merkhet_heuristics::{DEAD_END, Goal};
use merkhet_network::{Formula, Network};
use merkhet_testing::{Profile, Random, Region, RegionGraph, generate};
use merkhet_zones::bound::{Bound, le, lt};

use crate::support::{goal, profile, setting};
use crate::text::model;

/// The zone of a region: its representative with the nearest bounds.
pub fn zone_of(region: &Region) -> Vec<Bound> {
    let (mut values, scale) = region.valuation();
    values.insert(0, 0);
    let bound = |difference: i64| {
        let whole = difference.div_euclid(scale) as i32;
        match difference.rem_euclid(scale) {
            0 => le(whole),
            _ => lt(whole + 1),
        }
    };
    let pairs = values
        .iter()
        .flat_map(|left| values.iter().map(move |right| left - right));
    pairs.map(bound).collect()
}

/// How many states were compared, and what clocks changed.
#[derive(Default, Debug)]
struct Compared {
    states: usize,
    larger: usize,
    dead_ends: usize,
    exact: usize,
}

fn check(
    network: &Network,
    formula: &Formula,
    graph: &RegionGraph,
    sum: &mut Compared,
) -> Result<(), String> {
    let Ok(distances) = graph.distances(formula) else {
        return Ok(());
    };
    let mut plain = Graph::new(network, &Goal::of(network, formula));
    let mut clocks = Graph::with_clocks(network, &Goal::with_clocks(network, formula));
    let lower_in = |graph: &mut Graph, memory: &[i32], zone: &[Bound]| {
        let forced = graph.forced_in(memory, zone);
        graph.layer_in(memory, zone).max(forced)
    };
    let (mut by_words, mut by_thresholds) = (HashMap::new(), HashMap::new());
    for (node, distance) in graph.nodes.iter().zip(distances) {
        let locations = node.discrete.locations.iter().map(|l| l.0 as i32);
        let memory: Vec<i32> = locations
            .chain(node.discrete.cells.iter().copied())
            .collect();
        let zone = zone_of(&node.region);
        let without = plain.lower(&memory);
        let lower = lower_in(&mut clocks, &memory, &zone);
        let upper = clocks.upper_in(&memory, &zone);
        let again = lower_in(&mut clocks, &memory, &zone);
        let wrong = match distance {
            Some(distance) => lower > distance || upper == DEAD_END,
            None => false,
        };
        // States with the same words must have the same values: a table may be put in front.
        let mut words = vec![0; clocks.zone_words()];
        clocks.zone_key(&zone, &mut words);
        let thresholds = words[..clocks.threshold_words()].to_vec();
        let values = (
            clocks.forced_in(&memory, &zone),
            clocks.length_in(&memory, &zone),
        );
        let forced = *by_words.entry((memory.clone(), words)).or_insert(values.0);
        let length = *by_thresholds
            .entry((memory.clone(), thresholds))
            .or_insert(values.1);
        if (forced, length) != values {
            return Err(format!(
                "{values:?}, with the same words {forced} and {length}, at {memory:?}"
            ));
        }
        let consistent = lower >= without && again == lower && upper >= lower;
        if wrong || !consistent || (lower == DEAD_END) != (upper == DEAD_END) {
            return Err(format!(
                "h^L {without}, with clocks {lower} (again {again}), h^U {upper}, distance {distance:?} at {memory:?} \
                 {zone:?}"
            ));
        }
        sum.states += 1;
        sum.larger += usize::from(lower > without && lower != DEAD_END);
        sum.dead_ends += usize::from(lower == DEAD_END && without != DEAD_END);
        sum.exact += usize::from(Some(lower) == distance);
    }
    Ok(())
}

/// Profiles that stress clocks, next to the usual ones.
fn timed(seed: u64) -> Profile {
    match seed % 8 {
        0..4 => profile(seed),
        4 => Profile {
            clocks: 3,
            constant: 3,
            ..Profile::everything()
        },
        5 => Profile {
            vectors: true,
            ..Profile::everything()
        },
        6 => Profile::diagonal(),
        _ => Profile {
            variables: 0,
            clocks: 3,
            constant: 3,
            ..Profile::default()
        },
    }
}

#[test]
fn estimates_with_clocks_keep_what_they_promise() {
    let mut sum = Compared::default();
    let first = setting("MERKHET_SEED", 0);
    for seed in first..first + setting("MERKHET_NETWORKS", 2000) {
        let (network, queries) = generate(seed, &timed(seed));
        let Ok(graph) = RegionGraph::build(&network, &queries, 3000) else {
            continue;
        };
        for formula in queries.iter().filter_map(goal) {
            if let Err(problem) = check(&network, &formula, &graph, &mut sum) {
                panic!("seed {seed}, {formula:?}: {problem}\n{network:#?}");
            }
        }
    }
    println!("{sum:?}");
    assert!(sum.states > 10_000, "{sum:?}: too few");
    assert!(sum.larger * 50 > sum.states, "{sum:?}: clocks say nothing");
    assert!(sum.dead_ends > 100, "{sum:?}: too easy");
}

/// A process that goes round under an invariant, and sometimes tells another or waits for it.
fn round(name: &str, random: &mut Random) -> String {
    let bound = random.between(1, 3);
    let places = random.between(1, 3);
    let mut text = format!("process {name}() {{ clock z; int[0,2] k; state ");
    let mut special = [Vec::new(), Vec::new()];
    let states: Vec<String> = (0..places)
        .map(|at| {
            let hurried = at > 0 && random.chance(25);
            if hurried {
                special[random.below(2)].push(format!("s{at}"));
            }
            match random.below(6) {
                0 => format!("s{at}"),
                1 => format!("s{at} {{ z < {} }}", bound + 1),
                _ => format!("s{at} {{ z <= {bound} }}"),
            }
        })
        .collect();
    text += &format!("{}; ", states.join(", "));
    for (word, list) in ["commit", "urgent"].iter().zip(special) {
        if !list.is_empty() {
            text += &format!("{word} {}; ", list.join(", "));
        }
    }
    text += "init s0; trans ";
    let mut edges = Vec::new();
    for at in 0..places {
        for _ in 0..random.between(1, 2) {
            let to = if random.chance(75) {
                (at + 1) % places
            } else {
                at
            };
            let guard = match random.below(6) {
                0 => format!("guard z >= {};", random.between(1, bound)),
                1 => format!("guard z <= {};", random.between(0, bound)),
                2 => String::from("guard k == 0;"),
                3 => String::from("guard k > 0;"),
                _ => String::new(),
            };
            let sync = match random.below(8) {
                0 => "sync a!;",
                1 => "sync a?;",
                2 => "sync b!;",
                3 => "sync b?;",
                _ => "",
            };
            let mut updates = Vec::new();
            if random.chance(60) {
                updates.push(format!("z = {}", if random.chance(85) { 0 } else { 1 }));
            }
            if random.chance(40) {
                updates.push(format!("k = {}", random.between(0, 2)));
            }
            if random.chance(10) {
                updates.push(String::from("y = 0"));
            }
            let assign = match updates.is_empty() {
                true => String::new(),
                false => format!("assign {};", updates.join(", ")),
            };
            edges.push(format!("s{at} -> s{to} {{ {guard} {sync} {assign} }}"));
        }
    }
    text + &format!("{}; }}\n", edges.join(", "))
}

/// A process that goes on when time has passed.
fn timer(random: &mut Random) -> String {
    let steps = random.between(2, 4);
    let mut edges = Vec::new();
    for at in 0..steps {
        let guard = match random.below(5) {
            0 => format!("y <= {}", random.between(0, 2)),
            1 => format!("y > {}", random.between(1, 5)),
            2 => String::from("true"),
            _ => format!("y >= {}", random.between(2, 6)),
        };
        let update = match random.below(4) {
            0 => String::new(),
            1 => format!("assign n = {};", random.between(0, 2)),
            2 => String::from("assign y = 0, n = 1;"),
            _ => String::from("assign y = 0;"),
        };
        let to = at + 1;
        edges.push(format!("t{at} -> t{to} {{ guard {guard}; {update} }}"));
        if random.chance(30) {
            edges.push(format!("t{at} -> t{at} {{ assign y = 0; }}"));
        }
        if random.chance(20) {
            edges.push(format!("t{at} -> t{to} {{ guard n == 2; }}"));
        }
    }
    let names: Vec<String> = (0..=steps).map(|at| format!("t{at}")).collect();
    format!(
        "process T() {{ state {}; init t0; trans {}; }}\n",
        names.join(", "),
        edges.join(", ")
    )
}

fn network(seed: u64) -> (String, String) {
    let mut random = Random::new(seed);
    let broadcast = if random.chance(30) { "broadcast " } else { "" };
    let mut text = format!("clock y; chan a; {broadcast}chan b; int[0,2] n;\n");
    text += &round("P", &mut random);
    let second = random.chance(60);
    if second {
        text += &round("Q", &mut random);
    }
    text += &timer(&mut random);
    text += if second {
        "system P, Q, T;"
    } else {
        "system P, T;"
    };
    let goal = match random.below(6) {
        0 => format!("E<> T.t2 and y >= {}", random.between(1, 5)),
        1 => format!("E<> T.t2 and y <= {}", random.between(0, 3)),
        2 => String::from("E<> T.t2 and P.k == 1"),
        3 => format!("E<> n == {}", random.between(1, 2)),
        4 => format!("E<> y > {} or T.t2", random.between(3, 6)),
        _ => String::from("E<> T.t2"),
    };
    (text, goal)
}

#[test]
fn cycles_and_timers_keep_what_they_promise() {
    let mut sum = Compared::default();
    let first = setting("MERKHET_SEED", 0);
    for seed in first..first + setting("MERKHET_NETWORKS", 1500) {
        let (text, goal) = network(seed);
        let (network, formula) = model(&text, &goal);
        let query = [merkhet_network::Query {
            text: goal.clone(),
            comment: String::new(),
            site: merkhet_network::SiteId::NONE,
            kind: merkhet_network::QueryKind::Possibly(formula.clone()),
        }];
        let Ok(graph) = RegionGraph::build(&network, &query, 3000) else {
            continue;
        };
        if let Err(problem) = check(&network, &formula, &graph, &mut sum) {
            panic!("seed {seed}, {goal}: {problem}\n{text}");
        }
    }
    println!("{sum:?}");
    assert!(sum.larger * 10 > sum.states, "{sum:?}: clocks say nothing");
    assert!(sum.dead_ends * 50 > sum.states, "{sum:?}: too easy");
    assert!(
        sum.exact * 4 > sum.states,
        "{sum:?}: far from the distances"
    );
}
