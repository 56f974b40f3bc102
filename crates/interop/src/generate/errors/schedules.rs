//! Resources in time: trains, jobs, buffers and tasks.

use super::{SAFE, array, family, model, size};
use crate::generate::{Generator, Model, wrong_number};

/// Trains and a signal box.
pub(in crate::generate) const CROSSING: Generator = family(
    "crossing",
    "trains and a signal box that does not stop the last one that comes",
    &[size("trains", 3, 200), SAFE],
    |values| {
        let &[n, safe] = values else {
            return wrong_number();
        };
        let title = "A single track. The signal box halts trains in a queue that has no place for the last one.";
        let constants = [("N", n), ("PLACES", if safe == 1 { n } else { n - 2 })];
        Ok(model(
            title,
            &constants,
            CROSSING_BODY,
            "E<> crossing >= 2".into(),
        ))
    },
);

/// Jobs on machines.
pub(in crate::generate) const JOB_SHOP: Generator = family(
    "job-shop",
    "jobs on three machines, to be done in the time of a simple schedule",
    &[size("jobs", 2, 100), SAFE],
    job_shop,
);

/// Stages with buffers between them.
pub(in crate::generate) const PIPELINE: Generator = family(
    "pipeline",
    "stages with buffers between them, of which the last one overflows",
    &[size("stages", 2, 100), SAFE],
    |values| {
        let &[n, safe] = values else {
            return wrong_number();
        };
        let title = "Stages with buffers between them. Where each takes a varying time, what comes evenly piles up.";
        let constants = [("N", n), ("SAFE", safe)];
        let query = "E<> filled[N - 1] > PLACES".into();
        Ok(model(title, &constants, PIPELINE_BODY, query))
    },
);

/// Tasks of fixed priority.
pub(in crate::generate) const SCHEDULER: Generator = family(
    "scheduler",
    "preemptive tasks of fixed priority with stopwatches, the last of which misses its deadline",
    &[size("tasks", 2, 20), SAFE],
    scheduler,
);

const CROSSING_BODY: &str = "
typedef int[0, N - 1] id_t;
int[0, N] crossing = 0;
id_t last = 0;
chan announce, gone;
chan halt[N], go[N];

process Train(const id_t me) {
    clock x;
    state far, near { x <= 20 }, halted, starting { x <= 15 }, across { x <= 5 };
    init far;
    trans
        far -> near { sync announce!; assign x = 0, last = me; },
        near -> across { guard x >= 10; assign x = 0, crossing = crossing + 1; },
        near -> halted { guard x < 10; sync halt[me]?; },
        halted -> starting { sync go[me]?; assign x = 0; },
        starting -> across { guard x >= 7; assign x = 0, crossing = crossing + 1; },
        across -> far { guard x >= 3; sync gone!; assign crossing = crossing - 1; };
}

process Box() {
    id_t queue[N];
    int[0, N] length = 0;
    state open, taken, halting, releasing;
    commit halting, releasing;
    init open;
    trans
        open -> taken { sync announce?; },
        taken -> halting { sync announce?; },
        halting -> taken { guard length < PLACES; sync halt[last]!; assign queue[length] = last, length = length + 1; },
        halting -> taken { guard length >= PLACES; },
        taken -> releasing { sync gone?; },
        releasing -> open { guard length == 0; },
        releasing -> taken { guard length > 0; sync go[queue[0]]!; assign shift(); };

    void shift() {
        length--;
        for (i : int[0, N - 2]) queue[i] = queue[i + 1];
        queue[N - 1] = 0;
    }
}

system Box, Train;
";

const MACHINES: u32 = 3;

fn job_shop(values: &[u32]) -> Result<Model, String> {
    let &[n, safe] = values else {
        return wrong_number();
    };
    let takes = |job: u32, step: u32| 1 + (7 * job + 5 * step + job * step) % 6;
    let machine = |job: u32, step: u32| match job % 2 {
        0 => (job + step) % MACHINES,
        _ => (job + 2 * step) % MACHINES,
    };
    let longest = (0..n).map(|job| (0..MACHINES).map(|step| takes(job, step)).sum::<u32>());
    // One job after the other, each step as early as its machine has been free since the last one.
    let mut free = [0; MACHINES as usize];
    let mut end = 0;
    for job in 0..n {
        let mut now = 0;
        for step in 0..MACHINES {
            let at = machine(job, step) as usize;
            now = free[at].max(now) + takes(job, step);
            free[at] = now;
        }
        end = end.max(now);
    }
    let limit = match safe {
        1 => longest.max().unwrap_or(1) - 1,
        _ => end,
    };
    let table = |entry: &dyn Fn(u32, u32) -> u32| -> String {
        let rows = (0..n).map(|job| array((0..MACHINES).map(|step| entry(job, step))));
        format!("{{ {} }}", rows.collect::<Vec<String>>().join(",\n    "))
    };
    let body = format!(
        "const int takes[N][3] = {};\nconst int machine[N][3] = {};{JOB_SHOP_BODY}",
        table(&takes),
        table(&machine)
    );
    let title = "Jobs of three steps on three machines. LIMIT is the time of a schedule, or less than the longest job takes.";
    let query = "E<> finished == N && time <= LIMIT".into();
    Ok(model(title, &[("N", n), ("LIMIT", limit)], &body, query))
}

const JOB_SHOP_BODY: &str = "
typedef int[0, N - 1] id_t;
bool busy[3];
int[0, N] finished = 0;
clock time;

process Job(const id_t me) {
    clock x;
    int[0, 2] k = 0;
    state waiting, working { x <= takes[me][k] }, done;
    init waiting;
    trans
        waiting -> working { guard !busy[machine[me][k]]; assign busy[machine[me][k]] = true, x = 0; },
        working -> waiting { guard k < 2 && x == takes[me][k]; assign busy[machine[me][k]] = false, k = k + 1; },
        working -> done { guard k == 2 && x == takes[me][k]; assign busy[machine[me][k]] = false, finished = finished + 1; };
}

system Job;
";

const PIPELINE_BODY: &str = "
const int PERIOD = 4;
const int PLACES = 2;
const int LEAST = (SAFE == 1 ? PERIOD : 1);
const int MOST = (SAFE == 1 ? PERIOD : PERIOD + 2);
int[0, PLACES + 1] filled[N + 1];
urgent broadcast chan now;

process Source() {
    clock x;
    state s { x <= PERIOD };
    init s;
    trans
        s -> s { guard x == PERIOD && filled[0] <= PLACES; assign x = 0, filled[0] = filled[0] + 1; };
}

process Stage(const int[0, N - 1] me) {
    clock x;
    state idle, busy { x <= MOST };
    init idle;
    trans
        idle -> busy { guard filled[me] > 0; sync now!; assign filled[me] = filled[me] - 1, x = 0; },
        busy -> idle { guard x >= LEAST && filled[me + 1] <= PLACES; assign filled[me + 1] = filled[me + 1] + 1; };
}

process Sink() {
    state s;
    init s;
    trans
        s -> s { guard filled[N] > 0; sync now!; assign filled[N] = filled[N] - 1; };
}

system Source, Stage, Sink;
";

fn scheduler(values: &[u32]) -> Result<Model, String> {
    let &[n, safe] = values else {
        return wrong_number();
    };
    let period = |task: u32| 6 + 6 * task;
    let mut worst: Vec<u32> = (0..n).map(|task| 1 + task % 2).collect();
    let last = n as usize - 1;
    worst[last] = 1;
    while response(&worst, &period) < period(n - 1) {
        worst[last] += 1;
    }
    worst[last] -= safe;
    let body = format!(
        "const int period[N] = {};\nconst int worst[N] = {};\nbool ready[N] = {{ {} }};{SCHEDULER_BODY}",
        array((0..n).map(period)),
        array(worst.iter().copied()),
        vec!["true"; n as usize].join(", ")
    );
    let title = "Periodic tasks, the first with the highest priority, each preempted by those before it. A job of the last one may take one unit too long.";
    let query = format!("E<> Task({}).missed", n - 1);
    Ok(model(title, &[("N", n)], &body, query))
}

/// The time from the release of all tasks to the end of the last one's job, or its period if that is less (Joseph and
/// Pandya, "Finding response times in a real-time system", 1986).
fn response(worst: &[u32], period: &dyn Fn(u32) -> u32) -> u32 {
    let Some((own, before)) = worst.split_last() else {
        return 0;
    };
    let limit = period(before.len() as u32);
    let mut time = *own;
    loop {
        let others = before.iter().zip(0..);
        let demand: u32 = own
            + others
                .map(|(takes, task)| takes * time.div_ceil(period(task)))
                .sum::<u32>();
        if demand == time || demand >= limit {
            return demand.min(limit);
        }
        time = demand;
    }
}

const SCHEDULER_BODY: &str = "
typedef int[0, N - 1] id_t;

bool runs(id_t me) {
    return ready[me] && forall (j : id_t) (j >= me || !ready[j]);
}

process Task(const id_t me) {
    clock p;
    clock c;
    state idle { p <= period[me] }, active { p <= period[me] && c <= worst[me] && c' == runs(me) }, missed;
    init active;
    trans
        idle -> active { guard p == period[me]; assign p = 0, c = 0, ready[me] = true; },
        active -> idle { guard c >= 1; assign ready[me] = false; },
        active -> missed { guard p == period[me]; };
}

system Task;
";
