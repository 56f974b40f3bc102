//! Endings of liveness traces, against the region graph.

use merkhet_network::{Ending, Formula, QueryKind, Trace};
use merkhet_testing::{Answer, Profile, RegionGraph, generate, walk};

use super::{query, seeds, truth};
use crate::judge_trace;

const LIMIT: usize = 4_000;

/// From which (node, position of the loop) the loop can be followed for ever within the allowed nodes: the exact
/// answer, on the region graph.
fn repeats(graph: &RegionGraph<'_>, allowed: &[bool], trace: &Trace, first: usize) -> Vec<bool> {
    let cycle = &trace.steps[first..];
    let (nodes, length) = (graph.nodes.len(), cycle.len());
    let mut left: Vec<bool> = (0..nodes * length).map(|at| allowed[at / length]).collect();
    loop {
        // A delay alone is no progress: from a state that is left, a later one with the loop's next transition.
        let mut changed = false;
        for node in 0..nodes {
            for position in 0..length {
                if !left[node * length + position] {
                    continue;
                }
                let edges = &cycle[position].transition.edges;
                let mut at = Some(node);
                let mut goes_on = false;
                while let Some(here) = at.filter(|here| allowed[*here]) {
                    goes_on |= graph.nodes[here].actions.iter().any(|(taken, target)| {
                        taken == edges && left[target * length + (position + 1) % length]
                    });
                    at = graph.nodes[here].delay;
                }
                if !goes_on {
                    left[node * length + position] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return (0..nodes).map(|node| left[node * length]).collect();
        }
    }
}

/// Returns how many loops were accepted and rejected.
fn check(seed: u64, profile: &Profile) -> [usize; 2] {
    let mut count = [0, 0];
    let (network, queries) = generate(seed, profile);
    let Ok(graph) = RegionGraph::build(&network, &queries, LIMIT) else {
        return count;
    };
    let Ok((trace, visited)) = walk(&network, seed, 4, 8) else {
        return count;
    };
    let mut formulas = vec![truth()];
    for query in &queries {
        if let QueryKind::PotentiallyAlways(formula) = &query.kind {
            formulas.push(formula.clone());
            formulas.push(Formula::Or(vec![formula.clone(), Formula::Deadlock]));
        }
    }
    for formula in formulas {
        let allowed = graph.satisfying(&formula).expect("formula");
        let always = query(QueryKind::PotentiallyAlways(formula.clone()));
        let holds = graph.answer(&always, LIMIT).expect("answer") == Answer::Verdict(true);
        let plain = Trace {
            ending: Ending::Diverges,
            ..trace.clone()
        };
        let judged = |trace: &Trace| -> Result<(), String> {
            let accepted = judge_trace(&network, &always, trace).map(|_| ());
            assert!(
                holds || accepted.is_err(),
                "seed {seed}: accepted {trace:?}"
            );
            accepted.map_err(|rejection| rejection.to_string())
        };
        let last = &visited[trace.steps.len()];
        let node = graph.find(&last.0, &last.1, 4).expect("reached node");
        // Diverging and deadlock are exact, too, wherever the formula holds on the way.
        let stays = judged(&plain).is_ok();
        if stays {
            let mut at = node;
            while let Some(next) = graph.nodes[at].delay {
                assert!(allowed[at], "seed {seed}");
                at = next;
            }
            assert!(graph.nodes[at].endless, "seed {seed}");
        }
        let stuck = Trace {
            ending: Ending::Deadlock,
            ..trace.clone()
        };
        if judged(&stuck).is_ok() {
            assert!(graph.is_deadlock(node), "seed {seed}");
        }
        for first in 0..trace.steps.len() {
            let (from, to) = (&visited[first], &visited[trace.steps.len()]);
            if from.0 != to.0 {
                continue;
            }
            let looping = Trace {
                ending: Ending::Loop(first),
                ..trace.clone()
            };
            let verdict = judged(&looping);
            if let Err(reason) = &verdict
                && !reason.contains("the loop:")
            {
                continue;
            }
            let node = graph.find(&from.0, &from.1, 4).expect("reached node");
            let expected = repeats(&graph, &allowed, &trace, first)[node];
            assert_eq!(
                verdict.is_ok(),
                expected,
                "seed {seed}: {verdict:?} {first}"
            );
            count[usize::from(!expected)] += 1;
        }
    }
    count
}

#[test]
fn loops_are_accepted_exactly_if_they_can_be_repeated() {
    let mut total = [0, 0];
    for (offset, profile) in [Profile::timed(), Profile::default(), Profile::everything()]
        .iter()
        .enumerate()
    {
        for seed in 0..seeds(250) {
            let count = check(seed + 20_000 * offset as u64, profile);
            total = [total[0] + count[0], total[1] + count[1]];
        }
    }
    assert!(
        total[0] > 100 && total[1] > 20,
        "loops accepted and rejected: {total:?}"
    );
}
