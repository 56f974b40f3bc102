//! UPPAAL's XML files: the document, its declarations and its order of parts.

mod content;
mod labels;
mod queries;
mod reader;
mod template;
mod unescape;

pub use unescape::unescape;

use crate::diagnostic::diagnostics::Diagnostics;
use crate::parser::{Dialect, Parser};
use crate::source::section::{SectionKind, Sections};
use crate::tree::{Declaration, Model, Name};
use crate::{FileId, Span};
use content::Content;
use reader::{Tag, XmlReader};
use std::collections::HashMap;

/// Reads an XML text that starts at the offset `base` of its file.
pub(crate) fn read(
    file: FileId,
    text: &str,
    base: usize,
    model: &mut Model,
    diagnostics: &mut Diagnostics,
) {
    let mut document = Document {
        xml: XmlReader::new(file, text, base, diagnostics),
        sections: std::mem::take(&mut model.sections),
    };
    let mut found = false;
    while let Some(tag) = document.xml.next_child() {
        if tag.name == "nta" || tag.name == "project" {
            found = true;
            document.network(&tag, model);
        } else {
            let message = format!("expected the element `<nta>`, found `<{}>`", tag.name);
            document.xml.error("not-a-model", message, tag.span);
            found = true;
            document.xml.skip();
        }
    }
    if !found && document.xml.diagnostics.errors() == 0 {
        let message = "there is no element `<nta>` in this file";
        let span = Span::new(file, base as u32, base as u32);
        document.xml.error("not-a-model", message, span);
    }
    model.sections = document.sections;
}

/// The state of reading a document.
struct Document<'a, 'd> {
    xml: XmlReader<'a, 'd>,
    sections: Sections,
}

/// Counts children by name, for their steps in XPaths.
#[derive(Default)]
struct Counter(HashMap<String, u32>);

impl Counter {
    /// `name[n]`
    fn step(&mut self, name: &str) -> Option<String> {
        let count = self.0.entry(name.to_string()).or_default();
        *count += 1;
        Some(format!("{name}[{count}]"))
    }
}

impl Document<'_, '_> {
    fn open(&mut self, kind: SectionKind, tag: &Tag, step: Option<String>) -> u32 {
        self.sections.open(kind, tag.span, step)
    }

    fn close(&mut self) {
        let end = self.xml.offset();
        self.sections.close(end);
    }

    /// The text of an element, as a section of its own.
    fn section(&mut self, kind: SectionKind, tag: &Tag, step: &str) -> Content {
        self.open(kind, tag, Some(step.to_string()));
        let content = self.xml.content();
        self.close();
        content
    }

    fn network(&mut self, tag: &Tag, model: &mut Model) {
        self.open(SectionKind::File, tag, Some(tag.name.clone()));
        let mut counter = Counter::default();
        while let Some(child) = self.xml.next_child() {
            match child.name.as_str() {
                "declaration" => {
                    let content = self.section(SectionKind::Declarations, &child, "declaration");
                    let declarations = self.parse(&content, |parser| parser.declarations());
                    model.declarations.extend(declarations);
                }
                "template" => {
                    let step = counter.step("template");
                    let template = self.template(&child, step);
                    model.templates.push(template);
                }
                "lsc" => {
                    let step = counter.step("lsc");
                    let template = self.sequence_chart(&child, step);
                    model.templates.push(template);
                }
                "instantiation" => {
                    let content = self.section(SectionKind::Instantiation, &child, "instantiation");
                    self.parse(&content, |parser| {
                        parser.system_declarations(&mut model.system)
                    });
                }
                "system" => {
                    let content = self.section(SectionKind::System, &child, "system");
                    self.parse(&content, |parser| {
                        parser.system_declarations(&mut model.system)
                    });
                }
                "imports" => {
                    let span = child.span;
                    model.declarations.push(Declaration::Unsupported {
                        what: "an import of another file",
                        names: Vec::new(),
                        span,
                    });
                    self.xml.skip();
                }
                "queries" => self.queries(&child, model),
                _ => self.xml.skip(),
            }
        }
        self.close();
    }

    /// Parses the text of an element.
    fn parse<T>(&mut self, content: &Content, parse: impl FnOnce(&mut Parser<'_, '_>) -> T) -> T {
        self.parse_as(Dialect::New, content, parse)
    }

    fn parse_as<T>(
        &mut self,
        dialect: Dialect,
        content: &Content,
        parse: impl FnOnce(&mut Parser<'_, '_>) -> T,
    ) -> T {
        let mut parser = Parser::new(content.text(), dialect, self.xml.diagnostics);
        parse(&mut parser)
    }

    /// The name in an element `<name>`; `None` if it is empty.
    fn name(&mut self, content: &Content, of_what: &str) -> Option<Name> {
        let text = content.trimmed();
        if text.is_empty() {
            return None;
        }
        let mut characters = text.chars();
        let starts_well = characters
            .next()
            .is_some_and(|first| first == '_' || first.is_ascii_alphabetic());
        let goes_on = characters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#'));
        let span = content.trimmed_span();
        if !starts_well || !goes_on {
            let message = format!("`{text}` cannot be the name of {of_what}");
            let diagnostic = crate::Diagnostic::error("malformed-name", message, span);
            let hint = "names consist of letters, digits and `_`, and do not start with a digit";
            self.xml.diagnostics.push(diagnostic.with_hint(hint));
        }
        Some(Name {
            text: text.to_string(),
            span,
        })
    }
}
