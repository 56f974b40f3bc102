//! The Python package's engine room: plain handles on the library, without any of what makes the package pleasant.
//!
//! What a person sees (names, documentation, errors, data frames, pictures in notebooks) is Python, in `python/merkhet`; here
//! is only what needs the library. Everything that takes time runs on a thread of its own with a large stack, without the
//! interpreter's lock, while the calling thread looks after signals ([`work`]).

#![forbid(unsafe_code)]

mod errors;
mod lattice;
mod model;
mod report;
mod run;
mod settings;
mod space;
mod tools;
mod work;

use pyo3::prelude::*;

/// The module `merkhet._merkhet`; the package `merkhet` is what is meant to be used.
#[pymodule]
mod _merkhet {
    #[pymodule_export]
    use crate::model::{Cancel, Model, Query};
    #[pymodule_export]
    use crate::report::Report;
    #[pymodule_export]
    use crate::run::{Path, Run};
    #[pymodule_export]
    use crate::space::{Space, Symbolic, Taken};
    #[pymodule_export]
    use crate::tools::{generated, heuristics, plot, searches};
}
