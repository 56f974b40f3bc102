//! Mutual exclusion, and philosophers.

use super::{SAFE, family, model, size};
use crate::generate::{Generator, Model, Parameter, wrong_number};

const PROCESSES: Parameter = size("processes", 3, 200);

/// Cells of two users each, in a tree.
pub(in crate::generate) const ARBITER: Generator = family(
    "arbiter",
    "a tree of arbiter cells, one of which serves both sides at once",
    &[size("levels of the tree", 1, 20), SAFE],
    arbiter,
);

/// Lamport's bakery.
pub(in crate::generate) const BAKERY: Generator = family(
    "bakery",
    "Lamport's bakery, where nobody waits for those who are still choosing a number",
    &[PROCESSES, SAFE],
    bakery,
);

/// Philosophers at a round table.
pub(in crate::generate) const DINING: Generator = family(
    "dining",
    "dining philosophers that all take the left fork first",
    &[PROCESSES, SAFE],
    dining,
);

/// Peterson's algorithm for many processes.
pub(in crate::generate) const FILTER_LOCK: Generator = family(
    "filter-lock",
    "Peterson's algorithm for many processes, with one level too few",
    &[PROCESSES, SAFE],
    filter_lock,
);

fn arbiter(values: &[u32]) -> Result<Model, String> {
    let &[levels, safe] = values else {
        return wrong_number();
    };
    let title = "A tree of arbiter cells. The first cell above the users may serve a side while the other one is served.";
    let constants = [("U", 1 << levels), ("SAFE", safe)];
    Ok(model(
        title,
        &constants,
        ARBITER_BODY,
        "E<> using >= 2".into(),
    ))
}

const ARBITER_BODY: &str = "
// By node of the tree, the root first: whether it asks the one above, and whether that has granted it.
bool asks[2 * U];
bool granted[2 * U];
int[0, U] using = 0;

process Cell(const int[1, U - 1] me) {
    int[0, 1] side = 0;
    state idle, asking, serving, leaving;
    init idle;
    trans
        idle -> asking { guard asks[2 * me] || asks[2 * me + 1]; assign asks[me] = true; },
        asking -> serving { select s : int[0, 1]; guard granted[me] && asks[2 * me + s];
            assign side = s, granted[2 * me + s] = true; },
        serving -> serving { guard SAFE == 0 && me == U / 2 && asks[2 * me + 1 - side] && !granted[2 * me + 1 - side];
            assign granted[2 * me + 1 - side] = true; },
        serving -> leaving { guard !asks[2 * me + side]; assign granted[2 * me + side] = false, asks[me] = false; },
        leaving -> idle { guard !granted[me]; };
}

process Top() {
    state t;
    init t;
    trans
        t -> t { guard asks[1] && !granted[1]; assign granted[1] = true; },
        t -> t { guard !asks[1] && granted[1]; assign granted[1] = false; };
}

process User(const int[U, 2 * U - 1] me) {
    state idle, waiting, busy, leaving;
    init idle;
    trans
        idle -> waiting { assign asks[me] = true; },
        waiting -> busy { guard granted[me]; assign using = using + 1; },
        busy -> leaving { assign asks[me] = false, using = using - 1; },
        leaving -> idle { guard !granted[me]; };
}

system Top, Cell, User;
";

fn bakery(values: &[u32]) -> Result<Model, String> {
    let &[n, safe] = values else {
        return wrong_number();
    };
    let title =
        "Lamport's bakery. Who looks at a number does not wait until its owner has chosen it.";
    let constants = [("N", n), ("SAFE", safe)];
    Ok(model(
        title,
        &constants,
        BAKERY_BODY,
        "E<> inside >= 2".into(),
    ))
}

const BAKERY_BODY: &str = "
const int MOST = N + 1;
typedef int[0, N - 1] id_t;
int[0, MOST] number[N];
bool choosing[N];
int[0, N] inside = 0;

process Customer(const id_t me) {
    int[0, MOST] best = 0;
    int[0, N] k = 0;
    state out, looking, waiting, served;
    init out;
    trans
        out -> looking { assign choosing[me] = SAFE == 1, best = 0, k = 0; },
        looking -> looking { guard k < N; assign best = (number[k] > best ? number[k] : best), k = k + 1; },
        looking -> waiting { guard k == N && best < MOST;
            assign number[me] = best + 1, choosing[me] = false, k = 0; },
        waiting -> waiting { guard k < N && (k == me || !choosing[k] && (number[k] == 0 || number[k] > number[me] ||
            number[k] == number[me] && k > me)); assign k = k + 1; },
        waiting -> served { guard k == N; assign inside = inside + 1; },
        served -> out { assign inside = inside - 1, number[me] = 0, k = 0; };
}

system Customer;
";

fn dining(values: &[u32]) -> Result<Model, String> {
    let &[n, safe] = values else {
        return wrong_number();
    };
    let title = "Dining philosophers. All take the left fork first; in the other variant one of them takes the right one.";
    let constants = [("N", n), ("SAFE", safe)];
    Ok(model(title, &constants, DINING_BODY, "E<> deadlock".into()))
}

const DINING_BODY: &str = "
typedef int[0, N - 1] id_t;
bool taken[N];

process Philosopher(const id_t me) {
    clock x;
    const int first = (SAFE == 1 && me == 0 ? 1 : me);
    const int second = (SAFE == 1 && me == 0 ? 0 : (me + 1) % N);
    state thinking, holding, eating { x <= 3 };
    init thinking;
    trans
        thinking -> holding { guard !taken[first]; assign taken[first] = true; },
        holding -> eating { guard !taken[second]; assign taken[second] = true, x = 0; },
        eating -> thinking { guard x >= 1; assign taken[first] = false, taken[second] = false; };
}

system Philosopher;
";

fn filter_lock(values: &[u32]) -> Result<Model, String> {
    let &[n, safe] = values else {
        return wrong_number();
    };
    let title = "Peterson's algorithm: each level holds one process back. N processes need N - 1 levels, not N - 2.";
    let constants = [("N", n), ("LEVELS", n - 2 + safe)];
    Ok(model(
        title,
        &constants,
        FILTER_BODY,
        "E<> inside >= 2".into(),
    ))
}

const FILTER_BODY: &str = "
typedef int[0, N - 1] id_t;
int[0, N] level[N];
id_t last[N + 1];
int[0, N] inside = 0;

process Process(const id_t me) {
    int[0, N] at = 0;
    int[0, N] k = 0;
    state out, entering, looking, critical;
    init out;
    trans
        out -> entering { assign at = 1; },
        entering -> looking { assign level[me] = at, last[at] = me, k = 0; },
        looking -> looking { guard k < N && (k == me || level[k] < at || last[at] != me); assign k = k + 1; },
        looking -> entering { guard k == N && at < LEVELS; assign at = at + 1; },
        looking -> critical { guard k == N && at == LEVELS; assign inside = inside + 1; },
        critical -> out { assign level[me] = 0, inside = inside - 1, at = 0, k = 0; };
}

system Process;
";
