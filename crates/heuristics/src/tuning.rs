//! The numbers of this crate that were measured or guessed.

use merkhet_network::Tunable;

/// The tunables of this crate.
pub const ALL: &[Tunable] = &[
    WORK,
    COMBINATIONS,
    WANTED,
    CAUSAL_SIZE,
    CAUSAL_ENTRIES,
    WALKS,
    STEPS,
    TOLERANCE,
    ROUNDS,
    BEYOND,
    DECISIONS,
    NODES,
    WORLDS,
    CHOICES,
    PAIRS,
    VALUES,
    TARGETS,
    TIMED,
    ELIMINATIONS,
    PROPAGATIONS,
    ELIMINATED,
    ROWS,
    GRAPH_GROUP,
    GRAPH_DIMENSIONS,
    GRAPH_PLACES,
    GRAPH_EDGES,
    CAUSAL_VALUES,
    CAUSAL_LOCATIONS,
    CAUSAL_COMBINATIONS,
    CAUSAL_EVALUATIONS,
    CAUSAL_LABELS,
];

pub(crate) const WORK: Tunable = Tunable {
    name: "hu.work",
    default: 20_000,
    range: (1, 1 << 40),
    why: "steps of the interpreter and values looked at for one estimate of h^L or h^U: about 50 expansions, where a variable \
          is wide and updates are not linear (24 ms an estimate with 4 million, 0.13 ms with this); the papers' \
          instances explore the same states with 8,000",
};

pub(crate) const COMBINATIONS: Tunable = Tunable {
    name: "hu.combinations",
    default: 2048,
    range: (1, 1 << 30),
    why: "combinations of values that are tried for one condition or effect of h^L and h^U: beyond, the condition counts as \
          satisfied and the effect brings any value; a guess, not measured",
};

pub(crate) const WANTED: Tunable = Tunable {
    name: "hu.wanted",
    default: 1024,
    range: (1, 1 << 30),
    why: "values of wide cells that an abstract solution asks for in one layer: it is a guess there anyway; not measured",
};

pub(crate) const CAUSAL_SIZE: Tunable = Tunable {
    name: "hcg.size",
    default: 100,
    range: (1, 1 << 30),
    why: "what an estimate of h^CG costs, next to that of an abstract transition graph with so many edges; a guess",
};

pub(crate) const CAUSAL_ENTRIES: Tunable = Tunable {
    name: "hcg.entries",
    default: 1 << 21,
    range: (1, 1 << 30),
    why: "entries of all tables of costs of h^CG together, 8 MiB; a guess, not measured",
};

pub(crate) const WALKS: Tunable = Tunable {
    name: "pa.walks",
    default: 24,
    range: (1, 1 << 20),
    why: "random walks whose states tell which predicates pay; a guess, not measured",
};

pub(crate) const STEPS: Tunable = Tunable {
    name: "pa.steps",
    default: 160,
    range: (1, 1 << 20),
    why: "steps of each of these walks; a guess, not measured",
};

pub(crate) const TOLERANCE: Tunable = Tunable {
    name: "pa.tolerance",
    default: 50,
    range: (1, 1 << 30),
    why: "without the predicates that do not pay, estimates may fall by one part in this number, all together; a guess",
};

pub(crate) const ROUNDS: Tunable = Tunable {
    name: "pa.rounds",
    default: 3,
    range: (0, 1 << 20),
    why: "how often predicates that do not pay are looked for; a guess, not measured",
};

pub(crate) const BEYOND: Tunable = Tunable {
    name: "pa.beyond",
    default: 4,
    range: (1, 1 << 20),
    why: "times the states that end refinement, a database may have before it is cut off; a guess, not measured",
};

pub(crate) const DECISIONS: Tunable = Tunable {
    name: "pa.decisions",
    default: 200_000,
    range: (1, 1 << 40),
    why: "cases that all decisions of a preparation may try together, about 0.8 s: half a second to minutes without, on five \
          processes with equations over wide variables; none of the papers' instances needs 100,000",
};

pub(crate) const NODES: Tunable = Tunable {
    name: "pa.nodes",
    default: 300,
    range: (1, 1 << 30),
    why: "cases that one decision about integers may try before it stays open, which over-approximates; a guess, not measured",
};

pub(crate) const WORLDS: Tunable = Tunable {
    name: "pa.worlds",
    default: 48,
    range: (1, 1 << 20),
    why: "cases into which the code of one transition may fall before its effects are forgotten; a guess, not measured",
};

pub(crate) const CHOICES: Tunable = Tunable {
    name: "pa.choices",
    default: 32,
    range: (1, 1 << 20),
    why: "ways to choose the receivers of a broadcast that are told apart; a guess, not measured",
};

pub(crate) const PAIRS: Tunable = Tunable {
    name: "pa.pairs",
    default: 20_000,
    range: (1, 1 << 30),
    why: "pairs of edges over one channel, and choices of one vector, that are told apart; a guess, not measured",
};

pub(crate) const VALUES: Tunable = Tunable {
    name: "pa.values",
    default: 12,
    range: (1, 1 << 30),
    why: "values of a slot that are tried one by one where an operator is not linear; a guess",
};

pub(crate) const TARGETS: Tunable = Tunable {
    name: "pa.targets",
    default: 8,
    range: (1, 1 << 20),
    why: "conditions of a goal for which databases are made one by one; a guess",
};

pub(crate) const TIMED: Tunable = Tunable {
    name: "pa.clocks",
    default: 24,
    range: (0, 1 << 16),
    why: "clocks of a network whose paths are refined by time as well: a refinement closes a matrix for each step; a guess",
};

pub(crate) const ELIMINATIONS: Tunable = Tunable {
    name: "pa.eliminations",
    default: 16,
    range: (0, 1 << 30),
    why: "cases of a decision in which variables are eliminated, which is dear; a guess",
};

pub(crate) const PROPAGATIONS: Tunable = Tunable {
    name: "pa.propagations",
    default: 24,
    range: (1, 1 << 30),
    why: "rounds of propagation in a case of a decision; the rest is left to trying; a guess",
};

pub(crate) const ELIMINATED: Tunable = Tunable {
    name: "pa.eliminated",
    default: 8,
    range: (0, 1 << 16),
    why: "variables of a case in which variables are eliminated, at most; a guess",
};

pub(crate) const ROWS: Tunable = Tunable {
    name: "pa.rows",
    default: 160,
    range: (1, 1 << 30),
    why: "inequalities that an elimination may leave; a guess",
};

pub(crate) const GRAPH_GROUP: Tunable = Tunable {
    name: "hu.group",
    default: 512,
    range: (1, 1 << 30),
    why: "similar edges that are joined in the abstract transition graph: joining looks at pairs; a guess",
};

pub(crate) const GRAPH_DIMENSIONS: Tunable = Tunable {
    name: "hu.dimensions",
    default: 6,
    range: (0, 64),
    why: "cells and processes that one condition or effect is enumerated over: beyond, the condition counts as satisfied and the effect brings any value; a guess",
};

pub(crate) const GRAPH_PLACES: Tunable = Tunable {
    name: "hu.places",
    default: 1024,
    range: (1, 1 << 30),
    why: "locations of a process, times values of its own variables, up to which it is unfolded to see how long it may stay; a guess",
};

pub(crate) const GRAPH_EDGES: Tunable = Tunable {
    name: "hu.horizon",
    default: 400,
    range: (0, 1 << 30),
    why: "edges of a process that are told apart in the longest time until it has taken them; a guess",
};

pub(crate) const CAUSAL_VALUES: Tunable = Tunable {
    name: "hcg.values",
    default: 256,
    range: (0, 1 << 15),
    why: "values of a variable that h^CG looks at, at most; a guess",
};

pub(crate) const CAUSAL_LOCATIONS: Tunable = Tunable {
    name: "hcg.locations",
    default: 4096,
    range: (0, 1 << 15),
    why: "locations of an automaton that h^CG looks at, at most; a guess",
};

pub(crate) const CAUSAL_COMBINATIONS: Tunable = Tunable {
    name: "hcg.combinations",
    default: 1024,
    range: (1, 1 << 30),
    why: "combinations of values that conditions and effects are tried for by h^CG; a guess",
};

pub(crate) const CAUSAL_EVALUATIONS: Tunable = Tunable {
    name: "hcg.evaluations",
    default: 4_000_000,
    range: (0, 1 << 40),
    why: "evaluations of conditions and effects while h^CG is prepared; parts that would need more are not looked at; a guess",
};

pub(crate) const CAUSAL_LABELS: Tunable = Tunable {
    name: "hcg.labels",
    default: 1 << 15,
    range: (1, 1 << 31),
    why: "transitions that h^CG tells apart; beyond, edges count without their partners; a guess",
};
