//! The program's version.

/// `0.1.0`, and the revision in brackets where it was built from a repository.
pub const LONG: &str = concat!(env!("CARGO_PKG_VERSION"), env!("MERKHET_REVISION"));
