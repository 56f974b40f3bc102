//! The tests of the library as one program: linking takes longer than most of them. A test that needs a process of its own, as
//! for its memory, is a file beside this folder.

#[path = "../support/lattices.rs"]
mod lattices;
#[path = "../networks/mod.rs"]
mod networks;
#[path = "../support/mod.rs"]
mod support;

mod automatic;
mod beyond_faults;
mod diagrams;
mod facade;
mod families;
mod guidance;
mod invariant;
mod lattice_effects;
mod lattice_errors;
mod lattice_features_random;
mod lattice_models;
mod lattice_proof_random;
mod lattice_random;
mod lattice_sound;
mod lattice_strategies;
mod live;
mod more_traces;
mod options;
mod peers;
mod random;
mod ranges;
mod reductions;
mod reductions_named;
mod schedule;
mod semantics;
mod shorten;
mod symmetry;
mod traps;
mod traps_time;
mod unproved;
mod walks;
