//! Pieces of a text and the page on which they are laid out anew.

use merkhet_syntax::{Lexeme, LexemeKind};

/// A lexeme with its letters and the line breaks before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) kind: LexemeKind,
    pub(super) text: &'a str,
    /// Line breaks between the lexeme before and this one.
    pub(super) breaks: usize,
    /// Whether there is no blank at all before it.
    pub(super) adjacent: bool,
}

impl Piece<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
            && !matches!(
                self.kind,
                LexemeKind::String | LexemeKind::LineComment | LexemeKind::BlockComment
            )
    }

    pub(super) fn is_comment(&self) -> bool {
        matches!(
            self.kind,
            LexemeKind::LineComment | LexemeKind::BlockComment
        )
    }

    /// A comment that begins its line.
    pub(super) fn is_own_line(&self) -> bool {
        self.is_comment() && self.breaks > 0
    }
}

/// The pieces of a text.
pub(super) fn pieces<'a>(text: &'a str, lexemes: &[Lexeme]) -> Vec<Piece<'a>> {
    let mut end = 0;
    let mut found = Vec::with_capacity(lexemes.len());
    for lexeme in lexemes {
        let gap = text.get(end..lexeme.start as usize).unwrap_or("");
        end = lexeme.end as usize;
        let breaks = gap.bytes().filter(|&byte| byte == b'\n').count();
        found.push(Piece {
            kind: lexeme.kind,
            text: lexeme.text(text),
            // What begins the text begins a line.
            breaks: breaks.max(usize::from(found.is_empty())),
            adjacent: gap.is_empty(),
        });
    }
    found
}

/// What has been written.
#[derive(Default)]
pub(super) struct Page {
    text: String,
    /// Whether the last line is still empty.
    fresh: bool,
    /// Whether the last line ends with a comment that goes to the end of the line.
    commented: bool,
}

impl Page {
    pub(super) fn new() -> Page {
        Page {
            fresh: true,
            ..Page::default()
        }
    }

    pub(super) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Ends the line, unless it is empty.
    pub(super) fn end_line(&mut self) {
        if !self.fresh {
            self.text.push('\n');
            self.fresh = true;
            self.commented = false;
        }
    }

    /// Leaves one line empty, unless there is one or the page begins here, or a block.
    pub(super) fn blank_line(&mut self) {
        self.end_line();
        if !self.text.is_empty() && !self.text.ends_with("\n\n") && !self.text.ends_with("{\n") {
            self.text.push('\n');
        }
    }

    /// Takes an empty line at the end back.
    pub(super) fn no_blank_line(&mut self) {
        while self.text.ends_with("\n\n") {
            self.text.pop();
        }
    }

    /// Begins a line with this many blanks, or goes on with one blank or none on the line that has been begun.
    pub(super) fn put(&mut self, text: &str, indent: usize, blank: bool) {
        if self.commented {
            self.end_line();
        }
        if self.fresh {
            self.text.extend(std::iter::repeat_n(' ', indent));
        } else if blank {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.fresh = false;
    }

    /// A comment, on a line of its own or behind what stands on the line.
    pub(super) fn comment(&mut self, piece: &Piece<'_>, indent: usize) {
        if piece.is_own_line() {
            self.end_line();
            if piece.breaks > 1 {
                self.blank_line();
            }
        }
        let mut lines = piece.text.lines();
        let first = lines.next().unwrap_or("").trim_end();
        self.put(first, indent, true);
        for line in lines {
            let line = line.trim();
            self.text.push('\n');
            if !line.is_empty() {
                // The stars of a block of comments stand below each other, other text below the first word.
                let more = if line.starts_with('*') { 1 } else { 3 };
                self.text.extend(std::iter::repeat_n(' ', indent + more));
                self.text.push_str(line);
            }
        }
        self.commented = piece.kind == LexemeKind::LineComment;
    }

    /// The whole text, with one line break at the end.
    pub(super) fn finish(mut self) -> String {
        let length = self.text.trim_end().len();
        self.text.truncate(length);
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text
    }
}
