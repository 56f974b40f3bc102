//! The machine against a plain tree interpreter, and faults by name.

mod analyses;
mod faults;
mod generate;
mod interpret;
mod normal;
mod property;
mod random;
