//! Liveness: is there a maximal run on which a formula holds all along?
//!
//! `E[] p` asks for such a run for `p` from the initial state; `A<> p` fails iff there is one for `not p`; `p --> q`
//! fails iff there is one for `not q` from some reachable state with `p and not q`. A run is maximal if it goes on for
//! ever (Zeno or not, as in UPPAAL), if it ends where no transition is possible any more, or if it stays where time can
//! pass without end.
//!
//! The search is a depth-first one over states whose zones are cut down to the formula: time passes only as long as
//! the formula holds (`arrival`). States are compared for equality, and zones are enlarged by maximal constants: then a
//! cycle of symbolic states stands for an infinite run (Tripakis, Yovine, Bouajjani: Checking timed Büchi automata
//! emptiness efficiently, FMSD 2005; Tripakis: Checking timed Büchi automata emptiness on simulation graphs, TOCL 2009).
//! A state that is included in one already left for good is dropped: every run from it is a run from the larger one.

pub(crate) mod arrival;
mod graph;
mod search;
mod within;

pub use search::{Failure, Found, Liveness, MaximalRun, Outcome, Proof};
