//! What several tests share: the models of strangers, which lie outside the repository.
#![allow(dead_code)]

use merkhet_syntax::{Diagnostic, FileId, SourceMap};
use std::path::{Path, PathBuf};

/// The folder of shared data, or `None` (said plainly) where it is absent.
pub fn shared(part: &str) -> Option<PathBuf> {
    let root = std::env::var_os("MERKHET_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join(part);
    if path.exists() {
        return Some(path);
    }
    println!("SKIPPED: there is no {}", path.display());
    None
}

/// All files below a folder, sorted.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A diagnostic in one line: `line:column: code: message (context)`.
pub fn show(diagnostic: &Diagnostic, bytes: &[u8]) -> String {
    let mut sources = SourceMap::new();
    for file in [FileId::MODEL, FileId::QUERIES, FileId::TYPED] {
        sources.insert(file, "", bytes);
    }
    let position = sources.start(diagnostic.span).expect("a known file");
    let context = diagnostic
        .context
        .as_ref()
        .map_or(String::new(), |context| format!(" ({context})"));
    let text = sources.text(diagnostic.span).unwrap_or("");
    let (line, column) = (position.line, position.column);
    format!(
        "{line}:{column} `{text}` {}: {}{context}",
        diagnostic.code, diagnostic.message
    )
}
