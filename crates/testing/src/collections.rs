//! Collections of models that are not part of the repository, and tests that do without them.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A file or folder of the collections, which lie next to the checkout or where `MERKHET_SHARED` points. Where it is not
/// there the running test is reported as skipped.
pub fn shared(part: &str) -> Option<PathBuf> {
    let root = std::env::var_os("MERKHET_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join(part);
    if path.exists() {
        return Some(path);
    }
    skip(&format!("there is no ../shared/{part}, nor MERKHET_SHARED"));
    None
}

/// Says that the running test leaves something out, and why. `cargo xtask test` reads the line and does not count the test
/// as passed; it goes past the test harness, which keeps what passing tests print.
pub fn skip(why: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let _ = std::io::stdout().write_all(format!("\n[skipped] {test}: {why}\n").as_bytes());
}
