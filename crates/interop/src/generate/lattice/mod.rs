//! Lattice automata: our own models of the examples of "opaal: a lattice model checker" (Dalsgaard et al. 2011),
//! section 2.

mod cache;
mod database;
mod leader;
mod login;
mod sessions;

pub(super) use cache::CACHE;
pub(super) use database::DATABASE;
pub(super) use leader::LEADER;
pub(super) use login::LOGIN;
pub(super) use sessions::SESSIONS;
