//! The text of an element: references resolved, with the way back to the file.

use crate::diagnostic::diagnostics::Diagnostics;
use crate::source::text::{Piece, Text};
use crate::{Diagnostic, FileId, Span};

/// The decoded text of an element.
#[derive(Clone, Debug)]
pub(super) struct Content {
    text: String,
    pieces: Vec<Piece>,
    file: FileId,
}

impl Content {
    /// No text yet, at the offset `start` of the file.
    pub(super) fn new(file: FileId, start: u32) -> Content {
        let nothing = Piece {
            text_start: 0,
            file_start: start,
            encoded_length: None,
        };
        Content {
            text: String::new(),
            pieces: vec![nothing],
            file,
        }
    }

    pub(super) fn push_text(&mut self, text: &str, file_start: u32) {
        self.push(text, file_start, None);
    }

    /// Adds what a reference such as `&lt;` or `&#60;` stands for.
    pub(super) fn push_reference(
        &mut self,
        reference: &str,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) {
        let decoded = resolve(reference);
        if decoded.is_none() {
            let message = format!(
                "`{reference}` is not expanded: only predefined and numeric references are"
            );
            diagnostics.push(Diagnostic::error("unknown-entity", message, span));
        }
        let mut buffer = [0; 4];
        let text = decoded.unwrap_or(' ').encode_utf8(&mut buffer);
        self.push(text, span.start, Some(span.len()));
    }

    fn push(&mut self, text: &str, file_start: u32, encoded_length: Option<u32>) {
        if text.is_empty() {
            return;
        }
        let text_start = self.text.len() as u32;
        if text_start == 0 {
            self.pieces.clear();
        }
        self.pieces.push(Piece {
            text_start,
            file_start,
            encoded_length,
        });
        self.text.push_str(text);
    }

    /// The text with its map, for parsing.
    pub(super) fn text(&self) -> Text<'_> {
        Text::pieced(self.file, &self.text, &self.pieces)
    }

    /// The text without the blanks around it.
    pub(super) fn trimmed(&self) -> &str {
        self.text.trim()
    }

    /// Where the trimmed text stands.
    pub(super) fn trimmed_span(&self) -> Span {
        let start = self.text.len() - self.text.trim_start().len();
        let end = (start + self.trimmed().len()) as u32;
        self.text().span(start as u32, end)
    }
}

/// The character that a reference with its `&` and `;` stands for.
fn resolve(reference: &str) -> Option<char> {
    let name = reference.strip_prefix('&')?.strip_suffix(';')?;
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code);
    }
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        // Not XML, but authors paste them from web pages.
        "nbsp" => '\u{a0}',
        "ndash" | "minus" => '-',
        "le" => '≤',
        "ge" => '≥',
        _ => return None,
    })
}

/// The value of an attribute, references resolved; unknown ones stay as they are.
pub(super) fn decode_references(value: &str) -> String {
    let mut decoded = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(start) = rest.find('&') {
        let (before, from) = rest.split_at(start);
        decoded.push_str(before);
        let end = from.find(';').map_or(1, |end| end + 1);
        let (reference, after) = from.split_at(end);
        match resolve(reference) {
            Some(character) => decoded.push(character),
            None => decoded.push_str(reference),
        }
        rest = after;
    }
    decoded.push_str(rest);
    decoded
}

#[cfg(test)]
mod tests {
    use super::decode_references;

    #[test]
    fn references_in_attributes() {
        let check = |value: &str, expected: &str| assert_eq!(decode_references(value), expected);
        check("a&lt;b&amp;&amp;c", "a<b&&c");
        check("&#65;&#x42;&quot;", "AB\"");
        check("a&b;c & d", "a&b;c & d");
        check("&#xFFFFFFFF;&", "&#xFFFFFFFF;&");
    }
}
