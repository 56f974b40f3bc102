//! Zones enlarged so that there are finitely many, and the simulation tests that compare without enlarging.

pub(crate) mod extrapolate;
pub(crate) mod simulation;
