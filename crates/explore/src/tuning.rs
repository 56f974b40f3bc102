//! The numbers of this crate that were measured.

use merkhet_network::tuning::Tunable;

pub(crate) const BEYOND_FACTOR: Tunable = Tunable {
    name: "beyond.factor",
    default: 4,
    range: (0, 1 << 20),
    why: "times the states expanded until a fault of the model, a search goes on after it",
};

pub(crate) const BEYOND_PLUS: Tunable = Tunable {
    name: "beyond.plus",
    default: 100000,
    range: (0, 1 << 40),
    why: "states that it goes on besides: a search that goes deep may meet a fault long before the goal",
};

pub(crate) const LOOKS_FIRST_SHARE: Tunable = Tunable {
    name: "looks.first-share",
    default: 16,
    range: (2, 1 << 20),
    why: "one expansion of so many is one of the first looks into the depth: errors that depth first finds early are to be found early",
};

pub(crate) const LOOKS_SHARE: Tunable = Tunable {
    name: "looks.share",
    default: 40,
    range: (2, 1 << 20),
    why: "one expansion of so many is one of the later looks: a long proof is to lose little",
};

pub(crate) const LOOKS_EARLY: Tunable = Tunable {
    name: "looks.early",
    default: 2000,
    range: (0, 1 << 40),
    why: "expansions of the first looks",
};

pub(crate) const LOOKS_SLICE: Tunable = Tunable {
    name: "looks.slice",
    default: 32,
    range: (1, 1 << 20),
    why: "expansions of one slice of looks",
};

pub(crate) const LOOKS_PER_SLICE: Tunable = Tunable {
    name: "looks.per-slice",
    default: 2,
    range: (1, 1000),
    why: "looks that may begin in one slice",
};

pub(crate) const LOOKS_TRIAL: Tunable = Tunable {
    name: "looks.trial",
    default: 256,
    range: (1, 1 << 20),
    why: "states of the look that says whether depth first makes mistakes",
};

pub(crate) const LOOKS_FIRST: Tunable = Tunable {
    name: "looks.first",
    default: 500,
    range: (1, 1 << 20),
    why: "states of the first look of each sort; the next ones have each time four times as many",
};

pub(crate) const LOOKS_MEMORY_SHARE: Tunable = Tunable {
    name: "looks.memory-share",
    default: 10,
    range: (1, 1 << 20),
    why: "the memory of a look is at most this part of that of the proof",
};

pub(crate) const LOOKS_MEMORY: Tunable = Tunable {
    name: "looks.memory",
    default: 1 << 20,
    range: (1, 1 << 40),
    why: "or so many bytes",
};

pub(crate) const BESIDE_AFTER: Tunable = Tunable {
    name: "beside.after",
    default: 20_000,
    range: (0, 1 << 40),
    why: "work of the automatic search before walks come in: the papers' instances need 9,061 successors at the most",
};

pub(crate) const BESIDE_FIRST: Tunable = Tunable {
    name: "beside.first",
    default: 16,
    range: (1, 1 << 20),
    why: "work for each step of the walks at first: a step costs two to four times a successor without clocks",
};

pub(crate) const BESIDE_LATER: Tunable = Tunable {
    name: "beside.later",
    default: 32,
    range: (1, 1 << 20),
    why: "work for each step of the walks later: a long proof is to lose little",
};

pub(crate) const BESIDE_EARLY: Tunable = Tunable {
    name: "beside.early",
    default: 1 << 25,
    range: (0, 1 << 40),
    why: "work until then, about ten seconds",
};

/// The entries of a zone and the cells that make up a unit of work.
pub(crate) const CELLS_OF_A_UNIT: u64 = 64;

/// All of them.
pub const ALL: &[Tunable] = &[
    BESIDE_AFTER,
    BESIDE_FIRST,
    BESIDE_LATER,
    BESIDE_EARLY,
    BEYOND_FACTOR,
    BEYOND_PLUS,
    LOOKS_FIRST_SHARE,
    LOOKS_SHARE,
    LOOKS_EARLY,
    LOOKS_SLICE,
    LOOKS_PER_SLICE,
    LOOKS_TRIAL,
    LOOKS_FIRST,
    LOOKS_MEMORY_SHARE,
    LOOKS_MEMORY,
];
