//! Assignments that define variables by each other: `b := !b` has no state, and everything would hold of it.
//!
//! As in NuSMV, what an assignment reads counts, whatever its value turns out to be. Assignments to the current state hold
//! in the initial and in the next state as well.

use merkhet_finite::VariableId;
use merkhet_smv::tree::AssignKind;
use merkhet_syntax::Span;
use rustc_hash::FxHashMap;

/// An assignment with the variables of the assigned state that it reads.
pub(super) struct Reads {
    pub kind: AssignKind,
    pub process: usize,
    pub variable: VariableId,
    pub reads: Vec<VariableId>,
    pub span: Span,
}

/// An assignment on a cycle, if there is one in the initial state or in the step of a process.
pub(super) fn cycle(assignments: &[Reads]) -> Option<&Reads> {
    let processes = assignments.iter().map(|one| one.process).max()? + 1;
    let initial = |one: &Reads| one.kind != AssignKind::Next;
    (cycle_among(assignments, &initial)).or_else(|| {
        (0..processes).find_map(|process| {
            cycle_among(assignments, &|one| match one.kind {
                AssignKind::Current => true,
                AssignKind::Next => one.process == process,
                AssignKind::Init => false,
            })
        })
    })
}

/// Leaves out what reads nothing that is left, until nothing changes: what stays is on a cycle or leads to one.
fn cycle_among<'r>(assignments: &'r [Reads], counts: &dyn Fn(&Reads) -> bool) -> Option<&'r Reads> {
    let mut left: FxHashMap<VariableId, &Reads> = (assignments.iter())
        .filter(|one| counts(one))
        .map(|one| (one.variable, one))
        .collect();
    loop {
        let done: Vec<VariableId> = (left.values())
            .filter(|one| !one.reads.iter().any(|read| left.contains_key(read)))
            .map(|one| one.variable)
            .collect();
        if done.is_empty() {
            // The first in the text.
            return (assignments.iter()).find(|one| {
                left.get(&one.variable)
                    .is_some_and(|other| std::ptr::eq(*other, *one))
            });
        }
        for variable in done {
            left.remove(&variable);
        }
    }
}
