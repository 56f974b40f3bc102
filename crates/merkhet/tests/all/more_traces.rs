//! Several runs that show the same answer.

use std::sync::atomic::Ordering;
use std::time::Duration;

use merkhet::{Config, Model, StopReason, Traces, Why, all_traces};

const MODEL: &str = "
    int[0,9] n;
    process P() {
        state A, B;
        init A;
        trans A -> A { guard n < 9; assign n++; }, A -> B { guard n % 2 == 0; };
    }
    system P;";

fn traces(number: usize, change: impl FnOnce(&mut Config)) -> Traces {
    let mut model = Model::read("model.xta", MODEL.as_bytes());
    let query = model.query("E<> P.B").query.expect("a query");
    let network = model.network().expect("a network");
    let mut config = Config::default();
    change(&mut config);
    all_traces(network, &query, &config, number).expect("traces")
}

fn lengths(traces: &Traces) -> Vec<usize> {
    traces.runs.iter().map(|run| run.steps.len()).collect()
}

#[test]
fn short_ones_come_first_and_all_are_found() {
    let some = traces(3, |_| {});
    assert_eq!((lengths(&some), some.ended), (vec![1, 3, 5], None));
    let all = traces(100, |_| {});
    assert_eq!((lengths(&all), all.ended), (vec![1, 3, 5, 7, 9], None));
}

/// A limit is told from the end of the search.
#[test]
fn a_limit_is_not_the_last_trace() {
    let interrupted = traces(9, |config| {
        config.limits.cancel.store(true, Ordering::Relaxed)
    });
    let found = (lengths(&interrupted), interrupted.ended);
    assert_eq!(found, (vec![], Some(Why::Limit(StopReason::Cancelled))));
    let late = traces(9, |config| config.limits.timeout = Some(Duration::ZERO));
    let found = (lengths(&late), late.ended);
    assert_eq!(found, (vec![], Some(Why::Limit(StopReason::Timeout))));
    let few = traces(9, |config| config.limits.states = Some(4));
    let found = (lengths(&few), few.ended);
    assert_eq!(found, (vec![1, 3], Some(Why::Limit(StopReason::States))));
}
