//! Named cases of what may and may not be removed.

use merkhet_network::{
    Address, BinaryOp, Cell, Channel, ChannelId, ChannelKind, Edge, EdgeId, Ending, Expr, Formula,
    Guard, Invariant, Location, LocationId, LocationKind, Network, Place, Process, ProcessId,
    Region, Shape, SiteId, Step, Stmt, Sync, Trace, Transition, Variable, VariableId,
};
use merkhet_testing::{is_run, running_example};

use super::{Kind, Part, Reduction};

/// A driver of `v` in 0..=2 and a reader that goes from `a` to `b` where v is 2; the goal is `b`.
fn driven() -> Network {
    let v = Address {
        region: Region::State,
        offset: 0,
    };
    let mut network = Network::default();
    network.variables.push(Variable {
        name: "v".into(),
        owner: None,
        shape: Shape::Int { low: 0, high: 2 },
        base: v,
    });
    network.state_cells.push(Cell {
        low: 0,
        high: 2,
        initial: 0,
        variable: VariableId(0),
    });
    let mut driver = process("driver", &["loop"]);
    for value in 0..=2 {
        let mut edge = edge(0, 0);
        edge.update.push(set(v, value));
        driver.edges.push(edge);
    }
    let mut reader = process("reader", &["a", "b"]);
    let mut to_b = edge(0, 1);
    to_b.guard.data = Some(Expr::binary(BinaryOp::Equal, Expr::load(v), Expr::Const(2)));
    reader.edges.push(to_b);
    network.processes = vec![driver, reader];
    network
}

fn set(target: Address, value: i32) -> Stmt {
    Stmt::Assign {
        target: Place::cell(target),
        value: Expr::Const(value),
        low: 0,
        high: 2,
        site: SiteId::NONE,
    }
}

fn process(name: &str, locations: &[&str]) -> Process {
    let location = |name: &&str| Location {
        name: (*name).into(),
        named: true,
        kind: LocationKind::Normal,
        invariant: Invariant::default(),
        labels: Vec::new(),
        position: None,
        site: SiteId::NONE,
    };
    Process {
        name: name.into(),
        template: name.into(),
        locations: locations.iter().map(location).collect(),
        initial: LocationId(0),
        edges: Vec::new(),
        priority: 0,
    }
}

fn edge(source: u32, target: u32) -> Edge {
    Edge {
        source: LocationId(source),
        target: LocationId(target),
        guard: Guard::default(),
        sync: Sync::Internal,
        update: Vec::new(),
        select: Vec::new(),
        origin: 0,
        site: SiteId::NONE,
    }
}

fn goal(process: u32, location: u32) -> Formula {
    Formula::Data(Expr::At(ProcessId(process), LocationId(location)))
}

fn check(network: &Network, goal: &Formula, kind: Kind, expected: &[&str]) -> Reduction {
    let reduction = Reduction::for_formula(network, goal, &[kind]);
    let names: Vec<&str> = reduction
        .removed
        .iter()
        .map(|part| part.name.as_str())
        .collect();
    assert_eq!(names, expected);
    reduction
}

fn run(edges: &[&[(u32, u32)]]) -> Trace {
    let step = |edges: &&[(u32, u32)]| Step {
        delay: 3,
        transition: Transition {
            edges: edges
                .iter()
                .map(|(process, edge)| (ProcessId(*process), EdgeId(*edge)))
                .collect(),
        },
    };
    Trace {
        scale: 1,
        steps: edges.iter().map(step).collect(),
        last_delay: 1,
        ending: Ending::State,
    }
}

#[test]
fn a_driven_variable_goes_and_its_value_is_set_when_it_is_needed() {
    let network = driven();
    let reduction = check(&network, &goal(1, 1), Kind::Safe, &["v"]);
    assert!(reduction.network.processes[0].edges.is_empty());
    assert_eq!(reduction.network.processes[1].edges.len(), 1);
    assert_eq!(reduction.network.processes[1].edges[0].guard.data, None);
    let lifted = reduction.lift(&run(&[&[(1, 0)]])).expect("a way");
    assert_eq!(lifted.steps.len(), 2);
    assert_eq!((lifted.steps[0].delay, lifted.steps[1].delay), (3, 0));
    assert!(is_run(&network, &lifted).is_ok());
}

#[test]
fn the_running_example_loses_two_processes() {
    let (network, query) = running_example();
    let reduction = Reduction::new(&network, &query, &[Kind::Safe]).expect("a reachability query");
    let removed: Vec<(Part, &str)> = reduction
        .removed
        .iter()
        .map(|part| (part.part, part.name.as_str()))
        .collect();
    assert_eq!(removed, [(Part::Process, "p1"), (Part::Process, "p2")]);
    // Three steps there, eleven in the whole system.
    let short = run(&[
        &[(0, 0), (2, 0)],
        &[(1, 0), (2, 1)],
        &[(0, 1), (1, 1), (2, 2)],
    ]);
    let lifted = reduction.lift(&short).expect("a way");
    assert_eq!(lifted.steps.len(), 11);
    assert!(is_run(&network, &lifted).is_ok());
}

#[test]
fn what_the_goal_mentions_stays() {
    let v = Expr::load(Address {
        region: Region::State,
        offset: 0,
    });
    check(&driven(), &Formula::Data(v), Kind::Safe, &[]);
}

#[test]
fn a_variable_that_cannot_go_back_stays() {
    let mut network = driven();
    network.processes[0].edges.remove(0);
    check(&network, &goal(1, 1), Kind::Safe, &[]);
}

#[test]
fn a_driver_that_resets_a_clock_stays() {
    let mut network = driven();
    network.clocks.push(merkhet_network::Clock {
        name: "x".into(),
        owner: None,
    });
    network.processes[0].edges[1].update.push(Stmt::Reset {
        clock: merkhet_network::ClockPlace {
            base: merkhet_network::ClockId(0),
            indices: Vec::new(),
        },
        value: Expr::Const(0),
        site: SiteId::NONE,
    });
    check(&network, &goal(1, 1), Kind::Safe, &[]);
}

#[test]
fn a_reader_at_a_committed_location_cannot_wait() {
    let mut network = driven();
    network.processes[1].locations[0].kind = LocationKind::Committed;
    check(&network, &goal(1, 1), Kind::Safe, &[]);
}

#[test]
fn a_reader_over_an_urgent_channel_would_stop_time() {
    for (urgent, expected) in [(true, &[][..]), (false, &["v"][..])] {
        let mut network = driven();
        network.channels.push(Channel {
            name: "c".into(),
            kind: ChannelKind::Binary,
            urgent,
            priority: 0,
        });
        network.processes[1].edges[0].sync = Sync::Send(ChannelId(0));
        let mut partner = process("partner", &["here"]);
        partner.edges.push(edge(0, 0));
        partner.edges[0].sync = Sync::Receive(ChannelId(0));
        network.processes.push(partner);
        check(&network, &goal(1, 1), Kind::Safe, expected);
    }
}

#[test]
fn two_readers_of_one_transition_must_agree() {
    let mut network = driven();
    network.channels.push(Channel {
        name: "c".into(),
        kind: ChannelKind::Binary,
        urgent: false,
        priority: 0,
    });
    let reader = network.processes[1].clone();
    network.processes.push(reader);
    network.processes[1].edges[0].sync = Sync::Send(ChannelId(0));
    network.processes[2].edges[0].sync = Sync::Receive(ChannelId(0));
    check(&network, &goal(1, 1), Kind::Safe, &[]);
}

#[test]
fn removals_cascade() {
    // w follows v at will; only when v is gone is w independent.
    let mut network = driven();
    let w = Address {
        region: Region::State,
        offset: 1,
    };
    network.variables.push(Variable {
        name: "w".into(),
        owner: None,
        shape: Shape::Int { low: 0, high: 2 },
        base: w,
    });
    network.state_cells.push(Cell {
        low: 0,
        high: 2,
        initial: 1,
        variable: VariableId(1),
    });
    let v = network.state_cells[0].variable;
    let v = network.variables[v.index()].base;
    let mut copier = process("copier", &["loop"]);
    let mut copy = edge(0, 0);
    copy.update.push(Stmt::Assign {
        target: Place::cell(w),
        value: Expr::load(v),
        low: 0,
        high: 2,
        site: SiteId::NONE,
    });
    copier.edges.push(copy);
    network.processes.push(copier);
    network.processes[1].edges[0].guard.data =
        Some(Expr::binary(BinaryOp::Equal, Expr::load(w), Expr::Const(2)));
    let reduction = check(&network, &goal(1, 1), Kind::Safe, &["v", "w"]);
    let lifted = reduction.lift(&run(&[&[(1, 0)]])).expect("a way");
    assert_eq!(lifted.steps.len(), 3); // v := 2, w := v, the step
    assert!(is_run(&network, &lifted).is_ok());
}

#[test]
fn the_cone_leaves_out_what_nobody_reads() {
    let mut network = driven();
    let removed = ["driver", "v"];
    network.processes[1].edges[0].guard.data = None;
    check(&network, &goal(1, 1), Kind::Influence, &removed);
    // What could stop time stays, without what it writes.
    network.processes[0].locations[0].kind = LocationKind::Urgent;
    check(&network, &goal(1, 1), Kind::Influence, &["v"]);
}

#[test]
fn the_cone_keeps_what_can_fail() {
    let mut network = driven();
    network.processes[1].edges[0].guard.data = None;
    let Stmt::Assign { value, .. } = &mut network.processes[0].edges[0].update[0] else {
        unreachable!()
    };
    *value = Expr::Const(7);
    check(&network, &goal(1, 1), Kind::Influence, &[]);
}
