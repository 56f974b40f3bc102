//! Cuts the few lines around a span out of a file, so that drawing a message never walks a large text.

use std::ops::Range;

use merkhet_syntax::{SourceFile, Span};

/// A line with more bytes than this is not shown.
const LONGEST_LINE: usize = 2000;

/// The most lines of a span that are shown.
const MOST_LINES: u32 = 6;

/// Lines of a file, and where the span lies in them.
#[derive(Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The lines, joined by line breaks.
    pub text: String,
    /// The number of the first line.
    pub first_line: u32,
    /// The bytes of `text` that the span covers.
    pub range: Range<usize>,
}

/// The lines of a span; none if one of them is too long to be shown.
pub fn cut(file: &SourceFile, span: Span) -> Option<Excerpt> {
    let start = file.position(span.start);
    let end = file.position(span.end.max(span.start));
    let last = end.line.min(start.line.saturating_add(MOST_LINES - 1));
    let mut text = String::new();
    let mut range = 0..0;
    for number in start.line..=last {
        let line = file.line(number)?;
        if line.len() > LONGEST_LINE {
            return None;
        }
        if number > start.line {
            text.push('\n');
        }
        if number == start.line {
            range.start = text.len() + byte_of_column(line, start.column);
        }
        if number == last {
            let column = if number == end.line {
                end.column
            } else {
                u32::MAX
            };
            range.end = text.len() + byte_of_column(line, column);
        }
        text.push_str(line);
    }
    range.end = range.end.max(range.start);
    Some(Excerpt {
        text,
        first_line: start.line,
        range,
    })
}

/// The byte at which a column (counted in characters from 1) starts, at most the end of the line.
fn byte_of_column(line: &str, column: u32) -> usize {
    let before = column.saturating_sub(1) as usize;
    line.char_indices()
        .nth(before)
        .map_or(line.len(), |(byte, _)| byte)
}

#[cfg(test)]
mod tests {
    use super::cut;
    use merkhet_syntax::{FileId, SourceFile, Span};

    fn check(text: &str, start: u32, end: u32, expected: Option<(&str, u32, &str)>) {
        let file = SourceFile::new("f", text.as_bytes());
        let excerpt = cut(&file, Span::new(FileId::MODEL, start, end));
        let found = excerpt
            .as_ref()
            .map(|e| (&*e.text, e.first_line, &e.text[e.range.clone()]));
        assert_eq!(found, expected, "{text:?} {start}..{end}");
    }

    #[test]
    fn the_right_lines_and_bytes() {
        check(
            "one\ntwo three\nfour",
            8,
            13,
            Some(("two three", 2, "three")),
        );
        check(
            "one\ntwo three\nfour",
            8,
            16,
            Some(("two three\nfour", 2, "three\nfo")),
        );
        check("é é\r\nü", 3, 5, Some(("é é", 1, "é")));
        check("one\n", 4, 4, Some(("", 2, "")));
        check("", 0, 0, Some(("", 1, "")));
        check("one", 900, 901, Some(("one", 1, "")));
    }

    #[test]
    fn long_spans_are_cut_and_long_lines_left_out() {
        check(
            "a\nb\nc\nd\ne\nf\ng\nh",
            0,
            15,
            Some(("a\nb\nc\nd\ne\nf", 1, "a\nb\nc\nd\ne\nf")),
        );
        check(&"x".repeat(3000), 5, 6, None);
    }
}
