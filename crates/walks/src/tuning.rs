//! The numbers of this crate that were measured or guessed.

use merkhet_network::{Tunable, Tuning};

/// The tunables of this crate.
pub const ALL: &[Tunable] = &[
    DEPTH,
    CLIMB_SHARE,
    CLIMB_TRIES,
    CLIMB_BUDGET,
    CLIMB_LENGTH,
    ANEW_STATES,
    ANEW_WALKS,
    ANEW_TURN,
];

const DEPTH: Tunable = Tunable {
    name: "walks.depth",
    default: 16,
    range: (1, 1 << 30),
    why: "steps of the first walks from the start; later ones go deeper; a guess, not measured",
};

const CLIMB_SHARE: Tunable = Tunable {
    name: "walks.climb-share",
    default: 1 << 12,
    range: (1, 1 << 40),
    why: "steps of guided walks after which walks of another kind may come; a guess, not measured",
};

const CLIMB_TRIES: Tunable = Tunable {
    name: "walks.climb-tries",
    default: 11,
    range: (1, 1 << 20),
    why: "guided walks of one length before they get longer; a guess, not measured",
};

const CLIMB_BUDGET: Tunable = Tunable {
    name: "walks.climb-budget",
    default: 1 << 10,
    range: (1, 1 << 40),
    why: "steps without progress after which the first climb of guided walks begins anew; the later ones follow the sequence \
          of Luby's; a guess, not measured",
};

const CLIMB_LENGTH: Tunable = Tunable {
    name: "walks.climb-length",
    default: 1 << 3,
    range: (1, 1 << 20),
    why: "steps of the first guided walks from a state; a guess, not measured",
};

const ANEW_STATES: Tunable = Tunable {
    name: "shorten.states",
    default: 64,
    range: (1, 1 << 20),
    why: "states of a run that is made shorter from which walks begin, so that one is near every state; a guess, not measured",
};

const ANEW_WALKS: Tunable = Tunable {
    name: "shorten.walks",
    default: 1 << 10,
    range: (1, 1 << 40),
    why: "walks after which they begin at other states of the run; a guess, not measured",
};

const ANEW_TURN: Tunable = Tunable {
    name: "shorten.turn",
    default: 1 << 12,
    range: (1, 1 << 40),
    why: "steps of one turn of walks from the start that look for a shorter run; a guess, not measured",
};

/// Their values, looked up once.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    pub depth: u64,
    pub climb_share: u64,
    pub climb_tries: u64,
    pub climb_budget: u64,
    pub climb_length: u64,
    pub anew_states: usize,
    pub anew_walks: usize,
    pub anew_turn: u64,
}

impl Numbers {
    pub fn of(tuning: &Tuning) -> Numbers {
        let count = |tunable| tuning.count(tunable) as u64;
        Numbers {
            depth: count(&DEPTH),
            climb_share: count(&CLIMB_SHARE),
            climb_tries: count(&CLIMB_TRIES),
            climb_budget: count(&CLIMB_BUDGET),
            climb_length: count(&CLIMB_LENGTH),
            anew_states: tuning.count(&ANEW_STATES),
            anew_walks: tuning.count(&ANEW_WALKS),
            anew_turn: count(&ANEW_TURN),
        }
    }
}
