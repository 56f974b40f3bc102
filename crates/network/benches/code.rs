//! What an evaluation costs: a loop over eight elements and the guards and updates that models are made of.

use divan::{Bencher, black_box};
use merkhet_network::code::{CodeId, Machine, Program, ProgramBuilder};
use merkhet_network::*;

fn main() {
    divan::main();
}

const N: u32 = 8;

fn state(offset: u32) -> Address {
    Address {
        region: Region::State,
        offset,
    }
}

fn local(offset: u32) -> Address {
    Address {
        region: Region::Local,
        offset,
    }
}

/// Cells 0 to 7 are an array, 8 to 11 are single variables.
fn network(elements: u32) -> Network {
    let cell = Cell {
        low: 0,
        high: 100,
        initial: 3,
        variable: VariableId(0),
    };
    Network {
        state_cells: vec![cell; elements as usize + 4],
        local_cells: 8,
        ..Network::default()
    }
}

fn element(index: Expr, elements: u32) -> Place {
    Place {
        base: state(0),
        indices: vec![Index {
            value: index,
            stride: 1,
            length: elements,
            site: SiteId::NONE,
        }],
    }
}

fn assign(target: Place, value: Expr, high: i32) -> Stmt {
    Stmt::Assign {
        target,
        value,
        low: 0,
        high,
        site: SiteId::NONE,
    }
}

/// `int total() { int t = 0; for (i : 0..n-1) { if (a[i] > 2) t = t + a[i]; } return t; }`
fn loop_function(elements: u32, counted: bool) -> (Network, Expr) {
    let mut network = network(elements);
    let item = || Expr::Load(element(Expr::load(local(0)), elements));
    let add = assign(
        Place::cell(local(1)),
        Expr::binary(BinaryOp::Add, Expr::load(local(1)), item()),
        i32::MAX,
    );
    let body = vec![Stmt::If {
        condition: Expr::binary(BinaryOp::Greater, item(), Expr::Const(2)),
        then: vec![add],
        otherwise: Vec::new(),
    }];
    let start = assign(Place::cell(local(1)), Expr::Const(0), i32::MAX);
    let mut statements = vec![start];
    if counted {
        let next = Expr::binary(BinaryOp::Add, Expr::load(local(0)), Expr::Const(1));
        statements.push(assign(Place::cell(local(0)), Expr::Const(0), i32::MAX));
        let mut body = body;
        body.push(assign(Place::cell(local(0)), next, i32::MAX));
        statements.push(Stmt::While {
            condition: Expr::binary(
                BinaryOp::Less,
                Expr::load(local(0)),
                Expr::Const(elements as i32),
            ),
            body,
            test_first: true,
            site: SiteId::NONE,
        });
    } else {
        statements.push(Stmt::For {
            variable: local(0),
            low: 0,
            high: elements as i32 - 1,
            body,
            site: SiteId::NONE,
        });
    }
    statements.push(Stmt::Return(Some(Expr::load(local(1)))));
    network.functions.push(Function {
        name: "total".into(),
        parameters: Vec::new(),
        result: Some((local(2), 1)),
        body: statements,
    });
    let call = Expr::Call {
        function: FunctionId(0),
        arguments: Vec::new(),
        site: SiteId::NONE,
    };
    (network, call)
}

fn compiled(network: &Network, expr: &Expr) -> (Program, CodeId) {
    let mut builder = ProgramBuilder::new(network);
    let code = builder.expression(expr);
    (builder.finish(), code)
}

fn run(bencher: Bencher, network: &Network, expr: &Expr) {
    let (program, code) = compiled(network, expr);
    let mut machine = Machine::new(&program);
    bencher.bench_local(|| machine.evaluate(black_box(&program), black_box(code)));
}

/// `for (i : 0..7)`, unrolled.
#[divan::bench]
fn loop_over_8(bencher: Bencher) {
    let (network, expr) = loop_function(N, false);
    run(bencher, &network, &expr);
}

/// The loop with a hand-written counter, which is not unrolled.
#[divan::bench]
fn while_loop_over_8(bencher: Bencher) {
    let (network, expr) = loop_function(N, true);
    run(bencher, &network, &expr);
}

/// `for (i : 0..63)`: too long to be unrolled.
#[divan::bench]
fn loop_over_64(bencher: Bencher) {
    let (network, expr) = loop_function(64, false);
    run(bencher, &network, &expr);
}

/// `forall (i : 0..7) a[i] < 5`.
#[divan::bench]
fn forall_8(bencher: Bencher) {
    let network = network(N);
    let item = Expr::Load(element(Expr::load(local(0)), N));
    let expr = Expr::Quantified {
        quantifier: Quantifier::Forall,
        variable: local(0),
        low: 0,
        high: 7,
        body: Box::new(Expr::binary(BinaryOp::Less, item, Expr::Const(5))),
        site: SiteId::NONE,
    };
    run(bencher, &network, &expr);
}

/// `x == 3`.
#[divan::bench]
fn guard_cell_is_number(bencher: Bencher) {
    let expr = Expr::binary(BinaryOp::Equal, Expr::load(state(8)), Expr::Const(3));
    run(bencher, &network(N), &expr);
}

/// `x == 3 && y < 7 && z != 0`.
#[divan::bench]
fn guard_three_conjuncts(bencher: Bencher) {
    let part = |op, cell, value| Expr::binary(op, Expr::load(state(cell)), Expr::Const(value));
    let expr = Expr::And(vec![
        part(BinaryOp::Equal, 8, 3),
        part(BinaryOp::Less, 9, 7),
        part(BinaryOp::NotEqual, 10, 0),
    ]);
    run(bencher, &network(N), &expr);
}

/// `a[x] == y`.
#[divan::bench]
fn guard_array_element(bencher: Bencher) {
    let expr = Expr::binary(
        BinaryOp::Equal,
        Expr::Load(element(Expr::load(state(8)), N)),
        Expr::load(state(9)),
    );
    run(bencher, &network(N), &expr);
}

/// `x = x + 1, a[y] = x, x = 3`.
#[divan::bench]
fn update_three_assignments(bencher: Bencher) {
    let network = network(N);
    let mut builder = ProgramBuilder::new(&network);
    let next = Expr::binary(BinaryOp::Add, Expr::load(state(8)), Expr::Const(1));
    let code = builder.statements(&[
        assign(Place::cell(state(8)), next, 100),
        assign(element(Expr::load(state(9)), N), Expr::load(state(8)), 100),
        assign(Place::cell(state(8)), Expr::Const(3), 100),
    ]);
    let program = builder.finish();
    let mut machine = Machine::new(&program);
    bencher.bench_local(|| machine.run(black_box(&program), black_box(code)));
}
