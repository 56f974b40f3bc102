//! `sup`, `inf` and `bounds` of clocks and of their differences: against the region graph, and when all the constants
//! of a network become larger, so that the values lie beyond whatever the measurement starts with.

use merkhet::network::{
    BinaryOp, ClockConstraint, ClockId, Expr, Extremum, Formula, LocationId, Measure, Network,
    ProcessId, Query, QueryKind, SiteId, Stmt,
};
use merkhet::{Answer, Bound, Config, Value, check};
use merkhet_testing::{self as testing, End, Profile, RegionGraph};

/// The oracle's largest graph.
const LIMIT: usize = 3_000;

/// How much larger the constants become.
const FACTOR: i32 = 40;

fn bounds(predicate: Formula, left: Option<ClockId>, right: Option<ClockId>) -> Query {
    Query {
        text: format!("bounds: {left:?} - {right:?}"),
        comment: String::new(),
        kind: QueryKind::Bounds {
            extremum: Extremum::Both,
            predicate,
            measures: vec![(Measure::Clock { left, right }, "m".into())],
        },
        site: SiteId::NONE,
    }
}

/// Each clock, negated too, and each difference, at each location of the first process.
fn queries(network: &Network) -> Vec<Query> {
    let clocks: Vec<Option<ClockId>> = std::iter::once(None)
        .chain(network.clock_ids().map(Some))
        .collect();
    let mut all = Vec::new();
    for location in 0..network.processes[0].locations.len() {
        let there = Formula::Data(Expr::At(ProcessId(0), LocationId::from(location)));
        for left in &clocks {
            for right in clocks.iter().filter(|right| *right != left) {
                all.push(bounds(there.clone(), *left, *right));
            }
        }
    }
    all
}

/// All constants that clocks are compared with or set to, times a factor: every run becomes longer by it.
fn slower(network: &Network) -> Network {
    fn larger(expr: &mut Expr) {
        let factor = Expr::Const(FACTOR);
        *expr = Expr::binary(BinaryOp::Multiply, expr.clone(), factor);
    }
    fn constraints(list: &mut [ClockConstraint]) {
        list.iter_mut()
            .for_each(|constraint| larger(&mut constraint.bound));
    }
    fn statements(list: &mut [Stmt]) {
        for statement in list {
            match statement {
                Stmt::Reset { value, .. } => larger(value),
                Stmt::If {
                    then, otherwise, ..
                } => {
                    statements(then);
                    statements(otherwise);
                }
                Stmt::While { body, .. } | Stmt::For { body, .. } => statements(body),
                _ => {}
            }
        }
    }
    let mut slow = network.clone();
    for process in &mut slow.processes {
        for location in &mut process.locations {
            constraints(&mut location.invariant.clocks);
        }
        for edge in &mut process.edges {
            constraints(&mut edge.guard.clocks);
            statements(&mut edge.update);
        }
    }
    statements(&mut slow.before_update);
    statements(&mut slow.after_update);
    for function in &mut slow.functions {
        statements(&mut function.body);
    }
    slow
}

/// The range that is found; nothing if it is not known within the limit of states.
fn measure(network: &Network, query: &Query) -> Option<Value> {
    let mut config = Config {
        threads: 1,
        ..Config::default()
    };
    config.limits.states = Some(2_000);
    let report = check(network, query, &config, &mut |_| {}).expect("a report");
    (report.answer == Answer::Satisfied).then(|| report.values[0].clone())
}

fn times(bound: Bound) -> Bound {
    match bound {
        Bound::Reached(value) => Bound::Reached(value * i64::from(FACTOR)),
        Bound::NotReached(value) => Bound::NotReached(value * i64::from(FACTOR)),
        Bound::Infinite => Bound::Infinite,
    }
}

#[derive(Default, Debug)]
struct Tally {
    clocks: u32,
    differences: u32,
    slower: u32,
    /// Finite ends beyond all constants of the slower network.
    far: u32,
}

fn compare(profile: &Profile, seed: u64, tally: &mut Tally) {
    let (network, _) = testing::generate(seed, profile);
    let slow = slower(&network);
    for query in queries(&network) {
        let Some(found) = measure(&network, &query) else {
            continue;
        };
        let QueryKind::Bounds { measures, .. } = &query.kind else {
            continue;
        };
        if let Ok(graph) = RegionGraph::build(&network, std::slice::from_ref(&query), LIMIT)
            && let Ok(testing::Answer::Ranges(ranges)) = graph.answer(&query, LIMIT)
        {
            let end = |end: End| match end {
                End::Closed(value) => Bound::Reached(value.into()),
                End::Open(value) => Bound::NotReached(value.into()),
                End::Infinite => Bound::Infinite,
            };
            let (low, high) = (
                ranges[0].map(|r| end(r.low)),
                ranges[0].map(|r| end(r.high)),
            );
            assert_eq!(
                (found.infimum, found.supremum),
                (low, high),
                "seed {seed}: {query:?}"
            );
            match measures[0].0 {
                Measure::Clock { right: None, .. } => tally.clocks += 1,
                _ => tally.differences += 1,
            }
        }
        let Some(later) = measure(&slow, &query) else {
            continue;
        };
        let expected = (found.infimum.map(times), found.supremum.map(times));
        assert_eq!(
            (later.infimum, later.supremum),
            expected,
            "seed {seed}: {query:?}"
        );
        tally.slower += 1;
        let most = i64::from(FACTOR * profile.constant);
        let ends = [later.infimum, later.supremum].into_iter().flatten();
        tally.far += ends
            .filter(|end| match end {
                Bound::Reached(value) | Bound::NotReached(value) => value.abs() > most,
                Bound::Infinite => false,
            })
            .count() as u32;
    }
}

fn run(profile: &Profile, first: u64, count: u64) -> Tally {
    let mut tally = Tally::default();
    (first..first + count).for_each(|seed| compare(profile, seed, &mut tally));
    assert!(tally.clocks > 0 && tally.differences > 0, "{tally:?}");
    assert!(tally.slower > 0, "{tally:?}");
    tally
}

#[test]
fn ranges_beyond_all_constants_are_exact_on_timed_networks() {
    let tally = run(&Profile::timed(), 70_006, 6);
    assert!(tally.far > 0, "{tally:?}");
}

#[test]
fn ranges_are_exact_on_networks_with_differences() {
    run(&Profile::diagonal(), 80_002, 6);
}
