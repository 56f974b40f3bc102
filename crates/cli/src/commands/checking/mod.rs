//! `check`: queries of one model or of many, what is written beside the report, and what is said when time is up.

mod batch;
mod certificate;
pub mod check;
mod cluster;
mod diagrams;
mod expect;
mod last_words;
mod overwrite;
mod trace_file;
