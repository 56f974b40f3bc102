//! A piece of text to be parsed, and the way from its offsets back to those of the file.

use crate::{FileId, Span};

/// A text with the map from its bytes to the bytes of the file it was taken from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) text: &'a str,
    file: FileId,
    map: Map<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Map<'a> {
    /// The text stands in the file as it is, from this offset on.
    Shifted(u32),
    /// The text was put together from pieces, in this order and without gaps.
    Pieces(&'a [Piece]),
}

/// A run of bytes of a text that was put together, such as the content of an XML label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    /// Offset of its first byte in the text.
    pub(crate) text_start: u32,
    /// Offset of its first byte in the file.
    pub(crate) file_start: u32,
    /// For text that was decoded from something else (`&lt;`): the extent in the file, else `None`.
    pub(crate) encoded_length: Option<u32>,
}

impl<'a> Text<'a> {
    /// A text that stands in the file as it is, from the offset `start` on.
    pub(crate) fn plain(file: FileId, text: &'a str, start: u32) -> Text<'a> {
        Text {
            text,
            file,
            map: Map::Shifted(start),
        }
    }

    /// A text that was put together from pieces.
    pub(crate) fn pieced(file: FileId, text: &'a str, pieces: &'a [Piece]) -> Text<'a> {
        Text {
            text,
            file,
            map: Map::Pieces(pieces),
        }
    }

    /// The span in the file of the bytes `start..end` of the text.
    pub(crate) fn span(&self, start: u32, end: u32) -> Span {
        let first = self.place(start, false);
        let last = if end > start {
            self.place(end - 1, true)
        } else {
            first
        };
        Span::new(self.file, first, last)
    }

    /// The span of the whole text.
    pub(crate) fn whole(&self) -> Span {
        self.span(0, self.text.len() as u32)
    }

    /// The offset in the file where the byte at `offset` starts or, with `after`, ends.
    fn place(&self, offset: u32, after: bool) -> u32 {
        let after_byte = u32::from(after);
        match self.map {
            Map::Shifted(start) => start + offset + after_byte,
            Map::Pieces(pieces) => {
                let index = pieces
                    .partition_point(|piece| piece.text_start <= offset)
                    .saturating_sub(1);
                match pieces.get(index) {
                    None => offset,
                    Some(Piece {
                        file_start,
                        encoded_length: Some(length),
                        ..
                    }) => file_start + length * after_byte,
                    Some(piece) => piece.file_start + (offset - piece.text_start) + after_byte,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, Text};
    use crate::FileId;

    #[test]
    fn offsets_lead_back_through_entities() {
        // File: `ab&lt;c` from offset 10; text: `ab<c`.
        let piece = |text_start, file_start, encoded_length| Piece {
            text_start,
            file_start,
            encoded_length,
        };
        let pieces = [
            piece(0, 10, None),
            piece(2, 12, Some(4)),
            piece(3, 16, None),
        ];
        let text = Text::pieced(FileId::MODEL, "ab<c", &pieces);
        let check = |start, end, expected: (u32, u32)| {
            let span = text.span(start, end);
            assert_eq!((span.start, span.end), expected);
        };
        check(0, 2, (10, 12));
        check(2, 3, (12, 16));
        check(3, 4, (16, 17));
        check(0, 4, (10, 17));
        check(1, 3, (11, 16));
        check(4, 4, (17, 17));
    }
}
