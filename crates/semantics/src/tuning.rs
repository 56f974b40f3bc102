//! The numbers of this crate that were measured or guessed.

use merkhet_network::Tunable;

/// The tunables of this crate.
pub const ALL: &[Tunable] = &[GUARD_CELLS, TABLE_CELLS, TABLE_PLACES, TRIAL, TRANSITIONS];

pub(crate) const GUARD_CELLS: Tunable = Tunable {
    name: "memo.guard-cells",
    default: 512,
    range: (0, 1 << 16),
    why: "cells that a guard with loops may read if its outcomes are to be remembered; a guess, not measured",
};

pub(crate) const TABLE_CELLS: Tunable = Tunable {
    name: "memo.cells",
    default: 4 << 20,
    range: (0, 1 << 32),
    why: "cells of all tables of remembered guards of one thread together, 16 MiB; a guess, not measured",
};

pub(crate) const TABLE_PLACES: Tunable = Tunable {
    name: "memo.places",
    default: 512,
    range: (1, 1 << 20),
    why: "places in the table of one remembered guard; a guess, not measured",
};

pub(crate) const TRIAL: Tunable = Tunable {
    name: "memo.trial",
    default: 2048,
    range: (4, 1 << 30),
    why: "evaluations of a guard after which it is no longer remembered if fewer than a quarter were met again; a guess",
};

pub(crate) const TRANSITIONS: Tunable = Tunable {
    name: "moves.transitions",
    default: 256,
    range: (0, 1 << 20),
    why: "transitions of a discrete state that is worked out once for all its zones: beyond, broadcasts combine what a zone \
          would have ruled out; a guess, not measured",
};
