//! The loops in which the time goes; each has a plain form and, where it pays, one with vector instructions.

pub(crate) mod scalar;

pub(crate) use scalar::*;
