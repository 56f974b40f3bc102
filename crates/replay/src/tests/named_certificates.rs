//! False proofs by hand, one for each condition that a certificate has to meet.

use merkhet_network::{ChannelKind, Formula, Network, QueryKind, Sync};

use super::builder::*;
use super::query;
use crate::certificates::certificate::{
    Certificate, ClockBounds, EXACT, Entry, INFINITY, UNCOMPARED,
};
use crate::certify;

/// An entry: locations, lower and upper bounds of the clocks, and one zone: for each clock its least and largest value
/// (`None`: unbounded), with no relation between clocks.
type Line<'a> = (&'a [u32], &'a [i32], &'a [i32], &'a [(i32, Option<i32>)]);

fn certificate(network: &Network, lines: &[Line<'_>]) -> Certificate {
    let mut certificate = Certificate::new(network, "");
    for &(locations, lower, upper, clocks) in lines {
        let dimension = clocks.len() + 1;
        let mut zone = vec![INFINITY; dimension * dimension];
        zone[0] = 1;
        for (index, &(least, most)) in clocks.iter().enumerate() {
            let row = index + 1;
            zone[row] = -least * 2 + 1;
            zone[row * dimension] = most.map_or(INFINITY, |most| most * 2 + 1);
            zone[row * dimension + row] = 1;
        }
        certificate.bounds.push(ClockBounds {
            lower: lower.to_vec(),
            upper: upper.to_vec(),
        });
        certificate.entries.push(Entry {
            locations: locations.to_vec(),
            cells: Vec::new(),
            tops: None,
            bounds: Some(certificate.bounds.len() as u32 - 1),
            zones: vec![zone],
        });
    }
    certificate
}

#[track_caller]
fn check(network: &Network, bad: Formula, lines: &[Line<'_>], why: Option<&str>) {
    let judged = certify(
        network,
        &query(QueryKind::Possibly(bad)),
        &certificate(network, lines),
    );
    match (judged, why) {
        (Ok(()), None) => {}
        (Err(refusal), Some(why)) => assert!(refusal.reason.contains(why), "{refusal}"),
        (judged, why) => panic!("{judged:?}, expected {why:?}"),
    }
}

const NEVER: &[i32] = &[UNCOMPARED];
const FREE: (i32, Option<i32>) = (0, None);

#[test]
fn bounds_must_cover_guards() {
    let mut n = network(1);
    let p = process(&mut n, vec![vec![], vec![]]);
    edge(
        &mut n,
        p,
        (0, 1),
        vec![at_most(0, 1)],
        Sync::Internal,
        vec![],
    );
    check(
        &n,
        at(0, 1),
        &[(&[0], NEVER, NEVER, &[(5, None)])],
        Some("too low"),
    );
    check(
        &n,
        at(0, 1),
        &[(&[0], NEVER, &[1], &[FREE])],
        Some("target is not there"),
    );
    let guard = at_least(0, 2);
    n.processes[p].edges[0].guard.clocks.push(guard);
    check(&n, at(0, 1), &[(&[0], &[2], &[1], &[FREE])], None);
    check(
        &n,
        at(0, 1),
        &[(&[0], &[1], &[1], &[FREE])],
        Some("too low"),
    );
}

#[test]
fn bounds_must_not_grow_along_transitions() {
    let mut n = network(1);
    let p = process(&mut n, vec![vec![], vec![], vec![]]);
    edge(&mut n, p, (0, 1), vec![], Sync::Internal, vec![]);
    edge(
        &mut n,
        p,
        (1, 2),
        vec![at_most(0, 1)],
        Sync::Internal,
        vec![],
    );
    let lines: [Line<'_>; 2] = [
        (&[0], NEVER, NEVER, &[(5, None)]),
        (&[1], NEVER, &[1], &[(5, None)]),
    ];
    check(&n, at(0, 2), &lines, Some("bounds grow"));
    // With a reset on the way the lower bounds are right, but then the zone behind it is wrong.
    n.processes[p].edges[0].update.push(reset(0));
    check(&n, at(0, 2), &lines, Some("not closed under a transition"));
}

#[test]
fn bounds_must_cover_invariants_here_and_after_a_transition() {
    let mut n = network(1);
    let p = process(&mut n, vec![vec![at_most(0, 5)], vec![]]);
    edge(&mut n, p, (0, 1), vec![], Sync::Internal, vec![]);
    check(
        &n,
        at(0, 1),
        &[(&[0], NEVER, NEVER, &[(9, None)])],
        Some("too low"),
    );
    let mut n = network(1);
    let p = process(&mut n, vec![vec![], vec![at_most(0, 1)]]);
    edge(&mut n, p, (0, 1), vec![], Sync::Internal, vec![]);
    check(
        &n,
        at(0, 1),
        &[(&[0], NEVER, NEVER, &[(5, None)])],
        Some("too low"),
    );
}

#[test]
fn bounds_must_cover_the_bad_condition() {
    let mut n = network(1);
    process(&mut n, vec![vec![]]);
    let bad = || Formula::Clock(at_least(0, 5));
    check(
        &n,
        bad(),
        &[(&[0], NEVER, NEVER, &[(0, Some(0))])],
        Some("too low"),
    );
    check(
        &n,
        bad(),
        &[(&[0], &[5], NEVER, &[(0, Some(0))])],
        Some("delay"),
    );
    check(
        &n,
        bad(),
        &[(&[0], &[5], NEVER, &[FREE])],
        Some("bad state"),
    );
}

#[test]
fn what_hinders_must_be_covered_with_its_negation() {
    // Time stops from x0 = 5 on; before that it passes, and x1 reaches 3.
    let mut n = network(2);
    let c = channel(&mut n, ChannelKind::Broadcast, true);
    let p = process(&mut n, vec![vec![]]);
    edge(
        &mut n,
        p,
        (0, 0),
        vec![at_least(0, 5)],
        Sync::Send(c),
        vec![],
    );
    let frozen: Line<'_> = (
        &[0],
        &[5, EXACT],
        &[UNCOMPARED, EXACT],
        &[(5, Some(5)), (0, Some(0))],
    );
    check(
        &n,
        Formula::Clock(at_least(1, 3)),
        &[frozen],
        Some("too low"),
    );

    // The receiver joins from x0 = 5 on; before that the sender goes alone.
    let mut n = network(1);
    let c = channel(&mut n, ChannelKind::Broadcast, false);
    let p = process(&mut n, vec![vec![], vec![]]);
    edge(&mut n, p, (0, 1), vec![], Sync::Send(c), vec![]);
    let q = process(&mut n, vec![vec![], vec![]]);
    edge(
        &mut n,
        q,
        (0, 1),
        vec![at_least(0, 5)],
        Sync::Receive(c),
        vec![],
    );
    let lines: [Line<'_>; 2] = [
        (&[0, 0], &[5], NEVER, &[(5, None)]),
        (&[1, 1], &[5], NEVER, &[(5, None)]),
    ];
    let alone = || Formula::And(vec![at(0, 1), at(1, 0)]);
    check(&n, alone(), &lines, Some("too low"));

    // From x0 = 5 on the first process comes first; before that the second can move.
    let mut n = network(1);
    let p = process(&mut n, vec![vec![]]);
    edge(
        &mut n,
        p,
        (0, 0),
        vec![at_least(0, 5)],
        Sync::Internal,
        vec![],
    );
    n.processes[p].priority = 1;
    let q = process(&mut n, vec![vec![], vec![]]);
    edge(&mut n, q, (0, 1), vec![], Sync::Internal, vec![]);
    check(
        &n,
        at(1, 1),
        &[(&[0, 0], &[5], NEVER, &[(5, None)])],
        Some("too low"),
    );
}

#[test]
fn deadlock_needs_a_bisimulation() {
    let mut n = network(1);
    let p = process(&mut n, vec![vec![]]);
    edge(
        &mut n,
        p,
        (0, 0),
        vec![at_most(0, 1)],
        Sync::Internal,
        vec![],
    );
    let zone: &[(i32, Option<i32>)] = &[(0, Some(0))];
    check(
        &n,
        Formula::Deadlock,
        &[(&[0], NEVER, &[1], zone)],
        Some("equal lower and upper"),
    );
    check(
        &n,
        Formula::Deadlock,
        &[(&[0], &[1], &[1], zone)],
        Some("delay"),
    );
    check(
        &n,
        Formula::Deadlock,
        &[(&[0], &[1], &[1], &[FREE])],
        Some("bad state"),
    );
    n.processes[p].locations[0]
        .invariant
        .clocks
        .push(at_most(0, 1));
    check(&n, Formula::Deadlock, &[(&[0], &[1], &[1], &[FREE])], None);
}

#[test]
fn the_initial_state_must_be_there() {
    let mut n = network(1);
    process(&mut n, vec![vec![], vec![]]);
    check(&n, at(0, 1), &[], Some("initial"));
    check(
        &n,
        at(0, 1),
        &[(&[0], &[9], &[9], &[(1, None)])],
        Some("initial"),
    );
    check(&n, at(0, 1), &[(&[0], NEVER, NEVER, &[(1, None)])], None);
    check(
        &n,
        at(0, 0),
        &[(&[0], NEVER, NEVER, &[FREE])],
        Some("bad state"),
    );
}

#[test]
fn differences_need_exact_clocks() {
    let mut n = network(2);
    let mut ahead = at_least(0, 1);
    ahead.left = Some(merkhet_network::ClockId(1));
    let p = process(&mut n, vec![vec![], vec![]]);
    // x1 − x0 ≤ −1 never holds: the clocks run together.
    edge(&mut n, p, (0, 1), vec![ahead], Sync::Internal, vec![]);
    let mut lines = certificate(&n, &[(&[0], &[9, 9], &[9, 9], &[FREE, FREE])]);
    lines.entries[0].zones[0][5] = 1;
    lines.entries[0].zones[0][7] = 1;
    let asked = query(QueryKind::Possibly(at(0, 1)));
    assert!(certify(&n, &asked, &lines).is_err());
    lines.entries[0].bounds = None;
    assert_eq!(certify(&n, &asked, &lines), Ok(()));
}
