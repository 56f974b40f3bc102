//! The texts that spans point into: lines, columns and excerpts.

pub(crate) mod decode;
pub mod section;
pub mod span;
pub(crate) mod text;

use crate::source::decode::decode_for_display;
use crate::{FileId, Span};
use std::collections::BTreeMap;

/// A line and a column, both counted from 1; columns count characters, a byte order mark is none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

/// A named text with the starts of its lines.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    /// The number of characters before each block of [`BLOCK`] bytes: whole models come on one line, and a column
    /// must not cost a walk over megabytes.
    blocks: Vec<u32>,
}

/// Bytes from one entry of [`SourceFile::blocks`] to the next.
const BLOCK: usize = 1024;

impl SourceFile {
    /// Takes a file's bytes; UTF-16 is decoded by its byte order mark, bytes that are not UTF-8 are replaced
    /// (one byte by one `?`, so that offsets stay true).
    pub fn new(name: impl Into<String>, bytes: &[u8]) -> SourceFile {
        let text = decode_for_display(bytes).into_owned();
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes()
                .enumerate()
                .filter(|&(_, b)| b == b'\n')
                .map(|(i, _)| i as u32 + 1),
        );
        let mut blocks = Vec::with_capacity(text.len() / BLOCK + 1);
        let mut characters = 0;
        for start in (0..=text.len()).step_by(BLOCK) {
            blocks.push(characters);
            let end = (start + BLOCK).min(text.len());
            characters += count_characters(text.as_bytes(), start, end);
        }
        SourceFile {
            name: name.into(),
            text,
            line_starts,
            blocks,
        }
    }

    /// The name it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line and column of a byte offset; an offset after the end counts as the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = self.floor(offset);
        let line = self
            .line_starts
            .partition_point(|&start| start as usize <= offset)
            .max(1);
        let start = self
            .line_starts
            .get(line - 1)
            .map_or(0, |&start| start as usize);
        // Lines are short, but a hostile one may be as long as the file: then the counts by block help.
        let before = match offset - start {
            0..BLOCK => count_characters(self.text.as_bytes(), start, offset),
            _ => self.characters_before(offset) - self.characters_before(start),
        };
        Position {
            line: line as u32,
            column: before + 1,
        }
    }

    /// The number of characters before a byte offset within the text.
    fn characters_before(&self, offset: usize) -> u32 {
        let block = offset / BLOCK;
        let known = self.blocks.get(block).copied().unwrap_or(0);
        known + count_characters(self.text.as_bytes(), block * BLOCK, offset)
    }

    /// The text of a line counted from 1, without its line break.
    pub fn line(&self, line: u32) -> Option<&str> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.line_starts.get(index)? as usize;
        let end = self
            .line_starts
            .get(index + 1)
            .map_or(self.text.len(), |&next| next as usize);
        Some(self.text.get(start..end)?.trim_end_matches(['\n', '\r']))
    }

    /// The text between two byte offsets, moved to character boundaries where needed.
    pub fn slice(&self, start: u32, end: u32) -> &str {
        let (start, end) = (self.floor(start), self.floor(end));
        self.text.get(start..end.max(start)).unwrap_or("")
    }

    fn floor(&self, offset: u32) -> usize {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

/// The number of characters that start at the bytes `start..end`; byte order marks do not count.
fn count_characters(bytes: &[u8], start: usize, end: usize) -> u32 {
    const MARK: &[u8] = "\u{FEFF}".as_bytes();
    let starts = |at: &usize| {
        bytes[*at] & 0xC0 != 0x80 && !(bytes[*at] == MARK[0] && bytes[*at..].starts_with(MARK))
    };
    (start..end.min(bytes.len())).filter(starts).count() as u32
}

/// All texts of a run, by file id.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: BTreeMap<FileId, SourceFile>,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file, or replaces the one with that id.
    pub fn insert(&mut self, id: FileId, name: impl Into<String>, bytes: &[u8]) {
        self.files.insert(id, SourceFile::new(name, bytes));
    }

    /// The file with that id.
    pub fn file(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(&id)
    }

    /// Where a span starts.
    pub fn start(&self, span: Span) -> Option<Position> {
        self.file(span.file).map(|file| file.position(span.start))
    }

    /// Where a span ends (the position after its last character).
    pub fn end(&self, span: Span) -> Option<Position> {
        self.file(span.file).map(|file| file.position(span.end))
    }

    /// The text of a span, as it stands in the file (in XML with its entities).
    pub fn text(&self, span: Span) -> Option<&str> {
        self.file(span.file)
            .map(|file| file.slice(span.start, span.end))
    }

    /// The line of `span` counted from 1 at the start of `section`, as verifyta counts lines within a label.
    pub fn line_within(&self, section: Span, span: Span) -> Option<u32> {
        Some(
            self.start(span)?
                .line
                .saturating_sub(self.start(section)?.line)
                + 1,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, SourceFile};

    #[test]
    fn columns_on_long_lines() {
        let text = format!(
            "\u{FEFF}a\nä{}\n{}",
            "xé€".repeat(BLOCK),
            "𝄞b".repeat(BLOCK)
        );
        let file = SourceFile::new("long", text.as_bytes());
        let (mut line, mut column) = (1, 1);
        for (offset, letter) in text.char_indices() {
            let at = file.position(offset as u32);
            assert_eq!((at.line, at.column), (line, column), "{offset}");
            match letter {
                '\n' => (line, column) = (line + 1, 1),
                '\u{FEFF}' => {}
                _ => column += 1,
            }
        }
    }
}
