//! Each fault by name, with its site and its sentence.

use super::super::*;
use crate::*;

fn small() -> Network {
    let mut network = Network {
        local_cells: 4,
        ..Network::default()
    };
    for _ in 0..5 {
        network.state_cells.push(Cell {
            low: 0,
            high: 3,
            initial: 2,
            variable: VariableId(0),
        });
    }
    network
}

fn state(offset: u32) -> Address {
    Address {
        region: Region::State,
        offset,
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right), SiteId(7))
}

fn check(expr: Expr, sentence: &str) {
    let network = small();
    let fault = evaluate_constant(&network, &expr, 1_000).expect_err(sentence);
    assert_eq!(fault.to_string(), sentence);
    assert_eq!(fault.site, SiteId(7), "{sentence}");
}

#[test]
fn every_fault_says_what_and_where() {
    let x = || Expr::load(state(0));
    check(
        binary(BinaryOp::Divide, x(), Expr::Const(0)),
        "division by zero",
    );
    check(
        binary(BinaryOp::Remainder, Expr::Const(1), Expr::Const(0)),
        "division by zero",
    );
    check(
        binary(BinaryOp::ShiftLeft, x(), Expr::Const(-1)),
        "a shift by -1 bits; the number must be within [0,31]",
    );
    check(
        binary(BinaryOp::ShiftRight, x(), Expr::Const(32)),
        "a shift by 32 bits; the number must be within [0,31]",
    );
    check(
        binary(BinaryOp::Power, x(), Expr::Const(-2)),
        "the exponent -2 is negative",
    );
    check(
        binary(BinaryOp::Divide, Expr::Const(i32::MIN), Expr::Const(-1)),
        "the quotient does not fit in 32 bits",
    );
    check(
        Expr::Checked {
            value: Box::new(x()),
            low: 5,
            high: 6,
            site: SiteId(7),
        },
        "the value 2 is outside the range [5,6]",
    );
    let index = |value| Index {
        value,
        stride: 1,
        length: 2,
        site: SiteId(7),
    };
    check(
        Expr::Load(Place {
            base: state(0),
            indices: vec![index(x())],
        }),
        "the index 2 is outside an array of 2 elements",
    );
    let reset = |value| {
        let reset = Stmt::Reset {
            clock: ClockPlace {
                base: ClockId(0),
                indices: Vec::new(),
            },
            value: Expr::Const(value),
            site: SiteId(7),
        };
        Expr::Then(vec![reset], Box::new(Expr::Const(0)))
    };
    check(reset(-1), "a clock is set to the negative value -1");
    check(
        reset(MAX_CLOCK_CONSTANT + 1),
        "a clock is set to 268435457, which is beyond 268435456",
    );
    let forever = Stmt::While {
        condition: Expr::TRUE,
        body: Vec::new(),
        test_first: true,
        site: SiteId(7),
    };
    check(
        Expr::Then(vec![forever], Box::new(x())),
        "the evaluation did not end within the allowed number of steps",
    );
}

#[test]
fn an_assignment_out_of_range_changes_nothing() {
    let network = small();
    let mut builder = ProgramBuilder::new(&network);
    let sum = binary(BinaryOp::Add, Expr::load(state(1)), Expr::Const(2));
    let code = builder.statements(&[Stmt::Assign {
        target: Place::cell(state(1)),
        value: sum,
        low: 0,
        high: 3,
        site: SiteId(8),
    }]);
    let program = builder.finish();
    let mut machine = Machine::new(&program);
    let fault = machine.run(&program, code).expect_err("4 is outside");
    assert_eq!(
        fault.kind,
        FaultKind::OutOfRange {
            value: 4,
            low: 0,
            high: 3
        }
    );
    assert_eq!(fault.site, SiteId(8));
    assert_eq!(machine.memory, program.initial_memory());
}

#[test]
fn a_recursive_function_ends_in_the_step_limit() {
    let mut network = small();
    let call = |id| Expr::Call {
        function: FunctionId(id),
        arguments: Vec::new(),
        site: SiteId::NONE,
    };
    let result = Some((
        Address {
            region: Region::Local,
            offset: 0,
        },
        1,
    ));
    for other in [1, 0] {
        network.functions.push(Function {
            name: "f".into(),
            parameters: Vec::new(),
            result,
            body: vec![Stmt::Return(Some(call(other)))],
        });
    }
    let fault = evaluate_constant(&network, &call(0), 1_000).expect_err("it never ends");
    assert_eq!(fault.kind, FaultKind::StepLimit);
}

#[test]
fn simple_code_is_quick() {
    let network = small();
    let mut builder = ProgramBuilder::new(&network);
    let x = || Expr::load(state(0));
    let compare = |op, value| binary(op, x(), Expr::Const(value));
    let codes = [
        (builder.expression(&Expr::And(vec![])), Quick::Constant(1)),
        (builder.expression(&Expr::Or(vec![])), Quick::Constant(0)),
        (
            builder.expression(&compare(BinaryOp::LessEqual, 3)),
            Quick::Constant(1),
        ),
        (
            builder.expression(&compare(BinaryOp::Greater, 3)),
            Quick::Constant(0),
        ),
        (
            builder.expression(&compare(BinaryOp::Equal, 2)),
            Quick::CellEqual(0, 2),
        ),
        (
            builder.expression(&compare(BinaryOp::LessEqual, 2)),
            Quick::CellLess(0, 3),
        ),
        (
            builder.expression(&compare(BinaryOp::Greater, 1).negated()),
            Quick::CellLess(0, 2),
        ),
        (builder.expression(&x()), Quick::Cell(0)),
        (
            builder.expression(&binary(BinaryOp::Add, x(), x())),
            Quick::Code,
        ),
        (builder.statements(&[]), Quick::Constant(0)),
    ];
    let program = builder.finish();
    for (code, quick) in codes {
        assert_eq!(program.quick(code), quick);
    }
}

/// UPPAAL's engine computes modulo 2^32 and complains only when a value is stored where it does not fit.
#[test]
fn arithmetic_comes_round_at_32_bits() {
    use BinaryOp::*;
    let (min, max) = (i32::MIN, i32::MAX);
    let value = |expr: Expr| evaluate_constant(&small(), &expr, 1_000).expect("a value");
    for (op, left, right, expected) in [
        (Add, max, 1, min),
        (Subtract, min, 1, max),
        (Multiply, 1 << 16, 1 << 16, 0),
        (Multiply, 0x7fff_ffff, 3, 0x7fff_fffd),
        (Multiply, -1_640_531_527, 31, 683_130_215),
        (ShiftLeft, 3, 31, min),
        (ShiftLeft, -1, 31, min),
        (ShiftRight, min, 31, -1),
        (Power, 3, 21, 1_870_418_611),
        (Power, 2, 32, 0),
        (Remainder, min, -1, 0),
    ] {
        let folded = binary(op, Expr::Const(left), Expr::Const(right));
        assert_eq!(value(folded), expected, "{left} {op:?} {right}");
        // The first cell holds 2: what is not folded comes out the same.
        let hidden = binary(Add, Expr::load(state(0)), Expr::Const(left.wrapping_sub(2)));
        let computed = binary(op, hidden, Expr::Const(right));
        assert_eq!(value(computed), expected, "{left} {op:?} {right}, computed");
    }
    for op in [UnaryOp::Negate, UnaryOp::Abs] {
        let smallest = Expr::Unary(op, Box::new(Expr::Const(min)), SiteId(7));
        assert_eq!(value(smallest), min, "{op:?}");
    }
}
