//! Searches on several machines.
//!
//! A [`Session`] connects the processes ([`connect`]), after they have found that they are about the same thing, and is the
//! [`merkhet::Exchange`] that the search uses. Underneath is timely dataflow (D. G. Murray and others, "Naiad: A Timely Dataflow
//! System", SOSP 2013): `flow` is one operator in a loop, through which packets travel to their owner, and whose frontier tells
//! when a search is over and when everything stands still. `stream` keeps what breaks within bounds. This crate knows nothing of
//! states.

#![forbid(unsafe_code)]

pub mod connect;
mod flow;
pub mod hosts;
mod packet;
mod session;
mod stream;

pub use session::{Session, threads};
