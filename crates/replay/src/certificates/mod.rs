//! Certificates: inductive sets of symbolic states, read from files and checked with plain zones, or with boxes.

pub(crate) mod accept;
mod boxes;
pub(crate) mod certificate;
pub(crate) mod certify;
pub(crate) mod federation;
pub(crate) mod file;
pub(crate) mod fingerprint;
mod runs;
pub(crate) mod simulation;
pub(crate) mod situation;
pub(crate) mod values;
pub(crate) mod zone;
