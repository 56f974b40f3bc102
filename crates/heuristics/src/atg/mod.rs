//! The abstract transition graph of the monotonicity abstraction, and the estimates h^L and h^U.
//!
//! Kupferschmid, Hoffmann, Dierks, Behrmann: Adapting an AI planning heuristic for directed model checking (SPIN
//! 2006). Every variable keeps each value that it once had, so that locations and values only accumulate. Layer k
//! holds what k rounds of all enabled transitions can reach. h^L is the first layer that meets the goal (section 4); h^U
//! is the length of an abstract solution that is read off the layers backwards (appendix A.2).
//!
//! Beyond the paper: goals with disjunctions, broadcast, n-ary synchronisation, arrays and functions, non-linear
//! expressions. Whatever is not looked into is over-approximated (a condition counts as satisfied, a variable may get
//! any value of its range), so that h^L stays admissible and an infinite value stays a proof that no goal is reachable.
//! Clocks, invariants, urgency and priorities are ignored, as in the paper, unless clocks are asked for (`clocks`).
//!
//! * `model`: conditions, effects and edges, compiled once; `compile`: from the network and the goal to that model;
//! * `layers`: the layers, event-driven, without allocation for each state: value sets, firing, meeting, enumeration;
//! * `solution`: the abstract solution for h^U and the preferred transitions;
//! * `clocks`: resets that upper bounds need, time that lower bounds need, moves that time needs;
//! * `graph`: all of it for one goal; `options`, `guide`, `forced`: names, and what the search asks.

mod clocks;
mod compile;
mod forced;
mod graph;
mod guide;
mod layers;
mod model;
mod options;
mod solution;

use compile::{assemble, merge, posts, relevance, shapes, tabulate};
use layers::{enumerate, gather, meeting, values};

pub use graph::Graph;
pub use model::EdgeRef;
pub use options::{LOWER, Options, UPPER};
pub use solution::Step;
