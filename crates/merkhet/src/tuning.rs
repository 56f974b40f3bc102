//! The numbers of this crate that were measured.

use merkhet_symbolic::check::Turns;

pub use merkhet_network::tuning::{Tunable, Tuning, TuningError};

/// The states of the first look at the whole network, before a reduced one.
pub(crate) const FIRST_LOOK: Tunable = Tunable {
    name: "schedule.first-look",
    default: 3000,
    range: (0, 1 << 40),
    why: "states that follow the heuristic through the whole network before a reduced one is searched: what a reduction \
          removes becomes free choice, so that errors which the heuristic leads to at once take longer there",
};

/// How large a network may be for h^CG to be prepared beside the automatic search.
pub(crate) const BESIDE_CAUSAL: Tunable = Tunable {
    name: "beside.causal",
    default: 200_000,
    range: (0, 1 << 40),
    why: "edges times cells up to which h^CG is prepared for a search beside: 5,000 for the papers' largest instance; with 2.8 million (305 \
          processes that elect a leader) the preparation took 700 MB before the first state",
};

/// What preparing h^CG costs.
pub(crate) const BESIDE_PREPARED: Tunable = Tunable {
    name: "beside.prepared",
    default: 800,
    range: (0, 1 << 40),
    why: "nanoseconds for each product of edges and cells that the preparation of h^CG counts for; it begins when so much is due: 4 ms for the \
          papers' largest instance, which has 5,000 of them",
};

/// The states that one thread explores before several do.
pub(crate) const ALONE: Tunable = Tunable {
    name: "schedule.alone",
    default: 30_000,
    range: (0, 1 << 40),
    why: "states that one thread explores by estimates before several search breadth first: three times what the hardest of \
          the papers' instances takes",
};

/// See [`PROOF_PLUS`].
pub(crate) const PROOF_FACTOR: Tunable = Tunable {
    name: "schedule.proof-factor",
    default: 10,
    range: (1, 1_000_000),
    why: "times the states of the search, a search for a certificate with exact zones may take; they may be infinitely many",
};

/// The states of a search for a certificate beside a multiple of those of the search before.
pub(crate) const PROOF_PLUS: Tunable = Tunable {
    name: "schedule.proof-plus",
    default: 10_000,
    range: (0, 1 << 40),
    why: "states that a search for a certificate with exact zones may take besides",
};

/// See [`CONFIRM_PLUS`].
pub(crate) const CONFIRM_FACTOR: Tunable = Tunable {
    name: "schedule.confirm-factor",
    default: 2,
    range: (0, 1_000_000),
    why: "times the states of a search that joins, a goal that only joins reach is looked for without joins",
};

/// The states of a search without joins beside a multiple of those of the search with them.
pub(crate) const CONFIRM_PLUS: Tunable = Tunable {
    name: "schedule.confirm-plus",
    default: 1000,
    range: (0, 1 << 40),
    why: "states besides, for a goal that only joins reach",
};

/// The states that joining and covering explore before estimates are followed.
pub(crate) const LATTICE_LOOK: Tunable = Tunable {
    name: "schedule.lattice-look",
    default: 500,
    range: (0, 1 << 40),
    why: "states that are joined and covered before estimates are followed through single elements; a guess, not measured",
};

/// The states that estimates are followed through where elements could be joined and covered.
pub(crate) const GUIDED_LOOK: Tunable = Tunable {
    name: "schedule.guided-look",
    default: 2000,
    range: (0, 1 << 40),
    why: "states that estimates lead through, elements one by one, before the longer search joins and covers: most errors of           the examples are found within a few hundred",
};

/// The states of one look for a maximal run close to the start.
pub(crate) const SHALLOW: Tunable = Tunable {
    name: "schedule.shallow",
    default: 50_000,
    range: (0, 1 << 40),
    why: "states of each look for a maximal run close to the start, after depth first has met a fault",
};

/// The steps that looking for an invariant may take where no time is set.
pub(crate) const INVARIANT_STEPS: Tunable = Tunable {
    name: "invariant.steps",
    default: 1_000_000,
    range: (0, 1 << 40),
    why: "steps, of some tens of nanoseconds each, for what answers a query without a search: few where no time is set, \
          since the answer matters only if the search does not end",
};

/// The most steps that looking for an invariant may take.
pub(crate) const INVARIANT_MOST: Tunable = Tunable {
    name: "invariant.most-steps",
    default: 120_000_000,
    range: (0, 1 << 40),
    why: "steps for the same where much time is set",
};

/// The steps that looking for an invariant may take of each millisecond that is set.
pub(crate) const INVARIANT_RATE: Tunable = Tunable {
    name: "invariant.steps-per-millisecond",
    default: 2000,
    range: (0, 1 << 40),
    why: "steps of each millisecond that is set: a twentieth of the time at the most, and mostly a few thousand",
};

/// The first horizon up to which clocks are measured.
pub(crate) const HORIZON: Tunable = Tunable {
    name: "values.horizon",
    default: 64,
    range: (1, 1 << 20),
    why: "the first horizon up to which clocks are measured; it is doubled as often as needed",
};

/// The states for the question whether a clock grows without end.
pub(crate) const GROWTH_STATES: Tunable = Tunable {
    name: "values.growth-states",
    default: 10_000,
    range: (1, 1 << 30),
    why: "symbolic states that are looked at to find out whether a clock grows without end, doubled with each horizon",
};

/// The horizons after which growth is asked for.
pub(crate) const GROWTH_ROUNDS: Tunable = Tunable {
    name: "values.growth-rounds",
    default: 6,
    range: (1, 64),
    why: "horizons from one question whether a clock grows without end to the next: most values are finite, and near",
};

/// The most paths that are looked at for several traces.
pub(crate) const PATHS: Tunable = Tunable {
    name: "traces.paths",
    default: 2_000_000,
    range: (1, 1 << 40),
    why: "paths that are looked at for several traces, whatever the limits say",
};

/// The size of the table of bit-state hashing.
pub(crate) const BITSTATE: Tunable = Tunable {
    name: "bitstate.log-bits",
    default: 30,
    range: (10, 40),
    why: "the table of bit-state hashing has 2 to the power of so many bits: 128 MiB",
};

/// The steps of walks that nobody set an end to.
pub(crate) const WALK_STEPS: Tunable = Tunable {
    name: "walks.steps",
    default: 100_000_000,
    range: (1, 1 << 50),
    why: "steps of --search walk where neither --timeout nor --max-states ends it: some minutes, at a microsecond each; ten \
          times what the hardest models at hand need; a guess",
};

/// The steps of walks after a search that only says that something may hold.
pub(crate) const WALKS: Tunable = Tunable {
    name: "walks.after",
    default: 8_000_000,
    range: (0, 1 << 40),
    why: "steps of walks where a stopwatch model may hold: schedulers of 30 tasks need up to 5 million, a microsecond each",
};

pub(crate) const SHORTEN_LEAST: Tunable = Tunable {
    name: "shorten.least",
    default: 1 << 12,
    range: (0, 1 << 40),
    why: "steps for shortening a run that was found at once: some milliseconds",
};

pub(crate) const SHORTEN_TRANSITION: Tunable = Tunable {
    name: "shorten.per-transition",
    default: 128,
    range: (0, 1 << 20),
    why: "steps for each transition of the run: making it concrete, judging and printing it cost about as much",
};

pub(crate) const SHORTEN_SHARE: Tunable = Tunable {
    name: "shorten.share",
    default: 10,
    range: (1, 1 << 20),
    why: "the share of the search's work that shortening gets: a tenth",
};

pub(crate) const SHORTEN_SHORT: Tunable = Tunable {
    name: "shorten.short",
    default: 1 << 23,
    range: (0, 1 << 40),
    why: "steps before --trace short gives up where nothing comes of them: ten seconds",
};

pub(crate) const SHORTEN_PATIENCE: Tunable = Tunable {
    name: "shorten.patience",
    default: 10,
    range: (1, 1 << 20),
    why: "times the steps of its last success, --trace short goes on without another one",
};

pub(crate) const BESIDE_TURN: Tunable = Tunable {
    name: "beside.thread-turn",
    default: 1_000_000,
    range: (1, 1 << 40),
    why: "work of one turn of each that looks beside a search with several threads; a guess",
};

pub(crate) const BESIDE_SLEEP: Tunable = Tunable {
    name: "beside.sleep",
    default: 9,
    range: (0, 1 << 16),
    why: "times of their turns for which those who look beside a search with several threads sleep: they get a tenth of one core; a guess",
};

pub(crate) const BESIDE_MEMORY_SHARE: Tunable = Tunable {
    name: "beside.memory-share",
    default: 4,
    range: (1, 1 << 16),
    why: "the part of the memory limit that searches beside may take together; a guess",
};

pub(crate) const BESIDE_MEMORY: Tunable = Tunable {
    name: "beside.memory",
    default: 1 << 30,
    range: (1, 1 << 50),
    why: "bytes that searches beside may take together where there is no limit; a guess",
};

pub(crate) const SHORTEN_NEARBY: Tunable = Tunable {
    name: "shorten.nearby",
    default: 1 << 27,
    range: (0, 1 << 50),
    why: "bytes that the states near a run may take while it is made shorter; a guess",
};

pub(crate) const SHORTEN_ROUNDS: Tunable = Tunable {
    name: "shorten.rounds",
    default: 4,
    range: (1, 1 << 16),
    why: "the part of what may be spent that the first turn of making a run shorter gets; a guess",
};

pub(crate) const GROWTH_DOUBLINGS: Tunable = Tunable {
    name: "growth.doublings",
    default: 7,
    range: (0, 32),
    why: "doublings of the states that may be looked at to find out whether a clock grows without end: 1.3 million at the most where the searches stay small",
};

pub(crate) const REORDER_AT: Tunable = Tunable {
    name: "diagrams.reorder-at",
    default: 1 << 14,
    range: (0, 1 << 40),
    why: "nodes from which a better order of variables is looked for where the user asks for it: smaller diagrams are not worth it; a guess",
};

pub(crate) const REORDER_IN_USE: Tunable = Tunable {
    name: "diagrams.reorder-in-use",
    default: 1 << 16,
    range: (0, 1 << 40),
    why: "nodes in use from which a better order of variables is looked for by itself: diagrams that fit the order are seldom as large, and those that do not are soon much larger",
};

pub(crate) const TURNS_FIRST: Tunable = Tunable {
    name: "diagrams.turn",
    default: Turns::USUAL.first as i64,
    range: (1, 1 << 40),
    why: "work of the search that is favoured in its first turn: a moment; a guess",
};

pub(crate) const TURNS_LAST_GUIDED: Tunable = Tunable {
    name: "diagrams.last-guided-turn",
    default: Turns::USUAL.last_guided as i64,
    range: (1, 1 << 40),
    why: "work of a turn up to which guided search is favoured; saturation is in longer ones; a guess",
};

pub(crate) const TURNS_OTHERS: Tunable = Tunable {
    name: "diagrams.others",
    default: Turns::USUAL.others as i64,
    range: (1, 1 << 40),
    why: "the part of a turn that goes to guided search or saturation where the other is favoured; a guess",
};

pub(crate) const TURNS_BREADTH_FIRST: Tunable = Tunable {
    name: "diagrams.breadth-first",
    default: Turns::USUAL.breadth_first as i64,
    range: (1, 1 << 40),
    why: "the part of a turn that goes to breadth first; a guess",
};

pub(crate) const TURNS_CLAUSES: Tunable = Tunable {
    name: "diagrams.clauses",
    default: Turns::USUAL.clauses as i64,
    range: (1, 1 << 40),
    why: "the part of a turn that goes to clauses where guided search is favoured; a guess",
};

pub(crate) const TURNS_CLAUSES_LATER: Tunable = Tunable {
    name: "diagrams.clauses-later",
    default: Turns::USUAL.clauses_later as i64,
    range: (1, 1 << 40),
    why: "the part of a turn that goes to clauses where saturation is favoured; a guess",
};

pub(crate) const TURNS_BEFORE_CLAUSES: Tunable = Tunable {
    name: "diagrams.before-clauses",
    default: Turns::USUAL.before_clauses as i64,
    range: (1, 1 << 40),
    why: "times the first turn, a turn must be for clauses to be written: most questions are answered before; a guess",
};

pub(crate) const TURNS_FOR_SEARCH: Tunable = Tunable {
    name: "diagrams.for-search",
    default: Turns::USUAL.for_search as i64,
    range: (1, 1 << 40),
    why: "the part of a guided turn that is left for the search where the databases take all the rest; a guess",
};

pub(crate) const TURNS_FOR_PATH: Tunable = Tunable {
    name: "diagrams.for-path",
    default: Turns::USUAL.for_path as i64,
    range: (1, 1 << 40),
    why: "times the work of saturation, which has found that there is an error, a search for a path to it may take; a guess",
};

pub(crate) const TURNS_FIRST_BUILD: Tunable = Tunable {
    name: "diagrams.first-build",
    default: Turns::USUAL.first_build as i64,
    range: (1, 1 << 40),
    why: "work after which the building of a model stops for a search by clauses, which needs none; a guess",
};

pub(crate) const TURNS_NEXT_BUILD: Tunable = Tunable {
    name: "diagrams.next-build",
    default: Turns::USUAL.next_build as i64,
    range: (1, 1 << 40),
    why: "how many times as long the building may take each time after; a guess",
};

/// The turns of searches by decision diagrams.
pub(crate) fn turns(tuning: &Tuning) -> Turns {
    let count = |tunable| tuning.count(tunable) as u64;
    Turns {
        first: count(&TURNS_FIRST),
        last_guided: count(&TURNS_LAST_GUIDED),
        others: count(&TURNS_OTHERS),
        breadth_first: count(&TURNS_BREADTH_FIRST),
        clauses: count(&TURNS_CLAUSES),
        clauses_later: count(&TURNS_CLAUSES_LATER),
        before_clauses: count(&TURNS_BEFORE_CLAUSES),
        for_search: count(&TURNS_FOR_SEARCH),
        for_path: count(&TURNS_FOR_PATH),
        first_build: count(&TURNS_FIRST_BUILD),
        next_build: count(&TURNS_NEXT_BUILD),
    }
}

/// All that can be set, of all crates.
pub const KNOWN: &[&[Tunable]] = &[
    merkhet_heuristics::tuning::ALL,
    ALL,
    merkhet_explore::tuning::ALL,
    merkhet_lattices::tuning::ALL,
    merkhet_semantics::tuning::ALL,
    merkhet_analysis::tuning::ALL,
    merkhet_network::tuning::ALL,
    merkhet_walks::tuning::ALL,
];

/// The tunables of this crate.
const ALL: &[Tunable] = &[
    WALKS,
    SHORTEN_LEAST,
    SHORTEN_TRANSITION,
    SHORTEN_SHARE,
    SHORTEN_SHORT,
    SHORTEN_PATIENCE,
    WALK_STEPS,
    FIRST_LOOK,
    BESIDE_CAUSAL,
    BESIDE_PREPARED,
    ALONE,
    PROOF_FACTOR,
    PROOF_PLUS,
    CONFIRM_FACTOR,
    CONFIRM_PLUS,
    LATTICE_LOOK,
    GUIDED_LOOK,
    SHALLOW,
    INVARIANT_STEPS,
    INVARIANT_MOST,
    INVARIANT_RATE,
    HORIZON,
    GROWTH_STATES,
    GROWTH_ROUNDS,
    PATHS,
    BITSTATE,
    BESIDE_TURN,
    BESIDE_SLEEP,
    BESIDE_MEMORY_SHARE,
    BESIDE_MEMORY,
    SHORTEN_NEARBY,
    SHORTEN_ROUNDS,
    GROWTH_DOUBLINGS,
    REORDER_AT,
    REORDER_IN_USE,
    TURNS_FIRST,
    TURNS_LAST_GUIDED,
    TURNS_OTHERS,
    TURNS_BREADTH_FIRST,
    TURNS_CLAUSES,
    TURNS_CLAUSES_LATER,
    TURNS_BEFORE_CLAUSES,
    TURNS_FOR_SEARCH,
    TURNS_FOR_PATH,
    TURNS_FIRST_BUILD,
    TURNS_NEXT_BUILD,
];
