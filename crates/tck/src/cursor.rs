//! Walks over the text of declarations: blanks, comments, names, numbers, colons.

use super::expression::{Broken, Parsed};
use super::span;
use super::token::{is_name_part, is_name_start, name, too_large};
use super::tree::Name;
use merkhet_syntax::Diagnostics;
use merkhet_syntax::{Diagnostic, FileId, Span};

/// A position in the text of a file.
pub(super) struct Cursor<'t, 'd> {
    pub(super) file: FileId,
    pub(super) text: &'t str,
    pub(super) position: usize,
    pub(super) diagnostics: &'d mut Diagnostics,
}

impl<'t> Cursor<'t, '_> {
    /// What has not been read yet.
    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    /// The next character.
    pub(super) fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The span from an offset to here.
    pub(super) fn span_from(&self, start: usize) -> Span {
        span(self.file, start, self.position)
    }

    /// Skips blanks within the line.
    pub(super) fn skip_blanks(&mut self) {
        let rest = self.rest();
        let trimmed = rest.trim_start_matches([' ', '\t', '\r']);
        self.position += rest.len() - trimmed.len();
    }

    /// Skips blanks and line breaks.
    pub(super) fn skip_white(&mut self) {
        let rest = self.rest();
        let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        self.position += rest.len() - trimmed.len();
    }

    /// Skips blank lines and comments.
    pub(super) fn skip_empty_lines(&mut self) {
        loop {
            self.skip_white();
            if self.next() != Some('#') {
                return;
            }
            self.skip_line();
        }
    }

    /// Skips to the end of the line.
    pub(super) fn skip_line(&mut self) {
        self.position += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// After an error: to the end of the declaration, which is the end of the line, or of the line with the brace that
    /// closes its attributes.
    pub(super) fn skip_declaration(&mut self, start: usize) {
        let line_end = |from: usize| self.text[from..].find('\n').map(|length| from + length);
        let end = line_end(self.position).unwrap_or(self.text.len());
        let read = &self.text[start..end];
        let open = read.rfind('{').is_some_and(|at| !read[at..].contains('}'));
        let closing = match open {
            // A brace that the author forgot must not swallow the declarations that follow.
            true => self.text[end..]
                .find(['}', '{', '#'])
                .filter(|&at| self.text[end + at..].starts_with('}')),
            false => None,
        };
        self.position = match closing {
            Some(at) => line_end(end + at).unwrap_or(self.text.len()),
            None => end,
        };
    }

    /// The next characters as a message shows them.
    fn found(&self) -> (String, Span) {
        let rest = self.rest();
        let length = match self.next() {
            None => return ("the end of the file".into(), self.span_from(self.position)),
            Some('\n') => return ("the end of the line".into(), self.span_from(self.position)),
            Some(c) if is_name_part(c) => rest
                .find(|c| !is_name_part(c))
                .unwrap_or(rest.len())
                .min(40),
            Some(c) => c.len_utf8(),
        };
        let here = span(self.file, self.position, self.position + length);
        (format!("`{}`", &rest[..length]), here)
    }

    pub(super) fn fail_expected<T>(&mut self, what: &str) -> Parsed<T> {
        let (found, span) = self.found();
        let message = format!("expected {what}, found {found}");
        self.diagnostics
            .push(Diagnostic::error("expected-token", message, span));
        Err(Broken)
    }

    /// A character, after blanks.
    pub(super) fn expect(&mut self, wanted: char) -> Parsed<()> {
        if self.take(wanted) {
            return Ok(());
        }
        self.fail_expected(&format!("`{wanted}`"))
    }

    /// The character, if it is the next one after blanks.
    pub(super) fn take(&mut self, wanted: char) -> bool {
        self.skip_blanks();
        let found = self.next() == Some(wanted);
        if found {
            self.position += wanted.len_utf8();
        }
        found
    }

    /// A name, after blanks.
    pub(super) fn name(&mut self, what: &str) -> Parsed<Name> {
        self.skip_blanks();
        if !self.next().is_some_and(|c| is_name_start(c) && c != '$') {
            return self.fail_expected(what);
        }
        let start = self.position;
        let rest = self.rest();
        self.position += rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
        Ok(name(
            &self.text[start..self.position],
            self.span_from(start),
        ))
    }

    /// A number with a sign or without.
    pub(super) fn integer(&mut self, what: &str) -> Parsed<(i32, Span)> {
        self.skip_blanks();
        let start = self.position;
        let rest = self.rest();
        let digits = rest.strip_prefix(['+', '-']).unwrap_or(rest);
        let count = digits
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(digits.len());
        if count == 0 {
            return self.fail_expected(what);
        }
        self.position += rest.len() - digits.len() + count;
        let span = self.span_from(start);
        match self.text[start..self.position].parse() {
            Ok(value) => Ok((value, span)),
            Err(_) => {
                self.diagnostics.push(too_large(span));
                Err(Broken)
            }
        }
    }

    /// The end of a declaration: the end of the line or of the file, or a comment.
    pub(super) fn end_of_line(&mut self) -> Parsed<()> {
        self.skip_blanks();
        match self.next() {
            None | Some('\n') => Ok(()),
            Some('#') => {
                self.skip_line();
                Ok(())
            }
            Some(_) => self.fail_expected("the end of the line"),
        }
    }
}
