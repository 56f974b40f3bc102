//! Random programs: the machine and the tree interpreter agree on values, memory, clocks and faults.

use super::generate::Generator;
use super::interpret::Interpreter;
use crate::code::{FaultKind, Machine, ProgramBuilder};
use crate::{Expr, Stmt};

enum Piece {
    Expression(Expr),
    Statements(Vec<Stmt>),
}

const STEPS: u64 = 4_000;
const PLENTY: u64 = 40_000_000;

/// Compares one network's programs; gives how many ended in a fault and how many were compared.
fn check(seed: u64, pieces: usize) -> (usize, usize) {
    let mut generator = Generator::new(seed);
    let programs: Vec<Piece> = (0..pieces)
        .map(|number| match number % 2 {
            0 => Piece::Expression(generator.expr(5)),
            _ => Piece::Statements(generator.stmts(4)),
        })
        .collect();
    let network = generator.network;
    let mut builder = ProgramBuilder::new(&network);
    let codes: Vec<_> = programs
        .iter()
        .map(|piece| match piece {
            Piece::Expression(expr) => builder.expression(expr),
            Piece::Statements(statements) => builder.statements(statements),
        })
        .collect();
    let program = builder.finish();
    let initial =
        |cells: &[crate::Cell]| cells.iter().map(|cell| cell.initial).collect::<Vec<i32>>();
    let fresh = Interpreter {
        network: &network,
        locations: network
            .processes
            .iter()
            .map(|process| process.initial.0 as i32)
            .collect(),
        state: initial(&network.state_cells),
        meta: initial(&network.meta_cells),
        local: vec![0; network.local_cells as usize],
        clock_updates: Vec::new(),
        steps: 0,
    };
    let mut oracle = fresh.clone();
    let mut machine = Machine::new(&program);
    machine.fuel = PLENTY;
    let (mut faults, mut compared) = (0, 0);
    for (piece, code) in programs.iter().zip(codes) {
        oracle.steps = STEPS;
        let expected = match piece {
            Piece::Expression(expr) => oracle.expr(expr),
            Piece::Statements(statements) => oracle.stmts(statements, None).map(|()| 0),
        };
        let endless = matches!(&expected, Err(fault) if fault.kind == FaultKind::StepLimit);
        if endless {
            // Long loops and endless ones are told apart by nobody: the machine only has to come back.
            machine.fuel = 300_000;
        }
        let got = machine.evaluate(&program, code);
        let got = match piece {
            Piece::Expression(_) => got,
            Piece::Statements(_) => got.map(|_| 0),
        };
        machine.fuel = PLENTY;
        if !endless {
            assert_eq!(
                got,
                expected,
                "seed {seed}, code {code:?}\n{:#?}",
                show(piece)
            );
            assert_eq!(
                &machine.memory[program.layout().state.clone()],
                &oracle.state[..],
                "seed {seed}, state after {code:?}\n{:#?}",
                show(piece)
            );
            assert_eq!(
                &machine.memory[program.layout().meta.clone()],
                &oracle.meta[..],
                "seed {seed}, meta after {code:?}"
            );
            assert_eq!(
                machine.clock_updates, oracle.clock_updates,
                "seed {seed}, clocks after {code:?}"
            );
            compared += 1;
        }
        if expected.is_err() || got.is_err() {
            faults += 1;
            oracle = fresh.clone();
            machine = Machine::new(&program);
            machine.fuel = PLENTY;
        }
        oracle.clock_updates.clear();
        machine.clock_updates.clear();
    }
    (faults, compared)
}

fn show(piece: &Piece) -> &dyn std::fmt::Debug {
    match piece {
        Piece::Expression(expr) => expr,
        Piece::Statements(statements) => statements,
    }
}

#[test]
fn machine_agrees_with_tree_interpreter() {
    let networks: u64 = std::env::var("MERKHET_CODE_NETWORKS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(3_000);
    let (mut faults, mut compared) = (0, 0);
    for seed in 0..networks {
        let (more_faults, more) = check(seed, 10);
        faults += more_faults;
        compared += more;
    }
    println!("{compared} programs compared, {faults} faults");
    if networks >= 3_000 {
        assert!(compared >= 20_000, "only {compared} programs were compared");
        assert!(
            faults >= 2_000 && faults <= compared * 3 / 4,
            "{faults} of {compared} programs fail"
        );
    }
}
