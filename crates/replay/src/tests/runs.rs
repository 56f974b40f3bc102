//! Runs and near-runs: the judge and the sampling oracle agree on every trace.

use merkhet_network::{EdgeId, Ending, ProcessId, QueryKind, Trace};
use merkhet_testing::{Profile, Random, generate, is_run, walk};

use super::{query, seeds};
use crate::judge_trace;

fn check(seed: u64, profile: &Profile) {
    let (network, _) = generate(seed, profile);
    let explore = query(QueryKind::Explore);
    let Ok((trace, visited)) = walk(&network, seed, 4, 8) else {
        return;
    };
    let replayed = judge_trace(&network, &explore, &trace)
        .unwrap_or_else(|rejection| panic!("seed {seed}: {rejection}\n{trace:?}"));
    assert_eq!(replayed.steps.len(), visited.len() - 1, "seed {seed}");
    for (after, (discrete, values)) in replayed.states().zip(&visited[1..]) {
        assert_eq!(after.locations, discrete.locations, "seed {seed}");
        assert_eq!(after.cells, discrete.cells, "seed {seed}");
        let clocks: Vec<i128> = values.iter().map(|value| i128::from(*value)).collect();
        assert_eq!(after.clocks, clocks, "seed {seed}");
    }
    let mut random = Random::new(seed);
    for _ in 0..6 {
        let mutant = mutate(&trace, &mut random);
        let Ok(expected) = is_run(&network, &mutant) else {
            continue;
        };
        let judged = judge_trace(&network, &explore, &mutant);
        assert_eq!(
            judged.is_ok(),
            expected,
            "seed {seed}: {judged:?}\n{mutant:?}"
        );
    }
}

/// A trace with one thing changed.
fn mutate(trace: &Trace, random: &mut Random) -> Trace {
    let mut mutant = trace.clone();
    let index = random.below(mutant.steps.len());
    let Some(step) = mutant.steps.get_mut(index) else {
        mutant.last_delay = random.below(20) as i64 - 2;
        return mutant;
    };
    match random.below(7) {
        0 => step.delay += random.below(9) as i64 - 4,
        1 => {
            mutant.steps.remove(index);
        }
        2 => mutant.last_delay = random.below(20) as i64 - 1,
        3 => {
            step.transition.edges.pop();
        }
        4 => step.transition.edges.reverse(),
        5 => {
            let process = ProcessId::from(random.below(4));
            let edge = EdgeId::from(random.below(5));
            step.transition.edges.push((process, edge));
        }
        _ => {
            if let Some(edge) = step.transition.edges.first_mut() {
                edge.1 = EdgeId::from(random.below(6));
            }
        }
    }
    mutant
}

#[test]
fn runs_are_accepted_and_near_runs_judged_alike() {
    for (offset, profile) in [
        Profile::default(),
        Profile::everything(),
        Profile::diagonal(),
        Profile {
            faults: true,
            ..Profile::everything()
        },
    ]
    .iter()
    .enumerate()
    {
        for seed in 0..seeds(400) {
            check(seed + 10_000 * offset as u64, profile);
        }
    }
}

#[test]
fn hostile_traces_are_rejected_without_panic() {
    let (network, _) = generate(1, &Profile::default());
    let explore = query(QueryKind::Explore);
    let empty = Trace {
        scale: 1,
        steps: Vec::new(),
        last_delay: 0,
        ending: Ending::State,
    };
    assert!(judge_trace(&network, &explore, &empty).is_ok());
    for (scale, last_delay, ending) in [
        (0, 0, Ending::State),
        (-1, 0, Ending::State),
        (1, -1, Ending::State),
        (1, 0, Ending::Loop(0)),
        (1, 0, Ending::Loop(usize::MAX)),
        (i64::MAX, i64::MIN, Ending::State),
    ] {
        let trace = Trace {
            scale,
            last_delay,
            ending,
            ..empty.clone()
        };
        assert!(judge_trace(&network, &explore, &trace).is_err());
    }
    for (process, edge) in [(0, u32::MAX), (u32::MAX, 0)] {
        let mut trace = empty.clone();
        trace.steps.push(merkhet_network::Step {
            delay: i64::MAX,
            transition: merkhet_network::Transition {
                edges: vec![(ProcessId(process), EdgeId(edge))],
            },
        });
        assert!(judge_trace(&network, &explore, &trace).is_err());
    }
}
