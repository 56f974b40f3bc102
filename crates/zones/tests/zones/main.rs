//! Zones against a naive twin, and against points.

mod abstraction;
mod extremes;
mod points;
mod random;
mod storage;
mod twin;
mod twin_checks;
