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

/// A lattice of a program that uses the library: fields and methods in the models' own language, order and join there as well
/// or in Rust.
#[derive(Clone, Debug)]
pub struct External {
    /// A declaration `lattice Name[…] { fields; methods }`; `leq` and `join` may be left out where there is an order.
    pub declaration: String,
    /// How elements are compared and joined; nothing where the declaration says it.
    pub order: Option<Native>,
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
        ("UnionBitVector" | "MessagePool" | "MaxInteger" | "Sign" | "Parity", _) => Direction::Up,
        ("IntersectionBitVector" | "MinInteger" | "AbstractCache" | "PresentAbsentSet", _) => {
            Direction::Down
        }
        ("IntRange" | "DiscreteClock" | "Octagon", "low") => Direction::Down,
        ("IntRange" | "DiscreteClock" | "Octagon", _) => Direction::Up,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::TEXT;

    /// The book's table of lattices has every method of the library with its arguments.
    #[test]
    fn the_book_lists_all_methods() {
        const COMPARISONS: [&str; 8] = ["leq", "join", "lt", "le", "gt", "ge", "eq", "ne"];
        let page = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/book/src/lattices.md"
        );
        let page = std::fs::read_to_string(page).expect("the page");
        let (mut row, mut methods) = ("", 0);
        for line in TEXT.lines() {
            if let Some(rest) = line.strip_prefix("lattice ") {
                let name = rest.split(['[', ' ']).next().unwrap_or_default();
                let named = |row: &&str| row.contains(&format!("`{name}")) && row.starts_with('|');
                row = page.lines().find(named).unwrap_or_default();
                assert!(!row.is_empty(), "no row for {name}");
                continue;
            }
            let signature = line.split_once(") {").map(|(signature, _)| signature);
            let Some((head, parameters)) = signature.and_then(|text| text.split_once('(')) else {
                continue;
            };
            let name = head.split_whitespace().last().unwrap_or_default();
            if !line.starts_with("    ") || COMPARISONS.contains(&name) || head.contains("for") {
                continue;
            }
            let arguments: Vec<&str> = (parameters.split(", "))
                .filter_map(|parameter| parameter.split_whitespace().last())
                .map(|name| name.trim_start_matches('&'))
                .collect();
            let call = format!("`{name}({})`", arguments.join(", "));
            assert!(row.contains(&call), "{call} is missing in {row}");
            methods += 1;
        }
        assert!(methods > 30, "only {methods} methods found");
    }
}
