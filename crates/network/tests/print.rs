//! What the printers write for one small network.

use merkhet_network::print::{dot, normalised, summary, text, xta};
use merkhet_network::*;

fn state(offset: u32) -> Address {
    Address {
        region: Region::State,
        offset,
    }
}

fn clock(index: u32, bound: Expr, upper: bool, condition: Option<Expr>) -> ClockConstraint {
    let clock = Some(ClockId(index));
    ClockConstraint {
        condition,
        left: clock.filter(|_| upper),
        right: clock.filter(|_| !upper),
        strict: !upper,
        bound,
        site: SiteId::NONE,
    }
}

fn location(name: &str, kind: LocationKind, invariant: Invariant) -> Location {
    Location {
        name: name.into(),
        named: true,
        kind,
        invariant,
        labels: Vec::new(),
        position: Some((3, 4)),
        site: SiteId::NONE,
    }
}

fn n() -> Expr {
    Expr::load(state(0))
}

fn less(value: i32) -> Expr {
    Expr::binary(BinaryOp::Less, n(), Expr::Const(value))
}

fn edge() -> Edge {
    let next = Expr::Call {
        function: FunctionId(0),
        arguments: vec![Argument::Value(n())],
        site: SiteId::NONE,
    };
    let reset = Stmt::Reset {
        clock: ClockPlace {
            base: ClockId(1),
            indices: Vec::new(),
        },
        value: Expr::Const(0),
        site: SiteId::NONE,
    };
    let assign = Stmt::Assign {
        target: Place::cell(state(0)),
        value: next,
        low: 0,
        high: 3,
        site: SiteId::NONE,
    };
    Edge {
        source: LocationId(0),
        target: LocationId(1),
        guard: Guard {
            data: Some(less(3)),
            clocks: vec![
                clock(1, Expr::Const(-2), false, None),
                clock(0, n(), true, Some(less(2))),
            ],
        },
        sync: Sync::Send(ChannelId(0)),
        update: vec![assign, reset],
        select: vec![("i".into(), 2)],
        origin: 7,
        site: SiteId::NONE,
    }
}

fn process() -> Process {
    let invariant = Invariant {
        clocks: vec![clock(0, Expr::Const(5), true, None)],
        rates: vec![Rate {
            clock: ClockId(1),
            value: Expr::Const(0),
            site: SiteId::NONE,
        }],
        ..Invariant::default()
    };
    Process {
        name: "Q(0)".into(),
        template: "Q".into(),
        locations: vec![
            location("idle", LocationKind::Normal, invariant),
            location("A", LocationKind::Committed, Invariant::default()),
        ],
        initial: LocationId(0),
        edges: vec![edge()],
        priority: 0,
    }
}

/// `k < 3 ? k + 1 : 0`, with its cells 0 (the parameter) and 1 (the result).
fn function() -> (Function, Vec<Local>) {
    let local = |offset| Address {
        region: Region::Local,
        offset,
    };
    let k = || Box::new(Expr::load(local(0)));
    let number = |value| Box::new(Expr::Const(value));
    let binary = |op, value| Box::new(Expr::Binary(op, k(), number(value), SiteId::NONE));
    let (test, more) = (binary(BinaryOp::Less, 3), binary(BinaryOp::Add, 1));
    let function = Function {
        name: "next".into(),
        parameters: vec![(local(0), 1)],
        result: Some((local(1), 1)),
        body: vec![Stmt::Return(Some(Expr::Conditional(test, more, number(0))))],
    };
    let locals = [("k", 0), ("", 1)].map(|(name, offset)| Local {
        name: name.into(),
        shape: Shape::Int { low: 0, high: 3 },
        base: local(offset),
    });
    (function, locals.to_vec())
}

/// A counter `n` in the process `Q(0)`, a clock of its own and a global one, and a function.
fn network() -> Network {
    let (function, locals) = function();
    Network {
        processes: vec![process()],
        clocks: vec![
            Clock {
                name: "Q(0).x".into(),
                owner: Some(ProcessId(0)),
            },
            Clock {
                name: "time".into(),
                owner: None,
            },
        ],
        channels: vec![Channel {
            name: "go[1]".into(),
            kind: ChannelKind::Broadcast,
            urgent: true,
            priority: 4,
        }],
        variables: vec![Variable {
            name: "Q(0).n".into(),
            owner: Some(ProcessId(0)),
            shape: Shape::Int { low: 0, high: 3 },
            base: state(0),
        }],
        state_cells: vec![Cell {
            low: 0,
            high: 3,
            initial: 1,
            variable: VariableId(0),
        }],
        local_cells: 2,
        locals,
        functions: vec![function],
        ..Network::default()
    }
}

fn check(printed: &str, expected: &str) {
    assert_eq!(printed, expected, "\n{printed}");
}

#[test]
fn listing() {
    check(
        &text(&network()),
        "\
// 1 process, 2 locations, 1 edge, 2 clocks, 1 integer, 1 channel, 1 function

int[0,3] Q(0).n = 1;

clock Q(0).x, time;

urgent broadcast chan go[1]; // priority +4

int[0,3] next(int[0,3] k) {
    return k < 3 ? k + 1 : 0;
}

process Q(0) of Q {
    initial location idle { Q(0).x <= 5 && time' == 0 }
    committed location A
    idle -> A { guard Q(0).n < 3 && time > 2 && (!(Q(0).n < 2) || Q(0).x <= Q(0).n); sync go[1]!; assign Q(0).n = next(Q(0).n), time = 0; } [i=2]
}
",
    );
}

#[test]
fn xta_with_identifiers() {
    check(
        &xta(&network()).expect("it has an XTA form"),
        "\
urgent broadcast chan go_1_;
chan priority default < go_1_;
clock time;
int[0,3] next(int[0,3] k) {
    return k < 3 ? k + 1 : 0;
}
process Q_0_() {
    int[0,3] n = 1;
    clock x;
    state
        idle { x <= 5 && time' == 0 },
        A;
    commit A;
    init idle;
    trans
        idle -> A { guard n < 3 && time > 2 && (!(n < 2) || x <= n); sync go_1_!; assign n = next(n), time = 0; };
}
system Q_0_;
",
    );
}

#[test]
fn graph() {
    check(
        &dot(&network()),
        r#"digraph network {
  rankdir=LR;
  node [shape=box, style=rounded, fontsize=10];
  edge [fontsize=9];
  subgraph cluster_0 {
    label="Q(0)";
    l0_0 [label="idle\nQ(0).x <= 5 && time' == 0", peripheries=2];
    l0_1 [label="A (C)"];
    l0_0 -> l0_1 [label="Q(0).n < 3 && time > 2 && (!(Q(0).n < 2) || Q(0).x <= Q(0).n)\ngo[1]!\nQ(0).n = next(Q(0).n), time = 0"];
  }
}
"#,
    );
}

#[test]
fn counts() {
    let summary = summary(&network());
    assert_eq!(
        (summary.automata, summary.clocks, summary.integers),
        (1, 2, 1)
    );
    assert_eq!(
        (summary.locations, summary.edges, summary.channels),
        (2, 1, 1)
    );
}

#[test]
fn names_that_collide_stay_different() {
    let mut network = network();
    for name in ["a[0]", "a(0)", "a_0_", "a_0__2", "system", ""] {
        network.channels.push(Channel {
            name: name.into(),
            kind: ChannelKind::Binary,
            urgent: false,
            priority: 0,
        });
    }
    let normal = normalised(&network);
    let names: Vec<&str> = normal
        .channels
        .iter()
        .map(|channel| channel.name.as_str())
        .collect();
    let expected = [
        "go_1_", "a_0_", "a_0__2", "a_0__3", "a_0__2_2", "system_2", "_",
    ];
    assert_eq!(names, expected);
    assert_eq!(normalised(&normal), normal);
}

#[test]
fn what_xta_cannot_say_is_said() {
    let mut network = network();
    network.out_of_range = OutOfRange::Disable;
    let error = xta(&network).expect_err("XTA cannot say this");
    let expected = "XTA has no way to write assignments that disable their transition";
    assert_eq!(error.to_string(), expected);
}
