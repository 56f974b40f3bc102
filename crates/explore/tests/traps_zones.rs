//! Where zone-based engines have been wrong: each trap by its name.

mod support;

use merkhet_network::*;
use support::check::reach;
use support::*;

fn clock_formula(constraint: ClockConstraint) -> Formula {
    Formula::Clock(constraint)
}

fn difference(left: ClockId, right: ClockId, strict: bool, bound: i32) -> ClockConstraint {
    constraint(Some(left), Some(right), strict, bound)
}

/// Bouyer, "Forward analysis of updatable timed automata" (FMSD 2004): after the loop x2 − x1 equals x4 − x3, but no
/// extrapolation by maximal constants remembers that.
#[test]
fn extrapolation_with_clock_differences_is_sound() {
    let mut model = Model::default();
    let [x1, x2, x3, x4] = ["x1", "x2", "x3", "x4"].map(|name| model.clock(name));
    let p = model.process("P", 7);
    let edge = model.edge(p, 0, 1);
    edge.guard.clocks = vec![at_most(x3, 3)];
    edge.update = vec![reset(x1, 0), reset(x3, 0)];
    let mut timed = |source, target, clock, value| {
        let edge = model.edge(p, source, target);
        edge.guard.clocks = vec![at_most(clock, value), at_least(clock, value)];
        edge.update = vec![reset(clock, 0)];
    };
    timed(1, 2, x2, 3);
    timed(2, 3, x1, 2);
    timed(3, 4, x2, 2);
    timed(4, 3, x1, 2);
    timed(4, 5, x1, 3);
    let edge = model.edge(p, 5, 6);
    edge.guard.clocks = vec![difference(x1, x2, true, -2), difference(x4, x3, true, 2)];
    assert!(reach(&model.network, &at(p, 6)).is_none());
    // With a guard that allows equal differences, the last location is reached.
    model.network.processes[0]
        .edges
        .last_mut()
        .unwrap()
        .guard
        .clocks = vec![difference(x1, x2, true, -2), difference(x4, x3, true, 4)];
    assert!(reach(&model.network, &at(p, 6)).is_some());
}

/// A difference in the query alone counts, too.
#[test]
fn clock_differences_in_the_query_count() {
    let mut model = Model::default();
    let (x, y) = (model.clock("x"), model.clock("y"));
    let p = model.process("P", 1);
    let edge = model.edge(p, 0, 0);
    edge.guard.clocks = vec![at_most(y, 1), at_least(y, 1)];
    edge.update = vec![reset(y, 0)];
    model.location(p, 0).invariant.clocks = vec![at_most(y, 1)];
    let apart = |bound: i32| clock_formula(difference(y, x, false, -bound));
    let run = reach(&model.network, &apart(7)).expect("x − y grows by 1 in each round");
    assert_eq!(run.steps.len(), 7);
    let between = Formula::And(vec![
        clock_formula(difference(x, y, true, 3)),
        clock_formula(difference(y, x, true, -2)),
    ]);
    assert!(
        reach(&model.network, &between).is_none(),
        "x − y is a whole number"
    );
}

/// The guard of another process bounds a shared clock, at locations where this process does not look at it.
#[test]
fn bounds_come_from_the_whole_network() {
    let mut model = Model::default();
    let x = model.clock("x");
    let p = model.process("P", 2);
    model.edge(p, 0, 1);
    let q = model.process("Q", 3);
    model.edge(q, 0, 1);
    let edge = model.edge(q, 1, 2);
    edge.guard.clocks = vec![at_least(x, 5), at_most(x, 7)];
    let both = Formula::And(vec![at(p, 1), at(q, 2)]);
    assert!(reach(&model.network, &both).is_some());
    // x is reset on the way: too late for 5, unless one waits.
    model.location(q, 1).invariant.clocks = vec![at_most(x, 4)];
    assert!(reach(&model.network, &both).is_none());
}

/// A bound that depends on a variable takes the variable's range into account; a guard is evaluated before the
/// updates, a target invariant after them.
#[test]
fn bounds_in_guards_are_read_before_updates_and_in_invariants_after() {
    let mut model = Model::default();
    let x = model.clock("x");
    let n = model.int("n", 0, 10, 3);
    let p = model.process("P", 3);
    let raise = model.assign(n, Expr::Const(8));
    let edge = model.edge(p, 0, 1);
    // x ≥ n with the old n.
    let mut guard = at_least(x, 0);
    guard.bound = Expr::Unary(UnaryOp::Negate, Box::new(Expr::load(n)), SiteId::NONE);
    edge.guard.clocks = vec![guard];
    edge.update = vec![raise];
    // x ≤ n with the new n.
    let mut invariant = at_most(x, 0);
    invariant.bound = Expr::load(n);
    model.location(p, 1).invariant.clocks = vec![invariant];
    model.edge(p, 1, 2).guard.clocks = vec![at_least(x, 8)];
    let run = reach(&model.network, &at(p, 2)).expect("3 before, 8 after");
    assert_eq!(support::check::duration(&run), (8, 1));
    let early = Formula::And(vec![at(p, 1), clock_formula(below(x, 3))]);
    assert!(reach(&model.network, &early).is_none());
    let late = Formula::And(vec![at(p, 1), clock_formula(above(x, 8))]);
    assert!(reach(&model.network, &late).is_none());
}

#[test]
fn strict_invariants_exclude_their_bound() {
    let mut model = Model::default();
    let x = model.clock("x");
    let p = model.process("P", 2);
    model.location(p, 0).invariant.clocks = vec![below(x, 3)];
    model.edge(p, 0, 1).guard.clocks = vec![at_least(x, 3)];
    assert!(reach(&model.network, &at(p, 1)).is_none());
    model.network.processes[0].edges[0].guard.clocks = vec![above(x, 2)];
    let run = reach(&model.network, &at(p, 1)).expect("between 2 and 3");
    let (time, scale) = support::check::duration(&run);
    assert!(2 * scale < time && time < 3 * scale);
}

/// A target invariant that fails at entry: the transition does not exist, even though time alone would not be at fault.
#[test]
fn a_transition_into_a_violated_invariant_does_not_exist() {
    let mut model = Model::default();
    let x = model.clock("x");
    let p = model.process("P", 2);
    model.location(p, 1).invariant.clocks = vec![at_most(x, 2)];
    model.edge(p, 0, 1).guard.clocks = vec![at_least(x, 3)];
    assert!(reach(&model.network, &at(p, 1)).is_none());
    model.network.processes[0].edges[0].update = vec![reset(x, 0)];
    assert!(reach(&model.network, &at(p, 1)).is_some());
}

/// One process's update falsifies the data invariant of another, which has not moved.
#[test]
fn an_update_that_breaks_anothers_data_invariant_is_not_taken() {
    let mut model = Model::default();
    let n = model.int("n", 0, 3, 0);
    let p = model.process("P", 2);
    let set = model.assign(n, Expr::Const(2));
    model.edge(p, 0, 1).update = vec![set];
    let q = model.process("Q", 2);
    model.edge(q, 0, 1);
    model.location(q, 0).invariant.data =
        Some(Expr::binary(BinaryOp::Less, Expr::load(n), Expr::Const(2)));
    let blocked = Formula::And(vec![at(p, 1), at(q, 0)]);
    assert!(reach(&model.network, &blocked).is_none());
    let run = reach(&model.network, &at(p, 1)).expect("after Q has left");
    assert_eq!(run.steps.len(), 2);
}

/// An urgent channel with a clock guard: time passes up to the first moment at which the guard holds.
#[test]
fn urgency_with_clock_guards_stops_time_when_the_guard_holds() {
    let mut model = Model::default();
    let x = model.clock("x");
    let hurry = model.channel("hurry", ChannelKind::Binary, true);
    let p = model.process("P", 2);
    let edge = model.edge(p, 0, 1);
    edge.guard.clocks = vec![at_least(x, 2)];
    edge.sync = Sync::Send(hurry);
    let q = model.process("Q", 1);
    model.edge(q, 0, 0).sync = Sync::Receive(hurry);
    let at_source = |constraint| Formula::And(vec![at(p, 0), clock_formula(constraint)]);
    assert!(reach(&model.network, &at_source(at_least(x, 2))).is_some());
    assert!(reach(&model.network, &at_source(above(x, 2))).is_none());
    // A strict guard never holds at a first moment: time stops before it, and the transition is never taken.
    model.network.processes[0].edges[0].guard.clocks = vec![above(x, 2)];
    assert!(reach(&model.network, &at_source(above(x, 2))).is_none());
    assert!(reach(&model.network, &at(p, 1)).is_none());
}

/// The guard of an urgent transition is left behind: from then on time passes freely.
#[test]
fn urgency_that_is_left_behind_does_not_hold_up_time() {
    let mut model = Model::default();
    let (x, y) = (model.clock("x"), model.clock("y"));
    let hurry = model.channel("hurry", ChannelKind::Broadcast, true);
    let p = model.process("P", 3);
    // The source is urgent-free until x is beyond the window.
    let edge = model.edge(p, 0, 1);
    edge.guard.clocks = vec![at_least(x, 5)];
    edge.update = vec![reset(y, 0)];
    let edge = model.edge(p, 1, 2);
    edge.guard.clocks = vec![at_least(x, 2), at_most(x, 3)];
    edge.sync = Sync::Send(hurry);
    let waiting = Formula::And(vec![at(p, 1), clock_formula(at_least(y, 4))]);
    assert!(reach(&model.network, &waiting).is_some());
    assert!(reach(&model.network, &at(p, 2)).is_none());
}

/// A receiver whose guard holds must join; whether it does depends on the clock.
#[test]
fn broadcast_receivers_with_clock_guards_split_the_zone() {
    let mut model = Model::default();
    let x = model.clock("x");
    let call = model.channel("call", ChannelKind::Broadcast, false);
    let p = model.process("P", 2);
    model.edge(p, 0, 1).sync = Sync::Send(call);
    let q = model.process("Q", 2);
    let edge = model.edge(q, 0, 1);
    edge.sync = Sync::Receive(call);
    edge.guard.clocks = vec![at_least(x, 2), below(x, 4)];
    let alone = |constraint| Formula::And(vec![at(p, 1), at(q, 0), clock_formula(constraint)]);
    let together = |constraint| Formula::And(vec![at(p, 1), at(q, 1), clock_formula(constraint)]);
    assert!(reach(&model.network, &alone(below(x, 2))).is_some());
    assert!(reach(&model.network, &together(below(x, 2))).is_none());
    assert!(reach(&model.network, &together(at_least(x, 2))).is_some());
    // The invariant of the receiver's target fails: the sender may not go alone.
    model.location(q, 1).invariant.clocks = vec![at_most(x, 1)];
    model.location(p, 1).invariant.clocks = vec![at_most(x, 3)];
    model.location(p, 0).invariant.clocks = vec![at_least(x, 0), at_most(x, 3)];
    model.network.processes[0].edges[0].guard.clocks = vec![at_least(x, 2)];
    assert!(reach(&model.network, &at(p, 1)).is_none());
}

/// A part of the zone is stuck although another part can move on.
#[test]
fn deadlock_is_found_in_a_part_of_a_zone() {
    let mut model = Model::default();
    let x = model.clock("x");
    let p = model.process("P", 2);
    model.edge(p, 0, 1).guard.clocks = vec![at_most(x, 3)];
    model.edge(p, 1, 1);
    let run = reach(&model.network, &Formula::Deadlock).expect("beyond 3 nothing is possible");
    assert!(run.steps.is_empty());
    model.location(p, 0).invariant.clocks = vec![at_most(x, 3)];
    assert!(reach(&model.network, &Formula::Deadlock).is_none());
    // An invariant of the target that cannot hold makes the transition impossible.
    model.location(p, 1).invariant.clocks = vec![at_most(x, 2)];
    let run = reach(&model.network, &Formula::Deadlock).expect("after 2 the target is closed");
    assert!(support::check::duration(&run).0 > 2 * run.scale);
    // Unless the clock is reset on the way.
    model.network.processes[0].edges[0].update = vec![reset(x, 0)];
    assert!(reach(&model.network, &Formula::Deadlock).is_none());
}

/// L and U keep reachability only; `deadlock` in the query asks for symmetric bounds by itself.
#[test]
fn deadlock_needs_symmetric_bounds() {
    let mut model = Model::default();
    let (x, y) = (model.clock("x"), model.clock("y"));
    let p = model.process("P", 3);
    // Only upper bounds on x, only lower bounds on y: LU would forget upper bounds of y and lower bounds of x.
    let edge = model.edge(p, 0, 1);
    edge.guard.clocks = vec![at_most(x, 5)];
    edge.update = vec![reset(y, 0)];
    model.location(p, 0).invariant.clocks = vec![at_most(x, 5)];
    model.edge(p, 1, 2).guard.clocks = vec![at_least(y, 1)];
    model.location(p, 1).invariant.clocks = vec![at_most(x, 5)];
    model.edge(p, 2, 2);
    let dead =
        reach(&model.network, &Formula::Deadlock).expect("entered after 4: y never reaches 1");
    assert_eq!(dead.steps.len(), 1);
    model.location(p, 1).invariant.clocks = vec![at_most(x, 6)];
    assert!(reach(&model.network, &Formula::Deadlock).is_none());
}

#[test]
fn large_constants_do_not_overflow() {
    let largest = MAX_CLOCK_CONSTANT;
    let mut model = Model::default();
    let (x, y) = (model.clock("x"), model.clock("y"));
    let p = model.process("P", 3);
    let edge = model.edge(p, 0, 1);
    edge.guard.clocks = vec![at_least(x, largest)];
    edge.update = vec![reset(y, largest)];
    let edge = model.edge(p, 1, 2);
    edge.guard.clocks = vec![at_most(x, largest), above(y, largest)];
    assert!(reach(&model.network, &at(p, 1)).is_some());
    assert!(reach(&model.network, &at(p, 2)).is_none());
}
