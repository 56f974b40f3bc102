//! The numbers of this crate that were measured or guessed.

use merkhet_network::Tunable;

/// The tunables of this crate.
pub const ALL: &[Tunable] = &[
    LIVE_BITS,
    REDUCED_VALUES,
    REDUCED_COPIES,
    FAULT_COMBINATIONS,
    WRITERS,
    ABSTRACT_STATES,
    ABSTRACT_SUCCESSORS,
];

pub(crate) const LIVE_BITS: Tunable = Tunable {
    name: "live.bits",
    default: 1 << 28,
    range: (0, 1 << 40),
    why: "cells times locations of a network in which dead variables are looked for: the analysis is to take a small part of \
          the time of a small search; a guess, not measured",
};

pub(crate) const REDUCED_VALUES: Tunable = Tunable {
    name: "reduce.values",
    default: 256,
    range: (1, 1 << 16),
    why: "values of a variable that safe abstraction removes; a guess, not measured",
};

pub(crate) const REDUCED_COPIES: Tunable = Tunable {
    name: "reduce.copies",
    default: 4096,
    range: (0, 1 << 24),
    why: "edges that safe abstraction of one variable may add, one for each value that is read; a guess, not measured",
};

pub(crate) const FAULT_COMBINATIONS: Tunable = Tunable {
    name: "reduce.fault-combinations",
    default: 2048,
    range: (1, 1 << 24),
    why: "combinations of values that are tried to find that an edge cannot fail; a guess, not measured",
};

pub(crate) const WRITERS: Tunable = Tunable {
    name: "invariant.writers",
    default: 3,
    range: (0, 64),
    why: "processes that write a formula's variables whose locations are told apart; a guess, not measured",
};

pub(crate) const ABSTRACT_STATES: Tunable = Tunable {
    name: "invariant.states",
    default: 20_000,
    range: (1, 1 << 30),
    why: "locations of the writers with values of the variables that are looked at for one conjunct; a guess, not measured",
};

pub(crate) const ABSTRACT_SUCCESSORS: Tunable = Tunable {
    name: "invariant.successors",
    default: 64,
    range: (1, 1 << 16),
    why: "values that the variables may have after one edge; a guess, not measured",
};
