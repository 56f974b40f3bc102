//! Places in the text of a file.

/// Which file a span belongs to; the [`SourceMap`](crate::SourceMap) holds the texts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

impl FileId {
    /// The file that [`read_model`](crate::read_model) assigns to its spans.
    pub const MODEL: FileId = FileId(0);
    /// The file that [`read_queries`](crate::read_queries) assigns to its spans.
    pub const QUERIES: FileId = FileId(1);
    /// The text that [`read_query`](crate::read_query) assigns to its spans (a query typed by the user).
    pub const TYPED: FileId = FileId(2);
    /// Declarations that come with the program (or with one that uses it as a library) rather than with a model.
    pub const LIBRARY: FileId = FileId(3);
}

/// A range of bytes of a file's text.
///
/// The text is UTF-8; of a file in UTF-16 it is the decoded text that the
/// [`SourceMap`](crate::SourceMap) holds. A byte order mark counts as part of the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span of the bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span {
            file,
            start,
            end: end.max(start),
        }
    }

    /// The smallest span that covers both; where the files differ, `self`.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Whether `other` lies inside `self`.
    pub fn contains(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// Number of bytes.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the span covers no byte at all.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}
