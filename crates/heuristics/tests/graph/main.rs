//! h^L and h^U against true distances on random networks; the papers' examples.

mod clocks;
mod distances;
mod examples;
mod support;
#[path = "../pa/support.rs"]
mod text;
mod wide;
