//! Puzzles: the error is the solution.

use super::{SAFE, array, family, model, size};
use crate::generate::{Generator, Model, wrong_number};

/// Over a bridge by night.
pub(in crate::generate) const BRIDGE: Generator = family(
    "bridge",
    "soldiers who cross a bridge two by two with one torch, in the least time",
    &[size("soldiers", 2, 60), SAFE],
    bridge,
);

/// A lock with a code.
pub(in crate::generate) const COMBINATION: Generator = family(
    "combination",
    "a combination lock that begins anew after a wrong digit, or a slow one",
    &[size("digits", 1, 1000), SAFE],
    combination,
);

/// All secrets by telephone.
pub(in crate::generate) const GOSSIP: Generator = family(
    "gossip",
    "everybody learns all secrets by telephone, in the fewest calls",
    &[size("people", 4, 30), SAFE],
    gossip,
);

/// Measuring water.
pub(in crate::generate) const JUGS: Generator = family(
    "jugs",
    "jugs of 3, 5, 7, ... litres, to measure one litre",
    &[size("jugs", 2, 40), SAFE],
    jugs,
);

/// Tiles on a board.
pub(in crate::generate) const SLIDING: Generator = family(
    "sliding",
    "a board of N by 3 with sliding tiles",
    &[size("rows", 2, 30), SAFE],
    sliding,
);

fn bridge(values: &[u32]) -> Result<Model, String> {
    let &[n, safe] = values else {
        return wrong_number();
    };
    let takes: Vec<u32> = (0..n)
        .map(|soldier| 2 + 3 * soldier + soldier % 2)
        .collect();
    let constants = [("N", n), ("LIMIT", least_time(&takes) - safe)];
    let body = format!(
        "const int takes[N] = {};{BRIDGE_BODY}",
        array(takes.iter().copied())
    );
    let query = "E<> Torch.here && forall (i : id_t) over[i] == 1 && time <= LIMIT".into();
    let title = "Soldiers cross a bridge, two at most at a time, with the torch. LIMIT is the least time, or one less.";
    Ok(model(title, &constants, &body, query))
}

/// The least time for soldiers in ascending order: the two slowest go together, or each with the fastest (Rote, "Crossing
/// the bridge at night", 2002).
fn least_time(takes: &[u32]) -> u32 {
    match takes {
        [] => 0,
        [only] => *only,
        [_, second] => *second,
        [first, second, third] => first + second + third,
        [first, second, .., before, last] => {
            let together = first + 2 * second + last;
            let apart = 2 * first + before + last;
            together.min(apart) + least_time(&takes[..takes.len() - 2])
        }
    }
}

const BRIDGE_BODY: &str = "
typedef int[0, N - 1] id_t;
int[0, 1] over[N];
clock time;

process Torch() {
    clock x;
    int[0, 1] side = 0;
    int[0, 1000] needs = 0;
    state here, crossing { x <= needs };
    init here;
    trans
        here -> crossing { select a : id_t, b : id_t; guard a <= b && over[a] == side && over[b] == side;
            assign x = 0, needs = (takes[a] > takes[b] ? takes[a] : takes[b]), over[a] = 1 - side, over[b] = 1 - side; },
        crossing -> here { guard x == needs; assign side = 1 - side; };
}

system Torch;
";

fn combination(values: &[u32]) -> Result<Model, String> {
    let &[n, safe] = values else {
        return wrong_number();
    };
    // There is no key for 10.
    let digit = |place: u32| match safe == 1 && place + 1 == n {
        true => 10,
        false => (place * place * 7 + place * 3 + 4) % 10,
    };
    let body = format!(
        "const int code[N] = {};{COMBINATION_BODY}",
        array((0..n).map(digit))
    );
    let title = "A combination lock. In the variant without a solution the last digit has no key.";
    Ok(model(title, &[("N", n)], &body, "E<> k == N".into()))
}

const COMBINATION_BODY: &str = "
int[0, N] k = 0;

process Lock() {
    clock x;
    state l;
    init l;
    trans
        l -> l { select d : int[0, 9]; guard k < N && d == code[k] && x >= 2 && x <= 5; assign k = k + 1, x = 0; },
        l -> l { select d : int[0, 9]; guard k < N && d != code[k]; assign k = 0, x = 0; },
        l -> l { guard x > 5; assign k = 0, x = 0; };
}

system Lock;
";

fn gossip(values: &[u32]) -> Result<Model, String> {
    let &[n, safe] = values else {
        return wrong_number();
    };
    let constants = [("N", n), ("CALLS", 2 * n - 4 - safe), ("ALL", (1 << n) - 1)];
    let secrets = array((0..n).map(|who| 1 << who));
    let body = format!("int[0, ALL] knows[N] = {secrets};{GOSSIP_BODY}");
    let query = "E<> forall (i : id_t) knows[i] == ALL".into();
    let title = "In a call two people tell each other all they know. 2N - 4 calls are enough, and one less is not.";
    Ok(model(title, &constants, &body, query))
}

const GOSSIP_BODY: &str = "
typedef int[0, N - 1] id_t;
int[0, CALLS] calls = 0;
id_t caller = 0;
chan ring[N];

process Person(const id_t me) {
    state free, asking;
    commit asking;
    init free;
    trans
        free -> asking { guard calls < CALLS; assign caller = me, calls = calls + 1; },
        asking -> free { select to : id_t; guard to != me; sync ring[to]!; },
        free -> free { sync ring[me]?; assign knows[me] = knows[me] | knows[caller], knows[caller] = knows[me]; };
}

system Person;
";

fn jugs(values: &[u32]) -> Result<Model, String> {
    let &[n, safe] = values else {
        return wrong_number();
    };
    let holds = |jug: u32| (2 * jug + 3) * (1 + safe);
    let body = format!(
        "const int holds[N] = {};{JUGS_BODY}",
        array((0..n).map(holds))
    );
    let query = format!(
        "E<> litres[{}] == 1 && forall (i : id_t) (i == {} || litres[i] == 0)",
        n - 1,
        n - 1
    );
    let title = "One litre is to be in the largest jug, and nothing in the others. With even jugs it cannot be.";
    Ok(model(title, &[("N", n)], &body, query))
}

const JUGS_BODY: &str = "
typedef int[0, N - 1] id_t;
int[0, 200] litres[N];

void pour(id_t from, id_t to) {
    int room = holds[to] - litres[to];
    int moved = (litres[from] < room ? litres[from] : room);
    litres[from] -= moved;
    litres[to] += moved;
}

process Hands() {
    state h;
    init h;
    trans
        h -> h { select i : id_t; guard litres[i] < holds[i]; assign litres[i] = holds[i]; },
        h -> h { select i : id_t; guard litres[i] > 0; assign litres[i] = 0; },
        h -> h { select i : id_t, j : id_t; guard i != j && litres[i] > 0 && litres[j] < holds[j]; assign pour(i, j); };
}

system Hands;
";

fn sliding(values: &[u32]) -> Result<Model, String> {
    let &[n, safe] = values else {
        return wrong_number();
    };
    let cells = 3 * n as usize;
    let (tiles, hole) = scrambled(cells, safe == 1);
    let body = format!(
        "const int CELLS = 3 * N;\nint[0, CELLS - 1] tile[CELLS] = {};\nint[0, CELLS - 1] hole = {hole};{SLIDING_BODY}",
        array(tiles)
    );
    let query = "E<> forall (i : int[0, CELLS - 1]) tile[i] == (i + 1) % CELLS".into();
    let title = "Tiles slide into the hole until they are in order. With two of them exchanged they never are.";
    Ok(model(title, &[("N", n)], &body, query))
}

/// A board that moves of the hole have brought out of order; an odd permutation of that where there is to be no way back.
fn scrambled(cells: usize, odd: bool) -> (Vec<u32>, usize) {
    let mut tiles: Vec<u32> = (1..cells as u32).chain([0]).collect();
    let (mut hole, mut seed) = (cells - 1, 12_345_u32);
    for _ in 0..20 * cells {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let to = match seed >> 30 {
            0 if hole >= 3 => hole - 3,
            1 if hole + 3 < cells => hole + 3,
            2 if !hole.is_multiple_of(3) => hole - 1,
            3 if hole % 3 < 2 => hole + 1,
            _ => continue,
        };
        tiles.swap(hole, to);
        hole = to;
    }
    if odd {
        let others: Vec<usize> = (0..cells).filter(|cell| *cell != hole).collect();
        tiles.swap(others[0], others[1]);
    }
    (tiles, hole)
}

const SLIDING_BODY: &str = "

bool touches(int a, int b) {
    return a - b == 3 || b - a == 3 || a / 3 == b / 3 && (a - b == 1 || b - a == 1);
}

process Board() {
    state b;
    init b;
    trans
        b -> b { select from : int[0, CELLS - 1]; guard touches(from, hole);
            assign tile[hole] = tile[from], tile[from] = 0, hole = from; };
}

system Board;
";
