//! The forms of a report: text for people with advice and tables, JSON, JUnit XML, SARIF, and pictures of runs.

pub mod advice;
pub mod chart;
pub mod diagram;
pub mod human;
pub mod json;
pub mod junit;
pub mod sarif;
pub mod splits;
pub mod svg;
pub mod table;
