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
    why: "expansions of the first looks: half as many cost a proof of 25,000 states a twentieth less, and find what lies deep in twice the states",
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

pub(crate) const SECOND_LEAST: Tunable = Tunable {
    name: "second.least",
    default: 64,
    range: (1, 1 << 40),
    why: "states expanded in vain before another order is tried beside the first: less says nothing yet",
};

pub(crate) const SECOND_SHARE: Tunable = Tunable {
    name: "second.share",
    default: 8,
    range: (1, 1 << 40),
    why: "another order is tried where one expansion of so many is in vain: no order can save more than that",
};

pub(crate) const SECOND_SLICE: Tunable = Tunable {
    name: "second.slice",
    default: 64,
    range: (1, 1 << 40),
    why: "expansions of a turn of two searches for one proof",
};

pub(crate) const SECOND_LEAD: Tunable = Tunable {
    name: "second.lead",
    default: 4,
    range: (1, 1 << 40),
    why: "expansions of the second search for each of the first where a goal is looked for: proofs cost a quarter more than \
        breadth first alone",
};

pub(crate) const GAIN_TRIAL: Tunable = Tunable {
    name: "gain.trial",
    default: 1024,
    range: (1, 1 << 40),
    why: "comparisons of zones before it is judged whether simulation gains something",
};

pub(crate) const GAIN_SHARE: Tunable = Tunable {
    name: "gain.share",
    default: 32,
    range: (1, 1 << 40),
    why: "simulation is kept where one comparison of so many gains a state: it costs a tenth of an expansion each, and a state that \
        is saved saves its successors",
};

pub(crate) const GAIN_SAMPLE: Tunable = Tunable {
    name: "gain.sample",
    default: 128,
    range: (1, 1 << 40),
    why: "while simulation is off, one new zone of so many is compared by it: up to 64 comparisons, or a hundredth of the search",
};

pub(crate) const GAIN_SIGNED: Tunable = Tunable {
    name: "gain.signed",
    default: 4,
    range: (1, 1 << 40),
    why: "simulation is switched on or off after one comparison for so many stored zones: to work out their signatures costs about \
        as much as that comparison with all that belongs to it (a guess)",
};

pub(crate) const BESIDE_AFTER: Tunable = Tunable {
    name: "beside.after",
    default: 4_000_000,
    range: (0, 1 << 50),
    why: "work (nanoseconds of a machine of 2024) of the automatic search before others come in: all but the largest of the papers' instances are solved with less",
};

pub(crate) const BESIDE_EXPANSIONS: Tunable = Tunable {
    name: "beside.expansions",
    default: 32,
    range: (0, 1 << 40),
    why: "expansions of the automatic search, however long they take, before others come in: the errors of arbiter trees of any size take 10 to 26",
};

pub(crate) const BESIDE_LEAST: Tunable = Tunable {
    name: "beside.least",
    default: 50,
    range: (0, 1 << 30),
    why: "thousandths of the search's work that those who look beside it get together where next to nothing waits: a proof is about to end, and is to lose little",
};

pub(crate) const BESIDE_DOUBLED: Tunable = Tunable {
    name: "beside.doubled",
    default: 40,
    range: (0, 1 << 20),
    why: "thousandths more each time that the work doubles, up to half of beside.most: the elections of leaders that walks find have few states \
          waiting for gigabytes; a proof of ten seconds loses a fifth",
};

pub(crate) const BESIDE_LONG: Tunable = Tunable {
    name: "beside.long",
    default: 300_000_000,
    range: (1, 1 << 50),
    why: "work from which on that is added: most proofs end before",
};

pub(crate) const BESIDE_MOST: Tunable = Tunable {
    name: "beside.most",
    default: 500,
    range: (0, 1 << 30),
    why: "thousandths that they get where far more states wait than were expanded, as in state spaces that no store holds: with twice as much gossip among eight is found in half the time, and Fischer's protocol with 100 processes takes 275 states instead of 143",
};

pub(crate) const BESIDE_WIDE: Tunable = Tunable {
    name: "beside.wide",
    default: 2,
    range: (1, 1 << 20),
    why: "waiting states for each expanded one, from which on they get the most; below, their share grows with the square of that. Fischer, \
          CSMA/CD: 1.5 after a thousand states, below 0.5 for most of a proof; gossip 2 to 4, arbiter trees 6 to 12 for as long as memory lasts",
};

pub(crate) const BESIDE_GRANT: Tunable = Tunable {
    name: "beside.grant",
    default: 500_000,
    range: (0, 1 << 50),
    why: "work that one of them gets besides each time that it comes nearer to the goal, at least, but never more in all than is due to all of them: a fifth of it finds puzzles two to four times later",
};

pub(crate) const BUDGET: Tunable = Tunable {
    name: "auto.budget",
    default: 1_000_000,
    range: (0, 1 << 50),
    why: "nanoseconds (of a machine of 2020) that estimates may use up at first: five times as much finds nothing sooner on the papers' instances",
};

pub(crate) const FALL: Tunable = Tunable {
    name: "auto.fall",
    default: 400_000,
    range: (0, 1 << 40),
    why: "nanoseconds that estimates get when the smallest one has fallen for the n-th time, times n squared: a long way down is worth more than a short one; half of it is enough for C6 and C7, which need most",
};

pub(crate) const MANY_FALLS: Tunable = Tunable {
    name: "auto.many-falls",
    default: 10,
    range: (1, 1 << 20),
    why: "falls from which on that grows no faster than their number: estimates fall ten to twenty times before an error is found on the papers' instances, three times on proofs about protocols",
};

pub(crate) const HOPELESS: Tunable = Tunable {
    name: "auto.hopeless",
    default: 1000,
    range: (0, 1 << 40),
    why: "states among which faults of the model are looked for where the first estimate proves that the goal cannot be reached: a guess",
};

pub(crate) const BESIDE_TURN: Tunable = Tunable {
    name: "beside.turn",
    default: 20_000,
    range: (0, 1 << 40),
    why: "work of a turn of those who look beside the search, at the least; a guess",
};

pub(crate) const FOLLOWED: Tunable = Tunable {
    name: "auto.followed",
    default: 64,
    range: (0, 1 << 40),
    why: "expansions by estimate that are certain at the start and after each fall of the smallest one, however much estimates cost: where a state has hundreds of successors they use up the budget at once",
};

pub(crate) const ESTIMATE: Tunable = Tunable {
    name: "auto.estimate",
    default: 100,
    range: (0, 1 << 40),
    why: "nanoseconds that an estimate counts for, beside what it touches",
};

pub(crate) const ESTIMATE_EDGE: Tunable = Tunable {
    name: "auto.estimate-edge",
    default: 3,
    range: (0, 1 << 40),
    why: "nanoseconds that each thing that an estimate touches counts for: 2 to 4 on fischer-200, A6, C9, gossip and a select of 20,000 values, 9 where functions are interpreted",
};

pub(crate) const DEAREST: Tunable = Tunable {
    name: "auto.dearest",
    default: 50,
    range: (1, 1 << 40),
    why: "times the work of the expansions by estimate, the estimates themselves may cost on average: where they would cost more, states get the estimate of the state that they were found from",
};

pub(crate) const BLIND_SHARE: Tunable = Tunable {
    name: "auto.blind-share",
    default: 70,
    range: (1, 1 << 20),
    why: "blind work for each unit of estimates beyond the budget: estimates cost up to three times what is counted (CSMA/CD), so that this leaves them a twentieth of the time",
};

pub(crate) const ROUND: Tunable = Tunable {
    name: "auto.round",
    default: 500,
    range: (1, 1 << 40),
    why: "expansions of the second round of the blind searches, which take turns",
};

pub(crate) const ROUND_SHARE: Tunable = Tunable {
    name: "auto.round-share",
    default: 4,
    range: (1, 1 << 20),
    why: "later rounds are this part of what has been expanded blindly",
};

pub(crate) const DEEP_TRIAL: Tunable = Tunable {
    name: "auto.deep-trial",
    default: 128,
    range: (1, 1 << 40),
    why: "expansions of the first round of blind search, after which depth first is judged for the first time",
};

pub(crate) const LOSS: Tunable = Tunable {
    name: "auto.loss",
    default: 50,
    range: (1, 1 << 20),
    why: "depth first gets no more turns where more than one state of so many expansions is subsumed by larger ones",
};

pub(crate) const BOOST: Tunable = Tunable {
    name: "preferred.boost",
    default: 1000,
    range: (0, 1 << 40),
    why: "turns that the preferred queues get when the smallest estimate falls, as in Fast Downward",
};

pub(crate) const CROWDED: Tunable = Tunable {
    name: "moves.crowded",
    default: 3,
    range: (1, 1 << 20),
    why: "states for each discrete part, on average, from which on its transitions are worked out once: with fewer they take memory and bring nothing",
};

pub(crate) const WIDE: Tunable = Tunable {
    name: "moves.wide",
    default: 64,
    range: (0, 1 << 20),
    why: "rows of a zone above which the transitions of each state are worked out on the rows of clocks that matter there; a guess",
};

pub(crate) const MOVES_SMALL: Tunable = Tunable {
    name: "moves.bytes",
    default: 1 << 21,
    range: (0, 1 << 40),
    why: "bytes that worked-out transitions may take at least, and further up to a quarter of the store",
};

pub(crate) const THREADS_ENOUGH: Tunable = Tunable {
    name: "threads.enough",
    default: 128,
    range: (1, 1 << 40),
    why: "waiting states for each thread from which on several share the work",
};

pub(crate) const THREADS_WASTE: Tunable = Tunable {
    name: "threads.waste",
    default: 4,
    range: (1, 1 << 40),
    why: "times the waiting states that may have been expanded then: a search with more is narrow, and one thread goes on",
};

/// The states that fill a batch.
pub(crate) const THREADS_BATCH: Tunable = Tunable {
    name: "threads.batch",
    default: 256,
    range: (1, 1 << 20),
    why: "states that one thread sends to another together; a guess, not measured",
};

/// The expansions between two flushes.
pub(crate) const THREADS_FLUSH: Tunable = Tunable {
    name: "threads.flush",
    default: 128,
    range: (1, 1 << 40),
    why: "expansions after which all batches are sent, however small: the order of the search suffers if states travel long",
};

/// The states that may be handed over.
pub(crate) const THREADS_HANDED: Tunable = Tunable {
    name: "threads.handed",
    default: 1 << 16,
    range: (0, 1 << 40),
    why: "states of one thread that are divided among several: for a while they are there twice, which the limit of memory \
          does not see",
};

/// All of them.
pub const ALL: &[Tunable] = &[
    SECOND_LEAST,
    SECOND_SHARE,
    SECOND_SLICE,
    SECOND_LEAD,
    GAIN_TRIAL,
    GAIN_SHARE,
    GAIN_SAMPLE,
    GAIN_SIGNED,
    BESIDE_AFTER,
    BESIDE_EXPANSIONS,
    BESIDE_LEAST,
    BESIDE_DOUBLED,
    BESIDE_LONG,
    BESIDE_MOST,
    BESIDE_WIDE,
    BESIDE_GRANT,
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
    BUDGET,
    FALL,
    MANY_FALLS,
    HOPELESS,
    BESIDE_TURN,
    FOLLOWED,
    ESTIMATE,
    ESTIMATE_EDGE,
    DEAREST,
    BLIND_SHARE,
    ROUND,
    ROUND_SHARE,
    DEEP_TRIAL,
    LOSS,
    BOOST,
    CROWDED,
    WIDE,
    MOVES_SMALL,
    THREADS_ENOUGH,
    THREADS_WASTE,
    THREADS_BATCH,
    THREADS_FLUSH,
    THREADS_HANDED,
    CUTS_CROSSING,
    CUTS_UNEVEN,
    CUTS_BEAM,
    CUTS_DEEPEST,
    OWNER_BITS,
    DISTRICTS,
    SPINS,
    SPARE,
    CLUSTER_WINDOW,
    MOVES_OWN,
    PAIRED,
    SLACK,
];

pub(crate) const CUTS_CROSSING: Tunable = Tunable {
    name: "threads.crossing",
    default: 220,
    range: (0, 100_000),
    why: "what a transition from one thread to another costs, in thousandths of the time that a transition takes; measured: a state that travels costs a fifth to a half of one that does not, divided by two threads",
};

pub(crate) const CUTS_UNEVEN: Tunable = Tunable {
    name: "threads.uneven",
    default: 60,
    range: (0, 1000),
    why: "thousandths by which a division among threads may be off an even one, over the parts of the sample; a guess",
};

pub(crate) const CUTS_BEAM: Tunable = Tunable {
    name: "threads.beam",
    default: 8,
    range: (1, 1000),
    why: "divisions that are tried further, bit by bit; a guess",
};

pub(crate) const CUTS_DEEPEST: Tunable = Tunable {
    name: "threads.cut-bits",
    default: 6,
    range: (1, 64),
    why: "bits whose parity makes a division, at most; a guess",
};

pub(crate) const OWNER_BITS: Tunable = Tunable {
    name: "threads.owner-bits",
    default: 8,
    range: (1, 64),
    why: "bits of the part of the state that decides which thread owns it, at least, and one more for each doubling of the threads; a guess",
};

pub(crate) const DISTRICTS: Tunable = Tunable {
    name: "threads.districts",
    default: 8,
    range: (1, 1 << 16),
    why: "districts to each thread, where their number is not a power of two: that many leave each an eighth more or less; a guess",
};

pub(crate) const SPINS: Tunable = Tunable {
    name: "threads.spins",
    default: 2000,
    range: (0, 1 << 30),
    why: "looks for mail of an idle thread before it goes to sleep; a guess",
};

pub(crate) const CLUSTER_WINDOW: Tunable = Tunable {
    name: "cluster.window",
    default: 32 << 20,
    range: (1, 1 << 40),
    why: "bytes that may be on their way from one process to all others together, before it waits; a guess, not measured",
};

pub(crate) const SPARE: Tunable = Tunable {
    name: "threads.spare",
    default: 128,
    range: (0, 1 << 30),
    why: "empty batches that a thread keeps: one that receives more than it sends would hoard them; a guess",
};

pub(crate) const MOVES_OWN: Tunable = Tunable {
    name: "moves.own",
    default: 64 << 20,
    range: (0, 1 << 40),
    why: "bytes that the targets of the transitions of one state may take, where they are worked out for it alone; a guess",
};

pub(crate) const PAIRED: Tunable = Tunable {
    name: "novelty.paired",
    default: 128,
    range: (0, 1 << 20),
    why: "cells of a state for which pairs are looked at: there are half their square of them; a guess",
};

pub(crate) const SLACK: Tunable = Tunable {
    name: "auto.slack",
    default: 1024,
    range: (1, 1 << 40),
    why: "states expanded from other queues that may stay on the stack of the automatic search; a guess",
};
