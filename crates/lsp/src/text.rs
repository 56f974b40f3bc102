//! A text that is edited, and its places as editors count them: lines and UTF-16 units from 0.

/// A line and a column in UTF-16 units, both counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Line.
    pub line: u32,
    /// Units of UTF-16 before it on its line.
    pub column: u32,
}

/// A text with the starts of its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    text: String,
    /// Offsets of the first bytes of lines.
    lines: Vec<u32>,
}

impl Text {
    /// Takes a text.
    pub fn new(text: impl Into<String>) -> Text {
        let text = text.into();
        let lines = line_starts(&text);
        Text { text, lines }
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The bytes `start..end`; empty where that is no part of the text.
    pub fn slice(&self, start: u32, end: u32) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    /// The place of a byte offset; one inside a character counts as its start, one after the end as the end.
    pub fn place(&self, offset: u32) -> Place {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let after = self
            .lines
            .partition_point(|&start| start as usize <= offset);
        let line = after.saturating_sub(1);
        let start = self.lines.get(line).copied().unwrap_or(0) as usize;
        let before = self.text.get(start..offset).unwrap_or("");
        Place {
            line: line as u32,
            column: units(before),
        }
    }

    /// The byte offset of a place; a column behind the end of its line counts as the end, and so does a line.
    pub fn offset(&self, place: Place) -> u32 {
        let Some(&start) = self.lines.get(place.line as usize) else {
            return self.text.len() as u32;
        };
        let end = self.lines.get(place.line as usize + 1);
        let end = end.map_or(self.text.len(), |&end| end as usize);
        let line = self.text.get(start as usize..end).unwrap_or("");
        let line = line.trim_end_matches(['\n', '\r']);
        if line.is_ascii() {
            return start + (place.column as usize).min(line.len()) as u32;
        }
        let mut left = place.column as usize;
        for (at, letter) in line.char_indices() {
            // A column inside of a pair of surrogates counts as before it.
            if left < letter.len_utf16() {
                return start + at as u32;
            }
            left -= letter.len_utf16();
        }
        start + line.len() as u32
    }

    /// Replaces the text between two places.
    pub fn replace(&mut self, from: Place, to: Place, with: &str) {
        let start = self.offset(from) as usize;
        let end = (self.offset(to) as usize).max(start);
        self.text.replace_range(start..end, with);
        // The lines before stay as they are. A `\r` before the edit may join a `\n` in it, so one more is looked at again.
        let kept = self
            .lines
            .partition_point(|&line| (line as usize) < start)
            .max(1);
        let from = self.lines.get(kept - 1).copied().unwrap_or(0) as usize;
        self.lines.truncate(kept);
        let rest = self.text.get(from..).unwrap_or("");
        self.lines.extend(
            line_starts(rest)
                .into_iter()
                .skip(1)
                .map(|at| at + from as u32),
        );
    }

    /// The place after the last character.
    pub fn end(&self) -> Place {
        self.place(self.text.len() as u32)
    }
}

/// Units of UTF-16 that a text takes.
fn units(text: &str) -> u32 {
    match text.is_ascii() {
        true => text.len() as u32,
        false => text.chars().map(char::len_utf16).sum::<usize>() as u32,
    }
}

/// Lines end with `\n`, `\r\n` or a lone `\r`.
fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (at, &byte) in bytes.iter().enumerate() {
        if byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
            starts.push(at as u32 + 1);
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::{Place, Text};

    #[test]
    fn units_of_utf16() {
        let text = Text::new("aä𝄞b\r\nc\rd\n");
        let check = |offset: u32, line: u32, column: u32| {
            let place = Place { line, column };
            assert_eq!(text.place(offset), place);
            assert_eq!(text.offset(place), offset);
        };
        check(0, 0, 0);
        check(1, 0, 1);
        check(3, 0, 2);
        check(7, 0, 4);
        check(8, 0, 5);
        check(10, 1, 0);
        check(12, 2, 0);
        check(14, 3, 0);
        // Inside of the pair, behind the line, behind the text.
        let offset = |line, column| text.offset(Place { line, column });
        assert_eq!(offset(0, 3), 3);
        assert_eq!(offset(0, 99), 8);
        assert_eq!(offset(1, 99), 11);
        assert_eq!(offset(99, 0), 14);
    }

    #[test]
    fn edits_keep_the_lines() {
        let mut text = Text::new("one\r\ntwo\nthree");
        let edits = [
            ((0, 3), (1, 0), ""),
            ((0, 1), (0, 1), "\n\r\n𝄞"),
            ((2, 0), (2, 2), "\r"),
            ((1, 0), (3, 0), "x"),
            ((9, 9), (9, 9), "\nend"),
            ((0, 0), (9, 9), ""),
        ];
        for (from, to, with) in edits {
            let place = |(line, column)| Place { line, column };
            text.replace(place(from), place(to), with);
            assert_eq!(text, Text::new(text.as_str()), "{with:?}");
        }
    }
}
