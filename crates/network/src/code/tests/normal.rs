//! The normal form of a network behaves like the network itself.

use super::generate::Generator;
use crate::code::{ClockUpdate, FaultKind, Machine, ProgramBuilder};
use crate::print::normalised;
use crate::*;

/// What an edge does from the initial state: the guard's value, state and meta variables, clocks.
type Outcome = (
    Result<i32, FaultKind>,
    Result<(Vec<i32>, Vec<ClockUpdate>), FaultKind>,
);

fn run(network: &Network) -> Outcome {
    let edge = &network.processes[0].edges[0];
    let mut builder = ProgramBuilder::new(network);
    let guard = builder.expression(edge.guard.data.as_ref().unwrap_or(&Expr::TRUE));
    let update = builder.statements(&edge.update);
    let program = builder.finish();
    let mut machine = Machine::new(&program);
    let guard = machine
        .evaluate(&program, guard)
        .map(|value| i32::from(value != 0));
    let mut machine = Machine::new(&program);
    let update = machine.run(&program, update).map(|()| {
        let kept = program.layout().state.start..program.layout().meta.end;
        (machine.memory[kept].to_vec(), machine.clock_updates.clone())
    });
    (
        guard.map_err(|fault| fault.kind),
        update.map_err(|fault| fault.kind),
    )
}

/// A check that is done twice may be done once: only where the steps run out may the outcomes differ.
fn may_differ(first: &Outcome, second: &Outcome) -> bool {
    let stopped = |kind: &FaultKind| *kind == FaultKind::StepLimit;
    first.0.as_ref().is_err_and(stopped)
        || first.1.as_ref().is_err_and(stopped)
        || second.1.as_ref().is_err_and(stopped)
}

#[test]
fn normal_forms_behave_alike() {
    let mut compared = 0;
    for seed in 0..4_000 {
        let mut generator = Generator::new(seed);
        let edge = Edge {
            source: LocationId(0),
            target: LocationId(1),
            guard: Guard {
                data: Some(generator.expr(4)),
                clocks: Vec::new(),
            },
            sync: Sync::Internal,
            update: generator.stmts(3),
            select: Vec::new(),
            origin: 0,
            site: SiteId::NONE,
        };
        let mut network = generator.network;
        network.processes[0].edges.push(edge);
        let normal = normalised(&network);
        let again = normalised(&normal);
        let lines = |network: &Network| {
            format!("{network:#?}")
                .lines()
                .map(String::from)
                .collect::<Vec<_>>()
        };
        if again != normal {
            let (a, b) = (lines(&normal), lines(&again));
            let at = a.iter().zip(&b).position(|(a, b)| a != b).unwrap_or(0);
            let range = at.saturating_sub(30)..at + 30;
            panic!(
                "seed {seed}: the normal form has another one:\n{:#?}\n{:#?}",
                a.get(range.clone()),
                b.get(range)
            );
        }
        let (first, second) = (run(&network), run(&normal));
        if !may_differ(&first, &second) {
            assert_eq!(
                first, second,
                "seed {seed}\n{:#?}\n{:#?}",
                network.processes[0].edges, normal.processes[0].edges
            );
            compared += 1;
        }
    }
    assert!(compared > 3_000, "only {compared} networks were compared");
}
