//! The passage of time: delay, urgency, and the abstractions that keep zones finitely many.

pub(crate) mod delay;
pub(crate) mod extrapolate;
pub(crate) mod stay;
pub(crate) mod urgency;
