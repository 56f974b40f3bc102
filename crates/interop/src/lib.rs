//! Models between languages, without any search.
//!
//! [`convert`] writes a model in another language, [`generate`] builds the members of families of models as text, and
//! [`finite`] translates a network into a finite system for the engine of decision diagrams, and [`draw`] makes pictures.

#![forbid(unsafe_code)]

pub mod convert;
pub mod draw;
pub mod finite;
pub mod generate;
pub mod munta;
