//! d^L, d^U, h^L and h^U against true distances, and A* against breadth first, on random networks; the papers' examples.

mod clocks;
mod distances;
mod examples;
mod optimal;
mod support;
#[path = "../pa/support.rs"]
mod text;
mod wide;
