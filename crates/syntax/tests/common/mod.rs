//! What several tests share: the models of strangers, which lie outside the repository.
#![allow(dead_code, unused_imports)]

pub mod outline;

use merkhet_syntax::{Diagnostic, FileId, SourceMap, read_model};
use std::path::{Path, PathBuf};

pub use merkhet_testing::shared;

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
        .map_or(String::new(), ToString::to_string);
    let context = if context.is_empty() {
        context
    } else {
        format!(" ({context})")
    };
    let text = sources.text(diagnostic.span).unwrap_or("");
    let (line, column) = (position.line, position.column);
    format!(
        "{line}:{column} `{text}` {}: {}{context}",
        diagnostic.code, diagnostic.message
    )
}

/// Checks the tree of a model and its diagnostics, both in their short forms.
#[track_caller]
pub fn check_model(name: &str, text: &str, tree: &str, problems: &str) {
    let (model, diagnostics) = read_model(name, text.as_bytes());
    let found: Vec<String> = diagnostics
        .iter()
        .map(|d| show(d, text.as_bytes()))
        .collect();
    assert_eq!(found.join("\n"), trimmed(problems), "diagnostics of {text}");
    assert_eq!(outline::model(&model), trimmed(tree), "tree of {text}");
}

/// An indented literal without the indentation of its first line and the blanks around it.
pub fn trimmed(literal: &str) -> String {
    let lines: Vec<&str> = literal
        .lines()
        .skip_while(|line| line.trim().is_empty())
        .collect();
    let indent = lines
        .first()
        .map_or(0, |line| line.len() - line.trim_start().len());
    let cut: Vec<&str> = lines
        .iter()
        .map(|line| line.get(indent..).unwrap_or(""))
        .collect();
    cut.join("\n").trim_end().to_string()
}
