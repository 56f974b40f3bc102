//! What walks over expressions and statements find out: the cells that they touch, and the values that they may have.

pub mod bounds;
pub mod footprint;
pub mod interval;
pub mod unroll;
pub mod visit;
