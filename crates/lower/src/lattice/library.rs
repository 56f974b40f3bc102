//! The lattices that `extern` imports, written in the models' own language (`library.xta`).
//!
//! All of them go cell by cell: [`directions`] says so, which lets the engine compare and join without running code.

use merkhet_network::{Direction, Native};
use merkhet_syntax::tree::{Declaration, Lattice};
use merkhet_syntax::{FileId, SourceFile, read_model_as};
use std::sync::{Arc, OnceLock};

/// The declarations.
pub const TEXT: &str = include_str!("library.xta");

/// The clocks as zones: the name that lattice models use for ordinary clocks.
pub const ZONES: &str = "DBMClock";

/// A lattice of a program that uses the library: fields and methods in the models' own language, order and join in Rust.
#[derive(Clone, Debug)]
pub struct External {
    /// A declaration `lattice Name[…] { fields; methods }`; `leq` and `join` may be left out.
    pub declaration: String,
    /// How elements are compared and joined.
    pub order: Native,
}

/// The declarations of the library, read.
pub fn library() -> &'static [Arc<Lattice>] {
    static READ: OnceLock<Vec<Arc<Lattice>>> = OnceLock::new();
    READ.get_or_init(|| read(TEXT))
}

/// The library's text, for source positions.
pub fn source() -> &'static SourceFile {
    static SOURCE: OnceLock<SourceFile> = OnceLock::new();
    SOURCE.get_or_init(|| SourceFile::new("lattice library", TEXT.as_bytes()))
}

/// The lattices that a text declares.
pub fn read(text: &str) -> Vec<Arc<Lattice>> {
    let (model, _) = read_model_as(FileId::LIBRARY, "library.xta", text.as_bytes());
    let lattices = model.declarations.into_iter().filter_map(|one| match one {
        Declaration::Lattice(lattice) => Some(Arc::new(lattice)),
        _ => None,
    });
    lattices.collect()
}

/// Which way each field of a lattice of the library goes.
pub fn directions(lattice: &str, field: &str) -> Option<Direction> {
    Some(match (lattice, field) {
        ("UnionBitVector" | "MessagePool" | "MaxInteger", _) => Direction::Up,
        ("IntersectionBitVector" | "MinInteger" | "AbstractCache" | "PresentAbsentSet", _) => {
            Direction::Down
        }
        ("IntRange" | "DiscreteClock", "low") => Direction::Down,
        ("IntRange" | "DiscreteClock", _) => Direction::Up,
        _ => return None,
    })
}
