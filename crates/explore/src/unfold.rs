//! From a path through representatives to a run of the network.
//!
//! A search under permutations stores a representative for each state, and with it the edges that led there from the
//! representative before. Each of these is the state of a run of the network, permuted. So the path is gone through once more,
//! with the run beside it: where the path takes a transition, the run takes the one that leads to the permuted state.

use std::ops::ControlFlow;

use merkhet_semantics::{EdgeIndex, Explorer, Permutation, State, System};
use merkhet_zones::bound::Bound;

use crate::trace::SymbolicTrace;

/// A state of its own.
#[derive(Clone, PartialEq, Eq)]
struct Whole {
    memory: Vec<i32>,
    zone: Vec<Bound>,
}

impl Whole {
    fn of(state: State<'_>) -> Whole {
        Whole {
            memory: state.memory.to_vec(),
            zone: state.zone.to_vec(),
        }
    }

    fn state(&self) -> State<'_> {
        State {
            memory: &self.memory,
            zone: &self.zone,
        }
    }
}

/// Where the path and the run are.
struct Place {
    /// The number of transitions before.
    depth: usize,
    path: Whole,
    run: Whole,
    /// What makes the one of the other.
    permutation: Permutation,
    /// The edges by which the run came here.
    edges: Vec<EdgeIndex>,
}

/// The run that a path through representatives stands for; the path itself where there are none. If it cannot be found the
/// path remains, which the judge will not accept.
pub(crate) fn unfold(system: &System, path: SymbolicTrace) -> SymbolicTrace {
    match system.is_symmetric() {
        true => run(system, &path).unwrap_or(path),
        false => path,
    }
}

fn run(system: &System, trace: &SymbolicTrace) -> Option<SymbolicTrace> {
    let mut explorer = Explorer::plain(system);
    let mut places = Vec::new();
    let found = explorer.initial(&mut |successor| {
        places.push(place(
            system,
            0,
            successor.state,
            &system.identity(),
            None,
            Vec::new(),
        ));
        ControlFlow::Continue(())
    });
    let _flow = found.ok()?;
    // Where a transition has several parts, those are tried one after the other.
    let mut run: Vec<Vec<EdgeIndex>> = Vec::new();
    while let Some(at) = places.pop() {
        run.truncate(at.depth.saturating_sub(1));
        if at.depth > 0 {
            run.push(at.edges.clone());
        }
        let Some(next) = trace.transitions.get(at.depth) else {
            let mut holds = |goal| explorer.satisfies(goal, at.path.state(), None);
            if trace.goal.is_none_or(|goal| holds(goal).unwrap_or(false)) {
                return Some(SymbolicTrace {
                    transitions: run,
                    goal: trace.goal,
                });
            }
            continue;
        };
        let mut targets = Vec::new();
        let followed = explorer.follow(at.path.state(), next, &mut |successor| {
            targets.push(Whole::of(successor.state));
            ControlFlow::Continue(())
        });
        // A fault behind the path is none of it.
        if followed.is_err() && targets.is_empty() {
            continue;
        }
        for target in targets {
            let mut there = target.clone();
            let back = at.permutation.inverse();
            system.permute(&back, &mut there.memory, &mut there.zone);
            let mut edges = None;
            let _ = explorer.successors(at.run.state(), &mut |successor| {
                if successor.state.memory == there.memory && successor.state.zone == there.zone {
                    edges = Some(successor.edges.to_vec());
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            let Some(edges) = edges else { continue };
            let depth = at.depth + 1;
            let permutation = &at.permutation;
            places.push(place(
                system,
                depth,
                target.state(),
                permutation,
                Some(there),
                edges,
            ));
        }
    }
    None
}

/// A state of the path that was found from a representative by a permutation of the run.
fn place(
    system: &System,
    depth: usize,
    target: State<'_>,
    before: &Permutation,
    run: Option<Whole>,
    edges: Vec<EdgeIndex>,
) -> Place {
    let (memory, zone, permutation) = system.representative(target);
    Place {
        depth,
        path: Whole { memory, zone },
        run: run.unwrap_or_else(|| Whole::of(target)),
        permutation: before.then(&permutation),
        edges,
    }
}
