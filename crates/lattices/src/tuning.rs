//! The numbers of this crate that were measured.

use merkhet_network::tuning::Tunable;

pub(crate) const TESTS: Tunable = Tunable {
    name: "refine.tests",
    default: 1000,
    range: (0, 1 << 20),
    why: "tests that joins must pass after refinement: with more nothing new is learnt, and discrete states are joined no more",
};

pub(crate) const ROUNDS: Tunable = Tunable {
    name: "refine.rounds",
    default: 60,
    range: (0, 1 << 20),
    why: "refinements after which nothing is joined any more: covering alone is quicker then",
};

pub(crate) const STEPS_BACK: Tunable = Tunable {
    name: "refine.steps-back",
    default: 2000,
    range: (1, 1 << 30),
    why: "transitions that the way to a goal is followed back for the join that is to blame",
};

pub(crate) const TESTS_OF_PATH: Tunable = Tunable {
    name: "refine.tests-of-path",
    default: 64,
    range: (1, 1 << 20),
    why: "tests that are learnt from one path",
};

pub(crate) const PARTS: Tunable = Tunable {
    name: "refine.parts",
    default: 64,
    range: (1, 1 << 20),
    why: "states that a replay follows side by side where zones split: a broadcast with guards on clocks may have 2^40",
};

pub(crate) const TURN: Tunable = Tunable {
    name: "lattice.turn",
    default: 4,
    range: (1, 1 << 30),
    why: "states that joining or covering expands before it looks whose turn it is: with elements of 40,000 cells 32 cost a fifth more, with small ones 2 to 32 cost the same",
};

/// The tunables of this crate.
pub const ALL: &[Tunable] = &[TURN, TESTS, ROUNDS, STEPS_BACK, TESTS_OF_PATH, PARTS];
