//! Protocols between stations.

use super::{SAFE, family, model, size};
use crate::generate::{Generator, Model, Parameter, wrong_number};

const STATIONS: Parameter = size("stations", 3, 200);

/// A sender, a receiver, and channels that lose messages.
pub(in crate::generate) const ALTERNATING_BIT: Generator = family(
    "alternating-bit",
    "the alternating-bit protocol, whose sender takes any acknowledgement for the one it waits for",
    &[size("messages", 2, 10_000), SAFE],
    alternating_bit,
);

/// A bus with time slots.
pub(in crate::generate) const BUS: Generator = family(
    "bus",
    "a bus with time slots, whose stations may send for longer than their slot",
    &[STATIONS, SAFE],
    |values| {
        sized(values, BUS_TITLE, BUS_BODY, |n| {
            format!(
                "E<> Station({}).sending && Station({}).sending",
                n - 2,
                n - 1
            )
        })
    },
);

/// Caches that look at each other.
pub(in crate::generate) const COHERENCE: Generator = family(
    "coherence",
    "caches of one line, where a writer forgets to tell the last one",
    &[STATIONS, SAFE],
    |values| {
        sized(values, COHERENCE_TITLE, COHERENCE_BODY, |_| {
            "E<> exists (i : id_t) exists (j : id_t) i != j && line[i] == 2 && line[j] >= 1".into()
        })
    },
);

/// Two phases.
pub(in crate::generate) const COMMIT: Generator = family(
    "commit",
    "commitment in two phases, where a vote that comes too late counts as a yes",
    &[STATIONS, SAFE],
    |values| {
        sized(values, COMMIT_TITLE, COMMIT_BODY, |_| {
            "E<> Coordinator.committed && exists (i : id_t) Participant(i).aborted".into()
        })
    },
);

/// The largest number in a ring.
pub(in crate::generate) const ELECTION: Generator = family(
    "election",
    "the election of a leader in a ring, whose members wait just not long enough",
    &[STATIONS, SAFE],
    |values| {
        sized(values, ELECTION_TITLE, ELECTION_BODY, |_| {
            "E<> leaders >= 2".into()
        })
    },
);

/// A token that goes round, and is made anew.
pub(in crate::generate) const TOKEN_RING: Generator = family(
    "token-ring",
    "a ring whose monitor makes a new token just too early",
    &[STATIONS, SAFE],
    |values| {
        sized(values, TOKEN_TITLE, TOKEN_BODY, |_| {
            "E<> tokens >= 2".into()
        })
    },
);

fn sized(
    values: &[u32],
    title: &str,
    body: &str,
    query: impl FnOnce(u32) -> String,
) -> Result<Model, String> {
    let &[n, safe] = values else {
        return wrong_number();
    };
    Ok(model(title, &[("N", n), ("SAFE", safe)], body, query(n)))
}

fn alternating_bit(values: &[u32]) -> Result<Model, String> {
    let title =
        "The alternating-bit protocol. The sender does not look at the bit of an acknowledgement.";
    sized(values, title, ALTERNATING_BODY, |_| {
        "E<> sent == N && received < N".into()
    })
}

const ALTERNATING_BODY: &str = "
int[0, N] sent = 0;
int[0, N] received = 0;
// Each channel holds one message, and may lose it.
bool data = false;
bool answer = false;
int[0, 1] data_bit = 0;
int[0, 1] answer_bit = 0;

process Sender() {
    clock x;
    state ready, waiting;
    init ready;
    trans
        ready -> waiting { guard sent < N && !data; assign data = true, data_bit = sent % 2, x = 0; },
        waiting -> waiting { guard x >= 3 && !data; assign data = true, data_bit = sent % 2, x = 0; },
        waiting -> ready { guard answer && (SAFE == 0 || answer_bit == sent % 2);
            assign answer = false, sent = sent + 1; },
        waiting -> waiting { guard SAFE == 1 && answer && answer_bit != sent % 2; assign answer = false; };
}

process Receiver() {
    state r;
    init r;
    trans
        r -> r { guard data && !answer && received < N && data_bit == received % 2;
            assign data = false, received = received + 1, answer = true, answer_bit = data_bit; },
        r -> r { guard data && !answer && data_bit != received % 2;
            assign data = false, answer = true, answer_bit = data_bit; };
}

process Loss() {
    state l;
    init l;
    trans
        l -> l { guard data; assign data = false; },
        l -> l { guard answer; assign answer = false; };
}

system Sender, Receiver, Loss;
";

const BUS_TITLE: &str =
    "A bus with time slots. A station may send for as long as a slot, but begin late in it.";
const BUS_BODY: &str = "
const int SLOT = 4;
const int LONGEST = (SAFE == 1 ? SLOT - 2 : SLOT);
typedef int[0, N - 1] id_t;
id_t slot = 0;
clock t;

process Turns() {
    state s { t <= SLOT };
    init s;
    trans
        s -> s { guard t == SLOT; assign t = 0, slot = (slot + 1) % N; };
}

process Station(const id_t me) {
    clock x;
    state idle, sending { x <= LONGEST };
    init idle;
    trans
        idle -> sending { guard slot == me && t <= 1; assign x = 0; },
        sending -> idle { guard x >= 1; };
}

system Turns, Station;
";

const COHERENCE_TITLE: &str =
    "Caches of one line, 0 invalid, 1 shared, 2 modified. The bus does not ask the last cache.";
const COHERENCE_BODY: &str = "
const int ASKED = (SAFE == 1 ? N : N - 1);
typedef int[0, N - 1] id_t;
int[0, 2] line[N];
int[0, 2] wants[N];

process Cache(const id_t me) {
    state c;
    init c;
    trans
        c -> c { guard line[me] == 0 && wants[me] == 0; assign wants[me] = 1; },
        c -> c { guard line[me] < 2 && wants[me] == 0; assign wants[me] = 2; },
        c -> c { guard line[me] > 0 && wants[me] == 0; assign line[me] = 0; };
}

process Bus() {
    id_t who = 0;
    int[0, N] k = 0;
    clock x;
    state idle, asking { x <= 1 };
    init idle;
    trans
        idle -> asking { select i : id_t; guard wants[i] > 0; assign who = i, k = 0, x = 0; },
        asking -> asking { guard k < ASKED && k != who;
            assign line[k] = (wants[who] == 2 ? 0 : (line[k] == 2 ? 1 : line[k])), k = k + 1, x = 0; },
        asking -> asking { guard k < ASKED && k == who; assign k = k + 1, x = 0; },
        asking -> idle { guard k == ASKED; assign line[who] = wants[who], wants[who] = 0; };
}

system Bus, Cache;
";

const COMMIT_TITLE: &str =
    "Commitment in two phases. After a while one vote that is missing counts as a yes.";
const COMMIT_BODY: &str = "
const int NEEDED = (SAFE == 1 ? N : N - 1);
typedef int[0, N - 1] id_t;
broadcast chan prepare;
chan yes, no;

process Coordinator() {
    clock x;
    int[0, N] votes = 0;
    state start, collecting { x <= 10 }, committed, stopped;
    init start;
    trans
        start -> collecting { sync prepare!; assign x = 0; },
        collecting -> collecting { sync yes?; assign votes = votes + 1; },
        collecting -> stopped { sync no?; },
        collecting -> committed { guard votes == N; },
        collecting -> committed { guard x == 10 && votes >= NEEDED; },
        collecting -> stopped { guard x == 10 && votes < NEEDED; };
}

process Participant(const id_t me) {
    clock x;
    state idle, deciding { x <= 12 }, agreed, refusing, aborted;
    init idle;
    trans
        idle -> deciding { sync prepare?; assign x = 0; },
        deciding -> agreed { guard x >= 2; sync yes!; },
        deciding -> refusing { guard x >= 4; },
        refusing -> aborted { sync no!; },
        refusing -> aborted { guard x > 10; };
}

system Coordinator, Participant;
";

const ELECTION_TITLE: &str = "Each sends its number round the ring; who hears of no larger one for a while leads. The while is just as long as a message may take.";
const ELECTION_BODY: &str = "
const int DELAY = 2;
const int PATIENCE = (N - 1) * DELAY + SAFE;
typedef int[0, N - 1] id_t;
id_t carried[N];
int[0, N] leaders = 0;
chan put[N], get[N];

// From one member to the next; a message that follows too soon takes the place of the one before.
process Link(const id_t me) {
    clock y;
    state empty, full { y <= DELAY };
    init empty;
    trans
        empty -> full { sync put[me]?; assign y = 0; },
        full -> full { sync put[me]?; assign y = 0; },
        full -> empty { guard y >= 1; sync get[me]!; };
}

process Member(const id_t me) {
    const int before = (me + N - 1) % N;
    clock x;
    id_t held = 0;
    state begin, waiting { x <= PATIENCE }, passing, beaten, leader;
    commit begin, passing;
    init begin;
    trans
        begin -> waiting { sync put[me]!; assign carried[me] = me, x = 0; },
        waiting -> leader { guard x == PATIENCE; assign leaders = leaders + 1; },
        waiting -> waiting { guard carried[before] < me; sync get[before]?; },
        waiting -> leader { guard carried[before] == me; sync get[before]?; assign leaders = leaders + 1; },
        waiting -> passing { guard carried[before] > me; sync get[before]?; assign held = carried[before]; },
        passing -> beaten { sync put[me]!; assign carried[me] = held; },
        beaten -> beaten { guard carried[before] <= me; sync get[before]?; },
        beaten -> passing { guard carried[before] > me; sync get[before]?; assign held = carried[before]; },
        leader -> leader { sync get[before]?; };
}

system Link, Member;
";

const TOKEN_TITLE: &str =
    "A token goes round. The monitor makes a new one after a time that a round may just take.";
const TOKEN_BODY: &str = "
const int HOLD = 3;
const int PATIENCE = (N - 1) * HOLD + SAFE;
typedef int[0, N - 1] id_t;
int[0, 2] tokens = 1;
chan pass[N];

process Monitor() {
    clock x;
    clock h;
    state holding { h <= HOLD }, without;
    init holding;
    trans
        holding -> without { guard h >= 1; sync pass[1]!; assign x = 0; },
        without -> holding { sync pass[0]?; assign h = 0; },
        without -> holding { guard x >= PATIENCE && tokens < 2; assign tokens = tokens + 1, h = 0; };
}

process Station(const int[1, N - 1] me) {
    clock h;
    state without, holding { h <= HOLD };
    init without;
    trans
        without -> holding { sync pass[me]?; assign h = 0; },
        holding -> without { guard h >= 1; sync pass[(me + 1) % N]!; };
}

system Monitor, Station;
";
