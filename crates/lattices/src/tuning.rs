//! The numbers of this crate that were measured.

use merkhet_network::tuning::Tunable;

pub(crate) const TESTS: Tunable = Tunable {
    name: "refine.tests",
    default: 400,
    range: (0, 1 << 20),
    why: "tests that joins must pass after refinement: with more nothing new is learnt, and discrete states are joined no more",
};

pub(crate) const PARTS: Tunable = Tunable {
    name: "refine.parts",
    default: 64,
    range: (1, 1 << 20),
    why: "states that a replay follows side by side where zones split: a broadcast with guards on clocks may have 2^40",
};

/// All of them.
pub const ALL: &[Tunable] = &[TESTS, PARTS];
