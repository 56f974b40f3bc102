//! d^L, d^U, h^L and h^U against true distances, and A* against breadth first, on random networks.

mod distances;
mod optimal;
mod support;
