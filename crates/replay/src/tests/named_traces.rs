//! The rules of the semantics, one by one, on traces by hand.

use merkhet_network::{
    BinaryOp, ChannelKind, ClockId, Ending, EventId, Expr, Formula, LocationKind, Network,
    OutOfRange, Participant, ProcessId, QueryKind, Rate, SiteId, Sync, SyncVector, Trace,
};

use super::builder::*;
use super::{query, truth};
use crate::judge_trace;

#[track_caller]
fn accepted(network: &Network, kind: QueryKind, trace: &Trace) {
    if let Err(rejection) = judge_trace(network, &query(kind), trace) {
        panic!("{rejection}");
    }
}

#[track_caller]
fn rejected(network: &Network, kind: QueryKind, trace: &Trace, why: &str) {
    let rejection = judge_trace(network, &query(kind), trace).expect_err("accepted");
    assert!(rejection.reason.contains(why), "{rejection}");
}

const STATE: Ending = Ending::State;
const EXPLORE: QueryKind = QueryKind::Explore;

#[test]
fn urgent_channel_with_strict_guard_stops_time_before_it_is_possible() {
    let mut n = network(1);
    let c = channel(&mut n, ChannelKind::Broadcast, true);
    let p = process(&mut n, vec![vec![], vec![]]);
    edge(&mut n, p, (0, 1), vec![above(0, 3)], Sync::Send(c), vec![]);
    accepted(&n, EXPLORE, &trace(&[], 3, STATE));
    rejected(&n, EXPLORE, &trace(&[], 4, STATE), "delay");
    // Time cannot pass beyond 3, and at 3 the guard does not hold: a deadlock.
    accepted(
        &n,
        QueryKind::Possibly(Formula::Deadlock),
        &trace(&[], 3, STATE),
    );
    accepted(
        &n,
        QueryKind::Possibly(Formula::Deadlock),
        &trace(&[], 0, STATE),
    );
}

#[test]
fn urgent_channel_with_closed_guard_is_taken_at_its_first_moment() {
    let mut n = network(1);
    let c = channel(&mut n, ChannelKind::Binary, true);
    let p = process(&mut n, vec![vec![], vec![]]);
    edge(
        &mut n,
        p,
        (0, 1),
        vec![at_least(0, 3)],
        Sync::Send(c),
        vec![],
    );
    accepted(&n, EXPLORE, &trace(&[], 9, STATE));
    let q = process(&mut n, vec![vec![], vec![]]);
    edge(&mut n, q, (0, 1), vec![], Sync::Receive(c), vec![]);
    rejected(&n, EXPLORE, &trace(&[], 9, STATE), "delay");
    accepted(&n, EXPLORE, &trace(&[(3, &[(0, 0), (1, 0)])], 9, STATE));
    rejected(
        &n,
        EXPLORE,
        &trace(&[(2, &[(0, 0), (1, 0)])], 0, STATE),
        "guard",
    );
    rejected(&n, EXPLORE, &trace(&[(3, &[(0, 0)])], 0, STATE), "receiver");
    rejected(
        &n,
        EXPLORE,
        &trace(&[(3, &[(1, 0), (0, 0)])], 0, STATE),
        "receives",
    );
}

#[test]
fn broadcast_receiver_that_can_must_join_even_if_its_invariant_then_fails() {
    let mut n = network(1);
    let c = channel(&mut n, ChannelKind::Broadcast, false);
    let p = process(&mut n, vec![vec![], vec![]]);
    edge(&mut n, p, (0, 1), vec![], Sync::Send(c), vec![]);
    let q = process(&mut n, vec![vec![], vec![at_most(0, 2)]]);
    edge(
        &mut n,
        q,
        (0, 1),
        vec![at_least(0, 1)],
        Sync::Receive(c),
        vec![],
    );
    accepted(&n, EXPLORE, &trace(&[(0, &[(0, 0)])], 0, STATE));
    rejected(
        &n,
        EXPLORE,
        &trace(&[(0, &[(0, 0), (1, 0)])], 0, STATE),
        "guard",
    );
    rejected(
        &n,
        EXPLORE,
        &trace(&[(2, &[(0, 0)])], 0, STATE),
        "could take part",
    );
    accepted(&n, EXPLORE, &trace(&[(2, &[(0, 0), (1, 0)])], 0, STATE));
    rejected(
        &n,
        EXPLORE,
        &trace(&[(3, &[(0, 0), (1, 0)])], 0, STATE),
        "invariant",
    );
    rejected(
        &n,
        EXPLORE,
        &trace(&[(3, &[(0, 0)])], 0, STATE),
        "could take part",
    );
    accepted(
        &n,
        QueryKind::Possibly(Formula::Deadlock),
        &trace(&[], 3, STATE),
    );
    rejected(
        &n,
        QueryKind::Possibly(Formula::Deadlock),
        &trace(&[], 2, STATE),
        "last state",
    );
}

#[test]
fn committed_locations_go_first_and_stop_time() {
    let mut n = network(1);
    let p = process(&mut n, vec![vec![], vec![]]);
    edge(&mut n, p, (0, 1), vec![], Sync::Internal, vec![]);
    let q = process(&mut n, vec![vec![], vec![]]);
    edge(&mut n, q, (0, 1), vec![], Sync::Internal, vec![]);
    n.processes[q].locations[0].kind = LocationKind::Committed;
    rejected(
        &n,
        EXPLORE,
        &trace(&[(0, &[(0, 0)])], 0, STATE),
        "committed",
    );
    rejected(&n, EXPLORE, &trace(&[(1, &[(1, 0)])], 0, STATE), "delay");
    accepted(
        &n,
        EXPLORE,
        &trace(&[(0, &[(1, 0)]), (1, &[(0, 0)])], 1, STATE),
    );
    n.processes[q].locations[0].kind = LocationKind::Urgent;
    accepted(&n, EXPLORE, &trace(&[(0, &[(0, 0)])], 0, STATE));
    rejected(&n, EXPLORE, &trace(&[], 1, STATE), "delay");
}

#[test]
fn priorities_of_channels_count_before_those_of_processes() {
    let mut n = network(1);
    let c = channel(&mut n, ChannelKind::Broadcast, false);
    n.channels[0].priority = 1;
    let p = process(&mut n, vec![vec![], vec![]]);
    edge(
        &mut n,
        p,
        (0, 1),
        vec![at_least(0, 2)],
        Sync::Send(c),
        vec![],
    );
    let q = process(&mut n, vec![vec![], vec![]]);
    edge(&mut n, q, (0, 1), vec![], Sync::Internal, vec![]);
    n.processes[q].priority = 5;
    accepted(&n, EXPLORE, &trace(&[(1, &[(1, 0)])], 0, STATE));
    rejected(&n, EXPLORE, &trace(&[(2, &[(1, 0)])], 0, STATE), "priority");
    n.channels[0].priority = 0;
    rejected(&n, EXPLORE, &trace(&[(2, &[(0, 0)])], 0, STATE), "priority");
    accepted(
        &n,
        EXPLORE,
        &trace(&[(2, &[(1, 0)]), (0, &[(0, 0)])], 0, STATE),
    );
}

#[test]
fn updates_run_sender_first_between_before_and_after_update() {
    let mut n = network(0);
    let v = variable(&mut n);
    let digit = |digit| {
        let tens = Expr::binary(BinaryOp::Multiply, Expr::load(v), Expr::Const(2));
        assign(
            v,
            Expr::binary(
                BinaryOp::Remainder,
                Expr::binary(BinaryOp::Add, tens, Expr::Const(digit)),
                Expr::Const(10),
            ),
        )
    };
    let c = channel(&mut n, ChannelKind::Binary, false);
    let p = process(&mut n, vec![vec![], vec![]]);
    edge(&mut n, p, (0, 1), vec![], Sync::Receive(c), vec![digit(3)]);
    let q = process(&mut n, vec![vec![], vec![]]);
    edge(&mut n, q, (0, 1), vec![], Sync::Send(c), vec![digit(2)]);
    n.before_update = vec![digit(1)];
    n.after_update = vec![digit(4)];
    // ((0·2 + 1)·2 + 2 = 4; 4·2 + 3 = 11 → 1; 1·2 + 4 = 6.
    let is = |value| {
        Formula::Data(Expr::binary(
            BinaryOp::Equal,
            Expr::load(v),
            Expr::Const(value),
        ))
    };
    let run = trace(&[(0, &[(1, 0), (0, 0)])], 0, STATE);
    accepted(&n, QueryKind::Possibly(is(6)), &run);
    rejected(&n, QueryKind::Possibly(is(5)), &run, "last state");
    accepted(&n, QueryKind::Invariantly(is(5)), &run);
    let replayed = judge_trace(&n, &query(EXPLORE), &run).expect("run");
    let changes = &replayed.steps[0].changes;
    assert_eq!(
        (
            changes.len(),
            &changes[0].name[..],
            changes[0].old,
            changes[0].new
        ),
        (1, "v0", 0, 6)
    );
    assert_eq!(replayed.steps[0].sync.as_deref(), Some("c0"));
}

#[test]
fn bounds_in_guards_are_evaluated_before_the_updates_and_in_invariants_after_them() {
    let mut n = network(1);
    let v = variable(&mut n);
    let mut guard = at_least(0, 0);
    guard.bound = Expr::binary(BinaryOp::Subtract, Expr::Const(0), Expr::load(v));
    let mut invariant = at_most(0, 0);
    invariant.bound = Expr::load(v);
    let p = process(&mut n, vec![vec![], vec![invariant]]);
    edge(
        &mut n,
        p,
        (0, 1),
        vec![guard],
        Sync::Internal,
        vec![assign(v, Expr::Const(5))],
    );
    accepted(&n, EXPLORE, &trace(&[(0, &[(0, 0)])], 5, STATE));
    accepted(&n, EXPLORE, &trace(&[(5, &[(0, 0)])], 0, STATE));
    rejected(
        &n,
        EXPLORE,
        &trace(&[(6, &[(0, 0)])], 0, STATE),
        "invariant",
    );
    rejected(&n, EXPLORE, &trace(&[(0, &[(0, 0)])], 6, STATE), "delay");
}

#[test]
fn assignments_out_of_range_are_faults_or_disable() {
    let mut n = network(0);
    let v = variable(&mut n);
    let p = process(&mut n, vec![vec![]]);
    edge(
        &mut n,
        p,
        (0, 0),
        vec![],
        Sync::Internal,
        vec![assign(v, Expr::Const(10))],
    );
    let run = trace(&[(0, &[(0, 0)])], 0, STATE);
    rejected(&n, EXPLORE, &run, "out of range");
    n.out_of_range = OutOfRange::Disable;
    rejected(&n, EXPLORE, &run, "leaves its range");
    accepted(
        &n,
        QueryKind::Possibly(Formula::Deadlock),
        &trace(&[], 0, STATE),
    );
}

#[test]
fn vectors_take_weak_participants_along_where_they_can() {
    let mut n = network(1);
    n.events = vec!["a".into()];
    let event = EventId(0);
    for (index, guard) in [vec![], vec![at_least(0, 2)]].into_iter().enumerate() {
        let p = process(&mut n, vec![vec![], vec![]]);
        edge(&mut n, p, (0, 1), guard, Sync::Event(event), vec![]);
        assert_eq!(p, index);
    }
    let participant = |process, weak| Participant {
        process: ProcessId(process),
        event,
        weak,
    };
    n.vectors = vec![SyncVector {
        participants: vec![participant(1, true), participant(0, false)],
    }];
    // Its guard does not count (TChecker refuses guards there): having an edge with the event is enough.
    let left_out = "does not take part";
    rejected(&n, EXPLORE, &trace(&[(1, &[(0, 0)])], 0, STATE), left_out);
    rejected(&n, EXPLORE, &trace(&[(2, &[(0, 0)])], 0, STATE), left_out);
    accepted(&n, EXPLORE, &trace(&[(2, &[(1, 0), (0, 0)])], 0, STATE));
    rejected(
        &n,
        EXPLORE,
        &trace(&[(2, &[(0, 0), (1, 0)])], 0, STATE),
        "vector",
    );
    rejected(&n, EXPLORE, &trace(&[(2, &[(1, 0)])], 0, STATE), "vector");
}

#[test]
fn stopwatches_stand_still() {
    let mut n = network(2);
    let p = process(&mut n, vec![vec![], vec![]]);
    n.processes[p].locations[0].invariant.rates.push(Rate {
        clock: ClockId(0),
        value: Expr::Const(0),
        site: SiteId::NONE,
    });
    edge(
        &mut n,
        p,
        (0, 1),
        vec![at_most(0, 0), at_least(1, 4)],
        Sync::Internal,
        vec![],
    );
    edge(
        &mut n,
        p,
        (1, 0),
        vec![at_least(0, 2)],
        Sync::Internal,
        vec![],
    );
    accepted(
        &n,
        EXPLORE,
        &trace(&[(4, &[(0, 0)]), (2, &[(0, 1)])], 7, STATE),
    );
    rejected(&n, EXPLORE, &trace(&[(3, &[(0, 0)])], 0, STATE), "guard");
    let replayed = judge_trace(
        &n,
        &query(EXPLORE),
        &trace(&[(4, &[(0, 0)]), (2, &[(0, 1)])], 7, STATE),
    )
    .expect("run");
    assert_eq!(replayed.last.clocks, vec![2, 13]);
}

#[test]
fn liveness_needs_a_maximal_run_with_the_formula_at_every_moment() {
    let mut n = network(1);
    let p = process(&mut n, vec![vec![at_most(0, 5)], vec![]]);
    edge(
        &mut n,
        p,
        (0, 1),
        vec![at_least(0, 2)],
        Sync::Internal,
        vec![],
    );
    let here = || QueryKind::PotentiallyAlways(Formula::Or(vec![at(0, 0), at(0, 1)]));
    let goes = |ending| trace(&[(3, &[(0, 0)])], 0, ending);
    accepted(&n, here(), &goes(Ending::Diverges));
    accepted(&n, here(), &goes(Ending::Deadlock));
    rejected(&n, here(), &goes(STATE), "maximal");
    rejected(&n, here(), &trace(&[], 0, Ending::Diverges), "without end");
    rejected(
        &n,
        here(),
        &trace(&[], 0, Ending::Deadlock),
        "still possible",
    );
    // A hole in the middle of a delay is seen.
    let hole = Formula::Not(Box::new(Formula::And(vec![
        Formula::Clock(above(0, 1)),
        Formula::Not(Box::new(Formula::Clock(at_least(0, 2)))),
    ])));
    rejected(
        &n,
        QueryKind::PotentiallyAlways(hole),
        &goes(Ending::Diverges),
        "all along",
    );
    // A<> leaves its first location: no counter-example that stays there.
    rejected(
        &n,
        QueryKind::Eventually(at(0, 1)),
        &trace(&[], 5, Ending::Deadlock),
        "possible",
    );
    let late = Formula::Clock(at_least(0, 9));
    rejected(
        &n,
        QueryKind::Eventually(late),
        &goes(Ending::Diverges),
        "for ever",
    );
}

#[test]
fn leads_to_starts_where_the_premise_holds() {
    let mut n = network(1);
    let p = process(&mut n, vec![vec![], vec![], vec![]]);
    edge(&mut n, p, (0, 1), vec![], Sync::Internal, vec![]);
    edge(&mut n, p, (1, 2), vec![], Sync::Internal, vec![reset(0)]);
    let run = trace(&[(1, &[(0, 0)]), (1, &[(0, 1)])], 0, Ending::Diverges);
    let leads = |p: Formula, q: Formula| QueryKind::LeadsTo(p, q);
    accepted(&n, leads(at(0, 2), at(0, 0)), &run);
    accepted(&n, leads(at(0, 1), at(0, 0)), &run);
    rejected(&n, leads(at(0, 0), at(0, 1)), &run, "premise");
    // The premise holds only within a delay, after the conclusion has held for the last time.
    let premise = Formula::And(vec![at(0, 0), Formula::Clock(above(0, 0))]);
    let conclusion = Formula::And(vec![at(0, 0), Formula::Clock(at_most(0, 0))]);
    accepted(&n, leads(premise.clone(), conclusion), &run);
    rejected(&n, leads(premise, truth()), &run, "premise");
}

#[test]
fn a_loop_that_runs_out_of_time_is_no_loop() {
    let mut n = network(2);
    // Each round takes at least 1 (x0), but x1 is never reset and must stay below 5.
    let p = process(&mut n, vec![vec![at_most(1, 5)]]);
    edge(
        &mut n,
        p,
        (0, 0),
        vec![at_least(0, 1)],
        Sync::Internal,
        vec![reset(0)],
    );
    let run = trace(&[(1, &[(0, 0)]), (1, &[(0, 0)])], 0, Ending::Loop(1));
    rejected(&n, QueryKind::PotentiallyAlways(truth()), &run, "repeated");
    n.processes[p].locations[0].invariant.clocks.clear();
    accepted(&n, QueryKind::PotentiallyAlways(truth()), &run);
    // A Zeno loop counts.
    n.processes[p].locations[0]
        .invariant
        .clocks
        .push(at_most(1, 5));
    n.processes[p].edges[0].guard.clocks.clear();
    accepted(&n, QueryKind::PotentiallyAlways(truth()), &run);
}
