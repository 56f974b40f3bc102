//! The machine against a plain tree interpreter, and faults by name.

mod faults;
mod generate;
mod interpret;
mod property;
