//! Which transitions a state offers, and the states that they lead to.

pub(crate) mod broadcast;
pub(crate) mod enumerate;
pub(crate) mod fire;
pub(crate) mod moves;
pub(crate) mod places;
pub(crate) mod priority;
pub(crate) mod reduced;
pub(crate) mod target;
