//! The papers' tables and the races as data: rows, figures, and how they are shown.
//!
//! Nothing here runs a program: `cargo xtask race` does, and hands what it measured to [`race`] and [`plot`]; `cargo xtask tables` does so with
//! [`tables`].

#![forbid(unsafe_code)]

pub mod plot;
pub mod race;
pub mod tables;
