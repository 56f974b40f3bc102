//! The library facade: check a model and get a report of plain data.

pub mod generate;
