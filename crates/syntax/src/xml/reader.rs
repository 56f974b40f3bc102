//! The XML layer: elements, attributes and text with their offsets, on top of quick-xml.
//!
//! Nothing is expanded but the predefined and numeric references (see [`super::content`]), no external document is
//! ever fetched, and the depth of elements is bounded.

use super::content::{Content, decode_references};
use crate::diagnostic::diagnostics::Diagnostics;
use crate::{Diagnostic, FileId, Span};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Elements may be nested this deep; UPPAAL's own files need six levels.
const MAX_ELEMENT_DEPTH: usize = 256;

/// An element with its attributes and its place in the tree counts as this many tokens.
const TOKENS_PER_ELEMENT: u32 = 8;

/// The start tag of an element.
#[derive(Clone, Debug)]
pub(super) struct Tag {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
    pub(super) span: Span,
}

impl Tag {
    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// The values of the attributes `x` and `y`.
    pub(super) fn position(&self) -> Option<crate::tree::Point> {
        let number = |name| self.attribute(name)?.trim().parse().ok();
        Some(crate::tree::Point {
            x: number("x")?,
            y: number("y")?,
        })
    }
}

enum Item {
    Open(Tag),
    Close,
    Text { start: usize, end: usize },
    Reference { start: usize, end: usize },
    Nothing,
    End,
}

/// Reads an XML text element by element.
pub(super) struct XmlReader<'a, 'd> {
    reader: Reader<&'a [u8]>,
    /// The text that is read; offsets in it plus `base` are offsets in the file.
    text: &'a str,
    base: usize,
    file: FileId,
    depth: usize,
    finished: bool,
    pub(super) diagnostics: &'d mut Diagnostics,
}

impl<'a, 'd> XmlReader<'a, 'd> {
    pub(super) fn new(
        file: FileId,
        text: &'a str,
        base: usize,
        diagnostics: &'d mut Diagnostics,
    ) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        XmlReader {
            reader,
            text,
            base,
            file,
            depth: 0,
            finished: false,
            diagnostics,
        }
    }

    /// The offset in the file up to which the text has been read.
    pub(super) fn offset(&self) -> u32 {
        (self.base + self.place()) as u32
    }

    fn place(&self) -> usize {
        (self.reader.buffer_position() as usize).min(self.text.len())
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(
            self.file,
            (self.base + start) as u32,
            (self.base + end) as u32,
        )
    }

    pub(super) fn error(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        self.diagnostics
            .push(Diagnostic::error(code, message, span));
    }

    /// The next child of the current element; `None` after its end tag has been read.
    pub(super) fn next_child(&mut self) -> Option<Tag> {
        loop {
            match self.next() {
                Item::Open(tag) => return Some(tag),
                Item::Close | Item::End => return None,
                Item::Text { start, end } => self.stray_text(start, end),
                Item::Reference { .. } | Item::Nothing => {}
            }
        }
    }

    /// The text of the current element up to and with its end tag.
    pub(super) fn content(&mut self) -> Content {
        let mut content = Content::new(self.file, self.offset());
        loop {
            match self.next() {
                Item::Text { start, end } => {
                    let piece = self.text.get(start..end).unwrap_or("");
                    content.push_text(piece, (self.base + start) as u32);
                }
                Item::Reference { start, end } => {
                    let reference = self.text.get(start..end).unwrap_or("");
                    let span = self.span(start, end);
                    content.push_reference(reference, span, self.diagnostics);
                }
                Item::Open(tag) => {
                    let message = format!(
                        "there should be no element `<{}>` inside this text",
                        tag.name
                    );
                    self.error("unexpected-element", message, tag.span);
                    self.skip();
                }
                Item::Nothing => {}
                Item::Close | Item::End => return content,
            }
        }
    }

    /// Skips the rest of the current element with its end tag.
    pub(super) fn skip(&mut self) {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside && !matches!(self.next(), Item::End) {}
    }

    fn next(&mut self) -> Item {
        if self.finished {
            return Item::End;
        }
        let start = self.place();
        let event = self.reader.read_event();
        let end = self.place();
        match event {
            Ok(Event::Start(element)) => self.open(&element, start, end),
            Ok(Event::End(_)) => {
                self.depth = self.depth.saturating_sub(1);
                Item::Close
            }
            Ok(Event::Text(_)) => Item::Text { start, end },
            Ok(Event::CData(data)) => {
                let length = data.len();
                let start = start + "<![CDATA[".len();
                Item::Text {
                    start,
                    end: start + length,
                }
            }
            Ok(Event::GeneralRef(_)) => Item::Reference { start, end },
            Ok(Event::DocType(_)) => {
                self.document_type(start, end);
                Item::Nothing
            }
            Ok(Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_)) => {
                Item::Nothing
            }
            Ok(Event::Eof) => self.end_of_file(),
            Err(error) => self.malformed(&error.to_string()),
        }
    }

    fn open(&mut self, element: &BytesStart<'_>, start: usize, end: usize) -> Item {
        let span = self.span(start, end);
        self.depth += 1;
        if !self.diagnostics.spend(TOKENS_PER_ELEMENT, span) {
            self.finished = true;
            return Item::End;
        }
        if self.depth > MAX_ELEMENT_DEPTH {
            let message = format!("elements are nested more than {MAX_ELEMENT_DEPTH} levels deep");
            self.error("too-deep", message, span);
            self.finished = true;
            return Item::End;
        }
        let mut attributes = Vec::new();
        for attribute in element.attributes() {
            match attribute {
                Ok(attribute) => {
                    let key = attribute.key.as_ref().to_string();
                    attributes.push((key, decode_references(&attribute.value)));
                }
                Err(error) => {
                    self.error(
                        "malformed-xml",
                        format!("malformed attribute: {error}"),
                        span,
                    );
                    break;
                }
            }
        }
        Item::Open(Tag {
            name: element.name().as_ref().to_string(),
            attributes,
            span,
        })
    }

    /// Entities that a document type declares are never expanded: they can grow without bound or name other files.
    fn document_type(&mut self, start: usize, end: usize) {
        if self
            .text
            .get(start..end)
            .is_some_and(|text| text.contains("<!ENTITY"))
        {
            let message = "entities declared in a document type are not expanded";
            let diagnostic =
                Diagnostic::warning("entity-declaration", message, self.span(start, end));
            self.diagnostics.push(diagnostic);
        }
    }

    fn stray_text(&mut self, start: usize, end: usize) {
        let text = self.text.get(start..end).unwrap_or("");
        let visible = text.trim();
        if !visible.is_empty() {
            let skipped = start + (text.len() - text.trim_start().len());
            let span = self.span(skipped, skipped + visible.len());
            let message = "this text stands outside of any label and is ignored";
            self.diagnostics
                .push(Diagnostic::warning("stray-text", message, span));
        }
    }

    fn end_of_file(&mut self) -> Item {
        self.finished = true;
        if self.depth > 0 {
            let span = self.span(self.text.len(), self.text.len());
            let message = format!(
                "the file ends inside an element: {} end tags are missing",
                self.depth
            );
            self.error("malformed-xml", message, span);
        }
        Item::End
    }

    fn malformed(&mut self, message: &str) -> Item {
        self.finished = true;
        let offset = (self.reader.error_position() as usize).min(self.text.len());
        let line_end = self
            .text
            .as_bytes()
            .iter()
            .skip(offset)
            .position(|&byte| byte == b'\n' || byte == b'>');
        let end = line_end
            .map_or(self.text.len(), |length| offset + length + 1)
            .min(offset + 80);
        let span = self.span(offset, end.min(self.text.len()));
        let diagnostic = Diagnostic::error(
            "malformed-xml",
            format!("the XML is malformed: {message}"),
            span,
        );
        self.diagnostics
            .push(diagnostic.with_hint("what follows this place was not read"));
        Item::End
    }
}
